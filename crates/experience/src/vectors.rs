//! Vectors of records and questions, made beside the runtime.

use search::embed::{EmbedError, Vector};

use crate::meaning::Meaning;

/// Vectors, and what made them.
#[derive(Debug, Clone)]
pub struct Made {
    pub fingerprint: String,
    pub vectors: Vec<Vector>,
}

/// A vector for each text.
pub async fn make(meaning: &Meaning, texts: Vec<String>) -> Result<Made, EmbedError> {
    aside(meaning, move |meaning| meaning.of_records(&texts)).await
}

/// A vector for each text, or `None`: a record is kept without one.
pub async fn of_records(meaning: Option<&Meaning>, texts: Vec<String>) -> Option<Made> {
    let made = make(meaning.filter(|_| !texts.is_empty())?, texts).await;
    made.inspect_err(|error| tracing::warn!(%error, "an experience is kept without a vector")).ok()
}

/// The vector of a question, or `None`: it is answered without one.
pub async fn of_question(meaning: Option<&Meaning>, question: &str) -> Option<Made> {
    let question = question.to_owned();
    let made = aside(meaning?, move |meaning| Ok(vec![meaning.of_question(&question)?])).await;
    made.inspect_err(|error| tracing::warn!(%error, "experiences are searched by words alone")).ok()
}

async fn aside(
    meaning: &Meaning,
    make: impl FnOnce(Meaning) -> Result<Vec<Vector>, EmbedError> + Send + 'static,
) -> Result<Made, EmbedError> {
    let (fingerprint, meaning) = (meaning.fingerprint().to_owned(), meaning.clone());
    let made = tokio::task::spawn_blocking(move || make(meaning)).await;
    let vectors = made.unwrap_or_else(|gone| Err(EmbedError::Failed { reason: gone.to_string() }))?;
    Ok(Made { fingerprint, vectors })
}

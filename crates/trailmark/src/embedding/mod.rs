//! From settings to what makes vectors: the one place that chooses an embedder.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use code_index::Meaning;
use language_model::{Client, Endpoint, Error, Limits};
use search::embed::{Cost, EmbedError, Embedder, Vector, about_tokens};
use static_embedding::ModelFolder;
use store::{TextKey, VectorCache};
use store_sqlite::{SqliteStore, SqliteVectors};

use crate::settings::EmbedderChoice;

/// Texts in one request.
const BATCH: usize = 64;

/// A batch of long texts takes its time; somebody waits for a question.
const OF_A_BATCH: Limits =
    Limits { connect: Duration::from_secs(5), total: Duration::from_secs(60), answer_bytes: 32 * 1024 * 1024 };
const OF_A_QUESTION: Limits =
    Limits { connect: Duration::from_secs(2), total: Duration::from_secs(3), answer_bytes: 1024 * 1024 };

/// What vectors are made by. Reads and connects to nothing yet.
pub(crate) fn meaning(choice: &EmbedderChoice, home: &Path) -> Meaning {
    match choice {
        EmbedderChoice::Nothing => Meaning::Nothing,
        EmbedderChoice::Builtin => Meaning::Learned,
        EmbedderChoice::Folder(folder) => match ModelFolder::new(folder) {
            Ok(model) => Meaning::Embedder(Arc::new(model)),
            Err(error) => {
                tracing::warn!(%error, "the embedder builtin is used instead");
                Meaning::Learned
            }
        },
        EmbedderChoice::Service { endpoint, most_tokens } => {
            let cache = Arc::new(SqliteVectors::open(home));
            Meaning::Embedder(Arc::new(Service::new(endpoint.clone(), *most_tokens, cache)))
        }
    }
}

/// What makes vectors of texts that belong to no project, such as experiences.
pub(crate) fn of_texts(meaning: &Meaning) -> Option<Arc<dyn Embedder>> {
    match meaning {
        Meaning::Embedder(embedder) => Some(embedder.clone()),
        Meaning::Nothing | Meaning::Learned => None,
    }
}

/// The embedded store in a folder, with experiences that are found by their vectors where something makes them.
pub(crate) fn embedded_store(folder: &Path, embedder: Option<Arc<dyn Embedder>>) -> SqliteStore {
    let store = SqliteStore::open(folder);
    match embedder {
        Some(embedder) => store.with_embedder(embedder),
        None => store,
    }
}

/// A service on the network. What it made once is not asked of it again.
#[derive(Debug)]
pub(crate) struct Service {
    endpoint: Endpoint,
    most_tokens: u64,
    fingerprint: String,
    cache: Arc<dyn VectorCache>,
    dimensions: Mutex<Option<usize>>,
}

impl Service {
    pub(crate) fn new(endpoint: Endpoint, most_tokens: u64, cache: Arc<dyn VectorCache>) -> Self {
        let fingerprint = format!("embeddings {} {}", endpoint.host(), endpoint.model());
        Self { endpoint, most_tokens, fingerprint, cache, dimensions: Mutex::default() }
    }

    fn known(&self, keys: &[TextKey]) -> Result<Vec<Option<Vector>>, EmbedError> {
        self.cache.find(&self.fingerprint, keys).map_err(|error| EmbedError::Failed { reason: error.to_string() })
    }

    /// Asks for vectors and remembers them. Blocks.
    fn ask(&self, texts: &[String], limits: Limits) -> Result<Vec<Vector>, EmbedError> {
        let failed = |error: std::io::Error| EmbedError::Failed { reason: error.to_string() };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
        let client = Client::new(self.endpoint.clone(), limits);
        let mut made = Vec::with_capacity(texts.len());
        for batch in texts.chunks(BATCH) {
            let vectors = runtime.block_on(client.embed(batch)).map_err(explained)?;
            let vectors = vectors.iter().map(|numbers| self.checked(numbers)).collect::<Result<Vec<_>, _>>()?;
            let kept: Vec<_> = batch.iter().map(|text| key(text)).zip(vectors.iter().cloned()).collect();
            let kept = self.cache.keep(&self.fingerprint, &kept);
            kept.unwrap_or_else(|error| tracing::warn!(%error, "vectors are not remembered"));
            made.extend(vectors);
        }
        Ok(made)
    }

    /// A vector that can be compared with those before.
    fn checked(&self, numbers: &[f32]) -> Result<Vector, EmbedError> {
        let mut known = self.dimensions.lock().unwrap_or_else(PoisonError::into_inner);
        let wanted = *known.get_or_insert(numbers.len());
        if wanted != numbers.len() {
            let reason = format!("a vector of {} dimensions after others of {wanted}", numbers.len());
            return Err(EmbedError::Refused { reason });
        }
        Vector::new(numbers).ok_or_else(|| EmbedError::Refused { reason: "a vector that points nowhere".to_owned() })
    }
}

impl Embedder for Service {
    fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    fn dimensions(&self) -> Option<usize> {
        *self.dimensions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_remote(&self) -> bool {
        true
    }

    fn cost(&self, texts: &[String]) -> Result<Cost, EmbedError> {
        let keys: Vec<TextKey> = texts.iter().map(|text| key(text)).collect();
        let known = self.known(&keys)?;
        let new: BTreeMap<TextKey, &String> =
            keys.into_iter().zip(texts).zip(known).filter(|(_, known)| known.is_none()).map(|(new, _)| new).collect();
        let tokens = new.values().map(|text| about_tokens(text)).sum();
        Ok(Cost { texts: new.len(), tokens, host: self.endpoint.host() })
    }

    fn agree(&self, cost: &Cost) -> Result<(), EmbedError> {
        if cost.texts == 0 || cost.tokens as u64 <= self.most_tokens {
            return Ok(());
        }
        let Cost { texts, tokens, host } = cost;
        let reason = format!(
            "{texts} texts, about {tokens} tokens, would be sent to {host}, and embedder-max-tokens allows {}",
            self.most_tokens
        );
        Err(EmbedError::NotAllowed { reason })
    }

    fn embed(&self, texts: &[String]) -> Result<Vec<Vector>, EmbedError> {
        let keys: Vec<TextKey> = texts.iter().map(|text| key(text)).collect();
        let mut known: BTreeMap<TextKey, Vector> =
            keys.iter().copied().zip(self.known(&keys)?).filter_map(|(key, vector)| Some((key, vector?))).collect();
        if let Some(vector) = known.values().next() {
            self.dimensions.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(vector.dimensions());
        }
        let new: BTreeMap<TextKey, &String> =
            keys.iter().copied().zip(texts).filter(|(key, _)| !known.contains_key(key)).collect();
        let wanted: Vec<String> = new.values().map(|text| (*text).clone()).collect();
        known.extend(new.keys().copied().zip(self.ask(&wanted, OF_A_BATCH)?));
        Ok(keys.iter().map(|key| known[key].clone()).collect())
    }

    fn embed_question(&self, text: &str) -> Result<Vector, EmbedError> {
        if self.most_tokens == 0 {
            let reason = "the question would be sent away, and embedder-max-tokens allows nothing to be".to_owned();
            return Err(EmbedError::NotAllowed { reason });
        }
        if let Some(Some(known)) = self.known(&[key(text)])?.into_iter().next() {
            return Ok(known);
        }
        let made = self.ask(&[text.to_owned()], OF_A_QUESTION)?.into_iter().next();
        made.ok_or_else(|| EmbedError::Refused { reason: "no vector".to_owned() })
    }
}

fn key(text: &str) -> TextKey {
    *blake3::hash(text.as_bytes()).as_bytes()
}

fn explained(error: Error) -> EmbedError {
    match error {
        Error::Timeout { after, .. } => EmbedError::Timeout { after },
        Error::NotEmbeddings { .. } => EmbedError::Refused { reason: error.to_string() },
        Error::NoConnection { .. }
        | Error::Lost { .. }
        | Error::Status { .. }
        | Error::TooLong { .. }
        | Error::NoSecurity { .. }
        | Error::NotACompletion { .. }
        | Error::Empty { .. } => EmbedError::Failed { reason: error.to_string() },
    }
}

#[cfg(test)]
mod tests;

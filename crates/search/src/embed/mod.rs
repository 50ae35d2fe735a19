//! Nearness in meaning: texts become vectors, kept small, and the nearest of many are found exactly.
//!
//! What makes vectors is either learned from the texts themselves ([`Lesson`], [`Learned`]) or an [`Embedder`], of which it is not
//! known here whether it is a folder with a model or a service on the network. A [`Vector`] keeps a byte for each dimension, a quarter
//! of what an embedder gives; [`Nearest`] compares every one of many with that of a question.

mod learned;
mod nearest;
mod parts;
mod vector;

use std::fmt;
use std::time::Duration;

pub use learned::{ENOUGH_PARTS, Learned, Lesson};
pub use nearest::{Near, Nearest};
pub use parts::WordsOfParts;
pub use vector::Vector;

/// Makes vectors of texts, such that texts about the same have vectors that point the same way.
///
/// It blocks: call it off the runtime.
pub trait Embedder: Send + Sync + fmt::Debug {
    /// Names the model, its version and whatever else vectors depend on: those of two fingerprints are never compared.
    fn fingerprint(&self) -> &str;

    /// How many numbers a vector has; `None` before the first was made, where only the model knows.
    fn dimensions(&self) -> Option<usize>;

    /// Whether texts leave this machine, so that it costs something.
    fn is_remote(&self) -> bool {
        false
    }

    /// What it would cost to embed these, for whoever has to agree to it.
    fn cost(&self, texts: &[String]) -> Result<Cost, EmbedError> {
        let _ = texts;
        Ok(Cost::default())
    }

    /// Whether that may be spent: an error where it may not.
    fn agree(&self, cost: &Cost) -> Result<(), EmbedError> {
        let _ = cost;
        Ok(())
    }

    /// A vector for each text, in their order, all of the same length. What was made before an error is not lost to an
    /// embedder that remembers.
    fn embed(&self, texts: &[String]) -> Result<Vec<Vector>, EmbedError>;

    /// The vector of a question, which somebody waits for.
    fn embed_question(&self, text: &str) -> Result<Vector, EmbedError> {
        let made = self.embed(&[text.to_owned()])?.into_iter().next();
        made.ok_or_else(|| EmbedError::Refused { reason: "the embedder gave no vector".to_owned() })
    }
}

/// What leaves this machine, and for whom.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Cost {
    /// Texts that are not known yet, and have to be sent.
    pub texts: usize,
    /// About how many tokens they are.
    pub tokens: usize,
    /// Who gets them; empty where nothing leaves.
    pub host: String,
}

/// Why there are no vectors.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EmbedError {
    #[error("the embedder is not allowed to: {reason}")]
    NotAllowed { reason: String },
    #[error("the embedder did not answer within {} s", .after.as_secs_f64())]
    Timeout { after: Duration },
    #[error("the embedder failed: {reason}")]
    Failed { reason: String },
    #[error("the embedder answered with something that cannot be used: {reason}")]
    Refused { reason: String },
}

/// About how many tokens a model makes of a text: one for four letters, or for one character of a script without spaces.
pub fn about_tokens(text: &str) -> usize {
    let wide = text.chars().filter(|character| !character.is_ascii()).count();
    let narrow = text.bytes().filter(u8::is_ascii).count();
    wide + narrow.div_ceil(4)
}

//! Vectors that were paid for once and are kept for all projects and processes.

use std::fmt;

use search::embed::Vector;

use crate::Result;

/// What a text is known by: a hash of it.
pub type TextKey = [u8; 32];

/// Remembers the vectors of texts. What it forgets is made again.
pub trait VectorCache: Send + Sync + fmt::Debug {
    /// Those of the model with this fingerprint, in the order of the keys.
    fn find(&self, fingerprint: &str, keys: &[TextKey]) -> Result<Vec<Option<Vector>>>;

    fn keep(&self, fingerprint: &str, vectors: &[(TextKey, Vector)]) -> Result<()>;
}

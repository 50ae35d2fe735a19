//! Finding by meaning: what whoever compares texts by meaning has to offer.

use graph::NodeId;
use store::Result;

/// Knows which definitions are about what a text is about.
pub trait Meaning {
    /// The nearest definitions and how near each is, between 0 and 1, best first.
    fn nearest(&self, text: &str, limit: usize) -> Result<Vec<(NodeId, f64)>>;
}

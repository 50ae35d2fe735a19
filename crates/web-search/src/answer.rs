//! What a search finds.

use jiff::Timestamp;

/// The outcome of a search that was asked: what was found, and who answered.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer {
    /// Best first, each page once.
    pub items: Vec<Item>,
    /// The engines that answered, as far as that is known; sorted.
    pub engines: Vec<String>,
    /// The engines that did not.
    pub failures: Vec<EngineFailure>,
    /// What else the caller should know.
    pub notes: Vec<String>,
    /// Whether this was found by an earlier search.
    pub is_cached: bool,
}

/// A page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    pub title: String,
    pub url: String,
    pub snippet: String,
    /// Who found it.
    pub source: String,
    /// Only where it is known.
    pub published_at: Option<Timestamp>,
}

/// An engine that could not be asked, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineFailure {
    pub engine: String,
    pub reason: String,
}

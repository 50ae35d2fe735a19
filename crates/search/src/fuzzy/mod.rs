//! Which names are near what somebody wrote, who may have misspelt it, left off the end or changed the order?
//!
//! [`FuzzyQuery::score`] says how near, from 0 (not at all) to 1 (equal but for case, width, accents and blanks). So that not
//! every name has to be looked at, [`keys`] gives numbers to keep beside the names of a thing: whatever scores has one in
//! common with [`FuzzyQuery::keys`].
//!
//! ```
//! use search::fuzzy::{FuzzyQuery, keys};
//! let query = FuzzyQuery::parse("kuberntes").unwrap();
//! assert_eq!(query.score(["Kubernetes"]), 0.8128);
//! assert!(keys(["Kubernetes"]).iter().any(|key| query.keys().contains(key)));
//! ```

mod distance;
mod key;
mod score;
mod text;

pub use key::{keys, word_keys, words};
use text::Text;

/// When more things than this have a key in common with a query, those with the most keys in common are enough.
pub const MOST_CANDIDATES: usize = 5_000;

/// What somebody wrote to find a name.
#[derive(Debug, Clone)]
pub struct FuzzyQuery {
    text: Text,
}

impl FuzzyQuery {
    /// What this text asks for; `None` when it is blank. A text without a word asks for names that are equal to it.
    pub fn parse(text: &str) -> Option<Self> {
        let text = Text::read(text);
        (!text.folded.is_empty()).then_some(Self { text })
    }

    /// The keys one of which every name that scores has, in order and none of them twice.
    pub fn keys(&self) -> Vec<u64> {
        key::query_keys(&self.text)
    }

    /// How near the nearest of these names is: 0 when none is near, 1 when one is equal. Four digits behind the point.
    pub fn score<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> f64 {
        text::read_names(names).map(|name| score::score(&self.text, &name)).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests;

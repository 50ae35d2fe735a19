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

pub use key::{family, keys, word_keys, words};
pub use score::Explained;
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

    /// The one of a thing's [`words`] by which a name that is equal to the query is found.
    pub fn whole_word(&self) -> String {
        key::whole_word(&self.text)
    }

    /// What one of a thing's [`words`] explains of the query. Nothing, if they have no key in common.
    pub fn explained_by(&self, word: &str) -> Explained {
        if word == self.whole_word() {
            return Explained::whole();
        }
        score::explained_by(&self.text, &word.chars().collect::<Vec<char>>())
    }

    /// Whether one of a thing's [`words`] can at best begin with a word of the query. The thing has other words that say as much,
    /// unless the word stands alone in its name.
    pub fn can_only_begin(&self, word: &str) -> bool {
        score::can_only_begin(&self.text, &word.chars().collect::<Vec<char>>())
    }

    /// What [`Self::score`] cannot exceed for a thing whose words explain this together, with any name.
    pub fn at_most(&self, explained: Explained) -> f64 {
        score::at_most(&self.text, explained, None)
    }

    /// The same with these names.
    pub fn at_most_with<'a>(&self, explained: Explained, names: impl IntoIterator<Item = &'a str>) -> f64 {
        names.into_iter().map(|name| score::at_most(&self.text, explained, Some(name))).fold(0.0, f64::max)
    }

    /// How near the nearest of these names is: 0 when none is near, 1 when one is equal. Four digits behind the point.
    pub fn score<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> f64 {
        text::read_names(names).map(|name| score::score(&self.text, &name)).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests;

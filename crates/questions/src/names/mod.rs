//! What a translator may ask of an index: which things have this name, or one like it?

mod link;
mod memory;

use graph::Label;

pub(crate) use link::{Entity, How, Wanted, link, link_words};
pub use memory::MemoryNames;

/// Something in the index that a name may mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    pub label: Label,
    pub name: String,
    pub qualified_name: String,
    /// The file it is written in; for files and folders their own path; empty for what spans files.
    pub file_path: String,
    /// 0 for what has no lines.
    pub start_line: u32,
}

/// Looks names up in the index of one project. Every list is in a fixed order and may be cut at a few hundred entries.
pub trait Names {
    /// Whose name is exactly this.
    fn exact(&self, name: &str) -> Vec<Hit>;

    /// Whose name has this [`fold`]: apart from case, underscores and hyphens it is the same.
    fn folded(&self, fold: &str) -> Vec<Hit>;

    /// Whose qualified name or path is this or ends with it, at a boundary between parts. `.`, `/`, `:` and `#` between parts
    /// count as the same, and so do upper and lower case.
    fn suffix(&self, partial: &str) -> Vec<Hit>;

    /// Those with the most similar names, best first.
    fn similar(&self, name: &str, limit: usize) -> Vec<Hit>;

    /// Some things with this label that make good examples.
    fn sample(&self, label: Label, limit: usize) -> Vec<Hit>;
}

/// The form in which names are compared when their exact spelling finds nothing.
pub fn fold(name: &str) -> String {
    name.chars().filter(|character| !matches!(character, '_' | '-')).flat_map(char::to_lowercase).collect()
}

/// How much two names must have in common to be similar, between 0 and 1.
const SIMILAR: f64 = 0.7;

/// Those of the known folds that are similar to the fold of a name, most similar first.
pub fn similar_folds<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let wanted = fold(name);
    let mut scored: Vec<(f64, &str)> = known
        .filter(|known| known.len().abs_diff(wanted.len()) <= 3)
        .map(|known| (strsim::normalized_damerau_levenshtein(&wanted, known), known))
        .filter(|(score, _)| *score >= SIMILAR)
        .collect();
    scored.sort_by(|left, right| right.0.total_cmp(&left.0).then_with(|| left.1.cmp(right.1)));
    scored.into_iter().map(|(_, known)| known).collect()
}

/// The parts of a qualified name or path, in lower case.
pub fn parts(qualified: &str) -> Vec<String> {
    qualified
        .split(['.', '/', ':', '#', '\\'])
        .filter(|part| !part.is_empty())
        .map(|part| part.chars().flat_map(char::to_lowercase).collect())
        .collect()
}

//! Which things in the index does a name in a question mean?

use std::fmt;

use graph::Label;

use super::{Hit, Names, fold};
use crate::write::is_test_path;

/// How a name was linked to the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum How {
    Exact,
    /// Another spelling: case, underscores.
    Folded,
    /// The end of a qualified name or path.
    Suffix,
    /// A method by its name, of a class that inherits it.
    Inherited,
    /// A similar name: a slip of the pen.
    Similar,
}

/// A name in a question with the things it means, all in the same way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entity {
    /// As the question wrote it.
    pub text: String,
    pub how: How,
    /// Never empty.
    pub hits: Vec<Hit>,
    /// The classes whose own or inherited member it is, where it was asked for as theirs.
    pub owners: Vec<Hit>,
    /// How many others have the name that tests make for themselves.
    pub left_to_tests: usize,
}

/// Which labels are wanted, the most wanted group first. Within a group all count the same.
pub(crate) type Wanted = &'static [&'static [Label]];

/// How similar a name that stands for a slip of the pen must be.
const SIMILAR_ENOUGH: f64 = 0.8;

/// What the text means, seen through the groups of labels that are wanted.
pub(crate) fn link(text: &str, wanted: Wanted, names: &dyn Names) -> Option<Entity> {
    let text = text.trim().trim_start_matches('@').trim_end_matches('/');
    if text.is_empty() || text.chars().count() > 300 {
        return None;
    }
    let mut roads: [(How, &dyn Fn() -> Vec<Hit>); 4] = [
        (How::Exact, &|| names.exact(text)),
        (How::Folded, &|| names.folded(&fold(text))),
        (How::Suffix, &|| names.suffix(text)),
        (How::Similar, &|| similar(text, names)),
    ];
    if text.contains(['.', '/', ':', '#']) {
        roads.swap(1, 2);
    }
    for (how, look_up) in roads {
        if how == How::Similar
            && let Some(entity) = inherited(text, wanted, names)
        {
            return Some(entity);
        }
        let mut hits = best_group(look_up(), wanted, how, text);
        if !hits.is_empty() {
            let left_to_tests = if how == How::Exact { leave_to_tests(&mut hits) } else { 0 };
            // The name alone no longer says which are meant.
            let how = if left_to_tests > 0 { How::Suffix } else { how };
            return Some(Entity { text: text.to_owned(), how, hits, owners: Vec::new(), left_to_tests });
        }
    }
    None
}

/// A name that a question wrote as several words: `session interface`.
pub(crate) fn link_words(words: &[&str], wanted: Wanted, names: &dyn Names) -> Option<Entity> {
    let hits = best_group(names.folded(&fold(&words.concat())), wanted, How::Folded, "");
    let (text, owners) = (words.join(" "), Vec::new());
    (!hits.is_empty()).then_some(Entity { text, how: How::Folded, hits, owners, left_to_tests: 0 })
}

/// A type of the program is meant before those of the same name that tests make for themselves. Says how many those were.
fn leave_to_tests(hits: &mut Vec<Hit>) -> usize {
    let is_of_test = |hit: &Hit| TYPES[0].contains(&hit.label) && is_test_path(&hit.file_path);
    let before = hits.len();
    if !hits.iter().all(is_of_test) {
        hits.retain(|hit| !is_of_test(hit));
    }
    before - hits.len()
}

/// `Flask.route` where `route` is written in a base of `Flask`.
fn inherited(text: &str, wanted: Wanted, names: &dyn Names) -> Option<Entity> {
    let (owner, name) = text.rsplit_once(['.', '#', ':'])?;
    let owner = link(owner.trim_end_matches(':'), TYPES, names).filter(|owner| owner.how != How::Similar)?;
    let mut entity = link(name, wanted, names).filter(|entity| entity.how == How::Exact)?;
    entity.hits.retain(|hit| hit.label == Label::Method);
    let is_some = !entity.hits.is_empty();
    is_some.then(|| Entity { text: text.to_owned(), how: How::Inherited, owners: owner.hits, ..entity })
}

const TYPES: Wanted = &[&[Label::Class, Label::Interface, Label::Enum, Label::Type]];

fn best_group(hits: Vec<Hit>, wanted: Wanted, how: How, text: &str) -> Vec<Hit> {
    let group = wanted.iter().find(|group| hits.iter().any(|hit| group.contains(&hit.label)));
    let Some(group) = group else { return Vec::new() };
    let mut hits: Vec<Hit> = hits.into_iter().filter(|hit| group.contains(&hit.label)).collect();
    let same_case = |hit: &Hit| {
        [&hit.qualified_name, &hit.file_path].iter().any(|known| cased_parts(known).ends_with(&cased_parts(text)))
    };
    if how == How::Suffix && hits.iter().any(same_case) {
        hits.retain(same_case);
    }
    if hits.iter().any(|hit| hit.qualified_name == text) {
        hits.retain(|hit| hit.qualified_name == text);
    }
    if how == How::Similar {
        let best = hits[0].name.clone();
        hits.retain(|hit| hit.name == best);
    }
    hits
}

fn cased_parts(qualified: &str) -> Vec<&str> {
    qualified.split(['.', '/', ':', '#', '\\']).filter(|part| !part.is_empty()).collect()
}

fn similar(text: &str, names: &dyn Names) -> Vec<Hit> {
    if text.chars().count() < 4 {
        return Vec::new();
    }
    let last = text.rsplit(['.', '/', ':', '#']).next().unwrap_or(text);
    let wanted = fold(if text.contains('/') || looks_like_file(text) { text } else { last });
    let is_near = |hit: &Hit| strsim::normalized_damerau_levenshtein(&wanted, &fold(&hit.name)) >= SIMILAR_ENOUGH;
    names.similar(&wanted, 20).into_iter().filter(is_near).collect()
}

fn looks_like_file(text: &str) -> bool {
    text.rsplit_once('.').is_some_and(|(_, extension)| {
        (1..=4).contains(&extension.len()) && extension.chars().all(|c| c.is_ascii_lowercase())
    })
}

impl Entity {
    /// The name that all of its things share.
    pub(crate) fn shared_name(&self) -> Option<&str> {
        let first = &self.hits[0].name;
        self.hits.iter().all(|hit| hit.name == *first).then_some(first.as_str())
    }

    pub(crate) fn labels(&self) -> Vec<Label> {
        let mut labels: Vec<Label> = self.hits.iter().map(|hit| hit.label).collect();
        labels.sort_unstable();
        labels.dedup();
        labels
    }

    pub(crate) fn is_any(&self, labels: &[Label]) -> bool {
        self.hits.iter().any(|hit| labels.contains(&hit.label))
    }
}

impl fmt::Display for Entity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.how {
            How::Exact | How::Suffix | How::Inherited => f.write_str(&self.text),
            How::Folded | How::Similar => f.write_str(&self.hits[0].name),
        }
    }
}

//! Reads a question: filters first, then the relation that what is left speaks of.

use super::draft::Draft;
use super::relation::relation;
use super::units::Unit;
use super::{filters, places, sizes};
use crate::lexicon::values;
use crate::meaning::{Filter, Kind, Link, Other, Reach, Relation, Role, Subject};
use crate::names::{Entity, Names};

/// Why a question was not understood: the part of it that means nothing here.
pub(crate) type Unclear = String;

/// Fills the meaning of a draft.
pub(crate) fn read(draft: &mut Draft<'_>) -> Result<(), Unclear> {
    commands(draft);
    draft.meaning.asks_where = draft.has("ask.where");
    let asks_for_one = draft.has("ask.which.one");
    specials(draft);
    sizes::read(draft);
    if draft.use_all("count") {
        draft.meaning.counts = true;
    }
    filters::read(draft);
    places::read(draft);
    relation(draft)?;
    tests_of_place(draft);
    draft.meaning.is_singular |= asks_for_one;
    leftovers(draft)
}

/// The tests of a file are not in it: they reach what it defines.
fn tests_of_place(draft: &mut Draft<'_>) {
    let are_tests = !draft.meaning.kinds.is_empty() && draft.meaning.kinds.iter().all(|kind| *kind == Kind::Test);
    if !are_tests || !draft.meaning.links.is_empty() {
        return;
    }
    let is_tested = |filter: &Filter| {
        let in_tests = |place: &Entity| place.hits.iter().any(|hit| hit.file_path.to_lowercase().contains("test"));
        matches!(filter, Filter::Location { place, negated: false } if !in_tests(place))
    };
    let Some(at) = draft.meaning.filters.iter().position(is_tested) else { return };
    if let Filter::Location { place, .. } = draft.meaning.filters.remove(at) {
        let link = Link {
            relation: Relation::Cover,
            role: Role::Agent,
            other: Other::Named(place),
            negated: false,
            reach: Reach::Any,
            across_files: false,
        };
        draft.meaning.links.push(link);
    }
}

/// A command stands at the beginning; further on, the same word may be a name: "who calls get".
fn commands(draft: &mut Draft<'_>) {
    let mut at_beginning = true;
    for index in 0..draft.units.len() {
        if is_auxiliary(draft, index) {
            draft.units[index].atom = "be";
        }
        let is_command = draft.units[index].is("show");
        let is_name = is_command && !at_beginning && !draft.names.exact(&draft.units[index].text).is_empty();
        at_beginning &= is_command || draft.units[index].is("all");
        if is_name {
            draft.units[index].atom = values::WORD;
        } else if is_command {
            draft.units[index].used = true;
        }
    }
}

/// "Where does it get called"; in "where is get called" it is a name.
fn is_auxiliary(draft: &Draft<'_>, index: usize) -> bool {
    let is_get = matches!(draft.units[index].text.to_lowercase().as_str(), "get" | "gets");
    let follows_be = index > 0 && draft.units[index - 1].is("be");
    let is_participle = |next: &Unit| next.is("verb") && next.atom.ends_with(".ed") && next.text.is_ascii();
    is_get && !follows_be && draft.units.get(index + 1).is_some_and(is_participle)
}

const SPECIALS: &[(&str, Subject)] = &[
    ("special.unused", Subject::Unused),
    ("special.mutual", Subject::CallCycles),
    ("special.cycle", Subject::ImportCycles),
    ("special.recursive", Subject::Recursive),
    ("special.entry", Subject::EntryPoints),
];

fn specials(draft: &mut Draft<'_>) {
    for (atom, subject) in SPECIALS {
        if draft.use_all(atom) && draft.meaning.subject == Subject::Things {
            draft.meaning.subject = subject.clone();
        }
    }
    let speaks_of_calls = draft.has("verb.call") || draft.has("kind.function") || draft.has("kind.method");
    if draft.meaning.subject == Subject::ImportCycles && speaks_of_calls && !draft.has("verb.import") {
        draft.meaning.subject = Subject::CallCycles;
    }
}

/// Words that nothing was made of: an answer that ignores them would be one to another question.
fn leftovers(draft: &mut Draft<'_>) -> Result<(), Unclear> {
    let content = [
        "value",
        "verb",
        "noun",
        "kind",
        "not",
        "docstring",
        "decorator",
        "parameter",
        "returntype",
        "nametest",
        "trait",
        "special",
        "number",
        "compare",
        "rank",
        "change",
        "name",
    ];
    let left: Vec<String> = draft
        .units
        .iter()
        .filter(|unit| !unit.used && content.iter().any(|atom| unit.is(atom)))
        .map(|unit| unit.text.clone())
        .collect();
    if left.is_empty() {
        return Ok(());
    }
    let has_anchor = draft.meaning.links.iter().any(|link| matches!(link.other, Other::Named(_)))
        || matches!(draft.meaning.subject, Subject::Path(..) | Subject::Definition(_));
    let is_heavy = left.len() > 2 || draft.units.iter().any(|unit| !unit.used && is_heavy(unit, draft.names));
    if has_anchor && !is_heavy {
        draft.is_unsure = true;
        draft.notes.push(format!("left aside: {}", left.join(", ")));
        return Ok(());
    }
    Err(left.join(" "))
}

/// A word that an answer must not ignore: a negation, a quotation, a name that the index knows.
fn is_heavy(unit: &Unit, names: &dyn Names) -> bool {
    let is_known = unit.is("value") && !names.exact(&unit.text).is_empty();
    unit.is("not") || unit.is("value.quoted") || unit.is("value.code") || is_known
}

pub(super) fn rest(draft: &Draft<'_>) -> Unclear {
    let words: Vec<&str> = draft.units.iter().filter(|unit| !unit.used).map(|unit| unit.text.as_str()).collect();
    words.join(" ")
}

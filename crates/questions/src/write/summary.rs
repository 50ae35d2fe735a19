//! One sentence about an answer.

use super::schema::noun;
use crate::meaning::{Filter, Kind, Link, Meaning, Other, Relation, Role, Subject};

/// A sentence that waits for its number: "Found N classes matching 'user'".
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    one: String,
    several: String,
    rest: String,
    /// The number is the one in the answer's only row, not the number of rows.
    pub counts: bool,
}

impl Summary {
    /// The sentence for this number.
    pub fn render(&self, number: u64) -> String {
        let thing = if number == 1 { &self.one } else { &self.several };
        format!("Found {number} {thing}{}", self.rest)
    }
}

pub(super) fn summary(meaning: &Meaning) -> Summary {
    let (one, several) = things(meaning);
    Summary { one, several, rest: rest(meaning), counts: meaning.counts }
}

fn things(meaning: &Meaning) -> (String, String) {
    let pair = |one: &str, several: &str| (one.to_owned(), several.to_owned());
    match &meaning.subject {
        Subject::Definition(_) => return pair("definition", "definitions"),
        Subject::Path(..) => return pair("step", "steps"),
        Subject::CallCycles => return pair("call within a cycle", "calls within cycles"),
        Subject::ImportCycles => return pair("import within a cycle", "imports within cycles"),
        Subject::EntryPoints => return pair("entry point", "entry points"),
        Subject::Externals => return pair("external package", "external packages"),
        Subject::Unused => {
            let (one, several) = kinds(meaning, Kind::Function);
            return (format!("unused {one}"), format!("unused {several}"));
        }
        Subject::Recursive => {
            let (one, several) = kinds(meaning, Kind::Function);
            return (format!("recursive {one}"), format!("recursive {several}"));
        }
        Subject::Things | Subject::About(_) => {}
    }
    match meaning.links.first() {
        Some(link) if meaning.kinds.is_empty() => {
            let (one, several) = role_noun(link);
            pair(one, several)
        }
        _ => kinds(meaning, Kind::Definition),
    }
}

fn kinds(meaning: &Meaning, default: Kind) -> (String, String) {
    let kinds = if meaning.kinds.is_empty() { vec![default] } else { meaning.kinds.clone() };
    let ones: Vec<&str> = kinds.iter().map(|kind| noun(*kind).0).collect();
    let several: Vec<&str> = kinds.iter().map(|kind| noun(*kind).1).collect();
    (ones.join(" or "), several.join(" and "))
}

fn role_noun(link: &Link) -> (&'static str, &'static str) {
    match (link.relation, link.role) {
        (Relation::Call | Relation::Reach, Role::Agent) => ("caller", "callers"),
        (Relation::Call | Relation::Reach, Role::Patient) => ("callee", "callees"),
        (Relation::Use, Role::Agent) => ("use", "uses"),
        (Relation::Import | Relation::Depend, Role::Agent) => ("importing file", "importing files"),
        (Relation::Import | Relation::Depend, Role::Patient) => ("import", "imports"),
        (Relation::Inherit, Role::Agent) => ("subclass", "subclasses"),
        (Relation::Inherit, Role::Patient) => ("base", "bases"),
        (Relation::Implement, Role::Agent) => ("implementation", "implementations"),
        (Relation::Override, _) => ("overriding method", "overriding methods"),
        (Relation::Cover, _) => ("test", "tests"),
        (Relation::Affect, _) => ("affected place", "affected places"),
        (Relation::Create, Role::Agent) => ("place that creates", "places that create"),
        _ => ("definition", "definitions"),
    }
}

fn rest(meaning: &Meaning) -> String {
    let mut rest = String::new();
    match &meaning.subject {
        Subject::Definition(entity) => rest.push_str(&format!(" of '{entity}'")),
        Subject::Path(from, to) => rest.push_str(&format!(" from '{from}' to '{to}'")),
        Subject::About(word) => rest.push_str(&format!(" about '{word}'")),
        Subject::Things
        | Subject::Unused
        | Subject::Recursive
        | Subject::CallCycles
        | Subject::ImportCycles
        | Subject::EntryPoints
        | Subject::Externals => {}
    }
    for filter in &meaning.filters {
        match filter {
            Filter::Name { value, negated: false, .. } => rest.push_str(&format!(" matching '{value}'")),
            Filter::Name { value, negated: true, .. } => rest.push_str(&format!(" not matching '{value}'")),
            Filter::Location { place, negated: false } => rest.push_str(&format!(" in '{place}'")),
            Filter::Location { place, negated: true } => rest.push_str(&format!(" outside '{place}'")),
            Filter::InTests { negated: false } => rest.push_str(" in tests"),
            Filter::InTests { negated: true } => rest.push_str(" outside tests"),
            Filter::Docstring { .. }
            | Filter::DocstringMentions(_)
            | Filter::Decorator { .. }
            | Filter::Parameter { .. }
            | Filter::NoParameters
            | Filter::Returns { .. }
            | Filter::Trait { .. } => {}
        }
    }
    for link in &meaning.links {
        let name = match &link.other {
            Other::Named(entity) => entity.to_string(),
            Other::Unknown(name) => name.clone(),
            Other::Some(..) | Other::Anything => continue,
        };
        rest.push_str(&relation_words(link, meaning.kinds.is_empty(), &name));
    }
    rest
}

fn relation_words(link: &Link, is_noun: bool, name: &str) -> String {
    if link.relation == Relation::Contain {
        return match link.role {
            Role::Patient => format!(" in '{name}'"),
            Role::Agent => format!(" that define '{name}'"),
        };
    }
    if is_noun {
        return format!(" of '{name}'");
    }
    let not = if link.negated { "do not " } else { "" };
    let verb = match link.relation {
        Relation::Call => "call",
        Relation::Use => "use",
        Relation::Import => "import",
        Relation::Depend => "depend on",
        Relation::Inherit => "inherit from",
        Relation::Implement => "implement",
        Relation::Override => "override",
        Relation::Contain => "define",
        Relation::Create => "create",
        Relation::Reach | Relation::Cover => "reach",
        Relation::Affect => "are affected by",
    };
    match link.role {
        Role::Agent => format!(" that {not}{verb} '{name}'"),
        Role::Patient => format!(" that '{name}' {not}{verb}s"),
    }
}

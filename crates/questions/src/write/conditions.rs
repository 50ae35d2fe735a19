//! What is said about one thing, as conditions on its variable.

use graph::Label;

use super::query::{all_of, any_of};
use super::schema::{
    CONSTRUCTORS, DECORATORS, DOCSTRING, MODIFIERS, NAME, PATH, QUALIFIED_NAME, SIGNATURE, TEST_PATHS,
};
use crate::meaning::{Filter, Kind, NameTest, Trait};
use crate::names::{Entity, Hit, How};
use crate::quote;

/// How many names are written out before a condition on the shared name is used instead.
const MOST_NAMES: usize = 25;

/// One filter on the thing that `variable` stands for.
pub(super) fn filter(variable: &str, filter: &Filter) -> String {
    match filter {
        Filter::Name { test, value, negated } => negate(*negated, name(variable, *test, value)),
        Filter::Docstring { present: true } => format!("{variable}.{DOCSTRING} IS NOT NULL"),
        Filter::Docstring { present: false } => format!("{variable}.{DOCSTRING} IS NULL"),
        Filter::DocstringMentions(word) => mentions(variable, DOCSTRING, word),
        Filter::Decorator { name: None, negated: false } => format!("{variable}.{DECORATORS} IS NOT NULL"),
        Filter::Decorator { name: None, negated: true } => format!("{variable}.{DECORATORS} IS NULL"),
        Filter::Decorator { name: Some(name), negated } => negate(*negated, decorator(variable, name)),
        Filter::Parameter { name, negated } => negate(*negated, parameter(variable, name)),
        Filter::NoParameters => format!(
            "{variable}.{SIGNATURE} =~ {}",
            quote::text(r"[^(]*(\([^)]*\)\s*\w+)?\(\s*(self|cls|&self|&mut self|this)?\s*,?\s*\).*")
        ),
        Filter::Returns { name, negated } => negate(*negated, returns(variable, name)),
        Filter::Trait { name, negated } => negate(*negated, has_trait(variable, *name)),
        Filter::Location { place, negated } => negate(*negated, location(variable, place)),
        Filter::InTests { negated } => negate(*negated, in_tests(variable)),
    }
}

fn negate(negated: bool, condition: String) -> String {
    if negated { format!("NOT ({condition})") } else { condition }
}

fn mentions(variable: &str, property: &str, word: &str) -> String {
    format!("toLower({variable}.{property}) CONTAINS {}", quote::text(&word.to_lowercase()))
}

/// Names or descriptions that mention a word.
pub(super) fn about(variable: &str, word: &str) -> String {
    any_of(&[mentions(variable, NAME, word), mentions(variable, DOCSTRING, word)])
}

fn name(variable: &str, test: NameTest, value: &str) -> String {
    let subject = format!("{variable}.{NAME}");
    let ignoring_case = |operator: &str| {
        if value.chars().any(char::is_uppercase) {
            format!("{subject} {operator} {}", quote::text(value))
        } else {
            format!("toLower({subject}) {operator} {}", quote::text(value))
        }
    };
    match test {
        NameTest::Contains => mentions(variable, NAME, value),
        NameTest::StartsWith => ignoring_case("STARTS WITH"),
        NameTest::EndsWith => ignoring_case("ENDS WITH"),
        NameTest::Is => format!("{subject} = {}", quote::text(value)),
        NameTest::Regex => format!("{subject} =~ {}", quote::text(value)),
        NameTest::Glob => glob(&subject, value),
    }
}

fn glob(subject: &str, value: &str) -> String {
    let inner = value.trim_matches('*');
    if !inner.contains('*') {
        let operator = match (value.starts_with('*'), value.ends_with('*')) {
            (true, true) => "CONTAINS",
            (true, false) => "ENDS WITH",
            (false, _) => "STARTS WITH",
        };
        return format!("{subject} {operator} {}", quote::text(inner));
    }
    let parts: Vec<String> = value.split('*').map(quote::pattern).collect();
    format!("{subject} =~ {}", quote::text(&parts.join(".*")))
}

fn decorator(variable: &str, name: &str) -> String {
    let (whole, last) = (quote::text(name), quote::text(&format!(".{name}")));
    format!("any(d IN coalesce({variable}.{DECORATORS}, []) WHERE d = {whole} OR d ENDS WITH {last})")
}

fn parameter(variable: &str, name: &str) -> String {
    let pattern = format!(r".*\((.*[^\w.])?{}([^\w].*)?\).*", quote::pattern(name));
    format!("{variable}.{SIGNATURE} =~ {}", quote::text(&pattern))
}

/// The type of a result stands behind the parameters, or, as in Java, before the name.
fn returns(variable: &str, name: &str) -> String {
    let name = quote::pattern(name);
    let behind = format!(r".*\)\s*(->|:)?\s*\(?([^()]*\W)?{name}([^\w()][^()]*)?\)?");
    let before = format!(r"(.*\s)?{name}(<[^(]*>)?(\[\])*\s+\w+\s*\(.*");
    let tests = [behind, before].map(|pattern| format!("{variable}.{SIGNATURE} =~ {}", quote::text(&pattern)));
    any_of(&tests)
}

fn has_trait(variable: &str, name: Trait) -> String {
    let modifier = |word: &str| format!("{} IN coalesce({variable}.{MODIFIERS}, [])", quote::text(word));
    let decorated = |word: &str| decorator(variable, word);
    match name {
        Trait::Async => modifier("async"),
        Trait::Static => any_of(&[modifier("static"), decorated("staticmethod")]),
        Trait::Abstract => any_of(&[modifier("abstract"), decorated("abstractmethod")]),
        Trait::Public => {
            any_of(&[modifier("public"), modifier("pub"), format!("NOT {variable}.{NAME} STARTS WITH '_'")])
        }
        Trait::Private => any_of(&[
            modifier("private"),
            format!("{variable}.{NAME} STARTS WITH '_' AND NOT {variable}.{NAME} STARTS WITH '__'"),
        ]),
        Trait::Protected => modifier("protected"),
        Trait::Exported => any_of(&[
            modifier("exported"),
            modifier("export"),
            modifier("public"),
            modifier("pub"),
            format!("{variable}.{PATH} ENDS WITH '.go' AND {variable}.{NAME} =~ '[A-Z].*'"),
        ]),
        Trait::Property => {
            any_of(&[decorated("property"), decorated("cached_property"), modifier("get"), modifier("getter")])
        }
        Trait::ClassMethod => decorated("classmethod"),
        Trait::Anonymous => modifier("anonymous"),
        Trait::Nested => format!("EXISTS {{ (:Function|Method)-[:DEFINES]->({variable}) }}"),
        Trait::TopLevel => format!("EXISTS {{ (:Module)-[:DEFINES]->({variable}) }}"),
        Trait::Dunder => format!("{variable}.{NAME} STARTS WITH '__' AND {variable}.{NAME} ENDS WITH '__'"),
        Trait::Final => any_of(&[modifier("final"), modifier("sealed")]),
        Trait::Const => modifier("const"),
    }
}

/// Functions without a name are listed only where they are asked for.
pub(super) fn is_named(variable: &str) -> String {
    format!("NOT 'anonymous' IN coalesce({variable}.{MODIFIERS}, [])")
}

pub(super) fn in_tests(variable: &str) -> String {
    format!("{variable}.{PATH} =~ {}", quote::text(TEST_PATHS))
}

/// What a kind demands beyond its labels.
pub(super) fn of_kind(variable: &str, kind: Kind) -> Option<String> {
    match kind {
        Kind::Test => {
            let named = format!(
                "({variable}.{NAME} STARTS WITH 'Test' OR {variable}.{NAME} STARTS WITH 'test' AND NOT {variable}.{PATH} ENDS WITH '.go')"
            );
            let marked = format!("any(d IN coalesce({variable}.{DECORATORS}, []) WHERE d ENDS WITH 'Test')");
            let block = format!("{variable}.{PATH} =~ {}", quote::text(r".*\.(spec|test)\.\w+"));
            Some(all_of(&[in_tests(variable), any_of(&[named, marked, block])]))
        }
        Kind::Constructor => Some(format!("{variable}.{NAME} IN {}", quote::list(CONSTRUCTORS.iter().copied()))),
        Kind::Class
        | Kind::Function
        | Kind::Method
        | Kind::Interface
        | Kind::Enum
        | Kind::Type
        | Kind::Module
        | Kind::File
        | Kind::Folder
        | Kind::Package
        | Kind::External
        | Kind::Definition => None,
    }
}

/// Being this thing, or one of these.
pub(super) fn is_entity(variable: &str, entity: &Entity) -> String {
    if !entity.owners.is_empty() {
        let named = format!("{variable}.{NAME} = {}", quote::text(&entity.hits[0].name));
        let owner =
            one_of(&format!("owner.{QUALIFIED_NAME}"), entity.owners.iter().map(|hit| hit.qualified_name.as_str()));
        return format!(
            "{named} AND EXISTS {{ MATCH (owner)-[:INHERITS|IMPLEMENTS*0..]->()-[:DEFINES_METHOD]->({variable}) WHERE {owner} }}"
        );
    }
    let by_name = entity.how != How::Suffix || entity.hits.len() > MOST_NAMES;
    if let Some(shared) = entity.shared_name().filter(|_| by_name && entity.how != How::Suffix) {
        return format!("{variable}.{NAME} = {}", quote::text(shared));
    }
    one_of(&format!("{variable}.{QUALIFIED_NAME}"), entity.hits.iter().map(|hit| hit.qualified_name.as_str()))
}

/// Being written in this place.
pub(super) fn location(variable: &str, place: &Entity) -> String {
    let mut conditions = Vec::new();
    let paths_of =
        |labels: &[Label]| -> Vec<&Hit> { place.hits.iter().filter(|hit| labels.contains(&hit.label)).collect() };
    let files = paths_of(&[Label::File, Label::Module]);
    if !files.is_empty() {
        conditions.push(one_of(&format!("{variable}.{PATH}"), files.iter().map(|hit| hit.file_path.as_str())));
    }
    for folder in paths_of(&[Label::Folder]).into_iter().take(MOST_NAMES) {
        conditions.push(format!("{variable}.{PATH} STARTS WITH {}", quote::text(&format!("{}/", folder.file_path))));
    }
    let packages = paths_of(&[Label::Package]);
    if !packages.is_empty() {
        let named =
            one_of(&format!("package.{QUALIFIED_NAME}"), packages.iter().map(|hit| hit.qualified_name.as_str()));
        conditions.push(format!(
            "EXISTS {{ MATCH (package:Package)-[:CONTAINS]->(file:File) WHERE {named} AND file.{PATH} = {variable}.{PATH} }}"
        ));
    }
    if conditions.is_empty() {
        return is_entity(variable, place);
    }
    any_of(&conditions)
}

fn one_of<'a>(subject: &str, values: impl Iterator<Item = &'a str>) -> String {
    let mut values: Vec<&str> = values.collect();
    values.sort_unstable();
    values.dedup();
    match values.as_slice() {
        [only] => format!("{subject} = {}", quote::text(only)),
        several => format!("{subject} IN {}", quote::list(several.iter().copied())),
    }
}

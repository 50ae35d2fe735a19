//! Names of labels, properties and types as queries write them.

use std::sync::LazyLock;

use graph::Label;
use regex::Regex;

use crate::meaning::Kind;

pub(super) const NAME: &str = "name";
pub(super) const QUALIFIED_NAME: &str = "qualified_name";
pub(super) const PATH: &str = "file_path";
pub(super) const START_LINE: &str = "line_start";
pub(super) const END_LINE: &str = "line_end";
pub(super) const SIGNATURE: &str = "signature";
pub(super) const DOCSTRING: &str = "docstring";
pub(super) const DECORATORS: &str = "decorators";
pub(super) const MODIFIERS: &str = "modifiers";

pub(super) const DEFINITION_LABELS: &[Label] =
    &[Label::Class, Label::Interface, Label::Enum, Label::Type, Label::Function, Label::Method];
pub(super) const TYPE_LABELS: &[Label] = &[Label::Class, Label::Interface, Label::Enum, Label::Type];

/// Methods that make or unmake an object, in the languages that give them a name of their own.
pub(super) const CONSTRUCTORS: &[&str] =
    &["__init__", "__new__", "constructor", "initialize", "__construct", "init", "<init>"];

/// Paths of test code, whatever the language.
pub(super) const TEST_PATHS: &str = r"(.*/)?(tests?|__tests__|specs?|testing|testdata)/.*|(.*/)?(test_[^/]*|conftest\.py|[^/]*[._-](test|tests|spec)\.[^/]*|[^/]*Tests?\.[a-z]+)";

/// Whether this is such a path.
pub(crate) fn is_test_path(path: &str) -> bool {
    static PATTERN: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(&format!("^(?:{TEST_PATHS})$")).expect("the pattern is well-formed"));
    PATTERN.is_match(path)
}

/// The labels of a kind, in a question that only lists things.
pub(super) fn labels(kind: Kind) -> &'static [Label] {
    match kind {
        Kind::Class => &[Label::Class],
        Kind::Function => &[Label::Function],
        Kind::Method | Kind::Constructor => &[Label::Method],
        Kind::Interface => &[Label::Interface],
        Kind::Enum => &[Label::Enum],
        Kind::Type => &[Label::Type],
        Kind::Module => &[Label::Module],
        Kind::File => &[Label::File],
        Kind::Folder => &[Label::Folder],
        Kind::Package => &[Label::Package],
        Kind::External => &[Label::ExternalPackage],
        Kind::Test => &[Label::Function, Label::Method],
        Kind::Definition => DEFINITION_LABELS,
    }
}

/// The variable that stands for things with these labels.
pub(super) fn variable(labels: &[Label]) -> &'static str {
    match labels {
        [Label::Class] => "c",
        [Label::Function] => "f",
        [Label::Method] => "m",
        [Label::Interface] => "i",
        [Label::Enum] => "e",
        [Label::Type] => "t",
        [Label::Module] => "m",
        [Label::File] => "f",
        [Label::Folder] => "d",
        [Label::Package | Label::ExternalPackage] => "p",
        _ => "n",
    }
}

/// A node pattern: `(c:Class)`, `(n:Function|Method)`, `(n)`.
pub(super) fn node(variable: &str, labels: &[Label]) -> String {
    if labels.is_empty() {
        return format!("({variable})");
    }
    let names: Vec<&str> = labels.iter().map(|label| label.name()).collect();
    format!("({variable}:{})", names.join("|"))
}

/// What things of a kind are called: one, several.
pub(super) fn noun(kind: Kind) -> (&'static str, &'static str) {
    match kind {
        Kind::Class => ("class", "classes"),
        Kind::Function => ("function", "functions"),
        Kind::Method => ("method", "methods"),
        Kind::Interface => ("interface", "interfaces"),
        Kind::Enum => ("enum", "enums"),
        Kind::Type => ("type", "types"),
        Kind::Module => ("module", "modules"),
        Kind::File => ("file", "files"),
        Kind::Folder => ("folder", "folders"),
        Kind::Package => ("package", "packages"),
        Kind::External => ("external package", "external packages"),
        Kind::Test => ("test", "tests"),
        Kind::Constructor => ("constructor", "constructors"),
        Kind::Definition => ("definition", "definitions"),
    }
}

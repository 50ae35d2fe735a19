//! The columns of the code graph as a filter sees them.

use graph::{Label, LabelKey, PropertyKey};

use super::property::Property;
use crate::filter::{Kind, Layout, NEVER};

/// The labels of nodes whose path is their qualified name, where they are of no file.
pub(super) const PATHS: [Label; 2] = [Label::Folder, Label::File];

/// Nodes are rows of `node`, with one label each.
#[derive(Debug, Clone, Copy)]
pub(super) struct CodeLayout;

impl Layout for CodeLayout {
    fn has_label(&self, labels: &[LabelKey]) -> String {
        match labels {
            [label] => format!("node.label = {}", label.0),
            labels => format!("node.label IN ({})", listed(labels.iter().map(|label| label.0))),
        }
    }

    fn holds(&self, property: PropertyKey, kind: Kind, predicate: &dyn Fn(&str) -> String) -> Option<String> {
        let never = || Some(NEVER.to_owned());
        let Some(property) = Property::of_key(property).filter(|property| property.is_of_node()) else {
            return never();
        };
        match (stored(property), kind) {
            (Stored::Text(column), Kind::GivenText | Kind::Text) => Some(predicate(column)),
            (Stored::IndexedText(column), Kind::GivenText) => Some(predicate(column)),
            (Stored::IndexedText(column), Kind::Text) => Some(indexed_holds(column, predicate)),
            (Stored::Line(column), Kind::Number) => Some(format!("{column} > 0 AND {}", predicate(column))),
            (Stored::Path, Kind::GivenText | Kind::Text) => Some(path_holds(predicate)),
            (Stored::IndexedText(_), Kind::Any) => Some("TRUE".to_owned()),
            (Stored::Text(column) | Stored::List(column), Kind::Any) => Some(format!("{column} IS NOT NULL")),
            (Stored::Line(column), Kind::Any) => Some(format!("{column} > 0")),
            (Stored::Path, Kind::Any) => Some(format!("node.file IS NOT NULL OR node.label IN ({})", path_labels())),
            (Stored::IndexedText(_) | Stored::Text(_) | Stored::Path | Stored::List(_), Kind::Number)
            | (Stored::Line(_) | Stored::List(_), Kind::GivenText | Kind::Text) => never(),
        }
    }
}

enum Stored {
    /// Never null, with an index of its own.
    IndexedText(&'static str),
    Text(&'static str),
    /// 0 where there is none.
    Line(&'static str),
    List(&'static str),
    Path,
}

fn stored(property: Property) -> Stored {
    match property {
        Property::Name => Stored::IndexedText("node.name"),
        Property::QualifiedName => Stored::IndexedText("node.qualified_name"),
        Property::FilePath => Stored::Path,
        Property::LineStart => Stored::Line("node.start_line"),
        Property::LineEnd => Stored::Line("node.end_line"),
        Property::Signature => Stored::Text("node.signature"),
        Property::Docstring => Stored::Text("node.docstring"),
        Property::Decorators => Stored::List("node.decorators"),
        Property::Modifiers => Stored::List("node.modifiers"),
        Property::Line | Property::Resolution | Property::Confidence => {
            unreachable!("only properties of nodes are asked for")
        }
    }
}

/// Goes through the index instead of the much larger table.
fn indexed_holds(column: &str, predicate: &dyn Fn(&str) -> String) -> String {
    let column = column.replace("node.", "indexed.");
    format!("node.id IN (SELECT indexed.id FROM node AS indexed WHERE {})", predicate(&column))
}

/// The nodes of files whose path fits, and what is itself a path that fits: the files are gone through once instead of once
/// for each node.
fn path_holds(predicate: &dyn Fn(&str) -> String) -> String {
    format!(
        "node.id IN (
            SELECT written.id FROM file CROSS JOIN node AS written ON written.file = file.id WHERE {}
            UNION ALL
            SELECT outline.id FROM node AS outline
            WHERE outline.file IS NULL AND outline.label IN ({}) AND ({}))",
        predicate("file.path"),
        path_labels(),
        predicate("outline.qualified_name"),
    )
}

fn path_labels() -> String {
    listed(PATHS.iter().map(|label| u32::from(label.code())))
}

fn listed(numbers: impl Iterator<Item = u32>) -> String {
    numbers.map(|number| number.to_string()).collect::<Vec<_>>().join(", ")
}

//! From what a question means to the text of a query.

mod conditions;
mod query;
mod relations;
mod schema;
mod subjects;
mod summary;
mod things;

use query::Query;
use schema::{NAME, PATH, QUALIFIED_NAME, START_LINE};

use crate::meaning::{Meaning, Subject};
use crate::names::Names;
pub(crate) use schema::is_test_path;
pub use summary::Summary;

/// A query with what its answer is about.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Written {
    pub cypher: String,
    pub summary: Summary,
    pub notes: Vec<String>,
}

/// Writes the query for a meaning with at most `limit` rows.
pub(crate) fn write(meaning: &Meaning, names: &dyn Names, limit: u32) -> Written {
    let mut notes = Vec::new();
    let mut query = match &meaning.subject {
        Subject::Things | Subject::About(_) => things::write(meaning, names),
        Subject::Definition(entity) => subjects::definition(meaning, entity),
        Subject::Path(from, to) => subjects::path(from, to),
        Subject::Unused => subjects::unused(meaning, names, &mut notes),
        Subject::Recursive => subjects::recursive(meaning),
        Subject::CallCycles => subjects::call_cycles(meaning),
        Subject::ImportCycles => subjects::import_cycles(meaning),
        Subject::EntryPoints => subjects::entry_points(meaning, &mut notes),
        Subject::Externals => subjects::externals(meaning),
    };
    query.limit = row_limit(meaning, limit);
    Written { cypher: query.to_string(), summary: summary::summary(meaning), notes }
}

/// "The longest function" is one.
fn row_limit(meaning: &Meaning, limit: u32) -> u32 {
    let asked = match meaning.limit {
        Some(asked) => asked,
        None if meaning.rank.is_some() && meaning.is_singular => 1,
        None => limit,
    };
    asked.clamp(1, limit.max(1))
}

impl Query {
    /// The columns of one thing: a file has its path alone.
    fn thing(&mut self, variable: &str, labels: &[graph::Label]) {
        use graph::Label;
        if labels == [Label::File] {
            self.column(format!("{variable}.{PATH}"), "file_path");
            return;
        }
        self.column(format!("{variable}.{NAME}"), "name");
        self.column(format!("{variable}.{QUALIFIED_NAME}"), "qualified_name");
        if !labels.is_empty() && labels.iter().all(|label| matches!(label, Label::Package | Label::ExternalPackage)) {
            return;
        }
        self.column(format!("{variable}.{PATH}"), "file_path");
        let has_lines = labels.is_empty() || labels.iter().any(|label| label.is_definition());
        if has_lines {
            self.column(format!("{variable}.{START_LINE}"), "line_start");
        }
    }

    fn order_by_name(&mut self, labels: &[graph::Label]) {
        self.order_by(if labels == [graph::Label::File] { "file_path" } else { "qualified_name" }, false);
    }
}

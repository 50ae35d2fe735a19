//! Code: the graph of a project and its files (S1), never those outside of its root.

mod atomic_write;
mod cell_json;
mod delete_project;
mod encoding;
mod excerpt;
mod file_errors;
mod file_kind;
mod get_code_snippet;
mod index_repository;
mod list_directory;
mod list_projects;
mod model_query;
mod nearest_lines;
pub(crate) mod projects;
mod query_code_graph;
mod read_file;
mod regular_file;
mod replace;
mod root;
pub(crate) mod source;
#[cfg(test)]
pub(crate) mod stub_projects;
mod surgical_replace;
pub(crate) mod symbol;
mod text_file;
pub(crate) mod up_to_date;
mod wipe_database;
mod write_file;

pub use cell_json::cell_json;

use std::time::Duration;

use schemars::{Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer};
use serde_json::Number;

use crate::registry::{Advice, Family};
use crate::styles::Style;
use crate::tool::{Erased, Tool};

/// How long a call that reads or writes a file may take.
const DEADLINE: Option<Duration> = Some(Duration::from_secs(5));

pub(crate) const FAMILY: Family = Family {
    name: "code",
    title: "Code",
    purpose: "A map of the code that stays true while it changes: index a repository, ask it who calls what in English, \
              Chinese or Cypher, get any definition by name; read, list and write its files, and change a block of code with the diff as the answer.",
    advice: &[
        Advice {
            needs: &["index_repository", "get_code_snippet"],
            text: "Call index_repository once in a repository; this server then keeps the graph fresh. To see a function, class or \
                   module, ask get_code_snippet by name instead of searching files.",
        },
        Advice {
            needs: &["query_code_graph"],
            text: "Ask query_code_graph before you change code: who calls it, what overrides it, which tests reach it, in plain words or \
                   read-only Cypher.",
        },
        Advice {
            needs: &["read_file", "list_directory"],
            text: "Paths are relative to the project root, and nothing outside of it can be reached. Read a long file in parts.",
        },
        Advice {
            needs: &["surgical_replace_code", "write_file"],
            text: "Change code with surgical_replace_code: give enough lines to name one place, and check the diff. write_file is for \
                   new files.",
        },
    ],
    style: Style::Code,
    tools: TOOLS,
};

const TOOLS: &[&dyn Tool] = &[
    &Erased::<index_repository::IndexRepository>::new(),
    &Erased::<list_projects::ListProjects>::new(),
    &Erased::<query_code_graph::QueryCodeGraph>::new(),
    &Erased::<get_code_snippet::GetCodeSnippet>::new(),
    &Erased::<delete_project::DeleteProject>::new(),
    &Erased::<wipe_database::WipeDatabase>::new(),
    &Erased::<read_file::ReadFile>::new(),
    &Erased::<write_file::WriteFile>::new(),
    &Erased::<surgical_replace::SurgicalReplace>::new(),
    &Erased::<list_directory::ListDirectory>::new(),
];

/// A whole number of any size; one that no file can reach counts as the largest.
fn saturated<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<usize>, D::Error> {
    let number = Option::<Number>::deserialize(deserializer)?;
    Ok(number.map(|number| match number.as_u64() {
        Some(number) => usize::try_from(number).unwrap_or(usize::MAX),
        None => usize::MAX,
    }))
}

/// A field that is always there, and null where there is nothing to say.
fn nullable_string(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"oneOf": [{"type": "string"}, {"type": "null"}]})
}

/// The same for a number.
fn nullable_integer(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"oneOf": [{"type": "integer"}, {"type": "null"}]})
}

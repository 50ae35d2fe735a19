//! Code: the files of a project (S1), never those outside of its root.

mod atomic_write;
mod encoding;
mod excerpt;
mod file_errors;
mod file_kind;
mod list_directory;
mod nearest_lines;
mod projects;
mod read_file;
mod regular_file;
mod replace;
mod root;
#[cfg(test)]
pub(crate) mod stub_projects;
mod surgical_replace;
mod text_file;
mod write_file;

use std::time::Duration;

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
    purpose: "The files of a project: read, list, write, and change a block of code with the diff as the answer.",
    advice: &[
        Advice {
            needs: &["read_file", "list_directory"],
            text: "Paths are relative to the project root, and nothing outside of it can be reached. Read a long file in \
                   parts, with read_file's offset and limit.",
        },
        Advice {
            needs: &["surgical_replace_code", "write_file"],
            text: "Change code with surgical_replace_code: give enough lines to name one place, and check the diff it answers \
                   with. write_file is for new files.",
        },
    ],
    style: Style::Code,
    tools: TOOLS,
};

const TOOLS: &[&dyn Tool] = &[
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

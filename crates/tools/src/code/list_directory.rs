//! `list_directory`: the names in a directory.

use std::fs;
use std::io;

use schemars::JsonSchema;
use serde::Deserialize;
use tokio_util::sync::CancellationToken;

use super::DEADLINE;
use super::file_errors::{missing, quoted, unusable};
use super::projects::Projects;
use super::root::{Place, Root};
use crate::blocking::off_runtime;
use crate::context::ToolContext;
use crate::error::{ErrorKind, ToolError};
use crate::output::Text;
use crate::tool::{Effect, Records, ToolInfo, TypedTool};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {
    /// From the project root.
    #[serde(default = "here")]
    #[schemars(length(min = 1))]
    directory_path: String,
    /// An indexed project, if not that of the server's root.
    project: Option<String>,
}

fn here() -> String {
    ".".to_owned()
}

pub(super) struct ListDirectory;

impl TypedTool for ListDirectory {
    type Params = Params;
    type Output = Text;

    const INFO: ToolInfo = ToolInfo {
        name: "list_directory",
        title: "List directory",
        summary: "List the names in a directory of the project, one per line; directories end with `/`.",
        effect: Effect::READ,
        deadline: DEADLINE,
        records: Some(Records { pointer: "", rest: "list_directory also lists the directories inside of it." }),
    };

    async fn run(context: &ToolContext, params: Params) -> Result<Text, ToolError> {
        let (projects, cancel) = (Projects::of(context), context.cancel().clone());
        off_runtime(move || list(&projects.root(params.project.as_deref())?, &params.directory_path, &cancel)).await
    }
}

fn list(root: &Root, given: &str, cancel: &CancellationToken) -> Result<Text, ToolError> {
    let place = root.place(given)?;
    let failed = |error: io::Error| unusable("list", &place, &error);
    let mut names = Vec::new();
    for entry in open(&place)? {
        if cancel.is_cancelled() {
            return Err(ToolError::new(ErrorKind::Timeout, "the call was cancelled"));
        }
        let entry = entry.map_err(failed)?;
        names.push((entry.file_name(), is_directory(&entry)));
    }
    if names.is_empty() {
        return Ok(Text(format!("The directory '{given}' is empty.")));
    }
    names.sort();
    let lines: Vec<String> = names
        .iter()
        .map(|(name, is_directory)| {
            let slash = if *is_directory { "/" } else { "" };
            format!("{}{slash}", on_one_line(&name.to_string_lossy()))
        })
        .collect();
    Ok(Text(lines.join("\n")))
}

fn open(place: &Place) -> Result<fs::ReadDir, ToolError> {
    match fs::metadata(&place.path) {
        Ok(metadata) if metadata.is_dir() => fs::read_dir(&place.path).map_err(|error| unusable("list", place, &error)),
        Ok(_) => Err(ToolError::invalid(format!("{} is not a directory", quoted(&place.given)))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(missing("directory", place)),
        Err(error) => Err(unusable("list", place, &error)),
    }
}

/// A link to a directory can be listed as one.
fn is_directory(entry: &fs::DirEntry) -> bool {
    match entry.file_type() {
        Ok(kind) if kind.is_symlink() => fs::metadata(entry.path()).is_ok_and(|metadata| metadata.is_dir()),
        Ok(kind) => kind.is_dir(),
        Err(_) => false,
    }
}

fn on_one_line(name: &str) -> String {
    name.replace('\\', if name.contains(char::is_control) { "\\\\" } else { "\\" })
        .chars()
        .map(|c| if c.is_control() { c.escape_debug().collect() } else { String::from(c) })
        .collect()
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn listed(folder: &tempfile::TempDir, path: &str) -> Result<String, String> {
        let listed = list(&Root::at(folder.path()).unwrap(), path, &CancellationToken::new());
        listed.map(|text| text.0).map_err(|error| error.message)
    }

    #[test]
    fn names_are_sorted_and_directories_end_with_a_slash() {
        let folder = tempfile::tempdir().unwrap();
        for directory in [".git", "src", "src.d"] {
            fs::create_dir(folder.path().join(directory)).unwrap();
        }
        for file in ["b.txt", "B.txt", "文.txt", "two\nlines"] {
            fs::write(folder.path().join(file), "").unwrap();
        }
        symlink("src", folder.path().join("link")).unwrap();
        symlink("nowhere", folder.path().join("dangling")).unwrap();
        let expected = ".git/\nB.txt\nb.txt\ndangling\nlink/\nsrc/\nsrc.d/\ntwo\\nlines\n文.txt";
        assert_eq!(listed(&folder, ".").as_deref(), Ok(expected));
        assert_eq!(listed(&folder, "link").as_deref(), Ok("The directory 'link' is empty."));
        assert_eq!(listed(&folder, "b.txt").unwrap_err(), "`b.txt` is not a directory");
        assert_eq!(listed(&folder, "scr").unwrap_err(), "there is no directory `scr`; did you mean `src`?");
    }
}

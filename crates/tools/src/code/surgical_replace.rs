//! `surgical_replace_code`: one block of code replaced, and nothing else of the file touched.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;
use similar::TextDiff;
use tokio_util::sync::CancellationToken;

use super::file_errors::quoted;
use super::projects::Projects;
use super::regular_file::HeldFile;
use super::replace::{Refusal, Replacement};
use super::root::{Place, Root};
use super::text_file::TextFile;
use super::{DEADLINE, atomic_write, nearest_lines, saturated};
use crate::blocking::off_runtime;
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::output::Text;
use crate::tool::{Effect, ToolInfo, TypedTool};

/// Lines around a change that the diff shows.
const CONTEXT: usize = 3;
/// After this the diff is no longer made as short as possible.
const DIFF_TIME: Duration = Duration::from_millis(500);
/// Lines, and characters of each, that an error shows.
const MOST_SHOWN: usize = 12;
const LONGEST_SHOWN: usize = 200;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {
    /// From the project root.
    #[schemars(length(min = 1))]
    file_path: String,
    /// The code as it is now.
    #[schemars(length(min = 1))]
    target_code: String,
    replacement_code: String,
    /// Which match, from 1, if there are several.
    #[serde(default, deserialize_with = "saturated")]
    #[schemars(with = "Option<usize>", range(min = 1))]
    occurrence: Option<usize>,
    /// An indexed project, if not that of the server's root.
    project: Option<String>,
}

pub(super) struct SurgicalReplace;

impl TypedTool for SurgicalReplace {
    type Params = Params;
    type Output = Text;

    const INFO: ToolInfo = ToolInfo {
        name: "surgical_replace_code",
        title: "Replace code",
        summary: "Replace one block of code in a file and answer with the diff. The target must match exactly, blanks at \
                  line ends aside, and in one place only.",
        effect: Effect::DESTRUCTIVE.repeating(),
        deadline: DEADLINE,
        records: None,
    };

    async fn run(context: &ToolContext, params: Params) -> Result<Text, ToolError> {
        let (projects, cancel) = (Projects::of(context), context.cancel().clone());
        off_runtime(move || replace(&projects.root(params.project.as_deref())?, &params, &cancel)).await
    }
}

fn replace(root: &Root, params: &Params, cancel: &CancellationToken) -> Result<Text, ToolError> {
    let place = root.place(&params.file_path)?;
    let held = HeldFile::take(&place, cancel)?;
    let before = TextFile::read(&held.file, &place)?;
    let replacement = Replacement {
        target: &params.target_code,
        replacement: &params.replacement_code,
        occurrence: params.occurrence,
    };
    let after = replacement.apply(&before.text).map_err(|refusal| refuse(refusal, params, &before.text, &place))?;
    let bytes = before.bytes_of(&after, &place)?;
    held.check_unchanged(&place)?;
    atomic_write::write(&place, &bytes, Some(&held.metadata), cancel)?;
    let diff = unified_diff(&root.relative(&place), &before.text, &after);
    Ok(Text(format!("Successfully replaced code block in {}\n\n{diff}", place.given)))
}

fn unified_diff(path: &str, before: &str, after: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) =
        (before.split_inclusive('\n').collect(), after.split_inclusive('\n').collect());
    let diff = TextDiff::configure().newline_terminated(true).timeout(DIFF_TIME).diff_slices(&old, &new);
    diff.unified_diff().context_radius(CONTEXT).header(&format!("a/{path}"), &format!("b/{path}")).to_string()
}

fn refuse(refusal: Refusal, params: &Params, text: &str, place: &Place) -> ToolError {
    let given = quoted(&place.given);
    match (refusal, params.occurrence) {
        (Refusal::NotFound, _) => ToolError::not_found(not_found(&given, text, &params.target_code)),
        (Refusal::NotOne { lines }, None) => ToolError::invalid(format!(
            "`target_code` is in {given} {} times, at lines {}; say which one with `occurrence`, or give more of the code \
             around it",
            lines.len(),
            numbers(&lines)
        )),
        (Refusal::NotOne { lines }, Some(occurrence)) => ToolError::invalid(format!(
            "`occurrence` is {occurrence}, but `target_code` is in {given} {}, at {} {}",
            if lines.len() == 1 { "once".to_owned() } else { format!("{} times", lines.len()) },
            if lines.len() == 1 { "line" } else { "lines" },
            numbers(&lines)
        )),
        (Refusal::NothingChanges, _) => ToolError::invalid(format!(
            "nothing would change in {given}: `replacement_code` is what already stands there"
        )),
    }
}

fn not_found(given: &str, text: &str, target: &str) -> String {
    let Some(near) = nearest_lines::find(text, target) else {
        return format!("`target_code` is not in {given}, and no line of it looks similar");
    };
    let shown = near.lines.clone().zip(text.lines().skip(near.lines.start)).take(MOST_SHOWN);
    let shown: Vec<String> = shown.map(|(index, line)| format!("{}: {}", index + 1, shortened(line))).collect();
    let cut = if near.lines.len() > MOST_SHOWN { "\n…" } else { "" };
    let blanks = if near.but_for_blanks { ", which differ in white space only," } else { "" };
    format!("`target_code` is not in {given}; the nearest lines{blanks} are:\n{}{cut}", shown.join("\n"))
}

fn shortened(line: &str) -> String {
    match line.char_indices().nth(LONGEST_SHOWN) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

fn numbers(lines: &[usize]) -> String {
    let shown: Vec<String> = lines.iter().take(MOST_SHOWN).map(usize::to_string).collect();
    match lines.len().saturating_sub(MOST_SHOWN) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn replace_in(folder: &tempfile::TempDir, path: &str, target: &str, by: &str) -> Result<String, String> {
        let params = Params {
            file_path: path.to_owned(),
            target_code: target.to_owned(),
            replacement_code: by.to_owned(),
            occurrence: None,
            project: None,
        };
        let replaced = replace(&Root::at(folder.path()).unwrap(), &params, &CancellationToken::new());
        replaced.map(|text| text.0).map_err(|error| error.message)
    }

    #[test]
    fn bytes_outside_of_the_block_stay_as_they_were() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        for (before, after) in [
            (&b"\xef\xbb\xbfone\r\ntwo\r\n"[..], &b"\xef\xbb\xbfone\r\n2\r\n3\r\n"[..]),
            (b"caf\xe9\ntwo", b"caf\xe9\n2\n3"),
            (b"\xff\xfet\0w\0o\0\r\0\n\0", b"\xff\xfe2\0\r\0\n\x003\0\r\0\n\0"),
            (b"mixed\r\n\ntwo \nend \r\n", b"mixed\r\n\n2\n3 \nend \r\n"),
        ] {
            fs::write(&path, before).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
            replace_in(&folder, "a", "two", "2\n3").unwrap();
            assert_eq!(fs::read(&path).unwrap(), after);
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, 0o640);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside the file");
    }

    #[test]
    fn the_diff_is_against_the_path_from_the_root() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("src")).unwrap();
        fs::write(folder.path().join("src/a.rs"), "one\ntwo").unwrap();
        symlink("src/a.rs", folder.path().join("link.rs")).unwrap();
        let answer = replace_in(&folder, "link.rs", "two", "2").unwrap();
        assert_eq!(
            answer,
            "Successfully replaced code block in link.rs\n\n--- a/src/a.rs\n+++ b/src/a.rs\n@@ -1,2 +1,2 @@\n one\n\
             -two\n\\ No newline at end of file\n+2\n\\ No newline at end of file\n"
        );
        assert!(fs::symlink_metadata(folder.path().join("link.rs")).unwrap().is_symlink());
    }

    #[test]
    fn changes_of_one_file_at_the_same_time_all_happen() {
        let folder = tempfile::tempdir().unwrap();
        let text: String = (0..24).map(|n| format!("<{n}>\n")).collect();
        fs::write(folder.path().join("a"), &text).unwrap();
        std::thread::scope(|scope| {
            for n in 0..24 {
                let folder = &folder;
                scope.spawn(move || replace_in(folder, "a", &format!("<{n}>"), &format!("[{n}]")).unwrap());
            }
        });
        let changed = text.replace('<', "[").replace('>', "]");
        assert_eq!(fs::read_to_string(folder.path().join("a")).unwrap(), changed);
    }

    #[test]
    fn a_refusal_says_what_to_change() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a"), "x\n".repeat(30)).unwrap();
        let error = replace_in(&folder, "a", "x", "y").unwrap_err();
        assert!(error.contains("30 times, at lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 18 more; say"), "{error}");
        fs::write(folder.path().join("a"), b"caf\xe9").unwrap();
        assert_eq!(replace_in(&folder, "a", "f", "缓").unwrap_err(), "`a` is written in Latin-1, which has no `缓`");
        assert_eq!(fs::read(folder.path().join("a")).unwrap(), b"caf\xe9");
    }
}

//! `write_file`: a new text file, or new content for one.

use std::io::Read;

use schemars::JsonSchema;
use serde::Deserialize;
use tokio_util::sync::CancellationToken;

use super::encoding::Encoding;
use super::file_errors::{quoted, unusable};
use super::projects::Projects;
use super::regular_file::HeldFile;
use super::root::{Place, Root};
use super::{DEADLINE, atomic_write, regular_file};
use crate::blocking::off_runtime;
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::output::Text;
use crate::tool::{Effect, ToolInfo, TypedTool};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {
    /// From the project root; missing directories are made.
    #[schemars(length(min = 1))]
    file_path: String,
    /// The whole text.
    content: String,
    /// An indexed project, if not that of the server's root.
    project: Option<String>,
}

pub(super) struct WriteFile;

impl TypedTool for WriteFile {
    type Params = Params;
    type Output = Text;

    const INFO: ToolInfo = ToolInfo {
        name: "write_file",
        title: "Write file",
        summary: "Write a text file of the project; replaces the file that is there.",
        effect: Effect::DESTRUCTIVE,
        deadline: DEADLINE,
        records: None,
    };

    async fn run(context: &ToolContext, params: Params) -> Result<Text, ToolError> {
        let (projects, cancel) = (Projects::of(context), context.cancel().clone());
        off_runtime(move || write(&projects.root(params.project.as_deref())?, &params, &cancel)).await
    }
}

fn write(root: &Root, params: &Params, cancel: &CancellationToken) -> Result<Text, ToolError> {
    let place = root.place(&params.file_path)?;
    if place.given.ends_with(['/', std::path::MAIN_SEPARATOR]) {
        return Err(ToolError::invalid(format!("{} names a directory, not a file", quoted(&place.given))));
    }
    if regular_file::find(&place)?.is_some() {
        let mut held = HeldFile::take(&place, cancel)?;
        let content = in_encoding_of(&mut held, &params.content, &place)?;
        atomic_write::write(&place, &content, Some(&held.metadata), cancel)?;
    } else {
        atomic_write::write(&place, params.content.as_bytes(), None, cancel)?;
    }
    Ok(Text(format!("Successfully wrote file: {}", place.given)))
}

/// The content in the encoding that the file says it has in its first bytes, else in UTF-8.
fn in_encoding_of(held: &mut HeldFile, content: &str, place: &Place) -> Result<Vec<u8>, ToolError> {
    let mut head = Vec::new();
    held.file.by_ref().take(4).read_to_end(&mut head).map_err(|error| unusable("read", place, &error))?;
    let encoding = Encoding::marked(&head).unwrap_or(Encoding::Utf8);
    let content = if encoding == Encoding::Utf8 { content } else { content.trim_start_matches('\u{feff}') };
    encoding
        .encode(content)
        .map_err(|character| ToolError::internal(format!("{} has no `{character}`", encoding.name())))
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    fn write_in(folder: &tempfile::TempDir, path: &str, content: &str) -> Result<String, String> {
        let params = Params { file_path: path.to_owned(), content: content.to_owned(), project: None };
        let written = write(&Root::at(folder.path()).unwrap(), &params, &CancellationToken::new());
        written.map(|text| text.0).map_err(|error| error.message)
    }

    fn mode(path: &std::path::Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o7777
    }

    #[test]
    fn a_file_that_is_replaced_keeps_its_mode_and_a_new_one_gets_the_usual_one() {
        let folder = tempfile::tempdir().unwrap();
        let (script, usual) = (folder.path().join("run.sh"), folder.path().join("usual"));
        fs::write(&script, "old").unwrap();
        fs::write(&usual, "").unwrap();
        fs::set_permissions(&script, fs::Permissions::from_mode(0o751)).unwrap();
        write_in(&folder, "run.sh", "new").unwrap();
        write_in(&folder, "made/here/a.txt", "new").unwrap();
        assert_eq!((fs::read_to_string(&script).unwrap().as_str(), mode(&script)), ("new", 0o751));
        assert_eq!(mode(&folder.path().join("made/here/a.txt")), mode(&usual));
    }

    #[test]
    fn a_link_stays_and_the_file_behind_it_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("real"), "old").unwrap();
        symlink("real", folder.path().join("link")).unwrap();
        let before = fs::metadata(folder.path().join("real")).unwrap().ino();
        write_in(&folder, "link", "new").unwrap();
        assert!(fs::symlink_metadata(folder.path().join("link")).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(folder.path().join("real")).unwrap(), "new");
        assert_ne!(fs::metadata(folder.path().join("real")).unwrap().ino(), before, "never half written");
    }

    #[test]
    fn an_encoding_with_a_mark_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        for (before, content, after) in [
            (&b"\xff\xfea\0"[..], "字", &b"\xff\xfe\x57\x5b"[..]),
            (b"\xef\xbb\xbfa", "b", b"\xef\xbb\xbfb"),
            (b"\xef\xbb\xbfa", "\u{feff}b", b"\xef\xbb\xbfb"),
            (b"caf\xe9", "字", "字".as_bytes()),
            (b"\x89PNG\r\n", "b\r\n", b"b\r\n"),
        ] {
            fs::write(folder.path().join("a"), before).unwrap();
            write_in(&folder, "a", content).unwrap();
            assert_eq!(fs::read(folder.path().join("a")).unwrap(), after);
        }
    }

    #[test]
    fn a_refused_or_cancelled_call_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("directory")).unwrap();
        for (path, message) in [
            ("directory", "`directory` is a directory, not a file; list_directory lists it"),
            ("new/", "`new/` names a directory, not a file"),
            ("../a", "`../a` is outside of project root"),
        ] {
            assert_eq!(write_in(&folder, path, "x"), Err(message.to_owned()));
        }
        let (root, cancelled) = (Root::at(folder.path()).unwrap(), CancellationToken::new());
        cancelled.cancel();
        let params = Params { file_path: "a".to_owned(), content: String::new(), project: None };
        assert!(write(&root, &params, &cancelled).is_err());
        let names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["directory"]);
    }
}

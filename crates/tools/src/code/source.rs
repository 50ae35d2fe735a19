//! The lines of a definition as they are on disk, and whether they can still be the ones that were indexed.

use std::fs::Metadata;
use std::path::Path;

use graph::{Label, Node};
use jiff::Timestamp;
use store::{FoundNode, ProjectInfo};

use super::regular_file;
use super::root::Root;
use super::text_file::TextFile;
use crate::error::ToolError;

/// File systems count time in steps; a change so shortly before the graph was made may not be in it.
const STEP_NANOSECONDS: i128 = 50_000_000;
/// Those that keep whole seconds count in steps of up to two.
const LONG_STEP_NANOSECONDS: i128 = 2_000_000_000;
const SECOND_NANOSECONDS: i128 = 1_000_000_000;

/// A name may stand this many lines below the beginning of its definition: types and attributes come first.
const LINES_BEFORE_NAME: usize = 5;

/// What is on disk where a definition was.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) text: String,
    pub(super) first_line: u32,
    pub(super) last_line: u32,
    pub(super) state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// The file has not changed since the graph was compared with it.
    AsIndexed,
    /// It may have changed, but what is on these lines looks like the definition.
    Plausible,
    /// The definition is not there any more.
    Elsewhere,
}

/// Reads the lines of a node. `checked_at` is when the graph was last seen to agree with the files.
pub(super) fn read(found: &FoundNode, info: &ProjectInfo, checked_at: Option<Timestamp>) -> Result<Source, ToolError> {
    let path = found.path.as_deref().unwrap_or_default();
    let place = Root::at(&info.root)?.place(path)?;
    let file = regular_file::open(&place)?;
    // Asked before the file is read: a change while it is read shows in the next call.
    let metadata = file.metadata().map_err(|error| super::file_errors::unusable("read", &place, &error))?;
    let text = TextFile::read(file, &place)?.text;
    let is_same = checked_at.is_some_and(|checked_at| is_certainly_older(changed_at(&metadata), checked_at));
    Ok(cut(&found.node, &text, is_same))
}

/// The text of a file below a root.
pub(crate) fn whole_file(root: &Path, path: &str) -> Result<String, ToolError> {
    let place = Root::at(root)?.place(path)?;
    Ok(TextFile::read(regular_file::open(&place)?, &place)?.text)
}

fn cut(node: &Node, text: &str, is_same: bool) -> Source {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    if is_whole_file(node) {
        let last_line = u32::try_from(lines.len()).unwrap_or(u32::MAX);
        return Source { text: text.to_owned(), first_line: last_line.min(1), last_line, state: State::AsIndexed };
    }
    let (first_line, last_line) = (node.start_line.max(1), node.end_line);
    let own = lines.get(first_line as usize - 1..last_line as usize).unwrap_or_default();
    let looks_right = !own.is_empty() && names_itself(node, &lines);
    let state = match (is_same, looks_right) {
        (true, true) => State::AsIndexed,
        (false, true) => State::Plausible,
        (_, false) => State::Elsewhere,
    };
    let text = own.concat();
    Source { text: text.trim_end_matches(['\n', '\r']).to_owned(), first_line, last_line, state }
}

fn is_whole_file(node: &Node) -> bool {
    node.label == Label::Module && node.own_line == 0
}

/// Whether the name stands where the definition begins. What has no name of its own cannot tell.
fn names_itself(node: &Node, lines: &[&str]) -> bool {
    let is_word = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let begin = (node.own_line.max(node.start_line).max(1) as usize - 1).min(lines.len());
    let head = &lines[begin..lines.len().min(begin + LINES_BEFORE_NAME)];
    !is_word(&node.name) || head.iter().any(|line| line.contains(&node.name))
}

fn is_certainly_older(changed_at: i128, checked_at: Timestamp) -> bool {
    let step = if changed_at % SECOND_NANOSECONDS == 0 { LONG_STEP_NANOSECONDS } else { STEP_NANOSECONDS };
    changed_at.saturating_add(step) < checked_at.as_nanosecond()
}

/// When the file, or what is known of it, was changed last. Unlike the time of modification, nobody can set it.
#[cfg(unix)]
fn changed_at(metadata: &Metadata) -> i128 {
    use std::os::unix::fs::MetadataExt as _;
    i128::from(metadata.ctime()) * SECOND_NANOSECONDS + i128::from(metadata.ctime_nsec())
}

#[cfg(not(unix))]
fn changed_at(metadata: &Metadata) -> i128 {
    let modified = metadata.modified().ok().and_then(|time| Timestamp::try_from(time).ok());
    modified.map_or(i128::MAX, |time| time.as_nanosecond())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "import os\n\n@cached\ndef load(path):\n    return path\n\ndef save(): pass\n";

    fn load() -> Node {
        let name = "load".to_owned();
        Node { label: Label::Function, name, start_line: 3, end_line: 5, own_line: 4, ..Node::default() }
    }

    #[track_caller]
    fn check(node: Node, text: &str, is_same: bool, expected: &str, state: State) {
        let source = cut(&node, text, is_same);
        assert_eq!((source.text.as_str(), source.state), (expected, state));
    }

    #[test]
    fn a_definition_is_its_lines_with_what_decorates_it() {
        check(load(), TEXT, true, "@cached\ndef load(path):\n    return path", State::AsIndexed);
        check(load(), TEXT, false, "@cached\ndef load(path):\n    return path", State::Plausible);
    }

    #[test]
    fn lines_that_do_not_hold_the_name_or_are_not_there_are_noticed() {
        check(
            load(),
            &format!("a = 1\nb = 2\nc = 3\nd = 4\ne = 5\n{TEXT}"),
            true,
            "c = 3\nd = 4\ne = 5",
            State::Elsewhere,
        );
        check(load(), "import os\n", false, "", State::Elsewhere);
    }

    #[test]
    fn a_module_is_its_file() {
        let module = Node { label: Label::Module, name: "app".to_owned(), start_line: 1, ..Node::default() };
        check(module.clone(), TEXT, false, TEXT, State::AsIndexed);
        let source = cut(&module, "", true);
        assert_eq!((source.first_line, source.last_line), (0, 0));
    }

    #[test]
    fn a_change_just_before_the_graph_was_made_counts_as_one_after_it() {
        let checked_at = Timestamp::from_nanosecond(20_000_000_000).unwrap();
        assert!(is_certainly_older(19_900_000_001, checked_at));
        assert!(!is_certainly_older(19_960_000_001, checked_at));
        assert!(!is_certainly_older(19_000_000_000, checked_at), "whole seconds are coarse");
        assert!(is_certainly_older(17_000_000_000, checked_at));
    }
}

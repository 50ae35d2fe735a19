//! What went wrong with a file, in words a model can act on.

use std::fs;
use std::io;
use std::path::Path;

use super::root::Place;
use crate::error::{ErrorKind, ToolError};
use crate::suggest::nearest_few;

/// Names of a folder that are looked at for a suggestion.
const MOST_NAMES: usize = 10_000;
const MOST_SUGGESTIONS: usize = 3;

/// A path as an error repeats it: short, on one line, in backquotes.
pub(super) fn quoted(given: &str) -> String {
    const LONGEST: usize = 200;
    let escape = |character: char| -> String {
        if character.is_control() { character.escape_debug().collect() } else { character.into() }
    };
    let head: String = given.chars().take(LONGEST).map(escape).collect();
    let more = if given.chars().nth(LONGEST).is_some() { "…" } else { "" };
    format!("`{head}{more}`")
}

/// A path inside of the root that cannot be followed.
pub(super) fn unreachable_path(given: &str, error: &io::Error) -> ToolError {
    let given = quoted(given);
    #[expect(clippy::wildcard_enum_match_arm, reason = "the system's own words serve for rare errors")]
    match error.kind() {
        io::ErrorKind::InvalidInput => ToolError::invalid(format!("{given} is no path: it holds a NUL character")),
        io::ErrorKind::InvalidFilename => ToolError::invalid(format!("{given} is no path: a name in it is too long")),
        io::ErrorKind::NotADirectory => {
            ToolError::not_found(format!("{given} cannot be reached: a part of it is a file, not a directory"))
        }
        io::ErrorKind::PermissionDenied => {
            ToolError::forbidden(format!("{given} cannot be reached: the server has no permission to look there"))
        }
        _ => ToolError::new(ErrorKind::Storage, format!("{given} cannot be reached: {error}")),
    }
}

/// A file that is there and cannot be read or written.
pub(super) fn unusable(verb: &str, place: &Place, error: &io::Error) -> ToolError {
    let given = quoted(&place.given);
    #[expect(clippy::wildcard_enum_match_arm, reason = "the system's own words serve for rare errors")]
    match error.kind() {
        io::ErrorKind::NotFound => missing("file", place),
        io::ErrorKind::PermissionDenied => {
            ToolError::forbidden(format!("the server has no permission to {verb} {given}"))
        }
        _ => ToolError::new(ErrorKind::Storage, format!("cannot {verb} {given}: {error}")),
    }
}

/// Nothing is there; names that look like what was meant.
pub(super) fn missing(what: &str, place: &Place) -> ToolError {
    let given = quoted(&place.given);
    let folder = place.path.parent().unwrap_or(&place.path);
    if !folder.is_dir() {
        return ToolError::not_found(format!("there is no {what} {given}; its directory does not exist either"));
    }
    let wanted = place.path.file_name().unwrap_or_default().to_string_lossy();
    let names = names(folder);
    let near = nearest_few(&wanted, names.iter().map(String::as_str), MOST_SUGGESTIONS);
    let shown: Vec<String> = near.iter().map(|name| quoted(&beside(&place.given, name))).collect();
    ToolError::not_found(match shown.as_slice() {
        [] => format!("there is no {what} {given}"),
        names => format!("there is no {what} {given}; did you mean {}?", names.join(" or ")),
    })
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    entries.take(MOST_NAMES).map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

/// The path as it was given, with another last name.
fn beside(given: &str, name: &str) -> String {
    match given.trim_end_matches('/').rsplit_once('/') {
        Some((folder, _)) => format!("{folder}/{name}"),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(given: &str) -> Place {
        Place { path: format!("/srv/project/{given}").into(), given: given.to_owned() }
    }

    #[test]
    fn a_missing_permission_is_said_in_words() {
        let denied = io::Error::from(io::ErrorKind::PermissionDenied);
        let error = unusable("write", &place("a.txt"), &denied);
        assert_eq!(error, ToolError::forbidden("the server has no permission to write `a.txt`"));
        let error = unreachable_path("secret/a.txt", &denied);
        let expected = "`secret/a.txt` cannot be reached: the server has no permission to look there";
        assert_eq!(error, ToolError::forbidden(expected));
    }

    #[test]
    fn other_errors_keep_the_words_of_the_system() {
        let error = unusable("read", &place("a.txt"), &io::Error::other("the disk is broken"));
        assert_eq!(error, ToolError::new(ErrorKind::Storage, "cannot read `a.txt`: the disk is broken"));
    }

    #[test]
    fn a_path_is_repeated_on_one_line_and_not_at_full_length() {
        assert_eq!(quoted("a\nb\u{1b}c"), "`a\\nb\\u{1b}c`");
        assert_eq!(quoted("缓存.rs"), "`缓存.rs`");
        assert_eq!(quoted(&"x".repeat(201)), format!("`{}…`", "x".repeat(200)));
    }
}

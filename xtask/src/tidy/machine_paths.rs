//! Does a file name a folder that exists only on somebody's machine?

use super::Violation;
use super::tree::Tree;

/// Folders of a developer, and whether the next part of the path is a user's name.
const FOLDERS: &[(&str, bool)] =
    &[("/home", true), ("/Users", true), ("\\Users", true), ("/root", false), ("/work", false)];
/// On a line that needs such a path as test data.
const MARKER: &str = "tidy: example path";

pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    let mut violations = Vec::new();
    for path in tree.files() {
        // Only text can be read by a person; binary fixtures are skipped.
        let Some(text) = tree.text(path) else { continue };
        for (line, number) in text.lines().zip(1..).filter(|(line, _)| !line.contains(MARKER)) {
            if let Some(found) = machine_path(line) {
                let fix = format!(
                    "use a relative path or a made-up one such as /srv/project; in test data, mark the line `{MARKER}`"
                );
                violations.push(Violation::new(path, number, format!("`{found}` is a path of one machine"), fix));
            }
        }
    }
    violations
}

/// The first path of a developer's machine in the line, up to the folder that gives it away.
fn machine_path(line: &str) -> Option<&str> {
    let found = FOLDERS.iter().flat_map(|(folder, has_user)| {
        line.match_indices(folder).filter_map(move |(start, _)| {
            let rest = &line[start + folder.len()..];
            let length = if *has_user { user_length(rest)? } else { 0 };
            let closed = rest[length..].starts_with(['/', '\\']);
            (closed && begins_a_path(&line[..start])).then_some((start, start + folder.len() + length + 1))
        })
    });
    found.min().map(|(start, end)| &line[start..end])
}

/// The length of `/NAME` or `\NAME`.
fn user_length(rest: &str) -> Option<usize> {
    let name = rest.strip_prefix(['/', '\\'])?;
    let length = name.find(|character: char| !(character.is_alphanumeric() || "._-".contains(character)))?;
    (length > 0).then_some(length + 1)
}

/// False where the match is the middle of a longer path or of a URL.
fn begins_a_path(before: &str) -> bool {
    let Some(last) = before.chars().next_back() else { return true };
    if before.ends_with("file://") || (last == ':' && before.len() > 1) {
        return true;
    }
    !(last.is_alphanumeric() || "/\\._-~})>]*$".contains(last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tree::fixture;

    fn check_line(line: &str, expected: Option<&str>) {
        assert_eq!(machine_path(line), expected, "{line}");
    }

    #[test]
    fn a_path_of_a_machine_fails_and_a_marked_line_passes() {
        let text = "fine\nsee /home/bob/x\nlet x = \"/home/ada/\"; // tidy: example path\n"; // tidy: example path
        fixture::check(check, &[("a.txt", text)], &["a.txt:2: `/home/bob/` is a path of one machine"]); // tidy: example path
    }

    #[test]
    fn paths_are_found_behind_quotes_colons_and_schemes() {
        check_line("PATH=/usr/bin:/home/ada/bin", Some("/home/ada/")); // tidy: example path
        check_line("[x](file:///home/ada/a.rs)", Some("/home/ada/")); // tidy: example path
        check_line("`/Users/grace.h/Library`", Some("/Users/grace.h/")); // tidy: example path
        check_line(r"C:\Users\grace\x", Some(r"\Users\grace\")); // tidy: example path
        for (folder, _) in FOLDERS.iter().filter(|(_, has_user)| !has_user) {
            let path = format!("{folder}/");
            check_line(&format!("b {path} and more"), Some(&path));
        }
    }

    #[test]
    fn other_paths_pass() {
        for line in [
            "https://example.org/work/x",
            "~/work/x",
            "{home}/homes/x",
            "/workspace/x",
            "src/root/x",
            "/home/",
            "/root",
            "$HOME/root/",
        ] {
            check_line(line, None);
        }
    }
}

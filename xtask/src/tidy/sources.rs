//! Does every source file begin with a `//!` line that says what it is for?

use super::Violation;
use super::tree::Tree;

pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    // The fixtures of the languages are data.
    let sources = tree.files_ending(".rs").filter(|path| !path.starts_with("crates/languages/languages/"));
    sources.filter_map(|path| check_file(path, &tree.text(path).unwrap_or_default())).collect()
}

fn check_file(path: &str, text: &str) -> Option<Violation> {
    let said = text.lines().next().and_then(|line| line.strip_prefix("//!")).map(str::trim);
    let fix = "open with one line: the question this file answers";
    match said {
        None => Some(Violation::new(path, 1, "the file does not begin with `//!`", fix)),
        Some("") => Some(Violation::new(path, 1, "the file begins with an empty `//!` line", fix)),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tree::fixture;

    #[test]
    fn a_file_that_does_not_say_what_it_is_for_fails() {
        let files =
            [("a.rs", "//! Good.\n"), ("b.rs", "use x;\n//! late\n"), ("c.rs", "//!\n"), ("d.rs", ""), ("e.md", "x")];
        let expected = [
            "b.rs:1: the file does not begin with `//!`",
            "c.rs:1: the file begins with an empty `//!` line",
            "d.rs:1: the file does not begin with `//!`",
        ];
        fixture::check(check, &files, &expected);
    }
}

//! Is the README short, and does it show the two commands a newcomer needs?

use super::Violation;
use super::tree::Tree;

const README: &str = "README.md";
const LINES: usize = 200;
const COMMANDS: &[&str] = &["cargo run --release -- demo", "cargo xtask test"];

pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    let Some(text) = tree.text(README) else {
        return vec![Violation::new(README, 1, "there is no README", "write one")];
    };
    let lines = text.lines().count();
    let mut violations = Vec::new();
    if lines > LINES {
        let problem = format!("the README has {lines} lines; the limit is {LINES}");
        violations.push(Violation::new(README, LINES + 1, problem, "move detail to docs/ and link to it"));
    }
    violations.extend(COMMANDS.iter().filter(|command| !text.contains(**command)).map(|command| {
        Violation::new(
            README,
            1,
            format!("the README does not show `{command}`"),
            "show it where a newcomer looks first",
        )
    }));
    violations
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tree::fixture;

    const BOTH: &str = "cargo run --release -- demo\ncargo xtask test\n";

    #[test]
    fn a_short_readme_with_both_commands_passes() {
        fixture::check(check, &[(README, &(BOTH.to_owned() + &"x\n".repeat(198)))], &[]);
    }

    #[test]
    fn a_long_one_a_missing_command_and_a_missing_file_fail() {
        let long = BOTH.to_owned() + &"x\n".repeat(199);
        fixture::check(check, &[(README, &long)], &["README.md:201: the README has 201 lines; the limit is 200"]);
        let expected = [
            "README.md:1: the README does not show `cargo run --release -- demo`",
            "README.md:1: the README does not show `cargo xtask test`",
        ];
        fixture::check(check, &[(README, "# Trailmark\n")], &expected);
        fixture::check(check, &[], &["README.md:1: there is no README"]);
    }
}

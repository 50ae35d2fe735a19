//! The lines of a text that look most like a target that is not in it.

use std::collections::HashMap;
use std::ops::Range;

/// Lines of the target and of the text that are compared.
const MOST_TARGET_LINES: usize = 50;
const MOST_TEXT_LINES: usize = 20_000;
/// Characters of a line that are compared.
const LONGEST_LINE: usize = 200;
/// Below this, two lines have nothing to do with each other.
const LEAST_SIMILARITY: f64 = 0.5;

/// Lines, counted from 0, that may be what the target means.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NearLines {
    pub(super) lines: Range<usize>,
    /// Whether they differ from the target in white space only.
    pub(super) but_for_blanks: bool,
}

/// The lines most like the target, if any resembles it.
pub(super) fn find(text: &str, target: &str) -> Option<NearLines> {
    let text: Vec<&str> = text.lines().take(MOST_TEXT_LINES).map(head).collect();
    let target: Vec<&str> = target.lines().skip_while(|line| line.trim().is_empty()).collect();
    let target: Vec<&str> = target.iter().take(MOST_TARGET_LINES).map(|line| head(line)).collect();
    let start = most_equal_lines(&text, &target).or_else(|| most_similar_line(&text, &target))?;
    let lines = start..(start + target.len()).min(text.len());
    let same = text[lines.clone()].iter().map(|line| squeezed(line)).eq(target.iter().map(|line| squeezed(line)));
    Some(NearLines { lines, but_for_blanks: same })
}

fn head(line: &str) -> &str {
    line.char_indices().nth(LONGEST_LINE).map_or(line, |(end, _)| &line[..end])
}

/// A line whose blanks do not count.
fn squeezed(line: &str) -> String {
    line.split_whitespace().collect()
}

/// Where the target would begin so that most of its lines are there, blanks aside.
fn most_equal_lines(text: &[&str], target: &[&str]) -> Option<usize> {
    let mut places: HashMap<String, Vec<usize>> = HashMap::new();
    for (index, line) in target.iter().enumerate().filter(|(_, line)| tells_something(line)) {
        places.entry(squeezed(line)).or_default().push(index);
    }
    let mut votes: HashMap<usize, usize> = HashMap::new();
    for (number, line) in text.iter().enumerate() {
        for index in places.get(&squeezed(line)).into_iter().flatten() {
            *votes.entry(number.saturating_sub(*index)).or_default() += 1;
        }
    }
    votes.into_iter().max_by_key(|(start, count)| (*count, std::cmp::Reverse(*start))).map(|(start, _)| start)
}

/// Lines of punctuation are everywhere.
fn tells_something(line: &str) -> bool {
    line.chars().filter(|character| character.is_alphanumeric()).count() >= 3
}

/// Where the target would begin so that its longest line stands at the line most like it.
fn most_similar_line(text: &[&str], target: &[&str]) -> Option<usize> {
    let (index, longest) = target.iter().enumerate().rev().max_by_key(|(_, line)| squeezed(line).chars().count())?;
    let longest = squeezed(longest);
    let similarities = text.iter().map(|line| strsim::sorensen_dice(&longest, &squeezed(line)));
    let (number, similarity) = similarities.enumerate().rev().max_by(|left, right| left.1.total_cmp(&right.1))?;
    (similarity >= LEAST_SIMILARITY).then(|| number.saturating_sub(index))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "import os\n\ndef load(path):\n    with open(path) as file:\n        return file.read()\n\n\
                        def save(path, text):\n    with open(path, 'w') as file:\n        file.write(text)\n";

    #[track_caller]
    fn check(target: &str, expected: Option<(Range<usize>, bool)>) {
        let found = find(TEXT, target).map(|near| (near.lines, near.but_for_blanks));
        assert_eq!(found, expected);
    }

    #[test]
    fn lines_that_differ_in_blanks_only_are_found_and_told_so() {
        check("def load(path):\n  with open(path) as file:\n    return file.read()", Some((2..5, true)));
        check("\n\ndef load( path ):", Some((2..3, true)));
    }

    #[test]
    fn the_place_with_most_of_the_lines_wins() {
        check("def save(path, text):\n    with open(path) as file:\n        file.write(text)", Some((6..9, false)));
    }

    #[test]
    fn a_mistyped_line_is_found_by_its_likeness() {
        check("def svae(path, txt):", Some((6..7, false)));
        check("x = 1\n    with opened(path, 'w') as files:\n", Some((6..8, false)));
    }

    #[test]
    fn nothing_is_found_where_nothing_resembles_the_target() {
        check("SELECT * FROM users", None);
        check("}", None);
        assert_eq!(find("", "a"), None);
    }
}

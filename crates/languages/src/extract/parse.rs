//! Text to tree, within a time.

use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use tree_sitter::{Node, ParseOptions, Parser, Point, Range, Tree};

use super::ExtractError;
use super::macros::without_macros;
use super::second_reading::easier;
use crate::language::Language;

/// Thousands of times what text without errors needs: some broken texts take time without end.
const SHORTEST_LIMIT: Duration = Duration::from_secs(2);
const LIMIT_PER_BYTE: Duration = Duration::from_micros(10);

/// Within so many bytes a semicolon is looked for.
const FARTHEST_END: usize = 1_000;

thread_local! {
    static PARSER: RefCell<Parser> = RefCell::new(Parser::new());
}

pub(super) fn parse(language: &Language, source: &str) -> Result<Tree, ExtractError> {
    let tree = parse_ranges(language, &readable(language, source), &[])?;
    if !language.settings().second_reading || !tree.root_node().has_error() {
        return Ok(tree);
    }
    let again = easier(source).and_then(|bytes| parse_ranges(language, &bytes, &[]).ok());
    let is_better = |again: &Tree| unread_bytes(again.root_node()) < unread_bytes(tree.root_node());
    Ok(again.filter(is_better).unwrap_or(tree))
}

/// How much of a text the parser could not read; what it missed counts as one.
fn unread_bytes(root: Node<'_>) -> usize {
    let mut nodes = vec![root];
    let mut cursor = root.walk();
    let mut sum = 0;
    while let Some(node) = nodes.pop() {
        if node.is_error() || node.is_missing() {
            sum += node.byte_range().len().max(1);
        } else if node.has_error() {
            nodes.extend(node.children(&mut cursor));
        }
    }
    sum
}

/// Reads a part of the text as if it were a file of its own, ended by the next semicolon wherever that stands.
pub(super) fn parse_range(language: &Language, source: &str, range: Range) -> Option<Tree> {
    let end = source.as_bytes()[range.end_byte..].iter().take(FARTHEST_END).position(|byte| *byte == b';');
    let ranges: Vec<Range> = std::iter::once(range).chain(end.map(|end| semicolon(source, range, end))).collect();
    parse_ranges(language, &readable(language, source), &ranges).ok()
}

fn semicolon(source: &str, after: Range, distance: usize) -> Range {
    let start_byte = after.end_byte + distance;
    let between = &source.as_bytes()[after.end_byte..start_byte];
    let lines = between.iter().filter(|byte| **byte == b'\n').count();
    let column = between.iter().rev().position(|byte| *byte == b'\n').unwrap_or(after.end_point.column + distance);
    let start_point = Point { row: after.end_point.row + lines, column };
    let end_point = Point { column: column + 1, ..start_point };
    Range { start_byte, end_byte: start_byte + 1, start_point, end_point }
}

fn parse_ranges(language: &Language, bytes: &[u8], ranges: &[Range]) -> Result<Tree, ExtractError> {
    PARSER.with_borrow_mut(|parser| {
        parser.set_language(language.grammar()).expect("the grammars of this build fit its parser");
        parser.set_included_ranges(ranges).expect("a range lies in order");
        let limit = SHORTEST_LIMIT + LIMIT_PER_BYTE * u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        let begin = Instant::now();
        let mut stop_when_late = |_: &tree_sitter::ParseState| {
            if begin.elapsed() > limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let options = ParseOptions::new().progress_callback(&mut stop_when_late);
        let tree = parser.parse_with_options(&mut |at, _| bytes.get(at..).unwrap_or_default(), None, Some(options));
        tree.ok_or_else(|| {
            parser.reset();
            ExtractError::TooSlow { seconds: limit.as_secs() }
        })
    })
}

/// What the parser sees of the text: as many bytes in the same places.
fn readable<'s>(language: &Language, source: &'s str) -> Cow<'s, [u8]> {
    let settings = language.settings();
    if settings.macros {
        without_macros(source)
    } else if settings.ascii_after_brace && !source.is_ascii() {
        with_letters_after_braces(source)
    } else {
        Cow::Borrowed(source.as_bytes())
    }
}

/// A letter in place of each byte of a sign that is not ASCII and stands where `{1..9}` may have its numbers and their end.
fn with_letters_after_braces(source: &str) -> Cow<'_, [u8]> {
    let mut bytes = Cow::Borrowed(source.as_bytes());
    for (brace, _) in source.match_indices('{') {
        let inside = source[brace + 1..].trim_start_matches(|sign: char| sign.is_ascii_digit());
        let second = inside.strip_prefix("..").map(|rest| rest.trim_start_matches(|sign: char| sign.is_ascii_digit()));
        for rest in [Some(inside), second].into_iter().flatten() {
            let at = source.len() - rest.len();
            let length = rest.chars().next().filter(|sign| !sign.is_ascii()).map_or(0, char::len_utf8);
            if length > 0 {
                bytes.to_mut()[at..at + length].fill(b'x');
            }
        }
    }
    bytes
}

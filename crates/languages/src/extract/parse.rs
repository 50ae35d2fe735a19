//! Text to tree, within a time.

use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use tree_sitter::{ParseOptions, Parser, Range, Tree};

use super::ExtractError;
use super::macros::without_macros;
use crate::language::Language;

/// No text of two megabytes needs this long.
const LONGEST: Duration = Duration::from_secs(10);

thread_local! {
    static PARSER: RefCell<Parser> = RefCell::new(Parser::new());
}

pub(super) fn parse(language: &Language, source: &str) -> Result<Tree, ExtractError> {
    parse_ranges(language, source, &[])
}

/// Reads a part of the text as if it were a file of its own.
pub(super) fn parse_range(language: &Language, source: &str, range: Range) -> Option<Tree> {
    parse_ranges(language, source, &[range]).ok()
}

fn parse_ranges(language: &Language, source: &str, ranges: &[Range]) -> Result<Tree, ExtractError> {
    PARSER.with_borrow_mut(|parser| {
        parser.set_language(language.grammar()).expect("the grammars of this build fit its parser");
        parser.set_included_ranges(ranges).expect("a range lies in order");
        let begin = Instant::now();
        let mut stop_when_late = |_: &tree_sitter::ParseState| {
            if begin.elapsed() > LONGEST { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let options = ParseOptions::new().progress_callback(&mut stop_when_late);
        let bytes = if language.settings().macros { without_macros(source) } else { Cow::Borrowed(source.as_bytes()) };
        let tree = parser.parse_with_options(&mut |at, _| bytes.get(at..).unwrap_or_default(), None, Some(options));
        tree.ok_or_else(|| {
            parser.reset();
            ExtractError::TooSlow { seconds: LONGEST.as_secs() }
        })
    })
}

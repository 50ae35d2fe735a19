//! What does one file say? Nothing that is in it can end the run.

use std::borrow::Cow;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;

use languages::{FileFacts, Language, Languages, lines};
use search::FileWords;

use crate::content::{Content, MAX_BYTES};
use crate::decode::decode;
use crate::facts_format::Knowledge;
use crate::fingerprint;
use crate::words::words_of;

/// A line this long is not written by hand.
const LONG_LINE_BYTES: usize = 5_000;

/// Code has at least one mark of code (`;{}(),`) in this many bytes; embedded data and long texts have fewer.
const BYTES_PER_MARK: usize = 40;

const BINARY: &str = "binary";
const MINIFIED: &str = "minified: only its File node is indexed";

/// Everything that follows from the path and the bytes of a file.
#[derive(Debug)]
pub(crate) struct Analysis {
    pub(crate) content_hash: Vec<u8>,
    pub(crate) language: Option<String>,
    pub(crate) lines: u32,
    pub(crate) problem: Option<String>,
    pub(crate) knowledge: Knowledge,
    /// To be searched; `None` where nothing is to be found.
    pub(crate) words: Option<FileWords>,
}

impl Analysis {
    /// Of a file that is there but cannot be read.
    pub(crate) fn unreadable(reason: &str) -> Self {
        Self { problem: Some(format!("could not be read: {reason}")), ..Self::binary(Vec::new()) }
    }

    fn binary(content_hash: Vec<u8>) -> Self {
        Self {
            content_hash,
            language: None,
            lines: 0,
            problem: Some(BINARY.to_owned()),
            knowledge: Knowledge::default(),
            words: None,
        }
    }
}

pub(crate) fn analyse(path: &str, content: &Content) -> Analysis {
    let content_hash = fingerprint::of_content(content);
    let Some(text) = decode(&content.bytes, content.is_cut) else { return Analysis::binary(content_hash) };
    let text = if content.is_cut { whole_lines(text) } else { text };
    let language = Languages::builtin().for_file(path, text.as_bytes());
    let lines = lines::count(&text);
    let mut analysis = Analysis {
        content_hash,
        language: language.map(|language| language.id().to_owned()),
        lines,
        problem: content.is_cut.then(|| cut_problem(lines)),
        knowledge: Knowledge::default(),
        words: None,
    };
    if is_minified(path, &text) {
        analysis.problem = Some(MINIFIED.to_owned());
        return analysis;
    }
    analysis.knowledge.manifest = is_manifest(path).then(|| text.to_string());
    match language.map(|language| extract(language, &text)) {
        Some(Ok(facts)) => analysis.knowledge.facts = Some(Arc::new(facts)),
        Some(Err(reason)) => {
            analysis.problem = Some(format!("could not be analysed: {reason}"));
        }
        None => {}
    }
    analysis.words = Some(words_of(path, &text, analysis.language.is_some(), analysis.knowledge.facts.as_deref()));
    analysis
}

fn extract(language: &Language, text: &str) -> Result<FileFacts, String> {
    match panic::catch_unwind(AssertUnwindSafe(|| language.extract(text))) {
        Ok(extracted) => extracted.map_err(|error| error.to_string()),
        Err(payload) => Err(panic_message(&*payload)),
    }
}

/// What a panic said.
pub(crate) fn panic_message(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("a panic").to_owned()
}

/// Without the line that the cut went through, unless it is the only one.
fn whole_lines(text: Cow<'_, str>) -> Cow<'_, str> {
    match (text.rfind('\n'), text) {
        (None, text) => text,
        (Some(end), Cow::Borrowed(text)) => Cow::Borrowed(&text[..=end]),
        (Some(end), Cow::Owned(mut text)) => {
            text.truncate(end + 1);
            Cow::Owned(text)
        }
    }
}

fn cut_problem(lines: u32) -> String {
    format!("larger than {} MB: only the first {lines} lines are indexed", MAX_BYTES / 1_000_000)
}

/// Named so, or most of it is in very long lines that look like code.
fn is_minified(path: &str, text: &str) -> bool {
    if [".min.js", ".min.mjs", ".min.cjs", ".min.css"].iter().any(|end| path.ends_with(end)) {
        return true;
    }
    let long = lines::each(text).filter(|line| line.len() > LONG_LINE_BYTES);
    let (mut bytes, mut marks) = (0, 0);
    for line in long {
        bytes += line.len();
        marks += line.bytes().filter(|byte| matches!(byte, b';' | b'{' | b'}' | b'(' | b')' | b',')).count();
    }
    bytes * 2 > text.len() && marks * BYTES_PER_MARK > bytes
}

/// Whether the file says how modules and packages are laid out.
fn is_manifest(path: &str) -> bool {
    const NAMES: &[&str] = &[
        "package.json",
        "jsconfig.json",
        "go.mod",
        "Cargo.toml",
        "pyproject.toml",
        "setup.py",
        "setup.cfg",
        "pom.xml",
        "composer.json",
        "build.gradle",
        "build.gradle.kts",
        "pubspec.yaml",
        "mix.exs",
    ];
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_between = |start: &str, end: &str| name.starts_with(start) && name.ends_with(end);
    NAMES.contains(&name)
        || is_between("tsconfig", ".json")
        || is_between("requirements", ".txt")
        || name.ends_with(".csproj")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn analysed(path: &str, bytes: &[u8], is_cut: bool) -> Analysis {
        analyse(path, &Content { bytes: bytes.to_vec(), is_cut })
    }

    fn listed(analysis: &Analysis) -> String {
        let words = analysis.words.iter().flat_map(FileWords::words);
        let mut words: Vec<_> = words.map(|(word, _)| word).collect();
        words.sort_unstable();
        words.join(" ")
    }

    #[test]
    fn code_in_very_long_lines_is_minified_and_embedded_data_is_not() {
        let minified = "function a(b){return b(c,d);}".repeat(400);
        assert!(is_minified("bundle.js", &minified));
        assert!(is_minified("jquery.min.js", "x"));
        let embedded = format!("DATA = '{}'\ndef load():\n    return DATA\n", "QUJDREVG".repeat(4_000));
        assert!(!is_minified("data.py", &embedded));
        assert!(!is_minified("plain.py", &"def a(): return b(c)\n".repeat(2_000)));
    }

    #[test]
    fn a_cut_file_is_indexed_up_to_its_last_whole_line() {
        let analysis = analysed("notes.txt", b"one\ntwo\nthr", true);
        assert_eq!(listed(&analysis), "=notes not one two txt");
        assert_eq!(analysis.problem.as_deref(), Some("larger than 2 MB: only the first 2 lines are indexed"));
    }

    #[test]
    fn a_file_without_a_grammar_is_searchable_text_and_a_binary_one_is_not() {
        assert_eq!(listed(&analysed("notes.txt", b"hello, hello World", false)), "=notes hello not txt world");
        let binary = analysed("image.png", b"\x89PNG\r\n\x1a\n\0\0\0", false);
        assert_eq!((listed(&binary).as_str(), binary.problem.as_deref()), ("", Some(BINARY)));
    }

    #[test]
    fn the_text_of_a_manifest_is_kept() {
        for path in ["go.mod", "a/tsconfig.base.json", "requirements-dev.txt", "Shop/Shop.csproj"] {
            assert_eq!(analysed(path, b"x", false).knowledge.manifest.as_deref(), Some("x"), "{path}");
        }
        assert_eq!(analysed("a/notes.json", b"{}", false).knowledge.manifest, None);
    }
}

//! Words in capitals that a preprocessor takes away: `class EXPORT Name {`, `API int name(void);`.
//!
//! A parser takes them for types or names. Blanks of the same length let it see what the compiler sees.

use std::borrow::Cow;

const BEFORE_NAMES: [&str; 4] = ["class", "struct", "union", "enum"];
const BEFORE_RESULTS: [&str; 3] = ["extern", "static", "inline"];

/// The text with such words left blank.
pub(super) fn without_macros(source: &str) -> Cow<'_, [u8]> {
    let mut blanked: Option<Vec<u8>> = None;
    let mut start = 0;
    for line in source.split_inclusive('\n') {
        let found =
            in_type_head(source, start, line).into_iter().chain(before_result(line)).chain(after_parameters(line));
        for (from, to) in found.chain(after_field(line)) {
            let text = blanked.get_or_insert_with(|| source.as_bytes().to_vec());
            text[start + from..start + to].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
        }
        start += line.len();
    }
    blanked.map_or(Cow::Borrowed(source.as_bytes()), Cow::Owned)
}

/// `class EXPORT Name : Base {`: the macro stands between the keyword and a name that a body follows.
fn in_type_head(source: &str, start: usize, line: &str) -> Option<(usize, usize)> {
    let keyword = line.trim_start();
    let from = line.len() - keyword.len();
    let word = word_at(keyword, 0);
    let at = BEFORE_NAMES.contains(&word).then_some(from + word.len())?;
    let from = at + blanks(&line[at..]);
    let macro_word = word_at(line, from);
    let mut to = from + macro_word.len();
    if !is_macro(macro_word) {
        return None;
    }
    if line[to..].starts_with('(') {
        to += line[to..].find(')')? + 1;
    }
    let rest = source[start + to..].trim_start();
    let name = word_at(rest, 0);
    let after = rest[name.len()..].trim_start();
    let after = after.strip_prefix("final").map_or(after, str::trim_start);
    let has_body = after.starts_with('{') || (after.starts_with(':') && !after.starts_with("::"));
    (!name.is_empty() && has_body).then_some((from, to))
}

/// `API const char *name(`: the macro stands first, and a type and a name are between it and the brackets.
fn before_result(line: &str) -> Option<(usize, usize)> {
    let mut from = 0;
    let first = word_at(line, 0);
    if BEFORE_RESULTS.contains(&first) {
        from = first.len() + blanks(&line[first.len()..]);
    }
    let word = word_at(line, from);
    let to = from + word.len();
    let between = line[to..].split('(').next().filter(|between| between.len() < line[to..].len())?;
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '*' | '&' | ':' | '<' | '>' | ' ');
    let words = between.split([' ', '*', '&']).filter(|word| !word.is_empty()).count();
    (is_macro(word) && between.starts_with(' ') && words >= 2 && between.chars().all(is_word)).then_some((from, to))
}

/// `void name(int x) REQUIRES(mutex) {`: the macro stands between the parameters and the body.
fn after_parameters(line: &str) -> Option<(usize, usize)> {
    let words = line.match_indices(' ').map(|(at, _)| at + 1);
    words.filter(|from| is_macro(word_at(line, *from))).find_map(|from| {
        let mut to = from + word_at(line, from).len();
        if line[to..].starts_with('(') {
            to += closing(&line[to..])?;
        }
        let next = line[to..].trim_start();
        let is_end =
            next.is_empty() || next.starts_with([';', '{', '=']) || (next.starts_with(':') && !next.starts_with("::"));
        (is_end && follows_parameters(line[..from].trim_end())).then_some((from, to))
    })
}

/// Whether the text ends with the parameters of a function, and words that may stand after them.
fn follows_parameters(before: &str) -> bool {
    let after = ["const", "override", "final", "noexcept"];
    let before = after.iter().fold(before, |text, word| text.trim_end_matches(word).trim_end());
    let Some(open) = before.strip_suffix(')').and_then(opening) else { return false };
    let called = before[..open].trim_end().rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("");
    !["if", "for", "while", "switch", "catch", "return", ""].contains(&called) && !is_macro(called)
}

/// `int count GUARDED_BY(mutex);`
fn after_field(line: &str) -> Option<(usize, usize)> {
    let at = line.find("GUARDED_BY(")?;
    let from = line[..at].rfind(' ')? + 1;
    let to = at + line[at..].find(')')? + 1;
    is_macro(word_at(line, from)).then_some((from, to))
}

/// Where the bracket stands that the end of the text closes.
fn opening(text: &str) -> Option<usize> {
    let mut depth = 1;
    for (at, byte) in text.bytes().enumerate().rev() {
        match byte {
            b')' => depth += 1,
            b'(' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// The end of the bracket that the text begins with.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

fn is_macro(word: &str) -> bool {
    let is_capital = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    word.len() >= 3 && word.chars().all(is_capital) && word.starts_with(|c: char| c.is_ascii_uppercase())
}

fn word_at(text: &str, at: usize) -> &str {
    let rest = &text[at..];
    &rest[..rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())]
}

fn blanks(text: &str) -> usize {
    text.len() - text.trim_start_matches([' ', '\t']).len()
}

#[cfg(test)]
mod tests {
    use super::without_macros;

    fn cleaned(text: &str) -> String {
        String::from_utf8_lossy(&without_macros(text)).into_owned()
    }

    #[test]
    fn words_before_names_of_types_are_left_blank() {
        assert_eq!(cleaned("class API Name : Base {"), "class     Name : Base {");
        assert_eq!(cleaned("  struct ALIGN(16) Name\n{"), "  struct           Name\n{");
    }

    #[test]
    fn words_before_results_are_left_blank() {
        assert_eq!(cleaned("API int name(void);"), "    int name(void);");
        assert_eq!(cleaned("extern API const char *name(int x)"), "extern     const char *name(int x)");
    }

    #[test]
    fn words_after_parameters_and_fields_are_left_blank() {
        assert_eq!(cleaned("  void run(int x) const LOCKED(mu_) {"), "  void run(int x) const             {");
        assert_eq!(cleaned("  Lock(int x) LOCKS(x) : x_(x) {"), "  Lock(int x)          : x_(x) {");
        assert_eq!(cleaned("  ~Lock() UNLOCKED;"), "  ~Lock()         ;");
        assert_eq!(cleaned("  int count_ GUARDED_BY(mu_);"), "  int count_                ;");
    }

    #[test]
    fn calls_stay() {
        for text in ["if (x) LOG(y);", "while (next()) STEP(x);", "  LOG(x);", "  foo(x);", "ASSERT(x) LOG(y);"] {
            assert_eq!(cleaned(text), text);
        }
    }

    #[test]
    fn types_in_capitals_stay() {
        for text in
            ["struct FOO bar;", "FILE *open(void);", "DWORD count(int);", "MACRO(x) int f(void);", "enum ABC { A }"]
        {
            assert_eq!(cleaned(text), text);
        }
    }
}

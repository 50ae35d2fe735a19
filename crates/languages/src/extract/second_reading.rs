//! What the grammars of JavaScript and TypeScript do not know yet, in words that they know.
//!
//! One such word can cost a parser the whole rest of a file. Text with errors is therefore read once more with as many bytes in
//! the same places: `interface Box<out Item>`, `export type * from "x"`, signatures that end with their line, `<a class="x">`.

/// More than the longest signature that people write.
const FARTHEST: usize = 2_000;

/// The text with such words replaced, if it has any.
pub(super) fn easier(source: &str) -> Option<Vec<u8>> {
    let mut text = source.as_bytes().to_vec();
    let mut start = 0;
    for line in source.split_inclusive('\n') {
        end_member_before(source, start, line, &mut text);
        for (at, word) in words(line) {
            let (from, to) = (start + at, start + at + word.len());
            match word {
                "in" | "out" if is_variance(source, from, to) => text[from..to].fill(b' '),
                "type" if is_between(source, from, to, "export", "*") => text[from..to].fill(b' '),
                "class" | "for" if is_attribute(source, from, to) => text[from] = b'_',
                _ => {}
            }
        }
        for at in loose_ampersands(line) {
            text[start + at] = b'_';
        }
        start += line.len();
    }
    (text != source.as_bytes()).then_some(text)
}

/// `<out Item, in Key = string>`: between the beginning of a type parameter and its name.
fn is_variance(source: &str, from: usize, to: usize) -> bool {
    let before = source[..from].trim_end();
    let comment = before.strip_suffix("*/").and_then(|comment| comment.rfind("/*"));
    let before = comment.map_or(before, |comment| before[..comment].trim_end());
    let is_first = before.ends_with(['<', ',']);
    let is_second = before.strip_suffix("in").is_some_and(|before| before.trim_end().ends_with(['<', ',']));
    let rest = source[to..].trim_start();
    let name = word(rest);
    let next = rest[name.len()..].trim_start();
    let has_name = !name.is_empty() && (name == "out" || next.starts_with([',', '>', '=']) || word(next) == "extends");
    (is_first || is_second) && has_name && rest.len() < source[to..].len()
}

fn is_between(source: &str, from: usize, to: usize, before: &str, after: &str) -> bool {
    source[..from].trim_end().ends_with(before) && source[to..].trim_start().starts_with(after)
}

/// `<a class="x">`: no statement has a sign of equality right after such a word.
fn is_attribute(source: &str, from: usize, to: usize) -> bool {
    let value = source[to..].strip_prefix('=');
    source[..from].ends_with(char::is_whitespace) && value.is_some_and(|value| value.starts_with(['"', '\'', '{']))
}

/// `href="/?a=1&b=2"`: what begins like the name of a sign and does not end like one.
fn loose_ampersands(line: &str) -> impl Iterator<Item = usize> + '_ {
    let is_loose = |at: &usize| {
        let rest = &line[at + 1..];
        let quote = line[..*at].rfind("=\"").is_some_and(|quote| !line[quote + 2..*at].contains('"'));
        quote && rest.contains('"') && !rest[word(rest).len()..].starts_with(';')
    };
    line.match_indices('&').map(|(at, _)| at).filter(is_loose)
}

/// A member of a type that ends with its line, where the next one begins with what could continue it.
fn end_member_before(source: &str, start: usize, line: &str, text: &mut [u8]) {
    let member = line.trim_start();
    let at = start + line.len() - member.len();
    if at == start || !member.starts_with(['<', '(', 'i']) || !ends_type(&source[..start]) {
        return;
    }
    let begins = match member.starts_with('i') {
        true => matches!(member.get(..3), Some("in:" | "in?")),
        false => is_signature(&source[at..]),
    };
    if begins {
        text[at - 1] = b';';
    }
}

/// `<Item>(item: Item): Box`.
fn is_signature(text: &str) -> bool {
    let parameters = if text.starts_with('<') { balanced(text, b'<', b'>') } else { Some(text) };
    let parameters = parameters.map(str::trim_start).filter(|rest| rest.starts_with('('));
    let rest = parameters.and_then(|parameters| balanced(parameters, b'(', b')'));
    rest.is_some_and(|rest| rest.trim_start().starts_with(':'))
}

/// What follows the bracket that closes the first.
fn balanced(text: &str, open: u8, close: u8) -> Option<&str> {
    let (mut depth, mut last) = (0_usize, 0);
    for (at, byte) in text.bytes().enumerate().take(FARTHEST) {
        if byte == open {
            depth += 1;
        } else if byte == close && last != b'=' {
            depth = depth.checked_sub(1)?;
        }
        if depth == 0 {
            return text.get(at + 1..);
        }
        last = byte;
    }
    None
}

/// Whether the last line that is no comment ends as a type does.
fn ends_type(before: &str) -> bool {
    let is_comment = |line: &&str| line.is_empty() || ["//", "/*", "*"].iter().any(|mark| line.starts_with(mark));
    let Some(last) = before.lines().rev().map(str::trim).find(|line| !is_comment(line)) else { return false };
    let ends = |sign: char| sign.is_alphanumeric() || matches!(sign, '_' | '$' | ')' | ']' | '}' | '>' | '"' | '\'');
    last.ends_with(ends) && !last.ends_with("=>")
}

/// The word that a text begins with.
fn word(text: &str) -> &str {
    let is_part = |sign: char| sign.is_alphanumeric() || matches!(sign, '_' | '$');
    &text[..text.find(|sign| !is_part(sign)).unwrap_or(text.len())]
}

fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        at += line[at..].find(char::is_alphanumeric)?;
        let found = (at, word(&line[at..]));
        at += found.1.len();
        Some(found)
    })
}

#[cfg(test)]
mod tests {
    use super::easier;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let easier = easier(text).unwrap_or_else(|| text.as_bytes().to_vec());
        assert_eq!(String::from_utf8_lossy(&easier), expected);
    }

    #[test]
    fn variance_of_type_parameters_is_left_out() {
        check("interface A<out T, in U = V> {}", "interface A<    T,    U = V> {}");
        check("class A<\n  in out T extends U,\n> {}", "class A<\n         T extends U,\n> {}");
        check("class A<\n  /** text */\n  out T,\n> {}", "class A<\n  /** text */\n      T,\n> {}");
        check("for (const a in b) f(c, d)", "for (const a in b) f(c, d)");
    }

    #[test]
    fn types_may_be_exported_as_a_whole() {
        check("export type * from './a'", "export      * from './a'");
    }

    #[test]
    fn a_signature_that_ends_with_its_line_is_ended() {
        check("  <T>(a: T): T\n  // more\n  <T>(b: T): () => T\n", "  <T>(a: T): T\n  // more\n ;<T>(b: T): () => T\n");
        check("  (a: A): B\n  (b: B): C\n", "  (a: A): B\n ;(b: B): C\n");
        check("  a: A\n  in?: B\n", "  a: A\n ;in?: B\n");
        check("  const f =\n  <T>(a: T): T => a\n", "  const f =\n  <T>(a: T): T => a\n");
        check("  f\n  (a)\n", "  f\n  (a)\n");
    }

    #[test]
    fn attributes_may_have_names_of_keywords_and_addresses_as_values() {
        check(r#"<a class="x" href="/?a=1&b=2&amp;c">"#, r#"<a _lass="x" href="/?a=1_b=2&amp;c">"#);
        check("class A extends B { c = a && b }", "class A extends B { c = a && b }");
    }
}

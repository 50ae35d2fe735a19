//! Secrets in running text that are known by the name in front of them: `password = "…"`, `api-key: …`.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::redact::MASK;

/// A quoted value that is longer than this has lost its closing quote.
const LONGEST_QUOTED: usize = 1024;
/// Fewer characters after a colon are taken for prose.
const SHORTEST_AFTER_COLON: usize = 6;

/// The name of a secret, up to and including the sign in front of its value.
static NAMES: LazyLock<Regex> = LazyLock::new(|| {
    let names = r#"(?i-u)(?:password|passwd|passphrase|pwd|(?:api|access|private|secret)[ _.-]?key|secret|token|credentials?)\\*["']?\]?\s*(?::?=+>?|:)"#;
    Regex::new(names).expect("the names are constant and a test compiles them")
});

/// The text with the values of named secrets masked, or `None` when it has none.
pub(super) fn mask(text: &str) -> Option<String> {
    let mut masked = String::new();
    let (mut copied, mut position) = (0, 0);
    while let Some(name) = NAMES.find_at(text, position) {
        position = name.end();
        let after_colon = name.as_str().ends_with(':');
        if let Some(value) = value(&text[name.end()..], after_colon) {
            masked.push_str(&text[copied..name.end() + value.start]);
            masked.push_str(MASK);
            copied = name.end() + value.end;
            position = copied;
        }
    }
    if copied == 0 {
        return None;
    }
    masked.push_str(&text[copied..]);
    Some(masked)
}

/// Where the secret lies in what follows its name.
fn value(rest: &str, after_colon: bool) -> Option<Range<usize>> {
    let blank = |c: char| c == ' ' || c == '\t' || (after_colon && c.is_ascii_whitespace());
    let trimmed = rest.trim_start_matches(blank);
    let start = rest.len() - trimmed.len();
    let length = match quoted_length(trimmed) {
        Some(length) => length,
        None if after_colon => word_after_colon(trimmed, rest[..start].contains('\n'))?,
        None => word(trimmed).len(),
    };
    (length > 0).then(|| start..start + length)
}

/// The length of a quoted value with its quotes, 0 when nothing is between them, `None` when no quote opens.
fn quoted_length(text: &str) -> Option<usize> {
    let unescaped = text.trim_start_matches('\\');
    let escapes = text.len() - unescaped.len();
    let quote = unescaped.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let triple = quote.to_string().repeat(3);
    if let Some(body) = unescaped.strip_prefix(&triple) {
        let end = body.find(&triple).map_or(body.len(), |end| end + triple.len());
        return Some(escapes + triple.len() + end);
    }
    let body = &unescaped[1..];
    let Some((end, content)) = closing_quote(body, quote as u8, escapes) else {
        return Some(escapes + 1 + body.find('\n').unwrap_or(body.len()));
    };
    Some(if content == 0 { 0 } else { escapes + 1 + end })
}

/// Where the closing quote ends and how much lies before it. A quote closes when it is escaped as often as the one that
/// opened; with fewer escapes it closes a string around both.
fn closing_quote(body: &str, quote: u8, opening_escapes: usize) -> Option<(usize, usize)> {
    let mut escapes = 0;
    for (index, &byte) in body.as_bytes().iter().enumerate().take(LONGEST_QUOTED) {
        if byte == b'\\' {
            escapes += 1;
            continue;
        }
        if byte == quote {
            if escapes < opening_escapes {
                return Some((index - escapes, index - escapes));
            }
            if escapes % (2 * (opening_escapes + 1)) == opening_escapes {
                return Some((index + 1, index - opening_escapes));
            }
        }
        escapes = 0;
    }
    None
}

fn word(text: &str) -> &str {
    text.split(|c: char| c.is_ascii_whitespace()).next().unwrap_or_default()
}

/// The length of the word after a colon if it does not read like prose.
fn word_after_colon(text: &str, on_next_line: bool) -> Option<usize> {
    let is_path = text.starts_with(':');
    if is_path {
        return None;
    }
    let secret = word(text).trim_end_matches([',', ';']);
    let after = text[secret.len()..].trim_start_matches([' ', '\t']);
    let ends_there = !on_next_line && (after.is_empty() || after.starts_with([',', ';', '\r', '\n']));
    let strange = secret.trim_end_matches(['.', ':']).chars().any(|c| c.is_ascii_digit() || c.is_ascii_punctuation());
    (secret.chars().count() >= SHORTEST_AFTER_COLON && (strange || ends_there)).then_some(secret.len())
}

#[cfg(test)]
mod tests {
    use super::mask;

    #[track_caller]
    fn check(given: &str, expected: &str) {
        assert_eq!(mask(given).as_deref().unwrap_or(given), expected);
    }

    #[test]
    fn a_quoted_value_is_masked_up_to_its_closing_quote() {
        check(r#"password: "correct horse battery staple", x"#, "password: [redacted], x");
        check("pwd='a b' and", "pwd=[redacted] and");
        check(r#"passphrase = "a \" b" c"#, "passphrase = [redacted] c");
        check(r#"{"api_key": "x", "n": 1}"#, r#"{"api_key": [redacted], "n": 1}"#);
        check(r#"{\"token\":\"a \\\" b\",\"n\":1}"#, r#"{\"token\":[redacted],\"n\":1}"#);
        check(r#"say "{\"token\":\"half" end"#, r#"say "{\"token\":[redacted]" end"#);
        check("secret = \"\"\"a\n\"b\" c\"\"\" d", "secret = [redacted] d");
        check("secret: \"two\nlines\" d", "secret: [redacted] d");
        check("password: \"never closed\nnext", "password: [redacted]\nnext");
        check(r#"config["password"] = "a b""#, r#"config["password"] = [redacted]"#);
        check(r#"password: "" user: "ann""#, r#"password: "" user: "ann""#);
    }

    #[test]
    fn a_bare_value_after_an_equals_sign_is_masked_up_to_white_space() {
        check("PWD=a x", "PWD=[redacted] x");
        check("password=a,b;c\"d e", "password=[redacted] e");
        check("token := abc", "token := [redacted]");
        check(
            "A_VERY_LONG_NAME_THAT_GOES_ON_AND_ON_AND_ON_PASSWORD=x",
            "A_VERY_LONG_NAME_THAT_GOES_ON_AND_ON_AND_ON_PASSWORD=[redacted]",
        );
        check("API_KEY=\nDEBUG=true", "API_KEY=\nDEBUG=true");
        check("密码 password=密码。 后", "密码 password=[redacted] 后");
    }

    #[test]
    fn a_bare_value_after_a_colon_is_masked_unless_it_reads_like_prose() {
        check("token: abc-def and", "token: [redacted] and");
        check("secret: hunter22, and", "secret: [redacted], and");
        check("password: swordfish", "password: [redacted]");
        check("password: swordfish  \nnext", "password: [redacted]  \nnext");
        check("password: swordfish; x", "password: [redacted]; x");
        check("API key: abcdef123456 is", "API key: [redacted] is");
        check("password:\n  hunter22", "password:\n  [redacted]");
        check("password: see the vault", "password: see the vault");
        check("password: stored elsewhere", "password: stored elsewhere");
        check("Token:\n\nIntroduction\n", "Token:\n\nIntroduction\n");
        check("use token::parse_all;", "use token::parse_all;");
        check("the token bucket has 5 tokens: 1,2,3,4,5", "the token bucket has 5 tokens: 1,2,3,4,5");
    }
}

//! Values as they are written in Cypher, such that no text can become anything but a text.

use crate::Value;

/// `{id: 'x', line: 1}`. Keys are names of ours and need no quoting.
pub(super) fn map<'a>(entries: impl Iterator<Item = (&'static str, Value<'a>)>) -> String {
    let entries = entries.map(|(key, value)| format!("{key}: {}", literal(value)));
    format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
}

fn literal(value: Value<'_>) -> String {
    match value {
        Value::Text(found) => text(found),
        Value::List(list) => format!("[{}]", list.iter().map(|entry| text(entry)).collect::<Vec<_>>().join(", ")),
        Value::Number(number) => number.to_string(),
        Value::Fraction(fraction) => format!("{fraction:?}"),
    }
}

/// A text on one line.
///
/// Some servers resolve `\uXXXX` before they look for quotes and backslashes, whether or not another backslash stands before
/// it. So a backslash of the text is never followed by a `u` of the text: the literal is ended between them.
pub(super) fn text(text: &str) -> String {
    let mut literal = String::with_capacity(text.len() + 2);
    literal.push('\'');
    let mut after_backslash = false;
    for character in text.chars() {
        match character {
            '\\' => literal.push_str("\\\\"),
            '\'' => literal.push_str("\\'"),
            '\n' => literal.push_str("\\n"),
            '\r' => literal.push_str("\\r"),
            '\t' => literal.push_str("\\t"),
            'u' | 'U' if after_backslash => {
                literal.push_str("' + '");
                literal.push(character);
            }
            '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' => {
                literal.push_str(&format!("\\u{:04x}", u32::from(character)));
            }
            _ => literal.push(character),
        }
        after_backslash = character == '\\';
    }
    literal.push('\'');
    literal
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(given: &str, expected: &str) {
        assert_eq!(text(given), expected);
    }

    #[test]
    fn a_text_cannot_end_its_literal() {
        check("it's", r"'it\'s'");
        check("\\", r"'\\'");
        check("\\'; MATCH (n) DETACH DELETE n; //", r"'\\\'; MATCH (n) DETACH DELETE n; //'");
        check("\\u0027", r"'\\' + 'u0027'");
        check("\\\\u0027", r"'\\\\' + 'u0027'");
        check("`\"`", "'`\"`'");
    }

    #[test]
    fn a_text_stays_on_one_line() {
        check("a\r\n\tb\u{0}\u{85}\u{2028}", r"'a\r\n\tb\u0000\u0085\u2028'");
        check("线😀é", "'线😀é'");
    }

    #[test]
    fn lists_and_numbers_are_written_as_themselves() {
        let list = ["a".to_owned(), "'".to_owned()];
        let entries = [("l", Value::List(&list)), ("n", Value::Number(3)), ("f", Value::Fraction(1.0))];
        assert_eq!(map(entries.into_iter()), r"{l: ['a', '\''], n: 3, f: 1.0}");
    }
}

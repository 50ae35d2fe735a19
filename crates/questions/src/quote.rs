//! The one door through which texts from a question or an index enter a query.

/// The text as a string literal of the query language.
pub(crate) fn text(value: &str) -> String {
    let mut literal = String::with_capacity(value.len() + 2);
    literal.push('\'');
    for character in value.chars() {
        match character {
            '\\' => literal.push_str("\\\\"),
            '\'' => literal.push_str("\\'"),
            '\n' => literal.push_str("\\n"),
            '\r' => literal.push_str("\\r"),
            '\t' => literal.push_str("\\t"),
            other => literal.push(other),
        }
    }
    literal.push('\'');
    literal
}

/// A list of such literals.
pub(crate) fn list<'a>(values: impl IntoIterator<Item = &'a str>) -> String {
    let literals: Vec<String> = values.into_iter().map(text).collect();
    format!("[{}]", literals.join(", "))
}

/// The text as a part of a regular expression that matches nothing but itself.
pub(crate) fn pattern(value: &str) -> String {
    let mut escaped = String::with_capacity(value.len());
    for character in value.chars() {
        if "\\.+*?()|[]{}^$#&-~".contains(character) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_backslashes_cannot_end_a_literal() {
        assert_eq!(text("it's"), r"'it\'s'");
        assert_eq!(text(r"\'}) DETACH DELETE n //"), r"'\\\'}) DETACH DELETE n //'");
        assert_eq!(list(["a", "b'"]), r"['a', 'b\'']");
    }

    #[test]
    fn a_pattern_matches_only_itself() {
        assert_eq!(pattern("a.b*"), r"a\.b\*");
    }
}

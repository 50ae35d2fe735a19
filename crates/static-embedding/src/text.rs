//! Code as words: identifiers are taken apart before a tokenizer of prose sees them.

/// Words in lower case, those of `camelCase` and `snake_case` each by itself.
pub(crate) fn as_words(text: &str) -> String {
    let mut words = String::with_capacity(text.len() + text.len() / 8);
    let mut before = ' ';
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        if !character.is_alphanumeric() {
            words.push(' ');
        } else {
            let is_next_small = characters.peek().is_some_and(|next| next.is_lowercase());
            let is_new = character.is_uppercase() && (before.is_lowercase() || before.is_uppercase() && is_next_small);
            if is_new {
                words.push(' ');
            }
            words.extend(character.to_lowercase());
        }
        before = character;
    }
    words.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_taken_apart() {
        assert_eq!(as_words("def addItem(HTTPServer, a_b):"), "def add item http server a b");
        assert_eq!(as_words("索引 Größe x2"), "索引 größe x2");
        assert_eq!(as_words("  ++ "), "");
    }
}

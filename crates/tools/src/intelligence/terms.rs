//! Which words of a task look like names that another server can look up.

/// The longest name that is looked up.
const LONGEST: usize = 100;
const SHORTEST: usize = 3;

/// Up to so many names, those that look most like code first.
pub(super) fn names(query: &str, most: usize) -> Vec<String> {
    let is_part = |character: char| character.is_alphanumeric() || matches!(character, '_' | '$');
    let mut names: Vec<(bool, &str)> = Vec::new();
    for word in query.split(|character| !is_part(character)) {
        let length = word.chars().count();
        let is_name = (SHORTEST..=LONGEST).contains(&length)
            && word.is_ascii()
            && !word.starts_with(|c: char| c.is_ascii_digit());
        if is_name && !names.iter().any(|(_, known)| *known == word) {
            names.push((!looks_like_code(word), word));
        }
    }
    let has_code = names.iter().any(|(is_plain, _)| !is_plain);
    names.retain(|(is_plain, word)| !is_plain || !has_code && word.len() > SHORTEST + 1);
    names.sort_by_key(|(is_plain, word)| (*is_plain, std::cmp::Reverse(word.len())));
    names.into_iter().take(most).map(|(_, word)| word.to_owned()).collect()
}

/// `snake_case`, `camelCase`, `HTTPServer2`: what people do not write in prose.
fn looks_like_code(word: &str) -> bool {
    let mut inner = word.chars().skip(1);
    let has_inner = inner.any(|character| character == '_' || character == '$' || character.is_uppercase());
    has_inner && !word.chars().all(char::is_uppercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(query: &str, expected: &[&str]) {
        assert_eq!(names(query, 2), expected, "{query}");
    }

    #[test]
    fn names_in_code_come_before_words() {
        check("TypeError in parseConfig when load_all is called", &["parseConfig", "TypeError"]);
        check("how are sessions saved", &["sessions", "saved"]);
        check("会话在哪里保存 saveSession", &["saveSession"]);
        check("?", &[]);
        check("", &[]);
    }
}

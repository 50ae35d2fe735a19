//! Which forms of an English word are one word? `validates`, `validated`, `validation` and `validate` are.

const VOWELS: &[u8] = b"aeiouy";

/// The part of a lower-case word that its forms share. Words with anything but ASCII letters are left alone, and so are short ones.
pub fn stem(word: &str) -> &str {
    if word.len() < 4 || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return word;
    }
    let singular = without_plural(word);
    let base = without_ending(singular);
    let base = if base.len() < singular.len() { without_double(base) } else { base };
    match base.as_bytes() {
        [rest @ .., b'e' | b'y' | b'i'] if rest.len() >= 3 => &base[..rest.len()],
        _ => base,
    }
}

fn without_plural(word: &str) -> &str {
    if let Some(rest) = word.strip_suffix("ies").filter(|rest| rest.len() >= 3) {
        return rest;
    }
    match word.as_bytes() {
        [.., b's' | b'u' | b'i', b's'] => word,
        [rest @ .., b's'] => &word[..rest.len()],
        _ => word,
    }
}

fn without_ending(word: &str) -> &str {
    const ENDINGS: &[(&str, usize)] = &[("ing", 3), ("ied", 3), ("ed", 3), ("ion", 5), ("er", 5), ("or", 5)];
    for (ending, shortest) in ENDINGS {
        let Some(rest) = word.strip_suffix(ending) else { continue };
        let has_vowel = rest.bytes().any(|byte| VOWELS.contains(&byte));
        return if rest.len() >= *shortest && has_vowel && !rest.ends_with('e') { rest } else { word };
    }
    word
}

/// `formatt` was `format`, but `call` and `miss` are words.
fn without_double(word: &str) -> &str {
    match word.as_bytes() {
        [rest @ .., before, last] if before == last && !b"lsz".contains(last) && rest.len() >= 2 => {
            &word[..word.len() - 1]
        }
        _ => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_one_word_have_one_stem() {
        let groups: &[&[&str]] = &[
            &["validate", "validates", "validated", "validating", "validation"],
            &["query", "queries", "queried"],
            &["format", "formats", "formatting", "formatter", "formatted"],
            &["class", "classe"],
            &["call", "calls", "called", "calling"],
            &["setting", "settings", "setted"],
            &["index", "indexed", "indexing", "indexer"],
        ];
        for group in groups {
            let stems: Vec<_> = group.iter().map(|word| stem(word)).collect();
            assert!(stems.windows(2).all(|pair| pair[0] == pair[1]), "{group:?} give {stems:?}");
        }
    }

    #[test]
    fn other_words_stay_as_they_are() {
        for word in ["string", "this", "status", "speed", "is", "café", "utf8", "user_names", "索引"] {
            assert_eq!(stem(word), word);
        }
    }
}

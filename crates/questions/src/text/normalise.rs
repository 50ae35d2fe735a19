//! One form for characters that are written in several ways: width, quotation marks, punctuation.

use unicode_normalization::UnicodeNormalization as _;

/// The question in NFKC, with ASCII punctuation where Chinese or typographic marks stand, and without control characters.
pub(crate) fn normalise(question: &str) -> String {
    question.nfkc().map(plain).collect()
}

fn plain(character: char) -> char {
    match character {
        '“' | '”' | '„' | '«' | '»' | '「' | '」' | '『' | '』' | '《' | '》' | '〈' | '〉' => '"',
        '‘' | '’' | '‚' | '´' => '\'',
        '。' | '｡' => '.',
        '、' => ',',
        '—' | '–' | '−' => '-',
        other if other.is_control() || other.is_whitespace() => ' ',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn width_and_quotation_marks_are_made_uniform() {
        assert_eq!(normalise("哪些函数调用了“ｇｅｔ”？"), "哪些函数调用了\"get\"?");
        assert_eq!(normalise("a\tb\u{3000}c。"), "a b c.");
    }
}

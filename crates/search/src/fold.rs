//! When are two texts the same, apart from case, width and blanks?

use unicode_normalization::UnicodeNormalization as _;

/// The form in which texts are compared: compatibility-normalised, without case, blanks collapsed and trimmed.
pub fn fold(text: &str) -> String {
    // Nearly all text is plain, and needs none of what follows.
    if text.is_ascii() {
        let lower = text.to_ascii_lowercase();
        return lower.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    let folded: String = text.nfkc().flat_map(char::to_uppercase).flat_map(char::to_lowercase).nfkc().collect();
    folded.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_differ_in_case_width_or_blanks_are_equal() {
        let pairs = [
            ("MongoDB", "mongodb"),
            ("  Two\t words\n", "two words"),
            ("Ｆｕｌｌ　Ｗｉｄｔｈ", "full width"),
            ("Straße", "STRASSE"),
            ("ΟΔΟΣ", "οδος"),
            ("cafe\u{301}", "CAFÉ"),
            ("ｶﾞ", "ガ"),
        ];
        for (left, right) in pairs {
            assert_eq!(fold(left), fold(right), "{left} and {right}");
        }
    }

    #[test]
    fn different_texts_stay_different() {
        for (left, right) in [("索引", "索"), ("a b", "ab"), ("c++", "c"), ("🚀", "🛰")] {
            assert_ne!(fold(left), fold(right), "{left} and {right}");
        }
    }
}

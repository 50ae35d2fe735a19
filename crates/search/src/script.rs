//! Which characters belong to words, and which to scripts that write words without blanks between them?

use unicode_normalization::char::is_combining_mark;

/// How the tokeniser treats a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// Part of a word in a script that separates words.
    Word,
    /// Part of a run of Chinese, Japanese or Korean text.
    Cjk,
    /// Continues whatever it follows: combining marks.
    Mark,
    /// Joins the parts of an identifier.
    Underscore,
    /// Between words.
    Separator,
}

pub(crate) fn class(character: char) -> Class {
    if character == '_' {
        Class::Underscore
    } else if character.is_ascii() {
        if character.is_ascii_alphanumeric() { Class::Word } else { Class::Separator }
    } else if is_cjk(character) {
        Class::Cjk
    } else if is_combining_mark(character) {
        Class::Mark
    } else if character.is_alphanumeric() {
        Class::Word
    } else {
        Class::Separator
    }
}

/// Han, Hiragana, Katakana and Hangul, as they are after NFKC.
fn is_cjk(character: char) -> bool {
    matches!(character,
        '\u{1100}'..='\u{11FF}'     // Hangul Jamo
        | '\u{3005}'..='\u{3007}'   // iteration mark, closing mark, zero
        | '\u{3021}'..='\u{3029}'   // Hangzhou numerals
        | '\u{3031}'..='\u{3035}'   // kana repeat marks
        | '\u{3038}'..='\u{303C}'
        | '\u{3041}'..='\u{3096}'   // Hiragana
        | '\u{309D}'..='\u{309F}'
        | '\u{30A1}'..='\u{30FA}'   // Katakana
        | '\u{30FC}'..='\u{30FF}'
        | '\u{3105}'..='\u{312F}'   // Bopomofo
        | '\u{3131}'..='\u{318E}'   // Hangul compatibility Jamo
        | '\u{31F0}'..='\u{31FF}'   // Katakana phonetic extensions
        | '\u{3400}'..='\u{4DBF}'   // Han extension A
        | '\u{4E00}'..='\u{9FFF}'   // Han
        | '\u{A960}'..='\u{A97C}'   // Hangul Jamo extended A
        | '\u{AC00}'..='\u{D7A3}'   // Hangul syllables
        | '\u{D7B0}'..='\u{D7FB}'   // Hangul Jamo extended B
        | '\u{F900}'..='\u{FAFF}'   // Han compatibility
        | '\u{1AFF0}'..='\u{1B16F}' // kana extensions and supplement
        | '\u{20000}'..='\u{323AF}' // Han extensions B to H
    )
}

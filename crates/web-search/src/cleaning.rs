//! Texts from outside as one line that shows all that is in it: no markup, no characters that are not seen, not too long.

use crate::markup::without_markup;

/// A text of a page.
pub(crate) fn page_text(text: &str, most: usize) -> String {
    // Nobody's title or snippet needs more before it is cut.
    let most_read = most * 20;
    one_line(&without_markup(&text[..text.floor_char_boundary(most_read)]), most)
}

/// What a server says, which may be about markup.
pub(crate) fn one_line(text: &str, most: usize) -> String {
    let visible = visible(text);
    let line = visible.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(most) {
        Some(_) => shortened(&line, most),
        None => line,
    }
}

/// Cut between words where there is a blank not far before the end.
fn shortened(line: &str, most: usize) -> String {
    let end = line.char_indices().nth(most - 1).map_or(line.len(), |(end, _)| end);
    let head = &line[..end];
    let word_end = head.rfind(' ').filter(|word_end| *word_end > end * 3 / 4).unwrap_or(end);
    format!("{}…", head[..word_end].trim_end())
}

fn visible(text: &str) -> String {
    let mut visible = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        if character.is_control() || matches!(character, '\u{2028}' | '\u{2029}') {
            visible.push(' ');
        } else if is_joiner(character) {
            // These shape emoji and the letters of some scripts; elsewhere they only hide something.
            let joins = |neighbour: char| !neighbour.is_ascii() && !is_joiner(neighbour) && !is_invisible(neighbour);
            let is_used = visible.chars().next_back().is_some_and(joins)
                && (character == '\u{fe0f}' || characters.peek().copied().is_some_and(joins));
            if is_used {
                visible.push(character);
            }
        } else if !is_invisible(character) {
            visible.push(character);
        }
    }
    visible
}

fn is_joiner(character: char) -> bool {
    matches!(character, '\u{200c}' | '\u{200d}' | '\u{fe0f}')
}

fn is_invisible(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{fffe}'..='\u{ffff}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e000}'..='\u{f8ff}' | '\u{e0000}'..='\u{10ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_seen_is_not_there() {
        let check = |text: &str, expected: &str| assert_eq!(page_text(text, 100), expected, "{text:?}");
        check("a\u{200b}b\u{feff}c\u{ad}d", "abcd");
        check("abc\u{202e}fed\u{202c} \u{2066}x\u{2069}", "abcfed x");
        check("x\u{e0049}\u{e0067}\u{e006e}y\u{f8ff}", "xy");
        check("a\u{0}b\u{1b}[31mc\r\n\td\u{2028}e", "a b [31mc d e");
        check("i\u{200d}g\u{200c}n\u{fe0f}ore", "ignore");
        check("&#8203;&#x202e;ok&zwnj;", "ok");
        check("\u{1f468}\u{200d}\u{1f469} \u{2764}\u{fe0f}", "\u{1f468}\u{200d}\u{1f469} \u{2764}\u{fe0f}");
        check("\u{645}\u{6cc}\u{200c}\u{62e}", "\u{645}\u{6cc}\u{200c}\u{62e}");
        check("  中文 \u{3000} text ", "中文 text");
    }

    #[test]
    fn a_long_text_is_cut_between_words() {
        assert_eq!(page_text(&"word ".repeat(50), 23), "word word word word…");
        assert_eq!(page_text(&"字".repeat(50), 10), format!("{}…", "字".repeat(9)));
        assert_eq!(page_text("exactly ten", 11), "exactly ten");
        assert!(page_text(&"x".repeat(1_000_000), 100).chars().count() == 100);
    }
}

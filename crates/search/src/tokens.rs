//! What is stored in an index for a text?

use crate::plain;
use crate::segment::{Segment, segments};

/// The tokens of a text, in order: lower-cased words, identifiers whole and in parts, CJK runs as overlapping pairs.
///
/// Every character of a CJK run starts exactly one token, so a search for one character is a search for a prefix.
pub fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    for segment in segments(text) {
        match segment {
            Segment::Word { whole, parts } => {
                tokens.push(whole);
                tokens.extend(parts);
            }
            Segment::Cjk(run) => tokens.extend((0..run.len()).map(|start| pair(&run, start))),
        }
    }
    tokens
}

/// The tokens as one text in which a blank is the only separator.
pub fn index_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 2);
    add_index_text(text, &mut out);
    if !out.is_empty() {
        out.remove(0);
    }
    out
}

/// Appends the tokens, with a blank before each.
pub(crate) fn add_index_text(text: &str, out: &mut String) {
    // No word and no composed character goes beyond the end of its line.
    for line in text.split('\n') {
        if line.is_ascii() {
            plain::add_tokens(line, out);
        } else {
            for token in tokens(line) {
                out.push(' ');
                out.push_str(&token);
            }
        }
    }
}

/// The character at `start` with the one after it, if there is one.
pub(crate) fn pair(run: &[String], start: usize) -> String {
    run[start..run.len().min(start + 2)].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(index_text(text), expected, "tokens of {text:?}");
    }

    #[test]
    fn words_are_lower_cased_and_cut_at_punctuation() {
        check("", "");
        check("  ...!? -- ", "");
        check("Hello, World", "hello world");
        check("don't e-mail", "don t e mail");
        check("Ｆｕｌｌ－ｗｉｄｔｈ １２", "full width 12");
        check("ÉCOLE cafe\u{301}", "école café");
        check("ﬁle", "file");
    }

    #[test]
    fn identifiers_are_kept_whole_and_in_parts() {
        check("user_name", "user_name user name");
        check("userName", "username user name");
        check("HTTPServer2", "httpserver2 http server 2");
        check("MAX_SIZE", "max_size max size");
        check("utf8", "utf8 utf 8");
        check("v2_final", "v2_final v 2 final");
        check("__init__", "init");
        check("___", "");
        check("std::vec::Vec", "std vec vec");
        check("2024", "2024");
        check("ÄpfelBaum", "äpfelbaum äpfel baum");
    }

    #[test]
    fn cjk_runs_become_overlapping_pairs() {
        check("索", "索");
        check("索引", "索引 引");
        check("索引优化", "索引 引优 优化 化");
        check("索引，优化", "索引 引 优化 化");
        check("データ", "デー ータ タ");
        check("ﾃﾞｰﾀ", "デー ータ タ");
        check("한국어", "한국 국어 어");
        check("𠮷野家", "𠮷野 野家 家");
    }

    #[test]
    fn scripts_are_told_apart() {
        check("MongoDB索引", "mongodb mongo db 索引 引");
        check("用Rust写", "用 rust 写");
        check("第3章", "第 3 章");
        check("索引_name", "索引 引 name");
    }

    #[test]
    fn what_is_no_word_leaves_no_token() {
        check("🚀", "");
        check("ship 🚀 it 👩‍👩‍👧", "ship it");
        check("\u{301}\u{0}\u{200b}", "");
        check("a\u{0}b", "a b");
    }

    #[test]
    fn marks_stay_with_their_letters() {
        check("हिन्दी", "हिन्दी");
        check("\u{5e9}\u{5c1}", "\u{5e9}\u{5c1}");
    }

    #[test]
    fn each_character_of_a_run_starts_one_token() {
        let run: String = ('\u{4e00}'..='\u{9fff}').collect();
        let starts: String = tokens(&run).iter().filter_map(|token| token.chars().next()).collect();
        assert_eq!(starts, run);
    }

    #[test]
    fn plain_text_has_the_same_tokens_on_the_short_way() {
        let pieces =
            ["_", "a", "B", "7", "xY", "HTTPServer2", "__", " ", ".", "\n", "\r", "\u{0}", "é", "索", "e\u{301}"];
        let mut state: u32 = 7;
        for _ in 0..5_000 {
            let mut text = String::new();
            for _ in 0..8 {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                text.push_str(pieces[(state >> 16) as usize % pieces.len()]);
            }
            check(&text, &tokens(&text).join(" "));
        }
    }

    #[test]
    fn very_long_input_is_cut_in_linear_space() {
        let text = "aB1_".repeat(100_000);
        let length: usize = tokens(&text).iter().map(String::len).sum();
        assert!(length <= 2 * text.len(), "{length} bytes of tokens for {} bytes", text.len());
    }
}

//! Which words describe a text?
//!
//! Given keywords are brought into one form; where none are given, they are made from the text: phrases between stop words,
//! scored by how much company their words keep, identifiers whole, Chinese between its own stop words.

use rustc_hash::FxHashMap;
use unicode_normalization::UnicodeNormalization as _;

/// The most characters of a keyword.
pub const LONGEST: usize = 100;

/// So many are made from a text.
const MADE: usize = 10;

/// A longer run of words is a sentence, not a keyword.
const WORDS: usize = 3;

/// Longer texts are described by their beginning.
const READ: usize = 64 * 1024;

/// Why a keyword cannot be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Problem {
    /// Nothing but blanks.
    Empty,
    /// More than [`LONGEST`] characters.
    TooLong,
}

/// Keywords as they are kept: trimmed, lower-cased, each once, in the order given; or which of them cannot be kept.
pub fn normalise<T: AsRef<str>>(given: &[T]) -> Result<Vec<String>, (usize, Problem)> {
    let mut kept: Vec<String> = Vec::new();
    for (index, keyword) in given.iter().enumerate() {
        let keyword = keyword.as_ref().trim().to_lowercase();
        if keyword.is_empty() {
            return Err((index, Problem::Empty));
        }
        if keyword.chars().count() > LONGEST {
            return Err((index, Problem::TooLong));
        }
        if !kept.contains(&keyword) {
            kept.push(keyword);
        }
    }
    Ok(kept)
}

/// Keywords made from a text, the most telling first, in the form of [`normalise`]. What comes first in a text counts more.
pub fn generate(text: &str) -> Vec<String> {
    let text: String = beginning(text).nfkc().collect();
    let phrases = phrases(&text);
    let scores = word_scores(&phrases);
    let mut found: Vec<(String, f64)> = Vec::new();
    let mut places: FxHashMap<String, usize> = FxHashMap::default();
    for (position, phrase) in phrases.iter().enumerate() {
        let early = 1.0 + 1.0 / (1.0 + position as f64);
        for (keyword, score) in keywords_of(phrase, &scores) {
            match places.get(&keyword) {
                Some(&place) => found[place].1 += score / 2.0,
                None => {
                    places.insert(keyword.clone(), found.len());
                    found.push((keyword, score * early));
                }
            }
        }
    }
    // The sort is stable: equals stay in the order of the text.
    found.sort_by(|one, other| other.1.total_cmp(&one.1));
    found.into_iter().map(|(keyword, _)| keyword).take(MADE).collect()
}

/// Words that stand together without a stop word between them.
type Phrase = Vec<Word>;

#[derive(Debug, Clone, PartialEq, Eq)]
struct Word {
    text: String,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Plain,
    /// A name out of a program.
    Identifier,
    Cjk,
}

fn beginning(text: &str) -> &str {
    let mut end = text.len().min(READ);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

fn phrases(text: &str) -> Vec<Phrase> {
    let mut phrases = Vec::new();
    let mut phrase = Phrase::new();
    let mut token = String::new();
    for character in text.chars().chain(['\n']) {
        if is_cjk(character) != token.chars().next().is_some_and(is_cjk) {
            end_token(&mut token, &mut phrase, &mut phrases);
        }
        if character.is_alphanumeric() || (character.is_ascii() && is_joint(character)) {
            token.push(character);
            continue;
        }
        end_token(&mut token, &mut phrase, &mut phrases);
        if character != ' ' {
            end_phrase(&mut phrase, &mut phrases);
        }
    }
    phrases
}

/// What may stand inside an identifier, a file name or an option.
fn is_joint(character: char) -> bool {
    matches!(character, '_' | '-' | '.' | ':' | '/' | '#' | '+' | '@' | '$')
}

fn is_cjk(character: char) -> bool {
    matches!(character, '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' | '\u{20000}'..='\u{323AF}')
}

fn end_token(token: &mut String, phrase: &mut Phrase, phrases: &mut Vec<Phrase>) {
    let ended = std::mem::take(token);
    if ended.chars().next().is_some_and(is_cjk) {
        end_phrase(phrase, phrases);
        phrases.extend(chinese_words(&ended).into_iter().map(|text| vec![Word { text, kind: Kind::Cjk }]));
        return;
    }
    let ends_sentence = ended.ends_with(['.', ':']);
    let text = ended.trim_matches(|character: char| is_joint(character) && !matches!(character, '+' | '#'));
    let text = text.trim_start_matches(['+', '#']);
    let lower = text.to_lowercase();
    if text.is_empty() {
        return;
    }
    if STOP_WORDS.binary_search(&lower.as_str()).is_ok() || text.chars().all(|character| !character.is_alphabetic()) {
        end_phrase(phrase, phrases);
        return;
    }
    if lower.chars().count() <= LONGEST && lower.chars().count() > 1 {
        let kind = if is_identifier(text) { Kind::Identifier } else { Kind::Plain };
        phrase.push(Word { text: lower, kind });
    }
    if ends_sentence {
        end_phrase(phrase, phrases);
    }
}

fn end_phrase(phrase: &mut Phrase, phrases: &mut Vec<Phrase>) {
    if !phrase.is_empty() {
        phrases.push(std::mem::take(phrase));
    }
}

/// `useState`, `snake_case`, `std::vec`, `main.rs`, `E0382`: no ordinary word is written like that.
fn is_identifier(text: &str) -> bool {
    let inside = text.char_indices().skip(1);
    let joined = text.contains(['_', ':', '/', '.', '@', '#', '$']) || text.contains("++");
    let digits = text.chars().any(char::is_numeric);
    joined
        || digits
        || inside.clone().any(|(place, character)| {
            character.is_uppercase() && text[..place].chars().next_back().is_some_and(char::is_lowercase)
        })
}

/// The stretches of a Chinese text between words that say nothing themselves.
fn chinese_words(run: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = run;
    let mut word = String::new();
    while let Some(character) = rest.chars().next() {
        match CHINESE_STOP_WORDS.iter().find(|stop| rest.starts_with(**stop)) {
            Some(stop) => {
                words.push(std::mem::take(&mut word));
                rest = &rest[stop.len()..];
            }
            None => {
                word.push(character);
                rest = &rest[character.len_utf8()..];
            }
        }
    }
    words.push(word);
    words.retain(|word| (2..=8).contains(&word.chars().count()));
    words
}

/// How many words a word stands with, for each time it occurs.
fn word_scores(phrases: &[Phrase]) -> FxHashMap<&str, f64> {
    let mut counts: FxHashMap<&str, (f64, f64)> = FxHashMap::default();
    for phrase in phrases {
        for word in phrase {
            let (times, company) = counts.entry(word.text.as_str()).or_default();
            *times += 1.0;
            *company += phrase.len().min(WORDS) as f64;
        }
    }
    let score = |(times, company): (f64, f64)| company / times + times.ln();
    counts.into_iter().map(|(word, count)| (word, score(count))).collect()
}

/// A short phrase is a keyword; of a long one its words are. Identifiers are keywords wherever they stand.
fn keywords_of(phrase: &Phrase, scores: &FxHashMap<&str, f64>) -> Vec<(String, f64)> {
    let score = |word: &Word| {
        let bonus = match word.kind {
            Kind::Plain => 0.0,
            Kind::Identifier => 2.0,
            Kind::Cjk => 0.2 * word.text.chars().count() as f64,
        };
        scores.get(word.text.as_str()).copied().unwrap_or_default() + bonus
    };
    let alone = |word: &&Word| phrase.len() > WORDS || phrase.len() == 1 || word.kind == Kind::Identifier;
    let mut keywords: Vec<(String, f64)> =
        phrase.iter().filter(alone).map(|word| (word.text.clone(), score(word))).collect();
    let plain = phrase.iter().all(|word| word.kind == Kind::Plain);
    if (2..=WORDS).contains(&phrase.len()) && plain {
        let text: Vec<&str> = phrase.iter().map(|word| word.text.as_str()).collect();
        let whole = text.join(" ");
        if whole.chars().count() <= LONGEST {
            keywords.push((whole, phrase.iter().map(score).sum::<f64>() / 2.0 + 1.0));
        }
    } else if phrase.len() <= WORDS {
        keywords.extend(
            phrase
                .iter()
                .filter(|word| phrase.len() > 1 && word.kind == Kind::Plain)
                .map(|word| (word.text.clone(), score(word))),
        );
    }
    keywords
}

/// In alphabetical order.
#[rustfmt::skip]
const STOP_WORDS: &[&str] = &[
    "a", "about", "above", "after", "again", "against", "all", "also", "always", "am", "an", "and", "another", "any",
    "are", "as", "at", "be", "because", "been", "before", "being", "below", "between", "both", "but", "by", "can",
    "cannot", "cause", "caused", "causes", "could", "did", "do", "does", "doing", "don", "done", "down", "during",
    "each", "either", "else", "even", "ever", "every", "few", "fix", "fixed", "fixes", "for", "from", "further", "get",
    "gets", "getting", "give", "given", "goes", "going", "got", "had", "has", "have", "having", "he", "her", "here",
    "hers", "him", "his", "how", "however", "i", "if", "in", "instead", "into", "is", "issue", "issues", "it", "its",
    "itself", "just", "keep", "kept", "like", "made", "make", "makes", "making", "many", "may", "me", "might", "more",
    "most", "much", "must", "my", "need", "needs", "never", "no", "nor", "not", "now", "of", "off", "often", "on",
    "once", "one", "only", "or", "other", "our", "out", "over", "own", "per", "problem", "problems", "put", "rather",
    "really", "same", "see", "seen", "she", "should", "since", "so", "solution", "some", "still", "such", "sure",
    "than", "that", "the", "their", "them", "then", "there", "these", "they", "this", "those", "though", "through",
    "thus", "to", "too", "toward", "try", "trying", "under", "until", "up", "upon", "us", "use", "used", "uses",
    "using", "very", "via", "want", "was", "way", "we", "well", "were", "what", "when", "where", "whether", "which",
    "while", "who", "whom", "whose", "why", "will", "with", "within", "without", "would", "yet", "you", "your", "yours",
];

/// Longer ones before those they begin with.
#[rustfmt::skip]
const CHINESE_STOP_WORDS: &[&str] = &[
    "为什么", "是不是", "有没有", "的时候", "怎么样", "如果", "因为", "所以", "但是", "而且", "或者", "以及", "并且", "可以", "需要", "应该",
    "已经", "没有", "不是", "不能", "不会", "无法", "这个", "那个", "这种", "一个", "一些", "我们", "你们", "他们", "什么", "怎么", "如何",
    "通过", "使用", "进行", "之后", "之前", "时候", "然后", "就是", "还是", "由于", "导致", "出现", "发现", "问题", "情况", "连续", "同一个",
    "的", "了", "在", "是", "和", "与", "或", "及", "被", "把", "都", "也", "还", "又", "很", "这", "那", "其", "它", "我", "你", "他", "她", "们", "就",
    "吗", "呢", "吧", "啊", "着", "让", "但",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn given_keywords_are_trimmed_lower_cased_and_kept_once() {
        assert_eq!(
            normalise(&[" React ", "react", "HOOKS", "状态"]),
            Ok(vec!["react".into(), "hooks".into(), "状态".into()])
        );
        assert_eq!(normalise::<&str>(&[]), Ok(vec![]));
        assert_eq!(normalise(&["a", " \t\u{3000}"]), Err((1, Problem::Empty)));
        assert_eq!(normalise(&["界".repeat(100)]), Ok(vec!["界".repeat(100)]));
        assert_eq!(normalise(&["界".repeat(101)]), Err((0, Problem::TooLong)));
    }

    #[test]
    fn keywords_are_made_from_a_text() {
        let made = generate(
            "React useState not updating state\nState variable not updating after setState call in React 18. Use the functional \
             update form: setState(prev => prev + 1)",
        );
        for expected in ["usestate", "setstate", "react", "state variable"] {
            assert!(made.iter().any(|keyword| keyword == expected), "{expected}: {made:?}");
        }
        assert!(made.len() <= MADE, "{made:?}");
    }

    #[test]
    fn identifiers_stay_whole() {
        let made = generate(
            "The borrow checker reports E0382 in src/main.rs when std::mem::take is replaced by user_name.clone()",
        );
        for expected in ["e0382", "src/main.rs", "std::mem::take", "user_name.clone"] {
            assert!(made.iter().any(|keyword| keyword == expected), "{expected}: {made:?}");
        }
    }

    #[test]
    fn chinese_texts_have_keywords_too() {
        let made = generate("数据库连接池耗尽导致请求超时。使用HikariCP时，连接池的最大连接数需要调整。");
        for expected in ["数据库连接池耗尽", "请求超时", "hikaricp", "最大连接数"] {
            assert!(made.iter().any(|keyword| keyword == expected), "{expected}: {made:?}");
        }
    }

    #[test]
    fn what_is_made_can_be_given() {
        for text in [
            "",
            "...",
            "the of and",
            "a\u{0}b \u{202e}x",
            &"x".repeat(100_000),
            &"状态".repeat(50_000),
            &"word ".repeat(50_000),
        ] {
            let made = generate(text);
            assert_eq!(normalise(&made).as_ref(), Ok(&made));
            assert_eq!(generate(text), made);
        }
    }

    #[test]
    fn stop_words_are_in_order() {
        assert!(STOP_WORDS.is_sorted());
    }
}

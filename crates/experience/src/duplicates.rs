//! Does another record say the same?
//!
//! A store keeps the [`band_keys`] of each record in an index. Records that share one of them are candidates: nearly all that say
//! the same, and hardly any other, whatever the number of records. [`similarity`] then compares texts exactly. Texts whose
//! numbers differ (versions, ports, limits) are different whatever their words are, so that the numbers are part of every key.

use rustc_hash::FxHashSet;

/// How many keys a record has.
pub const BANDS: usize = 8;

/// So many minima make a key: two texts of similarity `s` share a given key with probability `s` to this power.
const ROWS: usize = 4;

/// Texts at least so similar say the same.
pub const SAME: f64 = 0.8;

/// The keys under which a record is found by others that say nearly the same.
pub fn band_keys(text: &str) -> [i64; BANDS] {
    let numbers = hash_of(numbers(text).iter().map(String::as_str));
    let shingles = shingles(text);
    let minima: Vec<u64> = (0..(BANDS * ROWS) as u64).map(|row| minimum(&shingles, row)).collect();
    std::array::from_fn(|band| {
        let rows = &minima[band * ROWS..(band + 1) * ROWS];
        rows.iter().fold(mixed(numbers ^ band as u64), |key, row| mixed(key ^ row)).cast_signed()
    })
}

/// How much of two texts is the same, from 0 to 1: 0 whenever their numbers differ.
pub fn similarity(one: &str, other: &str) -> f64 {
    if numbers(one) != numbers(other) {
        return 0.0;
    }
    let (one, other) = (shingles(one), shingles(other));
    let shared = one.intersection(&other).count();
    let all = one.len() + other.len() - shared;
    if all == 0 { 0.0 } else { shared as f64 / all as f64 }
}

/// The candidate that says the same as the text, if one does: the most similar, and of equals the first.
pub fn twin<'a, Id>(text: &str, candidates: impl IntoIterator<Item = (Id, &'a str)>) -> Option<Id> {
    let mut best = None;
    let mut best_similarity = SAME;
    for (id, candidate) in candidates {
        let similarity = similarity(text, candidate);
        if similarity > best_similarity || (best.is_none() && similarity >= SAME) {
            best_similarity = similarity;
            best = Some(id);
        }
    }
    best
}

/// Hashes of all neighbouring tokens; CJK text has pairs of characters for tokens.
fn shingles(text: &str) -> FxHashSet<u64> {
    let tokens = search::index_text(text);
    let tokens: Vec<&str> = tokens.split(' ').filter(|token| !token.is_empty()).collect();
    match tokens.as_slice() {
        [] => FxHashSet::default(),
        [only] => [hash_of([*only])].into_iter().collect(),
        several => several.windows(2).map(|pair| hash_of(pair.iter().copied())).collect(),
    }
}

fn minimum(shingles: &FxHashSet<u64>, row: u64) -> u64 {
    let seed = mixed(row.wrapping_add(1));
    shingles.iter().map(|shingle| mixed(shingle ^ seed)).min().unwrap_or(u64::MAX)
}

/// The numbers and versions of a text in their order, each with the dots and the sign that belong to it.
fn numbers(text: &str) -> Vec<String> {
    let mut numbers = Vec::new();
    let mut number = String::new();
    let mut before = ' ';
    for character in text.chars() {
        let character = char::from_digit(character.to_digit(10).unwrap_or(99), 10).unwrap_or(character);
        if character.is_ascii_digit() {
            if number.is_empty() && before == '-' {
                number.push('-');
            }
            number.push(character);
        } else if !number.is_empty() && character == '.' {
            number.push('.');
        } else {
            end_number(&mut number, &mut numbers);
        }
        // A hyphen after a letter joins words.
        before = if character == '-' && (before.is_alphanumeric() || before == '-') { ' ' } else { character };
    }
    end_number(&mut number, &mut numbers);
    numbers
}

fn end_number(number: &mut String, numbers: &mut Vec<String>) {
    let ended = std::mem::take(number);
    let ended = ended.trim_end_matches('.');
    if !ended.is_empty() {
        numbers.push(ended.to_owned());
    }
}

/// Keys are stored, so that they must be the same on every machine and for ever: FNV-1a, with an end mark for each text.
fn hash_of<'a>(texts: impl IntoIterator<Item = &'a str>) -> u64 {
    let bytes = texts.into_iter().flat_map(|text| text.bytes().chain([0xFF]));
    mixed(bytes.fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)))
}

/// Spreads every bit over all others (the end of SplitMix64).
fn mixed(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: &str = "State variable is not updated after the setter was called twice in one event handler of a component, because \
        updates are batched and both read the same old value. Use the functional form of the setter, which gets the value that \
        the update before it left, so that no update is lost whatever their order is.";
    const CHINESE: &str = "在一个组件的事件处理函数中连续两次调用状态更新函数时，状态变量没有按预期更新，因为更新是批量处理的，两次都读取了同一个旧值。";

    fn share_a_key(one: &str, other: &str) -> bool {
        let (one, other) = (band_keys(one), band_keys(other));
        one.iter().any(|key| other.contains(key))
    }

    #[test]
    fn what_says_the_same_is_a_candidate_and_a_twin() {
        for (one, other) in [
            (LONG.to_owned(), LONG.to_uppercase()),
            (LONG.to_owned(), LONG.replace("lost whatever", "lost, whatever")),
            (LONG.to_owned(), LONG.replace("order is", "order was")),
            (CHINESE.to_owned(), CHINESE.replace("按预期", "如预期")),
            ("Timeout after 30 s".to_owned(), "timeout  after 30 s!".to_owned()),
        ] {
            assert!(share_a_key(&one, &other), "{other}");
            assert!(similarity(&one, &other) >= SAME, "{} for {other}", similarity(&one, &other));
        }
    }

    #[test]
    fn what_differs_is_no_twin() {
        for (one, other) in [
            ("The router is at 10.0.7.1".to_owned(), "The router is at 10.0.9.1".to_owned()),
            (format!("{LONG} Since React 18."), format!("{LONG} Since React 19.")),
            (format!("{LONG} -1"), format!("{LONG} 1")),
            (LONG.to_owned(), CHINESE.to_owned()),
            (format!("{CHINESE}版本１８"), format!("{CHINESE}版本19")),
            (String::new(), String::new()),
        ] {
            assert!(similarity(&one, &other) < SAME, "{one} / {other}");
        }
        assert!(!share_a_key("The router is at 10.0.7.1", "The router is at 10.0.9.1"));
        assert!(!share_a_key(LONG, CHINESE));
    }

    #[test]
    fn the_nearest_of_several_candidates_is_the_twin() {
        let nearly = LONG.replace("order is", "order was");
        assert_eq!(twin(LONG, [(1, CHINESE), (2, nearly.as_str()), (3, LONG), (4, LONG)]), Some(3));
        assert_eq!(twin(LONG, [(1, CHINESE)]), None);
        assert_eq!(twin(LONG, Vec::<(u8, &str)>::new()), None);
    }

    #[test]
    fn keys_are_the_same_at_every_run() {
        assert_eq!(band_keys("a"), band_keys("A"));
        assert_eq!(band_keys("retry with backoff")[0], -327_170_337_744_065_095);
    }
}

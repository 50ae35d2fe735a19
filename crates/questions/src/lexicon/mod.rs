//! What words mean: one table for each language, one row for each meaning.
//!
//! A meaning is an atom with dots between its parts, such as `verb.call.ed` or `kind.class`; `grammar/` speaks of atoms by
//! their beginnings. Phrases are separated by `|`, longer ones win, and adding one is adding it to a row.

mod chinese;
mod english;

use std::collections::HashMap;
use std::sync::LazyLock;

/// A meaning. Values that are not in a table have the atoms of [`values`].
pub(crate) type Atom = &'static str;

/// A row: an atom, and the phrases that mean it.
type Row = (Atom, &'static str);

pub(crate) mod values {
    //! Atoms of what is not in a table.
    use super::Atom;

    pub(crate) const QUOTED: Atom = "value.quoted";
    pub(crate) const CODE: Atom = "value.code";
    pub(crate) const WORD: Atom = "value.word";
    pub(crate) const NUMBER: Atom = "number";
    pub(crate) const POSSESSIVE: Atom = "possessive";
    pub(crate) const COMMA: Atom = "comma";
    pub(crate) const NOISE: Atom = "noise";
}

static ENGLISH: LazyLock<HashMap<&'static str, Atom>> = LazyLock::new(|| phrases(english::ROWS));
static CHINESE: LazyLock<HashMap<&'static str, Atom>> = LazyLock::new(|| phrases(chinese::ROWS));

/// The longest English phrase in words, and the longest Chinese one in characters.
static LONGEST: LazyLock<(usize, usize)> = LazyLock::new(|| {
    let words = ENGLISH.keys().map(|phrase| phrase.split(' ').count()).max();
    let characters = CHINESE.keys().map(|phrase| phrase.chars().count()).max();
    (words.unwrap_or(1), characters.unwrap_or(1))
});

/// What the longest phrase at the beginning of these lower-case words means, and how many words it has.
pub(crate) fn english(words: &[String]) -> Option<(Atom, usize)> {
    (1..=words.len().min(LONGEST.0)).rev().find_map(|count| {
        let phrase = words[..count].join(" ");
        ENGLISH.get(phrase.as_str()).map(|atom| (*atom, count))
    })
}

/// The same for Chinese characters.
pub(crate) fn chinese(characters: &[char]) -> Option<(Atom, usize)> {
    (1..=characters.len().min(LONGEST.1)).rev().find_map(|count| {
        let phrase: String = characters[..count].iter().collect();
        CHINESE.get(phrase.as_str()).map(|atom| (*atom, count))
    })
}

/// What a number word counts.
pub(crate) fn number(atom: Atom) -> Option<u32> {
    atom.strip_prefix("number.")?.parse().ok()
}

fn phrases(rows: &[Row]) -> HashMap<&'static str, Atom> {
    rows.iter().flat_map(|(atom, phrases)| phrases.split('|').map(|phrase| (phrase.trim(), *atom))).collect()
}

#[cfg(test)]
pub(crate) fn is_known(atom: &str) -> bool {
    let atoms = english::ROWS.iter().chain(chinese::ROWS).map(|(atom, _)| *atom);
    let own = [values::QUOTED, values::CODE, values::WORD, values::NUMBER, values::POSSESSIVE, values::COMMA];
    atoms.chain(own).any(|known| known.strip_prefix(atom).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_phrase_stands_in_two_rows() {
        for rows in [english::ROWS, chinese::ROWS] {
            let mut seen = HashMap::new();
            for (atom, phrases) in rows {
                for phrase in phrases.split('|') {
                    assert_eq!(phrase, phrase.trim().to_lowercase(), "{atom}");
                    assert_eq!(seen.insert(phrase, *atom), None, "{phrase} is in {atom} and elsewhere");
                }
            }
        }
    }

    #[test]
    fn longer_phrases_win() {
        let words: Vec<String> = ["how", "many", "methods"].map(str::to_owned).to_vec();
        assert_eq!(english(&words), Some(("count", 2)));
        let characters: Vec<char> = "文件夹".chars().collect();
        assert_eq!(chinese(&characters), Some(("kind.folder", 3)));
    }
}

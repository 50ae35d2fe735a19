//! How near is a name to a query?
//!
//! Each word of the query looks for the nearest word of the name: the same, one that begins with it, or one that it may be a
//! misspelling of. The score is how much of the query was found, less a little for what the name has beside it and for words
//! in another order.

use super::distance::{MOST_SLIPS, slips};
use super::text::{LONGEST_NAME, Text, Unit, Word};

/// A name that is farther away is not near.
const LOWEST: f64 = 0.3;

/// What is left of the score of a word that another only begins with.
const BEGINNING: f64 = 0.6;

/// The same for a word with slips, for a part of an identifier, for words that stand together in the one text and apart in the
/// other, for all that is not equal, and for another order.
const MISSPELT: f64 = 0.95;
const PART: f64 = 0.9;
const JOINED: f64 = 0.95;
const NOT_EQUAL: f64 = 0.98;
const ANOTHER_ORDER: f64 = 0.95;

/// How much of the score depends on how much of the name was asked for.
const COVERAGE: f64 = 0.3;

/// More than rounding adds to a score.
const ROUNDING: f64 = 0.0001;

/// A CJK character says as much as two letters.
const CJK_WEIGHT: f64 = 2.0;

/// Likeness of two words, and how much of the second one it explains.
#[derive(Debug, Clone, Copy, Default)]
struct Likeness {
    likeness: f64,
    covered: f64,
}

/// From 0 to 1, with four digits.
pub(super) fn score(query: &Text, name: &Text) -> f64 {
    if query.folded == name.folded {
        return 1.0;
    }
    let score = NOT_EQUAL * by_words(query, name).max(by_joined(query, name));
    let rounded = (score * 10_000.0).round() / 10_000.0;
    if rounded < LOWEST { 0.0 } else { rounded }
}

/// What of a query the words of a thing can explain.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Explained {
    /// How much of the query was found, at most.
    found: f64,
    /// How many letters of a name that can account for.
    letters: f64,
    /// Whether a name is equal to the query.
    equal: bool,
}

impl Explained {
    /// A name that is equal.
    pub(super) fn whole() -> Self {
        Self { equal: true, ..Self::default() }
    }

    /// What both explain together.
    pub fn and(self, other: Self) -> Self {
        let Self { found, letters, equal } = other;
        Self { found: self.found + found, letters: self.letters + letters, equal: self.equal || equal }
    }

    /// Whether there is nothing in it.
    pub fn is_nothing(self) -> bool {
        self.found == 0.0 && !self.equal
    }

    /// The more, the higher a score can be.
    pub fn order(self, other: Self) -> std::cmp::Ordering {
        self.equal.cmp(&other.equal).then_with(|| self.found.total_cmp(&other.found))
    }
}

/// What a word can explain that stands anywhere in a name, whole, as a part of an identifier or as all of its words.
pub(super) fn explained_by(query: &Text, word: &[char]) -> Explained {
    let mut explained = Explained::default();
    for unit in &query.units {
        let likeness = match unit {
            Unit::Word { whole, parts } => {
                let length: usize = parts.iter().map(Vec::len).sum();
                let in_parts =
                    parts.iter().map(|part| PART * words(part, word).likeness * share(part.len(), length)).sum();
                words(whole, word).likeness.max(in_parts)
            }
            Unit::Cjk { pairs, characters } => share_of_run(pairs, *characters, word),
        };
        if likeness > 0.0 {
            explained.found += weight(unit) * likeness;
            explained.letters += weight(unit);
        }
    }
    let joined = query.joined.as_ref().map_or(0.0, |joined| words(joined, word).likeness);
    if joined > 0.0 {
        let asked = asked(query);
        explained.found = explained.found.max(asked * joined);
        explained.letters = asked;
    }
    explained
}

/// Whether a word is too long to be anything but one that begins with a word of the query.
pub(super) fn can_only_begin(query: &Text, word: &[char]) -> bool {
    let of_unit = |unit: &Unit| match unit {
        Unit::Word { whole, .. } => whole.len(),
        Unit::Cjk { .. } => 0,
    };
    let longest = query.units.iter().map(of_unit).chain(query.joined.iter().map(Vec::len)).max();
    word.len() > longest.unwrap_or(0) + MOST_SLIPS
}

/// How much of a run of CJK characters one pair of them is.
fn share_of_run(pairs: &[String], characters: usize, word: &[char]) -> f64 {
    let word: String = word.iter().collect();
    if characters == 1 {
        return if pairs.iter().any(|character| word.starts_with(character.as_str())) { 1.0 } else { 0.0 };
    }
    share(pairs[..characters - 1].iter().filter(|pair| **pair == word).count(), characters - 1)
}

/// What the score of a name cannot exceed whose words explain this. Of a name that is not ASCII the length is not known.
pub(super) fn at_most(query: &Text, explained: Explained, name: Option<&str>) -> f64 {
    if explained.equal {
        return 1.0;
    }
    let name = name.filter(|name| name.is_ascii());
    let letters = name.map_or(0, |name| name.bytes().take(LONGEST_NAME).filter(u8::is_ascii_alphanumeric).count());
    let asked = asked(query);
    let covered = (explained.letters.min(asked) / share(letters, 1)).min(1.0);
    NOT_EQUAL * (explained.found / asked).min(1.0) * (1.0 - COVERAGE + COVERAGE * covered) + ROUNDING
}

fn asked(query: &Text) -> f64 {
    query.units.iter().map(weight).sum()
}

fn by_words(query: &Text, name: &Text) -> f64 {
    let mut covered = vec![0.0_f64; name.units.len()];
    let mut found = 0.0;
    let mut last = 0;
    let mut in_order = true;
    for unit in &query.units {
        let (likeness, at) = best(unit, name, &mut covered);
        found += weight(unit) * likeness;
        if likeness > 0.0 {
            in_order &= at >= last;
            last = at;
        }
    }
    if found == 0.0 {
        return 0.0;
    }
    let total = asked(query);
    let name_total: f64 = name.units.iter().map(weight).sum();
    let covered: f64 = name.units.iter().zip(&covered).map(|(unit, covered)| weight(unit) * covered).sum();
    let order = if in_order { 1.0 } else { ANOTHER_ORDER };
    found / total * (1.0 - COVERAGE + COVERAGE * covered / name_total) * order
}

/// How near the nearest unit of the name is, and which one that is.
fn best(unit: &Unit, name: &Text, covered: &mut [f64]) -> (f64, usize) {
    let (whole, parts) = match unit {
        Unit::Cjk { pairs, characters } => {
            return nearest(name, covered, |other| runs(pairs, *characters, other));
        }
        Unit::Word { whole, parts } => (whole, parts),
    };
    let mut with_whole = covered.to_vec();
    let as_whole = nearest(name, &mut with_whole, |other| word_in(whole, other));
    if parts.is_empty() {
        covered.copy_from_slice(&with_whole);
        return as_whole;
    }
    let mut with_parts = covered.to_vec();
    let length: usize = parts.iter().map(Vec::len).sum();
    let mut as_parts = (0.0, 0);
    for part in parts {
        let (likeness, at) = nearest(name, &mut with_parts, |other| word_in(part, other));
        as_parts = (as_parts.0 + PART * likeness * share(part.len(), length), at);
    }
    let (chosen, coverage) = if as_parts.0 > as_whole.0 { (as_parts, with_parts) } else { (as_whole, with_whole) };
    covered.copy_from_slice(&coverage);
    chosen
}

fn nearest(name: &Text, covered: &mut [f64], like: impl Fn(&Unit) -> Likeness) -> (f64, usize) {
    let mut best = (Likeness::default(), 0);
    for (at, unit) in name.units.iter().enumerate() {
        let found = like(unit);
        if found.likeness > best.0.likeness {
            best = (found, at);
        }
    }
    if let Some(covered) = covered.get_mut(best.1) {
        *covered = covered.max(best.0.covered);
    }
    (best.0.likeness, best.1)
}

fn word_in(word: &Word, unit: &Unit) -> Likeness {
    let Unit::Word { whole, parts } = unit else { return Likeness::default() };
    let length: usize = parts.iter().map(Vec::len).sum();
    let in_part = |part: &Word| {
        let found = words(word, part);
        Likeness { likeness: PART * found.likeness, covered: found.covered * share(part.len(), length) }
    };
    let all = std::iter::once(words(word, whole)).chain(parts.iter().map(in_part));
    all.fold(Likeness::default(), |best, found| if found.likeness > best.likeness { found } else { best })
}

fn words(query: &[char], word: &[char]) -> Likeness {
    if query == word {
        return Likeness { likeness: 1.0, covered: 1.0 };
    }
    let begins = (query.len() > 1 && word.starts_with(query)).then(|| {
        let covered = share(query.len(), word.len());
        Likeness { likeness: BEGINNING + (1.0 - BEGINNING) * covered, covered }
    });
    let misspelt = slips(query, word).map(|slips| {
        let covered = 1.0 - share(slips, query.len().max(word.len()));
        Likeness { likeness: MISSPELT * covered, covered }
    });
    match (begins, misspelt) {
        (Some(begins), Some(misspelt)) if misspelt.likeness > begins.likeness => misspelt,
        (Some(found), _) | (None, Some(found)) => found,
        (None, None) => Likeness::default(),
    }
}

fn runs(query: &[String], characters: usize, unit: &Unit) -> Likeness {
    let Unit::Cjk { pairs, characters: length } = unit else { return Likeness::default() };
    if characters == 1 {
        let found = query.iter().any(|character| pairs.iter().any(|pair| pair.starts_with(character.as_str())));
        return if found { Likeness { likeness: 1.0, covered: share(1, *length) } } else { Likeness::default() };
    }
    if *length == 1 {
        return Likeness::default();
    }
    // The last character of each stands alone, and is in the pair before it.
    let (query, pairs) = (&query[..characters - 1], &pairs[..length - 1]);
    let found = query.iter().filter(|pair| pairs.contains(pair)).count();
    let explained = pairs.iter().filter(|pair| query.contains(pair)).count();
    Likeness { likeness: share(found, query.len()), covered: share(explained, pairs.len()) }
}

/// `open ai` and `OpenAI`.
fn by_joined(query: &Text, name: &Text) -> f64 {
    let single = |text: &'_ Text| match text.units.as_slice() {
        [Unit::Word { whole, .. }] => Some(whole.clone()),
        _ => text.joined.clone(),
    };
    if query.joined.is_none() && name.joined.is_none() {
        return 0.0;
    }
    let (Some(query), Some(name)) = (single(query), single(name)) else { return 0.0 };
    let found = words(&query, &name);
    JOINED * found.likeness * (1.0 - COVERAGE + COVERAGE * found.covered)
}

fn weight(unit: &Unit) -> f64 {
    match unit {
        Unit::Word { whole, .. } => share(whole.len(), 1),
        Unit::Cjk { characters, .. } => CJK_WEIGHT * share(*characters, 1),
    }
}

#[expect(clippy::cast_precision_loss, reason = "lengths of words")]
fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole.max(1) as f64
}

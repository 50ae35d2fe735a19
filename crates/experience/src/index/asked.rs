//! Which terms does a question ask for, and how much does each say?

use search::{character_terms, query_terms, related_terms};

use super::term;

/// More terms than this make an answer slower but not better: the related ones come last and are left out first.
const MOST_TERMS: usize = 96;

/// A term that a record may hold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AskedTerm {
    /// As the index knows it.
    pub number: u64,
    /// 1 for a word of the question, less for one that only means the same.
    pub weight: f32,
}

/// The words of a question, and beside them those that mean the same.
pub fn asked_terms(question: &str) -> Vec<AskedTerm> {
    let words = query_terms(question);
    let related = related_terms(&words);
    let words = words.into_iter().map(|word| (word, 1.0));
    words.chain(related).take(MOST_TERMS).map(|(word, weight)| AskedTerm { number: term(&word), weight }).collect()
}

/// The single CJK characters of a question, for when no pair of them is found.
pub fn asked_characters(question: &str) -> Vec<AskedTerm> {
    character_terms(question).iter().map(|character| AskedTerm { number: term(character), weight: 1.0 }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_means_the_same_counts_less_than_the_words_themselves() {
        let asked = asked_terms("database deadlock");
        let weight = |word: &str| asked.iter().find(|asked| asked.number == term(word)).map(|asked| asked.weight);
        assert_eq!((weight("databas"), weight("deadlock")), (Some(1.0), Some(1.0)));
        assert!(weight("死锁").is_some_and(|weight| weight > 0.0 && weight < 1.0));
        assert_eq!(asked_characters("死锁").len(), 2);
        assert!(asked_terms(&"go start error ".repeat(500)).len() <= MOST_TERMS);
    }
}

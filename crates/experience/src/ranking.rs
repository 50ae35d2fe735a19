//! Which of the records that match comes first?
//!
//! `final_score = 0.6·relevance + 0.3·popularity + 0.1·recency`. Recency counts from when a record was made: reading it changes
//! when it was last touched, and would count it twice.

use std::cmp::Ordering;

const RELEVANCE: f64 = 0.6;
const POPULARITY: f64 = 0.3;
const RECENCY: f64 = 0.1;

/// A thousand queries are as good as any number more.
const POPULAR: f64 = 3.0;

/// After so many days a record is no longer new.
const NEW_FOR_DAYS: f64 = 90.0;

/// How much the meaning of a text says beside its words, where it is known.
const MEANING: f64 = 0.3;

/// What speaks for a record before anything else is known of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Evidence {
    /// From 0 to 1, see [`words`].
    pub words: f64,
    /// How near the meanings are, from 0 to 1; `None` where nothing can tell.
    pub meaning: Option<f64>,
}

/// What decides where a record stands among others.
#[derive(Debug, Clone, PartialEq)]
pub struct Rank<Id> {
    pub final_score: f64,
    /// In any unit that grows with time.
    pub created_at: i64,
    pub id: Id,
}

/// How well words match: the score of a record beside that of the best one, so that the best has 1. Both grow with quality.
pub fn words(score: f64, best: f64) -> f64 {
    if score > 0.0 && best > 0.0 { (score / best).min(1.0) } else { 0.0 }
}

/// How well a record matches, from 0 to 1; 0 means not at all.
pub fn relevance(evidence: Evidence) -> f64 {
    let words = within_unit(evidence.words);
    match evidence.meaning {
        None => words,
        Some(meaning) => (1.0 - MEANING) * words + MEANING * within_unit(meaning),
    }
}

/// How often a record was asked for, from 0 to 1.
pub fn popularity(query_count: u64) -> f64 {
    ((query_count as f64 + 1.0).log10() / POPULAR).min(1.0)
}

/// How new a record is, from 0 to 1. One from the future is as new as can be.
pub fn recency(age_days: f64) -> f64 {
    within_unit(1.0 - age_days / NEW_FOR_DAYS)
}

/// What records are ordered by.
pub fn final_score(relevance: f64, popularity: f64, recency: f64) -> f64 {
    RELEVANCE * relevance + POPULARITY * popularity + RECENCY * recency
}

/// The best first; equal scores by time, the newest first, then by id.
pub fn order<Id: Ord>(one: &Rank<Id>, other: &Rank<Id>) -> Ordering {
    let by_score = other.final_score.total_cmp(&one.final_score);
    by_score.then_with(|| other.created_at.cmp(&one.created_at)).then_with(|| one.id.cmp(&other.id))
}

/// What is no number counts as nothing.
fn within_unit(value: f64) -> f64 {
    if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(one: f64, other: f64) -> bool {
        (one - other).abs() < 1e-9
    }

    #[test]
    fn popularity_grows_with_the_logarithm_up_to_a_thousand_queries() {
        for (count, expected) in [(0, 0.0), (9, 1.0 / 3.0), (99, 2.0 / 3.0), (999, 1.0), (1_000_000, 1.0)] {
            assert!(near(popularity(count), expected), "{count}: {}", popularity(count));
        }
        assert!(popularity(u64::MAX) <= 1.0);
    }

    #[test]
    fn recency_falls_to_nothing_in_ninety_days() {
        for (days, expected) in [(-3.0, 1.0), (0.0, 1.0), (45.0, 0.5), (90.0, 0.0), (4000.0, 0.0)] {
            assert!(near(recency(days), expected), "{days}: {}", recency(days));
        }
        assert!(near(recency(f64::NAN), 0.0));
    }

    #[test]
    fn the_final_score_weighs_six_to_three_to_one() {
        assert!(near(final_score(1.0, 1.0, 1.0), 1.0));
        assert!(near(final_score(1.0, 0.0, 0.0), 0.6));
        assert!(near(final_score(0.0, 1.0, 0.0), 0.3));
        assert!(near(final_score(0.0, 0.0, 1.0), 0.1));
        assert!(near(final_score(0.95, popularity(45), recency(30.0)), 0.57 + 0.1 * 46_f64.log10() + 0.1 * 2.0 / 3.0));
    }

    #[test]
    fn relevance_is_what_words_and_meaning_say_together() {
        let relevance_of = |words, meaning| relevance(Evidence { words, meaning });
        assert!(near(relevance_of(0.5, None), 0.5));
        assert!(near(relevance_of(1.0, Some(1.0)), 1.0));
        assert!(near(relevance_of(0.0, Some(0.0)), 0.0));
        assert!(relevance_of(0.0, Some(0.8)) > 0.0, "meaning alone finds");
        assert!(relevance_of(0.9, Some(0.2)) > relevance_of(0.2, Some(0.9)), "words say more");
        assert!(near(relevance_of(7.0, Some(f64::NAN)), 0.7));
    }

    #[test]
    fn the_best_score_of_words_is_one() {
        assert!(near(words(12.0, 12.0), 1.0));
        assert!(near(words(3.0, 12.0), 0.25));
        assert!(near(words(0.0, 12.0), 0.0));
        assert!(near(words(3.0, 0.0), 0.0));
        assert!(near(words(13.0, 12.0), 1.0));
    }

    #[test]
    fn equal_scores_are_ordered_by_time_then_id() {
        let rank = |final_score, created_at, id| Rank { final_score, created_at, id };
        let mut ranks = [rank(0.5, 1, "b"), rank(0.5, 2, "z"), rank(0.9, 0, "c"), rank(0.5, 1, "a")];
        ranks.sort_by(order);
        assert_eq!(ranks.iter().map(|rank| rank.id).collect::<Vec<_>>(), ["c", "z", "a", "b"]);
    }
}

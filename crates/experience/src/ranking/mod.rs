//! Which of the records that match comes first?
//!
//! `final_score = 0.6·relevance + 0.3·popularity + 0.1·recency`. Recency counts from when a record was made: reading it changes
//! when it was last touched, and would count it twice.

pub mod page;

const RELEVANCE: f64 = 0.6;
const POPULARITY: f64 = 0.3;
const RECENCY: f64 = 0.1;

/// A thousand queries are as good as any number more.
const POPULAR: f64 = 3.0;

/// After so many days a record is no longer new.
const NEW_FOR_DAYS: f64 = 90.0;

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
}

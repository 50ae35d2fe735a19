//! How well does a record fit the terms of a question? BM25 over all fields at once.

use super::length;

/// How soon more of the same word stops counting, and how much the length of a text matters.
const SATURATION: f32 = 1.2;
const LENGTH_MATTERS: f32 = 0.4;

/// How much it says of a record that it holds a term, which so many of all hold.
#[expect(clippy::cast_possible_truncation, reason = "a share of all, rounded")]
pub fn rarity(all: usize, holding: usize) -> f32 {
    let (all, holding) = (all as f64, holding as f64);
    (1.0 + (all - holding + 0.5) / (holding + 0.5)).ln() as f32
}

/// For each level of length, how much it dampens a term, where so many records have so many words together.
#[expect(clippy::cast_precision_loss, reason = "an average, rounded")]
pub fn damping(records: u64, words: u64) -> [f32; 256] {
    let average = (words as f32 / records.max(1) as f32).max(1.0);
    let mut damping = [0.0; 256];
    for (level, value) in (0..=u8::MAX).zip(&mut damping) {
        *value = SATURATION * (1.0 - LENGTH_MATTERS + LENGTH_MATTERS * length::words(level) / average);
    }
    damping
}

/// What a term of this weight in a text adds, in relation to its rarity.
pub fn saturated(weight: f32, damping: f32) -> f32 {
    weight * (SATURATION + 1.0) / (weight + damping)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_terms_frequent_terms_and_short_texts_count_more() {
        assert!(rarity(1_000, 1) > rarity(1_000, 500));
        assert!(rarity(10, 10) > 0.0, "a term that all hold still counts");
        let damping = damping(10, 1_000);
        let (short, long) = (damping[usize::from(length::level(10))], damping[usize::from(length::level(1_000))]);
        assert!(saturated(2.0, short) > saturated(1.0, short));
        assert!(saturated(1.0, short) > saturated(1.0, long));
    }
}

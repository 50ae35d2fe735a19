//! How long a text is, in one byte.
//!
//! Sixteen steps double the length: ranking cannot tell texts apart whose lengths differ by less than a twentieth, and
//! need not.

const STEPS: f32 = 16.0;

/// The level of a text with so many words.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "a rounded scale, held to its ends"
)]
pub fn level(words: u64) -> u8 {
    (STEPS * (words as f32 + 1.0).log2()).round().min(255.0) as u8
}

/// About how many words a text of this level has.
pub fn words(level: u8) -> f32 {
    (f32::from(level) / STEPS).exp2() - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_stands_for_about_its_length() {
        for length in [0, 1, 2, 3, 10, 60, 500, 9_999, 50_000] {
            #[expect(clippy::cast_precision_loss, reason = "small numbers")]
            let exact = length as f32;
            let kept = words(level(length));
            assert!((kept - exact).abs() <= exact.max(1.0) * 0.05, "{length} became {kept}");
        }
        assert_eq!(level(u64::MAX), 255);
    }
}

//! How well does a record fit the terms of a question? BM25 over all fields at once.

use super::{AskedTerm, Postings, length};

/// How soon more of the same word stops counting, and how much the length of a text matters.
const SATURATION: f32 = 1.2;
const LENGTH_MATTERS: f32 = 0.4;

/// The records that are searched.
#[derive(Debug, Clone, Copy)]
pub struct Searched {
    pub records: u64,
    /// How long they are together.
    pub words: u64,
}

/// Scores records for the terms of one question.
#[derive(Debug)]
pub struct Scorer {
    /// For each term how much it says.
    worth: Vec<f32>,
    /// For each level of length how much it dampens a term.
    damping: [f32; 256],
    /// For each level of length what a term of weight 1 is worth.
    plain: [f32; 256],
}

impl Scorer {
    /// For these terms, each of which so many of the records hold.
    pub fn new(asked: &[AskedTerm], holding: &[usize], searched: Searched) -> Self {
        let worth = asked.iter().zip(holding).map(|(term, holding)| term.weight * rarity(searched.records, *holding));
        let damping = damping(searched);
        Self { worth: worth.collect(), damping, plain: damping.map(|damping| saturated(1.0, damping)) }
    }

    /// Adds the worth of the term at this place to the scores of a section whose records have these levels of length.
    pub fn add(&self, term: usize, postings: Postings<'_>, lengths: &[u8], scores: &mut [f32]) {
        let worth = self.worth[term];
        let count = lengths.len().min(scores.len());
        let (lengths, scores) = (&lengths[..count], &mut scores[..count]);
        postings.each(|place, weight| {
            if place < count {
                let level = usize::from(lengths[place]);
                let share =
                    if weight == 1 { self.plain[level] } else { saturated(f32::from(weight), self.damping[level]) };
                scores[place] += worth * share;
            }
        });
    }

    /// What the term at this place adds to a record of this level of length that holds it with this weight.
    pub fn one(&self, term: usize, weight: u8, level: u8) -> f32 {
        self.worth[term] * saturated(f32::from(weight), self.damping[usize::from(level)])
    }
}

/// How much it says of a record that it holds a term, which so many of all hold.
#[expect(clippy::cast_possible_truncation, reason = "a share of all, rounded")]
fn rarity(all: u64, holding: usize) -> f32 {
    let (all, holding) = (all as f64, holding as f64);
    (1.0 + (all - holding + 0.5) / (holding + 0.5)).ln() as f32
}

#[expect(clippy::cast_precision_loss, reason = "an average, rounded")]
fn damping(searched: Searched) -> [f32; 256] {
    let average = (searched.words as f32 / searched.records.max(1) as f32).max(1.0);
    let mut damping = [0.0; 256];
    for (level, value) in (0..=u8::MAX).zip(&mut damping) {
        *value = SATURATION * (1.0 - LENGTH_MATTERS + LENGTH_MATTERS * length::words(level) / average);
    }
    damping
}

fn saturated(weight: f32, damping: f32) -> f32 {
    weight * (SATURATION + 1.0) / (weight + damping)
}

#[cfg(test)]
mod tests {
    use super::super::PostingsBuilder;
    use super::*;

    fn asked(weight: f32) -> AskedTerm {
        AskedTerm { number: 1, weight }
    }

    #[test]
    fn rare_terms_frequent_terms_and_short_texts_count_more() {
        let searched = Searched { records: 1_000, words: 100_000 };
        let scorer = Scorer::new(&[asked(1.0), asked(1.0), asked(0.5), asked(1.0)], &[1, 500, 1, 1_000], searched);
        let (short, long) = (length::level(10), length::level(1_000));
        assert!(scorer.one(0, 1, short) > scorer.one(1, 1, short), "a rare term");
        assert!(scorer.one(0, 1, short) > scorer.one(2, 1, short), "a word of the question");
        assert!(scorer.one(0, 2, short) > scorer.one(0, 1, short), "a frequent term");
        assert!(scorer.one(0, 1, short) > scorer.one(0, 1, long), "a short text");
        assert!(scorer.one(3, 1, long) > 0.0, "a term that all hold still counts");
    }

    #[test]
    fn a_row_adds_to_each_of_its_places_and_to_no_place_outside() {
        let scorer = Scorer::new(&[asked(1.0)], &[2], Searched { records: 9, words: 90 });
        let (mut builder, mut row) = (PostingsBuilder::default(), Vec::new());
        [(0, 1), (2, 3), (9, 1)].into_iter().for_each(|(place, weight)| builder.push(place, weight));
        builder.take(&mut row);
        let (lengths, mut scores) = ([50, 50, 60], [0.0; 3]);
        scorer.add(0, Postings::read(&row), &lengths, &mut scores);
        assert_eq!(scores, [scorer.one(0, 1, 50), 0.0, scorer.one(0, 3, 60)]);
    }
}

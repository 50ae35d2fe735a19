//! Which parts of a file have the words of a query?

use search::file_words::{Part, PartWords, Weight, word_hash};
use store::{FileClass, WordFile};

use crate::files::{Found, Scored};
use crate::query::Query;
use crate::weights::Weights;

/// How many words a part has in the mean; it need only be about right.
const USUAL_LENGTH: f32 = 60.0;

/// Between -1 and 1, and 0 for a file that is as long as others.
fn longer_file(length: f32, average: f32) -> f32 {
    ((length / average.max(1.0)).max(0.01).ln() / 3.0).clamp(-1.0, 1.0)
}

/// Between -2 and 2, and 0 for a part that is as long as others.
pub(crate) fn longer(part: &Part) -> f32 {
    ((part.length as f32 + 1.0) / USUAL_LENGTH).ln().clamp(-2.0, 2.0)
}

/// A file that was looked into.
#[derive(Debug)]
pub(crate) struct Looked {
    pub(crate) number: u32,
    pub(crate) file: WordFile,
    pub(crate) class: FileClass,
    pub(crate) parts: Vec<Part>,
    /// Of each part.
    pub(crate) part_scores: Vec<f32>,
    /// Whether each part has a word of the query.
    pub(crate) has_words: Vec<bool>,
    pub(crate) score: f32,
}

/// The words of a query, ready to be compared with the parts of many files.
pub(crate) struct Comparison<'a> {
    weights: &'a Weights,
    worth: &'a [f32],
    average: f32,
    /// Hashes in rising order, each with the place of its word.
    wanted: Vec<(u32, u32)>,
}

impl<'a> Comparison<'a> {
    pub(crate) fn new(query: &Query, found: &'a Found, weights: &'a Weights) -> Self {
        let Found { worth, average, .. } = found;
        let hashes = (0_u32..).zip(&query.words).map(|(place, word)| (word_hash(&word.word), place));
        let mut wanted: Vec<_> = hashes.filter(|(_, place)| worth[*place as usize] > 0.0).collect();
        wanted.sort_unstable();
        Self { weights, worth, average: *average, wanted }
    }

    /// With the score of the file as a whole.
    pub(crate) fn look(&self, file: WordFile, scored: Scored) -> Looked {
        let Scored { number, class, score } = scored;
        let PartWords { parts, found } = PartWords::read(&file.parts, &self.wanted).unwrap_or_default();
        let mut scores = vec![0.0_f32; parts.len()];
        for group in found.chunk_by(|left, right| left.0 == right.0) {
            let value = self.worth[group[0].0 as usize];
            for (_, place, weight) in group {
                let Some(part) = parts.get(*place as usize) else { continue };
                let parent = group.iter().find(|(_, place, _)| part.parent > 0 && *place == part.parent);
                let is_in_parent = parent.is_some_and(|(_, _, weight)| weight.is_in_name());
                scores[*place as usize] += value * self.saturated(*weight, is_in_parent, part);
            }
        }
        let size = 1.0 + self.weights.size * longer_file(class.length, self.average);
        let score = score * size + self.of_best(&scores);
        let has_words = scores.iter().map(|score| *score > 0.0).collect();
        Looked { number, file, class, parts, part_scores: scores, has_words, score }
    }

    fn saturated(&self, weight: Weight, is_in_parent: bool, part: &Part) -> f32 {
        let Weights { part_k, part_b, part_name, part_head, part_parent, .. } = *self.weights;
        let flag = |is_set: bool, worth: f32| if is_set { worth } else { 0.0 };
        let times = f32::from(weight.count())
            + flag(weight.is_in_name(), part_name)
            + flag(weight.is_in_head(), part_head)
            + flag(is_in_parent, part_parent);
        let norm = part_k * (1.0 - part_b + part_b * part.length as f32 / USUAL_LENGTH);
        times * (part_k + 1.0) / (times + norm)
    }

    fn of_best(&self, scores: &[f32]) -> f32 {
        let mut best = [0.0_f32; 4];
        for &score in scores.iter().skip(1) {
            let place = best.iter().position(|known| score > *known);
            if let Some(place) = place {
                best[place..].rotate_right(1);
                best[place] = score;
            }
        }
        self.weights.best_part * best[0] + self.weights.next_parts * (best[1] + best[2] + best[3])
    }
}

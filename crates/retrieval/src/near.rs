//! Which files, and which parts of them, are about what a query is about?

use search::embed::Vector;
use store::{NearPart, Result, WordRead};

use crate::files::{Found, Scored};
use crate::parts::Looked;
use crate::query::Query;
use crate::weights::Weights;

/// A file without any of the words must be at least this near to be looked at.
const NEAR_ENOUGH: f32 = 0.5;

/// How near everything is to a query.
#[derive(Debug, Default)]
pub(crate) struct Near {
    /// By file and place in it.
    parts: Vec<NearPart>,
    /// The nearness of the best part of a file in the mean, and of the best of all.
    usual: f32,
    best: f32,
}

impl Near {
    /// By the vector of the query, or by what was learned from the project itself where there is none. What was learned helps
    /// questions; a report has words enough, and most of them are not about the code.
    pub(crate) fn of(words: &dyn WordRead, meaning: Option<&Vector>, query: &Query) -> Result<Self> {
        let learned = || {
            let weighed: Vec<(&str, f32)> = query.words.iter().map(|word| (word.word.as_str(), word.weight)).collect();
            words.learned_vector(&weighed)
        };
        let vector = match meaning {
            Some(vector) => Some(vector.clone()),
            None if query.is_short => learned()?,
            None => None,
        };
        let mut near = Self::default();
        if let Some(vector) = vector {
            words.near(&vector, &mut |part| near.parts.push(part))?;
        }
        let best_of = |file: &[NearPart]| file.iter().map(|part| part.nearness).fold(0.0_f32, f32::max);
        let files: Vec<f32> = near.parts.chunk_by(|left, right| left.number == right.number).map(best_of).collect();
        near.usual = files.iter().sum::<f32>() / files.len().max(1) as f32;
        near.best = files.into_iter().fold(0.0, f32::max);
        Ok(near)
    }

    /// Between 0, as near as any, and 1, as near as the nearest.
    fn share(&self, nearness: f32) -> f32 {
        let most = self.best - self.usual;
        if most > 0.0 { ((nearness - self.usual) / most).clamp(0.0, 1.0) } else { 0.0 }
    }

    /// Adds to the scores of files, and adds files that no word found.
    pub(crate) fn raise_files(&self, weights: &Weights, found: &mut Found) {
        if self.parts.is_empty() || weights.meaning_file <= 0.0 {
            return;
        }
        let best = found.files.iter().map(|file| file.score).fold(0.0, f32::max);
        let worth = if best > 0.0 { best } else { 1.0 } * weights.meaning_file;
        let mut shares = vec![0.0_f32; found.classes.len()];
        for part in &self.parts {
            if let Some(share) = shares.get_mut(part.number as usize) {
                *share = share.max(self.share(part.nearness));
            }
        }
        for file in &mut found.files {
            file.score += worth * std::mem::take(&mut shares[file.number as usize]);
        }
        for (number, share) in (0_u32..).zip(shares) {
            if let Some(Some(class)) = found.classes.get(number as usize)
                && share >= NEAR_ENOUGH
            {
                found.files.push(Scored { number, class: *class, score: worth * share });
            }
        }
    }

    /// Adds to the scores of the parts of files.
    pub(crate) fn raise_parts(&self, weights: &Weights, looked: &mut [Looked]) {
        if self.parts.is_empty() || weights.meaning_part <= 0.0 {
            return;
        }
        let best = looked.iter().flat_map(|file| file.part_scores.iter().skip(1)).copied().fold(0.0, f32::max);
        let worth = if best > 0.0 { best } else { 1.0 } * weights.meaning_part;
        for file in looked {
            let start = self.parts.partition_point(|part| part.number < file.number);
            let mut near = self.parts[start..].iter().take_while(|part| part.number == file.number).peekable();
            for (place, part) in file.parts.iter().enumerate() {
                let is_it = |near: &&NearPart| (near.start_line, near.end_line) == (part.start_line, part.end_line);
                if let Some(near) = near.next_if(is_it) {
                    file.part_scores[place] += worth * self.share(near.nearness);
                }
            }
        }
    }
}

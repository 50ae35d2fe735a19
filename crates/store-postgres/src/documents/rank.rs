//! Which of the documents that match come first?
//!
//! BM25, as the embedded store has it, over those that match; how often a word comes is known as the server's own rank of that word
//! alone.

use store::DocumentId;

const SATURATION: f64 = 1.2;
const LENGTH_MATTERS: f64 = 0.75;
/// A word in the content counts 1, one among the tags 4, one in the topic 8.
pub(super) const WEIGHTS: [f32; 4] = [0.0, 0.125, 0.5, 1.0];
/// Makes 1 of the server's rank of a word that comes once in the content.
const ONE: f64 = 8.0 * 1.644_934_066_85;

/// A document that matches.
#[derive(Debug)]
pub(super) struct Candidate {
    pub(super) id: DocumentId,
    pub(super) length: f64,
    /// The server's rank of each part of the question.
    pub(super) ranks: Vec<f32>,
}

/// The best of the candidates, best first, equal ones newest first.
pub(super) fn best(candidates: &[Candidate], limit: usize) -> Vec<DocumentId> {
    let all = candidates.len() as f64;
    let average = candidates.iter().map(|candidate| candidate.length).sum::<f64>() / all.max(1.0);
    let parts = candidates.first().map_or(0, |candidate| candidate.ranks.len());
    let rarities: Vec<f64> = (0..parts)
        .map(|part| {
            let holding = candidates.iter().filter(|candidate| candidate.ranks[part] > 0.0).count() as f64;
            (1.0 + (all - holding + 0.5) / (holding + 0.5)).ln()
        })
        .collect();
    let mut scored: Vec<(f64, DocumentId)> =
        candidates.iter().map(|candidate| (score(candidate, &rarities, average), candidate.id)).collect();
    scored.sort_by(|(left, left_id), (right, right_id)| right.total_cmp(left).then(right_id.cmp(left_id)));
    scored.into_iter().take(limit).map(|(_, id)| id).collect()
}

fn score(candidate: &Candidate, rarities: &[f64], average: f64) -> f64 {
    let damping = SATURATION * (1.0 - LENGTH_MATTERS + LENGTH_MATTERS * candidate.length / average.max(1.0));
    let parts = candidate.ranks.iter().zip(rarities);
    parts
        .map(|(rank, rarity)| {
            let often = f64::from(*rank) * ONE;
            rarity * often * (SATURATION + 1.0) / (often + damping)
        })
        .sum()
}

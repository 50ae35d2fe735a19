//! How near is a record in meaning, and what does that say beside words?
//!
//! With nothing to install, a question is widened by words that mean the same ([`crate::index::asked_terms`]). Where an operator has
//! set an embedder, every record has a vector beside: the nearest records to a question gain by how near they are, and one
//! that shares no word with it is found where it is very near. Only the nearest are asked for, so that a store may look for them in any
//! way, and every store finds the same.

use std::fmt;
use std::sync::Arc;

use search::embed::{EmbedError, Embedder, Vector};

/// So many records gain by being near.
pub const NEAREST: usize = 1_000;

/// A record that shares no word with the question is found when it is at least so near.
const FOUND_BY_NEARNESS: f32 = 0.5;

/// How much nearness says beside words.
const NEARNESS: f32 = 0.3;

/// Longer texts say no more about what a record is about.
const LONGEST_TEXT: usize = 8_000;

/// A record that is near to the question.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Near {
    pub key: usize,
    /// The cosine of the angle.
    pub nearness: f32,
}

/// Makes vectors of records and questions. Everything here blocks: call it off the runtime.
#[derive(Clone)]
pub struct Meaning {
    embedder: Arc<dyn Embedder>,
}

impl Meaning {
    pub fn new(embedder: Arc<dyn Embedder>) -> Self {
        Self { embedder }
    }

    /// Vectors of two fingerprints are never compared.
    pub fn fingerprint(&self) -> &str {
        self.embedder.fingerprint()
    }

    /// A vector for each text, where that may be spent.
    pub fn of_records(&self, texts: &[String]) -> Result<Vec<Vector>, EmbedError> {
        let texts: Vec<String> = texts.iter().map(|text| text.chars().take(LONGEST_TEXT).collect()).collect();
        self.embedder.agree(&self.embedder.cost(&texts)?)?;
        let vectors = self.embedder.embed(&texts)?;
        if vectors.len() == texts.len() {
            return Ok(vectors);
        }
        Err(EmbedError::Refused { reason: format!("{} vectors for {} texts", vectors.len(), texts.len()) })
    }

    pub fn of_question(&self, question: &str) -> Result<Vector, EmbedError> {
        self.embedder.embed_question(question)
    }
}

impl fmt::Debug for Meaning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Meaning").field(&self.fingerprint()).finish()
    }
}

/// Makes relevance, from 0 to 1, of scores by words, the highest of which is `best`, and of the records that are near, each once.
pub fn join(scores: &mut [f32], best: f32, near: &[Near]) {
    let share = if best > 0.0 { (1.0 - NEARNESS) / best } else { 0.0 };
    scores.iter_mut().for_each(|score| *score *= share);
    for Near { key, nearness } in near {
        let Some(score) = scores.get_mut(*key) else { continue };
        if *score > 0.0 || *nearness >= FOUND_BY_NEARNESS {
            *score += NEARNESS * nearness.clamp(0.0, 1.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearness_adds_to_words_and_finds_alone_only_what_is_very_near() {
        let mut scores = [4.0, 2.0, 0.0, 0.0, 1.0];
        let near = |key, nearness| Near { key, nearness };
        join(&mut scores, 4.0, &[near(0, 1.0), near(1, 0.5), near(2, 0.9), near(3, 0.2), near(4, -0.5), near(9, 1.0)]);
        let expected = [1.0, 0.35 + 0.15, 0.27, 0.0, 0.175];
        assert!(scores.iter().zip(expected).all(|(one, other)| (one - other).abs() < 1e-6), "{scores:?}");
    }

    #[test]
    fn without_a_word_in_common_nearness_is_all_there_is() {
        let mut scores = [0.0, 0.0];
        join(&mut scores, 0.0, &[Near { key: 1, nearness: 0.8 }]);
        assert_eq!(scores, [0.0, 0.3 * 0.8]);
    }
}

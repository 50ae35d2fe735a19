//! Which of the experiences that match come first?
//!
//! Relevance is the score in relation to the best one. Popularity and recency add a bounded part to it, so an experience whose
//! relevance is too low for that bound is passed over.

use std::cmp::Ordering;

use experience::ranking::{self, Evidence};
use jiff::Timestamp;

use super::known::Known;

/// Which part of the ranking is wanted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Page {
    pub(super) limit: usize,
    pub(super) offset: usize,
}

#[derive(Debug, Default)]
pub(super) struct Ranking {
    /// The best, best first, in groups of equals, whose order is that of their ids. All that are on the page are among them.
    pub(super) groups: Vec<Vec<Leader>>,
    /// How many match, on the page or not.
    pub(super) total: u64,
}

/// One that may be on the page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Leader {
    pub(super) key: u64,
    pub(super) relevance: f64,
    score: f64,
    created_at: i64,
}

impl Leader {
    /// Best first, then newest first.
    fn order(&self, other: &Self) -> Ordering {
        other.score.total_cmp(&self.score).then(other.created_at.cmp(&self.created_at))
    }
}

pub(super) fn rank(scores: &[f32], known: &Known, most_found: u64, page: Page, now: Timestamp) -> Ranking {
    let best = scores.iter().copied().fold(0.0, f32::max);
    let total = scores.iter().filter(|score| **score > 0.0).count();
    if page.offset >= total {
        return Ranking { groups: Vec::new(), total: total as u64 };
    }
    let mut leaders =
        Leaders { wanted: page.offset.saturating_add(page.limit).min(total), kept: Vec::new(), floor: 0.0 };
    let popularity = Popularity::new();
    let most = ranking::popularity(most_found);
    for (key, score) in scores.iter().enumerate().filter(|(_, score)| **score > 0.0) {
        // Where meaning is known beside words, it becomes part of the evidence.
        let relevance = ranking::relevance(Evidence { words: f64::from(score / best), meaning: None });
        if ranking::final_score(relevance, most, 1.0) < leaders.floor {
            continue;
        }
        let created_at = known.created_at(key);
        let recency = ranking::recency(days_between(created_at, now));
        let score = ranking::final_score(relevance, popularity.of(known.query_count(key)), recency);
        leaders.offer(Leader { key: key as u64, relevance, score, created_at });
    }
    Ranking { groups: leaders.finish(), total: total as u64 }
}

#[expect(clippy::cast_precision_loss, reason = "a share of ninety days")]
fn days_between(created_at: i64, now: Timestamp) -> f64 {
    now.as_microsecond().saturating_sub(created_at) as f64 / 86_400e6
}

/// The popularity of small counts, which are nearly all, without a logarithm for each.
struct Popularity(Vec<f64>);

impl Popularity {
    fn new() -> Self {
        Self((0..1_000).map(ranking::popularity).collect())
    }

    fn of(&self, query_count: u32) -> f64 {
        self.0.get(query_count as usize).copied().unwrap_or(1.0)
    }
}

/// The best so far, with all that are equal to the last of them.
struct Leaders {
    wanted: usize,
    kept: Vec<Leader>,
    /// No score below this one can still get in.
    floor: f64,
}

impl Leaders {
    fn offer(&mut self, leader: Leader) {
        if leader.score < self.floor {
            return;
        }
        self.kept.push(leader);
        if self.kept.len() >= 2 * self.wanted + 1_000 {
            self.trim();
        }
    }

    fn trim(&mut self) {
        if self.kept.len() < self.wanted || self.wanted == 0 {
            return;
        }
        let (_, last, _) = self.kept.select_nth_unstable_by(self.wanted - 1, Leader::order);
        let last = *last;
        self.floor = last.score;
        self.kept.retain(|leader| leader.order(&last) != Ordering::Greater);
    }

    fn finish(mut self) -> Vec<Vec<Leader>> {
        self.trim();
        self.kept.sort_by(Leader::order);
        self.kept.chunk_by(|left, right| left.order(right) == Ordering::Equal).map(<[Leader]>::to_vec).collect()
    }
}

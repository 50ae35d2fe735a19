//! Which of the experiences that match come first?
//!
//! Relevance is the score in relation to the best one. Popularity and recency add a bounded part to it, so an experience whose
//! relevance is too low for that bound is passed over without a look at either.

use std::cmp::Ordering;

use experience::ranking;
use jiff::Timestamp;
use rusqlite::Connection;

use super::index::facts::{FactReader, Facts};
use super::index::{Scores, Totals};
use crate::job::Outcome;

/// Which part of the ranking is wanted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Page {
    pub(super) limit: usize,
    pub(super) offset: usize,
}

#[derive(Debug, Default)]
pub(super) struct Ranking {
    /// Keys with their relevance, best first.
    pub(super) ranked: Vec<(u64, f64)>,
    /// How many match, on this page or not.
    pub(super) total: u64,
}

pub(super) fn rank(
    connection: &Connection,
    scores: &Scores,
    totals: Totals,
    page: Page,
    now: Timestamp,
) -> Outcome<Ranking> {
    let values = scores.values();
    let best = values.iter().copied().fold(0.0, f32::max);
    let total = values.iter().filter(|value| **value > 0.0).count();
    if page.offset >= total {
        return Ok(Ranking { ranked: Vec::new(), total: total as u64 });
    }
    let wanted = page.offset.saturating_add(page.limit).min(total);
    let likely = likely_floor(values, best, wanted);
    let mut sweep = Sweep { facts: FactReader::new(connection), leaders: Leaders::new(wanted), best, now };
    sweep.take(values, |value, _| value >= likely)?;
    sweep.leaders.trim();
    let most = ranking::popularity(totals.most_found);
    sweep.facts = FactReader::new(connection);
    sweep.take(values, |value, floor| {
        value > 0.0 && value < likely && ranking::final_score(f64::from(value / best), most, 1.0) >= floor
    })?;
    let leaders = sweep.leaders.finish(connection, page)?;
    let ranked = leaders.iter().map(|leader| (leader.key, f64::from(values[leader.place()] / best))).collect();
    Ok(Ranking { ranked, total: total as u64 })
}

/// A score that at least as many experiences reach as are wanted, but not many more.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "bins of a histogram"
)]
fn likely_floor(values: &[f32], best: f32, wanted: usize) -> f32 {
    const BINS: usize = 128;
    let mut bins = [0_usize; BINS + 1];
    let scale = BINS as f32 / best;
    values.iter().filter(|value| **value > 0.0).for_each(|value| bins[((value * scale) as usize).min(BINS)] += 1);
    let mut reached = 0;
    for (bin, count) in bins.iter().enumerate().rev() {
        reached += count;
        if reached >= wanted {
            return (bin as f32 / scale).max(f32::MIN_POSITIVE);
        }
    }
    f32::MIN_POSITIVE
}

/// One walk over the scores, in the order of keys.
struct Sweep<'a> {
    facts: FactReader<'a>,
    leaders: Leaders,
    best: f32,
    now: Timestamp,
}

impl Sweep<'_> {
    /// Ranks those that `fits` with the floor of the ranking so far.
    fn take(&mut self, values: &[f32], fits: impl Fn(f32, f64) -> bool) -> Outcome<()> {
        for (key, value) in (0_u64..).zip(values) {
            if fits(*value, self.leaders.floor) {
                let facts = self.facts.get(key)?;
                let score = score(f64::from(value / self.best), facts, self.now);
                self.leaders.offer(Leader { score, created_at: facts.created_at, key });
            }
        }
        Ok(())
    }
}

/// One that may be among the wanted.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Leader {
    score: f64,
    created_at: i64,
    key: u64,
}

impl Leader {
    /// Best first, then newest first.
    fn order(&self, other: &Self) -> Ordering {
        other.score.total_cmp(&self.score).then(other.created_at.cmp(&self.created_at))
    }

    fn place(&self) -> usize {
        usize::try_from(self.key).expect("its score was found at this place")
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
    fn new(wanted: usize) -> Self {
        Self { wanted, kept: Vec::new(), floor: 0.0 }
    }

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

    /// The page of the whole order, those that are equal by id.
    fn finish(mut self, connection: &Connection, page: Page) -> Outcome<Vec<Leader>> {
        self.trim();
        self.kept.sort_by(Leader::order);
        let end = page.offset.saturating_add(page.limit);
        let mut start = 0;
        let mut ordered = Vec::with_capacity(self.kept.len());
        for equals in self.kept.chunk_by(|left, right| left.order(right) == Ordering::Equal) {
            let on_page = start < end && start + equals.len() > page.offset;
            ordered.extend(if on_page && equals.len() > 1 { by_id(connection, equals)? } else { equals.to_vec() });
            start += equals.len();
        }
        Ok(ordered.into_iter().skip(page.offset).take(page.limit).collect())
    }
}

fn by_id(connection: &Connection, leaders: &[Leader]) -> Outcome<Vec<Leader>> {
    let mut statement = connection.prepare_cached("SELECT id FROM experience WHERE key = ?")?;
    let ids = leaders.iter().map(|leader| Ok((statement.query_row([leader.key], |row| row.get(0))?, *leader)));
    let mut ids: Vec<([u8; 16], Leader)> = ids.collect::<Outcome<_>>()?;
    ids.sort_by_key(|(id, _)| *id);
    Ok(ids.into_iter().map(|(_, leader)| leader).collect())
}

fn score(relevance: f64, facts: Facts, now: Timestamp) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a share of ninety days")]
    let days = now.as_microsecond().saturating_sub(facts.created_at) as f64 / 86_400e6;
    ranking::final_score(relevance, ranking::popularity(facts.query_count), ranking::recency(days))
}

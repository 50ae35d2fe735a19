//! Which records are on a page of an answer?
//!
//! Popularity and recency add a bounded part to relevance, so a record whose relevance is too low for that bound is passed over without
//! a look at either. What is passed over is compared many at a time.

use std::cmp::Ordering;

use super::{final_score, popularity, recency};

/// How many records are passed over at a time.
const AT_A_TIME: usize = 64;

const MICROSECONDS_OF_A_DAY: f64 = 86_400e6;

/// Which part of the ranking is wanted.
#[derive(Debug, Clone, Copy)]
pub struct Page {
    pub limit: usize,
    pub offset: usize,
}

impl Page {
    fn end(self) -> usize {
        self.offset.saturating_add(self.limit)
    }
}

/// What ranking asks of a record beside its relevance.
pub trait Facts {
    /// Microseconds since 1970.
    fn created_at(&self, key: usize) -> i64;
    fn query_count(&self, key: usize) -> u32;
}

/// When and with what records are ranked.
#[derive(Debug, Clone, Copy)]
pub struct Circumstances {
    /// The largest `query_count` of all, or more.
    pub most_found: u64,
    /// Microseconds since 1970.
    pub now: i64,
}

/// One that may be on the page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Leader {
    pub key: usize,
    pub relevance: f64,
    score: f64,
    created_at: i64,
}

impl Leader {
    /// Best first, then newest first.
    fn order(&self, other: &Self) -> Ordering {
        other.score.total_cmp(&self.score).then(other.created_at.cmp(&self.created_at))
    }
}

#[derive(Debug, Default)]
pub struct Ranking {
    /// The best, best first, in groups of equals, whose order is that of their ids. All that are on the page are among them.
    groups: Vec<Vec<Leader>>,
    page: (usize, usize),
    /// How many match, on the page or not.
    pub total: u64,
}

impl Ranking {
    /// Groups of more than one, of which at least one is on the page: their ids say which.
    pub fn undecided(&self) -> impl Iterator<Item = &[Leader]> {
        let mut start = 0;
        self.groups.iter().filter_map(move |group| {
            let range = start..start + group.len();
            start = range.end;
            let on_page = range.start < self.page.1 && range.end > self.page.0;
            (on_page && group.len() > 1).then_some(group.as_slice())
        })
    }

    /// Those on the page, with the ids of all that are [`undecided`](Self::undecided).
    pub fn on_page<Id: Ord>(mut self, id: impl Fn(usize) -> Option<Id>) -> Vec<Leader> {
        let mut start = 0;
        for group in &mut self.groups {
            let end = start + group.len();
            if group.len() > 1 && start < self.page.1 && end > self.page.0 {
                group.sort_by_cached_key(|leader| id(leader.key));
            }
            start = end;
        }
        let (offset, end) = self.page;
        self.groups.into_iter().flatten().skip(offset).take(end.saturating_sub(offset)).collect()
    }
}

/// Ranks records by their scores, in the order of their keys: 0 is no match, `best` the highest of them.
pub fn rank(scores: &[f32], best: f32, facts: &impl Facts, page: Page, circumstances: Circumstances) -> Ranking {
    let total = scores.iter().filter(|score| **score > 0.0).count();
    let range = (page.offset, page.end());
    if page.offset >= total || page.limit == 0 {
        return Ranking { groups: Vec::new(), page: range, total: total as u64 };
    }
    let wanted = page.end().min(total);
    let likely = likely_floor(scores, wanted);
    let leaders = Leaders { wanted, kept: Vec::new(), floor: 0.0 };
    let mut sweep = Sweep { scores, best, facts, popularity: Popularity::new(), leaders, now: circumstances.now };
    sweep.take(likely, f32::INFINITY, |_| likely);
    sweep.leaders.trim();
    let most = popularity(circumstances.most_found);
    sweep.take(f32::MIN_POSITIVE, likely, |floor| least_score(floor, most, best));
    Ranking { groups: sweep.leaders.finish(), page: range, total: total as u64 }
}

/// The highest of the scores.
pub fn best(scores: &[f32]) -> f32 {
    scores.chunks(AT_A_TIME).map(highest).fold(0.0, f32::max)
}

fn highest(scores: &[f32]) -> f32 {
    scores.iter().fold(0.0, |highest, score| if *score > highest { *score } else { highest })
}

/// The score that so many records reach, the best of all.
fn likely_floor(scores: &[f32], wanted: usize) -> f32 {
    let mut best: Vec<f32> = Vec::with_capacity(2 * wanted.min(scores.len()));
    let mut floor = f32::MIN_POSITIVE;
    for scores in scores.chunks(AT_A_TIME) {
        if highest(scores) < floor {
            continue;
        }
        best.extend(scores.iter().filter(|score| **score >= floor));
        if best.len() >= 2 * wanted + AT_A_TIME {
            floor = keep_highest(&mut best, wanted);
        }
    }
    if best.len() >= wanted { keep_highest(&mut best, wanted) } else { f32::MIN_POSITIVE }
}

/// Keeps so many, and gives the lowest of them.
fn keep_highest(scores: &mut Vec<f32>, wanted: usize) -> f32 {
    let (_, lowest, _) = scores.select_nth_unstable_by(wanted - 1, |one, other| other.total_cmp(one));
    let lowest = *lowest;
    scores.truncate(wanted);
    lowest
}

/// No record with a lower score can reach this final score. A little less than exact, so that rounding leaves nothing out.
#[expect(clippy::cast_possible_truncation, reason = "a bound, rounded down")]
fn least_score(floor: f64, most_popular: f64, best: f32) -> f32 {
    let relevance = (floor - final_score(0.0, most_popular, 1.0)) / final_score(1.0, 0.0, 0.0);
    ((relevance - 1e-5) as f32 * best).max(f32::MIN_POSITIVE)
}

/// Walks over the scores, in the order of keys.
struct Sweep<'a, F> {
    scores: &'a [f32],
    best: f32,
    facts: &'a F,
    popularity: Popularity,
    leaders: Leaders,
    now: i64,
}

impl<F: Facts> Sweep<'_, F> {
    /// Ranks those from one score to below another that are not too low for the floor of the ranking so far.
    fn take(&mut self, from: f32, below: f32, least: impl Fn(f64) -> f32) {
        let mut bound = from.max(least(self.leaders.floor));
        for (chunk, scores) in self.scores.chunks(AT_A_TIME).enumerate() {
            if highest(scores) < bound {
                continue;
            }
            for (place, score) in scores.iter().enumerate().filter(|(_, score)| **score >= bound && **score < below) {
                let leader = self.leader(chunk * AT_A_TIME + place, *score);
                self.leaders.offer(leader);
            }
            bound = from.max(least(self.leaders.floor));
        }
    }

    fn leader(&self, key: usize, score: f32) -> Leader {
        let relevance = f64::from(score / self.best);
        let created_at = self.facts.created_at(key);
        #[expect(clippy::cast_precision_loss, reason = "a share of ninety days")]
        let days = self.now.saturating_sub(created_at) as f64 / MICROSECONDS_OF_A_DAY;
        let score = final_score(relevance, self.popularity.of(self.facts.query_count(key)), recency(days));
        Leader { key, relevance, score, created_at }
    }
}

/// The popularity of small counts, which are nearly all, without a logarithm for each.
struct Popularity(Vec<f64>);

impl Popularity {
    fn new() -> Self {
        Self((0..1_000).map(popularity).collect())
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
        if self.kept.len() < self.wanted {
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

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: i64 = 86_400_000_000;

    struct Given(Vec<(i64, u32)>);

    impl Facts for Given {
        fn created_at(&self, key: usize) -> i64 {
            self.0[key].0
        }

        fn query_count(&self, key: usize) -> u32 {
            self.0[key].1
        }
    }

    fn numbers(seed: u64, count: usize) -> Vec<u64> {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> 33
        };
        (0..count).map(|_| next()).collect()
    }

    /// Every record looked at and sorted, without any passing over.
    fn plainly(scores: &[f32], facts: &Given, page: Page, circumstances: Circumstances) -> Vec<usize> {
        let best = scores.iter().copied().fold(0.0, f32::max);
        let mut all: Vec<(f64, i64, usize)> = (0..scores.len())
            .filter(|key| scores[*key] > 0.0)
            .map(|key| {
                let (created_at, count) = facts.0[key];
                let days = (circumstances.now - created_at) as f64 / DAY as f64;
                let relevance = f64::from(scores[key] / best);
                (final_score(relevance, popularity(u64::from(count)), recency(days)), created_at, key)
            })
            .collect();
        all.sort_by(|one, other| other.0.total_cmp(&one.0).then(other.1.cmp(&one.1)).then(one.2.cmp(&other.2)));
        all.into_iter().map(|(_, _, key)| key).skip(page.offset).take(page.limit).collect()
    }

    #[test]
    fn passing_over_changes_nothing() {
        for seed in 0..60 {
            let count = [1, 63, 64, 65, 1_000, 5_000][seed % 6];
            let random = numbers(seed as u64 + 1, 3 * count);
            let scores: Vec<f32> = random[..count]
                .iter()
                .map(|number| if number % 3 == 0 { 0.0 } else { (number % 1_000) as f32 / 100.0 })
                .collect();
            let facts = Given(
                (0..count)
                    .map(|at| ((random[count + at] % 200) as i64 * DAY, (random[2 * count + at] % 40) as u32))
                    .collect(),
            );
            let circumstances = Circumstances { most_found: 40, now: 200 * DAY };
            for page in [(10, 0), (7, 13), (50, 100), (5_000, 0), (3, 9_999)] {
                let page = Page { limit: page.0, offset: page.1 };
                let ranking = rank(&scores, best(&scores), &facts, page, circumstances);
                assert_eq!(ranking.total as usize, scores.iter().filter(|score| **score > 0.0).count());
                let found: Vec<usize> = ranking.on_page(Some).into_iter().map(|leader| leader.key).collect();
                assert_eq!(found, plainly(&scores, &facts, page, circumstances), "seed {seed}, {page:?}");
            }
        }
    }

    #[test]
    fn equals_at_the_edge_of_a_page_are_told_apart_by_their_ids() {
        let scores = vec![1.0; 200];
        let facts = Given(vec![(5, 1); 200]);
        let circumstances = Circumstances { most_found: 1, now: 9 };
        let mut found = Vec::new();
        for offset in (0..200).step_by(30) {
            let ranking = rank(&scores, 1.0, &facts, Page { limit: 30, offset }, circumstances);
            assert_eq!(ranking.undecided().map(<[Leader]>::len).sum::<usize>(), 200);
            found.extend(ranking.on_page(|key| Some(199 - key)).into_iter().map(|leader| leader.key));
        }
        assert_eq!(found, (0..200).rev().collect::<Vec<_>>());
    }
}

//! What was found a short while ago. Empty and failed searches are not kept: they may go better at once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::answer::Answer;
use crate::query::Query;

/// With 20 results each this is a few megabytes.
const MOST: usize = 256;

#[derive(Debug)]
pub(crate) struct Cache {
    keep_for: Duration,
    answers: Mutex<HashMap<Query, Kept>>,
}

#[derive(Debug)]
struct Kept {
    since: Instant,
    answer: Arc<Answer>,
}

impl Cache {
    pub(crate) fn new(keep_for: Duration) -> Self {
        Self { keep_for, answers: Mutex::default() }
    }

    pub(crate) fn get(&self, query: &Query, now: Instant) -> Option<Arc<Answer>> {
        let answers = self.answers();
        let kept = answers.get(query).filter(|kept| now.saturating_duration_since(kept.since) < self.keep_for)?;
        Some(Arc::clone(&kept.answer))
    }

    pub(crate) fn keep(&self, query: Query, answer: &Arc<Answer>, now: Instant) {
        if answer.items.is_empty() {
            return;
        }
        let mut answers = self.answers();
        answers.retain(|_, kept| now.saturating_duration_since(kept.since) < self.keep_for);
        if answers.len() >= MOST {
            let oldest = answers.iter().min_by_key(|(_, kept)| kept.since).map(|(query, _)| query.clone());
            oldest.map(|query| answers.remove(&query));
        }
        answers.insert(query, Kept { since: now, answer: Arc::clone(answer) });
    }

    fn answers(&self) -> MutexGuard<'_, HashMap<Query, Kept>> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::Item;

    const LONG: Duration = Duration::from_secs(600);

    fn query(number: usize) -> Query {
        Query { words: number.to_string(), language: "en".to_owned(), recency_days: 30 }
    }

    fn found() -> Arc<Answer> {
        let item = Item {
            title: "t".to_owned(),
            url: "https://a.example/".to_owned(),
            snippet: String::new(),
            source: "s".to_owned(),
            published_at: None,
        };
        Arc::new(Answer { items: vec![item], ..Answer::default() })
    }

    #[test]
    fn what_was_found_is_kept_for_its_time_and_nothing_else_is() {
        let (cache, now) = (Cache::new(LONG), Instant::now());
        cache.keep(query(1), &found(), now);
        cache.keep(query(2), &Arc::default(), now);
        assert!(cache.get(&query(1), now + LONG - Duration::from_millis(1)).is_some());
        assert!(cache.get(&query(1), now + LONG).is_none(), "too old");
        assert!(cache.get(&query(2), now).is_none(), "nothing was found");
    }

    #[test]
    fn it_does_not_grow_without_end() {
        let (cache, now) = (Cache::new(LONG), Instant::now());
        for number in 0..=MOST {
            cache.keep(query(number), &found(), now + Duration::from_millis(number as u64));
        }
        assert_eq!(cache.answers().len(), MOST);
        assert!(cache.get(&query(0), now).is_none() && cache.get(&query(MOST), now).is_some(), "the oldest goes");
    }
}

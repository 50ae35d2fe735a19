//! One search from the caller's words to an answer: remembered, in turn, asked, asked again where that helps, sifted and judged.

use std::hash::{BuildHasher, Hasher};
use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::Timestamp;

use crate::answer::Answer;
use crate::cache::Cache;
use crate::configuration::{Configuration, ConfigurationError};
use crate::error::Error;
use crate::pace::{NoTurn, Pace};
use crate::providers::{Bounds, Provider};
use crate::query::{Query, Question};
use crate::rows::Found;
use crate::sifting::{Sifted, sift};

/// The wait before a second attempt: at least this, and at most twice as much.
const SECOND_ATTEMPT: Duration = Duration::from_millis(150);

/// What searches may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Of one search, with all that it asks.
    pub total: Duration,
    /// The longest answer that is read.
    pub answer_bytes: usize,
    /// Searches that may go out at once.
    pub burst: u32,
    /// The time between two others.
    pub step: Duration,
    /// How long an answer is good for.
    pub keep_for: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            // A little less than a call of the tool may take, so that its caller hears who was slow.
            total: Duration::from_millis(9_500),
            answer_bytes: 2 * 1024 * 1024,
            burst: 10,
            step: Duration::from_millis(500),
            keep_for: Duration::from_secs(10 * 60),
        }
    }
}

/// Searches the web through one provider.
///
/// ```no_run
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// use web_search::{Configuration, Limits, Query, WebSearch};
///
/// let search = WebSearch::new(&Configuration::searxng("http://127.0.0.1:8888"), Limits::default())?;
/// let query = Query { words: "rust async book".to_owned(), language: "en".to_owned(), recency_days: 365 };
/// for item in search.search(&query, 5).await?.items {
///     drop((item.title, item.url));
/// }
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct WebSearch {
    name: &'static str,
    provider: Box<dyn Provider>,
    limits: Limits,
    pace: Pace,
    cache: Cache,
}

impl WebSearch {
    /// Starts and reaches nothing.
    pub fn new(configuration: &Configuration, limits: Limits) -> Result<Self, ConfigurationError> {
        let (info, provider) = configuration.open()?;
        let pace = Pace::new(limits.burst, limits.step, Instant::now());
        Ok(Self { name: info.name, provider, limits, pace, cache: Cache::new(limits.keep_for) })
    }

    /// What the settings call the provider.
    pub fn provider(&self) -> &'static str {
        self.name
    }

    /// What messages call it.
    pub fn place(&self) -> &str {
        self.provider.place()
    }

    /// At most so many pages, best first.
    pub async fn search(&self, query: &Query, most: usize) -> Result<Answer, Error> {
        let key = query.normalised();
        if let Some(known) = self.cache.get(&key, Instant::now()) {
            return Ok(Answer { is_cached: true, ..first(&known, most) });
        }
        let answer = Arc::new(self.ask_anew(query).await?);
        self.cache.keep(key, &answer, Instant::now());
        Ok(first(&answer, most))
    }

    /// Ends what was started for searches. A later search starts it again.
    pub async fn close(&self) {
        self.provider.close().await;
    }

    async fn ask_anew(&self, query: &Query) -> Result<Answer, Error> {
        let question = query.question(Timestamp::now());
        let mut round = Round { until: Instant::now() + self.limits.total, may_repeat: true };
        let mut found = self.ask(&question, &mut round).await?;
        let mut sifted = self.sift(&mut found, &question);
        let mut asked = question;
        let mut notes = Vec::new();
        if sifted.items.is_empty() && found.is_ranged {
            let unbounded = asked.without_range();
            match self.ask(&unbounded, &mut round).await {
                Ok(again) => {
                    (found, asked) = (again, unbounded);
                    sifted = self.sift(&mut found, &asked);
                    notes.extend(asked_again(&sifted, &asked));
                }
                Err(error) => notes.push(format!("Asking again without a time range failed: {error}.")),
            }
        } else if !found.is_ranged && sifted.items.iter().any(|item| item.published_at.is_none()) {
            let days = asked.recency.days;
            notes.push(format!(
                "The provider does not filter by time: pages without a date may be older than {days} days."
            ));
        }
        self.judge(found, sifted, &asked, notes, &round).await
    }

    /// Tells what was not found from what was not asked.
    async fn judge(
        &self,
        found: Found,
        sifted: Sifted,
        asked: &Question,
        mut notes: Vec<String>,
        round: &Round,
    ) -> Result<Answer, Error> {
        let Found { mut engines, failures, corrections, said, .. } = found;
        if sifted.items.is_empty() && sifted.too_old == 0 {
            let switched_on = self.provider.engines(asked, self.bounds(round)).await;
            let has_failed = |name: &String| failures.iter().any(|failure| failure.engine == *name);
            let answered: Option<Vec<String>> =
                switched_on.map(|names| names.into_iter().filter(|name| !has_failed(name)).collect());
            let is_all = answered.as_ref().is_some_and(Vec::is_empty);
            if is_all || (answered.is_none() && !failures.is_empty()) {
                return Err(Error::NothingRan { place: self.place().to_owned(), engines: failures, is_all });
            }
            engines.extend(answered.into_iter().flatten());
        }
        notes.extend(too_old(&sifted, asked));
        notes.extend((!corrections.is_empty()).then(|| format!("Did you mean: {}?", corrections.join(", "))));
        notes.extend(said.map(|said| format!("The search server said: {said}")));
        let engines = engines.into_iter().collect();
        Ok(Answer { items: sifted.items, engines, failures, notes, is_cached: false })
    }

    fn sift(&self, found: &mut Found, question: &Question) -> Sifted {
        sift(std::mem::take(&mut found.rows), &self.provider.source(), question.recency)
    }

    /// One request, and a second one where the first failed in a way that passes.
    async fn ask(&self, question: &Question, round: &mut Round) -> Result<Found, Error> {
        let failure = match self.ask_once(question, round).await {
            Err(error) if error.is_passing() && round.may_repeat => error,
            result => return result,
        };
        round.may_repeat = false;
        let wait = SECOND_ATTEMPT + SECOND_ATTEMPT.mul_f64(random_share());
        if wait >= round.left() {
            return Err(failure);
        }
        tracing::debug!(provider = self.name, error = %failure, "a search is asked once more");
        tokio::time::sleep(wait).await;
        self.ask_once(question, round).await
    }

    async fn ask_once(&self, question: &Question, round: &Round) -> Result<Found, Error> {
        let place = || self.place().to_owned();
        let wait = self.pace.turn(Instant::now(), round.left()).map_err(|no_turn| match no_turn {
            NoTurn::Crowded(retry_after) => Error::Crowded { place: place(), retry_after },
            NoTurn::Resting(retry_after) => Error::Resting { place: place(), retry_after },
        })?;
        if !wait.is_zero() {
            tokio::time::sleep(wait).await;
        }
        let result = self.provider.ask(question, self.bounds(round)).await;
        match result {
            Err(Error::TooManyRequests { retry_after: Some(after), .. }) => self.pace.rest(Instant::now(), after),
            // The whole search had this time, not only its last request.
            Err(Error::Timeout { .. }) => return Err(Error::Timeout { place: place(), after: self.limits.total }),
            Ok(_) | Err(_) => {}
        }
        result
    }

    fn bounds(&self, round: &Round) -> Bounds {
        Bounds { time: round.left(), bytes: self.limits.answer_bytes }
    }
}

/// What is left of one search.
#[derive(Debug)]
struct Round {
    until: Instant,
    may_repeat: bool,
}

impl Round {
    fn left(&self) -> Duration {
        self.until.saturating_duration_since(Instant::now())
    }
}

fn first(answer: &Answer, most: usize) -> Answer {
    let Answer { items, engines, failures, notes, is_cached } = answer;
    Answer {
        items: items.iter().take(most).cloned().collect(),
        engines: engines.clone(),
        failures: failures.clone(),
        notes: notes.clone(),
        is_cached: *is_cached,
    }
}

fn asked_again(sifted: &Sifted, asked: &Question) -> Option<String> {
    let days = asked.recency.days;
    (!sifted.items.is_empty()).then(|| {
        format!(
            "Nothing was found with a time range, so it was left out: pages without a date may be older than {days} days."
        )
    })
}

fn too_old(sifted: &Sifted, asked: &Question) -> Option<String> {
    let (count, days) = (sifted.too_old, asked.recency.days);
    let pages = if count == 1 { "1 page was".to_owned() } else { format!("{count} pages were") };
    (count > 0).then(|| format!("{pages} left out as older than {days} days; a larger recencyDays brings them."))
}

/// From 0 to 1, another one each time: keys of hash maps are random.
fn random_share() -> f64 {
    let random = std::hash::RandomState::new().build_hasher().finish();
    #[expect(clippy::cast_precision_loss, reason = "a share need not be exact")]
    let share = random as f64 / u64::MAX as f64;
    share
}

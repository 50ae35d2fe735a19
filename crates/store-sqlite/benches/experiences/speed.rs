//! Records in numbers: how long a question, a submission and a thousand questions at once take.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use serde_json::{Value, json};
use store::{ExperienceSearch, Experiences as _};
use store_sqlite::SqliteStore;

use crate::generated::{experience, question};
use crate::processor_time;

const BATCH: u64 = 16_384;
const QUESTIONS: u64 = 300;
const PEER_QUESTIONS: u64 = 40;
const SUBMISSIONS: u64 = 300;

/// Whether FTS5 is asked beside ours: filling it takes as long as everything else.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Peer {
    Fts5,
    Nobody,
}

pub(crate) async fn measure(count: u64, folder: &Path, peer: Peer) -> Value {
    let (from, started) = (processor_time(), Instant::now());
    let store = Arc::new(fill(count, folder).await);
    let filling = json!({"processor_seconds": (processor_time() - from).as_secs_f64(), "seconds": started.elapsed().as_secs_f64()});
    let first = Instant::now();
    store.search(ExperienceSearch { words: question(0, count), limit: 10, offset: 0 }).await.unwrap();
    let first = first.elapsed().as_secs_f64() * 1e3;
    let (asked, totals) = ask(&store, count).await;
    let counted = count_answers(&store, count).await;
    let (at_once, worst) = ask_at_once(&store, count).await;
    let (submitted, submitted_clock) = submit(&store, count).await;
    let megabytes = std::fs::metadata(store.path()).unwrap().len() as f64 / 1e6;
    store.close().await;
    let peer = if peer == Peer::Fts5 { fts5(count, folder) } else { Value::Null };
    json!({
        "records": count, "megabytes": megabytes, "fill": filling, "first_query_clock": first, "query": asked, "matches": totals, "count_50": counted,
        "queries_at_once": {"seconds": at_once, "slowest_seconds": worst},
        "submit": submitted, "submit_clock": submitted_clock, "fts5": peer,
    })
}

/// Adds what is missing, so that a fill that was ended goes on.
async fn fill(count: u64, folder: &Path) -> SqliteStore {
    let store = SqliteStore::open(folder.join("home"));
    let known = store.size().await.unwrap();
    for first in (known..count).step_by(usize::try_from(BATCH).unwrap()) {
        let batch = (first..count.min(first + BATCH)).map(experience).collect();
        store.import(batch).await.unwrap();
    }
    store
}

async fn ask(store: &SqliteStore, count: u64) -> (Value, Value) {
    let (mut times, mut totals) = (Vec::new(), Vec::new());
    for number in 0..QUESTIONS {
        let words = question(number, count);
        let from = processor_time();
        let found = store.search(ExperienceSearch { words, limit: 10, offset: 0 }).await.unwrap();
        times.push(processor_time() - from);
        totals.push(found.total);
        assert!(!found.experiences.is_empty(), "a question of words that are there finds something");
    }
    totals.sort_unstable();
    (spread(times), json!({"median": totals[totals.len() / 2], "most": totals[totals.len() - 1]}))
}

/// A batch as after a page of fifty.
async fn count_answers(store: &SqliteStore, count: u64) -> Value {
    let mut times = Vec::new();
    for number in 0..50 {
        let search = ExperienceSearch { words: question(number, count), limit: 50, offset: 0 };
        let found = store.search(search).await.unwrap().experiences;
        let ids = found.iter().map(|found| (found.experience.id, 1)).collect();
        let from = processor_time();
        store.count(ids).await.unwrap();
        times.push(processor_time() - from);
    }
    spread(times)
}

async fn ask_at_once(store: &Arc<SqliteStore>, count: u64) -> (f64, f64) {
    let started = Instant::now();
    let tasks = (0..1_000).map(|number| {
        let store = Arc::clone(store);
        tokio::spawn(async move {
            let search = ExperienceSearch { words: question(number, count), limit: 10, offset: 0 };
            let ids =
                store.search(search).await.unwrap().experiences.iter().map(|found| (found.experience.id, 1)).collect();
            let ended = started.elapsed();
            store.count(ids).await.unwrap();
            ended
        })
    });
    let ended = futures::future::join_all(tasks).await.into_iter().map(|task| task.unwrap()).max().unwrap();
    (started.elapsed().as_secs_f64(), ended.as_secs_f64())
}

async fn submit(store: &SqliteStore, count: u64) -> (Value, Value) {
    let (mut times, mut clock) = (Vec::new(), Vec::new());
    for number in 0..SUBMISSIONS {
        let content = experience(count + number).content;
        let (from, started) = (processor_time(), Instant::now());
        store.submit(content).await.unwrap();
        times.push(processor_time() - from);
        clock.push(started.elapsed());
    }
    (spread(times), spread(clock))
}

/// The same texts in FTS5, asked for any of the same words, best ten by `bm25`.
fn fts5(count: u64, folder: &Path) -> Value {
    let connection = Connection::open(folder.join("fts5.db")).unwrap();
    connection.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; CREATE VIRTUAL TABLE words USING fts5(text, content = '', tokenize = \"porter unicode61 categories 'L* M* N* Co' tokenchars '_'\")").unwrap();
    for first in (0..count).step_by(usize::try_from(BATCH).unwrap()) {
        connection.execute_batch("BEGIN").unwrap();
        for number in first..count.min(first + BATCH) {
            let content = experience(number).content;
            let texts = [
                Some(content.title),
                Some(content.problem_description),
                content.root_cause,
                Some(content.solution),
                content.context,
            ];
            let text = search::index_text(&texts.into_iter().flatten().collect::<Vec<_>>().join("\n"));
            connection
                .prepare_cached("INSERT INTO words (rowid, text) VALUES (?, ?)")
                .unwrap()
                .execute((number, text))
                .unwrap();
        }
        connection.execute_batch("COMMIT").unwrap();
    }
    let mut times = Vec::new();
    for number in 0..PEER_QUESTIONS {
        let query = search::Query::parse(&question(number, count)).unwrap();
        let from = processor_time();
        let mut statement = connection
            .prepare_cached("SELECT rowid FROM words WHERE words MATCH ? ORDER BY bm25(words) LIMIT 10")
            .unwrap();
        let found = statement.query_map([search::fts5::match_any(&query)], |row| row.get::<_, u64>(0)).unwrap().count();
        times.push(processor_time() - from);
        assert!(found > 0);
    }
    spread(times)
}

fn spread(mut times: Vec<Duration>) -> Value {
    times.sort_unstable();
    let at = |share: usize| times[(times.len() * share / 100).min(times.len() - 1)].as_secs_f64() * 1e3;
    json!({"p50": at(50), "p95": at(95), "p99": at(99), "most": at(100)})
}

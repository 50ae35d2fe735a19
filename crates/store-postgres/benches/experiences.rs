//! What finding and keeping experiences costs on a real PostgreSQL.
//!
//! `cargo bench -p store-postgres --bench experiences -- COUNT URL` fills the schema of the address up to so many generated
//! records, those of `cargo bench -p store-sqlite --bench experiences`, asks and submits, and prints the figures as JSON. Times are in
//! milliseconds: on the clock, and as processor time of this process, which does not hold that of the server.

#![expect(clippy::unwrap_used, reason = "a measurement that cannot go on has failed")]
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "the figures")]

#[path = "../../store-sqlite/benches/experiences/generated.rs"]
mod generated;

use std::sync::Arc;
use std::time::{Duration, Instant};

use generated::{experience, question};
use serde_json::{Value, json};
use store::{ExperienceSearch, Experiences as _};
use store_postgres::{Address, PostgresStore};

const BATCH: u64 = 1_000;
const QUESTIONS: u64 = 300;
const SUBMISSIONS: u64 = 300;
const AT_ONCE: u64 = 1_000;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let [count, url] = &arguments[..] else { panic!("arguments: COUNT URL") };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let store = Arc::new(PostgresStore::open(url.parse::<Address>().unwrap(), "the argument"));
    println!("{}", runtime.block_on(measure(count.parse().unwrap(), store)));
}

async fn measure(count: u64, store: Arc<PostgresStore>) -> Value {
    let filled = fill(count, &store).await;
    let started = Instant::now();
    store.search(ExperienceSearch { words: "first".to_owned(), limit: 1, offset: 0 }).await.unwrap();
    let first = started.elapsed();
    let (asked, asked_processor, matches) = ask(&store, count).await;
    let (submitted, submitted_processor) = submit(&store, count).await;
    let counted = count_answers(&store, count).await;
    let at_once = ask_at_once(&store, count).await;
    json!({
        "records": count, "fill": filled, "first_query": milliseconds(first), "query": asked,
        "query_processor": asked_processor, "matches": matches, "submit": submitted, "submit_processor": submitted_processor,
        "count_50": counted, "queries_at_once": at_once, "resident_megabytes": resident_megabytes(),
    })
}

/// Adds what is missing, so that a fill that was ended goes on.
async fn fill(count: u64, store: &PostgresStore) -> Value {
    let (from, started) = (processor_time(), Instant::now());
    let there = there(store).await;
    for first in (there..count).step_by(usize::try_from(BATCH).unwrap()) {
        let batch = (first..count.min(first + BATCH)).map(experience).collect();
        store.import(batch).await.unwrap();
        if (first / BATCH).is_multiple_of(20) {
            eprintln!("{first} after {:.0} s", started.elapsed().as_secs_f64());
        }
    }
    let (clock, processor) = (started.elapsed().as_secs_f64(), (processor_time() - from).as_secs_f64());
    json!({"records": count.saturating_sub(there), "seconds": clock, "processor_seconds": processor})
}

/// How many records there are.
async fn there(store: &PostgresStore) -> u64 {
    let mut found = 0;
    let mut after = None;
    loop {
        let page = store::ExperiencePage { limit: 5_000, after, deleted: false };
        let listed = store.newest(page).await.unwrap();
        found += listed.len() as u64;
        match listed.last() {
            Some(last) => after = Some(last.id),
            None => return found,
        }
    }
}

async fn ask(store: &PostgresStore, count: u64) -> (Value, Value, Value) {
    let (mut clock, mut processor, mut totals) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..QUESTIONS {
        let words = question(number, count);
        let (from, started) = (processor_time(), Instant::now());
        let found = store.search(ExperienceSearch { words, limit: 10, offset: 0 }).await.unwrap();
        clock.push(started.elapsed());
        processor.push(processor_time() - from);
        totals.push(found.total);
        assert!(!found.experiences.is_empty(), "a question of words that are there finds something");
    }
    totals.sort_unstable();
    let matches = json!({"median": totals[totals.len() / 2], "most": totals[totals.len() - 1]});
    (spread(clock), spread(processor), matches)
}

async fn submit(store: &PostgresStore, count: u64) -> (Value, Value) {
    let (mut clock, mut processor) = (Vec::new(), Vec::new());
    for number in 0..SUBMISSIONS {
        let content = experience(count + number).content;
        let (from, started) = (processor_time(), Instant::now());
        store.submit(content).await.unwrap();
        clock.push(started.elapsed());
        processor.push(processor_time() - from);
    }
    (spread(clock), spread(processor))
}

/// A batch as after a page of fifty.
async fn count_answers(store: &PostgresStore, count: u64) -> Value {
    let mut times = Vec::new();
    for number in 0..50 {
        let search = ExperienceSearch { words: question(number, count), limit: 50, offset: 0 };
        let found = store.search(search).await.unwrap().experiences;
        let ids = found.iter().map(|found| (found.experience.id, 1)).collect();
        let started = Instant::now();
        store.count(ids).await.unwrap();
        times.push(started.elapsed());
    }
    spread(times)
}

async fn ask_at_once(store: &Arc<PostgresStore>, count: u64) -> Value {
    let started = Instant::now();
    let tasks = (0..AT_ONCE).map(|number| {
        let store = store.clone();
        tokio::spawn(async move {
            let search = ExperienceSearch { words: question(number, count), limit: 10, offset: 0 };
            // The pool lets some wait longer than a call may take; a server has no more calls under way than it can answer.
            loop {
                match store.search(search.clone()).await {
                    Ok(found) => {
                        return found.experiences.iter().map(|found| (found.experience.id, 1)).collect::<Vec<_>>();
                    }
                    Err(error) if error.to_string().contains("are busy") => {}
                    Err(error) => panic!("{error}"),
                }
            }
        })
    });
    let answers = futures::future::join_all(tasks).await;
    let answered = started.elapsed();
    let mut counts = std::collections::HashMap::new();
    for (id, more) in answers.into_iter().flat_map(|answer| answer.unwrap()) {
        *counts.entry(id).or_insert(0) += more;
    }
    let counts: Vec<_> = counts.into_iter().collect();
    for batch in counts.chunks(500) {
        store.count(batch.to_vec()).await.unwrap();
    }
    json!({"seconds": answered.as_secs_f64(), "with_counts_seconds": started.elapsed().as_secs_f64()})
}

fn spread(mut times: Vec<Duration>) -> Value {
    times.sort_unstable();
    let at = |share: usize| milliseconds(times[(times.len() * share / 100).min(times.len() - 1)]);
    json!({"p50": at(50), "p95": at(95), "p99": at(99), "most": at(100)})
}

fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 10_000.0).round() / 10.0
}

/// Processor time of this process.
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(u64::try_from(time.tv_sec).unwrap(), u32::try_from(time.tv_nsec).unwrap())
}

fn resident_megabytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()? / 1024)
}

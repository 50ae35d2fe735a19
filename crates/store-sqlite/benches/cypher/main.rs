//! What questions in Cypher cost from text to rows: `cargo xtask bench cypher`, which also asks a peer the same.
//!
//! `cargo bench -p store-sqlite --bench cypher -- 1 FOLDER` makes a graph of 200 000 nodes and 1 000 000 relationships (or so many
//! times that), leaves it in the folder as CSV files with the questions and their parameters, and prints the figures as JSON.
//! Times are processor time of this thread in milliseconds.

#![expect(clippy::unwrap_used, reason = "a measurement that cannot go on has failed")]

mod by_hand;
#[path = "../generated/mod.rs"]
mod generated;
mod handed_over;
#[path = "../memory/mod.rs"]
mod memory;
mod questions;

use std::io::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use cypher::{Limits, Parameters, Value, parse};
use graph::GraphRead;
use serde_json::{Map, json};
use store::{ProjectCatalog as _, ProjectGraph};
use store_sqlite::{Reading, Snapshots, SqliteProjects};

use generated::Size;
use questions::{Parameter, Question};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let [factor, folder, wanted @ ..] = &arguments[..] else {
        panic!("arguments: how many times the size, a folder, and perhaps names of questions")
    };
    let (size, folder) = (Size::times(factor.parse().unwrap()), PathBuf::from(folder));
    let mut questions = questions::all(size);
    questions.retain(|question| wanted.is_empty() || wanted.iter().any(|name| name == question.name));
    let home = folder.join("home");
    let mut figures = Map::new();
    {
        let update = generated::update(size);
        handed_over::write(&folder, &update, &questions);
        let project = SqliteProjects::open(&home).create("sample", "/sample").unwrap();
        let seconds = seconds(|| project.apply(&update).unwrap());
        let info = project.info().unwrap();
        figures.insert("nodes".into(), info.nodes.into());
        figures.insert("relationships".into(), info.relationships.into());
        figures.insert("store_seconds".into(), seconds.into());
    }
    for (name, snapshots) in [("sql", Snapshots::Never), ("snapshot", Snapshots::Always)] {
        let catalog = SqliteProjects::open(&home).with_reading(Reading { snapshots, uses_filters: true });
        let project = catalog.find("sample").unwrap().unwrap();
        memory::peak();
        let before = memory::live();
        let seconds = seconds(|| drop(project.reader().unwrap()));
        let megabytes = (memory::live() - before) as f64 / 1e6;
        let peak = memory::peak().saturating_sub(before) as f64 / 1e6;
        let opening = json!({ "seconds": seconds, "megabytes": megabytes, "peak_megabytes": peak });
        figures.insert(format!("{name}_open"), opening);
        figures.insert(name.to_owned(), all(&questions, |question| through_cypher(&*project, question)));
    }
    figures.insert("by_hand".to_owned(), by_hand::measure(&home, &questions));
    let line = format!("{}\n", serde_json::Value::Object(figures));
    std::io::stdout().lock().write_all(line.as_bytes()).unwrap();
}

fn all(questions: &[Question], mut measure: impl FnMut(&Question) -> Measured) -> serde_json::Value {
    questions.iter().map(|question| (question.name.to_owned(), measure(question).json())).collect::<Map<_, _>>().into()
}

/// The whole way of a query, with a reader of its own each time, as a tool does it.
fn through_cypher(project: &dyn ProjectGraph, question: &Question) -> Measured {
    let limits = Limits::default();
    Measured::of(&question.parameters, |given| {
        let reader = project.reader().unwrap();
        if question.plans_only {
            let query = parse(question.cypher).unwrap();
            return (cypher::check(&query, &*reader, &parameters(given)).unwrap().len(), 0);
        }
        answer(&*reader, question.cypher, &parameters(given), &limits)
    })
}

/// How many rows, and the sum of all whole numbers in them.
fn answer(reader: &dyn GraphRead, text: &str, parameters: &Parameters, limits: &Limits) -> (usize, i64) {
    let rows = cypher::run(&parse(text).unwrap(), reader, parameters, limits).unwrap().rows;
    let number = |value: &Value| if let Value::Int(number) = value { *number } else { 0 };
    (rows.len(), rows.iter().flatten().map(number).sum())
}

fn parameters(given: &[Parameter]) -> Parameters {
    given.iter().map(|(name, text)| ((*name).to_owned(), Value::from(text.clone()))).collect()
}

/// The cost of one question over all its parameters.
struct Measured {
    times: Vec<Duration>,
    rows: usize,
    sum: i64,
}

impl Measured {
    /// `work` gives the number of rows and the sum of what they count; the totals show that all engines gave the same answers.
    fn of(parameters: &[Vec<Parameter>], mut work: impl FnMut(&[Parameter]) -> (usize, i64)) -> Self {
        work(&parameters[0]);
        let mut measured = Self { times: Vec::with_capacity(parameters.len()), rows: 0, sum: 0 };
        for given in parameters {
            let before = cpu();
            let (rows, sum) = work(given);
            measured.times.push(cpu() - before);
            measured.rows += rows;
            measured.sum += sum;
        }
        measured.times.sort_unstable();
        measured
    }

    fn json(&self) -> serde_json::Value {
        let milliseconds = |percent: usize| self.times[self.times.len() * percent / 100].as_secs_f64() * 1e3;
        json!({ "p50": milliseconds(50), "p99": milliseconds(99), "rows": self.rows, "sum": self.sum })
    }
}

/// What this thread has used so far.
fn cpu() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(u64::try_from(time.tv_sec).unwrap(), u32::try_from(time.tv_nsec).unwrap())
}

fn seconds(work: impl FnOnce()) -> f64 {
    let before = cpu();
    work();
    (cpu() - before).as_secs_f64()
}

//! Ranks files and functions for many queries: `cargo xtask eval retrieval` runs it, and so does whoever tries other weights.
//!
//! Arguments: a data folder, a file with jobs, a depth, weights as `name=value`, and `embedder=none` to index without vectors. Each line of the file is a job in JSON:
//! `project`, `tree` (to index it from, where that was not done before) and `queries` with `id` and `query`. Each line of the output
//! is an answer, or says that a project was indexed, or that it is absent and there is no tree.

#![expect(clippy::print_stdout, reason = "it is a program for the command line")]

use std::error::Error;
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::sync::Arc;
use std::time::Instant;

use code_index::{IndexRequest, Indexer, Meaning};
use graph::Label;
use retrieval::{Hit, Options, Query, Weights, retrieve};
use serde_json::{Value, json};
use store::ProjectCatalog;
use store_sqlite::SqliteProjects;

/// As many as the scores look at.
const LIMIT: usize = 60;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let data = arguments.next().ok_or("say where the data folder is")?;
    let jobs = arguments.next().ok_or("say where the jobs are")?;
    let depth = arguments.next().ok_or("say how deep")?.parse()?;
    let mut weights = Weights::default();
    let mut meaning = Meaning::default();
    for argument in arguments {
        if argument == "embedder=none" {
            meaning = Meaning::Nothing;
            continue;
        }
        let (name, value) = argument.split_once('=').ok_or("a weight is name=value")?;
        set(&mut weights, name, value.parse()?)?;
    }
    let catalog: Arc<dyn ProjectCatalog> = Arc::new(SqliteProjects::open(data));
    let indexer = Indexer::new(Arc::clone(&catalog)).with_meaning(meaning);
    let options = Options { depth, limit: LIMIT, weights };
    for line in BufReader::new(File::open(jobs)?).lines() {
        answer(&*catalog, &indexer, &serde_json::from_str(&line?)?, &options)?;
    }
    Ok(())
}

fn answer(
    catalog: &dyn ProjectCatalog,
    indexer: &Indexer,
    job: &Value,
    options: &Options,
) -> Result<(), Box<dyn Error>> {
    let name = job["project"].as_str().ok_or("a job has a project")?;
    if catalog.find(name)?.is_none() {
        let Some(tree) = job["tree"].as_str() else {
            println!("{}", json!({"absent": name}));
            return Ok(());
        };
        let request = IndexRequest { root: tree.into(), project: Some(name.to_owned()), force: false };
        let begun = Instant::now();
        let report = indexer.index(&request, &())?;
        let seconds = begun.elapsed().as_secs_f64();
        println!("{}", json!({"indexed": name, "files": report.files, "nodes": report.nodes, "seconds": seconds}));
    }
    let project = catalog.find(name)?.ok_or("it was just made")?;
    for query in job["queries"].as_array().into_iter().flatten() {
        let (begun, busy) = (Instant::now(), processor_time());
        let read = Query::read_with(query["query"].as_str().unwrap_or_default(), &options.weights);
        let words = project.words()?;
        let found = retrieve(&*words, None, &read, options)?;
        let milliseconds = begun.elapsed().as_secs_f64() * 1_000.0;
        let busy = busy.zip(processor_time()).map(|(before, after)| (after - before) as f64 / 1e6);
        let files: Vec<&str> = found.files.iter().map(|file| file.path.as_str()).collect();
        let named = found.hits.iter().filter(|hit| matches!(hit.label, Label::Function | Label::Method | Label::Class));
        let functions: Vec<String> = named.map(function).collect();
        let relevance: Vec<f64> = found.files.iter().map(|file| file.relevance).collect();
        println!(
            "{}",
            json!({"id": query["id"], "files": files, "functions": functions, "ms": milliseconds, "cpu_ms": busy, "relevance": relevance})
        );
    }
    Ok(())
}

/// Nanoseconds of this thread, where the system tells.
fn processor_time() -> Option<u64> {
    std::fs::read_to_string("/proc/thread-self/schedstat").ok()?.split(' ').next()?.parse().ok()
}

/// As the public sets name functions, to which classes belong: with what they are in, which in Rust includes the module.
fn function(hit: &Hit) -> String {
    let name = if hit.file.ends_with(".rs") { &hit.symbol } else { &hit.local_name };
    format!("{}::{name}", hit.file)
}

fn set(weights: &mut Weights, name: &str, value: f32) -> Result<(), String> {
    macro_rules! by_name {
        ($($field:ident)+) => {
            match name {
                $(stringify!($field) => weights.$field = value,)+
                unknown => return Err(format!("there is no weight `{unknown}`")),
            }
        };
    }
    by_name!(
        title prose code trace quoted identifier identifier_part joined exact exact_word defined defined_in_report abbreviated repeat file_k file_b part_k part_b file_name file_path part_name
        part_head part_parent best_part next_parts path_anchor module_anchor stem_anchor frame_anchor deepest_frame file_share whole_type graph_share
        graph_file graph_part graph_fill size part_size meaning_file meaning_part test example documentation foreign other
    );
    Ok(())
}

//! `trailmark search`: code for a task in words, for people: ranked, with the lines that made it so.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::anyhow;
use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use code_index::{Meaning, vector_of_question};
use retrieval::{Hit, Options, Query, Source};
use serde_json::json;
use store::ProjectGraph;

use super::indexing::{self, Indexed, Remarks};
use crate::command_line::Target;
use crate::console::{Console, Paint, printable};
use crate::settings::Settings;

/// Lines that are shown of one definition.
const MOST_LINES: usize = 3;
/// What of a line fits on a screen.
const WIDEST: usize = 120;

#[derive(Debug, Args)]
pub(crate) struct Search {
    /// What to look for: a task, an error text, names, in English or Chinese
    #[arg(value_parser = NonEmptyStringValueParser::new())]
    query: String,
    #[command(flatten)]
    target: Target,
    /// The most results
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=200))]
    limit: u32,
    /// Steps in the graph from what the words find; 0 uses no graph
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(0..=5))]
    depth: u8,
}

pub(super) async fn run(asked: Search, settings: &Settings, console: &Console) -> anyhow::Result<ExitCode> {
    let Search { query, target, limit, depth } = asked;
    let Indexed { graph, report, meaning } =
        indexing::index(target, false, Remarks::Nothing, settings, console).await?;
    let (words, limit) = (wanted(&query), limit as usize);
    let hits = tokio::task::spawn_blocking(move || find(&*graph, &query, depth, limit, &meaning)).await??;
    if console.json {
        console.json(&json!({"project": report.project, "results": hits.iter().map(as_json).collect::<Vec<_>>()}));
    } else if hits.is_empty() {
        console.line("Nothing found.");
    } else {
        hits.iter().for_each(|hit| print(hit, &report.root, &words, console));
    }
    Ok(ExitCode::SUCCESS)
}

fn find(graph: &dyn ProjectGraph, query: &str, depth: u8, limit: usize, meaning: &Meaning) -> anyhow::Result<Vec<Hit>> {
    let options = Options { depth, limit, ..Options::default() };
    let reader = graph.words().map_err(|error| anyhow!("{error}"))?;
    let vector = vector_of_question(meaning, &*reader, query).map_err(|error| anyhow!("{error}"))?;
    let vector = vector.unwrap_or_else(|error| {
        tracing::warn!(%error, "code is found by words alone");
        None
    });
    let found = retrieval::retrieve(&*reader, vector.as_ref(), &Query::read(query), &options)
        .map_err(|error| anyhow!("{error}"))?;
    Ok(found.hits)
}

fn as_json(hit: &Hit) -> serde_json::Value {
    json!({
        "symbol": hit.symbol,
        "file": hit.file,
        "start_line": hit.start_line,
        "end_line": hit.end_line,
        "relevance": hit.relevance,
        "source": source(hit.source),
        "distance": hit.distance,
    })
}

fn print(hit: &Hit, root: &Path, words: &HashSet<String>, console: &Console) {
    let place = console.paint(Paint::Strong, &printable(&format!("{}:{}", hit.file, hit.start_line)));
    let how = console.paint(Paint::Quiet, &format!("{:.2} {}", hit.relevance, source(hit.source)));
    let symbol = if hit.symbol == hit.file { String::new() } else { format!("  {}", printable(&hit.symbol)) };
    console.line(&format!("{place}{symbol}  {how}"));
    for (number, line) in best_lines(hit, &root.join(PathBuf::from(&hit.file)), words) {
        let number = console.paint(Paint::Quiet, &format!("{number:>6}"));
        console.line(&format!("{number}  {}", highlighted(&line, words, console)));
    }
}

/// The lines with most of the words, in their order; the first line of what has none of them.
fn best_lines(hit: &Hit, path: &Path, words: &HashSet<String>) -> Vec<(usize, String)> {
    let Ok(bytes) = std::fs::read(path) else { return Vec::new() };
    let text = String::from_utf8_lossy(&bytes);
    let (first, last) = (hit.start_line.max(1) as usize, hit.end_line.max(hit.start_line) as usize);
    let own = (1..).zip(text.lines()).skip(first - 1).take((last + 1).saturating_sub(first));
    let mut lines: Vec<(usize, usize, String)> = own
        .map(|(number, line)| {
            (pieces(line, words).filter(|(is_wanted, _)| *is_wanted).count(), number, line.to_owned())
        })
        .collect();
    lines.sort_by_key(|(count, number, _)| (std::cmp::Reverse(*count), *number));
    let some = lines.iter().filter(|(count, _, _)| *count > 0).count().clamp(1, MOST_LINES);
    let mut best: Vec<(usize, String)> = lines.into_iter().take(some).map(|(_, number, line)| (number, line)).collect();
    best.sort();
    best
}

fn highlighted(line: &str, words: &HashSet<String>, console: &Console) -> String {
    let shown: String = line.chars().take(WIDEST).collect();
    let more = if line.chars().nth(WIDEST).is_some() { "…" } else { "" };
    let pieces = pieces(&shown, words).map(|(is_wanted, piece)| {
        let piece = printable(&piece.replace('\t', "    "));
        if is_wanted { console.paint(Paint::Attention, &piece) } else { piece }
    });
    pieces.collect::<String>() + more
}

/// A line cut into names and what is between them, and whether a name has one of the words.
fn pieces<'a>(line: &'a str, words: &'a HashSet<String>) -> impl Iterator<Item = (bool, &'a str)> {
    let is_name = |character: char| character.is_alphanumeric() || character == '_';
    let mut rest = line;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let end = rest.find(|character| is_name(character) != is_name(first)).unwrap_or(rest.len());
        let (piece, after) = rest.split_at(end);
        rest = after;
        Some((is_name(first) && wanted(piece).iter().any(|word| words.contains(word)), piece))
    })
}

/// The words of a text as a search compares them.
fn wanted(text: &str) -> HashSet<String> {
    search::tokens(text)
        .iter()
        .map(|token| search::stem(token).to_owned())
        .filter(|word| word.chars().count() > 1)
        .collect()
}

fn source(source: Source) -> &'static str {
    match source {
        Source::Keyword => "words",
        Source::Embedding => "meaning",
        Source::Graph => "graph",
    }
}

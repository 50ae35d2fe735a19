//! `trailmark ask` and `trailmark cypher`: rows from a code graph, for people, programs and spreadsheets.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use code_query::{Answer, AskError, Asking, Cell, Question, Row, ServerGraphs};
use serde_json::{Map, Value, json};
use store::ProjectGraph;
use tools::{Workspace, cell_json};

use super::indexing::{self, Indexed, Remarks};
use crate::command_line::{Ask, RowFormat, Target};
use crate::console::{Console, Paint};
use crate::settings::Settings;
use crate::wiring::{Backend, code_server};

/// How long a query may take.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);

/// What of a value fits in a table.
const WIDEST: usize = 80;

/// Whether plain questions are understood too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wording {
    Any,
    CypherOnly,
}

pub(super) async fn run(
    asked: Ask,
    wording: Wording,
    settings: &Settings,
    console: &Console,
) -> anyhow::Result<ExitCode> {
    let Ask { question, path, project, format, limit } = asked;
    let target = Target { path, project };
    let asking = Asking { limit, deadline: Some(Instant::now() + PATIENCE), cancelled: None };
    let answer = match code_server(settings) {
        Some(server) => ask_server(&server, target, &question, wording, (&asking, settings)).await?,
        None => {
            let Indexed { graph, .. } = indexing::index(target, false, Remarks::Nothing, settings, console).await?;
            tokio::task::spawn_blocking(move || answer(&*graph, &question, wording, &asking)).await?
        }
    };
    let answer = answer.map_err(|error| anyhow!("{error}"))?;
    match if console.json { RowFormat::Json } else { format } {
        RowFormat::Table => table(&answer, wording, console),
        RowFormat::Json => console.json(&as_json(answer)),
        RowFormat::Csv => csv(&answer, console)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn answer(graph: &dyn ProjectGraph, text: &str, wording: Wording, asking: &Asking) -> Result<Answer, AskError> {
    match wording {
        Wording::Any => code_query::ask(graph, text, asking),
        Wording::CypherOnly => code_query::run(graph, &Question::of_cypher(text, asking.limit)?, asking),
    }
}

/// Asks a graph server about the project that is named, or that of the folder.
async fn ask_server(
    server: &ServerGraphs,
    target: Target,
    text: &str,
    wording: Wording,
    (asking, settings): (&Asking, &Settings),
) -> anyhow::Result<Result<Answer, AskError>> {
    let Target { path, project } = target;
    let projects = Backend::new(settings).projects;
    let workspace = Workspace::new(path.unwrap_or_else(|| settings.root.clone()), projects);
    let project = match project {
        Some(project) => project,
        None => tokio::task::spawn_blocking(move || workspace.root_name()).await??,
    };
    if wording == Wording::CypherOnly {
        Question::of_cypher(text, asking.limit)?;
    }
    Ok(server.ask(&project, text, asking).await)
}

fn table(answer: &Answer, wording: Wording, console: &Console) {
    if wording == Wording::Any {
        console.line(&console.paint(Paint::Quiet, &answer.query));
    }
    if !answer.rows.is_empty() {
        let rows = answer.rows.iter().map(|row| row.iter().map(|cell| shortened(text(cell))).collect());
        console.table(&std::iter::once(answer.columns.clone()).chain(rows).collect::<Vec<_>>());
    }
    console.line(&console.paint(Paint::Strong, &answer.text()));
}

fn csv(answer: &Answer, console: &Console) -> anyhow::Result<()> {
    let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::Any(b'\n')).from_writer(Vec::new());
    writer.write_record(&answer.columns)?;
    for row in &answer.rows {
        writer.write_record(row.iter().map(text))?;
    }
    let text = String::from_utf8(writer.into_inner().context("the rows were not written")?)?;
    console.line(text.trim_end_matches('\n'));
    Ok(())
}

fn as_json(answer: Answer) -> Value {
    let text = answer.text();
    let Answer { query, columns, rows, total, notes, .. } = answer;
    let row = |cells: Row| columns.iter().cloned().zip(cells.into_iter().map(cell_json)).collect::<Map<_, _>>();
    json!({
        "query_used": query,
        "results": rows.into_iter().map(row).collect::<Vec<_>>(),
        "total": total.number(),
        "summary": text,
        "notes": notes,
    })
}

/// Texts as they are, everything else as JSON.
fn text(cell: &Cell) -> String {
    match cell {
        Cell::Null => String::new(),
        Cell::Text(text) => text.clone(),
        Cell::Bool(_) | Cell::Int(_) | Cell::Float(_) | Cell::List(_) | Cell::Map(_) => {
            cell_json(cell.clone()).to_string()
        }
    }
}

fn shortened(text: String) -> String {
    match text.char_indices().nth(WIDEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

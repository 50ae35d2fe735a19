//! `trailmark experience`: what was learned, for people.

mod line;
mod transfer;

use std::process::ExitCode;

use clap::Subcommand;
use serde_json::Value;
use store::{Experience, ExperienceId, ExperiencePage, Experiences};

use self::line::Line;
use super::call;
use crate::console::{Console, Paint, printable};
use crate::settings::Settings;
use crate::wiring::Backend;

/// A service is asked for as many vectors in a few calls.
const EMBEDDED_AT_ONCE: usize = 200;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List experiences, newest first
    List {
        #[arg(long, default_value_t = 20)]
        limit: usize,
        /// List those that were deleted
        #[arg(long)]
        deleted: bool,
    },
    /// Show one experience whole
    Show { id: String },
    /// Add an experience, given as for `submit_experience`: a JSON object, or `-` to read it from standard input
    Add { experience: String },
    /// Hide an experience from searches; `restore` brings it back
    Delete { id: String },
    /// Bring a deleted experience back
    Restore { id: String },
    /// Make vectors for the experiences that have none by the embedder that is set, so that they are found by meaning too
    Embed,
    /// Write every experience as JSON Lines, the deleted ones too
    Export {
        /// The file [default: standard output]
        file: Option<std::path::PathBuf>,
    },
    /// Read experiences as JSON Lines; those that are known already stay as they are
    Import {
        /// The file, or `-` for standard input
        file: std::path::PathBuf,
    },
}

pub(super) async fn run(command: Command, settings: &Settings, console: &Console) -> anyhow::Result<ExitCode> {
    if let Command::Add { experience } = command {
        return call::run("submit_experience".to_owned(), &experience, settings, console).await;
    }
    let backend = Backend::new(settings);
    let experiences: &dyn Experiences = &*backend.experiences;
    let code = match command {
        Command::List { limit, deleted } => list(experiences, limit, deleted, console).await?,
        Command::Show { id } => show(&experiences.get(id.parse()?).await?, console),
        Command::Delete { id } => delete(experiences, id.parse()?, console).await?,
        Command::Restore { id } => restore(experiences, id.parse()?, console).await?,
        Command::Embed => embed(experiences, console).await?,
        Command::Export { file } => transfer::export(experiences, file.as_deref(), console).await?,
        Command::Import { file } => transfer::import(experiences, &file, console).await?,
        Command::Add { .. } => unreachable!("answered by the tool itself"),
    };
    backend.close().await;
    Ok(code)
}

async fn list(
    experiences: &dyn Experiences,
    limit: usize,
    deleted: bool,
    console: &Console,
) -> anyhow::Result<ExitCode> {
    let found = experiences.newest(ExperiencePage { limit, after: None, deleted }).await?;
    if console.json {
        console.json(&found.iter().map(Line::from).collect::<Vec<_>>());
        return Ok(ExitCode::SUCCESS);
    }
    if found.is_empty() {
        console.remark(if deleted { "No experience is deleted." } else { "No experience is kept yet." });
    }
    let row = |experience: &Experience| {
        let Experience { id, content, query_count, created_at, .. } = experience;
        let time = created_at.strftime("%Y-%m-%d %H:%M:%S").to_string();
        vec![id.to_string(), time, format!("found {query_count}×"), printable(&content.title)]
    };
    console.table(&found.iter().map(row).collect::<Vec<_>>());
    Ok(ExitCode::SUCCESS)
}

fn show(experience: &Experience, console: &Console) -> ExitCode {
    let line = Line::from(experience);
    if console.json {
        console.json(&line);
        return ExitCode::SUCCESS;
    }
    let Ok(Value::Object(fields)) = serde_json::to_value(&line) else { return ExitCode::FAILURE };
    for (name, value) in fields {
        let text = match value {
            Value::String(text) => text,
            Value::Array(items) => items.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", "),
            other @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_)) => other.to_string(),
        };
        console.line(&console.paint(Paint::Strong, &name));
        text.lines().for_each(|line| console.line(&format!("  {}", printable(line))));
    }
    ExitCode::SUCCESS
}

async fn delete(experiences: &dyn Experiences, id: ExperienceId, console: &Console) -> anyhow::Result<ExitCode> {
    experiences.delete(id).await?;
    said(console, "deleted", id, "Deleted");
    Ok(ExitCode::SUCCESS)
}

async fn restore(experiences: &dyn Experiences, id: ExperienceId, console: &Console) -> anyhow::Result<ExitCode> {
    experiences.restore(id).await?;
    said(console, "restored", id, "Restored");
    Ok(ExitCode::SUCCESS)
}

/// Those that have one already cost a look. After a failure, what was made stays, and the next call goes on.
async fn embed(experiences: &dyn Experiences, console: &Console) -> anyhow::Result<ExitCode> {
    let (mut after, mut looked_at, mut made) = (None, 0, 0);
    loop {
        let page = experiences.in_order(after, EMBEDDED_AT_ONCE).await?;
        let Some(last) = page.last() else { break };
        after = Some(last.id);
        looked_at += page.len();
        made += experiences.make_vectors(page).await?;
    }
    if console.json {
        console.json(&serde_json::json!({ "experiences": looked_at, "made": made }));
    } else {
        console.line(&format!("Made vectors for {made} experiences; {} had theirs.", looked_at - made));
    }
    Ok(ExitCode::SUCCESS)
}

fn said(console: &Console, key: &str, id: ExperienceId, sentence: &str) {
    if console.json {
        console.json(&serde_json::json!({ key: id.to_string() }));
    } else {
        console.line(&format!("{sentence} {id}."));
    }
}

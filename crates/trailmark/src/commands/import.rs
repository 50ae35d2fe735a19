//! `trailmark import`: a code graph on a graph server, for teams that have one.

use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{anyhow, bail};
use clap::Args;
use graph_server::{Error, Outcome, Phase, Progress, Report, Target};
use serde_json::json;

use super::progress::Display;
use super::stored_project::StoredProject;
use crate::console::{Console, printable};
use crate::settings::{BOLT_PASSWORD_VARIABLE, Settings};
use crate::wiring::Backend;

/// How often a project is imported again that changes while it is imported.
const ATTEMPTS: usize = 3;

#[derive(Debug, Args)]
pub(crate) struct Import {
    /// The server's Bolt address; bolt+s:// for TLS, bolt+ssc:// for TLS with a certificate that nobody signed
    #[arg(long, value_name = "bolt://HOST:PORT")]
    to: String,
    /// Whom to log in as; the password is read from TRAILMARK_BOLT_PASSWORD
    #[arg(long, default_value = "neo4j")]
    user: String,
    /// The database on the server [default: the server's default]
    #[arg(long)]
    database: Option<String>,
    /// The name of the project [default: that of the root]
    #[arg(long, value_name = "NAME")]
    project: Option<String>,
}

pub(super) async fn run(options: Import, settings: &Settings, console: &Console) -> anyhow::Result<ExitCode> {
    let password = std::env::var(BOLT_PASSWORD_VARIABLE).unwrap_or_default();
    let target =
        Target::new(&options.to, &options.user, password, options.database).map_err(|error| explained(&error))?;
    let catalog = Backend::new(settings).projects;
    let (name, settings) = (options.project, settings.clone());
    let opened =
        tokio::task::spawn_blocking(move || StoredProject::open(&*catalog, name.as_deref(), &settings)).await?;
    let mut project = opened?;
    for _ in 0..ATTEMPTS {
        let imported = import(&target, &project, console).await;
        let before = project.clone();
        match tokio::task::spawn_blocking(move || before.changed()).await?? {
            Some(changed) if is_worth_another(&imported) => project = changed,
            Some(_) | None => {
                let report = imported.map_err(|error| explained(&error))?;
                print(&report, &target, &project, console);
                return Ok(ExitCode::SUCCESS);
            }
        }
    }
    bail!("the project changes too often to be imported as one state of it; run this again")
}

/// What went wrong with the server will go wrong again; what was wrong with the numbers was the change.
fn is_worth_another(imported: &Result<Report, Error>) -> bool {
    matches!(imported, Ok(_) | Err(Error::Incomplete { .. }))
}

async fn import(target: &Target, project: &Arc<StoredProject>, console: &Console) -> Result<Report, Error> {
    let import = graph_server::Import {
        project: project.name().to_owned(),
        epoch: project.epoch(),
        nodes: project.node_count(),
        relationships: project.relationship_count(),
    };
    let mut display = Display::new(console);
    let report = graph_server::import(target, &import, project.clone(), &mut |progress| {
        let Progress { phase, done, total } = progress;
        display.show(word(phase), done, total);
    })
    .await;
    display.clear();
    report
}

fn word(phase: Phase) -> &'static str {
    match phase {
        Phase::Nodes => "nodes",
        Phase::Relationships => "relationships",
        Phase::Removing => "removing",
    }
}

fn explained(error: &Error) -> anyhow::Error {
    match error.hint() {
        Some(hint) => anyhow!("{error} ({hint})"),
        None => anyhow!("{error}"),
    }
}

fn print(report: &Report, target: &Target, project: &StoredProject, console: &Console) {
    project.remark().iter().for_each(|remark| console.remark(remark));
    let (name, nodes, relationships) = (project.name(), project.node_count(), project.relationship_count());
    let Report { outcome, removed_nodes, removed_relationships } = report;
    let (word, before) = match outcome {
        Outcome::Imported => ("imported", None),
        Outcome::Continued { nodes, relationships } => ("continued", Some((nodes, relationships))),
        Outcome::UpToDate => ("up to date", None),
    };
    if console.json {
        console.json(&json!({
            "project": name,
            "to": target.address(),
            "outcome": word,
            "nodes": nodes,
            "relationships": relationships,
            "continued_after": before.map(|(nodes, relationships)| json!({ "nodes": nodes, "relationships": relationships })),
            "removed": { "nodes": removed_nodes, "relationships": removed_relationships },
        }));
        return;
    }
    let name = printable(name);
    console.line(&format!("{} has {name}: {nodes} nodes, {relationships} relationships ({word})", target.address()));
    if let Some((nodes, relationships)) = before {
        console.line(&format!("  went on after {nodes} nodes and {relationships} relationships of an earlier run"));
    }
    if (*removed_nodes, *removed_relationships) != (0, 0) {
        console.line(&format!("  removed {removed_nodes} nodes, and {removed_relationships} relationships of others"));
    }
}

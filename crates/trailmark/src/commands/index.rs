//! `trailmark index`: a repository becomes a code graph, and what was left out is named.

use std::process::ExitCode;

use code_index::{IndexReport, Skipped};
use serde_json::{Value, json};

use super::indexing::{self, Indexed, Remarks};
use crate::command_line::Target;
use crate::console::{Console, Paint, printable};
use crate::settings::Settings;

/// Skipped files that are named unless all are asked for.
const MOST_SKIPPED: usize = 20;

pub(super) async fn run(
    target: Target,
    force: bool,
    verbose: bool,
    settings: &Settings,
    console: &Console,
) -> anyhow::Result<ExitCode> {
    let Indexed { report, .. } = indexing::index(target, force, Remarks::Stages, settings, console).await?;
    if console.json {
        console.json(&described(&report));
    } else {
        print(&report, verbose, console);
    }
    Ok(ExitCode::SUCCESS)
}

fn print(report: &IndexReport, verbose: bool, console: &Console) {
    let IndexReport { files, parsed, unchanged, removed, nodes, relationships, .. } = report;
    let name = console.paint(Paint::Strong, &printable(&report.project));
    let (root, seconds) = (report.root.display(), report.timings.total().as_secs_f64());
    console.line(&format!("Indexed {root} as {name} in {seconds:.2} s"));
    console.line(&format!("  {files} files: {parsed} read, {unchanged} unchanged, {removed} removed"));
    console.line(&format!("  {nodes} nodes, {relationships} relationships"));
    let languages: Vec<String> = report.languages.iter().map(|(name, files)| format!("{name} {files}")).collect();
    if !languages.is_empty() {
        console.line(&format!("  files by language: {}", languages.join(", ")));
    }
    print_skipped(&report.skipped, verbose, console);
}

fn print_skipped(skipped: &[Skipped], verbose: bool, console: &Console) {
    if skipped.is_empty() {
        return;
    }
    console.line(&format!("  skipped, wholly or in part: {}", skipped.len()));
    let shown = if verbose { skipped.len() } else { MOST_SKIPPED };
    let row = |skipped: &Skipped| {
        let slash = if skipped.is_folder { "/" } else { "" };
        vec![format!("    {}{slash}", skipped.path), skipped.reason.to_string()]
    };
    console.table(&skipped.iter().take(shown).map(row).collect::<Vec<_>>());
    if skipped.len() > shown {
        console.line(&format!("    … and {} more; --verbose names them all", skipped.len() - shown));
    }
}

fn described(report: &IndexReport) -> Value {
    let skipped = |skipped: &Skipped| json!({"path": skipped.path, "folder": skipped.is_folder, "reason": skipped.reason.to_string()});
    let language = |(name, files): &(String, u64)| json!({"name": name, "files": files});
    json!({
        "project": report.project,
        "root": report.root,
        "files": report.files,
        "read": report.parsed,
        "unchanged": report.unchanged,
        "removed": report.removed,
        "nodes": report.nodes,
        "relationships": report.relationships,
        "changed": report.is_changed,
        "languages": report.languages.iter().map(language).collect::<Vec<_>>(),
        "seconds": report.timings.total().as_secs_f64(),
        "skipped": report.skipped.iter().map(skipped).collect::<Vec<_>>(),
    })
}

//! `index_repository`: a folder becomes a code graph, or its graph is brought up to date.

use std::path::PathBuf;
use std::sync::Weak;

use code_index::{IndexReport, IndexRequest, Observer, SkipReason, Skipped, Stage};
use schemars::JsonSchema;
use serde::Deserialize;
use tokio_util::sync::CancellationToken;

use super::projects::Projects;
use crate::blocking::off_runtime;
use crate::context::{Progress, ProgressSink, ToolContext};
use crate::error::ToolError;
use crate::output::Text;
use crate::tool::{Effect, ToolInfo, TypedTool};
use crate::workspace::Workspace;

/// Skipped files that an answer names.
const MOST_SKIPPED: usize = 20;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {
    /// A folder, absolute or from the server's root; by default the project's, or that root.
    #[schemars(length(min = 1))]
    path: Option<String>,
    /// Name for the project; by default the folder's.
    #[schemars(length(min = 1, max = 200))]
    project: Option<String>,
    /// Read every file again.
    #[serde(default)]
    force: bool,
}

pub(super) struct IndexRepository;

impl TypedTool for IndexRepository {
    type Params = Params;
    type Output = Text;

    const INFO: ToolInfo = ToolInfo {
        name: "index_repository",
        title: "Index repository",
        summary: "Make or update the code graph of a folder; only what changed is read. Says what was skipped and why.",
        effect: Effect { idempotent: true, ..Effect::WRITE },
        deadline: None,
        records: None,
    };

    async fn run(context: &ToolContext, params: Params) -> Result<Text, ToolError> {
        let projects = Projects::of(context);
        let reporter = Reporter { sink: context.progress_sink(), cancel: context.cancel().clone() };
        off_runtime(move || index(&projects, params, &reporter)).await
    }
}

fn index(projects: &Projects, params: Params, reporter: &Reporter) -> Result<Text, ToolError> {
    let workspace = projects.workspace();
    let root = match (params.path, &params.project) {
        (Some(path), _) => workspace.root().join(path),
        (None, Some(name)) => root_of(workspace, name)?.unwrap_or_else(|| workspace.root().to_owned()),
        (None, None) => workspace.root().to_owned(),
    };
    let request = IndexRequest { root, project: params.project, force: params.force };
    let report = workspace.indexer().index(&request, reporter)?;
    // Tells whoever waits for a graph of the root, if it is one.
    workspace.root_project()?;
    Ok(Text(described(&report)))
}

/// A project that is there already is meant where it is.
fn root_of(workspace: &Workspace, name: &str) -> Result<Option<PathBuf>, ToolError> {
    let project = workspace.projects().find(name)?;
    Ok(project.map(|project| project.info()).transpose()?.map(|info| info.root))
}

fn described(report: &IndexReport) -> String {
    let IndexReport { project, files, parsed, unchanged, removed, nodes, relationships, .. } = report;
    let (root, seconds) = (report.root.display(), report.timings.total().as_secs_f64());
    let mut text = format!(
        "Successfully indexed repository at {root}. Project {project}: {files} files ({parsed} read, {unchanged} unchanged, \
         {removed} removed), {nodes} nodes, {relationships} relationships, in {seconds:.2} s."
    );
    if !report.languages.is_empty() {
        let languages: Vec<String> = report.languages.iter().map(|(name, files)| format!("{name} {files}")).collect();
        text += &format!("\nFiles by language: {}.", languages.join(", "));
    }
    text + &skipped(&report.skipped)
}

/// What went wrong first, then what was left out by a rule.
fn skipped(skipped: &[Skipped]) -> String {
    if skipped.is_empty() {
        return String::new();
    }
    let mut ordered: Vec<&Skipped> = skipped.iter().collect();
    ordered.sort_by_key(|skipped| is_by_rule(&skipped.reason));
    let lines = ordered.iter().take(MOST_SKIPPED).map(|Skipped { path, is_folder, reason }| {
        let slash = if *is_folder { "/" } else { "" };
        format!("\n- {}{slash}: {reason}", path.escape_debug())
    });
    let more = skipped.len().saturating_sub(MOST_SKIPPED);
    let more = if more > 0 { format!("\n… and {more} more") } else { String::new() };
    format!("\nSkipped, wholly or in part: {}{}{more}", skipped.len(), lines.collect::<String>())
}

fn is_by_rule(reason: &SkipReason) -> bool {
    match reason {
        SkipReason::Ignored { .. } | SkipReason::NotOwnCode(_) | SkipReason::Hidden | SkipReason::SymbolicLink => true,
        SkipReason::NotRegular
        | SkipReason::NameIsNotUtf8
        | SkipReason::Unreadable { .. }
        | SkipReason::Incomplete { .. } => false,
    }
}

/// Tells the caller how far the run has come, in hundredths, and the run that the caller has gone.
struct Reporter {
    sink: Option<Weak<dyn ProgressSink>>,
    cancel: CancellationToken,
}

impl Reporter {
    fn report(&self, done: f64, message: String) {
        if let Some(sink) = self.sink.as_ref().and_then(Weak::upgrade) {
            sink.report(Progress { done, total: Some(100.0), message: Some(message) });
        }
    }
}

impl Observer for Reporter {
    fn progress(&self, stage: Stage, done: u64, total: u64) {
        let message = match (stage, total) {
            (Stage::Link | Stage::Write, _) => stage.name().to_owned(),
            (_, 0) => format!("{}: {done}", stage.name()),
            (_, total) => format!("{}: {done} of {total}", stage.name()),
        };
        self.report(hundredths(stage, done, total), message);
    }

    fn waiting_for(&self, process: Option<u32>) {
        let process = process.map_or_else(|| "another process".to_owned(), |id| format!("process {id}"));
        self.report(0.0, format!("waiting for {process}, which is indexing the same project"));
    }

    fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }
}

/// How far a run is: each stage has its share, and one of unknown length draws near the end of its own.
fn hundredths(stage: Stage, done: u64, total: u64) -> f64 {
    let (begin, end) = match stage {
        Stage::Scan => (0.0, 5.0),
        Stage::Read => (5.0, 75.0),
        Stage::Link => (75.0, 90.0),
        Stage::Write => (90.0, 100.0),
    };
    #[expect(clippy::cast_precision_loss, reason = "a progress bar has few steps")]
    let share = match total {
        0 => done as f64 / (done as f64 + 10_000.0),
        total => done as f64 / total as f64,
    };
    begin + (end - begin) * share
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_only_goes_forward_from_stage_to_stage() {
        let steps = [
            hundredths(Stage::Scan, 10, 0),
            hundredths(Stage::Scan, 5_000_000, 0),
            hundredths(Stage::Read, 1, 100),
            hundredths(Stage::Read, 100, 100),
            hundredths(Stage::Link, 1, 1),
            hundredths(Stage::Write, 1, 1),
        ];
        assert!(steps.is_sorted(), "{steps:?}");
        assert_eq!(steps[5], 100.0);
    }

    #[test]
    fn what_went_wrong_is_named_before_what_a_rule_left_out() {
        let hidden = |number| Skipped { path: format!(".{number}"), is_folder: true, reason: SkipReason::Hidden };
        let mut all: Vec<Skipped> = (0..21).map(hidden).collect();
        let problem = "larger than 2 MB: only the first 9 lines are indexed".to_owned();
        all.push(Skipped { path: "z\n.py".into(), is_folder: false, reason: SkipReason::Incomplete { problem } });
        let text = skipped(&all);
        let begin = "\nSkipped, wholly or in part: 22\n- z\\n.py: larger than 2 MB: only the first 9 lines are indexed\n- .0/: hidden\n";
        assert!(text.starts_with(begin), "{text}");
        assert!(text.ends_with("\n- .18/: hidden\n… and 2 more"), "{text}");
    }
}

//! A project brought up to date from the command line, with a sign of life meanwhile.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, anyhow};
use code_index::{IndexError, IndexReport, IndexRequest, Indexer, Meaning, Observer, Stage};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use store::{ProjectCatalog, ProjectGraph};

use crate::command_line::Target;
use crate::console::Console;
use crate::settings::Settings;
use crate::wiring::Backend;

/// The bar moves at least this often, so that a long stage does not look dead.
const TICK: Duration = Duration::from_millis(100);
const TEMPLATE: &str = "{spinner} {msg:<20} {wide_bar} {pos}/{len} {elapsed}";
const TEMPLATE_WITHOUT_END: &str = "{spinner} {msg:<20} {pos} {elapsed}";

/// What somebody sees of a run that is under way, where standard error is no terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Remarks {
    /// A line for each stage.
    Stages,
    Nothing,
}

/// A project that is as its folder is.
#[derive(Debug)]
pub(super) struct Indexed {
    pub(super) report: IndexReport,
    pub(super) graph: Arc<dyn ProjectGraph>,
    /// What its vectors are made by.
    pub(super) meaning: Meaning,
}

/// Indexes the repository, or what changed in it.
pub(super) async fn index(
    target: Target,
    force: bool,
    remarks: Remarks,
    settings: &Settings,
    console: &Console,
) -> anyhow::Result<Indexed> {
    let Backend { projects, meaning, .. } = Backend::new(settings);
    let catalog: Arc<dyn ProjectCatalog> = projects;
    let (default, display) = (settings.root.clone(), Display::new(remarks, *console));
    tokio::task::spawn_blocking(move || {
        let root = root(&*catalog, &target, default)?;
        let request = IndexRequest { root, project: target.project, force };
        let indexer = Indexer::new(catalog.clone()).with_meaning(meaning.clone());
        let report = indexer.index(&request, &display);
        indexer.leave();
        display.clear();
        let report = report.map_err(|error| explained(&error))?;
        if let Some(reason) = &report.without_meaning {
            display.console.remark(&format!("some code is found by words alone: {reason}"));
        }
        let graph = catalog.find(&report.project)?.context("the project was deleted while it was indexed")?;
        Ok(Indexed { report, graph, meaning })
    })
    .await?
}

/// A project that is there already is meant where it is.
fn root(catalog: &dyn ProjectCatalog, target: &Target, default: PathBuf) -> store::Result<PathBuf> {
    let known = match (&target.path, &target.project) {
        (Some(path), _) => return Ok(path.clone()),
        (None, Some(name)) => catalog.find(name)?,
        (None, None) => None,
    };
    Ok(known.map(|project| project.info()).transpose()?.map_or(default, |info| info.root))
}

fn explained(error: &IndexError) -> anyhow::Error {
    match error.hint() {
        Some(hint) => anyhow!("{error} ({hint})"),
        None => anyhow!("{error}"),
    }
}

/// A progress bar on a terminal, lines elsewhere.
struct Display {
    bar: Option<ProgressBar>,
    remarks: Remarks,
    console: Console,
    stage: Mutex<Option<Stage>>,
}

impl Display {
    fn new(remarks: Remarks, console: Console) -> Self {
        let is_terminal = std::io::stderr().is_terminal() && !console.json;
        let bar = is_terminal.then(|| ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr()));
        let remarks = if console.json { Remarks::Nothing } else { remarks };
        Self { bar, remarks, console, stage: Mutex::default() }
    }

    fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn begin(&self, stage: Stage, total: u64) {
        match &self.bar {
            Some(bar) => {
                let template = if total == 0 { TEMPLATE_WITHOUT_END } else { TEMPLATE };
                if let Ok(style) = ProgressStyle::with_template(template) {
                    bar.set_style(style);
                }
                bar.set_message(stage.name());
                bar.enable_steady_tick(TICK);
            }
            None if self.remarks == Remarks::Stages && total > 1 => {
                self.console.remark(&format!("{}: {total}", stage.name()));
            }
            None if self.remarks == Remarks::Stages => self.console.remark(stage.name()),
            None => {}
        }
    }
}

impl Observer for Display {
    fn progress(&self, stage: Stage, done: u64, total: u64) {
        let mut current = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        if *current != Some(stage) {
            *current = Some(stage);
            self.begin(stage, total);
        }
        drop(current);
        if let Some(bar) = &self.bar {
            bar.set_length(total);
            bar.set_position(done);
        }
    }

    fn remark(&self, remark: &str) {
        self.console.remark(remark);
    }

    fn waiting_for(&self, process: Option<u32>) {
        let mut current = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        if current.replace(Stage::Scan).is_none() {
            let process = process.map_or_else(|| "another process".to_owned(), |id| format!("process {id}"));
            self.console.remark(&format!("waiting for {process}, which is indexing the same project"));
        }
    }
}

//! `trailmark export`: a code graph in a file that other programs read.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use graph_export::{FORMATS, Format};
use serde_json::json;

use super::stored_project::StoredProject;
use crate::console::{Console, printable};
use crate::settings::Settings;
use crate::wiring::Backend;

/// How often a project is read again that changes while it is read.
const ATTEMPTS: usize = 3;

#[derive(Debug, Args)]
pub(crate) struct Export {
    /// The name of the project [default: that of the root]
    #[arg(long, value_name = "NAME")]
    project: Option<String>,
    /// What the graph is written as
    #[arg(long, value_parser = formats())]
    format: String,
    /// The file to write, which appears when it is whole [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

fn formats() -> PossibleValuesParser {
    PossibleValuesParser::new(FORMATS.iter().map(|format| PossibleValue::new(format.name).help(format.purpose)))
}

pub(super) async fn run(options: Export, settings: &Settings, console: &Console) -> anyhow::Result<ExitCode> {
    let catalog = Backend::new(settings).projects;
    let (settings, console) = (settings.clone(), *console);
    tokio::task::spawn_blocking(move || {
        let project = StoredProject::open(&*catalog, options.project.as_deref(), &settings)?;
        let format = Format::named(&options.format).context("the command line lets only known formats through")?;
        match &options.output {
            Some(file) => to_file(project, format, file, &console),
            None => to_standard_output(&project, format, &console),
        }
    })
    .await?
}

/// A reader that has gone away (`| head`) is no error.
fn to_standard_output(project: &StoredProject, format: &Format, console: &Console) -> anyhow::Result<ExitCode> {
    let mut output = BufWriter::new(io::stdout().lock());
    match (format.write)(project, &mut output).and_then(|()| output.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(ExitCode::SUCCESS),
        ended => ended.context("the project could not be written")?,
    }
    if project.changed()?.is_some() {
        bail!("the project changed while it was written: what was written is not one state of it; run this again");
    }
    project.remark().iter().for_each(|remark| console.remark(remark));
    Ok(ExitCode::SUCCESS)
}

fn to_file(
    mut project: Arc<StoredProject>,
    format: &Format,
    file: &Path,
    console: &Console,
) -> anyhow::Result<ExitCode> {
    let unfinished = Unfinished::beside(file)?;
    for _ in 0..ATTEMPTS {
        unfinished.write(&project, format).with_context(|| format!("cannot write {}", file.display()))?;
        match project.changed()? {
            Some(changed) => project = changed,
            None => {
                unfinished.take_place(file)?;
                report(&project, file, console);
                return Ok(ExitCode::SUCCESS);
            }
        }
    }
    bail!("the project changes too often to be written as one state of it; run this again")
}

fn report(project: &StoredProject, file: &Path, console: &Console) {
    project.remark().iter().for_each(|remark| console.remark(remark));
    let (name, nodes, relationships) = (project.name(), project.node_count(), project.relationship_count());
    if console.json {
        console.json(&json!({ "project": name, "nodes": nodes, "relationships": relationships, "file": file }));
    } else {
        let name = printable(name);
        console.line(&format!("Wrote {name}: {nodes} nodes, {relationships} relationships, to {}", file.display()));
    }
}

/// A file that is removed unless it takes the place of the one that was asked for.
struct Unfinished(PathBuf);

impl Unfinished {
    fn beside(file: &Path) -> anyhow::Result<Self> {
        let name = file.file_name().with_context(|| format!("{} names no file", file.display()))?;
        Ok(Self(file.with_file_name(format!(".{}.{}.unfinished", name.to_string_lossy(), std::process::id()))))
    }

    fn write(&self, project: &StoredProject, format: &Format) -> io::Result<()> {
        let mut output = BufWriter::new(File::create(&self.0)?);
        (format.write)(project, &mut output)?;
        output.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
    }

    fn take_place(&self, file: &Path) -> anyhow::Result<()> {
        fs::rename(&self.0, file).with_context(|| format!("cannot write {}", file.display()))
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

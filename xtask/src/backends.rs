//! `cargo xtask backends up|down`: the servers that tests start, kept running for a person to try things on.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use test_servers::{Left, PROGRAMS, Program, Server};

use crate::install::PythonTools;
use crate::test_run::cargo_tests;
use crate::test_run::report::Outcome;
use crate::{cache, promises};

/// What to do with the servers of these names, or with all.
#[derive(Debug, PartialEq)]
pub(crate) enum Action {
    Up(Vec<String>),
    Down(Vec<String>),
    /// Runs the cases of every backend and writes down how they ended.
    Table,
}

pub(crate) fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Action, String> {
    let action = arguments.next();
    let names: Vec<String> = arguments.collect();
    if let Some(unknown) = names.iter().find(|name| PROGRAMS.iter().all(|program| program.name() != *name)) {
        let known: Vec<&str> = PROGRAMS.iter().map(|program| program.name()).collect();
        return Err(format!("unknown backend `{unknown}`; there are {}", known.join(", ")));
    }
    match action.as_deref() {
        Some("up") => Ok(Action::Up(names)),
        Some("down") => Ok(Action::Down(names)),
        Some("table") if names.is_empty() => Ok(Action::Table),
        _ => Err("backends needs `up`, `down` or `table`".to_owned()),
    }
}

pub(crate) fn run(root: &Path, action: &Action) -> Result<bool> {
    let cache = cache::test_cache_dir()?;
    let running = cache.join("backends");
    fs::create_dir_all(&running).with_context(|| format!("cannot create {}", running.display()))?;
    match action {
        Action::Up(names) => chosen(names).try_for_each(|program| up(&cache, &running, program))?,
        Action::Down(names) => chosen(names).try_for_each(|program| down(&running, program))?,
        Action::Table => return table(root, &Installed::all(&cache)?),
    }
    Ok(true)
}

fn table(root: &Path, servers: &Installed) -> Result<bool> {
    let results = tempfile::tempdir()?;
    let outcome = cargo_tests::run_promises(root, servers, results.path())?;
    println!("{outcome}");
    promises::write(root, results.path())?;
    Ok(matches!(outcome, Outcome::Passed(_)))
}

fn chosen(names: &[String]) -> impl Iterator<Item = &'static dyn Program> {
    PROGRAMS.iter().copied().filter(|program| names.is_empty() || names.iter().any(|name| name == program.name()))
}

fn up(cache: &Path, running: &Path, program: &'static dyn Program) -> Result<()> {
    let file = file(running, program);
    if let Some(left) = left(&file)?.filter(Left::is_running) {
        println!("# {} runs already, process {}", program.name(), left.process);
        show(program, &left);
        return Ok(());
    }
    down(running, program)?;
    let tools = PythonTools::for_server(cache, program)?;
    let left = Server::start_from(program, tools.folder().to_path_buf())?.leave()?;
    fs::write(&file, left.to_text()).with_context(|| format!("cannot write {}", file.display()))?;
    println!("# {}, process {}, data in {}", described(program), left.process, left.folder.display());
    show(program, &left);
    Ok(())
}

/// Lines that a shell can read.
fn show(program: &dyn Program, left: &Left) {
    for setting in program.settings() {
        println!("export {setting}='{}'", left.url);
    }
}

fn down(running: &Path, program: &dyn Program) -> Result<()> {
    let file = file(running, program);
    let Some(left) = left(&file)? else { return Ok(()) };
    if left.end()? {
        println!("# {} ended, process {}", program.name(), left.process);
    }
    fs::remove_file(&file).with_context(|| format!("cannot delete {}", file.display()))
}

fn file(running: &Path, program: &dyn Program) -> PathBuf {
    running.join(program.name())
}

fn left(file: &Path) -> Result<Option<Left>> {
    if !file.exists() {
        return Ok(None);
    }
    let left = fs::read_to_string(file).map_err(anyhow::Error::from).and_then(|text| Left::from_text(&text));
    left.map(Some).with_context(|| format!("cannot read {}", file.display()))
}

fn described(program: &dyn Program) -> String {
    let packages = program.packages().iter().map(|package| format!("{} {}", package.name, package.version));
    format!("{} ({})", program.name(), packages.collect::<Vec<_>>().join(", "))
}

/// Every server, installed for tests to start.
#[derive(Debug)]
pub(crate) struct Installed(Vec<(&'static dyn Program, PythonTools)>);

impl Installed {
    pub(crate) fn all(cache: &Path) -> Result<Self> {
        let install = |program: &&'static dyn Program| Ok((*program, PythonTools::for_server(cache, *program)?));
        Ok(Self(PROGRAMS.iter().map(install).collect::<Result<_>>()?))
    }

    /// What tells tests where each is.
    pub(crate) fn variables(&self) -> impl Iterator<Item = (String, &Path)> {
        self.0.iter().map(|(program, tools)| (program.variable(), tools.folder()))
    }

    pub(crate) fn describe(&self) -> Result<String> {
        Ok(self.0.iter().map(|(program, _)| described(*program)).collect::<Vec<_>>().join(", "))
    }
}

//! What one run of the proof has at hand, and its steps that only call cargo or install something.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};
use tempfile::TempDir;

use super::binaries::Binaries;
use super::report::Outcome;
use crate::backends::Installed;
use crate::install::{NodeTools, PythonTools};
use crate::process::{self, Show};
use crate::{cache, workspace};

const CARGO: Duration = Duration::from_secs(60 * 60);

#[derive(Debug)]
pub(super) struct Session {
    pub(super) root: PathBuf,
    /// Deleted at the end, with everything the steps put there.
    scratch: TempDir,
    node: Option<NodeTools>,
    python: Option<PythonTools>,
    graphs: Option<PythonTools>,
    apis: Option<PythonTools>,
    graphqlite: Option<PythonTools>,
    embedding: Option<PythonTools>,
    ckb: Option<NodeTools>,
    mcp_searxng: Option<NodeTools>,
    backends: Option<Installed>,
    binaries: Option<Binaries>,
}

impl Session {
    pub(super) fn new(root: PathBuf) -> Result<Self> {
        let scratch = tempfile::Builder::new().prefix("trailmark-test-").tempdir()?;
        Ok(Self {
            root,
            scratch,
            node: None,
            python: None,
            graphs: None,
            embedding: None,
            apis: None,
            graphqlite: None,
            ckb: None,
            mcp_searxng: None,
            backends: None,
            binaries: None,
        })
    }

    pub(super) fn node(&self) -> Result<&NodeTools> {
        self.node.as_ref().context("`install-node` comes first")
    }

    pub(super) fn python(&self) -> Result<&PythonTools> {
        self.python.as_ref().context("`install-python` comes first")
    }

    pub(super) fn graphs(&self) -> Result<&PythonTools> {
        self.graphs.as_ref().context("`install-graph-server` comes first")
    }

    pub(super) fn apis(&self) -> Result<&PythonTools> {
        self.apis.as_ref().context("`install-apis` comes first")
    }

    pub(super) fn graphqlite(&self) -> Result<&PythonTools> {
        self.graphqlite.as_ref().context("`install-graphqlite` comes first")
    }

    pub(super) fn embedding(&self) -> Result<&PythonTools> {
        self.embedding.as_ref().context("`install-embedding-model` comes first")
    }

    pub(super) fn ckb(&self) -> Result<&NodeTools> {
        self.ckb.as_ref().context("`install-ckb` comes first")
    }

    pub(super) fn mcp_searxng(&self) -> Result<&NodeTools> {
        self.mcp_searxng.as_ref().context("`install-mcp-searxng` comes first")
    }

    pub(super) fn backends(&self) -> Result<&Installed> {
        self.backends.as_ref().context("`install-backends` comes first")
    }

    pub(super) fn binaries(&self) -> Result<&Binaries> {
        self.binaries.as_ref().context("`build` comes first")
    }

    /// A new, empty folder for one purpose.
    pub(super) fn folder(&self, purpose: &str) -> Result<PathBuf> {
        let folder = tempfile::Builder::new().prefix(&format!("{purpose}-")).tempdir_in(self.scratch.path())?;
        Ok(folder.keep())
    }

    pub(super) fn install_node(&mut self) -> Result<Outcome> {
        Ok(keep(&mut self.node, NodeTools::for_tests, NodeTools::describe))
    }

    pub(super) fn install_python(&mut self) -> Result<Outcome> {
        Ok(keep(&mut self.python, PythonTools::for_tests, PythonTools::describe))
    }

    pub(super) fn install_graph_server(&mut self) -> Result<Outcome> {
        Ok(keep(&mut self.graphs, PythonTools::for_graphs, PythonTools::describe))
    }

    pub(super) fn install_apis(&mut self) -> Result<Outcome> {
        Ok(keep(&mut self.apis, PythonTools::for_apis, PythonTools::describe))
    }

    pub(super) fn install_graphqlite(&mut self) -> Result<Outcome> {
        Ok(keep(&mut self.graphqlite, PythonTools::for_graphqlite, PythonTools::describe))
    }

    pub(super) fn install_embedding(&mut self) -> Result<Outcome> {
        Ok(keep(&mut self.embedding, PythonTools::for_embedding, PythonTools::describe))
    }

    pub(super) fn install_ckb(&mut self) -> Result<Outcome> {
        Ok(keep(&mut self.ckb, NodeTools::for_ckb, NodeTools::describe_ckb))
    }

    pub(super) fn install_mcp_searxng(&mut self) -> Result<Outcome> {
        Ok(keep(&mut self.mcp_searxng, NodeTools::for_mcp_searxng, NodeTools::describe_mcp_searxng))
    }

    pub(super) fn install_backends(&mut self) -> Result<Outcome> {
        Ok(keep(&mut self.backends, Installed::all, Installed::describe))
    }

    pub(super) fn format(&mut self) -> Result<Outcome> {
        let mut cargo = workspace::cargo(&self.root);
        cargo.args(["fmt", "--all", "--check"]);
        succeeds(&mut cargo, "every file")
    }

    /// With and without the fixtures: each leaves out some code of the other. The program also without the drivers of servers.
    pub(super) fn lint(&mut self) -> Result<Outcome> {
        let whole = ["--workspace", "--all-targets"];
        let slim = ["--package", "trailmark", "--no-default-features"];
        for part in [&[&whole[..], &["--all-features"]].concat()[..], &whole, &slim] {
            let mut cargo = workspace::cargo(&self.root);
            cargo.arg("clippy").args(part).args(["--", "-D", "warnings"]);
            let finished = process::run(&mut cargo, CARGO, Show::Live)?;
            if !finished.status.success() {
                return Ok(Outcome::Failed(format!("`{}` found something", process::describe(&cargo))));
            }
        }
        Ok(Outcome::Passed("no warning".to_owned()))
    }

    pub(super) fn build(&mut self) -> Result<Outcome> {
        let folder = self.folder("bin")?;
        self.binaries = Some(Binaries::build(&self.root, &folder)?);
        Ok(Outcome::Passed("the binary, and the binary with the fixtures of the conformance suite".to_owned()))
    }
}

/// What cannot be installed leaves its steps undone; that is not the same as a failure of ours.
fn keep<T>(place: &mut Option<T>, install: fn(&Path) -> Result<T>, describe: fn(&T) -> Result<String>) -> Outcome {
    let installed = cache::test_cache_dir().and_then(|cache| install(&cache));
    let described = installed.and_then(|tools| {
        let description = describe(&tools)?;
        *place = Some(tools);
        Ok(description)
    });
    described.map_or_else(|error| Outcome::NotRun(format!("{error:#}")), Outcome::Passed)
}

fn succeeds(command: &mut Command, proved: &str) -> Result<Outcome> {
    let finished = process::run(command, CARGO, Show::Live)?;
    Ok(Outcome::of(finished.status.success(), proved))
}

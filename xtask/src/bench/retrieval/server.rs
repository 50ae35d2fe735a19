//! What finding code costs in a server, which also sees to it that its graph is as the files are.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{LONGEST, ROUNDS};
use crate::bench::report::{Figure, Limit, Report};
use crate::bench::session::StdioSession;
use crate::bench::{machine, usage};
use crate::sources::Tree;
use crate::{release, workspace};

/// What a server does in the background, at its start or after its first call, has long begun by then.
const SETTLED: Duration = Duration::from_secs(5);

const SETTINGS: &str = "[ckb_integration]\nenabled = false\n";

/// Who keeps the graph fresh.
const FOLLOWED: &str = "it follows the root";
const ASKED: &str = "it looks at all files before each answer";

pub(super) struct Server {
    binary: PathBuf,
    folder: TempDir,
}

/// A server whose tree is indexed, and what it has in RAM without one.
struct Started {
    session: StdioSession,
    project: Option<String>,
    idle: f64,
}

impl Server {
    pub(super) fn build(root: &Path) -> Result<Self> {
        let server = Self {
            binary: release::binary(root)?,
            folder: tempfile::Builder::new().prefix("trailmark-bench-").tempdir()?,
        };
        for folder in ["home", "empty"] {
            std::fs::create_dir(server.folder.path().join(folder))?;
        }
        std::fs::write(server.folder.path().join("home/trailmark.toml"), SETTINGS)?;
        Ok(server)
    }

    /// Above that of a server without a graph. The graph itself stays on disk. In a tree of middle size a server that follows it
    /// also gets ready for the first changed file, for which there is no limit.
    pub(super) fn memory(
        &self,
        tree: &Path,
        source: &Tree,
        questions: &[String],
        has_limits: bool,
        report: &mut Report,
    ) -> Result<()> {
        let (project, nodes) = self.index(tree)?;
        for (how, mut server) in [(FOLLOWED, self.that_follows(tree)?), (ASKED, self.that_is_asked(&project)?)] {
            server.ask(&questions[0])?;
            let first = server.memory()?;
            questions.iter().try_for_each(|question| server.ask(question))?;
            let all = server.memory()?;
            std::thread::sleep(SETTLED);
            let later = server.memory()?;
            for (when, megabytes) in [
                ("memory of a server above an idle one, after the first call", first),
                ("memory of a server above an idle one, after all calls", all),
                ("memory of a server above an idle one, some seconds later", later),
            ] {
                let figure = Figure::megabytes(when, megabytes).under(&format!(
                    "{}, {nodes} nodes, {} calls, {how}",
                    source.name,
                    questions.len() + 1
                ));
                report.add(figure.held_to(has_limits.then_some(Limit::Megabytes(150.0))));
            }
        }
        Ok(())
    }

    /// Time on the clock, from a question to the whole of its answer. Limits are for a tree of middle size, in a server that
    /// follows it.
    pub(super) fn time(
        &self,
        tree: &Path,
        source: &Tree,
        questions: &[String],
        has_limits: bool,
        report: &mut Report,
    ) -> Result<()> {
        let (project, _) = self.index(tree)?;
        for (how, mut server) in [(FOLLOWED, self.that_follows(tree)?), (ASKED, self.that_is_asked(&project)?)] {
            questions.iter().try_for_each(|question| server.ask(question))?;
            let mut times = Vec::new();
            for question in std::iter::repeat_n(questions, ROUNDS - 1).flatten() {
                let asked = Instant::now();
                server.ask(question)?;
                times.push(asked.elapsed());
            }
            times.sort_unstable();
            let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize];
            let what = format!("{}, {} calls, {how}", source.name, times.len());
            for (name, part, limit) in [
                ("a call of a server p50, on the clock", 0.5, 30.0),
                ("a call of a server p99, on the clock", 0.99, 100.0),
            ] {
                let limit = (has_limits && how == FOLLOWED).then_some(Limit::Milliseconds(limit));
                report.add(Figure::time(name, at(part)).under(&what).held_to(limit));
            }
        }
        Ok(())
    }

    /// The project of the tree and how many nodes it has.
    fn index(&self, tree: &Path) -> Result<(String, u64)> {
        let mut index = self.trailmark();
        let (_, printed) = usage::of(index.args(["index", "--json"]).arg(tree), None, LONGEST)?;
        let said: Value = serde_json::from_str(&printed).with_context(|| format!("not JSON: {printed}"))?;
        let name = said["project"].as_str().context("an index has a project")?;
        Ok((name.to_owned(), said["nodes"].as_u64().context("an index has nodes")?))
    }

    fn that_follows(&self, tree: &Path) -> Result<Started> {
        let session = self.serve(tree)?;
        Ok(Started { session, project: None, idle: self.idle()? })
    }

    fn that_is_asked(&self, project: &str) -> Result<Started> {
        let session = self.serve(&self.folder.path().join("empty"))?;
        Ok(Started { session, project: Some(project.to_owned()), idle: self.idle()? })
    }

    /// Of a server whose root has no graph.
    fn idle(&self) -> Result<f64> {
        machine::resident_megabytes(self.serve(&self.folder.path().join("empty"))?.process())
    }

    fn serve(&self, tree: &Path) -> Result<StdioSession> {
        let mut session = StdioSession::start(self.trailmark().arg("serve").arg("--root").arg(tree))?;
        session.initialize()?;
        std::thread::sleep(SETTLED);
        Ok(session)
    }

    fn trailmark(&self) -> Command {
        let mut command = Command::new(&self.binary);
        workspace::remove_settings(&mut command);
        command.current_dir(self.folder.path()).env("TRAILMARK_HOME", self.folder.path().join("home"));
        command
    }
}

impl Started {
    fn ask(&mut self, question: &str) -> Result<()> {
        let mut arguments = json!({ "query": question });
        if let Some(project) = &self.project {
            arguments["project"] = json!(project);
        }
        let answer = self.session.call("ci_graph_rag", arguments)?;
        let warning = &answer["structuredContent"]["metadata"]["warning"];
        let is_behind = warning.as_str().is_some_and(|warning| warning.contains("may be behind"));
        ensure!(!is_behind, "the server did not keep up: {warning}");
        Ok(())
    }

    fn memory(&self) -> Result<f64> {
        Ok(machine::resident_megabytes(self.session.process())? - self.idle)
    }
}

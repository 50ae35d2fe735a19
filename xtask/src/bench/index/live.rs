//! A server beside an editor: how soon a save is in the graph, and how long a question takes.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::Size;
use super::subject::{LONGEST, Project, Subject, edit, repeat};
use crate::bench::machine;
use crate::bench::report::{Figure, Limit, Report};
use crate::bench::session::StdioSession;
use crate::bench::usage;

const STARTS: usize = 20;
const EDITS: usize = 15;
/// As many files as a branch switch may change.
const SWITCHED: usize = 1_000;
const SNIPPETS: usize = 1_000;
/// What the server logs when the watcher has brought the graph up to date.
const LOG: &str = "trailmark::watching=debug";
const FRESH: &str = "the graph is up to date";
const PATIENCE: Duration = Duration::from_secs(30);
/// Long enough for a run at the start to be over.
const QUIET: Duration = Duration::from_secs(2);

pub(super) fn measure(subject: &Subject, project: &Project, size: &Size, report: &mut Report) -> Result<()> {
    let names = Names::read(subject, project)?;
    opening(subject, project, &names, size, report)?;
    questions(subject, project, &names, size, report)?;
    saves(subject, project, size, report)
}

/// Names to ask for.
struct Names {
    qualified: Vec<String>,
    /// Last parts that only one definition has.
    unique_ends: Vec<String>,
}

impl Names {
    fn read(subject: &Subject, project: &Project) -> Result<Self> {
        let mut symbols = subject.trailmark(project);
        symbols.arg("symbols").arg(&project.tree).args(["--format", "lines"]);
        let (_, printed) = usage::of(&mut symbols, None, LONGEST)?;
        let rows = printed.lines().map(serde_json::from_str).collect::<Result<Vec<Value>, _>>()?;
        let field = |number: usize| {
            let mut names: Vec<String> =
                rows.iter().filter_map(|row| row[number].as_str().map(str::to_owned)).collect();
            names.sort();
            names
        };
        let (simple, mut qualified) = (field(3), field(4));
        qualified.dedup();
        let unique = simple.chunk_by(|left, right| left == right).filter(|same| same.len() == 1);
        let unique_ends: Vec<String> = unique.flatten().cloned().collect();
        ensure!(!qualified.is_empty() && !unique_ends.is_empty(), "no definition was found");
        Ok(Self { qualified: spread(&qualified), unique_ends: spread(&unique_ends) })
    }
}

/// Some of them, from everywhere.
fn spread(all: &[String]) -> Vec<String> {
    let step = (all.len() / SNIPPETS).max(1);
    all.iter().step_by(step).take(SNIPPETS).cloned().collect()
}

fn serve(subject: &Subject, project: &Project) -> Command {
    let mut serve = subject.trailmark(project);
    serve.arg("serve").arg("--root").arg(&project.tree).args(["--log", LOG]);
    serve
}

fn snippet(session: &mut StdioSession, name: &str) -> Result<bool> {
    let result = session.call("get_code_snippet", json!({ "qualified_name": name }))?;
    let body = result["content"][0]["text"].as_str().context("an answer has a text")?;
    let body: Value = serde_json::from_str(body).with_context(|| format!("not JSON: {body}"))?;
    Ok(body["found"] == true)
}

/// From nothing to the first answer, by a new process.
fn opening(subject: &Subject, project: &Project, names: &Names, size: &Size, report: &mut Report) -> Result<()> {
    let times = repeat(STARTS, || {
        let started = Instant::now();
        let mut session = StdioSession::start(&mut serve(subject, project))?;
        session.initialize()?;
        snippet(&mut session, &names.qualified[0])?;
        Ok(started.elapsed())
    })?;
    let least = repeat(STARTS, machine::spawn_and_echo)?;
    report.add(
        Figure::time("spawn → first snippet of an indexed project", median(&times))
            .under(size.tree.name)
            .machine("spawning `cat` and one line through it", median(&least))
            .held_to(Some(Limit::Milliseconds(20.0))),
    );
    Ok(())
}

fn questions(subject: &Subject, project: &Project, names: &Names, size: &Size, report: &mut Report) -> Result<()> {
    let (mut session, log) = StdioSession::start_with_log(&mut serve(subject, project))?;
    session.initialize()?;
    settle(&log);
    let _awake = machine::Awake::start()?;
    let kinds = [
        ("get_code_snippet by qualified name", &names.qualified),
        ("get_code_snippet by last part of the name", &names.unique_ends),
    ];
    for (what, names) in kinds {
        let mut times = Vec::with_capacity(names.len());
        for name in names {
            let started = Instant::now();
            snippet(&mut session, name)?;
            times.push(started.elapsed());
        }
        report.add(
            Figure::time(what, median(&times))
                .under(&format!("{}, over stdio, cores kept awake", size.tree.name))
                .machine("one line through two pipes", machine::pipe_round_trip(SNIPPETS)?)
                .held_to(Some(Limit::Milliseconds(1.0))),
        );
    }
    Ok(())
}

fn saves(subject: &Subject, project: &Project, size: &Size, report: &mut Report) -> Result<()> {
    let (mut session, log) = StdioSession::start_with_log(&mut serve(subject, project))?;
    session.initialize()?;
    settle(&log);
    let file = project.tree.join(size.edited);
    let mut server = Server { session, log };
    let edited = server.repeat(|_| edit(&file))?;
    edited.report("a save", size, report);
    let folder = file.parent().context("a file is in a folder")?;
    let new = |number: usize| folder.join(format!("added_by_the_benchmark_{number}.py"));
    let created = server.repeat(|number| {
        std::fs::write(new(number), "from .query import QuerySet\n\n\ndef made():\n    return QuerySet()\n")?;
        edit(&new(number))
    })?;
    created.report("a new file", size, report);
    (0..EDITS).try_for_each(|number| std::fs::remove_file(new(number)))?;
    settle(&server.log);
    let switched = server.switch(&project.tree)?;
    report.add(Figure::time("1,000 files changed at once → fresh graph", switched).under(size.tree.name));
    Ok(())
}

/// What some changes cost, one after the other.
struct Changes {
    waits: Vec<Duration>,
    works: Vec<Duration>,
    /// Processor time of the server for each.
    spent: Duration,
}

impl Changes {
    fn report(&self, what: &str, size: &Size, report: &mut Report) {
        let what = format!("{what}, {}", size.tree.name);
        let limit = |milliseconds| Some(Limit::Milliseconds(milliseconds));
        let wait = Figure::time("change → fresh graph in a live server", median(&self.waits));
        report.add(wait.under(&what).held_to(limit(300.0)));
        report.add(Figure::time("of that, work", median(&self.works)).under(&what).held_to(limit(100.0)));
        report.add(Figure::time("processor time of the server for it", self.spent).under(&what));
    }
}

struct Server {
    session: StdioSession,
    log: Receiver<String>,
}

impl Server {
    /// Changes something that brings a function of this name, again and again.
    fn repeat(&mut self, mut change: impl FnMut(usize) -> Result<String>) -> Result<Changes> {
        let before = processor_time(self.session.process())?;
        let (mut waits, mut works) = (Vec::new(), Vec::new());
        for number in 0..EDITS {
            let name = change(number)?;
            let (wait, work) = self.wait_for(&name)?;
            waits.push(wait);
            works.push(work);
        }
        let spent = processor_time(self.session.process())?.saturating_sub(before) / u32::try_from(EDITS)?;
        Ok(Changes { waits, works, spent })
    }

    /// How long it takes from now until the graph has a function, and how much of that is work.
    fn wait_for(&mut self, name: &str) -> Result<(Duration, Duration)> {
        let (saved, mut works) = (Instant::now(), Duration::ZERO);
        loop {
            let line = self.log.recv_timeout(PATIENCE).context("the server did not notice a change")?;
            let Some(work) = work_of(&line) else { continue };
            let wait = saved.elapsed();
            works += work;
            if snippet(&mut self.session, name)? {
                return Ok((wait, works));
            }
        }
    }

    /// Changes as many files as another branch might, and waits for the last of them.
    fn switch(&mut self, tree: &Path) -> Result<Duration> {
        let mut last = None;
        for file in python_files(tree)?.iter().take(SWITCHED) {
            last = Some(edit(file)?);
        }
        let changed = Instant::now();
        // Whoever asks for the last of them waits until all are read.
        self.wait_for(&last.context("there are no files")?)?;
        Ok(changed.elapsed())
    }
}

/// In the order of their paths.
fn python_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let (mut files, mut waiting) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(&folder)? {
            let entry = entry?;
            let path = entry.path();
            if entry.file_type()?.is_dir() {
                waiting.push(path);
            } else if path.extension().is_some_and(|extension| extension == "py") {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// `… the graph is up to date project="x" parsed=1 removed=0 seconds=0.0123`
fn work_of(line: &str) -> Option<Duration> {
    let seconds = line.contains(FRESH).then(|| line.split("seconds=").nth(1))??;
    let seconds: String = seconds.chars().take_while(|c| c.is_ascii_digit() || "e-.".contains(*c)).collect();
    seconds.parse().ok().map(Duration::from_secs_f64)
}

/// Waits until the server says nothing for a while.
fn settle(log: &Receiver<String>) {
    while log.recv_timeout(QUIET).is_ok() {}
}

/// User and system time of a process so far, in the kernel's ticks of 10 ms.
fn processor_time(process: u32) -> Result<Duration> {
    let path = format!("/proc/{process}/stat");
    let stat = std::fs::read_to_string(&path).with_context(|| format!("cannot read {path}; this bench needs Linux"))?;
    // The name, in brackets, may hold blanks.
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |number: usize| fields.get(number).and_then(|field| field.parse::<u64>().ok());
    let ticks = ticks(11).zip(ticks(12)).context("the kernel names no times")?;
    Ok(Duration::from_millis(10 * (ticks.0 + ticks.1)))
}

fn median(times: &[Duration]) -> Duration {
    let mut sorted = times.to_vec();
    sorted.sort();
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_work_is_read_from_the_log() {
        let line =
            "DEBUG trailmark::watching: the graph is up to date project=\"x\" parsed=1 removed=0 seconds=0.0125\n";
        assert_eq!(work_of(line), Some(Duration::from_micros(12_500)));
        assert_eq!(work_of("INFO listening seconds=3"), None);
    }

    #[test]
    fn names_are_taken_from_everywhere() {
        let all: Vec<String> = (0..5 * SNIPPETS).map(|number| number.to_string()).collect();
        let some = spread(&all);
        assert_eq!((some.len(), some[1].as_str(), some[SNIPPETS - 1].as_str()), (SNIPPETS, "5", "4995"));
    }
}

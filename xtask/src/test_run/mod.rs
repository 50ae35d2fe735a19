//! `cargo xtask test`: the whole proof, step by step, with one table at the end.
//!
//! A step that fails does not stop those that do not need it, so that one run shows everything. One row of [`STEPS`]
//! per step; the files beside this one hold what the steps do.

pub(crate) mod binaries;
pub(crate) mod cargo_tests;
mod checks;
mod clients;
mod conformance;
pub(crate) mod report;
mod server;
mod session;

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Result, bail};

use crate::eval::callgraph::Checked;
use crate::{cache, docs, eval, fuzz, jq, promises, tidy, web, workspace};
use report::{Outcome, Report};
use session::Session;

/// Long enough to meet a careless parser, short enough for every run.
const FUZZ_SECONDS: u64 = 10;

/// What the developer asked for; empty lists mean every step.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Selection {
    pub(crate) only: Vec<String>,
    pub(crate) skip: Vec<String>,
    pub(crate) list: bool,
}

/// One step. What it needs comes before it in the table.
#[derive(Debug, Clone, Copy)]
struct Step<S> {
    name: &'static str,
    needs: &'static [&'static str],
    run: fn(&mut S) -> Result<Outcome>,
}

const STEPS: &[Step<Session>] = &[
    Step { name: "install-node", needs: &[], run: Session::install_node },
    Step { name: "install-python", needs: &[], run: Session::install_python },
    Step { name: "install-graph-server", needs: &[], run: Session::install_graph_server },
    Step { name: "install-backends", needs: &[], run: Session::install_backends },
    Step { name: "install-apis", needs: &[], run: Session::install_apis },
    Step { name: "install-graphqlite", needs: &[], run: Session::install_graphqlite },
    Step { name: "install-embedding-model", needs: &[], run: Session::install_embedding },
    Step { name: "install-ckb", needs: &[], run: Session::install_ckb },
    Step { name: "install-mcp-searxng", needs: &[], run: Session::install_mcp_searxng },
    Step { name: "install-jq", needs: &[], run: |_| Ok(jq::install().map_or_else(not_installed, Outcome::Passed)) },
    Step { name: "install-web", needs: &[], run: |session| Ok(web_installed(session)) },
    Step { name: "format", needs: &[], run: Session::format },
    Step { name: "lint", needs: &[], run: Session::lint },
    Step { name: "build", needs: &[], run: Session::build },
    Step { name: "tests", needs: &[], run: |session| cargo_tests::run(&session.root) },
    Step { name: "tests-with-fixtures", needs: &[], run: |session| cargo_tests::run_with_fixtures(&session.root) },
    Step {
        name: "tests-with-graph-server",
        needs: &["install-graph-server", "install-backends"],
        run: run_with_graph_server,
    },
    Step { name: "tests-with-backends", needs: &["install-backends"], run: run_with_backends },
    Step { name: "tests-with-ckb", needs: &["install-ckb"], run: run_with_ckb },
    Step {
        name: "tests-with-web-search",
        needs: &["install-mcp-searxng", "install-backends"],
        run: run_with_web_search,
    },
    Step { name: "charts-in-node", needs: &["install-node", "install-web"], run: run_charts_in_node },
    Step { name: "tests-with-embedding-model", needs: &["install-embedding-model"], run: run_with_embedding },
    Step { name: "cypher-graphqlite", needs: &["install-graphqlite"], run: run_with_graphqlite },
    Step { name: "tidy", needs: &[], run: |session| Ok(Outcome::of(tidy::check_files(&session.root)?, "every check")) },
    Step { name: "docs", needs: &["build"], run: |session| Ok(Outcome::of(docs::check(&session.root)?, "all fresh")) },
    Step { name: "callgraph", needs: &["build"], run: callgraph },
    Step { name: "questions", needs: &["build"], run: questions },
    Step { name: "experiences", needs: &["build"], run: experiences },
    Step {
        name: "conformance-2026-07-28",
        needs: &["install-node", "build"],
        run: |session| conformance::required(session, "2026-07-28"),
    },
    Step {
        name: "conformance-2025-11-25",
        needs: &["install-node", "build"],
        run: |session| conformance::required(session, "2025-11-25"),
    },
    Step { name: "conformance-real-surface", needs: &["install-node", "build"], run: conformance::real_surface },
    Step { name: "clients-python", needs: &["install-python", "build"], run: clients::python },
    Step { name: "clients-apis", needs: &["install-apis", "build"], run: clients::apis },
    Step { name: "clients-node", needs: &["install-node", "build"], run: clients::node },
    Step { name: "fuzz", needs: &["build"], run: fuzz_shortly },
];

/// True when every step passed and, under CI, none was left out.
pub(crate) fn run(root: PathBuf, selection: &Selection) -> Result<bool> {
    if selection.list {
        STEPS.iter().for_each(|step| println!("{}", step.name));
        return Ok(true);
    }
    let chosen = choose(STEPS, selection)?;
    let mut session = Session::new(root)?;
    let report = run_steps(STEPS, &chosen, &mut session);
    println!("{report}");
    Ok(report.holds(workspace::is_ci()))
}

fn not_installed(error: anyhow::Error) -> Outcome {
    Outcome::NotRun(format!("{error:#}"))
}

fn run_with_graph_server(session: &mut Session) -> Result<Outcome> {
    cargo_tests::run_with_graph_server(&session.root, session.graphs()?, session.backends()?)
}

fn run_with_ckb(session: &mut Session) -> Result<Outcome> {
    cargo_tests::run_with_ckb(&session.root, session.ckb()?)
}

fn run_with_backends(session: &mut Session) -> Result<Outcome> {
    let results = session.folder("promises")?;
    Ok(match cargo_tests::run_with_backends(&session.root, session.backends()?, &results)? {
        Outcome::Passed(_) if !promises::is_fresh(&session.root, &results)? => {
            let problem =
                "docs/backends.md says something else than this run: write it with `cargo xtask backends table`";
            Outcome::Failed(problem.to_owned())
        }
        outcome @ (Outcome::Passed(_) | Outcome::Failed(_) | Outcome::NotRun(_)) => outcome,
    })
}

fn run_with_web_search(session: &mut Session) -> Result<Outcome> {
    cargo_tests::run_with_web_search(&session.root, session.mcp_searxng()?, session.backends()?)
}

/// Before anything is built, so that the tests draw what users draw.
fn web_installed(session: &Session) -> Outcome {
    web::install(&session.root).map_or_else(not_installed, Outcome::Passed)
}

/// Every chart of the suite drawn by ECharts in Node and in ours, Chinese signs included.
fn run_charts_in_node(session: &mut Session) -> Result<Outcome> {
    let fonts = web::chinese_font(&cache::test_cache_dir()?)?;
    cargo_tests::run_charts_in_node(&session.root, session.node()?, &fonts)
}

fn run_with_embedding(session: &mut Session) -> Result<Outcome> {
    cargo_tests::run_with_embedding(&session.root, session.embedding()?, &session.folder("model")?)
}

fn run_with_graphqlite(session: &mut Session) -> Result<Outcome> {
    cargo_tests::run_with_graphqlite(&session.root, session.graphqlite()?)
}

/// No call edge that was found at the last commit is lost.
fn callgraph(session: &mut Session) -> Result<Outcome> {
    Ok(match eval::callgraph::check_packs(&session.root, &session.binaries()?.plain)? {
        Checked::Holds(figures) => Outcome::Passed(figures),
        Checked::Fell(falls) => Outcome::Failed(falls.join("\n")),
        Checked::NotRun(reason) => Outcome::NotRun(reason.to_owned()),
    })
}

/// Plain questions about a package from PyPI are answered as rightly as they must be.
fn questions(session: &mut Session) -> Result<Outcome> {
    let measured = eval::questions::measure(
        &session.root,
        &session.binaries()?.plain,
        &eval::Options { show: 20, ..eval::Options::default() },
    )?;
    println!("{}", measured.lines.join("\n"));
    Ok(if measured.holds() { Outcome::Passed(measured.summary()) } else { Outcome::Failed(measured.summary()) })
}

/// The gate of experiences finds what it must and lets pass what it may.
fn experiences(session: &mut Session) -> Result<Outcome> {
    let options = eval::Options { show: 20, ..eval::Options::default() };
    Ok(match eval::experiences::measure(&session.root, &session.binaries()?.plain, &options)? {
        Some(measured) if measured.holds() => Outcome::Passed(measured.summary()),
        Some(measured) => Outcome::Failed(measured.summary()),
        None => Outcome::NotRun(eval::ABSENT.to_owned()),
    })
}

fn fuzz_shortly(session: &mut Session) -> Result<Outcome> {
    let totals = fuzz::run_targets(&session.root, FUZZ_SECONDS, None)?;
    Ok(totals.outcome())
}

/// The names of the steps to run: those asked for and what they need, without those to be skipped.
fn choose<S>(steps: &[Step<S>], selection: &Selection) -> Result<Vec<&'static str>> {
    let known = |name: &String| steps.iter().any(|step| step.name == name);
    if let Some(unknown) = selection.only.iter().chain(&selection.skip).find(|name| !known(name)) {
        let names: Vec<&str> = steps.iter().map(|step| step.name).collect();
        bail!("unknown step `{unknown}`; the steps are {}", names.join(", "));
    }
    // Steps are in order of need, so one pass from the end finds everything that is needed.
    let mut wanted: Vec<&str> = selection.only.iter().map(String::as_str).collect();
    let mut chosen: Vec<&'static str> = Vec::new();
    for step in steps.iter().rev() {
        if selection.only.is_empty() || wanted.contains(&step.name) {
            wanted.extend(step.needs);
            chosen.push(step.name);
        }
    }
    chosen.reverse();
    chosen.retain(|name| !selection.skip.iter().any(|skipped| skipped == name));
    Ok(chosen)
}

fn run_steps<S>(steps: &[Step<S>], chosen: &[&str], state: &mut S) -> Report {
    let mut report = Report::default();
    for (number, step) in steps.iter().enumerate() {
        if !chosen.contains(&step.name) {
            report.add(step.name, Outcome::NotRun("left out on the command line".to_owned()), 0.0);
            continue;
        }
        println!("\n=== {} ({} of {}) ===", step.name, number + 1, steps.len());
        let start = Instant::now();
        let outcome = match step.needs.iter().find(|needed| !report.has_passed(needed)) {
            Some(missing) => Outcome::NotRun(format!("it needs `{missing}`, which did not pass")),
            None => (step.run)(state).unwrap_or_else(|error| Outcome::Failed(format!("{error:#}"))),
        };
        println!("--- {}: {outcome}", step.name);
        report.add(step.name, outcome, start.elapsed().as_secs_f64());
    }
    report
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pass(seen: &mut Vec<&'static str>) -> Result<Outcome> {
        seen.push("ran");
        Ok(Outcome::Passed("fine".to_owned()))
    }

    const FAKES: &[Step<Vec<&'static str>>] = &[
        Step { name: "good", needs: &[], run: pass },
        Step { name: "bad", needs: &[], run: |_| bail!("it broke") },
        Step { name: "after-bad", needs: &["bad"], run: pass },
        Step { name: "after-that", needs: &["after-bad"], run: pass },
        Step { name: "after-good", needs: &["good"], run: pass },
        Step { name: "no-network", needs: &[], run: |_| Ok(Outcome::NotRun("no network".to_owned())) },
    ];

    fn selection(only: &[&str], skip: &[&str]) -> Selection {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Selection { only: owned(only), skip: owned(skip), list: false }
    }

    #[test]
    fn a_failure_stops_only_what_needs_it() {
        let chosen = choose(FAKES, &Selection::default()).unwrap();
        let mut seen = Vec::new();
        let report = run_steps(FAKES, &chosen, &mut seen);
        assert_eq!(seen.len(), 2);
        let text = report.to_string();
        assert!(text.ends_with("2 passed, 1 failed, 3 skipped"), "{text}");
        assert!(text.contains("after-bad: it needs `bad`, which did not pass"), "{text}");
        assert!(text.contains("bad: it broke"), "{text}");
        assert!(!report.holds(false));
    }

    #[test]
    fn what_was_not_run_fails_only_where_a_machine_reads_the_outcome() {
        let chosen = choose(FAKES, &selection(&["good", "no-network"], &[])).unwrap();
        let report = run_steps(FAKES, &chosen, &mut Vec::new());
        assert!(report.holds(false));
        assert!(!report.holds(true));
    }

    #[test]
    fn only_brings_what_it_needs_and_skip_wins() {
        assert_eq!(choose(FAKES, &selection(&["after-that"], &[])).unwrap(), ["bad", "after-bad", "after-that"]);
        assert_eq!(choose(FAKES, &selection(&["after-that"], &["bad"])).unwrap(), ["after-bad", "after-that"]);
        assert_eq!(choose(FAKES, &selection(&[], &["bad", "good"])).unwrap().len(), 4);
    }

    #[test]
    fn a_step_that_does_not_exist_is_refused() {
        let error = choose(FAKES, &selection(&["nonsense"], &[])).unwrap_err().to_string();
        assert!(error.starts_with("unknown step `nonsense`; the steps are good, bad"), "{error}");
    }

    #[test]
    fn steps_come_after_what_they_need_and_have_one_name_each() {
        for (index, step) in STEPS.iter().enumerate() {
            let earlier = &STEPS[..index];
            assert!(earlier.iter().all(|other| other.name != step.name), "{}", step.name);
            for needed in step.needs {
                assert!(earlier.iter().any(|other| other.name == *needed), "{} needs {needed}", step.name);
            }
        }
    }
}

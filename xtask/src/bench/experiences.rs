//! `cargo xtask bench experiences`: what finding and keeping experiences costs among a million, beside FTS5 with the same texts in
//! one run. Times are processor time unless they say otherwise.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::Options;
use super::report::{Figure, Limit, Report};
use crate::process::{self, Show};
use crate::workspace;

const RECORDS: &str = "1000000";
const LONGEST: Duration = Duration::from_secs(120 * 60);
const PEER: &str = "FTS5";

pub(super) fn run(root: &Path, options: Options) -> Result<bool> {
    let folder = tempfile::Builder::new().prefix("trailmark-bench-").tempdir()?;
    let mut cargo = workspace::cargo(root);
    cargo
        .args(["bench", "--package", "store-sqlite", "--bench", "experiences", "--", "speed", RECORDS])
        .arg(folder.path());
    let finished = process::run(&mut cargo, LONGEST, Show::Nothing)?;
    ensure!(finished.status.success(), "the bench of store-sqlite failed:\n{}", finished.tail(20));
    let line = finished.stdout.lines().rfind(|line| line.starts_with('{')).context("the bench printed no figures")?;
    let figures: Value = serde_json::from_str(line)?;
    let mut report = Report::default();
    add(&figures, &mut report)?;
    report.print(options.json);
    Ok(report.holds())
}

fn add(figures: &Value, report: &mut Report) -> Result<()> {
    let number =
        |pointer: &str| figures.pointer(pointer).and_then(Value::as_f64).with_context(|| format!("no {pointer}"));
    let milliseconds = |pointer: &str| number(pointer).map(|value| Duration::from_secs_f64(value / 1e3));
    let records = &format!("{} records", figures["records"]);
    let query = |name, share: &str, most| -> Result<Figure> {
        let figure = Figure::time(name, milliseconds(&format!("/query/{share}"))?).under(records);
        let peer = number(&format!("/fts5/{share}"))?;
        Ok(figure.peers([(PEER, peer)]).held_to(Some(Limit::Milliseconds(most))))
    };
    report.add(query("query p50", "p50", 20.0)?);
    report.add(query("query p95", "p95", 100.0)?);
    let time =
        |name, pointer: &str| -> Result<Figure> { Ok(Figure::time(name, milliseconds(pointer)?).under(records)) };
    report.add(time("submit p95, on the clock", "/submit_clock/p95")?.held_to(Some(Limit::Milliseconds(20.0))));
    report.add(time("submit p50", "/submit/p50")?);
    report.add(time("submit p95", "/submit/p95")?);
    report.add(time("count 50 answers p95", "/count_50/p95")?);
    let seconds = number("/queries_at_once/seconds")?;
    report.add(Figure::seconds("1 000 queries at once, on the clock", Duration::from_secs_f64(seconds)).under(records));
    report.add(Figure::megabytes("the store", number("/megabytes")?).under(records));
    Ok(())
}

//! `cargo xtask bench charts`: how long it takes to make a chart's option, to draw it, and to call the tool, which does both.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::Options;
use super::report::{Figure, Limit, Report};
use super::session::StdioSession;
use crate::{process, release, web, workspace};

const LIMIT: Duration = Duration::from_secs(10 * 60);

/// Up to how many rows it must be how fast, in milliseconds.
type Limits = &'static [(u64, f64)];

/// What the program measures: its word for it, ours, and the limits.
const FIGURES: &[(&str, &str, Limits)] = &[
    ("option", "making the option", &[(100, 1.0), (100_000, 50.0)]),
    ("first picture", "the first picture, with loading ECharts", &[(100, 500.0)]),
    ("picture", "a picture after that", &[(100, 50.0)]),
    ("check", "ECharts makes every mark, no picture is written", &[]),
    ("png", "a PNG of 1600×1000 of a picture", &[]),
];

pub(super) fn run(root: &Path, options: Options) -> Result<bool> {
    web::install(root)?;
    let speed = release::example(root, "chart", "speed")?;
    let mut report = Report::default();
    for line in process::run_ok(&mut Command::new(speed), LIMIT)?.stdout.lines() {
        report.add(figure(&serde_json::from_str(line)?)?);
    }
    calls(&release::binary(root)?, &mut report)?;
    report.print(options.json);
    Ok(report.holds())
}

/// Processor time, which a busy machine changes little; the clock is told beside it.
fn figure(said: &Value) -> Result<Figure> {
    let number = |key: &str| said[key].as_f64().with_context(|| format!("no `{key}` in {said}"));
    let rows = said["rows"].as_u64().unwrap_or_default();
    let known = FIGURES.iter().find(|(word, ..)| said["figure"] == *word);
    let (_, name, limits) = known.with_context(|| format!("nobody knows the figure {said}"))?;
    let limit = limits.iter().find(|(most, _)| rows == *most).map(|(_, most)| Limit::Milliseconds(*most));
    let kind = said["kind"].as_str().unwrap_or_default();
    let under = format!("{kind}, {rows} rows; {:.2} ms on the clock", number("clock")?);
    let processor = Duration::from_secs_f64(number("processor")? / 1_000.0);
    Ok(Figure::time(name, processor).under(&under).held_to(limit))
}

/// The tool as a client calls it: arguments checked, the option made, drawn once by ECharts, shortened to an answer, recorded.
fn calls(binary: &Path, report: &mut Report) -> Result<()> {
    let home = tempfile::tempdir()?;
    let mut command = Command::new(binary);
    workspace::remove_settings(&mut command);
    let mut session = StdioSession::start(command.arg("serve").env("TRAILMARK_HOME", home.path()))?;
    session.initialize()?;
    for (rows, times) in [(100, 41), (100_000, 9)] {
        let data: Vec<Value> = (0..rows).map(|at| json!({"x": at, "y": at * 7_919 % 1_009})).collect();
        let arguments = json!({"chartType": "line", "data": data});
        let mut took = Vec::new();
        for _ in 0..times {
            let started = Instant::now();
            let result = session.call("echart_generate", arguments.clone())?;
            took.push(started.elapsed());
            ensure!(result["structuredContent"]["ok"] == true, "{result}");
        }
        took.sort();
        let under = format!("line, {rows} rows, over stdio, on the clock");
        report.add(Figure::time("a call of echart_generate, ECharts's check included", took[times / 2]).under(&under));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_belongs_to_its_number_of_rows() {
        let of = |figure: &str, rows: u64| {
            let said = json!({"figure": figure, "kind": "bar", "rows": rows, "processor": 60.0, "clock": 61.0});
            let mut report = Report::default();
            report.add(super::figure(&said).unwrap());
            report.holds()
        };
        assert!(!of("option", 100) && !of("option", 100_000) && !of("picture", 100));
        assert!(of("option", 7) && of("check", 100) && of("first picture", 100));
        assert!(super::figure(&json!({"figure": "another"})).is_err());
    }
}

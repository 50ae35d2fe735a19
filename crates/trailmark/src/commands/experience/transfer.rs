//! Experiences to JSON Lines and back.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use serde_json::json;
use store::{Experience, ExperiencePage, Experiences};

use super::line::Line;
use crate::console::Console;

/// Experiences that are read or written in one step.
const BATCH: usize = 500;
/// Lines at fault that are named.
const MOST_NAMED: usize = 20;

pub(super) async fn export(
    experiences: &dyn Experiences,
    file: Option<&Path>,
    console: &Console,
) -> anyhow::Result<ExitCode> {
    let mut output: Box<dyn Write> = match file {
        Some(file) => Box::new(File::create(file).with_context(|| format!("cannot write to {}", file.display()))?),
        None => Box::new(io::stdout()),
    };
    let mut output = BufWriter::new(&mut *output);
    let mut count = 0;
    for deleted in [false, true] {
        let mut after = None;
        loop {
            let page = experiences.newest(ExperiencePage { limit: BATCH, after, deleted }).await?;
            let Some(last) = page.last() else { break };
            after = Some(last.id);
            count += page.len();
            page.iter().try_for_each(|experience| write_line(&mut output, experience))?;
        }
    }
    output.flush()?;
    if let Some(file) = file {
        console.line(&format!("Wrote {count} experiences to {}.", file.display()));
    }
    Ok(ExitCode::SUCCESS)
}

fn write_line(output: &mut impl Write, experience: &Experience) -> anyhow::Result<()> {
    serde_json::to_writer(&mut *output, &Line::from(experience))?;
    Ok(output.write_all(b"\n")?)
}

/// Keeps every line that may be kept. A line that may not is named, and the exit code tells.
pub(super) async fn import(experiences: &dyn Experiences, file: &Path, console: &Console) -> anyhow::Result<ExitCode> {
    let input: Box<dyn BufRead> = if file == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        Box::new(BufReader::new(File::open(file).with_context(|| format!("cannot read {}", file.display()))?))
    };
    let (mut read, mut new, mut refused) = (0, 0, 0);
    let mut batch = Vec::new();
    for (number, line) in (1..).zip(input.lines()) {
        let line = line.with_context(|| format!("cannot read {}", file.display()))?;
        if line.trim().is_empty() {
            continue;
        }
        read += 1;
        match parse(&line) {
            Ok(experience) => batch.push(experience),
            Err(error) => {
                refused += 1;
                if refused <= MOST_NAMED {
                    console.remark(&format!("line {number} is left out: {error:#}"));
                }
            }
        }
        if batch.len() == BATCH {
            new += experiences.import(std::mem::take(&mut batch)).await?;
        }
    }
    new += experiences.import(batch).await?;
    let known = read - refused - new;
    if console.json {
        console.json(&json!({"imported": new, "known": known, "refused": refused}));
    } else {
        console.line(&format!("Imported {new} experiences; {known} were known already, {refused} were left out."));
    }
    Ok(if refused == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn parse(line: &str) -> anyhow::Result<Experience> {
    serde_json::from_str::<Line>(line)?.into_experience()
}

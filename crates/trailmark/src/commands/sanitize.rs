//! `trailmark sanitize`: does a text hold secrets or personal data, and how does it read without?

use std::io::{self, Read, Write};
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use experience::sanitizer::{self, Finding};
use serde_json::{Value, json};

use crate::command_line::Format;
use crate::console::{Console, printable};

#[derive(Debug, Args)]
pub(crate) struct Sanitize {
    /// The files to check, or `-` for standard input
    #[arg(required = true, value_name = "FILE|-")]
    files: Vec<String>,
    /// Print the text of the one file with a placeholder for each finding, and the findings on standard error
    #[arg(long)]
    fix: bool,
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

pub(super) async fn run(options: Sanitize, console: &Console) -> anyhow::Result<ExitCode> {
    let console = *console;
    tokio::task::spawn_blocking(move || if options.fix { fix(&options, &console) } else { check(&options, &console) })
        .await?
}

/// Exit code 1 says that something was found.
fn check(options: &Sanitize, console: &Console) -> anyhow::Result<ExitCode> {
    let mut found = Vec::new();
    for file in &options.files {
        let text = read(file)?;
        found.extend(sanitizer::check(&text).into_iter().map(|finding| (file.as_str(), finding)));
    }
    let clean = found.is_empty();
    match if console.json { Format::Json } else { options.format } {
        Format::Json => console.json(&found.iter().map(as_json).collect::<Vec<_>>()),
        Format::Lines => console.lines(found.iter().map(|finding| as_json(finding).to_string())),
        Format::Text if clean => console.line("Nothing found."),
        Format::Text => console.lines(found.iter().map(as_text)),
    }
    Ok(if clean { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What is printed passes the check, so that the exit code is 0.
fn fix(options: &Sanitize, console: &Console) -> anyhow::Result<ExitCode> {
    let [file] = options.files.as_slice() else { anyhow::bail!("--fix takes one file, not {}", options.files.len()) };
    let text = read(file)?;
    for finding in sanitizer::check(&text) {
        console.remark(&as_text(&(file.as_str(), finding)));
    }
    let mut output = io::stdout().lock();
    match output.write_all(sanitizer::sanitise(&text).as_bytes()).and_then(|()| output.flush()) {
        // A reader that has gone away (`| head`) is no error.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error).context("the text could not be written"),
        _ => Ok(ExitCode::SUCCESS),
    }
}

/// What is not UTF-8 is checked all the same.
fn read(file: &str) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    if file == "-" {
        io::stdin().lock().read_to_end(&mut bytes).context("cannot read standard input")?;
    } else {
        bytes = std::fs::read(file).with_context(|| format!("cannot read {file}"))?;
    }
    Ok(String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}

fn as_json((file, finding): &(&str, Finding)) -> Value {
    let Finding { rule, finds, line, column, preview, range } = finding;
    let range = [range.start, range.end];
    json!({ "file": file, "rule": rule, "finds": finds, "line": line, "column": column, "preview": preview, "range": range })
}

fn as_text((file, finding): &(&str, Finding)) -> String {
    let Finding { rule, finds, line, column, preview, .. } = finding;
    format!("{}:{line}:{column} {rule} ({finds}): {}", printable(file), printable(preview))
}

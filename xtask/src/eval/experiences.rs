//! `cargo xtask eval experiences`: how much of what must not be kept the gate finds, and how much it refuses without need.
//!
//! The set is the public half of `secrets/` in the bench folder: labelled snippets, fake secrets, in base64. A text counts as
//! found when the gate finds anything in it. Negatives that other scanners flag too are left out, as its scorer does.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::Options;
use super::bench_folder::BenchFolder;
use crate::{process, release, workspace};

const SECRETS: &str = "secrets/secrets.jsonl";
const LIMIT: Duration = Duration::from_secs(300);
/// What part of the secrets must be found.
const RECALL: f64 = 0.9;
/// What part of the rest may be refused.
const FALSE_REJECTIONS: f64 = 0.03;

/// True when the gate holds its figures.
pub(super) fn run(root: &Path, options: &Options) -> Result<bool> {
    let measured = measure(root, &release::binary(root)?, options)?.context(BenchFolder::ABSENT)?;
    println!("{}", measured.table());
    Ok(measured.holds())
}

/// What the gate did with each source of snippets.
#[derive(Debug, Default)]
pub(crate) struct Measured {
    sources: BTreeMap<String, Counts>,
}

#[derive(Debug, Default, Clone, Copy)]
struct Counts {
    found: usize,
    missed: usize,
    refused: usize,
    passed: usize,
}

impl Measured {
    pub(crate) fn holds(&self) -> bool {
        let all = self.all();
        all.recall() >= RECALL && all.false_rejections() <= FALSE_REJECTIONS
    }

    pub(crate) fn summary(&self) -> String {
        let all = self.all();
        format!(
            "{:.1} % of {} secrets found (at least {:.0} %), {:.1} % of {} other texts refused (at most {:.0} %)",
            100.0 * all.recall(),
            all.found + all.missed,
            100.0 * RECALL,
            100.0 * all.false_rejections(),
            all.refused + all.passed,
            100.0 * FALSE_REJECTIONS
        )
    }

    fn table(&self) -> String {
        let mut lines =
            vec!["| source | secrets | found | other texts | refused |".to_owned(), "|---|---|---|---|---|".to_owned()];
        let all = ("all".to_owned(), self.all());
        for (name, counts) in self.sources.clone().into_iter().chain([all]) {
            lines.push(format!(
                "| {name} | {} | {:.1} % | {} | {:.1} % |",
                counts.found + counts.missed,
                100.0 * counts.recall(),
                counts.refused + counts.passed,
                100.0 * counts.false_rejections()
            ));
        }
        lines.join("\n")
    }

    fn all(&self) -> Counts {
        self.sources.values().fold(Counts::default(), |sum, counts| Counts {
            found: sum.found + counts.found,
            missed: sum.missed + counts.missed,
            refused: sum.refused + counts.refused,
            passed: sum.passed + counts.passed,
        })
    }
}

impl Counts {
    fn add(&mut self, is_secret: bool, flagged: bool) {
        match (is_secret, flagged) {
            (true, true) => self.found += 1,
            (true, false) => self.missed += 1,
            (false, true) => self.refused += 1,
            (false, false) => self.passed += 1,
        }
    }

    fn recall(&self) -> f64 {
        share(self.found, self.found + self.missed)
    }

    fn false_rejections(&self) -> f64 {
        share(self.refused, self.refused + self.passed)
    }
}

/// Runs the gate on every snippet; `None` without the bench folder.
pub(crate) fn measure(root: &Path, binary: &Path, options: &Options) -> Result<Option<Measured>> {
    let Some(set) = BenchFolder::find(root).map(|bench| bench.path(SECRETS)).filter(|set| set.is_file()) else {
        return Ok(None);
    };
    let text = std::fs::read_to_string(&set).with_context(|| format!("cannot read {}", set.display()))?;
    let mut snippets: Vec<Value> = text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    snippets.retain(|snippet| snippet["ambiguous"] != true);
    let flagged = flagged(binary, &snippets)?;
    let mut measured = Measured::default();
    let mut shown = 0;
    for (snippet, flagged) in snippets.iter().zip(flagged) {
        let source = snippet["source"].as_str().unwrap_or_default().split('@').next().unwrap_or_default();
        let is_secret = snippet["label"] == 1;
        measured.sources.entry(source.to_owned()).or_default().add(is_secret, flagged);
        if is_secret != flagged && shown < options.show {
            shown += 1;
            let what = if is_secret { "missed" } else { "refused" };
            println!("{what}: {} ({})", snippet["id"], snippet["rule"]);
        }
    }
    Ok(Some(measured))
}

/// For each snippet whether the gate finds anything, out of one call with a file for each.
fn flagged(binary: &Path, snippets: &[Value]) -> Result<Vec<bool>> {
    let folder = tempfile::Builder::new().prefix("trailmark-eval-").tempdir()?;
    let mut command = Command::new(binary);
    workspace::remove_settings(&mut command);
    command.env("TRAILMARK_HOME", folder.path()).current_dir(folder.path());
    command.args(["sanitize", "--format", "lines"]);
    for (index, snippet) in snippets.iter().enumerate() {
        let encoded = snippet["b64"].as_str().context("a snippet has a text")?;
        std::fs::write(folder.path().join(index.to_string()), decode(encoded)?)?;
        command.arg(index.to_string());
    }
    let finished = process::run(&mut command, LIMIT, process::Show::Nothing)?;
    ensure!(finished.status.code().is_some_and(|code| code <= 1), "the gate failed: {}", finished.stderr.trim_end());
    let mut flagged = vec![false; snippets.len()];
    for line in finished.stdout.lines() {
        let finding: Value = serde_json::from_str(line)?;
        let file: usize = finding["file"].as_str().context("a finding has a file")?.parse()?;
        flagged[file] = true;
    }
    Ok(flagged)
}

/// Base64 with its usual alphabet.
fn decode(encoded: &str) -> Result<Vec<u8>> {
    let (mut out, mut bits, mut count) = (Vec::new(), 0_u32, 0);
    for byte in encoded.bytes().filter(|byte| *byte != b'=') {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => anyhow::bail!("`{}` is not in base64", char::from(byte)),
        };
        bits = (bits << 6) | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push(((bits >> count) & 0xFF) as u8);
        }
    }
    Ok(out)
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_decoded() {
        for (encoded, expected) in [("", ""), ("YQ==", "a"), ("YWI=", "ab"), ("YWJj", "abc"), ("5a+G56CB", "密码")] {
            assert_eq!(decode(encoded).unwrap(), expected.as_bytes());
        }
        assert!(decode("a-b").is_err());
    }

    #[test]
    fn both_figures_must_hold() {
        let measured = |found, missed, refused, passed| Measured {
            sources: [("x".to_owned(), Counts { found, missed, refused, passed })].into_iter().collect(),
        };
        assert!(measured(90, 10, 3, 97).holds());
        assert!(!measured(89, 11, 0, 100).holds());
        assert!(!measured(100, 0, 4, 96).holds());
        assert!(!Measured::default().holds());
        assert!(measured(9, 1, 0, 3).summary().starts_with("90.0 % of 10 secrets found"));
    }
}

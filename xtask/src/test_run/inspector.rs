//! The Inspector's schema lint over both transports and in both protocol eras: no error, no warning, one tool list.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::Value;

use super::report::Outcome;
use super::server::{Server, isolated};
use super::session::Session;
use crate::process::{self, Finished, Show};

const LIMIT: Duration = Duration::from_secs(90);
const ERAS: &[&str] = &["legacy", "modern"];

pub(super) fn run(session: &mut Session) -> Result<Outcome> {
    let binary = &session.binaries()?.plain;
    let server = Server::start(binary, &session.folder("home")?)?;
    let (mut lists, mut problems) = (BTreeSet::new(), Vec::new());
    for era in ERAS {
        for transport in ["stdio", "http"] {
            let home = session.folder("home")?;
            let mut inspector = session.node()?.inspector();
            inspector.arg("--cli");
            match transport {
                "stdio" => over_stdio(&mut inspector, binary, &home),
                _ => drop(inspector.arg(&server.url)),
            }
            inspector.args(["--method", "tools/list", "--strict", "--format", "json", "--protocol-era", era]);
            // The Inspector keeps a catalogue in the home folder; the developer's own is not its business.
            inspector.env("HOME", &home).env("USERPROFILE", &home).current_dir(&home);
            let finished = process::run(&mut inspector, LIMIT, Show::Nothing)?;
            match judge(&finished) {
                Ok(tools) => {
                    println!("{transport}, {era}: {} tools, 0 errors, 0 warnings", tools.len());
                    lists.insert(tools);
                }
                Err(error) => problems.push(format!("{transport}, {era}: {error:#}")),
            }
        }
    }
    problems.extend(server.stop().err().map(|error| error.to_string()));
    if lists.len() > 1 {
        problems.push(format!("the tools differ between transports or eras: {lists:?}"));
    }
    Ok(match (lists.first(), problems.is_empty()) {
        (Some(tools), true) => Outcome::Passed(format!("{} tools, stdio and HTTP, both eras", tools.len())),
        _ => Outcome::Failed(problems.join("\n")),
    })
}

fn over_stdio(inspector: &mut Command, binary: &Path, home: &Path) {
    for (name, value) in isolated(binary, home).get_envs() {
        if let Some(value) = value {
            let setting = format!("{}={}", name.to_string_lossy(), value.to_string_lossy());
            inspector.args(["-e", &setting]);
        }
    }
    inspector.arg(binary).arg("serve");
}

/// The names of the tools, if their schemas are portable without reservation.
fn judge(finished: &Finished) -> Result<Vec<String>> {
    if !finished.status.success() {
        anyhow::bail!("{}:\n{}", finished.status, finished.tail(20));
    }
    tools(&finished.stdout)
}

fn tools(output: &str) -> Result<Vec<String>> {
    let answer: Value = serde_json::from_str(output.trim()).context("the Inspector did not print one JSON object")?;
    let findings: Vec<String> = answer["schemaFindings"].as_array().into_iter().flatten().flat_map(of_tool).collect();
    if !findings.is_empty() {
        anyhow::bail!("{} findings:\n{}", findings.len(), findings.join("\n"));
    }
    let tools = answer["result"]["tools"].as_array().context("the answer holds no list of tools")?;
    if tools.is_empty() {
        anyhow::bail!("the server offers no tool");
    }
    Ok(tools.iter().map(|tool| tool["name"].as_str().unwrap_or_default().to_owned()).collect())
}

fn of_tool(of_tool: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let findings = of_tool["findings"].as_array().into_iter().flatten();
    findings
        .map(|finding| {
            let [severity, schema, path, issue] =
                ["severity", "schema", "path", "issue"].map(|key| text(&finding[key]));
            format!("{severity}: {}: {schema}.{path}: {issue}", text(&of_tool["toolName"]))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn portable_tools_pass() {
        assert_eq!(tools(r#"{"result":{"tools":[{"name":"a"},{"name":"b"}]}}"#).unwrap(), ["a", "b"]);
    }

    #[test]
    fn findings_of_any_severity_fail() {
        for severity in ["error", "warning"] {
            let output = format!(
                r#"{{"result":{{"tools":[{{"name":"a"}}]}},"schemaFindings":[{{"toolName":"a","findings":[{{"severity":"{severity}","schema":"inputSchema","path":"properties.b","issue":"is an array"}}]}}]}}"#
            );
            let error = tools(&output).unwrap_err().to_string();
            assert_eq!(error, format!("1 findings:\n{severity}: a: inputSchema.properties.b: is an array"));
        }
    }

    #[test]
    fn no_tools_and_no_answer_fail() {
        assert!(tools(r#"{"result":{"tools":[]}}"#).is_err());
        assert!(tools(r#"{"error":{"code":"error"}}"#).is_err());
        assert!(tools("").is_err());
    }
}

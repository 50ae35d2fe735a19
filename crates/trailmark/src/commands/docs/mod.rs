//! `trailmark generate-docs`: the reference pages and the tool snapshots, from the same tables the server uses.

mod cypher;
mod languages;
mod pages;

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use serde_json::Value;
use tools::{Registry, Selection};

use crate::mcp;

/// Where the wire surface is frozen, one file per tool.
const SNAPSHOTS: &str = "crates/trailmark/contract/tools";

pub(super) fn run(folder: &Path) -> anyhow::Result<ExitCode> {
    let registry = Registry::new(&Selection::default())?;
    write(folder, "docs/tools.md", &pages::tools(&registry))?;
    write(folder, "docs/settings.md", &pages::settings())?;
    write(folder, "docs/errors.md", &pages::errors())?;
    write(folder, "docs/languages.md", &languages::page(::languages::Languages::builtin()))?;
    write(folder, "docs/cypher.md", &cypher::page(&registry)?)?;
    write(folder, "README.tools.md", &pages::overview(&registry))?;
    for tool in mcp::published_tools(&registry) {
        let name = tool["name"].as_str().context("every tool has a name")?.to_owned();
        let text = serde_json::to_string_pretty(&sorted(tool))?;
        write(folder, &format!("{SNAPSHOTS}/{name}.json"), &format!("{text}\n"))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn write(folder: &Path, name: &str, text: &str) -> anyhow::Result<()> {
    let path = folder.join(name);
    let parent = path.parent().unwrap_or(folder);
    fs::create_dir_all(parent).with_context(|| format!("cannot make {}", parent.display()))?;
    fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// The same JSON with the fields of every object in alphabetical order, so that a diff shows only what changed.
fn sorted(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let mut fields: Vec<(String, Value)> = fields.into_iter().collect();
            fields.sort_by(|left, right| left.0.cmp(&right.0));
            Value::Object(fields.into_iter().map(|(name, field)| (name, sorted(field))).collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(sorted).collect()),
        other @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => other,
    }
}

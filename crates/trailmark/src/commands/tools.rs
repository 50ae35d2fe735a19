//! `trailmark tools`: what is switched on.

use std::process::ExitCode;

use serde_json::{Value, json};
use tools::{Entry, Registry, Selection};

use crate::apis::{self, Loaded};
use crate::console::{Console, Paint, printable};
use crate::settings::Settings;

pub(super) async fn run(all: bool, settings: &Settings, console: &Console) -> anyhow::Result<ExitCode> {
    let Loaded { apis, remarks } = apis::load(settings).await;
    remarks.iter().for_each(|remark| console.remark(&printable(remark)));
    let with = |selection: &Selection| Registry::with_apis(selection, &apis);
    let enabled = with(&settings.selection)?;
    let listed = if all { with(&Selection::default())? } else { with(&settings.selection)? };
    if console.json {
        let tools: Vec<Value> = listed.entries().iter().map(|entry| described(entry, &enabled)).collect();
        console.json(&tools);
        return Ok(ExitCode::SUCCESS);
    }
    for family in listed.families() {
        console.line(&format!("{}: {}", console.paint(Paint::Strong, family.name), family.purpose));
        let of_family = listed.entries().iter().filter(|entry| entry.family.name == family.name);
        let rows: Vec<Vec<String>> = of_family.map(|entry| row(entry, &enabled)).collect();
        console.table(&rows);
        console.line("");
    }
    let (on, known) = (enabled.entries().len(), with(&Selection::default())?.entries().len());
    console.line(&format!("{on} of {known} tools are switched on."));
    Ok(ExitCode::SUCCESS)
}

fn row(entry: &Entry, enabled: &Registry) -> Vec<String> {
    let off = if is_on(entry, enabled) { "" } else { "(off) " };
    vec![format!("  {}", entry.info.name), effect(entry).to_owned(), format!("{off}{}", entry.info.summary)]
}

fn described(entry: &Entry, enabled: &Registry) -> Value {
    json!({
        "name": entry.info.name,
        "title": entry.info.title,
        "toolset": entry.family.name,
        "effect": effect(entry),
        "enabled": is_on(entry, enabled),
        "description": entry.info.summary,
        "inputSchema": **entry.input_schema(),
    })
}

fn is_on(entry: &Entry, enabled: &Registry) -> bool {
    enabled.get(&entry.info.name).is_some()
}

/// The effect in one word.
pub(super) fn effect(entry: &Entry) -> &'static str {
    let effect = entry.info.effect;
    match (effect.read_only, effect.destructive, effect.open_world) {
        (true, _, false) => "read",
        (true, _, true) => "read (outside)",
        (false, false, _) => "write",
        (false, true, _) => "destructive",
    }
}

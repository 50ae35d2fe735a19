//! Every option of the chart suite, drawn by ECharts in Node: no complaint, and a mark for each row. `cargo xtask test` brings both.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

#[path = "../cases/mod.rs"]
#[expect(dead_code, reason = "notes and refusals are looked at by the other tests")]
mod cases;

use std::path::Path;
use std::process::Command;

use cases::cases;
use serde_json::{Value, json};

/// Draws each option of a list with the whole ECharts, whose warnings are on, and counts marks by what the picture says of them.
const SCRIPT: &str = include_str!("draw.cjs");

#[test]
fn every_option_of_the_suite_is_drawn_whole_in_node() {
    let node = std::env::var_os("TRAILMARK_TEST_NODE").expect("`cargo xtask test --only charts-in-node` names Node");
    let echarts = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/node_modules/echarts/dist/echarts.js");
    let folder = tempfile::tempdir().unwrap();
    let cases: Vec<_> = chart::KINDS.iter().flat_map(|kind| cases(kind.name)).collect();
    let options: Vec<Value> = cases.iter().map(|case| case.generate().unwrap().option).collect();
    let (script, list) = (folder.path().join("draw.cjs"), folder.path().join("options.json"));
    std::fs::write(&script, SCRIPT).unwrap();
    std::fs::write(&list, json!(options).to_string()).unwrap();
    let output = Command::new(node).arg(&script).arg(&echarts).arg(&list).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let drawn: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(drawn.len(), cases.len());
    for ((case, drawn), option) in cases.iter().zip(&drawn).zip(&options) {
        assert_eq!(drawn["complaints"], json!([]), "{}", case.name);
        let marks = case.marks.unwrap();
        // In one stroke there are no single marks: what the series holds must be all there is.
        let counted = if is_one_stroke(option) { &drawn["held"] } else { &drawn["marks"] };
        assert_eq!(*counted, marks, "{}", case.name);
    }
}

fn is_one_stroke(option: &Value) -> bool {
    let series = option["series"].as_array().unwrap();
    series.iter().any(|one| one.get("large").is_some() || one["showSymbol"] == false)
}

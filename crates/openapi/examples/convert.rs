//! Converts each document named on standard input, and prints a line of JSON about what came out: `cargo xtask eval openapi` reads
//! it.

use std::io::{BufRead, Write};
use std::time::Instant;

use openapi::{Api, ApiSettings, Credentials};
use serde_json::{Value, json};

#[tokio::main(flavor = "current_thread")]
async fn main() -> std::io::Result<()> {
    for path in std::io::stdin().lock().lines() {
        let path = path?;
        let started = Instant::now();
        let loaded = Api::load(&ApiSettings::new(&path), |_| Credentials::default()).await;
        let seconds = started.elapsed().as_secs_f64();
        let line = match loaded {
            Ok(api) => counted(&api, &path, seconds),
            Err(error) => json!({"path": path, "error": error.to_string()}),
        };
        writeln!(std::io::stdout().lock(), "{line}")?;
    }
    Ok(())
}

fn counted(api: &Api, path: &str, seconds: f64) -> Value {
    let is_sound = |name: &str| {
        (1..=64).contains(&name.len()) && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
    };
    let mut names: Vec<String> = api.operations.iter().map(|operation| operation.name.to_lowercase()).collect();
    names.sort();
    let shared = names.windows(2).filter(|pair| pair[0] == pair[1]).count();
    let (mut sizes, mut invalid, mut uncompiled, mut references, mut type_lists, mut cut) = (Vec::new(), 0, 0, 0, 0, 0);
    for operation in &api.operations {
        let schema = &*operation.input_schema;
        let tool = json!({"name": operation.name, "title": operation.title, "description": operation.description, "inputSchema": schema});
        sizes.push(tool.to_string().len());
        invalid += usize::from(!jsonschema::draft202012::meta::is_valid(schema));
        uncompiled += usize::from(jsonschema::draft202012::new(schema).is_err());
        references += count(schema, &|fields| fields.get("$ref").is_some_and(Value::is_string));
        type_lists += count(schema, &|fields| fields.get("type").is_some_and(Value::is_array));
        cut += usize::from(!operation.cuts.is_empty());
    }
    let skipped: Vec<Value> =
        api.skipped.iter().map(|skipped| json!({"operation": skipped.operation, "reason": skipped.reason})).collect();
    json!({
        "path": path, "version": format!("{:?}", api.version), "operations": api.operations.len(), "skipped": skipped,
        "unsound_names": api.operations.iter().filter(|operation| !is_sound(&operation.name)).count(), "shared_names": shared,
        "invalid": invalid, "uncompiled": uncompiled, "references": references, "type_lists": type_lists, "cut": cut,
        "sizes": sizes, "seconds": seconds,
    })
}

fn count(value: &Value, wanted: &dyn Fn(&serde_json::Map<String, Value>) -> bool) -> usize {
    match value {
        Value::Object(fields) => {
            usize::from(wanted(fields)) + fields.values().map(|value| count(value, wanted)).sum::<usize>()
        }
        Value::Array(items) => items.iter().map(|value| count(value, wanted)).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

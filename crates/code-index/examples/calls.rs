//! Prints the call edges of a pack of small programs, or of a folder: `cargo run -p code-index --example calls -- PACK.jsonl|FOLDER`.

#![expect(clippy::print_stdout, reason = "it is a command for people who work on the linker")]

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use code_index::link::{Linked, SourceFile, link};
use graph::{Label, NodeId, Relation};
use languages::{FileFacts, Languages};
use serde_json::{Value, json};

struct Read {
    path: String,
    text: String,
    language: Option<&'static str>,
    facts: Option<Arc<FileFacts>>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let target = std::env::args().nth(1).ok_or("usage: calls PACK.jsonl|FOLDER")?;
    if Path::new(&target).is_dir() {
        return folder(Path::new(&target));
    }
    let mut workspaces: HashMap<String, Value> = HashMap::new();
    for line in std::fs::read_to_string(&target)?.lines() {
        let case: Value = serde_json::from_str(line)?;
        let name = format!("{}/{}", case["category"].as_str().unwrap_or(""), case["case"].as_str().unwrap_or(""));
        let mut files = case["files"].clone();
        if files.as_object().is_none_or(serde_json::Map::is_empty) {
            files = workspaces.get(case["workspace"].as_str().unwrap_or("")).cloned().unwrap_or(Value::Null);
        }
        workspaces.insert(case["case"].as_str().unwrap_or("").to_owned(), files.clone());
        let read: Vec<Read> = files
            .as_object()
            .into_iter()
            .flatten()
            .map(|(path, text)| read(path, text.as_str().unwrap_or("")))
            .collect();
        let edges: Vec<Value> = edges(&read)
            .into_iter()
            .map(|(from, to)| json!([{"file": from.0, "line": from.1}, {"file": to.0, "line": to.1}]))
            .collect();
        println!("{}", json!({"case": name, "edges": edges}));
    }
    Ok(())
}

fn folder(root: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let mut files = Vec::new();
    for entry in ignore::WalkBuilder::new(root).build() {
        let entry = entry?;
        if entry.file_type().is_some_and(|kind| kind.is_file())
            && let Ok(text) = std::fs::read_to_string(entry.path())
        {
            files.push(read(&entry.path().strip_prefix(root)?.to_string_lossy(), &text));
        }
    }
    files.sort_by(|left, right| left.path.cmp(&right.path));
    for (from, to) in edges(&files) {
        println!("{}", json!([from.0, from.1, to.0, to.1]));
    }
    Ok(())
}

fn read(path: &str, text: &str) -> Read {
    let language = Languages::builtin().for_file(path, text.as_bytes());
    let facts = language.and_then(|language| language.extract(text).ok()).map(Arc::new);
    Read { path: path.to_owned(), text: text.to_owned(), language: language.map(|language| language.id()), facts }
}

type Place = (String, u32);

fn edges(files: &[Read]) -> Vec<(Place, Place)> {
    let sources: Vec<SourceFile<'_>> = files
        .iter()
        .map(|file| SourceFile {
            path: &file.path,
            language: file.language,
            facts: file.facts.as_ref(),
            lines: 0,
            manifest: Some(&file.text),
        })
        .collect();
    let begin = std::time::Instant::now();
    let Linked { parts, .. } = link("p", &sources);
    tracing::info!(elapsed = ?begin.elapsed(), "linked");
    if std::env::var_os("TIMES").is_some() {
        println!("{:?} to link", begin.elapsed());
    }
    let mut places: HashMap<NodeId, Place> = HashMap::new();
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    for (file, part) in files.iter().zip(&parts) {
        for node in &part.nodes {
            let start = if node.decorators.is_empty() { node.start_line } else { node.own_line };
            let line = if node.label == Label::Module { 0 } else { start };
            places.insert(node.id, (file.path.clone(), line));
        }
    }
    let mut edges = Vec::new();
    for edge in parts.iter().flat_map(|part| &part.edges) {
        if matches!(edge.relation, Relation::Calls | Relation::Instantiates)
            && let (Some(from), Some(to)) = (places.get(&edge.from), places.get(&edge.to))
        {
            edges.push((from.clone(), to.clone()));
        }
    }
    edges
}

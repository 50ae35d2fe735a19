//! `trailmark symbols`: every definition with a name, by file and line.

use std::collections::HashMap;
use std::process::ExitCode;

use graph::{Label, Node, NodeId};
use serde_json::json;
use store::projects::file_id;
use store::{FileRecord, ProjectGraph};

use super::indexing::{self, Indexed, Remarks};
use crate::command_line::{Format, Target};
use crate::console::{Console, printable};
use crate::settings::Settings;

pub(super) async fn run(
    target: Target,
    format: Format,
    settings: &Settings,
    console: &Console,
) -> anyhow::Result<ExitCode> {
    let Indexed { graph, .. } = indexing::index(target, false, Remarks::Nothing, settings, console).await?;
    let symbols = tokio::task::spawn_blocking(move || symbols(&*graph)).await??;
    let format = if console.json { Format::Json } else { format };
    let line = |symbol: Symbol| {
        let Symbol { file, line, kind, name, qualified_name } = symbol;
        match format {
            Format::Json | Format::Lines => json!([file, line, kind, name, qualified_name]).to_string(),
            Format::Text => format!("{}:{line} {kind} {}", printable(&file), printable(&qualified_name)),
        }
    };
    console.lines(symbols.into_iter().map(line));
    Ok(ExitCode::SUCCESS)
}

/// In the order in which they are printed.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Symbol {
    file: String,
    line: u32,
    kind: &'static str,
    name: String,
    qualified_name: String,
}

fn symbols(graph: &dyn ProjectGraph) -> store::Result<Vec<Symbol>> {
    let files: HashMap<NodeId, FileRecord> =
        graph.files()?.into_iter().map(|record| (file_id(&record.path), record)).collect();
    let mut symbols = Vec::new();
    graph.nodes(&mut |node| {
        symbols.extend(symbol(node, &files));
        true
    })?;
    symbols.sort();
    Ok(symbols)
}

/// What has no name of its own, or one that nobody else sees, is no symbol, and neither is an accessor, which is a property to
/// its users. In TypeScript a method without a body is a part of a type.
fn symbol(node: &Node, files: &HashMap<NodeId, FileRecord>) -> Option<Symbol> {
    let file = files.get(&node.file?)?;
    let has_structural_types = matches!(file.language.as_deref(), Some("typescript" | "tsx"));
    let is_left_out = |modifier: &String| match modifier.as_str() {
        "anonymous" | "in_object" | "in_expression" | "assigned" | "get" | "set" => true,
        "declaration" => has_structural_types,
        _ => false,
    };
    if node.modifiers.iter().any(is_left_out) {
        return None;
    }
    Some(Symbol {
        file: file.path.clone(),
        line: node.own_line,
        kind: kind(node.label)?,
        name: node.name.clone(),
        qualified_name: node.qualified_name.clone(),
    })
}

fn kind(label: Label) -> Option<&'static str> {
    match label {
        Label::Function => Some("function"),
        Label::Method => Some("method"),
        Label::Class => Some("class"),
        Label::Interface => Some("interface"),
        Label::Enum => Some("enum"),
        Label::Type => Some("type"),
        Label::Project | Label::Package | Label::Folder | Label::File | Label::Module | Label::ExternalPackage => None,
    }
}

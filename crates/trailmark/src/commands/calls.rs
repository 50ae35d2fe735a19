//! `trailmark calls`: who calls whom, by the file and line of both definitions.

use std::collections::{BTreeMap, HashMap};
use std::process::ExitCode;

use graph::{Edge, Label, NodeId, Relation};
use serde_json::{Value, json};
use store::ProjectGraph;
use store::projects::file_id;

use super::indexing::{self, Indexed, Remarks};
use crate::command_line::{Format, Target};
use crate::console::{Console, printable};
use crate::settings::Settings;

/// Making an object is calling what makes it.
const CALLS: [Relation; 2] = [Relation::Calls, Relation::Instantiates];

pub(super) async fn run(
    target: Target,
    format: Format,
    settings: &Settings,
    console: &Console,
) -> anyhow::Result<ExitCode> {
    let Indexed { graph, .. } = indexing::index(target, false, Remarks::Nothing, settings, console).await?;
    let format = if console.json { Format::Json } else { format };
    let calls = tokio::task::spawn_blocking(move || Calls::read(&*graph)).await??;
    match format {
        Format::Json => calls.print_json(console),
        Format::Lines => console.lines(calls.pairs().into_keys().map(|pair| calls.line(pair).to_string())),
        Format::Text => console.lines(calls.edges.iter().filter_map(|edge| calls.sentence(edge))),
    }
    Ok(ExitCode::SUCCESS)
}

/// Where a definition is.
struct Place {
    file: String,
    /// Of the definition itself; 0 for code that is in none.
    line: u32,
    name: String,
}

struct Calls {
    places: HashMap<NodeId, Place>,
    /// By caller.
    edges: Vec<Edge>,
}

/// Places in the order in which they are printed.
type Pair<'a> = (Key<'a>, Key<'a>);
type Key<'a> = (&'a str, u32, &'a str);

impl Calls {
    fn read(graph: &dyn ProjectGraph) -> store::Result<Self> {
        let paths: HashMap<NodeId, String> =
            graph.files()?.into_iter().map(|record| (file_id(&record.path), record.path)).collect();
        let mut places = HashMap::new();
        graph.nodes(&mut |node| {
            if let Some(path) = node.file.and_then(|file| paths.get(&file)) {
                // Overloads begin with their first signature; decorators stand above a definition and are not it.
                let start = if node.decorators.is_empty() { node.start_line } else { node.own_line };
                let line = if node.label == Label::Module { 0 } else { start };
                places.insert(node.id, Place { file: path.clone(), line, name: node.qualified_name.clone() });
            }
            true
        })?;
        let mut edges = Vec::new();
        graph.edges(&CALLS, &mut |edge| {
            edges.push(*edge);
            true
        })?;
        Ok(Self { places, edges })
    }

    /// Each pair of definitions once, with the edges between them.
    fn pairs(&self) -> BTreeMap<Pair<'_>, Vec<&Edge>> {
        let key =
            |id: &NodeId| self.places.get(id).map(|Place { file, line, name }| (file.as_str(), *line, name.as_str()));
        let mut pairs: BTreeMap<Pair<'_>, Vec<&Edge>> = BTreeMap::new();
        for edge in &self.edges {
            if let (Some(from), Some(to)) = (key(&edge.from), key(&edge.to)) {
                pairs.entry((from, to)).or_default().push(edge);
            }
        }
        pairs
    }

    /// One object on as many lines as there are edges.
    fn print_json(&self, console: &Console) {
        let pairs = self.pairs();
        let last = pairs.len();
        let edges = pairs.into_iter().zip(1..).map(|((pair, edges), number)| {
            let comma = if number < last { "," } else { "" };
            format!("{}{comma}", object(pair, &edges))
        });
        let (begin, end) = (r#"{"edges":["#.to_owned(), "]}".to_owned());
        console.lines(std::iter::once(begin).chain(edges).chain([end]));
    }

    fn line(&self, (from, to): Pair<'_>) -> Value {
        json!([from.0, from.1, to.0, to.1])
    }

    fn sentence(&self, edge: &Edge) -> Option<String> {
        let (from, to) = (self.places.get(&edge.from)?, self.places.get(&edge.to)?);
        let (caller, callee, file) = (printable(&from.name), printable(&to.name), printable(&from.file));
        Some(format!("{caller} → {callee} ({file}:{}) [{}]", edge.line, edge.resolution))
    }
}

/// Both ends, the second with the lines of the calls and how it was found.
fn object((from, to): Pair<'_>, edges: &[&Edge]) -> Value {
    let mut at: Vec<u32> = edges.iter().map(|edge| edge.line).collect();
    at.sort_unstable();
    at.dedup();
    let resolution = edges.first().map(|edge| edge.resolution.name());
    json!([
        {"file": from.0, "line": from.1, "name": from.2},
        {"file": to.0, "line": to.1, "name": to.2, "at": at, "resolution": resolution},
    ])
}

//! A graph in any of the forms it may come in: nodes with links, nodes with relationships, or a call chain.

use rustc_hash::FxHashMap;
use serde_json::{Map, Value};

use crate::error::{Invalid, quoted, shown};
use crate::kinds::number_value;
use crate::notes::Notes;

const MOST_NODES: usize = 2_000;
const MOST_LINKS: usize = 10_000;
/// How many faulty ends of links a message lists.
const MOST_NAMED: usize = 5;

#[derive(Debug, Default)]
pub(crate) struct Graph {
    pub(crate) nodes: Vec<Node>,
    pub(crate) links: Vec<Link>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Node {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) category: Option<String>,
    pub(crate) value: Option<f64>,
    /// The column it stands in, where the graph has an order.
    pub(crate) layer: Option<i64>,
}

#[derive(Debug, Clone)]
pub(crate) struct Link {
    pub(crate) source: usize,
    pub(crate) target: usize,
    pub(crate) label: Option<String>,
}

pub(crate) fn read(given: &Value, notes: &mut Notes) -> Result<Graph, Invalid> {
    let Value::Object(fields) = given else {
        return Err(Invalid::new(
            "graph",
            format!("must be an object with `nodes` and `links`, but is {}", shown(given)),
        ));
    };
    // A whole answer of a tool is as good as what it holds.
    if let Some(data @ Value::Object(_)) = fields.get("data").filter(|_| !fields.contains_key("nodes")) {
        return read(data, notes);
    }
    let graph =
        if fields.contains_key("call_chain") { call_chain(fields, notes)? } else { nodes_and_links(fields, notes)? };
    for (list, count, most) in [("nodes", graph.nodes.len(), MOST_NODES), ("links", graph.links.len(), MOST_LINKS)] {
        if count > most {
            let problem =
                format!("must have at most {most} entries, but has {count}; nobody could read more in one picture");
            return Err(Invalid::new(format!("graph.{list}"), problem));
        }
    }
    Ok(graph)
}

fn nodes_and_links(fields: &Map<String, Value>, notes: &mut Notes) -> Result<Graph, Invalid> {
    let (list, is_store) = if fields.contains_key("links") { ("links", false) } else { ("relationships", true) };
    let nodes = entries(fields, "nodes")?.ok_or_else(|| Invalid::new("graph.nodes", "is required but missing"))?;
    if nodes.is_empty() {
        return Err(Invalid::new("graph.nodes", "has no entries; there is nothing to draw"));
    }
    let mut graph = Graph::default();
    let mut known: FxHashMap<String, usize> = FxHashMap::default();
    for (at, node) in nodes.iter().enumerate() {
        let node = read_node(at, node)?;
        if let Some(first) = known.insert(node.id.clone(), at) {
            let problem = format!("is {}, which graph.nodes[{first}] has already; ids must differ", quoted(&node.id));
            return Err(Invalid::entry(format!("graph.nodes[{at}].id"), at, problem));
        }
        graph.nodes.push(node);
    }
    let keys: [&[&str]; 2] =
        if is_store { [&["fromId", "source"], &["toId", "target"]] } else { [&["source"], &["target"]] };
    let mut unknown = Vec::new();
    for (at, link) in entries(fields, list)?.into_iter().flatten().enumerate() {
        match read_link(list, at, link, keys, &known)? {
            Ok(link) => graph.links.push(link),
            Err(missing) => unknown.push((at, missing)),
        }
    }
    if let Some((at, (key, id))) = unknown.first() {
        let more = unknown.iter().skip(1).take(MOST_NAMED).map(|(at, (_, id))| format!("{list}[{at}]: {}", quoted(id)));
        let more: Vec<String> = more.collect();
        let also = if more.is_empty() { String::new() } else { format!("; likewise {}", more.join(", ")) };
        let problem = format!("is {}, which is the id of no node{also}", quoted(id));
        return Err(Invalid::entry(format!("graph.{list}[{at}].{key}"), *at, problem));
    }
    note_ignored(fields, list, notes);
    Ok(graph)
}

fn note_ignored(fields: &Map<String, Value>, list: &str, notes: &mut Notes) {
    let ignored: Vec<String> =
        fields.keys().filter(|key| *key != "nodes" && *key != list).map(|key| quoted(key)).collect();
    if !ignored.is_empty() {
        notes.add(format!("`graph` has fields that are not drawn: {}.", ignored.join(", ")));
    }
}

fn entries<'a>(fields: &'a Map<String, Value>, list: &str) -> Result<Option<&'a Vec<Value>>, Invalid> {
    match fields.get(list) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Array(entries)) => Ok(Some(entries)),
        Some(other) => Err(Invalid::new(format!("graph.{list}"), format!("must be a list, but is {}", shown(other)))),
    }
}

fn read_node(at: usize, node: &Value) -> Result<Node, Invalid> {
    let Value::Object(fields) = node else {
        let problem = format!("must be an object with an `id`, but is {}", shown(node));
        return Err(Invalid::entry(format!("graph.nodes[{at}]"), at, problem));
    };
    let id = text_of(fields.get("id")).ok_or_else(|| missing("nodes", at, "id", fields.get("id")))?;
    let properties = fields.get("properties").and_then(Value::as_object);
    let named = |key: &str| text_of(fields.get(key)).or_else(|| text_of(properties?.get(key)));
    let name = ["name", "title"].iter().find_map(|key| named(key)).unwrap_or_else(|| id.clone());
    let category = text_of(fields.get("category")).or_else(|| text_of(fields.get("label")));
    let value = match fields.get("value") {
        None | Some(Value::Null) => None,
        Some(Value::Number(number)) => number.as_f64().filter(|number| number.is_finite()),
        Some(other) => {
            let problem = format!("must be a number, but is {}", shown(other));
            return Err(Invalid::entry(format!("graph.nodes[{at}].value"), at, problem));
        }
    };
    Ok(Node { id, name, category, value, layer: None })
}

type End = (String, String);

/// A link, or which of its ends no node has.
fn read_link(
    list: &str,
    at: usize,
    link: &Value,
    keys: [&[&str]; 2],
    known: &FxHashMap<String, usize>,
) -> Result<Result<Link, End>, Invalid> {
    let Value::Object(fields) = link else {
        let problem = format!("must be an object with `{}` and `{}`, but is {}", keys[0][0], keys[1][0], shown(link));
        return Err(Invalid::entry(format!("graph.{list}[{at}]"), at, problem));
    };
    let mut ends = [0; 2];
    for (end, keys) in ends.iter_mut().zip(keys) {
        let key = keys.iter().find(|key| fields.contains_key(**key)).unwrap_or(&keys[0]);
        let id = text_of(fields.get(*key)).ok_or_else(|| missing(list, at, key, fields.get(*key)))?;
        match known.get(&id) {
            Some(node) => *end = *node,
            None => return Ok(Err(((*key).to_owned(), id))),
        }
    }
    let label = text_of(fields.get("label")).or_else(|| text_of(fields.get("type")));
    Ok(Ok(Link { source: ends[0], target: ends[1], label }))
}

fn missing(list: &str, at: usize, key: &str, given: Option<&Value>) -> Invalid {
    let problem = match given {
        None | Some(Value::Null) => "is required but missing".to_owned(),
        Some(value) => format!("must be a text that is not blank, but is {}", shown(value)),
    };
    Invalid::entry(format!("graph.{list}[{at}].{key}"), at, problem)
}

/// A text or a number, unless it is blank.
fn text_of(value: Option<&Value>) -> Option<String> {
    match value? {
        Value::String(text) => Some(text.clone()).filter(|text| !text.trim().is_empty()),
        Value::Number(number) => {
            Some(number.as_f64().map_or_else(|| number.to_string(), |n| number_value(n).to_string()))
        }
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

/// Who calls whom, as columns: callers to the left of the target, what it calls to the right.
fn call_chain(fields: &Map<String, Value>, notes: &mut Notes) -> Result<Graph, Invalid> {
    let mut chain = Chain::default();
    for (at, entry) in entries(fields, "call_chain")?.map(Vec::as_slice).unwrap_or_default().iter().enumerate() {
        chain.follow(&format!("graph.call_chain[{at}]"), at, entry, 0, 0)?;
    }
    if chain.graph.nodes.is_empty() {
        return Err(Invalid::new("graph.call_chain", "has no entries; there is nothing to draw"));
    }
    if chain.again > 0 {
        notes.add(format!("{} repeated in the call chain; each symbol is drawn once.", repeats(chain.again)));
    }
    Ok(chain.graph)
}

fn repeats(count: usize) -> String {
    if count == 1 { "1 entry is".to_owned() } else { format!("{count} entries are") }
}

#[derive(Default)]
struct Chain {
    graph: Graph,
    known: FxHashMap<String, usize>,
    linked: FxHashMap<(usize, usize), usize>,
    again: usize,
}

impl Chain {
    /// The node of an entry, after everything around it was followed away from the target.
    fn follow(&mut self, path: &str, row: usize, entry: &Value, layer: i64, direction: i64) -> Result<usize, Invalid> {
        let id = text_of(entry.get("symbol_id")).ok_or_else(|| {
            Invalid::entry(format!("{path}.symbol_id"), row, "is required but missing: the name of a symbol")
        })?;
        let node = match self.known.get(&id) {
            Some(node) => {
                self.again += 1;
                *node
            }
            None => self.add(&id, entry, layer),
        };
        for (list, step) in [("callers", -1), ("callees", 1)] {
            if direction == -step {
                continue;
            }
            let around = entry.get(list).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
            for (at, other) in around.iter().enumerate() {
                let neighbour = self.follow(&format!("{path}.{list}[{at}]"), row, other, layer + step, step)?;
                let (caller, callee) = if step < 0 { (neighbour, node) } else { (node, neighbour) };
                self.link(caller, callee, other);
            }
        }
        Ok(node)
    }

    fn add(&mut self, id: &str, entry: &Value, layer: i64) -> usize {
        let node = self.graph.nodes.len();
        let category = text_of(entry.get("file_path"));
        self.graph.nodes.push(Node {
            id: id.to_owned(),
            name: id.to_owned(),
            category,
            value: None,
            layer: Some(layer),
        });
        self.known.insert(id.to_owned(), node);
        node
    }

    fn link(&mut self, caller: usize, callee: usize, entry: &Value) {
        if self.linked.contains_key(&(caller, callee)) {
            return;
        }
        self.linked.insert((caller, callee), self.graph.links.len());
        let lines: Vec<String> =
            entry.get("call_lines").and_then(Value::as_array).into_iter().flatten().map(Value::to_string).collect();
        let label = (!lines.is_empty()).then(|| format!("line {}", lines.join(", ")));
        self.graph.links.push(Link { source: caller, target: callee, label });
    }
}

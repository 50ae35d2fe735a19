//! Who calls a symbol and what it calls, step by step.
//!
//! CKB follows calls itself, but from the wrong callers (see [`attribution`](super::attribution)), so that its second step
//! finds nothing. Here each step is asked for by itself and put right before the next one.

use std::collections::{BTreeMap, HashMap};

use serde_json::json;
use tokio::time::timeout_at;

use super::attribution::{Definition, Outline, is_own};
use super::conversation::{Conversation, Trouble};
use super::symbol_id::{is_callable, owner, path};
use super::symbols::{Symbol, Wanted, resolve};
use super::wire::{Batch, Calls, Found, FoundSymbol, References};

const DEEPEST: u32 = 5;
const MOST_NODES: usize = 100;
const MOST_REFERENCES: usize = 2_000;
/// Of one file.
const MOST_SYMBOLS: usize = 3_000;
/// Of one file, those that CKB must be asked for by name.
const MOST_UNPLACED: usize = 500;
/// CKB takes no more at once.
const BATCH: usize = 50;

/// Which way calls are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Callers,
    Callees,
    Both,
}

/// What is around a symbol. Nodes are sorted by depth, file and line; the first is the symbol itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallGraph {
    pub nodes: Vec<CallNode>,
    pub edges: Vec<CallEdge>,
    /// Whether there is more than was looked at.
    pub is_truncated: bool,
}

/// A function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallNode {
    /// What CKB calls it.
    pub id: String,
    /// With the types around it: `Cart.total`.
    pub name: String,
    /// Relative to the root.
    pub file: String,
    /// The first line of its definition.
    pub line: u32,
    /// How many calls it is away from the symbol.
    pub depth: u32,
}

/// A function calls another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallEdge {
    /// The id of a node.
    pub caller: String,
    /// The id of a node.
    pub callee: String,
    /// Where it does, in the caller's file.
    pub lines: Vec<u32>,
}

pub(super) async fn build(
    conversation: &Conversation<'_>,
    wanted: &Wanted,
    direction: Direction,
    depth: u32,
) -> Result<Option<CallGraph>, Trouble> {
    let Some(symbol) = resolve(conversation, wanted).await? else { return Ok(None) };
    let mut explorer = Explorer::new(conversation);
    explorer.begin(symbol).await?;
    let exploring = explorer.explore(direction, depth.min(DEEPEST));
    match timeout_at(conversation.almost_too_late(), exploring).await {
        Ok(explored) => explored?,
        // A server that has told something is slow, one that has not hangs.
        Err(_elapsed) if explorer.nodes.len() > 1 => explorer.is_truncated = true,
        Err(_elapsed) => return Err(conversation.too_late()),
    }
    Ok(Some(explorer.finish()))
}

/// What has been found so far.
struct Explorer<'a> {
    conversation: &'a Conversation<'a>,
    root: String,
    nodes: HashMap<String, CallNode>,
    edges: BTreeMap<(String, String), Vec<u32>>,
    outlines: HashMap<String, Outline>,
    is_truncated: bool,
}

/// A call that was found, from the side that is new.
struct Call {
    caller: (String, String),
    callee: (String, String),
    line: u32,
}

impl<'a> Explorer<'a> {
    fn new(conversation: &'a Conversation<'a>) -> Self {
        Self {
            conversation,
            root: String::new(),
            nodes: HashMap::new(),
            edges: BTreeMap::new(),
            outlines: HashMap::new(),
            is_truncated: false,
        }
    }

    async fn begin(&mut self, symbol: Symbol) -> Result<(), Trouble> {
        self.root.clone_from(&symbol.id);
        self.add(&symbol.id, &symbol.file, 0).await
    }

    fn finish(self) -> CallGraph {
        let mut nodes: Vec<CallNode> = self.nodes.into_values().collect();
        nodes.sort_by(|one, other| {
            (one.depth, &one.file, one.line, &one.id).cmp(&(other.depth, &other.file, other.line, &other.id))
        });
        let edge = |((caller, callee), mut lines): ((String, String), Vec<u32>)| {
            lines.sort_unstable();
            lines.dedup();
            CallEdge { caller, callee, lines }
        };
        CallGraph { nodes, edges: self.edges.into_iter().map(edge).collect(), is_truncated: self.is_truncated }
    }

    async fn explore(&mut self, direction: Direction, depth: u32) -> Result<(), Trouble> {
        if direction != Direction::Callees {
            self.follow(Direction::Callers, depth).await?;
        }
        if direction != Direction::Callers {
            self.follow(Direction::Callees, depth).await?;
        }
        Ok(())
    }

    /// One way, level by level, from the symbol.
    async fn follow(&mut self, way: Direction, depth: u32) -> Result<(), Trouble> {
        let mut level = vec![self.root.clone()];
        for distance in 1..=depth {
            let mut next = Vec::new();
            for id in level {
                if self.nodes.len() >= MOST_NODES {
                    self.is_truncated = true;
                    return Ok(());
                }
                let file = self.nodes[&id].file.clone();
                let calls = match way {
                    Direction::Callers | Direction::Both => self.callers(&id, &file).await?,
                    Direction::Callees => self.callees(&id, &file).await?,
                };
                self.note(calls, way, distance, &mut next).await?;
            }
            level = next;
        }
        Ok(())
    }

    async fn note(
        &mut self,
        calls: Vec<Call>,
        way: Direction,
        distance: u32,
        next: &mut Vec<String>,
    ) -> Result<(), Trouble> {
        for Call { caller, callee, line } in calls {
            let (id, file) = if way == Direction::Callees { &callee } else { &caller };
            // A function that was met on the other way is still followed on this one.
            let is_new = !next.contains(id) && *id != self.root && !self.is_known_on(way, id);
            if !self.nodes.contains_key(id) && self.nodes.len() >= MOST_NODES {
                self.is_truncated = true;
                continue;
            }
            if !self.nodes.contains_key(id) {
                self.add(id, file, distance).await?;
            }
            if is_new {
                next.push(id.clone());
            }
            self.edges.entry((caller.0, callee.0)).or_default().push(line);
        }
        Ok(())
    }

    /// Whether a call in this direction has led to it already.
    fn is_known_on(&self, way: Direction, id: &str) -> bool {
        self.edges.keys().any(|(caller, callee)| if way == Direction::Callees { callee == id } else { caller == id })
    }

    async fn add(&mut self, id: &str, file: &str, depth: u32) -> Result<(), Trouble> {
        let outline = self.outline(file).await?;
        let line = outline.span(id).map_or(1, |span| span.start);
        let name = path(id).join(".");
        let node = CallNode { id: id.to_owned(), name, file: file.to_owned(), line, depth };
        self.nodes.insert(id.to_owned(), node);
        Ok(())
    }

    /// Everywhere the function is named inside another one.
    async fn callers(&mut self, id: &str, file: &str) -> Result<Vec<Call>, Trouble> {
        let mut calls = Vec::new();
        for (site, line) in self.sites(id, None).await? {
            let span = self.outline(&site).await?.enclosing(line).map(|span| (span.id.clone(), span.start));
            let Some((caller, start)) = span else { continue };
            // Its own head names it, but does not call it.
            if caller == id && start == line && site == file {
                continue;
            }
            calls.push(Call { caller: (caller, site), callee: (id.to_owned(), file.to_owned()), line });
        }
        Ok(calls)
    }

    /// What CKB booked on the function or its parts, as far as it is really named inside the function.
    async fn callees(&mut self, id: &str, file: &str) -> Result<Vec<Call>, Trouble> {
        let parts: Vec<String> = self.outline(file).await?.parts(id).into_iter().map(str::to_owned).collect();
        let mut candidates: BTreeMap<String, String> = BTreeMap::new();
        for part in parts {
            let arguments = json!({"symbolId": part, "direction": "callees", "depth": 1});
            let booked: Option<Calls> = self.conversation.call("getCallGraph", arguments).await?;
            for node in booked.map(|booked| booked.nodes).unwrap_or_default() {
                let callee = owner(&node.id);
                // What has no place is in a library.
                let Some(location) = node.location else { continue };
                if node.role != "root" && is_callable(callee) {
                    candidates.insert(callee.to_owned(), location.file_id);
                }
            }
        }
        let mut calls = Vec::new();
        for (callee, callee_file) in candidates {
            for (_, line) in self.sites(&callee, Some(file)).await? {
                let span = self.outline(file).await?.enclosing(line).filter(|span| span.id == id);
                if span.is_none_or(|span| callee == id && span.start == line) {
                    continue;
                }
                let caller = (id.to_owned(), file.to_owned());
                calls.push(Call { caller, callee: (callee.clone(), callee_file.clone()), line });
            }
        }
        Ok(calls)
    }

    /// File and line of every place that names the symbol, its definition aside.
    async fn sites(&mut self, id: &str, only_in: Option<&str>) -> Result<Vec<(String, u32)>, Trouble> {
        let mut arguments = json!({"symbolId": id, "limit": MOST_REFERENCES});
        if let Some(file) = only_in {
            arguments["scope"] = json!(file);
        }
        let found: Option<References> = self.conversation.call("findReferences", arguments).await?;
        let references = found.map(|found| found.references).unwrap_or_default();
        self.is_truncated |= references.len() >= MOST_REFERENCES;
        let named = references.into_iter().filter(|reference| reference.kind != "definition");
        let mut sites: Vec<_> =
            named.map(|reference| (reference.location.file_id, reference.location.start_line)).collect();
        sites.retain(|(file, _)| only_in.is_none_or(|only| only == file));
        sites.sort();
        Ok(sites)
    }

    async fn outline(&mut self, file: &str) -> Result<&Outline, Trouble> {
        if !self.outlines.contains_key(file) {
            let outline = self.read_outline(file).await?;
            self.outlines.insert(file.to_owned(), outline);
        }
        Ok(&self.outlines[file])
    }

    /// CKB's search knows the lines of most functions and classes; for the others it must be asked once more.
    async fn read_outline(&self, file: &str) -> Result<Outline, Trouble> {
        let arguments = json!({"query": "", "scope": file, "limit": MOST_SYMBOLS});
        let found: Option<Found> = self.conversation.call("searchSymbols", arguments).await?;
        let symbols = found.map(|found| found.symbols).unwrap_or_default().into_iter();
        let in_file = symbols.filter_map(|symbol| definition(symbol, file));
        let mut definitions: Vec<Definition> = in_file.collect();
        let unplaced = definitions.iter_mut().filter(|found| found.start == 0 && is_own(&found.id));
        let mut unplaced: Vec<&mut Definition> = unplaced.take(MOST_UNPLACED).collect();
        for batch in unplaced.chunks_mut(BATCH) {
            let ids: Vec<&str> = batch.iter().map(|found| found.id.as_str()).collect();
            let answer: Option<Batch> = self.conversation.call("batchGet", json!({"symbolIds": ids})).await?;
            let mut known = answer.map(|answer| answer.results).unwrap_or_default();
            for found in batch {
                let Some(symbol) = known.remove(&found.id) else { continue };
                found.start = symbol.location.map_or(0, |location| location.start_line);
                // The type of a variable that holds a function has an arrow.
                found.is_plain = !found.id.ends_with(").") && !symbol.documentation.contains("=>");
            }
        }
        Ok(Outline::new(definitions))
    }
}

fn definition(symbol: FoundSymbol, file: &str) -> Option<Definition> {
    let location = symbol.location.filter(|location| location.file_id == file)?;
    let end = (location.end_line > 0).then_some(location.end_line);
    Some(Definition { id: symbol.stable_id, start: location.start_line, end, is_plain: false })
}

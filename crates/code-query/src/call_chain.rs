//! Who calls a symbol and what it calls, step by step.

use std::collections::{BTreeMap, VecDeque};

use graph::{Direction, GraphRead, NodeId, NodeKey, PropertyKey, ReadResult, RelationKey, Value};
use rustc_hash::FxHashSet;

const CALLS: [&str; 2] = ["CALLS", "INSTANTIATES"];
const MEMBERS: [&str; 2] = ["DEFINES", "DEFINES_METHOD"];

/// How far a chain is followed.
#[derive(Debug, Clone, Copy)]
pub struct Following {
    pub callers: bool,
    pub callees: bool,
    pub depth: u32,
    /// The most symbols in each direction.
    pub most: usize,
}

/// The chain of one symbol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallChain {
    pub target: Link,
    pub has_cycle: bool,
    /// There is more than `Following::most` let through.
    pub is_cut: bool,
}

/// One symbol of a chain.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Link {
    pub symbol: String,
    pub file: Option<String>,
    /// Where it is defined.
    pub line: u32,
    /// Where the call between it and the symbol above it is written, in the file of the one that calls.
    pub call_lines: Vec<u32>,
    pub depth: u32,
    /// It stands above itself in the chain.
    pub is_cycle: bool,
    /// It is followed elsewhere in the chain, where it is as near or nearer.
    pub is_repeated: bool,
    pub callers: Vec<Link>,
    pub callees: Vec<Link>,
}

/// Follows calls from a symbol. Those of a class or module are those of what is written in it, as far as they leave it.
pub fn call_chain(graph: &dyn GraphRead, target: NodeId, following: Following) -> ReadResult<CallChain> {
    let keys = Keys::of(graph);
    let target = NodeKey(u64::try_from(target.0)?);
    let members = keys.members(target)?;
    let mut chain = CallChain { target: keys.link(target, 0)?, has_cycle: false, is_cut: false };
    if following.callers {
        let found = keys.follow(&members, Direction::Incoming, following)?;
        chain.note(&found);
        chain.target.callers = found.links(&keys, |link| &mut link.callers)?;
    }
    if following.callees {
        let found = keys.follow(&members, Direction::Outgoing, following)?;
        chain.note(&found);
        chain.target.callees = found.links(&keys, |link| &mut link.callees)?;
    }
    Ok(chain)
}

impl CallChain {
    fn note(&mut self, found: &Found) {
        self.has_cycle |= found.steps.iter().any(|step| step.is_cycle);
        self.is_cut |= found.is_cut;
    }
}

/// A graph and its numbers for what a chain needs.
struct Keys<'g> {
    graph: &'g dyn GraphRead,
    calls: Vec<RelationKey>,
    members: Vec<RelationKey>,
    name: Option<PropertyKey>,
    path: Option<PropertyKey>,
    line_start: Option<PropertyKey>,
    line: Option<PropertyKey>,
}

/// One symbol as it was met.
struct Met {
    node: NodeKey,
    /// The place of the one above it; nothing for those right below the target.
    above: Option<usize>,
    depth: u32,
    call_lines: Vec<u32>,
    is_cycle: bool,
    is_repeated: bool,
}

#[derive(Default)]
struct Found {
    steps: Vec<Met>,
    is_cut: bool,
}

impl<'g> Keys<'g> {
    fn of(graph: &'g dyn GraphRead) -> Self {
        let relations = |names: &[&str]| names.iter().filter_map(|name| graph.relation(name)).collect();
        Self {
            graph,
            calls: relations(&CALLS),
            members: relations(&MEMBERS),
            name: graph.property("qualified_name"),
            path: graph.property("file_path"),
            line_start: graph.property("line_start"),
            line: graph.property("line"),
        }
    }

    /// The symbol and all that is written in it, itself first.
    fn members(&self, target: NodeKey) -> ReadResult<Vec<NodeKey>> {
        let mut members = vec![target];
        let mut next = 0;
        while let Some(node) = members.get(next).copied() {
            next += 1;
            let mut steps = Vec::new();
            if !self.members.is_empty() {
                self.graph.expand(node, Direction::Outgoing, &self.members, &mut steps)?;
            }
            for step in steps {
                if !members.contains(&step.far) {
                    members.push(step.far);
                }
            }
        }
        Ok(members)
    }

    /// Goes from near to far, so that what is met again was as near or nearer before.
    fn follow(&self, members: &[NodeKey], direction: Direction, following: Following) -> ReadResult<Found> {
        let mut found = Found::default();
        let mut seen: FxHashSet<NodeKey> = members.iter().copied().collect();
        let mut waiting: VecDeque<(Option<usize>, u32)> = VecDeque::from([(None, 1)]);
        while let Some((above, depth)) = waiting.pop_front() {
            let from = above.map_or(members, |place| std::slice::from_ref(&found.steps[place].node)).to_vec();
            for (node, call_lines) in self.neighbours(&from, direction)? {
                let is_own = members.contains(&node);
                // Calls between what is written in the target do not leave it; only those of the target itself are cycles.
                if is_own && above.is_none() && node != members[0] {
                    continue;
                }
                if found.steps.len() >= following.most {
                    found.is_cut = true;
                    return Ok(found);
                }
                let is_cycle = is_own || found.is_above(above, node);
                let is_repeated = !is_cycle && !seen.insert(node);
                found.steps.push(Met { node, above, depth, call_lines, is_cycle, is_repeated });
                if !is_cycle && !is_repeated && depth < following.depth {
                    waiting.push_back((Some(found.steps.len() - 1), depth + 1));
                }
            }
        }
        Ok(found)
    }

    /// The other ends of the calls of these symbols, each with the lines of its calls, in the order of the source.
    fn neighbours(&self, from: &[NodeKey], direction: Direction) -> ReadResult<Vec<(NodeKey, Vec<u32>)>> {
        let mut steps = Vec::new();
        if !self.calls.is_empty() {
            for node in from {
                self.graph.expand(*node, direction, &self.calls, &mut steps)?;
            }
        }
        let mut lines: BTreeMap<NodeKey, Vec<u32>> = BTreeMap::new();
        for step in steps {
            let line = self.line.map(|line| self.graph.edge_property(step.edge, line)).transpose()?;
            lines.entry(step.far).or_default().extend(line.as_ref().and_then(number));
        }
        let mut neighbours = Vec::new();
        for (node, mut lines) in lines {
            lines.sort_unstable();
            lines.dedup();
            let file = match direction {
                // What is called is called from one file.
                Direction::Outgoing => None,
                Direction::Incoming | Direction::Either => self.text(node, self.path)?,
            };
            neighbours.push(((file, lines.first().copied(), self.text(node, self.name)?), node, lines));
        }
        neighbours.sort();
        Ok(neighbours.into_iter().map(|(_, node, lines)| (node, lines)).collect())
    }

    fn link(&self, node: NodeKey, depth: u32) -> ReadResult<Link> {
        let line = self.line_start.map(|line| self.graph.node_property(node, line)).transpose()?;
        Ok(Link {
            symbol: self.text(node, self.name)?.unwrap_or_default(),
            file: self.text(node, self.path)?,
            line: line.as_ref().and_then(number).unwrap_or(0),
            depth,
            ..Link::default()
        })
    }

    fn text(&self, node: NodeKey, property: Option<PropertyKey>) -> ReadResult<Option<String>> {
        let value = property.map(|property| self.graph.node_property(node, property)).transpose()?;
        Ok(match value {
            Some(Value::Text(text)) => Some(text.to_string()),
            _ => None,
        })
    }
}

impl Found {
    fn is_above(&self, mut place: Option<usize>, node: NodeKey) -> bool {
        while let Some(step) = place.map(|place| &self.steps[place]) {
            if step.node == node {
                return true;
            }
            place = step.above;
        }
        false
    }

    /// As a tree: what was met later is put below what it was met from, the deepest first.
    fn links(mut self, keys: &Keys<'_>, below: impl Fn(&mut Link) -> &mut Vec<Link>) -> ReadResult<Vec<Link>> {
        let mut links = Vec::with_capacity(self.steps.len());
        for step in &mut self.steps {
            let mut link = keys.link(step.node, step.depth)?;
            link.call_lines = std::mem::take(&mut step.call_lines);
            (link.is_cycle, link.is_repeated) = (step.is_cycle, step.is_repeated);
            links.push(link);
        }
        let mut top = Vec::new();
        while let (Some(mut link), Some(step)) = (links.pop(), self.steps.pop()) {
            below(&mut link).reverse();
            match step.above {
                Some(place) => below(&mut links[place]).push(link),
                None => top.push(link),
            }
        }
        top.reverse();
        Ok(top)
    }
}

fn number(value: &Value) -> Option<u32> {
    match value {
        Value::Int(number) => u32::try_from(*number).ok().filter(|line| *line > 0),
        _ => None,
    }
}

#[cfg(test)]
mod tests;

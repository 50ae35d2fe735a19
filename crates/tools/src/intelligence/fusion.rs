//! What CKB knows of symbols and calls, joined with what our own graph knows.

use std::path::Path;

use code_query::{CallChain, Link};
use graph::{Label, NodeId};
use retrieval::{Hit, Source};
use store::FoundNode;
use upstream::ckb::{CallEdge, CallGraph, CallNode, Direction, Symbol, Wanted};

use super::ckb::Asked;
use super::terms;
use crate::code::projects::IndexedProject;
use crate::context::ToolContext;

/// What is looked up in CKB for one task.
const MOST_NAMES: usize = 2;
const LONGEST_NAME: usize = 100;
const MOST_SYMBOLS: usize = 10;

/// Asks CKB for the calls around a symbol.
pub(super) async fn calls(
    context: &ToolContext,
    project: &IndexedProject,
    target: &FoundNode,
    direction: Direction,
    depth: u32,
) -> Asked<CallGraph> {
    let Some(ckb) = context.ckb() else { return Asked::disabled() };
    let wanted = Wanted {
        name: target.node.qualified_name.clone(),
        file: target.path.clone(),
        line: Some(target.node.own_line.max(target.node.start_line)).filter(|line| *line > 0),
    };
    let Asked { answer, state } = Asked::from(ckb.call_graph(&project.info.root, &wanted, direction, depth).await);
    Asked { answer: answer.flatten(), state }
}

/// Asks CKB for symbols that the words of a task may name.
pub(super) async fn symbols(context: &ToolContext, root: &Path, query: &str) -> Asked<Vec<Symbol>> {
    let Some(ckb) = context.ckb() else { return Asked::disabled() };
    let mut names = terms::names(query, MOST_NAMES).into_iter();
    // It is asked even if nothing looks like a name, because the answer says whether it is there.
    let first = names.next().unwrap_or_else(|| query.trim().chars().take(LONGEST_NAME).collect());
    let mut asked = Asked::from(ckb.symbols(root, &first, MOST_SYMBOLS).await);
    if let (Some(found), Some(second)) = (&mut asked.answer, names.next())
        && let Some(more) = Asked::from(ckb.symbols(root, &second, MOST_SYMBOLS).await).answer
    {
        found.extend(more);
    }
    asked
}

/// Symbols as hits behind those that are known already, without those that are among them.
pub(super) fn hits_of(symbols: Vec<Symbol>, known: &[Hit]) -> Vec<Hit> {
    let least = known.last().map_or(1.0, |hit| hit.relevance);
    let mut hits: Vec<Hit> = Vec::new();
    for symbol in symbols {
        let Some(start_line) = symbol.line else { continue };
        let end_line = symbol.end_line.unwrap_or(start_line).max(start_line);
        let is_known = |hit: &Hit| hit.file == symbol.file && hit.start_line <= end_line && start_line <= hit.end_line;
        if known.iter().chain(&hits).any(is_known) {
            continue;
        }
        let relevance = least * symbol.score.clamp(0.0, 1.0);
        hits.push(Hit {
            node: NodeId::default(),
            label: Label::Function,
            local_name: symbol.qualified_name.clone(),
            symbol: symbol.qualified_name,
            file: symbol.file,
            start_line,
            end_line,
            source: Source::Graph,
            distance: 0,
            relevance,
        });
    }
    hits.sort_by(|left, right| right.relevance.total_cmp(&left.relevance));
    hits
}

/// Adds the calls that only CKB knows, to this depth.
pub(super) fn add_calls(chain: &mut CallChain, theirs: &CallGraph, depth: u32) {
    let Some(target) = theirs.nodes.first() else { return };
    for way in [Way::Callers, Way::Callees] {
        let mut adding = Adding { theirs, way, depth, above: vec![target.id.as_str()], has_cycle: false };
        adding.below(&mut chain.target, &target.id);
        chain.has_cycle |= adding.has_cycle;
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Callers,
    Callees,
}

struct Adding<'a> {
    theirs: &'a CallGraph,
    way: Way,
    depth: u32,
    /// What CKB calls the symbols between the target and here.
    above: Vec<&'a str>,
    has_cycle: bool,
}

impl<'a> Adding<'a> {
    /// Adds below a link what CKB has below the same symbol.
    fn below(&mut self, link: &mut Link, id: &str) {
        if link.depth >= self.depth || link.is_cycle || link.is_repeated {
            return;
        }
        let (theirs, way) = (self.theirs, self.way);
        for (edge, node) in theirs.edges.iter().filter_map(|edge| way.step(edge, id, theirs)) {
            let is_cycle = self.above.contains(&node.id.as_str());
            let depth = link.depth + 1;
            let links = way.links(link);
            let place = match links.iter().position(|known| is_same(known, node)) {
                Some(place) => place,
                None => {
                    self.has_cycle |= is_cycle;
                    links.push(new_link(edge, node, depth, is_cycle));
                    links.len() - 1
                }
            };
            if !is_cycle {
                self.above.push(&node.id);
                self.below(&mut links[place], &node.id);
                self.above.pop();
            }
        }
    }
}

impl Way {
    /// The far end of an edge from this symbol, if it is one that goes this way.
    fn step<'a>(self, edge: &'a CallEdge, id: &str, theirs: &'a CallGraph) -> Option<(&'a CallEdge, &'a CallNode)> {
        let (near, far) = match self {
            Self::Callers => (&edge.callee, &edge.caller),
            Self::Callees => (&edge.caller, &edge.callee),
        };
        let far = (near == id).then_some(far)?;
        theirs.nodes.iter().find(|node| node.id == *far).map(|node| (edge, node))
    }

    fn links(self, link: &mut Link) -> &mut Vec<Link> {
        match self {
            Self::Callers => &mut link.callers,
            Self::Callees => &mut link.callees,
        }
    }
}

fn new_link(edge: &CallEdge, node: &CallNode, depth: u32, is_cycle: bool) -> Link {
    Link {
        symbol: node.name.clone(),
        file: Some(node.file.clone()),
        line: node.line,
        call_lines: edge.lines.clone(),
        depth,
        is_cycle,
        ..Link::default()
    }
}

/// The same function: in the same file, and there on the same line or under the same name.
fn is_same(link: &Link, node: &CallNode) -> bool {
    let last = |name: &str| name.rsplit(['.', ':', '#', '/']).next().unwrap_or_default().to_owned();
    let is_there = link.file.as_deref() == Some(node.file.as_str());
    is_there && (link.line == node.line || last(&link.symbol) == last(&node.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(id: &str, file: &str, line: u32, depth: u32) -> CallNode {
        CallNode { id: id.to_owned(), name: id.to_owned(), file: file.to_owned(), line, depth }
    }

    fn edge(caller: &str, callee: &str, line: u32) -> CallEdge {
        CallEdge { caller: caller.to_owned(), callee: callee.to_owned(), lines: vec![line] }
    }

    fn link(symbol: &str, file: &str, line: u32, depth: u32) -> Link {
        Link { symbol: symbol.to_owned(), file: Some(file.to_owned()), line, depth, ..Link::default() }
    }

    /// Ours: `b` calls `a`. CKB also knows that `c` calls `b` and that `a` calls `d`, which calls `a`.
    fn joined(depth: u32) -> CallChain {
        let mut target = link("src/a.ts#a", "src/a.ts", 1, 0);
        target.callers.push(link("src/b.ts#b", "src/b.ts", 3, 1));
        let mut chain = CallChain { target, has_cycle: false, is_cut: false };
        let nodes = vec![
            node("a", "src/a.ts", 1, 0),
            node("b", "src/b.ts", 4, 1),
            node("c", "c.ts", 5, 2),
            node("d", "d.ts", 6, 1),
        ];
        let edges = vec![edge("b", "a", 3), edge("c", "b", 7), edge("a", "d", 2), edge("d", "a", 8)];
        add_calls(&mut chain, &CallGraph { nodes, edges, is_truncated: false }, depth);
        chain
    }

    #[test]
    fn what_only_ckb_knows_is_added_where_it_belongs_and_the_rest_stays() {
        let chain = joined(2);
        let callers: Vec<&str> = chain.target.callers.iter().map(|link| link.symbol.as_str()).collect();
        assert_eq!(callers, ["src/b.ts#b", "d"]);
        let further = &chain.target.callers[0].callers;
        assert_eq!((further[0].symbol.as_str(), further[0].depth, &*further[0].call_lines), ("c", 2, &[7][..]));
        assert_eq!(chain.target.callees[0].symbol, "d");
    }

    #[test]
    fn a_circle_that_ckb_knows_is_marked_and_ends() {
        let chain = joined(5);
        assert!(chain.has_cycle);
        assert!(chain.target.callees[0].callees[0].is_cycle);
    }

    #[test]
    fn nothing_is_added_beyond_the_depth() {
        let chain = joined(1);
        assert!(chain.target.callers[0].callers.is_empty() && !chain.has_cycle);
    }
}

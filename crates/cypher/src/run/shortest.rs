//! Shortest paths between two nodes: two searches in breadth that meet in the middle.

use graph::{Direction, EdgeKey, NodeKey};
use rustc_hash::FxHashMap;

use crate::plan::{ShortestPath, VariableExpand};
use crate::value::{Path, Value};
use cypher_syntax::Result;

use super::expand::edge_list;
use super::{ENOUGH, Flow, MORE, Row, Runtime, Sink};

/// How far each node is, and the last relationships on the shortest ways to it, with the nodes before them.
type Reached = FxHashMap<NodeKey, (u32, Vec<(EdgeKey, NodeKey)>)>;

/// Who is told of a way and the node it ends at.
type Give<'g> = &'g mut dyn FnMut(&[EdgeKey], NodeKey, &mut Row) -> Result<Flow>;

/// One of the two searches.
struct Side {
    reached: Reached,
    frontier: Vec<NodeKey>,
    depth: u32,
    direction: Direction,
}

impl Side {
    fn new(start: NodeKey, direction: Direction) -> Side {
        let reached = FxHashMap::from_iter([(start, (0, Vec::new()))]);
        Side { reached, frontier: vec![start], depth: 0, direction }
    }
}

impl Runtime<'_> {
    pub(super) fn shortest_path(&self, search: &ShortestPath, row: &mut Row, next: Sink<'_>) -> Result<Flow> {
        let expand = &search.expand;
        let (Value::Node(from), Value::Node(to)) = (&row[expand.step.from], &row[expand.step.to]) else {
            return Ok(MORE);
        };
        let (from, to) = (*from, *to);
        if from == to && expand.min > 0 {
            return Ok(MORE);
        }
        let mut found = Found { any: false, flow: MORE };
        if expand.min <= 1 {
            let met = self.meet(expand, from, to, row)?;
            let Some((forward, backward, middles)) = met else { return Ok(MORE) };
            for middle in middles {
                let firsts = Ways::new(&forward.reached, middle);
                self.join_ways((firsts, (&backward, middle)), search, row, &mut found, next)?;
                if found.is_done(search) {
                    return Ok(found.flow);
                }
            }
            if found.any || search.conditions.is_empty() {
                return Ok(found.flow);
            }
        }
        self.search_longer(search, from, row, next)
    }

    /// Searches from both ends until they meet; the nodes in the middle of all shortest paths.
    fn meet(
        &self,
        expand: &VariableExpand,
        from: NodeKey,
        to: NodeKey,
        row: &mut Row,
    ) -> Result<Option<(Side, Side, Vec<NodeKey>)>> {
        let mut forward = Side::new(from, expand.step.direction);
        let mut backward = Side::new(to, reverse(expand.step.direction));
        if from == to {
            return Ok(Some((forward, backward, vec![from])));
        }
        while forward.depth + backward.depth < expand.max {
            let advances = forward.frontier.len() <= backward.frontier.len();
            let (near, far) = if advances { (&mut forward, &backward) } else { (&mut backward, &forward) };
            if near.frontier.is_empty() {
                return Ok(None);
            }
            self.advance(near, expand, row)?;
            let depth = far.depth;
            let meets = |node: &&NodeKey| far.reached.get(node).is_some_and(|(other, _)| *other == depth);
            let middles: Vec<NodeKey> = near.frontier.iter().filter(meets).copied().collect();
            if !middles.is_empty() {
                return Ok(Some((forward, backward, middles)));
            }
        }
        Ok(None)
    }

    /// One step further from every node at the edge of a search.
    fn advance(&self, side: &mut Side, expand: &VariableExpand, row: &mut Row) -> Result<()> {
        side.depth += 1;
        let mut reached_now = Vec::new();
        for node in std::mem::take(&mut side.frontier) {
            let steps = self.allowed_steps(expand, node, side.direction, row)?;
            for step in &steps {
                self.tick()?;
                let (depth, ways) = side.reached.entry(step.far).or_insert_with(|| {
                    reached_now.push(step.far);
                    (side.depth, Vec::new())
                });
                if *depth == side.depth {
                    ways.push((step.edge, node));
                }
            }
            self.charge(reached_now.len().min(steps.len()) * 64)?;
            self.give_steps_back(steps);
        }
        side.frontier = reached_now;
        Ok(())
    }

    /// Every shortest way to the middle with every shortest way on from there.
    fn join_ways(
        &self,
        (mut firsts, lasts_from): (Ways<'_>, (&Side, NodeKey)),
        search: &ShortestPath,
        row: &mut Row,
        found: &mut Found,
        next: Sink<'_>,
    ) -> Result<()> {
        let (backward, middle) = lasts_from;
        while let Some(mut edges) = firsts.next_way() {
            edges.reverse();
            let before = edges.len();
            let mut lasts = Ways::new(&backward.reached, middle);
            while let Some(rest) = lasts.next_way() {
                self.tick()?;
                edges.truncate(before);
                edges.extend(rest);
                self.offer(search, &edges, row, found, next)?;
                if found.is_done(search) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn offer(
        &self,
        search: &ShortestPath,
        edges: &[EdgeKey],
        row: &mut Row,
        found: &mut Found,
        next: Sink<'_>,
    ) -> Result<()> {
        let step = &search.expand.step;
        if let Some(slot) = step.edge {
            row[slot] = edge_list(edges, search.expand.reversed);
        }
        if let (Some(slot), Value::Node(from)) = (search.path, row[step.from].clone()) {
            let mut path = self.path_over(from, edges)?;
            if search.expand.reversed {
                path.nodes.reverse();
                path.relationships.reverse();
            }
            row[slot] = Value::Path(path.into());
        }
        for condition in &search.conditions {
            if self.condition(condition, row)? != Some(true) {
                return Ok(());
            }
        }
        found.any = true;
        found.flow = next(row)?;
        Ok(())
    }

    fn path_over(&self, from: NodeKey, edges: &[EdgeKey]) -> Result<Path> {
        let mut path = Path { nodes: vec![from], relationships: edges.to_vec() };
        let mut at = from;
        for edge in edges {
            let ends = self.graph.edge_ends(*edge)?;
            at = if ends.from == at { ends.to } else { ends.from };
            path.nodes.push(at);
        }
        Ok(path)
    }

    /// No shortest path meets the conditions: looks through longer ones, length by length.
    fn search_longer(&self, search: &ShortestPath, from: NodeKey, row: &mut Row, next: Sink<'_>) -> Result<Flow> {
        let expand = &search.expand;
        let wanted = row[expand.step.to].clone();
        let mut found = Found { any: false, flow: MORE };
        let mut length = expand.min.max(1);
        while length <= expand.max && !found.any {
            let mut is_last = true;
            self.each_trail_of(expand, from, length, row, &mut |edges, end, row| {
                is_last = false;
                if Value::Node(end) != wanted {
                    return Ok(MORE);
                }
                self.offer(search, edges, row, &mut found, next)?;
                Ok(if found.is_done(search) { ENOUGH } else { MORE })
            })?;
            if is_last {
                break;
            }
            length += 1;
        }
        Ok(found.flow)
    }

    /// Every way of exactly this length that uses no relationship twice.
    fn each_trail_of(
        &self,
        expand: &VariableExpand,
        from: NodeKey,
        length: u32,
        row: &mut Row,
        give: Give<'_>,
    ) -> Result<()> {
        let mut trail: Vec<EdgeKey> = Vec::new();
        let mut open = vec![(self.allowed_steps(expand, from, expand.step.direction, row)?, 0)];
        while let Some((steps, at)) = open.last_mut() {
            self.tick()?;
            let Some(step) = steps.get(*at).copied() else {
                open.pop();
                trail.pop();
                continue;
            };
            *at += 1;
            if trail.contains(&step.edge) {
                continue;
            }
            trail.push(step.edge);
            if trail.len() < length as usize {
                open.push((self.allowed_steps(expand, step.far, expand.step.direction, row)?, 0));
                continue;
            }
            if give(&trail, step.far, row)?.is_break() {
                return Ok(());
            }
            trail.pop();
        }
        Ok(())
    }
}

struct Found {
    any: bool,
    flow: Flow,
}

impl Found {
    fn is_done(&self, search: &ShortestPath) -> bool {
        self.flow.is_break() || self.any && !search.every
    }
}

/// All shortest ways from a node back to where a search began, one after the other.
struct Ways<'a> {
    reached: &'a Reached,
    /// The nodes on the way at hand and which of their relationships it takes.
    choices: Vec<(NodeKey, usize)>,
    is_first: bool,
}

impl<'a> Ways<'a> {
    fn new(reached: &'a Reached, from: NodeKey) -> Ways<'a> {
        Ways { reached, choices: vec![(from, 0)], is_first: true }
    }

    /// From the node outwards to the beginning of the search.
    fn next_way(&mut self) -> Option<Vec<EdgeKey>> {
        if !std::mem::take(&mut self.is_first) {
            // The last node is the beginning itself and has no choice.
            self.choices.pop();
            loop {
                let (node, choice) = self.choices.last_mut()?;
                *choice += 1;
                if *choice < self.reached[node].1.len() {
                    break;
                }
                self.choices.pop();
            }
        }
        let mut next = self.choices.last().and_then(|(node, choice)| self.reached[node].1.get(*choice)).copied();
        while let Some((_, node)) = next {
            self.choices.push((node, 0));
            next = self.reached[&node].1.first().copied();
        }
        let edges = self.choices.iter().filter_map(|(node, choice)| self.reached[node].1.get(*choice));
        Some(edges.map(|(edge, _)| *edge).collect())
    }
}

fn reverse(direction: Direction) -> Direction {
    match direction {
        Direction::Outgoing => Direction::Incoming,
        Direction::Incoming => Direction::Outgoing,
        Direction::Either => Direction::Either,
    }
}

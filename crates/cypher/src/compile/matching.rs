//! In which order a pattern is looked for: the cheapest node first, then along relationships, each condition as early as
//! what it needs is there.

use graph::Direction;

use crate::plan::{Expand, Operator, Pipeline, Relations, ShortestPath, Slot, Term, VariableExpand};
use crate::value::Value;
use cypher_syntax::Result;
use cypher_syntax::ast::Search;

use super::patterns::{PatternEdge, PatternGraph};
use super::{Compiler, conditions};

/// What those who read the rows of a pattern do with them.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Wanted {
    /// The same row twice is as good as once.
    pub(super) distinct_only: bool,
    /// Rows will be grouped by this node.
    pub(super) grouped_by: Option<Slot>,
}

struct Planner<'c, 'a> {
    compiler: &'c mut Compiler<'a>,
    graph: PatternGraph,
    wanted: Wanted,
    operators: Vec<Operator>,
    bound: Vec<bool>,
    edges_done: Vec<bool>,
    paths_done: Vec<bool>,
    used_edges: Vec<usize>,
}

impl Compiler<'_> {
    pub(super) fn plan_pattern(&mut self, graph: PatternGraph, wanted: Wanted) -> Result<Pipeline> {
        let bound = graph.nodes.iter().map(|node| node.known).collect();
        let edges_done = vec![false; graph.edges.len()];
        let paths_done = vec![false; graph.paths.len()];
        let planner = Planner {
            compiler: self,
            graph,
            wanted,
            operators: Vec::new(),
            bound,
            edges_done,
            paths_done,
            used_edges: Vec::new(),
        };
        planner.run()
    }
}

impl Planner<'_, '_> {
    fn run(mut self) -> Result<Pipeline> {
        self.check_known_nodes()?;
        loop {
            self.bind_paths()?;
            self.apply_ready_predicates()?;
            if let Some(edge) = self.next_edge() {
                self.follow(edge)?;
            } else if let Some(node) = self.next_node() {
                self.scan(node)?;
            } else {
                break;
            }
        }
        Ok(Pipeline { operators: self.operators })
    }

    fn add(&mut self, operator: Operator) -> Result<()> {
        let at = self.graph.at;
        self.compiler.add(&mut self.operators, operator, at)
    }

    /// A node that is known may be null, or no node at all; expanding from it shows that, but nothing else does.
    fn check_known_nodes(&mut self) -> Result<()> {
        for index in 0..self.graph.nodes.len() {
            let node = &self.graph.nodes[index];
            let has_edge = self.graph.edges.iter().any(|edge| edge.from == index || edge.to == index);
            if node.known && !has_edge {
                let term = Term::IsNull(true, Box::new(Term::Slot(node.slot)));
                self.add(Operator::Filter(term))?;
            }
        }
        Ok(())
    }

    fn is_slot_bound(&self, slot: Slot) -> bool {
        let by_node = self.graph.nodes.iter().position(|node| node.slot == slot).map(|index| self.bound[index]);
        let by_edge = self.graph.edges.iter().position(|edge| edge.slot == slot).map(|index| self.edges_done[index]);
        let by_path = self.graph.paths.iter().position(|path| path.slot == slot).map(|index| self.paths_done[index]);
        by_node.or(by_edge).or(by_path).unwrap_or(true)
    }

    fn bind_paths(&mut self) -> Result<()> {
        for index in 0..self.graph.paths.len() {
            let path = &self.graph.paths[index];
            let is_ready = self.bound[path.start] && path.edges.iter().all(|edge| self.edges_done[*edge]);
            if self.paths_done[index] || !is_ready {
                continue;
            }
            let start = self.graph.nodes[path.start].slot;
            let relationships = path.edges.iter().map(|edge| self.graph.edges[*edge].slot).collect();
            let path = path.slot;
            self.paths_done[index] = true;
            self.add(Operator::BindPath { path, start, relationships })?;
        }
        Ok(())
    }

    fn apply_ready_predicates(&mut self) -> Result<()> {
        let mut index = 0;
        while index < self.graph.predicates.len() {
            let is_ready = self.graph.predicates[index].needs.iter().all(|slot| self.is_slot_bound(*slot));
            if is_ready {
                let predicate = self.graph.predicates.remove(index);
                if !matches!(predicate.term, Term::Constant(Value::Bool(true))) {
                    self.add(Operator::Filter(predicate.term))?;
                }
            } else {
                index += 1;
            }
        }
        Ok(())
    }

    /// The relationship that costs least to follow from what is bound.
    fn next_edge(&self) -> Option<usize> {
        let open = (0..self.graph.edges.len()).filter(|index| !self.edges_done[*index]);
        let costs = open.filter_map(|index| self.edge_cost(&self.graph.edges[index]).map(|cost| (cost, index)));
        costs.min().map(|(_, index)| index)
    }

    fn edge_cost(&self, edge: &PatternEdge) -> Option<u64> {
        let (from, to) = (self.bound[edge.from], self.bound[edge.to]);
        if edge.known && edge.length.is_none() || from && to {
            return Some(0);
        }
        if edge.search != Search::Every || !from && !to {
            return None;
        }
        let total = self.compiler.graph.edge_count(edge.relations.keys()).unwrap_or(u64::MAX);
        let cost = if edge.relations.is_empty() { 0 } else { total };
        Some(if edge.length.is_some() { cost.saturating_mul(16).saturating_add(1) } else { cost.saturating_add(1) })
    }

    /// The cheapest node that is not bound yet.
    fn next_node(&self) -> Option<usize> {
        let open = (0..self.graph.nodes.len()).filter(|index| !self.bound[*index]);
        open.map(|index| (self.node_cost(index), index)).min().map(|(_, index)| index)
    }

    fn node_cost(&self, index: usize) -> u64 {
        let node = &self.graph.nodes[index];
        let scan = conditions::scan(node, &self.graph.predicates, &|slot| self.is_slot_bound(slot));
        if scan.is_empty {
            return 0;
        }
        let estimate = self.compiler.graph.estimate(&scan.filter);
        let estimate = if scan.dynamic.is_empty() { estimate } else { estimate / 64 + 1 };
        let is_preferred = self.wanted.grouped_by == Some(node.slot);
        if is_preferred { estimate / 4 } else { estimate }
    }

    fn scan(&mut self, index: usize) -> Result<()> {
        let node = &self.graph.nodes[index];
        let mut scan = conditions::scan(node, &self.graph.predicates, &|slot| self.is_slot_bound(slot));
        scan.estimate = if scan.is_empty { 0 } else { self.compiler.graph.estimate(&scan.filter) };
        self.bound[index] = true;
        self.add(Operator::Scan(scan))
    }

    fn follow(&mut self, index: usize) -> Result<()> {
        let edge = &self.graph.edges[index];
        let (from_bound, to_bound) = (self.bound[edge.from], self.bound[edge.to]);
        let backwards = !from_bound && to_bound;
        let expand = self.expand(index, backwards);
        let (from, to, slot, known, length) = (edge.from, edge.to, edge.slot, edge.known, edge.length);
        let operator = match length {
            None if known => Operator::FollowEdge { expand, from_known: from_bound },
            None => Operator::Expand(expand),
            Some((min, max)) => self.variable(index, expand, (min, max), backwards),
        };
        self.edges_done[index] = true;
        self.used_edges.push(index);
        self.bound[from] = true;
        self.bound[to] = true;
        if known && length.is_some() {
            return self.compare_with_known(operator, slot);
        }
        self.add(operator)
    }

    /// The list of relationships is known: what is found must be equal to it.
    fn compare_with_known(&mut self, mut operator: Operator, known: Slot) -> Result<()> {
        let found = self.compiler.new_slot();
        if let Operator::VariableExpand(expand) = &mut operator {
            expand.step.edge = Some(found);
            expand.ends_only = false;
        }
        self.add(operator)?;
        let equal =
            Term::Compare(cypher_syntax::ast::Compare::Equal, Box::new(Term::Slot(found)), Box::new(Term::Slot(known)));
        self.add(Operator::Filter(equal))
    }

    fn expand(&self, index: usize, backwards: bool) -> Expand {
        let edge = &self.graph.edges[index];
        let unlike: Vec<Slot> = self
            .used_edges
            .iter()
            .map(|other| &self.graph.edges[*other])
            .filter(|other| edge.search == Search::Every && other.relations.overlaps(&edge.relations))
            .map(|other| other.slot)
            .collect();
        let (near, far) = if backwards { (edge.to, edge.from) } else { (edge.from, edge.to) };
        let direction = match edge.direction {
            Direction::Outgoing if backwards => Direction::Incoming,
            Direction::Incoming if backwards => Direction::Outgoing,
            same => same,
        };
        Expand {
            from: self.graph.nodes[near].slot,
            to: self.graph.nodes[far].slot,
            into: self.bound[far],
            edge: self.needs_edge(index).then_some(edge.slot),
            direction,
            relations: edge.relations.clone(),
            unlike,
            label: edge.label.clone(),
        }
    }

    /// Whether the relationship itself must be kept: somebody uses it, or another one may not be the same.
    fn needs_edge(&self, index: usize) -> bool {
        let edge = &self.graph.edges[index];
        let overlaps = |other: &usize| *other != index && self.graph.edges[*other].relations.overlaps(&edge.relations);
        edge.is_used || (0..self.graph.edges.len()).any(|other| overlaps(&other))
    }

    fn variable(&mut self, index: usize, step: Expand, (min, max): (u32, u32), reversed: bool) -> Operator {
        let edge = &mut self.graph.edges[index];
        let condition = edge.condition.take();
        let search = edge.search;
        let slot = edge.slot;
        let ends_only = self.wanted.distinct_only && step.edge.is_none() && step.unlike.is_empty() && min <= 1;
        let expand = VariableExpand { step, min, max, ends_only, reversed, condition };
        if search == Search::Every {
            return Operator::VariableExpand(Box::new(expand));
        }
        let path = self.graph.paths.iter().position(|path| path.edges == [index]);
        let mut needed = vec![slot];
        if let Some(path) = path {
            self.paths_done[path] = true;
            needed.push(self.graph.paths[path].slot);
        }
        let conditions = self.conditions_on(&needed);
        let path = path.map(|path| self.graph.paths[path].slot);
        Operator::ShortestPath(Box::new(ShortestPath {
            expand,
            path,
            every: search == Search::AllShortest,
            conditions,
        }))
    }

    /// Takes out the predicates that need one of these slots and otherwise only what is bound.
    fn conditions_on(&mut self, slots: &[Slot]) -> Vec<Term> {
        let mut taken = Vec::new();
        let mut index = 0;
        while index < self.graph.predicates.len() {
            let needs = &self.graph.predicates[index].needs;
            let concerns = needs.iter().any(|slot| slots.contains(slot));
            if concerns && needs.iter().all(|slot| slots.contains(slot) || self.is_slot_bound(*slot)) {
                taken.push(self.graph.predicates.remove(index).term);
            } else {
                index += 1;
            }
        }
        taken
    }
}

/// Whether an expansion can be counted without being made.
pub(super) fn is_countable(expand: &Expand) -> bool {
    !expand.into && expand.unlike.is_empty() && !matches!(&expand.relations, Relations::Of(keys) if keys.is_empty())
}

//! From nodes along relationships: one step, or a variable number of them.

use std::collections::VecDeque;

use graph::{Direction, EdgeKey, NodeKey, Step};
use rustc_hash::FxHashMap;

use crate::plan::{Expand, Slot, Term, VariableExpand};
use crate::value::Value;
use cypher_syntax::Result;

use super::{ENOUGH, Flow, MORE, Row, Runtime, Sink};

impl Runtime<'_> {
    pub(super) fn expand(&self, expand: &Expand, row: &mut Row, next: Sink<'_>) -> Result<Flow> {
        let Value::Node(from) = row[expand.from] else { return Ok(MORE) };
        if expand.relations.is_empty() {
            return Ok(MORE);
        }
        let wanted = if expand.into { Some(row[expand.to].clone()) } else { None };
        let mut steps = self.take_steps();
        self.graph.expand(from, expand.direction, expand.relations.keys(), &mut steps)?;
        let mut flow = MORE;
        for step in &steps {
            if wanted.as_ref().is_some_and(|wanted| *wanted != Value::Node(step.far))
                || self.is_used(step.edge, expand, row)
            {
                self.tick()?;
                continue;
            }
            if let Some(edge) = expand.edge {
                row[edge] = Value::Relationship(step.edge);
            }
            if !expand.into {
                row[expand.to] = Value::Node(step.far);
            }
            flow = next(row)?;
            if flow.is_break() {
                break;
            }
        }
        self.give_steps_back(steps);
        Ok(flow)
    }

    /// Whether the relationship has been used for another part of the same pattern.
    fn is_used(&self, edge: EdgeKey, expand: &Expand, row: &Row) -> bool {
        expand.unlike.iter().any(|slot| match &row[*slot] {
            Value::Relationship(other) => *other == edge,
            Value::List(items) => items.contains(&Value::Relationship(edge)),
            _ => false,
        })
    }

    pub(super) fn count_expand(&self, expand: &Expand, filters: &[Term], row: &mut Row) -> Result<i64> {
        if filters.is_empty() && expand.unlike.is_empty() {
            let Value::Node(from) = row[expand.from] else { return Ok(0) };
            if expand.relations.is_empty() {
                return Ok(0);
            }
            let degree = self.graph.degree(from, expand.direction, expand.relations.keys())?;
            return Ok(i64::try_from(degree).unwrap_or(i64::MAX));
        }
        let mut count = 0;
        let _ = self.expand(expand, row, &mut |row| {
            for filter in filters {
                if self.condition(filter, row)? != Some(true) {
                    return Ok(MORE);
                }
            }
            self.tick()?;
            count += 1;
            Ok(MORE)
        })?;
        Ok(count)
    }

    /// The relationship is known: both ends follow from it.
    pub(super) fn follow_edge(&self, expand: &Expand, from_known: bool, row: &mut Row, next: Sink<'_>) -> Result<Flow> {
        let Some(Value::Relationship(edge)) = expand.edge.map(|slot| row[slot].clone()) else { return Ok(MORE) };
        let ends = self.graph.edge_ends(edge)?;
        let fits = expand.relations.keys().is_empty() || expand.relations.keys().contains(&ends.relation);
        if !fits || expand.relations.is_empty() || self.is_used(edge, expand, row) {
            return Ok(MORE);
        }
        let forwards = (ends.from, ends.to);
        let backwards = (ends.to, ends.from);
        let ways: &[(NodeKey, NodeKey)] = match expand.direction {
            Direction::Outgoing => &[forwards],
            Direction::Incoming => &[backwards],
            Direction::Either if ends.from == ends.to => &[forwards],
            Direction::Either => &[forwards, backwards],
        };
        let known_from = from_known.then(|| row[expand.from].clone());
        let known_to = expand.into.then(|| row[expand.to].clone());
        let fits =
            |known: &Option<Value>, found: NodeKey| known.as_ref().is_none_or(|known| *known == Value::Node(found));
        for (from, to) in ways {
            let is_loop_or_two = expand.from != expand.to || from == to;
            if !fits(&known_from, *from) || !fits(&known_to, *to) || !is_loop_or_two {
                continue;
            }
            row[expand.from] = Value::Node(*from);
            row[expand.to] = Value::Node(*to);
            if next(row)?.is_break() {
                return Ok(ENOUGH);
            }
        }
        Ok(MORE)
    }

    pub(super) fn variable_expand(&self, expand: &VariableExpand, row: &mut Row, next: Sink<'_>) -> Result<Flow> {
        let Value::Node(from) = row[expand.step.from] else { return Ok(MORE) };
        let wanted = if expand.step.into { Some(row[expand.step.to].clone()) } else { None };
        if expand.ends_only {
            return self.each_end(expand, from, wanted, row, next);
        }
        self.each_trail(expand, from, wanted, row, next)
    }

    /// The steps from a node that the pattern allows.
    pub(super) fn allowed_steps(
        &self,
        expand: &VariableExpand,
        node: NodeKey,
        direction: Direction,
        row: &mut Row,
    ) -> Result<Vec<Step>> {
        let mut steps = self.take_steps();
        if expand.step.relations.is_empty() {
            return Ok(steps);
        }
        self.graph.expand(node, direction, expand.step.relations.keys(), &mut steps)?;
        if expand.condition.is_none() && expand.step.unlike.is_empty() {
            return Ok(steps);
        }
        let mut kept = 0;
        for index in 0..steps.len() {
            let step = steps[index];
            if !self.is_used(step.edge, &expand.step, row)
                && self.edge_fits(expand.condition.as_ref(), step.edge, row)?
            {
                steps[kept] = step;
                kept += 1;
            }
        }
        steps.truncate(kept);
        Ok(steps)
    }

    fn edge_fits(&self, condition: Option<&(Slot, Term)>, edge: EdgeKey, row: &mut Row) -> Result<bool> {
        let Some((slot, condition)) = condition else { return Ok(true) };
        row[*slot] = Value::Relationship(edge);
        Ok(self.condition(condition, row)? == Some(true))
    }

    /// Every way that uses no relationship twice.
    fn each_trail(
        &self,
        expand: &VariableExpand,
        from: NodeKey,
        wanted: Option<Value>,
        row: &mut Row,
        next: Sink<'_>,
    ) -> Result<Flow> {
        let mut trail: Vec<EdgeKey> = Vec::new();
        let mut open: Vec<(Vec<Step>, usize)> = Vec::new();
        if expand.min == 0 && self.give_end(expand, (from, &trail), wanted.as_ref(), row, next)?.is_break() {
            return Ok(ENOUGH);
        }
        if expand.max > 0 {
            open.push((self.allowed_steps(expand, from, expand.step.direction, row)?, 0));
        }
        let mut flow = MORE;
        while let Some((steps, at)) = open.last_mut() {
            self.tick()?;
            let Some(step) = steps.get(*at).copied() else {
                let (steps, _) = open.pop().unwrap_or_default();
                self.give_steps_back(steps);
                trail.pop();
                continue;
            };
            *at += 1;
            if trail.contains(&step.edge) {
                continue;
            }
            trail.push(step.edge);
            if trail.len() >= expand.min as usize {
                flow = self.give_end(expand, (step.far, &trail), wanted.as_ref(), row, next)?;
                if flow.is_break() {
                    break;
                }
            }
            if trail.len() < expand.max as usize {
                open.push((self.allowed_steps(expand, step.far, expand.step.direction, row)?, 0));
            } else {
                trail.pop();
            }
        }
        Ok(flow)
    }

    fn give_end(
        &self,
        expand: &VariableExpand,
        (end, trail): (NodeKey, &[EdgeKey]),
        wanted: Option<&Value>,
        row: &mut Row,
        next: Sink<'_>,
    ) -> Result<Flow> {
        if wanted.is_some_and(|wanted| *wanted != Value::Node(end)) {
            return Ok(MORE);
        }
        if let Some(slot) = expand.step.edge {
            self.check_room(trail.len() * size_of::<Value>())?;
            row[slot] = edge_list(trail, expand.reversed);
        }
        if !expand.step.into {
            row[expand.step.to] = Value::Node(end);
        }
        next(row)
    }

    /// Every node that some way leads to, once. For at most one step as the minimum, the shortest way there decides; only the
    /// start itself needs a second look, because a way back may not use the relationship it came by.
    fn each_end(
        &self,
        expand: &VariableExpand,
        from: NodeKey,
        wanted: Option<Value>,
        row: &mut Row,
        next: Sink<'_>,
    ) -> Result<Flow> {
        let mut search = Ends { reached: FxHashMap::default(), queue: VecDeque::new(), start_found: expand.min == 0 };
        search.reached.insert(from, (0, None));
        search.queue.push_back(from);
        if expand.min == 0 && self.give_end(expand, (from, &[]), wanted.as_ref(), row, next)?.is_break() {
            return Ok(ENOUGH);
        }
        while let Some(node) = search.queue.pop_front() {
            let (depth, branch) = search.reached[&node];
            if depth >= expand.max {
                continue;
            }
            let steps = self.allowed_steps(expand, node, expand.step.direction, row)?;
            for step in &steps {
                self.tick()?;
                let Some(end) = search.reach(from, (depth, branch), step, expand) else { continue };
                self.charge(64)?;
                if self.give_end(expand, (end, &[]), wanted.as_ref(), row, next)?.is_break() {
                    return Ok(ENOUGH);
                }
            }
            self.give_steps_back(steps);
        }
        Ok(MORE)
    }
}

struct Ends {
    /// How far from the start, and by which of its relationships.
    reached: FxHashMap<NodeKey, (u32, Option<EdgeKey>)>,
    queue: VecDeque<NodeKey>,
    start_found: bool,
}

impl Ends {
    /// The node that this step newly shows to be an end.
    fn reach(
        &mut self,
        start: NodeKey,
        (depth, branch): (u32, Option<EdgeKey>),
        step: &Step,
        expand: &VariableExpand,
    ) -> Option<NodeKey> {
        let branch = branch.unwrap_or(step.edge);
        let undirected = expand.step.direction == Direction::Either;
        if step.far == start {
            // Undirected, only a loop leads straight back; every other way back is found where two branches meet.
            if (depth == 0 || !undirected) && !self.start_found {
                self.start_found = true;
                return Some(start);
            }
            return None;
        }
        if let Some((other_depth, other_branch)) = self.reached.get(&step.far).copied() {
            let closes = undirected && other_branch != Some(branch) && depth + 1 + other_depth <= expand.max;
            if closes && !self.start_found {
                self.start_found = true;
                return Some(start);
            }
            return None;
        }
        self.reached.insert(step.far, (depth + 1, Some(branch)));
        self.queue.push_back(step.far);
        Some(step.far)
    }
}

pub(super) fn edge_list(trail: &[EdgeKey], reversed: bool) -> Value {
    if reversed {
        return Value::List(trail.iter().rev().copied().map(Value::Relationship).collect());
    }
    Value::List(trail.iter().copied().map(Value::Relationship).collect())
}

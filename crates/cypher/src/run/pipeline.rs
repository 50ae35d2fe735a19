//! Pushing a row through operators.
//!
//! Each operator hands its rows to those after it before it makes the next one, so that a limit stops all work at once. The
//! few that need all their input first keep it in a state and hand it on when their input has ended.

use rustc_hash::FxHashSet;

use crate::plan::{NameKind, Operator, Pipeline, Scan, Slot, Term};
use crate::value::{GroupKey, Path, Value};
use cypher_syntax::{Error, ErrorKind, Result};

use super::groups::Groups;
use super::sort::Sorted;
use super::{ENOUGH, Flow, MORE, Row, Runtime, Sink};

/// What an operator remembers from row to row.
pub(super) enum State {
    None,
    /// How many rows may still be skipped or passed on.
    Remaining(u64),
    Seen(FxHashSet<Vec<GroupKey>>),
    SeenOne(FxHashSet<GroupKey>),
    Groups(Box<Groups>),
    Sorted(Box<Sorted>),
}

impl Runtime<'_> {
    /// All rows that a pipeline makes out of one.
    pub(crate) fn run_pipeline(&self, pipeline: &Pipeline, row: &mut Row, sink: Sink<'_>) -> Result<Flow> {
        let operators = &pipeline.operators;
        let mut states = Vec::with_capacity(operators.len());
        for operator in operators {
            states.push(self.first_state(operator, row)?);
        }
        let mut flow = self.push(operators, &mut states, row, sink)?;
        for index in 0..operators.len() {
            let state = std::mem::replace(&mut states[index], State::None);
            let (rest, rest_states) = (&operators[index + 1..], &mut states[index + 1..]);
            match (state, &operators[index]) {
                (State::Groups(groups), Operator::Aggregate(aggregation)) => {
                    flow = self
                        .finish_groups(aggregation, *groups, row, &mut |row| self.push(rest, rest_states, row, sink))?;
                }
                (State::Sorted(sorted), Operator::Sort { kept, .. }) => {
                    flow = self.finish_sort(kept, *sorted, row, &mut |row| self.push(rest, rest_states, row, sink))?;
                }
                _ => {}
            }
        }
        Ok(flow)
    }

    /// The same, for those who do not ask whether more rows were wanted.
    pub(crate) fn each_row(&self, pipeline: &Pipeline, row: &mut Row, sink: Sink<'_>) -> Result<()> {
        self.run_pipeline(pipeline, row, sink).map(|_| ())
    }

    fn first_state(&self, operator: &Operator, row: &mut Row) -> Result<State> {
        Ok(match operator {
            Operator::Skip(bound) => State::Remaining(self.bound("SKIP", bound, row)?),
            Operator::Limit(bound) => State::Remaining(self.bound("LIMIT", bound, row)?),
            Operator::Distinct(slots) if slots.len() == 1 => State::SeenOne(FxHashSet::default()),
            Operator::Distinct(_) => State::Seen(FxHashSet::default()),
            Operator::Aggregate(aggregation) => State::Groups(Box::new(Groups::new(aggregation))),
            Operator::Sort { limit, .. } => {
                let limit = limit.as_ref().map(|limit| self.bound("LIMIT", limit, row)).transpose()?;
                State::Sorted(Box::new(Sorted::new(limit)))
            }
            _ => State::None,
        })
    }

    fn bound(&self, clause: &str, term: &Term, row: &mut Row) -> Result<u64> {
        match self.evaluate(term, row)? {
            Value::Int(number) => u64::try_from(number).map_err(|_| {
                let message = format!("{clause} expects a number that is not negative, not {number}");
                Error::run(ErrorKind::NegativeIntegerArgument, message)
            }),
            other => {
                let message = format!("{clause} expects an integer, not {}", other.kind());
                Err(Error::run(ErrorKind::InvalidArgumentType, message))
            }
        }
    }

    /// Gives a row to the first of these operators.
    pub(super) fn push(
        &self,
        operators: &[Operator],
        states: &mut [State],
        row: &mut Row,
        sink: Sink<'_>,
    ) -> Result<Flow> {
        self.tick()?;
        let (Some((operator, rest)), Some((state, rest_states))) = (operators.split_first(), states.split_first_mut())
        else {
            return sink(row);
        };
        if let Operator::Scan(scan) = operator {
            return self.push_scan(scan, (rest, rest_states), row, sink);
        }
        let next: Sink<'_> = &mut |row| self.push(rest, rest_states, row, sink);
        match operator {
            Operator::Filter(condition) if self.condition(condition, row)? == Some(true) => next(row),
            Operator::Filter(_) => Ok(MORE),
            Operator::Scan(_) => unreachable!("answered above, because it looks at what follows it"),
            Operator::Expand(expand) => self.expand(expand, row, next),
            Operator::CountExpand { expand, filters, count, optional } => {
                let found = self.count_expand(expand, filters, row)?;
                if found == 0 && !optional {
                    return Ok(MORE);
                }
                row[*count] = Value::Int(found);
                next(row)
            }
            Operator::CountEdges { relations, count } => {
                let all = if relations.is_empty() { 0 } else { self.graph.edge_count(relations.keys())? };
                row[*count] = Value::Int(i64::try_from(all).unwrap_or(i64::MAX));
                next(row)
            }
            Operator::FollowEdge { expand, from_known } => self.follow_edge(expand, *from_known, row, next),
            Operator::VariableExpand(expand) => self.variable_expand(expand, row, next),
            Operator::ShortestPath(search) => self.shortest_path(search, row, next),
            Operator::BindPath { path, start, relationships } => {
                row[*path] = self.path(*start, relationships, row)?;
                next(row)
            }
            Operator::Assign(assignments) => {
                for (slot, term) in assignments {
                    row[*slot] = self.evaluate(term, row)?;
                }
                next(row)
            }
            Operator::Unwind { list, slot } => self.unwind(list, *slot, row, next),
            Operator::Optional { inner, resets } => self.optional(inner, resets, row, next),
            Operator::Apply { inner } => self.run_pipeline(inner, row, next),
            Operator::Union { parts, distinct } => self.union(parts, distinct.as_deref(), row, next),
            Operator::Names { kind, slot } => self.each_name(*kind, *slot, row, next),
            Operator::Distinct(_)
            | Operator::Skip(_)
            | Operator::Limit(_)
            | Operator::Aggregate(_)
            | Operator::Sort { .. } => self.push_to_state(operator, state, row, next),
        }
    }

    /// A scan counts at once where all that follows it is counting.
    fn push_scan(
        &self,
        scan: &Scan,
        (rest, states): (&[Operator], &mut [State]),
        row: &mut Row,
        sink: Sink<'_>,
    ) -> Result<Flow> {
        match (rest, states) {
            ([Operator::CountExpand { expand, filters, count, optional }, rest @ ..], [_, states @ ..])
                if expand.from == scan.node && filters.is_empty() && expand.unlike.is_empty() =>
            {
                let next: Sink<'_> = &mut |row| self.push(rest, states, row, sink);
                self.scan_degrees(scan, (expand, *count, *optional), row, next)
            }
            (rest, states) => self.scan(scan, row, &mut |row| self.push(rest, states, row, sink)),
        }
    }

    fn push_to_state(&self, operator: &Operator, state: &mut State, row: &mut Row, next: Sink<'_>) -> Result<Flow> {
        match (operator, state) {
            (Operator::Distinct(slots), State::SeenOne(seen)) => {
                let value = row[slots[0]].clone();
                let size = value.size();
                if !seen.insert(GroupKey(value)) {
                    return Ok(MORE);
                }
                self.charge(size)?;
                next(row)
            }
            (Operator::Distinct(slots), State::Seen(seen)) => {
                if self.is_new(slots, seen, row)? {
                    next(row)
                } else {
                    Ok(MORE)
                }
            }
            (Operator::Skip(_), State::Remaining(remaining)) => {
                if *remaining == 0 {
                    return next(row);
                }
                *remaining -= 1;
                Ok(MORE)
            }
            (Operator::Limit(_), State::Remaining(remaining)) => {
                if *remaining == 0 {
                    return Ok(ENOUGH);
                }
                *remaining -= 1;
                let flow = next(row)?;
                Ok(if *remaining == 0 { ENOUGH } else { flow })
            }
            (Operator::Aggregate(aggregation), State::Groups(groups)) => {
                self.add_to_groups(aggregation, groups, row)?;
                Ok(MORE)
            }
            (Operator::Sort { keys, kept, .. }, State::Sorted(sorted)) => {
                self.add_to_sort(keys, kept, sorted, row)?;
                Ok(MORE)
            }
            _ => next(row),
        }
    }

    fn unwind(&self, list: &Term, slot: Slot, row: &mut Row, next: Sink<'_>) -> Result<Flow> {
        match self.evaluate(list, row)? {
            Value::Null => Ok(MORE),
            Value::List(items) => {
                for item in items.iter() {
                    row[slot] = item.clone();
                    if next(row)?.is_break() {
                        return Ok(ENOUGH);
                    }
                }
                Ok(MORE)
            }
            one => {
                row[slot] = one;
                next(row)
            }
        }
    }

    fn optional(&self, inner: &Pipeline, resets: &[Slot], row: &mut Row, next: Sink<'_>) -> Result<Flow> {
        let mut found = false;
        let flow = self.run_pipeline(inner, row, &mut |row| {
            found = true;
            next(row)
        })?;
        if found {
            return Ok(flow);
        }
        for slot in resets {
            row[*slot] = Value::Null;
        }
        next(row)
    }

    fn union(&self, parts: &[Pipeline], distinct: Option<&[Slot]>, row: &mut Row, next: Sink<'_>) -> Result<Flow> {
        let mut seen = FxHashSet::default();
        for part in parts {
            let flow = self.run_pipeline(part, row, &mut |row| match distinct {
                Some(slots) if !self.is_new(slots, &mut seen, row)? => Ok(MORE),
                _ => next(row),
            })?;
            if flow.is_break() {
                return Ok(ENOUGH);
            }
        }
        Ok(MORE)
    }

    /// Whether these values have not been seen together before.
    fn is_new(&self, slots: &[Slot], seen: &mut FxHashSet<Vec<GroupKey>>, row: &Row) -> Result<bool> {
        let key: Vec<GroupKey> = slots.iter().map(|slot| GroupKey(row[*slot].clone())).collect();
        let size = key.iter().map(|part| part.0.size()).sum();
        let is_new = seen.insert(key);
        if is_new {
            self.charge(size)?;
        }
        Ok(is_new)
    }

    fn each_name(&self, kind: NameKind, slot: Slot, row: &mut Row, next: Sink<'_>) -> Result<Flow> {
        let mut names: Vec<_> = match kind {
            NameKind::Labels => self.graph.label_names().into_iter().map(|(_, name)| name).collect(),
            NameKind::Relations => self.graph.relation_names().into_iter().map(|(_, name)| name).collect(),
            NameKind::Properties => self.graph.property_names().into_iter().map(|(_, name)| name).collect(),
        };
        names.sort();
        for name in names {
            row[slot] = Value::Text(name);
            if next(row)?.is_break() {
                return Ok(ENOUGH);
            }
        }
        Ok(MORE)
    }

    /// The path from a node over relationships, single ones or lists of them; null if any of it is missing.
    fn path(&self, start: Slot, relationships: &[Slot], row: &Row) -> Result<Value> {
        let Value::Node(first) = row[start] else { return Ok(Value::Null) };
        let mut path = Path { nodes: vec![first], relationships: Vec::new() };
        let mut at = first;
        for slot in relationships {
            let edges = match &row[*slot] {
                one @ Value::Relationship(_) => std::slice::from_ref(one),
                Value::List(items) => items,
                _ => return Ok(Value::Null),
            };
            for edge in edges {
                let Value::Relationship(edge) = edge else { return Ok(Value::Null) };
                let ends = self.graph.edge_ends(*edge)?;
                at = if ends.from == at { ends.to } else { ends.from };
                path.relationships.push(*edge);
                path.nodes.push(at);
            }
        }
        Ok(Value::Path(path.into()))
    }
}

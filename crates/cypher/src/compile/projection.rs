//! `WITH` and `RETURN`: columns, grouping, DISTINCT, ORDER BY, SKIP and LIMIT.

use std::sync::Arc;

use graph::{Direction, NodeFilter};

use crate::functions::AggregateKind;
use crate::kind::Kind;
use crate::plan::{Aggregation, Expand, Operator, Slot, Term};
use crate::value::Value;
use cypher_syntax::ast::{Expr, ExprKind, Projection};
use cypher_syntax::{Error, ErrorKind, Phase, Result, Span};

use super::aggregates::{contains_aggregate, variables_in};
use super::late_keys;
use super::matching::is_countable;
use super::scope::Scope;
use super::{Column, Compiler, Frame, Substitution, Typed};

/// An expression to be returned and the name of its column.
struct Output {
    name: Arc<str>,
    expression: Expr,
    at: Span,
}

impl Compiler<'_> {
    /// Adds what a projection does, and leaves its columns as the only variables.
    pub(super) fn project(
        &mut self,
        frame: &mut Frame,
        projection: &Projection,
        is_return: bool,
    ) -> Result<Vec<Column>> {
        let outputs = self.outputs(&frame.scope, projection, is_return)?;
        let before = frame.scope.clone();
        let is_aggregating = outputs.iter().any(|output| contains_aggregate(&output.expression));
        let columns = if is_aggregating {
            self.aggregate_outputs(frame, &outputs)?
        } else {
            self.plain_outputs(frame, &outputs)?
        };
        let slots: Vec<Slot> = columns.iter().map(|column| column.slot).collect();
        if projection.distinct {
            self.add(&mut frame.operators, Operator::Distinct(slots.clone()), projection.at)?;
        }
        let mut keys = self.sort_keys(&before, projection, (&outputs, &columns), is_aggregating)?;
        self.substitutions.clear();
        let skip = projection.skip.as_ref().map(|skip| self.row_count("SKIP", skip)).transpose()?;
        let limit = projection.limit.as_ref().map(|limit| self.row_count("LIMIT", limit)).transpose()?;
        let mut last = None;
        if !keys.is_empty() {
            let bound = sort_bound(skip.as_ref(), limit.as_ref());
            let mut kept = slots;
            if bound.is_some() {
                last = late_keys::read_late(&mut frame.operators, &mut keys, &mut kept);
            }
            self.add(&mut frame.operators, Operator::Sort { keys, kept, limit: bound }, projection.at)?;
        }
        if let Some(skip) = skip {
            self.add(&mut frame.operators, Operator::Skip(skip), projection.at)?;
        }
        if let Some(limit) = limit {
            self.add(&mut frame.operators, Operator::Limit(limit), projection.at)?;
        }
        if let Some(last) = last {
            self.add(&mut frame.operators, last, projection.at)?;
        }
        frame.scope = Scope::of(&columns);
        Ok(columns)
    }

    fn outputs(&mut self, scope: &Scope, projection: &Projection, is_return: bool) -> Result<Vec<Output>> {
        let mut outputs = Vec::new();
        if projection.star {
            let mut names: Vec<Arc<str>> = scope.bindings().iter().map(|binding| binding.name.clone()).collect();
            names.sort();
            if names.is_empty() && is_return {
                let message = "`RETURN *` needs at least one variable, and there is none";
                return Err(Error::compile(ErrorKind::NoVariablesInScope, projection.at, message));
            }
            outputs.extend(names.into_iter().map(|name| {
                let kind = ExprKind::Variable(name.clone());
                Output { name, expression: Expr { kind, at: projection.at, height: 1 }, at: projection.at }
            }));
        }
        for item in &projection.items {
            let at = item.at;
            let name = match (&item.alias, &item.expression.kind) {
                (Some(alias), _) => alias.text.clone(),
                (None, ExprKind::Variable(name)) => name.clone(),
                (None, _) if is_return => self.text(at),
                (None, _) => {
                    let message = "an expression in WITH needs a name";
                    return Err(Error::compile(ErrorKind::NoExpressionAlias, at, message)
                        .hint(format!("write `{} AS name`", self.text(at))));
                }
            };
            if outputs.iter().any(|output| output.name == name) {
                let message = format!("there are two columns named `{name}`");
                return Err(Error::compile(ErrorKind::ColumnNameConflict, at, message));
            }
            outputs.push(Output { name, expression: item.expression.clone(), at });
        }
        Ok(outputs)
    }

    fn plain_outputs(&mut self, frame: &mut Frame, outputs: &[Output]) -> Result<Vec<Column>> {
        let mut columns = Vec::with_capacity(outputs.len());
        let mut assignments = Vec::new();
        for output in outputs {
            let Typed { term, kind } = self.term(&frame.scope, &output.expression)?;
            let slot = match term {
                Term::Slot(slot) => slot,
                other => {
                    let slot = self.new_slot();
                    assignments.push((slot, other));
                    slot
                }
            };
            columns.push(Column { name: output.name.clone(), slot, kind });
        }
        if !assignments.is_empty() {
            let at = outputs[0].at;
            self.add(&mut frame.operators, Operator::Assign(assignments), at)?;
        }
        Ok(columns)
    }

    fn aggregate_outputs(&mut self, frame: &mut Frame, outputs: &[Output]) -> Result<Vec<Column>> {
        let at = outputs[0].at;
        let before = self.referenced.len();
        let mut keys = Vec::new();
        let mut key_columns = Vec::new();
        for output in outputs.iter().filter(|output| !contains_aggregate(&output.expression)) {
            let Typed { term, kind } = self.term(&frame.scope, &output.expression)?;
            let slot = if let Term::Slot(slot) = term { slot } else { self.new_slot() };
            keys.push((slot, term));
            key_columns.push((output, slot, kind));
        }
        let key_slots: Vec<Slot> = self.referenced[before..].to_vec();
        let mut aggregates = Vec::new();
        for output in outputs {
            self.compile_aggregates(&frame.scope, &output.expression, &mut aggregates)?;
        }
        let scope = self.scope_after_aggregation(&frame.scope, &key_columns);
        let mut columns = Vec::with_capacity(outputs.len());
        let mut assignments = Vec::new();
        for output in outputs {
            let known = key_columns.iter().find(|(key, _, _)| std::ptr::eq(*key, output));
            let (slot, kind) = match known {
                Some((_, slot, kind)) => (*slot, kind.clone()),
                None => {
                    let Typed { term, kind } = self.term(&scope, &output.expression)?;
                    let slot = self.slot_of(term, &mut assignments);
                    (slot, kind)
                }
            };
            columns.push(Column { name: output.name.clone(), slot, kind });
        }
        let mut aggregation = Aggregation { keys, aggregates, weight: None, late: None };
        self.count_instead_of_expanding(frame, &mut aggregation, &key_slots);
        if let Some(grouping) = grouping(&mut frame.operators, aggregation) {
            self.add(&mut frame.operators, grouping, at)?;
        }
        if !assignments.is_empty() {
            self.add(&mut frame.operators, Operator::Assign(assignments), at)?;
        }
        Ok(columns)
    }

    fn slot_of(&mut self, term: Term, assignments: &mut Vec<(Slot, Term)>) -> Slot {
        if let Term::Slot(slot) = term {
            return slot;
        }
        let slot = self.new_slot();
        assignments.push((slot, term));
        slot
    }

    /// Beside an aggregation only grouping keys may be used: variables, and properties that are keys as such.
    fn scope_after_aggregation(&mut self, scope: &Scope, keys: &[(&Output, Slot, Kind)]) -> Scope {
        let mut after = scope.clone();
        let used_by_keys: Vec<Arc<str>> = keys.iter().flat_map(|(key, _, _)| variables_in(&key.expression)).collect();
        after.block(|binding| {
            let is_key = keys.iter().any(|(key, _, _)| is_variable(&key.expression, &binding.name));
            let ambiguous = used_by_keys.contains(&binding.name) || !is_key;
            (!is_key && ambiguous).then_some(ErrorKind::AmbiguousAggregationExpression)
        });
        for (key, slot, kind) in keys {
            if matches!(key.expression.kind, ExprKind::Property(..)) {
                let expression = key.expression.clone();
                self.substitutions.push(Substitution { expression, slot: *slot, kind: kind.clone() });
            }
        }
        after
    }

    fn sort_keys(
        &mut self,
        before: &Scope,
        projection: &Projection,
        (outputs, columns): (&[Output], &[Column]),
        is_aggregating: bool,
    ) -> Result<Vec<(Term, bool)>> {
        let hides_before = is_aggregating || projection.distinct;
        let mut keys = Vec::with_capacity(projection.order.len());
        for item in &projection.order {
            let expression = &item.expression;
            let whole = outputs.iter().position(|output| output.expression == *expression);
            let shadowed = matches!(&expression.kind, ExprKind::Variable(_));
            let term = match whole.filter(|_| !shadowed) {
                Some(index) => Term::Slot(columns[index].slot),
                None if hides_before => self.hidden_sort_key(before, expression, (outputs, columns), is_aggregating)?,
                None => {
                    if contains_aggregate(expression) {
                        let message = "ORDER BY cannot aggregate where WITH or RETURN does not";
                        return Err(Error::compile(ErrorKind::InvalidAggregation, expression.at, message));
                    }
                    self.term(&before.overlaid(columns), expression)?.term
                }
            };
            keys.push((term, item.descending));
        }
        Ok(keys)
    }

    /// A condition after DISTINCT or aggregation: it may use columns, and expressions that are columns.
    pub(super) fn condition_on_columns(
        &mut self,
        before: &Scope,
        projection: &Projection,
        columns: &[Column],
        filter: &Expr,
    ) -> Result<Term> {
        let known = self.substitutions.len();
        for (item, column) in projection.items.iter().zip(&columns[columns.len() - projection.items.len()..]) {
            if !matches!(item.expression.kind, ExprKind::Variable(_)) {
                let (slot, kind) = (column.slot, column.kind.clone());
                self.substitutions.push(Substitution { expression: item.expression.clone(), slot, kind });
            }
        }
        let mut scope = before.clone();
        scope.block(|_| Some(ErrorKind::UndefinedVariable));
        let condition = self.condition(&scope.overlaid(columns), filter);
        self.substitutions.truncate(known);
        condition
    }

    /// A sort key after DISTINCT or aggregation: it may use columns, and expressions that are columns.
    fn hidden_sort_key(
        &mut self,
        before: &Scope,
        expression: &Expr,
        (outputs, columns): (&[Output], &[Column]),
        is_aggregating: bool,
    ) -> Result<Term> {
        let aggregates_here = contains_aggregate(expression);
        if aggregates_here && !is_aggregating {
            let message = "ORDER BY cannot aggregate where WITH or RETURN does not";
            return Err(Error::compile(ErrorKind::InvalidAggregation, expression.at, message));
        }
        let keys = outputs.iter().filter(|output| !contains_aggregate(&output.expression));
        let used_by_keys: Vec<Arc<str>> = keys.flat_map(|key| variables_in(&key.expression)).collect();
        let mut scope = before.clone();
        scope.block(|binding| {
            let is_ambiguous = aggregates_here && used_by_keys.contains(&binding.name);
            Some(if is_ambiguous { ErrorKind::AmbiguousAggregationExpression } else { ErrorKind::UndefinedVariable })
        });
        let scope = scope.overlaid(columns);
        let mut hidden = before.clone();
        hidden.block(|_| Some(ErrorKind::UndefinedVariable));
        let known = self.substitutions.len();
        for (output, column) in outputs.iter().zip(columns) {
            let is_simple = matches!(output.expression.kind, ExprKind::Property(..));
            let is_variable = matches!(output.expression.kind, ExprKind::Variable(_));
            if !is_variable && (is_simple || !aggregates_here || contains_aggregate(&output.expression)) {
                let (slot, kind) = (column.slot, column.kind.clone());
                self.substitutions.push(Substitution { expression: output.expression.clone(), slot, kind });
            }
        }
        self.refuse_new_aggregates(&hidden.overlaid(columns), expression)?;
        let term = self.term(&scope, expression);
        self.substitutions.truncate(known);
        term.map(|typed| typed.term)
    }

    /// An aggregation in ORDER BY must be one that is returned.
    fn refuse_new_aggregates(&mut self, scope: &Scope, expression: &Expr) -> Result<()> {
        let mut aggregates = Vec::new();
        let known = self.substitutions.len();
        self.compile_aggregates(scope, expression, &mut aggregates)?;
        self.substitutions.truncate(known);
        match aggregates.first() {
            None => Ok(()),
            Some(new) => {
                let message = "ORDER BY can only use aggregations that are returned too";
                Err(Error::compile(ErrorKind::InvalidAggregation, new.at, message))
            }
        }
    }

    /// SKIP and LIMIT: a number that depends on no row.
    fn row_count(&mut self, clause: &str, expression: &Expr) -> Result<Term> {
        if let Some(name) = variables_in(expression).first() {
            let message = format!("{clause} cannot depend on a row, so not on `{name}`");
            return Err(Error::compile(ErrorKind::NonConstantExpression, expression.at, message));
        }
        let term = self.term(&Scope::default(), expression)?.term;
        let phase = if contains_parameter(expression) { Phase::Run } else { Phase::Compile };
        let error = match &term {
            Term::Constant(Value::Int(number)) if *number < 0 => {
                let message = format!("{clause} expects a number that is not negative, not {number}");
                Error::compile(ErrorKind::NegativeIntegerArgument, expression.at, message)
            }
            Term::Constant(Value::Int(_)) => return Ok(term),
            Term::Constant(other) => {
                let message = format!("{clause} expects an integer, not {}", other.kind());
                Error::compile(ErrorKind::InvalidArgumentType, expression.at, message)
            }
            _ => return Ok(term),
        };
        Err(error.with_phase(phase))
    }

    /// Rows that are only counted, group by group, need not be made: the last expansion becomes a number.
    fn count_instead_of_expanding(&mut self, frame: &mut Frame, aggregation: &mut Aggregation, used: &[Slot]) {
        let counts_rows = |aggregate: &crate::plan::Aggregate| {
            aggregate.kind == AggregateKind::Count && !aggregate.distinct && aggregate.arguments.len() <= 1
        };
        if aggregation.aggregates.is_empty() || !aggregation.aggregates.iter().all(counts_rows) {
            return;
        }
        let mut counted: Vec<Option<Slot>> = Vec::new();
        for aggregate in &aggregation.aggregates {
            counted.push(match aggregate.arguments.first() {
                None => None,
                Some(Term::Slot(slot)) => Some(*slot),
                Some(_) => return,
            });
        }
        if let Some(count) = self.fuse_expansion(&mut frame.operators, &counted, used) {
            aggregation.weight = Some(count);
            for aggregate in &mut aggregation.aggregates {
                aggregate.arguments.clear();
            }
        }
    }

    fn fuse_expansion(
        &mut self,
        operators: &mut Vec<Operator>,
        counted: &[Option<Slot>],
        used: &[Slot],
    ) -> Option<Slot> {
        if let Some(Operator::Optional { inner, .. }) = operators.last_mut() {
            // Without a match the row stays, and counts for rows but not for what was not found.
            let expand = countable_expansion(&inner.operators, used)?;
            let found = [Some(expand.to), expand.edge];
            if inner.operators.first().is_none_or(|first| !matches!(first, Operator::Expand(_)))
                || !counted.iter().all(|slot| slot.is_some() && found.contains(slot))
            {
                return None;
            }
            let mut inner = std::mem::take(&mut inner.operators);
            operators.pop();
            let count = self.new_slot();
            operators.push(fused(&mut inner, count, true)?);
            return Some(count);
        }
        let expand = countable_expansion(operators, used)?;
        let never_null = [Some(expand.to), expand.edge, Some(expand.from), None];
        if !counted.iter().all(|slot| never_null.contains(slot)) {
            return None;
        }
        let count = self.new_slot();
        let operator = fused(operators, count, false)?;
        operators.push(operator);
        if used.is_empty() {
            count_all(operators);
        }
        Some(count)
    }
}

/// Where relationships are counted for each node of a scan, every row is a group of its own: a scan gives a node once.
fn grouping(operators: &mut [Operator], mut aggregation: Aggregation) -> Option<Operator> {
    let [Operator::Scan(scan), between @ .., Operator::CountExpand { count, .. }] = operators else {
        return Some(Operator::Aggregate(aggregation));
    };
    let is_key = aggregation.keys.iter().any(|(_, key)| matches!(key, Term::Slot(slot) if *slot == scan.node));
    let only_filters = between.iter().all(|operator| matches!(operator, Operator::Filter(_)));
    if !is_key || !only_filters || aggregation.weight != Some(*count) {
        return Some(Operator::Aggregate(aggregation));
    }
    if let Some(first) = aggregation.aggregates.first() {
        *count = first.slot;
    }
    let counts = aggregation.aggregates.iter().map(|aggregate| (aggregate.slot, Term::Slot(*count)));
    let mut assignments: Vec<_> = aggregation.keys.drain(..).chain(counts).collect();
    assignments.retain(|(slot, term)| !matches!(term, Term::Slot(from) if from == slot));
    (!assignments.is_empty()).then_some(Operator::Assign(assignments))
}

/// Relationships counted from every node there is are all relationships.
fn count_all(operators: &mut Vec<Operator>) {
    let [Operator::Scan(scan), Operator::CountExpand { expand, filters, count, .. }] = operators.as_slice() else {
        return;
    };
    let is_whole = scan.filter == NodeFilter::default() && scan.dynamic.is_empty() && !scan.is_empty;
    if is_whole && filters.is_empty() && expand.direction != Direction::Either {
        *operators = vec![Operator::CountEdges { relations: expand.relations.clone(), count: *count }];
    }
}

/// The last expansion, if only conditions come after it and nothing it finds is used for anything else.
fn countable_expansion<'o>(operators: &'o [Operator], used: &[Slot]) -> Option<&'o Expand> {
    let last = operators.iter().rev().find(|operator| !matches!(operator, Operator::Filter(_)))?;
    let Operator::Expand(expand) = last else { return None };
    let is_used = used.contains(&expand.to) || expand.edge.is_some_and(|edge| used.contains(&edge));
    (is_countable(expand) && !is_used).then_some(expand)
}

fn fused(operators: &mut Vec<Operator>, count: Slot, optional: bool) -> Option<Operator> {
    let mut filters = Vec::new();
    while let Some(operator) = operators.pop() {
        match operator {
            Operator::Filter(term) => filters.insert(0, term),
            Operator::Expand(expand) => return Some(Operator::CountExpand { expand, filters, count, optional }),
            other => {
                operators.push(other);
                return None;
            }
        }
    }
    None
}

fn is_variable(expression: &Expr, wanted: &str) -> bool {
    matches!(&expression.kind, ExprKind::Variable(name) if &**name == wanted)
}

fn contains_parameter(expression: &Expr) -> bool {
    let mut found = matches!(expression.kind, ExprKind::Parameter(_));
    expression.children(&mut |child| found = found || contains_parameter(child));
    found
}

/// How many sorted rows are wanted at most.
fn sort_bound(skip: Option<&Term>, limit: Option<&Term>) -> Option<Term> {
    let Term::Constant(Value::Int(limit)) = limit? else { return None };
    let skip = match skip {
        None => 0,
        Some(Term::Constant(Value::Int(skip))) => *skip,
        Some(_) => return None,
    };
    Some(Term::Constant(Value::Int(limit.saturating_add(skip))))
}

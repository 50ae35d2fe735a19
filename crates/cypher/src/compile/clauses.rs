//! Clauses one after the other, and unions of such queries.

use std::sync::Arc;

use crate::kind::Kind;
use crate::plan::{NameKind, Operator, Pipeline, Term};
use cypher_syntax::ast::{CallProcedure, CallSubquery, Clause, Expr, ExprKind, Imports, Match, Projection, Union};
use cypher_syntax::suggest;
use cypher_syntax::{Error, ErrorKind, Result};

use super::aggregates::{aggregates_in, contains_aggregate, variables_in};
use super::matching::Wanted;
use super::patterns::Naming;
use super::scope::Scope;
use super::{Column, Compiler, Frame, Typed};

const PROCEDURES: &[(&str, &str, NameKind)] = &[
    ("db.labels", "label", NameKind::Labels),
    ("db.relationshipTypes", "relationshipType", NameKind::Relations),
    ("db.propertyKeys", "propertyKey", NameKind::Properties),
];

impl Compiler<'_> {
    pub(super) fn union(&mut self, union: &Union, scope: &Scope) -> Result<(Pipeline, Vec<Column>)> {
        let [first, others @ ..] = union.parts.as_slice() else {
            return Ok((Pipeline::default(), Vec::new()));
        };
        if others.is_empty() {
            return self.single_query(first, scope, false);
        }
        let (pipeline, columns) = self.single_query(first, scope, false)?;
        let mut parts = vec![pipeline];
        let outputs: Vec<Column> =
            columns.iter().map(|column| Column { slot: self.new_slot(), ..column.clone() }).collect();
        self.copy_columns(&mut parts[0], &columns, &outputs);
        for part in others {
            let (mut pipeline, columns) = self.single_query(part, scope, false)?;
            let names = |columns: &[Column]| {
                let mut names: Vec<Arc<str>> = columns.iter().map(|column| column.name.clone()).collect();
                names.sort();
                names
            };
            if names(&columns) != names(&outputs) {
                let message = "all parts of a UNION must return the same columns";
                return Err(Error::compile(ErrorKind::DifferentColumnsInUnion, union.at, message));
            }
            self.copy_columns(&mut pipeline, &columns, &outputs);
            parts.push(pipeline);
        }
        let distinct = (!union.all).then(|| outputs.iter().map(|column| column.slot).collect());
        Ok((Pipeline { operators: vec![Operator::Union { parts, distinct }] }, outputs))
    }

    fn copy_columns(&mut self, pipeline: &mut Pipeline, from: &[Column], to: &[Column]) {
        let copies = to.iter().filter_map(|target| {
            let source = from.iter().find(|column| column.name == target.name)?;
            Some((target.slot, Term::Slot(source.slot)))
        });
        pipeline.operators.push(Operator::Assign(copies.collect()));
    }

    /// `only_exists`: whoever asks wants to know whether there is a row, not how often.
    pub(super) fn single_query(
        &mut self,
        clauses: &[Clause],
        scope: &Scope,
        only_exists: bool,
    ) -> Result<(Pipeline, Vec<Column>)> {
        let mut frame = Frame { scope: scope.clone(), operators: Vec::new() };
        let mut columns = Vec::new();
        for (index, clause) in clauses.iter().enumerate() {
            let rest = &clauses[index + 1..];
            match clause {
                Clause::Match(part) => self.match_clause(&mut frame, part, rest, only_exists)?,
                Clause::Unwind { list, variable } => {
                    let at = list.at;
                    let Typed { term, kind } = self.term(&frame.scope, list)?;
                    if frame.scope.find(&variable.text).is_some() {
                        return Err(already_bound(&variable.text, variable.at));
                    }
                    let slot = self.new_slot();
                    let kind = if kind.may_be_list() { kind.element() } else { kind };
                    frame.scope.bind(variable.text.clone(), slot, kind);
                    self.add(&mut frame.operators, Operator::Unwind { list: term, slot }, at)?;
                }
                Clause::With { projection, filter } => self.with(&mut frame, projection, filter.as_ref())?,
                Clause::Return(projection) => columns = self.project(&mut frame, projection, true)?,
                Clause::Subquery(call) => self.call_subquery(&mut frame, call)?,
                Clause::Procedure(call) => columns = self.call_procedure(&mut frame, call)?,
            }
        }
        Ok((Pipeline { operators: frame.operators }, columns))
    }

    fn match_clause(&mut self, frame: &mut Frame, part: &Match, rest: &[Clause], only_exists: bool) -> Result<()> {
        let graph = self.pattern_graph(&mut frame.scope, &part.patterns, part.filter.as_ref(), Naming::New)?;
        let grouped_by = grouped_by(rest).and_then(|name| frame.scope.find(&name)).map(|binding| binding.slot);
        let wanted = Wanted { distinct_only: is_distinct_enough(rest, only_exists), grouped_by };
        let at = graph.at;
        let resets = graph.new_slots.clone();
        let pipeline = self.plan_pattern(graph, wanted)?;
        if part.optional {
            return self.add(&mut frame.operators, Operator::Optional { inner: pipeline, resets }, at);
        }
        frame.operators.extend(pipeline.operators);
        Ok(())
    }

    fn with(&mut self, frame: &mut Frame, projection: &Projection, filter: Option<&Expr>) -> Result<()> {
        let before = frame.scope.clone();
        let columns = self.project(frame, projection, false)?;
        let Some(filter) = filter else { return Ok(()) };
        let sees_before = !projection.distinct
            && projection.order.is_empty()
            && projection.skip.is_none()
            && projection.limit.is_none()
            && !projection.items.iter().any(|item| contains_aggregate(&item.expression));
        let condition = if sees_before {
            self.condition(&before.overlaid(&columns), filter)?
        } else {
            self.condition_on_columns(&before, projection, &columns, filter)?
        };
        self.add(&mut frame.operators, Operator::Filter(condition), filter.at)
    }

    fn call_subquery(&mut self, frame: &mut Frame, call: &CallSubquery) -> Result<()> {
        let imported = self.imported(frame, call)?;
        let at = call.body.at;
        let (pipeline, columns) = self.union(&call.body, &imported)?;
        for column in columns {
            if frame.scope.find(&column.name).is_some() {
                return Err(already_bound(&column.name, at));
            }
            frame.scope.bind(column.name, column.slot, column.kind);
        }
        self.add(&mut frame.operators, Operator::Apply { inner: pipeline }, at)
    }

    /// The variables that a subquery may use: those it names, or those that its first WITH passes on.
    fn imported(&mut self, frame: &Frame, call: &CallSubquery) -> Result<Scope> {
        match &call.imports {
            Some(Imports::All) => Ok(frame.scope.clone()),
            Some(Imports::Named(names)) => {
                let mut scope = Scope::default();
                for name in names {
                    let Typed { term, kind } = self.variable(&frame.scope, &name.text, name.at)?;
                    if let Term::Slot(slot) = term {
                        scope.bind(name.text.clone(), slot, kind);
                    }
                }
                Ok(scope)
            }
            None => {
                let begins_with_import = call.body.parts.iter().any(|part| is_importing(part.first()));
                Ok(if begins_with_import { frame.scope.clone() } else { Scope::default() })
            }
        }
    }

    fn call_procedure(&mut self, frame: &mut Frame, call: &CallProcedure) -> Result<Vec<Column>> {
        let known = PROCEDURES.iter().find(|(name, _, _)| name.eq_ignore_ascii_case(&call.name.text));
        let Some((_, field, kind)) = known else {
            let message = format!("there is no procedure `{}`", call.name.text);
            let nearest = suggest::nearest(&call.name.text, PROCEDURES.iter().map(|(name, _, _)| *name));
            let error = Error::compile(ErrorKind::ProcedureNotFound, call.name.at, message);
            let all = "db.labels(), db.relationshipTypes() and db.propertyKeys() are the only ones".to_owned();
            return Err(error.hint(nearest.map_or(all, suggest::did_you_mean)));
        };
        if let Some(argument) = call.arguments.first() {
            let message = format!("`{}` takes no arguments", call.name.text);
            return Err(Error::compile(ErrorKind::InvalidNumberOfArguments, argument.at, message));
        }
        let slot = self.new_slot();
        let mut name: Arc<str> = (*field).into();
        for (wanted, alias) in &call.yields {
            if &*wanted.text != *field {
                let message = format!("`{}` gives `{field}`, not `{}`", call.name.text, wanted.text);
                return Err(Error::compile(ErrorKind::UndefinedVariable, wanted.at, message));
            }
            name = alias.as_ref().unwrap_or(wanted).text.clone();
        }
        if frame.scope.find(&name).is_some() {
            return Err(already_bound(&name, call.name.at));
        }
        self.add(&mut frame.operators, Operator::Names { kind: *kind, slot }, call.name.at)?;
        frame.scope.bind(name.clone(), slot, Kind::Text);
        if let Some(filter) = &call.filter {
            let condition = self.condition(&frame.scope, filter)?;
            self.add(&mut frame.operators, Operator::Filter(condition), filter.at)?;
        }
        Ok(vec![Column { name, slot, kind: Kind::Text }])
    }
}

fn already_bound(name: &str, at: cypher_syntax::Span) -> Error {
    Error::compile(ErrorKind::VariableAlreadyBound, at, format!("the variable `{name}` is bound already"))
}

/// `WITH a, b` and nothing else.
fn is_importing(clause: Option<&Clause>) -> bool {
    let Some(Clause::With { projection, .. }) = clause else { return false };
    let plain = |kind: &ExprKind| matches!(kind, ExprKind::Variable(_));
    projection.items.iter().all(|item| item.alias.is_none() && plain(&item.expression.kind))
}

/// Whether the same row twice makes no difference to what comes after.
fn is_distinct_enough(rest: &[Clause], only_exists: bool) -> bool {
    let projection = match rest.first() {
        None => return only_exists,
        Some(Clause::Match(_) | Clause::Unwind { .. }) => return is_distinct_enough(&rest[1..], only_exists),
        Some(Clause::With { projection, .. } | Clause::Return(projection)) => projection,
        Some(Clause::Subquery(_) | Clause::Procedure(_)) => return false,
    };
    let aggregates: Vec<&Expr> = projection.items.iter().flat_map(|item| aggregates_in(&item.expression)).collect();
    if !aggregates.is_empty() {
        return aggregates.into_iter().all(ignores_duplicates);
    }
    if projection.distinct {
        return true;
    }
    let cuts = projection.skip.is_some() || projection.limit.is_some();
    match rest.first() {
        Some(Clause::With { .. }) => !cuts && is_distinct_enough(&rest[1..], only_exists),
        _ => only_exists && projection.skip.is_none(),
    }
}

fn ignores_duplicates(aggregate: &Expr) -> bool {
    match &aggregate.kind {
        ExprKind::Function { name, distinct, .. } => {
            *distinct || name.text.eq_ignore_ascii_case("min") || name.text.eq_ignore_ascii_case("max")
        }
        _ => false,
    }
}

/// The one variable that the next projection groups by, if it only counts.
fn grouped_by(rest: &[Clause]) -> Option<Arc<str>> {
    let (Clause::With { projection, .. } | Clause::Return(projection)) = rest.first()? else { return None };
    let (totals, keys): (Vec<_>, Vec<_>) =
        projection.items.iter().map(|item| &item.expression).partition(|expression| contains_aggregate(expression));
    if totals.is_empty() {
        return None;
    }
    let mut names: Vec<Arc<str>> = keys.into_iter().flat_map(variables_in).collect();
    names.sort();
    names.dedup();
    match names.as_slice() {
        [only] => Some(only.clone()),
        _ => None,
    }
}

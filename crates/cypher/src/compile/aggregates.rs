//! Aggregations inside expressions: finding them, and checking what stands around them.

use std::sync::Arc;

use crate::functions::{self, AggregateKind, Body};
use crate::kind::Kind;
use crate::plan::Aggregate;
use cypher_syntax::ast::{Expr, ExprKind, MapItem};
use cypher_syntax::{Error, ErrorKind, Result};

use super::scope::Scope;
use super::{Compiler, Substitution, calls};

pub(super) fn is_aggregate(expression: &Expr) -> bool {
    match &expression.kind {
        ExprKind::CountStar => true,
        ExprKind::Function { name, .. } => {
            functions::find(&name.text).is_some_and(|function| matches!(function.body, Body::Aggregate(_)))
        }
        _ => false,
    }
}

pub(super) fn contains_aggregate(expression: &Expr) -> bool {
    let mut found = is_aggregate(expression);
    expression.children(&mut |child| found = found || contains_aggregate(child));
    found
}

/// The outermost aggregations of an expression.
pub(super) fn aggregates_in(expression: &Expr) -> Vec<&Expr> {
    if is_aggregate(expression) {
        return vec![expression];
    }
    let mut found = Vec::new();
    expression.children(&mut |child| found.extend(aggregates_in(child)));
    found
}

/// The variables that an expression reads, except those it binds itself.
pub(super) fn variables_in(expression: &Expr) -> Vec<Arc<str>> {
    let mut names = Vec::new();
    if let ExprKind::Variable(name) = &expression.kind {
        names.push(name.clone());
    }
    if let ExprKind::MapProjection { variable, items } = &expression.kind {
        names.push(variable.text.clone());
        for item in items {
            if let MapItem::Variable(name) = item {
                names.push(name.text.clone());
            }
        }
    }
    expression.children(&mut |child| names.extend(variables_in(child)));
    let own = match &expression.kind {
        ExprKind::ListComprehension { variable, .. } | ExprKind::Quantifier { variable, .. } => vec![&variable.text],
        ExprKind::Reduce { variable, total, .. } => vec![&variable.text, &total.text],
        _ => Vec::new(),
    };
    names.retain(|name| !own.contains(&name));
    names
}

impl Compiler<'_> {
    /// Compiles the aggregations of an expression; from now on they stand for their slots.
    pub(super) fn compile_aggregates(
        &mut self,
        scope: &Scope,
        expression: &Expr,
        aggregates: &mut Vec<Aggregate>,
    ) -> Result<()> {
        refuse_in_loops(expression)?;
        for found in aggregates_in(expression) {
            if self.substitutions.iter().any(|known| known.expression == *found) {
                continue;
            }
            let (aggregate, kind) = self.aggregate(scope, found)?;
            let slot = aggregate.slot;
            self.substitutions.push(Substitution { expression: found.clone(), slot, kind });
            aggregates.push(aggregate);
        }
        Ok(())
    }

    fn aggregate(&mut self, scope: &Scope, expression: &Expr) -> Result<(Aggregate, Kind)> {
        let at = expression.at;
        let slot = self.new_slot();
        let ExprKind::Function { distinct, arguments, .. } = &expression.kind else {
            let aggregate = Aggregate { kind: AggregateKind::Count, distinct: false, arguments: Vec::new(), slot, at };
            return Ok((aggregate, Kind::Int));
        };
        let function = calls::find(expression)?;
        let Body::Aggregate(kind) = function.body else {
            return Err(Error::compile(ErrorKind::InvalidAggregation, at, "expected an aggregation"));
        };
        let known = std::mem::take(&mut self.substitutions);
        let mut terms = Vec::new();
        let mut first = None;
        for (index, argument) in arguments.iter().enumerate() {
            refuse_inside(argument)?;
            let typed = self.argument(scope, function, index, argument)?;
            first = first.or(Some(typed.kind));
            terms.push(typed.term);
        }
        self.substitutions = known;
        let given = function.gives.kind(first.as_ref());
        Ok((Aggregate { kind, distinct: *distinct, arguments: terms, slot, at }, given))
    }
}

/// No aggregation and nothing random may stand inside an aggregation.
fn refuse_inside(argument: &Expr) -> Result<()> {
    if contains_aggregate(argument) {
        let message = "an aggregation cannot stand inside an aggregation";
        return Err(Error::compile(ErrorKind::NestedAggregation, argument.at, message)
            .hint("compute the inner one in a WITH before"));
    }
    if contains_call(argument, "rand") {
        let message = "an aggregation over random numbers means nothing";
        return Err(Error::compile(ErrorKind::NonConstantExpression, argument.at, message));
    }
    Ok(())
}

fn contains_call(expression: &Expr, wanted: &str) -> bool {
    let mut found =
        matches!(&expression.kind, ExprKind::Function { name, .. } if name.text.eq_ignore_ascii_case(wanted));
    expression.children(&mut |child| found = found || contains_call(child, wanted));
    found
}

/// What is computed for each element of a list has no rows to aggregate.
fn refuse_in_loops(expression: &Expr) -> Result<()> {
    let parts: Vec<Option<&Expr>> = match &expression.kind {
        ExprKind::ListComprehension { filter, map, .. } => vec![filter.as_deref(), map.as_deref()],
        ExprKind::PatternComprehension { filter, map, .. } => vec![filter.as_deref(), Some(map)],
        ExprKind::Quantifier { filter, .. } => vec![Some(filter)],
        ExprKind::Reduce { step, .. } => vec![Some(step)],
        _ => Vec::new(),
    };
    if let Some(part) = parts.into_iter().flatten().find(|part| contains_aggregate(part)) {
        let message = "an aggregation cannot be computed for each element of a list";
        return Err(Error::compile(ErrorKind::InvalidAggregation, part.at, message));
    }
    let mut result = Ok(());
    expression.children(&mut |child| {
        if result.is_ok() {
            result = refuse_in_loops(child);
        }
    });
    result
}

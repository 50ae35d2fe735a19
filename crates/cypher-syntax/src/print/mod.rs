//! The syntax tree → canonical text on one line: what is parsed from it is the same tree.

mod expressions;
mod patterns;

use std::fmt::{self, Write};

use crate::ast::{CallProcedure, CallSubquery, Clause, Expr, Imports, Projection, Union};

use expressions::{LOOSEST, name};

type Out<'a, 'b> = &'a mut fmt::Formatter<'b>;

pub(crate) fn union(union: &Union, out: Out<'_, '_>) -> fmt::Result {
    let joint = if union.all { " UNION ALL " } else { " UNION " };
    for (index, part) in union.parts.iter().enumerate() {
        if index > 0 {
            out.write_str(joint)?;
        }
        for (index, one) in part.iter().enumerate() {
            if index > 0 {
                out.write_char(' ')?;
            }
            clause(one, out)?;
        }
    }
    Ok(())
}

fn clause(clause: &Clause, out: Out<'_, '_>) -> fmt::Result {
    match clause {
        Clause::Match(part) => {
            out.write_str(if part.optional { "OPTIONAL MATCH " } else { "MATCH " })?;
            separated(&part.patterns, out, patterns::part)?;
            filter(part.filter.as_ref(), out)
        }
        Clause::Unwind { list, variable } => {
            out.write_str("UNWIND ")?;
            expressions::expression(list, LOOSEST, out)?;
            out.write_str(" AS ")?;
            name(&variable.text, out)
        }
        Clause::With { projection: items, filter: condition } => {
            out.write_str("WITH ")?;
            projection(items, out)?;
            filter(condition.as_ref(), out)
        }
        Clause::Return(items) => {
            out.write_str("RETURN ")?;
            projection(items, out)
        }
        Clause::Subquery(call) => subquery(call, out),
        Clause::Procedure(call) => procedure(call, out),
    }
}

fn subquery(call: &CallSubquery, out: Out<'_, '_>) -> fmt::Result {
    out.write_str("CALL ")?;
    match &call.imports {
        Some(Imports::All) => out.write_str("(*) ")?,
        Some(Imports::Named(names)) => {
            out.write_char('(')?;
            separated(names, out, |one, out| name(&one.text, out))?;
            out.write_str(") ")?;
        }
        None => {}
    }
    out.write_str("{ ")?;
    union(&call.body, out)?;
    out.write_str(" }")
}

fn procedure(call: &CallProcedure, out: Out<'_, '_>) -> fmt::Result {
    write!(out, "CALL {}(", call.name.text)?;
    separated(&call.arguments, out, |argument, out| expressions::expression(argument, LOOSEST, out))?;
    out.write_char(')')?;
    if !call.yields.is_empty() {
        out.write_str(" YIELD ")?;
        separated(&call.yields, out, |(field, alias), out| {
            name(&field.text, out)?;
            let Some(alias) = alias else { return Ok(()) };
            out.write_str(" AS ")?;
            name(&alias.text, out)
        })?;
    } else if call.filter.is_some() {
        out.write_str(" YIELD *")?;
    }
    filter(call.filter.as_ref(), out)
}

fn projection(projection: &Projection, out: Out<'_, '_>) -> fmt::Result {
    if projection.distinct {
        out.write_str("DISTINCT ")?;
    }
    if projection.star {
        out.write_str(if projection.items.is_empty() { "*" } else { "*, " })?;
    }
    separated(&projection.items, out, |item, out| {
        expressions::expression(&item.expression, LOOSEST, out)?;
        let Some(alias) = &item.alias else { return Ok(()) };
        out.write_str(" AS ")?;
        name(&alias.text, out)
    })?;
    if !projection.order.is_empty() {
        out.write_str(" ORDER BY ")?;
        separated(&projection.order, out, |item, out| {
            expressions::expression(&item.expression, LOOSEST, out)?;
            out.write_str(if item.descending { " DESC" } else { "" })
        })?;
    }
    for (keyword, bound) in [(" SKIP ", &projection.skip), (" LIMIT ", &projection.limit)] {
        if let Some(bound) = bound {
            out.write_str(keyword)?;
            expressions::expression(bound, LOOSEST, out)?;
        }
    }
    Ok(())
}

fn filter(condition: Option<&Expr>, out: Out<'_, '_>) -> fmt::Result {
    let Some(condition) = condition else { return Ok(()) };
    out.write_str(" WHERE ")?;
    expressions::expression(condition, LOOSEST, out)
}

fn separated<T>(items: &[T], out: Out<'_, '_>, print: impl Fn(&T, Out<'_, '_>) -> fmt::Result) -> fmt::Result {
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.write_str(", ")?;
        }
        print(item, out)?;
    }
    Ok(())
}

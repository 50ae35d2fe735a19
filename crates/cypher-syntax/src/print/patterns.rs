//! Printing patterns.

use std::fmt::{self, Write};

use graph::Direction;

use crate::ast::{Expr, LabelExpr, NodePattern, PatternPart, RelationshipPattern, Search};

use super::Out;
use super::expressions::{LOOSEST, expression, name, symbolic_name};

pub(super) fn part(part: &PatternPart, out: Out<'_, '_>) -> fmt::Result {
    if let Some(variable) = &part.variable {
        name(&variable.text, out)?;
        out.write_str(" = ")?;
    }
    out.write_str(match part.search {
        Search::Every => "",
        Search::Shortest => "shortestPath(",
        Search::AllShortest => "allShortestPaths(",
    })?;
    node(&part.start, out)?;
    for (between, end) in &part.steps {
        relationship(between, out)?;
        node(end, out)?;
    }
    out.write_str(if part.search == Search::Every { "" } else { ")" })
}

fn node(pattern: &NodePattern, out: Out<'_, '_>) -> fmt::Result {
    out.write_char('(')?;
    let mut is_empty = true;
    if let Some(variable) = &pattern.variable {
        name(&variable.text, out)?;
        is_empty = false;
    }
    if let Some(labels) = &pattern.labels {
        out.write_char(':')?;
        label_expression(labels, 0, out)?;
        is_empty = false;
    }
    details(pattern.properties.as_ref(), pattern.filter.as_ref(), is_empty, out)?;
    out.write_char(')')
}

fn relationship(pattern: &RelationshipPattern, out: Out<'_, '_>) -> fmt::Result {
    out.write_str(if pattern.direction == Direction::Incoming { "<-" } else { "-" })?;
    let has_details = pattern.variable.is_some() || pattern.kinds.is_some() || pattern.length.is_some();
    if has_details || pattern.properties.is_some() || pattern.filter.is_some() {
        out.write_char('[')?;
        if let Some(variable) = &pattern.variable {
            name(&variable.text, out)?;
        }
        if let Some(kinds) = &pattern.kinds {
            out.write_char(':')?;
            label_expression(kinds, 0, out)?;
        }
        if let Some(length) = pattern.length {
            out.write_char('*')?;
            match (length.min, length.max) {
                (None, None) => {}
                (Some(min), Some(max)) if min == max => write!(out, "{min}")?,
                (min, max) => {
                    let text = |bound: Option<u64>| bound.map(|bound| bound.to_string()).unwrap_or_default();
                    write!(out, "{}..{}", text(min), text(max))?;
                }
            }
        }
        details(pattern.properties.as_ref(), pattern.filter.as_ref(), !has_details, out)?;
        out.write_char(']')?;
    }
    out.write_str(if pattern.direction == Direction::Outgoing { "->" } else { "-" })
}

fn details(properties: Option<&Expr>, filter: Option<&Expr>, mut is_empty: bool, out: Out<'_, '_>) -> fmt::Result {
    if let Some(properties) = properties {
        out.write_str(if is_empty { "" } else { " " })?;
        expression(properties, LOOSEST, out)?;
        is_empty = false;
    }
    if let Some(filter) = filter {
        out.write_str(if is_empty { "WHERE " } else { " WHERE " })?;
        expression(filter, LOOSEST, out)?;
    }
    Ok(())
}

/// 0 around alternatives, 1 around conjunctions, 2 around single labels.
pub(super) fn label_expression(labels: &LabelExpr, around: u8, out: Out<'_, '_>) -> fmt::Result {
    let (own, joint, parts) = match labels {
        LabelExpr::Label(label) => return symbolic_name(&label.text, out),
        LabelExpr::Any => return out.write_char('%'),
        LabelExpr::Not(inner) => {
            out.write_char('!')?;
            return label_expression(inner, 2, out);
        }
        LabelExpr::Or(parts) => (0, "|", parts),
        LabelExpr::And(parts) if parts.iter().all(|part| matches!(part, LabelExpr::Label(_))) => (1, ":", parts),
        LabelExpr::And(parts) => (1, "&", parts),
    };
    out.write_str(if own < around { "(" } else { "" })?;
    for (index, part) in parts.iter().enumerate() {
        out.write_str(if index > 0 { joint } else { "" })?;
        label_expression(part, own + 1, out)?;
    }
    out.write_str(if own < around { ")" } else { "" })
}

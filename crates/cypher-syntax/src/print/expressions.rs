//! Printing expressions, with brackets only where they are needed.

use std::fmt::{self, Write};

use crate::ast::{Binary, Compare, Expr, ExprKind, Logic, MapItem, Quantifier, Subquery, SubqueryKind};

use super::{Out, filter, patterns, separated, union};

pub(super) const LOOSEST: u8 = 1;
const NOT: u8 = 4;
const COMPARISON: u8 = 5;
const PREDICATE: u8 = 6;
const SUM: u8 = 7;
const PRODUCT: u8 = 8;
const POWER: u8 = 9;
const SIGN: u8 = 10;
const POSTFIX: u8 = 11;
const ATOM: u8 = 12;

pub(super) fn expression(expression: &Expr, around: u8, out: Out<'_, '_>) -> fmt::Result {
    if tightness(expression) >= around {
        return bare(expression, out);
    }
    out.write_char('(')?;
    bare(expression, out)?;
    out.write_char(')')
}

fn tightness(expression: &Expr) -> u8 {
    match &expression.kind {
        ExprKind::Logical(Logic::Or, _) => 1,
        ExprKind::Logical(Logic::Xor, _) => 2,
        ExprKind::Logical(Logic::And, _) => 3,
        ExprKind::Not(_) => NOT,
        ExprKind::Comparison(..) => COMPARISON,
        ExprKind::IsNull { .. } => PREDICATE,
        ExprKind::Binary(operator, ..) => binary(*operator).1,
        ExprKind::Sign { .. } => SIGN,
        ExprKind::Int(number) if *number < 0 => SIGN,
        ExprKind::Float(number) if number.is_sign_negative() => SIGN,
        ExprKind::Property(..) | ExprKind::HasLabels(..) | ExprKind::Index(..) | ExprKind::Slice(..) => POSTFIX,
        _ => ATOM,
    }
}

fn binary(operator: Binary) -> (&'static str, u8) {
    match operator {
        Binary::Add => ("+", SUM),
        Binary::Subtract => ("-", SUM),
        Binary::Multiply => ("*", PRODUCT),
        Binary::Divide => ("/", PRODUCT),
        Binary::Modulo => ("%", PRODUCT),
        Binary::Power => ("^", POWER),
        Binary::In => ("IN", PREDICATE),
        Binary::StartsWith => ("STARTS WITH", PREDICATE),
        Binary::EndsWith => ("ENDS WITH", PREDICATE),
        Binary::Contains => ("CONTAINS", PREDICATE),
        Binary::Matches => ("=~", PREDICATE),
    }
}

pub(crate) fn compare(operator: Compare) -> &'static str {
    match operator {
        Compare::Equal => "=",
        Compare::NotEqual => "<>",
        Compare::Less => "<",
        Compare::LessOrEqual => "<=",
        Compare::Greater => ">",
        Compare::GreaterOrEqual => ">=",
    }
}

fn bare(of: &Expr, out: Out<'_, '_>) -> fmt::Result {
    match &of.kind {
        ExprKind::Null => out.write_str("null"),
        ExprKind::Bool(value) => write!(out, "{value}"),
        ExprKind::Int(number) => write!(out, "{number}"),
        ExprKind::Float(number) => write!(out, "{number:?}"),
        ExprKind::Text(value) => text(value, out),
        ExprKind::Parameter(parameter) => {
            out.write_char('$')?;
            parameter_name(parameter, out)
        }
        ExprKind::Variable(variable) => name(variable, out),
        ExprKind::CountStar => out.write_str("count(*)"),
        ExprKind::List(items) => list(items, out),
        ExprKind::Map(entries) => {
            out.write_char('{')?;
            separated(entries, out, |(key, value), out| entry(&key.text, value, out))?;
            out.write_char('}')
        }
        ExprKind::Pattern(part) => patterns::part(part, out),
        ExprKind::Subquery(kind, body) => subquery(*kind, body, out),
        ExprKind::Logical(..)
        | ExprKind::Not(_)
        | ExprKind::Sign { .. }
        | ExprKind::IsNull { .. }
        | ExprKind::Comparison(..)
        | ExprKind::Binary(..) => operators(of, out),
        ExprKind::Property(..) | ExprKind::HasLabels(..) | ExprKind::Index(..) | ExprKind::Slice(..) => {
            postfix(of, out)
        }
        _ => constructs(of, out),
    }
}

fn operators(of: &Expr, out: Out<'_, '_>) -> fmt::Result {
    match &of.kind {
        ExprKind::Logical(logic, operands) => {
            let word = match logic {
                Logic::Or => " OR ",
                Logic::Xor => " XOR ",
                Logic::And => " AND ",
            };
            for (index, operand) in operands.iter().enumerate() {
                out.write_str(if index > 0 { word } else { "" })?;
                expression(operand, tightness(of) + 1, out)?;
            }
            Ok(())
        }
        ExprKind::Not(inner) => {
            out.write_str("NOT ")?;
            expression(inner, NOT, out)
        }
        ExprKind::Sign { minus, of } => {
            out.write_char(if *minus { '-' } else { '+' })?;
            let is_number = matches!(of.kind, ExprKind::Int(_) | ExprKind::Float(_));
            expression(of, if is_number { ATOM + 1 } else { SIGN }, out)
        }
        ExprKind::IsNull { not, of } => {
            expression(of, PREDICATE, out)?;
            out.write_str(if *not { " IS NOT NULL" } else { " IS NULL" })
        }
        ExprKind::Comparison(first, rest) => {
            expression(first, PREDICATE, out)?;
            for (operator, operand) in rest {
                write!(out, " {} ", compare(*operator))?;
                expression(operand, PREDICATE, out)?;
            }
            Ok(())
        }
        ExprKind::Binary(operator, left, right) => {
            let (symbol, own) = binary(*operator);
            expression(left, own, out)?;
            write!(out, " {symbol} ")?;
            expression(right, own + 1, out)
        }
        _ => Ok(()),
    }
}

fn postfix(of: &Expr, out: Out<'_, '_>) -> fmt::Result {
    match &of.kind {
        ExprKind::Property(base, key) => {
            let is_number = matches!(base.kind, ExprKind::Int(_) | ExprKind::Float(_));
            expression(base, if is_number { ATOM + 1 } else { POSTFIX }, out)?;
            out.write_char('.')?;
            symbolic_name(&key.text, out)
        }
        ExprKind::HasLabels(base, labels) => {
            let is_plain =
                matches!(base.kind, ExprKind::Variable(_) | ExprKind::Property(..) | ExprKind::Function { .. });
            expression(base, if is_plain { POSTFIX } else { ATOM + 1 }, out)?;
            out.write_char(':')?;
            patterns::label_expression(labels, 1, out)
        }
        ExprKind::Index(base, index) => {
            expression(base, POSTFIX, out)?;
            out.write_char('[')?;
            expression(index, LOOSEST, out)?;
            out.write_char(']')
        }
        ExprKind::Slice(base, from, to) => {
            expression(base, POSTFIX, out)?;
            out.write_char('[')?;
            from.iter().try_for_each(|from| expression(from, LOOSEST, out))?;
            out.write_str("..")?;
            to.iter().try_for_each(|to| expression(to, LOOSEST, out))?;
            out.write_char(']')
        }
        _ => Ok(()),
    }
}

fn constructs(of: &Expr, out: Out<'_, '_>) -> fmt::Result {
    match &of.kind {
        ExprKind::Case { subject, branches, otherwise } => {
            out.write_str("CASE")?;
            part(" ", subject.as_deref(), out)?;
            for (when, then) in branches {
                part(" WHEN ", Some(when), out)?;
                part(" THEN ", Some(then), out)?;
            }
            part(" ELSE ", otherwise.as_deref(), out)?;
            out.write_str(" END")
        }
        ExprKind::Function { name, distinct, arguments } => {
            write!(out, "{}({}", name.text, if *distinct { "DISTINCT " } else { "" })?;
            separated(arguments, out, |argument, out| expression(argument, LOOSEST, out))?;
            out.write_char(')')
        }
        ExprKind::ListComprehension { variable, list, filter: condition, map } => {
            out.write_char('[')?;
            name(&variable.text, out)?;
            part(" IN ", Some(list), out)?;
            filter(condition.as_deref(), out)?;
            part(" | ", map.as_deref(), out)?;
            out.write_char(']')
        }
        ExprKind::PatternComprehension { pattern, filter: condition, map } => {
            out.write_char('[')?;
            patterns::part(pattern, out)?;
            filter(condition.as_deref(), out)?;
            part(" | ", Some(map), out)?;
            out.write_char(']')
        }
        ExprKind::Quantifier { kind, variable, list, filter: condition } => {
            out.write_str(quantifier(*kind))?;
            name(&variable.text, out)?;
            part(" IN ", Some(list), out)?;
            filter(Some(condition), out)?;
            out.write_char(')')
        }
        ExprKind::Reduce { total, start, variable, list, step } => {
            out.write_str("reduce(")?;
            name(&total.text, out)?;
            part(" = ", Some(start), out)?;
            out.write_str(", ")?;
            name(&variable.text, out)?;
            part(" IN ", Some(list), out)?;
            part(" | ", Some(step), out)?;
            out.write_char(')')
        }
        ExprKind::MapProjection { variable, items } => {
            name(&variable.text, out)?;
            out.write_str(" {")?;
            separated(items, out, map_item)?;
            out.write_char('}')
        }
        _ => Ok(()),
    }
}

fn quantifier(kind: Quantifier) -> &'static str {
    match kind {
        Quantifier::All => "all(",
        Quantifier::Any => "any(",
        Quantifier::None => "none(",
        Quantifier::Single => "single(",
    }
}

fn map_item(item: &MapItem, out: Out<'_, '_>) -> fmt::Result {
    match item {
        MapItem::Property(key) => {
            out.write_char('.')?;
            symbolic_name(&key.text, out)
        }
        MapItem::AllProperties => out.write_str(".*"),
        MapItem::Variable(variable) => name(&variable.text, out),
        MapItem::Entry(key, value) => entry(&key.text, value, out),
    }
}

fn entry(key: &str, value: &Expr, out: Out<'_, '_>) -> fmt::Result {
    symbolic_name(key, out)?;
    out.write_str(": ")?;
    expression(value, LOOSEST, out)
}

fn part(before: &str, inner: Option<&Expr>, out: Out<'_, '_>) -> fmt::Result {
    let Some(inner) = inner else { return Ok(()) };
    out.write_str(before)?;
    expression(inner, LOOSEST, out)
}

/// The first element is set in brackets where a reader would take the list for a comprehension.
fn list(items: &[Expr], out: Out<'_, '_>) -> fmt::Result {
    out.write_char('[')?;
    for (index, item) in items.iter().enumerate() {
        out.write_str(if index > 0 { ", " } else { "" })?;
        let is_ambiguous = index == 0 && (tightness(item) < SUM || matches!(item.kind, ExprKind::Pattern(_)));
        expression(item, if is_ambiguous { ATOM + 1 } else { LOOSEST }, out)?;
    }
    out.write_char(']')
}

fn subquery(kind: SubqueryKind, body: &Subquery, out: Out<'_, '_>) -> fmt::Result {
    out.write_str(match kind {
        SubqueryKind::Exists => "EXISTS { ",
        SubqueryKind::Count => "COUNT { ",
        SubqueryKind::Collect => "COLLECT { ",
    })?;
    match body {
        Subquery::Pattern(parts, condition) => {
            separated(parts, out, patterns::part)?;
            filter(condition.as_ref(), out)?;
        }
        Subquery::Query(query) => union(query, out)?,
    }
    out.write_str(" }")
}

fn text(value: &str, out: Out<'_, '_>) -> fmt::Result {
    out.write_char('\'')?;
    for character in value.chars() {
        match character {
            '\'' => out.write_str("\\'")?,
            '\\' => out.write_str("\\\\")?,
            '\n' => out.write_str("\\n")?,
            '\r' => out.write_str("\\r")?,
            '\t' => out.write_str("\\t")?,
            _ => out.write_char(character)?,
        }
    }
    out.write_char('\'')
}

/// Words that mean something where a variable may stand.
const QUOTED: &[&str] = &[
    "match", "optional", "where", "return", "with", "unwind", "order", "union", "and", "or", "xor", "in", "starts",
    "ends", "contains", "is", "when", "then", "else", "distinct", "as", "asc", "desc", "create", "merge", "delete",
    "set", "remove", "detach", "skip", "limit", "not", "case", "true", "false", "null", "exists", "count", "collect",
];

pub(super) fn name(name: &str, out: Out<'_, '_>) -> fmt::Result {
    if QUOTED.contains(&name.to_lowercase().as_str()) { quoted(name, out) } else { symbolic_name(name, out) }
}

/// A name where every word is one.
pub(super) fn symbolic_name(name: &str, out: Out<'_, '_>) -> fmt::Result {
    let begins_well = name.starts_with(|first: char| first == '_' || first.is_alphabetic());
    if begins_well { parameter_name(name, out) } else { quoted(name, out) }
}

fn parameter_name(name: &str, out: Out<'_, '_>) -> fmt::Result {
    let is_plain = !name.is_empty() && name.chars().all(|part| part == '_' || part.is_alphanumeric());
    if is_plain { out.write_str(name) } else { quoted(name, out) }
}

fn quoted(name: &str, out: Out<'_, '_>) -> fmt::Result {
    write!(out, "`{}`", name.replace('`', "``"))
}

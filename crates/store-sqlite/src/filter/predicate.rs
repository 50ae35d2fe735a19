//! One condition as SQL on an expression.

use std::sync::Arc;

use graph::{Bound, PropertyKey, TextRelation, Value};

use super::{Kind, Layout, NEVER, Parameter, Where};

/// Longer lists are not worth a statement of their own.
pub(crate) const LONGEST_LIST: usize = 512;

/// Below this every whole number is a fraction too, without rounding.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Equal to one of these. A text equals texts only, a number numbers only, and nothing equals null.
pub(super) fn one_of(
    found: &mut Where,
    layout: &impl Layout,
    property: PropertyKey,
    values: &[Value],
) -> Option<String> {
    let (mut texts, mut numbers) = (Vec::new(), Vec::new());
    for value in values {
        match value {
            Value::Null => {}
            Value::Text(text) => texts.push(Parameter::Text(Arc::clone(text))),
            Value::Int(_) | Value::Float(_) => numbers.push(number(value)?),
            Value::Bool(_) | Value::List(_) => return None,
        }
    }
    let parts =
        [(Kind::GivenText, texts), (Kind::Number, numbers)].into_iter().filter(|(_, values)| !values.is_empty());
    let parts: Option<Vec<_>> = parts
        .map(|(kind, values)| {
            let list = list(found, values)?;
            layout.holds(property, kind, &|expression| format!("{expression} {list}"))
        })
        .collect();
    let parts = parts?;
    Some(if parts.is_empty() { NEVER.to_owned() } else { parts.join(" OR ") })
}

/// Lists of nearly the same length share a statement: the last value is repeated.
fn list(found: &mut Where, mut values: Vec<Parameter>) -> Option<String> {
    let last = values.last()?.clone();
    if values.len() > LONGEST_LIST {
        return None;
    }
    values.resize(values.len().next_power_of_two(), last);
    let names: Vec<_> = values.into_iter().map(|value| found.parameter(value)).collect();
    Some(match &names[..] {
        [name] => format!("= {name}"),
        names => format!("IN ({})", names.join(", ")),
    })
}

pub(super) fn text(
    found: &mut Where,
    relation: TextRelation,
    wanted: &Arc<str>,
    lower_case: bool,
) -> impl Fn(&str) -> String + use<> {
    let name = found.parameter(Parameter::Text(Arc::clone(wanted)));
    let is_range = relation == TextRelation::StartsWith && !lower_case;
    let end = if is_range { after_all_with(wanted) } else { None };
    let end = end.map(|end| found.parameter(Parameter::Text(end.into())));
    move |expression| {
        if lower_case {
            return in_lower_case(relation, expression, &name);
        }
        match (relation, &end) {
            (TextRelation::Is, _) => format!("{expression} = {name}"),
            (TextRelation::StartsWith, Some(end)) => format!("{expression} >= {name} AND {expression} < {end}"),
            (TextRelation::StartsWith, None) => format!("{expression} >= {name}"),
            // SQLite's functions that count from the end stop at a zero character.
            (TextRelation::Contains | TextRelation::EndsWith, _) => format!("instr({expression}, {name}) > 0"),
        }
    }
}

/// The two lengths are the same only for texts in ASCII without a zero character.
fn in_lower_case(relation: TextRelation, expression: &str, name: &str) -> String {
    let fits = match relation {
        TextRelation::Is => format!("lower({expression}) = {name}"),
        TextRelation::StartsWith => format!("instr(lower({expression}), {name}) = 1"),
        TextRelation::Contains | TextRelation::EndsWith => format!("instr(lower({expression}), {name}) > 0"),
    };
    format!("{fits} OR octet_length({expression}) <> length({expression})")
}

/// The first text after all that start with this one, in the order of their bytes.
fn after_all_with(prefix: &str) -> Option<String> {
    let mut characters: Vec<char> = prefix.chars().collect();
    while let Some(last) = characters.pop() {
        let next = (u32::from(last) + 1..=u32::from(char::MAX)).find_map(char::from_u32);
        if let Some(next) = next {
            characters.push(next);
            return Some(characters.into_iter().collect());
        }
    }
    None
}

pub(super) fn between(
    found: &mut Where,
    layout: &impl Layout,
    property: PropertyKey,
    low: Option<&Bound>,
    high: Option<&Bound>,
) -> Option<String> {
    let kinds: Vec<_> = low.iter().chain(&high).map(|bound| kind(&bound.value)).collect::<Option<_>>()?;
    let kind = *kinds.first()?;
    if kinds.iter().any(|other| *other != kind) {
        return None;
    }
    let mut comparisons = Vec::new();
    for (bound, sign) in [(low, ">"), (high, "<")] {
        let Some(bound) = bound else { continue };
        let equal = if bound.inclusive { "=" } else { "" };
        let name = found.parameter(value(&bound.value)?);
        comparisons.push(format!("{sign}{equal} {name}"));
    }
    layout.holds(property, kind, &|expression| {
        let parts: Vec<_> = comparisons.iter().map(|comparison| format!("{expression} {comparison}")).collect();
        parts.join(" AND ")
    })
}

fn kind(value: &Value) -> Option<Kind> {
    match value {
        Value::Text(_) => Some(Kind::Text),
        Value::Int(_) | Value::Float(_) => Some(Kind::Number),
        Value::Null | Value::Bool(_) | Value::List(_) => None,
    }
}

fn value(value: &Value) -> Option<Parameter> {
    match value {
        Value::Text(text) => Some(Parameter::Text(Arc::clone(text))),
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::List(_) => number(value),
    }
}

/// A number that SQLite compares with whole numbers as every engine does.
fn number(value: &Value) -> Option<Parameter> {
    match value {
        Value::Int(number) => Some(Parameter::Integer(*number)),
        Value::Float(number) if number.abs() < EXACT => Some(Parameter::Fraction(*number)),
        Value::Null | Value::Bool(_) | Value::Float(_) | Value::Text(_) | Value::List(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(prefix: &str, expected: Option<&str>) {
        assert_eq!(after_all_with(prefix).as_deref(), expected, "{prefix:?}");
    }

    #[test]
    fn the_text_after_a_prefix_is_the_next_one_in_byte_order() {
        check("a", Some("b"));
        check("user", Some("uses"));
        check("a\u{7f}", Some("a\u{80}"));
        check("\u{d7ff}", Some("\u{e000}"));
        check("a\u{10FFFF}", Some("b"));
        check("\u{10FFFF}\u{10FFFF}", None);
        check("", None);
    }
}

//! Functions on texts. Positions count characters.

use crate::kind::{Expects, Gives};
use crate::run::Runtime;
use crate::value::Value;
use cypher_syntax::{Error, ErrorKind, Result};

use super::scalars::count;
use super::{Body, Function, row, wrong_type};

pub(super) const FUNCTIONS: &[Function] = &[
    row(
        "toLower",
        "toLower(text) → text",
        "In lower case.",
        ("text", 1),
        (&[Expects::Text], Gives::Text),
        Body::Plain(to_lower),
    ),
    row(
        "lower",
        "lower(text) → text",
        "In lower case.",
        ("text", 1),
        (&[Expects::Text], Gives::Text),
        Body::Plain(to_lower),
    ),
    row(
        "toUpper",
        "toUpper(text) → text",
        "In upper case.",
        ("text", 1),
        (&[Expects::Text], Gives::Text),
        Body::Plain(to_upper),
    ),
    row(
        "upper",
        "upper(text) → text",
        "In upper case.",
        ("text", 1),
        (&[Expects::Text], Gives::Text),
        Body::Plain(to_upper),
    ),
    row(
        "trim",
        "trim(text) → text",
        "Without blanks at both ends.",
        ("text", 1),
        (&[Expects::Text], Gives::Text),
        Body::Plain(trim),
    ),
    row(
        "btrim",
        "btrim(text[, characters]) → text",
        "Without blanks, or those characters, at both ends.",
        ("text", 1),
        (&[Expects::Text, Expects::Text], Gives::Text),
        Body::Plain(trim_both),
    ),
    row(
        "ltrim",
        "ltrim(text[, characters]) → text",
        "Without blanks, or those characters, at the beginning.",
        ("text", 1),
        (&[Expects::Text, Expects::Text], Gives::Text),
        Body::Plain(trim_left),
    ),
    row(
        "rtrim",
        "rtrim(text[, characters]) → text",
        "Without blanks, or those characters, at the end.",
        ("text", 1),
        (&[Expects::Text, Expects::Text], Gives::Text),
        Body::Plain(trim_right),
    ),
    row(
        "replace",
        "replace(text, search, by) → text",
        "Every occurrence of a text replaced by another.",
        ("text", 3),
        (&[Expects::Text, Expects::Text, Expects::Text], Gives::Text),
        Body::Plain(replace),
    ),
    row(
        "split",
        "split(text, separator) → list",
        "The pieces between separators.",
        ("text", 2),
        (&[Expects::Text, Expects::Anything], Gives::TextList),
        Body::Plain(split),
    ),
    row(
        "substring",
        "substring(text, start[, length]) → text",
        "A part of a text; the first character is 0.",
        ("text", 2),
        (&[Expects::Text, Expects::Number, Expects::Number], Gives::Text),
        Body::Plain(substring),
    ),
    row(
        "left",
        "left(text, length) → text",
        "The first characters.",
        ("text", 2),
        (&[Expects::Text, Expects::Number], Gives::Text),
        Body::Plain(left),
    ),
    row(
        "right",
        "right(text, length) → text",
        "The last characters.",
        ("text", 2),
        (&[Expects::Text, Expects::Number], Gives::Text),
        Body::Plain(right),
    ),
    row(
        "char_length",
        "char_length(text) → integer",
        "How many characters there are.",
        ("text", 1),
        (&[Expects::Text], Gives::Int),
        Body::Plain(char_length),
    ),
    row(
        "character_length",
        "character_length(text) → integer",
        "How many characters there are.",
        ("text", 1),
        (&[Expects::Text], Gives::Int),
        Body::Plain(char_length),
    ),
];

fn text<'a>(name: &str, value: &'a Value) -> Result<&'a str> {
    match value {
        Value::Text(text) => Ok(text),
        other => Err(wrong_type(name, "a text", other)),
    }
}

fn length(name: &str, value: &Value) -> Result<usize> {
    let Value::Int(number) = value else { return Err(wrong_type(name, "an integer", value)) };
    usize::try_from(*number).map_err(|_| {
        let message = format!("{name}() expects a number that is not negative, not {number}");
        Error::run(ErrorKind::NegativeIntegerArgument, message)
    })
}

fn to_lower(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    Ok(text("toLower", &values[0])?.to_lowercase().into())
}

fn to_upper(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    Ok(text("toUpper", &values[0])?.to_uppercase().into())
}

fn trim(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    Ok(text("trim", &values[0])?.trim().into())
}

/// Whether a character is to be cut off: one of the given ones, or a blank if none are given.
fn is_cut<'a>(name: &str, characters: Option<&'a Value>) -> Result<impl Fn(char) -> bool + Copy + 'a> {
    let characters = characters.map(|value| text(name, value)).transpose()?;
    Ok(move |c: char| characters.map_or_else(|| c.is_whitespace(), |these| these.contains(c)))
}

fn trim_both(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    Ok(text("btrim", &values[0])?.trim_matches(is_cut("btrim", values.get(1))?).into())
}

fn trim_left(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    Ok(text("ltrim", &values[0])?.trim_start_matches(is_cut("ltrim", values.get(1))?).into())
}

fn trim_right(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    Ok(text("rtrim", &values[0])?.trim_end_matches(is_cut("rtrim", values.get(1))?).into())
}

fn replace(runtime: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    let (whole, search) = (text("replace", &values[0])?, text("replace", &values[1])?);
    let by = text("replace", &values[2])?;
    let occurrences = if search.is_empty() { whole.len() + 1 } else { whole.len() / search.len() };
    runtime.check_room(occurrences.saturating_mul(by.len()).saturating_add(whole.len()))?;
    Ok(whole.replace(search, by).into())
}

fn split(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    let whole = text("split", &values[0])?;
    let separators = match &values[1] {
        Value::List(items) => items.iter().map(|item| text("split", item)).collect::<Result<Vec<_>>>()?,
        one => vec![text("split", one)?],
    };
    if separators.iter().any(|separator| separator.is_empty()) {
        return Ok(Value::List(whole.chars().map(|c| Value::from(c.to_string())).collect()));
    }
    let mut pieces = vec![whole];
    for separator in separators {
        pieces = pieces.into_iter().flat_map(|piece| piece.split(separator)).collect();
    }
    Ok(Value::List(pieces.into_iter().map(Value::from).collect()))
}

fn substring(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    let characters = text("substring", &values[0])?.chars().skip(length("substring", &values[1])?);
    match values.get(2) {
        Some(wanted) => Ok(characters.take(length("substring", wanted)?).collect::<String>().into()),
        None => Ok(characters.collect::<String>().into()),
    }
}

fn left(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    Ok(text("left", &values[0])?.chars().take(length("left", &values[1])?).collect::<String>().into())
}

fn right(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    let whole = text("right", &values[0])?;
    let skipped = whole.chars().count().saturating_sub(length("right", &values[1])?);
    Ok(whole.chars().skip(skipped).collect::<String>().into())
}

fn char_length(_: &Runtime<'_>, values: &[Value]) -> Result<Value> {
    Ok(count(text("char_length", &values[0])?.chars().count()))
}

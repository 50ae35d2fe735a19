//! Which field of the rows is meant by a mapping, and which one is taken when it does not say.

use rustc_hash::FxHashSet;
use serde_json::Value;

use super::parse_number;
use crate::error::{Invalid, quoted, shortened};
use crate::notes::Notes;
use crate::request::{Data, Mapping, Row};

/// How many names of fields a message lists.
const MOST_NAMED: usize = 20;
/// How many rows are looked at for what a field holds when the caller does not say.
const SAMPLE: usize = 100;

/// The rows and the fields they are drawn by.
#[derive(Debug)]
pub(crate) struct Fields<'a> {
    pub(crate) rows: &'a [Row],
    pub(crate) x: String,
    pub(crate) y: String,
    pub(crate) series: Option<String>,
}

impl<'a> Fields<'a> {
    pub(crate) fn resolve(data: Data<'a>, mapping: &Mapping, notes: &mut Notes) -> Result<Self, Invalid> {
        let rows = rows(data)?;
        let known = names(rows);
        let series = match &mapping.series {
            Some(name) => Some(named("mapping.seriesField", name, &known, notes)?),
            None => None,
        };
        let given_y = match &mapping.y {
            Some(name) => Some(named("mapping.yField", name, &known, notes)?),
            None => None,
        };
        let x = match &mapping.x {
            Some(name) => named("mapping.xField", name, &known, notes)?,
            None => {
                let taken = [given_y.as_deref(), series.as_deref()];
                inferred("xField", choose_x(rows, &known, &taken), &known, notes)?
            }
        };
        let y = match given_y {
            Some(name) => name,
            None => {
                let taken = [Some(x.as_str()), series.as_deref()];
                inferred("yField", choose_y(rows, &known, &taken), &known, notes)?
            }
        };
        Ok(Self { rows, x, y, series })
    }
}

fn rows(data: Data<'_>) -> Result<&[Row], Invalid> {
    match data {
        Data::Rows([]) => {
            Err(Invalid::new("data", "has no rows; give at least one object, such as {\"x\": \"a\", \"y\": 1}"))
        }
        Data::Rows(rows) if rows.len() > crate::MOST_ROWS => Err(Invalid::new(
            "data",
            format!(
                "must have at most {} rows, but has {}; add them up or sample them first",
                crate::MOST_ROWS,
                rows.len()
            ),
        )),
        Data::Rows(rows) => Ok(rows),
        Data::Graph(_) => Err(Invalid::new("graph", "is for the chart type `graph`; this one is drawn from `data`")),
        Data::Nothing => Err(Invalid::new("data", "is required but missing: a list of objects, one for each row")),
    }
}

/// Every field of any row, in the order in which they are first seen.
fn names(rows: &[Row]) -> Vec<&str> {
    let mut seen = FxHashSet::default();
    let mut names = Vec::new();
    let mut previous: Vec<&str> = Vec::new();
    for row in rows {
        // Rows are mostly alike: what equals the row before holds nothing new.
        if row.len() == previous.len() && row.keys().zip(&previous).all(|(name, before)| name == before) {
            continue;
        }
        previous = row.keys().map(String::as_str).collect();
        names.extend(previous.iter().copied().filter(|name| seen.insert(*name)));
    }
    names
}

fn named(argument: &str, name: &str, known: &[&str], notes: &mut Notes) -> Result<String, Invalid> {
    if known.contains(&name) {
        return Ok(name.to_owned());
    }
    let folded = |text: &str| text.trim().to_lowercase();
    let mut same = known.iter().filter(|candidate| folded(candidate) == folded(name));
    if let (Some(meant), None) = (same.next(), same.next()) {
        notes.add(format!(
            "`{argument}` is {} where the rows have {}; that field is used.",
            quoted(name),
            quoted(meant)
        ));
        return Ok((*meant).to_owned());
    }
    let near = known.iter().map(|candidate| (strsim::damerau_levenshtein(name, candidate), candidate)).min();
    let allowed = (name.chars().count() / 3).max(1);
    let hint = match near.filter(|(distance, _)| *distance <= allowed) {
        Some((_, meant)) => format!("; did you mean {}?", quoted(meant)),
        None => String::new(),
    };
    Err(Invalid::new(
        argument,
        format!("names the field {}, which no row has{hint} (fields: {})", quoted(name), list(known)),
    ))
}

fn inferred(argument: &str, choice: Option<&str>, known: &[&str], notes: &mut Notes) -> Result<String, Invalid> {
    let Some(name) = choice else {
        let what = if argument == "yField" { "no field holds numbers" } else { "no field is left for it" };
        return Err(Invalid::new(
            format!("mapping.{argument}"),
            format!("is not given, and {what} (fields: {})", list(known)),
        ));
    };
    // The names of the specification need no remark.
    if !matches!(name, "x" | "y") {
        notes.add(format!("`mapping.{argument}` was not given; the field {} is used.", quoted(name)));
    }
    Ok(name.to_owned())
}

fn choose_x<'n>(rows: &[Row], known: &[&'n str], taken: &[Option<&str>]) -> Option<&'n str> {
    let free = || known.iter().copied().filter(|name| !taken.contains(&Some(*name)));
    free()
        .find(|name| *name == "x")
        .or_else(|| free().find(|name| !holds_numbers(rows, name)))
        .or_else(|| free().next())
}

fn choose_y<'n>(rows: &[Row], known: &[&'n str], taken: &[Option<&str>]) -> Option<&'n str> {
    let free = || known.iter().copied().filter(|name| !taken.contains(&Some(*name)));
    free().find(|name| *name == "y").or_else(|| free().find(|name| holds_numbers(rows, name)))
}

fn holds_numbers(rows: &[Row], name: &str) -> bool {
    let mut values =
        rows.iter().filter_map(|row| row.get(name)).filter(|value| !value.is_null()).take(SAMPLE).peekable();
    values.peek().is_some()
        && values.all(|value| value.is_number() || value.as_str().is_some_and(|text| parse_number(text).is_some()))
}

fn list(known: &[&str]) -> String {
    let shown: Vec<String> = known.iter().take(MOST_NAMED).map(|name| shortened(name)).collect();
    let more = known.len().saturating_sub(MOST_NAMED);
    if more == 0 { shown.join(", ") } else { format!("{} and {more} more", shown.join(", ")) }
}

/// One field of each row. Rows are mostly alike, so that the field is looked for where it was in the row before.
#[derive(Debug)]
pub(crate) struct Cells<'a, 'n> {
    rows: std::slice::Iter<'a, Row>,
    name: &'n str,
    place: usize,
}

impl<'a, 'n> Cells<'a, 'n> {
    pub(crate) fn of(rows: &'a [Row], name: &'n str) -> Self {
        Self { rows: rows.iter(), name, place: 0 }
    }
}

impl<'a> Iterator for Cells<'a, '_> {
    type Item = Option<&'a Value>;

    fn next(&mut self) -> Option<Self::Item> {
        let row = self.rows.next()?;
        if let Some((name, value)) = row.iter().nth(self.place)
            && name == self.name
        {
            return Some(Some(value));
        }
        let found = row.iter().enumerate().find(|(_, (name, _))| *name == self.name);
        Some(found.map(|(place, (_, value))| {
            self.place = place;
            value
        }))
    }
}

/// A cell that holds nothing: absent, null, or blank text.
pub(super) fn is_gap(value: Option<&Value>) -> bool {
    match value {
        None | Some(Value::Null) => true,
        Some(Value::String(text)) => text.trim().is_empty(),
        Some(Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_)) => false,
    }
}

//! What an axis is made of: numbers, points in time, or categories, as the values of its column show.

use std::borrow::Cow;

use serde_json::Value;

use super::fields::{Cells, is_gap};
use super::times::{self, Moment};
use crate::error::{Invalid, quoted, shown};
use crate::kinds::number_value;
use crate::notes::{Notes, counted};
use crate::request::Row;

/// Where a category axis keeps what has no name.
const UNNAMED: &str = "(empty)";
/// Milliseconds from 2000 to 2100: numbers in a field where all are such are taken for points in time.
const EPOCH_MILLIS: std::ops::Range<f64> = 946_684_800_000.0..4_102_444_800_000.0;
const YEARS: std::ops::Range<f64> = 1000.0..3000.0;

/// A column as positions on an axis, row by row.
#[derive(Debug)]
pub(crate) struct Axis<'a> {
    pub(crate) name: String,
    pub(crate) positions: Positions<'a>,
}

#[derive(Debug)]
pub(crate) enum Positions<'a> {
    Categories(Vec<Cow<'a, str>>),
    Numbers(Vec<f64>),
    Times { times: Vec<Time<'a>>, utc: bool },
}

/// A point in time and how the option spells it.
#[derive(Debug, Clone)]
pub(crate) struct Time<'a> {
    pub(crate) millis: i64,
    pub(crate) spelled: Cow<'a, str>,
}

/// What a kind of chart does with whole numbers that look like labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AxisRules {
    /// Numbers are names: bars stand side by side.
    NumbersAreCategories,
    /// Numbers are positions, but years are names.
    YearsAreCategories,
    /// Numbers are positions, always.
    NumbersArePositions,
}

impl<'a> Axis<'a> {
    pub(crate) fn of(rows: &'a [Row], column: &str, rules: AxisRules, notes: &mut Notes) -> Result<Self, Invalid> {
        let examined = examine(rows, column)?;
        let positions = match examined.held(rows.len()) {
            Held::Numbers if rules != AxisRules::NumbersAreCategories || examined.gap.is_none() => {
                examined.without_gaps(column)?;
                place_numbers(column, examined.numbers, rules, notes)
            }
            Held::Moments => {
                examined.without_gaps(column)?;
                place_moments(rows, column, &examined.moments, notes)
            }
            Held::Numbers | Held::Mixed => Positions::Categories(categories(rows, column, notes)),
        };
        Ok(Self { name: column.to_owned(), positions })
    }
}

enum Held {
    Numbers,
    Moments,
    Mixed,
}

/// What was found in a column.
#[derive(Default)]
struct Examined {
    numbers: Vec<f64>,
    moments: Vec<Moment>,
    gaps: usize,
    gap: Option<usize>,
}

impl Examined {
    fn held(&self, rows: usize) -> Held {
        if !self.numbers.is_empty() && self.numbers.len() + self.gaps == rows {
            Held::Numbers
        } else if !self.moments.is_empty() && self.moments.len() + self.gaps == rows {
            Held::Moments
        } else {
            Held::Mixed
        }
    }

    fn without_gaps(&self, column: &str) -> Result<(), Invalid> {
        let problem = "is empty, and what has no place on the axis cannot be drawn; fill it or leave the row out";
        self.gap.map_or(Ok(()), |row| Err(Invalid::cell(row, column, problem)))
    }
}

fn examine(rows: &[Row], column: &str) -> Result<Examined, Invalid> {
    let mut examined = Examined::default();
    for (row, value) in Cells::of(rows, column).enumerate() {
        match value {
            _ if is_gap(value) => {
                examined.gaps += 1;
                examined.gap.get_or_insert(row);
            }
            Some(Value::Number(number)) => examined.numbers.extend(number.as_f64().filter(|number| number.is_finite())),
            // One text that is no date settles it.
            Some(Value::String(text)) if examined.moments.len() + examined.gaps == row => {
                examined.moments.extend(times::parse(text));
            }
            Some(Value::Array(_) | Value::Object(_)) => {
                let given = value.map(shown).unwrap_or_default();
                return Err(Invalid::cell(row, column, format!("must be a text, a number or a date, but is {given}")));
            }
            Some(Value::Null | Value::Bool(_) | Value::String(_)) | None => {}
        }
    }
    Ok(examined)
}

fn place_numbers<'a>(column: &str, numbers: Vec<f64>, rules: AxisRules, notes: &mut Notes) -> Positions<'a> {
    let all =
        |range: &std::ops::Range<f64>| numbers.iter().all(|number| number.fract() == 0.0 && range.contains(number));
    if all(&EPOCH_MILLIS) {
        notes.add(format!("{} holds milliseconds since 1970; it is drawn on a time axis in UTC.", quoted(column)));
        #[expect(clippy::cast_possible_truncation, reason = "whole and below 2^53")]
        let time = |number: &f64| Time { millis: *number as i64, spelled: times::in_utc(*number as i64).into() };
        return Positions::Times { times: numbers.iter().map(time).collect(), utc: true };
    }
    let years = all(&YEARS);
    match rules {
        AxisRules::NumbersAreCategories => Positions::Categories(spelled(&numbers)),
        AxisRules::YearsAreCategories if years => Positions::Categories(spelled(&numbers)),
        AxisRules::YearsAreCategories | AxisRules::NumbersArePositions => Positions::Numbers(numbers),
    }
}

fn spelled<'a>(numbers: &[f64]) -> Vec<Cow<'a, str>> {
    numbers.iter().map(|number| number_value(*number).to_string().into()).collect()
}

fn place_moments<'a>(rows: &'a [Row], column: &str, moments: &[Moment], notes: &mut Notes) -> Positions<'a> {
    let zoned = moments.iter().filter(|moment| moment.zoned).count();
    if zoned > 0 && zoned < moments.len() {
        let without = counted(moments.len() - zoned, "time");
        notes.add(format!("{} holds {without} without a zone; they are taken to be in UTC.", quoted(column)));
    }
    let text = |cell: Option<&'a Value>| cell.and_then(Value::as_str).unwrap_or_default().trim();
    let time = |(moment, cell): (&Moment, Option<&'a Value>)| Time {
        millis: moment.millis,
        // What ECharts reads without a zone it also shows without one.
        spelled: if zoned == 0 { text(cell).into() } else { times::in_utc(moment.millis).into() },
    };
    Positions::Times { times: moments.iter().zip(Cells::of(rows, column)).map(time).collect(), utc: zoned > 0 }
}

fn categories<'a>(rows: &'a [Row], column: &str, notes: &mut Notes) -> Vec<Cow<'a, str>> {
    let mut mixture = Mixture::default();
    let mut names = Vec::with_capacity(rows.len());
    for (row, value) in Cells::of(rows, column).enumerate() {
        names.push(match value {
            _ if is_gap(value) => {
                mixture.gaps += 1;
                UNNAMED.into()
            }
            Some(Value::String(text)) => {
                mixture.saw_text(row, text);
                text.as_str().into()
            }
            Some(other) => {
                mixture.others.get_or_insert((row, shown(other)));
                mixture.other_count += 1;
                other.to_string().into()
            }
            None => UNNAMED.into(),
        });
    }
    mixture.note(column, rows.len(), notes);
    names
}

/// What kinds of values a column of categories holds.
#[derive(Default)]
struct Mixture {
    gaps: usize,
    dates: usize,
    first_plain_text: Option<(usize, String)>,
    texts: usize,
    others: Option<(usize, String)>,
    other_count: usize,
}

impl Mixture {
    fn saw_text(&mut self, row: usize, text: &str) {
        self.texts += 1;
        if self.first_plain_text.is_none() || self.dates > 0 {
            match times::parse(text) {
                Some(_) => self.dates += 1,
                None if self.first_plain_text.is_none() => self.first_plain_text = Some((row, quoted(text))),
                None => {}
            }
        }
    }

    fn note(self, column: &str, rows: usize, notes: &mut Notes) {
        let column = quoted(column);
        if self.gaps > 0 {
            notes.add(format!("{column} is empty in {}; drawn under {UNNAMED:?}.", counted(self.gaps, "row")));
        }
        if let Some((row, first)) = self.others.filter(|_| self.texts > 0) {
            notes.add(format!(
                "{column} mixes {} with {} of other kinds (first: data[{row}] is {first}); all are drawn as categories.",
                counted(self.texts, "text"),
                counted(self.other_count, "value"),
            ));
        } else if let Some((row, text)) = self.first_plain_text.filter(|_| self.dates > 0 && self.dates * 2 >= rows) {
            notes.add(format!("{column} holds dates, but data[{row}] is {text}; all are drawn as categories."));
        }
    }
}

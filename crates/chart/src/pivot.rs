//! Rows as a table with one column for each series on one axis: first-seen order, gaps stay gaps, repetitions are added up.

use std::borrow::Cow;

use rustc_hash::FxHashMap;
use serde_json::Value;

use crate::columns::{Axis, Cells, Fields, Positions, numbers};
use crate::error::{Invalid, quoted};
use crate::kinds::number_value;
use crate::notes::{Notes, counted};

/// More colours than anybody can tell apart.
pub(crate) const MOST_SERIES: usize = 50;
const MOST_CELLS: usize = 1_000_000;
/// The series of rows that do not say theirs.
const UNNAMED: &str = "(empty)";

/// One line for each place on the axis, one number for each series.
#[derive(Debug)]
pub(crate) struct Pivot {
    pub(crate) places: Vec<Value>,
    pub(crate) series: Vec<String>,
    /// Line by line, as many numbers as there are series.
    cells: Vec<Option<f64>>,
}

impl Pivot {
    pub(crate) fn of(fields: &Fields<'_>, axis: &Axis<'_>, notes: &mut Notes) -> Result<Self, Invalid> {
        let values = numbers(fields.rows, &fields.y, notes)?;
        let (series, series_of_row) = series(fields, notes)?;
        let (places, place_of_row) = places(&axis.positions);
        if places.len().saturating_mul(series.len()) > MOST_CELLS {
            return Err(Invalid::new(
                "data",
                format!(
                    "has {} places on the axis and {} series, more than {MOST_CELLS} cells together; add rows up first",
                    places.len(),
                    series.len()
                ),
            ));
        }
        let mut pivot = Self { cells: vec![None; places.len() * series.len()], places, series };
        let repeated = pivot.fill(&values, &place_of_row, &series_of_row);
        note_gaps(fields, &values, notes);
        if let Some((row, count)) = repeated {
            let each = if fields.series.is_some() { " and series" } else { "" };
            notes.add(format!(
                "{} the same {}{each} as a row before (first: data[{row}]); their {} was added up.",
                if count == 1 { "1 row has".to_owned() } else { format!("{count} rows have") },
                quoted(&fields.x),
                quoted(&fields.y),
            ));
        }
        pivot.put_in_order(axis, &place_of_row, notes);
        Ok(pivot)
    }

    /// The first row that repeats a cell, and how many do.
    fn fill(
        &mut self,
        values: &[Option<f64>],
        place_of_row: &[usize],
        series_of_row: &[usize],
    ) -> Option<(usize, usize)> {
        let mut repeated = None;
        for (row, value) in values.iter().enumerate() {
            let Some(value) = value else { continue };
            let cell = &mut self.cells[place_of_row[row] * self.series.len() + series_of_row[row]];
            *cell = Some(match *cell {
                Some(before) => {
                    let (_, count) = repeated.get_or_insert((row, 0));
                    *count += 1;
                    before + value
                }
                None => *value,
            });
        }
        repeated
    }

    /// Numbers and times go from left to right, in whatever order the rows came.
    fn put_in_order(&mut self, axis: &Axis<'_>, place_of_row: &[usize], notes: &mut Notes) {
        let mut keys: Vec<f64> = vec![0.0; self.places.len()];
        match &axis.positions {
            Positions::Categories(_) => return,
            Positions::Numbers(numbers) => {
                place_of_row.iter().zip(numbers).for_each(|(place, number)| keys[*place] = *number);
            }
            #[expect(clippy::cast_precision_loss, reason = "milliseconds of years that people write are below 2^53")]
            Positions::Times { times, .. } => {
                place_of_row.iter().zip(times).for_each(|(place, time)| keys[*place] = time.millis as f64);
            }
        }
        if keys.is_sorted() {
            return;
        }
        let mut order: Vec<usize> = (0..keys.len()).collect();
        order.sort_by(|one, other| keys[*one].total_cmp(&keys[*other]));
        let width = self.series.len();
        self.places = order.iter().map(|place| std::mem::take(&mut self.places[*place])).collect();
        self.cells = order.iter().flat_map(|place| self.cells[place * width..(place + 1) * width].to_vec()).collect();
        notes.add(format!("The rows were put in the order of {}.", quoted(&axis.name)));
    }

    /// The rows of a dataset: the place, then a number or null for each series.
    pub(crate) fn source(&self) -> Vec<Value> {
        let lines = self.places.iter().zip(self.cells.chunks(self.series.len()));
        let line = |(place, cells): (&Value, &[Option<f64>])| {
            let mut line = Vec::with_capacity(cells.len() + 1);
            line.push(place.clone());
            line.extend(cells.iter().map(|cell| cell.map_or(Value::Null, number_value)));
            Value::Array(line)
        };
        lines.map(line).collect()
    }

    /// The numbers of one series, from left to right.
    pub(crate) fn column(&self, series: usize) -> impl Iterator<Item = Option<f64>> {
        self.cells.iter().skip(series).step_by(self.series.len()).copied()
    }

    /// How many marks a series has.
    pub(crate) fn count(&self, series: usize) -> usize {
        self.column(series).flatten().count()
    }
}

fn note_gaps(fields: &Fields<'_>, values: &[Option<f64>], notes: &mut Notes) {
    let gaps = values.iter().filter(|value| value.is_none()).count();
    if gaps > 0 {
        let column = quoted(&fields.y);
        notes.add(format!("{column} is empty in {}, which stays a gap in the chart.", counted(gaps, "row")));
    }
}

/// The names of the series in first-seen order, and which one each row belongs to.
pub(crate) fn series(fields: &Fields<'_>, notes: &mut Notes) -> Result<(Vec<String>, Vec<usize>), Invalid> {
    let Some(column) = &fields.series else {
        return Ok((vec![fields.y.clone()], vec![0; fields.rows.len()]));
    };
    let mut seen: FxHashMap<Cow<'_, str>, usize> = FxHashMap::default();
    let (mut names, mut of_row, mut unnamed) = (Vec::new(), Vec::with_capacity(fields.rows.len()), 0);
    for (row, value) in Cells::of(fields.rows, column).enumerate() {
        let name = series_name(row, value, column)?.unwrap_or_else(|| {
            unnamed += 1;
            UNNAMED.into()
        });
        let next = names.len();
        of_row.push(*seen.entry(name).or_insert_with_key(|name| {
            names.push(name.clone().into_owned());
            next
        }));
        if names.len() > MOST_SERIES {
            return Err(Invalid::new(
                "mapping.seriesField",
                format!(
                    "names the field {}, which has more than {MOST_SERIES} different values; that is more series than a chart can show",
                    quoted(column)
                ),
            ));
        }
    }
    if unnamed > 0 {
        notes.add(format!(
            "{} is empty in {}; drawn as the series {UNNAMED:?}.",
            quoted(column),
            counted(unnamed, "row")
        ));
    }
    Ok((names, of_row))
}

fn series_name<'a>(row: usize, value: Option<&'a Value>, column: &str) -> Result<Option<Cow<'a, str>>, Invalid> {
    match value {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => {
            Ok(Some(text.as_str().into()).filter(|text: &Cow<'_, str>| !text.trim().is_empty()))
        }
        Some(value @ (Value::Bool(_) | Value::Number(_))) => Ok(Some(value.to_string().into())),
        Some(value @ (Value::Array(_) | Value::Object(_))) => {
            let given = crate::error::shown(value);
            Err(Invalid::cell(row, column, format!("must be a text that names a series, but is {given}")))
        }
    }
}

/// Each different place in first-seen order, and which one each row stands at. Places that only grow are all different.
fn places(positions: &Positions<'_>) -> (Vec<Value>, Vec<usize>) {
    match positions {
        Positions::Categories(names) => distinct(names.iter(), |name| name.as_ref(), |name| Value::from(name.as_ref())),
        Positions::Numbers(numbers) if numbers.is_sorted_by(|one, next| one < next) => {
            (numbers.iter().map(|number| number_value(*number)).collect(), (0..numbers.len()).collect())
        }
        Positions::Numbers(numbers) => {
            distinct(numbers.iter(), |number| number.to_bits(), |number| number_value(*number))
        }
        Positions::Times { times, .. } if times.is_sorted_by(|one, next| one.millis < next.millis) => {
            (times.iter().map(|time| Value::from(time.spelled.as_ref())).collect(), (0..times.len()).collect())
        }
        Positions::Times { times, .. } => {
            distinct(times.iter(), |time| time.millis, |time| Value::from(time.spelled.as_ref()))
        }
    }
}

fn distinct<'a, T: 'a, K: std::hash::Hash + Eq>(
    items: impl ExactSizeIterator<Item = &'a T>,
    key: impl Fn(&'a T) -> K,
    value: impl Fn(&'a T) -> Value,
) -> (Vec<Value>, Vec<usize>) {
    let mut seen = FxHashMap::with_capacity_and_hasher(items.len(), Default::default());
    let (mut values, mut of_row) = (Vec::new(), Vec::with_capacity(items.len()));
    for item in items {
        let next = values.len();
        of_row.push(*seen.entry(key(item)).or_insert_with(|| {
            values.push(value(item));
            next
        }));
    }
    (values, of_row)
}

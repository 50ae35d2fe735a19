//! A chart with fewer rows, for an answer that is too small for all of them, and what the caller must know then.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::chart::{Chart, Marks};
use crate::kinds::{Kind, Thinning};

impl Chart {
    /// How many rows its datasets have together.
    pub fn source_rows(&self) -> usize {
        self.sources().map(Vec::len).sum()
    }

    fn sources(&self) -> impl Iterator<Item = &Vec<Value>> {
        let dataset = self.option.get("dataset");
        let datasets = match dataset {
            Some(Value::Array(several)) => several.as_slice(),
            Some(one) => std::slice::from_ref(one),
            None => &[],
        };
        datasets.iter().filter_map(|dataset| dataset.get("source")?.as_array())
    }

    /// The same chart with at most about `most` rows, with a note that says which; `None` where none can be left out.
    #[must_use]
    pub fn thinned(&self, kind: &Kind, most: usize) -> Option<Self> {
        let total = self.source_rows();
        if kind.thinning == Thinning::Never || most < 2 || total < 2 {
            return None;
        }
        let (mut marks, mut kept) = (Vec::new(), 0);
        let mut shorter = |dataset: &Value| {
            let rows = dataset.get("source")?.as_array()?;
            let rows = thin(rows, kind.thinning, (rows.len() * most / total).max(1));
            kept += rows.len();
            let columns = rows.first().and_then(Value::as_array).map_or(0, Vec::len);
            let count = |column: usize| rows.iter().filter(|row| !row[column].is_null()).count();
            marks.extend((1..columns).map(|column| Marks::items(count(column))));
            Some(dataset_with(dataset, rows))
        };
        // What is left out is not copied first: there may be much of it.
        let mut option = Map::new();
        for (name, value) in self.option.as_object()? {
            let value = match (name.as_str(), value) {
                ("dataset", Value::Array(several)) => {
                    Value::Array(several.iter().map(&mut shorter).collect::<Option<_>>()?)
                }
                ("dataset", one) => shorter(one)?,
                (_, other) => other.clone(),
            };
            option.insert(name.clone(), value);
        }
        let notes = self.notes.iter().cloned().chain([note(kind.thinning, kept, total)]).collect();
        Some(Self { option: Value::Object(option), notes, marks })
    }
}

fn dataset_with(dataset: &Value, rows: Vec<Value>) -> Value {
    let others = dataset.as_object().into_iter().flatten().filter(|(name, _)| *name != "source");
    let others = others.map(|(name, value)| (name.clone(), value.clone()));
    Value::Object(others.chain([("source".to_owned(), Value::Array(rows))]).collect())
}

fn note(thinning: Thinning, kept: usize, total: usize) -> String {
    let which = match thinning {
        Thinning::Extremes => "those with the highest and lowest values of each stretch",
        Thinning::Evenly => "evenly chosen",
        Thinning::Beginning | Thinning::Never => "the first ones",
    };
    format!(
        "The option holds {kept} of {total} rows ({which}): all of them do not fit into one answer. Add rows up first, or \
         use `trailmark chart`, which writes them all."
    )
}

fn thin(rows: &[Value], thinning: Thinning, most: usize) -> Vec<Value> {
    if rows.len() <= most {
        return rows.to_vec();
    }
    let keep: BTreeSet<usize> = match thinning {
        Thinning::Extremes => extremes(rows, most),
        Thinning::Evenly => (0..most).map(|at| at * rows.len() / most).collect(),
        Thinning::Beginning | Thinning::Never => (0..most).collect(),
    };
    keep.into_iter().map(|at| rows[at].clone()).collect()
}

/// Both ends, and for each stretch and series its lowest and its highest row.
fn extremes(rows: &[Value], most: usize) -> BTreeSet<usize> {
    let columns = rows[0].as_array().map_or(2, Vec::len).max(2) - 1;
    let stretches = (most.saturating_sub(2) / (2 * columns)).max(1);
    let mut keep = BTreeSet::from([0, rows.len() - 1]);
    for stretch in 0..stretches {
        let range = stretch * rows.len() / stretches..(stretch + 1) * rows.len() / stretches;
        for column in 1..=columns {
            keep.extend(lowest_and_highest(rows, range.clone(), column).into_iter().flatten());
        }
    }
    keep
}

/// The first row with the lowest value, and the last with the highest.
fn lowest_and_highest(rows: &[Value], range: std::ops::Range<usize>, column: usize) -> [Option<usize>; 2] {
    let mut lowest: Option<(usize, f64)> = None;
    let mut highest: Option<(usize, f64)> = None;
    for at in range {
        let Some(number) = rows[at].get(column).and_then(Value::as_f64) else { continue };
        if lowest.is_none_or(|(_, low)| number < low) {
            lowest = Some((at, number));
        }
        if highest.is_none_or(|(_, high)| number >= high) {
            highest = Some((at, number));
        }
    }
    [lowest, highest].map(|found| found.map(|(at, _)| at))
}

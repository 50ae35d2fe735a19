//! A chart with fewer rows, for an answer that is too small for all of them, and what the caller must know then.

use std::collections::BTreeSet;

use serde_json::Value;

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
        let mut chart = self.clone();
        let dataset = chart.option.get_mut("dataset")?;
        let datasets = match dataset {
            Value::Array(several) => several.as_mut_slice(),
            one @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_)) => {
                std::slice::from_mut(one)
            }
        };
        let (mut marks, mut kept) = (Vec::new(), 0);
        for dataset in datasets {
            let rows = dataset.get_mut("source")?.as_array_mut()?;
            let share = (rows.len() * most / total).max(1);
            *rows = thin(std::mem::take(rows), kind.thinning, share);
            kept += rows.len();
            let columns = rows.first().and_then(Value::as_array).map_or(0, Vec::len);
            let count = |column: usize| rows.iter().filter(|row| !row[column].is_null()).count();
            marks.extend((1..columns).map(|column| Marks::items(count(column))));
        }
        chart.marks = marks;
        chart.notes.push(note(kind.thinning, kept, total));
        Some(chart)
    }
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

fn thin(rows: Vec<Value>, thinning: Thinning, most: usize) -> Vec<Value> {
    if rows.len() <= most {
        return rows;
    }
    let keep: BTreeSet<usize> = match thinning {
        Thinning::Extremes => extremes(&rows, most),
        Thinning::Evenly => (0..most).map(|at| at * rows.len() / most).collect(),
        Thinning::Beginning | Thinning::Never => (0..most).collect(),
    };
    rows.into_iter().enumerate().filter(|(at, _)| keep.contains(at)).map(|(_, row)| row).collect()
}

/// Both ends, and for each stretch and series its lowest and its highest row.
fn extremes(rows: &[Value], most: usize) -> BTreeSet<usize> {
    let columns = rows[0].as_array().map_or(2, Vec::len).max(2) - 1;
    let stretches = (most.saturating_sub(2) / (2 * columns)).max(1);
    let mut keep = BTreeSet::from([0, rows.len() - 1]);
    for stretch in 0..stretches {
        let range = stretch * rows.len() / stretches..(stretch + 1) * rows.len() / stretches;
        for column in 1..=columns {
            let number = |at: &usize| rows.get(*at)?.get(column)?.as_f64();
            let held = || range.clone().filter(|at| number(at).is_some());
            let order = |one: &usize, other: &usize| {
                number(one).partial_cmp(&number(other)).unwrap_or(std::cmp::Ordering::Equal)
            };
            keep.extend(held().min_by(order));
            keep.extend(held().max_by(order));
        }
    }
    keep
}

//! What bars and lines share: one table, one aligned axis, one series for each of its columns.

use rustc_hash::FxHashSet;
use serde_json::{Map, Value, json};

use super::{Drawing, dataset};
use crate::chart::Marks;
use crate::columns::{Axis, AxisRules, Fields, Positions};
use crate::error::Invalid;
use crate::look;
use crate::notes::Notes;
use crate::pivot::Pivot;
use crate::request::Request;

/// The table and the axis it stands on.
pub(super) struct Aligned<'a> {
    pub(super) fields: Fields<'a>,
    pub(super) axis: Axis<'a>,
    pub(super) pivot: Pivot,
}

pub(super) fn align<'a>(request: &Request<'a>, rules: AxisRules, notes: &mut Notes) -> Result<Aligned<'a>, Invalid> {
    let fields = Fields::resolve(request.data, &request.mapping, notes)?;
    let axis = Axis::of(fields.rows, &fields.x, rules, notes)?;
    let pivot = Pivot::of(&fields, &axis, notes)?;
    Ok(Aligned { fields, axis, pivot })
}

/// The option, with what `dress` adds to each series.
pub(super) fn draw(
    request: &Request<'_>,
    aligned: &Aligned<'_>,
    pointer: &str,
    mut dress: impl FnMut(usize, &mut Value),
) -> Drawing {
    let Aligned { fields, axis, pivot } = aligned;
    let unit = request.options.unit();
    let several = pivot.series.len() > 1;
    let zoom = look::needs_zoom(axis, pivot.places.len());
    let dimensions = dimensions(&fields.x, &pivot.series);
    let mut option = look::base(request, pivot.series.len());
    let mut top = look::below_title(request);
    if matches!(axis.positions, Positions::Times { utc: true, .. }) {
        option.insert("useUTC".into(), json!(true));
    }
    option.insert("tooltip".into(), json!({"trigger": "axis", "axisPointer": {"type": pointer}, "confine": true}));
    if several {
        let (legend, height) = look::legend(top, &pivot.series);
        option.insert("legend".into(), legend);
        top += height;
    }
    // The name of the axis stands above it.
    option.insert("grid".into(), look::grid(top + 30.0, zoom, false));
    option.insert("dataset".into(), dataset(typed(&dimensions, axis), pivot.source()));
    option.insert("xAxis".into(), look::place_axis(axis, &pivot.places));
    option.insert("yAxis".into(), look::measure_axis(&fields.y, unit));
    if zoom {
        option.insert("dataZoom".into(), look::zoom());
    }
    option.insert("series".into(), series(request, pivot, &dimensions, &mut dress));
    let marks = (0..pivot.series.len()).map(|at| Marks::items(pivot.count(at))).collect();
    Drawing { option: Value::Object(option), marks }
}

fn series(
    request: &Request<'_>,
    pivot: &Pivot,
    dimensions: &[String],
    dress: &mut dyn FnMut(usize, &mut Value),
) -> Value {
    let unit = request.options.unit();
    let several = pivot.series.len() > 1;
    let one = |(at, name): (usize, &String)| {
        let mut series = Map::new();
        series.insert("type".into(), json!(request.kind.name));
        series.insert("name".into(), if several { json!(name) } else { json!(look::with_unit(name, unit)) });
        series.insert("encode".into(), json!({"x": dimensions[0], "y": dimensions[at + 1]}));
        if request.options.stack && several {
            series.insert("stack".into(), json!("total"));
        }
        series.insert("emphasis".into(), json!({"focus": if several { "series" } else { "none" }}));
        let mut series = Value::Object(series);
        dress(at, &mut series);
        series
    };
    pivot.series.iter().enumerate().map(one).collect()
}

/// The name of the place, then those of the series; a name that is taken gets a number.
fn dimensions(place: &str, series: &[String]) -> Vec<String> {
    let mut taken = FxHashSet::default();
    let free = |name: &str| {
        let mut candidates = std::iter::once(name.to_owned()).chain((2..).map(|number| format!("{name} ({number})")));
        let free = candidates.find(|candidate| !taken.contains(candidate)).unwrap_or_default();
        taken.insert(free.clone());
        free
    };
    std::iter::once(place).chain(series.iter().map(String::as_str)).map(free).collect()
}

fn typed(dimensions: &[String], axis: &Axis<'_>) -> Value {
    let place = match axis.positions {
        Positions::Categories(_) => "ordinal",
        Positions::Numbers(_) => "number",
        Positions::Times { .. } => "time",
    };
    let kinds = std::iter::once(place).chain(std::iter::repeat("number"));
    dimensions.iter().zip(kinds).map(|(name, kind)| json!({"name": name, "type": kind})).collect()
}

/// Stacking is for several series.
pub(super) fn note_lonely_stack(request: &Request<'_>, pivot: &Pivot, notes: &mut Notes) {
    if request.options.stack && pivot.series.len() == 1 {
        notes.add("`options.stack` has no effect on a single series; `mapping.seriesField` makes several.");
    }
}

//! Lines: how something goes on along time or numbers.

use serde_json::{Value, json};

use super::{Drawing, Kind, Thinning, cartesian, note_unused};
use crate::columns::AxisRules;
use crate::error::Invalid;
use crate::look::{COLOURS, ZOOM_POINTS};
use crate::notes::Notes;
use crate::pivot::Pivot;
use crate::request::Request;

pub(super) const KIND: Kind =
    Kind { name: "line", summary: "show how values change along time or numbers", build, thinning: Thinning::Extremes };

/// Points on a line from which on they are no longer marked one by one.
const MARKED: usize = 100;

fn build(request: &Request<'_>, notes: &mut Notes) -> Result<Drawing, Invalid> {
    let aligned = cartesian::align(request, AxisRules::YearsAreCategories, notes)?;
    note_unused(request, true, true, notes);
    let pivot = &aligned.pivot;
    cartesian::note_lonely_stack(request, pivot, notes);
    let stacked = request.options.stack && pivot.series.len() > 1;
    let smooth = request.options.smooth;
    Ok(cartesian::draw(request, &aligned, "line", |at, series| {
        dress(series, pivot, at);
        if smooth {
            series["smooth"] = json!(true);
            series["smoothMonotone"] = json!("x");
        }
        if stacked {
            series["areaStyle"] = json!({"opacity": 0.5});
        }
    }))
}

fn dress(series: &mut Value, pivot: &Pivot, at: usize) {
    let long = pivot.places.len() > MARKED;
    // A point between two gaps has no line that would show it.
    series["showSymbol"] = json!(!long || has_lonely_point(pivot, at));
    series["symbolSize"] = json!(if long { 4 } else { 6 });
    series["lineStyle"] = json!({"width": 2, "type": dashes(at)});
    if pivot.places.len() > ZOOM_POINTS {
        series["sampling"] = json!("lttb");
    }
}

/// When colours begin to repeat, dashes tell lines apart.
fn dashes(at: usize) -> &'static str {
    ["solid", "dashed", "dotted"][(at / COLOURS) % 3]
}

fn has_lonely_point(pivot: &Pivot, at: usize) -> bool {
    let mut before = [None, None];
    for value in pivot.column(at).chain([None]) {
        if let [None, Some(_)] = before
            && value.is_none()
        {
            return true;
        }
        before = [before[1], value];
    }
    false
}

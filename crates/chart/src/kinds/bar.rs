//! Bars: amounts side by side, or on top of each other.

use serde_json::{Value, json};

use super::{Drawing, Kind, Thinning, cartesian, note_unused};
use crate::columns::AxisRules;
use crate::error::Invalid;
use crate::notes::Notes;
use crate::request::Request;

pub(super) const KIND: Kind =
    Kind { name: "bar", summary: "compare amounts by category or time", build, thinning: Thinning::Beginning };

/// From here on ECharts draws all bars of a series in one stroke.
const LARGE: usize = 1_000;
const WIDEST: u32 = 60;

fn build(request: &Request<'_>, notes: &mut Notes) -> Result<Drawing, Invalid> {
    let aligned = cartesian::align(request, AxisRules::NumbersAreCategories, notes)?;
    note_unused(request, true, false, notes);
    cartesian::note_lonely_stack(request, &aligned.pivot, notes);
    let many = aligned.pivot.places.len() > LARGE;
    Ok(cartesian::draw(request, &aligned, "shadow", |_, series| dress(series, many)))
}

fn dress(series: &mut Value, many: bool) {
    series["barMaxWidth"] = json!(WIDEST);
    if many {
        series["large"] = json!(true);
        series["largeThreshold"] = json!(LARGE);
    }
}

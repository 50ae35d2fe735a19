//! Scatters: how two measures go together, point by point.

use serde_json::{Value, json};

use super::{Drawing, Kind, Thinning, dataset, note_unused, number_value};
use crate::chart::Marks;
use crate::columns::{Axis, AxisRules, Fields, Positions, numbers};
use crate::error::{Invalid, quoted};
use crate::look;
use crate::notes::{Notes, counted};
use crate::pivot::series;
use crate::request::Request;

pub(super) const KIND: Kind =
    Kind { name: "scatter", summary: "show how two measures go together", build, thinning: Thinning::Evenly };

/// From here on ECharts draws all points of a series in one stroke.
const LARGE: usize = 2_000;

fn build(request: &Request<'_>, notes: &mut Notes) -> Result<Drawing, Invalid> {
    note_unused(request, false, false, notes);
    let fields = Fields::resolve(request.data, &request.mapping, notes)?;
    let axis = Axis::of(fields.rows, &fields.x, AxisRules::NumbersArePositions, notes)?;
    let values = numbers(fields.rows, &fields.y, notes)?;
    let (names, series_of_row) = series(&fields, notes)?;
    let mut points: Vec<Vec<Value>> = vec![Vec::new(); names.len()];
    let mut gaps = 0;
    for (row, value) in values.iter().enumerate() {
        match value {
            Some(value) => {
                points[series_of_row[row]].push(Value::Array(vec![place(&axis, row), number_value(*value)]));
            }
            None => gaps += 1,
        }
    }
    if gaps > 0 {
        notes.add(format!("{} is empty in {}, which cannot be drawn.", quoted(&fields.y), counted(gaps, "row")));
    }
    Ok(draw(request, &fields, &axis, names, points))
}

fn place(axis: &Axis<'_>, row: usize) -> Value {
    match &axis.positions {
        Positions::Categories(names) => Value::from(names[row].as_ref()),
        Positions::Numbers(numbers) => number_value(numbers[row]),
        Positions::Times { times, .. } => Value::from(times[row].spelled.as_ref()),
    }
}

fn draw(
    request: &Request<'_>,
    fields: &Fields<'_>,
    axis: &Axis<'_>,
    names: Vec<String>,
    points: Vec<Vec<Value>>,
) -> Drawing {
    let unit = request.options.unit();
    let several = names.len() > 1;
    let count: usize = points.iter().map(Vec::len).sum();
    let zoom = count > look::ZOOM_POINTS;
    let mut option = look::base(request, names.len());
    let mut top = look::below_title(request);
    if matches!(axis.positions, Positions::Times { utc: true, .. }) {
        option.insert("useUTC".into(), json!(true));
    }
    option.insert("tooltip".into(), json!({"trigger": "item", "confine": true}));
    if several {
        let (legend, height) = look::legend(top, &names);
        option.insert("legend".into(), legend);
        top += height;
    }
    option.insert("grid".into(), look::grid(top + 30.0, zoom, true));
    let mut x_axis = look::place_axis(axis, &places(axis, &points));
    x_axis["name"] = json!(fields.x);
    x_axis["nameLocation"] = json!("middle");
    x_axis["nameGap"] = json!(28);
    let y_name = if fields.y == fields.x { format!("{} (2)", fields.y) } else { fields.y.clone() };
    let dimensions = json!([{"name": fields.x, "type": dimension(axis)}, {"name": y_name, "type": "number"}]);
    option.insert("xAxis".into(), x_axis);
    let mut y_axis = look::measure_axis(&fields.y, unit);
    y_axis["scale"] = json!(true);
    option.insert("yAxis".into(), y_axis);
    if zoom {
        option.insert("dataZoom".into(), look::zoom());
    }
    let marks = points.iter().map(|points| Marks::items(points.len())).collect();
    let one = |(at, name): (usize, &String)| {
        let name = if several { name.clone() } else { look::with_unit(name, unit) };
        let mut series = json!({
            "type": "scatter", "name": name, "datasetIndex": at, "encode": {"x": fields.x, "y": y_name},
            "symbolSize": if count > look::ZOOM_POINTS { 4 } else { 9 }, "symbol": symbol(at),
            "itemStyle": {"opacity": 0.75},
        });
        if points[at].len() > LARGE {
            series["large"] = json!(true);
            series["largeThreshold"] = json!(LARGE);
        }
        series
    };
    let series: Value = names.iter().enumerate().map(one).collect();
    let datasets = points.into_iter().map(|source| dataset(dimensions.clone(), source));
    option.insert("dataset".into(), datasets.collect());
    option.insert("series".into(), series);
    Drawing { option: Value::Object(option), marks }
}

/// The different places, for the room their labels need.
fn places(axis: &Axis<'_>, points: &[Vec<Value>]) -> Vec<Value> {
    let Positions::Categories(_) = axis.positions else { return Vec::new() };
    let mut places: Vec<Value> = Vec::new();
    for point in points.iter().flatten() {
        if places.len() <= look::ZOOM_POINTS && !places.contains(&point[0]) {
            places.push(point[0].clone());
        }
    }
    places
}

fn dimension(axis: &Axis<'_>) -> &'static str {
    match axis.positions {
        Positions::Categories(_) => "ordinal",
        Positions::Numbers(_) => "number",
        Positions::Times { .. } => "time",
    }
}

/// Shapes tell series apart where colours do not.
fn symbol(at: usize) -> &'static str {
    ["circle", "triangle", "rect", "diamond"][at % 4]
}

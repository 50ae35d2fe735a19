//! Pies: parts of a whole, the largest first, the small ones together.

use serde_json::{Value, json};

use super::{Drawing, Kind, Thinning, note_unused, number_value};
use crate::chart::Marks;
use crate::columns::{Axis, AxisRules, Fields};
use crate::error::{Invalid, quoted};
use crate::look;
use crate::notes::Notes;
use crate::pivot::Pivot;
use crate::request::Request;

pub(super) const KIND: Kind =
    Kind { name: "pie", summary: "show the parts of a whole", build, thinning: Thinning::Never };

/// Slices beside "other".
const MOST_SLICES: usize = 9;

fn build(request: &Request<'_>, notes: &mut Notes) -> Result<Drawing, Invalid> {
    note_unused(request, false, false, notes);
    let mut mapping = request.mapping.clone();
    if let Some(series) = mapping.series.take() {
        let used = if mapping.x.is_none() { "it names the slices" } else { "it has no effect" };
        notes.add(format!("A pie has one series: `mapping.seriesField` is {}, and {used}.", quoted(&series)));
        mapping.x.get_or_insert(series);
    }
    let fields = Fields::resolve(request.data, &mapping, notes)?;
    let slices = slices(&fields, notes)?;
    let slices = together(slices, notes);
    Ok(draw(request, &fields, &slices))
}

/// One slice for each name, the largest first.
fn slices(fields: &Fields<'_>, notes: &mut Notes) -> Result<Vec<(String, f64)>, Invalid> {
    let values = crate::columns::numbers(fields.rows, &fields.y, &mut Notes::default())?;
    if let Some(row) = values.iter().position(|value| value.is_some_and(|value| value < 0.0)) {
        return Err(Invalid::cell(row, &fields.y, "must not be below 0: a pie cannot show a negative part"));
    }
    let axis = Axis::of(fields.rows, &fields.x, AxisRules::NumbersAreCategories, notes)?;
    let pivot = Pivot::of(fields, &axis, notes)?;
    let name = |place: &Value| place.as_str().map_or_else(|| place.to_string(), str::to_owned);
    let named = pivot.places.iter().map(name).zip(pivot.column(0));
    let mut slices: Vec<(String, f64)> = named.filter_map(|(name, value)| Some((name, value?))).collect();
    if slices.iter().all(|(_, value)| *value == 0.0) {
        return Err(Invalid::new("data", format!("has no number above 0 in the field {}", quoted(&fields.y))));
    }
    if !slices.is_sorted_by(|one, other| one.1 >= other.1) {
        notes.add("The slices were put in order, the largest first.");
        slices.sort_by(|one, other| other.1.total_cmp(&one.1));
    }
    Ok(slices)
}

/// The small slices become one, if there are too many to tell apart.
fn together(mut slices: Vec<(String, f64)>, notes: &mut Notes) -> Vec<(String, f64)> {
    if slices.len() <= MOST_SLICES + 1 {
        return slices;
    }
    let small = slices.split_off(MOST_SLICES);
    let chinese = small.iter().chain(&slices).any(|(name, _)| name.chars().any(is_chinese));
    let word = if chinese { "其他" } else { "other" };
    let taken = slices.iter().any(|(name, _)| name == word);
    let name = if taken { format!("{word} ({})", small.len()) } else { word.to_owned() };
    let sum: f64 = small.iter().map(|(_, value)| value).sum();
    notes.add(format!(
        "The {MOST_SLICES} largest slices are shown; the other {} are together in {} ({} in all).",
        small.len(),
        quoted(&name),
        number_value(sum),
    ));
    slices.push((name, sum));
    slices
}

fn is_chinese(c: char) -> bool {
    matches!(c, '\u{4e00}'..='\u{9fff}' | '\u{3400}'..='\u{4dbf}')
}

fn draw(request: &Request<'_>, fields: &Fields<'_>, slices: &[(String, f64)]) -> Drawing {
    let unit = request.options.unit();
    let mut option = look::base(request, slices.len());
    let top = look::below_title(request);
    option.insert("tooltip".into(), json!({"trigger": "item", "confine": true}));
    let names: Vec<String> = slices.iter().map(|(name, _)| name.clone()).collect();
    let (legend, height) = look::legend(top, &names);
    option.insert("legend".into(), legend);
    let value_name = if fields.y == fields.x { format!("{} (2)", fields.y) } else { fields.y.clone() };
    let source: Value = slices.iter().map(|(name, value)| json!([name, number_value(*value)])).collect();
    let dimensions = json!([{"name": fields.x, "type": "ordinal"}, {"name": value_name, "type": "number"}]);
    option.insert("dataset".into(), json!({"dimensions": dimensions, "source": source}));
    let mut label = json!({"color": "#333333", "width": 150, "overflow": "truncate"});
    if let Some(template) = label_template(slices, unit) {
        label["formatter"] = json!(template);
    }
    option.insert(
        "series".into(),
        json!([{
            "type": "pie", "name": look::with_unit(&fields.y, unit),
            "encode": {"itemName": fields.x, "value": value_name, "tooltip": value_name},
            "top": top + height, "bottom": 10, "radius": "70%", "center": ["50%", "50%"],
            "startAngle": 90, "avoidLabelOverlap": true, "minShowLabelAngle": 0,
            "label": label, "itemStyle": {"borderColor": "#ffffff", "borderWidth": 1},
        }]),
    );
    Drawing { option: Value::Object(option), marks: vec![Marks::items(slices.len())] }
}

/// Name, amount and share; nothing where a name would be taken for part of the template.
fn label_template(slices: &[(String, f64)], unit: Option<&str>) -> Option<String> {
    let harmless =
        |name: &String| !name.contains('{') && !["$$", "$&", "$`", "$'"].iter().any(|sign| name.contains(sign));
    if !slices.iter().all(|(name, _)| harmless(name)) {
        return None;
    }
    let unit = unit.map(|unit| format!(" {unit}")).unwrap_or_default();
    Some(format!("{{b}}: {{@[1]}}{unit} ({{d}}%)"))
}

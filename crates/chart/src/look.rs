//! How every chart looks: colours that everybody can tell apart, room for title, legend and labels, zoom for long data.

use serde_json::{Map, Value, json};

use crate::columns::{Axis, Positions};
use crate::request::Request;

/// Colours that people with any kind of colour vision can tell apart (Okabe and Ito), darkest contrasts first.
const PALETTE: [&str; 8] = ["#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#000000", "#F0E442"];
const INK: &str = "#333333";
const FAINT: &str = "#e3e3e3";
/// From here on colours repeat, and patterns tell series apart.
pub(crate) const COLOURS: usize = PALETTE.len();

/// Places on a category axis from which on one can zoom, and points on any other.
const ZOOM_CATEGORIES: usize = 30;
pub(crate) const ZOOM_POINTS: usize = 500;

/// The width that labels are fitted to: a chart in a page or an answer is about that wide.
const WIDTH: f64 = 700.0;
/// Bold letters are wider than ECharts guesses.
const TITLE_WIDTH: f64 = 580.0;
const TITLE_SIZE: f64 = 16.0;
const LABEL_SIZE: f64 = 12.0;

/// A legend's lines, and what stands in them: a sign, a text that is cut if it is long, and room before the next one.
const LEGEND_WIDTH: f64 = WIDTH * 0.9;
const LEGEND_LINES: u32 = 3;
const LEGEND_LINE: f64 = 30.0;
const LEGEND_SIGN: f64 = 32.0;
const LEGEND_TEXT: f64 = 180.0;
const LEGEND_GAP: f64 = 16.0;

/// The parts of an option that every kind has.
pub(crate) fn base(request: &Request<'_>, names: usize) -> Map<String, Value> {
    let mut option = Map::new();
    option.insert("color".into(), json!(PALETTE));
    option.insert("backgroundColor".into(), json!("#ffffff"));
    option.insert("textStyle".into(), json!({"fontFamily": "sans-serif", "color": INK}));
    let patterns = names > COLOURS;
    option.insert("aria".into(), json!({"enabled": true, "decal": {"show": patterns}}));
    if let Some(title) = title(request) {
        option.insert("title".into(), title_value(title));
    }
    option
}

fn title<'a>(request: &Request<'a>) -> Option<&'a str> {
    request.title.map(str::trim).filter(|title| !title.is_empty())
}

fn title_value(title: &str) -> Value {
    json!({
        "text": title, "left": "center", "top": 10,
        "textStyle": {"fontSize": TITLE_SIZE, "color": INK, "width": TITLE_WIDTH, "overflow": "break"},
    })
}

/// Where what is below the title begins, in pixels.
pub(crate) fn below_title(request: &Request<'_>) -> f64 {
    let Some(title) = title(request) else { return 10.0 };
    let lines: f64 = title.lines().map(|line| (text_width(line, TITLE_SIZE * 1.1) / TITLE_WIDTH).ceil().max(1.0)).sum();
    10.0 + lines * TITLE_SIZE * 1.4 + 8.0
}

/// What the colours mean, and how high that is, in pixels. Names stand on a few lines, so that a picture shows them all; only where
/// there are very many one must turn pages.
pub(crate) fn legend(top: f64, names: &[String]) -> (Value, f64) {
    let mut legend = json!({
        "top": top, "left": "center", "width": "90%",
        "textStyle": {"color": INK, "width": LEGEND_TEXT, "overflow": "truncate"}, "itemGap": LEGEND_GAP,
    });
    let mut lines = 1;
    let mut filled = 0.0;
    for name in names {
        let width = LEGEND_SIGN + text_width(name, LABEL_SIZE).min(LEGEND_TEXT) + LEGEND_GAP;
        if filled > 0.0 && filled + width > LEGEND_WIDTH {
            lines += 1;
            filled = 0.0;
        }
        filled += width;
    }
    if lines > LEGEND_LINES {
        legend["type"] = json!("scroll");
        lines = 1;
    }
    (legend, f64::from(lines) * LEGEND_LINE)
}

/// Room around the axes; the labels count as part of it, the name below them does not.
pub(crate) fn grid(top: f64, zoom: bool, named: bool) -> Value {
    let bottom = if zoom { 60.0 } else { 20.0 } + if named { 22.0 } else { 0.0 };
    json!({
        "left": 20, "right": 30, "top": top, "bottom": bottom,
        "outerBoundsMode": "same", "outerBoundsContain": "axisLabel",
    })
}

/// The axis along which places are.
pub(crate) fn place_axis(axis: &Axis<'_>, places: &[Value]) -> Value {
    let mut value = json!({
        "type": axis_type(axis),
        "axisLine": {"lineStyle": {"color": INK}},
        "axisLabel": {"color": INK, "hideOverlap": true},
        "splitLine": {"show": false},
    });
    match axis.positions {
        Positions::Categories(_) => fit_labels(&mut value, places),
        Positions::Numbers(_) => value["scale"] = json!(true),
        // As ECharts writes them, days are numbers that do not say their month.
        Positions::Times { .. } => {
            value["axisLabel"]["formatter"] = json!({
                "year": "{yyyy}", "month": "{yyyy}-{MM}", "day": "{MM}-{dd}", "hour": "{HH}:{mm}", "minute": "{HH}:{mm}",
                "second": "{HH}:{mm}:{ss}", "millisecond": "{HH}:{mm}:{ss}.{SSS}",
            });
        }
    }
    value
}

pub(crate) fn axis_type(axis: &Axis<'_>) -> &'static str {
    match axis.positions {
        Positions::Categories(_) => "category",
        Positions::Numbers(_) => "value",
        Positions::Times { .. } => "time",
    }
}

/// Labels that would run into each other are turned, and long ones are cut; with few places every one is labelled.
fn fit_labels(axis: &mut Value, places: &[Value]) {
    if places.is_empty() {
        return;
    }
    let widths =
        || places.iter().take(ZOOM_CATEGORIES).filter_map(Value::as_str).map(|text| text_width(text, LABEL_SIZE));
    let widest = widths().fold(0.0, f64::max);
    #[expect(clippy::cast_precision_loss, reason = "counts of labels are small")]
    let room = WIDTH / places.len() as f64;
    let label = &mut axis["axisLabel"];
    if places.len() <= ZOOM_CATEGORIES {
        label["interval"] = json!(0);
        label["hideOverlap"] = json!(false);
        if widest + 8.0 > room {
            label["rotate"] = json!(if room < 24.0 { 90 } else { 40 });
        }
    }
    if widest > 140.0 {
        label["width"] = json!(140);
        label["overflow"] = json!("truncate");
    }
}

/// The axis that numbers are measured on, with the unit on its labels.
pub(crate) fn measure_axis(name: &str, unit: Option<&str>) -> Value {
    let mut axis = json!({
        "type": "value", "name": with_unit(name, unit), "nameLocation": "end",
        "nameTextStyle": {"color": INK, "align": "left"},
        "axisLabel": {"color": INK},
        "splitLine": {"lineStyle": {"color": FAINT}},
    });
    if let Some(unit) = unit {
        axis["axisLabel"]["formatter"] = json!(format!("{{value}} {unit}"));
    }
    axis
}

pub(crate) fn with_unit(name: &str, unit: Option<&str>) -> String {
    unit.map_or_else(|| name.to_owned(), |unit| format!("{name} ({unit})"))
}

/// Whether there is more on an axis than one sees at a glance.
pub(crate) fn needs_zoom(axis: &Axis<'_>, places: usize) -> bool {
    match axis.positions {
        Positions::Categories(_) => places > ZOOM_CATEGORIES,
        Positions::Numbers(_) | Positions::Times { .. } => places > ZOOM_POINTS,
    }
}

/// By wheel and by a slider; at first everything is in view.
pub(crate) fn zoom() -> Value {
    json!([
        {"type": "inside", "filterMode": "none"},
        {"type": "slider", "filterMode": "none", "height": 22, "bottom": 14},
    ])
}

/// About how wide a text is, as ECharts guesses it without a screen.
pub(crate) fn text_width(text: &str, size: f64) -> f64 {
    text.chars().map(|c| if c.is_ascii() { size * 0.55 } else { size }).sum()
}

/// A text that stands where ECharts expects a template, unharmed by it.
pub(crate) fn as_template(text: &str) -> String {
    text.replace('{', "{\u{2060}")
}

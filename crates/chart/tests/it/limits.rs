//! What a picture may cost, what ECharts may not do, and how a long chart is made shorter.

use std::time::Duration;

use chart::{Chart, Limits, Marks, PaintError, Painter, Size};
use serde_json::json;

use crate::cases::cases;

fn chart(option: serde_json::Value, items: usize) -> Chart {
    Chart { option, notes: Vec::new(), marks: vec![Marks { items, links: 0 }] }
}

fn bars(values: serde_json::Value, items: usize) -> Chart {
    let names: Vec<String> = (0..values.as_array().unwrap().len()).map(|at| format!("k{at}")).collect();
    let option =
        json!({"xAxis": {"type": "category", "data": names}, "yAxis": {}, "series": [{"type": "bar", "data": values}]});
    chart(option, items)
}

#[test]
fn what_echarts_cannot_draw_is_refused_and_the_next_picture_is_drawn() {
    if !crate::pictures::can_draw() {
        return;
    }
    let painter = Painter::new(Limits { time: Duration::from_secs(60), ..Limits::default() }, Vec::new());
    let draw = |chart: &Chart| painter.draw(chart, Size::default(), || false).map(|picture| picture.marks);
    assert_eq!(draw(&bars(json!([1, 2, 3]), 3)), Ok(3));
    for (what, chart) in [
        ("throws", chart(json!({"series": [{"type": "bar", "data": [1]}]}), 1)),
        ("warns", chart(json!({"series": [{"type": "barr", "data": [1]}]}), 1)),
        ("fewer marks", bars(json!([1, "n/a", 3]), 3)),
        ("a negative slice", chart(json!({"series": [{"type": "pie", "data": [1, -1]}]}), 2)),
        ("one node twice", chart(json!({"series": [{"type": "graph", "data": [{"id": "a"}, {"id": "a"}]}]}), 2)),
    ] {
        assert!(matches!(draw(&chart), Err(PaintError::Rejected { .. })), "{what}: {:?}", draw(&chart));
        let checked = painter.check(&chart, || false);
        assert!(matches!(checked, Err(PaintError::Rejected { .. })), "{what} without a picture: {checked:?}");
    }
    assert_eq!(draw(&bars(json!([1, 2]), 2)), Ok(2));
}

#[test]
fn a_picture_that_takes_too_long_or_too_much_is_given_up() {
    if !crate::pictures::can_draw() {
        return;
    }
    let many = bars((0..200_000).map(|at| json!(at % 7)).collect(), 200_000);
    let hasty = Painter::new(Limits { time: Duration::from_millis(1), ..Limits::default() }, Vec::new());
    let limit = Duration::from_millis(1);
    assert_eq!(hasty.draw(&many, Size::default(), || false), Err(PaintError::TooSlow { limit }));
    let narrow = Painter::new(Limits { time: Duration::from_secs(60), memory_bytes: 24 << 20 }, Vec::new());
    assert_eq!(narrow.draw(&many, Size::default(), || false), Err(PaintError::TooLarge { megabytes: 24 }));
    assert_eq!(narrow.draw(&many, Size::default(), || true), Err(PaintError::Stopped));
}

#[test]
fn a_long_chart_is_made_shorter_and_says_so() {
    let case = cases("line").into_iter().find(|case| case.name.starts_with("five thousand")).unwrap();
    let chart = case.generate().unwrap();
    let short = chart.thinned(chart::kind("line").unwrap(), 1_000).unwrap();
    let kept = short.source_rows();
    assert!((500..=1_000).contains(&kept), "{kept}");
    assert_eq!(short.mark_count(), kept);
    assert!(short.notes[0].starts_with(&format!("The option holds {kept} of 5000 rows (those with the highest")));
    let highest = |chart: &Chart| {
        let rows = chart.option["dataset"]["source"].as_array().unwrap();
        rows.iter().map(|row| row[1].as_i64().unwrap()).max()
    };
    assert_eq!(highest(&short), highest(&chart));
    let graph = cases("graph").remove(0).generate().unwrap();
    assert_eq!(graph.thinned(chart::kind("graph").unwrap(), 2), None);
}

//! How long charts take: `cargo xtask bench charts`. Times are medians; the first picture includes loading ECharts.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark talks to its user and ends at the first surprise"
)]

use std::time::{Duration, Instant};

use chart::{Chart, Data, Limits, Mapping, Options, Painter, Request, Row, Size};
use serde_json::Value;

fn main() {
    for (kind, count) in [("bar", 100), ("line", 100), ("line", 100_000), ("scatter", 100_000)] {
        let rows = rows(count, kind);
        let took = median(if count > 1_000 { 9 } else { 201 }, || drop(made(kind, &rows)));
        println!("option of a {kind} chart, {count} rows: {:.3} ms", milliseconds(took));
    }
    if !chart::is_embedded() {
        println!("no pictures: run `cargo xtask web` and build again");
        return;
    }
    let painter = Painter::new(Limits { time: Duration::from_secs(120), ..Limits::default() }, Vec::new());
    let draw = |chart: &Chart| painter.draw(chart, Size::default(), || false).unwrap();
    let bars = made("bar", &rows(100, "bar"));
    let began = Instant::now();
    draw(&bars);
    println!("the first picture: {:.0} ms", milliseconds(began.elapsed()));
    println!("then 100 bars: {:.1} ms", milliseconds(median(21, || drop(draw(&bars)))));
    for (kind, count) in [("line", 10_000), ("line", 100_000), ("scatter", 10_000)] {
        let chart = made(kind, &rows(count, kind));
        println!("then a {kind} chart of {count} rows: {:.0} ms", milliseconds(median(3, || drop(draw(&chart)))));
    }
    let picture = draw(&bars);
    painter.png(&picture, 2.0).unwrap();
    println!("its PNG, 1600×1000: {:.1} ms", milliseconds(median(9, || drop(painter.png(&picture, 2.0).unwrap()))));
}

fn rows(count: usize, kind: &str) -> Vec<Row> {
    let place = |at: usize| if kind == "bar" { Value::from(format!("place {at}")) } else { Value::from(at) };
    let row = |at: usize| [("x".to_owned(), place(at)), ("y".to_owned(), Value::from(at * 7_919 % 1_009))];
    (0..count).map(|at| Row::from_iter(row(at))).collect()
}

fn made(kind: &str, rows: &[Row]) -> Chart {
    let kind = chart::kind(kind).unwrap();
    let (mapping, options) = (Mapping::default(), Options::default());
    chart::generate(&Request { kind, title: Some("Speed"), data: Data::Rows(rows), mapping, options }).unwrap()
}

fn median(times: usize, mut work: impl FnMut()) -> Duration {
    let mut took: Vec<Duration> = (0..times)
        .map(|_| {
            let began = Instant::now();
            work();
            began.elapsed()
        })
        .collect();
    took.sort();
    took[times / 2]
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1_000.0
}

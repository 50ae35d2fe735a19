//! How long charts take, for `cargo xtask bench charts`: one line of JSON for each figure, the processor time of the whole process and
//! the time on the clock in milliseconds. Both are medians; the first picture includes loading ECharts.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark talks to its user and ends at the first surprise"
)]

use std::time::{Duration, Instant};

use chart::{Chart, Data, Limits, Mapping, Options, Painter, Request, Row, Size};
use serde_json::{Value, json};

fn main() {
    for (kind, count) in [("bar", 100), ("line", 100), ("line", 100_000), ("scatter", 100_000)] {
        let rows = rows(count, kind);
        let times = if count > 1_000 { 9 } else { 201 };
        say("option", kind, count, median(times, || drop(made(kind, &rows))));
    }
    if !chart::is_embedded() {
        return;
    }
    let painter = Painter::new(Limits { time: Duration::from_secs(120), ..Limits::default() }, Vec::new());
    let draw = |chart: &Chart| painter.draw(chart, Size::default(), || false).unwrap();
    let bars = made("bar", &rows(100, "bar"));
    say("first picture", "bar", 100, median(1, || drop(draw(&bars))));
    say("picture", "bar", 100, median(21, || drop(draw(&bars))));
    for (kind, count) in [("line", 10_000), ("line", 100_000), ("scatter", 10_000)] {
        let chart = made(kind, &rows(count, kind));
        say("picture", kind, count, median(3, || drop(draw(&chart))));
    }
    let check = |chart: &Chart| painter.check(chart, || false).unwrap();
    for (kind, count) in [("bar", 100), ("line", 100), ("line", 2_000), ("scatter", 2_000)] {
        let chart = made(kind, &rows(count, kind));
        say("check", kind, count, median(11, || check(&chart)));
    }
    let picture = draw(&bars);
    painter.png(&picture, 2.0).unwrap();
    say("png", "bar", 100, median(9, || drop(painter.png(&picture, 2.0).unwrap())));
}

fn say(figure: &str, kind: &str, rows: usize, (processor, clock): (Duration, Duration)) {
    let milliseconds = |duration: Duration| duration.as_secs_f64() * 1_000.0;
    let line = json!({
        "figure": figure, "kind": kind, "rows": rows, "processor": milliseconds(processor), "clock": milliseconds(clock),
    });
    println!("{line}");
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

/// Processor time and time on the clock, each the median of its own.
fn median(times: usize, mut work: impl FnMut()) -> (Duration, Duration) {
    let (mut processor, mut clock): (Vec<Duration>, Vec<Duration>) = (0..times)
        .map(|_| {
            let (began, spent) = (Instant::now(), processor_time());
            work();
            (processor_time().saturating_sub(spent), began.elapsed())
        })
        .unzip();
    processor.sort();
    clock.sort();
    (processor[times / 2], clock[times / 2])
}

/// Of every thread of this process.
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.cast_unsigned(), u32::try_from(time.tv_nsec).unwrap_or_default())
}

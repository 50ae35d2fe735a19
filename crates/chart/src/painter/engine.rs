//! ECharts in QuickJS: loaded once, bounded in time and memory, asked for the picture and for what is in it.

use std::rc::Rc;

use rquickjs::{Context, Ctx, Function, Object, Runtime};
use serde::Deserialize;

use super::{Limits, PaintError, Picture, Until, Wanted, rejected, script};
use crate::chart::{Chart, Marks};

/// Draws an option and counts what was drawn.
const DRAW: &str = include_str!("draw.js");
const STACK: usize = 2 << 20;
/// ECharts itself takes about a third of this; looking through all of it for what can go takes longer than a small chart.
const COLLECTED_FROM: usize = 48 << 20;
/// After a longer option than this, what it left behind goes at once.
const LONG_OPTION: usize = 100_000;
/// The longest complaint that is passed on, in characters.
const LONGEST_COMPLAINT: usize = 300;

pub(super) struct Engine {
    context: Context,
    runtime: Runtime,
}

pub(super) enum Failure {
    Interrupted,
    OutOfMemory,
    Threw(String),
}

/// What ECharts made of an option.
#[derive(Debug)]
pub(super) struct Drawn {
    svg: String,
    report: Report,
}

#[derive(Debug, Deserialize)]
struct Report {
    complaints: Vec<String>,
    series: Vec<Counted>,
}

/// One series as ECharts holds and draws it.
#[derive(Debug, Deserialize)]
struct Counted {
    kind: String,
    /// Items that have a value.
    held: usize,
    /// Items that are in the picture.
    drawn: usize,
    /// Whether ECharts itself draws fewer points than it holds.
    sampled: bool,
    links: usize,
}

impl Engine {
    pub(super) fn load(limits: Limits, until: &Rc<Until>) -> Result<Self, Failure> {
        let runtime = Runtime::new().map_err(|error| Failure::Threw(error.to_string()))?;
        runtime.set_memory_limit(limits.memory_bytes);
        runtime.set_max_stack_size(STACK);
        runtime.set_gc_threshold(COLLECTED_FROM);
        let context = Context::full(&runtime).map_err(|error| Failure::Threw(error.to_string()))?;
        let engine = Self { context, runtime };
        let script = script().map_err(|error| Failure::Threw(error.to_string()))?;
        engine.guarded(until, |ctx| {
            ctx.eval::<(), _>(DRAW)?;
            ctx.eval::<(), _>(script)
        })?;
        Ok(engine)
    }

    pub(super) fn draw(&self, wanted: &Wanted, until: &Rc<Until>) -> Result<Drawn, Failure> {
        let Wanted { option, size, picture } = wanted;
        let (svg, report) = self.guarded(until, |ctx| {
            let draw: Function<'_> = ctx.globals().get("drawChart")?;
            let drawn: Object<'_> = draw.call((option.as_str(), size.width, size.height, *picture))?;
            Ok((drawn.get::<_, String>("svg")?, drawn.get::<_, String>("report")?))
        })?;
        if option.len() > LONG_OPTION {
            self.runtime.run_gc();
        }
        let report = serde_json::from_str(&report).map_err(|error| Failure::Threw(error.to_string()))?;
        Ok(Drawn { svg, report })
    }

    fn guarded<T>(&self, until: &Rc<Until>, work: impl FnOnce(&Ctx<'_>) -> rquickjs::Result<T>) -> Result<T, Failure> {
        let watched = until.clone();
        self.runtime.set_interrupt_handler(Some(Box::new(move || watched.has_come())));
        let ended = self.context.with(|ctx| work(&ctx).map_err(|error| failure(&ctx, &error)));
        self.runtime.set_interrupt_handler(None);
        ended.map_err(|failure| if until.has_come() { Failure::Interrupted } else { failure })
    }
}

fn failure(ctx: &Ctx<'_>, error: &rquickjs::Error) -> Failure {
    if !matches!(error, rquickjs::Error::Exception) {
        return if matches!(error, rquickjs::Error::Allocation) {
            Failure::OutOfMemory
        } else {
            Failure::Threw(error.to_string())
        };
    }
    let thrown = ctx.catch();
    let message = thrown.as_exception().and_then(rquickjs::Exception::message);
    match message.or_else(|| thrown.as_string().and_then(|text| text.to_string().ok())) {
        Some(message) if message.contains("out of memory") => Failure::OutOfMemory,
        Some(message) => Failure::Threw(shortened(&message)),
        // There was no memory left to make the exception of.
        None if thrown.is_null() => Failure::OutOfMemory,
        None => Failure::Threw("it threw something that is no error".to_owned()),
    }
}

impl Drawn {
    /// The picture, if ECharts complained about nothing and drew a mark for each row.
    pub(super) fn check(self, chart: &Chart) -> Result<Picture, PaintError> {
        let Self { svg, report } = self;
        if let Some(complaint) = report.complaints.first() {
            return Err(rejected(format!("it says {:?}", shortened(complaint))));
        }
        if report.series.len() != chart.marks.len() {
            return Err(rejected(format!("it knows {} series of {}", report.series.len(), chart.marks.len())));
        }
        for (at, (counted, expected)) in report.series.iter().zip(&chart.marks).enumerate() {
            counted.check(at, *expected)?;
        }
        let marks = report.series.iter().map(|counted| counted.drawn + counted.links).sum();
        Ok(Picture { svg, marks })
    }
}

impl Counted {
    fn check(&self, at: usize, expected: Marks) -> Result<(), PaintError> {
        let Self { kind, held, drawn, sampled, links } = self;
        // A long line shows fewer points than it has, on purpose; it must hold them all.
        let items = if *sampled && *drawn > 0 { *held } else { *drawn };
        if items != expected.items || *links != expected.links {
            return Err(rejected(format!(
                "series {at} ({kind}) shows {items} marks and {links} links where there are {} and {}",
                expected.items, expected.links
            )));
        }
        Ok(())
    }
}

fn shortened(text: &str) -> String {
    text.chars().take(LONGEST_COMPLAINT).collect()
}

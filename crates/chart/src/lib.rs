//! Charts: rows or a graph in, an ECharts option out, drawn by ECharts itself before anybody sees it.
//!
//! In: a [`Request`] with rows of JSON objects, or nodes and links in any of the forms that our tools answer with. Out: a
//! [`Chart`], which is the option as plain JSON (no functions), every repair in words, and how many marks it must draw. A
//! [`Painter`] draws a chart as SVG or PNG and refuses one that ECharts complains about or draws incompletely. This crate
//! knows no protocol, no storage and no network.
//!
//! To add a kind of chart: one file in `kinds/` and one row in [`KINDS`].

mod chart;
mod columns;
mod error;
mod files;
mod fit;
mod graph_input;
mod kinds;
mod layout;
mod look;
mod notes;
mod page;
mod painter;
mod pivot;
mod request;

pub use chart::{Chart, Marks};
pub use error::Invalid;
pub use files::{Format, Given, read};
pub use kinds::{KINDS, Kind, kind};
pub use page::page;
pub use painter::{Limits, PaintError, Painter, Picture, Png, Size, is_embedded};
pub use request::{Data, Mapping, Options, Request, Row};

/// The most rows that one chart is made of.
pub const MOST_ROWS: usize = 100_000;

/// The chart for a request, or which field and row is at fault.
pub fn generate(request: &Request<'_>) -> Result<Chart, Invalid> {
    let mut notes = notes::Notes::default();
    let drawing = (request.kind.build)(request, &mut notes)?;
    let kinds::Drawing { option, marks } = drawing;
    Ok(Chart { option, marks, notes: notes.into_texts() })
}

//! A chart as an answer: drawn before it is given, with its image, and small enough.

use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chart::{Chart, Kind, PaintError, Painter, Picture, Size};
use serde_json::{Map, Value};
use store::TraceId;
use tokio_util::sync::CancellationToken;

use super::generate::{Generated, Render};
use crate::budget::json_length;
use crate::content::ContentBlock;
use crate::context::ToolContext;
use crate::error::{ErrorKind, ToolError};
use crate::output::{Illustrated, Payload};
use crate::styles::{CallFacts, Style};

/// Pixels of a PNG for each of the picture; the smaller where the larger does not fit.
const SCALES: [f32; 3] = [2.0, 1.0, 0.5];
/// What the protocol and the envelope put around the answer.
const ENVELOPE: usize = 2_048;
/// What a row of a dataset takes at least: it is in the text of an answer, line by line, and in its structured content.
const LEAST_ROW: usize = 70;
/// How often a chart is made shorter until it fits.
const ATTEMPTS: usize = 8;

/// What an answer is made with, for work on another thread.
pub(super) struct Frame {
    painter: Arc<Painter>,
    cancel: CancellationToken,
    bytes: usize,
    trace_id: TraceId,
}

impl Frame {
    pub(super) fn of(context: &ToolContext) -> Self {
        Self {
            painter: context.painter().clone(),
            cancel: context.cancel().clone(),
            bytes: context.answer_bytes().saturating_sub(ENVELOPE),
            trace_id: context.trace_id(),
        }
    }

    pub(super) fn answer(
        &self,
        kind: &Kind,
        chart: Chart,
        render: Render,
    ) -> Result<Illustrated<Generated>, ToolError> {
        let mut notes = Vec::new();
        let image = match render {
            Render::None => None,
            Render::Svg | Render::Png => Some(self.image(&self.draw(&chart)?, render, &mut notes)?),
        };
        if chart.source_rows() <= self.most_rows() {
            let whole = self.illustrated(&chart, &notes, image.as_ref());
            if self.fits(&whole) {
                if render == Render::None {
                    self.check(&chart)?;
                }
                return Ok(whole);
            }
        }
        self.shortened(kind, &chart, &notes, image.as_ref())
    }

    /// As many rows as fit beside the image; what is given was drawn too.
    fn shortened(
        &self,
        kind: &Kind,
        chart: &Chart,
        notes: &[String],
        image: Option<&ContentBlock>,
    ) -> Result<Illustrated<Generated>, ToolError> {
        let mut rows = chart.source_rows().min(self.most_rows());
        for _ in 0..ATTEMPTS {
            let Some(shorter) = chart.thinned(kind, rows) else { break };
            let answer = self.illustrated(&shorter, notes, image);
            let length = self.length(&answer);
            if length <= self.bytes {
                self.check(&shorter)?;
                return Ok(answer);
            }
            // A little less than what would fit if every row were as long as the others.
            rows = (rows * self.bytes / length * 9 / 10).min(rows * 9 / 10);
        }
        let length = self.length(&self.illustrated(chart, notes, image));
        Err(ToolError::invalid(format!(
            "the answer would have {} KB, and one answer holds {} KB; give less data, or use `trailmark chart`, which writes files of any size",
            length / 1_000,
            self.bytes / 1_000
        ))
        .with_detail("field", if kind.name == "graph" { "graph" } else { "data" }))
    }

    fn draw(&self, chart: &Chart) -> Result<Picture, ToolError> {
        let cancel = self.cancel.clone();
        self.painter.draw(chart, Size::default(), move || cancel.is_cancelled()).map_err(failed)
    }

    /// Nothing is given that ECharts does not draw, where ECharts is here.
    fn check(&self, chart: &Chart) -> Result<(), ToolError> {
        if !chart::is_embedded() {
            return Ok(());
        }
        let cancel = self.cancel.clone();
        self.painter.check(chart, move || cancel.is_cancelled()).map_err(failed)
    }

    fn image(&self, picture: &Picture, render: Render, notes: &mut Vec<String>) -> Result<ContentBlock, ToolError> {
        // The option needs room as well.
        let room = self.bytes / 2;
        let svg = STANDARD.encode(&picture.svg);
        if render == Render::Svg && svg.len() <= room {
            return Ok(ContentBlock::image(svg, "image/svg+xml"));
        }
        if render == Render::Svg {
            notes.push(format!(
                "The SVG has {} KB, too much for one answer; the image is a PNG.",
                picture.svg.len() / 1_000
            ));
        }
        for scale in SCALES {
            let png = self.painter.png(picture, scale).map_err(failed)?;
            let encoded = STANDARD.encode(&png.bytes);
            if encoded.len() <= room {
                notes.extend(png.note);
                return Ok(ContentBlock::image(encoded, "image/png"));
            }
        }
        Err(ToolError::invalid("the image is too large for one answer; draw less at once")
            .with_detail("field", "render"))
    }

    fn illustrated(&self, chart: &Chart, notes: &[String], image: Option<&ContentBlock>) -> Illustrated<Generated> {
        let option = match &chart.option {
            Value::Object(option) => option.clone(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => Map::new(),
        };
        Illustrated {
            data: Generated { option },
            notes: chart.notes.iter().chain(notes).cloned().collect(),
            beside: image.into_iter().cloned().collect(),
        }
    }

    /// More rows than that fit into no answer.
    fn most_rows(&self) -> usize {
        self.bytes / LEAST_ROW
    }

    fn fits(&self, answer: &Illustrated<Generated>) -> bool {
        self.length(answer) <= self.bytes
    }

    fn length(&self, answer: &Illustrated<Generated>) -> usize {
        let data = serde_json::json!({"option": answer.data.option});
        let payload = Payload::Json {
            data,
            notes: answer.notes.clone(),
            beside: answer.beside.clone(),
            facts: serde_json::Map::new(),
        };
        let facts = CallFacts { trace_id: self.trace_id, took: Duration::ZERO };
        json_length(&Style::Knowledge.success(payload, facts))
    }
}

fn failed(error: PaintError) -> ToolError {
    let kind = match &error {
        PaintError::Absent => ErrorKind::Upstream,
        PaintError::TooSlow { .. } | PaintError::Stopped => ErrorKind::Timeout,
        PaintError::TooLarge { .. } => ErrorKind::InvalidArgument,
        PaintError::Rejected { .. } | PaintError::Painting { .. } => ErrorKind::Internal,
    };
    let absent = error == PaintError::Absent;
    let error = ToolError::new(kind, error.to_string());
    if absent {
        error.with_hint("Leave `render` out: the option alone can be drawn by any page that has ECharts 6.")
    } else {
        error
    }
}

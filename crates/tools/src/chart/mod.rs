//! Charts: one tool that turns rows or a graph into an ECharts option, and into a picture if wanted (S2 §4).

mod answer;
mod generate;

use std::time::Duration;

use crate::registry::{Advice, Family};
use crate::styles::Style;
use crate::tool::{Erased, Tool};

/// How long a chart may take, the picture included.
const DEADLINE: Option<Duration> = Some(Duration::from_secs(5));

pub(crate) const FAMILY: Family = Family {
    name: "chart",
    title: "Charts",
    purpose: "Rows or a graph as an ECharts option, checked by drawing it, and as an SVG or PNG image; nothing leaves the machine.",
    advice: &[Advice {
        needs: &["echart_generate"],
        text: "Draw numbers or links with echart_generate; render: \"png\" adds an image, meta.notes says what was changed.",
    }],
    style: Style::Knowledge,
    tools: TOOLS,
};

const TOOLS: &[&dyn Tool] = &[&Erased::<generate::GenerateChart>::new()];

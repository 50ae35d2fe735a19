//! The web: what is found there now, through whichever provider is configured (S2 §3).

mod search;

use crate::registry::{Advice, Family};
use crate::styles::Style;
use crate::tool::{Erased, Tool};

pub(crate) const FAMILY: Family = Family {
    name: "web",
    title: "Web",
    purpose: "Pages of the web that are about some words, through SearXNG or any MCP server with a search tool.",
    advice: &[Advice {
        needs: &["web_search"],
        text: "web_search finds what is newer than you are; cite the addresses it gives.",
    }],
    style: Style::Knowledge,
    tools: TOOLS,
};

const TOOLS: &[&dyn Tool] = &[&Erased::<search::WebSearchTool>::new()];

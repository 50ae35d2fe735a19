//! Code intelligence: the code that matters to a task, and the calls around a symbol (S0), with CKB where it is there.

mod call_chain;
mod ckb;
mod filling;
mod fusion;
mod graph_rag;
mod terms;

use std::time::Duration;

use crate::registry::{Advice, Family};
use crate::styles::Style;
use crate::tool::{Erased, Tool};

/// CKB may take 5 s of it, and bringing a graph up to date 3 s.
const DEADLINE: Option<Duration> = Some(Duration::from_secs(15));

pub(crate) const FAMILY: Family = Family {
    name: "intelligence",
    title: "Code intelligence",
    purpose: "From a task in words to the code that matters, and from a symbol to everything that calls it or that it calls.",
    advice: &[
        Advice {
            needs: &["ci_graph_rag"],
            text: "Begin a task with ci_graph_rag: hand it the issue, error or stack trace as it is, and read what it shows before you \
                   search files.",
        },
        Advice {
            needs: &["ci_call_chain"],
            text: "Before you change a function, ask ci_call_chain who calls it: each link has the lines of the calls.",
        },
    ],
    style: Style::Intelligence,
    tools: TOOLS,
};

const TOOLS: &[&dyn Tool] = &[&Erased::<graph_rag::GraphRag>::new(), &Erased::<call_chain::CallChainTool>::new()];

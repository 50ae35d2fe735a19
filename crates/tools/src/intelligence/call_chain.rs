//! `ci_call_chain`: who calls a symbol and what it calls.

use std::sync::Arc;
use std::time::Instant;

use code_query::{CallChain, Following, Link};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use store::{FoundNode, ProjectGraph};
use tokio_util::sync::CancellationToken;

use super::ckb::{Asked, FallbackMode, State};
use super::{DEADLINE, fusion};
use crate::blocking::off_runtime;
use crate::code::projects::{IndexedProject, Projects};
use crate::code::symbol;
use crate::code::up_to_date::keep_up_or_index;
use crate::context::ToolContext;
use crate::error::{ErrorKind, ToolError};
use crate::output::Json;
use crate::tool::{Effect, Records, ToolInfo, TypedTool};

const DEFAULT_DEPTH: u32 = 3;
/// The most symbols in one direction.
const MOST_LINKS: usize = 200;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {
    /// A function, method, class or module: its qualified name, or the end of it if that is unique.
    #[schemars(length(min = 1, max = 1000), regex(pattern = r"\S"))]
    symbol: String,
    #[schemars(extend("default" = "both"))]
    direction: Option<Direction>,
    #[schemars(range(min = 1, max = 5), extend("default" = DEFAULT_DEPTH))]
    depth: Option<u32>,
    /// An indexed project, if not that of the server's root.
    project: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Direction {
    Callers,
    Callees,
    Both,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    target_symbol: String,
    direction: Direction,
    cycle_detected: bool,
    call_chain: Vec<Entry>,
    metadata: Metadata,
}

/// One symbol; `line` is where it is defined.
#[derive(Debug, Serialize, JsonSchema)]
struct Entry {
    symbol_id: String,
    file_path: String,
    line: u32,
    /// Where the call is written, in the file of the one that calls.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    call_lines: Vec<u32>,
    depth: u32,
    is_cycle: bool,
    /// It is followed where it is nearer to the target.
    #[serde(skip_serializing_if = "is_false")]
    is_repeated: bool,
    #[schemars(schema_with = "entries")]
    callers: Vec<Entry>,
    #[schemars(schema_with = "entries")]
    callees: Vec<Entry>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Metadata {
    #[serde(flatten)]
    ckb: State,
    fusion_depth: u32,
    max_depth: u32,
    query_time_ms: u64,
    /// What is not as it should be, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    warning: Option<String>,
}

fn entries(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "array", "items": {"type": "object"}})
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

pub(super) struct CallChainTool;

impl TypedTool for CallChainTool {
    type Params = Params;
    type Output = Json<Output>;

    const INFO: ToolInfo = ToolInfo {
        name: "ci_call_chain",
        title: "Call chain",
        summary: "Follow calls from a symbol: its callers, what it calls, or both, to a depth of 5, with the lines of the \
                  calls and cycles marked.",
        effect: Effect::READ,
        deadline: DEADLINE,
        records: Some(Records { pointer: "/call_chain", rest: "Ask for one direction or a smaller depth." }),
    };

    async fn run(context: &ToolContext, params: Params) -> Result<Json<Output>, ToolError> {
        let began = Instant::now();
        let depth = params.depth.unwrap_or(DEFAULT_DEPTH);
        let direction = params.direction.unwrap_or(Direction::Both);
        let projects = Projects::of(context);
        let trouble = keep_up_or_index(&projects, params.project.as_deref(), context.cancel()).await?;
        let cancel = context.cancel().clone();
        let search = off_runtime(move || {
            let project = projects.indexed(params.project.as_deref())?;
            let target = the_one(&project, params.symbol.trim(), &cancel)?;
            Ok((project, target))
        });
        let (project, target) = search.await?;
        let (graph, id) = (project.graph.clone(), target.node.id);
        let following = direction.following(depth);
        let own = off_runtime(move || follow(&graph, id, following));
        let (own, ckb) = tokio::join!(own, fusion::calls(context, &project, &target, direction.of_ckb(), depth));
        let mut chain = own?;
        let Asked { answer, state } = ckb;
        if let Some(theirs) = answer {
            fusion::add_calls(&mut chain, &theirs, depth);
        }
        let metadata = Metadata {
            ckb: state.with_fallback(FallbackMode::LocalGraph),
            fusion_depth: depth,
            max_depth: depth,
            query_time_ms: u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX),
            warning: warning(trouble, chain.is_cut),
        };
        let CallChain { target, has_cycle, .. } = chain;
        let target_symbol = target.symbol.clone();
        let call_chain = vec![Entry::from(target)];
        Ok(Json(Output { target_symbol, direction, cycle_detected: has_cycle, call_chain, metadata }))
    }
}

impl Direction {
    fn following(self, depth: u32) -> Following {
        let (callers, callees) = (self != Self::Callees, self != Self::Callers);
        Following { callers, callees, depth, most: MOST_LINKS }
    }

    fn of_ckb(self) -> upstream::ckb::Direction {
        match self {
            Self::Callers => upstream::ckb::Direction::Callers,
            Self::Callees => upstream::ckb::Direction::Callees,
            Self::Both => upstream::ckb::Direction::Both,
        }
    }
}

fn follow(graph: &Arc<dyn ProjectGraph>, target: graph::NodeId, following: Following) -> Result<CallChain, ToolError> {
    let reader = graph.reader()?;
    code_query::call_chain(&*reader, target, following)
        .map_err(|error| ToolError::new(ErrorKind::Storage, format!("the graph could not be read: {error}")))
}

/// The symbol that is meant; where there are several, or none, the answer says which there are.
fn the_one(project: &IndexedProject, name: &str, cancel: &CancellationToken) -> Result<FoundNode, ToolError> {
    let mut found = symbol::find(&*project.graph, name)?;
    match (found.pop(), found.is_empty()) {
        (Some(one), true) => Ok(one),
        (Some(last), false) => {
            found.push(last);
            Err(ToolError::invalid(symbol::ambiguous(name, &found)))
        }
        (None, _) => Err(ToolError::not_found(symbol::unknown(project, name, cancel)?)),
    }
}

fn warning(trouble: Option<String>, is_cut: bool) -> Option<String> {
    let behind = trouble.map(|trouble| format!("the graph may be behind the files, because {trouble}"));
    let cut = is_cut.then(|| {
        format!("only the nearest {MOST_LINKS} symbols of a direction are shown; ask for one direction, a smaller depth, or a symbol further on")
    });
    let parts: Vec<String> = behind.into_iter().chain(cut).collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

impl From<Link> for Entry {
    fn from(link: Link) -> Self {
        let entries = |links: Vec<Link>| links.into_iter().map(Self::from).collect();
        Self {
            symbol_id: link.symbol,
            file_path: link.file.unwrap_or_default(),
            line: link.line,
            call_lines: link.call_lines,
            depth: link.depth,
            is_cycle: link.is_cycle,
            is_repeated: link.is_repeated,
            callers: entries(link.callers),
            callees: entries(link.callees),
        }
    }
}

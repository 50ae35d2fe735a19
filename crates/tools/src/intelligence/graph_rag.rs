//! `ci_graph_rag`: from a task in words to the code that matters, with its neighbourhood in the graph.

use std::path::{Path, PathBuf};
use std::time::Instant;

use code_index::{Meaning, vector_of_question};
use retrieval::{Options, Query, Retrieved};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use upstream::ckb::Symbol;

use super::ckb::{Asked, FallbackMode, State};
use super::filling::{Filled, Shown, fill, source_name};
use super::{DEADLINE, fusion};
use crate::blocking::off_runtime;
use crate::code::projects::{IndexedProject, Projects};
use crate::code::source::whole_file;
use crate::code::up_to_date::keep_up_or_index;
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::output::Json;
use crate::tool::{Effect, Records, ToolInfo, TypedTool};

const DEFAULT_DEPTH: u8 = 1;
const DEFAULT_LIMIT: u32 = 10;
const DEFAULT_BUDGET: u32 = 8_000;
/// Hits that are looked at for each that is wanted, since some show nothing new.
const SPARE: u32 = 3;
const LONGEST_ECHO: usize = 500;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {
    /// The task, question, error text, stack trace or names, in English or Chinese.
    #[schemars(length(min = 1), regex(pattern = r"\S"))]
    query: String,
    /// Steps in the graph from what the words find; 0 uses no graph.
    #[schemars(range(min = 0, max = 5), extend("default" = DEFAULT_DEPTH))]
    fusion_depth: Option<u8>,
    #[schemars(range(min = 1, max = 50), extend("default" = DEFAULT_LIMIT))]
    limit: Option<u32>,
    /// The most tokens of code.
    #[schemars(range(min = 100, max = 50_000), extend("default" = DEFAULT_BUDGET))]
    budget: Option<u32>,
    #[schemars(range(min = 0.0, max = 1.0), extend("default" = 0))]
    min_relevance: Option<f64>,
    /// An indexed project, if not that of the server's root.
    project: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    candidates: Vec<Candidate>,
    metadata: Metadata,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Candidate {
    file: String,
    #[schemars(range(min = 0.0, max = 1.0))]
    relevance: f64,
    content: String,
    symbol: String,
    start_line: u32,
    end_line: u32,
    #[schemars(extend("enum" = ["embedding", "keyword", "graph"]))]
    source: String,
    distance: u8,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Metadata {
    #[serde(flatten)]
    ckb: State,
    fusion_depth: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    fusion_depth_requested: Option<u8>,
    total_candidates: usize,
    embedding_candidates: usize,
    graph_candidates: usize,
    query_time_ms: u64,
    query: String,
    /// What is not as it should be, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    warning: Option<String>,
}

pub(super) struct GraphRag;

impl TypedTool for GraphRag {
    type Params = Params;
    type Output = Json<Output>;

    const INFO: ToolInfo = ToolInfo {
        name: "ci_graph_rag",
        title: "Find code for a task",
        summary: "From a task, question, error or stack trace in words to the code that matters: whole functions and classes \
                  with file and lines, best first, and their neighbours in the graph.",
        effect: Effect::READ,
        deadline: DEADLINE,
        records: Some(Records { pointer: "/candidates", rest: "Ask for a smaller budget or limit." }),
    };

    async fn run(context: &ToolContext, params: Params) -> Result<Json<Output>, ToolError> {
        let began = Instant::now();
        let projects = Projects::of(context);
        let trouble = keep_up_or_index(&projects, params.project.as_deref(), context.cancel()).await?;
        let name = params.project.clone();
        let project = off_runtime(move || projects.indexed(name.as_deref())).await?;
        let asked = Asking::of(&params);
        let (found, root) = (project.clone(), project.info.root.clone());
        let own = {
            let (asked, query) = (asked, params.query.clone());
            let indexer = context.workspace().indexer().clone();
            off_runtime(move || asked.retrieve(&found, &query, indexer.meaning()))
        };
        let (own, ckb) = tokio::join!(own, fusion::symbols(context, &root, &params.query));
        let (mut retrieved, without_meaning) = own?;
        let Asked { answer, state } = ckb;
        if let Some(theirs) = answer {
            add_symbols(&mut retrieved, theirs);
        }
        let (total, by_meaning, by_graph) = (retrieved.candidates, retrieved.by_meaning, retrieved.by_graph);
        let used_depth = if asked.depth == 0 { 0 } else { asked.depth.max(retrieved.depth) };
        let Filled { shown, left_out } = off_runtime(move || Ok(asked.fill(retrieved, &root))).await?;
        let metadata = Metadata {
            ckb: state.with_fallback(if used_depth > 0 { FallbackMode::LocalGraph } else { FallbackMode::VectorOnly }),
            fusion_depth: used_depth,
            fusion_depth_requested: (used_depth != asked.depth).then_some(asked.depth),
            total_candidates: total,
            embedding_candidates: by_meaning,
            graph_candidates: by_graph,
            query_time_ms: u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX),
            query: params.query.chars().take(LONGEST_ECHO).collect(),
            warning: warning(trouble, without_meaning, &left_out),
        };
        Ok(Json(Output { candidates: shown.into_iter().map(Candidate::from).collect(), metadata }))
    }
}

/// What was asked for, with the defaults filled in.
#[derive(Debug, Clone, Copy)]
struct Asking {
    depth: u8,
    limit: u32,
    budget: u32,
    min_relevance: f64,
}

impl Asking {
    fn of(params: &Params) -> Self {
        Self {
            depth: params.fusion_depth.unwrap_or(DEFAULT_DEPTH),
            limit: params.limit.unwrap_or(DEFAULT_LIMIT),
            budget: params.budget.unwrap_or(DEFAULT_BUDGET),
            min_relevance: params.min_relevance.unwrap_or(0.0),
        }
    }

    /// What was found, and why it was found by words alone where an embedder should have helped.
    fn retrieve(
        self,
        project: &IndexedProject,
        query: &str,
        meaning: &Meaning,
    ) -> Result<(Retrieved, Option<String>), ToolError> {
        let words = project.graph.words()?;
        let limit = (self.limit * SPARE) as usize;
        let (vector, without) = match vector_of_question(meaning, &*words, query)? {
            Ok(vector) => (vector, None),
            Err(error) => (None, Some(error.to_string())),
        };
        let options = Options { depth: self.depth, limit, ..Options::default() };
        let found = retrieval::retrieve(&*words, vector.as_ref(), &Query::read(query), &options)?;
        Ok((found, without))
    }

    fn fill(self, mut retrieved: Retrieved, root: &Path) -> Filled {
        retrieved.hits.retain(|hit| hit.relevance >= self.min_relevance);
        let root = PathBuf::from(root);
        fill(retrieved.hits, self.limit as usize, self.budget as usize, &mut |path| whole_file(&root, path).ok())
    }
}

/// Symbols that only CKB knows follow what our own search found.
fn add_symbols(retrieved: &mut Retrieved, theirs: Vec<Symbol>) {
    let added = fusion::hits_of(theirs, &retrieved.hits);
    retrieved.candidates += added.len();
    retrieved.by_graph += added.len();
    retrieved.hits.extend(added);
}

fn warning(trouble: Option<String>, without_meaning: Option<String>, left_out: &[String]) -> Option<String> {
    const MOST: usize = 5;
    let behind = trouble.map(|trouble| format!("the graph may be behind the files, because {trouble}"));
    let named = left_out.iter().take(MOST).cloned().collect::<Vec<_>>().join(", ");
    let unfit =
        (!left_out.is_empty()).then(|| format!("no room in the budget for {} more, first {named}", left_out.len()));
    let by_words = without_meaning.map(|reason| format!("found by words alone, because {reason}"));
    let parts: Vec<String> = behind.into_iter().chain(by_words).chain(unfit).collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

impl From<Shown> for Candidate {
    fn from(Shown { hit, content, .. }: Shown) -> Self {
        Self {
            file: hit.file,
            relevance: (hit.relevance * 1_000.0).round() / 1_000.0,
            content,
            symbol: hit.symbol,
            start_line: hit.start_line,
            end_line: hit.end_line,
            source: source_name(hit.source).to_owned(),
            distance: hit.distance,
        }
    }
}

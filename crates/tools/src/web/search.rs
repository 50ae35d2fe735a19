//! `web_search`: pages of the web.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use web_search::{Answer, EngineFailure, Item, Query};

use crate::context::ToolContext;
use crate::error::{ErrorKind, ToolError};
use crate::output::Explained;
use crate::tool::{Effect, Records, ToolInfo, TypedTool};

/// A provider is given a little less, so that the answer can say that it was slow.
const DEADLINE: Option<Duration> = Some(Duration::from_secs(10));
const LONGEST_QUERY: u64 = 500;
const CONFIGURE: &str = "Set TRAILMARK_SEARXNG_URL to the address of a SearXNG instance, such as http://127.0.0.1:8888, or name a \
                         provider under [web_search] in trailmark.toml in the data folder; then start the server again.";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Params {
    /// Words to search for.
    #[schemars(length(max = LONGEST_QUERY), regex(pattern = r"\S"))]
    query: String,
    #[serde(default = "default_results")]
    #[schemars(range(min = 1, max = 20))]
    max_results: usize,
    /// A language tag such as en or zh-CN, or all.
    #[serde(default = "default_language")]
    #[schemars(length(max = 35), regex(pattern = r"^[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8})*$"))]
    language: String,
    /// Leave out pages known to be older.
    #[serde(default = "default_days")]
    #[schemars(range(min = 1, max = 365))]
    recency_days: u16,
}

fn default_results() -> usize {
    5
}

fn default_language() -> String {
    "zh-CN".to_owned()
}

fn default_days() -> u16 {
    30
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Found {
    items: Vec<Page>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Page {
    title: String,
    url: String,
    snippet: String,
    source: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    published_at: Option<String>,
}

impl From<Item> for Page {
    fn from(item: Item) -> Self {
        let Item { title, url, snippet, source, published_at } = item;
        Self { title, url, snippet, source, published_at: published_at.map(|time| time.to_string()) }
    }
}

pub(super) struct WebSearchTool;

impl TypedTool for WebSearchTool {
    type Params = Params;
    type Output = Explained<Found>;

    const INFO: ToolInfo = ToolInfo {
        name: "web_search",
        title: "Search the web",
        summary: "Search the web: titles, addresses and snippets of pages, best first, with dates where they are known.",
        effect: Effect::READ.open_world(),
        deadline: DEADLINE,
        records: Some(Records { pointer: "/items", rest: "Use a smaller maxResults." }),
    };

    async fn run(context: &ToolContext, params: Params) -> Result<Explained<Found>, ToolError> {
        let Some(search) = context.web_search() else {
            return Err(ToolError::new(ErrorKind::Upstream, "web search is not configured").with_hint(CONFIGURE));
        };
        let Params { query: words, max_results, language, recency_days } = params;
        let answer = search.search(&Query { words, language, recency_days }, max_results).await.map_err(refusal)?;
        let facts = facts(&answer);
        let items = answer.items.into_iter().map(Page::from).collect();
        Ok(Explained { data: Found { items }, notes: answer.notes, facts })
    }
}

/// Who answered and who did not, as far as there is something to say.
fn facts(answer: &Answer) -> Map<String, Value> {
    let mut facts = Map::new();
    if !answer.engines.is_empty() {
        facts.insert("engines".to_owned(), json!(answer.engines));
    }
    if !answer.failures.is_empty() {
        facts.insert("failedEngines".to_owned(), failures(&answer.failures));
    }
    if answer.is_cached {
        facts.insert("cached".to_owned(), json!(true));
    }
    facts
}

fn failures(failures: &[EngineFailure]) -> Value {
    failures.iter().map(|EngineFailure { engine, reason }| json!({"engine": engine, "reason": reason})).collect()
}

fn refusal(error: web_search::Error) -> ToolError {
    let mut refusal = ToolError::new(ErrorKind::Upstream, error.to_string());
    if !error.engines().is_empty() {
        refusal = refusal.with_detail("failedEngines", failures(error.engines()));
    }
    if let Some(after) = error.retry_after() {
        refusal = refusal.with_detail("retryAfterSeconds", after.as_millis().div_ceil(1_000).max(1) as u64);
    }
    match error.hint() {
        Some(hint) => refusal.with_hint(hint),
        None => refusal,
    }
}

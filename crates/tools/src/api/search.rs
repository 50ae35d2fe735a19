//! `api_search`: the operations that fit some words.

use ::openapi::{Api, Operation};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{DEADLINE, SEARCH};
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::output::Json;
use crate::tool::{Effect, Records, ToolInfo, TypedTool};

pub(super) struct ApiSearch;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {
    /// What the operation should do, in a few words, such as `create issue`.
    #[schemars(regex(pattern = r"\S"), length(max = 500))]
    query: String,
    /// How many operations at most.
    #[schemars(range(min = 1, max = 50))]
    #[serde(default = "usual_limit")]
    limit: usize,
}

fn usual_limit() -> usize {
    10
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Found {
    operations: Vec<Row>,
    /// How many fit in all.
    total: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Row {
    operation: String,
    method: &'static str,
    path: String,
    title: String,
    api: String,
}

impl TypedTool for ApiSearch {
    type Params = Params;
    type Output = Json<Found>;

    const INFO: ToolInfo = ToolInfo {
        name: SEARCH,
        title: "Search API operations",
        summary: "Finds operations of the connected APIs by words of their name, path and description. \
                  `api_describe` then says what an operation takes.",
        effect: Effect::READ,
        deadline: DEADLINE,
        records: Some(Records { pointer: "/operations", rest: "Ask for fewer with `limit`." }),
    };

    async fn run(context: &ToolContext, params: Params) -> Result<Self::Output, ToolError> {
        let words = words(&params.query);
        let mut scored: Vec<(u32, &Api, &Operation)> = context
            .apis()
            .operations()
            .map(|(api, operation)| (score(&words, api, operation), &**api, operation))
            .filter(|(score, ..)| *score > 0)
            .collect();
        scored.sort_by(|left, right| right.0.cmp(&left.0).then_with(|| left.2.name.cmp(&right.2.name)));
        let total = scored.len();
        let operations = scored.into_iter().take(params.limit).map(|(_, api, operation)| row(api, operation)).collect();
        Ok(Json(Found { operations, total }))
    }
}

fn row(api: &Api, operation: &Operation) -> Row {
    Row {
        operation: operation.name.clone(),
        method: operation.method.as_str(),
        path: operation.path.clone(),
        title: operation.title.clone(),
        api: api.name.clone(),
    }
}

/// Words in lower case, `camelCase` and `snake_case` split, without their plural.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut was_lower = false;
    for character in text.chars().chain([' ']) {
        let begins_new = character.is_uppercase() && was_lower;
        if (!character.is_alphanumeric() || begins_new) && !word.is_empty() {
            words.push(singular(std::mem::take(&mut word)));
        }
        if character.is_alphanumeric() {
            word.extend(character.to_lowercase());
        }
        was_lower = character.is_lowercase();
    }
    words.dedup();
    words
}

fn singular(word: String) -> String {
    match word.strip_suffix("ies") {
        Some(stem) if stem.len() > 2 => format!("{stem}y"),
        _ => word
            .strip_suffix('s')
            .filter(|stem| stem.len() > 2 && !stem.ends_with('s'))
            .map_or(word.clone(), str::to_owned),
    }
}

/// Other words for what the methods do.
const SYNONYMS: &[(&str, &[&str])] = &[
    ("create", &["post", "add", "new", "create"]),
    ("add", &["post", "create", "add"]),
    ("delete", &["delete", "remove"]),
    ("remove", &["delete", "remove"]),
    ("update", &["patch", "put", "update", "edit", "modify"]),
    ("edit", &["patch", "put", "update", "edit"]),
    ("list", &["list", "search", "find"]),
    ("find", &["list", "search", "find", "get"]),
    ("show", &["get", "show", "read"]),
];

/// How well an operation fits: words of its name count most, then its path and title, then its tags and description. An operation
/// that has every word comes before those that lack one.
fn score(wanted: &[String], api: &Api, operation: &Operation) -> u32 {
    let fields: [(u32, Vec<String>); 5] = [
        (8, words(operation.id.as_deref().unwrap_or(&operation.name))),
        (5, words(&operation.path)),
        (6, words(&operation.title)),
        (3, operation.tags.iter().flat_map(|tag| words(tag)).chain(words(&api.name)).collect()),
        (1, words(&operation.description)),
    ];
    let method = operation.method.as_str().to_lowercase();
    let mut total = 0;
    let mut matched = 0;
    for word in wanted {
        let meant = SYNONYMS.iter().find(|(name, _)| name == word).map_or(&[][..], |(_, meant)| meant);
        let is_word = |other: &String| other == word || (word.len() > 3 && other.starts_with(word.as_str()));
        let is_meant = |other: &String| meant.contains(&other.as_str());
        let of_word = fields.iter().filter(|(_, words)| words.iter().any(is_word)).map(|(weight, _)| weight).max();
        let of_meaning =
            fields.iter().filter(|(_, words)| words.iter().any(is_meant)).map(|(weight, _)| weight / 2).max();
        let of_method = if *word == method || meant.contains(&method.as_str()) { 3 } else { 0 };
        let best = of_word.copied().unwrap_or(0).max(of_meaning.unwrap_or(0)).max(of_method);
        matched += u32::from(best > 0);
        total += best * 10;
    }
    let is_complete = matched == u32::try_from(wanted.len()).unwrap_or(u32::MAX);
    let length = u32::try_from(fields[0].1.len()).unwrap_or(u32::MAX).min(9);
    match total {
        0 => 0,
        total => total + if is_complete { 1_000 } else { 0 } + 9 - length,
    }
}

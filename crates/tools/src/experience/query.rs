//! `query_experiences`: find what was learned.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::{Experience, ExperienceSearch, FoundExperience, NewExperience};

use super::{DEADLINE, LONGEST_QUESTION};
use crate::arguments::{self, Violation};
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::output::Json;
use crate::tool::{Effect, Records, ToolInfo, TypedTool};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {
    /// What to look for, in words of English or Chinese: an error message, a question, names from the code.
    #[schemars(length(max = LONGEST_QUESTION), regex(pattern = r"\S"))]
    keywords: String,
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = 50))]
    limit: usize,
    /// How many of the best to leave out.
    #[serde(default)]
    #[schemars(range(min = 0))]
    offset: u64,
}

fn default_limit() -> usize {
    10
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Found {
    experiences: Vec<Record>,
    /// How many match, here or on other pages.
    total: u64,
    limit: usize,
    offset: u64,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Record {
    id: String,
    title: String,
    problem_description: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    root_cause: Option<String>,
    solution: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<String>,
    keywords: Vec<String>,
    query_count: u64,
    created_at: String,
    /// How well it fits the words, above 0 and at most 1.
    relevance_score: f64,
}

impl From<FoundExperience> for Record {
    fn from(found: FoundExperience) -> Self {
        let FoundExperience { experience: Experience { id, content, query_count, created_at, .. }, relevance } = found;
        let NewExperience { title, problem_description, root_cause, solution, context, keywords } = content;
        Self {
            id: id.to_string(),
            title,
            problem_description,
            root_cause,
            solution,
            context,
            keywords,
            query_count,
            created_at: created_at.to_string(),
            relevance_score: rounded(relevance),
        }
    }
}

/// To four digits, and never to 0, which would mean no match.
fn rounded(relevance: f64) -> f64 {
    const DIGITS: f64 = 10_000.0;
    (relevance * DIGITS).round().max(1.0) / DIGITS
}

pub(super) struct QueryExperiences;

impl TypedTool for QueryExperiences {
    type Params = Params;
    type Output = Json<Found>;

    const INFO: ToolInfo = ToolInfo {
        name: "query_experiences",
        title: "Query experiences",
        summary: "Find problems that were solved before, with cause and solution: best fit first, then popular and recent \
                  ones.",
        effect: Effect::READ,
        deadline: DEADLINE,
        records: Some(Records { pointer: "/experiences", rest: "Use a smaller limit and go on with offset." }),
    };

    async fn run(context: &ToolContext, params: Params) -> Result<Json<Found>, ToolError> {
        let Params { keywords, limit, offset } = params;
        let search = ExperienceSearch { words: keywords, limit, offset: usize::try_from(offset).unwrap_or(usize::MAX) };
        let found = context.experiences().search(search).await?;
        context.counter().add(found.experiences.iter().map(|found| found.experience.id));
        let experiences = found.experiences.into_iter().map(Record::from).collect();
        Ok(Json(Found { experiences, total: found.total, limit, offset }))
    }

    fn refuse(violations: &[Violation], _arguments: &Value) -> Option<ToolError> {
        let of = |fields: &[&str]| violations.iter().any(|violation| fields.contains(&violation.field.as_str()));
        let code = if of(&["keywords"]) {
            "INVALID_KEYWORDS"
        } else if of(&["limit", "offset"]) {
            "INVALID_LIMIT"
        } else {
            return None;
        };
        Some(arguments::refuse(violations).with_code(code))
    }
}

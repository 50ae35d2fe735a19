//! An experience as a line of JSON.

use anyhow::{Context, bail};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use store::{Experience, ExperienceId, NewExperience};
use tools::inspect_experience;

/// The fields as clients see them. A line may leave out all that the store makes.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Line {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    title: String,
    problem_description: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    root_cause: Option<String>,
    solution: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<String>,
    #[serde(default)]
    keywords: Vec<String>,
    #[serde(default)]
    query_count: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    created_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    updated_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deleted_at: Option<String>,
}

impl From<&Experience> for Line {
    fn from(experience: &Experience) -> Self {
        let Experience { id, content, query_count, created_at, updated_at, deleted_at } = experience.clone();
        let NewExperience { title, problem_description, root_cause, solution, context, keywords } = content;
        Self {
            id: Some(id.to_string()),
            title,
            problem_description,
            root_cause,
            solution,
            context,
            keywords,
            query_count,
            created_at: Some(created_at.to_string()),
            updated_at: Some(updated_at.to_string()),
            deleted_at: deleted_at.map(|time| time.to_string()),
        }
    }
}

impl Line {
    /// The experience, if it may be kept.
    pub(super) fn into_experience(self) -> anyhow::Result<Experience> {
        let Self { title, problem_description, root_cause, solution, context, keywords, .. } = self;
        let content = NewExperience { title, problem_description, root_cause, solution, context, keywords };
        refuse_blank(&content)?;
        if let Some(finding) = inspect_experience(&content).first() {
            bail!("{}: {}", finding.field, finding.message());
        }
        let id = self.id.map_or_else(|| Ok(ExperienceId::generate()), |id| id.parse())?;
        let created_at = time(self.created_at)?.unwrap_or_else(Timestamp::now);
        let updated_at = time(self.updated_at)?.unwrap_or(created_at);
        let deleted_at = time(self.deleted_at)?;
        Ok(Experience { id, content, query_count: self.query_count, created_at, updated_at, deleted_at })
    }
}

fn refuse_blank(content: &NewExperience) -> anyhow::Result<()> {
    let texts = [
        ("title", &content.title),
        ("problem_description", &content.problem_description),
        ("solution", &content.solution),
    ];
    match texts.iter().find(|(_, text)| text.trim().is_empty()) {
        Some((name, _)) => bail!("{name} must not be blank"),
        None if content.title.chars().count() > 500 => bail!("title must have at most 500 characters"),
        None => Ok(()),
    }
}

fn time(text: Option<String>) -> anyhow::Result<Option<Timestamp>> {
    let Some(text) = text else { return Ok(None) };
    text.parse().map(Some).with_context(|| format!("`{text}` is no time such as 2026-01-31T12:00:00Z"))
}

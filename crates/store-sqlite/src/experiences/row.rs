//! An experience as a row.

use rusqlite::Row;
use store::{Experience, NewExperience};

use crate::error;
use crate::job::Outcome;
use crate::rows;

/// What [`experience`] reads.
pub(super) const COLUMNS: &str = "experience.id, created_at, updated_at, deleted_at, query_count,
    title, problem_description, root_cause, solution, context, keywords";

/// The experience in a row with [`COLUMNS`].
pub(super) fn experience(row: &Row<'_>) -> Outcome<Experience> {
    Ok(Experience {
        id: rows::uuid(row, "id")?.into(),
        content: content(row)?,
        query_count: row.get("query_count")?,
        created_at: rows::time(row, "created_at")?,
        updated_at: rows::time(row, "updated_at")?,
        deleted_at: row.get::<_, Option<i64>>("deleted_at")?.map(|_| rows::time(row, "deleted_at")).transpose()?,
    })
}

/// The texts in a row that has them all.
pub(super) fn content(row: &Row<'_>) -> Outcome<NewExperience> {
    Ok(NewExperience {
        title: row.get("title")?,
        problem_description: row.get("problem_description")?,
        root_cause: row.get("root_cause")?,
        solution: row.get("solution")?,
        context: row.get("context")?,
        keywords: keywords(row)?,
    })
}

/// Keywords as they are stored.
pub(super) fn keywords_column(keywords: &[String]) -> String {
    serde_json::Value::from(keywords).to_string()
}

fn keywords(row: &Row<'_>) -> Outcome<Vec<String>> {
    let text: String = row.get("keywords")?;
    Ok(serde_json::from_str(&text).map_err(|cause| error::unreadable("keywords", cause))?)
}

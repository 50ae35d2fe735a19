//! An experience as a row.

use store::{Experience, NewExperience};
use tokio_postgres::Row;
use uuid::Uuid;

use super::unsigned;
use crate::error::Outcome;

/// What [`experience`] reads.
pub(super) const COLUMNS: &str = "experience.key, experience.id, created_at, updated_at, deleted_at, query_count,
    title, problem_description, root_cause, solution, context, keywords";

/// The experience in a row with [`COLUMNS`].
pub(super) fn experience(row: &Row) -> Outcome<Experience> {
    Ok(Experience {
        id: row.try_get::<_, Uuid>("id")?.into(),
        content: content(row)?,
        query_count: unsigned(row.try_get("query_count")?),
        created_at: row.try_get("created_at")?,
        updated_at: row.try_get("updated_at")?,
        deleted_at: row.try_get("deleted_at")?,
    })
}

/// The texts in a row that has them all.
pub(super) fn content(row: &Row) -> Outcome<NewExperience> {
    Ok(NewExperience {
        title: row.try_get("title")?,
        problem_description: row.try_get("problem_description")?,
        root_cause: row.try_get("root_cause")?,
        solution: row.try_get("solution")?,
        context: row.try_get("context")?,
        keywords: row.try_get("keywords")?,
    })
}

//! Counting the answers that experiences were part of.

use std::collections::BTreeMap;

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension as _};
use store::ExperienceId;

use super::index::facts;
use crate::job::Outcome;

const COUNT: &str = "
    UPDATE experience SET query_count = query_count + ?2, updated_at = max(updated_at, ?3) WHERE id = ?1
    RETURNING key, query_count";

pub(super) fn count(connection: &Connection, answers: &[(ExperienceId, u64)]) -> Outcome<()> {
    let now = Timestamp::now().as_microsecond();
    let mut counts = BTreeMap::new();
    for (id, answers) in answers {
        let mut statement = connection.prepare_cached(COUNT)?;
        let counted: Option<(u64, u64)> = statement
            .query_row((id.as_uuid().as_bytes(), answers, now), |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        counts.extend(counted);
    }
    facts::set_counts(connection, &counts)
}

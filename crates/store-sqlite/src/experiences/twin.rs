//! Which kept experience says nearly the same?

use std::collections::BTreeSet;

use experience::duplicates;
use rusqlite::Connection;
use store::{NewExperience, Twin};

use super::row;
use crate::job::Outcome;
use crate::rows;

/// So many of one key are compared, the newest first: a text that is kept again and again must not make keeping slow.
const COMPARED: i64 = 8;

const CANDIDATES: &str = "
    SELECT key FROM experience_band JOIN experience USING (key)
    WHERE band = ? AND deleted_at IS NULL ORDER BY key DESC LIMIT ?";

const TEXTS: &str = "SELECT id, experience_text.* FROM experience_text JOIN experience USING (key) WHERE key = ?";

/// The one that is most alike, if one is alike enough.
pub(super) fn find(connection: &Connection, content: &NewExperience) -> Outcome<Option<Twin>> {
    let text = content.text();
    let mut keys = BTreeSet::new();
    for band in duplicates::band_keys(&text) {
        let mut statement = connection.prepare_cached(CANDIDATES)?;
        for key in statement.query_map((band, COMPARED), |row| row.get::<_, u64>(0))? {
            keys.insert(key?);
        }
    }
    let mut candidates = Vec::new();
    for key in keys {
        let mut statement = connection.prepare_cached(TEXTS)?;
        let mut rows = statement.query([key])?;
        let Some(row) = rows.next()? else { continue };
        let candidate = row::content(row)?;
        let text = candidate.text();
        candidates.push((Twin { id: rows::uuid(row, "id")?.into(), title: candidate.title }, text));
    }
    let compared = candidates.iter().map(|(twin, text)| (twin, text.as_str()));
    Ok(duplicates::twin(&text, compared).cloned())
}

/// The bands by which a record is found, with its key.
pub(super) fn places(key: u64, content: &NewExperience) -> Vec<(i64, u64)> {
    duplicates::band_keys(&content.text()).into_iter().map(|band| (band, key)).collect()
}

/// Makes records known to [`find`]. In the order of bands, so that many at once touch each page of the table once.
pub(super) fn add(connection: &Connection, places: &mut [(i64, u64)]) -> Outcome<()> {
    places.sort_unstable();
    let sql = "INSERT OR IGNORE INTO experience_band (band, key) VALUES (?, ?)";
    let mut insert = connection.prepare_cached(sql)?;
    for place in places {
        insert.execute(*place)?;
    }
    Ok(())
}

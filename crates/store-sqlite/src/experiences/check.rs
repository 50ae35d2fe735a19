//! Do the experiences and their index belong together?

use rusqlite::Connection;

use crate::job::Outcome;

/// What is wrong, one line each.
pub(crate) fn problems(connection: &Connection) -> Outcome<Vec<String>> {
    let mut found = Vec::new();
    for sql in CHECKS {
        let mut statement = connection.prepare(sql)?;
        found.extend(statement.query_map((), |row| row.get(0))?.collect::<rusqlite::Result<Vec<String>>>()?);
    }
    Ok(found)
}

const CHECKS: &[&str] = &[
    "SELECT 'experience ' || key || ' has no text' FROM experience WHERE key NOT IN (SELECT key FROM experience_text)",
    "SELECT 'there are ' || count(*) || ' experiences, but the index counts ' || experiences
     FROM experience, experience_totals HAVING count(*) <> experiences",
    "SELECT 'the index holds the words of ' || held || ' of ' || experiences || ' experiences' FROM experience_totals, (
         SELECT 16384 * (SELECT count(*) FROM experience_postings WHERE key & 281474976710655 = 0)
              + 256 * (SELECT count(*) FROM experience_block) + (SELECT count(*) FROM experience_terms) AS held
     ) WHERE held <> experiences",
    "SELECT 'block ' || key / 256 || ' has no facts' FROM experience
     WHERE key % 256 = 0 AND key / 256 NOT IN (SELECT block FROM experience_facts)",
];

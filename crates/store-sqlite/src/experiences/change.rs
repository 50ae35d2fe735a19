//! Keeping, deleting and restoring experiences, and with them the index of their words.

use jiff::Timestamp;
use rusqlite::{Connection, named_params};
use store::{Experience, ExperienceId, NewExperience, StoreError, Submitted};

use super::index::{self, DocumentTerms};
use super::row::keywords_column;
use super::{find, twin};
use crate::job::Outcome;

const INSERT: &str = "
    INSERT INTO experience (key, id, created_at, updated_at, deleted_at, query_count)
    VALUES (:key, :id, :created_at, :updated_at, :deleted_at, :query_count)";

const INSERT_TEXT: &str = "
    INSERT INTO experience_text (key, title, problem_description, root_cause, solution, context, keywords)
    VALUES (:key, :title, :problem_description, :root_cause, :solution, :context, :keywords)";

pub(super) fn submit(connection: &Connection, content: NewExperience) -> Outcome<Submitted> {
    let id = ExperienceId::generate();
    let terms = terms(&content);
    let twin = twin::find(connection, &content)?;
    // The column holds microseconds.
    let now = Timestamp::from_microsecond(Timestamp::now().as_microsecond()).unwrap_or_default();
    let new = Experience { id, content, query_count: 0, created_at: now, updated_at: now, deleted_at: None };
    insert(connection, &new, &terms)?;
    Ok(Submitted { id, twin })
}

pub(super) fn import(connection: &Connection, experiences: &[Experience]) -> Outcome<usize> {
    let mut new = 0;
    for experience in experiences {
        if find::key(connection, experience.id)?.is_none() {
            insert(connection, experience, &terms(&experience.content))?;
            new += 1;
        }
    }
    Ok(new)
}

pub(super) fn delete(connection: &Connection, id: ExperienceId) -> Outcome<()> {
    let now = Timestamp::now().as_microsecond();
    let sql = "UPDATE experience SET deleted_at = coalesce(deleted_at, ?2) WHERE id = ?1";
    let changed = connection.prepare_cached(sql)?.execute((id.as_uuid().as_bytes(), now))?;
    found(changed, id)
}

pub(super) fn restore(connection: &Connection, id: ExperienceId) -> Outcome<()> {
    let sql = "UPDATE experience SET deleted_at = NULL WHERE id = ?";
    let changed = connection.prepare_cached(sql)?.execute([id.as_uuid().as_bytes()])?;
    found(changed, id)
}

fn terms(content: &NewExperience) -> DocumentTerms {
    DocumentTerms::of(&content.title, &content.keywords, content.long_texts())
}

fn found(changed: usize, id: ExperienceId) -> Outcome<()> {
    if changed == 0 { Err(StoreError::not_found("experience", id).into()) } else { Ok(()) }
}

fn insert(connection: &Connection, experience: &Experience, terms: &DocumentTerms) -> Outcome<()> {
    let Experience { id, content, query_count, created_at, updated_at, deleted_at } = experience;
    let key = index::next_key(connection)?;
    connection.prepare_cached(INSERT)?.execute(named_params! {
        ":key": key,
        ":id": id.as_uuid().as_bytes(),
        ":created_at": created_at.as_microsecond(),
        ":updated_at": updated_at.as_microsecond(),
        ":deleted_at": deleted_at.map(Timestamp::as_microsecond),
        ":query_count": query_count,
    })?;
    connection.prepare_cached(INSERT_TEXT)?.execute(named_params! {
        ":key": key,
        ":title": content.title,
        ":problem_description": content.problem_description,
        ":root_cause": content.root_cause,
        ":solution": content.solution,
        ":context": content.context,
        ":keywords": keywords_column(&content.keywords),
    })?;
    index::facts::add(connection, key, created_at.as_microsecond(), *query_count)?;
    twin::add(connection, key, content)?;
    index::add(connection, key, terms)
}

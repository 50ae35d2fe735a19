//! Keeping, deleting and restoring experiences, and with them the index of their words.

use experience::vectors::Made;
use jiff::Timestamp;
use rusqlite::{Connection, named_params};
use store::{Experience, ExperienceId, NewExperience, StoreError, Submitted};

use super::index::facts::Facts;
use super::index::{self, DocumentTerms};
use super::row::keywords_column;
use super::vectors;
use super::{find, twin};
use crate::job::Outcome;

const INSERT: &str = "
    INSERT INTO experience (key, id, created_at, updated_at, deleted_at, query_count)
    VALUES (:key, :id, :created_at, :updated_at, :deleted_at, :query_count)";

const INSERT_TEXT: &str = "
    INSERT INTO experience_text (key, title, problem_description, root_cause, solution, context, keywords)
    VALUES (:key, :title, :problem_description, :root_cause, :solution, :context, :keywords)";

pub(super) fn submit(connection: &Connection, content: NewExperience, made: Option<&Made>) -> Outcome<Submitted> {
    let id = ExperienceId::generate();
    let terms = terms(&content);
    let twin = twin::find(connection, &content)?;
    // The column holds microseconds.
    let now = Timestamp::from_microsecond(Timestamp::now().as_microsecond()).unwrap_or_default();
    let new = Experience { id, content, query_count: 0, created_at: now, updated_at: now, deleted_at: None };
    let key = insert(connection, &new, &terms)?;
    twin::add(connection, &mut twin::places(key, &new.content))?;
    add_vectors(connection, made, &[(0, key)])?;
    Ok(Submitted { id, twin })
}

pub(super) fn import(connection: &Connection, experiences: &[Experience], made: Option<&Made>) -> Outcome<usize> {
    let (mut new, mut twins) = (Vec::new(), Vec::new());
    for (at, experience) in experiences.iter().enumerate() {
        if find::key(connection, experience.id)?.is_none() {
            let key = insert(connection, experience, &terms(&experience.content))?;
            twins.extend(twin::places(key, &experience.content));
            new.push((at, key));
        }
    }
    twin::add(connection, &mut twins)?;
    add_vectors(connection, made, &new)?;
    Ok(new.len())
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

/// Keeps the vectors at these places under these keys.
fn add_vectors(connection: &Connection, made: Option<&Made>, new: &[(usize, u64)]) -> Outcome<()> {
    let Some(made) = made else { return Ok(()) };
    let kept: Vec<_> = new.iter().filter_map(|(at, key)| Some((*key, made.vectors.get(*at)?))).collect();
    vectors::add(connection, &made.fingerprint, &kept)
}

fn terms(content: &NewExperience) -> DocumentTerms {
    DocumentTerms::of(&content.title, &content.keywords, content.long_texts())
}

fn found(changed: usize, id: ExperienceId) -> Outcome<()> {
    if changed == 0 { Err(StoreError::not_found("experience", id).into()) } else { Ok(()) }
}

/// The key under which it is kept now.
fn insert(connection: &Connection, experience: &Experience, terms: &DocumentTerms) -> Outcome<u64> {
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
    let facts = Facts::new(created_at.as_microsecond(), *query_count);
    index::add(connection, key, facts, terms)?;
    Ok(key)
}

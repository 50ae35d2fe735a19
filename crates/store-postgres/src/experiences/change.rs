//! Keeping, deleting and restoring experiences, and with them the index of their words.

use deadpool_postgres::Client;
use experience::index::DocumentTerms;
use jiff::Timestamp;
use search::embed::Vector;
use store::{ExperienceId, NewExperience, StoreError, Submitted};
use tokio_postgres::types::ToSql;

use super::vectors::{Table, written};
use super::{SECTION, signed, twin, unsigned};
use crate::error::Outcome;
use crate::text::storable;

/// One statement, so that the row that every writer locks is held for no round trip.
const INSERT: &str = "
    WITH place AS (
        UPDATE experience_totals SET experiences = experiences + 1, length = length + $10
        RETURNING experiences - 1 AS key, sections
    ), kept AS (
        INSERT INTO experience (key, id, created_at, updated_at, query_count) SELECT key, $1, $2, $2, 0 FROM place
    ), texts AS (
        INSERT INTO experience_text (key, title, problem_description, root_cause, solution, context, keywords)
        SELECT key, $4, $5, $6, $7, $8, $9 FROM place
    ), recent AS (
        INSERT INTO experience_recent (key, created_at, terms) SELECT key, $3, $11 FROM place
    ), bands AS (
        INSERT INTO experience_band (band, key) SELECT band, key FROM place, unnest($12::bigint[]) AS band
    )
    SELECT key, sections FROM place";

/// The same with a vector of this type.
fn insert_with_vector(kind: &str) -> String {
    let vector = format!(
        "), meaning AS (
            INSERT INTO experience_vector (embedder, key, vector) SELECT $13, key, $14::text::{kind} FROM place
        )
        SELECT"
    );
    let (head, tail) = INSERT.rsplit_once(")\n    SELECT").expect("the statement ends with a question");
    format!("{head}{vector}{tail}")
}

/// Also says whether there are enough new ones for a section.
pub(super) async fn submit(
    client: &Client,
    content: NewExperience,
    meaning: Option<(Table, &[Vector])>,
) -> Outcome<(Submitted, bool)> {
    check(&content)?;
    let id = ExperienceId::generate();
    let terms = terms(&content);
    let text = content.text();
    let bands = twin::bands(&text);
    let twin = twin::find(client, &text, &bands).await?;
    let now = Timestamp::now();
    let NewExperience { title, problem_description, root_cause, solution, context, keywords } = &content;
    let (created_at, length, encoded) = (now.as_microsecond(), signed(terms.length), terms.encode());
    let mut given: Vec<&(dyn ToSql + Sync)> = vec![id.as_uuid(), &now, &created_at, title, problem_description];
    given.extend([root_cause as &(dyn ToSql + Sync), solution, context, keywords, &length, &encoded, &bands]);
    let vector = meaning.as_ref().and_then(|(table, vectors)| Some((table, written(vectors.first()?))));
    let insert = match &vector {
        Some((table, vector)) => {
            given.extend([&table.embedder as &(dyn ToSql + Sync), vector]);
            client.prepare_cached(&insert_with_vector(&table.kind())).await?
        }
        None => client.prepare_cached(INSERT).await?,
    };
    let place = client.query_one(&insert, &given).await?;
    let (key, sections) = (unsigned(place.try_get(0)?), unsigned(place.try_get(1)?));
    Ok((Submitted { id, twin }, key + 1 >= (sections + 1) * SECTION))
}

pub(super) async fn delete(client: &Client, id: ExperienceId) -> Outcome<()> {
    let sql = "UPDATE experience SET deleted_at = coalesce(deleted_at, $2) WHERE id = $1";
    let update = client.prepare_cached(sql).await?;
    found(client.execute(&update, &[id.as_uuid(), &Timestamp::now()]).await?, id)
}

pub(super) async fn restore(client: &Client, id: ExperienceId) -> Outcome<()> {
    let update = client.prepare_cached("UPDATE experience SET deleted_at = NULL WHERE id = $1").await?;
    found(client.execute(&update, &[id.as_uuid()]).await?, id)
}

fn found(changed: u64, id: ExperienceId) -> Outcome<()> {
    if changed == 0 { Err(StoreError::not_found("experience", id).into()) } else { Ok(()) }
}

pub(super) fn terms(content: &NewExperience) -> DocumentTerms {
    DocumentTerms::of(&content.title, &content.keywords, content.long_texts())
}

pub(super) fn check(content: &NewExperience) -> Outcome<()> {
    Ok(storable(content.texts().chain(content.keywords.iter().map(String::as_str)))?)
}

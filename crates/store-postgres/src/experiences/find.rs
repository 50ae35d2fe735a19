//! Finding experiences by id, by key and by age.

use std::collections::HashMap;

use deadpool_postgres::Client;
use jiff::Timestamp;
use store::{Experience, ExperienceId, ExperiencePage, StoreError};
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use super::row::{self, COLUMNS};
use super::{signed, unsigned};
use crate::error::Outcome;
use crate::text::sql_limit;

pub(super) async fn get(client: &Client, id: ExperienceId) -> Outcome<Experience> {
    let sql = format!("SELECT {COLUMNS} FROM experience JOIN experience_text USING (key) WHERE experience.id = $1");
    let found = experiences(client, &sql, &[id.as_uuid()]).await?.pop();
    Ok(found.ok_or_else(|| StoreError::not_found("experience", id))?)
}

/// The experiences with these keys.
pub(super) async fn by_keys(client: &Client, keys: &[u64]) -> Outcome<HashMap<u64, Experience>> {
    let keys: Vec<i64> = keys.iter().map(|key| signed(*key)).collect();
    let sql = format!("SELECT {COLUMNS} FROM experience JOIN experience_text USING (key) WHERE key = ANY($1)");
    let select = client.prepare_cached(&sql).await?;
    let rows = client.query(&select, &[&keys]).await?;
    rows.iter().map(|row| Ok((unsigned(row.try_get("key")?), row::experience(row)?))).collect()
}

/// The ids of the experiences with these keys.
pub(super) async fn ids(client: &Client, keys: &[u64]) -> Outcome<HashMap<u64, ExperienceId>> {
    let keys: Vec<i64> = keys.iter().map(|key| signed(*key)).collect();
    let select = client.prepare_cached("SELECT key, id FROM experience WHERE key = ANY($1)").await?;
    let rows = client.query(&select, &[&keys]).await?;
    rows.iter().map(|row| Ok((unsigned(row.try_get(0)?), row.try_get::<_, Uuid>(1)?.into()))).collect()
}

/// The limit is part of the statement, and texts are joined to no more than that: a plan for any limit sorts them all.
pub(super) async fn newest(client: &Client, page: ExperiencePage) -> Outcome<Vec<Experience>> {
    let ExperiencePage { limit, after, deleted } = page;
    let state = if deleted { "NOT NULL" } else { "NULL" };
    let condition = if after.is_some() { "AND (created_at, id) < ($1, $2)" } else { "" };
    let sql = format!(
        "SELECT {COLUMNS} FROM (
             SELECT * FROM experience WHERE deleted_at IS {state} {condition}
             ORDER BY created_at DESC, id DESC LIMIT {}
         ) AS experience JOIN experience_text USING (key) ORDER BY created_at DESC, experience.id DESC",
        sql_limit(limit)
    );
    let rows = match after {
        Some(after) => client.query(&sql, &[&created_at(client, after).await?, after.as_uuid()]).await?,
        None => client.query(&sql, &[]).await?,
    };
    rows.iter().map(row::experience).collect()
}

pub(super) async fn in_order(client: &Client, after: Option<ExperienceId>, limit: usize) -> Outcome<Vec<Experience>> {
    let select = |condition: &str, limit: &str| {
        format!(
            "SELECT {COLUMNS} FROM experience JOIN experience_text USING (key) {condition}
             ORDER BY experience.id LIMIT {limit}"
        )
    };
    match after {
        None => experiences(client, &select("", "$1"), &[&sql_limit(limit)]).await,
        Some(after) => {
            let sql = select("WHERE experience.id > $1", "$2");
            experiences(client, &sql, &[after.as_uuid(), &sql_limit(limit)]).await
        }
    }
}

pub(super) async fn size(client: &Client) -> Outcome<u64> {
    Ok(unsigned(client.query_one("SELECT count(*) FROM experience", &[]).await?.try_get(0)?))
}

async fn created_at(client: &Client, id: ExperienceId) -> Outcome<Timestamp> {
    let select = client.prepare_cached("SELECT created_at FROM experience WHERE id = $1").await?;
    let found = client.query_opt(&select, &[id.as_uuid()]).await?;
    Ok(found.ok_or_else(|| StoreError::not_found("experience", id))?.try_get(0)?)
}

async fn experiences(client: &Client, sql: &str, parameters: &[&(dyn ToSql + Sync)]) -> Outcome<Vec<Experience>> {
    let select = client.prepare_cached(sql).await?;
    let rows = client.query(&select, parameters).await?;
    rows.iter().map(row::experience).collect()
}

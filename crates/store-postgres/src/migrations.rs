//! Making our tables, and bringing them up to date.
//!
//! Many processes start at once: whoever comes first does it in one transaction, the others wait for the lock and find it done.

use deadpool_postgres::Client;
use store::{ErrorKind, StoreError};

use crate::address::Address;
use crate::error::Failure;

/// In order; the number of one is its place from 1. Never changed once released.
const MIGRATIONS: &[&str] = &[
    include_str!("../migrations/0001_documents.sql"),
    include_str!("../migrations/0002_experiences.sql"),
    include_str!("../migrations/0003_knowledge.sql"),
];

/// The first half of every lock of ours (`TMpg`); the second is made of the schema.
pub(crate) const LOCK_CLASS: i32 = 0x544D_7067;

/// Which migrations the schema has seen. The search path is the schema.
const VERSION: &str = "SELECT coalesce(max(version), 0)::int8 FROM migration";

const TABLE: &str = "
    CREATE TABLE IF NOT EXISTS migration (version bigint PRIMARY KEY, made_at timestamptz NOT NULL DEFAULT now())";

/// Leaves the schema as this version of Trailmark needs it.
pub(crate) async fn bring_up_to_date(client: &mut Client, address: &Address) -> Result<(), Failure> {
    let schema = address.schema();
    let exists = "SELECT to_regclass(format('%I.migration', $1::text)) IS NOT NULL";
    let exists: bool = client.query_one(exists, &[&schema]).await?.try_get(0)?;
    if exists && done(client.query_one(VERSION, &[]).await?.try_get(0)?, address)? {
        return Ok(());
    }
    let transaction = client.transaction().await?;
    transaction.execute("SELECT pg_advisory_xact_lock($1, hashtext($2))", &[&LOCK_CLASS, &schema]).await?;
    // Whoever may not make a schema may still be given one.
    let missing = "SELECT to_regnamespace($1) IS NULL";
    if transaction.query_one(missing, &[&schema]).await?.try_get(0)? {
        transaction.batch_execute(&format!("CREATE SCHEMA {schema}")).await?;
    }
    transaction.batch_execute(TABLE).await?;
    let version: i64 = transaction.query_one(VERSION, &[]).await?.try_get(0)?;
    if !done(version, address)? {
        for (number, migration) in (1_i64..).zip(MIGRATIONS).skip_while(|(number, _)| *number <= version) {
            transaction.batch_execute(migration).await?;
            transaction.execute("INSERT INTO migration (version) VALUES ($1)", &[&number]).await?;
        }
    }
    transaction.commit().await?;
    Ok(())
}

fn done(version: i64, address: &Address) -> Result<bool, StoreError> {
    let known = i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX);
    if version > known {
        let message = format!(
            "the tables at {address} were made by a newer Trailmark: their format is {version}, this program knows up to {known}"
        );
        return Err(StoreError::new(ErrorKind::Unsupported, message)
            .with_hint("update Trailmark, or name another schema in the address (`?schema=NAME`)"));
    }
    Ok(version == known)
}

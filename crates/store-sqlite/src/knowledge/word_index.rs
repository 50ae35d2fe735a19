//! By which words is a node found?
//!
//! Most words are in many names, so a word is kept once and knows its nodes. Words of one family have the same keys
//! (`search::fuzzy`), which are kept with the family. A word that no node has any more is forgotten, and a family without words
//! with its keys.

use rusqlite::{Connection, OptionalExtension as _, Row};
use search::fuzzy::{family, word_keys, words};
use store::NodeId;
use store::knowledge::Properties;

use crate::job::Outcome;

/// Makes the node known under its names.
pub(super) fn add(connection: &Connection, key: i64, id: NodeId, label: i64, properties: &Properties) -> Outcome<()> {
    let names: Vec<&str> = properties.names().collect();
    if names.is_empty() {
        return Ok(());
    }
    let column = serde_json::Value::from(names.as_slice()).to_string();
    connection
        .prepare_cached("INSERT INTO knowledge_named (node, id, label, names) VALUES (?, ?, ?, ?)")?
        .execute((key, id.as_uuid().as_bytes(), label, column))?;
    for word in words(names) {
        let word = count_up(connection, &word)?;
        connection
            .prepare_cached("INSERT INTO knowledge_word_node (word, node) VALUES (?, ?)")?
            .execute((word, key))?;
    }
    Ok(())
}

/// Forgets it under its names.
pub(super) fn remove(connection: &Connection, key: i64, properties: &Properties) -> Outcome<()> {
    if properties.names().next().is_none() {
        return Ok(());
    }
    connection.prepare_cached("DELETE FROM knowledge_named WHERE node = ?")?.execute([key])?;
    for text in words(properties.names()) {
        let Some(word) = known(connection, &text)? else { continue };
        connection
            .prepare_cached("DELETE FROM knowledge_word_node WHERE word = ? AND node = ?")?
            .execute((word.key, key))?;
        if word.nodes > 1 {
            connection
                .prepare_cached("UPDATE knowledge_word SET nodes = nodes - 1 WHERE key = ?")?
                .execute([word.key])?;
            continue;
        }
        connection.prepare_cached("DELETE FROM knowledge_word WHERE key = ?")?.execute([word.key])?;
        if let Some(family) = word.family {
            leave_family(connection, family, &text)?;
        }
    }
    Ok(())
}

struct Word {
    key: i64,
    nodes: u64,
    family: Option<i64>,
}

/// Counts one more node for the word, which is made if it is new.
fn count_up(connection: &Connection, text: &str) -> Outcome<i64> {
    if let Some(Word { key, .. }) = known(connection, text)? {
        connection.prepare_cached("UPDATE knowledge_word SET nodes = nodes + 1 WHERE key = ?")?.execute([key])?;
        return Ok(key);
    }
    let family = family(text).map(|family| join_family(connection, &family, text)).transpose()?;
    connection
        .prepare_cached("INSERT INTO knowledge_word (word, nodes, family) VALUES (?, 1, ?)")?
        .execute((text, family))?;
    Ok(connection.last_insert_rowid())
}

fn known(connection: &Connection, text: &str) -> Outcome<Option<Word>> {
    let mut statement = connection.prepare_cached("SELECT key, nodes, family FROM knowledge_word WHERE word = ?")?;
    let read = |row: &Row<'_>| Ok(Word { key: row.get(0)?, nodes: row.get(1)?, family: row.get(2)? });
    Ok(statement.query_row([text], read).optional()?)
}

/// Counts one more word for the family, which is made with its keys if it is new.
fn join_family(connection: &Connection, family: &str, word: &str) -> Outcome<i64> {
    let mut statement = connection.prepare_cached("SELECT key FROM knowledge_family WHERE family = ?")?;
    if let Some(known) = statement.query_row([family], |row| row.get(0)).optional()? {
        connection.prepare_cached("UPDATE knowledge_family SET words = words + 1 WHERE key = ?")?.execute([known])?;
        return Ok(known);
    }
    connection.prepare_cached("INSERT INTO knowledge_family (family, words) VALUES (?, 1)")?.execute([family])?;
    let made = connection.last_insert_rowid();
    let mut statement = connection.prepare_cached("INSERT INTO knowledge_family_key (hash, family) VALUES (?, ?)")?;
    for hash in word_keys(word) {
        statement.execute((hash.cast_signed(), made))?;
    }
    Ok(made)
}

fn leave_family(connection: &Connection, family: i64, word: &str) -> Outcome<()> {
    connection.prepare_cached("UPDATE knowledge_family SET words = words - 1 WHERE key = ?")?.execute([family])?;
    let mut empty = connection.prepare_cached("DELETE FROM knowledge_family WHERE key = ? AND words = 0")?;
    if empty.execute([family])? == 0 {
        return Ok(());
    }
    let mut statement = connection.prepare_cached("DELETE FROM knowledge_family_key WHERE hash = ? AND family = ?")?;
    for hash in word_keys(word) {
        statement.execute((hash.cast_signed(), family))?;
    }
    Ok(())
}

//! By which words is a node found?
//!
//! Most words are in many names, so the keys of a word (`search::fuzzy::word_keys`) are kept with the word, once, and the word
//! knows its nodes. A word that no node has any more is forgotten with its keys.

use rusqlite::{Connection, OptionalExtension as _};
use search::fuzzy::{word_keys, words};
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
        let Some((word, nodes)) = known(connection, &text)? else { continue };
        connection
            .prepare_cached("DELETE FROM knowledge_word_node WHERE word = ? AND node = ?")?
            .execute((word, key))?;
        if nodes > 1 {
            connection.prepare_cached("UPDATE knowledge_word SET nodes = nodes - 1 WHERE key = ?")?.execute([word])?;
            continue;
        }
        connection.prepare_cached("DELETE FROM knowledge_word WHERE key = ?")?.execute([word])?;
        let mut statement = connection.prepare_cached("DELETE FROM knowledge_word_key WHERE hash = ? AND word = ?")?;
        for hash in word_keys(&text) {
            statement.execute((hash.cast_signed(), word))?;
        }
    }
    Ok(())
}

/// Counts one more node for the word, which is made with its keys if it is new.
fn count_up(connection: &Connection, text: &str) -> Outcome<i64> {
    if let Some((word, _)) = known(connection, text)? {
        connection.prepare_cached("UPDATE knowledge_word SET nodes = nodes + 1 WHERE key = ?")?.execute([word])?;
        return Ok(word);
    }
    connection.prepare_cached("INSERT INTO knowledge_word (word, nodes) VALUES (?, 1)")?.execute([text])?;
    let word = connection.last_insert_rowid();
    let mut statement = connection.prepare_cached("INSERT INTO knowledge_word_key (hash, word) VALUES (?, ?)")?;
    for hash in word_keys(text) {
        statement.execute((hash.cast_signed(), word))?;
    }
    Ok(word)
}

fn known(connection: &Connection, text: &str) -> Outcome<Option<(i64, u64)>> {
    let mut statement = connection.prepare_cached("SELECT key, nodes FROM knowledge_word WHERE word = ?")?;
    Ok(statement.query_row([text], |row| Ok((row.get(0)?, row.get(1)?))).optional()?)
}

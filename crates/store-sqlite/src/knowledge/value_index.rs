//! By which values is a node found?

use rusqlite::Connection;
use store::NodeId;
use store::knowledge::{Name, Properties, Value};

use crate::job::Outcome;

/// Makes a node with this label and these values known under them.
pub(super) fn add(connection: &Connection, id: NodeId, label: &Name, properties: &Properties) -> Outcome<()> {
    let mut statement = connection.prepare_cached("INSERT OR IGNORE INTO knowledge_value (hash, id) VALUES (?, ?)")?;
    for (property, value) in properties.iter() {
        statement.execute((hash(label, property, value), id.as_uuid().as_bytes()))?;
    }
    Ok(())
}

/// Forgets it under these values.
pub(super) fn remove(connection: &Connection, id: NodeId, label: &Name, properties: &Properties) -> Outcome<()> {
    let mut statement = connection.prepare_cached("DELETE FROM knowledge_value WHERE hash = ? AND id = ?")?;
    for (property, value) in properties.iter() {
        statement.execute((hash(label, property, value), id.as_uuid().as_bytes()))?;
    }
    Ok(())
}

/// FNV-1a: kept on disk, so it may never change.
pub(super) fn hash(label: &Name, property: &Name, value: &Value) -> i64 {
    const START: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;
    let key = value.key();
    // No name holds a blank.
    let bytes = [label.as_str(), " ", property.as_str(), " ", &key].into_iter().flat_map(str::bytes);
    let hash = bytes.fold(START, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME));
    hash.cast_signed()
}

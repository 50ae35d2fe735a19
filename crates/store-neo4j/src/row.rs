//! Nodes and relationships as the server keeps them.

use std::collections::BTreeMap;

use jiff::Timestamp;
use neo4rs::{BoltMap, BoltType, Row};
use search::fuzzy;
use store::StoreError;
use store::knowledge::{Name, Node, Properties, Relationship, Value};

use crate::failure::{Outcome, unreadable};
use crate::value;

/// What is returned of a node `n`, and read by [`node`].
pub(crate) const NODE_COLUMNS: &str = "properties(n) AS properties";
/// What is returned of a relationship `r` from `a` to `b`, and read by [`relationship`].
pub(crate) const RELATIONSHIP_COLUMNS: &str =
    "properties(r) AS properties, type(r) AS kind, a._id AS from_id, b._id AS to_id";

/// All properties of a new node.
pub(crate) fn of_node(node: &Node) -> BoltMap {
    let keys = ("_keys".to_owned(), keys(&node.properties));
    let label = ("_label".to_owned(), node.label.as_str().into());
    let own = own(node.id.to_string(), node.created_at, node.updated_at);
    value::map(own.into_iter().chain([label, keys]).chain(given(&node.properties)))
}

/// All properties of a new relationship.
pub(crate) fn of_relationship(relationship: &Relationship) -> BoltMap {
    let Relationship { id, created_at, updated_at, properties, .. } = relationship;
    value::map(own(id.to_string(), *created_at, *updated_at).into_iter().chain(given(properties)))
}

/// What must be set so that `before` becomes `after`: nothing is said of what is not ours.
pub(crate) fn changes(before: &Properties, after: &Properties, updated_at: Timestamp) -> BoltMap {
    let null = || BoltType::Null(neo4rs::BoltNull);
    let gone = before.iter().filter(|(name, _)| after.get(name.as_str()).is_none());
    let gone = gone.map(|(name, _)| (name.to_string(), null()));
    let time = ("_updated_at".to_owned(), updated_at.as_microsecond().into());
    value::map(gone.chain(given(after)).chain([time]))
}

/// Words by which a node is found, with blanks around each: one for each key of its names and one for each value.
pub(crate) fn keys(properties: &Properties) -> BoltType {
    let names = fuzzy::keys(properties.names()).into_iter().map(name_word);
    let values = properties.iter().map(|(name, value)| value_word(name, value));
    names.chain(values).fold(" ".to_owned(), |all, word| all + &word + " ").into()
}

/// A key of a name as one word in any full-text index.
pub(crate) fn name_word(key: u64) -> String {
    format!("k{key:016x}")
}

/// A property with a value as such a word. Equal values have equal words; few others do.
pub(crate) fn value_word(name: &Name, value: &Value) -> String {
    const BEGIN: u64 = 0xcbf2_9ce4_8422_2325;
    const FACTOR: u64 = 0x0100_0000_01b3;
    let text = format!("{name} {}", value.key());
    let hash = text.bytes().fold(BEGIN, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(FACTOR));
    format!("v{hash:016x}")
}

pub(crate) fn node(row: &Row) -> Outcome<Node> {
    let map: BoltMap = row.get("properties")?;
    let label: String = map.get("_label")?;
    Ok(Node {
        id: id(&map)?,
        label: Name::parse(&label)?,
        created_at: time(&map, "_created_at")?,
        updated_at: time(&map, "_updated_at")?,
        properties: properties(&map)?,
    })
}

pub(crate) fn relationship(row: &Row) -> Outcome<Relationship> {
    let map: BoltMap = row.get("properties")?;
    let end = |column: &str| -> Outcome<_> { Ok(row.get::<String>(column)?.parse().map_err(unreadable)?) };
    Ok(Relationship {
        id: id(&map)?,
        from: end("from_id")?,
        to: end("to_id")?,
        kind: Name::parse(&row.get::<String>("kind")?)?,
        created_at: time(&map, "_created_at")?,
        updated_at: time(&map, "_updated_at")?,
        properties: properties(&map)?,
    })
}

/// Those that are ours, and those that somebody else added and that could be ours.
pub(crate) fn properties(map: &BoltMap) -> Result<Properties, StoreError> {
    let values: BTreeMap<Name, _> = map
        .value
        .iter()
        .filter_map(|(key, value)| Some((Name::parse(&key.value).ok()?, value::from_bolt(value)?)))
        .collect();
    Properties::new(values).map_err(unreadable)
}

fn own(id: String, created_at: Timestamp, updated_at: Timestamp) -> [(String, BoltType); 3] {
    [
        ("_id".to_owned(), id.into()),
        ("_created_at".to_owned(), created_at.as_microsecond().into()),
        ("_updated_at".to_owned(), updated_at.as_microsecond().into()),
    ]
}

fn given(properties: &Properties) -> impl Iterator<Item = (String, BoltType)> {
    properties.iter().map(|(name, value)| (name.to_string(), value::to_bolt(value)))
}

fn id<T: std::str::FromStr<Err = StoreError>>(map: &BoltMap) -> Outcome<T> {
    Ok(map.get::<String>("_id")?.parse().map_err(unreadable)?)
}

fn time(map: &BoltMap, key: &str) -> Outcome<Timestamp> {
    Ok(Timestamp::from_microsecond(map.get::<i64>(key)?).map_err(unreadable)?)
}

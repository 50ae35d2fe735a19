//! How far an import has come, kept as a node on the server itself: it goes wherever the data goes.

use neo4rs::{Query, Row};

use crate::connection::Connection;
use crate::{Error, Import};

/// What rows look like. An import that another form began is not gone on with.
const FORM: i64 = 2;

const READ: &str = "MATCH (m:TrailmarkImport {id: $project}) RETURN m.form AS form, m.epoch AS epoch, m.nodes AS nodes, \
                    m.relationships AS relationships, m.complete AS complete";
const LIST: &str = "MATCH (m:TrailmarkImport) RETURN m.id AS id, m.form AS form, m.epoch AS epoch, m.complete AS complete \
                    ORDER BY id";
const WRITE: &str = "MERGE (m:TrailmarkImport {id: $project}) SET m.form = $form, m.epoch = $epoch, m.nodes = $nodes, \
                     m.relationships = $relationships, m.complete = $complete";

/// The number of nodes and of relationships that are on the server, in the order in which they are put.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) nodes: u64,
    pub(crate) relationships: u64,
    pub(crate) is_complete: bool,
}

/// Where an import of this state of the project stands; the beginning where none was begun, or one of another state.
pub(crate) async fn read(connection: &Connection, import: &Import) -> Result<Position, Error> {
    let row = connection.row(find(&import.project)).await?;
    Ok(row.and_then(|row| position(&row, import)).unwrap_or_default())
}

/// Asks for the note on this project.
pub(crate) fn find(project: &str) -> Query {
    Query::new(READ.to_owned()).param("project", project)
}

/// Asks for the notes on all projects.
pub(crate) fn list() -> Query {
    Query::new(LIST.to_owned())
}

/// The state of the project whose note this is, if the server holds all of it.
pub(crate) fn whole(row: &Row) -> Option<u64> {
    let is_whole = row.get::<i64>("form").ok()? == FORM && row.get::<bool>("complete").ok()?;
    u64::try_from(row.get::<i64>("epoch").ok()?).ok().filter(|_| is_whole)
}

/// The statement that notes a position; it goes into the same transaction as what it tells of.
pub(crate) fn write(import: &Import, position: Position) -> Query {
    Query::new(WRITE.to_owned())
        .param("project", import.project.as_str())
        .param("form", FORM)
        .param("epoch", number(import.epoch))
        .param("nodes", number(position.nodes))
        .param("relationships", number(position.relationships))
        .param("complete", position.is_complete)
}

fn position(row: &Row, import: &Import) -> Option<Position> {
    let read = |key: &str| row.get::<i64>(key).ok();
    if read("form")? != FORM || read("epoch")? != number(import.epoch) {
        return None;
    }
    let count = |key: &str| u64::try_from(read(key)?).ok();
    let is_complete = row.get::<bool>("complete").ok()?;
    Some(Position { nodes: count("nodes")?, relationships: count("relationships")?, is_complete })
}

/// A number as Bolt has it.
pub(crate) fn number(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

//! Reading a graph: files, nodes by name, everything in order.

use graph::{Edge, Label, Node, Relation};
use rusqlite::{Connection, Params, named_params};
use store::{FileRecord, FoundNode};

use super::row::{self, edge_columns, node_columns};
use crate::job::Outcome;
use crate::rows::sql_limit;

const FILES: &str = "SELECT * FROM file ORDER BY path";
const FACTS: &str = "SELECT path, facts FROM file JOIN fact ON fact.file = file.id ORDER BY path";
const NODES: &str = concat!("SELECT ", node_columns!(), " FROM node ORDER BY id");
const EDGES: &str = concat!("SELECT ", edge_columns!(), " FROM edge ORDER BY src, type, dst, line");

const QUALIFIED: &str = concat!(
    "SELECT ",
    node_columns!(),
    ", file.path FROM node LEFT JOIN file ON file.id = node.file
     WHERE qualified_name = :name AND label NOT IN (:project, :folder, :file, :external)
     ORDER BY label, node.id LIMIT :limit"
);

const NAMED: &str = concat!(
    "SELECT ",
    node_columns!(),
    ", file.path FROM node LEFT JOIN file ON file.id = node.file
     WHERE name = :name AND label NOT IN (:project, :folder, :file, :external)
     ORDER BY qualified_name, node.id LIMIT :limit"
);

pub(super) fn files(connection: &Connection) -> Outcome<Vec<FileRecord>> {
    let mut files = Vec::new();
    for_each(connection, FILES, (), |row| {
        files.push(row::file(row)?);
        Ok(true)
    })?;
    Ok(files)
}

pub(super) fn facts(connection: &Connection, each: &mut dyn FnMut(&str, &[u8])) -> Outcome<()> {
    for_each(connection, FACTS, (), |row| {
        let path = row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?;
        each(path, row.get_ref(1)?.as_blob().map_err(rusqlite::Error::from)?);
        Ok(true)
    })
}

pub(super) fn qualified(connection: &Connection, name: &str) -> Outcome<Vec<FoundNode>> {
    found(connection, QUALIFIED, name, usize::MAX)
}

pub(super) fn named(connection: &Connection, name: &str, limit: usize) -> Outcome<Vec<FoundNode>> {
    found(connection, NAMED, name, limit)
}

pub(super) fn nodes(connection: &Connection, each: &mut dyn FnMut(&Node) -> bool) -> Outcome<()> {
    for_each(connection, NODES, (), |row| Ok(each(&row::node(row)?)))
}

pub(super) fn edges(
    connection: &Connection,
    relations: &[Relation],
    each: &mut dyn FnMut(&Edge) -> bool,
) -> Outcome<()> {
    for_each(connection, EDGES, (), |row| {
        let edge = row::edge(row)?;
        let is_wanted = relations.is_empty() || relations.contains(&edge.relation);
        Ok(!is_wanted || each(&edge))
    })
}

/// Those that are written in code or hold what is; paths and external packages are found in other ways.
fn found(connection: &Connection, sql: &str, name: &str, limit: usize) -> Outcome<Vec<FoundNode>> {
    let parameters = named_params! {
        ":name": name,
        ":project": Label::Project.code(),
        ":folder": Label::Folder.code(),
        ":file": Label::File.code(),
        ":external": Label::ExternalPackage.code(),
        ":limit": sql_limit(limit),
    };
    let mut found = Vec::new();
    for_each(connection, sql, parameters, |row| {
        found.push(row::found_node(row)?);
        Ok(true)
    })?;
    Ok(found)
}

/// Goes through the rows until the callback answers false.
pub(super) fn for_each(
    connection: &Connection,
    sql: &str,
    parameters: impl Params,
    mut each: impl FnMut(&rusqlite::Row<'_>) -> Outcome<bool>,
) -> Outcome<()> {
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(parameters)?;
    while let Some(row) = rows.next()? {
        if !each(row)? {
            break;
        }
    }
    Ok(())
}

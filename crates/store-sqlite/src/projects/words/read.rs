//! Reading words, and the graph around what they find, in one read transaction.

use std::cell::{Cell, OnceCell};
use std::sync::Arc;

use graph::{Direction, Edge, Label, Node, NodeId};
use rusqlite::{Connection, OptionalExtension as _};
use search::embed::Vector;
use search::file_words::{Weight, word_hash};
use store::{FileClass, FoundNode, Meaning, NearPart, Result, WordFile, WordRead};

use super::blocks::list_of;
use super::write::each;
use super::{Classes, segments};
use crate::job::Outcome;
use crate::projects::find::for_each;
use crate::projects::meaning::{Space, kind};
use crate::projects::project::{Project, Reader};
use crate::projects::row::{self, edge_columns, node_columns};

const BLOCK: &str = "SELECT words FROM word_block WHERE segment = ? AND first <= ? ORDER BY first DESC LIMIT 1";
const FILE: &str = "
    SELECT file.id, path, lines, parts FROM word_file JOIN file ON file.id = word_file.file WHERE number = ?";
const ALL_FILES: &str = "SELECT number FROM word_file JOIN file ON file.id = word_file.file ORDER BY path";
const WITHOUT_VECTORS: &str = "
    SELECT number FROM word_file JOIN file ON file.id = word_file.file
    WHERE number NOT IN (SELECT number FROM word_vector) ORDER BY path";
const DEFINITIONS: &str = concat!("SELECT ", node_columns!(), " FROM node WHERE file = ? ORDER BY start_line, id");
const NODE: &str = concat!(
    "SELECT ",
    node_columns!(),
    ", file.path FROM node LEFT JOIN file ON file.id = node.file WHERE node.id = ?"
);
const OUTGOING: &str = concat!("SELECT ", edge_columns!(), " FROM edge WHERE src = ? ORDER BY src, type, dst, line");
const INCOMING: &str = concat!("SELECT ", edge_columns!(), " FROM edge WHERE dst = ? ORDER BY type, src, line");

/// One unchanging state of a project's words.
#[derive(Debug)]
pub(in crate::projects) struct WordReader<'a> {
    project: &'a Project,
    /// Until it is given back.
    reader: Option<Reader>,
    segments: OnceCell<Vec<u32>>,
    has_failed: Cell<bool>,
}

impl<'a> WordReader<'a> {
    pub(in crate::projects) fn open(project: &'a Project) -> Result<Self> {
        let reader = project.take_reader()?;
        let begun = reader.connection.execute_batch("BEGIN");
        begun.map_err(|error| project.explain(error.into(), reader.identity))?;
        Ok(Self { project, reader: Some(reader), segments: OnceCell::new(), has_failed: Cell::new(false) })
    }

    fn read<T>(&self, work: impl FnOnce(&Connection) -> Outcome<T>) -> Result<T> {
        let reader = self.reader.as_ref().expect("it is given back only when this is dropped");
        work(&reader.connection).map_err(|failure| {
            self.has_failed.set(true);
            self.project.explain(failure, reader.identity)
        })
    }

    fn space(&self) -> Result<Arc<Space>> {
        let reader = self.reader.as_ref().expect("it is given back only when this is dropped");
        self.read(|connection| self.project.space().of(connection, reader.identity))
    }

    fn segments(&self, connection: &Connection) -> Outcome<&[u32]> {
        if let Some(known) = self.segments.get() {
            return Ok(known);
        }
        let read = segments(connection)?;
        Ok(self.segments.get_or_init(|| read))
    }
}

impl Drop for WordReader<'_> {
    fn drop(&mut self) {
        if let Some(reader) = self.reader.take()
            && !self.has_failed.get()
            && reader.connection.execute_batch("COMMIT").is_ok()
        {
            self.project.give_back(reader);
        }
    }
}

impl WordRead for WordReader<'_> {
    fn classes(&self) -> Result<Vec<Option<FileClass>>> {
        self.read(|connection| Ok(Classes::read(connection)?.all()))
    }

    fn files_with(&self, word: &str, files: &mut Vec<(u32, Weight)>) -> Result<()> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(BLOCK)?;
            for segment in self.segments(connection)? {
                let mut rows = statement.query((segment, word))?;
                if let Some(row) = rows.next()? {
                    let bytes = row.get_ref(0)?.as_blob().map_err(rusqlite::Error::from)?;
                    let list = list_of(word, bytes)?.unwrap_or_default();
                    each(list, |number, weight| files.push((number, Weight(weight))))?;
                }
            }
            Ok(())
        })
    }

    fn file(&self, number: u32) -> Result<Option<WordFile>> {
        let file = |row: &rusqlite::Row<'_>| {
            Ok(WordFile { id: NodeId(row.get(0)?), path: row.get(1)?, lines: row.get(2)?, parts: row.get(3)? })
        };
        self.read(|connection| Ok(connection.prepare_cached(FILE)?.query_row([number], file).optional()?))
    }

    fn definitions(&self, file: NodeId) -> Result<Vec<Node>> {
        let mut nodes = Vec::new();
        self.read(|connection| {
            for_each(connection, DEFINITIONS, [file.0], |row| {
                nodes.push(row::node(row)?);
                Ok(true)
            })
        })?;
        nodes.retain(|node| node.label.is_definition() || matches!(node.label, Label::Module | Label::File));
        Ok(nodes)
    }

    fn node(&self, id: NodeId) -> Result<Option<FoundNode>> {
        let mut found = None;
        self.read(|connection| {
            for_each(connection, NODE, [id.0], |row| {
                found = Some(row::found_node(row)?);
                Ok(false)
            })
        })?;
        Ok(found)
    }

    fn edges_of(&self, node: NodeId, direction: Direction) -> Result<Vec<Edge>> {
        let statements: &[&str] = match direction {
            Direction::Outgoing => &[OUTGOING],
            Direction::Incoming => &[INCOMING],
            Direction::Either => &[OUTGOING, INCOMING],
        };
        let mut edges = Vec::new();
        self.read(|connection| {
            statements.iter().try_for_each(|sql| {
                for_each(connection, sql, [node.0], |row| {
                    edges.push(row::edge(row)?);
                    Ok(true)
                })
            })
        })?;
        Ok(edges)
    }

    fn meaning(&self) -> Result<Meaning> {
        Ok(self.space()?.kind().clone())
    }

    fn learned_vector(&self, words: &[(&str, f32)]) -> Result<Option<Vector>> {
        let space = self.space()?;
        let words = words.iter().map(|(word, weight)| (word_hash(word), *weight));
        Ok(space.learned().and_then(|learned| learned.vector_of_weighed(words)))
    }

    fn without_vectors(&self, of: &Meaning) -> Result<Vec<u32>> {
        self.read(|connection| {
            let sql = if kind(connection)? == *of { WITHOUT_VECTORS } else { ALL_FILES };
            let mut statement = connection.prepare_cached(sql)?;
            let numbers = statement.query_map((), |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
            Ok(numbers)
        })
    }

    fn near(&self, to: &Vector, each: &mut dyn FnMut(NearPart)) -> Result<()> {
        self.space()?.near(to, each);
        Ok(())
    }
}

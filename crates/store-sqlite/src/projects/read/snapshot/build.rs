//! Reading a whole graph into memory.

use graph::Label;
use rusqlite::{Connection, Row};
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::adjacency::Adjacency;
use super::texts::Texts;
use super::{NO_PATH, Nodes, Snapshot};
use crate::error;
use crate::job::Outcome;
use crate::projects::read::layout::PATHS;

const FILES: &str = "SELECT id, path FROM file";
const NODES: &str = "SELECT id, label, file, start_line, end_line, name, qualified_name FROM node ORDER BY id";
const EDGES: &str = "SELECT src, type, dst, line, resolution, confidence FROM edge ORDER BY src, type, dst, line";

impl Snapshot {
    /// Everything that the connection sees.
    pub(in super::super) fn build(connection: &Connection) -> Outcome<Self> {
        let nodes = read_nodes(connection)?;
        let edges = read_edges(connection, &nodes)?;
        let outgoing = Adjacency::new(edges.starts, edges.relations, edges.far);
        let (incoming, places) = outgoing.turned();
        Ok(Self {
            nodes,
            outgoing,
            incoming,
            places,
            lines: edges.lines,
            resolutions: edges.resolutions,
            confidences: edges.confidences,
            counts: edges.counts,
        })
    }
}

/// Texts that are equal have one number.
#[derive(Default)]
struct Interned {
    texts: Texts,
    numbers: FxHashMap<Box<str>, u32>,
}

impl Interned {
    fn number(&mut self, text: &str) -> Outcome<u32> {
        if let Some(number) = self.numbers.get(text) {
            return Ok(*number);
        }
        let number = push(&mut self.texts, text)?;
        self.numbers.insert(text.into(), number);
        Ok(number)
    }
}

fn push(texts: &mut Texts, text: &str) -> Outcome<u32> {
    Ok(texts.push(text).ok_or_else(|| error::unreadable("graph", "its names are longer than 4 GiB together"))?)
}

fn read_nodes(connection: &Connection) -> Outcome<Nodes> {
    let (mut nodes, mut names, mut paths) = (Nodes::default(), Interned::default(), Interned::default());
    let files = read_files(connection, &mut paths)?;
    let mut statement = connection.prepare(NODES)?;
    let mut rows = statement.query(())?;
    while let Some(row) = rows.next()? {
        let label: u8 = row.get(1)?;
        Label::from_code(label).ok_or_else(|| error::unreadable("label", label))?;
        let qualified_name = text(row, 6)?;
        push(&mut nodes.qualified_names, qualified_name)?;
        nodes.ids.push(row.get(0)?);
        nodes.labels.push(label);
        nodes.names.push(names.number(text(row, 5)?)?);
        nodes.paths.push(match row.get::<_, Option<i64>>(2)? {
            Some(file) => files.get(&file).copied().unwrap_or(NO_PATH),
            None if PATHS.iter().any(|path| path.code() == label) => paths.number(qualified_name)?,
            None => NO_PATH,
        });
        nodes.start_lines.push(row.get(3)?);
        nodes.end_lines.push(row.get(4)?);
    }
    (nodes.name_texts, nodes.path_texts) = (names.texts, paths.texts);
    nodes.shrink();
    nodes.fill_buckets();
    nodes.same_qualified_name = first_of_same(&nodes.qualified_names)?;
    Ok(nodes)
}

/// For each text, the number of the first one that is the same.
fn first_of_same(texts: &Texts) -> Outcome<Vec<u32>> {
    let mut first = FxHashMap::with_capacity_and_hasher(texts.len(), FxBuildHasher);
    (0..texts.len()).map(|number| Ok(*first.entry(texts.get(number)).or_insert(place(number)?))).collect()
}

/// The number of each file's path by the file's id.
fn read_files(connection: &Connection, paths: &mut Interned) -> Outcome<FxHashMap<i64, u32>> {
    let mut statement = connection.prepare(FILES)?;
    let mut rows = statement.query(())?;
    let mut files = FxHashMap::default();
    while let Some(row) = rows.next()? {
        files.insert(row.get(0)?, paths.number(text(row, 1)?)?);
    }
    Ok(files)
}

fn text<'a>(row: &'a Row<'_>, column: usize) -> Outcome<&'a str> {
    Ok(row.get_ref(column)?.as_str().map_err(rusqlite::Error::from)?)
}

#[derive(Default)]
struct Edges {
    starts: Vec<u32>,
    relations: Vec<u8>,
    far: Vec<u32>,
    lines: Vec<u32>,
    resolutions: Vec<u8>,
    confidences: Vec<u8>,
    counts: [u64; 16],
}

/// Those between nodes: the store does not promise that the far end of an edge is one.
fn read_edges(connection: &Connection, nodes: &Nodes) -> Outcome<Edges> {
    let mut edges = Edges::default();
    let mut statement = connection.prepare(EDGES)?;
    let mut rows = statement.query(())?;
    while let Some(row) = rows.next()? {
        let from: u64 = row.get(0)?;
        let Some(far) = nodes.find(row.get(2)?) else { continue };
        // Edges come in the order of their first nodes.
        while nodes.ids.get(edges.starts.len()).is_some_and(|id| *id <= from) {
            edges.starts.push(place(edges.far.len())?);
        }
        if edges.starts.is_empty() || nodes.ids[edges.starts.len() - 1] != from {
            continue;
        }
        edges.far.push(place(far)?);
        let relation: u8 = row.get(1)?;
        *edges.counts.get_mut(usize::from(relation)).ok_or_else(|| error::unreadable("relationship", relation))? += 1;
        edges.relations.push(relation);
        edges.lines.push(row.get(3)?);
        edges.resolutions.push(row.get(4)?);
        edges.confidences.push(row.get(5)?);
    }
    edges.starts.resize(nodes.len() + 1, place(edges.far.len())?);
    edges.shrink();
    Ok(edges)
}

fn place(number: usize) -> Outcome<u32> {
    Ok(u32::try_from(number).map_err(|cause| error::unreadable("graph", cause))?)
}

impl Edges {
    fn shrink(&mut self) {
        [&mut self.starts, &mut self.far, &mut self.lines].into_iter().for_each(Vec::shrink_to_fit);
        [&mut self.relations, &mut self.resolutions, &mut self.confidences].into_iter().for_each(Vec::shrink_to_fit);
    }
}

impl Nodes {
    fn shrink(&mut self) {
        [&mut self.name_texts, &mut self.path_texts, &mut self.qualified_names].into_iter().for_each(Texts::shrink);
        [&mut self.names, &mut self.paths, &mut self.start_lines, &mut self.end_lines]
            .into_iter()
            .for_each(Vec::shrink_to_fit);
        self.ids.shrink_to_fit();
        self.labels.shrink_to_fit();
    }
}

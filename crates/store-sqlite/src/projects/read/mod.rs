//! The stored graph as a query engine reads it.
//!
//! A reader is one read transaction. Until the process has a snapshot of the state that the reader sees, SQL answers; from then on
//! the snapshot does, and SQL finds by index and gives the properties that only the file has. Which of them answered shows in the
//! time it takes and in nothing else: keys of nodes are their ids, and relationships that were met through SQL keep their keys.

mod counts;
mod edges;
mod graph_read;
mod layout;
mod property;
mod relations;
mod rows;
mod shared;
mod snapshot;
#[cfg(test)]
mod worth;

use std::cell::{Cell, OnceCell, RefCell};
use std::sync::Arc;

use graph::{EdgeKey, NodeFilter, NodeKey, ReadResult, Test};
use rusqlite::Connection;
use rustc_hash::FxHashMap;
use store::Result;

use self::counts::{Counts, is_selective};
use self::edges::{EdgeNumbers, StoredEdge};
use self::layout::CodeLayout;
pub(super) use self::shared::Shared;
pub use self::shared::Snapshots;
use self::shared::State;
use self::snapshot::{Matcher, Snapshot};
use super::meta;
use super::project::{Project, Reader};
use crate::filter;
use crate::job::Outcome;

/// How graphs are read; all but the default is for tests and measurements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    pub snapshots: Snapshots,
    /// Whether scans look at what is known of the nodes wanted, or give all nodes.
    pub uses_filters: bool,
}

impl Default for Reading {
    fn default() -> Self {
        Self { snapshots: Snapshots::default(), uses_filters: true }
    }
}

/// What making a snapshot costs in microseconds for each thousand nodes or edges, measured.
const COST_OF_NODES: u64 = 800;
const COST_OF_EDGES: u64 = 320;

/// How many rows SQL goes through in a microsecond, about.
const ROWS_IN_A_MICROSECOND: u64 = 4;

const LARGE_PAGE: usize = 1_000;

/// One unchanging state of a project's graph.
#[derive(Debug)]
pub(super) struct GraphReader<'a> {
    project: &'a Project,
    reading: Reading,
    /// Until it is given back.
    reader: Option<Reader>,
    state: State,
    counts: Counts,
    snapshot: OnceCell<UsedSnapshot>,
    met: RefCell<EdgeNumbers>,
    matcher: RefCell<Option<Matcher>>,
    /// What the last search in texts found with SQL.
    searched: RefCell<Option<(NodeFilter, Vec<NodeKey>)>>,
    has_failed: Cell<bool>,
    /// Where the last node that a number was asked of stands in the snapshot.
    last_place: Cell<usize>,
}

/// A snapshot, and the relationships to which this reader gave a key before it had one.
#[derive(Debug)]
struct UsedSnapshot {
    snapshot: Arc<Snapshot>,
    met_at: FxHashMap<u32, EdgeKey>,
}

impl<'a> GraphReader<'a> {
    pub(super) fn open(project: &'a Project, reading: Reading) -> Result<Self> {
        let reader = project.take_reader()?;
        let begin = |connection: &Connection| -> Outcome<(u64, Counts)> {
            connection.execute_batch("BEGIN")?;
            Ok((meta::epoch(connection)?, Counts::read(connection)?))
        };
        let identity = reader.identity;
        let (epoch, counts) = begin(&reader.connection).map_err(|failure| project.explain(failure, identity))?;
        let opened = Self {
            project,
            reading,
            reader: Some(reader),
            state: State { file: identity, epoch },
            counts,
            snapshot: OnceCell::new(),
            met: RefCell::default(),
            matcher: RefCell::default(),
            searched: RefCell::default(),
            has_failed: Cell::new(false),
            last_place: Cell::new(0),
        };
        if reading.snapshots != Snapshots::Never
            && let Some(snapshot) = project.shared().find(opened.state)
        {
            opened.use_snapshot(snapshot);
        }
        if reading.snapshots == Snapshots::Always && opened.snapshot.get().is_none() {
            opened.make_snapshot().map_err(|failure| project.explain(failure, identity))?;
        }
        Ok(opened)
    }

    fn connection(&self) -> &Connection {
        &self.reader.as_ref().expect("it is given back when this is dropped").connection
    }

    /// The error as the store tells it; a connection that failed is not used again.
    fn told<T>(&self, outcome: Outcome<T>) -> ReadResult<T> {
        outcome.map_err(|failure| {
            self.has_failed.set(true);
            self.project.explain(failure, self.state.file).into()
        })
    }

    fn snapshot(&self) -> Option<&Snapshot> {
        self.snapshot.get().map(|used| &*used.snapshot)
    }

    /// Notes what SQL has cost, and makes a snapshot when that is no longer the cheaper way.
    fn spend(&self, microseconds: u64) -> Outcome<()> {
        if self.reading.snapshots == Snapshots::Never {
            return Ok(());
        }
        let spent = self.project.shared().spend(self.state, microseconds);
        if spent < self.cost_of_snapshot() { Ok(()) } else { self.make_snapshot() }
    }

    fn cost_of_snapshot(&self) -> u64 {
        (self.counts.nodes * COST_OF_NODES + self.counts.edges * COST_OF_EDGES) / 1_000
    }

    fn make_snapshot(&self) -> Outcome<()> {
        let made = self.project.shared().make(self.state, || {
            let snapshot = Snapshot::build(self.connection())?;
            tracing::debug!(epoch = self.state.epoch, bytes = snapshot.heap_bytes(), "read a graph into memory");
            Ok(snapshot)
        })?;
        if let Some(snapshot) = made {
            self.use_snapshot(snapshot);
        }
        Ok(())
    }

    fn use_snapshot(&self, snapshot: Arc<Snapshot>) {
        let met = self.met.borrow();
        let met_at = met.all().filter_map(|(key, edge)| Some((snapshot.place_of(edge)?, key))).collect();
        // Where there is one already, it is of the same state.
        let _ = self.snapshot.set(UsedSnapshot { snapshot, met_at });
    }

    fn scan_nodes(
        &self,
        filter: &NodeFilter,
        after: Option<NodeKey>,
        limit: usize,
        nodes: &mut Vec<NodeKey>,
    ) -> Outcome<()> {
        if filter.conditions.iter().any(is_selective) {
            return filter::scan(self.connection(), &CodeLayout, filter, after, limit, nodes);
        }
        if self.snapshot().is_none() && after.is_some() && limit >= LARGE_PAGE {
            // Whoever comes for more, and for much at a time, will likely go through all of them.
            self.spend(self.cost_of_snapshot() / 2)?;
        }
        let Some(snapshot) = self.snapshot() else {
            return self.scan_rows(filter, after, limit, nodes);
        };
        let mut matcher = self.matcher.borrow_mut();
        let matcher = match matcher.take_if(|matcher| !matcher.is_for(filter)) {
            Some(_) => matcher.insert(Matcher::new(snapshot, filter)),
            None => matcher.get_or_insert_with(|| Matcher::new(snapshot, filter)),
        };
        let from = after.map_or(0, |after| snapshot.place_after(after));
        matcher.scan(snapshot, from, limit, nodes);
        Ok(())
    }

    fn scan_rows(
        &self,
        filter: &NodeFilter,
        after: Option<NodeKey>,
        limit: usize,
        nodes: &mut Vec<NodeKey>,
    ) -> Outcome<()> {
        if filter.conditions.iter().any(|condition| matches!(condition.test, Test::Text { .. })) {
            return self.search_rows(filter, after, limit, nodes);
        }
        let known = nodes.len();
        filter::scan(self.connection(), &CodeLayout, filter, after, limit, nodes)?;
        let found = nodes.len() - known;
        let rows = if found < limit { self.counts.nodes } else { u64::try_from(found).unwrap_or(u64::MAX) };
        self.spend(rows / ROWS_IN_A_MICROSECOND)
    }

    /// A search in texts goes through all of them for its first page already, so it is done once for all pages.
    fn search_rows(
        &self,
        filter: &NodeFilter,
        after: Option<NodeKey>,
        limit: usize,
        nodes: &mut Vec<NodeKey>,
    ) -> Outcome<()> {
        let mut searched = self.searched.borrow_mut();
        if searched.as_ref().is_none_or(|(known, _)| known != filter) {
            let mut found = Vec::new();
            filter::scan(self.connection(), &CodeLayout, filter, None, usize::MAX, &mut found)?;
            *searched = Some((filter.clone(), found));
            self.spend(self.counts.nodes / ROWS_IN_A_MICROSECOND)?;
        }
        let found = searched.as_ref().map_or(&[][..], |(_, found)| found);
        let from = after.map_or(0, |after| found.partition_point(|node| *node <= after));
        nodes.extend(found[from..].iter().take(limit));
        Ok(())
    }

    /// A relationship that was met through SQL, if this is the key of one.
    fn met(&self, edge: EdgeKey) -> Option<StoredEdge> {
        self.met.borrow().get(edge)
    }
}

/// Ends the transaction and gives the connection back.
impl Drop for GraphReader<'_> {
    fn drop(&mut self) {
        let Some(reader) = self.reader.take() else { return };
        let has_ended = reader.connection.execute_batch("COMMIT").is_ok();
        if has_ended && !self.has_failed.get() {
            self.project.give_back(reader);
        }
    }
}

//! Running a plan: rows are pushed from operator to operator, in one buffer, until somebody says stop or a limit is met.

mod aggregate;
mod arithmetic;
mod evaluate;
mod expand;
mod groups;
mod loops;
mod names;
mod pipeline;
mod scan;
mod shortest;
mod sort;

use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use graph::{GraphRead, LabelKey, Step};

use crate::functions::wrong_type;
use crate::value::{Map, Value};
use cypher_syntax::{Error, ErrorKind, Result};

pub(crate) use evaluate::whole_text_regex;
pub(crate) use names::Names;

/// How far a query may go.
#[derive(Debug, Clone)]
pub struct Limits {
    /// When it must have ended.
    pub deadline: Option<Instant>,
    pub max_rows: u64,
    pub max_memory_bytes: u64,
    /// Set by whoever no longer wants the answer.
    pub cancelled: Option<Arc<AtomicBool>>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { deadline: None, max_rows: 1_000_000, max_memory_bytes: 512 << 20, cancelled: None }
    }
}

/// The values of all variables, each in its slot.
pub(crate) type Row = Vec<Value>;

/// Whether more rows are wanted.
pub(crate) type Flow = ControlFlow<()>;

pub(crate) const MORE: Flow = ControlFlow::Continue(());
pub(crate) const ENOUGH: Flow = ControlFlow::Break(());

/// Where rows go.
pub(crate) type Sink<'s> = &'s mut dyn FnMut(&mut Row) -> Result<Flow>;

/// One run of one query.
pub(crate) struct Runtime<'a> {
    pub(crate) graph: &'a dyn GraphRead,
    limits: &'a Limits,
    names: Names<'a>,
    ticks: Cell<u64>,
    memory: Cell<u64>,
    rows: Cell<u64>,
    random: Cell<u64>,
    /// Lists of steps that no expansion is using at the moment.
    spare_steps: RefCell<Vec<Vec<Step>>>,
    spare_labels: RefCell<Vec<LabelKey>>,
    regexes: RefCell<Vec<(Arc<str>, regex::Regex)>>,
}

/// The clock is looked at once in so many ticks.
const TICKS_PER_LOOK: u64 = 256;

impl<'a> Runtime<'a> {
    pub(crate) fn new(graph: &'a dyn GraphRead, limits: &'a Limits) -> Runtime<'a> {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Runtime {
            graph,
            limits,
            names: Names::new(graph),
            ticks: Cell::new(0),
            memory: Cell::new(0),
            rows: Cell::new(0),
            random: Cell::new(since.subsec_nanos().into()),
            spare_steps: RefCell::new(Vec::new()),
            spare_labels: RefCell::new(Vec::new()),
            regexes: RefCell::new(Vec::new()),
        }
    }

    pub(crate) fn names(&self) -> &Names<'a> {
        &self.names
    }

    /// Called once for each small piece of work.
    #[inline]
    pub(crate) fn tick(&self) -> Result<()> {
        let ticks = self.ticks.get() + 1;
        self.ticks.set(ticks);
        if ticks.is_multiple_of(TICKS_PER_LOOK) { self.look_at_the_clock() } else { Ok(()) }
    }

    #[cold]
    fn look_at_the_clock(&self) -> Result<()> {
        if self.limits.cancelled.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Err(self.stopped(ErrorKind::Cancelled, "the query was cancelled"));
        }
        if self.limits.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            let error = self.stopped(ErrorKind::DeadlineExceeded, "the query took too long and was stopped");
            return Err(error.hint(
                "narrow it: name labels and relationship types, give an upper bound such as `*1..3` to paths, \
                 filter by a property, or add LIMIT",
            ));
        }
        Ok(())
    }

    fn stopped(&self, kind: ErrorKind, what: &str) -> Error {
        let rows = self.rows.get();
        Error::run(kind, format!("{what} after {rows} rows")).with_partial_rows(rows)
    }

    /// Counts a row of the answer.
    pub(crate) fn count_row(&self) -> Result<()> {
        let rows = self.rows.get();
        if rows >= self.limits.max_rows {
            let message = format!("the answer has more than {rows} rows");
            let error = Error::run(ErrorKind::TooManyRows, message).with_partial_rows(rows);
            return Err(error.hint("add LIMIT, filter by a property, or aggregate with count()"));
        }
        self.rows.set(rows + 1);
        Ok(())
    }

    /// Notes that so many bytes are kept until the query ends.
    pub(crate) fn charge(&self, bytes: usize) -> Result<()> {
        self.check_room(bytes)?;
        self.memory.set(self.memory.get() + bytes as u64);
        Ok(())
    }

    /// Whether a value of so many bytes may be made.
    pub(crate) fn check_room(&self, bytes: usize) -> Result<()> {
        let limit = self.limits.max_memory_bytes;
        if self.memory.get().saturating_add(bytes as u64) <= limit {
            return Ok(());
        }
        let message = format!("the query needs more than {} MB of memory and was stopped", limit >> 20);
        let error = self.stopped(ErrorKind::OutOfMemory, &message);
        Err(error.hint("collect, sort or deduplicate fewer rows: filter earlier, or add LIMIT before"))
    }

    /// From 0 up to, but not including, 1.
    pub(crate) fn random(&self) -> f64 {
        // SplitMix64
        let state = self.random.get().wrapping_add(0x9e37_79b9_7f4a_7c15);
        self.random.set(state);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub(crate) fn properties(&self, function: &str, of: &Value) -> Result<Arc<Map>> {
        let stored = match of {
            Value::Map(map) => return Ok(map.clone()),
            Value::Node(node) => self.graph.node_properties(*node)?,
            Value::Relationship(edge) => self.graph.edge_properties(*edge)?,
            other => return Err(wrong_type(function, "a node, a relationship or a map", other)),
        };
        let named = stored.into_iter().filter_map(|(key, value)| Some((self.names.property(key)?, value.into())));
        Ok(Arc::new(named.collect()))
    }

    fn take_steps(&self) -> Vec<Step> {
        self.spare_steps.borrow_mut().pop().unwrap_or_default()
    }

    fn give_steps_back(&self, mut steps: Vec<Step>) {
        steps.clear();
        self.spare_steps.borrow_mut().push(steps);
    }
}

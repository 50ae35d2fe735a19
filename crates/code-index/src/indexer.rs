//! Who may index when, and what is remembered from one run to the next.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuilder};
use rustc_hash::{FxHashMap, FxHashSet};
use store::{ErrorKind, ProjectCatalog, ProjectGraph, ProjectInfo, Reservation};

use crate::error::IndexError;
use crate::freshness::{count_stale, nanoseconds};
use crate::glance::{Compared, Glance, Seen};
use crate::meaning::Meaning;
use crate::naming::{Root, project_name};
use crate::observer::Observer;
use crate::report::{IndexReport, Timings};
use crate::run::{Finished, Run, Scope};
use crate::state::ProjectState;
use crate::walk::Walk;

/// Deeply nested code is walked by recursion, and the parser gives up what it began by recursion over all of it: about a
/// hundred bytes for each of the two million it may have read. Only what is used takes memory.
const STACK_BYTES: usize = 256 * 1024 * 1024;

/// How often it is asked whether whoever indexes the same project has finished.
const WAIT: Duration = Duration::from_millis(50);

/// The root that a server watches, and one more.
const KEPT_STATES: usize = 2;

/// Larger projects are not linked before something changes: that takes about 4 KB for each node, and who only asks needs none
/// of it.
const MOST_NODES_PREPARED: u64 = 100_000;

/// What to index.
#[derive(Debug, Clone, Default)]
pub struct IndexRequest {
    pub root: PathBuf,
    /// The name of the project; by default that of the folder.
    pub project: Option<String>,
    /// Whether to read and store everything again.
    pub force: bool,
}

/// Keeps projects in step with their folders.
#[derive(Debug)]
pub struct Indexer {
    catalog: Arc<dyn ProjectCatalog>,
    threads: OnceLock<ThreadPool>,
    /// The last used comes last.
    states: Mutex<Vec<ProjectState>>,
    /// By name, those that a watcher follows folder by folder.
    followed: Mutex<FxHashSet<String>>,
    /// By name, what the files of projects were when they were last compared.
    compared: Mutex<FxHashMap<String, Compared>>,
    meaning: Meaning,
    keeps_linker: bool,
}

/// Whether a run may make a new project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Missing {
    Create,
    Fail,
}

impl Indexer {
    pub fn new(catalog: Arc<dyn ProjectCatalog>) -> Self {
        Self {
            catalog,
            threads: OnceLock::new(),
            states: Mutex::default(),
            followed: Mutex::default(),
            compared: Mutex::default(),
            meaning: Meaning::default(),
            keeps_linker: false,
        }
    }

    /// The same with vectors made by something else than what is learned from a project itself.
    #[must_use]
    pub fn with_meaning(self, meaning: Meaning) -> Self {
        Self { meaning, ..self }
    }

    /// The same for a process that stays: what was linked is kept, so that a changed file costs little. It takes about as much
    /// memory as a first run.
    #[must_use]
    pub fn that_stays(self) -> Self {
        Self { keeps_linker: true, ..self }
    }

    /// For a process that ends now: what is remembered is left to it as it is, because giving back every bit takes time.
    pub fn leave(self) {
        std::mem::forget((self.states, self.threads));
    }

    /// What vectors are made by.
    pub fn meaning(&self) -> &Meaning {
        &self.meaning
    }

    /// Brings the project of a folder up to date, or makes it. Blocks; waits while another process does the same.
    pub fn index(&self, request: &IndexRequest, observer: &dyn Observer) -> Result<IndexReport, IndexError> {
        let scope = if request.force { Scope::Forced } else { Scope::Everything };
        Ok(self.bring_up_to_date(request, scope, Missing::Create, observer)?.report)
    }

    /// The same for a call that has to answer soon: where all files are as the graph has them, a glance at their sizes and times
    /// tells, of which nothing is kept.
    pub fn keep_up(&self, request: &IndexRequest, observer: &dyn Observer) -> Result<(), IndexError> {
        let root = Root::open(&request.root)?;
        let (name, _reservation) = self.reserve(&root, request.project.as_deref(), observer)?;
        if self.find_unchanged(&root, &name, observer)?.is_none() {
            self.run_or_make_anew(&root, &name, Scope::Everything, observer)?;
            self.keep_little(&name);
        }
        Ok(())
    }

    /// How many files on disk are not as the graph has them: new, changed and gone ones.
    pub fn stale_files(&self, graph: &dyn ProjectGraph) -> Result<u64, IndexError> {
        let info = graph.info()?;
        let records = graph.files()?;
        let Ok(root) = Root::open(&info.root) else { return Ok(records.len() as u64) };
        let checked_at = info.indexed_at.map(nanoseconds);
        let count = || Ok(count_stale(&root.path, &Walk::of(&root.path, &())?.files(), &records, checked_at) as u64);
        self.threads()?.install(count)
    }

    pub(crate) fn bring_up_to_date(
        &self,
        request: &IndexRequest,
        scope: Scope,
        missing: Missing,
        observer: &dyn Observer,
    ) -> Result<Finished, IndexError> {
        let root = Root::open(&request.root)?;
        let began = Instant::now();
        let (name, _reservation) = self.reserve(&root, request.project.as_deref(), observer)?;
        let waiting = began.elapsed();
        if missing == Missing::Fail && self.catalog.find(&name)?.is_none() {
            return Err(IndexError::NoSuchProject { name });
        }
        let mut finished = match self.follow(&root, &name, &scope, missing, observer)? {
            Some(unchanged) => unchanged,
            None => self.run_or_make_anew(&root, &name, scope, observer)?,
        };
        finished.report.timings.waiting = waiting;
        Ok(finished)
    }

    /// For a watcher, what there is to know where nothing has changed.
    fn follow(
        &self,
        root: &Root,
        name: &str,
        scope: &Scope,
        missing: Missing,
        observer: &dyn Observer,
    ) -> Result<Option<Finished>, IndexError> {
        if missing == Missing::Create {
            return Ok(None);
        }
        lock(&self.followed).insert(name.to_owned());
        // What is kept of its folders is made anew by a run: rules for what to leave out may be others, and not matter yet.
        let is_kept = lock(&self.states).iter().any(|state| state.project == name);
        if *scope == Scope::Everything && !is_kept { self.find_unchanged(root, name, observer) } else { Ok(None) }
    }

    fn find_unchanged(&self, root: &Root, name: &str, observer: &dyn Observer) -> Result<Option<Finished>, IndexError> {
        match self.unchanged(root, name, observer) {
            Ok(found) => Ok(found),
            Err(IndexError::Cancelled) => Err(IndexError::Cancelled),
            // A run meets the same error, and knows what to do.
            Err(_) => Ok(None),
        }
    }

    /// `None` where some file may be another than when the project was last compared with its folder, or vectors are missing.
    fn unchanged(&self, root: &Root, name: &str, observer: &dyn Observer) -> Result<Option<Finished>, IndexError> {
        let began = Instant::now();
        let graph = self.catalog.create(name, &root.text)?;
        let info = graph.info()?;
        if self.lacks_vectors(&*graph)? {
            return Ok(None);
        }
        let Some(compared) = self.compared(&*graph, &info)? else { return Ok(None) };
        let seen = self.threads()?.install(|| Seen::at(&root.path, observer))?;
        let timings = Timings { scan: began.elapsed(), ..Timings::default() };
        Ok(compared.is_still(info.epoch, &seen.files).then(|| Finished::unchanged(root, info, seen, timings)))
    }

    fn lacks_vectors(&self, graph: &dyn ProjectGraph) -> Result<bool, IndexError> {
        let kind = self.meaning.kind();
        Ok(match &self.meaning {
            Meaning::Embedder(_) => graph.meaning()? != kind || !graph.words()?.without_vectors(&kind)?.is_empty(),
            Meaning::Nothing | Meaning::Learned => graph.meaning()? != kind,
        })
    }

    /// By what this process found, or by what is stored.
    fn compared(&self, graph: &dyn ProjectGraph, info: &ProjectInfo) -> Result<Option<Compared>, IndexError> {
        let Some(indexed_at) = info.indexed_at else { return Ok(None) };
        let known = lock(&self.compared).get(&info.name).copied();
        if known.is_some_and(|known| known.epoch == info.epoch) {
            return Ok(known);
        }
        let of_state = |state: &ProjectState| {
            (state.project == info.name && state.epoch == info.epoch).then(|| compared_with(state))?
        };
        let kept = lock(&self.states).iter().find_map(of_state);
        let compared = match kept {
            Some(kept) => Some(kept),
            None => Glance::at_records(graph.files()?.iter()).map(|files| Compared {
                epoch: info.epoch,
                checked_at: nanoseconds(indexed_at),
                files,
            }),
        };
        Ok(compared.inspect(|compared| self.note_compared(&info.name, *compared)))
    }

    fn note_compared(&self, name: &str, compared: Compared) {
        lock(&self.compared).insert(name.to_owned(), compared);
    }

    fn run_or_make_anew(
        &self,
        root: &Root,
        name: &str,
        scope: Scope,
        observer: &dyn Observer,
    ) -> Result<Finished, IndexError> {
        match self.run(root, name, scope, observer) {
            // What is damaged is made anew.
            Err(IndexError::Store(error)) if error.kind() == ErrorKind::Corrupt => {
                tracing::warn!(project = name, %error, "indexing again from nothing");
                self.run(root, name, Scope::Forced, observer)
            }
            finished => finished,
        }
    }

    /// The folders that a run would look into.
    pub(crate) fn folders(&self, root: &Path) -> Result<Vec<String>, IndexError> {
        let root = Root::open(root)?;
        let walk = self.threads()?.install(|| Walk::of(&root.path, &()))?;
        Ok(walk.folders().map(str::to_owned).collect())
    }

    fn run(&self, root: &Root, name: &str, scope: Scope, observer: &dyn Observer) -> Result<Finished, IndexError> {
        let graph = self.catalog.create(name, &root.text)?;
        let info = graph.info()?;
        let mut state = ProjectState::current(&*graph, &info, self.take_state(name))?;
        let known = graph.meaning()?;
        let run = Run {
            root: &root.path,
            graph: &*graph,
            observer,
            scope,
            meaning: &self.meaning,
            known,
            keeps_linker: self.keeps_linker,
        };
        match self.threads()?.install(|| run.execute(&info, &mut state)) {
            Ok(mut finished) => {
                self.keep_state(std::mem::take(&mut finished.state));
                Ok(finished)
            }
            Err(error) => {
                self.keep_state(state);
                Err(error)
            }
        }
    }

    /// Waits for the right to index the root, under a name that is still the right one once it is granted.
    fn reserve(
        &self,
        root: &Root,
        wanted: Option<&str>,
        observer: &dyn Observer,
    ) -> Result<(String, Reservation), IndexError> {
        loop {
            let name = project_name(&*self.catalog, root, wanted)?;
            match self.catalog.reserve(&name)? {
                granted @ Reservation::Granted(_) => {
                    if project_name(&*self.catalog, root, wanted)? == name {
                        return Ok((name, granted));
                    }
                }
                Reservation::HeldBy(process) => {
                    observer.waiting_for(process);
                    thread::sleep(WAIT);
                }
            }
            if observer.is_cancelled() {
                return Err(IndexError::Cancelled);
            }
        }
    }

    fn threads(&self) -> Result<&ThreadPool, IndexError> {
        if let Some(threads) = self.threads.get() {
            return Ok(threads);
        }
        let made = ThreadPoolBuilder::new()
            .thread_name(|number| format!("index-{number}"))
            .stack_size(STACK_BYTES)
            .build()
            .map_err(|source| IndexError::NoThreads { source })?;
        Ok(self.threads.get_or_init(|| made))
    }

    /// Whether a changed file of the project costs little.
    pub(crate) fn is_warm(&self, project: &str) -> bool {
        let states = lock(&self.states);
        states.iter().any(|state| state.project == project && state.linker.is_some())
    }

    /// Links what is stored, so that the first changed file costs as little as the next ones.
    pub(crate) fn warm_up(&self, project: &str) -> Result<(), IndexError> {
        let Some(graph) = self.catalog.find(project)?.filter(|_| self.keeps_linker && !self.is_warm(project)) else {
            return Ok(());
        };
        let info = graph.info()?;
        if info.indexed_at.is_none() || info.nodes > MOST_NODES_PREPARED {
            return Ok(());
        }
        let mut state = ProjectState::current(&*graph, &info, self.take_state(project))?;
        let linked = self.threads()?.install(|| state.link_stored(&*graph));
        self.keep_state(state);
        linked
    }

    /// Gives back the memory that makes a changed file cost little.
    pub(crate) fn rest(&self) {
        lock(&self.states).clear();
    }

    fn take_state(&self, project: &str) -> Option<ProjectState> {
        let mut states = lock(&self.states);
        let position = states.iter().position(|state| state.project == project)?;
        Some(states.remove(position))
    }

    /// Of a project that nobody follows, only what makes its next change cost little.
    fn keep_little(&self, name: &str) {
        let Some(mut state) = self.take_state(name) else { return };
        if let Some(compared) = compared_with(&state) {
            self.note_compared(name, compared);
        }
        let is_followed = lock(&self.followed).contains(name);
        if !is_followed {
            state.walk = None;
        }
        if is_followed || state.linker.is_some() {
            self.keep_state(state);
        }
    }

    fn keep_state(&self, state: ProjectState) {
        let mut states = lock(&self.states);
        states.push(state);
        if states.len() > KEPT_STATES {
            states.remove(0);
        }
    }
}

fn compared_with(state: &ProjectState) -> Option<Compared> {
    let files = Glance::at_records(state.files.values().map(|known| &known.record))?;
    Some(Compared { epoch: state.epoch, checked_at: state.checked_at?, files })
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

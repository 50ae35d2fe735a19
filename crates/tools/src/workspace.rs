//! The folder that a server was started for, and what is remembered of code graphs from one call to the next.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use code_index::{Indexer, Meaning};
use jiff::Timestamp;
use store::{ProjectCatalog, ProjectGraph};
use tokio::sync::Notify;

/// Shared by all calls of a server.
#[derive(Debug)]
pub struct Workspace {
    root: PathBuf,
    projects: Arc<dyn ProjectCatalog>,
    indexer: Arc<Indexer>,
    /// The name under which the root was found last.
    name: Mutex<Option<String>>,
    /// When each project, by name, was last seen to be as its folder is, and its epoch then.
    checks: Mutex<HashMap<String, Check>>,
    is_indexed: Notify,
    /// Whether whoever runs this keeps the graph of the root fresh by itself.
    is_watched: AtomicBool,
}

/// A project was compared with its folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Check {
    pub(crate) epoch: u64,
    pub(crate) at: Timestamp,
}

impl Workspace {
    /// `root` is the folder that is meant when a call names no project. Touches no file yet.
    pub fn new(root: PathBuf, projects: Arc<dyn ProjectCatalog>) -> Self {
        let indexer = Arc::new(Indexer::new(projects.clone()).that_stays());
        let (name, checks) = (Mutex::default(), Mutex::default());
        Self { root, projects, indexer, name, checks, is_indexed: Notify::new(), is_watched: AtomicBool::new(false) }
    }

    /// The same with vectors made by this.
    #[must_use]
    pub fn with_meaning(self, meaning: Meaning) -> Self {
        let indexer = Arc::new(Indexer::new(self.projects.clone()).that_stays().with_meaning(meaning));
        Self { indexer, ..self }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    pub fn indexer(&self) -> &Arc<Indexer> {
        &self.indexer
    }

    pub(crate) fn projects(&self) -> &Arc<dyn ProjectCatalog> {
        &self.projects
    }

    /// The project of the root, if it was ever indexed. Blocks.
    pub fn root_project(&self) -> store::Result<Option<Arc<dyn ProjectGraph>>> {
        let Ok(root) = self.root.canonicalize() else { return Ok(None) };
        let found = match self.remembered(&root)? {
            Some(project) => Some(project),
            None => self.projects.find_root(&root.to_string_lossy())?,
        };
        if let Some(project) = &found {
            *lock(&self.name) = Some(project.info()?.name);
            self.is_indexed.notify_one();
        }
        Ok(found)
    }

    /// The name of the project of the root, or the one it would have. Blocks.
    pub fn root_name(&self) -> store::Result<String> {
        if let Some(project) = self.root_project()? {
            return Ok(project.info()?.name);
        }
        let root = self.root.canonicalize().unwrap_or_else(|_| self.root.clone());
        Ok(root.file_name().map_or_else(|| "root".to_owned(), |name| name.to_string_lossy().into_owned()))
    }

    /// Looking at the one that it was last time is quicker than at all of them.
    fn remembered(&self, root: &Path) -> store::Result<Option<Arc<dyn ProjectGraph>>> {
        let Some(name) = lock(&self.name).clone() else { return Ok(None) };
        let Some(project) = self.projects.find(&name)? else { return Ok(None) };
        Ok((project.info()?.root == root).then_some(project))
    }

    /// Ends once a call has met, or made, a code graph of the root. There is one who waits: the owner of the watcher.
    pub async fn root_is_indexed(&self) {
        self.is_indexed.notified().await;
    }

    /// To be called by the owner of the watcher, from when it watches.
    pub fn note_watched(&self) {
        self.is_watched.store(true, Ordering::Relaxed);
    }

    /// Whether the graph of this folder follows its files by itself.
    pub(crate) fn is_watched(&self, root: &Path) -> bool {
        self.is_watched.load(Ordering::Relaxed) && self.root.canonicalize().is_ok_and(|own| own == root)
    }

    pub(crate) fn last_check(&self, project: &str) -> Option<Check> {
        lock(&self.checks).get(project).copied()
    }

    pub(crate) fn note_check(&self, project: &str, check: Check) {
        lock(&self.checks).insert(project.to_owned(), check);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

//! How a graph stays fresh while its files change.
//!
//! One thread waits for signs of change, lets a burst of them end, and brings the project up to date by looking at the folders
//! that were named. When it has been quiet for a while it compares everything, so that a lost event does no lasting harm.

mod changes;
mod eyes;
mod quiet;

use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use thiserror::Error;

use self::changes::Noted;
use self::eyes::{Eyes, Sign};
use self::quiet::QuietPaths;
use crate::analysis::panic_message;
use crate::error::IndexError;
use crate::indexer::{IndexRequest, Indexer, Missing};
use crate::naming::Root;
use crate::observer::Observer;
use crate::report::IndexReport;
use crate::run::Scope;

/// A burst of changes is over when nothing has happened for so long …
const PAUSE: Duration = Duration::from_millis(50);

/// … or for so long where nothing was linked yet by this process: another one that watches the same folder may have, and is
/// done by then …
const COLD_PAUSE: Duration = Duration::from_millis(150);

/// … or when it has gone on for so long.
const LONGEST_BURST: Duration = Duration::from_millis(200);

/// How long after the last change everything is compared.
const CHECK: Duration = Duration::from_secs(2);

/// How long after a failure it is tried again.
const RETRY: Duration = Duration::from_secs(5);

/// How long after the last change what is kept for the next one is given back.
const REST: Duration = Duration::from_secs(10 * 60);

/// How often the folder is compared with the graph where the system tells too little.
const POLL: Duration = Duration::from_secs(5);

/// What to watch.
#[derive(Debug, Clone)]
pub struct WatchRequest {
    pub root: PathBuf,
    /// By default the one of the root.
    pub project: Option<String>,
}

#[derive(Debug, Error)]
pub enum WatchError {
    #[error(transparent)]
    Root(#[from] IndexError),
    #[error("no thread could be started to watch the folder: {0}")]
    NoThread(#[source] io::Error),
}

/// Keeps a project fresh until it is dropped.
#[derive(Debug)]
pub struct Watcher {
    is_stopped: Arc<AtomicBool>,
    signs: Sender<Sign>,
    thread: Option<JoinHandle<()>>,
}

impl Watcher {
    /// Brings the project up to date in the background and keeps it so. A project that does not exist, or no more, is not
    /// made. `each` gets the report of every run.
    pub fn start(
        indexer: Arc<Indexer>,
        request: &WatchRequest,
        each: impl Fn(&IndexReport) + Send + 'static,
    ) -> Result<Self, WatchError> {
        let root = Root::open(&request.root)?.path;
        let (signs, received) = mpsc::channel();
        let is_stopped = Arc::new(AtomicBool::new(false));
        let watch = Watch {
            indexer,
            request: IndexRequest { root: root.clone(), project: request.project.clone(), force: false },
            wanted: request.project.clone(),
            signs: received,
            is_stopped: Arc::clone(&is_stopped),
            eyes: Eyes::open(root, signs.clone()),
            quiet: QuietPaths::default(),
            noted: Noted::everything(),
            each: Box::new(each),
        };
        let thread = thread::Builder::new().name("watch".to_owned()).spawn(move || watch.run());
        Ok(Self { is_stopped, signs, thread: Some(thread.map_err(WatchError::NoThread)?) })
    }
}

impl Watcher {
    /// Somebody works with the project, so that files will change: the first change is prepared for.
    pub fn note_use(&self) {
        let _ = self.signs.send(Sign::Use);
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.is_stopped.store(true, Ordering::Relaxed);
        let _ = self.signs.send(Sign::Stop);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

struct Watch {
    indexer: Arc<Indexer>,
    /// With the name of the project once it is known, so that it need not be looked for.
    request: IndexRequest,
    wanted: Option<String>,
    signs: Receiver<Sign>,
    is_stopped: Arc<AtomicBool>,
    eyes: Eyes,
    quiet: QuietPaths,
    /// What the next run has to look at.
    noted: Noted,
    each: Box<dyn Fn(&IndexReport) + Send>,
}

struct UntilStopped<'a>(&'a AtomicBool);

impl Observer for UntilStopped<'_> {
    fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl Watch {
    fn run(mut self) {
        // What changes from here on gives a sign; what changed before is found by the first run.
        if let Ok(folders) = self.indexer.folders(&self.request.root) {
            self.eyes.follow(&folders);
        }
        loop {
            let caught = panic::catch_unwind(AssertUnwindSafe(|| self.catch_up()));
            let patience = caught.unwrap_or_else(|payload| {
                self.noted = Noted::everything();
                tracing::error!(reason = panic_message(&*payload), "watching a folder failed and goes on");
                Some(RETRY)
            });
            if !self.wait(patience) {
                return;
            }
        }
    }

    /// Does now, while nothing else is to be done, what the first changed file would need.
    fn warm_up(&self) {
        let Some(project) = &self.request.project else { return };
        if let Err(error) = self.indexer.warm_up(project) {
            tracing::debug!(project, %error, "the first change will take longer");
        }
    }

    fn pause_in_burst(&self) -> Duration {
        let project = self.request.project.as_deref();
        if project.is_some_and(|project| self.indexer.is_warm(project)) { PAUSE } else { COLD_PAUSE }
    }

    /// Runs until every folder is watched that the last run looked into. Gives back after how long to look again even
    /// without a sign.
    fn catch_up(&mut self) -> Option<Duration> {
        loop {
            let scope = std::mem::replace(&mut self.noted, Noted::nothing()).into_scope();
            let is_partial = scope != Scope::Everything;
            let observer = UntilStopped(&self.is_stopped);
            match self.indexer.bring_up_to_date(&self.request, scope, Missing::Fail, &observer) {
                Ok(finished) => {
                    self.request.project = Some(finished.report.project.clone());
                    self.quiet = QuietPaths::new(&finished.report.skipped);
                    (self.each)(&finished.report);
                    let new = self.eyes.follow(&finished.folders);
                    if new.is_empty() {
                        return self.pause(is_partial);
                    }
                    // They may have changed before they were watched.
                    self.noted.add_folders(new);
                }
                Err(IndexError::Cancelled | IndexError::NoSuchProject { .. }) => {
                    self.request.project.clone_from(&self.wanted);
                    self.noted = Noted::everything();
                    return None;
                }
                Err(error) => {
                    tracing::warn!(root = %self.request.root.display(), %error, "the graph may be out of date");
                    self.noted = Noted::everything();
                    self.eyes.close();
                    return Some(RETRY);
                }
            }
        }
    }

    fn pause(&self, is_partial: bool) -> Option<Duration> {
        match (is_partial, self.eyes.is_limited()) {
            (true, _) => Some(CHECK),
            (false, true) => Some(POLL),
            (false, false) => None,
        }
    }

    /// Waits for a change, but no longer than `patience`. Whether to go on.
    fn wait(&mut self, patience: Option<Duration>) -> bool {
        let mut until = Some(Instant::now() + patience.unwrap_or(REST));
        loop {
            match self.next_sign(until) {
                Ok(Sign::Stop) | Err(RecvTimeoutError::Disconnected) => return false,
                Err(RecvTimeoutError::Timeout) if patience.is_none() => {
                    self.indexer.rest();
                    // A project beside the root may be worked with later.
                    until = Some(Instant::now() + REST);
                }
                Err(RecvTimeoutError::Timeout) => {
                    self.noted = Noted::everything();
                    return true;
                }
                Ok(Sign::Use) => self.warm_up(),
                Ok(sign) if self.matters(&sign) => return self.let_burst_end(),
                Ok(_) => {}
            }
        }
    }

    fn let_burst_end(&mut self) -> bool {
        let longest = Instant::now() + LONGEST_BURST;
        let pause = self.pause_in_burst();
        let mut until = Instant::now() + pause;
        loop {
            match self.next_sign(Some(until.min(longest))) {
                Ok(Sign::Stop) | Err(RecvTimeoutError::Disconnected) => return false,
                Err(RecvTimeoutError::Timeout) => return true,
                Ok(sign) if self.matters(&sign) => until = Instant::now() + pause,
                Ok(_) => {}
            }
        }
    }

    fn next_sign(&self, until: Option<Instant>) -> Result<Sign, RecvTimeoutError> {
        match until {
            Some(until) => self.signs.recv_timeout(until.saturating_duration_since(Instant::now())),
            None => self.signs.recv().map_err(|_| RecvTimeoutError::Disconnected),
        }
    }

    fn matters(&mut self, sign: &Sign) -> bool {
        match sign {
            Sign::Event(event) if self.quiet.cover(&self.request.root, event) => false,
            Sign::Event(event) => {
                self.eyes.note(event);
                self.noted.add(&self.request.root, event);
                true
            }
            Sign::Lost => {
                self.noted = Noted::everything();
                true
            }
            Sign::Use | Sign::Stop => false,
        }
    }
}

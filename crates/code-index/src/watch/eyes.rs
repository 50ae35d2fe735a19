//! Which folders the system reports changes of.

use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;

use notify::event::{AccessKind, AccessMode, ModifyKind};
use notify::{ErrorKind, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use rustc_hash::FxHashSet;

/// Linux reports changes folder by folder and lets every process watch a limited number, so that only folders that matter are
/// watched. Elsewhere the root stands for everything below it.
const IS_FOLDER_BY_FOLDER: bool = cfg!(any(target_os = "linux", target_os = "android"));

/// What comes from the system, or from the owner.
#[derive(Debug)]
pub(super) enum Sign {
    Event(Event),
    /// Something happened that was not reported.
    Lost,
    /// Somebody works with the project.
    Use,
    Stop,
}

#[derive(Debug)]
pub(super) struct Eyes {
    root: PathBuf,
    watcher: Option<RecommendedWatcher>,
    /// From the root; the root itself is the empty path.
    watched: FxHashSet<String>,
    is_limited: bool,
}

impl Eyes {
    pub(super) fn open(root: PathBuf, signs: Sender<Sign>) -> Self {
        let report = move |event: notify::Result<Event>| {
            let sign = match event {
                Ok(event) if event.need_rescan() => Sign::Lost,
                Ok(event) if is_change(&event) => Sign::Event(event),
                Ok(_) => return,
                Err(_) => Sign::Lost,
            };
            let _ = signs.send(sign);
        };
        let watcher = notify::recommended_watcher(report).inspect_err(|error| {
            tracing::warn!(root = %root.display(), %error, "changes are not reported; the folder is compared now and then");
        });
        let watcher = watcher.ok();
        Self { root, is_limited: watcher.is_none(), watcher, watched: FxHashSet::default() }
    }

    /// Whether there are folders whose changes are not reported.
    pub(super) fn is_limited(&self) -> bool {
        self.is_limited
    }

    /// Watches exactly these folders. Gives back those that were not watched before.
    pub(super) fn follow(&mut self, folders: &[String]) -> Vec<String> {
        let wanted: FxHashSet<String> = match IS_FOLDER_BY_FOLDER {
            true => folders.iter().cloned().collect(),
            false => FxHashSet::from_iter([String::new()]),
        };
        let Some(watcher) = &mut self.watcher else { return Vec::new() };
        for gone in self.watched.extract_if(|folder| !wanted.contains(folder)) {
            // It is an error when the system has noticed first that it is gone.
            let _ = watcher.unwatch(&place(&self.root, &gone));
        }
        let mode = if IS_FOLDER_BY_FOLDER { RecursiveMode::NonRecursive } else { RecursiveMode::Recursive };
        let mut new = Vec::new();
        self.is_limited = false;
        for folder in wanted.difference(&self.watched) {
            match watcher.watch(&place(&self.root, folder), mode) {
                Ok(()) => new.push(folder.clone()),
                // Its removal is reported by the folder that it was in.
                Err(error) if is_gone(&error) => {}
                Err(error) => {
                    self.is_limited = true;
                    tracing::debug!(folder, %error, "changes in a folder are not reported");
                }
            }
        }
        self.watched.extend(new.iter().cloned());
        new
    }

    /// Forgets the folders that an event says are gone or elsewhere, so that a new one in their place is watched.
    pub(super) fn note(&mut self, event: &Event) {
        for path in event.paths.iter().filter(|_| is_of_names(event) && IS_FOLDER_BY_FOLDER) {
            let Some(path) = from_root(&self.root, path) else { continue };
            self.watched.retain(|folder| !is_in(folder, &path));
        }
    }

    /// Stops watching, until folders are named again.
    pub(super) fn close(&mut self) {
        self.follow(&[]);
        self.watched.clear();
    }
}

/// The path in the form in which folders and files are named.
pub(super) fn from_root(root: &Path, path: &Path) -> Option<String> {
    let path = path.strip_prefix(root).ok()?.to_str()?;
    Some(if std::path::MAIN_SEPARATOR == '/' { path.to_owned() } else { path.replace('\\', "/") })
}

/// Whether something appeared, went or was renamed, rather than changed in its place.
pub(super) fn is_of_names(event: &Event) -> bool {
    let is_in_place = matches!(
        event.kind,
        EventKind::Modify(ModifyKind::Data(_) | ModifyKind::Metadata(_) | ModifyKind::Any) | EventKind::Access(_)
    );
    !is_in_place
}

fn place(root: &Path, folder: &str) -> PathBuf {
    if folder.is_empty() { root.to_owned() } else { root.join(folder) }
}

/// Whether it is this folder or in it.
fn is_in(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || folder.is_empty())
}

/// Reading changes nothing, and a run reads a lot.
fn is_change(event: &Event) -> bool {
    !matches!(event.kind, EventKind::Access(access) if access != AccessKind::Close(AccessMode::Write))
}

fn is_gone(error: &notify::Error) -> bool {
    match &error.kind {
        ErrorKind::PathNotFound => true,
        ErrorKind::Io(error) => {
            matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory)
        }
        ErrorKind::Generic(_) | ErrorKind::WatchNotFound | ErrorKind::InvalidConfig(_) | ErrorKind::MaxFilesWatch => {
            false
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_told_from_one_whose_name_begins_the_same() {
        assert!(is_in("a/b", "a/b"));
        assert!(is_in("a/b/c", "a/b"));
        assert!(!is_in("a/bc", "a/b"));
        assert!(is_in("a", ""));
    }
}

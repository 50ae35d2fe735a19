//! Which files of a folder are looked at, and why are the others not?

use std::fs::{self, FileType, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::error::IndexError;
use crate::folder_rules;
use crate::ignore_files::{IgnoreRules, Verdict};
use crate::observer::{Observer, Stage};
use crate::report::{SkipReason, Skipped};

/// What is in a root, folder by folder, so that single folders can be looked at again.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    folders: FxHashMap<String, Listing>,
}

/// A regular file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FoundFile {
    /// From the root, `/` between parts.
    pub(crate) path: String,
    pub(crate) size: u64,
    /// Nanoseconds since 1970; see [`modified`].
    pub(crate) modified: i64,
}

/// What may be different since a walk.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Changes {
    /// Folders in which something is new, changed or gone.
    pub(crate) folders: FxHashSet<String>,
    /// What appeared, went or was renamed. Where it is a folder, everything below it may be different.
    pub(crate) replaced: FxHashSet<String>,
}

/// What is in one folder, without the folders in it.
#[derive(Debug)]
pub(crate) struct InFolder {
    /// `None` where it was not looked into.
    pub(crate) path: Option<String>,
    pub(crate) files: Vec<FoundFile>,
    pub(crate) skipped: Vec<Skipped>,
}

/// A folder to be looked into.
#[derive(Debug, Clone)]
struct Folder {
    /// From the root, which itself is the empty path.
    path: String,
    name: String,
    /// Those of the folder that it is in.
    rules: IgnoreRules,
    /// A `.trailmarkignore` asks for it, so that its content cannot speak against it.
    is_wanted: bool,
}

impl Folder {
    fn whole(root: &Path) -> Self {
        Self { path: String::new(), name: String::new(), rules: IgnoreRules::around(root), is_wanted: true }
    }
}

/// What one folder holds.
#[derive(Debug)]
struct Listing {
    folder: Folder,
    files: Vec<FoundFile>,
    below: Vec<Folder>,
    skipped: Vec<Skipped>,
    /// Whether it was looked into at all.
    is_read: bool,
}

impl Walk {
    /// Looks into the root and every folder below it that no rule leaves out. Links are not followed, so it always ends. What
    /// disappears meanwhile is not there.
    pub(crate) fn of(root: &Path, observer: &dyn Observer) -> Result<Self, IndexError> {
        let mut walk = Self::default();
        walk.look_into(root, vec![Folder::whole(root)], observer)?;
        Ok(walk)
    }

    /// What all folders come to, one after the other, where nothing else is kept of them.
    pub(crate) fn fold<T: Send>(
        root: &Path,
        observer: &dyn Observer,
        nothing: impl Fn() -> T + Sync,
        of_folder: impl Fn(T, InFolder) -> T + Sync,
        and: impl Fn(T, T) -> T + Sync,
    ) -> Result<T, IndexError> {
        let (mut all, mut level) = (nothing(), vec![Folder::whole(root)]);
        while !level.is_empty() {
            if observer.is_cancelled() {
                return Err(IndexError::Cancelled);
            }
            let look = |(so_far, mut level): (T, Vec<Folder>), folder| {
                let Listing { folder, files, below, skipped, is_read } = list(root, folder);
                level.extend(below);
                (of_folder(so_far, InFolder { path: is_read.then_some(folder.path), files, skipped }), level)
            };
            let join = |(one, mut level): (T, Vec<Folder>), (other, more): (T, Vec<Folder>)| {
                level.extend(more);
                (and(one, other), level)
            };
            let begin = || (nothing(), Vec::new());
            let (found, below) = level.into_par_iter().fold(begin, look).reduce(begin, join);
            (all, level) = (and(all, found), below);
        }
        Ok(all)
    }

    /// Looks again into the folders that changed, and into what is new in them. Everything else is taken to be as it was, the
    /// rules for what to leave out among it.
    pub(crate) fn refresh(
        &mut self,
        root: &Path,
        changes: &Changes,
        observer: &dyn Observer,
    ) -> Result<(), IndexError> {
        changes.replaced.iter().for_each(|path| self.forget(path));
        let mut paths: Vec<&String> = changes.folders.iter().collect();
        paths.sort_unstable();
        for path in paths {
            // One that is not known is new, or in one that is left out.
            let Some(before) = self.folders.remove(path) else { continue };
            let listing = list(root, before.folder);
            let stays = |folder: &Folder| listing.below.iter().any(|below| below.path == folder.path);
            before.below.iter().filter(|folder| !stays(folder)).for_each(|gone| self.forget(&gone.path));
            let is_new = |folder: &&Folder| !self.folders.contains_key(&folder.path);
            let new: Vec<Folder> = listing.below.iter().filter(is_new).cloned().collect();
            self.folders.insert(path.clone(), listing);
            self.look_into(root, new, observer)?;
        }
        Ok(())
    }

    /// By path.
    pub(crate) fn files(&self) -> Vec<FoundFile> {
        let mut files: Vec<FoundFile> = self.folders.values().flat_map(|listing| &listing.files).cloned().collect();
        files.par_sort_unstable_by(|left, right| left.path.cmp(&right.path));
        files
    }

    /// The folders that were looked into.
    pub(crate) fn folders(&self) -> impl Iterator<Item = &str> {
        self.folders.values().filter(|listing| listing.is_read).map(|listing| listing.folder.path.as_str())
    }

    /// In no order.
    pub(crate) fn skipped(&self) -> Vec<Skipped> {
        self.folders.values().flat_map(|listing| &listing.skipped).cloned().collect()
    }

    fn look_into(&mut self, root: &Path, folders: Vec<Folder>, observer: &dyn Observer) -> Result<(), IndexError> {
        let mut level = folders;
        let mut found = 0;
        while !level.is_empty() {
            if observer.is_cancelled() {
                return Err(IndexError::Cancelled);
            }
            let listings: Vec<Listing> = level.into_par_iter().map(|folder| list(root, folder)).collect();
            level = listings.iter().flat_map(|listing| &listing.below).cloned().collect();
            found += listings.iter().map(|listing| listing.files.len() as u64).sum::<u64>();
            self.folders.extend(listings.into_iter().map(|listing| (listing.folder.path.clone(), listing)));
            observer.progress(Stage::Scan, found, 0);
        }
        Ok(())
    }

    fn forget(&mut self, path: &str) {
        if let Some(listing) = self.folders.remove(path) {
            listing.below.iter().for_each(|below| self.forget(&below.path));
        }
    }
}

/// When the file was last changed in any way. The time of its last change of state cannot be set back, so that a file which
/// is replaced by an older one is noticed too.
#[cfg(unix)]
pub(crate) fn modified(metadata: &Metadata) -> i64 {
    use std::os::unix::fs::MetadataExt as _;
    metadata.ctime().saturating_mul(1_000_000_000).saturating_add(metadata.ctime_nsec())
}

#[cfg(not(unix))]
pub(crate) fn modified(metadata: &Metadata) -> i64 {
    let since = metadata.modified().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    since.and_then(|since| i64::try_from(since.as_nanos()).ok()).unwrap_or(0)
}

fn list(root: &Path, folder: Folder) -> Listing {
    let place = if folder.path.is_empty() { root.to_owned() } else { root.join(&folder.path) };
    let mut listing = Listing::new(folder);
    let entries = match entries(&place, &mut listing) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return listing,
        Err(error) => {
            return Listing::new(listing.folder).left_out(SkipReason::Unreadable { reason: error.to_string() });
        }
    };
    let names: Vec<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
    if !listing.folder.is_wanted
        && let Some(reason) = folder_rules::by_content(&listing.folder.name, &names)
    {
        return Listing::new(listing.folder).left_out(SkipReason::NotOwnCode(reason));
    }
    listing.is_read = true;
    let rules = listing.folder.rules.below(&place, &listing.folder.path, &names);
    for entry in &entries {
        match place_of(entry, &place, &rules, &names) {
            Ok(is_wanted) if entry.kind.is_dir() => listing.below.push(Folder {
                path: entry.path.clone(),
                name: entry.name.clone(),
                rules: rules.clone(),
                is_wanted,
            }),
            Ok(_) => listing.add_file(entry),
            Err(reason) => {
                listing.skipped.push(Skipped { path: entry.path.clone(), is_folder: entry.kind.is_dir(), reason });
            }
        }
    }
    listing
}

impl Listing {
    fn new(folder: Folder) -> Self {
        Self { folder, files: Vec::new(), below: Vec::new(), skipped: Vec::new(), is_read: false }
    }

    fn left_out(mut self, reason: SkipReason) -> Self {
        self.skipped.push(Skipped { path: self.folder.path.clone(), is_folder: true, reason });
        self
    }

    fn add_file(&mut self, entry: &Entry) {
        match entry.found.metadata() {
            Ok(metadata) => {
                self.files.push(FoundFile {
                    path: entry.path.clone(),
                    size: metadata.len(),
                    modified: modified(&metadata),
                });
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => self.skipped.push(Skipped {
                path: entry.path.clone(),
                is_folder: false,
                reason: SkipReason::Unreadable { reason: error.to_string() },
            }),
        }
    }
}

#[derive(Debug)]
struct Entry {
    name: String,
    /// From the root.
    path: String,
    kind: FileType,
    found: fs::DirEntry,
}

/// The entries of a folder by name, without those whose names cannot be written down.
fn entries(place: &Path, listing: &mut Listing) -> io::Result<Vec<Entry>> {
    let Listing { folder, skipped, .. } = listing;
    let path = &folder.path;
    let below = |name: &str| if path.is_empty() { name.to_owned() } else { [path, "/", name].concat() };
    let mut entries = Vec::new();
    for found in fs::read_dir(place)? {
        // An entry that cannot be looked at has just gone.
        let Ok(found) = found else { continue };
        let Ok(kind) = found.file_type() else { continue };
        let name = found.file_name();
        match name.to_str() {
            Some(name) => entries.push(Entry { name: name.to_owned(), path: below(name), kind, found }),
            None => skipped.push(Skipped {
                path: below(&name.to_string_lossy()),
                is_folder: kind.is_dir(),
                reason: SkipReason::NameIsNotUtf8,
            }),
        }
    }
    entries.sort_unstable_by(|left, right| left.name.cmp(&right.name));
    Ok(entries)
}

/// Whether an entry is taken in (and was asked for by name), or why not.
fn place_of(entry: &Entry, place: &Path, rules: &IgnoreRules, siblings: &[&str]) -> Result<bool, SkipReason> {
    let is_folder = entry.kind.is_dir();
    let path: PathBuf = place.join(&entry.name);
    let is_wanted = match rules.judge(&path, is_folder) {
        Verdict::Ignored { by } => return Err(SkipReason::Ignored { by }),
        Verdict::Included => !folder_rules::is_never_read(&entry.name),
        Verdict::Nothing => false,
    };
    let by_place = if is_folder { folder_rules::by_place(&entry.name, siblings) } else { None };
    if !is_wanted && let Some(reason) = by_place {
        return Err(SkipReason::NotOwnCode(reason));
    }
    if !is_wanted && folder_rules::is_hidden(&entry.name) {
        return Err(SkipReason::Hidden);
    }
    if entry.kind.is_symlink() {
        return Err(SkipReason::SymbolicLink);
    }
    if !is_folder && !entry.kind.is_file() {
        return Err(SkipReason::NotRegular);
    }
    Ok(is_wanted)
}

#[cfg(test)]
mod tests;

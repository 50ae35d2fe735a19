//! Which files of a folder are looked at, and why are the others not?

use std::fs::{self, FileType, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use crate::error::IndexError;
use crate::folder_rules;
use crate::ignore_files::{IgnoreRules, Verdict};
use crate::observer::{Observer, Stage};
use crate::report::{SkipReason, Skipped};

/// What is in a folder, each list by path.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    pub(crate) files: Vec<FoundFile>,
    /// Those that were looked into, the root itself as the empty path.
    pub(crate) folders: Vec<String>,
    pub(crate) skipped: Vec<Skipped>,
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

/// A folder still to be looked into.
#[derive(Debug)]
struct Folder {
    path: String,
    name: String,
    rules: IgnoreRules,
    /// A `.trailmarkignore` asks for it, so that its content cannot speak against it.
    is_wanted: bool,
}

/// What one folder holds.
#[derive(Debug, Default)]
struct Listing {
    files: Vec<FoundFile>,
    folders: Vec<Folder>,
    skipped: Vec<Skipped>,
    is_read: bool,
}

/// Looks into the root and every folder below it that no rule leaves out. Links are not followed, so it always ends. What
/// disappears meanwhile is not there.
pub(crate) fn walk(root: &Path, observer: &dyn Observer) -> Result<Walk, IndexError> {
    let mut walk = Walk::default();
    let found = AtomicU64::new(0);
    let root_folder =
        Folder { path: String::new(), name: String::new(), rules: IgnoreRules::around(root), is_wanted: true };
    let mut level = vec![root_folder];
    while !level.is_empty() {
        if observer.is_cancelled() {
            return Err(IndexError::Cancelled);
        }
        let look = |folder: Folder| {
            let listing = list(root, &folder);
            found.fetch_add(listing.files.len() as u64, Ordering::Relaxed);
            (folder.path, listing)
        };
        let listings: Vec<_> = level.into_par_iter().map(look).collect();
        level = Vec::new();
        for (path, listing) in listings {
            walk.folders.extend(listing.is_read.then_some(path));
            walk.files.extend(listing.files);
            walk.skipped.extend(listing.skipped);
            level.extend(listing.folders);
        }
        observer.progress(Stage::Scan, found.load(Ordering::Relaxed), 0);
    }
    walk.files.par_sort_unstable_by(|left, right| left.path.cmp(&right.path));
    walk.folders.sort_unstable();
    walk.skipped.sort_unstable();
    Ok(walk)
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

fn list(root: &Path, folder: &Folder) -> Listing {
    let place = if folder.path.is_empty() { root.to_owned() } else { root.join(&folder.path) };
    let mut listing = Listing::default();
    let entries = match entries(&place, &folder.path, &mut listing) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return listing,
        Err(error) => {
            listing.skip_folder(&folder.path, SkipReason::Unreadable { reason: error.to_string() });
            return listing;
        }
    };
    let names: Vec<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
    if !folder.is_wanted
        && let Some(reason) = folder_rules::by_content(&folder.name, &names)
    {
        listing = Listing::default();
        listing.skip_folder(&folder.path, SkipReason::NotOwnCode(reason));
        return listing;
    }
    listing.is_read = true;
    let rules = folder.rules.below(&place, &folder.path, &names);
    for entry in &entries {
        match place_of(entry, &place, &rules, &names) {
            Ok(is_wanted) if entry.kind.is_dir() => listing.folders.push(Folder {
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
    fn skip_folder(&mut self, path: &str, reason: SkipReason) {
        self.skipped.push(Skipped { path: path.to_owned(), is_folder: true, reason });
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
fn entries(place: &Path, path: &str, listing: &mut Listing) -> io::Result<Vec<Entry>> {
    let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}/{name}") };
    let mut entries = Vec::new();
    for found in fs::read_dir(place)? {
        // An entry that cannot be looked at has just gone.
        let Ok(found) = found else { continue };
        let Ok(kind) = found.file_type() else { continue };
        let name = found.file_name();
        match name.to_str() {
            Some(name) => entries.push(Entry { name: name.to_owned(), path: below(name), kind, found }),
            None => listing.skipped.push(Skipped {
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

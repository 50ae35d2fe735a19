//! Is every file of a folder as its graph has it? Nothing is kept of the files to find out.

use std::path::Path;

use store::FileRecord;

use crate::error::IndexError;
use crate::fingerprint;
use crate::freshness::unsettled_until;
use crate::observer::Observer;
use crate::report::Skipped;
use crate::walk::{InFolder, Walk};

/// Paths, sizes and times of many files in a few bytes. Two are the same where all of these are, in whatever order they were
/// added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Glance {
    files: u64,
    /// The sum of a hash of each file.
    sum: u128,
    /// A file that changes after this has another size or time than now.
    unsettled_until: i64,
}

impl Glance {
    /// At what is stored. `None` where some file has to be read to know whether it is the same.
    pub(crate) fn at_records<'r>(records: impl Iterator<Item = &'r FileRecord>) -> Option<Self> {
        let version = fingerprint::version();
        let of_record = |record: &FileRecord| {
            let is_current = record.content_hash.starts_with(&version);
            is_current.then(|| Self::of(&record.path, record.size, record.modified))
        };
        records.map(of_record).try_fold(Self::default(), |all, record| Some(all.and(record?)))
    }

    /// Whether a file that has changed since then would have changed this.
    pub(crate) fn is_settled_before(&self, then: i64) -> bool {
        self.files == 0 || self.unsettled_until < then
    }

    fn of(path: &str, size: u64, modified: i64) -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&size.to_le_bytes()).update(&modified.to_le_bytes()).update(path.as_bytes());
        let mut sum = [0; 16];
        sum.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
        Self { files: 1, sum: u128::from_le_bytes(sum), unsettled_until: unsettled_until(modified) }
    }

    fn and(self, other: Self) -> Self {
        Self {
            files: self.files + other.files,
            sum: self.sum.wrapping_add(other.sum),
            unsettled_until: self.unsettled_until.max(other.unsettled_until),
        }
    }
}

/// What a look at everything gives.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) files: Glance,
    /// Those that were looked into.
    pub(crate) folders: Vec<String>,
    pub(crate) skipped: Vec<Skipped>,
}

impl Seen {
    pub(crate) fn at(root: &Path, observer: &dyn Observer) -> Result<Self, IndexError> {
        Walk::fold(root, observer, Self::default, Self::with, Self::and)
    }

    fn with(mut self, folder: InFolder) -> Self {
        for file in &folder.files {
            self.files = self.files.and(Glance::of(&file.path, file.size, file.modified));
        }
        self.folders.extend(folder.path);
        self.skipped.extend(folder.skipped);
        self
    }

    fn and(mut self, other: Self) -> Self {
        self.files = self.files.and(other.files);
        self.folders.extend(other.folders);
        self.skipped.extend(other.skipped);
        self
    }
}

/// What the files of a project were when they were last compared one by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Compared {
    pub(crate) epoch: u64,
    pub(crate) checked_at: i64,
    pub(crate) files: Glance,
}

impl Compared {
    /// Whether files that come to this are certainly the same.
    pub(crate) fn is_still(&self, epoch: u64, files: &Glance) -> bool {
        self.epoch == epoch && self.files == *files && files.is_settled_before(self.checked_at)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::Duration;

    use super::*;
    use crate::content::Content;
    use crate::walk::FoundFile;

    fn record(file: &FoundFile) -> FileRecord {
        FileRecord {
            path: file.path.clone(),
            language: None,
            size: file.size,
            modified: file.modified,
            content_hash: fingerprint::of_content(&Content { bytes: Vec::new(), is_cut: false }),
            graph_hash: Vec::new(),
            lines: 1,
            problem: None,
        }
    }

    #[test]
    fn a_glance_sees_every_file_that_comes_goes_or_changes() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let glance = || Seen::at(root, &()).unwrap().files;
        fs::create_dir_all(root.join("a/b")).unwrap();
        fs::write(root.join("a/b/one.py"), "1").unwrap();
        fs::write(root.join("two.py"), "2").unwrap();
        let first = glance();
        assert_eq!(first, glance());
        let seen = Seen::at(root, &()).unwrap();
        assert_eq!((seen.folders.len(), seen.skipped.len()), (3, 0));
        let records: Vec<FileRecord> = Walk::of(root, &()).unwrap().files().iter().map(record).collect();
        assert_eq!(Glance::at_records(records.iter().rev()), Some(first));
        fs::write(root.join("a/three.py"), "3").unwrap();
        assert_ne!(glance(), first);
        fs::remove_file(root.join("a/three.py")).unwrap();
        assert_eq!(glance(), first);
        fs::rename(root.join("two.py"), root.join("four.py")).unwrap();
        assert_ne!(glance(), first);
        std::thread::sleep(Duration::from_millis(20));
        fs::rename(root.join("four.py"), root.join("two.py")).unwrap();
        fs::write(root.join("two.py"), "4").unwrap();
        assert_ne!(glance(), first, "the same path and size at another time");
    }

    #[test]
    fn what_was_hashed_by_another_version_or_changed_just_now_is_not_taken_for_the_same() {
        let file = FoundFile { path: "a.py".to_owned(), size: 3, modified: 10_000_000_001 };
        let mut record = record(&file);
        let files = Glance::at_records([&record].into_iter()).unwrap();
        let is_still = |checked_at| Compared { epoch: 1, checked_at, files }.is_still(1, &files);
        assert!(is_still(10_100_000_000) && !is_still(10_020_000_000));
        assert!(!Compared { epoch: 1, checked_at: 10_100_000_000, files }.is_still(2, &files));
        record.content_hash.clear();
        assert_eq!(Glance::at_records([&record].into_iter()), None);
        assert!(Glance::default().is_settled_before(0));
    }
}

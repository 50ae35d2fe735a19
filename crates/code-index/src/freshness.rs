//! Is a file still what its record says?

use std::path::Path;

use jiff::Timestamp;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use store::FileRecord;

use crate::content;
use crate::fingerprint;
use crate::walk::FoundFile;

/// File systems count time in steps. Two changes in one step look the same, so a file that was changed so shortly before it
/// was looked at may have changed again unseen. Most count finer than this.
const STEP_NANOSECONDS: i64 = 50_000_000;

/// Those that keep whole seconds count in steps of up to two.
const LONG_STEP_NANOSECONDS: i64 = 2_000_000_000;

const SECOND_NANOSECONDS: i64 = 1_000_000_000;

/// Whether size and time are proof enough. `checked_at` is when the files were last compared with their records.
pub(crate) fn is_certainly_same(record: &FileRecord, found: &FoundFile, checked_at: Option<i64>) -> bool {
    record.size == found.size
        && record.modified == found.modified
        && fingerprint::is_current(&record.content_hash)
        && checked_at.is_some_and(|checked_at| unsettled_until(found.modified) < checked_at)
}

/// Up to when a file that was changed at this time may change again and look the same.
pub(crate) fn unsettled_until(modified: i64) -> i64 {
    let step = if modified % SECOND_NANOSECONDS == 0 { LONG_STEP_NANOSECONDS } else { STEP_NANOSECONDS };
    modified.saturating_add(step)
}

/// How many files would change in the graph by indexing again: new, changed and gone ones.
pub(crate) fn count_stale(root: &Path, found: &[FoundFile], records: &[FileRecord], checked_at: Option<i64>) -> usize {
    let by_path: FxHashMap<&str, &FileRecord> = records.iter().map(|record| (record.path.as_str(), record)).collect();
    let same = |found: &&FoundFile| {
        by_path.get(found.path.as_str()).is_some_and(|record| is_same(root, record, found, checked_at))
    };
    let same = found.par_iter().filter(same).count();
    let known = found.iter().filter(|found| by_path.contains_key(found.path.as_str())).count();
    let gone = records.len() - known;
    found.len() - same + gone
}

fn is_same(root: &Path, record: &FileRecord, found: &FoundFile, checked_at: Option<i64>) -> bool {
    if is_certainly_same(record, found, checked_at) {
        return true;
    }
    match content::read(&root.join(&found.path)) {
        Ok(content) => fingerprint::of_content(&content) == record.content_hash,
        Err(_) => record.content_hash.is_empty(),
    }
}

pub(crate) fn nanoseconds(time: Timestamp) -> i64 {
    i64::try_from(time.as_nanosecond()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::Content;

    fn check(modified: i64, checked_at: i64, expected: bool) {
        let content_hash = fingerprint::of_content(&Content { bytes: Vec::new(), is_cut: false });
        let record = FileRecord {
            path: "a".to_owned(),
            language: None,
            size: 3,
            modified,
            content_hash,
            graph_hash: Vec::new(),
            lines: 1,
            problem: None,
        };
        let found = FoundFile { path: "a".to_owned(), size: 3, modified };
        assert_eq!(is_certainly_same(&record, &found, Some(checked_at)), expected);
        let grown = FoundFile { size: 4, ..found };
        assert!(!is_certainly_same(&record, &grown, Some(checked_at)));
    }

    #[test]
    fn a_file_changed_just_before_it_was_looked_at_is_looked_at_again() {
        check(10_000_000_001, 10_100_000_000, true);
        check(10_000_000_001, 10_020_000_000, false);
        check(10_000_000_000, 11_000_000_000, false);
        check(10_000_000_000, 12_000_000_001, true);
    }
}

//! An acknowledged change survives a process that is killed.

use std::collections::HashSet;
use std::hash::{BuildHasher as _, RandomState};
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use store::DocumentId;
use store_sqlite::SqliteStore;

use crate::child::{Role, start};
use crate::sample::{all_ids, assert_sound};

const KILLS: usize = 50;

#[tokio::test]
async fn nothing_acknowledged_is_lost_when_a_process_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    let mut history = History::default();
    for _ in 0..KILLS {
        history.read(&run_and_kill(folder.path()));
        let store = SqliteStore::open(folder.path());
        history.compare(&all_ids(&store).await.into_iter().collect());
        assert_sound(&store).await;
        store.close().await;
    }
    assert!(history.saved.len() >= KILLS, "only {} documents were saved", history.saved.len());
}

/// What a process reported before it was killed at a random moment.
fn run_and_kill(folder: &Path) -> String {
    let mut child = start(Role::ChangeForEver, folder);
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut report = String::new();
    while !report.contains("saved") {
        assert_ne!(output.read_line(&mut report).unwrap(), 0, "the process ended by itself: {report}");
    }
    sleep(Duration::from_micros(RandomState::new().hash_one(0) % 60_000));
    child.kill().unwrap();
    output.read_to_string(&mut report).unwrap();
    child.wait().unwrap();
    report
}

/// What all killed processes said they did.
#[derive(Debug, Default)]
struct History {
    saved: HashSet<DocumentId>,
    maybe_deleted: HashSet<DocumentId>,
    deleted: HashSet<DocumentId>,
}

impl History {
    fn read(&mut self, report: &str) {
        for line in report.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n')) {
            let Some((verb, id)) = line.split_once(' ') else { continue };
            match (verb, id.parse()) {
                ("saved", Ok(id)) => self.saved.insert(id),
                ("deleting", Ok(id)) => self.maybe_deleted.insert(id),
                ("deleted", Ok(id)) => self.deleted.insert(id),
                _ => continue,
            };
        }
    }

    fn compare(&self, present: &HashSet<DocumentId>) {
        let lost: Vec<_> = self.saved.difference(&self.maybe_deleted).filter(|id| !present.contains(id)).collect();
        assert!(lost.is_empty(), "acknowledged and lost: {lost:?}");
        let back: Vec<_> = self.deleted.intersection(present).collect();
        assert!(back.is_empty(), "deleted and back again: {back:?}");
    }
}

//! Many stores, threads and processes on one folder.

use std::io::Read as _;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use store::{AuditLog as _, DocumentStore as _, ErrorKind, Retry};
use store_sqlite::{AuditLimits, SqliteAuditLog, SqliteStore};

use crate::child::{Role, SAVE_MANY, save_many, start};
use crate::sample::{all_ids, assert_sound, document, entry};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn eight_stores_open_a_new_folder_at_once() {
    for _ in 0..10 {
        let folder = tempfile::tempdir().unwrap();
        let tasks = (0..8).map(|number| {
            let store = SqliteStore::open(folder.path());
            tokio::spawn(async move { store.save(document(&format!("number {number}"))).await })
        });
        for result in futures::future::join_all(tasks.collect::<Vec<_>>()).await {
            result.unwrap().unwrap();
        }
        assert_eq!(all_ids(&SqliteStore::open(folder.path())).await.len(), 8);
    }
}

#[test]
fn eight_processes_open_a_new_folder_at_once() {
    for _ in 0..5 {
        let folder = tempfile::tempdir().unwrap();
        let children: Vec<_> = (0..8).map(|_| start(Role::Open, folder.path())).collect();
        for child in children {
            let output = child.wait_with_output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        }
    }
}

#[tokio::test]
async fn two_stores_on_one_folder_see_each_others_changes() {
    let folder = tempfile::tempdir().unwrap();
    let (left, right) = (SqliteStore::open(folder.path()), SqliteStore::open(folder.path()));
    tokio::join!(save_many(&left), save_many(&right));
    let id = left.save(document("索引")).await.unwrap();
    assert_eq!(right.find_by_topic("索引", 1).await.unwrap()[0].id, id);
    right.delete(id).await.unwrap();
    assert_eq!(left.get(id).await.unwrap_err().kind(), ErrorKind::NotFound);
    assert_eq!(all_ids(&left).await.len(), 2 * SAVE_MANY);
    assert_sound(&right).await;
}

#[tokio::test]
async fn several_processes_write_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let children: Vec<_> = (0..3).map(|_| start(Role::SaveMany, folder.path())).collect();
    let store = SqliteStore::open(folder.path());
    save_many(&store).await;
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }
    assert_eq!(all_ids(&store).await.len(), 4 * SAVE_MANY);
    assert_sound(&store).await;
}

#[tokio::test]
async fn a_lock_held_too_long_is_reported_and_survived() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path());
    let before = store.save(document("before")).await.unwrap();
    let other = Connection::open(store.path()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();

    let start = Instant::now();
    let late = async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        store.save(document("late")).await
    };
    for result in [tokio::join!(store.save(document("early")), late)].map(<[_; 2]>::from).into_iter().flatten() {
        let error = result.unwrap_err();
        assert_eq!((error.kind(), error.retry()), (ErrorKind::Unavailable, Retry::Later));
        assert!(error.to_string().contains("another process has held the write lock for 4 s"), "{error}");
    }
    let waited = start.elapsed();
    assert!(waited > Duration::from_millis(3900) && waited < Duration::from_secs(7), "waited {waited:?}");
    assert_eq!(store.get(before).await.unwrap().topic, "before", "reading needs no lock");

    other.execute_batch("ROLLBACK").unwrap();
    store.save(document("after")).await.unwrap();
    assert_eq!(all_ids(&store).await.len(), 2);
}

#[tokio::test]
async fn a_save_given_up_while_it_waited_for_the_lock_is_not_made() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path());
    let first = store.save(document("first")).await.unwrap();
    let other = Connection::open(store.path()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();

    let given_up = store.save(document("given up"));
    tokio::time::timeout(Duration::from_millis(300), given_up).await.unwrap_err();
    other.execute_batch("ROLLBACK").unwrap();
    store.delete(first).await.unwrap();
    let kept = store.save(document("kept")).await.unwrap();
    assert_eq!(all_ids(&store).await, [kept]);
}

#[tokio::test]
async fn auditing_does_not_wait_for_documents() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path());
    store.save(document("before")).await.unwrap();
    let other = Connection::open(store.path()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();

    let limits = AuditLimits { max_age: Duration::from_secs(60), max_bytes: 1 << 20 };
    let log = SqliteAuditLog::open(folder.path(), limits);
    log.append(vec![entry("answer")]).await.unwrap();
    other.execute_batch("ROLLBACK").unwrap();
}

#[test]
#[cfg(target_os = "linux")]
fn threads_start_when_needed_and_end_with_the_store() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = start(Role::CountThreads, &folder.path().join("new"));
    let mut output = String::new();
    child.stdout.take().unwrap().read_to_string(&mut output).unwrap();
    assert!(child.wait().unwrap().success(), "{output}");
    for line in ["unused 0 false", "read 1", "written 2", "busy 3", "closed 0", "dropped 0"] {
        assert!(output.lines().any(|found| found == line), "no `{line}` in {output}");
    }
}

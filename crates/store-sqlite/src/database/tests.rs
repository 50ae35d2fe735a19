//! What the threads do with jobs that fail, panic, come together or lose their caller.

use std::sync::mpsc;
use std::time::Duration;

use futures::future::join_all;
use rusqlite::Connection;
use store::{ErrorKind, StoreError};
use tempfile::TempDir;

use super::*;
use crate::connection::{Durability, PAGE_BYTES};
use crate::error::Failure;
use crate::job::Answer;
use crate::migrations::Format;

/// Longer than any answer takes on a busy machine.
const HANG: Duration = Duration::from_secs(30);
const FORMAT: Format = Format { application_id: 1, first: 1, migrations: &["CREATE TABLE t (x INTEGER UNIQUE)"] };

fn database() -> (TempDir, Database) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("test.db");
    (
        folder,
        Database::new(Settings {
            file,
            format: FORMAT,
            durability: Durability::Machine,
            shrinks: false,
            page_bytes: PAGE_BYTES,
            cache_kibibytes: 2000,
        }),
    )
}

fn insert(value: i64) -> impl FnOnce(&Connection) -> Outcome<()> + Send + 'static {
    move |connection| {
        connection.execute("INSERT INTO t VALUES (?)", [value])?;
        Ok(())
    }
}

async fn values(database: &Database) -> Vec<i64> {
    let read = |connection: &Connection| {
        let mut statement = connection.prepare("SELECT x FROM t ORDER BY x")?;
        Ok(statement.query_map((), |row| row.get(0))?.collect::<rusqlite::Result<Vec<i64>>>()?)
    };
    database.read(read).await.unwrap()
}

/// Keeps the writer busy until the sender is used or dropped. It is busy on return: what is submitted later comes after
/// this job, not with it.
fn occupy_writer(database: &Database) -> mpsc::Sender<()> {
    let ((tell, begun), (release, wait)) = (mpsc::channel(), mpsc::channel());
    let (job, answer) = job(move |_: &Connection| {
        let _ = tell.send(());
        let _ = wait.recv();
        Ok(())
    });
    database.writer.submit(job).unwrap();
    tokio::spawn(answer.wait());
    begun.recv().unwrap();
    release
}

fn submit_insert(database: &Database, value: i64) -> Answer<()> {
    let (job, answer) = job(insert(value));
    database.writer.submit(job).unwrap();
    answer
}

/// An insertion that has been made and waits before its job ends.
struct Paused {
    answer: Answer<()>,
    inserted: mpsc::Receiver<()>,
    release: mpsc::Sender<()>,
}

fn submit_paused_insert(database: &Database, value: i64) -> Paused {
    let ((tell, inserted), (release, wait)) = (mpsc::channel(), mpsc::channel());
    let (job, answer) = job(move |connection: &Connection| {
        insert(value)(connection)?;
        let _ = tell.send(());
        let _ = wait.recv();
        Ok(())
    });
    database.writer.submit(job).unwrap();
    Paused { answer, inserted, release }
}

#[tokio::test]
async fn a_job_that_fails_undoes_only_its_own_changes() {
    let (_folder, database) = database();
    let release = occupy_writer(&database);
    let writes = (0..20).map(|number| {
        database.write(move |connection| {
            insert(number)(connection)?;
            if number % 2 == 0 { Ok(()) } else { Err(StoreError::new(ErrorKind::InvalidInput, "odd").into()) }
        })
    });
    let unlock = async { release.send(()).unwrap() };
    let (results, ()) = tokio::join!(join_all(writes), unlock);
    for (number, result) in results.into_iter().enumerate() {
        assert_eq!(result.is_ok(), number % 2 == 0);
    }
    assert_eq!(values(&database).await, (0..20).step_by(2).collect::<Vec<_>>());
}

#[tokio::test]
async fn jobs_that_arrive_together_are_committed_together() {
    let (_folder, database) = database();
    database.write(insert(-1)).await.unwrap();
    let before = commits(&database);
    let release = occupy_writer(&database);
    let unlock = async { release.send(()).unwrap() };
    let (results, ()) = tokio::join!(join_all((0..100).map(|value| database.write(insert(value)))), unlock);
    assert!(results.iter().all(Result::is_ok));
    assert_eq!(commits(&database) - before, 1);
}

/// The commits in the write-ahead log: after its header of 32 bytes come frames, each a header of 24 bytes and a page; a
/// frame that ends a commit holds the size of the database at byte 4.
fn commits(database: &Database) -> usize {
    let log = std::fs::read(database.file().with_extension("db-wal")).unwrap();
    let frames = log[32..].chunks_exact(24 + 4096);
    frames.filter(|frame| frame[4..8] != [0; 4]).count()
}

#[tokio::test]
async fn a_constraint_is_a_conflict_for_one_caller_alone() {
    let (_folder, database) = database();
    let results = join_all([1, 2, 1, 3].map(|value| database.write(insert(value)))).await;
    let kinds: Vec<_> = results.iter().map(|result| result.as_ref().err().map(StoreError::kind)).collect();
    assert_eq!(kinds, [None, None, Some(ErrorKind::Conflict), None]);
    assert_eq!(values(&database).await, [1, 2, 3]);
}

#[tokio::test]
async fn when_the_transaction_is_lost_nobody_is_told_it_was_kept() {
    let (_folder, database) = database();
    let release = occupy_writer(&database);
    let lose = |connection: &Connection| {
        connection.execute_batch("ROLLBACK")?;
        Err::<(), _>(Failure::from(StoreError::new(ErrorKind::Unavailable, "lost").with_hint("hint")))
    };
    let unlock = async { release.send(()).unwrap() };
    let (first, second, third, ()) =
        tokio::join!(database.write(insert(1)), database.write(lose), database.write(insert(2)), unlock);
    for result in [first, second, third] {
        let error = result.unwrap_err();
        assert_eq!(
            (error.kind(), error.to_string().as_str(), error.hint()),
            (ErrorKind::Unavailable, "lost", Some("hint"))
        );
    }
    database.write(insert(3)).await.unwrap();
    assert_eq!(values(&database).await, [3]);
}

#[tokio::test]
async fn a_job_that_panics_is_reported_and_the_next_one_works() {
    let (_folder, database) = database();
    for _ in 0..3 {
        let error = database.write(|_| -> Outcome<()> { panic!("on purpose") }).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unexpected);
        let error = database.read(|_| -> Outcome<()> { panic!("on purpose") }).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unexpected);
    }
    database.write(insert(1)).await.unwrap();
    assert_eq!(values(&database).await, [1]);
}

#[tokio::test]
async fn a_job_whose_caller_has_gone_is_not_begun() {
    let (_folder, database) = database();
    let release = occupy_writer(&database);
    let (abandoned, answer) = job(insert(1));
    database.writer.submit(abandoned).unwrap();
    drop(answer);
    release.send(()).unwrap();
    database.write(insert(2)).await.unwrap();
    assert_eq!(values(&database).await, [2]);
}

#[tokio::test]
async fn a_job_whose_caller_goes_while_the_one_before_it_runs_is_not_begun() {
    let (_folder, database) = database();
    let first = submit_paused_insert(&database, 1);
    first.inserted.recv().unwrap();
    let second = submit_paused_insert(&database, 2);
    let abandoned = submit_paused_insert(&database, 3);
    first.release.send(()).unwrap();

    second.inserted.recv().unwrap();
    drop((abandoned.answer, abandoned.release));
    second.release.send(()).unwrap();
    second.answer.wait().await.unwrap();
    assert!(abandoned.inserted.recv().is_err(), "it was begun");
    assert_eq!(values(&database).await, [1, 2]);
}

#[tokio::test]
async fn a_job_whose_caller_goes_while_it_runs_is_undone_alone() {
    let (_folder, database) = database();
    let first = submit_paused_insert(&database, 1);
    first.inserted.recv().unwrap();
    let abandoned = submit_paused_insert(&database, 2);
    let kept = submit_insert(&database, 3);
    first.release.send(()).unwrap();

    abandoned.inserted.recv().unwrap();
    drop(abandoned.answer);
    abandoned.release.send(()).unwrap();
    kept.wait().await.unwrap();
    first.answer.wait().await.unwrap();
    assert_eq!(values(&database).await, [1, 3]);
}

#[tokio::test]
async fn jobs_whose_callers_have_all_gone_are_not_committed() {
    let (_folder, database) = database();
    let first = submit_paused_insert(&database, 1);
    first.inserted.recv().unwrap();
    let done = submit_insert(&database, 2);
    let running = submit_paused_insert(&database, 3);
    first.release.send(()).unwrap();

    running.inserted.recv().unwrap();
    drop((done, running.answer));
    running.release.send(()).unwrap();
    database.write(insert(4)).await.unwrap();
    first.answer.wait().await.unwrap();
    assert_eq!(values(&database).await, [1, 4]);
}

#[tokio::test]
async fn a_long_read_stops_when_its_caller_has_gone() {
    const FOR_EVER: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n";
    let (_folder, database) = database();
    let long = || database.read(|connection| Ok(connection.query_row(FOR_EVER, (), |row| row.get::<_, i64>(0))?));
    let wait = tokio::time::timeout(Duration::from_millis(200), join_all([long(), long(), long()]));
    wait.await.unwrap_err();
    let short = tokio::time::timeout(HANG, values(&database)).await.expect("the long reads still keep every reader");
    assert_eq!(short, [0_i64; 0]);
}

#[tokio::test]
async fn a_reader_cannot_write() {
    let (_folder, database) = database();
    let error = database.read(insert(1)).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unavailable);
    assert_eq!(values(&database).await, [0_i64; 0]);
}

#[tokio::test]
async fn dropping_the_database_finishes_what_was_accepted() {
    let (folder, database) = database();
    let (accepted, answer) = job(insert(1));
    database.writer.submit(accepted).unwrap();
    drop(database);
    answer.wait().await.unwrap();
    let connection = Connection::open(folder.path().join("test.db")).unwrap();
    assert_eq!(connection.query_row("SELECT x FROM t", (), |row| row.get::<_, i64>(0)), Ok(1));
}

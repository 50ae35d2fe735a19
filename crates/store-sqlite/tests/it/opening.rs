//! Opening what is new, foreign, newer, damaged or not there.

use std::fs;
use std::path::Path;

use rusqlite::Connection;
use store::{DocumentStore as _, ErrorKind, StoreError};
use store_sqlite::SqliteStore;

use crate::sample::{all_ids, assert_sound, document};

async fn failure(folder: &Path) -> StoreError {
    let store = SqliteStore::open(folder);
    let reading = store.newest(1, None).await.unwrap_err();
    let writing = store.save(document("topic")).await.unwrap_err();
    assert_eq!((reading.kind(), reading.to_string()), (writing.kind(), writing.to_string()));
    assert!(writing.hint().is_some(), "{writing}");
    writing
}

#[tokio::test]
async fn a_new_folder_is_made_private() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("a/b");
    let store = SqliteStore::open(&folder);
    assert!(!folder.exists());
    store.save(document("topic")).await.unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&root.path().join("a")), 0o700);
        assert_eq!(mode(&folder), 0o700);
        for file in ["trailmark.db", "trailmark.db-wal", "trailmark.db-shm"] {
            assert_eq!(mode(&folder.join(file)), 0o600, "{file}");
        }
    }
}

#[tokio::test]
async fn a_closed_store_leaves_one_file_and_opens_again() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path());
    let id = store.save(document("topic")).await.unwrap();
    store.close().await;
    let files: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(files, ["trailmark.db"]);
    assert_eq!(store.get(id).await.unwrap().topic, "topic");
}

#[tokio::test]
async fn a_file_that_is_no_database_is_refused_and_left_alone() {
    for bytes in [&b"these are my notes, not a database\n"[..], &[0x5A; 10_000], b"SQLite format 3\0 and then nonsense"]
    {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("trailmark.db");
        fs::write(&file, bytes).unwrap();
        let error = failure(folder.path()).await;
        assert_eq!(error.kind(), ErrorKind::Corrupt, "{error}");
        assert!(error.to_string().contains("trailmark.db"), "{error}");
        assert_eq!(fs::read(&file).unwrap(), bytes);
    }
}

#[tokio::test]
async fn an_empty_file_becomes_a_store() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("trailmark.db"), "").unwrap();
    let store = SqliteStore::open(folder.path());
    store.save(document("topic")).await.unwrap();
    assert_sound(&store).await;
}

#[tokio::test]
async fn a_database_of_another_program_is_refused_and_left_alone() {
    for sql in
        ["CREATE TABLE theirs (x)", "PRAGMA user_version = 7", "PRAGMA application_id = 1; CREATE TABLE theirs (x)"]
    {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("trailmark.db");
        Connection::open(&file).unwrap().execute_batch(sql).unwrap();
        let bytes = fs::read(&file).unwrap();
        let error = failure(folder.path()).await;
        assert_eq!(error.kind(), ErrorKind::Corrupt, "{error}");
        assert!(error.to_string().contains("another program"), "{error}");
        assert_eq!(fs::read(&file).unwrap(), bytes);
    }
}

#[tokio::test]
async fn a_newer_format_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path());
    store.save(document("topic")).await.unwrap();
    store.close().await;
    Connection::open(store.path()).unwrap().pragma_update(None, "user_version", 999).unwrap();
    let bytes = fs::read(store.path()).unwrap();
    let error = failure(folder.path()).await;
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert!(error.to_string().contains("newer Trailmark"), "{error}");
    assert!(error.to_string().contains("999"), "{error}");
    assert_eq!(fs::read(store.path()).unwrap(), bytes);
}

#[tokio::test]
async fn damage_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path());
    for number in 0..200 {
        store.save(document(&format!("number {number}"))).await.unwrap();
    }
    store.close().await;
    let mut bytes = fs::read(store.path()).unwrap();
    let from = bytes.len() / 3;
    bytes[from..2 * from].fill(0xA5);
    fs::write(store.path(), bytes).unwrap();

    let check = store.check().await;
    match check.database {
        Ok(database) => assert!(!database.problems.is_empty()),
        Err(error) => assert_eq!(error.kind(), ErrorKind::Corrupt, "{error}"),
    }
    let mut errors = Vec::new();
    for number in 0..200 {
        errors.extend(store.find_by_topic(&format!("number {number}"), 5).await.err());
    }
    assert!(!errors.is_empty());
    assert!(errors.iter().all(|error| error.kind() == ErrorKind::Corrupt && error.hint().is_some()), "{errors:?}");
}

#[tokio::test]
async fn a_folder_that_cannot_be_made_is_named_and_tried_again() {
    let root = tempfile::tempdir().unwrap();
    let blocker = root.path().join("file");
    fs::write(&blocker, "in the way").unwrap();
    let folder = blocker.join("data");
    let error = failure(&folder).await;
    assert_eq!(error.kind(), ErrorKind::Unavailable);
    assert!(error.to_string().contains(&*folder.to_string_lossy()), "{error}");
    assert!(error.hint().unwrap().contains("TRAILMARK_HOME"));

    let store = SqliteStore::open(&folder);
    store.save(document("too early")).await.unwrap_err();
    fs::remove_file(&blocker).unwrap();
    store.save(document("now")).await.unwrap();
    assert_eq!(all_ids(&store).await.len(), 1);
}

#[tokio::test]
#[cfg(unix)]
async fn a_store_deleted_while_in_use_starts_again_empty() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("data");
    let store = SqliteStore::open(&folder);
    let gone = store.save(document("gone")).await.unwrap();
    store.get(gone).await.unwrap();
    fs::remove_dir_all(&folder).unwrap();

    let kept = store.save(document("kept")).await.unwrap();
    assert_eq!(store.get(gone).await.unwrap_err().kind(), ErrorKind::NotFound);
    store.close().await;
    assert_eq!(all_ids(&SqliteStore::open(&folder)).await, [kept]);
}

#[tokio::test]
async fn the_check_describes_the_store() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path());
    store.save(document("one")).await.unwrap();
    store.save(document("two")).await.unwrap();
    let check = store.check().await;
    assert_eq!(check.path, folder.path().join("trailmark.db"));
    assert!(check.bytes > 0 && check.folder_writable);
    assert!(check.sqlite_version.starts_with("3."));
    let database = check.database.unwrap();
    assert_eq!((database.documents, database.journal_mode.as_str()), (2, "wal"));
    assert_eq!(database.problems, Vec::<String>::new());
}

/// SQLite itself reports damage here: it trusts what the reading connection remembers of the word index.
#[tokio::test]
async fn the_check_finds_no_damage_after_another_connection_changed_the_words() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path());
    for number in 0..40 {
        let id = store.save(document(&format!("number {number}"))).await.unwrap();
        store.find_by_topic("number", 5).await.unwrap();
        if number % 3 == 0 {
            store.delete(id).await.unwrap();
        }
        assert_sound(&store).await;
        assert_eq!(store.check().await.database.unwrap().problems, Vec::<String>::new());
    }
}

//! Disks that are full and disks that cannot be written: small file systems in memory, mounted for the test.
//!
//! Mounting needs privileges. Without them these tests fail, unless `TRAILMARK_ALLOW_SKIPS=1` says that this is known.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::Path;

use store::{AuditLog as _, DocumentStore as _, ErrorKind, NewDocument, ProjectCatalog as _, Retry, StoreError};
use store_sqlite::{AuditLimits, SqliteAuditLog, SqliteProjects, SqliteStore};
use testkit::Disk;

use crate::sample::{all_ids, assert_sound, document, entry, nodes_of, source_file, update};

fn assert_full(error: &StoreError) {
    assert_eq!((error.kind(), error.retry()), (ErrorKind::Unavailable, Retry::Later), "{error:?}");
    assert!(error.to_string().contains("the disk is full"), "{error:?}");
}

#[tokio::test]
async fn a_full_disk_is_reported_and_loses_nothing() {
    let Some(disk) = Disk::mount("1m") else { return };
    let filler = disk.path().join("filler");
    fs::write(&filler, vec![0; 256 << 10]).unwrap();
    let store = SqliteStore::open(disk.path());
    let mut saved = Vec::new();
    let error = loop {
        match store.save(NewDocument { content: "内容 content ".repeat(500), ..document("full") }).await {
            Ok(id) => saved.push(id),
            Err(error) => break error,
        }
    };
    assert_full(&error);
    assert!(!saved.is_empty());
    assert_eq!(all_ids(&store).await, saved);
    assert_sound(&store).await;

    fs::remove_file(&filler).unwrap();
    saved.push(store.save(document("room again")).await.unwrap());
    store.close().await;
    let again = SqliteStore::open(disk.path());
    assert_eq!(all_ids(&again).await, saved);
    assert_sound(&again).await;
}

#[tokio::test]
async fn a_store_cannot_begin_on_a_full_disk_but_can_later() {
    let Some(disk) = Disk::mount("1m") else { return };
    let filler = disk.path().join("filler");
    fs::write(&filler, vec![0; 2 << 20]).unwrap_err();
    let store = SqliteStore::open(disk.path());
    assert_full(&store.save(document("full")).await.unwrap_err());
    fs::remove_file(&filler).unwrap();
    store.save(document("room again")).await.unwrap();
}

fn assert_read_only(error: &StoreError, folder: &Path) {
    assert_eq!(error.kind(), ErrorKind::Unavailable, "{error:?}");
    assert!(error.to_string().contains(&*folder.to_string_lossy()), "{error}");
    assert!(error.hint().unwrap().contains("TRAILMARK_HOME"));
}

#[tokio::test]
async fn a_read_only_folder_is_named() {
    let Some(disk) = Disk::mount("1m") else { return };
    let store = SqliteStore::open(disk.path());
    store.save(document("before")).await.unwrap();
    store.close().await;
    disk.make_read_only();

    assert_read_only(&store.save(document("after")).await.unwrap_err(), disk.path());
    assert_read_only(&store.newest(1, None).await.unwrap_err(), disk.path());
    let check = store.check().await;
    assert!(!check.folder_writable);

    let folder = disk.path().join("new");
    assert_read_only(&SqliteStore::open(&folder).save(document("new")).await.unwrap_err(), &folder);
    let limits = AuditLimits { max_age: std::time::Duration::from_secs(60), max_bytes: 1 << 20 };
    let log = SqliteAuditLog::open(disk.path(), limits);
    assert_read_only(&log.append(vec![entry("answer")]).await.unwrap_err(), disk.path());
}

#[test]
fn a_full_disk_leaves_the_graph_as_it_was() {
    let Some(disk) = Disk::mount("1m") else { return };
    let filler = disk.path().join("filler");
    let catalog = SqliteProjects::open(disk.path());
    fs::write(&filler, vec![0; 2 << 20]).unwrap_err();
    assert_full(&catalog.create("sample", "/sample").unwrap_err());
    assert_eq!(catalog.list().unwrap(), vec![]);

    fs::write(&filler, vec![0; 256 << 10]).unwrap();
    let project = catalog.create("sample", "/sample").unwrap();
    project.apply(&update(vec![source_file("a.py", &["a", "b"], 1)])).unwrap();
    let before = (project.info().unwrap(), nodes_of(&*project));
    let names: Vec<_> = (0..20_000).map(|number| format!("function_{number}")).collect();
    assert_full(&project.apply(&update(vec![source_file("b.py", &names, 1)])).unwrap_err());
    assert_eq!((project.info().unwrap(), nodes_of(&*project)), before);

    fs::remove_file(&filler).unwrap();
    project.apply(&update(vec![source_file("b.py", &["c"], 1)])).unwrap();
    assert_eq!(project.info().unwrap().nodes, 5);
}

#[test]
fn projects_in_a_read_only_folder_are_refused_with_its_name() {
    let Some(disk) = Disk::mount("1m") else { return };
    let catalog = || SqliteProjects::open(disk.path());
    catalog().create("sample", "/sample").unwrap();
    disk.make_read_only();
    assert_read_only(&catalog().find("sample").unwrap_err(), disk.path());
    assert_read_only(&catalog().create("sample", "/sample").unwrap_err(), disk.path());
    assert_read_only(&catalog().create("new", "/new").unwrap_err(), disk.path());
    assert_read_only(&catalog().reserve("sample").unwrap_err(), disk.path());
    assert_read_only(&catalog().delete("sample").unwrap_err(), disk.path());
    assert_eq!(catalog().list().unwrap(), vec![]);
    disk.make_writable();
    assert_eq!(catalog().list().unwrap().len(), 1);
}

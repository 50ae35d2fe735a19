//! Every format ever written can still be read.
//!
//! `contract/old` holds one database of each format. After adding a migration, write the new one with
//! `TRAILMARK_WRITE_SAMPLES=1 cargo test -p store-sqlite old_data`.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use store::{
    AuditLog as _, DocumentStore, ExperienceSearch, Experiences as _, KnowledgeGraph, NewDocument, Source, SourceKind,
};
use store_sqlite::{AuditLimits, SqliteAuditLog, SqliteStore};

use crate::experiences::experience;
use crate::knowledge::{between, names_near, node};
use crate::sample::{EVERY_ENTRY, assert_sound, document, entry};

const LIMITS: AuditLimits = AuditLimits { max_age: Duration::from_secs(400_000_000), max_bytes: 1 << 30 };

fn crate_folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// The stored databases of this kind, one for each migration.
fn samples(kind: &str) -> Vec<PathBuf> {
    let formats = fs::read_dir(crate_folder("migrations").join(kind)).unwrap().count();
    (1..=formats).map(|format| crate_folder("contract/old").join(format!("{kind}-{format:04}.db"))).collect()
}

/// Whether the newest sample is to be written rather than read.
fn is_writing() -> bool {
    env::var_os("TRAILMARK_WRITE_SAMPLES").is_some()
}

fn copy(from: &Path, to: &Path) {
    fs::copy(from, to).unwrap_or_else(|error| panic!("cannot copy {} to {}: {error}", from.display(), to.display()));
}

fn sample_document() -> NewDocument {
    let source =
        Source { kind: SourceKind::Web, url: Some("https://example.com".to_owned()), title: Some("标题".to_owned()) };
    NewDocument { source: Some(source), ..document("MongoDB 索引优化") }
}

#[tokio::test]
async fn old_documents_can_be_read_found_and_changed() {
    if is_writing() {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(folder.path());
        store.save(sample_document()).await.unwrap();
        store.submit(experience("MongoDB 索引优化")).await.unwrap();
        let ends =
            [store.create_node(node("知识图谱")).await.unwrap(), store.create_node(node("MongoDB")).await.unwrap()];
        store.create_relationship(between(ends[0], ends[1])).await.unwrap();
        store.close().await;
        copy(store.path(), samples("documents").last().unwrap());
    }
    for sample in samples("documents") {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(folder.path());
        copy(&sample, store.path());
        let found = store.find_by_topic("索引", 5).await.unwrap().pop().unwrap();
        let expected = sample_document();
        assert_eq!((found.topic, found.content, found.tags), (expected.topic, expected.content, expected.tags));
        assert_eq!(found.source, expected.source);
        DocumentStore::delete(&store, found.id).await.unwrap();
        store.save(document("new")).await.unwrap();
        store.submit(experience("MongoDB 索引优化")).await.unwrap();
        let search = ExperienceSearch { words: "索引".to_owned(), limit: 10, offset: 0 };
        let total = store.search(search).await.unwrap().total;
        let has_experience = !sample.ends_with("documents-0001.db") && !sample.ends_with("documents-0002.db");
        assert_eq!(total, if has_experience { 2 } else { 1 });
        let has_graph = has_experience && !sample.ends_with("documents-0003.db");
        store.create_node(node("知识图谱")).await.unwrap();
        assert_eq!(names_near(&store, "图谱").await, if has_graph { 2 } else { 1 });
        assert_eq!(KnowledgeGraph::size(&store).await.unwrap().relationships, u64::from(has_graph));
        assert_sound(&store).await;
    }
}

#[tokio::test]
async fn old_audit_entries_can_be_read() {
    if is_writing() {
        let folder = tempfile::tempdir().unwrap();
        let log = SqliteAuditLog::open(folder.path(), LIMITS);
        log.append(vec![entry("old answer")]).await.unwrap();
        log.close().await;
        copy(log.path(), samples("audit").last().unwrap());
    }
    for sample in samples("audit") {
        let folder = tempfile::tempdir().unwrap();
        let log = SqliteAuditLog::open(folder.path(), LIMITS);
        copy(&sample, log.path());
        log.append(vec![entry("new answer")]).await.unwrap();
        let answers: Vec<_> =
            log.list(EVERY_ENTRY).await.unwrap().into_iter().map(|entry| entry.answer.unwrap()).collect();
        assert_eq!(answers, ["new answer", "old answer"]);
    }
}

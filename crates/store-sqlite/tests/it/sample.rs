//! Documents and entries for tests that do not care what is in them.

use std::time::Duration;

use jiff::Timestamp;
use store::{AuditEntry, AuditFilter, DocumentId, DocumentStore as _, NewDocument, Outcome, TraceId};
use store_sqlite::SqliteStore;

pub(crate) const EVERY_ENTRY: AuditFilter =
    AuditFilter { limit: usize::MAX, tool: None, since: None, errors_only: false };

pub(crate) fn document(topic: &str) -> NewDocument {
    let content = format!("what there is to say about {topic}, 中文内容");
    NewDocument { topic: topic.to_owned(), content, tags: vec!["sample".to_owned()], source: None }
}

pub(crate) fn entry(answer: &str) -> AuditEntry {
    AuditEntry {
        trace_id: TraceId::generate(),
        time: Timestamp::now(),
        client: "test/1".to_owned(),
        transport: "stdio".to_owned(),
        tool: "mongo_save_document".to_owned(),
        arguments: "{}".to_owned(),
        outcome: Outcome::Ok,
        duration: Duration::from_millis(1),
        answer: Some(answer.to_owned()),
        redacted: false,
    }
}

pub(crate) async fn all_ids(store: &SqliteStore) -> Vec<DocumentId> {
    store.ids_starting_with("", usize::MAX).await.unwrap()
}

pub(crate) async fn assert_sound(store: &SqliteStore) {
    assert_eq!(store.integrity_check().await.unwrap(), Vec::<String>::new());
}

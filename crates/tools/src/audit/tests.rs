//! What reaches the log, by way of a recorder and of a whole call.

use std::sync::Mutex;

use async_trait::async_trait;
use serde_json::json;
use store::{
    AuditFilter, Document, DocumentId, DocumentPatch, DocumentStore, ErrorKind, Experience, ExperienceId,
    ExperiencePage, ExperienceSearch, Experiences, FoundExperiences, NewDocument, NewExperience, Result, StoreError,
    Submitted,
};
use tokio_util::sync::CancellationToken;

use super::*;
use crate::code::stub_projects::NamedProjects;
use crate::context::Stores;
use crate::dispatch::{CallRequest, Dispatcher, Limits};
use crate::knowledge::stub_graph::NoGraph;
use crate::registry::Registry;
use crate::selection::Selection;
use crate::workspace::Workspace;

const SECRETS: [&str; 5] = [
    "ghp_0123456789abcdefghijABCDEFGHIJ012345",
    "AKIAABCDEFGHIJKLMNOP",
    "sk-0123456789abcdefghij",
    "abcdef0123456789",
    "correct horse battery staple",
];

/// Keeps entries in memory, or a single document.
#[derive(Debug, Default)]
struct Memory {
    entries: Mutex<Vec<AuditEntry>>,
    content: String,
}

#[async_trait]
impl AuditLog for Memory {
    async fn append(&self, entries: Vec<AuditEntry>) -> Result<()> {
        self.entries.lock().unwrap().extend(entries);
        Ok(())
    }

    async fn list(&self, _filter: AuditFilter) -> Result<Vec<AuditEntry>> {
        Ok(self.entries.lock().unwrap().clone())
    }

    async fn get(&self, _trace_id: TraceId) -> Result<AuditEntry> {
        Err(unsupported())
    }
}

#[async_trait]
impl Experiences for Memory {
    async fn submit(&self, _experience: NewExperience) -> Result<Submitted> {
        Err(unsupported())
    }

    async fn import(&self, _experiences: Vec<Experience>) -> Result<usize> {
        Err(unsupported())
    }

    async fn make_vectors(&self, _experiences: Vec<Experience>) -> Result<usize> {
        Err(unsupported())
    }

    async fn get(&self, _id: ExperienceId) -> Result<Experience> {
        Err(unsupported())
    }

    async fn search(&self, _search: ExperienceSearch) -> Result<FoundExperiences> {
        Err(unsupported())
    }

    async fn count(&self, _answers: Vec<(ExperienceId, u64)>) -> Result<()> {
        Err(unsupported())
    }

    async fn delete(&self, _id: ExperienceId) -> Result<()> {
        Err(unsupported())
    }

    async fn restore(&self, _id: ExperienceId) -> Result<()> {
        Err(unsupported())
    }

    async fn newest(&self, _page: ExperiencePage) -> Result<Vec<Experience>> {
        Err(unsupported())
    }

    async fn in_order(&self, _after: Option<ExperienceId>, _limit: usize) -> Result<Vec<Experience>> {
        Err(unsupported())
    }

    async fn size(&self) -> Result<u64> {
        Err(unsupported())
    }
}

#[async_trait]
impl DocumentStore for Memory {
    async fn save(&self, _document: NewDocument) -> Result<DocumentId> {
        Err(unsupported())
    }

    async fn import(&self, _documents: Vec<Document>) -> Result<usize> {
        Err(unsupported())
    }

    async fn count(&self) -> Result<u64> {
        Err(unsupported())
    }

    async fn get(&self, id: DocumentId) -> Result<Document> {
        let (topic, content, time) = ("deploy".to_owned(), self.content.clone(), Timestamp::UNIX_EPOCH);
        Ok(Document { id, topic, content, tags: Vec::new(), source: None, created_at: time, updated_at: time })
    }

    async fn update(&self, _id: DocumentId, _patch: DocumentPatch) -> Result<()> {
        Err(unsupported())
    }

    async fn delete(&self, _id: DocumentId) -> Result<()> {
        Err(unsupported())
    }

    async fn find_by_topic(&self, _topic: &str, _limit: usize) -> Result<Vec<Document>> {
        Err(unsupported())
    }

    async fn newest(&self, _limit: usize, _after: Option<DocumentId>) -> Result<Vec<Document>> {
        Err(unsupported())
    }

    async fn in_order(&self, _after: Option<DocumentId>, _limit: usize) -> Result<Vec<Document>> {
        Err(unsupported())
    }

    async fn topics_starting_with(&self, _prefix: &str, _limit: usize) -> Result<Vec<String>> {
        Err(unsupported())
    }

    async fn ids_starting_with(&self, _prefix: &str, _limit: usize) -> Result<Vec<DocumentId>> {
        Err(unsupported())
    }
}

fn unsupported() -> StoreError {
    StoreError::new(ErrorKind::Unsupported, "not in this test")
}

fn call(tool: &str, arguments: Value, client: &str) -> Call {
    let origin = Origin { client: client.to_owned(), transport: "stdio" };
    let (trace_id, time) = (TraceId::generate(), Timestamp::UNIX_EPOCH);
    Call { trace_id, time, duration: Duration::ZERO, tool: tool.to_owned(), arguments, origin }
}

/// Records one call and hands back what the log then holds.
async fn recorded(call: Call, ending: Ending) -> AuditEntry {
    let log = Arc::new(Memory::default());
    let recorder = Recorder::start(log.clone());
    recorder.record(call, ending);
    recorder.flush().await;
    assert_eq!(recorder.held.load(Ordering::Relaxed), 0);
    log.entries.lock().unwrap().remove(0)
}

#[track_caller]
fn check_no_secret(entry: &AuditEntry) {
    let shown = format!("{entry:?}");
    for secret in SECRETS {
        assert!(!shown.contains(secret), "`{secret}` is in {shown}");
    }
}

#[tokio::test]
async fn a_document_that_is_read_leaves_no_secret_in_the_log() {
    let [github, amazon, key, bearer, password] = SECRETS;
    let content =
        format!("line one\n{github}\n{amazon}\n\t{key}\nBearer {bearer}\npassword: \"{password}\"\nlast line");
    let log = Arc::new(Memory::default());
    let documents = Arc::new(Memory { content, ..Memory::default() });
    let stores = Stores {
        experiences: documents.clone(),
        knowledge: Arc::new(NoGraph),
        documents,
        audit: log.clone(),
        projects: Arc::new(NamedProjects(&[])),
    };
    let registry = Registry::new(&Selection::default()).unwrap();
    let limits = Limits { concurrent_calls: 1, waiting_calls: 1, answer_bytes: 100_000 };
    let workspace = Arc::new(Workspace::new(".".into(), stores.projects.clone()));
    let dispatcher = Dispatcher::new(registry, stores, workspace, Recorder::start(log.clone()), limits);
    let arguments = json!({"id": DocumentId::generate().to_string()}).as_object().unwrap().clone();
    let origin = Origin { client: "test".to_owned(), transport: "stdio" };
    let tool = "mongo_find_by_id".to_owned();
    let request = CallRequest { tool, arguments, origin, cancel: CancellationToken::new(), progress: None };
    dispatcher.call(request).await.unwrap();
    dispatcher.recorder().flush().await;

    let entry = log.entries.lock().unwrap().remove(0);
    check_no_secret(&entry);
    assert!(entry.redacted);
    let answer = entry.answer.unwrap();
    assert!(answer.contains("line one") && answer.contains("last line") && answer.contains("traceId"), "{answer}");
    assert!(serde_json::from_str::<Value>(&answer).is_ok());
}

#[tokio::test]
async fn messages_and_names_are_redacted() {
    let [github, amazon, ..] = SECRETS;
    let message = || format!("no document {github}");
    let refused = Ending::Refused { code: "NOT_FOUND", message: message(), answer: format!("[{github}") };
    for ending in [refused, Ending::Failed { code: "UNKNOWN_TOOL", message: message() }] {
        let entry = recorded(call(amazon, json!({}), &format!("client {github}")), ending).await;
        check_no_secret(&entry);
        assert_eq!((entry.tool.as_str(), entry.client.as_str()), ("[redacted]", "client [redacted]"));
        let Outcome::Error { message, .. } = entry.outcome else { panic!("the call failed") };
        assert_eq!(message, "no document [redacted]");
    }
}

#[tokio::test]
async fn an_answer_without_secrets_is_kept_as_it_is() {
    for answer in [r#"{"a":1,   "tookMs": 2}"#, "[not json", "plain\ntext", "3"] {
        let entry = recorded(call("tool", json!({"limit": 1}), "client"), Ending::Answered(answer.to_owned())).await;
        assert_eq!((entry.answer.as_deref(), entry.redacted), (Some(answer), false));
    }
}

#[tokio::test]
async fn what_is_too_long_is_cut() {
    let long = "字".repeat(100_000);
    let arguments = json!({"content": long, "limit": 1});
    let failed = Ending::Refused { code: "CODE", message: long.clone(), answer: long.clone() };
    let entry = recorded(call(&long, arguments, &long), failed).await;
    assert!(entry.redacted, "a replay would not make the same call");
    assert!(entry.arguments.len() < 1100 && entry.arguments.ends_with(r#"…","limit":1}"#), "{}", entry.arguments);
    assert_eq!((entry.tool.chars().count(), entry.client.chars().count()), (200, 200));
    assert_eq!(entry.answer, None);
    let Outcome::Error { message, .. } = entry.outcome else { panic!("the call failed") };
    assert!(message.len() <= LONGEST_MESSAGE);
}

#[tokio::test]
async fn waiting_records_are_bounded_in_bytes() {
    let log = Arc::new(Memory::default());
    let recorder = Recorder::start(log.clone());
    let answer = "x".repeat(LONGEST_ANSWER);
    for _ in 0..1000 {
        recorder.record(call("tool", json!({}), "client"), Ending::Answered(answer.clone()));
    }
    assert!(recorder.held.load(Ordering::Relaxed) <= QUEUE_BYTES);
    recorder.flush().await;
    let written = log.entries.lock().unwrap().len();
    assert!((400..=512).contains(&written), "{written}");
    assert_eq!(written as u64 + recorder.dropped.load(Ordering::Relaxed), 1000);
    assert_eq!(recorder.held.load(Ordering::Relaxed), 0);
}

//! Experiences on a store that cannot answer: each tool says so with its own code.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use serde_json::{Value, json};
use store::{
    Experience, ExperienceId, ExperiencePage, ExperienceSearch, Experiences, FoundExperiences, NewExperience, Result,
    Submitted,
};
use store_sqlite::{AuditLimits, SqliteAuditLog, SqliteProjects, SqliteStore};
use testkit::Era;
use tokio_util::sync::CancellationToken;
use tools::{CallRequest, Dispatcher, Limits, Origin, Recorder, Registry, Selection, Stores, Workspace};

use crate::sample::{body, installation};

fn calls() -> [(&'static str, Value); 2] {
    let experience = json!({"title": "a title", "problem_description": "a problem", "solution": "a solution"});
    [("query_experiences", json!({"keywords": "problem"})), ("submit_experience", experience)]
}

#[test]
fn a_file_that_is_no_database_is_a_database_error() {
    let installation = installation();
    std::fs::create_dir_all(installation.home()).unwrap();
    std::fs::write(installation.home().join("trailmark.db"), "no database at all ".repeat(400)).unwrap();
    let mut server = installation.open_stdio(Era::INITIALIZED);
    for (tool, arguments) in calls() {
        let answer = server.call(tool, arguments);
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        let error = &body(&answer)["error"];
        assert_eq!(error["code"], "DATABASE_ERROR", "{error}");
        assert!(error["message"].as_str().unwrap().contains("is not an SQLite database"), "{error}");
    }
}

/// A store that answers too late, whatever is asked.
#[derive(Debug)]
struct Late;

/// Far beyond the deadline of any tool.
async fn late<T>() -> Result<T> {
    std::future::pending().await
}

#[async_trait]
impl Experiences for Late {
    async fn submit(&self, _experience: NewExperience) -> Result<Submitted> {
        late().await
    }

    async fn import(&self, _experiences: Vec<Experience>) -> Result<usize> {
        late().await
    }

    async fn make_vectors(&self, _experiences: Vec<Experience>) -> Result<usize> {
        late().await
    }

    async fn get(&self, _id: ExperienceId) -> Result<Experience> {
        late().await
    }

    async fn search(&self, _search: ExperienceSearch) -> Result<FoundExperiences> {
        late().await
    }

    async fn count(&self, _answers: Vec<(ExperienceId, u64)>) -> Result<()> {
        late().await
    }

    async fn delete(&self, _id: ExperienceId) -> Result<()> {
        late().await
    }

    async fn restore(&self, _id: ExperienceId) -> Result<()> {
        late().await
    }

    async fn newest(&self, _page: ExperiencePage) -> Result<Vec<Experience>> {
        late().await
    }

    async fn in_order(&self, _after: Option<ExperienceId>, _limit: usize) -> Result<Vec<Experience>> {
        late().await
    }

    async fn size(&self) -> Result<u64> {
        late().await
    }
}

#[test]
fn a_store_that_is_slower_than_the_deadline_is_a_timeout() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let limits = AuditLimits { max_age: Duration::from_secs(60), max_bytes: 1 << 20 };
    let stores = Stores {
        documents: Arc::new(SqliteStore::open(folder.path())),
        knowledge: Arc::new(SqliteStore::open(folder.path())),
        experiences: Arc::new(Late),
        audit: Arc::new(SqliteAuditLog::open(folder.path(), limits)),
        projects: Arc::new(SqliteProjects::open(folder.path())),
    };
    let workspace = Arc::new(Workspace::new(folder.path().to_owned(), stores.projects.clone()));
    let limits = Limits { concurrent_calls: 4, waiting_calls: 4, answer_bytes: 200_000 };
    let registry = Registry::new(&Selection::default()).unwrap();
    let dispatcher = Dispatcher::new(registry, stores, workspace, Recorder::off(), limits);
    let answers = calls().map(|(tool, arguments)| {
        dispatcher.call(CallRequest {
            tool: tool.to_owned(),
            arguments: arguments.as_object().unwrap().clone(),
            origin: Origin { client: "late".to_owned(), transport: "none" },
            cancel: CancellationToken::new(),
            progress: None,
        })
    });
    let answers =
        runtime.block_on(async { tokio::time::timeout(testkit::PATIENCE, futures::future::join_all(answers)).await });
    for answer in answers.expect("calls end at their deadline") {
        let answer = serde_json::to_value(answer.unwrap()).unwrap();
        assert_eq!(answer["isError"], true, "{answer}");
        assert_eq!(answer["structuredContent"]["error"]["code"], "TIMEOUT", "{answer}");
        assert!(answer["structuredContent"]["error"]["message"].as_str().unwrap().contains("within 5 s"), "{answer}");
    }
}

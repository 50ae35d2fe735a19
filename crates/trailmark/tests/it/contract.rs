//! Every tool contract, three ways: in process, over stdio and over HTTP, with the same answers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};
use store_sqlite::{AuditLimits, SqliteAuditLog, SqliteProjects, SqliteStore};
use testkit::contract::{Client, Reply, problems};
use testkit::{Era, HttpServer, Installation, StdioServer};
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;
use tools::{Apis, CallRequest, Dispatcher, Limits, Origin, Recorder, Registry, Selection, Stores, Workspace};

use crate::sample::{MANY_OPERATIONS, NOTES, installation};

fn check<C: Client>(start: impl FnMut() -> C) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tools/contract");
    let (problems, cases) = problems(&folder, start);
    assert!(problems.is_empty(), "{} of {cases} cases are broken:\n{}", problems.len(), problems.join("\n"));
    assert!(cases > 0, "no contract was found");
}

#[test]
fn every_contract_holds_in_process() {
    check(InProcess::start);
}

#[test]
fn every_contract_holds_over_stdio() {
    check(|| {
        let installation = installation();
        let mut server = installation.serve_stdio(MANY_OPERATIONS);
        server.open(Era::INITIALIZED);
        OverStdio { server, installation }
    });
}

#[test]
fn every_contract_holds_over_http() {
    check(|| {
        let installation = installation();
        OverHttp { server: installation.serve_http(MANY_OPERATIONS), installation }
    });
}

/// The dispatcher itself, on the embedded store.
struct InProcess {
    runtime: Runtime,
    dispatcher: Dispatcher,
    root: PathBuf,
    _folders: [tempfile::TempDir; 2],
}

impl InProcess {
    fn start() -> Self {
        let (folder, around_root) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let root = around_root.path().join("root");
        std::fs::create_dir(&root).unwrap();
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let limits = AuditLimits { max_age: Duration::from_secs(60), max_bytes: 1 << 20 };
        let kept = std::sync::Arc::new(SqliteStore::open(folder.path()));
        let stores = Stores {
            documents: kept.clone(),
            knowledge: kept.clone(),
            experiences: kept,
            audit: std::sync::Arc::new(SqliteAuditLog::open(folder.path(), limits)),
            projects: std::sync::Arc::new(SqliteProjects::open(folder.path())),
        };
        let registry = Registry::new(&Selection::default()).unwrap();
        let limits = Limits { concurrent_calls: 4, waiting_calls: 4, answer_bytes: 200_000 };
        let workspace = std::sync::Arc::new(Workspace::new(root.clone(), stores.projects.clone()));
        let notes = openapi::ApiSettings::new(NOTES);
        let api = runtime.block_on(openapi::Api::load(&notes, |_| openapi::Credentials::default())).unwrap();
        let apis = std::sync::Arc::new(Apis::new(vec![std::sync::Arc::new(api)], 0));
        let dispatcher = Dispatcher::new(registry, stores, workspace, Recorder::off(), limits).with_apis(apis);
        Self { runtime, dispatcher, root, _folders: [folder, around_root] }
    }
}

impl Client for InProcess {
    fn root(&self) -> &Path {
        &self.root
    }

    fn output_schemas(&mut self) -> BTreeMap<String, Value> {
        let registry = self.dispatcher.registry();
        let entries = registry.entries().iter();
        entries.filter_map(|entry| Some((entry.info.name.to_string(), (**entry.output_schema()?).clone()))).collect()
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> Reply {
        let call = self.dispatcher.call(CallRequest {
            tool: tool.to_owned(),
            arguments: arguments.as_object().unwrap().clone(),
            origin: Origin { client: "contract".to_owned(), transport: "none" },
            cancel: CancellationToken::new(),
            progress: None,
        });
        let bounded = async { tokio::time::timeout(testkit::PATIENCE, call).await.expect("a call ends in time") };
        match self.runtime.block_on(bounded) {
            Ok(answer) => Reply::Answer(serde_json::to_value(answer).unwrap()),
            Err(failure) => Reply::Failure { message: failure.to_string(), error: None },
        }
    }
}

struct OverStdio {
    server: StdioServer,
    installation: Installation,
}

impl Client for OverStdio {
    fn root(&self) -> &Path {
        self.installation.root()
    }

    fn output_schemas(&mut self) -> BTreeMap<String, Value> {
        published(&self.server.ask("tools/list", json!({})))
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> Reply {
        reply(self.server.call(tool, arguments.clone()))
    }
}

struct OverHttp {
    server: HttpServer,
    installation: Installation,
}

impl Client for OverHttp {
    fn root(&self) -> &Path {
        self.installation.root()
    }

    fn output_schemas(&mut self) -> BTreeMap<String, Value> {
        published(&self.server.ask("tools/list", json!({})))
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> Reply {
        reply(self.server.call(tool, arguments.clone()))
    }
}

fn published(answer: &Value) -> BTreeMap<String, Value> {
    let tools = answer["result"]["tools"].as_array().unwrap().iter();
    tools.filter_map(|tool| Some((tool["name"].as_str()?.to_owned(), tool.get("outputSchema")?.clone()))).collect()
}

fn reply(answer: Value) -> Reply {
    match answer.get("error") {
        Some(error) => {
            let message = error["message"].as_str().unwrap_or_default().to_owned();
            Reply::Failure { message, error: Some(error.clone()) }
        }
        None => Reply::Answer(answer["result"].clone()),
    }
}

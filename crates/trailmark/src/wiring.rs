//! From settings to a running dispatcher: the one place that chooses a storage backend and a language model.

use std::sync::Arc;

use chart::Painter;
use code_index::Meaning;
use code_query::ServerGraphs;
use futures::future::{BoxFuture, FutureExt as _};
use graph_server::CodeServer;
use language_model::{Client, Limits};
use store::{AuditLog, DocumentStore, Experiences, KnowledgeGraph};
use store_sqlite::{AuditLimits, SqliteAuditLog, SqliteProjects, SqliteStore};
use tools::{
    AnswerCounter, Apis, Dispatcher, LanguageModel, Reach, Recorder, Registry, SelectionError, Stores, Workspace,
};
use upstream::Ckb;
use web_search::WebSearch;

use crate::embedding;
use crate::servers::{self, Server};
use crate::settings::Settings;

/// The stores as themselves, for the commands that look behind the promises.
#[derive(Debug)]
pub(crate) struct Backend {
    pub(crate) documents: Arc<SqliteStore>,
    pub(crate) audit: Arc<SqliteAuditLog>,
    pub(crate) projects: Arc<SqliteProjects>,
    /// What vectors of code and of experiences are made by.
    pub(crate) meaning: Meaning,
    /// The servers that keep something, and what.
    pub(crate) servers: Vec<(&'static str, Arc<dyn Server>)>,
    kept_documents: Arc<dyn DocumentStore>,
    knowledge: Arc<dyn KnowledgeGraph>,
    pub(crate) experiences: Arc<dyn Experiences>,
    ckb: Arc<Ckb>,
    pub(crate) web_search: Option<Arc<WebSearch>>,
}

impl Backend {
    /// Opens nothing yet: files are touched by the first call that needs them.
    pub(crate) fn new(settings: &Settings) -> Self {
        let unlimited = AuditLimits { max_age: std::time::Duration::MAX, max_bytes: u64::MAX };
        let meaning = embedding::meaning(&settings.embedder, &settings.home);
        let embedder = embedding::of_texts(&meaning);
        let documents = Arc::new(embedding::embedded_store(&settings.home, embedder.clone()));
        let mut servers: Vec<(&'static str, Arc<dyn Server>)> = Vec::new();
        let kept_documents: Arc<dyn DocumentStore> = match settings.documents.as_ref().and_then(servers::documents) {
            Some((kept, server)) => {
                servers.push(("documents", server));
                kept
            }
            None => documents.clone(),
        };
        let knowledge: Arc<dyn KnowledgeGraph> = match settings.knowledge.as_ref().and_then(servers::knowledge) {
            Some((kept, server)) => {
                servers.push(("knowledge graph", server));
                kept
            }
            None => documents.clone(),
        };
        let experiences: Arc<dyn Experiences> =
            match settings.experiences.as_ref().and_then(|address| servers::experiences(address, embedder)) {
                Some((kept, server)) => {
                    servers.push(("experiences", server));
                    kept
                }
                None => documents.clone(),
            };
        Self {
            servers,
            kept_documents,
            knowledge,
            experiences,
            ckb: Arc::new(Ckb::new(settings.ckb.clone(), documents.clone())),
            web_search: web_search(settings).map(Arc::new),
            documents,
            audit: Arc::new(SqliteAuditLog::open(&settings.home, settings.audit.unwrap_or(unlimited))),
            projects: Arc::new(SqliteProjects::open(&settings.home)),
            meaning,
        }
    }

    fn stores(&self) -> Stores {
        let audit: Arc<dyn AuditLog> = self.audit.clone();
        Stores {
            documents: self.kept_documents.clone(),
            knowledge: self.knowledge.clone(),
            experiences: self.experiences.clone(),
            audit,
            projects: self.projects.clone(),
        }
    }

    /// Waits until what was written is on disk, the files are closed and no other server runs for us.
    pub(crate) async fn close(&self) {
        let web_search = async {
            if let Some(search) = &self.web_search {
                search.close().await;
            }
        };
        tokio::join!(self.ckb.close(), web_search);
        futures::future::join_all(self.servers.iter().map(|(_, server)| server.close())).await;
        tokio::join!(self.documents.close(), self.audit.close());
    }
}

/// The dispatcher for these settings without their APIs. Must be called on a runtime.
pub(crate) fn dispatcher(settings: &Settings, backend: &Backend) -> Result<Arc<Dispatcher>, SelectionError> {
    dispatcher_with(settings, backend, Arc::default())
}

/// The dispatcher for these settings with tools of these APIs. Must be called on a runtime.
pub(crate) fn dispatcher_with(
    settings: &Settings,
    backend: &Backend,
    apis: Arc<Apis>,
) -> Result<Arc<Dispatcher>, SelectionError> {
    let registry = Registry::with_apis(&settings.selection, &apis)?;
    let stores = backend.stores();
    let recorder = if settings.audit.is_some() { Recorder::start(stores.audit.clone()) } else { Recorder::off() };
    let workspace =
        Arc::new(Workspace::new(settings.root.clone(), stores.projects.clone()).with_meaning(backend.meaning.clone()));
    let counter = if settings.selection.read_only {
        AnswerCounter::off()
    } else {
        AnswerCounter::start(stores.experiences.clone())
    };
    let dispatcher = Dispatcher::new(registry, stores, workspace, recorder, settings.limits);
    let reach = Reach {
        language_model: language_model(settings),
        ckb: Some(backend.ckb.clone()),
        code_server: code_server(settings).map(Arc::new),
        web_search: backend.web_search.clone(),
    };
    let painter = Painter::new(chart::Limits::default(), settings.fonts.iter().cloned().collect());
    let dispatcher = dispatcher.with_counter(counter).with_vocabulary(settings.vocabulary.clone());
    let dispatcher = dispatcher.with_painter(Arc::new(painter));
    Ok(Arc::new(dispatcher.with_reach(reach).with_apis(apis)))
}

/// The graph server of these settings. Connects to nothing yet.
pub(crate) fn code_server(settings: &Settings) -> Option<ServerGraphs> {
    let target = settings.code.clone()?;
    Some(ServerGraphs::new(Arc::new(CodeServer::new(target))))
}

/// The way to the web of these settings. Connects to nothing and starts nothing yet.
fn web_search(settings: &Settings) -> Option<WebSearch> {
    let search = WebSearch::new(settings.web_search.as_ref()?, web_search::Limits::default());
    Some(search.expect("settings are checked when they are read"))
}

/// The model of these settings. Connects to nothing yet.
fn language_model(settings: &Settings) -> Option<Arc<dyn LanguageModel>> {
    let endpoint = settings.model.clone()?;
    Some(Arc::new(ConfiguredModel(Client::new(endpoint, Limits::default()))))
}

#[derive(Debug)]
struct ConfiguredModel(Client);

impl LanguageModel for ConfiguredModel {
    fn name(&self) -> &str {
        self.0.endpoint().model()
    }

    fn complete<'a>(&'a self, instructions: &'a str, said: &'a [String]) -> BoxFuture<'a, Result<String, String>> {
        self.0.complete(instructions, said).map(|reply| reply.map_err(|error| error.to_string())).boxed()
    }
}

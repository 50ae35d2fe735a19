//! From settings to a running dispatcher: the one place that chooses a storage backend and a language model.

use std::sync::Arc;

use futures::future::{BoxFuture, FutureExt as _};
use language_model::{Client, Limits};
use store::AuditLog;
use store_sqlite::{AuditLimits, SqliteAuditLog, SqliteProjects, SqliteStore};
use tools::{AnswerCounter, Dispatcher, LanguageModel, Recorder, Registry, SelectionError, Stores, Workspace};
use upstream::Ckb;

use crate::settings::Settings;

/// The stores as themselves, for the commands that look behind the promises.
#[derive(Debug)]
pub(crate) struct Backend {
    pub(crate) documents: Arc<SqliteStore>,
    pub(crate) audit: Arc<SqliteAuditLog>,
    pub(crate) projects: Arc<SqliteProjects>,
    ckb: Arc<Ckb>,
}

impl Backend {
    /// Opens nothing yet: files are touched by the first call that needs them.
    pub(crate) fn new(settings: &Settings) -> Self {
        let unlimited = AuditLimits { max_age: std::time::Duration::MAX, max_bytes: u64::MAX };
        let documents = Arc::new(SqliteStore::open(&settings.home));
        Self {
            ckb: Arc::new(Ckb::new(settings.ckb.clone(), documents.clone())),
            documents,
            audit: Arc::new(SqliteAuditLog::open(&settings.home, settings.audit.unwrap_or(unlimited))),
            projects: Arc::new(SqliteProjects::open(&settings.home)),
        }
    }

    fn stores(&self) -> Stores {
        let audit: Arc<dyn AuditLog> = self.audit.clone();
        Stores {
            documents: self.documents.clone(),
            experiences: self.documents.clone(),
            audit,
            projects: self.projects.clone(),
        }
    }

    /// Waits until what was written is on disk, the files are closed and no other server runs for us.
    pub(crate) async fn close(&self) {
        self.ckb.close().await;
        tokio::join!(self.documents.close(), self.audit.close());
    }
}

/// The dispatcher for these settings. Must be called on a runtime.
pub(crate) fn dispatcher(settings: &Settings, backend: &Backend) -> Result<Arc<Dispatcher>, SelectionError> {
    let registry = Registry::new(&settings.selection)?;
    let stores = backend.stores();
    let recorder = if settings.audit.is_some() { Recorder::start(stores.audit.clone()) } else { Recorder::off() };
    let workspace = Arc::new(Workspace::new(settings.root.clone(), stores.projects.clone()));
    let counter = if settings.selection.read_only {
        AnswerCounter::off()
    } else {
        AnswerCounter::start(stores.experiences.clone())
    };
    let dispatcher = Dispatcher::new(registry, stores, workspace, recorder, settings.limits);
    let dispatcher = dispatcher.with_counter(counter).with_ckb(backend.ckb.clone());
    Ok(Arc::new(match language_model(settings) {
        Some(model) => dispatcher.with_language_model(model),
        None => dispatcher,
    }))
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

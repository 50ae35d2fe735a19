//! What a running tool may use: the stores, a language model if there is one, a way to report progress, and a sign that it should stop.

use std::fmt;
use std::path::Path;
use std::sync::{Arc, Weak};

use chart::Painter;
use code_query::ServerGraphs;
use futures::future::BoxFuture;
use store::{AuditLog, DocumentStore, Experiences, KnowledgeGraph, ProjectCatalog, TraceId};
use tokio_util::sync::CancellationToken;
use upstream::Ckb;
use web_search::WebSearch;

use crate::api::Apis;
use crate::experience::AnswerCounter;
use crate::knowledge::Vocabulary;
use crate::workspace::Workspace;

/// Everything that is kept, behind the promises of the `store` crate.
#[derive(Debug, Clone)]
pub struct Stores {
    pub documents: Arc<dyn DocumentStore>,
    pub knowledge: Arc<dyn KnowledgeGraph>,
    pub experiences: Arc<dyn Experiences>,
    pub audit: Arc<dyn AuditLog>,
    pub projects: Arc<dyn ProjectCatalog>,
}

/// What tools may ask beside the stores; each is there only where somebody has set it up.
#[derive(Debug, Clone, Default)]
pub struct Reach {
    pub language_model: Option<Arc<dyn LanguageModel>>,
    /// Asked beside our own graph; it knows why it cannot answer.
    pub ckb: Option<Arc<Ckb>>,
    /// Answers questions about code in place of the graphs that are kept here.
    pub code_server: Option<Arc<ServerGraphs>>,
    pub web_search: Option<Arc<WebSearch>>,
}

/// Handed to a tool for one call.
#[derive(Debug)]
pub struct ToolContext {
    pub(crate) stores: Stores,
    pub(crate) vocabulary: Arc<Vocabulary>,
    pub(crate) workspace: Arc<Workspace>,
    pub(crate) reach: Reach,
    pub(crate) counter: AnswerCounter,
    pub(crate) apis: Arc<Apis>,
    pub(crate) painter: Arc<Painter>,
    pub(crate) answer_bytes: usize,
    pub(crate) trace_id: TraceId,
    pub(crate) cancel: CancellationToken,
    pub(crate) progress: Option<Arc<dyn ProgressSink>>,
}

impl ToolContext {
    pub fn documents(&self) -> &dyn DocumentStore {
        &*self.stores.documents
    }

    pub fn knowledge(&self) -> &dyn KnowledgeGraph {
        &*self.stores.knowledge
    }

    /// Which labels and types the knowledge graph may have.
    pub(crate) fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    pub fn experiences(&self) -> &dyn Experiences {
        &*self.stores.experiences
    }

    /// Takes note of the experiences that an answer holds.
    pub(crate) fn counter(&self) -> &AnswerCounter {
        &self.counter
    }

    /// Every code graph. Its promises block: see [`off_runtime`](crate::blocking::off_runtime).
    pub fn projects(&self) -> &Arc<dyn ProjectCatalog> {
        &self.stores.projects
    }

    /// The folder the server was started for; what is meant when a call names no project.
    pub fn root(&self) -> &Path {
        self.workspace.root()
    }

    /// The folder of the server and what keeps code graphs in step with their folders.
    pub fn workspace(&self) -> &Arc<Workspace> {
        &self.workspace
    }

    /// The model that may be asked, if there is one.
    pub fn language_model(&self) -> Option<&Arc<dyn LanguageModel>> {
        self.reach.language_model.as_ref()
    }

    /// CKB, which knows why it cannot answer; nothing where nobody has set up any.
    pub fn ckb(&self) -> Option<&Arc<Ckb>> {
        self.reach.ckb.as_ref()
    }

    /// The graph server that answers questions about code, where one is set up.
    pub fn code_server(&self) -> Option<&Arc<ServerGraphs>> {
        self.reach.code_server.as_ref()
    }

    /// The way to the web, where somebody has set one up.
    pub fn web_search(&self) -> Option<&WebSearch> {
        self.reach.web_search.as_deref()
    }

    /// The APIs that can be called.
    pub(crate) fn apis(&self) -> &Arc<Apis> {
        &self.apis
    }

    /// What draws charts.
    pub(crate) fn painter(&self) -> &Arc<Painter> {
        &self.painter
    }

    /// The longest answer in bytes: more than that need not be read.
    pub fn answer_bytes(&self) -> usize {
        self.answer_bytes
    }

    /// Names this call in logs and in the audit log.
    pub fn trace_id(&self) -> TraceId {
        self.trace_id
    }

    /// Fires when the caller has gone or the deadline has passed; long loops ask it.
    pub fn cancel(&self) -> &CancellationToken {
        &self.cancel
    }

    /// Where progress goes, for work on another thread. It ends with the call, even if that work goes on for a while.
    pub(crate) fn progress_sink(&self) -> Option<Weak<dyn ProgressSink>> {
        self.progress.as_ref().map(Arc::downgrade)
    }

    /// Tells the caller how far the work has come, if it asked to know.
    pub fn report(&self, progress: Progress) {
        if let Some(sink) = &self.progress {
            sink.report(progress);
        }
    }
}

/// A language model that somebody has set up. No tool needs one.
pub trait LanguageModel: Send + Sync + fmt::Debug {
    /// What it is called.
    fn name(&self) -> &str;

    /// Its reply, or why there is none, in words that hold no secret. What was said begins with who asks, and goes on in turn.
    fn complete<'a>(&'a self, instructions: &'a str, said: &'a [String]) -> BoxFuture<'a, Result<String, String>>;
}

/// How far a call has come.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    pub done: f64,
    pub total: Option<f64>,
    pub message: Option<String>,
}

/// Where progress goes; must not block.
pub trait ProgressSink: Send + Sync + fmt::Debug {
    fn report(&self, progress: Progress);
}

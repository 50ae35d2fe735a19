//! Settings: what was given by flag, environment or file, checked once and turned into values that cannot be wrong.
//!
//! A flag wins over an environment variable, that over the settings file, that over the default. A `trailmark.toml` in the
//! current folder can only take tools away: that folder may be anybody's checkout.

mod ckb;
mod code;
mod embedder;
mod file;
mod given;
mod openapi;
mod servers;
mod web_search;

use std::path::{Path, PathBuf};
use std::time::Duration;

use ::web_search::{Configuration as WebSearchConfiguration, ConfigurationError};
use graph_server::Target;
use language_model::{Endpoint, EndpointError};
use store::ServerAddress;
use store_sqlite::AuditLimits;
use tools::{Limits, Selection, Vocabulary};
use upstream::CkbSettings;

pub(crate) use self::embedder::EmbedderChoice;
pub(crate) use self::openapi::{ConfiguredApi, ConfiguredApis};
pub(crate) use file::FileError;
pub(crate) use given::Given;
pub(crate) use servers::server_named_by;

/// The HTTP token comes by environment only: arguments are seen by every user of the machine.
pub(crate) const TOKEN_VARIABLE: &str = "TRAILMARK_TOKEN";
/// So does the key of the language model.
pub(crate) const MODEL_KEY_VARIABLE: &str = "TRAILMARK_MODEL_KEY";
/// And the password of graph servers.
pub(crate) const BOLT_PASSWORD_VARIABLE: &str = "TRAILMARK_BOLT_PASSWORD";
/// So does the token of an MCP server that searches the web.
pub(crate) const WEB_SEARCH_TOKEN_VARIABLE: &str = "TRAILMARK_WEB_SEARCH_TOKEN";
/// And that of the service that makes embeddings.
pub(crate) const EMBEDDER_KEY_VARIABLE: &str = "TRAILMARK_EMBEDDER_KEY";
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const MEGABYTE: u64 = 1024 * 1024;

/// Everything the commands need to know.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) home: PathBuf,
    /// The folder that is meant when a call names no project.
    pub(crate) root: PathBuf,
    /// The settings file that was read.
    pub(crate) config: Option<PathBuf>,
    pub(crate) selection: Selection,
    pub(crate) output_schemas: bool,
    /// Whether a server keeps the code graph of the root fresh.
    pub(crate) watch: bool,
    pub(crate) limits: Limits,
    /// `None` when the audit log is switched off.
    pub(crate) audit: Option<AuditLimits>,
    /// Which labels and types the knowledge graph may have.
    pub(crate) vocabulary: Vocabulary,
    /// The language model that may be asked; without one, nothing is ever sent anywhere.
    pub(crate) model: Option<Endpoint>,
    pub(crate) embedder: EmbedderChoice,
    pub(crate) ckb: CkbSettings,
    /// The graph server that answers questions about code; without one, the graphs that are kept here do.
    pub(crate) code: Option<Target>,
    /// The provider that web_search asks; without one, nothing is ever sent anywhere.
    pub(crate) web_search: Option<WebSearchConfiguration>,
    /// The APIs whose operations become tools.
    pub(crate) apis: ConfiguredApis,
    /// Fonts beside those of the system.
    pub(crate) fonts: Option<PathBuf>,
    /// The server that keeps documents; the embedded store without one.
    pub(crate) documents: Option<ServerAddress>,
    /// The server that keeps the knowledge graph; the embedded store without one.
    pub(crate) knowledge: Option<ServerAddress>,
    /// The server that keeps experiences; the embedded store without one.
    pub(crate) experiences: Option<ServerAddress>,
    pub(crate) log: String,
    pub(crate) allowed_hosts: Vec<String>,
    pub(crate) allowed_origins: Vec<String>,
    pub(crate) token: Option<String>,
    /// What was left out of account, and why.
    pub(crate) warnings: Vec<String>,
}

/// Why the settings cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SettingsError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("no data folder: this system names none for the user; set TRAILMARK_HOME")]
    NoHome,
    #[error("the root {} is not a directory that can be reached; --root, TRAILMARK_ROOT or `root` in the settings file name it", root.display())]
    NoRoot { root: PathBuf },
    #[error("{setting} is {given}; it must be {allowed}")]
    OutOfRange { setting: &'static str, given: u64, allowed: &'static str },
    #[error(
        "`{given}` in knowledge-labels or knowledge-types is no name: names match {}",
        store::knowledge::Name::PATTERN
    )]
    NoName { given: String },
    #[error("{variable} is `{given}`; it must be {allowed}")]
    Variable { variable: &'static str, given: String, allowed: &'static str },
    #[error("`{name}` is not a name for an API: letters, digits, `_` and `-`, at most 16 of them")]
    ApiName { name: String },
    #[error(
        "{flag} is given more often than --openapi, which names {documents} documents; the first belongs to the first document, and so on"
    )]
    NoDocument { flag: &'static str, documents: usize },
    #[error("{given} is set and {missing} is not; a language model needs both")]
    HalfAModel { given: &'static str, missing: &'static str },
    #[error("there is no folder {}, which embedder names", folder.display())]
    NoModelFolder { folder: PathBuf },
    #[error("embedder is an address and embedder-model is not set; a service needs both")]
    NoEmbedderModel,
    #[error("embedder must be builtin, none, model2vec:FOLDER or an address that begins with https:// or http://")]
    UnknownEmbedder,
    #[error("embedder, embedder-model or {EMBEDDER_KEY_VARIABLE} is wrong: {0}")]
    Embedder(EndpointError),
    #[error("{setting} begins with `{scheme}`; it must be {allowed}")]
    Server { setting: &'static str, scheme: String, allowed: String },
    #[cfg(feature = "postgres")]
    #[error("{setting} is wrong: {problem}")]
    Address { setting: &'static str, problem: String },
    #[error("{setting} names a {scheme}:// server, and this program was built without the feature `{feature}`")]
    NotBuilt { setting: &'static str, scheme: String, feature: &'static str },
    #[error("model-url, model or {MODEL_KEY_VARIABLE} is wrong: {0}")]
    Model(#[from] EndpointError),
    #[error("code is wrong: {0}")]
    Code(#[from] graph_server::Error),
    #[error("searxng-url, [web_search] or {WEB_SEARCH_TOKEN_VARIABLE} is wrong: {0}")]
    WebSearch(#[from] ConfigurationError),
}

impl Settings {
    /// Joins what was given on the command line and in the environment with the settings file.
    pub(crate) fn resolve(given: Given) -> Result<Self, SettingsError> {
        let flag_home = given.home.clone();
        let config = file::find(given.config.as_deref(), flag_home.as_deref().or(default_home().as_deref()))?;
        let mut merged = match &config {
            Some(path) => given.or(file::read(path)?),
            None => given,
        };
        let mut warnings = Vec::new();
        if let Some(path) = file::in_current_folder(config.as_deref()) {
            warnings.extend(merged.narrow(file::read(&path)?, &path));
        }
        let home = merged.home.clone().or_else(default_home).ok_or(SettingsError::NoHome)?;
        let root = root(merged.root.as_deref())?;
        let limits = limits(&merged)?;
        let vocabulary = vocabulary(&merged)?;
        let model = model(&merged, secret(MODEL_KEY_VARIABLE).as_deref())?;
        let embedder = embedder::resolve(&merged)?;
        let ckb = ckb::resolve(&merged)?;
        let code = code::resolve(&merged)?;
        let web_search = web_search::resolve(&merged)?;
        let apis = openapi::resolve(&merged)?;
        let documents = servers::documents(&merged)?;
        let knowledge = servers::knowledge(&merged)?;
        let experiences = servers::experiences(&merged)?;
        let audit = merged.audit.unwrap_or(true).then(|| audit_limits(&merged));
        Ok(Self {
            home,
            root,
            config,
            limits,
            audit,
            vocabulary,
            model,
            embedder,
            ckb,
            code,
            web_search,
            apis,
            documents,
            knowledge,
            experiences,
            selection: Selection {
                toolsets: merged.toolsets.unwrap_or_default(),
                tools: merged.tools.unwrap_or_default(),
                exclude_tools: merged.exclude_tools.unwrap_or_default(),
                read_only: merged.read_only.unwrap_or(false),
            },
            output_schemas: merged.output_schemas.unwrap_or(true),
            watch: merged.watch.unwrap_or(true),
            fonts: merged.fonts,
            log: merged.log.unwrap_or_else(|| "warn".to_owned()),
            allowed_hosts: merged.allowed_hosts.unwrap_or_default(),
            allowed_origins: merged.allowed_origins.unwrap_or_default(),
            token: secret(TOKEN_VARIABLE),
            warnings,
        })
    }
}

/// A root that was named must be there; the current folder is looked at by the first call that needs it.
fn root(given: Option<&Path>) -> Result<PathBuf, SettingsError> {
    match given {
        None => Ok(std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."))),
        Some(root) if root.is_dir() => Ok(std::path::absolute(root).unwrap_or_else(|_| root.to_owned())),
        Some(root) => Err(SettingsError::NoRoot { root: root.to_owned() }),
    }
}

fn limits(given: &Given) -> Result<Limits, SettingsError> {
    let answer_bytes = given.max_answer_bytes.unwrap_or(200_000);
    if !(4_096..=10_000_000).contains(&answer_bytes) {
        let allowed = "from 4096 to 10000000";
        return Err(SettingsError::OutOfRange { setting: "max-answer-bytes", given: answer_bytes as u64, allowed });
    }
    let concurrent_calls = given.max_calls.unwrap_or(64);
    if !(1..=4_096).contains(&concurrent_calls) {
        let allowed = "from 1 to 4096";
        return Err(SettingsError::OutOfRange { setting: "max-calls", given: concurrent_calls as u64, allowed });
    }
    Ok(Limits { concurrent_calls, waiting_calls: 1_024, answer_bytes })
}

/// An empty list is none, so that a variable can be switched off.
fn vocabulary(given: &Given) -> Result<Vocabulary, SettingsError> {
    let list = |given: &Option<Vec<String>>, default: &[&str]| {
        let given: Vec<String> = given.iter().flatten().filter(|name| !name.trim().is_empty()).cloned().collect();
        if given.is_empty() { default.iter().map(|name| (*name).to_owned()).collect() } else { given }
    };
    let labels = list(&given.knowledge_labels, Vocabulary::LABELS);
    let types = list(&given.knowledge_types, Vocabulary::TYPES);
    Vocabulary::new(&labels, &types).map_err(|given| SettingsError::NoName { given })
}

/// An empty setting is none, so that a variable can be switched off.
fn model(given: &Given, key: Option<&str>) -> Result<Option<Endpoint>, SettingsError> {
    let set = |setting: &Option<String>| setting.clone().filter(|text| !text.trim().is_empty());
    match (set(&given.model_url), set(&given.model)) {
        (None, None) => Ok(None),
        (Some(url), Some(model)) => Ok(Some(Endpoint::new(&url, &model, key)?)),
        (Some(_), None) => Err(SettingsError::HalfAModel { given: "model-url", missing: "model" }),
        (None, Some(_)) => Err(SettingsError::HalfAModel { given: "model", missing: "model-url" }),
    }
}

/// What is given by environment only.
fn secret(variable: &str) -> Option<String> {
    std::env::var(variable).ok().filter(|secret| !secret.is_empty())
}

fn audit_limits(given: &Given) -> AuditLimits {
    AuditLimits {
        max_age: DAY * given.audit_max_days.unwrap_or(30),
        max_bytes: MEGABYTE * u64::from(given.audit_max_megabytes.unwrap_or(64)),
    }
}

fn default_home() -> Option<PathBuf> {
    directories::BaseDirs::new().map(|folders| folders.data_local_dir().join("trailmark"))
}

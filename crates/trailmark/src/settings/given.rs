//! The settings as they are given. The doc comment of a field is its help, on the command line and in the documentation.

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::BoolishValueParser;
use serde::Deserialize;

use super::ckb::CkbIntegration;
use super::openapi::ApiTable;
use super::servers::ServerUrl;
use super::web_search::{HiddenAddress, WebSearchTable};

/// Raw settings from one place: flags and environment, or a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[command(next_help_heading = "Settings")]
pub(crate) struct Given {
    /// The data folder [default: the platform's folder for user data]
    #[arg(long, global = true, env = "TRAILMARK_HOME", value_name = "DIR")]
    pub(crate) home: Option<PathBuf>,

    /// The folder that is meant when a call names no project; file tools cannot leave it [default: the current folder]
    #[arg(long, global = true, env = "TRAILMARK_ROOT", value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,

    /// The settings file [default: trailmark.toml in the data folder]
    #[arg(long, global = true, env = "TRAILMARK_CONFIG", value_name = "FILE")]
    #[serde(skip)]
    pub(crate) config: Option<PathBuf>,

    /// Families of tools to switch on [default: all]
    #[arg(long, global = true, env = "TRAILMARK_TOOLSETS", value_delimiter = ',', value_name = "NAMES")]
    pub(crate) toolsets: Option<Vec<String>>,

    /// Single tools to switch on, in addition to the toolsets named
    #[arg(long, global = true, env = "TRAILMARK_TOOLS", value_delimiter = ',', value_name = "NAMES")]
    pub(crate) tools: Option<Vec<String>>,

    /// Tools to switch off, whatever else is said
    #[arg(long, global = true, env = "TRAILMARK_EXCLUDE_TOOLS", value_delimiter = ',', value_name = "NAMES")]
    pub(crate) exclude_tools: Option<Vec<String>>,

    /// Switch off every tool that changes anything [default: false]
    #[arg(long, global = true, env = "TRAILMARK_READ_ONLY", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", value_parser = BoolishValueParser::new(), value_name = "BOOL")]
    pub(crate) read_only: Option<bool>,

    /// Publish the schema of each tool's answer [default: true]
    #[arg(long, global = true, env = "TRAILMARK_OUTPUT_SCHEMAS", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", value_parser = BoolishValueParser::new(), value_name = "BOOL")]
    pub(crate) output_schemas: Option<bool>,

    /// Keep the code graph of the root fresh while a server runs, once it was indexed [default: true]
    #[arg(long, global = true, env = "TRAILMARK_WATCH", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", value_parser = BoolishValueParser::new(), value_name = "BOOL")]
    pub(crate) watch: Option<bool>,

    /// The longest answer of a tool in bytes [default: 200000]
    #[arg(long, global = true, env = "TRAILMARK_MAX_ANSWER_BYTES", value_name = "BYTES")]
    pub(crate) max_answer_bytes: Option<usize>,

    /// Calls that run at the same time; more wait [default: 64]
    #[arg(long, global = true, env = "TRAILMARK_MAX_CALLS", value_name = "COUNT")]
    pub(crate) max_calls: Option<usize>,

    /// Record every call in the audit log [default: true]
    #[arg(long, global = true, env = "TRAILMARK_AUDIT", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", value_parser = BoolishValueParser::new(), value_name = "BOOL")]
    pub(crate) audit: Option<bool>,

    /// Days after which audit entries are thrown away [default: 30]
    #[arg(long, global = true, env = "TRAILMARK_AUDIT_MAX_DAYS", value_name = "DAYS")]
    pub(crate) audit_max_days: Option<u32>,

    /// The largest audit log in megabytes; the oldest entries go first [default: 64]
    #[arg(long, global = true, env = "TRAILMARK_AUDIT_MAX_MEGABYTES", value_name = "MB")]
    pub(crate) audit_max_megabytes: Option<u32>,

    /// Labels that nodes of the knowledge graph may have [default: Entity,Document]
    #[arg(long, global = true, env = "TRAILMARK_KNOWLEDGE_LABELS", value_delimiter = ',', value_name = "NAMES")]
    pub(crate) knowledge_labels: Option<Vec<String>>,

    /// Types that relationships of the knowledge graph may have [default: RELATED_TO,MENTIONS]
    #[arg(long, global = true, env = "TRAILMARK_KNOWLEDGE_TYPES", value_delimiter = ',', value_name = "NAMES")]
    pub(crate) knowledge_types: Option<Vec<String>>,

    /// The address of a language model that speaks OpenAI's chat completions, such as https://HOST/v1: query_code_graph sends it
    /// a plain question that it is not sure of, its own guess and the graph's labels and properties; no proxy and no redirect is
    /// followed, and a key goes to another machine by https:// only [default: none, nothing is sent]
    #[arg(long, global = true, env = "TRAILMARK_MODEL_URL", value_name = "URL")]
    pub(crate) model_url: Option<String>,

    /// What that model is called there [default: none]
    #[arg(long, global = true, env = "TRAILMARK_MODEL", value_name = "NAME")]
    pub(crate) model: Option<String>,

    /// What compares code in meaning, beside words: `builtin`, a small model that is learned from each project while it is indexed;
    /// `none`; `model2vec:FOLDER`, a static model on this machine; or the address of a service that speaks OpenAI's embeddings, such
    /// as https://HOST/v1 [default: builtin]
    #[arg(long, global = true, env = "TRAILMARK_EMBEDDER", value_name = "WHICH")]
    pub(crate) embedder: Option<String>,

    /// What the model of that service is called there [default: none]
    #[arg(long, global = true, env = "TRAILMARK_EMBEDDER_MODEL", value_name = "NAME")]
    pub(crate) embedder_model: Option<String>,

    /// The most tokens that one run of the indexer may send to that service, code and all: without it nothing is sent, and the
    /// run says how many it would be [default: 0]
    #[arg(long, global = true, env = "TRAILMARK_EMBEDDER_MAX_TOKENS", value_name = "COUNT")]
    pub(crate) embedder_max_tokens: Option<u64>,

    /// The command that starts CKB, a code knowledge server that you install yourself; where it answers, what it knows joins what
    /// ci_graph_rag and ci_call_chain know, and `enabled = false` under `[ckb_integration]` in the settings file switches it off
    /// [default: ckb]
    #[arg(long, global = true, env = "TRAILMARK_CKB", value_name = "COMMAND")]
    pub(crate) ckb: Option<PathBuf>,

    #[arg(skip)]
    #[serde(rename = "ckb_integration")]
    pub(crate) ckb_integration: Option<CkbIntegration>,

    /// A graph server that `trailmark import` has filled, such as neo4j://HOST:PORT, with /DATABASE after it for another than its
    /// default: query_code_graph, ask and cypher are answered there; the password is read from TRAILMARK_BOLT_PASSWORD
    /// [default: none, the graphs that are kept here]
    #[arg(long, global = true, env = "TRAILMARK_CODE", value_name = "URL")]
    pub(crate) code: Option<String>,

    /// Whom to log in as at that server [default: neo4j]
    #[arg(long, global = true, env = "TRAILMARK_CODE_USER", value_name = "NAME")]
    pub(crate) code_user: Option<String>,

    /// The address of a SearXNG instance that answers in JSON, which web_search asks, such as http://127.0.0.1:8888, with
    /// `USER:PASSWORD@` before the host where it wants them (then better by variable or file, since flags can be seen by others);
    /// wins over `[web_search]` in the settings file, which names any provider [default: none, nothing is sent]
    #[arg(long, global = true, env = "TRAILMARK_SEARXNG_URL", hide_env_values = true, value_name = "URL")]
    pub(crate) searxng_url: Option<HiddenAddress>,

    #[arg(skip)]
    #[serde(rename = "web_search")]
    pub(crate) web_search: Option<WebSearchTable>,

    /// An OpenAPI or Swagger document, as a file or an address, whose operations become tools; may be given several times, and
    /// `[[openapi]]` in the settings file says more about one [default: none]
    #[arg(long, global = true, env = "TRAILMARK_OPENAPI", value_delimiter = ',', value_name = "FILE_OR_URL")]
    #[serde(skip)]
    pub(crate) openapi: Option<Vec<String>>,

    /// What the tools of a document begin with; the first belongs to the first document, and so on [default: a word of its title]
    #[arg(long, global = true, env = "TRAILMARK_API_NAME", value_delimiter = ',', value_name = "NAME")]
    #[serde(skip)]
    pub(crate) api_name: Option<Vec<String>>,

    /// Where the paths of a document are, whatever it says; the first belongs to the first document, and so on; an address given
    /// here may be private [default: the document's own server]
    #[arg(long, global = true, env = "TRAILMARK_BASE_URL", value_delimiter = ',', value_name = "URL")]
    #[serde(skip)]
    pub(crate) base_url: Option<Vec<String>>,

    /// Operations of all documents that are a tool each; above that there are api_search, api_describe and api_call [default: 40]
    #[arg(long, global = true, env = "TRAILMARK_API_TOOLS", value_name = "COUNT")]
    pub(crate) api_tools: Option<usize>,

    #[arg(skip)]
    #[serde(rename = "openapi")]
    pub(crate) apis: Option<Vec<ApiTable>>,

    /// A folder with fonts for charts as PNG, such as one with Chinese signs, beside those of the system [default: none]
    #[arg(long, global = true, env = "TRAILMARK_FONTS", value_name = "DIR")]
    pub(crate) fonts: Option<PathBuf>,

    /// The server that keeps documents: mongodb://USER:PASSWORD@HOST:PORT/DATABASE or
    /// postgres://USER:PASSWORD@HOST:PORT/DATABASE?schema=NAME; an address with a password is
    /// better given by environment or in the settings file, since arguments can be seen by others [default: none, the embedded
    /// store]
    #[arg(long, global = true, env = "TRAILMARK_DOCUMENTS", hide_env_values = true, value_name = "URL")]
    pub(crate) documents: Option<ServerUrl>,

    /// The server that keeps the knowledge graph: neo4j://USER:PASSWORD@HOST:PORT/DATABASE (also bolt://, for Memgraph and others) or
    /// postgres://USER:PASSWORD@HOST:PORT/DATABASE?schema=NAME, for which the same holds
    /// [default: none, the embedded store]
    #[arg(long, global = true, env = "TRAILMARK_KNOWLEDGE", hide_env_values = true, value_name = "URL")]
    pub(crate) knowledge: Option<ServerUrl>,

    /// The server that keeps experiences: postgres://USER:PASSWORD@HOST:PORT/DATABASE?schema=NAME, for which the same holds
    /// [default: none, the embedded store]
    #[arg(long, global = true, env = "TRAILMARK_EXPERIENCES", hide_env_values = true, value_name = "URL")]
    pub(crate) experiences: Option<ServerUrl>,

    /// What to log to standard error: error, warn, info, debug, trace, or a filter by module [default: warn]
    #[arg(long, global = true, env = "TRAILMARK_LOG", value_name = "FILTER")]
    pub(crate) log: Option<String>,

    /// Names under which the HTTP server may be addressed, beside localhost and the address it is bound to
    #[arg(long, global = true, env = "TRAILMARK_ALLOWED_HOSTS", value_delimiter = ',', value_name = "HOSTS")]
    pub(crate) allowed_hosts: Option<Vec<String>>,

    /// Origins whose requests are accepted, beside those on localhost; answering a browser's preflight is left to a proxy
    #[arg(long, global = true, env = "TRAILMARK_ALLOWED_ORIGINS", value_delimiter = ',', value_name = "ORIGINS")]
    pub(crate) allowed_origins: Option<Vec<String>>,
}

impl Given {
    /// Takes from a file that need not be trusted only what makes the server do less, and names the rest.
    pub(super) fn narrow(&mut self, other: Self, path: &Path) -> Option<String> {
        let Self { toolsets, tools, exclude_tools, read_only, ckb_integration, .. } = other.clone();
        let excluded = self.exclude_tools.iter().chain(exclude_tools.iter()).flatten().cloned().collect();
        self.exclude_tools = Some(excluded);
        self.read_only = Some(self.read_only.unwrap_or(false) || read_only.unwrap_or(false));
        if self.toolsets.is_none() && self.tools.is_none() {
            (self.toolsets, self.tools) = (toolsets, tools);
        }
        let is_off = ckb_integration.as_ref().is_some_and(CkbIntegration::is_off);
        if is_off {
            self.ckb_integration = ckb_integration;
        }
        let rest = Self { toolsets: None, tools: None, exclude_tools: None, read_only: None, ..other };
        let rest = Self { ckb_integration: rest.ckb_integration.filter(|_| !is_off), ..rest };
        (rest != Self::default()).then(|| {
            format!(
                "{} in the current folder may only set toolsets, tools, exclude-tools and read-only; the rest of it is \
                 ignored (put it into the file in the data folder, or name the file with --config)",
                path.display()
            )
        })
    }

    /// These settings, with the gaps filled from `other`.
    pub(super) fn or(self, other: Self) -> Self {
        Self {
            home: self.home.or(other.home),
            root: self.root.or(other.root),
            config: self.config,
            toolsets: self.toolsets.or(other.toolsets),
            tools: self.tools.or(other.tools),
            exclude_tools: self.exclude_tools.or(other.exclude_tools),
            read_only: self.read_only.or(other.read_only),
            output_schemas: self.output_schemas.or(other.output_schemas),
            watch: self.watch.or(other.watch),
            max_answer_bytes: self.max_answer_bytes.or(other.max_answer_bytes),
            max_calls: self.max_calls.or(other.max_calls),
            audit: self.audit.or(other.audit),
            audit_max_days: self.audit_max_days.or(other.audit_max_days),
            audit_max_megabytes: self.audit_max_megabytes.or(other.audit_max_megabytes),
            knowledge_labels: self.knowledge_labels.or(other.knowledge_labels),
            knowledge_types: self.knowledge_types.or(other.knowledge_types),
            model_url: self.model_url.or(other.model_url),
            model: self.model.or(other.model),
            embedder: self.embedder.or(other.embedder),
            embedder_model: self.embedder_model.or(other.embedder_model),
            embedder_max_tokens: self.embedder_max_tokens.or(other.embedder_max_tokens),
            ckb: self.ckb.or(other.ckb),
            ckb_integration: self.ckb_integration.or(other.ckb_integration),
            code: self.code.or(other.code),
            code_user: self.code_user.or(other.code_user),
            searxng_url: self.searxng_url.or(other.searxng_url),
            web_search: self.web_search.or(other.web_search),
            openapi: self.openapi,
            api_name: self.api_name,
            base_url: self.base_url,
            api_tools: self.api_tools.or(other.api_tools),
            apis: self.apis.or(other.apis),
            fonts: self.fonts.or(other.fonts),
            documents: self.documents.or(other.documents),
            knowledge: self.knowledge.or(other.knowledge),
            experiences: self.experiences.or(other.experiences),
            log: self.log.or(other.log),
            allowed_hosts: self.allowed_hosts.or(other.allowed_hosts),
            allowed_origins: self.allowed_origins.or(other.allowed_origins),
        }
    }
}

//! The settings as they are given. The doc comment of a field is its help, on the command line and in the documentation.

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::BoolishValueParser;
use serde::Deserialize;

use super::ckb::CkbIntegration;

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

    /// The address of a language model that speaks OpenAI's chat completions, such as https://HOST/v1: query_code_graph sends it
    /// a plain question that it is not sure of, its own guess and the graph's labels and properties; no proxy and no redirect is
    /// followed, and a key goes to another machine by https:// only [default: none, nothing is sent]
    #[arg(long, global = true, env = "TRAILMARK_MODEL_URL", value_name = "URL")]
    pub(crate) model_url: Option<String>,

    /// What that model is called there [default: none]
    #[arg(long, global = true, env = "TRAILMARK_MODEL", value_name = "NAME")]
    pub(crate) model: Option<String>,

    /// The command that starts CKB, a code knowledge server that you install yourself; where it answers, what it knows joins what
    /// ci_graph_rag and ci_call_chain know, and `enabled = false` under `[ckb_integration]` in the settings file switches it off
    /// [default: ckb]
    #[arg(long, global = true, env = "TRAILMARK_CKB", value_name = "COMMAND")]
    pub(crate) ckb: Option<PathBuf>,

    #[arg(skip)]
    #[serde(rename = "ckb_integration")]
    pub(crate) ckb_integration: Option<CkbIntegration>,

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
            model_url: self.model_url.or(other.model_url),
            model: self.model.or(other.model),
            ckb: self.ckb.or(other.ckb),
            ckb_integration: self.ckb_integration.or(other.ckb_integration),
            log: self.log.or(other.log),
            allowed_hosts: self.allowed_hosts.or(other.allowed_hosts),
            allowed_origins: self.allowed_origins.or(other.allowed_origins),
        }
    }
}

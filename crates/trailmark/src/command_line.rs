//! The words of the command line.

use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::commands::api;
use crate::commands::chart::ChartOptions;
use crate::commands::experience;
use crate::commands::export::Export;
use crate::commands::import::Import;
use crate::commands::intelligence::{CallChain, GraphRag};
use crate::commands::moving::Move;
use crate::commands::sanitize::Sanitize;
use crate::commands::search::Search;
use crate::settings::Given;

/// What an AI coding agent should know before it touches code, over MCP.
#[derive(Debug, Parser)]
#[command(name = "trailmark", version, propagate_version = true, arg_required_else_help = true)]
pub(crate) struct CommandLine {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// Print JSON for programs instead of text for people
    #[arg(long, global = true)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) given: Given,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve MCP to a client: on standard input and output, or over HTTP
    Serve(Serve),
    /// List the tools that are switched on
    Tools {
        /// Also list the tools that the settings switch off
        #[arg(long)]
        all: bool,
    },
    /// Call one tool, exactly as a client would
    Call {
        /// The tool's name
        tool: String,
        /// Its arguments as a JSON object, or `-` to read them from standard input
        #[arg(default_value = "{}")]
        arguments: String,
    },
    /// Index a repository, or bring its code graph up to date
    Index {
        #[command(flatten)]
        target: Target,
        /// Read and store every file again
        #[arg(long)]
        force: bool,
        /// Name every file that was left out, and why
        #[arg(long)]
        verbose: bool,
    },
    /// Print who calls whom in a repository
    Calls {
        #[command(flatten)]
        target: Target,
        #[arg(long, value_enum, default_value_t = Format::Text)]
        format: Format,
    },
    /// Print every definition in a repository
    Symbols {
        #[command(flatten)]
        target: Target,
        #[arg(long, value_enum, default_value_t = Format::Text)]
        format: Format,
    },
    /// Ask a repository's graph in English, Chinese or Cypher: `trailmark ask "who calls main?"`
    Ask(Ask),
    /// Run a read-only Cypher query on a repository's graph
    Cypher(Ask),
    /// Search a repository's code in words: `trailmark search "where are sessions saved"`
    Search(Search),
    /// Find the code that matters to a task, with its neighbourhood in the graph
    GraphRag(GraphRag),
    /// Follow who calls a symbol and what it calls
    CallChain(CallChain),
    /// List the indexed projects, or delete one
    Projects {
        #[command(subcommand)]
        command: Option<Projects>,
    },
    /// Write a code graph to a file that other programs read
    Export(Export),
    /// Put a code graph on a graph server: Neo4j, Memgraph or another that speaks Bolt
    Import(Import),
    /// Move documents, the knowledge graph and experiences to another store, or back: `trailmark move --from embedded --to postgres://…`
    Move(Move),
    /// Draw a chart of a file: `trailmark chart sales.csv --type bar --x month --y sales -o sales.svg`
    Chart(ChartOptions),
    /// Check texts for secrets and personal data; exit code 1 when there are any
    Sanitize(Sanitize),
    /// List, show, add, delete, export and import experiences
    Experience {
        #[command(subcommand)]
        command: experience::Command,
    },
    /// List, show and call the operations of OpenAPI documents
    Api {
        #[command(subcommand)]
        command: api::Command,
    },
    /// Check that everything works, and say how to fix what does not
    Doctor,
    /// Look into the audit log of calls
    Audit {
        #[command(subcommand)]
        command: Audit,
    },
    /// Show a server answering real calls, and how to connect a client
    Demo,
    /// Print completions for a shell
    Completions { shell: Shell },
    /// Write the generated documentation and the tool snapshots below a folder
    #[command(hide = true)]
    GenerateDocs { folder: PathBuf },
}

#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// Serve Streamable HTTP on this address instead of standard input and output; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS:PORT", num_args = 0..=1, default_missing_value = "127.0.0.1:7411",
          value_parser = parse_address)]
    pub(crate) http: Option<SocketAddr>,

    /// Serve HTTP on a Unix socket that only you can open; no token needed
    #[cfg(unix)]
    #[arg(long, value_name = "PATH", conflicts_with = "http")]
    pub(crate) unix_socket: Option<PathBuf>,

    /// Ask for no token; allowed on a loopback address only
    #[arg(long, requires = "http")]
    pub(crate) no_auth: bool,

    /// Do not keep the code graph of the root fresh; the same as --watch=false
    #[arg(long)]
    pub(crate) no_watch: bool,
}

/// Which repository a command is about.
#[derive(Debug, Clone, Args)]
pub(crate) struct Target {
    /// The folder of the repository [default: that of the project, or the root]
    pub(crate) path: Option<PathBuf>,
    /// The name of its project [default: the name it has, or that of the folder]
    #[arg(long, value_name = "NAME")]
    pub(crate) project: Option<String>,
}

/// What is asked, of what.
#[derive(Debug, Clone, Args)]
pub(crate) struct Ask {
    /// The question or query
    pub(crate) question: String,
    /// The folder of the repository [default: that of the project, or the root]
    pub(crate) path: Option<PathBuf>,
    /// The name of its project [default: the name it has, or that of the folder]
    #[arg(long, value_name = "NAME")]
    pub(crate) project: Option<String>,
    #[arg(long, value_enum, default_value_t = RowFormat::Table)]
    pub(crate) format: RowFormat,
    /// The most rows
    #[arg(long, value_name = "ROWS", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) limit: u32,
}

/// How rows are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RowFormat {
    /// For people
    Table,
    /// For programs
    Json,
    /// For spreadsheets
    Csv,
}

/// How a list from a code graph is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For programs
    Json,
    /// For programs: a JSON array on each line
    Lines,
    /// For people
    Text,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Projects {
    /// Delete the code graph of a project; its files stay
    Delete { name: String },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Audit {
    /// List recorded calls, newest first
    List {
        #[arg(long, default_value_t = 20)]
        limit: usize,
        /// Only calls of this tool
        #[arg(long)]
        tool: Option<String>,
        /// Only calls that failed
        #[arg(long)]
        errors: bool,
        /// Only calls since then: a time such as 2026-01-31T12:00:00Z, or an age such as 90m, 24h, 7d
        #[arg(long)]
        since: Option<String>,
    },
    /// Show one recorded call whole
    Show { trace_id: String },
    /// Run recorded calls again and report what differs
    Replay {
        /// The calls to run again; without any, the newest ones
        trace_ids: Vec<String>,
        /// How many of the newest calls to run again
        #[arg(long, default_value_t = 20)]
        last: usize,
        /// Also run calls that change something
        #[arg(long)]
        include_writes: bool,
    },
}

fn parse_address(text: &str) -> Result<SocketAddr, String> {
    let mut addresses = text
        .to_socket_addrs()
        .map_err(|error| format!("{error}; give an address and a port, such as 127.0.0.1:7411"))?;
    addresses.next().ok_or_else(|| format!("`{text}` names no address"))
}

//! `cargo xtask eval NAME`: how right the answers are, by public test sets.

pub(crate) mod bench_folder;
pub(crate) mod callgraph;
mod experience_search;
pub(crate) mod experiences;
mod openapi;
pub(crate) mod questions;
mod retrieval;

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

/// What to measure and what to do with it.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Options {
    /// Only these packs, and nothing else; empty means everything.
    pub(crate) packs: Vec<String>,
    /// Where the trees of real repositories are.
    pub(crate) trees: Vec<(String, PathBuf)>,
    /// A folder with many of them.
    pub(crate) tree_folder: Option<PathBuf>,
    /// A folder with git repositories, out of which trees are written when they are needed.
    pub(crate) repositories: Option<PathBuf>,
    /// Where to keep what is indexed, for the next run.
    pub(crate) data: Option<PathBuf>,
    /// How many wrong and missing answers of each set to show.
    pub(crate) show: usize,
    /// Ask other programs the same questions.
    pub(crate) peers: bool,
    pub(crate) then: Then,
}

#[derive(Debug, Default, PartialEq, Clone, Copy)]
pub(crate) enum Then {
    #[default]
    Report,
    /// Fail where a figure is worse than at the last commit.
    Check,
    /// Write the figures down as those of the next commit.
    Update,
}

/// Why a set cannot be run.
pub(crate) const ABSENT: &str = bench_folder::BenchFolder::ABSENT;

pub(crate) fn run(root: &Path, name: &str, options: &Options) -> Result<bool> {
    match name {
        "callgraph" => callgraph::run(root, options),
        "experiences" => Ok(experiences::run(root, options)? & experience_search::run(root, options)?),
        "openapi" => openapi::run(root, options),
        "questions" => questions::run(root, options),
        "retrieval" => retrieval::run(root, options),
        unknown => {
            bail!(
                "unknown evaluation `{unknown}`; known evaluations: callgraph, experiences, openapi, questions, retrieval"
            )
        }
    }
}

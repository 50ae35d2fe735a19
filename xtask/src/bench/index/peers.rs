//! The peers that install by name: other code graphs in SQLite files, made by a command line.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use super::Size;
use super::subject::{Costs, LONGEST, edit, middle, repeat};
use crate::bench::usage::{self, Usage};
use crate::install::{NodeTools, Package};
use crate::sources;

const PEERS: &[Peer] = &[
    Peer {
        package: Package { name: "@optave/codegraph", version: "3.11.2" },
        script: "dist/cli.js",
        first: "build",
        again: "build",
    },
    Peer {
        package: Package { name: "@colbymchenry/codegraph", version: "1.6.1" },
        script: "npm-shim.js",
        first: "init",
        again: "sync",
    },
];
/// Where both keep their graph, in the tree itself.
const KEPT: &str = ".codegraph";

#[derive(Debug)]
struct Peer {
    package: Package,
    /// Its command line.
    script: &'static str,
    /// What makes a graph from nothing.
    first: &'static str,
    /// What brings it up to date.
    again: &'static str,
}

#[derive(Debug)]
pub(super) struct Peers(Vec<(&'static Peer, NodeTools)>);

impl Peers {
    pub(super) fn none() -> Self {
        Self(Vec::new())
    }

    pub(super) fn install(cache: &Path) -> Result<Self> {
        let install = |peer: &'static Peer| Ok((peer, NodeTools::install(cache, &[peer.package])?));
        Ok(Self(PEERS.iter().map(install).collect::<Result<_>>()?))
    }

    /// What each of them needs for a copy of the tree.
    pub(super) fn costs(
        &self,
        folder: &Path,
        size: &Size,
        tree: &Path,
        begin: impl Fn(&str),
    ) -> Result<Vec<(&'static str, Costs)>> {
        let mut all = Vec::new();
        for (peer, tools) in &self.0 {
            begin(peer.package.name);
            let copy = folder.join("peer");
            sources::copy(tree, &copy)?;
            match peer.costs(tools, size, &copy, &folder.join("peer-home")) {
                Ok(costs) => all.push((peer.package.name, costs)),
                Err(error) => begin(&format!("{} could not be measured: {error:#}", peer.package.name)),
            }
            std::fs::remove_dir_all(&copy)?;
        }
        Ok(all)
    }
}

impl Peer {
    fn costs(&self, tools: &NodeTools, size: &Size, tree: &Path, home: &Path) -> Result<Costs> {
        std::fs::create_dir_all(home)?;
        let run = |what: &str| -> Result<Usage> {
            let mut command: Command = tools.native_program(self.package, self.script);
            command.arg(what).arg(tree).current_dir(tree);
            command.env("HOME", home).env("NO_COLOR", "1").env("DO_NOT_TRACK", "1").env("CODEGRAPH_TELEMETRY", "0");
            Ok(usage::of(&mut command, None, LONGEST)?.0)
        };
        let cold = repeat(size.runs, || {
            if tree.join(KEPT).exists() {
                std::fs::remove_dir_all(tree.join(KEPT))?;
            }
            run(self.first)
        })?;
        let unchanged = repeat(size.runs, || run(self.again))?;
        let edited = repeat(size.runs, || {
            edit(&tree.join(size.edited))?;
            run(self.again)
        })?;
        Ok(Costs { cold: middle(cold), unchanged: middle(unchanged), edited: middle(edited) })
    }
}

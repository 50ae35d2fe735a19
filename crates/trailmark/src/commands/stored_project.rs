//! A project as it was last indexed, for the commands that hand it on to other programs.

use std::io;
use std::sync::Arc;

use anyhow::{Context, anyhow};
use graph::{Edge, NodeId};
use graph_export::{FilePaths, NodeRecord, Source};
use store::{ProjectCatalog, ProjectGraph, ProjectInfo};
use tools::nearest;

use crate::settings::Settings;

/// One stored graph that can be gone through again and again.
#[derive(Debug)]
pub(super) struct StoredProject {
    graph: Arc<dyn ProjectGraph>,
    /// When its reading began.
    info: ProjectInfo,
    paths: FilePaths,
    /// Of all nodes, in order.
    ids: Vec<NodeId>,
    /// Relationships with an end that is not in the graph: no other program could keep them, so they are left out.
    loose: u64,
}

impl StoredProject {
    /// The project with this name; without one, that of the root.
    pub(super) fn open(
        catalog: &dyn ProjectCatalog,
        name: Option<&str>,
        settings: &Settings,
    ) -> anyhow::Result<Arc<Self>> {
        let graph = match name {
            Some(name) => catalog.find(name)?.ok_or_else(|| unknown(catalog, name))?,
            None => of_root(catalog, settings)?,
        };
        Ok(Self::read(graph)?)
    }

    fn read(graph: Arc<dyn ProjectGraph>) -> store::Result<Arc<Self>> {
        let info = graph.info()?;
        let paths = graph.files()?.into_iter().map(|record| record.path).collect();
        let mut ids = Vec::new();
        graph.nodes(&mut |node| {
            ids.push(node.id);
            true
        })?;
        let mut project = Self { graph, info, paths, ids, loose: 0 };
        let mut loose = 0;
        project.graph.edges(&[], &mut |edge| {
            loose += u64::from(!project.has_ends_of(edge));
            true
        })?;
        project.loose = loose;
        Ok(Arc::new(project))
    }

    pub(super) fn name(&self) -> &str {
        &self.info.name
    }

    pub(super) fn epoch(&self) -> u64 {
        self.info.epoch
    }

    pub(super) fn node_count(&self) -> u64 {
        self.info.nodes
    }

    /// Those with both ends in the graph.
    pub(super) fn relationship_count(&self) -> u64 {
        self.info.relationships - self.loose
    }

    /// What was left out, if anything was.
    pub(super) fn remark(&self) -> Option<String> {
        let what = "relationships left out because one of their ends is not in the graph";
        (self.loose > 0).then(|| format!("{what}: {}", self.loose))
    }

    fn has_ends_of(&self, edge: &Edge) -> bool {
        [edge.from, edge.to].iter().all(|end| self.ids.binary_search(end).is_ok())
    }

    /// The project as it is now, if that is no longer as it was when its reading began.
    pub(super) fn changed(&self) -> anyhow::Result<Option<Arc<Self>>> {
        let now = self.graph.info()?;
        let is_changed = now.epoch != self.info.epoch;
        Ok(is_changed.then(|| Self::read(self.graph.clone())).transpose()?)
    }
}

impl Source for StoredProject {
    fn project(&self) -> &str {
        &self.info.name
    }

    fn nodes(&self, each: &mut dyn FnMut(&NodeRecord<'_>) -> io::Result<()>) -> io::Result<()> {
        let mut ended = Ok(());
        let read = self.graph.nodes(&mut |node| {
            ended = each(&NodeRecord { node, path: self.paths.of(node) });
            ended.is_ok()
        });
        ended.and(read.map_err(io::Error::other))
    }

    fn edges(&self, each: &mut dyn FnMut(&Edge) -> io::Result<()>) -> io::Result<()> {
        let mut ended = Ok(());
        let read = self.graph.edges(&[], &mut |edge| {
            if self.has_ends_of(edge) {
                ended = each(edge);
            }
            ended.is_ok()
        });
        ended.and(read.map_err(io::Error::other))
    }
}

fn of_root(catalog: &dyn ProjectCatalog, settings: &Settings) -> anyhow::Result<Arc<dyn ProjectGraph>> {
    let shown = settings.root.display();
    let root = settings.root.canonicalize().with_context(|| format!("cannot look at the root {shown}"))?;
    let found = root.to_str().map_or(Ok(None), |root| catalog.find_root(root))?;
    found.with_context(|| {
        format!("{shown} is not indexed (run `trailmark index`, or name a project with --project; `trailmark projects` lists them)")
    })
}

fn unknown(catalog: &dyn ProjectCatalog, name: &str) -> anyhow::Error {
    let known: Vec<String> = catalog.list().unwrap_or_default().into_iter().map(|project| project.name).collect();
    let near = nearest(name, known.iter().map(String::as_str));
    let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    anyhow!("there is no project `{name}`{near} (`trailmark projects` lists them)")
}

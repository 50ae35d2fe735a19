//! A project as it was last indexed, for the commands that hand it on to other programs.

use std::io;
use std::sync::Arc;

use anyhow::{Context, anyhow};
use graph::Edge;
use graph_export::{FilePaths, NodeRecord, Source};
use store::{ProjectCatalog, ProjectGraph, ProjectInfo, StoreError};
use tools::nearest;

use crate::settings::Settings;

/// One stored graph that can be gone through again and again.
#[derive(Debug)]
pub(super) struct StoredProject {
    graph: Arc<dyn ProjectGraph>,
    /// When its reading began.
    pub(super) info: ProjectInfo,
    paths: FilePaths,
}

impl StoredProject {
    /// The project with this name; without one, that of the root.
    pub(super) fn open(
        catalog: &dyn ProjectCatalog,
        name: Option<&str>,
        settings: &Settings,
    ) -> anyhow::Result<Arc<Self>> {
        let graph = match name {
            Some(name) => catalog.find(name).map_err(explained)?.ok_or_else(|| unknown(catalog, name))?,
            None => of_root(catalog, settings)?,
        };
        Self::read(graph).map_err(explained)
    }

    fn read(graph: Arc<dyn ProjectGraph>) -> store::Result<Arc<Self>> {
        let info = graph.info()?;
        let paths = graph.files()?.into_iter().map(|record| record.path).collect();
        Ok(Arc::new(Self { graph, info, paths }))
    }

    /// The project as it is now, if that is no longer as it was when its reading began.
    pub(super) fn changed(&self) -> anyhow::Result<Option<Arc<Self>>> {
        let now = self.graph.info().map_err(explained)?;
        let is_changed = now.epoch != self.info.epoch;
        is_changed.then(|| Self::read(self.graph.clone()).map_err(explained)).transpose()
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
            ended = each(edge);
            ended.is_ok()
        });
        ended.and(read.map_err(io::Error::other))
    }
}

fn of_root(catalog: &dyn ProjectCatalog, settings: &Settings) -> anyhow::Result<Arc<dyn ProjectGraph>> {
    let shown = settings.root.display();
    let root = settings.root.canonicalize().with_context(|| format!("cannot look at the root {shown}"))?;
    let found = root.to_str().map_or(Ok(None), |root| catalog.find_root(root)).map_err(explained)?;
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

fn explained(error: StoreError) -> anyhow::Error {
    match error.hint() {
        Some(hint) => anyhow!("{error} ({hint})"),
        None => anyhow!("{error}"),
    }
}

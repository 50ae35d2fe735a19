//! Which project a call works in: the one it names, or else that of the server's root.

use std::sync::Arc;

use store::{ProjectGraph, ProjectInfo};

use super::file_errors::quoted;
use super::root::Root;
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::workspace::Workspace;

/// Known projects that an answer names.
const MOST_NAMED: usize = 20;

/// What is needed to find a project, to be taken to a thread that may wait.
#[derive(Debug, Clone)]
pub(crate) struct Projects(Arc<Workspace>);

/// A project whose graph is there.
#[derive(Debug, Clone)]
pub(crate) struct IndexedProject {
    pub(crate) graph: Arc<dyn ProjectGraph>,
    pub(crate) info: ProjectInfo,
}

impl Projects {
    pub(crate) fn of(context: &ToolContext) -> Self {
        Self(context.workspace().clone())
    }

    pub(super) fn workspace(&self) -> &Arc<Workspace> {
        &self.0
    }

    /// The root of the project with this name.
    pub(super) fn root(&self, project: Option<&str>) -> Result<Root, ToolError> {
        match project {
            None => Root::at(self.0.root()),
            Some(name) => Root::at(&self.named(name)?.info()?.root),
        }
    }

    /// The project with this name, if its graph was ever finished.
    pub(crate) fn indexed(&self, project: Option<&str>) -> Result<IndexedProject, ToolError> {
        let found = match project {
            Some(name) => Some(self.named(name)?),
            None => self.0.root_project()?,
        };
        let found = match found {
            Some(graph) => Some(IndexedProject { info: graph.info()?, graph }),
            None => None,
        };
        found.filter(|found| found.info.indexed_at.is_some()).ok_or_else(|| self.not_indexed(project))
    }

    fn named(&self, name: &str) -> Result<Arc<dyn ProjectGraph>, ToolError> {
        match self.0.projects().find(name)? {
            Some(project) => Ok(project),
            None => Err(self.unknown(name)?),
        }
    }

    /// Whether the root of the server has a graph.
    pub(super) fn has_root(&self) -> Result<bool, ToolError> {
        let root = self.0.root_project()?;
        Ok(root.map(|root| root.info()).transpose()?.is_some_and(|info| info.indexed_at.is_some()))
    }

    fn not_indexed(&self, project: Option<&str>) -> ToolError {
        let what = match project {
            Some(name) => format!("the project {}", quoted(name)),
            None => self.0.root().display().to_string(),
        };
        ToolError::not_found(format!("{what} is not indexed yet; call index_repository first"))
    }

    /// What to answer to a name that no project has.
    pub(super) fn unknown(&self, name: &str) -> Result<ToolError, ToolError> {
        let known = self.0.projects().list()?;
        let name = quoted(name);
        Ok(ToolError::not_found(match listed(known.iter().map(|project| project.name.as_str())) {
            None => format!("there is no project {name}; none is indexed yet"),
            Some(known) => format!("there is no project {name}; known projects are {known}"),
        }))
    }
}

/// The names in a row, not too many of them; nothing where there is none.
pub(super) fn listed<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> Option<String> {
    let more = names.len().saturating_sub(MOST_NAMED);
    let and_more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let named: Vec<&str> = names.take(MOST_NAMED).collect();
    (!named.is_empty()).then(|| format!("{}{and_more}", named.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::stub_projects::NamedProjects;

    fn projects(names: &'static [&'static str], root: &std::path::Path) -> Projects {
        Projects(Arc::new(Workspace::new(root.to_owned(), Arc::new(NamedProjects(names)))))
    }

    #[test]
    fn without_a_name_the_root_of_the_server_is_meant() {
        let folder = tempfile::tempdir().unwrap();
        assert!(projects(&[], folder.path()).root(None).is_ok());
        assert!(projects(&[], &folder.path().join("none")).root(None).is_err());
    }

    #[test]
    fn an_unknown_name_is_answered_with_the_known_ones() {
        let folder = tempfile::tempdir().unwrap();
        let refused = |names| projects(names, folder.path()).root(Some("web")).unwrap_err().message;
        assert_eq!(refused(&["api", "shop"]), "there is no project `web`; known projects are api, shop");
        assert_eq!(refused(&[]), "there is no project `web`; none is indexed yet");
        let many = refused(&["n"; 25]);
        assert!(many.ends_with(", n and 5 more"), "{many}");
    }

    #[test]
    fn a_root_without_a_graph_is_answered_with_how_to_make_one() {
        let folder = tempfile::tempdir().unwrap();
        let refused = projects(&["api"], folder.path()).indexed(None).unwrap_err().message;
        assert_eq!(refused, format!("{} is not indexed yet; call index_repository first", folder.path().display()));
    }
}

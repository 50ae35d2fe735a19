//! Which folder a call works in: the root of the project it names, or else the root of the server.

use std::path::PathBuf;
use std::sync::Arc;

use store::ProjectCatalog;

use super::file_errors::quoted;
use super::root::Root;
use crate::context::ToolContext;
use crate::error::ToolError;

/// Known projects that an error names.
const MOST_NAMED: usize = 20;

/// What is needed to find a root, to be taken to a thread that may wait.
#[derive(Debug, Clone)]
pub(super) struct Roots {
    projects: Arc<dyn ProjectCatalog>,
    root: PathBuf,
}

impl Roots {
    pub(super) fn of(context: &ToolContext) -> Self {
        Self { projects: context.projects().clone(), root: context.root().to_owned() }
    }

    /// The root of the project with this name.
    pub(super) fn find(&self, project: Option<&str>) -> Result<Root, ToolError> {
        let Some(name) = project else { return Root::at(&self.root) };
        match self.projects.find(name)? {
            Some(project) => Root::at(&project.info()?.root),
            None => Err(self.unknown(name)?),
        }
    }

    fn unknown(&self, name: &str) -> Result<ToolError, ToolError> {
        let known: Vec<String> = self.projects.list()?.into_iter().map(|project| project.name).collect();
        let name = quoted(name);
        let more = known.len().saturating_sub(MOST_NAMED);
        let and_more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let named = known.into_iter().take(MOST_NAMED).collect::<Vec<_>>().join(", ");
        Ok(ToolError::not_found(if named.is_empty() {
            format!("there is no project {name}; none is indexed yet")
        } else {
            format!("there is no project {name}; known projects are {named}{and_more}")
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::stub_projects::NamedProjects;

    fn roots(names: &'static [&'static str], root: &std::path::Path) -> Roots {
        Roots { projects: Arc::new(NamedProjects(names)), root: root.to_owned() }
    }

    #[test]
    fn without_a_name_the_root_of_the_server_is_meant() {
        let folder = tempfile::tempdir().unwrap();
        assert!(roots(&[], folder.path()).find(None).is_ok());
        assert!(roots(&[], &folder.path().join("none")).find(None).is_err());
    }

    #[test]
    fn an_unknown_name_is_answered_with_the_known_ones() {
        let folder = tempfile::tempdir().unwrap();
        let refused = |names| roots(names, folder.path()).find(Some("web")).unwrap_err().message;
        assert_eq!(refused(&["api", "shop"]), "there is no project `web`; known projects are api, shop");
        assert_eq!(refused(&[]), "there is no project `web`; none is indexed yet");
        let many = refused(&["n"; 25]);
        assert!(many.ends_with(", n and 5 more"), "{many}");
    }
}

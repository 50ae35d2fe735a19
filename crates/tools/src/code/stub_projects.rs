//! For tests: a catalogue that knows names and nothing else.

use std::sync::Arc;

use store::{ErrorKind, ProjectCatalog, ProjectGraph, ProjectInfo, Reservation, Result, StoreError};

#[derive(Debug)]
pub(crate) struct NamedProjects(pub(crate) &'static [&'static str]);

impl ProjectCatalog for NamedProjects {
    fn list(&self) -> Result<Vec<ProjectInfo>> {
        let info = |name: &&str| ProjectInfo {
            name: (*name).to_owned(),
            root: "/srv/project".into(),
            files: 0,
            nodes: 0,
            relationships: 0,
            languages: Vec::new(),
            indexed_at: None,
            epoch: 0,
        };
        Ok(self.0.iter().map(info).collect())
    }

    fn find(&self, _name: &str) -> Result<Option<Arc<dyn ProjectGraph>>> {
        Ok(None)
    }

    fn find_root(&self, _root: &str) -> Result<Option<Arc<dyn ProjectGraph>>> {
        Ok(None)
    }

    fn reserve(&self, _name: &str) -> Result<Reservation> {
        Err(StoreError::new(ErrorKind::Unsupported, "not in this test"))
    }

    fn create(&self, _name: &str, _root: &str) -> Result<Arc<dyn ProjectGraph>> {
        Err(StoreError::new(ErrorKind::Unsupported, "not in this test"))
    }

    fn delete(&self, _name: &str) -> Result<bool> {
        Ok(false)
    }
}

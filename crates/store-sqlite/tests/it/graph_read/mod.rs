//! The stored graph as a query engine reads it: with SQL, from a snapshot, and while one gives way to the other.

mod filters;
mod matching;
mod model;
mod states;

use std::sync::Arc;

use graph::{GraphRead, NodeFilter, NodeKey, Value};
use store::{ProjectCatalog as _, ProjectGraph};
use store_sqlite::{Reading, Snapshots, SqliteProjects};
use tempfile::TempDir;

const SQL: Reading = Reading { snapshots: Snapshots::Never, uses_filters: true };
const SNAPSHOT: Reading = Reading { snapshots: Snapshots::Always, uses_filters: true };
const WITHOUT_FILTERS: Reading = Reading { snapshots: Snapshots::Never, uses_filters: false };

/// A folder with one project.
struct Sample {
    folder: TempDir,
    project: Arc<dyn ProjectGraph>,
}

impl Sample {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let project = SqliteProjects::open(folder.path()).create("sample", "/sample").unwrap();
        Self { folder, project }
    }

    /// The project, read in this way.
    fn read(&self, reading: Reading) -> Arc<dyn ProjectGraph> {
        SqliteProjects::open(self.folder.path()).with_reading(reading).find("sample").unwrap().unwrap()
    }
}

/// All nodes of a scan in pages of this size.
fn scan(reader: &dyn GraphRead, filter: &NodeFilter, page: usize) -> Vec<NodeKey> {
    let mut nodes = Vec::new();
    loop {
        let known = nodes.len();
        reader.scan(filter, nodes.last().copied(), page, &mut nodes).unwrap();
        if nodes.len() - known < page {
            return nodes;
        }
    }
}

fn property(reader: &dyn GraphRead, node: NodeKey, name: &str) -> Value {
    reader.node_property(node, reader.property(name).unwrap()).unwrap()
}

fn text(value: &str) -> Value {
    Value::Text(value.into())
}

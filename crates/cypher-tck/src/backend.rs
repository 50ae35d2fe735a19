//! Who keeps the graph that a scenario is run on.

use std::sync::Arc;

use graph::{GraphRead, Value};

use crate::memory_graph::{Hints, MemoryGraph};

#[derive(Debug, Clone, Default, PartialEq)]
pub struct NodeData {
    pub labels: Vec<Arc<str>>,
    pub properties: Vec<(Arc<str>, Value)>,
}

/// Ends are positions in the list of nodes.
#[derive(Debug, Clone, PartialEq)]
pub struct RelationshipData {
    pub from: usize,
    pub kind: Arc<str>,
    pub to: usize,
    pub properties: Vec<(Arc<str>, Value)>,
}

/// Makes graphs that can be read.
pub trait Backend {
    fn graph(&self, nodes: &[NodeData], relationships: &[RelationshipData]) -> Box<dyn GraphRead>;
}

/// Graphs in memory.
#[derive(Debug, Clone, Copy)]
pub struct InMemory(pub Hints);

impl Backend for InMemory {
    fn graph(&self, nodes: &[NodeData], relationships: &[RelationshipData]) -> Box<dyn GraphRead> {
        let mut graph = MemoryGraph::new(self.0);
        let keys: Vec<_> = nodes.iter().map(|node| graph.add_node(node)).collect();
        for relationship in relationships {
            graph.add_relationship(
                keys[relationship.from],
                &relationship.kind,
                keys[relationship.to],
                &relationship.properties,
            );
        }
        Box::new(graph)
    }
}

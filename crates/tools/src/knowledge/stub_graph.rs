//! A knowledge graph that answers nothing, for tests of something else.

use async_trait::async_trait;
use store::knowledge::{FoundPath, FuzzySearch, GraphSize, NeighborSearch, Patch, PathSearch, PropertyMatch};
use store::{
    ErrorKind, KnowledgeGraph, Neighborhood, NewNode, NewRelationship, Node, NodeId, Relationship, RelationshipId,
    Result, ScoredNode, StoreError,
};

#[derive(Debug)]
pub(crate) struct NoGraph;

fn unsupported<T>() -> Result<T> {
    Err(StoreError::new(ErrorKind::Unsupported, "not in this test"))
}

#[async_trait]
impl KnowledgeGraph for NoGraph {
    async fn create_node(&self, _node: NewNode) -> Result<NodeId> {
        unsupported()
    }

    async fn node(&self, _id: NodeId) -> Result<Node> {
        unsupported()
    }

    async fn find_node(&self, _wanted: PropertyMatch) -> Result<Node> {
        unsupported()
    }

    async fn update_node(&self, _id: NodeId, _patch: Patch) -> Result<()> {
        unsupported()
    }

    async fn delete_node(&self, _id: NodeId, _detach: bool) -> Result<()> {
        unsupported()
    }

    async fn create_relationship(&self, _new: NewRelationship) -> Result<RelationshipId> {
        unsupported()
    }

    async fn relationship(&self, _id: RelationshipId) -> Result<Relationship> {
        unsupported()
    }

    async fn update_relationship(&self, _id: RelationshipId, _patch: Patch) -> Result<()> {
        unsupported()
    }

    async fn delete_relationship(&self, _id: RelationshipId) -> Result<()> {
        unsupported()
    }

    async fn shortest_path(&self, _search: PathSearch) -> Result<FoundPath> {
        unsupported()
    }

    async fn neighbors(&self, _search: NeighborSearch) -> Result<Neighborhood> {
        unsupported()
    }

    async fn fuzzy_search(&self, _search: FuzzySearch) -> Result<Vec<ScoredNode>> {
        unsupported()
    }

    async fn nodes_in_order(&self, _after: Option<NodeId>, _limit: usize) -> Result<Vec<Node>> {
        unsupported()
    }

    async fn relationships_in_order(&self, _after: Option<RelationshipId>, _limit: usize) -> Result<Vec<Relationship>> {
        unsupported()
    }

    async fn import_nodes(&self, _nodes: Vec<Node>) -> Result<usize> {
        unsupported()
    }

    async fn import_relationships(&self, _relationships: Vec<Relationship>) -> Result<usize> {
        unsupported()
    }

    async fn size(&self) -> Result<GraphSize> {
        unsupported()
    }
}

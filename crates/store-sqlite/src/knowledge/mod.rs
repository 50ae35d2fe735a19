//! The knowledge graph in SQLite: rows for nodes and relationships, and tables beside them by which they are found.

mod change;
mod check;
mod find;
mod json;
mod names;
mod row;
mod search;
mod value_index;
mod walk;
mod word_index;

use async_trait::async_trait;
use store::knowledge::{FoundPath, FuzzySearch, GraphSize, NeighborSearch, Patch, PathSearch, PropertyMatch};
use store::{
    KnowledgeGraph, Neighborhood, NewNode, NewRelationship, Node, NodeId, Relationship, RelationshipId, Result,
    ScoredNode,
};

use crate::documents::SqliteStore;

pub(crate) use check::problems;

#[async_trait]
impl KnowledgeGraph for SqliteStore {
    async fn create_node(&self, node: NewNode) -> Result<NodeId> {
        self.database().write(move |connection| change::create_node(connection, node)).await
    }

    async fn node(&self, id: NodeId) -> Result<Node> {
        self.database().read(move |connection| find::node(connection, id)).await
    }

    async fn find_node(&self, wanted: PropertyMatch) -> Result<Node> {
        self.database().read(move |connection| find::by_property(connection, &wanted)).await
    }

    async fn update_node(&self, id: NodeId, patch: Patch) -> Result<()> {
        self.database().write(move |connection| change::update_node(connection, id, &patch)).await
    }

    async fn delete_node(&self, id: NodeId, detach: bool) -> Result<()> {
        self.database().write(move |connection| change::delete_node(connection, id, detach)).await
    }

    async fn create_relationship(&self, relationship: NewRelationship) -> Result<RelationshipId> {
        self.database().write(move |connection| change::create_relationship(connection, relationship)).await
    }

    async fn relationship(&self, id: RelationshipId) -> Result<Relationship> {
        self.database().read(move |connection| find::relationship(connection, id)).await
    }

    async fn update_relationship(&self, id: RelationshipId, patch: Patch) -> Result<()> {
        self.database().write(move |connection| change::update_relationship(connection, id, &patch)).await
    }

    async fn delete_relationship(&self, id: RelationshipId) -> Result<()> {
        self.database().write(move |connection| change::delete_relationship(connection, id)).await
    }

    async fn shortest_path(&self, search: PathSearch) -> Result<FoundPath> {
        self.database().read(move |connection| walk::shortest_path(connection, &search)).await
    }

    async fn neighbors(&self, search: NeighborSearch) -> Result<Neighborhood> {
        self.database().read(move |connection| walk::neighbors(connection, &search)).await
    }

    async fn fuzzy_search(&self, search: FuzzySearch) -> Result<Vec<ScoredNode>> {
        self.database().read(move |connection| search::fuzzy(connection, &search)).await
    }

    async fn nodes_in_order(&self, after: Option<NodeId>, limit: usize) -> Result<Vec<Node>> {
        self.database().read(move |connection| find::nodes_in_order(connection, after, limit)).await
    }

    async fn relationships_in_order(&self, after: Option<RelationshipId>, limit: usize) -> Result<Vec<Relationship>> {
        self.database().read(move |connection| find::relationships_in_order(connection, after, limit)).await
    }

    async fn import_nodes(&self, nodes: Vec<Node>) -> Result<usize> {
        self.database().write(move |connection| change::import_nodes(connection, &nodes)).await
    }

    async fn import_relationships(&self, relationships: Vec<Relationship>) -> Result<usize> {
        self.database().write(move |connection| change::import_relationships(connection, &relationships)).await
    }

    async fn size(&self) -> Result<GraphSize> {
        self.database().read(find::size).await
    }
}

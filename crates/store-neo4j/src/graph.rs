//! The promises of a knowledge graph, each as what is said to the server.

use std::time::Duration;

use async_trait::async_trait;
use store::knowledge::{
    FoundPath, FuzzySearch, GraphSize, NeighborSearch, Neighborhood, NewNode, NewRelationship, Node, NodeId, Patch,
    PathSearch, PropertyMatch, Relationship, RelationshipId, ScoredNode,
};
use store::{KnowledgeGraph, Result, ServerAddress};

use crate::connection::Connection;
use crate::{find, import, nodes, relationships, walk};

/// The nodes with the label `TrailmarkNode` on a server, and the relationships between them.
#[derive(Debug)]
pub struct BoltGraph {
    connection: Connection,
}

impl BoltGraph {
    /// Connects to nothing yet.
    pub fn new(address: ServerAddress) -> Self {
        Self { connection: Connection::new(address) }
    }

    /// The same for whoever can wait this long for an answer; the deadline of a tool is the default.
    #[must_use]
    pub fn with_patience(self, patience: Duration) -> Self {
        Self { connection: self.connection.with_answer_within(patience) }
    }

    /// Which server it is.
    pub fn address(&self) -> &ServerAddress {
        self.connection.address()
    }

    /// What the server says of itself, for an operator who asks whether it answers.
    pub async fn version(&self) -> Result<String> {
        self.connection.version().await
    }
}

#[async_trait]
impl KnowledgeGraph for BoltGraph {
    async fn create_node(&self, node: NewNode) -> Result<NodeId> {
        let node = nodes::new(node);
        let id = node.id;
        self.connection
            .write(|session, again| {
                let node = node.clone();
                Box::pin(async move { nodes::create(session, &node, again).await })
            })
            .await?;
        Ok(id)
    }

    async fn node(&self, id: NodeId) -> Result<Node> {
        self.connection.read(|session, _| Box::pin(nodes::get(session, id))).await
    }

    async fn find_node(&self, wanted: PropertyMatch) -> Result<Node> {
        self.connection
            .read(|session, _| {
                let wanted = wanted.clone();
                Box::pin(async move { find::by_property(session, &wanted).await })
            })
            .await
    }

    async fn update_node(&self, id: NodeId, patch: Patch) -> Result<()> {
        self.connection
            .write(|session, _| {
                let patch = patch.clone();
                Box::pin(async move { nodes::update(session, id, &patch).await })
            })
            .await
    }

    async fn delete_node(&self, id: NodeId, detach: bool) -> Result<()> {
        self.connection.write(|session, again| Box::pin(nodes::delete(session, id, detach, again))).await
    }

    async fn create_relationship(&self, relationship: NewRelationship) -> Result<RelationshipId> {
        let relationship = relationships::new(relationship);
        let id = relationship.id;
        self.connection.know_types([&relationship.kind]).await?;
        self.connection
            .write(|session, again| {
                let relationship = relationship.clone();
                Box::pin(async move { relationships::create(session, &relationship, again).await })
            })
            .await?;
        Ok(id)
    }

    async fn relationship(&self, id: RelationshipId) -> Result<Relationship> {
        self.connection.read(|session, _| Box::pin(relationships::get(session, id))).await
    }

    async fn update_relationship(&self, id: RelationshipId, patch: Patch) -> Result<()> {
        self.connection
            .write(|session, _| {
                let patch = patch.clone();
                Box::pin(async move { relationships::update(session, id, &patch).await })
            })
            .await
    }

    async fn delete_relationship(&self, id: RelationshipId) -> Result<()> {
        self.connection.write(|session, again| Box::pin(relationships::delete(session, id, again))).await
    }

    async fn shortest_path(&self, search: PathSearch) -> Result<FoundPath> {
        self.connection
            .read(|session, _| {
                let search = search.clone();
                Box::pin(async move { walk::shortest_path(session, &search).await })
            })
            .await
    }

    async fn neighbors(&self, search: NeighborSearch) -> Result<Neighborhood> {
        self.connection
            .read(|session, _| {
                let search = search.clone();
                Box::pin(async move { walk::neighbors(session, &search).await })
            })
            .await
    }

    async fn fuzzy_search(&self, search: FuzzySearch) -> Result<Vec<ScoredNode>> {
        self.connection
            .read(|session, _| {
                let search = search.clone();
                Box::pin(async move { find::fuzzy(session, &search).await })
            })
            .await
    }

    async fn nodes_in_order(&self, after: Option<NodeId>, limit: usize) -> Result<Vec<Node>> {
        self.connection.read_much(|session, _| Box::pin(nodes::in_order(session, after, limit))).await
    }

    async fn relationships_in_order(&self, after: Option<RelationshipId>, limit: usize) -> Result<Vec<Relationship>> {
        self.connection.read_much(|session, _| Box::pin(relationships::in_order(session, after, limit))).await
    }

    async fn import_nodes(&self, nodes: Vec<Node>) -> Result<usize> {
        self.connection
            .write_much(|session, _| {
                let nodes = nodes.clone();
                Box::pin(async move { import::nodes(session, nodes).await })
            })
            .await
    }

    async fn import_relationships(&self, relationships: Vec<Relationship>) -> Result<usize> {
        self.connection.know_types(relationships.iter().map(|relationship| &relationship.kind)).await?;
        self.connection
            .write_much(|session, _| {
                let relationships = relationships.clone();
                Box::pin(async move { import::relationships(session, relationships).await })
            })
            .await
    }

    async fn size(&self) -> Result<GraphSize> {
        self.connection.read_much(|session, _| Box::pin(find::size(session))).await
    }
}

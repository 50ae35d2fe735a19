//! The knowledge graph in PostgreSQL: it fetches, the walks and scores of `store::knowledge` and `search::fuzzy` decide.

mod bulk;
mod change;
mod find;
mod index;
mod json;
mod row;
mod search;
mod walk;

use async_trait::async_trait;
use store::Result;
use store::knowledge::{
    FoundPath, FuzzySearch, GraphSize, KnowledgeGraph, NeighborSearch, Neighborhood, NewNode, NewRelationship, Node,
    NodeId, Patch, PathSearch, PropertyMatch, Relationship, RelationshipId, ScoredNode,
};

use crate::PostgresStore;
use crate::pool::{in_bulk_time, in_time};

#[async_trait]
impl KnowledgeGraph for PostgresStore {
    async fn create_node(&self, node: NewNode) -> Result<NodeId> {
        let mut lease = self.pool().lease().await?;
        let outcome = in_time(lease.until(), change::create_node(&mut lease, node)).await;
        lease.end(outcome)
    }

    async fn node(&self, id: NodeId) -> Result<Node> {
        let lease = self.pool().lease().await?;
        let outcome = in_time(lease.until(), find::node(&*lease, id)).await;
        lease.end(outcome)
    }

    async fn find_node(&self, wanted: PropertyMatch) -> Result<Node> {
        let lease = self.pool().lease().await?;
        let outcome = in_time(lease.until(), find::by_property(&lease, &wanted)).await;
        lease.end(outcome)
    }

    async fn update_node(&self, id: NodeId, patch: Patch) -> Result<()> {
        let mut lease = self.pool().lease().await?;
        let outcome = in_time(lease.until(), change::update_node(&mut lease, id, &patch)).await;
        lease.end(outcome)
    }

    async fn delete_node(&self, id: NodeId, detach: bool) -> Result<()> {
        let mut lease = self.pool().lease().await?;
        let outcome = in_time(lease.until(), change::delete_node(&mut lease, id, detach)).await;
        lease.end(outcome)
    }

    async fn create_relationship(&self, relationship: NewRelationship) -> Result<RelationshipId> {
        let mut lease = self.pool().lease().await?;
        let outcome = in_time(lease.until(), change::create_relationship(&mut lease, relationship)).await;
        lease.end(outcome)
    }

    async fn relationship(&self, id: RelationshipId) -> Result<Relationship> {
        let lease = self.pool().lease().await?;
        let outcome = in_time(lease.until(), find::relationship(&*lease, id)).await;
        lease.end(outcome)
    }

    async fn update_relationship(&self, id: RelationshipId, patch: Patch) -> Result<()> {
        let mut lease = self.pool().lease().await?;
        let outcome = in_time(lease.until(), change::update_relationship(&mut lease, id, &patch)).await;
        lease.end(outcome)
    }

    async fn delete_relationship(&self, id: RelationshipId) -> Result<()> {
        let lease = self.pool().lease().await?;
        let outcome = in_time(lease.until(), change::delete_relationship(&lease, id)).await;
        lease.end(outcome)
    }

    async fn shortest_path(&self, search: PathSearch) -> Result<FoundPath> {
        let mut lease = self.pool().lease().await?;
        let outcome = in_time(lease.until(), walk::shortest_path(&mut lease, &search)).await;
        lease.end(outcome)
    }

    async fn neighbors(&self, search: NeighborSearch) -> Result<Neighborhood> {
        let mut lease = self.pool().lease().await?;
        let outcome = in_time(lease.until(), walk::neighbors(&mut lease, &search)).await;
        lease.end(outcome)
    }

    async fn fuzzy_search(&self, search: FuzzySearch) -> Result<Vec<ScoredNode>> {
        let lease = self.pool().lease().await?;
        let outcome = in_time(lease.until(), search::fuzzy(&lease, &search)).await;
        lease.end(outcome)
    }

    async fn nodes_in_order(&self, after: Option<NodeId>, limit: usize) -> Result<Vec<Node>> {
        let lease = self.pool().lease().await?;
        let outcome = in_bulk_time(find::nodes_in_order(&lease, after, limit)).await;
        lease.end(outcome)
    }

    async fn relationships_in_order(&self, after: Option<RelationshipId>, limit: usize) -> Result<Vec<Relationship>> {
        let lease = self.pool().lease().await?;
        let outcome = in_bulk_time(find::relationships_in_order(&lease, after, limit)).await;
        lease.end(outcome)
    }

    async fn import_nodes(&self, nodes: Vec<Node>) -> Result<usize> {
        let mut lease = self.pool().lease().await?;
        let outcome = in_bulk_time(bulk::import_nodes(&mut lease, &nodes)).await;
        lease.end(outcome)
    }

    async fn import_relationships(&self, relationships: Vec<Relationship>) -> Result<usize> {
        let mut lease = self.pool().lease().await?;
        let outcome = in_bulk_time(bulk::import_relationships(&mut lease, &relationships)).await;
        lease.end(outcome)
    }

    async fn size(&self) -> Result<GraphSize> {
        let lease = self.pool().lease().await?;
        let outcome = in_time(lease.until(), find::size(&lease)).await;
        lease.end(outcome)
    }
}

//! The knowledge graph: things that agents name, and how they belong together.
//!
//! What every backend keeps and answers is said at [`KnowledgeGraph`]. What must be equal on all of them is here, once:
//! [`Properties`] and [`Patch`] say what can be kept, [`PathFinder`] and [`NeighborFinder`] walk the graph, and
//! `search::fuzzy` says how near a name is to a question. A backend fetches; it does not decide.

#[cfg(feature = "json")]
pub mod json;
mod name;
mod neighbors;
mod path;
mod property;
mod reached;

use std::fmt;
use std::str::FromStr;

use async_trait::async_trait;
use jiff::Timestamp;
use search::fuzzy::FuzzyQuery;
use uuid::Uuid;

use crate::error::{Result, StoreError};
pub use name::Name;
pub use neighbors::{FoundNeighbors, NeighborFinder};
pub use path::{FoundSteps, PathFinder};
pub use property::{List, MOST_BYTES, MOST_ELEMENTS, MOST_PROPERTIES, Patch, Properties, PropertyProblem, Value};
pub use reached::{Expansion, Step};

/// Keeps nodes and relationships. Every acknowledged change survives a crash of the process and of the machine, and is seen
/// by the next call of any process. Each call is one step: it happens whole or not at all.
///
/// Names of labels, types and properties are [`Name`]s, which begin with a letter; a backend that must keep something of its
/// own beside the properties gives it a name that begins with `_`.
#[async_trait]
pub trait KnowledgeGraph: Send + Sync + fmt::Debug {
    /// Keeps a new node under a new id.
    async fn create_node(&self, node: NewNode) -> Result<NodeId>;

    /// The node with this id, or `NotFound`.
    async fn node(&self, id: NodeId) -> Result<Node>;

    /// The node with this label and a property that equals the value ([`Value::equals`]), or `NotFound`; of several, the one
    /// with the lowest id.
    async fn find_node(&self, wanted: PropertyMatch) -> Result<Node>;

    /// Changes what the patch names ([`Patch::apply`]) and moves `updated_at`, or `NotFound`; `InvalidInput` when the node
    /// could not be kept with it.
    async fn update_node(&self, id: NodeId, patch: Patch) -> Result<()>;

    /// Removes the node, or `NotFound`. Relationships that it has are removed with it if `detach` says so; otherwise it stays,
    /// and the error is `Conflict` ([`still_related`]).
    async fn delete_node(&self, id: NodeId, detach: bool) -> Result<()>;

    /// Keeps a new relationship under a new id, or `NotFound` when one of its ends is not there ([`no_node`]).
    async fn create_relationship(&self, relationship: NewRelationship) -> Result<RelationshipId>;

    /// The relationship with this id, or `NotFound`.
    async fn relationship(&self, id: RelationshipId) -> Result<Relationship>;

    /// As [`update_node`](Self::update_node).
    async fn update_relationship(&self, id: RelationshipId, patch: Patch) -> Result<()>;

    /// Removes the relationship, or `NotFound`.
    async fn delete_relationship(&self, id: RelationshipId) -> Result<()>;

    /// One shortest path, whichever way its relationships point, as [`PathFinder`] finds it; `NotFound` when one of the ends is
    /// not there.
    async fn shortest_path(&self, search: PathSearch) -> Result<FoundPath>;

    /// What is near a node, whichever way relationships point, as [`NeighborFinder`] finds it; `NotFound` when the node is not
    /// there.
    async fn neighbors(&self, search: NeighborSearch) -> Result<Neighborhood>;

    /// The nodes whose names ([`Properties::names`]) are nearest to the query, best first ([`FuzzySearch::rank`]).
    ///
    /// Beside each node a backend keeps `search::fuzzy::keys` of its names, renewed with every change of the node. Candidates
    /// are the nodes with a wanted label that have a key in common with `FuzzyQuery::keys`; no other node can score. Where
    /// there are more than `search::fuzzy::MOST_CANDIDATES` of them, those with the most keys in common are enough, lowest
    /// ids first.
    async fn fuzzy_search(&self, search: FuzzySearch) -> Result<Vec<ScoredNode>>;

    /// Nodes in the order of their ids, starting after the one given, which need not be there.
    async fn nodes_in_order(&self, after: Option<NodeId>, limit: usize) -> Result<Vec<Node>>;

    /// Relationships in the order of their ids, starting after the one given, which need not be there.
    async fn relationships_in_order(&self, after: Option<RelationshipId>, limit: usize) -> Result<Vec<Relationship>>;

    /// Keeps these as they are, with their ids and times, in one step. Those whose id is known already are left alone. Says how
    /// many were new.
    async fn import_nodes(&self, nodes: Vec<Node>) -> Result<usize>;

    /// As [`import_nodes`](Self::import_nodes); `NotFound`, and none is kept, when the end of a new one is not there.
    async fn import_relationships(&self, relationships: Vec<Relationship>) -> Result<usize>;

    /// How much there is.
    async fn size(&self) -> Result<GraphSize>;
}

macro_rules! id {
    ($name:ident, $what:literal, $doc:literal) => {
        #[doc = $doc]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(Uuid);

        impl $name {
            /// A new id; later ids sort after earlier ones.
            pub fn generate() -> Self {
                Self(Uuid::now_v7())
            }

            /// The UUID itself, for backends that store it as bytes.
            pub fn as_uuid(&self) -> &Uuid {
                &self.0
            }
        }

        impl From<Uuid> for $name {
            fn from(uuid: Uuid) -> Self {
                Self(uuid)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = StoreError;

            /// A text that is no UUID names nothing.
            fn from_str(text: &str) -> Result<Self> {
                Uuid::try_parse(text).map(Self).map_err(|_| StoreError::not_found($what, text))
            }
        }
    };
}

id!(NodeId, "node", "A node's name: a UUID made by the store.");
id!(RelationshipId, "relationship", "A relationship's name: a UUID made by the store.");

/// No node has this id.
pub fn no_node(id: NodeId) -> StoreError {
    StoreError::not_found("node", id)
}

/// No relationship has this id.
pub fn no_relationship(id: RelationshipId) -> StoreError {
    StoreError::not_found("relationship", id)
}

/// The node cannot be removed alone.
pub fn still_related(id: NodeId, relationships: u64) -> StoreError {
    let plural = if relationships == 1 { "" } else { "s" };
    StoreError::new(crate::ErrorKind::Conflict, format!("node `{id}` still has {relationships} relationship{plural}"))
}

/// A thing, with a label and what is known of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    pub id: NodeId,
    pub label: Name,
    pub properties: Properties,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// What the caller gives to be kept as a node.
#[derive(Debug, Clone, PartialEq)]
pub struct NewNode {
    pub label: Name,
    pub properties: Properties,
}

/// How one node belongs to another.
#[derive(Debug, Clone, PartialEq)]
pub struct Relationship {
    pub id: RelationshipId,
    pub from: NodeId,
    pub to: NodeId,
    pub kind: Name,
    pub properties: Properties,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// What the caller gives to be kept as a relationship. Both ends may be one node, and two nodes may have any number of
/// relationships.
#[derive(Debug, Clone, PartialEq)]
pub struct NewRelationship {
    pub from: NodeId,
    pub to: NodeId,
    pub kind: Name,
    pub properties: Properties,
}

/// A node by something that is known of it.
#[derive(Debug, Clone, PartialEq)]
pub struct PropertyMatch {
    pub label: Name,
    pub property: Name,
    pub value: Value,
}

/// Which path to look for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathSearch {
    pub from: NodeId,
    pub to: NodeId,
    /// The longest path that is wanted.
    pub max_depth: usize,
    /// Only along relationships of these types; along all if there are none.
    pub types: Vec<Name>,
    /// How many nodes may be visited.
    pub budget: usize,
}

/// How the search for a path ended.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundPath {
    pub path: Option<Path>,
    /// How many nodes were visited, the ends among them.
    pub visited: usize,
    /// Whether the search stopped because its budget was used up: without a path, there may be one all the same.
    pub truncated: bool,
}

/// Nodes and the relationships between them, from one end to the other: one relationship fewer than nodes.
#[derive(Debug, Clone, PartialEq)]
pub struct Path {
    pub nodes: Vec<Node>,
    pub relationships: Vec<Relationship>,
}

/// How much of the surroundings of a node is wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NeighborSearch {
    pub id: NodeId,
    /// How many relationships away a neighbour may be.
    pub depth: usize,
    /// Only along relationships of these types; along all if there are none.
    pub types: Vec<Name>,
    /// How many nodes may be visited, the first among them.
    pub budget: usize,
}

/// What is near a node.
#[derive(Debug, Clone, PartialEq)]
pub struct Neighborhood {
    /// The nodes that were reached, nearest first and then by id; without the one it began with.
    pub nodes: Vec<Node>,
    /// The relationships that were met between these nodes and the first one, by id.
    pub relationships: Vec<Relationship>,
    /// How many nodes were visited, the first among them.
    pub visited: usize,
    /// Whether there is more than the budget allowed.
    pub truncated: bool,
}

/// A name that may be misspelt, incomplete or in another order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FuzzySearch {
    pub query: String,
    /// Only nodes with these labels; all if there are none.
    pub labels: Vec<Name>,
    pub limit: usize,
}

impl FuzzySearch {
    /// The nearest of these candidates, best first, equal ones by id. Those with another label or without a score fall out.
    pub fn rank(&self, candidates: impl IntoIterator<Item = Node>) -> Vec<ScoredNode> {
        let Some(query) = FuzzyQuery::parse(&self.query) else { return Vec::new() };
        let wanted = |node: &Node| self.labels.is_empty() || self.labels.contains(&node.label);
        let mut found: Vec<ScoredNode> = candidates
            .into_iter()
            .filter(wanted)
            .map(|node| ScoredNode { score: query.score(node.properties.names()), node })
            .filter(|scored| scored.score > 0.0)
            .collect();
        found.sort_by(|left, right| right.score.total_cmp(&left.score).then_with(|| left.node.id.cmp(&right.node.id)));
        found.truncate(self.limit);
        found
    }
}

/// A node and how near its name is, above 0 and at most 1.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoredNode {
    pub node: Node,
    pub score: f64,
}

/// How many nodes and relationships there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GraphSize {
    pub nodes: u64,
    pub relationships: u64,
}

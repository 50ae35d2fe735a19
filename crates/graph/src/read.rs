//! Reading a property graph: what a query engine asks of whoever keeps one.
//!
//! Labels, relationship types and property names are text here, because a query brings them as text; a reader turns them into
//! numbers of its own once (`label`, `relation`, `property`), and the engine holds on to those.

use std::error::Error;
use std::sync::Arc;

/// What a property holds.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(Arc<str>),
    List(Arc<[Value]>),
}

/// Names a node while its reader lives. Keys have an order but no other meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeKey(pub u64);

/// Names a relationship while its reader lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EdgeKey(pub u64);

/// A reader's number for a label.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LabelKey(pub u32);

/// A reader's number for a relationship type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RelationKey(pub u32);

/// A reader's number for the name of a property.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PropertyKey(pub u32);

/// Which relationships of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    Outgoing,
    Incoming,
    /// Both; a relationship of a node with itself comes once.
    Either,
}

/// One relationship as it was met from one of its nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    pub edge: EdgeKey,
    pub relation: RelationKey,
    /// The node at the other end.
    pub far: NodeKey,
    /// Whether the relationship points from the node it was met from to `far`.
    pub outgoing: bool,
}

/// A relationship with its ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EdgeEnds {
    pub from: NodeKey,
    pub relation: RelationKey,
    pub to: NodeKey,
}

/// What is known of the nodes wanted from a scan: a hint. A reader may use any part of it to look at fewer nodes and ignores
/// the rest; it may give nodes that do not fit, and never leaves out one that does.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NodeFilter {
    /// The node has at least one label of each of these groups.
    pub labels: Vec<Vec<LabelKey>>,
    /// All of these hold.
    pub conditions: Vec<Condition>,
}

/// One thing known of one property. A property that is absent or of another type does not fit.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    pub property: PropertyKey,
    pub test: Test,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Test {
    Equals(Value),
    /// Equal to one of them.
    OneOf(Vec<Value>),
    /// On the text of the property, or on its lower-case form.
    Text {
        relation: TextRelation,
        wanted: Arc<str>,
        lower_case: bool,
    },
    /// Between these, for numbers or for texts; either end may be open.
    Between {
        low: Option<Bound>,
        high: Option<Bound>,
    },
    Exists,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextRelation {
    Is,
    Contains,
    StartsWith,
    EndsWith,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Bound {
    pub value: Value,
    pub inclusive: bool,
}

/// Why a graph could not be read.
pub type ReadError = Box<dyn Error + Send + Sync>;

pub type ReadResult<T> = Result<T, ReadError>;

/// One unchanging state of a property graph.
///
/// Lists are filled into the caller's vectors, after what they hold. Order is the same each time.
pub trait GraphRead {
    /// The number of this label, if any node has it.
    fn label(&self, name: &str) -> Option<LabelKey>;
    fn relation(&self, name: &str) -> Option<RelationKey>;
    fn property(&self, name: &str) -> Option<PropertyKey>;

    /// Every name there is, for messages and for `labels(n)`, `type(r)`, `keys(n)`.
    fn label_names(&self) -> Vec<(LabelKey, Arc<str>)>;
    fn relation_names(&self) -> Vec<(RelationKey, Arc<str>)>;
    fn property_names(&self) -> Vec<(PropertyKey, Arc<str>)>;

    /// About how many nodes `scan` would give.
    fn estimate(&self, filter: &NodeFilter) -> u64;

    /// The nodes that may fit, in the order of their keys, from the first one after `after`. At most about `limit` of them:
    /// fewer than `limit` means that there are no more.
    fn scan(
        &self,
        filter: &NodeFilter,
        after: Option<NodeKey>,
        limit: usize,
        nodes: &mut Vec<NodeKey>,
    ) -> ReadResult<()>;

    /// The relationships of one node; no relations means all of them.
    fn expand(
        &self,
        node: NodeKey,
        direction: Direction,
        relations: &[RelationKey],
        steps: &mut Vec<Step>,
    ) -> ReadResult<()>;

    /// How many steps `expand` would give.
    fn degree(&self, node: NodeKey, direction: Direction, relations: &[RelationKey]) -> ReadResult<u64>;

    /// The same for each of these nodes, which stand in the order of their keys.
    fn degrees(
        &self,
        nodes: &[NodeKey],
        direction: Direction,
        relations: &[RelationKey],
        degrees: &mut Vec<u64>,
    ) -> ReadResult<()> {
        for node in nodes {
            degrees.push(self.degree(*node, direction, relations)?);
        }
        Ok(())
    }

    /// How many relationships there are of these types; no relations means all of them.
    fn edge_count(&self, relations: &[RelationKey]) -> ReadResult<u64>;

    fn edge_ends(&self, edge: EdgeKey) -> ReadResult<EdgeEnds>;

    fn node_labels(&self, node: NodeKey, labels: &mut Vec<LabelKey>) -> ReadResult<()>;

    fn node_property(&self, node: NodeKey, property: PropertyKey) -> ReadResult<Value>;
    fn edge_property(&self, edge: EdgeKey, property: PropertyKey) -> ReadResult<Value>;

    /// A number that two nodes share exactly if this property of theirs has the same value. They are small and close together.
    /// A reader that keeps no such numbers gives none; one that has given one for a property gives one for every node.
    fn property_number(&self, _node: NodeKey, _property: PropertyKey) -> Option<u32> {
        None
    }

    /// All that are not null.
    fn node_properties(&self, node: NodeKey) -> ReadResult<Vec<(PropertyKey, Value)>>;
    fn edge_properties(&self, edge: EdgeKey) -> ReadResult<Vec<(PropertyKey, Value)>>;
}

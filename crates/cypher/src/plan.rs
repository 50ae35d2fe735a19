//! What a checked query has become: operators that make rows, and terms that make values, over numbered slots.

use std::sync::Arc;

use graph::{Direction, LabelKey, NodeFilter, PropertyKey, RelationKey, TextRelation};
use regex::Regex;

use crate::functions::{AggregateKind, Function};
use crate::value::Value;
use cypher_syntax::Span;
use cypher_syntax::ast::{Binary, Compare, Logic, Quantifier};

/// The place of a variable in a row.
pub(crate) type Slot = usize;

#[derive(Debug, Default)]
pub(crate) struct Pipeline {
    pub(crate) operators: Vec<Operator>,
}

/// Makes zero or more rows out of one.
#[derive(Debug)]
pub(crate) enum Operator {
    Scan(Scan),
    Expand(Expand),
    /// One row for each input row, with the number of its expansions; none if there are none, unless `optional`.
    CountExpand {
        expand: Expand,
        filters: Vec<Term>,
        count: Slot,
        optional: bool,
    },
    /// How many relationships of these types there are.
    CountEdges {
        relations: Relations,
        count: Slot,
    },
    VariableExpand(Box<VariableExpand>),
    ShortestPath(Box<ShortestPath>),
    BindPath {
        path: Slot,
        start: Slot,
        relationships: Vec<Slot>,
    },
    /// The relationship is known; its ends are bound or compared.
    FollowEdge {
        expand: Expand,
        from_known: bool,
    },
    Filter(Term),
    Assign(Vec<(Slot, Term)>),
    Unwind {
        list: Term,
        slot: Slot,
    },
    Optional {
        inner: Pipeline,
        resets: Vec<Slot>,
    },
    /// The rows of a subquery, each beside the row it was made for.
    Apply {
        inner: Pipeline,
    },
    Union {
        parts: Vec<Pipeline>,
        distinct: Option<Vec<Slot>>,
    },
    Distinct(Vec<Slot>),
    Aggregate(Aggregation),
    Sort {
        keys: Vec<(Term, bool)>,
        kept: Vec<Slot>,
        limit: Option<Term>,
    },
    Skip(Term),
    Limit(Term),
    Names {
        kind: NameKind,
        slot: Slot,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NameKind {
    Labels,
    Relations,
    Properties,
}

#[derive(Debug)]
pub(crate) struct Scan {
    pub(crate) node: Slot,
    pub(crate) filter: NodeFilter,
    /// Conditions whose values are known only when a row is at hand.
    pub(crate) dynamic: Vec<DynamicCondition>,
    /// No node can fit.
    pub(crate) is_empty: bool,
    /// For the plan as text.
    pub(crate) estimate: u64,
    pub(crate) name: Arc<str>,
}

#[derive(Debug)]
pub(crate) struct DynamicCondition {
    pub(crate) property: PropertyKey,
    pub(crate) test: DynamicTest,
    pub(crate) wanted: Term,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DynamicTest {
    Equals,
    OneOf,
    Text { relation: TextRelation, lower_case: bool },
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Relations {
    Any,
    /// None of them means that no relationship fits.
    Of(Vec<RelationKey>),
}

impl Relations {
    pub(crate) fn keys(&self) -> &[RelationKey] {
        match self {
            Relations::Any => &[],
            Relations::Of(keys) => keys,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        matches!(self, Relations::Of(keys) if keys.is_empty())
    }

    pub(crate) fn overlaps(&self, other: &Relations) -> bool {
        match (self, other) {
            (Relations::Of(left), Relations::Of(right)) => left.iter().any(|key| right.contains(key)),
            _ => true,
        }
    }
}

#[derive(Debug)]
pub(crate) struct Expand {
    pub(crate) from: Slot,
    pub(crate) to: Slot,
    /// The far node is known already and must be the one found.
    pub(crate) into: bool,
    pub(crate) edge: Option<Slot>,
    pub(crate) direction: Direction,
    pub(crate) relations: Relations,
    /// Relationships found earlier in the same clause, which may not come again.
    pub(crate) unlike: Vec<Slot>,
    pub(crate) label: Arc<str>,
}

#[derive(Debug)]
pub(crate) struct VariableExpand {
    pub(crate) step: Expand,
    pub(crate) min: u32,
    pub(crate) max: u32,
    /// Each end once, however many ways lead there.
    pub(crate) ends_only: bool,
    /// The list goes from far to near.
    pub(crate) reversed: bool,
    /// A slot for one relationship and the condition on it.
    pub(crate) condition: Option<(Slot, Term)>,
}

#[derive(Debug)]
pub(crate) struct ShortestPath {
    pub(crate) expand: VariableExpand,
    pub(crate) path: Option<Slot>,
    pub(crate) every: bool,
    /// Conditions on the path, which choose among paths.
    pub(crate) conditions: Vec<Term>,
}

#[derive(Debug)]
pub(crate) struct Aggregation {
    pub(crate) keys: Vec<(Slot, Term)>,
    pub(crate) aggregates: Vec<Aggregate>,
    /// How often each row counts.
    pub(crate) weight: Option<Slot>,
    /// The node whose properties the keys are. A group then has the first node with these keys in place of the keys themselves,
    /// and they are read only for the rows that are wanted in the end.
    pub(crate) late: Option<Slot>,
}

#[derive(Debug)]
pub(crate) struct Aggregate {
    pub(crate) kind: AggregateKind,
    pub(crate) distinct: bool,
    /// Nothing for `count(*)`.
    pub(crate) arguments: Vec<Term>,
    pub(crate) slot: Slot,
    pub(crate) at: Span,
}

#[derive(Debug, Clone)]
pub(crate) struct PropertyName {
    pub(crate) name: Arc<str>,
    /// Nothing if no node or relationship has it.
    pub(crate) key: Option<PropertyKey>,
}

#[derive(Debug, Clone)]
pub(crate) enum LabelTest {
    Has(LabelKey),
    Never,
    /// At least one label.
    Some,
    Not(Box<LabelTest>),
    And(Vec<LabelTest>),
    Or(Vec<LabelTest>),
}

/// What a type expression means for a relationship held in a variable.
#[derive(Debug, Clone)]
pub(crate) struct LabelTests {
    pub(crate) node: LabelTest,
    pub(crate) relations: Relations,
}

#[derive(Debug)]
pub(crate) enum Term {
    Constant(Value),
    Slot(Slot),
    Property(Box<Term>, PropertyName, Span),
    Index(Box<Term>, Box<Term>, Span),
    Slice(Box<Term>, Option<Box<Term>>, Option<Box<Term>>, Span),
    List(Vec<Term>),
    Map(Vec<(Arc<str>, Term)>),
    MapProjection(Box<Term>, Vec<Projected>, Span),
    Not(Box<Term>, Span),
    Logical(Logic, Vec<Term>, Span),
    Compare(Compare, Box<Term>, Box<Term>),
    Arithmetic(Binary, Box<Term>, Box<Term>, Span),
    Sign(bool, Box<Term>, Span),
    In(Box<Term>, Box<Term>, Span),
    TextTest(TextRelation, Box<Term>, Box<Term>),
    Matches(Box<Term>, Box<Term>, Span),
    /// A pattern known beforehand.
    MatchesKnown(Box<Term>, Regex),
    IsNull(bool, Box<Term>),
    HasLabels(Box<Term>, LabelTests, Span),
    Case(Option<Box<Term>>, Vec<(Term, Term)>, Option<Box<Term>>),
    Call(&'static Function, Vec<Term>, Span),
    ListComprehension(Box<Loop>, Option<Box<Term>>, Option<Box<Term>>),
    Quantifier(Quantifier, Box<Loop>, Box<Term>),
    Reduce(Box<Loop>, Slot, Box<Term>, Box<Term>),
    Exists(Box<Pipeline>),
    CountRows(Box<Pipeline>),
    CollectRows(Box<Pipeline>, Box<Term>),
    /// The value of the first row.
    FirstRow(Box<Pipeline>, Slot),
    /// How many relationships a node has.
    Degree {
        node: Box<Term>,
        direction: Direction,
        relations: Relations,
    },
}

/// A list and the slot its elements pass through.
#[derive(Debug)]
pub(crate) struct Loop {
    pub(crate) list: Term,
    pub(crate) slot: Slot,
    pub(crate) at: Span,
}

#[derive(Debug)]
pub(crate) enum Projected {
    All,
    Property(PropertyName),
    Entry(Arc<str>, Term),
}

//! The syntax tree, as close to the text as a printer needs.

use std::sync::Arc;

use graph::Direction;

use crate::error::Span;

#[derive(Debug, Clone, PartialEq)]
pub struct Name {
    pub text: Arc<str>,
    pub at: Span,
}

/// One or more single queries whose rows go together.
#[derive(Debug, Clone, PartialEq)]
pub struct Union {
    pub all: bool,
    pub parts: Vec<Vec<Clause>>,
    pub at: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Clause {
    Match(Match),
    Unwind { list: Expr, variable: Name },
    With { projection: Projection, filter: Option<Expr> },
    Return(Projection),
    Subquery(CallSubquery),
    Procedure(CallProcedure),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Match {
    pub optional: bool,
    pub patterns: Vec<PatternPart>,
    pub filter: Option<Expr>,
}

/// `CALL { … }`; `imports` are those of `CALL (a, b) { … }`, where `*` gives all of them.
#[derive(Debug, Clone, PartialEq)]
pub struct CallSubquery {
    pub imports: Option<Imports>,
    pub body: Union,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Imports {
    All,
    Named(Vec<Name>),
}

#[derive(Debug, Clone, PartialEq)]
pub struct CallProcedure {
    pub name: Name,
    pub arguments: Vec<Expr>,
    pub yields: Vec<(Name, Option<Name>)>,
    pub filter: Option<Expr>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Projection {
    pub distinct: bool,
    pub star: bool,
    pub items: Vec<Item>,
    pub order: Vec<SortItem>,
    pub skip: Option<Expr>,
    pub limit: Option<Expr>,
    pub at: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    pub expression: Expr,
    pub alias: Option<Name>,
    /// Of the expression as it was written, brackets included: without an alias, that is the name of the column.
    pub at: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub struct SortItem {
    pub expression: Expr,
    pub descending: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Search {
    /// Every way the pattern fits.
    Every,
    Shortest,
    AllShortest,
}

#[derive(Debug, Clone, PartialEq)]
pub struct PatternPart {
    pub variable: Option<Name>,
    pub search: Search,
    pub start: NodePattern,
    pub steps: Vec<(RelationshipPattern, NodePattern)>,
    pub at: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub struct NodePattern {
    pub variable: Option<Name>,
    pub labels: Option<LabelExpr>,
    pub properties: Option<Expr>,
    pub filter: Option<Expr>,
    pub at: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub struct RelationshipPattern {
    pub variable: Option<Name>,
    pub kinds: Option<LabelExpr>,
    pub direction: Direction,
    pub length: Option<Length>,
    pub properties: Option<Expr>,
    pub filter: Option<Expr>,
    pub at: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Length {
    pub min: Option<u64>,
    pub max: Option<u64>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum LabelExpr {
    Label(Name),
    /// `%`: any label.
    Any,
    Not(Box<LabelExpr>),
    And(Vec<LabelExpr>),
    Or(Vec<LabelExpr>),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    pub kind: ExprKind,
    pub at: Span,
    /// How many levels there are below and including this one.
    pub height: u16,
}

#[derive(Debug, Clone, PartialEq)]
pub enum ExprKind {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(Arc<str>),
    Parameter(Arc<str>),
    Variable(Arc<str>),
    List(Vec<Expr>),
    Map(Vec<(Name, Expr)>),
    Property(Box<Expr>, Name),
    HasLabels(Box<Expr>, LabelExpr),
    Index(Box<Expr>, Box<Expr>),
    Slice(Box<Expr>, Option<Box<Expr>>, Option<Box<Expr>>),
    Not(Box<Expr>),
    Sign {
        minus: bool,
        of: Box<Expr>,
    },
    IsNull {
        not: bool,
        of: Box<Expr>,
    },
    Logical(Logic, Vec<Expr>),
    Comparison(Box<Expr>, Vec<(Compare, Expr)>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    Case {
        subject: Option<Box<Expr>>,
        branches: Vec<(Expr, Expr)>,
        otherwise: Option<Box<Expr>>,
    },
    Function {
        name: Name,
        distinct: bool,
        arguments: Vec<Expr>,
    },
    CountStar,
    ListComprehension {
        variable: Name,
        list: Box<Expr>,
        filter: Option<Box<Expr>>,
        map: Option<Box<Expr>>,
    },
    PatternComprehension {
        pattern: Box<PatternPart>,
        filter: Option<Box<Expr>>,
        map: Box<Expr>,
    },
    Quantifier {
        kind: Quantifier,
        variable: Name,
        list: Box<Expr>,
        filter: Box<Expr>,
    },
    Reduce {
        total: Name,
        start: Box<Expr>,
        variable: Name,
        list: Box<Expr>,
        step: Box<Expr>,
    },
    MapProjection {
        variable: Name,
        items: Vec<MapItem>,
    },
    /// A pattern as a condition, or `shortestPath(…)` as a value.
    Pattern(Box<PatternPart>),
    Subquery(SubqueryKind, Box<Subquery>),
}

#[derive(Debug, Clone, PartialEq)]
pub enum MapItem {
    Property(Name),
    AllProperties,
    Variable(Name),
    Entry(Name, Expr),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SubqueryKind {
    Exists,
    Count,
    Collect,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Subquery {
    Pattern(Vec<PatternPart>, Option<Expr>),
    Query(Union),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Logic {
    Or,
    Xor,
    And,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compare {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    Power,
    In,
    StartsWith,
    EndsWith,
    Contains,
    Matches,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantifier {
    All,
    Any,
    None,
    Single,
}

/// The one list of what stands below an expression, to be looked at or changed.
macro_rules! expressions_below {
    ($expression:expr, $visit:ident) => {
        match $expression {
            ExprKind::List(items) | ExprKind::Logical(_, items) => items.into_iter().for_each($visit),
            ExprKind::Function { arguments, .. } => arguments.into_iter().for_each($visit),
            ExprKind::Map(entries) => entries.into_iter().for_each(|(_, value)| $visit(value)),
            ExprKind::Property(of, _) | ExprKind::HasLabels(of, _) | ExprKind::Not(of) => $visit(of),
            ExprKind::Sign { of, .. } | ExprKind::IsNull { of, .. } => $visit(of),
            ExprKind::Index(left, right) | ExprKind::Binary(_, left, right) => {
                $visit(left);
                $visit(right);
            }
            ExprKind::Slice(of, from, to) => {
                $visit(of);
                [from, to].into_iter().flatten().for_each(|bound| $visit(bound));
            }
            ExprKind::Comparison(first, rest) => {
                $visit(first);
                rest.into_iter().for_each(|(_, operand)| $visit(operand));
            }
            ExprKind::Case { subject, branches, otherwise } => {
                subject.into_iter().for_each(|subject| $visit(subject));
                for (when, then) in branches {
                    $visit(when);
                    $visit(then);
                }
                otherwise.into_iter().for_each(|otherwise| $visit(otherwise));
            }
            ExprKind::ListComprehension { list, filter, map, .. } => {
                $visit(list);
                [filter, map].into_iter().flatten().for_each(|part| $visit(part));
            }
            ExprKind::PatternComprehension { filter, map, .. } => {
                filter.into_iter().for_each(|filter| $visit(filter));
                $visit(map);
            }
            ExprKind::Quantifier { list, filter, .. } => {
                $visit(list);
                $visit(filter);
            }
            ExprKind::Reduce { start, list, step, .. } => {
                [start, list, step].into_iter().for_each(|part| $visit(part));
            }
            ExprKind::MapProjection { items, .. } => {
                for item in items {
                    if let MapItem::Entry(_, value) = item {
                        $visit(value);
                    }
                }
            }
            ExprKind::Null
            | ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Text(_)
            | ExprKind::Parameter(_)
            | ExprKind::Variable(_)
            | ExprKind::CountStar
            | ExprKind::Pattern(_)
            | ExprKind::Subquery(..) => {}
        }
    };
}

impl Expr {
    /// The expressions directly below this one, except those inside patterns and subqueries.
    pub fn children<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        expressions_below!(&self.kind, visit);
    }

    /// The same, to be changed.
    pub fn children_mut(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        expressions_below!(&mut self.kind, visit);
    }
}

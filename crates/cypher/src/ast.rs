//! The syntax tree, as close to the text as a printer needs.

use std::sync::Arc;

use graph::Direction;

use crate::error::Span;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Name {
    pub(crate) text: Arc<str>,
    pub(crate) at: Span,
}

/// One or more single queries whose rows go together.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Union {
    pub(crate) all: bool,
    pub(crate) parts: Vec<Vec<Clause>>,
    pub(crate) at: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Clause {
    Match(Match),
    Unwind { list: Expr, variable: Name },
    With { projection: Projection, filter: Option<Expr> },
    Return(Projection),
    Subquery(CallSubquery),
    Procedure(CallProcedure),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Match {
    pub(crate) optional: bool,
    pub(crate) patterns: Vec<PatternPart>,
    pub(crate) filter: Option<Expr>,
}

/// `CALL { … }`; `imports` are those of `CALL (a, b) { … }`, where `*` gives all of them.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CallSubquery {
    pub(crate) imports: Option<Imports>,
    pub(crate) body: Union,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Imports {
    All,
    Named(Vec<Name>),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CallProcedure {
    pub(crate) name: Name,
    pub(crate) arguments: Vec<Expr>,
    pub(crate) yields: Vec<(Name, Option<Name>)>,
    pub(crate) filter: Option<Expr>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Projection {
    pub(crate) distinct: bool,
    pub(crate) star: bool,
    pub(crate) items: Vec<Item>,
    pub(crate) order: Vec<SortItem>,
    pub(crate) skip: Option<Expr>,
    pub(crate) limit: Option<Expr>,
    pub(crate) at: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Item {
    pub(crate) expression: Expr,
    pub(crate) alias: Option<Name>,
    /// Of the expression as it was written, brackets included: without an alias, that is the name of the column.
    pub(crate) at: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SortItem {
    pub(crate) expression: Expr,
    pub(crate) descending: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Search {
    /// Every way the pattern fits.
    Every,
    Shortest,
    AllShortest,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PatternPart {
    pub(crate) variable: Option<Name>,
    pub(crate) search: Search,
    pub(crate) start: NodePattern,
    pub(crate) steps: Vec<(RelationshipPattern, NodePattern)>,
    pub(crate) at: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NodePattern {
    pub(crate) variable: Option<Name>,
    pub(crate) labels: Option<LabelExpr>,
    pub(crate) properties: Option<Expr>,
    pub(crate) filter: Option<Expr>,
    pub(crate) at: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RelationshipPattern {
    pub(crate) variable: Option<Name>,
    pub(crate) kinds: Option<LabelExpr>,
    pub(crate) direction: Direction,
    pub(crate) length: Option<Length>,
    pub(crate) properties: Option<Expr>,
    pub(crate) filter: Option<Expr>,
    pub(crate) at: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Length {
    pub(crate) min: Option<u64>,
    pub(crate) max: Option<u64>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum LabelExpr {
    Label(Name),
    /// `%`: any label.
    Any,
    Not(Box<LabelExpr>),
    And(Vec<LabelExpr>),
    Or(Vec<LabelExpr>),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    pub(crate) at: Span,
    /// How many levels there are below and including this one.
    pub(crate) height: u16,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ExprKind {
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
pub(crate) enum MapItem {
    Property(Name),
    AllProperties,
    Variable(Name),
    Entry(Name, Expr),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SubqueryKind {
    Exists,
    Count,
    Collect,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Subquery {
    Pattern(Vec<PatternPart>, Option<Expr>),
    Query(Union),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Logic {
    Or,
    Xor,
    And,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compare {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Binary {
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
pub(crate) enum Quantifier {
    All,
    Any,
    None,
    Single,
}

impl Expr {
    /// The expressions directly below this one, except those inside patterns and subqueries.
    pub(crate) fn children<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        match &self.kind {
            ExprKind::List(items) | ExprKind::Logical(_, items) => items.iter().for_each(visit),
            ExprKind::Function { arguments, .. } => arguments.iter().for_each(visit),
            ExprKind::Map(entries) => entries.iter().for_each(|(_, value)| visit(value)),
            ExprKind::Property(of, _) | ExprKind::HasLabels(of, _) | ExprKind::Not(of) => visit(of),
            ExprKind::Sign { of, .. } | ExprKind::IsNull { of, .. } => visit(of),
            ExprKind::Index(left, right) | ExprKind::Binary(_, left, right) => {
                visit(left);
                visit(right);
            }
            ExprKind::Slice(of, from, to) => {
                visit(of);
                [from, to].into_iter().flatten().for_each(|bound| visit(bound));
            }
            ExprKind::Comparison(first, rest) => {
                visit(first);
                rest.iter().for_each(|(_, operand)| visit(operand));
            }
            ExprKind::Case { subject, branches, otherwise } => {
                subject.iter().for_each(|subject| visit(subject));
                for (when, then) in branches {
                    visit(when);
                    visit(then);
                }
                otherwise.iter().for_each(|otherwise| visit(otherwise));
            }
            ExprKind::ListComprehension { list, filter, map, .. } => {
                visit(list);
                [filter, map].into_iter().flatten().for_each(|part| visit(part));
            }
            ExprKind::PatternComprehension { filter, map, .. } => {
                filter.iter().for_each(|filter| visit(filter));
                visit(map);
            }
            ExprKind::Quantifier { list, filter, .. } => {
                visit(list);
                visit(filter);
            }
            ExprKind::Reduce { start, list, step, .. } => [start, list, step].into_iter().for_each(|part| visit(part)),
            ExprKind::MapProjection { items, .. } => {
                for item in items {
                    if let MapItem::Entry(_, value) = item {
                        visit(value);
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
    }
}

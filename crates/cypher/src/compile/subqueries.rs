//! Patterns and queries inside expressions.

use crate::kind::Kind;
use crate::plan::{Operator, Pipeline, Term};
use cypher_syntax::ast::{Expr, PatternPart, Search, Subquery, SubqueryKind};
use cypher_syntax::{Error, ErrorKind, Result, Span};

use super::calls::greater_than_zero;
use super::matching::{Wanted, is_countable};
use super::patterns::Naming;
use super::scope::Scope;
use super::terms::subquery_kind;
use super::{Compiler, Typed};

impl Compiler<'_> {
    /// A pattern as a condition, or a shortest path as a value.
    pub(super) fn pattern_term(&mut self, scope: &Scope, part: &PatternPart, allowed: bool) -> Result<Typed> {
        if part.search != Search::Every {
            return self.shortest_term(scope, part);
        }
        if !allowed {
            let message = "a pattern can only be used as a condition";
            let error = Error::compile(ErrorKind::UnexpectedSyntax, part.at, message);
            return Err(error.hint("use EXISTS { … }, COUNT { … } or a comprehension such as `[(a)-->(b) | b]`"));
        }
        let pipeline = self.pattern_pipeline(scope, std::slice::from_ref(part), None, Naming::KnownOnly)?;
        Ok(Typed { term: exists(pipeline), kind: Kind::Bool })
    }

    fn pattern_pipeline(
        &mut self,
        scope: &Scope,
        parts: &[PatternPart],
        filter: Option<&Expr>,
        naming: Naming,
    ) -> Result<Pipeline> {
        let substitutions = std::mem::take(&mut self.substitutions);
        let mut inner = scope.clone();
        let graph = self.pattern_graph(&mut inner, parts, filter, naming)?;
        let pipeline = self.plan_pattern(graph, Wanted { distinct_only: true, grouped_by: None });
        self.substitutions = substitutions;
        pipeline
    }

    fn shortest_term(&mut self, scope: &Scope, part: &PatternPart) -> Result<Typed> {
        let mut inner = scope.clone();
        let mut named = part.clone();
        // No name that can be written clashes with this one.
        let variable = cypher_syntax::ast::Name { text: " path".into(), at: part.at };
        named.variable = Some(variable);
        let graph = self.pattern_graph(&mut inner, std::slice::from_ref(&named), None, Naming::KnownOnly)?;
        let path = inner.find(" path").map(|binding| binding.slot).unwrap_or_default();
        let pipeline = Box::new(self.plan_pattern(graph, Wanted::default())?);
        if part.search == Search::AllShortest {
            let kind = Kind::List(Box::new(Kind::Path));
            return Ok(Typed { term: Term::CollectRows(pipeline, Box::new(Term::Slot(path))), kind });
        }
        Ok(Typed { term: Term::FirstRow(pipeline, path), kind: Kind::Path })
    }

    pub(super) fn pattern_comprehension(
        &mut self,
        scope: &Scope,
        part: &PatternPart,
        filter: Option<&Expr>,
        map: &Expr,
    ) -> Result<Typed> {
        let substitutions = std::mem::take(&mut self.substitutions);
        let mut inner = scope.clone();
        let graph = self.pattern_graph(&mut inner, std::slice::from_ref(part), filter, Naming::New)?;
        let pipeline = self.plan_pattern(graph, Wanted::default())?;
        let Typed { term, kind } = self.term(&inner, map)?;
        self.substitutions = substitutions;
        let kind = Kind::List(Box::new(kind));
        Ok(Typed { term: Term::CollectRows(Box::new(pipeline), Box::new(term)), kind })
    }

    pub(super) fn subquery_term(
        &mut self,
        scope: &Scope,
        kind: SubqueryKind,
        body: &Subquery,
        at: Span,
    ) -> Result<Typed> {
        let substitutions = std::mem::take(&mut self.substitutions);
        let (pipeline, columns) = match body {
            Subquery::Pattern(parts, filter) => {
                let mut inner = scope.clone();
                let graph = self.pattern_graph(&mut inner, parts, filter.as_ref(), Naming::New)?;
                let wanted = Wanted { distinct_only: kind == SubqueryKind::Exists, grouped_by: None };
                (self.plan_pattern(graph, wanted)?, Vec::new())
            }
            Subquery::Query(union) => match union.parts.as_slice() {
                [only] => self.single_query(only, scope, kind == SubqueryKind::Exists)?,
                _ => self.union(union, scope)?,
            },
        };
        self.substitutions = substitutions;
        let term = match kind {
            SubqueryKind::Exists => exists(pipeline),
            SubqueryKind::Count => count_of(pipeline),
            SubqueryKind::Collect => {
                let [column] = columns.as_slice() else {
                    let message = "COLLECT { … } must return exactly one column";
                    return Err(Error::compile(ErrorKind::InvalidNumberOfArguments, at, message));
                };
                Term::CollectRows(Box::new(pipeline), Box::new(Term::Slot(column.slot)))
            }
        };
        Ok(Typed { term, kind: subquery_kind(kind) })
    }
}

fn exists(pipeline: Pipeline) -> Term {
    match degree_of(pipeline) {
        Ok(degree) => greater_than_zero(degree),
        Err(pipeline) => Term::Exists(Box::new(pipeline)),
    }
}

pub(super) fn count_of(pipeline: Pipeline) -> Term {
    degree_of(pipeline).unwrap_or_else(|pipeline| Term::CountRows(Box::new(pipeline)))
}

/// One expansion without any condition is only as many rows as the node has relationships.
fn degree_of(pipeline: Pipeline) -> std::result::Result<Term, Pipeline> {
    match pipeline.operators.as_slice() {
        [Operator::Expand(expand)] if is_countable(expand) => Ok(Term::Degree {
            node: Box::new(Term::Slot(expand.from)),
            direction: expand.direction,
            relations: expand.relations.clone(),
        }),
        _ => Err(pipeline),
    }
}

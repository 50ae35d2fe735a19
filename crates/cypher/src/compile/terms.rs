//! Expressions → terms: variables, literals, and what is built from them. Operators and calls have files of their own.

use crate::kind::Kind;
use crate::plan::{Loop, Projected, PropertyName, Term};
use crate::value::Value;
use cypher_syntax::ast::{Expr, ExprKind, MapItem, Name, SubqueryKind};
use cypher_syntax::suggest;
use cypher_syntax::{Error, ErrorKind, Result, Span};

use super::scope::Scope;
use super::{Compiler, Typed};

impl Compiler<'_> {
    pub(super) fn term(&mut self, scope: &Scope, expression: &Expr) -> Result<Typed> {
        let pattern_allowed = std::mem::take(&mut self.pattern_allowed);
        if let Some(known) = self.substitutions.iter().find(|known| known.expression == *expression) {
            self.referenced.push(known.slot);
            return Ok(Typed { term: Term::Slot(known.slot), kind: known.kind.clone() });
        }
        let typed = match &expression.kind {
            ExprKind::Null => constant(Value::Null, Kind::Any),
            ExprKind::Bool(value) => constant(Value::Bool(*value), Kind::Bool),
            ExprKind::Int(number) => constant(Value::Int(*number), Kind::Int),
            ExprKind::Float(number) => constant(Value::Float(*number), Kind::Float),
            ExprKind::Text(text) => constant(Value::Text(text.clone()), Kind::Text),
            ExprKind::Parameter(name) => self.parameter(name, expression.at)?,
            ExprKind::Variable(name) => self.variable(scope, name, expression.at)?,
            ExprKind::List(items) => self.list(scope, items)?,
            ExprKind::Map(entries) => self.map(scope, entries)?,
            ExprKind::Property(of, name) => self.property(scope, of, name, expression.at)?,
            ExprKind::Index(of, index) => self.index(scope, of, index, expression.at)?,
            ExprKind::Slice(of, from, to) => self.slice(scope, (of, from.as_deref(), to.as_deref()), expression.at)?,
            ExprKind::Case { .. } => self.case(scope, expression)?,
            ExprKind::Function { .. } | ExprKind::CountStar => self.call(scope, expression)?,
            ExprKind::ListComprehension { .. } | ExprKind::Quantifier { .. } | ExprKind::Reduce { .. } => {
                self.loops(scope, expression)?
            }
            ExprKind::MapProjection { variable, items } => {
                self.map_projection(scope, variable, items, expression.at)?
            }
            ExprKind::PatternComprehension { pattern, filter, map } => {
                self.pattern_comprehension(scope, pattern, filter.as_deref(), map)?
            }
            ExprKind::Pattern(pattern) => self.pattern_term(scope, pattern, pattern_allowed)?,
            ExprKind::Subquery(kind, body) => self.subquery_term(scope, *kind, body, expression.at)?,
            ExprKind::HasLabels(..)
            | ExprKind::Not(_)
            | ExprKind::Sign { .. }
            | ExprKind::IsNull { .. }
            | ExprKind::Logical(..)
            | ExprKind::Comparison(..)
            | ExprKind::Binary(..) => self.operator(scope, expression)?,
        };
        Ok(self.folded(typed))
    }

    /// A term where a pattern may stand and a boolean must.
    pub(super) fn condition(&mut self, scope: &Scope, expression: &Expr) -> Result<Term> {
        self.pattern_allowed = true;
        let Typed { term, kind } = self.term(scope, expression)?;
        if kind.may_be_bool() {
            return Ok(term);
        }
        let message = format!("expected a condition, not {}", kind.name());
        Err(Error::compile(ErrorKind::InvalidArgumentType, expression.at, message))
    }

    /// A term all of whose parts are constant is computed now; if that fails, it fails again when the query runs.
    fn folded(&mut self, typed: Typed) -> Typed {
        if !has_constant_parts(&typed.term) {
            return typed;
        }
        match self.runtime.evaluate(&typed.term, &mut Vec::new()) {
            Ok(value) => Typed { term: Term::Constant(value), kind: typed.kind },
            Err(_) => typed,
        }
    }

    fn parameter(&mut self, name: &str, at: Span) -> Result<Typed> {
        if let Some(value) = self.parameters.get(name) {
            return Ok(constant(value.clone(), Kind::Any));
        }
        let nearest = suggest::nearest(name, self.parameters.keys().map(String::as_str));
        let error = Error::compile(ErrorKind::MissingParameter, at, format!("the parameter `${name}` was not given"));
        Err(error.hint_if(nearest.map(|nearest| suggest::did_you_mean(&format!("${nearest}")))))
    }

    pub(super) fn variable(&mut self, scope: &Scope, name: &str, at: Span) -> Result<Typed> {
        let Some(binding) = scope.find(name) else { return Err(undefined(scope, name, at)) };
        if let Some(kind) = binding.blocked {
            let message = match kind {
                ErrorKind::AmbiguousAggregationExpression => format!(
                    "`{name}` is used beside an aggregation but is no grouping key of its own; \
                     return it, or what is needed of it, as a column, or move the aggregation to a WITH"
                ),
                _ => format!("`{name}` is no longer known after DISTINCT or aggregation"),
            };
            return Err(Error::compile(kind, at, message));
        }
        self.referenced.push(binding.slot);
        Ok(Typed { term: Term::Slot(binding.slot), kind: binding.kind.clone() })
    }

    fn list(&mut self, scope: &Scope, items: &[Expr]) -> Result<Typed> {
        let mut terms = Vec::with_capacity(items.len());
        let mut element: Option<Kind> = None;
        for item in items {
            let typed = self.term(scope, item)?;
            element = Some(element.map_or_else(|| typed.kind.clone(), |known| known.join(&typed.kind)));
            terms.push(typed.term);
        }
        Ok(Typed { term: Term::List(terms), kind: Kind::List(Box::new(element.unwrap_or(Kind::Any))) })
    }

    fn map(&mut self, scope: &Scope, entries: &[(Name, Expr)]) -> Result<Typed> {
        let mut terms = Vec::with_capacity(entries.len());
        for (name, value) in entries {
            terms.push((name.text.clone(), self.term(scope, value)?.term));
        }
        Ok(Typed { term: Term::Map(terms), kind: Kind::Map })
    }

    pub(super) fn property_name(&mut self, name: &Name, of: &Kind) -> Result<PropertyName> {
        let key = self.graph.property(&name.text);
        if key.is_none() && of.is_entity() {
            let known = self.graph.property_names().into_iter().map(|(_, name)| name).collect();
            self.unknown("property", &name.text, name.at, known)?;
        }
        Ok(PropertyName { name: name.text.clone(), key })
    }

    fn property(&mut self, scope: &Scope, of: &Expr, name: &Name, at: Span) -> Result<Typed> {
        let Typed { term, kind } = self.term(scope, of)?;
        if !kind.may_have_properties() {
            let message = format!("{} has no properties, so no `{}`", kind.name(), name.text);
            return Err(Error::compile(ErrorKind::InvalidArgumentType, at, message));
        }
        let name = self.property_name(name, &kind)?;
        Ok(Typed { term: Term::Property(Box::new(term), name, at), kind: Kind::Any })
    }

    fn index(&mut self, scope: &Scope, of: &Expr, index: &Expr, at: Span) -> Result<Typed> {
        let of = self.term(scope, of)?;
        let index = self.term(scope, index)?;
        if !of.kind.may_be_list() && !of.kind.may_have_properties() {
            let message = format!("{} has no elements", of.kind.name());
            return Err(Error::compile(ErrorKind::InvalidArgumentType, at, message));
        }
        let kind = of.kind.element();
        Ok(Typed { term: Term::Index(Box::new(of.term), Box::new(index.term), at), kind })
    }

    fn slice(
        &mut self,
        scope: &Scope,
        (of, from, to): (&Expr, Option<&Expr>, Option<&Expr>),
        at: Span,
    ) -> Result<Typed> {
        let of = self.term(scope, of)?;
        let from = from.map(|from| self.term(scope, from)).transpose()?.map(|typed| Box::new(typed.term));
        let to = to.map(|to| self.term(scope, to)).transpose()?.map(|typed| Box::new(typed.term));
        if !of.kind.may_be_list() {
            let message = format!("only a list can be sliced, not {}", of.kind.name());
            return Err(Error::compile(ErrorKind::InvalidArgumentType, at, message));
        }
        Ok(Typed { term: Term::Slice(Box::new(of.term), from, to, at), kind: of.kind })
    }

    fn case(&mut self, scope: &Scope, expression: &Expr) -> Result<Typed> {
        let ExprKind::Case { subject, branches, otherwise } = &expression.kind else {
            return Ok(constant(Value::Null, Kind::Any));
        };
        let subject = subject.as_ref().map(|subject| self.term(scope, subject)).transpose()?;
        let mut terms = Vec::with_capacity(branches.len());
        let mut kind: Option<Kind> = None;
        for (when, then) in branches {
            let when = match subject {
                Some(_) => self.term(scope, when)?.term,
                None => self.condition(scope, when)?,
            };
            let then = self.term(scope, then)?;
            kind = Some(kind.map_or_else(|| then.kind.clone(), |known| known.join(&then.kind)));
            terms.push((when, then.term));
        }
        let otherwise = otherwise.as_ref().map(|otherwise| self.term(scope, otherwise)).transpose()?;
        let kind = match (&otherwise, kind) {
            (Some(otherwise), Some(kind)) => kind.join(&otherwise.kind),
            (_, kind) => kind.unwrap_or(Kind::Any),
        };
        let boxed = |typed: Option<Typed>| typed.map(|typed| Box::new(typed.term));
        Ok(Typed { term: Term::Case(boxed(subject), terms, boxed(otherwise)), kind })
    }

    fn loops(&mut self, scope: &Scope, expression: &Expr) -> Result<Typed> {
        match &expression.kind {
            ExprKind::ListComprehension { variable, list, filter, map } => {
                let (over, inner, element) = self.loop_over(scope, variable, list)?;
                let filter = filter.as_ref().map(|filter| self.condition(&inner, filter)).transpose()?;
                let map = map.as_ref().map(|map| self.term(&inner, map)).transpose()?;
                let kind = map.as_ref().map_or(element, |map| map.kind.clone());
                let map = map.map(|map| Box::new(map.term));
                let term = Term::ListComprehension(Box::new(over), filter.map(Box::new), map);
                Ok(Typed { term, kind: Kind::List(Box::new(kind)) })
            }
            ExprKind::Quantifier { kind, variable, list, filter } => {
                let (over, inner, _) = self.loop_over(scope, variable, list)?;
                let filter = self.condition(&inner, filter)?;
                Ok(Typed { term: Term::Quantifier(*kind, Box::new(over), Box::new(filter)), kind: Kind::Bool })
            }
            ExprKind::Reduce { total, start, variable, list, step } => {
                let start = self.term(scope, start)?;
                let (over, inner, _) = self.loop_over(scope, variable, list)?;
                let slot = self.new_slot();
                // The kind may change from step to step: nothing is known of it.
                let inner = inner.with(total.text.clone(), slot, Kind::Any);
                let step = self.term(&inner, step)?;
                let kind = start.kind.join(&step.kind);
                let term = Term::Reduce(Box::new(over), slot, Box::new(start.term), Box::new(step.term));
                Ok(Typed { term, kind })
            }
            _ => Ok(constant(Value::Null, Kind::Any)),
        }
    }

    fn loop_over(&mut self, scope: &Scope, variable: &Name, list: &Expr) -> Result<(Loop, Scope, Kind)> {
        let Typed { term, kind } = self.term(scope, list)?;
        if !kind.may_be_list() {
            let message = format!("expected a list after IN, not {}", kind.name());
            return Err(Error::compile(ErrorKind::InvalidArgumentType, list.at, message));
        }
        let slot = self.new_slot();
        let element = kind.element();
        let inner = scope.with(variable.text.clone(), slot, element.clone());
        Ok((Loop { list: term, slot, at: list.at }, inner, element))
    }

    fn map_projection(&mut self, scope: &Scope, variable: &Name, items: &[MapItem], at: Span) -> Result<Typed> {
        let Typed { term, kind } = self.variable(scope, &variable.text, variable.at)?;
        if !kind.may_have_properties() {
            let message = format!("{} has no properties", kind.name());
            return Err(Error::compile(ErrorKind::InvalidArgumentType, at, message));
        }
        let mut projected = Vec::with_capacity(items.len());
        for item in items {
            projected.push(match item {
                MapItem::AllProperties => Projected::All,
                MapItem::Property(name) => Projected::Property(self.property_name(name, &kind)?),
                MapItem::Variable(name) => {
                    Projected::Entry(name.text.clone(), self.variable(scope, &name.text, name.at)?.term)
                }
                MapItem::Entry(name, value) => Projected::Entry(name.text.clone(), self.term(scope, value)?.term),
            });
        }
        Ok(Typed { term: Term::MapProjection(Box::new(term), projected, at), kind: Kind::Map })
    }
}

pub(super) fn constant(value: Value, kind: Kind) -> Typed {
    Typed { term: Term::Constant(value), kind }
}

pub(super) fn undefined(scope: &Scope, name: &str, at: Span) -> Error {
    let nearest = suggest::nearest(name, scope.bindings().iter().map(|binding| &*binding.name));
    let error = Error::compile(ErrorKind::UndefinedVariable, at, format!("the variable `{name}` is not defined"));
    error.hint_if(nearest.map(suggest::did_you_mean))
}

fn has_constant_parts(term: &Term) -> bool {
    let is_constant = |term: &Term| matches!(term, Term::Constant(_));
    match term {
        Term::List(items) | Term::Logical(_, items, _) => items.iter().all(is_constant),
        Term::Map(entries) => entries.iter().all(|(_, value)| is_constant(value)),
        Term::Not(of, _) | Term::Sign(_, of, _) | Term::IsNull(_, of) | Term::MatchesKnown(of, _) => is_constant(of),
        Term::Compare(_, left, right)
        | Term::Arithmetic(_, left, right, _)
        | Term::In(left, right, _)
        | Term::TextTest(_, left, right)
        | Term::Index(left, right, _) => is_constant(left) && is_constant(right),
        Term::Property(of, _, _) => is_constant(of),
        Term::Call(function, arguments, _) => {
            !matches!(function.name, "rand" | "timestamp" | "range") && arguments.iter().all(is_constant)
        }
        _ => false,
    }
}

/// Whether a subquery gives one value at most.
pub(super) fn subquery_kind(kind: SubqueryKind) -> Kind {
    match kind {
        SubqueryKind::Exists => Kind::Bool,
        SubqueryKind::Count => Kind::Int,
        SubqueryKind::Collect => Kind::list(),
    }
}

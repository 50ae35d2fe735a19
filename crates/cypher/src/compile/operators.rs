//! Operators → terms, with the kinds of operands that they allow.

use graph::TextRelation;

use crate::kind::Kind;
use crate::plan::Term;
use crate::run::whole_text_regex;
use crate::value::Value;
use cypher_syntax::ast::{Binary, Expr, ExprKind, Logic};
use cypher_syntax::{Error, ErrorKind, Result};

use super::scope::Scope;
use super::terms::constant;
use super::{Compiler, Typed};

impl Compiler<'_> {
    pub(super) fn operator(&mut self, scope: &Scope, expression: &Expr) -> Result<Typed> {
        let at = expression.at;
        match &expression.kind {
            ExprKind::Not(of) => {
                let of = self.boolean(scope, of)?;
                Ok(Typed { term: Term::Not(Box::new(of), at), kind: Kind::Bool })
            }
            ExprKind::Logical(logic, operands) => {
                let terms = operands.iter().map(|operand| self.boolean(scope, operand)).collect::<Result<Vec<_>>>()?;
                Ok(Typed { term: Term::Logical(*logic, terms, at), kind: Kind::Bool })
            }
            ExprKind::IsNull { not, of } => {
                let of = self.term(scope, of)?;
                Ok(Typed { term: Term::IsNull(*not, Box::new(of.term)), kind: Kind::Bool })
            }
            ExprKind::HasLabels(of, labels) => {
                let Typed { term, kind } = self.term(scope, of)?;
                if !matches!(kind, Kind::Any | Kind::Node | Kind::Relationship) {
                    let message = format!("{} has no labels", kind.name());
                    return Err(Error::compile(ErrorKind::InvalidArgumentType, at, message));
                }
                let tests = self.label_tests(labels, &kind)?;
                Ok(Typed { term: Term::HasLabels(Box::new(term), tests, at), kind: Kind::Bool })
            }
            ExprKind::Sign { minus, of } => {
                let Typed { term, kind } = self.term(scope, of)?;
                if !kind.may_be_number() {
                    let message = format!("expected a number after the sign, not {}", kind.name());
                    return Err(Error::compile(ErrorKind::InvalidArgumentType, of.at, message));
                }
                Ok(Typed { term: Term::Sign(*minus, Box::new(term), at), kind })
            }
            ExprKind::Comparison(..) => self.comparison(scope, expression),
            ExprKind::Binary(operator, left, right) => {
                let left_typed = self.term(scope, left)?;
                let right_typed = self.term(scope, right)?;
                self.binary(*operator, left_typed, right_typed, expression)
            }
            _ => Ok(constant(Value::Null, Kind::Any)),
        }
    }

    fn boolean(&mut self, scope: &Scope, operand: &Expr) -> Result<Term> {
        self.pattern_allowed = true;
        let Typed { term, kind } = self.term(scope, operand)?;
        if kind.may_be_bool() {
            return Ok(term);
        }
        let message = format!("expected a boolean, not {}", kind.name());
        Err(Error::compile(ErrorKind::InvalidArgumentType, operand.at, message))
    }

    /// `a < b < c` means `a < b AND b < c`.
    fn comparison(&mut self, scope: &Scope, expression: &Expr) -> Result<Typed> {
        let ExprKind::Comparison(first, rest) = &expression.kind else {
            return Ok(constant(Value::Null, Kind::Any));
        };
        let mut left = &**first;
        let mut parts = Vec::with_capacity(rest.len());
        for (operator, right) in rest {
            let left_term = self.term(scope, left)?.term;
            let right_term = self.term(scope, right)?.term;
            parts.push(Term::Compare(*operator, Box::new(left_term), Box::new(right_term)));
            left = right;
        }
        let term = match parts.pop() {
            Some(only) if parts.is_empty() => only,
            last => {
                parts.extend(last);
                Term::Logical(Logic::And, parts, expression.at)
            }
        };
        Ok(Typed { term, kind: Kind::Bool })
    }

    fn binary(&mut self, operator: Binary, left: Typed, right: Typed, expression: &Expr) -> Result<Typed> {
        let at = expression.at;
        let (left_term, right_term) = (Box::new(left.term), Box::new(right.term));
        let relation = match operator {
            Binary::StartsWith => Some(TextRelation::StartsWith),
            Binary::EndsWith => Some(TextRelation::EndsWith),
            Binary::Contains => Some(TextRelation::Contains),
            _ => None,
        };
        if let Some(relation) = relation {
            return Ok(Typed { term: Term::TextTest(relation, left_term, right_term), kind: Kind::Bool });
        }
        match operator {
            Binary::Matches => {
                let term = match *right_term {
                    Term::Constant(Value::Text(ref pattern)) => {
                        let regex = whole_text_regex(pattern).map_err(|error| error.at(at))?;
                        Term::MatchesKnown(left_term, regex)
                    }
                    _ => Term::Matches(left_term, right_term, at),
                };
                Ok(Typed { term, kind: Kind::Bool })
            }
            Binary::In => {
                if !right.kind.may_be_list() {
                    let message = format!("IN expects a list on its right, not {}", right.kind.name());
                    return Err(Error::compile(ErrorKind::InvalidArgumentType, at, message));
                }
                Ok(Typed { term: Term::In(left_term, right_term, at), kind: Kind::Bool })
            }
            _ => {
                let kind = arithmetic_kind(operator, &left.kind, &right.kind, at)?;
                Ok(Typed { term: Term::Arithmetic(operator, left_term, right_term, at), kind })
            }
        }
    }
}

fn arithmetic_kind(operator: Binary, left: &Kind, right: &Kind, at: cypher_syntax::Span) -> Result<Kind> {
    let both_numbers = left.may_be_number() && right.may_be_number();
    if operator == Binary::Add && !both_numbers {
        return Ok(match (left, right) {
            (Kind::List(element), Kind::List(other)) => Kind::List(Box::new(element.join(other))),
            (Kind::List(_), _) | (_, Kind::List(_)) => Kind::list(),
            (Kind::Text, Kind::Text) => Kind::Text,
            _ => Kind::Any,
        });
    }
    if !both_numbers {
        let wrong = if left.may_be_number() { right } else { left };
        let message = format!("expected numbers on both sides of the operator, found {}", wrong.name());
        return Err(Error::compile(ErrorKind::InvalidArgumentType, at, message));
    }
    Ok(match (left, right) {
        _ if operator == Binary::Power => Kind::Float,
        (Kind::Int, Kind::Int) => Kind::Int,
        (Kind::Float, Kind::Int | Kind::Float | Kind::Number) | (Kind::Int | Kind::Number, Kind::Float) => Kind::Float,
        (Kind::Int | Kind::Number, Kind::Int | Kind::Number) => Kind::Number,
        _ => Kind::Any,
    })
}

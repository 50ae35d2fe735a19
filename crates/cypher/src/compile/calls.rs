//! Calls of functions → terms.

use crate::functions::{self, Function};
use crate::kind::Kind;
use crate::plan::Term;
use crate::value::Value;
use cypher_syntax::ast::{Compare, Expr, ExprKind};
use cypher_syntax::{Error, ErrorKind, Result};

use super::scope::Scope;
use super::{Compiler, Typed};

impl Compiler<'_> {
    pub(super) fn call(&mut self, scope: &Scope, expression: &Expr) -> Result<Typed> {
        let at = expression.at;
        let ExprKind::Function { name, distinct, arguments } = &expression.kind else {
            return Err(misplaced("count(*)", expression));
        };
        let function = find(expression)?;
        if function.is_aggregate() {
            return Err(misplaced(&format!("{}()", function.name), expression));
        }
        if *distinct {
            let message = format!("DISTINCT is only for functions that aggregate, and {}() does not", name.text);
            return Err(Error::compile(ErrorKind::UnexpectedSyntax, at, message));
        }
        if let ("exists", [Expr { kind: ExprKind::Pattern(pattern), .. }]) = (function.name, arguments.as_slice()) {
            return self.pattern_term(scope, pattern, true);
        }
        let mut terms = Vec::with_capacity(arguments.len());
        let mut first = None;
        for (index, argument) in arguments.iter().enumerate() {
            let typed = self.argument(scope, function, index, argument)?;
            first = first.or(Some(typed.kind));
            terms.push(typed.term);
        }
        if let ("size", [Term::CollectRows(..)]) = (function.name, terms.as_slice())
            && let Some(Term::CollectRows(pipeline, _)) = terms.pop()
        {
            return Ok(Typed { term: super::subqueries::count_of(*pipeline), kind: Kind::Int });
        }
        Ok(Typed { term: Term::Call(function, terms, at), kind: function.gives.kind(first.as_ref()) })
    }

    pub(super) fn argument(
        &mut self,
        scope: &Scope,
        function: &Function,
        index: usize,
        argument: &Expr,
    ) -> Result<Typed> {
        let typed = self.term(scope, argument)?;
        let expects = function.expects.get(index.min(function.expects.len().saturating_sub(1)));
        let Some(expects) = expects.filter(|expects| !expects.allows(&typed.kind)) else { return Ok(typed) };
        let message = format!("{}() expects {}, not {}", function.name, expects.name(), typed.kind.name());
        Err(Error::compile(ErrorKind::InvalidArgumentType, argument.at, message))
    }
}

fn misplaced(what: &str, expression: &Expr) -> Error {
    let message = format!("{what} aggregates rows and cannot be used here");
    let error = Error::compile(ErrorKind::InvalidAggregation, expression.at, message);
    error.hint("aggregate in a WITH or RETURN first, and use the result after it")
}

/// The function that an expression calls, if it may be called so.
pub(super) fn find(expression: &Expr) -> Result<&'static Function> {
    let ExprKind::Function { name, arguments, .. } = &expression.kind else {
        return Err(misplaced("count(*)", expression));
    };
    let Some(function) = functions::find(&name.text) else {
        let message = format!("there is no function `{}`", name.text);
        let error = Error::compile(ErrorKind::UnknownFunction, name.at, message);
        return Err(error.hint_if(functions::hint_for_unknown(&name.text)));
    };
    let too_many = function.max_arguments.is_some_and(|max| arguments.len() > max);
    if too_many || arguments.len() < function.min_arguments {
        let message = format!("{}() was given {} arguments", function.name, arguments.len());
        let error = Error::compile(ErrorKind::InvalidNumberOfArguments, expression.at, message);
        return Err(error.hint(format!("it is called as {}", function.signature)));
    }
    Ok(function)
}

pub(super) fn greater_than_zero(count: Term) -> Term {
    Term::Compare(Compare::Greater, Box::new(count), Box::new(Term::Constant(Value::Int(0))))
}

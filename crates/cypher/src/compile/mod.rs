//! The syntax tree → a checked plan: names become slots, keys and functions; what cannot be meant is refused here.

mod aggregates;
mod calls;
mod clauses;
mod conditions;
mod labels;
mod late_keys;
mod matching;
mod operators;
mod patterns;
mod projection;
mod scope;
mod subqueries;
mod terms;

use std::collections::BTreeMap;
use std::sync::Arc;

use graph::GraphRead;

use crate::kind::Kind;
use crate::plan::{Operator, Pipeline, Slot, Term};
use crate::run::{Limits, Runtime};
use crate::value::Value;
use cypher_syntax::Query;
use cypher_syntax::ast::Expr;
use cypher_syntax::suggest;
use cypher_syntax::{Error, ErrorKind, Result, Span};

pub(crate) use conditions::equal_to;
use scope::Scope;

/// The values of `$name`, by name.
pub type Parameters = BTreeMap<String, Value>;

/// Something in a query that is not wrong but probably not meant either.
#[derive(Debug, Clone, PartialEq)]
pub struct Warning {
    pub message: String,
    /// The name that may have been meant.
    pub suggestion: Option<String>,
    pub position: cypher_syntax::Position,
}

impl std::fmt::Display for Warning {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.message)?;
        match &self.suggestion {
            Some(suggestion) => write!(formatter, "; {}", suggest::did_you_mean(suggestion)),
            None => Ok(()),
        }
    }
}

pub(crate) struct Compiled {
    pub(crate) pipeline: Pipeline,
    pub(crate) columns: Vec<Column>,
    pub(crate) slots: usize,
    pub(crate) warnings: Vec<Error>,
}

/// A variable that a query hands on.
#[derive(Debug, Clone)]
pub(crate) struct Column {
    pub(crate) name: Arc<str>,
    pub(crate) slot: Slot,
    pub(crate) kind: Kind,
}

/// More operators than this would be pushed through too deep a stack.
const MAX_OPERATORS: usize = 250;

pub(crate) fn compile(
    query: &Query,
    graph: &dyn GraphRead,
    parameters: &Parameters,
    limits: &Limits,
) -> Result<Compiled> {
    let mut compiler = Compiler {
        graph,
        parameters,
        source: query.source(),
        strict: query.is_strict(),
        runtime: Runtime::new(graph, limits),
        slots: 0,
        operators: 0,
        warnings: Vec::new(),
        referenced: Vec::new(),
        substitutions: Vec::new(),
        pattern_allowed: false,
    };
    let (pipeline, columns) = compiler.union(query.body(), &Scope::default())?;
    Ok(Compiled { pipeline, columns, slots: compiler.slots, warnings: compiler.warnings })
}

pub(super) struct Compiler<'a> {
    graph: &'a dyn GraphRead,
    parameters: &'a Parameters,
    source: &'a str,
    strict: bool,
    /// For terms whose value is known beforehand.
    runtime: Runtime<'a>,
    slots: usize,
    operators: usize,
    warnings: Vec<Error>,
    /// The slots of all variables used so far, in order of their use.
    referenced: Vec<Slot>,
    /// Expressions that have been computed already.
    substitutions: Vec<Substitution>,
    /// Whether the expression at hand may be a pattern, because it is a condition.
    pattern_allowed: bool,
}

struct Substitution {
    expression: Expr,
    slot: Slot,
    kind: Kind,
}

/// A term and what is known of its value.
pub(super) struct Typed {
    term: Term,
    kind: Kind,
}

/// Operators so far, and the variables they leave behind.
pub(super) struct Frame {
    scope: Scope,
    operators: Vec<Operator>,
}

impl Compiler<'_> {
    fn new_slot(&mut self) -> Slot {
        self.slots += 1;
        self.slots - 1
    }

    /// Adds an operator, unless there are too many.
    fn add(&mut self, operators: &mut Vec<Operator>, operator: Operator, at: Span) -> Result<()> {
        self.operators += 1;
        if self.operators > MAX_OPERATORS {
            let message = format!("the query has more than {MAX_OPERATORS} parts");
            let error = Error::compile(ErrorKind::TooComplex, at, message);
            return Err(error.hint("run it as several queries, or pass a list as a parameter and UNWIND it"));
        }
        operators.push(operator);
        Ok(())
    }

    /// A name that the graph does not know: an error if the caller is strict, else a warning.
    fn unknown(&mut self, what: &str, name: &str, at: Span, known: Vec<Arc<str>>) -> Result<()> {
        let nearest = suggest::nearest(name, known.iter().map(|known| &**known)).map(str::to_owned);
        let message = format!("the graph has no {what} `{name}`");
        let error = Error::compile(ErrorKind::UnknownName, at, message).hint_if(nearest);
        if self.strict {
            let hint = error.hint_text().map(suggest::did_you_mean);
            return Err(error.hint_if(hint));
        }
        if self.warnings.iter().all(|warning| warning.message() != error.message()) {
            self.warnings.push(error);
        }
        Ok(())
    }
}

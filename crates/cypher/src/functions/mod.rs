//! Every function of the language: one row in a table and one function beside it.

mod lists;
mod numbers;
mod scalars;
mod texts;

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use crate::kind::{Expects, Gives};
use crate::run::Runtime;
use crate::value::Value;
use cypher_syntax::suggest;
use cypher_syntax::{Error, ErrorKind, Result};

/// A function as the documentation shows it and as the compiler checks it.
#[derive(Debug)]
pub struct Function {
    pub name: &'static str,
    /// What it takes and gives, as text.
    pub signature: &'static str,
    pub doc: &'static str,
    pub min_arguments: usize,
    /// Nothing where any number will do.
    pub max_arguments: Option<usize>,
    pub group: &'static str,
    pub(crate) expects: &'static [Expects],
    pub(crate) gives: Gives,
    pub(crate) body: Body,
}

impl Function {
    /// Whether it makes one value out of many rows.
    pub fn is_aggregate(&self) -> bool {
        matches!(self.body, Body::Aggregate(_))
    }
}

pub(crate) type Implementation = fn(&Runtime<'_>, &[Value]) -> Result<Value>;

#[derive(Debug, Clone, Copy)]
pub(crate) enum Body {
    /// Null whenever an argument is null.
    Plain(Implementation),
    /// Says itself what null means.
    WithNull(Implementation),
    Aggregate(AggregateKind),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AggregateKind {
    Count,
    Collect,
    Sum,
    Average,
    Min,
    Max,
    Deviation { of_population: bool },
    Percentile { continuous: bool },
}

/// All functions, group by group.
pub fn functions() -> impl Iterator<Item = &'static Function> {
    [AGGREGATES, scalars::FUNCTIONS, lists::FUNCTIONS, texts::FUNCTIONS, numbers::FUNCTIONS].into_iter().flatten()
}

/// Finds a function by its name, in any case.
pub(crate) fn find(name: &str) -> Option<&'static Function> {
    static BY_NAME: OnceLock<FxHashMap<String, &'static Function>> = OnceLock::new();
    let by_name = BY_NAME.get_or_init(|| functions().map(|one| (one.name.to_lowercase(), one)).collect());
    by_name.get(&name.to_lowercase()).copied()
}

pub(crate) fn hint_for_unknown(name: &str) -> Option<String> {
    suggest::nearest(name, functions().map(|function| function.name)).map(suggest::did_you_mean)
}

/// A row of the table. The maximum follows from `expects`; use `any_number` where there is none.
pub(crate) const fn row(
    name: &'static str,
    signature: &'static str,
    doc: &'static str,
    (group, min_arguments): (&'static str, usize),
    (expects, gives): (&'static [Expects], Gives),
    body: Body,
) -> Function {
    let max_arguments = Some(expects.len());
    Function { name, signature, doc, min_arguments, max_arguments, group, expects, gives, body }
}

pub(crate) const fn any_number(mut function: Function) -> Function {
    function.max_arguments = None;
    function
}

pub(crate) fn wrong_type(function: &str, expected: &str, found: &Value) -> Error {
    let message = format!("{function}() expects {expected}, not {}", found.kind());
    Error::run(ErrorKind::InvalidArgumentValue, message)
}

const AGGREGATE: (&str, usize) = ("aggregation", 1);
const ANY: &[Expects] = &[Expects::Anything];
const NUMBER: &[Expects] = &[Expects::Number];
const PERCENTILE: &[Expects] = &[Expects::Number, Expects::Number];

const AGGREGATES: &[Function] = &[
    row(
        "count",
        "count([DISTINCT] value) or count(*) → integer",
        "How many values are not null, or how many rows there are.",
        AGGREGATE,
        (ANY, Gives::Int),
        Body::Aggregate(AggregateKind::Count),
    ),
    row(
        "collect",
        "collect([DISTINCT] value) → list",
        "All values that are not null.",
        AGGREGATE,
        (ANY, Gives::ListOf),
        Body::Aggregate(AggregateKind::Collect),
    ),
    row(
        "sum",
        "sum([DISTINCT] number) → number",
        "The sum of the numbers; 0 for none.",
        AGGREGATE,
        (NUMBER, Gives::Number),
        Body::Aggregate(AggregateKind::Sum),
    ),
    row(
        "avg",
        "avg([DISTINCT] number) → float",
        "The mean of the numbers; null for none.",
        AGGREGATE,
        (NUMBER, Gives::Number),
        Body::Aggregate(AggregateKind::Average),
    ),
    row(
        "min",
        "min(value) → value",
        "The value that comes first in order; null for none.",
        AGGREGATE,
        (ANY, Gives::Same),
        Body::Aggregate(AggregateKind::Min),
    ),
    row(
        "max",
        "max(value) → value",
        "The value that comes last in order; null for none.",
        AGGREGATE,
        (ANY, Gives::Same),
        Body::Aggregate(AggregateKind::Max),
    ),
    row(
        "stDev",
        "stDev(number) → float",
        "The standard deviation of a sample.",
        AGGREGATE,
        (NUMBER, Gives::Float),
        Body::Aggregate(AggregateKind::Deviation { of_population: false }),
    ),
    row(
        "stDevP",
        "stDevP(number) → float",
        "The standard deviation of a whole population.",
        AGGREGATE,
        (NUMBER, Gives::Float),
        Body::Aggregate(AggregateKind::Deviation { of_population: true }),
    ),
    row(
        "percentileCont",
        "percentileCont(number, fraction) → float",
        "The value below which that fraction (0 to 1) lies, between two numbers if need be.",
        ("aggregation", 2),
        (PERCENTILE, Gives::Float),
        Body::Aggregate(AggregateKind::Percentile { continuous: true }),
    ),
    row(
        "percentileDisc",
        "percentileDisc(number, fraction) → number",
        "The number nearest to where that fraction (0 to 1) lies.",
        ("aggregation", 2),
        (PERCENTILE, Gives::Number),
        Body::Aggregate(AggregateKind::Percentile { continuous: false }),
    ),
];

//! A parsed query: text in, canonical text out, and a limit on its rows.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::ast::{CallSubquery, Clause, Expr, ExprKind, Item, Name, Projection, Union};
use crate::confine::{self, Confinement};
use crate::error::{Error, Result, Span};
use crate::parser;
use crate::print;

/// A query that is right as far as its grammar goes. Two queries are equal if they differ in layout only.
#[derive(Debug, Clone)]
pub struct Query {
    explain: bool,
    body: Union,
    source: Arc<str>,
    /// At most so many rows, where the query's own limit is not known before it runs.
    row_limit: Option<u64>,
    strict: bool,
}

/// Reads a query. Clauses that write are refused here.
pub fn parse(text: &str) -> Result<Query> {
    let parsed = parser::parse(text).map_err(|error| error.locate(text))?;
    Ok(Query { explain: parsed.explain, body: parsed.body, source: text.into(), row_limit: None, strict: false })
}

impl Query {
    /// Whether the plan is asked for instead of rows.
    pub fn is_explain(&self) -> bool {
        self.explain
    }

    /// The tree itself.
    pub fn body(&self) -> &Union {
        &self.body
    }

    /// At most so many rows, beside the limit that the query has itself.
    pub fn row_limit(&self) -> Option<u64> {
        self.row_limit
    }

    pub fn is_strict(&self) -> bool {
        self.strict
    }

    /// The text it was read from.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The same query with at most `rows` rows: its own limit is kept if it is lower.
    pub fn with_limit(mut self, rows: u64) -> Query {
        if self.body.parts.len() > 1 {
            self.wrap_in_call();
        }
        let projection = self.body.parts.last_mut().and_then(|clauses| match clauses.last_mut() {
            Some(Clause::Return(projection)) => Some(projection),
            _ => None,
        });
        let Some(projection) = projection else {
            self.row_limit = Some(rows);
            return self;
        };
        let bound = i64::try_from(rows).unwrap_or(i64::MAX);
        match projection.limit.as_ref().map(|limit| &limit.kind) {
            Some(ExprKind::Int(own)) if *own <= bound => {}
            Some(ExprKind::Int(_)) | None => projection.limit = Some(literal(ExprKind::Int(bound))),
            Some(_) => self.row_limit = Some(rows),
        }
        self
    }

    /// The same query about one project of a server that holds several, with every column named as this one names it.
    pub fn confined_to(mut self, confinement: &Confinement<'_>) -> Result<Query> {
        self.name_columns();
        let confined = confine::union(&mut self.body, confinement);
        confined.map_err(|error| error.locate(&self.source))?;
        Ok(self)
    }

    fn name_columns(&mut self) {
        let source = self.source.clone();
        let items = self.body.parts.iter_mut().filter_map(|part| match part.last_mut() {
            Some(Clause::Return(projection)) => Some(&mut projection.items),
            _ => None,
        });
        let is_unnamed =
            |item: &&mut Item| item.alias.is_none() && !matches!(item.expression.kind, ExprKind::Variable(_));
        for item in items.flatten().filter(is_unnamed) {
            item.alias = Some(Name { text: column_name(item, &source), at: item.at });
        }
    }

    /// Labels, types and properties that the graph does not have become errors instead of warnings.
    pub fn strict(mut self) -> Query {
        self.strict = true;
        self
    }

    /// A limit on a union needs a query around it.
    fn wrap_in_call(&mut self) {
        let span = self.body.at;
        let items = self.column_names().map(|names| names.into_iter().map(column).collect::<Vec<_>>());
        let inner = std::mem::replace(&mut self.body, Union { all: false, parts: Vec::new(), at: span });
        let projection = Projection {
            distinct: false,
            star: items.is_none(),
            items: items.unwrap_or_default(),
            order: Vec::new(),
            skip: None,
            limit: None,
            at: span,
        };
        let call = Clause::Subquery(CallSubquery { imports: None, body: inner });
        self.body.parts.push(vec![call, Clause::Return(projection)]);
    }

    /// The names of the columns in their order, unless `*` hides them.
    pub fn column_names(&self) -> Option<Vec<Arc<str>>> {
        let Some(Clause::Return(projection)) = self.body.parts.first()?.last() else { return None };
        (!projection.star).then(|| projection.items.iter().map(|item| column_name(item, &self.source)).collect())
    }
}

fn column_name(item: &Item, source: &str) -> Arc<str> {
    match (&item.alias, &item.expression.kind) {
        (Some(alias), _) => alias.text.clone(),
        (None, ExprKind::Variable(name)) => name.clone(),
        (None, _) => source.get(item.at.start as usize..item.at.end as usize).unwrap_or_default().into(),
    }
}

fn column(name: Arc<str>) -> Item {
    Item { expression: literal(ExprKind::Variable(name)), alias: None, at: Span::default() }
}

fn literal(kind: ExprKind) -> Expr {
    Expr { kind, at: Span::default(), height: 1 }
}

impl FromStr for Query {
    type Err = Error;

    fn from_str(text: &str) -> Result<Query> {
        parse(text)
    }
}

impl PartialEq for Query {
    fn eq(&self, other: &Query) -> bool {
        self.explain == other.explain && self.body == other.body
    }
}

impl fmt::Display for Query {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.explain {
            formatter.write_str("EXPLAIN ")?;
        }
        print::union(&self.body, formatter)
    }
}

//! What a query engine knows of the nodes it wants, as SQL.
//!
//! A condition becomes SQL only where it lets through every node that fits by the rules of the query language; whatever it lets
//! through beyond that, the engine sorts out. Where SQL knows too little, the condition is left out.
//!
//! - Texts are compared byte by byte on both sides.
//! - SQLite knows the lower case of ASCII letters only, so a text with any other character always passes such a condition.
//! - Whole numbers and fractions are compared by value. An engine may round a whole number above 2^53 before it compares; a
//!   fraction smaller than that compares the same way either way, and others are left out.

mod predicate;
mod scan;

use std::sync::Arc;

use graph::{Condition, LabelKey, NodeFilter, PropertyKey, Test, TextRelation};
use rusqlite::ToSql;
use rusqlite::types::ToSqlOutput;

pub(crate) use self::predicate::LONGEST_LIST;
use self::predicate::{between, one_of, text};
pub(crate) use self::scan::{count, scan};

/// How the nodes of one table look to a filter. The table is called `node` and its integer primary key `id`.
pub(crate) trait Layout {
    /// What holds for every node with one of these labels.
    fn has_label(&self, labels: &[LabelKey]) -> String;

    /// What holds for every node whose property is of this kind and fits the predicate on its SQL expression; `None` where
    /// that cannot be said.
    fn holds(&self, property: PropertyKey, kind: Kind, predicate: &dyn Fn(&str) -> String) -> Option<String>;
}

/// What the property has to be for a condition to fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// One of some given texts: what an index finds best.
    GivenText,
    /// A text that can only be told by looking at it.
    Text,
    Number,
    /// Anything but null; such a predicate looks at no expression.
    Any,
}

/// Holds for no node.
pub(crate) const NEVER: &str = "FALSE";

/// A condition on rows with the values it names: `?3` and so on, because a scan has two parameters of its own.
#[derive(Debug, Default)]
pub(crate) struct Where {
    pub(crate) sql: String,
    pub(crate) parameters: Vec<Parameter>,
}

#[derive(Debug, Clone)]
pub(crate) enum Parameter {
    Text(Arc<str>),
    Integer(i64),
    Fraction(f64),
}

impl Where {
    /// Everything in the filter that SQL can say of nodes in this layout.
    pub(crate) fn of(layout: &impl Layout, filter: &NodeFilter) -> Self {
        let mut found = Self::default();
        for labels in &filter.labels {
            let sql = if labels.is_empty() { NEVER.to_owned() } else { layout.has_label(labels) };
            found.and(&sql);
        }
        found.add_conditions(layout, filter.conditions.iter());
        found
    }

    pub(crate) fn add_conditions<'a>(&mut self, layout: &impl Layout, conditions: impl Iterator<Item = &'a Condition>) {
        for condition in conditions {
            let known = self.parameters.len();
            match self.condition(layout, condition) {
                Some(sql) => self.and(&sql),
                None => self.parameters.truncate(known),
            }
        }
    }

    fn and(&mut self, sql: &str) {
        self.sql.push_str(" AND (");
        self.sql.push_str(sql);
        self.sql.push(')');
    }

    fn condition(&mut self, layout: &impl Layout, condition: &Condition) -> Option<String> {
        let property = condition.property;
        match &condition.test {
            Test::Equals(value) => one_of(self, layout, property, std::slice::from_ref(value)),
            Test::OneOf(values) => one_of(self, layout, property, values),
            Test::Text { relation, wanted, lower_case } => {
                let predicate = text(self, *relation, wanted, *lower_case);
                let is_given = *relation == TextRelation::Is && !lower_case;
                layout.holds(property, if is_given { Kind::GivenText } else { Kind::Text }, &predicate)
            }
            Test::Between { low, high } => between(self, layout, property, low.as_ref(), high.as_ref()),
            Test::Exists => layout.holds(property, Kind::Any, &|_| "TRUE".to_owned()),
        }
    }

    /// Keeps the value and gives its name in SQL.
    fn parameter(&mut self, value: Parameter) -> String {
        self.parameters.push(value);
        format!("?{}", self.parameters.len() + scan::OWN_PARAMETERS)
    }
}

impl ToSql for Parameter {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        match self {
            Self::Text(text) => text.as_ref().to_sql(),
            Self::Integer(number) => number.to_sql(),
            Self::Fraction(number) => number.to_sql(),
        }
    }
}

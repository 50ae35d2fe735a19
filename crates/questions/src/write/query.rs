//! A query in parts, and its text.

use std::fmt;

/// Reading clauses, columns, order and limit.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Query {
    pub clauses: Vec<Clause>,
    pub distinct: bool,
    pub columns: Vec<Column>,
    pub order: Vec<Order>,
    pub limit: u32,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Clause {
    Match { optional: bool, pattern: String, conditions: Vec<String> },
    With { items: Vec<String>, conditions: Vec<String> },
    Unwind { list: String, name: &'static str },
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Column {
    pub expression: String,
    pub name: &'static str,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Order {
    pub expression: String,
    pub descending: bool,
}

impl Query {
    pub(super) fn matching(pattern: impl Into<String>, conditions: Vec<String>) -> Self {
        let mut query = Self::default();
        query.push_match(pattern, conditions);
        query
    }

    pub(super) fn push_match(&mut self, pattern: impl Into<String>, conditions: Vec<String>) {
        self.clauses.push(Clause::Match { optional: false, pattern: pattern.into(), conditions });
    }

    pub(super) fn push_optional(&mut self, pattern: impl Into<String>, conditions: Vec<String>) {
        self.clauses.push(Clause::Match { optional: true, pattern: pattern.into(), conditions });
    }

    pub(super) fn push_with(&mut self, items: &[&str], conditions: Vec<String>) {
        let items = items.iter().map(|item| (*item).to_owned()).collect();
        self.clauses.push(Clause::With { items, conditions });
    }

    pub(super) fn column(&mut self, expression: impl Into<String>, name: &'static str) {
        self.columns.push(Column { expression: expression.into(), name });
    }

    pub(super) fn order_by(&mut self, expression: impl Into<String>, descending: bool) {
        self.order.push(Order { expression: expression.into(), descending });
    }
}

impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for clause in &self.clauses {
            write!(f, "{clause} ")?;
        }
        let columns: Vec<String> =
            self.columns.iter().map(|column| format!("{} AS {}", column.expression, column.name)).collect();
        write!(f, "RETURN {}{}", if self.distinct { "DISTINCT " } else { "" }, columns.join(", "))?;
        if !self.order.is_empty() {
            let order: Vec<String> = self
                .order
                .iter()
                .map(|order| format!("{}{}", order.expression, if order.descending { " DESC" } else { "" }))
                .collect();
            write!(f, " ORDER BY {}", order.join(", "))?;
        }
        write!(f, " LIMIT {}", self.limit)
    }
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let conditions = match self {
            Self::Match { optional, pattern, conditions } => {
                write!(f, "{}MATCH {pattern}", if *optional { "OPTIONAL " } else { "" })?;
                conditions
            }
            Self::With { items, conditions } => {
                write!(f, "WITH {}", items.join(", "))?;
                conditions
            }
            Self::Unwind { list, name } => return write!(f, "UNWIND {list} AS {name}"),
        };
        if conditions.is_empty() { Ok(()) } else { write!(f, " WHERE {}", all_of(conditions)) }
    }
}

/// Conditions that all hold. Those that are alternatives carry their own brackets.
pub(super) fn all_of(conditions: &[String]) -> String {
    conditions.join(" AND ")
}

/// Conditions of which one holds.
pub(super) fn any_of(conditions: &[String]) -> String {
    match conditions {
        [only] => only.clone(),
        several => format!("({})", several.join(" OR ")),
    }
}

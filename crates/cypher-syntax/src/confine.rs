//! A query for a server that holds several projects: every node it matches must be of one of them.
//!
//! Each node pattern gains a property, properties that we know by two names get the one that servers have, and columns without
//! a name get the text they were written as, because a server would name them after its own printing.

use std::sync::Arc;

use crate::ast::{
    CallProcedure, Clause, Expr, ExprKind, MapItem, Match, Name, NodePattern, PatternPart, Projection,
    RelationshipPattern, Subquery, Union,
};
use crate::error::{Error, ErrorKind, Result, Span};

/// What a query is confined to, and what names mean there.
#[derive(Debug, Clone, Copy)]
pub struct Confinement<'a> {
    /// The property that tells projects apart, and the value of the one that is meant.
    pub property: &'a str,
    pub value: &'a str,
    /// A label that every node has beside its own; `labels(n)` leaves it out.
    pub common_label: &'a str,
    /// Other names of properties, and those that servers have.
    pub aliases: &'a [(&'a str, &'a str)],
}

pub(crate) fn union(union: &mut Union, confinement: &Confinement<'_>) -> Result<()> {
    Walk { confinement }.union(union)
}

struct Walk<'a> {
    confinement: &'a Confinement<'a>,
}

impl Walk<'_> {
    fn union(&self, union: &mut Union) -> Result<()> {
        union.parts.iter_mut().flatten().try_for_each(|clause| self.clause(clause))
    }

    fn clause(&self, clause: &mut Clause) -> Result<()> {
        match clause {
            Clause::Match(Match { patterns, filter, .. }) => {
                self.patterns(patterns)?;
                self.all(filter)
            }
            Clause::Unwind { list, .. } => self.expression(list),
            Clause::With { projection, filter } => {
                self.projection(projection)?;
                self.all(filter)
            }
            Clause::Return(projection) => self.projection(projection),
            Clause::Subquery(call) => self.union(&mut call.body),
            Clause::Procedure(call) => Err(no_procedure(call)),
        }
    }

    fn projection(&self, projection: &mut Projection) -> Result<()> {
        let Projection { items, order, skip, limit, .. } = projection;
        items.iter_mut().try_for_each(|item| self.expression(&mut item.expression))?;
        order.iter_mut().try_for_each(|item| self.expression(&mut item.expression))?;
        self.all(skip.iter_mut().chain(limit))
    }

    fn patterns(&self, patterns: &mut [PatternPart]) -> Result<()> {
        patterns.iter_mut().try_for_each(|pattern| self.pattern(pattern))
    }

    fn pattern(&self, pattern: &mut PatternPart) -> Result<()> {
        self.node(&mut pattern.start)?;
        for (RelationshipPattern { properties, filter, .. }, node) in &mut pattern.steps {
            self.all(properties.iter_mut().chain(filter))?;
            self.node(node)?;
        }
        Ok(())
    }

    fn node(&self, node: &mut NodePattern) -> Result<()> {
        self.all(node.properties.iter_mut().chain(&mut node.filter))?;
        let text = |text: &str| Name { text: Arc::from(text), at: Span::default() };
        let value = literal(ExprKind::Text(Arc::from(self.confinement.value)));
        let own = (text(self.confinement.property), value);
        match &mut node.properties {
            None => node.properties = Some(literal(ExprKind::Map(vec![own]))),
            Some(Expr { kind: ExprKind::Map(entries), .. }) => {
                for (key, _) in entries.iter_mut() {
                    self.rename(key);
                }
                entries.push(own);
            }
            Some(other) => {
                let message = "the properties of a node must be written as a map here";
                return Err(Error::compile(ErrorKind::NotSupported, other.at, message));
            }
        }
        Ok(())
    }

    fn rename(&self, name: &mut Name) {
        if let Some((_, known)) = self.confinement.aliases.iter().find(|(alias, _)| *alias == &*name.text) {
            name.text = Arc::from(*known);
        }
    }

    fn all<'e>(&self, expressions: impl IntoIterator<Item = &'e mut Expr>) -> Result<()> {
        expressions.into_iter().try_for_each(|expression| self.expression(expression))
    }

    fn expression(&self, expression: &mut Expr) -> Result<()> {
        match &mut expression.kind {
            ExprKind::Property(of, name) => {
                self.rename(name);
                self.expression(of)
            }
            ExprKind::MapProjection { items, .. } => self.map_items(items),
            ExprKind::PatternComprehension { pattern, filter, map } => {
                self.pattern(pattern)?;
                self.all(filter.as_deref_mut())?;
                self.expression(map)
            }
            ExprKind::Pattern(pattern) => self.pattern(pattern),
            ExprKind::Subquery(_, subquery) => match &mut **subquery {
                Subquery::Pattern(patterns, filter) => {
                    self.patterns(patterns)?;
                    self.all(filter)
                }
                Subquery::Query(query) => self.union(query),
            },
            ExprKind::Function { name, arguments, .. } if name.text.eq_ignore_ascii_case("labels") => {
                self.all(arguments)?;
                *expression = self.own_labels(expression.clone());
                Ok(())
            }
            _ => self.below(expression),
        }
    }

    fn map_items(&self, items: &mut [MapItem]) -> Result<()> {
        for item in items {
            match item {
                MapItem::Property(name) => self.rename(name),
                MapItem::Entry(_, value) => self.expression(value)?,
                MapItem::AllProperties | MapItem::Variable(_) => {}
            }
        }
        Ok(())
    }

    fn below(&self, expression: &mut Expr) -> Result<()> {
        let mut outcome = Ok(());
        expression.children_mut(&mut |child| {
            if outcome.is_ok() {
                outcome = self.expression(child);
            }
        });
        outcome
    }

    /// `[label IN labels(n) WHERE label <> 'Common']`
    fn own_labels(&self, labels: Expr) -> Expr {
        let variable: Arc<str> = Arc::from("label");
        let common = literal(ExprKind::Text(Arc::from(self.confinement.common_label)));
        let filter = ExprKind::Comparison(
            Box::new(literal(ExprKind::Variable(variable.clone()))),
            vec![(crate::ast::Compare::NotEqual, common)],
        );
        let at = labels.at;
        let kind = ExprKind::ListComprehension {
            variable: Name { text: variable, at },
            list: Box::new(labels),
            filter: Some(Box::new(literal(filter))),
            map: None,
        };
        Expr { kind, at, height: 3 }
    }
}

fn no_procedure(call: &CallProcedure) -> Error {
    let message =
        format!("`CALL {}` cannot be asked of a graph server: it would tell of other projects too", call.name.text);
    Error::compile(ErrorKind::NotSupported, call.name.at, message).hint("MATCH (n) RETURN DISTINCT labels(n)")
}

fn literal(kind: ExprKind) -> Expr {
    Expr { kind, at: Span::default(), height: 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHOP: Confinement<'_> =
        Confinement { property: "project", value: "shop", common_label: "CodeNode", aliases: &[("path", "file_path")] };

    fn check(given: &str, expected: &str) {
        let confined = crate::parse(given).unwrap().confined_to(&SHOP).unwrap();
        assert_eq!(confined.to_string(), expected);
        crate::parse(expected).unwrap();
    }

    #[test]
    fn every_node_of_every_pattern_is_confined() {
        check(
            "MATCH (a:Class {name: 'x'})-[:CALLS*1..3]->()<--(b) WHERE EXISTS { (b)-->(c) } RETURN a, b",
            "MATCH (a:Class {name: 'x', project: 'shop'})-[:CALLS*1..3]->({project: 'shop'})<--(b {project: 'shop'}) \
             WHERE EXISTS { (b {project: 'shop'})-->(c {project: 'shop'}) } RETURN a, b",
        );
        check(
            "MATCH (a) WHERE NOT (a)<-[:CALLS]-() RETURN [(a)-->(b) WHERE b.path = 'x' | b.name] AS names",
            "MATCH (a {project: 'shop'}) WHERE NOT (a {project: 'shop'})<-[:CALLS]-({project: 'shop'}) \
             RETURN [(a {project: 'shop'})-->(b {project: 'shop'}) WHERE b.file_path = 'x' | b.name] AS names",
        );
        check(
            "CALL { MATCH (a) RETURN a.name AS n UNION MATCH (b) RETURN b.name AS n } RETURN count(n) AS number",
            "CALL { MATCH (a {project: 'shop'}) RETURN a.name AS n UNION MATCH (b {project: 'shop'}) RETURN b.name AS n } \
             RETURN count(n) AS number",
        );
    }

    #[test]
    fn columns_keep_the_names_they_were_written_as() {
        check(
            "MATCH (a) RETURN a . path, a{.path}, count( * )",
            "MATCH (a {project: 'shop'}) RETURN a.file_path AS `a . path`, a {.file_path} AS `a{.path}`, \
             count(*) AS `count( * )`",
        );
    }

    #[test]
    fn the_label_that_all_nodes_have_is_not_told() {
        check(
            "MATCH (a) RETURN labels(a) AS labels",
            "MATCH (a {project: 'shop'}) RETURN [label IN labels(a) WHERE label <> 'CodeNode'] AS labels",
        );
    }

    #[test]
    fn what_cannot_be_confined_is_refused() {
        let query = crate::parse("CALL db.labels() YIELD label RETURN label").unwrap();
        let error = query.confined_to(&SHOP).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotSupported, "{error}");
        assert!(error.position().is_some(), "{error}");
    }
}

//! Expressions over labels and types → tests.

use std::sync::Arc;

use graph::LabelKey;

use crate::kind::Kind;
use crate::plan::{LabelTest, LabelTests, Relations};
use cypher_syntax::Result;
use cypher_syntax::ast::{LabelExpr, Name};

use super::Compiler;

impl Compiler<'_> {
    pub(super) fn label_tests(&mut self, labels: &LabelExpr, of: &Kind) -> Result<LabelTests> {
        let node = match of {
            Kind::Relationship => LabelTest::Never,
            _ => self.label_test(labels)?,
        };
        let relations = match of {
            Kind::Node => Relations::Any,
            Kind::Relationship => self.relations(labels)?,
            _ => self.fitting_relations(labels),
        };
        Ok(LabelTests { node, relations })
    }

    pub(super) fn label_test(&mut self, labels: &LabelExpr) -> Result<LabelTest> {
        Ok(match labels {
            LabelExpr::Label(name) => match self.graph.label(&name.text) {
                Some(key) => LabelTest::Has(key),
                None => {
                    let known = self.graph.label_names().into_iter().map(|(_, name)| name).collect();
                    self.unknown("label", &name.text, name.at, known)?;
                    LabelTest::Never
                }
            },
            LabelExpr::Any => LabelTest::Some,
            LabelExpr::Not(inner) => LabelTest::Not(Box::new(self.label_test(inner)?)),
            LabelExpr::And(parts) => LabelTest::And(self.each_test(parts)?),
            LabelExpr::Or(parts) => LabelTest::Or(self.each_test(parts)?),
        })
    }

    fn each_test(&mut self, parts: &[LabelExpr]) -> Result<Vec<LabelTest>> {
        parts.iter().map(|part| self.label_test(part)).collect()
    }

    /// The types that fit; a relationship has exactly one.
    pub(super) fn relations(&mut self, kinds: &LabelExpr) -> Result<Relations> {
        for name in names(kinds) {
            if self.graph.relation(&name.text).is_none() {
                let known = self.graph.relation_names().into_iter().map(|(_, name)| name).collect();
                self.unknown("relationship type", &name.text, name.at, known)?;
            }
        }
        Ok(self.fitting_relations(kinds))
    }

    fn fitting_relations(&self, kinds: &LabelExpr) -> Relations {
        if let Some(keys) = self.alternatives(kinds) {
            return Relations::Of(keys);
        }
        let all = self.graph.relation_names().into_iter();
        Relations::Of(all.filter(|(_, name)| fits(kinds, name)).map(|(key, _)| key).collect())
    }

    /// The quick way for plain alternatives.
    fn alternatives(&self, kinds: &LabelExpr) -> Option<Vec<graph::RelationKey>> {
        let one = |part: &LabelExpr| match part {
            LabelExpr::Label(name) => Some(name.text.clone()),
            _ => None,
        };
        let names: Vec<Arc<str>> = match kinds {
            LabelExpr::Or(parts) => parts.iter().map(one).collect::<Option<_>>()?,
            single => vec![one(single)?],
        };
        let mut keys: Vec<_> = names.iter().filter_map(|name| self.graph.relation(name)).collect();
        keys.sort();
        keys.dedup();
        Some(keys)
    }
}

fn names(labels: &LabelExpr) -> Vec<&Name> {
    match labels {
        LabelExpr::Label(name) => vec![name],
        LabelExpr::Any => Vec::new(),
        LabelExpr::Not(inner) => names(inner),
        LabelExpr::And(parts) | LabelExpr::Or(parts) => parts.iter().flat_map(names).collect(),
    }
}

fn fits(kinds: &LabelExpr, name: &str) -> bool {
    match kinds {
        LabelExpr::Label(label) => &*label.text == name,
        LabelExpr::Any => true,
        LabelExpr::Not(inner) => !fits(inner, name),
        LabelExpr::And(parts) => parts.iter().all(|part| fits(part, name)),
        LabelExpr::Or(parts) => parts.iter().any(|part| fits(part, name)),
    }
}

/// Groups of labels of each of which a node must have one; nothing if no node can fit.
pub(super) fn groups(test: &LabelTest) -> Option<Vec<Vec<LabelKey>>> {
    match test {
        LabelTest::Has(label) => Some(vec![vec![*label]]),
        LabelTest::Never => None,
        LabelTest::Some | LabelTest::Not(_) => Some(Vec::new()),
        LabelTest::And(parts) => {
            let groups: Option<Vec<_>> = parts.iter().map(groups).collect();
            groups.map(|groups| groups.into_iter().flatten().collect())
        }
        LabelTest::Or(parts) => {
            let possible: Vec<_> = parts.iter().filter_map(groups).collect();
            if possible.is_empty() {
                return None;
            }
            let single = |groups: &Vec<Vec<LabelKey>>| match groups.as_slice() {
                [only] => Some(only.clone()),
                _ => None,
            };
            let joined: Option<Vec<_>> = possible.iter().map(single).collect();
            Some(joined.map(|groups| vec![groups.concat()]).unwrap_or_default())
        }
    }
}

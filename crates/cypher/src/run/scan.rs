//! Nodes from the graph, in portions that grow while they are wanted.

use graph::{Condition, NodeFilter, NodeKey, Test};

use crate::compile::equal_to;
use crate::plan::{DynamicCondition, DynamicTest, Expand, Scan, Slot};
use crate::value::Value;
use cypher_syntax::Result;

use super::{ENOUGH, Flow, MORE, Row, Runtime, Sink};

/// Where portions of nodes go.
type Portions<'s> = &'s mut dyn FnMut(&[NodeKey], &mut Row) -> Result<Flow>;

const FIRST_PORTION: usize = 64;
const LARGEST_PORTION: usize = 8192;

impl Runtime<'_> {
    pub(super) fn scan(&self, scan: &Scan, row: &mut Row, next: Sink<'_>) -> Result<Flow> {
        self.scan_portions(scan, row, &mut |nodes, row| {
            for node in nodes {
                row[scan.node] = Value::Node(*node);
                if next(row)?.is_break() {
                    return Ok(ENOUGH);
                }
            }
            Ok(MORE)
        })
    }

    /// A scan whose nodes have their relationships counted; nodes without any are wanted only if that is `optional`.
    pub(super) fn scan_degrees(
        &self,
        scan: &Scan,
        (expand, count, optional): (&Expand, Slot, bool),
        row: &mut Row,
        next: Sink<'_>,
    ) -> Result<Flow> {
        let mut degrees = Vec::new();
        self.scan_portions(scan, row, &mut |nodes, row| {
            degrees.clear();
            self.graph.degrees(nodes, expand.direction, expand.relations.keys(), &mut degrees)?;
            for (node, degree) in nodes.iter().zip(&degrees) {
                if *degree == 0 && !optional {
                    continue;
                }
                row[scan.node] = Value::Node(*node);
                row[count] = Value::Int(i64::try_from(*degree).unwrap_or(i64::MAX));
                if next(row)?.is_break() {
                    return Ok(ENOUGH);
                }
            }
            Ok(MORE)
        })
    }

    fn scan_portions(&self, scan: &Scan, row: &mut Row, next: Portions<'_>) -> Result<Flow> {
        if scan.is_empty {
            return Ok(MORE);
        }
        if scan.dynamic.is_empty() {
            return self.scan_with(&scan.filter, row, next);
        }
        let mut filter = scan.filter.clone();
        for condition in &scan.dynamic {
            match self.known_now(condition, row)? {
                Some(test) => filter.conditions.push(Condition { property: condition.property, test }),
                // Compared with null, nothing holds.
                None => return Ok(MORE),
            }
        }
        filter.conditions.retain(|condition| condition.test != Test::Exists);
        self.scan_with(&filter, row, next)
    }

    /// The condition with the value it has for this row; `Exists` where that value says nothing useful.
    fn known_now(&self, condition: &DynamicCondition, row: &mut Row) -> Result<Option<Test>> {
        let wanted = self.evaluate(&condition.wanted, row)?;
        if wanted.is_null() {
            return Ok(None);
        }
        let test = match (condition.test, &wanted) {
            (DynamicTest::Equals, value) => equal_to(std::slice::from_ref(value)),
            (DynamicTest::OneOf, Value::List(items)) => equal_to(items),
            (DynamicTest::Text { relation, lower_case }, Value::Text(text)) => {
                Some(Test::Text { relation, wanted: text.clone(), lower_case })
            }
            _ => None,
        };
        Ok(Some(test.unwrap_or(Test::Exists)))
    }

    fn scan_with(&self, filter: &NodeFilter, row: &mut Row, next: Portions<'_>) -> Result<Flow> {
        let mut portion = FIRST_PORTION;
        let mut nodes = Vec::new();
        let mut after = None;
        loop {
            nodes.clear();
            self.graph.scan(filter, after, portion, &mut nodes)?;
            if next(&nodes, row)?.is_break() {
                return Ok(ENOUGH);
            }
            self.tick()?;
            match nodes.last() {
                Some(last) if nodes.len() >= portion => after = Some(*last),
                _ => return Ok(MORE),
            }
            portion = (portion * 4).min(LARGEST_PORTION);
        }
    }
}

//! Conditions on a node → what a reader can look up.

use std::sync::Arc;

use graph::{Bound, Condition, LabelKey, NodeFilter, PropertyKey, Test, TextRelation};

use crate::plan::{DynamicCondition, DynamicTest, LabelTests, PropertyName, Scan, Slot, Term};
use crate::value::Value;
use cypher_syntax::ast::{Compare, Logic};

use super::labels;
use super::patterns::{PatternNode, Predicate};

/// A scan for a node with all that is known of it. Predicates are only read: each of them is checked afterwards too, because
/// a reader may take them as hints.
pub(super) fn scan(node: &PatternNode, predicates: &[Predicate], is_bound: &dyn Fn(Slot) -> bool) -> Scan {
    let mut scan = empty_scan(node.slot, node.name.clone());
    for predicate in predicates {
        let is_own = predicate.needs.contains(&node.slot);
        if is_own && predicate.needs.iter().all(|slot| *slot == node.slot || is_bound(*slot)) {
            learn(&mut scan, &predicate.term);
        }
    }
    scan
}

fn learn(scan: &mut Scan, term: &Term) {
    let slot = scan.node;
    match term {
        Term::HasLabels(of, tests, _) if is_slot(of, slot) => learn_labels(scan, tests),
        Term::Compare(operator, left, right) => {
            let _ = learn_comparison(scan, *operator, left, right)
                || learn_comparison(scan, flipped(*operator), right, left);
        }
        Term::In(one, list, _) => {
            if let Some(property) = property(one, slot) {
                learn_wanted(scan, property, DynamicTest::OneOf, list);
            }
        }
        Term::TextTest(relation, one, wanted) => {
            if let Some((property, lower_case)) = text_property(one, slot) {
                learn_wanted(scan, property, DynamicTest::Text { relation: *relation, lower_case }, wanted);
            }
        }
        Term::IsNull(true, of) => {
            if let Some(property) = property(of, slot) {
                push(scan, property, Test::Exists);
            }
        }
        Term::Logical(Logic::Or, parts, _) => learn_alternatives(scan, parts),
        _ => {}
    }
}

/// `n.name = 'a' OR n.name = 'b'`, or labels joined in the same way.
fn learn_alternatives(scan: &mut Scan, parts: &[Term]) {
    let alternatives: Vec<Scan> = parts
        .iter()
        .map(|part| {
            let mut one = empty_scan(scan.node, scan.name.clone());
            learn(&mut one, part);
            one
        })
        .filter(|one| !one.is_empty)
        .collect();
    if let Some(groups) = alternatives.iter().map(only_labels).collect::<Option<Vec<_>>>() {
        scan.filter.labels.push(groups.concat());
    } else if let Some(tests) = alternatives.iter().map(only_values).collect::<Option<Vec<_>>>()
        && let Some((property, _)) = tests.first().cloned()
        && tests.iter().all(|(other, _)| *other == property)
    {
        let values = tests.into_iter().flat_map(|(_, values)| values).collect();
        scan.filter.conditions.push(Condition { property, test: Test::OneOf(values) });
    }
}

fn empty_scan(node: Slot, name: Arc<str>) -> Scan {
    Scan { node, filter: NodeFilter::default(), dynamic: Vec::new(), is_empty: false, estimate: 0, name }
}

/// The labels of which a node must have one, if that is all that is known.
fn only_labels(scan: &Scan) -> Option<Vec<LabelKey>> {
    let is_all = scan.filter.conditions.is_empty() && scan.dynamic.is_empty();
    match scan.filter.labels.as_slice() {
        [only] if is_all => Some(only.clone()),
        _ => None,
    }
}

/// The values of which a property must have one, if that is all that is known.
fn only_values(scan: &Scan) -> Option<(PropertyKey, Vec<graph::Value>)> {
    let is_all = scan.filter.labels.is_empty() && scan.dynamic.is_empty();
    let [only] = scan.filter.conditions.as_slice() else { return None };
    match &only.test {
        Test::Equals(value) if is_all => Some((only.property, vec![value.clone()])),
        Test::OneOf(values) if is_all => Some((only.property, values.clone())),
        _ => None,
    }
}

fn learn_labels(scan: &mut Scan, tests: &LabelTests) {
    match labels::groups(&tests.node) {
        Some(groups) => scan.filter.labels.extend(groups),
        None => scan.is_empty = true,
    }
}

/// Whether the property is on the left.
fn learn_comparison(scan: &mut Scan, operator: Compare, left: &Term, right: &Term) -> bool {
    if operator == Compare::Equal
        && let Some((property, true)) = text_property(left, scan.node)
    {
        let test = DynamicTest::Text { relation: TextRelation::Is, lower_case: true };
        learn_wanted(scan, property, test, right);
        return true;
    }
    let Some(property) = property(left, scan.node) else { return false };
    if operator == Compare::Equal {
        learn_wanted(scan, property, DynamicTest::Equals, right);
        return true;
    }
    let Term::Constant(value) = right else { return true };
    let (Value::Int(_) | Value::Float(_) | Value::Text(_)) = value else { return true };
    let Some(value) = value.to_stored() else { return true };
    let bound = |inclusive| Some(Bound { value: value.clone(), inclusive });
    let test = match operator {
        Compare::Less => Test::Between { low: None, high: bound(false) },
        Compare::LessOrEqual => Test::Between { low: None, high: bound(true) },
        Compare::Greater => Test::Between { low: bound(false), high: None },
        Compare::GreaterOrEqual => Test::Between { low: bound(true), high: None },
        _ => return true,
    };
    push(scan, property, test);
    true
}

fn learn_wanted(scan: &mut Scan, property: &PropertyName, test: DynamicTest, wanted: &Term) {
    // The property exists nowhere: nothing can be equal to it.
    let Some(key) = property.key else {
        scan.is_empty = true;
        return;
    };
    let Term::Constant(value) = wanted else {
        if let Some(wanted) = copied(wanted, scan.node) {
            scan.dynamic.push(DynamicCondition { property: key, test, wanted });
        }
        return;
    };
    let test = match (test, value) {
        (_, Value::Null) => {
            scan.is_empty = true;
            return;
        }
        (DynamicTest::Equals, value) => equal_to(std::slice::from_ref(value)),
        (DynamicTest::OneOf, Value::List(items)) => equal_to(items),
        (DynamicTest::Text { relation, lower_case }, Value::Text(text)) => {
            Some(Test::Text { relation, wanted: text.clone(), lower_case })
        }
        _ => None,
    };
    if let Some(test) = test {
        scan.filter.conditions.push(Condition { property: key, test });
    }
}

/// A number is equal to a number of the other kind too. Lists and maps are left to the check afterwards.
pub(crate) fn equal_to(values: &[Value]) -> Option<Test> {
    let mut wanted = Vec::with_capacity(values.len());
    for value in values {
        match value {
            Value::Text(_) | Value::Bool(_) => wanted.extend(value.to_stored()),
            Value::Int(number) => {
                wanted.push(graph::Value::Int(*number));
                wanted.push(graph::Value::Float(*number as f64));
            }
            Value::Float(number) => {
                wanted.push(graph::Value::Float(*number));
                if number.fract() == 0.0 && number.abs() < 9.0e18 {
                    wanted.push(graph::Value::Int(*number as i64));
                }
            }
            Value::Null => {}
            _ => return None,
        }
    }
    match wanted.pop() {
        Some(only) if wanted.is_empty() => Some(Test::Equals(only)),
        last => {
            wanted.extend(last);
            Some(Test::OneOf(wanted))
        }
    }
}

fn push(scan: &mut Scan, property: &PropertyName, test: Test) {
    match property.key {
        Some(key) => scan.filter.conditions.push(Condition { property: key, test }),
        None => scan.is_empty = true,
    }
}

fn is_slot(term: &Term, slot: Slot) -> bool {
    matches!(term, Term::Slot(found) if *found == slot)
}

fn property(term: &Term, slot: Slot) -> Option<&PropertyName> {
    match term {
        Term::Property(of, name, _) if is_slot(of, slot) => Some(name),
        _ => None,
    }
}

/// A property, or the lower-case form of one.
fn text_property(term: &Term, slot: Slot) -> Option<(&PropertyName, bool)> {
    match term {
        Term::Call(function, arguments, _) if matches!(function.name, "toLower" | "lower") => {
            property(arguments.first()?, slot).map(|name| (name, true))
        }
        other => property(other, slot).map(|name| (name, false)),
    }
}

fn flipped(operator: Compare) -> Compare {
    match operator {
        Compare::Less => Compare::Greater,
        Compare::LessOrEqual => Compare::GreaterOrEqual,
        Compare::Greater => Compare::Less,
        Compare::GreaterOrEqual => Compare::LessOrEqual,
        Compare::Equal | Compare::NotEqual => operator,
    }
}

/// The few kinds of terms whose value is worth looking up for each row; none of them may read the node itself.
fn copied(term: &Term, node: Slot) -> Option<Term> {
    match term {
        Term::Slot(slot) if *slot != node => Some(Term::Slot(*slot)),
        Term::Constant(value) => Some(Term::Constant(value.clone())),
        Term::Property(of, name, at) => Some(Term::Property(Box::new(copied(of, node)?), name.clone(), *at)),
        Term::Index(of, index, at) => {
            Some(Term::Index(Box::new(copied(of, node)?), Box::new(copied(index, node)?), *at))
        }
        Term::Call(function, arguments, at) if function.group == "text" => {
            let arguments = arguments.iter().map(|argument| copied(argument, node)).collect::<Option<Vec<_>>>()?;
            Some(Term::Call(function, arguments, *at))
        }
        _ => None,
    }
}

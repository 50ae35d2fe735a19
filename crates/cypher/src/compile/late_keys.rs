//! Groups of which only the first few are wanted: the properties they are grouped by are read for those alone.

use crate::plan::{Operator, PropertyName, Slot, Term};
use cypher_syntax::Span;

/// Lets the last aggregation keep a node for each group instead of its keys, if all keys are properties of the node that is scanned.
/// The sort that follows then reads them where it must; what is returned puts them into their slots at the end.
pub(super) fn read_late(
    operators: &mut [Operator],
    sort_keys: &mut [(Term, bool)],
    kept: &mut Vec<Slot>,
) -> Option<Operator> {
    let [Operator::Scan(scan), .., Operator::Aggregate(aggregation)] = operators else { return None };
    let node = scan.node;
    let keys: Option<Vec<Key>> = aggregation.keys.iter().map(|(slot, term)| Key::of(*slot, term, node)).collect();
    let keys = keys.filter(|keys| !keys.is_empty())?;
    if !sort_keys.iter().all(|(term, _)| matches!(term, Term::Slot(_))) {
        return None;
    }
    aggregation.late = Some(node);
    for (term, _) in sort_keys {
        if let Some(key) = keys.iter().find(|key| matches!(term, Term::Slot(slot) if *slot == key.slot)) {
            *term = key.read(node);
        }
    }
    kept.retain(|slot| !keys.iter().any(|key| key.slot == *slot));
    kept.push(node);
    Some(Operator::Assign(keys.iter().map(|key| (key.slot, key.read(node))).collect()))
}

struct Key {
    slot: Slot,
    property: PropertyName,
    at: Span,
}

impl Key {
    fn of(slot: Slot, term: &Term, node: Slot) -> Option<Key> {
        match term {
            Term::Property(of, property, at)
                if property.key.is_some() && matches!(**of, Term::Slot(of) if of == node) =>
            {
                Some(Key { slot, property: property.clone(), at: *at })
            }
            _ => None,
        }
    }

    fn read(&self, node: Slot) -> Term {
        Term::Property(Box::new(Term::Slot(node)), self.property.clone(), self.at)
    }
}

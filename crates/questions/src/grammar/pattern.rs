//! Patterns over units, written as text: `with? name be? nametest value`.
//!
//! Items are separated by blanks. An item is one or more atoms with `|` between them, and `?` behind it makes it optional. An
//! item fits a unit whose meaning is one of its atoms or begins with one. Units that other rules have used are passed over.

use super::units::Unit;

/// Where a pattern fits: for each of its items the unit, or `None` for an optional item that is not there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fit {
    pub items: Vec<Option<usize>>,
}

impl Fit {
    /// The first of its units that means this.
    pub(crate) fn find(&self, units: &[Unit], prefix: &str) -> Option<usize> {
        self.items.iter().flatten().copied().find(|&index| units[index].is(prefix))
    }

    pub(crate) fn has(&self, units: &[Unit], prefix: &str) -> bool {
        self.find(units, prefix).is_some()
    }

    pub(crate) fn text<'u>(&self, units: &'u [Unit], prefix: &str) -> Option<&'u str> {
        self.find(units, prefix).map(|index| units[index].text.as_str())
    }

    pub(crate) fn number(&self, units: &[Unit]) -> Option<u32> {
        self.find(units, "number").and_then(|index| units[index].number())
    }

    pub(crate) fn first(&self) -> Option<usize> {
        self.items.iter().flatten().copied().next()
    }

    pub(crate) fn last(&self) -> Option<usize> {
        self.items.iter().flatten().copied().next_back()
    }

    /// Says that the question's words at this place are understood.
    pub(crate) fn mark_used(&self, units: &mut [Unit]) {
        for &index in self.items.iter().flatten() {
            units[index].used = true;
        }
    }
}

/// Whether the pattern fits from exactly this unit on.
pub(crate) fn fit_at(pattern: &str, units: &[Unit], start: usize) -> Option<Fit> {
    if units[start].used {
        return None;
    }
    let items: Vec<&str> = pattern.split_whitespace().collect();
    let mut found = Vec::with_capacity(items.len());
    let fits = fit(&items, units, start, &mut found);
    let begins_here = found.iter().flatten().next() == Some(&start);
    (fits && begins_here).then_some(Fit { items: found })
}

fn fit(items: &[&str], units: &[Unit], at: usize, found: &mut Vec<Option<usize>>) -> bool {
    let Some((item, rest)) = items.split_first() else { return true };
    let (atoms, optional) = item.strip_suffix('?').map_or((*item, false), |atoms| (atoms, true));
    let next = (at..units.len()).find(|&index| !units[index].used);
    if let Some(index) = next
        && atoms.split('|').any(|atom| units[index].is(atom))
    {
        found.push(Some(index));
        if fit(rest, units, index + 1, found) {
            return true;
        }
        found.pop();
    }
    if !optional {
        return false;
    }
    found.push(None);
    if fit(rest, units, at, found) {
        return true;
    }
    found.pop();
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::units::units;
    use crate::names::MemoryNames;
    use crate::text::scan;

    #[test]
    fn optional_items_may_be_absent() {
        let units = units(&scan("classes whose name starts with Foo"), &MemoryNames::default());
        let fit = fit_at("name be? nametest value", &units, 2).unwrap();
        assert_eq!(fit.text(&units, "value"), Some("Foo"));
        assert_eq!(fit.items[1], None);
        assert_eq!(fit_at("name nametest number", &units, 2), None);
    }
}

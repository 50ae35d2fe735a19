//! Words that may be names: `run`, `load`, `test` mean something, but may as well be what a question asks about.

use super::units::Unit;
use crate::lexicon::values;
use crate::names::Names;

/// In "the call method" and "run 方法" the word before the kind is a name.
fn beside_kinds(mut units: Vec<Unit>, names: &dyn Names) -> Vec<Unit> {
    for index in 1..units.len() {
        let is_one = units[index].is("kind") && units[index].is_singular() != Some(false);
        let word = &units[index - 1];
        let is_plain = word.is("verb") && word.text.is_ascii() && !word.text.contains(' ');
        if is_one && is_plain && !names.exact(&word.text).is_empty() {
            units[index - 1].atom = values::WORD;
        }
    }
    units
}

/// The question as it stands, and then with single words taken for names that the index knows, the last word first.
pub(crate) fn readings(units: Vec<Unit>, names: &dyn Names) -> Vec<Vec<Unit>> {
    let binding =
        ["ask", "be", "do", "in", "of", "by", "to", "from", "that", "not", "and", "or", "all", "project", "show"];
    let units = beside_kinds(units, names);
    let mut readings = vec![units.clone()];
    for index in (0..units.len()).rev() {
        let unit = &units[index];
        let is_candidate = !unit.is("value")
            && unit.text.is_ascii()
            && !unit.text.contains(' ')
            && !binding.iter().any(|atom| unit.is(atom));
        if is_candidate && names.exact(&unit.text).iter().any(|hit| hit.label.is_definition()) {
            let mut reading = units.clone();
            reading[index].atom = values::WORD;
            readings.push(reading);
        }
    }
    readings.truncate(6);
    readings
}

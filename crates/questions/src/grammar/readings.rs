//! Words that may be names: `run`, `total`, `test` mean something, but may as well be what a question asks about.

use super::units::Unit;
use crate::lexicon::{self, values};
use crate::names::Names;

/// A way to read a question in which a word that means something is a name.
pub(crate) struct Reading {
    pub units: Vec<Unit>,
    /// The word says nothing by itself, or gives a command: it must make the question whole.
    pub is_bold: bool,
}

/// The question as it stands.
pub(crate) fn as_it_stands(units: &[Unit], names: &dyn Names) -> Vec<Unit> {
    beside_kinds(without_noise(in_chinese(units.to_vec(), names)), names)
}

/// What a question says behind a title such as "fixtures: functions with a decorator", and the title. Nothing if what stands
/// before the colon may be a part of the question.
pub(crate) fn without_title(units: &[Unit], names: &dyn Names) -> Option<(Vec<Unit>, String)> {
    let colon = units.iter().position(|unit| unit.atom == values::COMMA && unit.text == ":")?;
    let (title, rest) = (&units[..colon], &units[colon + 1..]);
    let binds = ["not", "without", "outside", "nobody", "count", "number", "verb", "value.quoted", "value.code"];
    let is_known = |unit: &Unit| names.exact(&unit.text).iter().any(|hit| hit.label.is_definition());
    let says_more = |unit: &Unit| binds.iter().any(|atom| unit.is(atom)) || (unit.is("value") && is_known(unit));
    let is_question = rest.iter().any(|unit| unit.is("kind") || unit.is("verb"));
    let words: Vec<&str> = title.iter().map(|unit| unit.text.as_str()).collect();
    (is_question && !title.is_empty() && !title.iter().any(says_more))
        .then(|| (as_it_stands(rest, names), words.join(" ")))
}

/// The question with one word taken for a name that the index knows, the likeliest word first.
pub(crate) fn with_names(units: &[Unit], names: &dyn Names) -> Vec<Reading> {
    const MOST: usize = 8;
    let mut found: Vec<usize> = (0..units.len()).filter(|&index| may_be_name(units, index)).collect();
    // The subject follows "does"; a verb is rather the verb of the question.
    found.sort_by_key(|&index| {
        let is_subject = index > 0 && units[index - 1].is("do");
        (!is_subject, units[index].is("verb"), std::cmp::Reverse(index))
    });
    let known = |text: &str| names.exact(text).iter().any(|hit| hit.label.is_definition());
    let readings = found.into_iter().filter_map(|index| {
        let (named, is_phrase) = as_name(&units[index], known)?;
        let is_bold = is_phrase || units[index].is(values::NOISE) || units[index].is("show");
        let mut reading = units.to_vec();
        reading.splice(index..=index, named);
        Some(Reading { units: beside_kinds(without_noise(reading), names), is_bold })
    });
    readings.take(MOST).collect()
}

fn without_noise(mut units: Vec<Unit>) -> Vec<Unit> {
    units.retain(|unit| !unit.is(values::NOISE));
    units
}

/// A word in Latin letters before a Chinese kind is a name: "list 函数".
fn in_chinese(mut units: Vec<Unit>, names: &dyn Names) -> Vec<Unit> {
    for index in 1..units.len() {
        let is_kind = units[index].is("kind") && !units[index].text.is_ascii();
        let is_known = |text: &str| names.exact(text).iter().any(|hit| hit.label.is_definition());
        if is_kind && may_be_name(&units, index - 1) && is_known(&units[index - 1].text) {
            units[index - 1].atom = values::WORD;
        }
    }
    units
}

/// In "the call method" and "run 方法" the word before the kind is a name; in "functions that call methods" it is not.
fn beside_kinds(mut units: Vec<Unit>, names: &dyn Names) -> Vec<Unit> {
    for index in 1..units.len() {
        let is_one = units[index].is("kind") && units[index].is_singular() != Some(false);
        let word = &units[index - 1];
        let is_plain = word.is("verb") && word.text.is_ascii() && !word.text.contains(' ');
        let has_subject = index > 1 && (units[index - 2].is("kind") || units[index - 2].is("value"));
        if is_one && is_plain && !has_subject && !names.exact(&word.text).is_empty() {
            units[index - 1].atom = values::WORD;
        }
    }
    units
}

fn may_be_name(units: &[Unit], index: usize) -> bool {
    let binding = [
        "value",
        "noise.binding",
        "ask",
        "be",
        "do",
        "in",
        "of",
        "by",
        "to",
        "from",
        "that",
        "not",
        "and",
        "or",
        "all",
        "project",
    ];
    let unit = &units[index];
    // "Which functions call a method" speaks of any method.
    let is_any = unit.is("kind") && index > 0 && matches!(units[index - 1].text.as_str(), "a" | "an" | "any" | "some");
    unit.text.is_ascii() && !is_any && !binding.iter().any(|atom| unit.is(atom))
}

/// The word as a name; of a phrase its last or first word, with the meaning that the others have. And whether it was one.
fn as_name(unit: &Unit, known: impl Fn(&str) -> bool) -> Option<(Vec<Unit>, bool)> {
    let name = |text: &str| Unit { atom: values::WORD, text: text.to_owned(), used: false };
    if !unit.text.contains(' ') {
        return known(&unit.text).then(|| (vec![name(&unit.text)], false));
    }
    let (first, behind) = unit.text.split_once(' ')?;
    let (before, last) = unit.text.rsplit_once(' ')?;
    if known(last) {
        return Some((vec![meaning(before)?, name(last)], true));
    }
    if known(first) { Some((vec![name(first), meaning(behind)?], true)) } else { None }
}

fn meaning(phrase: &str) -> Option<Unit> {
    let words: Vec<String> = phrase.to_lowercase().split(' ').map(str::to_owned).collect();
    let (atom, count) = lexicon::english(&words)?;
    (count == words.len()).then(|| Unit { atom, text: phrase.to_owned(), used: false })
}

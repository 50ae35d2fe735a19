//! What a question says about single things: their names, docstrings, decorators, parameters, results and traits.

use super::draft::Draft;
use super::pattern::Fit;
use crate::meaning::{Filter, NameTest, Trait};

/// Reads all filters and marks their words as used.
pub(super) fn read(draft: &mut Draft<'_>) {
    docstrings(draft);
    decorators(draft);
    signatures(draft);
    names(draft);
    traits(draft);
}

pub(super) const NAME_TESTS: &[&str] = &[
    "that? name inside? be? do? not? nametest|verb.contain|with value",
    "that? do? not|without? verb.contain|with|nametest value in name",
    "that? do? not? nametest.contains|nametest.starts|nametest.ends|nametest.matches|nametest.regex value|kind|verb|noun|trait|special|change",
    "name? inside? not? yi? value nametest.starts|nametest.ends",
    "with? name inside? be? value",
    "verb.contain|with value inside? name",
    "without value in? name",
];

fn names(draft: &mut Draft<'_>) {
    draft.apply(&["nametest.exact value de kind", "kind? nametest.exact value"], |draft, fit| {
        // The value then stands beside its kind, as in "class Session".
        for atom in ["nametest", "de"] {
            if let Some(index) = fit.find(&draft.units, atom) {
                draft.units[index].used = true;
            }
        }
        false
    });
    called_something(draft);
    draft.apply(NAME_TESTS, |draft, fit| {
        // 从 x 开始 speaks of a path.
        if draft.has("noun.path") {
            return false;
        }
        // Behind "starting with" any word is a part of a name.
        let last = fit.last().map(|last| draft.units[last].text.as_str());
        let value = fit.text(&draft.units, "value").or(last).map(str::to_owned);
        let Some(value) = value else { return false };
        let negated = fit.has(&draft.units, "not") || fit.has(&draft.units, "without");
        let test = name_test(draft, fit, &value);
        draft.attach(fit, Filter::Name { test, value, negated });
        true
    });
    draft.apply(&["value"], |draft, fit| {
        let Some(value) = fit.text(&draft.units, "value").map(str::to_owned) else { return false };
        let is_glob = value.contains('*') && value.chars().any(char::is_alphanumeric);
        if is_glob {
            draft.attach(fit, Filter::Name { test: NameTest::Glob, value, negated: false });
        }
        is_glob
    });
}

/// In "a function called main" the verb only says the name.
fn called_something(draft: &mut Draft<'_>) {
    draft.apply(&["kind|anybody be? verb.call.ed value"], |draft, fit| {
        let asks_which = fit.first().is_some_and(|first| draft.previous_is(first, "ask"));
        let verb = fit.find(&draft.units, "verb").filter(|_| !asks_which);
        if let Some(verb) = verb.filter(|&verb| draft.units[verb].text == "called") {
            draft.units[verb].used = true;
        }
        false
    });
}

fn name_test(draft: &Draft<'_>, fit: &Fit, value: &str) -> NameTest {
    if value.contains('*') && !fit.has(&draft.units, "nametest.regex") {
        return NameTest::Glob;
    }
    let tests = [
        ("nametest.starts", NameTest::StartsWith),
        ("nametest.ends", NameTest::EndsWith),
        ("nametest.regex", NameTest::Regex),
        ("nametest.exact", NameTest::Is),
        ("nametest.matches", NameTest::Contains),
        ("nametest.contains", NameTest::Contains),
        ("verb.contain", NameTest::Contains),
        ("with", NameTest::Contains),
        ("without", NameTest::Contains),
    ];
    tests.iter().find(|(atom, _)| fit.has(&draft.units, atom)).map_or(NameTest::Is, |(_, test)| *test)
}

fn docstrings(draft: &mut Draft<'_>) {
    draft.apply(
        &["docstring verb.contain|nametest.contains|verb.use value", "verb.contain|verb.use value in docstring"],
        |draft, fit| {
            let value = fit.text(&draft.units, "value").map(str::to_owned);
            value.map(|value| draft.attach(fit, Filter::DocstringMentions(value))).is_some()
        },
    );
    let absent = [
        "do? not verb.contain|with docstring",
        "verb.contain? without|not|nobody docstring",
        "be? not trait.documented",
        "trait.undocumented",
    ];
    draft.apply(&absent, |draft, fit| {
        draft.attach(fit, Filter::Docstring { present: false });
        true
    });
    draft.apply(&["that? verb.contain|with docstring", "be? trait.documented"], |draft, fit| {
        draft.attach(fit, Filter::Docstring { present: true });
        true
    });
}

pub(super) const DECORATORS: &[&str] = &[
    "be? not? verb.decorate.ed with|by? decorator? value decorator?",
    "not|without? bei value decorator? verb.decorate",
    "do? not? with|without|verb.use|verb.contain decorator value|trait",
    "do? not? with|without|verb.use|verb.contain value|trait decorator",
    "value|trait decorator",
];

pub(super) const ANY_DECORATOR: &[&str] =
    &["do? not? with|without|verb.contain decorator", "be? not? verb.decorate.ed"];

fn decorators(draft: &mut Draft<'_>) {
    draft.apply(DECORATORS, |draft, fit| {
        let name = fit.text(&draft.units, "value").or_else(|| fit.text(&draft.units, "trait"));
        let name = name.map(|name| name.trim_start_matches('@').to_owned());
        let negated = fit.has(&draft.units, "not") || fit.has(&draft.units, "without");
        draft.attach(fit, Filter::Decorator { name, negated });
        true
    });
    draft.apply(ANY_DECORATOR, |draft, fit| {
        let negated = fit.has(&draft.units, "not") || fit.has(&draft.units, "without");
        draft.attach(fit, Filter::Decorator { name: None, negated });
        true
    });
}

pub(super) const PARAMETERS: &[&str] = &[
    "do? not? with|without|verb.contain|verb.take|be parameter inside? nametest.exact|verb.contain|with? value",
    "do? not? with|without|verb.contain|verb.take|yi nametest.exact? value de? parameter",
    "parameter inside? be? not|without? nametest|verb.contain|with? value",
    "do? not? verb.take value kind.type?",
];

pub(super) const RETURNS: &[&str] = &[
    "do? not? verb.return value|nobody kind.type?",
    "with? returntype be? not? value",
    "not? with|without value returntype",
];

fn signatures(draft: &mut Draft<'_>) {
    draft.apply(
        &["do? not verb.contain|verb.take parameter", "verb.contain|verb.take? without|nobody parameter"],
        |draft, fit| {
            let is_named =
                fit.last().is_some_and(|last| draft.next_is(last, "value") || draft.next_is(last, "nametest"));
            if !is_named {
                draft.attach(fit, Filter::NoParameters);
            }
            !is_named
        },
    );
    draft.apply(PARAMETERS, |draft, fit| {
        let Some(name) = fit.text(&draft.units, "value").map(str::to_owned) else { return false };
        let negated = fit.has(&draft.units, "not") || fit.has(&draft.units, "without");
        draft.attach(fit, Filter::Parameter { name, negated });
        true
    });
    draft.apply(RETURNS, |draft, fit| {
        let name = fit.text(&draft.units, "value").or_else(|| fit.text(&draft.units, "nobody")).map(str::to_owned);
        let Some(name) = name else { return false };
        let negated = fit.has(&draft.units, "not") || fit.has(&draft.units, "without");
        draft.attach(fit, Filter::Returns { name, negated });
        true
    });
}

fn traits(draft: &mut Draft<'_>) {
    name_kinds(draft);
    draft.apply(&["do? be? not? trait kind?"], |draft, fit| {
        let name = fit.find(&draft.units, "trait").and_then(|index| Trait::of(draft.units[index].atom));
        let Some(name) = name else { return false };
        let negated = fit.has(&draft.units, "not");
        let filter = Filter::Trait { name, negated };
        // The kind itself is still needed; without one, the trait names it.
        if let Some(kind) = fit.find(&draft.units, "kind") {
            draft.attached.push((Some(kind), filter));
            for index in fit.items.iter().flatten().copied().filter(|index| *index != kind) {
                draft.units[index].used = true;
            }
            return false;
        }
        draft.attach(fit, filter);
        true
    });
}

/// Traits that stand for a kind of their own: "the properties of Session", "class methods", "lambdas".
fn name_kinds(draft: &mut Draft<'_>) {
    for index in 0..draft.units.len() {
        let kind = match draft.units[index].atom {
            "trait.property" | "trait.classmethod" => "kind.method",
            "trait.anonymous" => "kind.function",
            _ => continue,
        };
        let has_kind = draft.next_is(index, "kind") || draft.units[index].used;
        if let Some(name) = Trait::of(draft.units[index].atom).filter(|_| !has_kind) {
            draft.attached.push((Some(index), Filter::Trait { name, negated: false }));
            draft.units[index].atom = kind;
        }
    }
}

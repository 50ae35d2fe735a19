//! Order, number and distance: the longest ones, the first five, more than ten methods, within three steps.

use super::draft::Draft;
use super::pattern::Fit;
use crate::meaning::{Having, Kind, Metric, Rank, Reach, Relation, Role};

/// Reads all of them and marks their words as used.
pub(super) fn read(draft: &mut Draft<'_>) {
    draft.apply(&["count times"], |draft, _| {
        draft.meaning.counts = true;
        draft.meaning.counts_sites = true;
        true
    });
    distances(draft);
    comparisons(draft);
    ranks(draft);
    limits(draft);
}

fn distances(draft: &mut Draft<'_>) {
    let depths = [
        "by|in|limit|compare|with|to? depth be? number hops?",
        "in|limit|compare|by|to? number hops in|inside?",
        "hops number",
    ];
    draft.apply(&depths, |draft, fit| {
        let number = fit.number(&draft.units).filter(|number| *number > 0);
        if let Some(number) = number {
            draft.reach = Some(Reach::Within(number.min(20)));
        }
        number.is_some()
    });
    if draft.use_all("deep") && draft.reach.is_none() {
        draft.reach = Some(Reach::Any);
    }
    draft.use_all("direct");
    draft.across_files = draft.use_all("acrossfiles");
}

pub(super) const COMPARISONS: &[&str] = &[
    "verb.call.ed|verb.use.ed|verb.import.ed|verb.create.ed compare? number times?",
    "bei? verb compare number times",
    "verb.call.ed compare number times|kind",
    "with|verb.contain|verb? compare number lines|noun|kind",
    "with|verb.contain? number lines|noun|kind compare.atleast|compare.atmost",
    "with|verb.contain? lines|noun|kind count? compare number lines|kind?",
    "compare.longer|compare.shorter|compare.more|compare.less number lines?",
    "with|verb.contain compare.exactly? number kind|noun|lines",
];

fn comparisons(draft: &mut Draft<'_>) {
    draft.apply(COMPARISONS, |draft, fit| {
        let Some(number) = fit.number(&draft.units) else { return false };
        let metric = comparison_metric(draft, fit);
        let Some(metric) = metric else { return false };
        draft.meaning.having.push(Having { metric, comparison: comparison(draft, fit), number });
        true
    });
}

fn comparison(draft: &Draft<'_>, fit: &Fit) -> &'static str {
    let signs = [
        ("compare.atleast", ">="),
        ("compare.atmost", "<="),
        ("compare.more", ">"),
        ("compare.longer", ">"),
        ("compare.less", "<"),
        ("compare.shorter", "<"),
    ];
    signs.iter().find(|(atom, _)| fit.has(&draft.units, atom)).map_or("=", |(_, sign)| sign)
}

fn comparison_metric(draft: &Draft<'_>, fit: &Fit) -> Option<Metric> {
    let units = &draft.units;
    let is_done = fit.find(units, "verb").is_some_and(|verb| units[verb].atom.ends_with(".ed"));
    if fit.has(units, "times") || (is_done && !fit.has(units, "lines")) {
        let verb = fit.find(units, "verb")?;
        let passive = units[verb].atom.ends_with(".ed") || fit.has(units, "bei") || draft.previous_is(verb, "be");
        return verb_metric(units[verb].atom, passive, Vec::new());
    }
    if fit.has(units, "lines") {
        return Some(Metric::Lines);
    }
    if let Some(noun) = fit.find(units, "noun") {
        return noun_metric(units[noun].atom);
    }
    if let Some(kind) = fit.find(units, "kind") {
        let kind = Kind::of(units[kind].atom)?;
        let verb = fit.find(units, "verb").filter(|&verb| !units[verb].is("verb.contain"));
        return match verb {
            Some(verb) => verb_metric(units[verb].atom, units[verb].atom.ends_with(".ed"), vec![kind]),
            None => Some(Metric::Related { relation: Relation::Contain, role: Role::Agent, kinds: vec![kind] }),
        };
    }
    (fit.has(units, "compare.longer") || fit.has(units, "compare.shorter")).then_some(Metric::Lines)
}

/// How many others play the other part of a verb.
fn verb_metric(atom: &str, passive: bool, kinds: Vec<Kind>) -> Option<Metric> {
    let relation = Relation::of(atom)?;
    let role = if passive { Role::Patient } else { Role::Agent };
    Some(Metric::Related { relation, role, kinds })
}

/// How many others a noun such as "callers" names.
fn noun_metric(atom: &str) -> Option<Metric> {
    let relation = Relation::of(atom)?;
    let others = if atom.contains(".agent") { Role::Agent } else { Role::Patient };
    Some(Metric::Related { relation, role: others.opposite(), kinds: Vec::new() })
}

pub(super) const RANKS: &[&str] = &[
    "verb.call|verb.use|verb.import|verb.depend|verb.create|verb.override|verb.implement rank.most|rank.least kind|anybody",
    "with|verb.contain? rank.most|rank.least count? kind|noun|lines",
    "be? rank.most|rank.least verb.call.ed|verb.use.ed|verb.import.ed|verb.inherit.ed|verb.implement.ed|verb.override.ed|verb.create.ed|verb.depend.ed|verb.reach.ed",
    "verb anybody|kind count? de? count? rank.most|rank.least",
    "bei? verb times? de? times? rank.most|rank.least kind|anybody?",
    "with|verb.contain? kind|noun|lines count? de? count? rank.most|rank.least",
    "rank.longest|rank.shortest|rank.largest|rank.smallest|rank.complex",
    "rank.most|rank.least verb kind?",
];

fn ranks(draft: &mut Draft<'_>) {
    let by_what = by_metric(draft);
    draft.apply(RANKS, |draft, fit| {
        if draft.meaning.rank.is_some() {
            return false;
        }
        let rank = rank(draft, fit, by_what.clone());
        let is_some = rank.is_some();
        draft.meaning.rank = rank;
        is_some
    });
    if draft.meaning.rank.is_none() {
        draft.meaning.rank = by_what.map(|metric| Rank { metric, descending: !draft.has("ascending") });
    }
    for atom in ["sort", "descending", "ascending"] {
        draft.use_all(atom);
    }
}

/// "By number of methods", "sorted by lines".
fn by_metric(draft: &mut Draft<'_>) -> Option<Metric> {
    let mut metric = None;
    draft.apply(&["sort|by by? count? kind|noun|lines count? sort? descending|ascending?"], |draft, fit| {
        let is_agent =
            !fit.has(&draft.units, "count") && !fit.has(&draft.units, "sort") && !fit.has(&draft.units, "lines");
        if is_agent {
            return false;
        }
        metric = comparison_metric(draft, fit);
        metric.is_some()
    });
    metric
}

fn rank(draft: &Draft<'_>, fit: &Fit, by_what: Option<Metric>) -> Option<Rank> {
    let units = &draft.units;
    let descending = !["rank.least", "rank.shortest", "rank.smallest"].iter().any(|atom| fit.has(units, atom));
    let verb = fit.find(units, "verb").filter(|&verb| !units[verb].is("verb.contain"));
    let metric = if let Some(verb) = verb {
        // 调用最多的函数 are those that are called most.
        let has_object = fit.has(units, "kind") || fit.has(units, "anybody");
        let bare_chinese = !units[verb].text.is_ascii() && !has_object;
        let passive =
            units[verb].atom.ends_with(".ed") || fit.has(units, "bei") || fit.has(units, "be") || bare_chinese;
        let kinds = fit.find(units, "kind").and_then(|kind| Kind::of(units[kind].atom)).into_iter().collect();
        verb_metric(units[verb].atom, passive, kinds)?
    } else if fit.has(units, "rank.most") || fit.has(units, "rank.least") {
        comparison_metric(draft, fit)?
    } else {
        by_what.unwrap_or(Metric::Lines)
    };
    Some(Rank { metric, descending })
}

fn limits(draft: &mut Draft<'_>) {
    draft.apply(&["limit number", "number"], |draft, fit| {
        let number = fit.number(&draft.units).filter(|number| (1..=500).contains(number));
        // A bare number is a limit before a kind, as in "the 5 longest functions" and "最长的5个函数".
        let is_limit = fit.has(&draft.units, "limit")
            || (draft.meaning.rank.is_some()
                && fit.last().is_some_and(|last| draft.next_is(last, "kind") || draft.next(last).is_none()))
            || fit.last().is_some_and(|last| draft.next_is(last, "kind") && draft.previous_is(last, "show"));
        if is_limit && draft.meaning.limit.is_none() && number.is_some() {
            draft.meaning.limit = number;
            return true;
        }
        false
    });
    if draft.meaning.rank.is_some() {
        draft.use_all("limit");
    }
}

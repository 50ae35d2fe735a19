//! Where things are written: in a file, in a folder, outside the tests.

use graph::Label;

use super::draft::Draft;
use super::pattern::Fit;
use crate::meaning::{Filter, Kind};
use crate::names::{Entity, How, Wanted, link};

/// Reads all places and marks their words as used.
pub(super) fn read(draft: &mut Draft<'_>) {
    draft.use_all("project");
    draft.apply(OUTSIDE, |draft, fit| place(draft, fit, true));
    draft.apply(INSIDE, |draft, fit| !follows_participle(draft, fit) && place(draft, fit, false));
    draft.apply(&["kind.test kind.class|kind.function|kind.method|kind.file|kind.folder|kind.module"], |draft, fit| {
        let Some(kind) = fit.last() else { return false };
        draft.attached.push((Some(kind), Filter::InTests { negated: false }));
        if let Some(test) = fit.first() {
            draft.units[test].used = true;
        }
        false
    });
}

pub(super) const OUTSIDE: &[&str] = &[
    "outside in? kind.file|kind.folder|kind.module|kind.package? value|kind.test kind.file|kind.folder|kind.module|kind.package? inside? outside?",
    "value|kind.test kind.file|kind.folder|kind.module|kind.package? inside? outside",
    "not in value|kind.test kind.file|kind.folder|kind.module|kind.package? inside?",
];

pub(super) const INSIDE: &[&str] = &[
    "in|from|of kind.file|kind.folder|kind.module|kind.package value",
    "in|from|of value|kind.test kind.file|kind.folder|kind.module|kind.package inside?",
    "in value|kind.test inside?",
    "from|of value",
    "kind.file|kind.folder|kind.module|kind.package value inside|de",
    "value|kind.test kind.file|kind.folder|kind.module|kind.package inside|de",
    "value|kind.test inside",
    "value de kind",
];

/// In "functions called in a.py" the place belongs to the verb.
fn follows_participle(draft: &Draft<'_>, fit: &Fit) -> bool {
    let Some(first) = fit.first() else { return false };
    let follows = draft.previous(first).is_some_and(|at| draft.units[at].atom.ends_with(".ed"));
    // In Chinese the place stands before the verb: 在 a.py 中调用的函数.
    let precedes = fit
        .last()
        .and_then(|last| draft.next(last))
        .is_some_and(|at| draft.units[at].is("verb") && !draft.units[at].is("verb.contain"));
    follows || (precedes && !draft.units[first].text.is_ascii())
}

fn place(draft: &mut Draft<'_>, fit: &Fit, negated: bool) -> bool {
    if let Some(test) = fit.find(&draft.units, "kind.test") {
        let folder = draft.units[test].text.clone();
        let is_folder = fit.has(&draft.units, "kind.folder") && folder.is_ascii();
        let place = if is_folder { link(&folder, &[&[Label::Folder]], draft.names) } else { None };
        let filter = match place.filter(|place| place.how == How::Exact) {
            Some(place) => Filter::Location { place, negated },
            None => Filter::InTests { negated },
        };
        attach(draft, fit, filter);
        return true;
    }
    // 导入 a.py 的文件 import it; they are not in it.
    let is_object = fit.first().is_some_and(|first| draft.previous_is(first, "verb"));
    if is_object && fit.has(&draft.units, "de") {
        return false;
    }
    let Some(value) = fit.find(&draft.units, "value") else { return false };
    let kind =
        fit.items.iter().flatten().find_map(|&index| Kind::of(draft.units[index].atom)).filter(|kind| kind.is_place());
    let text = draft.units[value].text.clone();
    let Some(place) = link_place(draft, &text, kind) else { return false };
    // "Of" and "from" also stand before other things.
    let is_vague = kind.is_none()
        && (fit.has(&draft.units, "of") || fit.has(&draft.units, "from") || !fit.has(&draft.units, "in"));
    if is_vague && !is_location_only(draft, fit) {
        return false;
    }
    attach(draft, fit, Filter::Location { place, negated });
    // The kind of what is asked for is not part of the place.
    if let Some(last) = fit.last().filter(|&last| draft.units[last].is("kind") && kind.is_none()) {
        fit.mark_used(&mut draft.units);
        draft.units[last].used = false;
        return false;
    }
    true
}

/// Whether the place stands by a kind, so that it says where things of that kind are.
fn is_location_only(draft: &Draft<'_>, fit: &Fit) -> bool {
    let before = fit
        .first()
        .and_then(|first| draft.previous(first))
        .is_some_and(|at| draft.units[at].is("kind") || draft.units[at].is("ask"));
    before || fit.has(&draft.units, "inside") || fit.has(&draft.units, "de")
}

fn attach(draft: &mut Draft<'_>, fit: &Fit, filter: Filter) {
    let first = fit.first().unwrap_or(0);
    let before = (0..first).rev().find(|&at| draft.units[at].is("kind") && !draft.units[at].used);
    // In Chinese the place stands before what is there: ctx.py 中的函数.
    let is_before = fit.has(&draft.units, "inside") || fit.has(&draft.units, "de");
    let behind = fit.last().filter(|_| is_before).and_then(|last| kind_behind(draft, last));
    draft.attached.push((behind.or(before), filter));
}

fn kind_behind(draft: &Draft<'_>, last: usize) -> Option<usize> {
    let mut next = draft.next(last);
    while let Some(at) = next
        .filter(|&at| ["de", "all", "ask.which", "rank", "trait", "number"].iter().any(|atom| draft.units[at].is(atom)))
    {
        next = draft.next(at);
    }
    next.filter(|&at| draft.units[at].is("kind"))
}

/// The place that a text names, unless it rather names a class or the like.
pub(super) fn link_place(draft: &Draft<'_>, text: &str, kind: Option<Kind>) -> Option<Entity> {
    let wanted: Wanted = match kind {
        Some(Kind::File) => &[&[Label::File], &[Label::Module]],
        Some(Kind::Folder) => &[&[Label::Folder], &[Label::Package]],
        Some(Kind::Package) => &[&[Label::Package], &[Label::Folder], &[Label::Module]],
        Some(Kind::Module) => &[&[Label::Module], &[Label::Package], &[Label::File], &[Label::Folder]],
        _ if text.contains('/') => &[&[Label::File], &[Label::Folder], &[Label::Module, Label::Package]],
        _ => &[&[Label::File], &[Label::Folder], &[Label::Module], &[Label::Package]],
    };
    if kind.is_none() && !text.contains('/') {
        let types: Wanted = &[&[Label::Class, Label::Interface, Label::Enum, Label::Type]];
        let found = link(text, types, draft.names);
        if found.is_some_and(|found| matches!(found.how, How::Exact | How::Suffix)) {
            return None;
        }
    }
    let place = link(text, wanted, draft.names)?;
    let is_guess = place.how == How::Similar && kind.is_none() && !text.contains(['/', '.']);
    (!is_guess).then_some(place)
}

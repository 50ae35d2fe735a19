//! What is asked for, with the filters and links that were found for it.

use super::draft::Draft;
use super::linking::{note_entity, other};
use super::phrases::Phrase;
use super::read::{Unclear, rest};
use crate::meaning::{Filter, Kind, Link, Other, Reach, Relation, Role};

pub(super) fn use_asking(draft: &mut Draft<'_>) {
    draft.use_all("ask");
    draft.use_all("be");
}

/// Makes this phrase what is asked for.
pub(super) fn take_target(draft: &mut Draft<'_>, phrase: &Phrase) -> Result<(), Unclear> {
    if draft.units.iter().any(|unit| !unit.used && unit.is("kind.variable")) && phrase.kinds.is_empty() {
        return Err(rest(draft));
    }
    set_kinds(draft, phrase);
    if let Some(within) = phrase.within.clone() {
        let other = other(draft, &within, Relation::Contain, Role::Agent)?;
        push_link(draft, Relation::Contain, Role::Patient, other, false);
    }
    Ok(())
}

pub(super) fn set_kinds(draft: &mut Draft<'_>, phrase: &Phrase) {
    draft.meaning.kinds = phrase.kind_list();
    let first = phrase.kinds.first().map(|(_, unit)| *unit);
    draft.meaning.is_singular = first.is_some_and(|unit| draft.units[unit].is_singular() == Some(true));
    for (_, unit) in &phrase.kinds {
        draft.units[*unit].used = true;
    }
    use_asking(draft);
    settle_filters(draft, Some(phrase));
}

/// Moves the filters that speak of what is asked for into the meaning.
pub(super) fn settle_filters(draft: &mut Draft<'_>, phrase: Option<&Phrase>) {
    let own: Vec<usize> = phrase.map(|phrase| phrase.kinds.iter().map(|(_, unit)| *unit).collect()).unwrap_or_default();
    let first_kind = own.first().copied();
    let attached = std::mem::take(&mut draft.attached);
    for (kind, filter) in attached {
        let is_own = kind.is_none_or(|kind| own.contains(&kind) || first_kind.is_none() || draft.units[kind].used);
        if is_own {
            draft.meaning.filters.push(filter);
        } else {
            draft.attached.push((kind, filter));
        }
    }
}

/// The filters that speak of another phrase.
pub(super) fn take_filters(draft: &mut Draft<'_>, phrase: &Phrase) -> Vec<Filter> {
    let own: Vec<usize> = phrase.kinds.iter().map(|(_, unit)| *unit).collect();
    for &unit in &own {
        draft.units[unit].used = true;
    }
    let attached = std::mem::take(&mut draft.attached);
    let (taken, left): (Vec<_>, Vec<_>) =
        attached.into_iter().partition(|(kind, _)| kind.is_some_and(|kind| own.contains(&kind)));
    draft.attached = left;
    taken.into_iter().map(|(_, filter)| filter).collect()
}

pub(super) fn push_link(draft: &mut Draft<'_>, relation: Relation, role: Role, other: Other, negated: bool) {
    // The tests of a function are those that reach it.
    let of_definition =
        matches!(&other, Other::Named(entity) if entity.hits.iter().all(|hit| hit.label.is_definition()));
    let is_tests_of =
        relation == Relation::Contain && role == Role::Patient && draft.meaning.kinds == [Kind::Test] && of_definition;
    let (relation, role) = if is_tests_of { (Relation::Cover, Role::Agent) } else { (relation, role) };
    let endless = matches!(relation, Relation::Reach | Relation::Cover | Relation::Affect);
    let tests_reach =
        relation == Relation::Call && draft.meaning.kinds == [Kind::Test] && draft.reach == Some(Reach::Any);
    let reach = match draft.reach {
        Some(reach) => reach,
        None if endless || tests_reach => Reach::Any,
        None => Reach::Direct,
    };
    let reach = if relation == Relation::Contain { Reach::Direct } else { reach };
    if let Other::Named(entity) = &other {
        let entity = entity.clone();
        note_entity(draft, &entity);
    }
    if draft.meaning.kinds.is_empty() && relation == Relation::Cover && role == Role::Agent {
        draft.meaning.kinds = vec![Kind::Test];
    }
    use_asking(draft);
    settle_filters(draft, None);
    let link = Link { relation, role, other, negated, reach, across_files: draft.across_files };
    draft.meaning.links.push(link);
}

pub(super) fn use_phrase(draft: &mut Draft<'_>, phrase: &Phrase) {
    for index in phrase.values.iter().copied().chain(phrase.kinds.iter().map(|(_, unit)| *unit)) {
        draft.units[index].used = true;
    }
}

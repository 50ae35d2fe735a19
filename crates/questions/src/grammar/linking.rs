//! Links the phrases of a question to the index.

use graph::Label;

use super::draft::Draft;
use super::phrases::Phrase;
use super::read::Unclear;
use super::target::use_phrase;
use super::wanted::{CONTAINERS, TYPES, labels_of, wanted, wanted_for_kind};
use crate::lexicon::values;
use crate::meaning::{Other, Relation, Role};
use crate::names::{Entity, How, Wanted, link, link_words};

pub(super) fn other(draft: &mut Draft<'_>, phrase: &Phrase, relation: Relation, role: Role) -> Result<Other, Unclear> {
    let by_kind = phrase.kinds.first().and_then(|(kind, _)| wanted_for_kind(*kind));
    let found = match by_kind {
        Some(kind_wanted) => {
            entity(draft, phrase, kind_wanted).or_else(|_| entity(draft, phrase, wanted(relation, role)))
        }
        None => entity(draft, phrase, wanted(relation, role)),
    };
    let found = found.and_then(|entity| {
        if is_outside(relation, role) && entity.how == How::Similar && !is_slip(&entity) {
            Err(entity.text)
        } else {
            Ok(entity)
        }
    });
    let outside = is_outside(relation, role);
    match found {
        Ok(entity) => Ok(Other::Named(entity)),
        Err(_) if outside => {
            let text = phrase.text(draft);
            use_phrase(draft, phrase);
            draft.is_unsure = true;
            Ok(Other::Unknown(text))
        }
        Err(unclear) => Err(unclear),
    }
}

/// Whether the kinds beside a name are not those of the thing itself: "the Session methods".
pub(super) fn conflicts(phrase: &Phrase, other: &Other) -> bool {
    match other {
        Other::Named(entity) => !phrase.kind_list().iter().any(|kind| entity.is_any(labels_of(*kind))),
        Other::Unknown(_) | Other::Some(..) | Other::Anything => false,
    }
}

/// Bases and imports may well be outside of the project.
fn is_outside(relation: Relation, role: Role) -> bool {
    role == Role::Patient
        && matches!(relation, Relation::Inherit | Relation::Implement | Relation::Import | Relation::Depend)
}

/// One letter wrong, not another name.
fn is_slip(entity: &Entity) -> bool {
    strsim::osa_distance(&entity.text.to_lowercase(), &entity.hits[0].name.to_lowercase()) <= 1
}

/// What a phrase names. Its owner, if it has one, narrows it down.
pub(super) fn entity(draft: &mut Draft<'_>, phrase: &Phrase, wanted: Wanted) -> Result<Entity, Unclear> {
    let text = phrase.text(draft);
    let found = match phrase.values.as_slice() {
        _ if let Some(found) = with_kind(draft, phrase, wanted) => Some(found),
        [_] => link(&text, wanted, draft.names),
        several => {
            let words: Vec<&str> = several.iter().map(|&index| draft.units[index].text.as_str()).collect();
            link_words(&words, wanted, draft.names)
        }
    };
    let mut found = found.filter(|found| !is_wild_guess(draft, phrase, found)).ok_or_else(|| text.clone())?;
    if let Some(owner) = &phrase.within {
        narrow(draft, &mut found, owner)?;
    }
    use_phrase(draft, phrase);
    Ok(found)
}

/// A name whose first or last word is also a kind: "the session interface", "test client".
fn with_kind(draft: &Draft<'_>, phrase: &Phrase, wanted: Wanted) -> Option<Entity> {
    let [(_, kind)] = phrase.kinds.as_slice() else { return None };
    let mut words: Vec<usize> = phrase.values.clone();
    words.push(*kind);
    words.sort_unstable();
    let is_plain = words.iter().all(|&index| draft.units[index].is("kind") || draft.units[index].atom == values::WORD);
    let texts: Vec<&str> = words.iter().map(|&index| draft.units[index].text.as_str()).collect();
    if is_plain { link_words(&texts, wanted, draft.names) } else { None }
}

/// A plain word is not taken for a slip of the pen, unless it stands by a kind or a relation.
fn is_wild_guess(draft: &Draft<'_>, phrase: &Phrase, found: &Entity) -> bool {
    let is_word = phrase.values.iter().all(|&index| draft.units[index].atom == values::WORD);
    let is_alone = !draft.units.iter().any(|unit| unit.is("verb") || unit.is("noun") || unit.is("kind"));
    found.how == How::Similar && is_word && is_alone
}

fn narrow(draft: &mut Draft<'_>, found: &mut Entity, owner: &Phrase) -> Result<(), Unclear> {
    let text = owner.text(draft);
    let Some(owner_entity) = link(&text, CONTAINERS, draft.names) else { return Err(text) };
    use_phrase(draft, owner);
    let is_inside = |hit: &crate::names::Hit| {
        owner_entity.hits.iter().any(|outer| {
            let by_name = hit
                .qualified_name
                .strip_prefix(&outer.qualified_name)
                .is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
            let by_path = outer.label == Label::File && hit.file_path == outer.file_path
                || outer.label == Label::Folder && hit.file_path.starts_with(&format!("{}/", outer.file_path));
            by_name || by_path
        })
    };
    let inside: Vec<_> = found.hits.iter().filter(|hit| is_inside(hit)).cloned().collect();
    let is_method = found.hits.iter().all(|hit| hit.label == Label::Method);
    if inside.is_empty() && is_method && owner_entity.is_any(TYPES[0]) {
        found.owners = owner_entity.hits;
        found.how = How::Inherited;
        return Ok(());
    }
    if inside.is_empty() {
        return Err(format!("{} in {text}", found.text));
    }
    found.hits = inside;
    found.how = How::Suffix;
    Ok(())
}

/// Says which things were taken where the question left that open.
pub(super) fn note_entity(draft: &mut Draft<'_>, entity: &Entity) {
    let note = match entity.how {
        How::Similar => Some(format!("took '{}' for '{}'", entity.text, entity.hits[0].name)),
        How::Folded if entity.hits[0].name != entity.text => {
            Some(format!("took '{}' for '{}'", entity.text, entity.hits[0].name))
        }
        How::Exact | How::Folded | How::Suffix | How::Inherited => None,
    };
    if entity.how == How::Similar {
        draft.is_unsure = true;
    }
    let several = (entity.hits.len() > 1).then(|| {
        let shown: Vec<&str> = entity.hits.iter().take(5).map(|hit| hit.qualified_name.as_str()).collect();
        let more = if entity.hits.len() > shown.len() { ", …" } else { "" };
        format!("'{}' means {} definitions: {}{more}", entity.text, entity.hits.len(), shown.join(", "))
    });
    let left_out = (entity.left_to_tests > 0).then(|| {
        let (name, count) = (&entity.text, entity.left_to_tests);
        let are = if count == 1 { "is one" } else { "are some" };
        format!("'{name}' means {}; in tests there {are} of that name too, left out", entity.hits[0].qualified_name)
    });
    for note in note.into_iter().chain(several).chain(left_out) {
        if !draft.notes.contains(&note) {
            draft.notes.push(note);
        }
    }
}

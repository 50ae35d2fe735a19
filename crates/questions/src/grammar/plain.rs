//! Questions without a relation: a kind, a name, or things within another.

use super::draft::Draft;
use super::linking::{conflicts, entity, note_entity, other};
use super::phrases::{Part, Phrase};
use super::read::{Unclear, rest};
use super::relation::all_phrases;
use super::target::{push_link, set_kinds, settle_filters, take_filters, take_target, use_asking, use_phrase};
use super::wanted::{DEFINITIONS, TYPES, definition_labels};
use crate::meaning::{Filter, Kind, NameTest, Other, Relation, Role, Subject};
use crate::names::{How, link};

/// No relation: a kind, a name, or things within another.
pub(super) fn plain(draft: &mut Draft<'_>, parts: &[Part]) -> Result<(), Unclear> {
    let phrases = all_phrases(parts);
    let named = phrases.iter().find(|phrase| phrase.is_named()).copied().cloned();
    let target = phrases.iter().find(|phrase| !phrase.is_named() && !phrase.kinds.is_empty()).copied().cloned();
    match (named, target) {
        (None, Some(target)) => {
            if let Some((head, part, negated)) = parts_before_head(draft, parts) {
                return has_parts(draft, &head, &part, negated);
            }
            if let Some(part) = having_parts(draft, parts) {
                return has_parts(draft, &target, &part.0, part.1);
            }
            listing(draft, &target)
        }
        (Some(named), Some(target)) if target.asks && target.kinds.iter().all(|(kind, _)| kind.is_place()) => {
            use_phrase(draft, &target);
            single(draft, &Phrase { kinds: Vec::new(), ..named })
        }
        (Some(named), Some(target)) if has_such(draft, &named).is_some() => {
            let negated = has_such(draft, &named) == Some(false);
            let other = other(draft, &named, Relation::Contain, Role::Patient)?;
            take_target(draft, &target)?;
            draft.use_all("without");
            push_link(draft, Relation::Contain, Role::Agent, other, negated);
            Ok(())
        }
        (Some(named), Some(target)) => {
            let other = other(draft, &named, Relation::Contain, Role::Agent)?;
            take_target(draft, &target)?;
            push_link(draft, Relation::Contain, Role::Patient, other, false);
            Ok(())
        }
        (Some(named), None) => single(draft, &named),
        (None, None) => {
            let has_content = draft.attached.iter().any(|(_, filter)| !matches!(filter, Filter::InTests { .. }));
            let has_size = draft.meaning.rank.is_some();
            if !has_content && !has_size {
                return Err(rest(draft));
            }
            if draft.meaning.kinds.is_empty() {
                draft.meaning.kinds = default_kinds(draft);
            }
            use_asking(draft);
            settle_filters(draft, None);
            Ok(())
        }
    }
}

/// "Classes with a method called save": whether they must have it.
fn has_such(draft: &Draft<'_>, named: &Phrase) -> Option<bool> {
    let before = draft.previous(named.first)?;
    let unit = &draft.units[before];
    if unit.is("without") { Some(false) } else { unit.is("with").then_some(true) }
}

/// "Classes with no methods": the kind behind the preposition, and whether it must be absent.
fn having_parts(draft: &Draft<'_>, parts: &[Part]) -> Option<(Phrase, bool)> {
    let is_such = |part: &Part, prefix: &str| matches!(part, Part::Word(index) if draft.units[*index].is(prefix));
    let at = parts.iter().position(|part| is_such(part, "with") || is_such(part, "without"))?;
    let behind =
        all_phrases(&parts[at + 1..]).into_iter().find(|phrase| !phrase.is_named() && !phrase.kinds.is_empty())?;
    let is_second = !all_phrases(&parts[..at]).is_empty();
    is_second.then(|| (behind.clone(), is_such(&parts[at], "without")))
}

/// 没有方法的类: the head stands behind.
fn parts_before_head(draft: &Draft<'_>, parts: &[Part]) -> Option<(Phrase, Phrase, bool)> {
    let is_such = |index: usize, prefix: &str| draft.units[index].is(prefix);
    parts.windows(4).find_map(|window| match window {
        [Part::Word(with), Part::Phrase(part), Part::Word(de), Part::Phrase(head)]
            if is_such(*de, "de") && (is_such(*with, "with") || is_such(*with, "without")) =>
        {
            let are_kinds = !part.kinds.is_empty() && !head.kinds.is_empty();
            are_kinds.then(|| (head.clone(), part.clone(), is_such(*with, "without")))
        }
        _ => None,
    })
}

fn has_parts(draft: &mut Draft<'_>, target: &Phrase, part: &Phrase, negated: bool) -> Result<(), Unclear> {
    let filters = take_filters(draft, part);
    take_target(draft, target)?;
    draft.use_all("with");
    draft.use_all("without");
    push_link(draft, Relation::Contain, Role::Agent, Other::Some(part.kind_list(), filters), negated);
    Ok(())
}

/// What is meant where a question names no kind: "what is in a.py", "the longest".
fn default_kinds(draft: &Draft<'_>) -> Vec<Kind> {
    let calls = draft.attached.iter().any(|(_, filter)| {
        matches!(
            filter,
            Filter::Decorator { .. } | Filter::Parameter { .. } | Filter::Returns { .. } | Filter::NoParameters
        )
    });
    if calls { vec![Kind::Function, Kind::Method] } else { vec![Kind::Definition] }
}

/// Whether the question is a command to search.
fn searches(draft: &Draft<'_>) -> bool {
    let words = ["find", "search", "search for", "look for", "looking for", "查找", "搜索", "检索", "找", "找出"];
    draft.units.first().is_some_and(|unit| unit.is("show") && words.contains(&unit.text.to_lowercase().as_str()))
}

fn listing(draft: &mut Draft<'_>, target: &Phrase) -> Result<(), Unclear> {
    if target.kind_list() == [Kind::External] && target.within.is_none() {
        draft.meaning.subject = Subject::Externals;
    }
    take_target(draft, target)
}

/// A name alone, or with its kind: "find the lower_items function", "AppContext methods".
pub(super) fn single(draft: &mut Draft<'_>, named: &Phrase) -> Result<(), Unclear> {
    // Nobody does anything in it.
    if draft.has("ask.who") {
        return Err(rest(draft));
    }
    let matching = entity(draft, named, definition_labels(named));
    let is_near = matching.as_ref().is_ok_and(|found| matches!(found.how, How::Folded | How::Similar));
    let is_owner = is_near && link(&named.text(draft), TYPES, draft.names).is_some_and(|owner| owner.how == How::Exact);
    // "In which file is x".
    let in_place = !named.kinds.is_empty() && named.asks && named.kinds.iter().all(|(kind, _)| kind.is_place());
    let matching = if in_place && matching.is_err() { entity(draft, named, DEFINITIONS) } else { matching };
    let is_thing = named.kinds.is_empty() || (matching.is_ok() && !is_owner);
    if named.kinds.is_empty() && matching.is_err() && searches(draft) && named.values.len() == 1 {
        draft.meaning.kinds = vec![Kind::Definition];
        draft.meaning.filters.push(Filter::Name { test: NameTest::Contains, value: named.text(draft), negated: false });
        draft.is_unsure = true;
        use_phrase(draft, named);
        use_asking(draft);
        settle_filters(draft, None);
        return Ok(());
    }
    if is_thing {
        let entity = matching?;
        note_entity(draft, &entity);
        use_phrase(draft, named);
        use_asking(draft);
        draft.meaning.subject = Subject::Definition(entity);
        settle_filters(draft, None);
        return Ok(());
    }
    let other = other(draft, named, Relation::Contain, Role::Agent)?;
    if !conflicts(named, &other) {
        return Err(named.text(draft));
    }
    set_kinds(draft, named);
    push_link(draft, Relation::Contain, Role::Patient, other, false);
    use_asking(draft);
    Ok(())
}

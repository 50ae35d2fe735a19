//! Which relation does a question speak of: a noun such as "callers", a verb, a path, or none?

use super::draft::Draft;
use super::linking::{conflicts, entity, note_entity, other};
use super::phrases::{Part, Phrase};
use super::plain::{plain, single};
use super::read::{Unclear, rest};
use super::settle::{later_clause, settle};
use super::target::{push_link, set_kinds, settle_filters, take_target, use_phrase};
use super::wanted::{CALLABLE, DEFINITIONS, TYPES, wanted};
use super::{phrases, roles};
use crate::meaning::{Filter, NameTest, Other, Reach, Relation, Role, Subject};
use crate::names::{How, link};

/// What the verb, the noun or the plain phrases of a question say.
pub(super) fn relation(draft: &mut Draft<'_>) -> Result<(), Unclear> {
    let parts = phrases::parts(draft);
    if draft.meaning.subject != Subject::Things {
        return special(draft, &parts);
    }
    if path(draft, &parts)? {
        return Ok(());
    }
    let nouns = words(draft, &parts, "noun");
    if nouns.len() > 1
        && nouns
            .iter()
            .all(|&noun| draft.units[unit_of(&parts, noun)].atom == draft.units[unit_of(&parts, nouns[0])].atom)
    {
        return Err(rest(draft));
    }
    if let Some(&noun) = nouns.first() {
        return by_noun(draft, &parts, noun);
    }
    let mut verbs = words(draft, &parts, "verb");
    drop_auxiliary(draft, &parts, &mut verbs);
    match verbs.as_slice() {
        [] if draft.has("change") => by_change(draft, &parts),
        [] => plain(draft, &parts),
        _ => by_verbs(draft, &parts, &verbs),
    }
}

/// The parts that are such words.
pub(super) fn words(draft: &Draft<'_>, parts: &[Part], prefix: &str) -> Vec<usize> {
    let is_such = |part: &Part| matches!(part, Part::Word(index) if draft.units[*index].is(prefix));
    (0..parts.len()).filter(|&at| is_such(&parts[at])).collect()
}

fn unit_of(parts: &[Part], at: usize) -> usize {
    match &parts[at] {
        Part::Word(index) => *index,
        Part::Phrase(phrase) => phrase.first,
    }
}

pub(super) fn all_phrases(parts: &[Part]) -> Vec<&Phrase> {
    parts
        .iter()
        .filter_map(|part| match part {
            Part::Phrase(phrase) => Some(phrase),
            Part::Word(_) => None,
        })
        .collect()
}

/// "Have" and 有 say nothing where another verb does, or where nobody has anything: "有多少个类".
fn drop_auxiliary(draft: &mut Draft<'_>, parts: &[Part], verbs: &mut Vec<usize>) {
    let is_contain = |at: usize, draft: &Draft<'_>| draft.units[unit_of(parts, at)].is("verb.contain");
    if verbs.len() > 1 && verbs.iter().any(|&at| !is_contain(at, draft)) {
        let weak: Vec<usize> =
            verbs.iter().copied().filter(|&at| is_weak(&draft.units[unit_of(parts, at)].text)).collect();
        verbs.retain(|at| !weak.contains(at));
        for at in weak {
            draft.units[unit_of(parts, at)].used = true;
        }
    }
    if let [only] = verbs.as_slice() {
        let at = *only;
        let lonely = all_phrases(parts).iter().all(|phrase| !phrase.is_named())
            && all_phrases(parts).iter().filter(|phrase| !phrase.kinds.is_empty()).count() < 2;
        if is_contain(at, draft) && lonely && is_weak(&draft.units[unit_of(parts, at)].text) {
            draft.units[unit_of(parts, at)].used = true;
            verbs.clear();
        }
    }
}

fn is_weak(text: &str) -> bool {
    matches!(text.to_lowercase().as_str(), "have" | "has" | "有" | "contain" | "contains" | "提供")
}

pub(super) fn special(draft: &mut Draft<'_>, parts: &[Part]) -> Result<(), Unclear> {
    let is_other =
        draft.has("verb.import") || draft.has("noun.import") || draft.has("kind.variable") || draft.has("parameter");
    if draft.meaning.subject == Subject::Unused && is_other {
        return Err(rest(draft));
    }
    let target = all_phrases(parts).into_iter().find(|phrase| !phrase.is_named());
    if let Some(phrase) = target.cloned() {
        take_target(draft, &phrase)?;
    }
    if let Some(named) = all_phrases(parts).into_iter().find(|phrase| phrase.is_named()).cloned() {
        // "Is x recursive", "is x unused".
        let entity = entity(draft, &named, DEFINITIONS)?;
        draft
            .attached
            .push((None, Filter::Name { test: NameTest::Is, value: entity.hits[0].name.clone(), negated: false }));
        note_entity(draft, &entity);
    }
    draft.reads_over = draft.meaning.subject == Subject::EntryPoints && (draft.has("verb") || draft.has("noun"));
    for prefix in ["verb", "kind", "noun", "not", "without", "nobody", "anybody", "self"] {
        draft.use_all(prefix);
    }
    settle_filters(draft, None);
    Ok(())
}

/// A path needs two names.
fn path(draft: &mut Draft<'_>, parts: &[Part]) -> Result<bool, Unclear> {
    let named: Vec<Phrase> = all_phrases(parts).into_iter().filter(|phrase| phrase.is_named()).cloned().collect();
    let asks_path = !words(draft, parts, "noun.path").is_empty()
        || !words(draft, parts, "verb.reach").is_empty()
        || (draft.has("ask.how") && (draft.has("verb.call") || draft.has("verb.use")));
    let mut ends: Vec<Phrase> = named.clone();
    if let [only] = named.as_slice()
        && let Some(inner) = &only.within
    {
        ends = vec![only.clone(), (**inner).clone()];
        ends[0].within = None;
    }
    if let ([only], true) = (ends.as_slice(), ends.len() == 1)
        && only.values.len() == 2
    {
        let (first, second) = (only.values[0], only.values[1]);
        ends = vec![Phrase { values: vec![first], ..only.clone() }, Phrase { values: vec![second], ..only.clone() }];
    }
    let [from, to] = ends.as_slice() else { return Ok(false) };
    if !asks_path {
        return Ok(false);
    }
    let (first, second) = (entity(draft, from, CALLABLE)?, entity(draft, to, CALLABLE)?);
    let backwards = is_backwards(draft, parts);
    note_entity(draft, &first);
    note_entity(draft, &second);
    draft.meaning.subject = if backwards { Subject::Path(second, first) } else { Subject::Path(first, second) };
    for prefix in ["noun", "verb", "kind", "ask", "value", "nametest"] {
        draft.use_all(prefix);
    }
    settle_filters(draft, None);
    Ok(true)
}

/// "To y from x", "how is y reached from x".
fn is_backwards(draft: &Draft<'_>, parts: &[Part]) -> bool {
    let from = words(draft, parts, "from").first().copied();
    let to = words(draft, parts, "to").first().copied();
    let passive = parts.iter().any(|part| matches!(part, Part::Word(index) if draft.units[*index].is("verb") && draft.units[*index].atom.ends_with(".ed")));
    match (from, to) {
        (Some(from), Some(to)) => to < from,
        (Some(_), None) => passive,
        (None, _) => passive && !words(draft, parts, "by").is_empty(),
    }
}

fn by_noun(draft: &mut Draft<'_>, parts: &[Part], noun: usize) -> Result<(), Unclear> {
    let unit = unit_of(parts, noun);
    let atom = draft.units[unit].atom;
    let Some(relation) = Relation::of(atom) else { return Err(draft.units[unit].text.clone()) };
    let role = if atom.contains(".agent") { Role::Agent } else { Role::Patient };
    if atom.ends_with(".deep") {
        draft.reach = draft.reach.or(Some(Reach::Any));
    }
    let phrases = all_phrases(parts);
    let all_named: Vec<Phrase> = phrases.iter().filter(|phrase| phrase.is_named()).copied().cloned().collect();
    // "Is x a subclass of y": rows are of x.
    let named = if all_named.len() == 2 { all_named.last().cloned() } else { all_named.first().cloned() };
    if let [first, _] = all_named.as_slice() {
        let subject = entity(draft, first, wanted(relation, role))?;
        draft.meaning.filters.push(Filter::Location { place: subject, negated: false });
    }
    let kinds = phrases.iter().find(|phrase| !phrase.is_named() && !phrase.kinds.is_empty()).copied().cloned();
    for prefix in ["noun", "verb.contain", "change", "be", "verb.affect", "verb.call"] {
        draft.use_all(prefix);
    }
    if let Some(named) = &named
        && relation == Relation::Implement
        && link(&named.text(draft), TYPES, draft.names).is_none()
    {
        return single(draft, named);
    }
    if let Some(named) = named {
        let other = other(draft, &named, relation, role.opposite())?;
        if let Some(kinds) = &kinds {
            take_target(draft, kinds)?;
        } else if !named.kinds.is_empty() && conflicts(&named, &other) {
            set_kinds(draft, &named);
        }
        push_link(draft, relation, role, other, false);
        return Ok(());
    }
    let negated = draft.use_all("without") | draft.use_all("not") | draft.use_all("nobody");
    match kinds {
        Some(kinds) => {
            take_target(draft, &kinds)?;
            push_link(draft, relation, role.opposite(), Other::Anything, negated);
            Ok(())
        }
        None if relation == Relation::Depend && role == Role::Patient => {
            draft.meaning.subject = Subject::Externals;
            settle_filters(draft, None);
            Ok(())
        }
        None => Err(draft.units[unit].text.clone()),
    }
}

/// "What happens if I change x".
fn by_change(draft: &mut Draft<'_>, parts: &[Part]) -> Result<(), Unclear> {
    let named = all_phrases(parts).into_iter().find(|phrase| phrase.is_named()).cloned();
    let Some(named) = named else { return Err(rest(draft)) };
    let other = other(draft, &named, Relation::Affect, Role::Patient)?;
    draft.use_all("change");
    push_link(draft, Relation::Affect, Role::Agent, other, false);
    Ok(())
}

fn by_verbs(draft: &mut Draft<'_>, parts: &[Part], verbs: &[usize]) -> Result<(), Unclear> {
    let first = verbs[0];
    let end = verbs.get(1).map_or(parts.len(), |&next| clause_start(draft, parts, first, next));
    by_verb(draft, &parts[..end], first, None)?;
    for (index, &verb) in verbs.iter().enumerate().skip(1) {
        let start = clause_start(draft, parts, verbs[index - 1], verb);
        let end = verbs.get(index + 1).map_or(parts.len(), |&next| clause_start(draft, parts, verb, next));
        by_verb(draft, &parts[start..end], verb - start, Some(()))?;
    }
    Ok(())
}

/// Where the clause of the second of two verbs begins: at the conjunction between them.
fn clause_start(draft: &Draft<'_>, parts: &[Part], first: usize, second: usize) -> usize {
    let is_joint = |at: &usize| matches!(parts[*at], Part::Word(index) if ["and", "but", "or", "that", "comma"].iter().any(|atom| draft.units[index].is(atom)));
    (first + 1..second).find(is_joint).unwrap_or(second)
}

/// One verb. A later clause speaks of what the first one asks for.
fn by_verb(draft: &mut Draft<'_>, parts: &[Part], verb: usize, later: Option<()>) -> Result<(), Unclear> {
    let unit = unit_of(parts, verb);
    let (atom, text) = (draft.units[unit].atom, draft.units[unit].text.clone());
    if atom == "verb.about" {
        return about(draft, parts);
    }
    let Some(relation) = Relation::of(atom) else { return Err(text) };
    let clause = roles::clause(draft, parts, verb);
    draft.units[unit].used = true;
    for prefix in ["be", "do", "that", "by", "bei", "de", "not", "without", "change", "yi"] {
        for part in parts {
            if let Part::Word(index) = part
                && draft.units[*index].is(prefix)
            {
                draft.units[*index].used = true;
            }
        }
    }
    if relation == Relation::Affect {
        return affect(draft, parts);
    }
    if later.is_some() {
        return later_clause(draft, relation, &clause);
    }
    settle(draft, relation, clause)
}

/// Whatever the order of words, what is named is what changes.
fn affect(draft: &mut Draft<'_>, parts: &[Part]) -> Result<(), Unclear> {
    let phrases = all_phrases(parts);
    let named = phrases.iter().find(|phrase| phrase.is_named()).copied().cloned();
    let kinds = phrases.iter().find(|phrase| !phrase.is_named() && !phrase.kinds.is_empty()).copied().cloned();
    let Some(named) = named else { return Err(rest(draft)) };
    let other = other(draft, &named, Relation::Affect, Role::Patient)?;
    if let Some(kinds) = kinds {
        take_target(draft, &kinds)?;
    }
    push_link(draft, Relation::Affect, Role::Agent, other, false);
    Ok(())
}

fn about(draft: &mut Draft<'_>, parts: &[Part]) -> Result<(), Unclear> {
    let phrases = all_phrases(parts);
    let Some(named) = phrases.iter().find(|phrase| phrase.is_named()).copied().cloned() else {
        return Err(rest(draft));
    };
    let kinds = phrases.iter().find(|phrase| !phrase.is_named() && !phrase.kinds.is_empty()).copied().cloned();
    let is_thing = link(&named.text(draft), DEFINITIONS, draft.names).is_some_and(|found| found.how == How::Exact);
    if kinds.is_none() && is_thing {
        draft.use_all("verb.about");
        return single(draft, &named);
    }
    let target = kinds.unwrap_or_else(|| Phrase { values: Vec::new(), ..named.clone() });
    take_target(draft, &target)?;
    draft.meaning.subject = Subject::About(named.text(draft));
    draft.is_unsure = true;
    draft.use_all("verb.about");
    use_phrase(draft, &named);
    Ok(())
}

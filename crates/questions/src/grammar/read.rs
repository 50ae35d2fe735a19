//! Reads a question: filters first, then the relation that what is left speaks of.

use graph::Label;

use super::draft::Draft;
use super::phrases::{self, Part, Phrase, Pronoun};
use super::roles;
use super::{filters, places, sizes};
use crate::lexicon::values;
use crate::meaning::{Filter, Kind, Link, NameTest, Other, Reach, Relation, Role, Subject};
use crate::names::{Entity, How, Wanted, link, link_words};

/// Why a question was not understood: the part of it that means nothing here.
pub(crate) type Unclear = String;

/// Fills the meaning of a draft.
pub(crate) fn read(draft: &mut Draft<'_>) -> Result<(), Unclear> {
    commands(draft);
    draft.meaning.asks_where = draft.has("ask.where");
    let asks_for_one = draft.has("ask.which.one");
    specials(draft);
    sizes::read(draft);
    if draft.use_all("count") {
        draft.meaning.counts = true;
    }
    filters::read(draft);
    places::read(draft);
    relation(draft)?;
    draft.meaning.is_singular |= asks_for_one;
    leftovers(draft)
}

/// A command stands at the beginning; further on, the same word may be a name: "who calls get".
fn commands(draft: &mut Draft<'_>) {
    let mut at_beginning = true;
    for index in 0..draft.units.len() {
        let is_command = draft.units[index].is("show");
        let is_name = is_command && !at_beginning && !draft.names.exact(&draft.units[index].text).is_empty();
        at_beginning &= is_command || draft.units[index].is("all");
        if is_name {
            draft.units[index].atom = values::WORD;
        } else if is_command {
            draft.units[index].used = true;
        }
    }
}

const SPECIALS: &[(&str, Subject)] = &[
    ("special.unused", Subject::Unused),
    ("special.mutual", Subject::CallCycles),
    ("special.cycle", Subject::ImportCycles),
    ("special.recursive", Subject::Recursive),
    ("special.entry", Subject::EntryPoints),
];

fn specials(draft: &mut Draft<'_>) {
    for (atom, subject) in SPECIALS {
        if draft.use_all(atom) && draft.meaning.subject == Subject::Things {
            draft.meaning.subject = subject.clone();
        }
    }
    let speaks_of_calls = draft.has("verb.call") || draft.has("kind.function") || draft.has("kind.method");
    if draft.meaning.subject == Subject::ImportCycles && speaks_of_calls && !draft.has("verb.import") {
        draft.meaning.subject = Subject::CallCycles;
    }
}

/// What the verb, the noun or the plain phrases of a question say.
fn relation(draft: &mut Draft<'_>) -> Result<(), Unclear> {
    let parts = phrases::parts(draft);
    if draft.meaning.subject != Subject::Things {
        return special(draft, &parts);
    }
    if path(draft, &parts)? {
        return Ok(());
    }
    let nouns = words(draft, &parts, "noun");
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
fn words(draft: &Draft<'_>, parts: &[Part], prefix: &str) -> Vec<usize> {
    let is_such = |part: &Part| matches!(part, Part::Word(index) if draft.units[*index].is(prefix));
    (0..parts.len()).filter(|&at| is_such(&parts[at])).collect()
}

fn unit_of(parts: &[Part], at: usize) -> usize {
    match &parts[at] {
        Part::Word(index) => *index,
        Part::Phrase(phrase) => phrase.first,
    }
}

fn all_phrases(parts: &[Part]) -> Vec<&Phrase> {
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

fn special(draft: &mut Draft<'_>, parts: &[Part]) -> Result<(), Unclear> {
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
    for prefix in ["noun", "verb", "kind", "ask", "value"] {
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
    let named = phrases.iter().find(|phrase| phrase.is_named()).copied().cloned();
    let kinds = phrases.iter().find(|phrase| !phrase.is_named() && !phrase.kinds.is_empty()).copied().cloned();
    for prefix in ["noun", "verb.contain", "change", "be", "verb.affect", "verb.call"] {
        draft.use_all(prefix);
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

/// Whether the kinds beside a name are not those of the thing itself: "the Session methods".
fn conflicts(phrase: &Phrase, other: &Other) -> bool {
    match other {
        Other::Named(entity) => !phrase.kind_list().iter().any(|kind| entity.is_any(labels_of(*kind))),
        Other::Unknown(_) | Other::Some(..) | Other::Anything => false,
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

fn later_clause(draft: &mut Draft<'_>, relation: Relation, clause: &roles::Clause) -> Result<(), Unclear> {
    let (role, phrase) = if clause.passive { (Role::Patient, &clause.agent) } else { (Role::Agent, &clause.patient) };
    let other = match phrase {
        Some(phrase) if phrase.is_named() => other(draft, phrase, relation, role.opposite())?,
        Some(phrase) if !phrase.kinds.is_empty() => Other::Some(phrase.kind_list(), take_filters(draft, phrase)),
        Some(_) | None => Other::Anything,
    };
    push_link(draft, relation, role, other, clause.negated);
    Ok(())
}

/// Decides which side of a clause is asked for.
fn settle(draft: &mut Draft<'_>, relation: Relation, clause: roles::Clause) -> Result<(), Unclear> {
    let is_test = clause.agent.as_ref().is_some_and(|agent| agent.kind_list() == [Kind::Test]);
    let relation = if relation == Relation::Override && is_test { Relation::Cover } else { relation };
    let is_named = |phrase: &Option<Phrase>| phrase.as_ref().is_some_and(Phrase::is_named);
    let is_itself =
        |phrase: &Option<Phrase>| phrase.as_ref().is_some_and(|phrase| phrase.pronoun == Some(Pronoun::Itself));
    if is_itself(&clause.patient) || is_itself(&clause.agent) {
        draft.meaning.subject = if relation == Relation::Import { Subject::ImportCycles } else { Subject::Recursive };
        if let Some(agent) = clause.agent.filter(|agent| agent.pronoun.is_none()) {
            take_target(draft, &agent)?;
        }
        settle_filters(draft, None);
        return Ok(());
    }
    match (is_named(&clause.agent), is_named(&clause.patient)) {
        (true, true) => both_named(draft, relation, clause),
        (true, false) => one_named(draft, relation, Role::Patient, clause.agent, clause.patient, clause.negated),
        (false, true) => one_named(draft, relation, Role::Agent, clause.patient, clause.agent, clause.negated),
        (false, false) => none_named(draft, relation, clause),
    }
}

fn one_named(
    draft: &mut Draft<'_>,
    relation: Relation,
    role: Role,
    named: Option<Phrase>,
    target: Option<Phrase>,
    negated: bool,
) -> Result<(), Unclear> {
    let Some(named) = named else { return Err(rest(draft)) };
    if relation == Relation::Contain && role == Role::Agent && defines(draft, &named, target.as_ref()) {
        let entity = entity(draft, &named, definition_labels(&named))?;
        note_entity(draft, &entity);
        draft.meaning.subject = Subject::Definition(entity);
        settle_filters(draft, None);
        return Ok(());
    }
    if relation == Relation::Contain && role == Role::Agent && !named.kinds.iter().any(|(kind, _)| kind.is_callable()) {
        // "Classes containing user" speaks of names where nothing has that name.
        let text = named.text(draft);
        if link(&text, DEFINITIONS, draft.names).is_none_or(|found| found.how == How::Similar) {
            let target = target.unwrap_or_default();
            take_target(draft, &target)?;
            draft.meaning.filters.push(Filter::Name { test: NameTest::Contains, value: text, negated });
            draft.is_unsure = true;
            use_phrase(draft, &named);
            return Ok(());
        }
    }
    let other = other(draft, &named, relation, role.opposite())?;
    match target {
        Some(target) => take_target(draft, &target)?,
        None if !named.kinds.is_empty() && conflicts(&named, &other) => set_kinds(draft, &named),
        None => {}
    }
    push_link(draft, relation, role, other, negated);
    Ok(())
}

/// "Where is x defined", "which file defines x".
fn defines(draft: &Draft<'_>, named: &Phrase, target: Option<&Phrase>) -> bool {
    let kinds = target.map(Phrase::kind_list).unwrap_or_default();
    let in_file = !kinds.is_empty()
        && kinds.iter().all(|kind| matches!(kind, Kind::File | Kind::Module | Kind::Folder | Kind::Package));
    let nowhere = kinds.is_empty() && (draft.meaning.asks_where || target.is_none());
    (in_file || nowhere) && !named.kinds.iter().any(|(kind, _)| kind.is_place())
}

fn both_named(draft: &mut Draft<'_>, relation: Relation, clause: roles::Clause) -> Result<(), Unclear> {
    let (Some(agent), Some(patient)) = (clause.agent, clause.patient) else { return Err(rest(draft)) };
    let agent_entity = other(draft, &agent, relation, Role::Agent)?;
    let patient_entity = other(draft, &patient, relation, Role::Patient)?;
    // Rows are of the agent: none if the relation does not hold.
    let Other::Named(entity) = agent_entity else { return Err(agent.text(draft)) };
    draft.meaning.filters.push(Filter::Location { place: entity, negated: false });
    push_link(draft, relation, Role::Agent, patient_entity, false);
    Ok(())
}

fn none_named(draft: &mut Draft<'_>, relation: Relation, clause: roles::Clause) -> Result<(), Unclear> {
    let real =
        |phrase: &Option<Phrase>| phrase.clone().filter(|phrase| phrase.pronoun.is_none() && !phrase.kinds.is_empty());
    let (agent, patient) = (real(&clause.agent), real(&clause.patient));
    if let Some(agent) = &agent
        && let Some(patient) = &patient
    {
        let (target, role, other) =
            if clause.passive && !agent.asks { (patient, Role::Patient, agent) } else { (agent, Role::Agent, patient) };
        let filters = take_filters(draft, other);
        take_target(draft, target)?;
        push_link(draft, relation, role, Other::Some(other.kind_list(), filters), clause.negated);
        return Ok(());
    }
    let is_external = |phrase: &Phrase| phrase.kind_list() == [Kind::External];
    let is_listing = relation == Relation::Contain && !clause.negated;
    if let Some(only) = patient.as_ref().or(agent.as_ref()).filter(|_| is_listing) {
        let only = only.clone();
        return take_target(draft, &only);
    }
    if let Some(patient) = patient {
        if is_external(&patient) && !clause.negated {
            take_target(draft, &patient)?;
            draft.meaning.subject = Subject::Externals;
            return Ok(());
        }
        let unused = clause.negated && matches!(relation, Relation::Call | Relation::Use | Relation::Reach);
        take_target(draft, &patient)?;
        if unused && !patient.kind_list().iter().any(|kind| kind.is_place()) {
            draft.meaning.subject = Subject::Unused;
            return Ok(());
        }
        push_link(draft, relation, Role::Patient, Other::Anything, clause.negated);
        return Ok(());
    }
    if let Some(agent) = agent {
        take_target(draft, &agent)?;
        push_link(draft, relation, Role::Agent, Other::Anything, clause.negated);
        return Ok(());
    }
    if relation == Relation::Depend || relation == Relation::Import {
        draft.meaning.subject = Subject::Externals;
        settle_filters(draft, None);
        return Ok(());
    }
    // A place alone may be what contains, calls or imports: "what does a.py call".
    if let Some(place) = take_place(draft) {
        push_link(draft, relation, Role::Patient, Other::Named(place), clause.negated);
        return Ok(());
    }
    if draft.meaning.rank.is_some() || !draft.meaning.having.is_empty() {
        settle_filters(draft, None);
        return Ok(());
    }
    Err(rest(draft))
}

fn take_place(draft: &mut Draft<'_>) -> Option<Entity> {
    let at = draft.attached.iter().position(|(_, filter)| matches!(filter, Filter::Location { negated: false, .. }))?;
    let (_, filter) = draft.attached.remove(at);
    if let Filter::Location { place, .. } = filter { Some(place) } else { None }
}

fn about(draft: &mut Draft<'_>, parts: &[Part]) -> Result<(), Unclear> {
    let phrases = all_phrases(parts);
    let Some(named) = phrases.iter().find(|phrase| phrase.is_named()).copied().cloned() else {
        return Err(rest(draft));
    };
    let kinds = phrases.iter().find(|phrase| !phrase.is_named() && !phrase.kinds.is_empty()).copied().cloned();
    let target = kinds.unwrap_or_else(|| Phrase { values: Vec::new(), ..named.clone() });
    take_target(draft, &target)?;
    draft.meaning.subject = Subject::About(named.text(draft));
    draft.is_unsure = true;
    draft.use_all("verb.about");
    use_phrase(draft, &named);
    Ok(())
}

/// No relation: a kind, a name, or things within another.
fn plain(draft: &mut Draft<'_>, parts: &[Part]) -> Result<(), Unclear> {
    let phrases = all_phrases(parts);
    let named = phrases.iter().find(|phrase| phrase.is_named()).copied().cloned();
    let target = phrases.iter().find(|phrase| !phrase.is_named() && !phrase.kinds.is_empty()).copied().cloned();
    match (named, target) {
        (None, Some(target)) => listing(draft, &target),
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

fn listing(draft: &mut Draft<'_>, target: &Phrase) -> Result<(), Unclear> {
    if target.kind_list() == [Kind::External] && target.within.is_none() {
        draft.meaning.subject = Subject::Externals;
    }
    take_target(draft, target)
}

/// A name alone, or with its kind: "find the lower_items function", "AppContext methods".
fn single(draft: &mut Draft<'_>, named: &Phrase) -> Result<(), Unclear> {
    let matching = entity(draft, named, definition_labels(named));
    let is_near = matching.as_ref().is_ok_and(|found| matches!(found.how, How::Folded | How::Similar));
    let is_owner = is_near && link(&named.text(draft), TYPES, draft.names).is_some_and(|owner| owner.how == How::Exact);
    let is_thing = named.kinds.is_empty() || (matching.is_ok() && !is_owner);
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

fn use_asking(draft: &mut Draft<'_>) {
    draft.use_all("ask");
    draft.use_all("be");
}

/// Makes this phrase what is asked for.
fn take_target(draft: &mut Draft<'_>, phrase: &Phrase) -> Result<(), Unclear> {
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

fn set_kinds(draft: &mut Draft<'_>, phrase: &Phrase) {
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
fn settle_filters(draft: &mut Draft<'_>, phrase: Option<&Phrase>) {
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
fn take_filters(draft: &mut Draft<'_>, phrase: &Phrase) -> Vec<Filter> {
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

fn push_link(draft: &mut Draft<'_>, relation: Relation, role: Role, other: Other, negated: bool) {
    // The tests of a function are those that reach it.
    let of_definition = matches!(&other, Other::Named(entity) if entity.hits.iter().all(|hit| hit.label.is_definition()));
    let is_tests_of = relation == Relation::Contain && role == Role::Patient && draft.meaning.kinds == [Kind::Test] && of_definition;
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

fn use_phrase(draft: &mut Draft<'_>, phrase: &Phrase) {
    for index in phrase.values.iter().copied().chain(phrase.kinds.iter().map(|(_, unit)| *unit)) {
        draft.units[index].used = true;
    }
}

const DEFINITIONS: Wanted = &[
    &[Label::Function, Label::Method, Label::Class, Label::Interface, Label::Enum, Label::Type],
    &[Label::File, Label::Module],
    &[Label::Folder, Label::Package],
    &[Label::ExternalPackage],
];
const CALLABLE: Wanted = &[
    &[Label::Function, Label::Method],
    &[Label::Class, Label::Interface, Label::Enum, Label::Type],
    &[Label::File, Label::Module],
    &[Label::Folder, Label::Package],
];
const TYPES: Wanted = &[&[Label::Class, Label::Interface, Label::Enum, Label::Type]];
const METHODS: Wanted = &[&[Label::Method], &[Label::Class, Label::Interface, Label::Type], &[Label::Function]];
const PLACES: Wanted = &[
    &[Label::File],
    &[Label::Module],
    &[Label::ExternalPackage],
    &[Label::Package],
    &[Label::Folder],
    &[Label::Function, Label::Method, Label::Class, Label::Interface, Label::Enum, Label::Type],
];
const CONTAINERS: Wanted = &[
    &[Label::Class, Label::Interface, Label::Enum, Label::Type],
    &[Label::File],
    &[Label::Module],
    &[Label::Folder],
    &[Label::Package],
    &[Label::Function, Label::Method],
];

pub(super) fn labels_of(kind: Kind) -> &'static [Label] {
    match kind {
        Kind::Class => &[Label::Class],
        Kind::Function => &[Label::Function, Label::Method],
        Kind::Method | Kind::Constructor => &[Label::Method],
        Kind::Interface => &[Label::Interface],
        Kind::Enum => &[Label::Enum],
        Kind::Type => &[Label::Type, Label::Class, Label::Interface, Label::Enum],
        Kind::Module => &[Label::Module],
        Kind::File => &[Label::File],
        Kind::Folder => &[Label::Folder],
        Kind::Package => &[Label::Package, Label::ExternalPackage],
        Kind::External => &[Label::ExternalPackage],
        Kind::Test => &[Label::Function, Label::Method],
        Kind::Definition => &[Label::Function, Label::Method, Label::Class, Label::Interface, Label::Enum, Label::Type],
    }
}

fn wanted_for_kind(kind: Kind) -> Option<Wanted> {
    Some(match kind {
        Kind::Class => &[&[Label::Class], &[Label::Interface, Label::Enum, Label::Type]],
        Kind::Function => &[&[Label::Function], &[Label::Method]],
        Kind::Method | Kind::Constructor => &[&[Label::Method], &[Label::Function]],
        Kind::Interface => &[&[Label::Interface], &[Label::Class, Label::Type]],
        Kind::Enum => &[&[Label::Enum], &[Label::Class]],
        Kind::Type => &[&[Label::Type, Label::Class, Label::Interface, Label::Enum]],
        Kind::Module => &[&[Label::Module], &[Label::Package], &[Label::File], &[Label::ExternalPackage]],
        Kind::File => &[&[Label::File], &[Label::Module]],
        Kind::Folder => &[&[Label::Folder], &[Label::Package]],
        Kind::Package => &[&[Label::Package], &[Label::ExternalPackage], &[Label::Folder], &[Label::Module]],
        Kind::External => &[&[Label::ExternalPackage]],
        Kind::Test => &[&[Label::Function, Label::Method]],
        Kind::Definition => return None,
    })
}

fn definition_labels(named: &Phrase) -> Wanted {
    named.kinds.first().and_then(|(kind, _)| wanted_for_kind(*kind)).unwrap_or(DEFINITIONS)
}

/// Which things a name may mean in this role of this relation.
fn wanted(relation: Relation, role: Role) -> Wanted {
    match (relation, role) {
        (Relation::Call | Relation::Reach | Relation::Cover | Relation::Affect, _) => CALLABLE,
        (Relation::Use | Relation::Depend, _) => &[
            &[Label::Function, Label::Method, Label::Class, Label::Interface, Label::Enum, Label::Type],
            &[Label::File, Label::Module],
            &[Label::ExternalPackage],
            &[Label::Package, Label::Folder],
        ],
        (Relation::Import, _) => PLACES,
        (Relation::Inherit, _) | (Relation::Create, Role::Patient) => TYPES,
        (Relation::Implement, Role::Patient) => &[&[Label::Interface], &[Label::Class, Label::Type], &[Label::Method]],
        (Relation::Implement, Role::Agent) => TYPES,
        (Relation::Override, _) => METHODS,
        (Relation::Create, Role::Agent) => CALLABLE,
        (Relation::Contain, Role::Agent) => CONTAINERS,
        (Relation::Contain, Role::Patient) => DEFINITIONS,
    }
}

fn other(draft: &mut Draft<'_>, phrase: &Phrase, relation: Relation, role: Role) -> Result<Other, Unclear> {
    let by_kind = phrase.kinds.first().and_then(|(kind, _)| wanted_for_kind(*kind));
    let found = match by_kind {
        Some(kind_wanted) => {
            entity(draft, phrase, kind_wanted).or_else(|_| entity(draft, phrase, wanted(relation, role)))
        }
        None => entity(draft, phrase, wanted(relation, role)),
    };
    let found = found.and_then(|entity| if is_outside(relation, role) && entity.how == How::Similar && !is_slip(&entity) { Err(entity.text) } else { Ok(entity) });
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

/// Bases and imports may well be outside of the project.
fn is_outside(relation: Relation, role: Role) -> bool {
    role == Role::Patient && matches!(relation, Relation::Inherit | Relation::Implement | Relation::Import | Relation::Depend)
}

/// One letter wrong, not another name.
fn is_slip(entity: &Entity) -> bool {
    strsim::osa_distance(&entity.text.to_lowercase(), &entity.hits[0].name.to_lowercase()) <= 1
}

/// What a phrase names. Its owner, if it has one, narrows it down.
fn entity(draft: &mut Draft<'_>, phrase: &Phrase, wanted: Wanted) -> Result<Entity, Unclear> {
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
fn note_entity(draft: &mut Draft<'_>, entity: &Entity) {
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
    for note in note.into_iter().chain(several) {
        if !draft.notes.contains(&note) {
            draft.notes.push(note);
        }
    }
}

/// Words that nothing was made of: an answer that ignores them would be one to another question.
fn leftovers(draft: &mut Draft<'_>) -> Result<(), Unclear> {
    let content = [
        "value",
        "verb",
        "noun",
        "kind",
        "not",
        "docstring",
        "decorator",
        "parameter",
        "returntype",
        "nametest",
        "trait",
        "special",
        "number",
        "compare",
        "rank",
        "change",
        "name",
    ];
    let left: Vec<String> = draft
        .units
        .iter()
        .filter(|unit| !unit.used && content.iter().any(|atom| unit.is(atom)))
        .map(|unit| unit.text.clone())
        .collect();
    if left.is_empty() {
        return Ok(());
    }
    let has_anchor = draft.meaning.links.iter().any(|link| matches!(link.other, Other::Named(_)))
        || matches!(draft.meaning.subject, Subject::Path(..) | Subject::Definition(_));
    let is_heavy = left.len() > 2
        || draft
            .units
            .iter()
            .any(|unit| !unit.used && (unit.is("not") || unit.is("value.quoted") || unit.is("value.code")));
    if has_anchor && !is_heavy {
        draft.is_unsure = true;
        draft.notes.push(format!("left aside: {}", left.join(", ")));
        return Ok(());
    }
    Err(left.join(" "))
}

fn rest(draft: &Draft<'_>) -> Unclear {
    let words: Vec<&str> = draft.units.iter().filter(|unit| !unit.used).map(|unit| unit.text.as_str()).collect();
    words.join(" ")
}

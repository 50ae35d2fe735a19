//! Which side of a clause is asked for, and which is known?

use super::draft::Draft;
use super::linking::{conflicts, entity, note_entity, other};
use super::phrases::{Phrase, Pronoun};
use super::read::{Unclear, rest};
use super::roles;
use super::target::{push_link, set_kinds, settle_filters, take_filters, take_target, use_phrase};
use super::wanted::{DEFINITIONS, definition_labels};
use crate::meaning::{Filter, Kind, NameTest, Other, Relation, Role, Subject};
use crate::names::{Entity, How, link};

pub(super) fn later_clause(draft: &mut Draft<'_>, relation: Relation, clause: &roles::Clause) -> Result<(), Unclear> {
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
pub(super) fn settle(draft: &mut Draft<'_>, relation: Relation, clause: roles::Clause) -> Result<(), Unclear> {
    let mut clause = clause;
    // Calling a constructor is calling its class.
    if let Some(patient) = clause.patient.take() {
        let owner =
            patient.within.clone().filter(|_| patient.kind_list() == [Kind::Constructor] && !patient.is_named());
        clause.patient = Some(owner.map_or(patient, |owner| *owner));
    }
    let is_test = clause.agent.as_ref().is_some_and(|agent| agent.kind_list() == [Kind::Test]);
    let has_method = clause.patient.as_ref().is_some_and(|patient| patient.kind_list() == [Kind::Method]);
    // Classes that implement a method are those that have it.
    let relation = if relation == Relation::Override && is_test {
        Relation::Cover
    } else if relation == Relation::Implement && has_method {
        Relation::Contain
    } else {
        relation
    };
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
        if let Some(target) = &target {
            use_phrase(draft, target);
        }
        let entity = entity(draft, &named, definition_labels(&named))?;
        note_entity(draft, &entity);
        draft.meaning.subject = Subject::Definition(entity);
        settle_filters(draft, None);
        return Ok(());
    }
    let of_symbols = target.as_ref().is_some_and(|target| target.kind_list() == [Kind::Definition]);
    if relation == Relation::Contain && role == Role::Agent && !named.kinds.iter().any(|(kind, _)| kind.is_callable()) {
        // "Classes containing user" speaks of names where nothing has that name.
        let text = named.text(draft);
        if of_symbols || link(&text, DEFINITIONS, draft.names).is_none_or(|found| found.how == How::Similar) {
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
        let asks_patient = (clause.passive || patient.asks) && !agent.asks;
        let (target, other) = if asks_patient { (patient, agent) } else { (agent, patient) };
        let role = if asks_patient { Role::Patient } else { Role::Agent };
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
    // "What packages does the project depend on".
    let patient = patient.or_else(|| agent.clone().filter(is_external));
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

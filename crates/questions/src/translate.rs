//! The way of a question from its text to a query.

use crate::examples;
use crate::grammar::{self, Draft};
use crate::meaning::{Kind, Meaning, Relation, Role, Subject};
use crate::names::Names;
use crate::text::{normalise, scan};
use crate::write::{Summary, write};

/// The longest question that is read, in bytes.
const LONGEST: usize = 2_000;

/// A question as a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Translation {
    pub cypher: String,
    pub summary: Summary,
    /// What was taken for what, and what was left out.
    pub notes: Vec<String>,
    pub confidence: Confidence,
    pub intent: Intent,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Confidence {
    Sure,
    /// A name was corrected, or a word guessed at or left aside.
    Unsure,
}

/// What sort of question it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Intent {
    Find,
    Contents,
    Callers,
    Callees,
    Uses,
    Definition,
    Path,
    Importers,
    Imports,
    Subclasses,
    Superclasses,
    Implementations,
    Overrides,
    Unused,
    Ranking,
    Recursion,
    Cycles,
    Tests,
    EntryPoints,
    ExternalPackages,
    Impact,
}

/// A question that means nothing here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("could not understand '{part}'; questions that work: {}", .examples.join(" | "))]
pub struct NotUnderstood {
    /// The part that was not understood.
    pub part: String,
    /// Three questions that would work in this project.
    pub examples: Vec<String>,
}

/// The query for a question in English or Chinese, with at most `limit` rows.
pub fn translate(question: &str, names: &dyn Names, limit: u32) -> Result<Translation, NotUnderstood> {
    let not_understood = |part: String| NotUnderstood { part: shorten(&part), examples: examples::questions(names) };
    if question.len() > LONGEST {
        return Err(not_understood(question.to_owned()));
    }
    let text = normalise(question);
    let units = grammar::units(&scan(&text), names);
    let (draft, first) = attempt(grammar::as_it_stands(&units, names), names);
    if first.is_ok() && !draft.is_open() {
        return Ok(finish(draft, names, limit));
    }
    if let Some((units, title)) = grammar::without_title(&units, names).filter(|_| first.is_err()) {
        let (mut behind, read) = attempt(units, names);
        if read.is_ok() && !behind.is_unsure && !behind.is_open() {
            behind.notes.push(format!("took '{title}' for a title"));
            return Ok(finish(behind, names, limit));
        }
    }
    for reading in grammar::with_names(&units, names) {
        let (named, read) = attempt(reading.units, names);
        let is_whole = !named.is_unsure && !named.is_open();
        if read.is_ok() && (is_whole || (first.is_err() && !reading.is_bold)) {
            return Ok(finish(named, names, limit));
        }
    }
    match first {
        Ok(()) => Ok(finish(draft, names, limit)),
        Err(part) if part.trim().is_empty() => Err(not_understood(text)),
        Err(part) => Err(not_understood(part)),
    }
}

fn attempt(units: Vec<grammar::Unit>, names: &dyn Names) -> (Draft<'_>, Result<(), String>) {
    let mut draft = Draft::new(units, names);
    let read = grammar::read(&mut draft);
    (draft, read)
}

fn finish(draft: Draft<'_>, names: &dyn Names, limit: u32) -> Translation {
    let written = write(&draft.meaning, names, limit);
    let mut notes = draft.notes;
    notes.extend(written.notes);
    Translation {
        cypher: written.cypher,
        summary: written.summary,
        notes,
        confidence: if draft.is_unsure { Confidence::Unsure } else { Confidence::Sure },
        intent: intent(&draft.meaning),
    }
}

fn intent(meaning: &Meaning) -> Intent {
    match meaning.subject {
        Subject::Definition(_) => return Intent::Definition,
        Subject::Path(..) => return Intent::Path,
        Subject::Unused => return Intent::Unused,
        Subject::Recursive => return Intent::Recursion,
        Subject::CallCycles | Subject::ImportCycles => return Intent::Cycles,
        Subject::EntryPoints => return Intent::EntryPoints,
        Subject::Externals => return Intent::ExternalPackages,
        Subject::Things | Subject::About(_) => {}
    }
    if meaning.rank.is_some() {
        return Intent::Ranking;
    }
    let Some(link) = meaning.links.first() else { return Intent::Find };
    match (link.relation, link.role) {
        (Relation::Cover, _) => Intent::Tests,
        (Relation::Call | Relation::Reach | Relation::Create, Role::Agent) if meaning.kinds == [Kind::Test] => {
            Intent::Tests
        }
        (Relation::Call | Relation::Reach | Relation::Create, Role::Agent) => Intent::Callers,
        (Relation::Call | Relation::Reach | Relation::Create, Role::Patient) => Intent::Callees,
        (Relation::Use, _) => Intent::Uses,
        (Relation::Import | Relation::Depend, Role::Agent) => Intent::Importers,
        (Relation::Import | Relation::Depend, Role::Patient) => Intent::Imports,
        (Relation::Inherit, Role::Agent) => Intent::Subclasses,
        (Relation::Inherit, Role::Patient) => Intent::Superclasses,
        (Relation::Implement, _) => Intent::Implementations,
        (Relation::Override, _) => Intent::Overrides,
        (Relation::Affect, _) => Intent::Impact,
        (Relation::Contain, _) => Intent::Contents,
    }
}

fn shorten(part: &str) -> String {
    const MOST: usize = 120;
    let part = part.trim();
    match part.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &part[..end]),
        None => part.to_owned(),
    }
}

//! What has to be stored, given what is stored already.

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use store::{FileRecord, FileUpdate, GraphUpdate, Part};

use crate::examine::{Change, ExaminedFile};
use crate::fingerprint;
use crate::link::{self, Linked, SourceFile};
use crate::state::{KnownFile, ProjectState};

/// The changes, and what is known once they are stored.
#[derive(Debug)]
pub(crate) struct Planned {
    pub(crate) update: GraphUpdate,
    pub(crate) files: FxHashMap<String, KnownFile>,
    pub(crate) structure_hash: Option<Vec<u8>>,
}

impl Planned {
    pub(crate) fn has_changes(&self) -> bool {
        let GraphUpdate { files, removed, structure, meaning, vectors, .. } = &self.update;
        !files.is_empty() || !removed.is_empty() || structure.is_some() || meaning.is_some() || !vectors.is_empty()
    }
}

/// Compares the files and, where they were linked, their parts of the graph with `state`. With `is_forced` nothing that is
/// stored is trusted.
pub(crate) fn plan(files: Vec<ExaminedFile>, linked: Option<Linked>, state: &ProjectState, is_forced: bool) -> Planned {
    let removed = removed(&files, state);
    let Some(Linked { parts, structure }) = linked else {
        let planned = files.into_iter().map(|file| plan_file(file, None, state)).collect();
        return Planned { structure_hash: state.structure_hash.clone(), ..collect(planned, removed, None) };
    };
    let plan_linked = |(file, part): (ExaminedFile, Option<Part>)| {
        let known = state.files.get(&file.record.path).filter(|_| !is_forced);
        let linked = match part {
            Some(mut part) => {
                let hash = fingerprint::of_part(&mut part);
                let is_stored = known.is_some_and(|known| known.record.graph_hash == hash);
                (hash, (!is_stored).then_some(part))
            }
            None => (known.map(|known| known.record.graph_hash.clone()).unwrap_or_default(), None),
        };
        plan_file(file, Some(linked), state)
    };
    let planned: Vec<_> = files.into_par_iter().zip(parts).map(plan_linked).collect();
    let Some(mut structure) = structure else {
        return Planned { structure_hash: state.structure_hash.clone(), ..collect(planned, removed, None) };
    };
    let structure_hash = fingerprint::of_part(&mut structure);
    let is_stored = !is_forced && state.structure_hash.as_ref() == Some(&structure_hash);
    let structure = (!is_stored).then_some(structure);
    Planned { structure_hash: Some(structure_hash), ..collect(planned, removed, structure) }
}

/// The files that are known but not there any more, by path.
pub(crate) fn removed(files: &[ExaminedFile], state: &ProjectState) -> Vec<String> {
    if files.iter().filter(|file| state.files.contains_key(&file.record.path)).count() == state.files.len() {
        return Vec::new();
    }
    let is_there = |path: &str| files.binary_search_by(|file| file.record.path.as_str().cmp(path)).is_ok();
    let mut removed: Vec<String> = state.files.keys().filter(|path| !is_there(path)).cloned().collect();
    removed.sort_unstable();
    removed
}

fn collect(planned: Vec<(KnownFile, Option<FileUpdate>)>, removed: Vec<String>, structure: Option<Part>) -> Planned {
    let mut files = FxHashMap::default();
    let mut updates = Vec::new();
    for (known, update) in planned {
        files.insert(known.record.path.clone(), known);
        updates.extend(update);
    }
    let update = GraphUpdate { files: updates, removed, structure, ..GraphUpdate::default() };
    Planned { update, files, structure_hash: None }
}

/// What is known of a file from now on, and what changes for it. `linked` is the hash of its part of the graph, and the part
/// itself where it is not stored.
fn plan_file(
    file: ExaminedFile,
    linked: Option<(Vec<u8>, Option<Part>)>,
    state: &ProjectState,
) -> (KnownFile, Option<FileUpdate>) {
    let ExaminedFile { mut record, mut knowledge, change } = file;
    let is_linked = linked.is_some();
    let known = state.files.get(&record.path);
    let part = match linked {
        Some((hash, part)) => {
            record.graph_hash = hash;
            part
        }
        None => known.and_then(|known| {
            knowledge = knowledge.take().or_else(|| known.knowledge.clone());
            record.graph_hash.clone_from(&known.record.graph_hash);
            is_resized(&record, &known.record).then(|| {
                let mut part = bare_part(&record);
                record.graph_hash = fingerprint::of_part(&mut part);
                part
            })
        }),
    };
    let (facts, words) = match change {
        Change::Nothing if part.is_none() => return (KnownFile { record, knowledge }, None),
        Change::Nothing | Change::Record => (None, None),
        // An empty one takes the place of what was stored before; without linking they are what is stored.
        Change::Content { facts, words } => {
            let is_known = known.is_some();
            let has_facts = is_linked && (is_known || !facts.is_empty());
            (has_facts.then_some(facts), (is_known || words.is_some()).then_some(words))
        }
    };
    let update = FileUpdate { record: record.clone(), facts, part, words };
    (KnownFile { record, knowledge }, Some(update))
}

/// Whether its `File` node is another, which without linking happens only to files that have no other.
fn is_resized(record: &FileRecord, known: &FileRecord) -> bool {
    record.lines != known.lines
}

fn bare_part(record: &FileRecord) -> Part {
    link::bare_part(&SourceFile {
        path: &record.path,
        language: None,
        facts: None,
        lines: record.lines,
        manifest: None,
    })
}

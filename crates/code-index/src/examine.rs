//! What has become of each file since the last run?

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use rustc_hash::FxHashSet;
use search::FileWords;
use store::FileRecord;

use crate::analysis::{Analysis, analyse};
use crate::content;
use crate::error::IndexError;
use crate::facts_format::Knowledge;
use crate::fingerprint;
use crate::freshness::is_certainly_same;
use crate::observer::Stage;
use crate::run::Run;
use crate::state::{KnownFile, ProjectState};
use crate::walk::FoundFile;

/// Progress is told once in this many files.
const FILES_PER_REPORT: u64 = 16;

/// A file as it is now. The hash of its part of the graph is still that of the last run.
#[derive(Debug)]
pub(crate) struct ExaminedFile {
    pub(crate) record: FileRecord,
    /// `None` for an unchanged file until it is needed.
    pub(crate) knowledge: Option<Arc<Knowledge>>,
    pub(crate) change: Change,
}

#[derive(Debug)]
pub(crate) enum Change {
    Nothing,
    /// Its size or time, but not what is in it.
    Record,
    Content {
        facts: Vec<u8>,
        words: Option<FileWords>,
    },
}

impl ExaminedFile {
    pub(crate) fn has_new_content(&self) -> bool {
        matches!(self.change, Change::Content { .. })
    }

    /// Whether other parts of the graph than its `File` node may change because of it: not where only words of a remark or a
    /// text are others, and never for text without a grammar.
    pub(crate) fn says_something_new(&self, state: &ProjectState) -> bool {
        let is_same = |known: &KnownFile| match &known.knowledge {
            Some(knowledge) if knowledge.is_empty() => self.knowledge.as_ref() == Some(knowledge),
            Some(_) => {
                known.knowledge == self.knowledge
                    && (known.record.lines, &known.record.language) == (self.record.lines, &self.record.language)
            }
            None => false,
        };
        self.has_new_content() && !state.files.get(&self.record.path).is_some_and(is_same)
    }
}

/// Reads the files that may have changed, in the order in which they were found.
pub(crate) fn examine(run: &Run, found: &[FoundFile], state: &ProjectState) -> Result<Vec<ExaminedFile>, IndexError> {
    let is_unsure = |found: &FoundFile| {
        let known = state.files.get(&found.path);
        run.is_forced() || !known.is_some_and(|known| is_certainly_same(&known.record, found, state.checked_at))
    };
    let unsure: Vec<bool> = found.par_iter().map(is_unsure).collect();
    let progress = Progress::new(run, unsure.iter().filter(|unsure| **unsure).count());
    let look = |(found, is_unsure): (&FoundFile, bool)| {
        if !is_unsure {
            return state.files.get(&found.path).map(|known| ExaminedFile::unchanged(known.record.clone()));
        }
        if run.observer.is_cancelled() {
            return None;
        }
        let known = state.files.get(&found.path).filter(|_| !run.is_forced());
        let examined = look_at(run, found, known.map(|known| &known.record));
        progress.step();
        examined
    };
    let examined: Vec<_> = found.par_iter().zip(unsure).map(look).collect();
    if run.observer.is_cancelled() { Err(IndexError::Cancelled) } else { Ok(examined.into_iter().flatten().collect()) }
}

/// Fills in what unchanged files say. What is lost is read again.
pub(crate) fn complete(
    run: &Run,
    files: Vec<ExaminedFile>,
    state: &mut ProjectState,
) -> Result<Vec<ExaminedFile>, IndexError> {
    if files.iter().all(ExaminedFile::has_new_content) {
        return Ok(files);
    }
    let lost = state.load_knowledge(run.graph)?;
    let fill = |file: ExaminedFile| fill(run, file, state, &lost);
    Ok(files.into_par_iter().filter_map(fill).collect())
}

fn fill(run: &Run, mut file: ExaminedFile, state: &ProjectState, lost: &FxHashSet<String>) -> Option<ExaminedFile> {
    if file.has_new_content() {
        return Some(file);
    }
    if lost.contains(&file.record.path) {
        let FileRecord { path, size, modified, .. } = file.record;
        return look_at(run, &FoundFile { path, size, modified }, None);
    }
    file.knowledge = state.files.get(&file.record.path).and_then(|known| known.knowledge.clone());
    Some(file)
}

/// `None` when the file has gone.
fn look_at(run: &Run, found: &FoundFile, known: Option<&FileRecord>) -> Option<ExaminedFile> {
    let content = match content::read(&run.root.join(&found.path)) {
        Ok(content) => content,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
        Err(error) => return Some(ExaminedFile::unreadable(found, known, &error)),
    };
    match known {
        Some(record) if record.content_hash == fingerprint::of_content(&content) => {
            Some(ExaminedFile::touched(found, record))
        }
        _ => Some(ExaminedFile::changed(found, analyse(&found.path, &content))),
    }
}

impl ExaminedFile {
    fn unchanged(record: FileRecord) -> Self {
        Self { record, knowledge: None, change: Change::Nothing }
    }

    fn touched(found: &FoundFile, known: &FileRecord) -> Self {
        let record = FileRecord { size: found.size, modified: found.modified, ..known.clone() };
        let change = if record == *known { Change::Nothing } else { Change::Record };
        Self { record, knowledge: None, change }
    }

    fn changed(found: &FoundFile, analysis: Analysis) -> Self {
        let Analysis { content_hash, language, lines, problem, knowledge, words } = analysis;
        let record = FileRecord {
            path: found.path.clone(),
            language,
            size: found.size,
            modified: found.modified,
            content_hash,
            graph_hash: Vec::new(),
            lines,
            problem,
        };
        let change = Change::Content { facts: knowledge.to_bytes(), words };
        Self { record, knowledge: Some(Arc::new(knowledge)), change }
    }

    fn unreadable(found: &FoundFile, known: Option<&FileRecord>, error: &io::Error) -> Self {
        let analysis = Analysis::unreadable(&error.to_string());
        match known {
            Some(record) if record.content_hash.is_empty() && record.problem == analysis.problem => {
                Self::touched(found, record)
            }
            _ => Self::changed(found, analysis),
        }
    }
}

struct Progress<'a> {
    run: &'a Run<'a>,
    done: AtomicU64,
    total: u64,
}

impl<'a> Progress<'a> {
    fn new(run: &'a Run<'a>, total: usize) -> Self {
        Self { run, done: AtomicU64::new(0), total: total as u64 }
    }

    fn step(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if done == self.total || done.is_multiple_of(FILES_PER_REPORT) {
            self.run.observer.progress(Stage::Read, done, self.total);
        }
    }
}

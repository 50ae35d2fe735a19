//! What is known of a project between two runs, so that a small change needs little reading.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use store::{FileRecord, ProjectGraph, ProjectInfo};

use crate::analysis::panic_message;
use crate::error::IndexError;
use crate::facts_format::Knowledge;
use crate::freshness::nanoseconds;
use crate::link::{self, Linker, SourceFile};
use crate::walk::Walk;

/// True as long as the graph has the epoch that it was made for.
#[derive(Debug, Default)]
pub(crate) struct ProjectState {
    pub(crate) project: String,
    pub(crate) epoch: u64,
    /// When the files were last compared with their records.
    pub(crate) checked_at: Option<i64>,
    pub(crate) files: FxHashMap<String, KnownFile>,
    /// `None` when it is not known what is stored.
    pub(crate) structure_hash: Option<Vec<u8>>,
    /// What the last run of this process found on disk.
    pub(crate) walk: Option<Walk>,
    /// What the last run of this process linked, and the files whose part of the graph somebody else has stored since.
    pub(crate) linker: Option<Box<Linker>>,
    pub(crate) stored_by_others: FxHashSet<String>,
}

#[derive(Debug, Clone)]
pub(crate) struct KnownFile {
    pub(crate) record: FileRecord,
    /// `None` until it is needed.
    pub(crate) knowledge: Option<Arc<Knowledge>>,
}

impl ProjectState {
    /// What is stored now, with what is still true of an earlier state.
    pub(crate) fn current(
        graph: &dyn ProjectGraph,
        info: &ProjectInfo,
        earlier: Option<Self>,
    ) -> Result<Self, IndexError> {
        let mut earlier = earlier.unwrap_or_default();
        if earlier.epoch == info.epoch && earlier.project == info.name {
            return Ok(earlier);
        }
        let mut stored_by_others = earlier.stored_by_others;
        let mut known = |record: FileRecord| {
            let before = earlier.files.remove(&record.path);
            if before.as_ref().is_some_and(|before| before.record.graph_hash != record.graph_hash) {
                stored_by_others.insert(record.path.clone());
            }
            let same = before.filter(|before| before.record.content_hash == record.content_hash);
            (record.path.clone(), KnownFile { record, knowledge: same.and_then(|same| same.knowledge) })
        };
        let files = graph.files()?.into_iter().map(&mut known).collect();
        // Nothing is stored of the others any more, as where the project was deleted.
        stored_by_others.extend(earlier.files.into_keys());
        Ok(Self {
            project: info.name.clone(),
            epoch: info.epoch,
            checked_at: info.indexed_at.map(nanoseconds),
            files,
            structure_hash: None,
            walk: earlier.walk,
            linker: earlier.linker,
            stored_by_others,
        })
    }

    /// Loads what the files say, as far as it is not there yet. Gives back the paths for which that is lost.
    pub(crate) fn load_knowledge(&mut self, graph: &dyn ProjectGraph) -> Result<FxHashSet<String>, IndexError> {
        let is_missing = |known: &KnownFile| known.knowledge.is_none();
        if !self.files.values().any(is_missing) {
            return Ok(FxHashSet::default());
        }
        let mut stored: Vec<(String, Vec<u8>)> = Vec::new();
        graph.facts(&mut |path, bytes| {
            if self.files.get(path).is_some_and(is_missing) {
                stored.push((path.to_owned(), bytes.to_owned()));
            }
        })?;
        let decoded: Vec<_> =
            stored.into_par_iter().map(|(path, bytes)| (path, Knowledge::from_bytes(&bytes))).collect();
        let mut lost = FxHashSet::default();
        for (path, knowledge) in decoded {
            match (knowledge, self.files.get_mut(&path)) {
                (Some(knowledge), Some(known)) => known.knowledge = Some(knowledge),
                (None, _) | (_, None) => drop(lost.insert(path)),
            }
        }
        let nothing = Arc::<Knowledge>::default();
        for (path, known) in self.files.iter_mut().filter(|(_, known)| known.knowledge.is_none()) {
            known.knowledge = (!lost.contains(path)).then(|| Arc::clone(&nothing));
        }
        Ok(lost)
    }

    /// Links what is stored, if all of it is there.
    pub(crate) fn link_stored(&mut self, graph: &dyn ProjectGraph) -> Result<(), IndexError> {
        if self.linker.is_some() || !self.load_knowledge(graph)?.is_empty() {
            return Ok(());
        }
        let mut files: Vec<&KnownFile> = self.files.values().collect();
        files.sort_unstable_by(|one, other| one.record.path.cmp(&other.record.path));
        let sources: Vec<SourceFile<'_>> =
            files.into_iter().map(|file| source_file(&file.record, file.knowledge.as_deref())).collect();
        let link = || link::link_again(None, &self.project, &sources).0;
        let linker = panic::catch_unwind(AssertUnwindSafe(link))
            .map_err(|payload| IndexError::LinkerFailed { reason: panic_message(&*payload) })?;
        self.linker = Some(Box::new(linker));
        Ok(())
    }
}

/// A file as the linker sees it.
pub(crate) fn source_file<'f>(record: &'f FileRecord, knowledge: Option<&'f Knowledge>) -> SourceFile<'f> {
    SourceFile {
        path: &record.path,
        language: record.language.as_deref(),
        facts: knowledge.and_then(|knowledge| knowledge.facts.as_ref()),
        lines: record.lines,
        manifest: knowledge.and_then(|knowledge| knowledge.manifest.as_deref()),
    }
}

//! One run: from what is on disk to what is stored.

use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use store::{FileVectors, ProjectGraph, ProjectInfo};

use crate::analysis::panic_message;
use crate::error::IndexError;
use crate::examine::{ExaminedFile, complete, examine};
use crate::freshness::nanoseconds;
use crate::glance::Seen;
use crate::link::{self, Linked, Linker, SourceFile};
use crate::meaning::{self, Meaning};
use crate::naming::Root;
use crate::observer::{Observer, Stage};
use crate::report::{IndexReport, SkipReason, Skipped, Timings};
use crate::state::{ProjectState, source_file};
use crate::update::{self, Planned};
use crate::walk::{Changes, Walk};

/// What a run works on, while it holds the project's reservation.
pub(crate) struct Run<'a> {
    pub(crate) root: &'a Path,
    pub(crate) graph: &'a dyn ProjectGraph,
    pub(crate) observer: &'a dyn Observer,
    pub(crate) scope: Scope,
    /// What vectors are to be made by, and what those that are stored were made by.
    pub(crate) meaning: &'a Meaning,
    pub(crate) known: store::Meaning,
    /// Whether what was linked is kept for the next run.
    pub(crate) keeps_linker: bool,
}

/// What of the root a run looks at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Scope {
    /// Everything, and it is read and stored again even where it seems to be as it was.
    Forced,
    Everything,
    /// What changed since the last run of this process: whoever asks knows that nothing else has.
    Changes(Changes),
}

/// What a run leaves.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) report: IndexReport,
    pub(crate) state: ProjectState,
    /// Those that were looked into.
    pub(crate) folders: Vec<String>,
}

impl Finished {
    /// Where there was nothing to do.
    pub(crate) fn unchanged(root: &Root, info: ProjectInfo, seen: Seen, timings: Timings) -> Self {
        let report = IndexReport {
            project: info.name,
            root: root.path.clone(),
            files: info.files,
            parsed: 0,
            unchanged: info.files,
            removed: 0,
            nodes: info.nodes,
            relationships: info.relationships,
            languages: info.languages,
            skipped: seen.skipped,
            is_changed: false,
            without_meaning: None,
            timings,
        };
        Self { report, state: ProjectState::default(), folders: seen.folders }
    }
}

/// What came of making vectors.
#[derive(Debug, Default)]
struct Embedded {
    /// What they are made by, where that is new.
    meaning: Option<store::Meaning>,
    vectors: Vec<FileVectors>,
    /// Why some are missing.
    without: Option<String>,
}

impl Run<'_> {
    /// Compares disk and `state`, and stores the difference. `state` stays true whatever happens.
    pub(crate) fn execute(&self, info: &ProjectInfo, state: &mut ProjectState) -> Result<Finished, IndexError> {
        let started = Timestamp::now();
        let mut timings = Timings::default();
        let mut clock = Instant::now();
        let walk = self.walk(state)?;
        let found = walk.files();
        timings.scan = lap(&mut clock);

        let mut files = examine(self, &found, state)?;
        let is_linked = self.is_forced()
            || info.indexed_at.is_none()
            || files.iter().any(|file| file.says_something_new(state))
            || !update::removed(&files, state).is_empty();
        if is_linked {
            files = complete(self, files, state)?;
        }
        let Embedded { meaning, vectors, without } = self.embed(&files)?;
        timings.read = lap(&mut clock);

        let linked = if is_linked { Some(self.link(&info.name, &files, state)?) } else { None };
        let (linker, linked) = match linked {
            Some((linker, linked)) => (linker, Some(linked)),
            None => (state.linker.take(), None),
        };
        timings.link = lap(&mut clock);

        let parsed = files.iter().filter(|file| file.has_new_content()).count() as u64;
        let planned = update::plan(files, linked, state, self.is_forced());
        let mut planned = planned;
        planned.update.meaning = meaning;
        planned.update.vectors = vectors;
        let is_changed = planned.has_changes();
        let removed = planned.update.removed.len() as u64;
        let (info, mut state) = self.store(planned, info, started)?;
        timings.write = lap(&mut clock);

        let report = IndexReport {
            project: info.name,
            root: self.root.to_owned(),
            files: state.files.len() as u64,
            parsed,
            unchanged: state.files.len() as u64 - parsed,
            removed,
            nodes: info.nodes,
            relationships: info.relationships,
            languages: info.languages,
            skipped: with_problems(walk.skipped(), &state),
            is_changed,
            without_meaning: without,
            timings,
        };
        let folders = walk.folders().map(str::to_owned).collect();
        state.walk = Some(walk);
        state.linker = linker;
        Ok(Finished { report, state, folders })
    }

    /// Makes the vectors that do not follow from words alone: of files with new content and, where everything is looked at, of
    /// those that are stored without.
    fn embed(&self, files: &[ExaminedFile]) -> Result<Embedded, IndexError> {
        let kind = self.meaning.kind();
        let wanted = (kind != self.known).then(|| kind.clone());
        let Meaning::Embedder(embedder) = self.meaning else {
            return Ok(Embedded { meaning: wanted, ..Embedded::default() });
        };
        let is_partial = matches!(self.scope, Scope::Changes(_));
        if is_partial && wanted.is_some() && files.iter().any(|file| !file.has_new_content()) {
            // Those of another embedder are not mixed with these, and only a run that looks at everything can replace them.
            return Ok(Embedded::default());
        }
        let words = self.graph.words()?;
        let stored = if is_partial { Vec::new() } else { words.without_vectors(&kind)? };
        let (vectors, outcome) =
            meaning::embed(self, &**embedder, files, &meaning::Stored { words: &*words, numbers: &stored });
        let without = outcome.err().map(|error| {
            tracing::warn!(%error, "some code is found by words alone until the next run");
            error.to_string()
        });
        // Where nothing was made, what there was before is still of use.
        let meaning = if vectors.is_empty() && without.is_some() { None } else { wanted };
        Ok(Embedded { meaning, vectors, without })
    }

    pub(crate) fn is_forced(&self) -> bool {
        self.scope == Scope::Forced
    }

    fn walk(&self, state: &mut ProjectState) -> Result<Walk, IndexError> {
        match (&self.scope, state.walk.take()) {
            (Scope::Changes(changes), Some(mut walk)) => {
                walk.refresh(self.root, changes, self.observer)?;
                Ok(walk)
            }
            (Scope::Changes(_), None) | (Scope::Everything | Scope::Forced, _) => Walk::of(self.root, self.observer),
        }
    }

    /// Links the files, with what is known of them from the last run. That is given up if anything fails from here on.
    fn link(
        &self,
        project: &str,
        files: &[ExaminedFile],
        state: &mut ProjectState,
    ) -> Result<(Option<Box<Linker>>, Linked), IndexError> {
        self.stop_if_cancelled()?;
        self.observer.progress(Stage::Link, 0, 1);
        let sources: Vec<SourceFile<'_>> =
            files.iter().map(|file| source_file(&file.record, file.knowledge.as_deref())).collect();
        let known = state.linker.take().filter(|_| !self.is_forced());
        let was_known = known.is_some();
        let link = |known: Option<Box<Linker>>| {
            if !self.keeps_linker {
                return (None, link::link(project, &sources));
            }
            let (mut linker, mut linked) = link::link_again(known.map(|linker| *linker), project, &sources);
            for (position, part) in linked.parts.iter_mut().enumerate() {
                if part.is_none() && state.stored_by_others.contains(sources[position].path) {
                    *part = Some(linker.part(position));
                }
            }
            if linked.structure.is_none() && state.structure_hash.is_none() {
                linked.structure = Some(linker.outline());
            }
            (Some(Box::new(linker)), linked)
        };
        let attempt = |known| panic::catch_unwind(AssertUnwindSafe(|| link(known)));
        let linked = attempt(known).or_else(|payload| {
            if !was_known {
                return Err(payload);
            }
            tracing::error!(
                reason = panic_message(&*payload),
                "a change could not be linked; everything is linked anew"
            );
            attempt(None)
        });
        let linked = linked.map_err(|payload| IndexError::LinkerFailed { reason: panic_message(&*payload) })?;
        self.observer.progress(Stage::Link, 1, 1);
        Ok(linked)
    }

    /// Stores what is planned in one step; nothing where nothing changed.
    fn store(
        &self,
        planned: Planned,
        info: &ProjectInfo,
        started: Timestamp,
    ) -> Result<(ProjectInfo, ProjectState), IndexError> {
        self.stop_if_cancelled()?;
        let is_changed = planned.has_changes();
        let Planned { mut update, files, structure_hash } = planned;
        let mut info = info.clone();
        if is_changed {
            self.observer.progress(Stage::Write, 0, 1);
            update.indexed_at = Some(started);
            self.graph.apply(&update)?;
            info = self.graph.info()?;
            self.observer.progress(Stage::Write, 1, 1);
        }
        let state = ProjectState {
            project: info.name.clone(),
            epoch: info.epoch,
            checked_at: Some(nanoseconds(started)),
            files,
            structure_hash,
            ..ProjectState::default()
        };
        Ok((info, state))
    }

    fn stop_if_cancelled(&self) -> Result<(), IndexError> {
        if self.observer.is_cancelled() { Err(IndexError::Cancelled) } else { Ok(()) }
    }
}

/// Also names the files that are nodes of the graph but not wholly in it.
fn with_problems(mut skipped: Vec<Skipped>, state: &ProjectState) -> Vec<Skipped> {
    let problems = state.files.values().filter_map(|known| {
        let problem = known.record.problem.clone()?;
        Some(Skipped { path: known.record.path.clone(), is_folder: false, reason: SkipReason::Incomplete { problem } })
    });
    skipped.extend(problems);
    skipped.sort_unstable();
    skipped
}

fn lap(clock: &mut Instant) -> Duration {
    let lap = clock.elapsed();
    *clock = Instant::now();
    lap
}

//! What every backend must do, as cases that its tests run.
//!
//! A backend's test gives a way to make a fresh, empty store; [`check_documents`], [`check_knowledge`],
//! [`check_experiences`], [`check_audit`], [`check_projects`] and [`check_upstream`] run every case on one of its own and report the
//! failing ones by name. The cases need no async runtime of their own.

mod audit;
mod changes;
mod expect;
mod experience_search;
mod experience_twins;
mod experiences;
mod graphs;
mod knowledge;
mod paging;
mod projects;
mod search;
mod upstream;
mod words;

use std::fmt;
use std::pin::Pin;

use crate::{AuditLog, DocumentStore, Experiences, KnowledgeGraph, ProjectCatalog, Result, UpstreamState};
pub use expect::Problem;

/// One promise, and the way to check it.
pub struct Case<S: ?Sized + 'static> {
    /// The promise as a sentence.
    pub name: &'static str,
    /// Checks it on a store that is empty at first.
    pub run: for<'a> fn(&'a S) -> Running<'a>,
}

/// A case being run.
pub type Running<'a> = Pin<Box<dyn Future<Output = Verdict> + Send + 'a>>;

/// How a case ends.
pub type Verdict = std::result::Result<(), Problem>;

/// All cases for documents.
pub fn document_cases() -> impl Iterator<Item = &'static Case<dyn DocumentStore>> {
    [changes::CASES, search::CASES, paging::CASES].into_iter().flatten()
}

/// All cases for experiences.
pub fn experience_cases() -> impl Iterator<Item = &'static Case<dyn Experiences>> {
    [experiences::CASES, experience_search::CASES, experience_twins::CASES].into_iter().flatten()
}

/// All cases for the audit log.
pub fn audit_cases() -> impl Iterator<Item = &'static Case<dyn AuditLog>> {
    audit::CASES.iter()
}

/// All cases for projects and their graphs.
pub fn project_cases() -> impl Iterator<Item = &'static Case<dyn ProjectCatalog>> {
    [projects::CASES, graphs::CASES, words::CASES].into_iter().flatten()
}

/// All cases for the state of servers that are called.
pub fn upstream_cases() -> impl Iterator<Item = &'static Case<dyn UpstreamState>> {
    upstream::CASES.iter()
}

/// Runs every case for documents, each on a store from `fresh`.
pub async fn check_documents(fresh: impl AsyncFnMut() -> Result<Box<dyn DocumentStore>>) -> Report {
    run(document_cases(), fresh).await
}

/// Runs every case for the knowledge graph, those of `contract/knowledge/` among them, each on a graph from `fresh`.
pub async fn check_knowledge(mut fresh: impl AsyncFnMut() -> Result<Box<dyn KnowledgeGraph>>) -> Report {
    let mut report = run(knowledge::CASES.iter(), &mut fresh).await;
    for case in knowledge::written() {
        let verdict = match fresh().await {
            Ok(graph) => knowledge::run(&case, &*graph).await,
            Err(error) => Err(error.into()),
        };
        report.add(case.name, verdict);
    }
    report
}

/// Runs every case for experiences, each on a store from `fresh`.
pub async fn check_experiences(fresh: impl AsyncFnMut() -> Result<Box<dyn Experiences>>) -> Report {
    run(experience_cases(), fresh).await
}

/// Runs every case for the audit log, each on a log from `fresh`.
pub async fn check_audit(fresh: impl AsyncFnMut() -> Result<Box<dyn AuditLog>>) -> Report {
    run(audit_cases(), fresh).await
}

/// Runs every case for projects, each on a catalog from `fresh`.
pub async fn check_projects(fresh: impl AsyncFnMut() -> Result<Box<dyn ProjectCatalog>>) -> Report {
    run(project_cases(), fresh).await
}

/// Runs every case for the state of servers that are called, each on one from `fresh`.
pub async fn check_upstream(fresh: impl AsyncFnMut() -> Result<Box<dyn UpstreamState>>) -> Report {
    run(upstream_cases(), fresh).await
}

/// Which promises were kept.
#[derive(Debug, Default)]
pub struct Report {
    pub passed: Vec<&'static str>,
    pub failed: Vec<(&'static str, Problem)>,
}

impl Report {
    /// Whether every promise was kept.
    pub fn is_clean(&self) -> bool {
        self.failed.is_empty() && !self.passed.is_empty()
    }

    fn add(&mut self, name: &'static str, verdict: Verdict) {
        match verdict {
            Ok(()) => self.passed.push(name),
            Err(problem) => self.failed.push((name, problem)),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { passed, failed } = self;
        writeln!(f, "{} of {} cases failed", failed.len(), passed.len() + failed.len())?;
        failed.iter().try_for_each(|(name, problem)| writeln!(f, "- {name}: {problem}"))
    }
}

async fn run<S: ?Sized + 'static>(
    cases: impl Iterator<Item = &'static Case<S>>,
    mut fresh: impl AsyncFnMut() -> Result<Box<S>>,
) -> Report {
    let mut report = Report::default();
    for case in cases {
        let verdict = match fresh().await {
            Ok(store) => (case.run)(&store).await,
            Err(error) => Err(error.into()),
        };
        report.add(case.name, verdict);
    }
    report
}

impl<S: ?Sized + 'static> fmt::Debug for Case<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Case").field("name", &self.name).finish_non_exhaustive()
    }
}

//! The promises that every backend makes, on the embedded store.

use std::path::{Path, PathBuf};
use std::time::Duration;

use store::behaviour::{self, Report};
use store_sqlite::{AuditLimits, SqliteAuditLog, SqliteProjects, SqliteStore};
use test_servers::record;

/// A new folder for each case.
fn folders(root: &Path) -> impl Iterator<Item = PathBuf> {
    (0..).map(|number| root.join(format!("store-{number}")))
}

fn judge(subject: &str, report: &Report) {
    record("embedded", subject, &report.passed, report.failed.iter().map(|(name, _)| *name));
    assert!(report.is_clean(), "{report}");
}

#[tokio::test]
async fn documents_behave_as_promised() {
    let root = tempfile::tempdir().unwrap();
    let mut folders = folders(root.path());
    let fresh = async || Ok(Box::new(SqliteStore::open(folders.next().unwrap())) as _);
    judge("documents", &behaviour::check_documents(fresh).await);
}

#[tokio::test]
async fn the_knowledge_graph_behaves_as_promised() {
    let root = tempfile::tempdir().unwrap();
    let mut folders = folders(root.path());
    let fresh = async || Ok(Box::new(SqliteStore::open(folders.next().unwrap())) as _);
    judge("knowledge", &behaviour::check_knowledge(fresh).await);
}

#[tokio::test]
async fn experiences_behave_as_promised() {
    let root = tempfile::tempdir().unwrap();
    let mut folders = folders(root.path());
    let fresh = async || Ok(Box::new(SqliteStore::open(folders.next().unwrap())) as _);
    judge("experiences", &behaviour::check_experiences(fresh).await);
}

#[tokio::test]
async fn the_audit_log_behaves_as_promised() {
    let root = tempfile::tempdir().unwrap();
    let mut folders = folders(root.path());
    let limits = AuditLimits { max_age: Duration::from_secs(3600), max_bytes: 64 << 20 };
    let fresh = async || Ok(Box::new(SqliteAuditLog::open(folders.next().unwrap(), limits)) as _);
    judge("audit", &behaviour::check_audit(fresh).await);
}

#[tokio::test]
async fn projects_behave_as_promised() {
    let root = tempfile::tempdir().unwrap();
    let mut folders = folders(root.path());
    let fresh = async || Ok(Box::new(SqliteProjects::open(folders.next().unwrap())) as _);
    judge("projects", &behaviour::check_projects(fresh).await);
}

#[tokio::test]
async fn the_state_of_servers_behaves_as_promised() {
    let root = tempfile::tempdir().unwrap();
    let mut folders = folders(root.path());
    let fresh = async || Ok(Box::new(SqliteStore::open(folders.next().unwrap())) as _);
    judge("upstream", &behaviour::check_upstream(fresh).await);
}

//! The promises that every backend makes.

use std::time::Duration;

use store::behaviour;
use store_sqlite::{AuditLimits, SqliteAuditLog, SqliteProjects, SqliteStore};

#[tokio::test]
async fn documents_behave_as_promised() {
    let root = tempfile::tempdir().unwrap();
    let mut folders = (0..).map(|number| root.path().join(format!("store-{number}")));
    let report = behaviour::check_documents(async || {
        let folder = folders.next().expect("the numbers do not end");
        Ok(Box::new(SqliteStore::open(folder)) as _)
    })
    .await;
    assert!(report.is_clean(), "{report}");
}

#[tokio::test]
async fn the_knowledge_graph_behaves_as_promised() {
    let root = tempfile::tempdir().unwrap();
    let mut folders = (0..).map(|number| root.path().join(format!("store-{number}")));
    let report = behaviour::check_knowledge(async || {
        let folder = folders.next().expect("the numbers do not end");
        Ok(Box::new(SqliteStore::open(folder)) as _)
    })
    .await;
    assert!(report.is_clean(), "{report}");
}

#[tokio::test]
async fn experiences_behave_as_promised() {
    let root = tempfile::tempdir().unwrap();
    let mut folders = (0..).map(|number| root.path().join(format!("store-{number}")));
    let report = behaviour::check_experiences(async || {
        let folder = folders.next().expect("the numbers do not end");
        Ok(Box::new(SqliteStore::open(folder)) as _)
    })
    .await;
    assert!(report.is_clean(), "{report}");
}

#[tokio::test]
async fn the_audit_log_behaves_as_promised() {
    let root = tempfile::tempdir().unwrap();
    let limits = AuditLimits { max_age: Duration::from_secs(3600), max_bytes: 64 << 20 };
    let mut folders = (0..).map(|number| root.path().join(format!("log-{number}")));
    let report = behaviour::check_audit(async || {
        let folder = folders.next().expect("the numbers do not end");
        Ok(Box::new(SqliteAuditLog::open(folder, limits)) as _)
    })
    .await;
    assert!(report.is_clean(), "{report}");
}

#[tokio::test]
async fn projects_behave_as_promised() {
    let root = tempfile::tempdir().unwrap();
    let mut folders = (0..).map(|number| root.path().join(format!("projects-{number}")));
    let report = behaviour::check_projects(async || {
        let folder = folders.next().expect("the numbers do not end");
        Ok(Box::new(SqliteProjects::open(folder)) as _)
    })
    .await;
    assert!(report.is_clean(), "{report}");
}

#[tokio::test]
async fn the_state_of_servers_behaves_as_promised() {
    let root = tempfile::tempdir().unwrap();
    let mut folders = (0..).map(|number| root.path().join(format!("state-{number}")));
    let report = behaviour::check_upstream(async || {
        let folder = folders.next().expect("the numbers do not end");
        Ok(Box::new(SqliteStore::open(folder)) as _)
    })
    .await;
    assert!(report.is_clean(), "{report}");
}

//! The promises that every backend makes.

use store::behaviour::{self, Report};
use test_servers::record;

use crate::{fresh, server};

fn judge(subject: &str, report: &Report) {
    record("postgres", subject, &report.passed, report.failed.iter().map(|(name, _)| *name));
    assert!(report.is_clean(), "{report}");
}

#[tokio::test(flavor = "multi_thread")]
async fn documents_behave_as_promised() {
    let server = server();
    judge("documents", &behaviour::check_documents(async || Ok(Box::new(fresh(&server)) as _)).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn experiences_behave_as_promised() {
    let server = server();
    judge("experiences", &behaviour::check_experiences(async || Ok(Box::new(fresh(&server)) as _)).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_knowledge_graph_behaves_as_promised() {
    let server = server();
    judge("knowledge", &behaviour::check_knowledge(async || Ok(Box::new(fresh(&server)) as _)).await);
}

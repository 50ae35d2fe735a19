//! What the cases share: making documents, comparing, running calls at once.

use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;

use super::Verdict;
use crate::{Document, DocumentId, DocumentStore, ErrorKind, NewDocument, Result, StoreError};

/// Why a promise was not kept.
#[derive(Debug)]
pub struct Problem(String);

impl Problem {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        Self(format!("unexpected {:?} error: {error}", error.kind()))
    }
}

pub(super) fn equal<T: PartialEq + fmt::Debug>(what: &str, actual: T, expected: T) -> Verdict {
    holds(actual == expected, || format!("{what}: got {actual:?}, expected {expected:?}"))
}

pub(super) fn holds(condition: bool, problem: impl FnOnce() -> String) -> Verdict {
    if condition { Ok(()) } else { Err(Problem(problem())) }
}

pub(super) fn fails_with<T: fmt::Debug>(what: &str, kind: ErrorKind, result: Result<T>) -> Verdict {
    match result {
        Err(error) => equal(what, error.kind(), kind),
        Ok(value) => Err(Problem(format!("{what}: got {value:?}, expected a {kind:?} error"))),
    }
}

pub(super) fn document(topic: &str, content: &str, tags: &[&str]) -> NewDocument {
    let tags = tags.iter().map(|tag| (*tag).to_owned()).collect();
    NewDocument { topic: topic.to_owned(), content: content.to_owned(), tags, source: None }
}

pub(super) fn ids(documents: &[Document]) -> Vec<DocumentId> {
    documents.iter().map(|document| document.id).collect()
}

pub(super) fn topics(documents: &[Document]) -> Vec<&str> {
    documents.iter().map(|document| document.topic.as_str()).collect()
}

/// Saves documents one after another under these topics.
pub(super) async fn save_topics(store: &dyn DocumentStore, topics: &[&str]) -> Result<Vec<DocumentId>> {
    let mut ids = Vec::new();
    for topic in topics {
        ids.push(store.save(document(topic, "some content", &[])).await?);
    }
    Ok(ids)
}

/// Runs futures at the same time and gives their results in order.
pub(super) async fn all_at_once<T>(futures: impl IntoIterator<Item = impl Future<Output = T>>) -> Vec<T> {
    let mut pending: Vec<Pin<Box<_>>> = futures.into_iter().map(Box::pin).collect();
    let mut results: Vec<Option<T>> = pending.iter().map(|_| None).collect();
    poll_fn(|context| {
        for (future, result) in pending.iter_mut().zip(&mut results).filter(|(_, result)| result.is_none()) {
            if let Poll::Ready(value) = future.as_mut().poll(context) {
                *result = Some(value);
            }
        }
        if results.iter().all(Option::is_some) { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    results.into_iter().flatten().collect()
}

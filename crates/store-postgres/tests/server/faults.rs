//! What happens when the server is not there, is killed, does not answer, or does not let us in.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use store::{
    DocumentId, DocumentStore, ErrorKind, ExperienceId, ExperiencePage, Experiences, NewDocument, NewExperience,
    StoreError,
};
use store_postgres::{Address, PostgresStore};
use test_servers::PASSWORD;

use crate::{SETTING, address, server};

fn document(topic: &str) -> NewDocument {
    NewDocument { topic: topic.to_owned(), content: "content".to_owned(), tags: Vec::new(), source: None }
}

fn experience(title: &str) -> NewExperience {
    NewExperience {
        title: title.to_owned(),
        problem_description: "problem".to_owned(),
        root_cause: None,
        solution: "solution".to_owned(),
        context: None,
        keywords: Vec::new(),
    }
}

/// It says what an operator needs, and nothing of the password.
fn assert_clear(error: &StoreError) {
    assert_eq!(error.kind(), ErrorKind::Unavailable, "{error}");
    assert!(error.hint().is_some_and(|hint| hint.contains(SETTING)), "{error}: {:?}", error.hint());
    let all = format!("{error} {error:?}");
    assert!(!all.contains(PASSWORD) && !all.contains("wrongword"), "{all}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_down_at_first_is_used_once_it_is_up() {
    let mut server = server();
    let store = PostgresStore::open(address(&server), SETTING);
    server.kill();
    for _ in 0..2 {
        assert_clear(&store.save(document("too early")).await.unwrap_err());
    }
    server.restart().unwrap();
    store.save(document("now")).await.unwrap();
    assert_eq!(DocumentStore::count(&store).await.unwrap(), 1);
}

/// What was acknowledged of the documents and experiences that this writer gave away.
async fn write_until(
    stop: Arc<AtomicBool>,
    store: PostgresStore,
    writer: usize,
) -> (Vec<DocumentId>, Vec<ExperienceId>) {
    let (mut documents, mut experiences) = (Vec::new(), Vec::new());
    let mut number = 0;
    while !stop.load(Ordering::Relaxed) {
        number += 1;
        let title = format!("{writer}-{number}");
        documents.extend(store.save(document(&title)).await);
        experiences.extend(store.submit(experience(&title)).await.map(|submitted| submitted.id));
    }
    (documents, experiences)
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_acknowledged_is_lost_or_doubled_when_the_server_is_killed_in_a_burst_of_writes() {
    let mut server = server();
    let store = PostgresStore::open(address(&server), SETTING);
    store.save(document("first")).await.unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    let writers: Vec<_> =
        (0..16).map(|writer| tokio::spawn(write_until(stop.clone(), store.clone(), writer))).collect();
    tokio::time::sleep(Duration::from_millis(400)).await;
    server.kill();
    tokio::time::sleep(Duration::from_millis(200)).await;
    server.restart().unwrap();
    tokio::time::sleep(Duration::from_millis(400)).await;
    stop.store(true, Ordering::Relaxed);
    let (mut documents, mut experiences) = (Vec::new(), Vec::new());
    for writer in writers {
        let (saved, submitted) = writer.await.unwrap();
        documents.extend(saved);
        experiences.extend(submitted);
    }
    assert!(documents.len() > 10 && experiences.len() > 10, "{} and {}", documents.len(), experiences.len());
    let kept: Vec<_> =
        DocumentStore::newest(&store, usize::MAX, None).await.unwrap().into_iter().map(|kept| kept.id).collect();
    let distinct: HashSet<_> = kept.iter().copied().collect();
    assert_eq!(distinct.len(), kept.len());
    assert!(documents.iter().all(|id| distinct.contains(id)), "an acknowledged document is gone");
    let page = ExperiencePage { limit: usize::MAX, after: None, deleted: false };
    let kept: HashSet<_> = Experiences::newest(&store, page).await.unwrap().into_iter().map(|kept| kept.id).collect();
    assert!(experiences.iter().all(|id| kept.contains(id)), "an acknowledged experience is gone");
    let search = store::ExperienceSearch { words: "problem".to_owned(), limit: 1, offset: 0 };
    assert_eq!(store.search(search).await.unwrap().total, kept.len() as u64, "what is kept is found");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_does_not_answer_keeps_nobody_longer_than_they_wait_and_poisons_no_connection() {
    let server = server();
    let store = PostgresStore::open(address(&server), SETTING);
    let id = store.save(document("before")).await.unwrap();
    server.pause();
    let started = Instant::now();
    let calls = (0..20).map(|_| tokio::time::timeout(Duration::from_secs(1), DocumentStore::get(&store, id)));
    for call in futures::future::join_all(calls).await {
        assert!(call.is_err(), "a paused server answered");
    }
    assert!(started.elapsed() < Duration::from_secs(4), "{:?}", started.elapsed());
    let error = DocumentStore::get(&store, id).await.unwrap_err();
    assert_clear(&error);
    assert!(error.to_string().contains("did not answer") || error.to_string().contains("cannot reach"), "{error}");
    server.resume();
    for _ in 0..20 {
        assert_eq!(DocumentStore::get(&store, id).await.unwrap().topic, "before");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_statement_that_nobody_waits_for_is_ended_on_the_server() {
    let server = server();
    let store = PostgresStore::open(address(&server), SETTING);
    let id = store.save(document("locked")).await.unwrap();
    let (mut locker, connection) = tokio_postgres::connect(&server.url(), tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    let lock = locker.transaction().await.unwrap();
    lock.execute("LOCK TABLE trailmark.document IN ACCESS EXCLUSIVE MODE", &[]).await.unwrap();
    assert!(tokio::time::timeout(Duration::from_millis(300), DocumentStore::get(&store, id)).await.is_err());
    let waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
    let until = Instant::now() + Duration::from_secs(3);
    while lock.query_one(waiting, &[]).await.unwrap().get::<_, i64>(0) > 0 {
        assert!(Instant::now() < until, "the statement still waits");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let error = DocumentStore::get(&store, id).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unavailable);
    assert!(error.to_string().contains("lock timeout"), "{error}");
    lock.rollback().await.unwrap();
    assert_eq!(DocumentStore::get(&store, id).await.unwrap().topic, "locked");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_password_and_a_wrong_database_are_told_without_the_password() {
    let server = server();
    let wrong = server.url().replace(PASSWORD, "wrongword");
    let store = PostgresStore::open(wrong.parse::<Address>().unwrap(), SETTING);
    let error = DocumentStore::count(&store).await.unwrap_err();
    assert_clear(&error);
    assert!(error.to_string().contains("does not let user `postgres` in"), "{error}");
    assert!(!format!("{store:?}").contains("wrongword"));

    let elsewhere = format!("{}/nowhere", server.url().strip_suffix("/postgres").unwrap());
    let error = DocumentStore::count(&PostgresStore::open(elsewhere.parse().unwrap(), SETTING)).await.unwrap_err();
    assert_clear(&error);
    assert!(error.to_string().contains("no database `nowhere`"), "{error}");
}

//! Tables are made once, whoever comes first, and only by those who know them.

use std::sync::Arc;

use store::{DocumentStore as _, ErrorKind, NewDocument};
use store_postgres::PostgresStore;

use crate::{SETTING, address, server};

fn document(topic: &str) -> NewDocument {
    NewDocument { topic: topic.to_owned(), content: "content".to_owned(), tags: Vec::new(), source: None }
}

#[tokio::test(flavor = "multi_thread")]
async fn many_that_start_at_once_find_one_set_of_tables() {
    let server = server();
    let stores: Vec<_> = (0..12).map(|_| Arc::new(PostgresStore::open(address(&server), SETTING))).collect();
    let saves = stores.iter().map(|store| {
        let store = store.clone();
        tokio::spawn(async move { store.save(document("at once")).await })
    });
    for save in futures::future::join_all(saves).await {
        save.unwrap().unwrap();
    }
    assert_eq!(stores[0].count().await.unwrap(), 12);
}

#[tokio::test(flavor = "multi_thread")]
async fn tables_that_are_gone_are_made_again_and_newer_ones_are_left_alone() {
    let server = server();
    let store = PostgresStore::open(address(&server), SETTING);
    store.save(document("first")).await.unwrap();
    let (client, connection) = tokio_postgres::connect(&server.url(), tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    client.batch_execute("DROP SCHEMA trailmark CASCADE").await.unwrap();
    assert_eq!(store.count().await.unwrap_err().kind(), ErrorKind::Unexpected);
    assert_eq!(store.count().await.unwrap(), 0);

    client.batch_execute("INSERT INTO trailmark.migration (version) VALUES (1000)").await.unwrap();
    let later = PostgresStore::open(address(&server), SETTING);
    let error = later.count().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert!(error.to_string().contains("newer Trailmark"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_null_character_is_refused_and_nothing_is_kept() {
    let server = server();
    let store = PostgresStore::open(address(&server), SETTING);
    let error = store.save(document("a\0b")).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidInput);
    assert!(error.to_string().contains("null character"), "{error}");
    assert_eq!(store.count().await.unwrap(), 0);
}

//! What the embedded store's own word index does beyond the promises of all backends.

use store::{DocumentStore as _, NewDocument};
use store_sqlite::SqliteStore;

use crate::sample::document;

async fn check(topic: &str, question: &str, found: bool) {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path());
    store.save(NewDocument { content: String::new(), tags: Vec::new(), ..document(topic) }).await.unwrap();
    let count = store.find_by_topic(question, 5).await.unwrap().len();
    assert_eq!(count == 1, found, "`{question}` in `{topic}`");
}

#[tokio::test]
async fn english_words_are_found_in_other_forms() {
    check("indexing strategies", "index strategy", true).await;
    check("connected clients", "connection client", true).await;
}

#[tokio::test]
async fn accents_may_be_left_out() {
    check("Café résumé", "cafe resume", true).await;
    check("Nẵng", "nang", true).await;
}

#[tokio::test]
async fn characters_newer_than_the_engine_are_found() {
    check("𰻞𰻞面", "𰻞面", true).await;
    check("𰻞𰻞面", "𰻞", true).await;
}

/// The index holds the stem `configur`; a beginning that is longer than the stem and no word itself is not found.
#[tokio::test]
async fn a_beginning_longer_than_the_stem_is_not_found() {
    check("configuration", "configu", true).await;
    check("configuration", "configurati", false).await;
}

//! Experiences by what they mean: words that mean the same, and vectors of an embedder.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use search::embed::{EmbedError, Embedder, Vector};
use store::{ErrorKind, ExperienceId, ExperienceSearch, Experiences, FoundExperiences};
use store_sqlite::SqliteStore;

use crate::experiences::experience;
use crate::sample::assert_sound;

/// Knows three subjects by a few words each, and nothing else.
#[derive(Debug, Default)]
struct Subjects {
    fails: AtomicBool,
}

const SUBJECTS: [&[&str]; 3] =
    [&["cat", "feline", "kitten"], &["train", "railway", "locomotive"], &["bread", "bakery", "loaf"]];

impl Embedder for Subjects {
    fn fingerprint(&self) -> &str {
        "three subjects"
    }

    fn dimensions(&self) -> Option<usize> {
        Some(4)
    }

    fn embed(&self, texts: &[String]) -> Result<Vec<Vector>, EmbedError> {
        if self.fails.load(Ordering::Relaxed) {
            return Err(EmbedError::Failed { reason: "it is switched off".to_owned() });
        }
        let numbers = |text: &String| {
            let about = SUBJECTS.map(|words| if words.iter().any(|word| text.contains(word)) { 1.0 } else { 0.0 });
            Vector::new(&[about[0], about[1], about[2], 0.1]).unwrap()
        };
        Ok(texts.iter().map(numbers).collect())
    }
}

async fn search(store: &SqliteStore, words: &str) -> FoundExperiences {
    store.search(ExperienceSearch { words: words.to_owned(), limit: 10, offset: 0 }).await.unwrap()
}

fn ids(found: &FoundExperiences) -> Vec<ExperienceId> {
    found.experiences.iter().map(|found| found.experience.id).collect()
}

#[tokio::test]
async fn what_shares_no_word_with_a_question_is_found_by_its_vector() {
    let folder = tempfile::tempdir().unwrap();
    let embedder = Arc::new(Subjects::default());
    let store = SqliteStore::open(folder.path()).with_embedder(embedder.clone());
    let cat = store.submit(experience("feline")).await.unwrap().id;
    let train = store.submit(experience("locomotive")).await.unwrap().id;
    let found = search(&store, "kitten").await;
    assert_eq!((ids(&found), found.total), (vec![cat], 1));
    assert!(found.experiences[0].relevance > 0.2 && found.experiences[0].relevance < 0.4, "{found:?}");
    assert_eq!(ids(&search(&store, "railway cache").await), [train, cat], "words and meaning together come first");

    let other = SqliteStore::open(folder.path()).with_embedder(embedder.clone());
    let late = other.submit(experience("kitten again")).await.unwrap().id;
    assert_eq!(ids(&search(&store, "kitten").await), [late, cat], "what another process has kept since");
    Experiences::delete(&store, late).await.unwrap();
    assert_eq!(ids(&search(&store, "kitten").await), [cat]);
    assert_eq!(search(&SqliteStore::open(folder.path()), "kitten").await.total, 0, "without an embedder");
    assert_sound(&store).await;
}

#[tokio::test]
async fn an_embedder_that_fails_costs_the_vector_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let embedder = Arc::new(Subjects::default());
    let store = SqliteStore::open(folder.path()).with_embedder(embedder.clone());
    embedder.fails.store(true, Ordering::Relaxed);
    let bread = store.submit(experience("loaf")).await.unwrap().id;
    assert_eq!(ids(&search(&store, "loaf").await), [bread], "by its words");
    embedder.fails.store(false, Ordering::Relaxed);
    assert_eq!(search(&store, "bakery").await.total, 0, "it has no vector");
    assert_eq!(ids(&search(&store, "loaf").await), [bread]);
}

#[tokio::test]
async fn what_was_kept_without_an_embedder_gets_its_vector_later() {
    let folder = tempfile::tempdir().unwrap();
    let plain = SqliteStore::open(folder.path());
    let cat = plain.submit(experience("feline")).await.unwrap().id;
    let bread = plain.submit(experience("loaf")).await.unwrap().id;
    let all = plain.in_order(None, 10).await.unwrap();
    assert_eq!(plain.make_vectors(all.clone()).await.unwrap_err().kind(), ErrorKind::Unsupported);

    let embedder = Arc::new(Subjects::default());
    let store = SqliteStore::open(folder.path()).with_embedder(embedder.clone());
    assert_eq!(search(&store, "kitten").await.total, 0);
    embedder.fails.store(true, Ordering::Relaxed);
    assert_eq!(store.make_vectors(all.clone()).await.unwrap_err().kind(), ErrorKind::Unavailable);
    embedder.fails.store(false, Ordering::Relaxed);
    assert_eq!(store.make_vectors(all[..1].to_vec()).await.unwrap(), 1);
    assert_eq!(store.make_vectors(all.clone()).await.unwrap(), 1, "the one that has none yet");
    assert_eq!(store.make_vectors(all).await.unwrap(), 0);
    assert_eq!(ids(&search(&store, "kitten").await), [cat]);
    assert_eq!(ids(&search(&store, "bakery").await), [bread]);
    assert_sound(&store).await;
}

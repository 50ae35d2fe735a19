//! The index of experiences through its stages, and as several processes see it; and that it finds what the embedded store finds.

use std::sync::Arc;

use jiff::Timestamp;
use search::embed::{EmbedError, Embedder, Vector};
use store::{ErrorKind, Experience, ExperienceId, ExperienceSearch, Experiences, FoundExperiences, NewExperience};
use store_postgres::{Address, PostgresStore};

use crate::{SETTING, address, server};

/// Two sections and a few more.
const MANY: u64 = 2 * 8_192 + 40;

/// A word of its own for each number; digits would be words by themselves.
fn title(number: u64) -> String {
    let letters = number.to_string().bytes().map(|digit| char::from(digit - b'0' + b'a')).collect::<String>();
    format!("q{letters}q")
}

fn experience(number: u64) -> NewExperience {
    NewExperience {
        title: title(number),
        problem_description: ["alpha", "beta", "gamma"][usize::try_from(number % 3).unwrap()].to_owned(),
        root_cause: None,
        solution: "缓存 stale cache ".repeat(1 + usize::try_from(number % 5).unwrap()),
        context: None,
        keywords: vec!["cache".to_owned()],
    }
}

fn numbered(number: u64) -> Experience {
    let at = Timestamp::from_second(1_600_000_000 + i64::try_from(number).unwrap()).unwrap();
    Experience {
        id: ExperienceId::generate(),
        content: experience(number),
        query_count: number % 7,
        created_at: at,
        updated_at: at,
        deleted_at: None,
    }
}

async fn search(store: &dyn Experiences, words: &str, offset: usize) -> FoundExperiences {
    store.search(ExperienceSearch { words: words.to_owned(), limit: 50, offset }).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_stage_of_the_index_answers_as_the_embedded_store_does() {
    let server = server();
    let store = PostgresStore::open(address(&server), SETTING);
    let other = PostgresStore::open(address(&server), SETTING);
    let folder = tempfile::tempdir().unwrap();
    let embedded = store_sqlite::SqliteStore::open(folder.path());
    let all: Vec<Experience> = (0..MANY).map(numbered).collect();
    for batch in all.chunks(3_000) {
        assert_eq!(store.import(batch.to_vec()).await.unwrap(), batch.len());
        embedded.import(batch.to_vec()).await.unwrap();
        // What it remembers must stay right while sections are made.
        search(&other, "alpha", 0).await;
    }
    let counted: Vec<_> = all.iter().step_by(1_000).map(|one| (one.id, 2_000)).collect();
    store.count(counted.clone()).await.unwrap();
    embedded.count(counted).await.unwrap();
    for deleted in all.iter().skip(5).step_by(999) {
        Experiences::delete(&store, deleted.id).await.unwrap();
        Experiences::delete(&embedded, deleted.id).await.unwrap();
    }
    let last = usize::try_from(MANY).unwrap() - 60;
    for (words, offset) in
        [("alpha", 0), ("cache", 0), ("stale alpha 缓存", 0), ("缓", 0), (title(8_191).as_str(), 0), ("cache", last)]
    {
        let expected = search(&embedded, words, offset).await;
        assert!(expected.total > 0, "{words}");
        for store in [&store, &other] {
            assert_eq!(
                search(store, words, offset).await,
                expected_on(&expected, store).await,
                "{words} from {offset}"
            );
        }
    }
}

/// What the embedded store found, with the time of the last count as this store knows it.
async fn expected_on(expected: &FoundExperiences, store: &PostgresStore) -> FoundExperiences {
    let mut expected = expected.clone();
    for found in &mut expected.experiences {
        found.experience.updated_at = Experiences::get(store, found.experience.id).await.unwrap().updated_at;
    }
    expected
}

#[tokio::test(flavor = "multi_thread")]
async fn submissions_of_several_stores_at_once_are_all_found_by_each() {
    let server = server();
    let stores: Vec<PostgresStore> = (0..4).map(|_| PostgresStore::open(address(&server), SETTING)).collect();
    let tasks = stores.iter().enumerate().map(|(at, store)| {
        let store = store.clone();
        tokio::spawn(async move {
            for number in 0..50 {
                store.submit(experience(at as u64 * 1_000 + number)).await.unwrap();
            }
        })
    });
    for task in futures::future::join_all(tasks).await {
        task.unwrap();
    }
    for store in &stores {
        assert_eq!(search(store, "cache", 0).await.total, 200);
    }
}

/// Knows two subjects by a few words each, and nothing else.
#[derive(Debug)]
struct Subjects;

impl Embedder for Subjects {
    fn fingerprint(&self) -> &str {
        "two subjects"
    }

    fn dimensions(&self) -> Option<usize> {
        Some(3)
    }

    fn embed(&self, texts: &[String]) -> Result<Vec<Vector>, EmbedError> {
        let about = |text: &str, words: &[&str]| if words.iter().any(|word| text.contains(word)) { 1.0 } else { 0.0 };
        let numbers =
            |text: &String| [about(text, &["feline", "kitten"]), about(text, &["railway", "locomotive"]), 0.1];
        Ok(texts.iter().map(|text| Vector::new(&numbers(text)).unwrap()).collect())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn vectors_in_a_column_of_pgvector_find_what_the_embedded_store_finds() {
    let server = server();
    let store = PostgresStore::open(address(&server), SETTING).with_embedder(Arc::new(Subjects));
    let folder = tempfile::tempdir().unwrap();
    let embedded = store_sqlite::SqliteStore::open(folder.path()).with_embedder(Arc::new(Subjects));
    let titled = |title: &str, number| {
        let mut kept = numbered(number);
        kept.content.title = title.to_owned();
        kept
    };
    let all =
        vec![titled("feline", 1), titled("locomotive", 2), titled("neither", 3), titled("locomotive of a kitten", 4)];
    assert_eq!(store.import(all.clone()).await.unwrap(), 4);
    embedded.import(all.clone()).await.unwrap();
    let submitted = store.submit(titled("feline again", 5).content).await.unwrap().id;
    assert!(search(&store, "kitten", 0).await.experiences.iter().any(|found| found.experience.id == submitted));
    Experiences::delete(&store, submitted).await.unwrap();
    // What was deleted still counts for how rare a word is.
    let same = embedded.submit(titled("feline again", 5).content).await.unwrap().id;
    Experiences::delete(&embedded, same).await.unwrap();
    for words in ["kitten", "railway cache", "cache", "feline locomotive"] {
        let (found, expected) = (search(&store, words, 0).await, search(&embedded, words, 0).await);
        assert_eq!(found.total, expected.total, "{words}");
        for (found, expected) in found.experiences.iter().zip(&expected.experiences) {
            assert_eq!(found.experience.id, expected.experience.id, "{words}");
            assert!((found.relevance - expected.relevance).abs() < 1e-4, "{words}: {found:?} {expected:?}");
        }
    }
    assert_eq!(search(&store, "kitten", 0).await.total, 2, "one shares the word, one only its meaning");
    assert!(store.check().await.unwrap().contains("with pgvector"), "the server has it");

    let plain = PostgresStore::open(address(&server), SETTING);
    let late = plain.submit(titled("feline at last", 6).content).await.unwrap().id;
    assert_eq!(search(&store, "kitten", 0).await.total, 2, "it has no vector yet");
    let every = store.in_order(None, 100).await.unwrap();
    assert_eq!(plain.make_vectors(every.clone()).await.unwrap_err().kind(), ErrorKind::Unsupported);
    assert_eq!(store.make_vectors(every.clone()).await.unwrap(), 1);
    assert_eq!(store.make_vectors(every).await.unwrap(), 0);
    assert!(search(&store, "kitten", 0).await.experiences.iter().any(|found| found.experience.id == late));
}

/// A database without the extension, and a user who may not make it.
#[tokio::test(flavor = "multi_thread")]
async fn without_pgvector_experiences_are_kept_and_found_by_words() {
    let server = server();
    let (admin, connection) = tokio_postgres::connect(&server.url(), tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    admin.batch_execute("CREATE ROLE plain LOGIN PASSWORD 'plain'").await.unwrap();
    admin.batch_execute("CREATE DATABASE plain OWNER plain").await.unwrap();
    let place = server.url().rsplit_once('@').unwrap().1.replace("/postgres", "/plain");
    let address: Address = format!("postgres://plain:plain@{place}").parse().unwrap();
    let store = PostgresStore::open(address, SETTING).with_embedder(Arc::new(Subjects));
    let kept = store.submit(experience(1)).await.unwrap().id;
    let mut feline = numbered(2);
    feline.content.title = "feline".to_owned();
    assert_eq!(store.import(vec![feline.clone()]).await.unwrap(), 1);
    assert_eq!(search(&store, &title(1), 0).await.experiences[0].experience.id, kept);
    assert_eq!(search(&store, "kitten", 0).await.total, 0, "meaning needs the vectors");
    let failure = store.make_vectors(vec![feline]).await.unwrap_err();
    assert_eq!(failure.kind(), ErrorKind::Unsupported);
    assert!(failure.hint().unwrap().contains("pgvector"), "{failure}");
    assert!(store.check().await.unwrap().contains("without pgvector"), "{}", store.check().await.unwrap());
}

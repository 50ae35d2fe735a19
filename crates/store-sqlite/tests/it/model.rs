//! Any sequence of calls gives what a list in memory gives.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use store::{Document, DocumentId, DocumentPatch, DocumentStore as _, ErrorKind, NewDocument};
use store_sqlite::SqliteStore;

use crate::sample::assert_sound;

/// Words of which none begins another or shares a stem with one.
const WORDS: &[&str] = &["alpha", "bravo", "charlie", "索引", "优化", "日志"];

#[derive(Debug, Clone)]
enum Step {
    Save(NewDocument),
    Update(Index, DocumentPatch),
    Delete(Index),
    Get(Index),
    Find(String),
    Page(usize, Option<Index>),
}

fn words() -> impl Strategy<Value = String> {
    vec(select(WORDS), 1..4).prop_map(|words| words.join(" "))
}

fn step() -> impl Strategy<Value = Step> {
    let tags = || vec(words(), 0..3);
    let document = (words(), words(), tags());
    let patch = (option::of(words()), option::of(words()), option::of(tags()));
    prop_oneof![
        4 => document.prop_map(|(topic, content, tags)| Step::Save(NewDocument { topic, content, tags, source: None })),
        2 => (any::<Index>(), patch)
            .prop_map(|(index, (topic, content, tags))| Step::Update(index, DocumentPatch { topic, content, tags })),
        1 => any::<Index>().prop_map(Step::Delete),
        1 => any::<Index>().prop_map(Step::Get),
        3 => words().prop_map(Step::Find),
        1 => (0..5_usize, option::of(any::<Index>())).prop_map(|(limit, after)| Step::Page(limit, after)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_store_does_what_a_list_does(steps in vec(step(), 1..40)) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let folder = tempfile::tempdir().unwrap();
            let mut both = Both { store: SqliteStore::open(folder.path()), documents: Vec::new(), deleted: None };
            for step in steps {
                both.take(step).await;
            }
            assert_sound(&both.store).await;
        });
    }
}

/// The store and the list, oldest first, that it is compared with.
struct Both {
    store: SqliteStore,
    documents: Vec<Document>,
    deleted: Option<DocumentId>,
}

impl Both {
    async fn take(&mut self, step: Step) {
        match step {
            Step::Save(document) => self.save(document).await,
            Step::Update(index, patch) => self.update(index, patch).await,
            Step::Delete(index) => self.delete(index).await,
            Step::Get(index) => self.get(index).await,
            Step::Find(words) => self.find(&words).await,
            Step::Page(limit, after) => self.page(limit, after).await,
        }
    }

    fn position(&self, index: Index) -> Option<usize> {
        (!self.documents.is_empty()).then(|| index.index(self.documents.len()))
    }

    async fn save(&mut self, document: NewDocument) {
        let id = self.store.save(document.clone()).await.unwrap();
        let found = self.store.get(id).await.unwrap();
        let NewDocument { topic, content, tags, source } = document;
        assert_eq!(found, Document { id, topic, content, tags, source, ..found.clone() });
        self.documents.push(found);
    }

    async fn update(&mut self, index: Index, patch: DocumentPatch) {
        let Some(position) = self.position(index) else { return };
        let document = &mut self.documents[position];
        self.store.update(document.id, patch.clone()).await.unwrap();
        patch.apply(document);
        let found = self.store.get(document.id).await.unwrap();
        assert!(found.updated_at > document.updated_at);
        document.updated_at = found.updated_at;
        assert_eq!(found, *document);
    }

    async fn delete(&mut self, index: Index) {
        let Some(position) = self.position(index) else { return };
        let document = self.documents.remove(position);
        self.store.delete(document.id).await.unwrap();
        self.deleted = Some(document.id);
    }

    async fn get(&mut self, index: Index) {
        if let Some(position) = self.position(index) {
            let document = &self.documents[position];
            assert_eq!(self.store.get(document.id).await.unwrap(), *document);
        }
        if let Some(deleted) = self.deleted {
            assert_eq!(self.store.get(deleted).await.unwrap_err().kind(), ErrorKind::NotFound);
        }
    }

    /// Equal topics newest first, then those with all words, then those with some.
    async fn find(&mut self, words: &str) {
        let found = self.store.find_by_topic(words, 1_000).await.unwrap();
        let ranks: Vec<_> = found.iter().map(|document| rank(document, words)).collect();
        assert!(ranks.is_sorted(), "ranks {ranks:?} for {words}");
        let equal: Vec<_> = found.iter().filter(|document| document.topic == words).collect();
        let expected: Vec<_> = self.documents.iter().rev().filter(|document| document.topic == words).collect();
        assert_eq!(equal, expected);

        let mut found = found.clone();
        found.sort_by_key(|document| document.id);
        let mut expected: Vec<_> =
            self.documents.iter().filter(|document| rank(document, words) < 3).cloned().collect();
        expected.sort_by_key(|document| document.id);
        assert_eq!(found, expected);
    }

    async fn page(&mut self, limit: usize, after: Option<Index>) {
        let after = after.and_then(|index| self.position(index));
        let end = after.unwrap_or(self.documents.len());
        let expected: Vec<_> = self.documents[..end].iter().rev().take(limit).cloned().collect();
        let cursor = after.map(|position| self.documents[position].id);
        assert_eq!(self.store.newest(limit, cursor).await.unwrap(), expected);
    }
}

/// 0 for an equal topic, 1 for all words, 2 for some, 3 for none.
fn rank(document: &Document, words: &str) -> u8 {
    let text = format!("{} {} {}", document.topic, document.content, document.tags.join(" "));
    let held: Vec<bool> = words.split(' ').map(|word| text.split(' ').any(|held| held == word)).collect();
    match (document.topic == words, held.iter().all(|held| *held), held.iter().any(|held| *held)) {
        (true, ..) => 0,
        (_, true, _) => 1,
        (_, _, true) => 2,
        _ => 3,
    }
}

//! Saving, reading, updating and deleting documents.

use jiff::Timestamp;

use super::expect::{all_at_once, document, equal, fails_with, holds, ids};
use super::{Case, Verdict};
use crate::{Document, DocumentId, DocumentPatch, DocumentStore, ErrorKind, NewDocument, Source, SourceKind};

pub(super) const CASES: &[Case<dyn DocumentStore>] = &[
    Case { name: "a saved document reads back unchanged", run: |store| Box::pin(round_trip(store)) },
    Case { name: "every kind of source reads back", run: |store| Box::pin(sources(store)) },
    Case { name: "each field can be updated alone", run: |store| Box::pin(updates(store)) },
    Case { name: "an update moves updated_at and nothing else", run: |store| Box::pin(update_times(store)) },
    Case { name: "an empty patch changes no field", run: |store| Box::pin(empty_patch(store)) },
    Case { name: "what does not exist is not found", run: |store| Box::pin(not_found(store)) },
    Case { name: "a deleted document is gone", run: |store| Box::pin(deletes(store)) },
    Case { name: "an imported document keeps its id and times, and is found", run: |store| Box::pin(imports(store)) },
    Case { name: "importing a document twice changes nothing", run: |store| Box::pin(imports_twice(store)) },
    Case { name: "200 saves at once all succeed", run: |store| Box::pin(concurrent_saves(store)) },
    Case { name: "updates at once of different fields are all kept", run: |store| Box::pin(concurrent_updates(store)) },
];

/// Texts that storage has been known to change.
const TEXTS: &[&str] = &[
    "plain",
    "MongoDB 索引优化",
    "🚀 emoji 👩‍👩‍👧 family",
    "quotes ' \" ` and \\ backslash \\n",
    "line one\nline two\r\n\ttab",
    "  blanks around  ",
    "cafe\u{301} is not café",
    "$set {\"a\": 1} %s %% ?1 :name",
    "عربى עברית हिन्दी ไทย",
    "\u{10FFFF}\u{FEFF}",
];

async fn round_trip(store: &dyn DocumentStore) -> Verdict {
    for text in TEXTS {
        for tags in [&[][..], &[*text], &["b", "a", "b", ""]] {
            reads_back(store, document(text, text, tags)).await?;
        }
    }
    reads_back(store, document("long", &"长文 long text ".repeat(2_000), &[])).await
}

async fn reads_back(store: &dyn DocumentStore, given: NewDocument) -> Verdict {
    let id = store.save(given.clone()).await?;
    let Document { id: found_id, topic, content, tags, source, created_at, updated_at } = store.get(id).await?;
    equal("id", found_id, id)?;
    equal("document", NewDocument { topic, content, tags, source }, given)?;
    equal("updated_at of a new document", updated_at, created_at)
}

async fn sources(store: &dyn DocumentStore) -> Verdict {
    for kind in [SourceKind::Web, SourceKind::User, SourceKind::System] {
        for (url, title) in [(None, None), (Some("https://例子.cn/?q=1#x"), None), (Some(""), Some("标题 🚀"))] {
            let source = Source { kind, url: url.map(str::to_owned), title: title.map(str::to_owned) };
            reads_back(store, NewDocument { source: Some(source), ..document("sourced", "content", &[]) }).await?;
        }
    }
    Ok(())
}

async fn updates(store: &dyn DocumentStore) -> Verdict {
    let patches = [
        DocumentPatch { topic: Some("新主题".to_owned()), ..DocumentPatch::default() },
        DocumentPatch { content: Some("new content 🚀".to_owned()), ..DocumentPatch::default() },
        DocumentPatch { tags: Some(vec!["new".to_owned(), "标签".to_owned()]), ..DocumentPatch::default() },
        DocumentPatch { tags: Some(Vec::new()), ..DocumentPatch::default() },
        DocumentPatch { topic: Some("all".to_owned()), content: Some(String::new()), tags: Some(vec!["x".to_owned()]) },
    ];
    let source = Source { kind: SourceKind::Web, url: Some("https://example.com".to_owned()), title: None };
    let given = NewDocument { source: Some(source), ..document("old topic", "old content", &["old"]) };
    for patch in patches {
        let id = store.save(given.clone()).await?;
        let mut expected = store.get(id).await?;
        store.update(id, patch.clone()).await?;
        let found = store.get(id).await?;
        patch.apply(&mut expected);
        expected.updated_at = found.updated_at;
        equal("updated document", found, expected)?;
    }
    Ok(())
}

async fn update_times(store: &dyn DocumentStore) -> Verdict {
    let id = store.save(document("topic", "content", &[])).await?;
    let mut before = store.get(id).await?;
    for round in 0..20 {
        store.update(id, DocumentPatch { content: Some(format!("round {round}")), ..DocumentPatch::default() }).await?;
        let after = store.get(id).await?;
        equal("created_at", after.created_at, before.created_at)?;
        holds(after.updated_at >= before.updated_at, || format!("updated_at went back in round {round}"))?;
        before = after;
    }
    holds(before.updated_at > before.created_at, || "updated_at did not move".to_owned())
}

async fn empty_patch(store: &dyn DocumentStore) -> Verdict {
    let id = store.save(document("topic", "content", &["tag"])).await?;
    let before = store.get(id).await?;
    store.update(id, DocumentPatch::default()).await?;
    let after = store.get(id).await?;
    equal("document", Document { updated_at: before.updated_at, ..after }, before)
}

async fn not_found(store: &dyn DocumentStore) -> Verdict {
    let absent = DocumentId::generate();
    fails_with("get", ErrorKind::NotFound, store.get(absent).await)?;
    fails_with("update", ErrorKind::NotFound, store.update(absent, DocumentPatch::default()).await)?;
    fails_with("delete", ErrorKind::NotFound, store.delete(absent).await)?;
    fails_with("newest after it", ErrorKind::NotFound, store.newest(5, Some(absent)).await)
}

async fn deletes(store: &dyn DocumentStore) -> Verdict {
    let kept = store.save(document("索引 index", "kept", &["tag"])).await?;
    let gone = store.save(document("索引 index", "gone", &["tag"])).await?;
    store.delete(gone).await?;
    fails_with("get", ErrorKind::NotFound, store.get(gone).await)?;
    fails_with("second delete", ErrorKind::NotFound, store.delete(gone).await)?;
    for topic in ["索引 index", "索引", "index", "gone", "tag"] {
        let found = store.find_by_topic(topic, 10).await?;
        holds(!ids(&found).contains(&gone), || format!("still found by {topic}"))?;
    }
    equal("newest", ids(&store.newest(10, None).await?), vec![kept])?;
    equal("ids", store.ids_starting_with("", 10).await?, vec![kept])
}

async fn concurrent_saves(store: &dyn DocumentStore) -> Verdict {
    let saves = (0..200).map(|number| store.save(document(&format!("topic {number}"), "同时 at once", &["many"])));
    let saved = all_at_once(saves).await.into_iter().collect::<crate::Result<Vec<_>>>()?;
    for (number, id) in saved.iter().enumerate() {
        equal("topic", store.get(*id).await?.topic, format!("topic {number}"))?;
    }
    let mut listed = store.ids_starting_with("", 1_000).await?;
    let mut expected = saved;
    listed.sort();
    expected.sort();
    equal("all ids", listed, expected)
}

async fn concurrent_updates(store: &dyn DocumentStore) -> Verdict {
    let id = store.save(document("old", "old", &["old"])).await?;
    let patches = [
        DocumentPatch { topic: Some("new".to_owned()), ..DocumentPatch::default() },
        DocumentPatch { content: Some("new".to_owned()), ..DocumentPatch::default() },
        DocumentPatch { tags: Some(vec!["new".to_owned()]), ..DocumentPatch::default() },
    ];
    let results = all_at_once(patches.map(|patch| store.update(id, patch))).await;
    results.into_iter().collect::<crate::Result<Vec<()>>>()?;
    let found = store.get(id).await?;
    equal("document", (found.topic, found.content, found.tags), ("new".into(), "new".into(), vec!["new".into()]))
}

/// A document as another store would hand it over.
fn handed_over(topic: &str, second: i64) -> Document {
    let NewDocument { topic, content, tags, source } = document(topic, "content 内容", &["tag"]);
    let created_at = Timestamp::from_second(second).unwrap_or_default();
    let updated_at = Timestamp::from_second(second + 60).unwrap_or_default();
    Document { id: DocumentId::generate(), topic, content, tags, source, created_at, updated_at }
}

async fn imports(store: &dyn DocumentStore) -> Verdict {
    let mut first = handed_over("first", 1_600_000_000);
    first.source = Some(Source { kind: SourceKind::Web, url: Some("https://example.com".to_owned()), title: None });
    let second = handed_over("second", 1_500_000_000);
    equal("new ones", store.import(vec![first.clone(), second.clone()]).await?, 2)?;
    equal("count", store.count().await?, 2)?;
    equal("first", store.get(first.id).await?, first.clone())?;
    equal("newest first", ids(&store.newest(5, None).await?), vec![first.id, second.id])?;
    equal("found by its words", ids(&store.find_by_topic("内容", 5).await?).len(), 2)
}

async fn imports_twice(store: &dyn DocumentStore) -> Verdict {
    let one = handed_over("one", 1_600_000_000);
    store.import(vec![one.clone()]).await?;
    let changed = Document { topic: "changed".to_owned(), ..one.clone() };
    equal("new ones", store.import(vec![changed, handed_over("two", 1)]).await?, 1)?;
    equal("the first", store.get(one.id).await?, one)?;
    equal("nothing to import", store.import(Vec::new()).await?, 0)?;
    equal("count", store.count().await?, 2)
}

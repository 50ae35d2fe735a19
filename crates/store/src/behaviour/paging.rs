//! Walking through all documents.

use super::expect::{equal, holds, ids, save_topics};
use super::{Case, Verdict};
use crate::{DocumentId, DocumentPatch, DocumentStore};

pub(super) const CASES: &[Case<dyn DocumentStore>] = &[
    Case { name: "the newest come first", run: |store| Box::pin(newest_first(store)) },
    Case { name: "pages have no gaps and no repeats", run: |store| Box::pin(pages(store)) },
    Case { name: "new documents do not disturb the pages after", run: |store| Box::pin(pages_while_saving(store)) },
    Case { name: "documents are listed in the order of ids, page by page", run: |store| Box::pin(in_order(store)) },
    Case { name: "ids are found by their beginning", run: |store| Box::pin(id_prefixes(store)) },
    Case { name: "topics are found by their beginning", run: |store| Box::pin(topic_prefixes(store)) },
    Case { name: "what begins no id finds none", run: |store| Box::pin(odd_prefixes(store)) },
];

async fn newest_first(store: &dyn DocumentStore) -> Verdict {
    equal("empty store", ids(&store.newest(5, None).await?), vec![])?;
    let mut saved = save_topics(store, &["first", "second", "third"]).await?;
    let patch = DocumentPatch { content: Some("updated last".to_owned()), ..DocumentPatch::default() };
    store.update(saved[0], patch).await?;
    saved.reverse();
    equal("order", ids(&store.newest(5, None).await?), saved)
}

async fn pages(store: &dyn DocumentStore) -> Verdict {
    let mut saved = save_topics(store, &["page"; 23]).await?;
    saved.reverse();
    for size in [1, 2, 5, 22, 23, 24] {
        equal("pages", walk(store, size).await?, saved.clone())?;
    }
    Ok(())
}

async fn walk(store: &dyn DocumentStore, size: usize) -> crate::Result<Vec<DocumentId>> {
    let mut seen = Vec::new();
    loop {
        let page = ids(&store.newest(size, seen.last().copied()).await?);
        if page.is_empty() {
            return Ok(seen);
        }
        seen.extend(page);
    }
}

async fn in_order(store: &dyn DocumentStore) -> Verdict {
    let mut saved = save_topics(store, &["page"; 7]).await?;
    saved.sort();
    let mut listed: Vec<DocumentId> = Vec::new();
    for _ in 0..4 {
        listed.extend(ids(&store.in_order(listed.last().copied(), 3).await?));
    }
    equal("all", listed, saved.clone())?;
    equal("the first, whole", store.in_order(None, 1).await?, vec![store.get(saved[0]).await?])?;
    store.delete(saved[3]).await?;
    equal("after one that is gone", ids(&store.in_order(Some(saved[3]), 1).await?), vec![saved[4]])?;
    equal("none at all", store.in_order(None, 0).await?, Vec::new())
}

async fn pages_while_saving(store: &dyn DocumentStore) -> Verdict {
    let mut saved = save_topics(store, &["page"; 6]).await?;
    saved.reverse();
    let first = ids(&store.newest(3, None).await?);
    save_topics(store, &["newer"; 4]).await?;
    let second = ids(&store.newest(3, first.last().copied()).await?);
    equal("both pages", [first, second].concat(), saved)
}

async fn id_prefixes(store: &dyn DocumentStore) -> Verdict {
    let mut saved = save_topics(store, &["id"; 5]).await?;
    saved.sort();
    for id in &saved {
        let text = id.to_string();
        for length in 0..=text.len() {
            let prefix = &text[..length];
            let expected: Vec<_> = saved.iter().copied().filter(|id| id.to_string().starts_with(prefix)).collect();
            equal(prefix, store.ids_starting_with(prefix, 10).await?, expected.clone())?;
            equal(prefix, store.ids_starting_with(&prefix.to_uppercase(), 10).await?, expected)?;
        }
    }
    equal("limit", store.ids_starting_with("", 2).await?, saved[..2].to_vec())
}

async fn topic_prefixes(store: &dyn DocumentStore) -> Verdict {
    save_topics(store, &["Cache keys", "cache KEYS", "cache", "索引优化", "100%"]).await?;
    let check = async |prefix: &str, limit: usize, expected: &[&str]| {
        equal(
            prefix,
            store.topics_starting_with(prefix, limit).await?,
            expected.iter().map(|s| (*s).to_owned()).collect(),
        )
    };
    check("CACHE", 10, &["cache", "cache KEYS"]).await?;
    check("cache ke", 10, &["cache KEYS"]).await?;
    check("索", 10, &["索引优化"]).await?;
    check("", 2, &["100%", "cache"]).await?;
    check("%", 10, &[]).await
}

async fn odd_prefixes(store: &dyn DocumentStore) -> Verdict {
    let saved = save_topics(store, &["id"]).await?;
    let text = saved[0].to_string();
    let odd =
        [format!("{text}0"), format!("{text}-"), format!(" {text}"), text.replace('-', ""), "-".into(), "xyz".into()];
    for prefix in odd.iter().map(String::as_str).chain(["%", "_", "索引", "{", "urn:uuid:"]) {
        let found = store.ids_starting_with(prefix, 10).await?;
        holds(found.is_empty(), || format!("`{prefix}` found {found:?}"))?;
    }
    Ok(())
}

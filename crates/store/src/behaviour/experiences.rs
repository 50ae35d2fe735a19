//! Keeping, counting, deleting and listing experiences.

use std::time::Duration;

use jiff::Timestamp;

use super::expect::{all_at_once, equal, fails_with, holds};
use super::{Case, Verdict};
use crate::{
    ErrorKind, Experience, ExperienceId, ExperiencePage, ExperienceSearch, Experiences, FoundExperiences, NewExperience,
};

pub(super) const CASES: &[Case<dyn Experiences>] = &[
    Case { name: "a submitted experience reads back unchanged", run: |store| Box::pin(round_trip(store)) },
    Case { name: "an imported experience keeps its id, times and count", run: |store| Box::pin(imports(store)) },
    Case { name: "importing twice changes nothing", run: |store| Box::pin(imports_twice(store)) },
    Case { name: "an experience that does not exist is not found", run: |store| Box::pin(not_found(store)) },
    Case { name: "a deleted experience is hidden until it is restored", run: |store| Box::pin(deletes(store)) },
    Case { name: "counting adds to each experience and moves updated_at alone", run: |store| Box::pin(counts(store)) },
    Case { name: "300 submissions and counts at once are all kept", run: |store| Box::pin(at_once(store)) },
    Case { name: "experiences are listed newest first, page by page", run: |store| Box::pin(pages(store)) },
    Case {
        name: "all experiences are listed in the order of ids, the deleted ones too",
        run: |store| Box::pin(in_order(store)),
    },
];

pub(super) fn experience(title: &str, problem: &str) -> NewExperience {
    NewExperience {
        title: title.to_owned(),
        problem_description: problem.to_owned(),
        root_cause: None,
        solution: "see the title".to_owned(),
        context: None,
        keywords: Vec::new(),
    }
}

/// A whole experience, this many days old and found this often.
pub(super) fn kept(content: NewExperience, days: u64, query_count: u64) -> Experience {
    let age = Duration::from_secs(days * 86_400);
    let created_at = Timestamp::from_second((Timestamp::now() - age).as_second()).unwrap_or_default();
    Experience {
        id: ExperienceId::generate(),
        content,
        query_count,
        created_at,
        updated_at: created_at,
        deleted_at: None,
    }
}

pub(super) async fn search(
    store: &dyn Experiences,
    words: &str,
    limit: usize,
    offset: usize,
) -> crate::Result<FoundExperiences> {
    store.search(ExperienceSearch { words: words.to_owned(), limit, offset }).await
}

/// The titles of what the words find, best first.
pub(super) async fn titles(store: &dyn Experiences, words: &str) -> crate::Result<Vec<String>> {
    let found = search(store, words, 50, 0).await?;
    Ok(found.experiences.into_iter().map(|found| found.experience.content.title).collect())
}

async fn round_trip(store: &dyn Experiences) -> Verdict {
    let texts = ["plain", "状态 没有更新", "quotes ' \" \\ and\nlines\r\n", "🚀 \u{202E}right to left", "  blanks  "];
    for text in texts {
        for optional in [None, Some(text.to_owned())] {
            let given = NewExperience {
                root_cause: optional.clone(),
                context: optional,
                keywords: vec![text.to_owned(), "second".to_owned()],
                ..experience(text, text)
            };
            let id = store.submit(given.clone()).await?.id;
            let found = store.get(id).await?;
            equal("content", found.content, given)?;
            equal("count and deletion", (found.query_count, found.deleted_at), (0, None))?;
            equal("updated_at", found.updated_at, found.created_at)?;
        }
    }
    Ok(())
}

async fn imports(store: &dyn Experiences) -> Verdict {
    let mut first = kept(experience("old cache", "stale"), 200, 45);
    first.updated_at += Duration::from_secs(60);
    let mut second = kept(experience("gone cache", "stale"), 3, 0);
    second.deleted_at = Some(second.created_at);
    equal("new ones", store.import(vec![first.clone(), second.clone()]).await?, 2)?;
    equal("first", store.get(first.id).await?, first)?;
    equal("second", store.get(second.id).await?, second)?;
    equal("found", titles(store, "cache").await?, vec!["old cache".to_owned()])
}

async fn imports_twice(store: &dyn Experiences) -> Verdict {
    let one = kept(experience("one", "cache"), 1, 1);
    store.import(vec![one.clone()]).await?;
    let changed = Experience { content: experience("changed", "cache"), query_count: 9, ..one.clone() };
    let two = kept(experience("two", "cache"), 2, 1);
    equal("new ones", store.import(vec![changed, two]).await?, 1)?;
    equal("the first", store.get(one.id).await?, one)?;
    equal("total", search(store, "cache", 1, 0).await?.total, 2)
}

async fn not_found(store: &dyn Experiences) -> Verdict {
    let absent = ExperienceId::generate();
    fails_with("get", ErrorKind::NotFound, store.get(absent).await)?;
    fails_with("delete", ErrorKind::NotFound, store.delete(absent).await)?;
    fails_with("restore", ErrorKind::NotFound, store.restore(absent).await)?;
    let after = ExperiencePage { limit: 1, after: Some(absent), deleted: false };
    fails_with("newest", ErrorKind::NotFound, store.newest(after).await)?;
    store.count(vec![(absent, 1)]).await?;
    equal("found", search(store, "anything", 10, 0).await?, FoundExperiences::default())
}

async fn deletes(store: &dyn Experiences) -> Verdict {
    let gone = store.submit(experience("gone", "cache 缓存")).await?.id;
    store.submit(experience("stays", "cache 缓存")).await?;
    for _ in 0..2 {
        store.delete(gone).await?;
        equal("found after deletion", titles(store, "cache").await?, vec!["stays".to_owned()])?;
        equal("total after deletion", search(store, "缓存", 10, 0).await?.total, 1)?;
    }
    holds(store.get(gone).await?.deleted_at.is_some(), || "it does not say that it is deleted".to_owned())?;
    let deleted = store.newest(ExperiencePage { limit: 10, after: None, deleted: true }).await?;
    equal("deleted ones", deleted.iter().map(|found| found.id).collect(), vec![gone])?;
    store.restore(gone).await?;
    equal("total after restoring", search(store, "cache", 10, 0).await?.total, 2)
}

async fn counts(store: &dyn Experiences) -> Verdict {
    let ids = [store.submit(experience("one", "cache")).await?.id, store.submit(experience("two", "cache")).await?.id];
    let before = store.get(ids[1]).await?;
    store.count(vec![(ids[0], 1), (ids[1], 2)]).await?;
    store.count(vec![(ids[1], 3)]).await?;
    equal("count", store.get(ids[0]).await?.query_count, 1)?;
    let after = store.get(ids[1]).await?;
    holds(after.updated_at > before.updated_at, || "updated_at did not move".to_owned())?;
    equal("the rest", Experience { updated_at: before.updated_at, ..after }, Experience { query_count: 5, ..before })
}

async fn at_once(store: &dyn Experiences) -> Verdict {
    let first = store.submit(experience("first", "同时 at once")).await?.id;
    let submissions = (0..300).map(|number| async move {
        store.count(vec![(first, 1)]).await?;
        store.submit(experience(&format!("number {number}"), "同时 at once")).await
    });
    let submitted = all_at_once(submissions).await.into_iter().collect::<crate::Result<Vec<_>>>()?;
    for (number, submitted) in submitted.iter().enumerate() {
        equal("title", store.get(submitted.id).await?.content.title, format!("number {number}"))?;
    }
    equal("count", store.get(first).await?.query_count, 300)?;
    equal("total", search(store, "同时", 1, 0).await?.total, 301)
}

async fn pages(store: &dyn Experiences) -> Verdict {
    let all: Vec<Experience> = (0..7).map(|days| kept(experience(&format!("{days}"), "x"), days, 0)).collect();
    store.import(all.iter().rev().cloned().collect()).await?;
    let mut listed: Vec<ExperienceId> = Vec::new();
    loop {
        let page = ExperiencePage { limit: 3, after: listed.last().copied(), deleted: false };
        let found = store.newest(page).await?;
        if found.is_empty() {
            break;
        }
        listed.extend(found.iter().map(|found| found.id));
    }
    equal("all", listed, all.iter().map(|kept| kept.id).collect())
}

async fn in_order(store: &dyn Experiences) -> Verdict {
    let mut all: Vec<Experience> =
        (0..7).map(|number| kept(experience(&format!("{number}"), "x"), 10 - number, number)).collect();
    all[3].deleted_at = Some(all[3].created_at);
    all.sort_by_key(|kept| kept.id);
    store.import(all.iter().rev().cloned().collect()).await?;
    equal("size", store.size().await?, 7)?;
    let mut listed: Vec<Experience> = Vec::new();
    for _ in 0..4 {
        listed.extend(store.in_order(listed.last().map(|kept| kept.id), 3).await?);
    }
    equal("all", listed, all.clone())?;
    let absent = ExperienceId::generate();
    equal("after one that is not there", store.in_order(Some(absent), 3).await?, Vec::new())?;
    equal("none at all", store.in_order(None, 0).await?, Vec::new())
}

//! Finding experiences by their words, and the order in which they come.

use super::expect::{equal, holds};
use super::experiences::{experience, kept, search, titles};
use super::{Case, Verdict};
use crate::{Experience, ExperienceId, Experiences, NewExperience};

pub(super) const CASES: &[Case<dyn Experiences>] = &[
    Case { name: "every field of an experience is searched", run: |store| Box::pin(every_field(store)) },
    Case { name: "words are found in every spelling", run: |store| Box::pin(spellings(store)) },
    Case {
        name: "words that mean the same are found, after the words themselves",
        run: |store| Box::pin(same_meaning(store)),
    },
    Case { name: "what asks for no word finds nothing", run: |store| Box::pin(no_words(store)) },
    Case { name: "the best fit has relevance 1, the others less", run: |store| Box::pin(relevance(store)) },
    Case { name: "popular and recent experiences come first among equals", run: |store| Box::pin(order(store)) },
    Case { name: "relevance outweighs popularity and recency", run: |store| Box::pin(weight(store)) },
    Case { name: "equal experiences come newest first, then by id", run: |store| Box::pin(ties(store)) },
    Case {
        name: "pages neither repeat nor lose an experience although counts rise",
        run: |store| Box::pin(paging(store)),
    },
    Case { name: "a thousand experiences are found whatever their age", run: |store| Box::pin(many(store)) },
];

async fn every_field(store: &dyn Experiences) -> Verdict {
    let given = NewExperience {
        title: "titleword".to_owned(),
        problem_description: "problemword".to_owned(),
        root_cause: Some("causeword".to_owned()),
        solution: "solutionword".to_owned(),
        context: Some("contextword".to_owned()),
        keywords: vec!["keyword one".to_owned()],
    };
    store.submit(given).await?;
    for word in
        ["titleword", "problemword", "causeword", "solutionword", "contextword", "keyword one", "other titleword"]
    {
        equal(word, search(store, word, 10, 0).await?.total, 1)?;
    }
    equal("another word", search(store, "absent", 10, 0).await?.total, 0)
}

/// What is kept, and what must find it.
const SPELLINGS: &[(&str, &[&str])] = &[
    ("React useState hook", &["useState", "USESTATE", "state", "hooks", "ｒｅａｃｔ"]),
    ("the http_server_2 fails", &["http_server_2", "server", "HTTP", "failing", "fail"]),
    ("数据库连接超时", &["数据库", "连接", "超时", "库", "时", "数据库的超时", "时库"]),
    ("MongoDB索引 ２０２４", &["索引", "mongodb", "mongo", "2024", "引"]),
    ("say \"NEAR(a, b)\" OR c*", &["\"NEAR(a, b)\"", "c*", "near", "say AND (", "b) NOT"]),
    ("데이터베이스 오류 データベース", &["데이터베이스", "오류", "データ", "ﾃﾞｰﾀ"]),
];

async fn spellings(store: &dyn Experiences) -> Verdict {
    store.submit(experience("something else", "of no interest")).await?;
    for (text, words) in SPELLINGS {
        store.submit(experience(text, "z")).await?;
        for words in *words {
            equal(words, titles(store, words).await?.first().map(String::as_str), Some(*text))?;
        }
    }
    Ok(())
}

/// What is kept, and what must find it without a word in common.
const MEANINGS: &[(&str, &[&str])] = &[
    ("a deadlock of transactions", &["死锁", "事务"]),
    ("数据库连接池耗尽", &["database", "databases"]),
    ("she went through the logs", &["going", "gone"]),
    ("the parser wrote garbage", &["write", "written"]),
    ("purchased certificates", &["bought", "证书"]),
];

async fn same_meaning(store: &dyn Experiences) -> Verdict {
    store.submit(experience("something else", "of no interest")).await?;
    for (text, words) in MEANINGS {
        store.submit(experience(text, "z")).await?;
        for words in *words {
            equal(words, titles(store, words).await?.first().map(String::as_str), Some(*text))?;
        }
    }
    store.submit(experience("死锁", "z")).await?;
    let found = search(store, "死锁", 10, 0).await?;
    equal("matches", found.total, 2)?;
    equal("the word itself", found.experiences[0].experience.content.title.as_str(), "死锁")?;
    holds(found.experiences[1].relevance < found.experiences[0].relevance, || format!("{found:?}"))
}

async fn no_words(store: &dyn Experiences) -> Verdict {
    store.submit(experience("title", "problem")).await?;
    for words in ["", "   ", "\"*()^-", "🚀", "\u{0}"] {
        equal(words, search(store, words, 10, 0).await?.total, 0)?;
    }
    Ok(())
}

async fn relevance(store: &dyn Experiences) -> Verdict {
    store.submit(experience("cache invalidation", "the cache is stale")).await?;
    store.submit(experience("unrelated", "a long text that speaks of many things and once of a cache, too")).await?;
    let found = search(store, "cache invalidation", 10, 0).await?.experiences;
    equal("matches", found.len(), 2)?;
    equal("best", found[0].relevance, 1.0)?;
    holds(found[1].relevance > 0.0 && found[1].relevance < 1.0, || format!("relevance {}", found[1].relevance))
}

async fn order(store: &dyn Experiences) -> Verdict {
    let title = |name: &str| experience(name, "same words");
    let all = [("old", 80, 0), ("popular", 80, 99), ("recent", 1, 0), ("known", 80, 9), ("older", 300, 0)];
    store.import(all.map(|(name, days, count)| kept(title(name), days, count)).to_vec()).await?;
    let expected = ["popular", "known", "recent", "old", "older"].map(str::to_owned).to_vec();
    equal("order", titles(store, "same words").await?, expected)
}

async fn weight(store: &dyn Experiences) -> Verdict {
    let fitting = kept(experience("tokio deadlock", "a deadlock in tokio"), 400, 0);
    let popular =
        kept(experience("other", "a long text about lists, trees, queues, and in passing about a deadlock"), 0, 50);
    store.import(vec![popular, fitting]).await?;
    equal("order", titles(store, "tokio deadlock").await?, vec!["tokio deadlock".to_owned(), "other".to_owned()])
}

async fn ties(store: &dyn Experiences) -> Verdict {
    let mut all: Vec<Experience> = (0..40).map(|_| kept(experience("same", "words"), 100, 0)).collect();
    for one in &mut all {
        one.created_at = jiff::Timestamp::UNIX_EPOCH;
    }
    all[7].created_at += std::time::Duration::from_secs(1);
    let mut expected: Vec<ExperienceId> = all.iter().map(|one| one.id).filter(|id| *id != all[7].id).collect();
    expected.sort();
    expected.insert(0, all[7].id);
    all.reverse();
    store.import(all).await?;
    let mut found = Vec::new();
    for offset in (0..40).step_by(7) {
        found.extend(search(store, "words", 7, offset).await?.experiences.iter().map(|found| found.experience.id));
    }
    equal("order", found, expected)
}

async fn paging(store: &dyn Experiences) -> Verdict {
    let all: Vec<Experience> =
        (0..60).map(|number| kept(experience("same", "words"), 10 + number % 7, number % 5)).collect();
    store.import(all.clone()).await?;
    let mut seen = Vec::new();
    for offset in (0..60).step_by(10) {
        let page = search(store, "same words", 10, offset).await?;
        equal("total", page.total, 60)?;
        let ids: Vec<ExperienceId> = page.experiences.iter().map(|found| found.experience.id).collect();
        store.count(ids.iter().map(|id| (*id, 1)).collect()).await?;
        seen.extend(ids);
    }
    let mut expected: Vec<ExperienceId> = all.iter().map(|kept| kept.id).collect();
    seen.sort();
    expected.sort();
    equal("all", seen, expected)?;
    equal("past the end", search(store, "same", 10, usize::MAX).await?.experiences.len(), 0)
}

async fn many(store: &dyn Experiences) -> Verdict {
    for batch in 0..10_u64 {
        let numbers = batch * 100..(batch + 1) * 100;
        let all = numbers
            .map(|number| kept(experience(&format!("n{number}x"), "经验 common words"), number % 50, number % 3));
        store.import(all.collect()).await?;
    }
    equal("all", search(store, "common", 1, 0).await?.total, 1_000)?;
    equal("all in Chinese", search(store, "经", 1, 999).await?.experiences.len(), 1)?;
    for number in [0, 255, 256, 511, 767, 768, 999] {
        let title = format!("n{number}x");
        equal(&title, titles(store, &title).await?.first(), Some(&title))?;
    }
    Ok(())
}

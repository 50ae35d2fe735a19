//! Finding documents by topic and words.

use super::expect::{document, equal, holds, ids, save_topics, topics};
use super::{Case, Verdict};
use crate::{DocumentPatch, DocumentStore};

pub(super) const CASES: &[Case<dyn DocumentStore>] = &[
    Case { name: "words find the documents that contain them", run: |store| Box::pin(words(store)) },
    Case { name: "the same topic comes first, newest first", run: |store| Box::pin(exact_first(store)) },
    Case { name: "topics are equal whatever their case and width", run: |store| Box::pin(exact_ignores_case(store)) },
    Case { name: "a word in the topic counts more than one in the content", run: |store| Box::pin(weights(store)) },
    Case { name: "all words count more than some", run: |store| Box::pin(all_before_some(store)) },
    Case { name: "a text without words finds nothing", run: |store| Box::pin(no_words(store)) },
    Case { name: "a topic without words is found by itself", run: |store| Box::pin(wordless_topic(store)) },
    Case { name: "search operators are harmless", run: |store| Box::pin(operators(store)) },
    Case { name: "very long questions are harmless", run: |store| Box::pin(long_question(store)) },
    Case { name: "limits are kept", run: |store| Box::pin(limits(store)) },
    Case { name: "the order is the same every time", run: |store| Box::pin(deterministic(store)) },
    Case { name: "an update changes what finds a document", run: |store| Box::pin(update_moves(store)) },
];

/// A document's topic, tag and content, and questions that find it.
const FINDABLE: &[([&str; 3], &[&str])] = &[
    (
        ["MongoDB 索引优化", "database", "how to"],
        &["索引", "优化", "引优", "索引优化", "mongodb", "MongoDB索引", "database"],
    ),
    (["日志", "运维", "分布式系统的一致性"], &["分布式", "一致性", "致", "系统", "运维", "日"]),
    (["検索エンジン", "ひらがな", "データベース"], &["検索", "エンジン", "がな", "ベース", "データ"]),
    (["한국어 검색", "태그", "데이터베이스"], &["검색", "이터", "태그"]),
    (
        ["getUserName", "camelCase", "snake_case_name"],
        &["user", "getusername", "get_user_name", "userName", "snake", "case name"],
    ),
    (
        ["configuration", "settings", "environment variables"],
        &["config", "configuration", "environ", "variables environment"],
    ),
    (["Ｆｕｌｌ Ｗｉｄｔｈ", "ｔａｇ", "１２３"], &["full", "width", "tag", "123", "FULL"]),
    (["Café résumé", "naïve", "coöperate"], &["café", "CAFÉ", "naïve"]),
    (["release v2.10 notes", "c++", "e-mail"], &["v2", "2.10", "C++", "email e-mail"]),
    (["emoji 🚀 launch", "🚀", "to the moon"], &["emoji launch", "🚀 launch", "moon"]),
];

async fn words(store: &dyn DocumentStore) -> Verdict {
    let mut saved = Vec::new();
    for ([topic, tag, content], _) in FINDABLE {
        saved.push(store.save(document(topic, content, &[tag])).await?);
    }
    for (id, (_, questions)) in saved.iter().zip(FINDABLE) {
        for question in *questions {
            let found = ids(&store.find_by_topic(question, 3).await?);
            holds(found.first() == Some(id), || format!("`{question}` does not find its document first"))?;
        }
    }
    for question in ["Neo4j", "图谱", "化索", "zzz"] {
        equal(question, topics(&store.find_by_topic(question, 10).await?), vec![])?;
    }
    Ok(())
}

async fn exact_first(store: &dyn DocumentStore) -> Verdict {
    let saved = save_topics(store, &["rust", "rust rust rust", "Rust", "async rust", "rust"]).await?;
    let found = ids(&store.find_by_topic("rust", 10).await?);
    equal("exact matches", found.get(..3), Some([saved[4], saved[2], saved[0]].as_slice()))?;
    let mut others = found[3..].to_vec();
    others.sort();
    equal("other matches", others, vec![saved[1], saved[3]])
}

async fn exact_ignores_case(store: &dyn DocumentStore) -> Verdict {
    let saved = save_topics(store, &["Index Tuning", "Index Tuning Guide"]).await?;
    for question in ["Index Tuning", "INDEX TUNING", " index  tuning ", "Ｉｎｄｅｘ Ｔｕｎｉｎｇ"] {
        equal(question, ids(&store.find_by_topic(question, 1).await?), vec![saved[0]])?;
    }
    Ok(())
}

async fn weights(store: &dyn DocumentStore) -> Verdict {
    let in_content = store.save(document("first", "about zebra animals", &["misc"])).await?;
    let in_tags = store.save(document("second", "about other animals", &["zebra"])).await?;
    let in_topic = store.save(document("zebra notes", "about other animals", &["misc"])).await?;
    equal("order", ids(&store.find_by_topic("zebra", 10).await?), vec![in_topic, in_tags, in_content])
}

async fn all_before_some(store: &dyn DocumentStore) -> Verdict {
    let some = store.save(document("replica replica replica", "replica", &["replica"])).await?;
    let all = store.save(document("other", "a long text in which the replica of a shard is told about", &[])).await?;
    let none = store.save(document("unrelated", "nothing of the kind", &[])).await?;
    let found = ids(&store.find_by_topic("replica shard", 10).await?);
    equal("order", found.clone(), vec![all, some])?;
    holds(!found.contains(&none), || "an unrelated document was found".to_owned())
}

async fn no_words(store: &dyn DocumentStore) -> Verdict {
    save_topics(store, &["some topic", "索引"]).await?;
    for question in ["", " ", "!?", "\"", "'", "*", "---", "()", "🚀", "\u{0}", "\u{3000}"] {
        equal(&format!("{question:?}"), topics(&store.find_by_topic(question, 10).await?), vec![])?;
    }
    Ok(())
}

async fn wordless_topic(store: &dyn DocumentStore) -> Verdict {
    let saved = save_topics(store, &["🚀", "???"]).await?;
    equal("emoji", ids(&store.find_by_topic("🚀", 10).await?), vec![saved[0]])?;
    equal("punctuation", ids(&store.find_by_topic("???", 10).await?), vec![saved[1]])
}

async fn operators(store: &dyn DocumentStore) -> Verdict {
    let saved = save_topics(store, &["alpha beta", "gamma"]).await?;
    let questions = [
        "\"alpha",
        "alpha\"",
        "alpha*",
        "*alpha",
        "NEAR(alpha beta)",
        "NEAR(alpha, 2",
        "alpha OR",
        "alpha AND",
        "NOT alpha",
        "-alpha",
        "topic:alpha",
        "topic : alpha",
        "{topic tags}: alpha",
        "^alpha",
        "alpha + beta",
        "(alpha",
        "alpha)",
        "alpha; DROP TABLE document",
        "$alpha",
        "{\"$ne\": \"alpha\"}",
        "/alpha/",
        "alpha\\",
        "%alpha%",
        "alpha_",
        "'alpha",
    ];
    for question in questions {
        let found = ids(&store.find_by_topic(question, 10).await?);
        equal(question, found, vec![saved[0]])?;
    }
    Ok(())
}

async fn long_question(store: &dyn DocumentStore) -> Verdict {
    let saved = save_topics(store, &["needle 针"]).await?;
    for filler in ["needle ", "针", "needleWord_", "\"needle\" OR "] {
        store.find_by_topic(&filler.repeat(20_000), 5).await?;
    }
    let question = format!("needle 针 {}", "filler 填充 ".repeat(10_000));
    equal("long question", ids(&store.find_by_topic(&question, 5).await?), saved)
}

async fn limits(store: &dyn DocumentStore) -> Verdict {
    save_topics(store, &["limit"; 7]).await?;
    save_topics(store, &["limit test", "test of limit", "no limit"]).await?;
    for limit in [0, 1, 5, 7, 8, 10, 11, usize::MAX] {
        equal("found", store.find_by_topic("limit", limit).await?.len(), limit.min(10))?;
        equal("newest", store.newest(limit, None).await?.len(), limit.min(10))?;
        equal("ids", store.ids_starting_with("", limit).await?.len(), limit.min(10))?;
    }
    Ok(())
}

async fn deterministic(store: &dyn DocumentStore) -> Verdict {
    for number in 0..30 {
        store.save(document(&format!("note {number}"), "same words in every document", &["same"])).await?;
    }
    let first = ids(&store.find_by_topic("same words", 30).await?);
    equal("matches", first.len(), 30)?;
    for limit in [1, 7, 29, 30, 100] {
        let again = ids(&store.find_by_topic("same words", limit).await?);
        equal("order", again.as_slice(), &first[..limit.min(30)])?;
    }
    Ok(())
}

async fn update_moves(store: &dyn DocumentStore) -> Verdict {
    let id = store.save(document("oldtopic", "oldcontent", &["oldtag"])).await?;
    let patch = DocumentPatch {
        topic: Some("新主题 newtopic".to_owned()),
        content: Some("newcontent 内容".to_owned()),
        tags: Some(vec!["newtag".to_owned()]),
    };
    store.update(id, patch).await?;
    for question in ["oldtopic", "oldcontent", "oldtag"] {
        equal(question, ids(&store.find_by_topic(question, 10).await?), vec![])?;
    }
    for question in ["newtopic", "newcontent", "newtag", "主题", "内容"] {
        equal(question, ids(&store.find_by_topic(question, 10).await?), vec![id])?;
    }
    Ok(())
}

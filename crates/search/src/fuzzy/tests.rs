//! What is found, what is nearer than what, and that keys leave nothing out.

use super::*;

#[track_caller]
fn score(query: &str, name: &str) -> f64 {
    FuzzyQuery::parse(query).map_or(0.0, |query| query.score([name]))
}

/// Each query must find the first name, and the names in the order given; what has no score comes last.
#[track_caller]
fn check(query: &str, names: &[&str]) {
    let scores: Vec<f64> = names.iter().map(|name| score(query, name)).collect();
    assert!(scores[0] > 0.0, "`{query}` does not find `{}`", names[0]);
    let in_order = |left: &f64, right: &f64| left > right || (*left, *right) == (0.0, 0.0);
    assert!(scores.is_sorted_by(in_order), "`{query}`: {names:?} have {scores:?}");
}

#[test]
fn names_that_differ_in_case_width_accents_and_blanks_only_are_equal() {
    let pairs = [("Beijing", "beijing"), ("café", "CAFE"), ("Ｒｕｓｔ", "rust"), ("  a  b ", "a b"), ("北京", "北京")];
    for (query, name) in pairs {
        assert!(score(query, name) == 1.0, "{query} and {name}");
    }
}

#[test]
fn the_nearest_name_comes_first() {
    check("Kubernetes", &["Kubernetes", "Kubernetes Operator", "Kubernets", "Cubist"]);
    check("kuberntes", &["Kubernetes", "Kubernetes Operator", "Docker"]);
    check("kube", &["Kube", "Kubelet", "Kubernetes", "Docker"]);
    check("graph knowledge", &["Graph Knowledge", "Knowledge Graph", "Knowledge Graph Store", "Graph", "Chart"]);
    check("knowlege grpah", &["Knowledge Graph", "Knowledge", "Photograph"]);
    check("jon smth", &["John Smith", "John Doe", "Peter"]);
    check("openai", &["OpenAI", "Open AI", "Open", "Closed"]);
    check("open ai", &["Open AI", "OpenAI", "Open"]);
    check("sql", &["SQL", "PostgreSQL", "SQLite", "Redis"]);
    check("user service", &["UserService", "user_service_client", "Service", "Client"]);
}

#[test]
fn chinese_is_found_by_any_part_of_it() {
    check("图谱", &["图谱", "知识图谱", "中文知识图谱构建", "知识"]);
    check("图", &["图", "图谱", "知识图谱", "知识"]);
    check("知识图普", &["知识图谱", "知识", "图谱"]);
    check("MongoDB索引", &["MongoDB索引", "MongoDB 索引优化", "索引", "数据"]);
    assert_eq!(score("谱图", "图谱"), 0.0);
}

#[test]
fn what_is_far_away_has_no_score() {
    for (query, name) in
        [("Paris", "London"), ("a", "banana"), ("2024", "2025"), ("go", "do"), ("!!", "!?"), ("", ""), ("x", "")]
    {
        assert_eq!(score(query, name), 0.0, "{query} and {name}");
    }
}

#[test]
fn a_name_without_a_word_is_found_by_itself_alone() {
    assert_eq!(score("🚀", "🚀"), 1.0);
    assert_eq!(score("🚀", "🚀🚀"), 0.0);
    assert_eq!(score("C++", "c++"), 1.0);
    assert_eq!(score("C++", "C"), 0.98);
}

#[test]
fn the_best_of_several_names_counts() {
    let query = FuzzyQuery::parse("NYC").unwrap();
    assert_eq!(query.score(["New York", "nyc", "Big Apple"]), 1.0);
    assert_eq!(query.score([]), 0.0);
}

#[test]
fn whatever_scores_has_a_key_in_common() {
    let letters = ['a', 'b', 'c', 'A', '_', '1', ' ', '图', '谱', 'é'];
    let mut state: u32 = 11;
    let mut word = |longest: u32| -> String {
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 16
        };
        let length = next() % longest;
        (0..length).map(|_| letters[next() as usize % letters.len()]).collect()
    };
    let mut scored = 0;
    for _ in 0..20_000 {
        let (query, name) = (word(14), word(14));
        let Some(parsed) = FuzzyQuery::parse(&query) else { continue };
        if parsed.score([name.as_str()]) > 0.0 {
            scored += 1;
            let kept = keys([name.as_str()]);
            assert!(parsed.keys().iter().any(|key| kept.contains(key)), "`{query}` and `{name}` share no key");
        }
    }
    assert!(scored > 2_000, "only {scored} pairs had a score");
}

#[test]
fn every_misspelling_that_scores_is_found_by_its_keys() {
    let word: Vec<char> = "transmission".chars().collect();
    let kept = keys(["transmission"]);
    let mut variants: Vec<Vec<char>> = vec![word];
    for _ in 0..2 {
        variants = variants.iter().flat_map(|variant| slipped(variant)).collect();
        variants.sort();
        variants.dedup();
    }
    for variant in variants {
        let text: String = variant.iter().collect();
        let query = FuzzyQuery::parse(&text).unwrap();
        if query.score(["transmission"]) > 0.0 {
            assert!(query.keys().iter().any(|key| kept.contains(key)), "{text}");
        }
    }
}

fn slipped(word: &[char]) -> Vec<Vec<char>> {
    let mut all = Vec::new();
    for at in 0..word.len() {
        let (before, after) = word.split_at(at);
        all.push([before, &after[1..]].concat());
        all.push([before, &['x'], after].concat());
        all.push([before, &['x'], &after[1..]].concat());
        if after.len() > 1 {
            all.push([before, &[after[1], after[0]], &after[2..]].concat());
        }
    }
    all
}

#[test]
fn a_very_long_name_costs_little() {
    let long = "wort ".repeat(100_000);
    assert!(keys([long.as_str()]).len() < 200);
    assert!(score("wort", &long) > 0.0);
    let aliases = vec!["alias"; 100_000];
    assert_eq!(keys(aliases.iter().copied()), keys(["alias"]));
}

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

/// Texts of these letters that look random.
fn texts(letters: &[char], longest: u32) -> impl FnMut() -> String {
    let mut state: u32 = 11;
    let mut next = move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 16
    };
    move || {
        let length = next() % longest;
        (0..length).map(|_| letters[next() as usize % letters.len()]).collect()
    }
}

#[test]
fn whatever_scores_has_a_key_in_common() {
    let mut text = texts(&['a', 'b', 'c', 'A', '_', '1', ' ', '图', '谱', 'é'], 14);
    let mut scored = 0;
    for _ in 0..20_000 {
        let (query, name) = (text(), text());
        let Some(parsed) = FuzzyQuery::parse(&query) else { continue };
        if parsed.score([name.as_str()]) > 0.0 {
            scored += 1;
            let kept = keys([name.as_str()]);
            assert!(parsed.keys().iter().any(|key| kept.contains(key)), "`{query}` and `{name}` share no key");
        }
    }
    assert!(scored > 2_000, "only {scored} pairs had a score");
}

/// As an index has it: only words that have a key in common with the query are looked at.
fn explained(query: &FuzzyQuery, name: &str) -> Explained {
    let asked = query.keys();
    let in_common = words([name]).into_iter().filter(|word| word_keys(word).iter().any(|key| asked.contains(key)));
    in_common.map(|word| query.explained_by(&word)).fold(Explained::default(), Explained::and)
}

#[test]
fn no_score_exceeds_what_it_can_be_at_most() {
    for letters in [&['a', 'b', 'A', '_', '1', ' ', '-', 'é'][..], &['a', 'B', ' ', '图', '谱', '中'], &['a', 'b']]
    {
        let mut text = texts(letters, 20);
        let (mut scored, mut below) = (0, 0);
        for _ in 0..20_000 {
            let (query, name) = (text(), text());
            let Some(parsed) = FuzzyQuery::parse(&query) else { continue };
            let score = parsed.score([name.as_str()]);
            let explained = explained(&parsed, &name);
            let (near, nearer) = (parsed.at_most(explained), parsed.at_most_with(explained, [name.as_str()]));
            assert!(score <= nearer && nearer <= near, "`{query}` and `{name}`: {score} exceeds {nearer} or {near}");
            assert!(score == 0.0 || !explained.is_nothing(), "`{query}` and `{name}`");
            scored += usize::from(score > 0.0);
            below += usize::from(nearer < 0.9);
        }
        assert!(scored > 500 && below > 500, "{letters:?}: {scored} pairs had a score, {below} a low bound");
    }
}

#[test]
fn words_of_one_family_have_the_same_keys() {
    let mut text = texts(&['a', 'a', 'a', 'a', 'b', '1', '图'], 16);
    let mut families = std::collections::BTreeMap::new();
    let mut shared = 0;
    for word in (0..20_000).flat_map(|_| words([text().as_str()])) {
        let Some(family) = family(&word) else { continue };
        let keys = word_keys(&word);
        let known = families.entry(family).or_insert_with(|| (word.clone(), keys.clone()));
        assert_eq!(known.1, keys, "`{}` and `{word}`", known.0);
        shared += usize::from(known.0 != word);
    }
    assert!(shared > 1_000, "only {shared} words had a family with another");
}

#[test]
fn an_equal_name_has_the_whole_word_of_the_query() {
    let query = FuzzyQuery::parse("Graph  RAG").unwrap();
    assert!(words(["graph rag"]).contains(&query.whole_word()));
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

//! Experiences over real pipes: kept, found, counted, and never with a secret.

use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use store::{Experience, ExperienceId, ExperiencePage, Experiences as _};
use store_sqlite::SqliteStore;
use testkit::{Era, Installation, PATIENCE, StdioServer};

use crate::sample::{body, installation};

/// The request of S4, as it stands there.
fn example() -> Value {
    json!({
        "title": "React useState not updating state",
        "problem_description": "State variable not updating after setState call in React 18",
        "root_cause": "React 18's strict mode causes double rendering, and direct state updates may be batched incorrectly",
        "solution": "Use functional update form: setState(prev => prev + 1) instead of setState(count + 1)",
        "context": "React 18+ with strict mode enabled\n\nCode example:\nconst [count, setCount] = useState(0);\n\
                    setCount(count + 1); // Wrong\nsetCount(prev => prev + 1); // Correct",
        "keywords": ["react", "hooks", "state"]
    })
}

fn plain(title: &str) -> Value {
    json!({"title": title, "problem_description": "the cache is stale 缓存", "solution": "clear it"})
}

#[track_caller]
fn submit(server: &mut StdioServer, experience: Value) -> String {
    let answer = server.call("submit_experience", experience);
    let body = body(&answer);
    assert_eq!(body["success"], true, "{body}");
    body["data"]["id"].as_str().unwrap().to_owned()
}

#[track_caller]
fn query(server: &mut StdioServer, keywords: &str) -> Value {
    let answer = server.call("query_experiences", json!({"keywords": keywords}));
    let body = body(&answer);
    assert_eq!(body["success"], true, "{body}");
    body["data"].clone()
}

fn stored(installation: &Installation) -> Vec<Experience> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let store = SqliteStore::open(installation.home());
    let page = ExperiencePage { limit: 10_000, after: None, deleted: false };
    runtime.block_on(store.newest(page)).unwrap()
}

#[test]
fn the_example_of_the_specification_comes_back_as_shown_there() {
    let installation = installation();
    let mut server = installation.open_stdio(Era::INITIALIZED);
    let answer = server.call("submit_experience", example());
    let published = &body(&answer)["data"];
    assert_eq!(published["status"], "published");
    assert_eq!(published["message"], "Experience record created and published successfully");

    let request = json!({"keywords": "React useState hook not updating", "limit": 10, "offset": 0});
    let answer = server.call("query_experiences", request);
    assert_eq!(answer["result"]["isError"], false);
    let data = &body(&answer)["data"];
    assert_eq!((&data["total"], &data["limit"], &data["offset"]), (&json!(1), &json!(10), &json!(0)));
    let found = data["experiences"][0].as_object().unwrap();
    let names: Vec<&str> = found.keys().map(String::as_str).collect();
    let shown = [
        "id",
        "title",
        "problem_description",
        "root_cause",
        "solution",
        "context",
        "keywords",
        "query_count",
        "created_at",
        "relevance_score",
    ];
    assert_eq!(names, shown);
    assert_eq!(found["id"], published["id"]);
    for (name, value) in example().as_object().unwrap() {
        assert_eq!(&found[name], value, "{name}");
    }
    assert_eq!(found["query_count"], 0);
    assert!(found["relevance_score"].as_f64().unwrap() > 0.0);
}

#[test]
fn answers_are_counted_after_they_are_given() {
    let installation = installation();
    let mut server = installation.open_stdio(Era::INITIALIZED);
    let id = submit(&mut server, plain("stale cache"));
    submit(&mut server, json!({"title": "other", "problem_description": "p", "solution": "s"}));
    let before = stored(&installation).into_iter().find(|kept| kept.id.to_string() == id).unwrap();
    for _ in 0..3 {
        query(&mut server, "cache");
    }
    let started = Instant::now();
    let counted = loop {
        let kept = stored(&installation).into_iter().find(|kept| kept.id.to_string() == id).unwrap();
        if kept.query_count == 3 {
            break kept;
        }
        assert!(started.elapsed() < PATIENCE, "counted {} times", kept.query_count);
        sleep(Duration::from_millis(50));
    };
    assert!(counted.updated_at > before.updated_at);
    assert_eq!(counted.created_at, before.created_at);
    assert_eq!(query(&mut server, "cache")["experiences"][0]["query_count"], 3);
    assert!(stored(&installation).iter().any(|kept| kept.query_count == 0), "what was not answered is not counted");
}

#[test]
fn counts_are_written_before_a_server_ends() {
    let installation = installation();
    for _ in 0..3 {
        installation.run(&["call", "submit_experience", &plain("stale cache").to_string()]).expect_code(0);
    }
    installation.run(&["call", "query_experiences", r#"{"keywords": "缓存"}"#]).expect_code(0);
    assert!(stored(&installation).iter().all(|kept| kept.query_count == 1));
}

#[test]
fn a_server_that_changes_nothing_neither_counts_nor_submits() {
    let installation = installation();
    installation.run(&["call", "submit_experience", &plain("stale cache").to_string()]).expect_code(0);
    let mut server = installation.serve_stdio(&["--read-only"]);
    server.open(Era::INITIALIZED);
    assert_eq!(query(&mut server, "cache")["total"], 1);
    let answer = server.call("submit_experience", plain("another"));
    assert_eq!(answer["error"]["message"], "Unknown tool: submit_experience");
    server.process().close_input();
    server.process().wait_for_exit(PATIENCE);
    assert_eq!(stored(&installation)[0].query_count, 0);
}

#[test]
fn a_thousand_queries_at_once_are_all_answered_and_all_counted() {
    let installation = installation();
    let mut server = installation.open_stdio(Era::INITIALIZED);
    let ids: Vec<String> = (0..20).map(|number| submit(&mut server, plain(&format!("number {number}")))).collect();
    let requests: Vec<i64> = (0..1_000)
        .map(|_| server.request_call("query_experiences", json!({"keywords": "stale 缓存", "limit": 20})))
        .collect();
    for request in requests {
        let answer = server.answer_to(request);
        assert_eq!(body(&answer)["data"]["experiences"].as_array().unwrap().len(), 20, "{answer}");
    }
    let started = Instant::now();
    while stored(&installation).iter().any(|kept| kept.query_count < 1_000) {
        assert!(started.elapsed() < PATIENCE, "{:?}", stored(&installation).iter().map(|kept| kept.query_count).max());
        sleep(Duration::from_millis(50));
    }
    assert_eq!(stored(&installation).len(), ids.len());
}

#[test]
fn a_rejection_names_what_was_found_and_its_proposal_passes() {
    const SECRET: &str = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    let installation = installation();
    let mut server = installation.open_stdio(Era::INITIALIZED);
    let mut experience = plain("stale cache");
    experience["context"] = json!(format!("first line\nlet token = \"{SECRET}\";"));
    let answer = server.call("submit_experience", experience.clone());
    assert_eq!(answer["result"]["isError"], true);
    let error = &body(&answer)["error"];
    assert_eq!(error["code"], "CONTEXT_NOT_SANITIZED");
    let message = error["validation_errors"][0]["message"].as_str().unwrap();
    assert!(message.starts_with("Context contains unsanitized code snippet: "), "{message}");
    assert!(message.contains("line 2, column "), "{message}");
    let finding = &error["details"]["findings"][0];
    assert_eq!((&finding["field"], &finding["line"]), (&json!("context"), &json!(2)));
    assert!(!answer.to_string().contains(SECRET), "{answer}");

    experience["context"] = error["details"]["proposal"]["context"].clone();
    assert!(experience["context"].as_str().unwrap().starts_with("first line\n"), "{experience}");
    submit(&mut server, experience);
    server.process().close_input();
    server.process().wait_for_exit(PATIENCE);
    let recorded = installation.run(&["--json", "audit", "list"]).expect_code(0);
    assert!(recorded.output.contains("CONTEXT_NOT_SANITIZED"), "{recorded:?}");
    assert!(!recorded.output.contains(SECRET), "{recorded:?}");
}

#[test]
fn a_near_repetition_is_kept_and_names_its_twin() {
    let installation = installation();
    let mut server = installation.open_stdio(Era::INITIALIZED);
    let first = submit(&mut server, example());
    let mut again = example();
    again["title"] = json!("React useState not updating the state");
    let answer = server.call("submit_experience", again);
    let message = body(&answer)["data"]["message"].as_str().unwrap();
    assert!(message.contains(&first) && message.contains("React useState not updating state"), "{message}");
    assert_eq!(query(&mut server, "React useState")["total"], 2);
}

#[test]
fn what_one_process_submits_the_others_find_at_once() {
    let installation = installation();
    let mut servers = [installation.open_stdio(Era::INITIALIZED), installation.open_stdio(Era::PerRequest)];
    for round in 0..5 {
        let [one, other] = &mut servers;
        let id = submit(if round % 2 == 0 { &mut *one } else { &mut *other }, plain(&format!("word{round}x")));
        for server in [one, other] {
            assert_eq!(query(server, &format!("word{round}x"))["experiences"][0]["id"], json!(id));
        }
    }
    assert!(
        stored(&installation).iter().map(|kept| kept.id).collect::<std::collections::BTreeSet<ExperienceId>>().len()
            == 5
    );
}

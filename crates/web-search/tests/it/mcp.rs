//! MCP servers that search, as programs that behave well and badly.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use testkit::{Manner, Reply, StandIn};
use web_search::{Configuration, Error, Limits, WebSearch};

use crate::{find, limits};

const TOOL: &str = "web_search";

fn search_with(server: &StandIn, limits: Limits, tool: Option<&str>) -> WebSearch {
    let configuration = Configuration {
        command: Some(server.command().into()),
        arguments: vec![server.script().display().to_string()],
        environment: [("SEARCH_API_KEY".to_owned(), "k3y-of-mine".to_owned())].into(),
        tool: tool.map(str::to_owned),
        ..Configuration::default()
    };
    WebSearch::new(&configuration, limits).unwrap()
}

fn search(server: &StandIn) -> WebSearch {
    search_with(server, limits(), None)
}

fn page(rows: &Value) -> Reply {
    Reply::text(json!({"results": rows, "unresponsive_engines": []}).to_string())
}

fn one() -> Reply {
    page(&json!([{"url": "https://a.example/", "title": "A", "content": "a <b>page</b>"}]))
}

#[tokio::test]
async fn a_server_is_started_by_the_first_search_and_ended_with_the_last() {
    let server =
        StandIn::new(&[Manner::Chatters, Manner::BeginsWithRubbish], &[(TOOL, one()), ("read_page", Reply::Silence)]);
    let search = search(&server);
    assert_eq!(server.starts(), 0, "nothing is started before");
    for words in ["x", "y", "y"] {
        let answer = find(&search, words).await.unwrap();
        assert_eq!((answer.items[0].title.as_str(), answer.items[0].snippet.as_str()), ("A", "a page"));
        assert_eq!(answer.items[0].source, TOOL);
        let note = "The provider does not filter by time: pages without a date may be older than 30 days.";
        assert_eq!(answer.notes, [note]);
    }
    assert_eq!((server.starts(), server.calls(TOOL)), (1, 2), "the third is remembered");
    search.close().await;
    server.expect_gone();
}

#[tokio::test]
async fn a_server_that_dies_is_started_again_by_the_same_search() {
    let dies = Reply::Dies { code: 7, last_words: "out of memory".to_owned() };
    let server = StandIn::new(&[], &[(TOOL, dies.clone()), (TOOL, one()), (TOOL, dies)]);
    let search = search(&server);
    assert_eq!(find(&search, "x").await.unwrap().items.len(), 1);
    assert_eq!(server.starts(), 2);
    let error = find(&search, "y").await.unwrap_err().to_string();
    assert_eq!(error, "the search server failed: `sh` ended (exit code 7); its last words: out of memory");
    assert_eq!(server.calls(TOOL), 4, "once more and no further");
}

#[tokio::test]
async fn a_failure_is_told_without_what_is_secret() {
    let refusal = Reply::Error { code: -32603, message: "SearXNG said 429 at http://me:pw12@host/".to_owned() };
    for (reply, told) in [
        (Reply::failure("bad key k3y-of-mine"), "the search server failed: `web_search` failed: bad key [hidden]"),
        (
            refusal,
            "the search server failed: `sh` refused the call: SearXNG said 429 at http://[hidden]@host/ (-32603)",
        ),
        (Reply::text("Error: k3y-of-mine is no key"), "the search server failed: Error: [hidden] is no key"),
    ] {
        let server = StandIn::new(&[], &[(TOOL, reply)]);
        let search = search(&server);
        let error = find(&search, "x").await.unwrap_err();
        assert_eq!(error.to_string(), told);
        let shown = format!("{error:?} {search:?}");
        assert!(!shown.contains("k3y-of-mine"), "{shown}");
        assert_eq!(server.calls(TOOL), 1);
    }
}

#[tokio::test]
async fn an_address_that_nobody_answers_at_is_told_without_its_key() {
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let configuration = Configuration {
        provider: Some("mcp".to_owned()),
        url: Some(format!("http://me:pw12@{closed}/mcp?apiKey=k3y-of-mine")),
        token: Some("t0ken-of-mine".to_owned()),
        ..Configuration::default()
    };
    let search = WebSearch::new(&configuration, limits()).unwrap();
    let error = find(&search, "x").await.unwrap_err();
    assert!(
        error.to_string().starts_with(&format!("the search server failed: no connection to http://{closed}: ")),
        "{error}"
    );
    let shown = format!("{error} {error:?} {search:?} {configuration:?}");
    assert!(!shown.contains("of-mine") && !shown.contains("pw12") && !shown.contains("rmcp"), "{shown}");
}

#[tokio::test]
async fn a_server_that_hangs_costs_its_time_and_its_life() {
    let server = StandIn::new(&[Manner::NeverEnds, Manner::HasChild], &[(TOOL, Reply::Silence)]);
    let search = search_with(&server, Limits { total: Duration::from_millis(900), ..limits() }, None);
    let began = Instant::now();
    let error = find(&search, "x").await.unwrap_err();
    assert!(matches!(error, Error::Timeout { .. }), "{error:?}");
    assert_eq!(error.to_string(), "the MCP server `sh` did not answer within 0.9 s");
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    server.expect_gone();
}

#[tokio::test]
async fn nothing_of_a_server_is_left_when_its_client_goes() {
    let server = StandIn::new(&[Manner::NeverEnds, Manner::HasChild], &[(TOOL, one())]);
    let search = search(&server);
    find(&search, "x").await.unwrap();
    assert_eq!(server.running(), 2);
    drop(search);
    server.expect_gone();
}

#[tokio::test]
async fn engines_that_failed_behind_it_are_told() {
    let nothing = json!({"results": [], "unresponsive_engines": [["brave", "too many requests"]]}).to_string();
    let server = StandIn::new(&[], &[(TOOL, Reply::text(nothing))]);
    let error = find(&search(&server), "x").await.unwrap_err();
    assert!(matches!(error, Error::NothingRan { .. }), "{error:?}");
    assert!(error.to_string().ends_with("some of its engines did not answer: brave (too many requests)"), "{error}");
    let server = StandIn::new(&[], &[(TOOL, Reply::text("No results found for \"x\"."))]);
    let answer = find(&search(&server), "x").await.unwrap();
    assert_eq!(answer.notes, ["The search server said: No results found for \"x\"."]);
}

#[tokio::test]
async fn a_server_without_a_search_tool_says_what_it_offers() {
    let server = StandIn::new(&[], &[("read_page", one()), ("my_lookup", one())]);
    let error = find(&search(&server), "x").await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the MCP server `sh` has no tool that searches the web; it offers my_lookup, read_page"
    );
    assert!(error.hint().unwrap().contains("`tool`"));
    let answer = find(&search_with(&server, limits(), Some("my_lookup")), "x").await.unwrap();
    assert_eq!((answer.items.len(), answer.items[0].source.as_str()), (1, "my_lookup"));
    assert!(find(&search_with(&server, limits(), Some("absent")), "x").await.is_err());
}

#[tokio::test]
async fn too_much_is_refused_and_what_cannot_be_started_is_told() {
    let server = StandIn::new(&[], &[(TOOL, Reply::text("x".repeat(3_000_000)))]);
    let error = find(&search(&server), "x").await.unwrap_err();
    assert!(matches!(error, Error::TooLong { .. }), "{error:?}");
    let absent = Configuration { command: Some("no-such-program-here".into()), ..Configuration::default() };
    let error = find(&WebSearch::new(&absent, limits()).unwrap(), "x").await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the search server failed: cannot start `no-such-program-here`: there is no such program"
    );
    let server = StandIn::new(&[Manner::EndsAtOnce], &[(TOOL, one())]);
    let error = find(&search(&server), "x").await.unwrap_err();
    assert!(error.to_string().ends_with("ended (exit code 3); its last words: I will not serve"), "{error}");
}

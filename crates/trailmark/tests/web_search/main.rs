//! Web search through the real binary, with a real SearXNG and a real mcp-searxng on top of it. `cargo xtask test` installs both.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::Path;

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use test_servers::{SearxNg, Server};
use testkit::{Era, Installation, Ran, StdioServer};

fn installation() -> Installation {
    Installation::new(env!("CARGO_BIN_EXE_trailmark"))
}

/// A server with this in its settings file.
fn serve(installation: &Installation, settings: &str) -> StdioServer {
    std::fs::write(installation.home().join("trailmark.toml"), settings).unwrap();
    installation.open_stdio(Era::INITIALIZED)
}

/// What mcp-searxng is started with, by the variables that `cargo xtask test` sets.
fn mcp_searxng(searxng: &str) -> String {
    let variable =
        |name: &str| std::env::var(name).unwrap_or_else(|_| panic!("{name} is not set: `cargo xtask test` sets it"));
    let (node, script) = (variable("TRAILMARK_TEST_NODE"), variable("TRAILMARK_TEST_MCP_SEARXNG"));
    assert!(Path::new(&script).is_file(), "{script}");
    format!(
        "[web_search]\nprovider = \"mcp\"\ncommand = {node:?}\narguments = [{script:?}]\nenvironment = {{ SEARXNG_URL = {searxng:?} }}\n"
    )
}

#[track_caller]
fn search(server: &mut StdioServer, arguments: Value) -> Value {
    let answer = server.call("web_search", arguments);
    let body = answer["result"]["structuredContent"].clone();
    assert_eq!(answer["result"]["isError"], body["ok"] == false, "{answer}");
    body
}

fn titles(body: &Value) -> Vec<&str> {
    let items = body["data"]["items"].as_array().unwrap_or_else(|| panic!("{body}"));
    let mut titles: Vec<&str> = items.iter().map(|item| item["title"].as_str().unwrap()).collect();
    titles.sort_unstable();
    titles
}

fn item<'a>(body: &'a Value, title: &str) -> &'a Value {
    let items = body["data"]["items"].as_array().unwrap();
    items.iter().find(|item| item["title"] == title).unwrap_or_else(|| panic!("no `{title}`: {body}"))
}

/// How many whole days ago a page was published.
fn age(item: &Value) -> i64 {
    let published: Timestamp = item["publishedAt"].as_str().unwrap().parse().unwrap();
    let age: SignedDuration = Timestamp::now().duration_since(published);
    age.as_hours() / 24
}

/// What holds for every way to the same SearXNG.
fn check(server: &mut StdioServer, source: &str) {
    // The forum alone filters by time; it finds enough, so that nothing else is asked.
    let recent = search(server, json!({"query": "trains", "recencyDays": 7}));
    assert_eq!(titles(&recent), ["Night trains return"]);
    assert_eq!(age(item(&recent, "Night trains return")), 2);
    assert_eq!(recent["data"]["items"][0]["source"], source);
    assert_eq!(recent["meta"]["engines"], json!(["forum"]));
    let month = search(server, json!({"query": "trains", "recencyDays": 30}));
    assert_eq!(titles(&month), ["Night trains return", "Trains in the snow"]);
    // The range that holds 10 days is a month: the rest is done by the dates.
    let exact = search(server, json!({"query": "trains", "recencyDays": 10}));
    assert_eq!(titles(&exact), ["Night trains return"]);
    assert!(exact["meta"]["notes"][0].as_str().unwrap().starts_with("1 page was left out"), "{exact}");

    // The page and the wiki cannot filter by time: without a second question the answer would be empty.
    let undated = search(server, json!({"query": "slow trains", "recencyDays": 7, "language": "en"}));
    assert_eq!(titles(&undated), ["Slow trains of the north", "Slow trains of the south"]);
    let north = item(&undated, "Slow trains of the north");
    assert_eq!(
        (&north["url"], &north["snippet"]),
        (&json!("https://trains.example/north"), &json!("A guide to slow trains in the north."))
    );
    assert_eq!(north.get("publishedAt"), None);
    assert_eq!(item(&undated, "Slow trains of the south")["snippet"], "Slow trains by the sea.");
    assert!(
        undated["meta"]["notes"][0].as_str().unwrap().starts_with("Nothing was found with a time range"),
        "{undated}"
    );
    let failed = json!([{"engine": "refusing", "reason": "too many requests"}]);
    assert_eq!(undated["meta"]["failedEngines"], failed);
    let wiki = search(server, json!({"query": "night beds", "recencyDays": 7}));
    assert_eq!(age(item(&wiki, "Night train")), 3, "a date without a zone");

    let again = search(server, json!({"query": "slow trains", "recencyDays": 7, "language": "en", "maxResults": 1}));
    assert_eq!((again["data"]["items"].as_array().unwrap().len(), &again["meta"]["cached"]), (1, &json!(true)));

    let refused = search(server, json!({"query": "!re trains"}));
    assert_eq!(refused["error"]["code"], "UPSTREAM_ERROR", "{refused}");
    assert_eq!(refused["error"]["detail"]["failedEngines"], failed);
}

#[test]
fn a_real_searxng_answers() {
    let mut searxng = Server::start(&SearxNg).unwrap();
    let (installation, url) = (installation(), searxng.url());
    let mut server = serve(&installation, &format!("searxng-url = {url:?}\n"));
    check(&mut server, "searxng");

    let nothing = search(&mut server, json!({"query": "nothinglikethis"}));
    assert_eq!((&nothing["ok"], &nothing["data"]["items"]), (&json!(true), &json!([])), "{nothing}");
    assert_eq!(nothing["meta"]["engines"], json!(["forum", "page", "wiki"]), "who answered and found nothing");
    let elsewhere = search(&mut server, json!({"query": "!!g trains"}));
    assert!(
        elsewhere["error"]["message"].as_str().unwrap().contains("sends on to https://www.google.com"),
        "{elsewhere}"
    );

    let mut doctor = installation.command(&["doctor"]);
    doctor.env("TRAILMARK_SEARXNG_URL", format!("{url}/search"));
    let doctor = Ran::of(doctor, "").expect_code(0).output;
    assert!(doctor.contains("answers (engines: forum, page, wiki)"), "{doctor}");

    searxng.kill();
    let gone = search(&mut server, json!({"query": "gone"}));
    assert!(gone["error"]["message"].as_str().unwrap().starts_with("no connection to SearXNG at 127.0.0.1:"), "{gone}");
    searxng.restart().unwrap();
    assert_eq!(titles(&search(&mut server, json!({"query": "bread", "recencyDays": 1}))), ["Making bread at home"]);
}

#[test]
fn a_real_mcp_searxng_answers_on_top_of_it() {
    let searxng = Server::start(&SearxNg).unwrap();
    let installation = installation();
    let mut server = serve(&installation, &mcp_searxng(&searxng.url()));
    check(&mut server, "searxng_web_search");

    // Which engines found nothing is not told through it, and one of them always refuses: that is no answer.
    let nothing = search(&mut server, json!({"query": "nothinglikethis"}));
    assert!(nothing["error"]["message"].as_str().unwrap().contains("some of its engines did not answer"), "{nothing}");
    drop(searxng);
    let gone = search(&mut server, json!({"query": "gone"}));
    assert_eq!(gone["error"]["code"], "UPSTREAM_ERROR", "{gone}");
}

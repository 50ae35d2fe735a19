//! A real server whose settings name a provider for web search: what a caller gets, what is told where it fails, who may set it.

use serde_json::{Value, json};
use testkit::{Era, Installation, Manner, ModelReply, ModelServer, Ran, Reply, StandIn, StdioServer};

use crate::sample::{body, data, installation};

const PASSWORD: &str = "v3ry-s3cret";

fn reply(status: u16, headers: &str, body: &str) -> ModelReply {
    let length = body.len();
    let head = format!("HTTP/1.1 {status} Said\r\nconnection: close\r\ncontent-length: {length}\r\n{headers}\r\n");
    ModelReply::Raw([head.as_bytes(), body.as_bytes()].concat())
}

fn found() -> ModelReply {
    let rows = json!([
        {"url": "https://a.example/?utm_source=x", "title": "<b>A</b>", "content": "of a", "engines": ["alpha"], "publishedDate": null},
        {"url": "http://www.a.example/", "title": "A again", "engine": "beta"},
    ]);
    reply(200, "", &json!({"results": rows, "unresponsive_engines": [["gamma", "CAPTCHA"]]}).to_string())
}

/// A server that asks this SearXNG with a password, and logs all it can.
fn serve(installation: &Installation, provider: &ModelServer) -> StdioServer {
    let mut command = installation.command(&["serve", "--log", "trace"]);
    command.env("TRAILMARK_SEARXNG_URL", with_password(provider));
    // A proxy of the environment must not see the question: nobody listens there.
    command.env("http_proxy", "http://127.0.0.1:9").env("HTTP_PROXY", "http://127.0.0.1:9");
    let mut server = StdioServer::start(command);
    server.open(Era::INITIALIZED);
    server
}

fn with_password(provider: &ModelServer) -> String {
    provider.base_url().replace("http://", &format!("http://reader:{PASSWORD}@"))
}

#[test]
fn pages_come_in_the_envelope_with_who_found_them_and_from_memory_the_second_time() {
    let (installation, provider) = (installation(), ModelServer::start(vec![found()]));
    let mut server = serve(&installation, &provider);
    let items = json!([{"title": "A", "url": "https://a.example/", "snippet": "of a", "source": "searxng"}]);
    for is_cached in [false, true] {
        let answer = server.call("web_search", json!({"query": "x"}));
        assert_eq!(data(&answer)["items"], items);
        let meta = &body(&answer)["meta"];
        assert_eq!(
            (&meta["engines"], &meta["failedEngines"][0]["reason"]),
            (&json!(["alpha", "beta"]), &json!("CAPTCHA"))
        );
        assert_eq!(meta.get("cached"), is_cached.then_some(&json!(true)), "{meta}");
    }
    assert_eq!(provider.requests().len(), 1);
    assert!(provider.requests()[0].authorization.as_deref().is_some_and(|header| header.starts_with("Basic ")));
}

#[test]
fn a_failure_is_an_upstream_error_that_teaches_and_tells_no_secret() {
    let blocked = json!({"results": [], "unresponsive_engines": [["gamma", "CAPTCHA"]]}).to_string();
    let check = |reply: ModelReply, told: &str, detail: &str, value: Value| {
        let (installation, provider) = (installation(), ModelServer::start(vec![reply]));
        let mut server = serve(&installation, &provider);
        let answer = server.call("web_search", json!({"query": "x"}));
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        let error = &body(&answer)["error"];
        assert_eq!(error["code"], "UPSTREAM_ERROR", "{error}");
        assert!(error["message"].as_str().unwrap().contains(told), "no `{told}`: {error}");
        let is_so = error["detail"][detail] == value
            || error["detail"][detail].as_str().zip(value.as_str()).is_some_and(|(hint, part)| hint.contains(part));
        assert!(is_so, "{detail}: {error}");
        server.process().close_input();
        server.process().wait_for_exit(testkit::PATIENCE);
        let audit = installation.run(&["audit", "list", "--json"]).output;
        for shown in [answer.to_string(), server.process().errors(), audit] {
            assert!(!shown.contains(PASSWORD) && !shown.contains("cmVhZGVy"), "{shown}");
        }
    };
    check(reply(403, "", ""), "does not answer in JSON", "hint", json!("`search.formats`"));
    check(reply(429, "retry-after: 9\r\n", ""), "try again in 9 s", "retryAfterSeconds", json!(9));
    check(
        reply(200, "", &blocked),
        "gamma (CAPTCHA)",
        "failedEngines",
        json!([{"engine": "gamma", "reason": "CAPTCHA"}]),
    );
    check(reply(500, "", &format!("bad password {PASSWORD}")), "bad password [hidden]", "hint", Value::Null);
}

#[test]
fn a_slow_provider_is_told_as_such_before_the_deadline() {
    let (installation, provider) = (installation(), ModelServer::start(vec![ModelReply::Silence]));
    let mut server = serve(&installation, &provider);
    let began = std::time::Instant::now();
    let answer = server.call("web_search", json!({"query": "x"}));
    assert!(began.elapsed() < std::time::Duration::from_secs(12), "{:?}", began.elapsed());
    let error = &body(&answer)["error"];
    assert_eq!(error["code"], "UPSTREAM_ERROR");
    assert!(error["message"].as_str().unwrap().ends_with("did not answer within 9.5 s"), "{error}");
}

#[test]
fn an_mcp_server_of_the_settings_file_answers_and_goes_with_the_server() {
    let page = json!({"results": [{"url": "https://a.example/", "title": "A"}]}).to_string();
    let provider = StandIn::new(&[Manner::NeverEnds, Manner::HasChild], &[("web_search", Reply::text(page))]);
    let installation = installation();
    let settings = format!("[web_search]\ncommand = {:?}\narguments = [{:?}]\n", provider.command(), provider.script());
    std::fs::write(installation.home().join("trailmark.toml"), settings).unwrap();
    let mut server = installation.open_stdio(Era::INITIALIZED);
    assert_eq!(provider.starts(), 0, "starting the server starts nothing else");
    let answer = server.call("web_search", json!({"query": "x"}));
    assert_eq!(data(&answer)["items"][0]["source"], "web_search");
    assert_eq!(provider.running(), 2);
    server.process().close_input();
    server.process().wait_for_exit(testkit::PATIENCE);
    provider.expect_gone();
}

#[test]
fn the_key_in_the_address_of_an_mcp_server_is_told_nowhere() {
    let installation = installation();
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let settings = format!("[web_search]\nprovider = \"mcp\"\nurl = \"http://{closed}/mcp?apiKey={PASSWORD}\"\n");
    std::fs::write(installation.home().join("trailmark.toml"), settings).unwrap();
    let mut command = installation.command(&["call", "web_search", "{\"query\": \"x\"}", "--log", "debug"]);
    command.env("TRAILMARK_WEB_SEARCH_TOKEN", "t0ken-of-mine");
    let ran = Ran::of(command, "").expect_code(1);
    assert!(ran.output.contains(&format!("no connection to http://{closed}")), "{ran:?}");
    let shown = format!("{} {}", ran.output, ran.errors);
    assert!(!shown.contains(PASSWORD) && !shown.contains("t0ken-of-mine"), "{shown}");
}

#[test]
fn a_checkout_cannot_say_where_searches_go_or_what_is_started() {
    let provider = ModelServer::start(vec![found()]);
    let program = StandIn::new(&[], &[("web_search", Reply::text("[]"))]);
    let installation = installation();
    let checkout = tempfile::tempdir().unwrap();
    let search = |text: &str| {
        std::fs::write(checkout.path().join("trailmark.toml"), text).unwrap();
        let mut command = installation.command(&["call", "web_search", "{\"query\": \"x\"}"]);
        command.current_dir(checkout.path());
        Ran::of(command, "").expect_code(1)
    };
    for text in [
        format!("searxng-url = {:?}\n", provider.base_url()),
        format!("[web_search]\nurl = {:?}\n", provider.base_url()),
        format!("[web_search]\ncommand = \"sh\"\narguments = [{:?}]\n", program.script()),
    ] {
        let ran = search(&text);
        assert!(ran.output.contains("web search is not configured"), "{ran:?}");
        let mut doctor = installation.command(&["doctor"]);
        doctor.current_dir(checkout.path());
        let doctor = Ran::of(doctor, "").expect_code(0).output;
        assert!(doctor.contains("the rest of it is ignored") && doctor.contains("not configured"), "{doctor}");
    }
    assert_eq!((provider.requests().len(), program.starts()), (0, 0));
}

#[test]
fn a_wrong_setting_is_told_without_what_is_secret() {
    let installation = installation();
    let check = |address: &str, file: &str, told: &str| {
        std::fs::write(installation.home().join("trailmark.toml"), file).unwrap();
        let mut command = installation.command(&["tools"]);
        command.env("TRAILMARK_SEARXNG_URL", address);
        let ran = Ran::of(command, "").expect_code(2);
        assert!(ran.errors.contains(told), "no `{told}`: {ran:?}");
        assert!(!ran.errors.contains(PASSWORD), "{ran:?}");
    };
    check(&format!("ftp://me:{PASSWORD}@host"), "", "it is written https://HOST");
    check("", "[web_search]\nprovider = \"google\"\n", "there is no provider `google`; the providers are searxng, mcp");
    check("", "[web_search]\n", "nothing says where to search");
    check("", &format!("[web_search]\nurl = \"http://me:{PASSWORD}@h\"\ncommand = \"x\"\n"), "both set");
    check("", &format!("[web_search]\nulr = \"http://me:{PASSWORD}@h\"\n"), "unknown field `ulr`");
    std::fs::write(installation.home().join("trailmark.toml"), "").unwrap();
    let mut command = installation.command(&["help"]);
    command.env("TRAILMARK_SEARXNG_URL", format!("http://me:{PASSWORD}@host"));
    let ran = Ran::of(command, "");
    assert!(!ran.output.contains(PASSWORD), "{}", ran.output);
}

#[test]
fn the_doctor_says_whether_it_is_configured_and_answers() {
    let installation = installation();
    let finding = |url: Option<String>, code: i32| {
        let mut command = installation.command(&["doctor", "--json"]);
        url.map(|url| command.env("TRAILMARK_SEARXNG_URL", url));
        let ran = Ran::of(command, "").expect_code(code);
        assert!(!ran.output.contains(PASSWORD), "{ran:?}");
        let findings = ran.json();
        let found = findings.as_array().unwrap().iter().find(|finding| finding["subject"] == "web search");
        found.unwrap_or_else(|| panic!("{findings}")).clone()
    };
    let unset = finding(None, 0);
    assert!(unset["what"].as_str().unwrap().starts_with("not configured; TRAILMARK_SEARXNG_URL"), "{unset}");
    let well = finding(Some(with_password(&ModelServer::start(vec![found()]))), 0);
    assert!(well["what"].as_str().unwrap().ends_with("answers (engines: alpha, beta)"), "{well}");
    let off = finding(Some(with_password(&ModelServer::start(vec![reply(403, "", "")]))), 1);
    assert_eq!(off["state"], "problem", "{off}");
    assert!(off["fix"].as_str().unwrap().contains("search.formats"), "{off}");
}

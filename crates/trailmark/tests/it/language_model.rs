//! A real server whose settings name a language model: when that is asked, what of its replies counts, what happens if it fails.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use testkit::{Era, Installation, ModelReply, ModelServer, Ran, StdioServer};

use crate::sample::{body, installation, write};

const KEY: &str = "sk-very-secret-0123456789";
const SOURCE: &str = "\
def total(cart):
    return round_up(sum(cart))


def round_up(number):
    return number


def checkout(cart):
    return total(cart)
";
/// Understood, and nothing in it had to be guessed.
const SURE: &str = "who calls round_up?";
/// A name is misspelled, so the translator has an answer that it is not sure of.
const UNSURE: &str = "who calls totl?";
/// Nothing that the translator knows.
const UNCLEAR: &str = "ponder the ineffable gribbling of frobs";
const QUERY: &str = "MATCH (f:Function) WHERE f.line_end - f.line_start = 1 RETURN f.name AS name ORDER BY name";

/// An indexed project whose server asks this model.
struct Asker {
    server: StdioServer,
    model: ModelServer,
    _installation: Installation,
}

impl Asker {
    fn new(replies: Vec<ModelReply>) -> Self {
        let model = ModelServer::start(replies);
        let installation = indexed();
        let server = serve(&installation, &model.base_url());
        Self { server, model, _installation: installation }
    }

    #[track_caller]
    fn ask(&mut self, question: &str) -> Value {
        let answer = self.server.call("query_code_graph", json!({"natural_language_query": question}));
        assert!(!answer.to_string().contains(KEY), "the key is in the answer: {answer}");
        answer
    }

    /// Query, names in the rows, summary.
    #[track_caller]
    fn answered(&mut self, question: &str) -> (String, Vec<String>, String) {
        let answer = self.ask(question);
        assert_eq!(answer["result"]["isError"], false, "{answer}");
        let body = body(&answer);
        let rows = body["results"].as_array().unwrap().iter();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        (text(&body["query_used"]), rows.map(|row| text(&row["name"])).collect(), text(&body["summary"]))
    }

    #[track_caller]
    fn refused(&mut self, question: &str) -> String {
        let answer = self.ask(question);
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        answer["result"]["content"][0]["text"].as_str().unwrap().to_owned()
    }

    /// The translator's own answer to the question it is not sure of, with this said about the model.
    #[track_caller]
    fn falls_back(&mut self, why: &str) {
        let (query, names, summary) = self.answered(UNSURE);
        assert!(query.contains("'total'"), "{query}");
        assert_eq!(names, ["checkout"]);
        assert!(summary.contains("took 'totl' for 'total'") && summary.contains("was asked too, but"), "{summary}");
        assert!(summary.contains(why), "no `{why}`: {summary}");
    }
}

fn indexed() -> Installation {
    let installation = installation();
    write(installation.root(), "shop.py", SOURCE);
    installation.run(&["index"]).expect_code(0);
    installation
}

fn serve(installation: &Installation, url: &str) -> StdioServer {
    let mut command = installation.command(&["serve", "--log", "trace"]);
    command.env("TRAILMARK_MODEL_URL", url).env("TRAILMARK_MODEL", "oracle").env("TRAILMARK_MODEL_KEY", KEY);
    // A proxy of the environment must not see the question: nobody listens there.
    command.env("http_proxy", "http://127.0.0.1:9").env("HTTP_PROXY", "http://127.0.0.1:9");
    let mut server = StdioServer::start(command);
    server.open(Era::INITIALIZED);
    server
}

#[test]
fn the_query_of_the_model_is_run_and_shown_whatever_stands_around_it() {
    let fenced = format!("Sure!\n\n```cypher\n{QUERY};\n```\nThis finds short functions.");
    let object = json!({"query": QUERY}).to_string();
    for reply in [QUERY.to_owned(), fenced, format!("The query you want is: {QUERY}"), object] {
        let mut asker = Asker::new(vec![ModelReply::text(&reply)]);
        for question in [UNSURE, UNCLEAR] {
            let (query, names, summary) = asker.answered(question);
            assert_eq!(query, format!("{QUERY} LIMIT 50"), "{reply}");
            assert_eq!(names, ["checkout", "round_up", "total"]);
            assert_eq!(summary, "3 rows. The language model oracle wrote the query");
        }
        assert_eq!(asker.model.requests().len(), 2);
    }
}

#[test]
fn the_model_is_told_the_question_the_schema_and_the_guess() {
    let mut asker = Asker::new(vec![ModelReply::text(QUERY)]);
    asker.answered(UNSURE);
    let [request] = &asker.model.requests()[..] else { panic!("one request") };
    assert_eq!(request.line, "POST /v1/chat/completions");
    assert_eq!(request.authorization.as_deref(), Some(format!("Bearer {KEY}").as_str()));
    assert_eq!((&request.body["model"], &request.body["temperature"]), (&json!("oracle"), &json!(0)));
    assert!(request.last_message().starts_with("Question: who calls totl?"), "{}", request.last_message());
    assert!(request.last_message().contains("'total'"), "the guess: {}", request.last_message());
    let instructions = request.body["messages"][0]["content"].as_str().unwrap();
    for part in
        ["ExternalPackage", "(Function)-[:CALLS]->(Function)", "decorators", "confidence: float", "first 50 rows"]
    {
        assert!(instructions.contains(part), "no `{part}`: {instructions}");
    }
    assert!(!instructions.contains("round_up"), "no source code: {instructions}");
}

#[test]
fn what_is_sure_or_cypher_or_wrong_goes_to_nobody() {
    let mut asker = Asker::new(vec![ModelReply::text(QUERY)]);
    assert_eq!(asker.answered(SURE).1, ["total"]);
    assert_eq!(asker.answered("MATCH (f:Function {name: 'total'}) RETURN f.name AS name").1, ["total"]);
    asker.refused("MATCH (f:Function RETURN f.name");
    asker.refused("MATCH (n) DETACH DELETE n");
    asker.refused("  ");
    asker.refused(&"blub ".repeat(20_000));
    assert_eq!(asker.model.requests(), []);
}

#[test]
fn a_wrong_query_is_repaired_once_with_what_is_wrong() {
    for (wrong, told) in [
        ("MATCH (f:Functoin) RETURN f.name", "no label `Functoin`; did you mean `Function`?"),
        ("MATCH (f:Function) RETURN f.nmae", "no property `nmae`"),
        ("MATCH (f:Function RETURN f.name", "line 1, column"),
        ("MATCH (f:Function) SET f.name = 'x' RETURN f.name", "only"),
        ("MATCH (f:Function) RETURN 1 / (f.line_start - f.line_start) AS name", "zero"),
        ("I am not sure what you mean.", "holds no Cypher query"),
    ] {
        let mut asker = Asker::new(vec![ModelReply::text(wrong), ModelReply::text(QUERY)]);
        let (query, names, _) = asker.answered(UNCLEAR);
        assert_eq!((query, names.len()), (format!("{QUERY} LIMIT 50"), 3), "{wrong}");
        let requests = asker.model.requests();
        let [_, second] = &requests[..] else { panic!("two requests: {requests:?}") };
        assert!(second.last_message().contains(told), "no `{told}`: {}", second.last_message());
        let said = second.body["messages"].as_array().unwrap();
        assert_eq!((said.len(), &said[2]["role"], &said[2]["content"]), (4, &json!("assistant"), &json!(wrong)));
    }
}

#[test]
fn a_model_that_stays_wrong_is_asked_twice_and_then_the_translator_answers() {
    for (reply, why) in [
        ("MATCH (n) DETACH DELETE n", "its query cannot be used"),
        ("MATCH (f:Functoin) RETURN f.name", "no label `Functoin`"),
        ("\u{fffd}\u{0} blub {{{", "holds no Cypher query"),
    ] {
        let mut asker = Asker::new(vec![ModelReply::text(reply)]);
        asker.falls_back(why);
        assert_eq!(asker.model.requests().len(), 2, "{reply}");
        let refused = asker.refused(UNCLEAR);
        assert!(refused.contains("could not understand") && refused.contains(why), "{refused}");
        assert_eq!(asker.answered(SURE).1, ["total"], "nothing was deleted");
    }
}

#[test]
fn a_model_that_sees_no_query_is_not_asked_again() {
    let mut asker = Asker::new(vec![ModelReply::text("NONE")]);
    asker.falls_back("the graph cannot answer this");
    assert!(asker.refused(UNCLEAR).contains("could not understand"));
    assert_eq!(asker.model.requests().len(), 2, "one for each question");
}

#[test]
fn a_server_that_refuses_or_answers_nonsense_leaves_the_translators_answer() {
    for (reply, why) in [
        (ModelReply::status(401, &format!("{{\"error\": \"bad key {KEY}\"}}")), "status 401"),
        (ModelReply::status(429, "slow down"), "status 429: slow down"),
        (ModelReply::status(500, ""), "status 500"),
        (ModelReply::status(200, "<html>Welcome</html>"), "other than a chat completion"),
        (ModelReply::text(""), "an empty reply"),
        (ModelReply::Endless, "more than 262144 bytes"),
        (ModelReply::Raw(Vec::new()), "was lost"),
    ] {
        let mut asker = Asker::new(vec![reply]);
        asker.falls_back(why);
        let refused = asker.refused(UNCLEAR);
        assert!(refused.contains("could not understand") && refused.contains(why), "{refused}");
        assert_eq!(asker.model.requests().len(), 2, "one for each question");
        let logged = asker.server.process().errors();
        assert!(!logged.contains(KEY), "the key is in the log: {logged}");
    }
}

#[test]
fn a_model_that_never_answers_costs_no_answer() {
    let mut asker = Asker::new(vec![ModelReply::Silence]);
    let began = Instant::now();
    let ids = [UNSURE, UNCLEAR]
        .map(|question| asker.server.request_call("query_code_graph", json!({"natural_language_query": question})));
    let [unsure, unclear] = ids.map(|id| asker.server.answer_to(id));
    assert!(began.elapsed() < Duration::from_secs(15), "{:?}", began.elapsed());
    let (unsure, unclear) = (body(&unsure).clone(), unclear["result"]["content"][0]["text"].to_string());
    assert_eq!(unsure["results"][0]["name"], "checkout", "{unsure}");
    assert!(unsure["summary"].as_str().unwrap().contains("did not answer within 8 s"), "{unsure}");
    assert!(unclear.contains("could not understand") && unclear.contains("did not answer within 8 s"), "{unclear}");
}

#[test]
fn a_slow_repair_ends_in_time_too() {
    let mut asker = Asker::new(vec![ModelReply::text("RETURN"), ModelReply::Silence]);
    let began = Instant::now();
    asker.falls_back("did not answer within 8 s");
    assert!(began.elapsed() < Duration::from_secs(15), "{:?}", began.elapsed());
}

#[test]
fn where_nobody_listens_the_translator_answers() {
    let installation = indexed();
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut server = serve(&installation, &format!("http://{closed}/v1"));
    let answer = server.call("query_code_graph", json!({"natural_language_query": UNSURE}));
    let summary = body(&answer)["summary"].as_str().unwrap();
    assert!(summary.contains("no connection to 127.0.0.1:"), "{summary}");
}

#[test]
fn a_model_comes_from_flags_environment_or_the_file_of_the_data_folder_only() {
    let model = ModelServer::start(vec![ModelReply::text(QUERY)]);
    let installation = indexed();
    let settings = format!("model-url = {:?}\nmodel = \"oracle\"\n", model.base_url());
    let ask = |folder: &std::path::Path| {
        let arguments = json!({"natural_language_query": UNSURE}).to_string();
        let mut command = installation.command(&["call", "query_code_graph", &arguments]);
        command.current_dir(folder).env("TRAILMARK_MODEL_KEY", KEY);
        Ran::of(command, "").expect_code(0)
    };
    let checkout = tempfile::tempdir().unwrap();
    std::fs::write(checkout.path().join("trailmark.toml"), &settings).unwrap();
    ask(checkout.path());
    assert_eq!(model.requests(), [], "a checkout cannot have the key sent to it");
    std::fs::write(installation.home().join("trailmark.toml"), &settings).unwrap();
    let answered = ask(installation.home());
    assert!(answered.output.contains("wrote the query"), "{}", answered.output);
    assert_eq!(model.requests().len(), 1);
}

#[test]
fn a_wrong_setting_is_told_without_what_is_secret() {
    let installation = installation();
    let check = |variables: &[(&str, &str)], told: &str| {
        let mut command = installation.command(&["tools"]);
        command.envs(variables.iter().copied()).env("TRAILMARK_MODEL_KEY", KEY);
        let ran = Ran::of(command, "").expect_code(2);
        assert!(ran.errors.contains(told), "no `{told}`: {ran:?}");
        assert!(!ran.errors.contains(KEY) && !ran.errors.contains("hidden"), "{ran:?}");
    };
    let (url, model) = ("TRAILMARK_MODEL_URL", "TRAILMARK_MODEL");
    check(&[(url, "https://api.example/v1")], "model-url is set and model is not");
    check(&[(model, "oracle")], "model is set and model-url is not");
    check(&[(url, "api.example"), (model, "oracle")], "is written https://HOST/v1");
    check(&[(url, "http://api.example/v1"), (model, "oracle")], "unencrypted to another machine");
    check(&[(url, "https://me:hidden@api.example"), (model, "oracle")], "no password");
    let mut command = installation.command(&["tools"]);
    command.env(url, "").env(model, " ").env("TRAILMARK_MODEL_KEY", KEY);
    Ran::of(command, "").expect_code(0);
}

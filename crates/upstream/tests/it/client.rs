//! One client, one server that behaves badly.

use std::time::Duration;

use serde_json::{Map, json};
use testkit::{Manner, Reply, StandIn};
use upstream::{Answer, Client, Error, Program, Target};

/// Longer than anything that works takes, also on a busy machine.
const LONG: Duration = Duration::from_secs(20);
/// For what never works.
const SHORT: Duration = Duration::from_millis(800);

fn client(server: &StandIn) -> Client {
    let program = Program { arguments: vec![server.script().into()], ..Program::new(server.command()) };
    Client::new(Target::Program(program))
}

async fn say(client: &Client, within: Duration) -> Result<Answer, Error> {
    client.call("say", Map::new(), within).await
}

#[tokio::test]
async fn a_server_is_started_by_the_first_call_and_used_by_the_next() {
    let server = StandIn::new(&[], &[("say", Reply::text("one")), ("say", Reply::text("two"))]);
    let client = client(&server);
    assert_eq!(server.starts(), 0);
    assert_eq!(say(&client, LONG).await.unwrap().text, "one");
    assert_eq!(say(&client, LONG).await.unwrap().text, "two");
    assert_eq!((server.starts(), server.calls("say")), (1, 2));
    assert_eq!(client.tools(LONG).await.unwrap()[0].name, "say");
    client.close().await;
    server.expect_gone();
    assert_eq!(say(&client, LONG).await.unwrap().text, "two");
    assert_eq!(server.starts(), 2);
}

#[tokio::test]
async fn calls_at_once_share_one_server() {
    let server = StandIn::new(&[], &[("say", Reply::text("hello"))]);
    let client = client(&server);
    let calls = (0..20).map(|_| say(&client, LONG));
    for answer in futures::future::join_all(calls).await {
        assert_eq!(answer.unwrap().text, "hello");
    }
    assert_eq!((server.starts(), server.calls("say")), (1, 20));
}

#[tokio::test]
async fn a_server_that_dies_is_explained_and_started_again() {
    let dies = Reply::Dies { code: 7, last_words: "first\nout of   memory\n\n".to_owned() };
    let server = StandIn::new(&[], &[("say", dies), ("say", Reply::text("back again"))]);
    let client = client(&server);
    let error = say(&client, LONG).await.unwrap_err().to_string();
    assert_eq!(error, "`sh` ended (exit code 7); its last words: out of memory");
    assert_eq!(say(&client, LONG).await.unwrap().text, "back again");
    assert_eq!(server.starts(), 2);
}

#[tokio::test]
async fn the_death_of_a_server_is_seen_although_its_child_holds_the_pipes() {
    let dies = Reply::Dies { code: 1, last_words: "gone".to_owned() };
    let server = StandIn::new(&[Manner::HasChild], &[("say", dies)]);
    let client = client(&server);
    let error = say(&client, LONG).await.unwrap_err();
    assert!(matches!(error, Error::Ended { .. }), "{error}");
    drop(client);
    server.expect_gone();
}

#[tokio::test]
async fn a_server_that_never_ends_is_killed_with_its_child() {
    let server = StandIn::new(&[Manner::NeverEnds, Manner::HasChild], &[("say", Reply::text("hello"))]);
    for is_polite in [true, false] {
        let client = client(&server);
        say(&client, LONG).await.unwrap();
        assert!(server.running() >= 2);
        if is_polite {
            client.close().await;
        }
        drop(client);
        server.expect_gone();
    }
}

#[test]
fn nothing_is_left_when_the_runtime_ends_before_the_client() {
    let server = StandIn::new(&[Manner::NeverEnds, Manner::HasChild], &[("say", Reply::text("hello"))]);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let client = client(&server);
    runtime.block_on(say(&client, LONG)).unwrap();
    runtime.shutdown_background();
    assert!(server.running() >= 2);
    drop(client);
    server.expect_gone();
}

#[tokio::test]
async fn a_caller_who_goes_away_leaves_nothing_half_started() {
    let server = StandIn::new(&[Manner::SaysNothing, Manner::NeverEnds], &[]);
    let client = client(&server);
    let gone = tokio::time::timeout(SHORT, say(&client, LONG)).await;
    assert!(gone.is_err());
    assert_eq!(server.starts(), 1);
    server.expect_gone();
}

#[tokio::test]
async fn silence_is_a_timeout_and_the_end_of_the_server() {
    for (manners, reply) in [
        (&[Manner::NeverEnds, Manner::HasChild][..], Reply::Silence),
        (&[Manner::SaysNothing, Manner::NeverEnds][..], Reply::Silence),
        (&[][..], Reply::text("late").late(Duration::from_secs(30))),
    ] {
        let server = StandIn::new(manners, &[("say", reply)]);
        let client = client(&server);
        let error = say(&client, SHORT).await.unwrap_err();
        assert!(matches!(error, Error::Timeout { after: SHORT, .. }), "{error}");
        server.expect_gone();
    }
}

#[tokio::test]
async fn a_slow_tool_does_not_cost_the_others_their_server() {
    let server = StandIn::new(&[], &[("say", Reply::text("hello")), ("sulk", Reply::Silence)]);
    let client = client(&server);
    let sulk = client.call("sulk", Map::new(), SHORT);
    let (sulked, said) = tokio::join!(sulk, say(&client, LONG));
    assert!(sulked.is_err());
    assert_eq!(said.unwrap().text, "hello");
    say(&client, LONG).await.unwrap();
    assert_eq!(server.starts(), 1);
}

#[tokio::test]
async fn rubbish_on_standard_output_is_passed_over() {
    let manners = [Manner::BeginsWithRubbish, Manner::Chatters];
    let server = StandIn::new(&manners, &[("say", Reply::text("hello").after_rubbish())]);
    let client = client(&server);
    for _ in 0..3 {
        assert_eq!(say(&client, LONG).await.unwrap().text, "hello");
    }
    assert_eq!(server.starts(), 1);
}

#[tokio::test]
async fn a_line_that_is_too_long_is_thrown_away_as_it_comes() {
    let server = StandIn::new(&[], &[("say", Reply::text("hello").after_flood(100_000_000))]);
    let client = client(&server);
    let before = resident_kilobytes();
    assert_eq!(say(&client, LONG).await.unwrap().text, "hello");
    assert!(resident_kilobytes() < before + 50_000, "{before} KB, then {} KB", resident_kilobytes());
}

#[tokio::test]
async fn an_answer_that_is_too_long_is_no_answer() {
    let server = StandIn::new(&[], &[("say", Reply::text("x".repeat(5_000_000)))]);
    let error = say(&client(&server), SHORT).await.unwrap_err();
    assert!(matches!(error, Error::Timeout { .. }), "{error}");
}

/// Greets as it should and then writes this line for ever, reading nothing.
fn flooding(line: &str) -> Program {
    let greeting = r#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2024-11-05","capabilities":{},"serverInfo":{"name":"x","version":"1"}}}"#;
    let script = format!("read -r line; echo '{greeting}'; exec yes '{line}'");
    Program { arguments: vec!["-c".into(), script.into()], ..Program::new("sh") }
}

#[tokio::test]
async fn messages_without_end_cost_time_but_no_memory() {
    let lines = [
        r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"roots/list"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#,
        r#"{"jsonrpc":"2.0","id":99,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":"x","error":{"code":1,"message":"x"}}"#,
        r#"{"jsonrpc":"2.0"}"#,
    ];
    for line in lines {
        let client = Client::new(Target::Program(flooding(line)));
        let before = resident_kilobytes();
        let error = say(&client, SHORT).await.unwrap_err();
        let after = resident_kilobytes();
        assert!(matches!(error, Error::Timeout { .. }), "{line}: {error}");
        assert!(after < before + 50_000, "{line}: {before} KB, then {after} KB");
    }
}

async fn check_error(reply: Reply, within: Duration, expected: &str) {
    let server = StandIn::new(&[], &[("say", reply)]);
    let error = say(&client(&server), within).await.unwrap_err().to_string();
    assert_eq!(error, expected);
}

#[tokio::test]
async fn lies_are_errors() {
    check_error(Reply::failure("no\n such   file"), LONG, "`say` failed: no such file").await;
    let refused = Reply::Error { code: -32602, message: "bad params".to_owned() };
    check_error(refused, LONG, "`sh` refused the call: bad params (-32602)").await;
    let no_result = "the answer of `sh` to `say` cannot be understood: it is of another kind";
    check_error(Reply::Result(json!({"prompts": []})), LONG, no_result).await;
    let without_id = Reply::Line(r#"{"jsonrpc": "2.0", "result": 3}"#.to_owned());
    check_error(without_id, SHORT, "no answer from `sh` within 800 ms").await;
}

async fn check_program(program: Program, expected: &str) {
    let error = say(&Client::new(Target::Program(program)), LONG).await.unwrap_err().to_string();
    assert!(error.starts_with(expected), "{error}");
}

#[tokio::test]
async fn a_wrong_program_is_explained() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing");
    let text = folder.path().join("text");
    std::fs::write(&text, "hello").unwrap();
    check_program(
        Program::new("no-such-program-here"),
        "cannot start `no-such-program-here`: there is no such program",
    )
    .await;
    let nowhere = Program { folder: Some(missing.clone()), ..Program::new("true") };
    check_program(nowhere, &format!("cannot start `true`: there is no folder {}", missing.display())).await;
    check_program(Program::new(&text), &format!("cannot start `{}`: it may not be executed", text.display())).await;
    check_program(Program::new("true"), "`true` ended (exit code 0)").await;
    let ls = Program { arguments: vec!["--no-such-option".into()], ..Program::new("ls") };
    check_program(ls, "`ls` ended (exit code").await;
    let server = StandIn::new(&[Manner::EndsAtOnce], &[]);
    let program = Program { arguments: vec![server.script().into()], ..Program::new("sh") };
    check_program(program, "`sh` ended (exit code 3); its last words: I will not serve").await;
}

#[tokio::test]
async fn programs_that_are_no_servers_time_out_and_end() {
    for (command, arguments) in
        [("cat", &[][..]), ("yes", &[]), ("sleep", &["300"]), ("yes", &["{}"]), ("yes", &["[1]"])]
    {
        let arguments = arguments.iter().map(Into::into).collect();
        let client = Client::new(Target::Program(Program { arguments, ..Program::new(command) }));
        let error = say(&client, SHORT).await.unwrap_err();
        assert!(matches!(error, Error::Timeout { .. } | Error::NotMcp { .. }), "{command}: {error}");
    }
}

#[tokio::test]
async fn a_server_gets_its_folder_and_its_variables_but_none_of_ours() {
    let folder = tempfile::tempdir().unwrap();
    let script = "echo \"$PWD $GIVEN ${TRAILMARK_SECRET-none}\" >&2; exit 1";
    let program = Program {
        arguments: vec!["-c".into(), script.into()],
        folder: Some(folder.path().to_path_buf()),
        environment: vec![("GIVEN".into(), "given".into())],
        ..Program::new("sh")
    };
    let error = say(&Client::new(Target::Program(program)), LONG).await.unwrap_err().to_string();
    let place = folder.path().canonicalize().unwrap();
    assert!(error.ends_with(&format!("{} given none", place.display())), "{error}");
}

/// How much memory this process has in use; where that cannot be asked for, nothing.
fn resident_kilobytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or_default()
}

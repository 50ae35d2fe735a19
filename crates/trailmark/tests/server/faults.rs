//! A server that is down, killed, paused or does not let us in: what a client is told, and that nothing is lost or doubled.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use serde_json::Value;
use test_servers::{PASSWORD, Server};
use testkit::{Era, Installation, StdioServer};

use crate::subject::{BOLT, MONGODB, POSTGRES, Subject, WRONG, assert_no_password};
use crate::{installation, move_between};

/// Writes on their way when the server is killed.
const WRITES: usize = 120;
/// How many of them are answered before that.
const ANSWERED: usize = 30;
/// How many more are sent to a server that is no longer there.
const MORE: usize = 10;
/// How long a server may take to be itself again after it was killed.
const RECOVERY: Duration = Duration::from_secs(40);

#[test]
fn documents_on_mongodb_survive_what_happens_to_the_server() {
    hurt(MONGODB);
}

#[test]
fn the_knowledge_graph_on_a_bolt_server_survives_what_happens_to_it() {
    hurt(BOLT);
}

#[test]
fn documents_on_postgresql_survive_what_happens_to_the_server() {
    hurt(POSTGRES);
}

/// One server for all of it: starting one takes longer than most of what is done to it.
fn hurt(subject: Subject) {
    let mut server = Server::start(subject.program).unwrap();
    is_down_at_first(subject, &mut server);
    is_killed_in_a_burst_of_writes(subject, &mut server);
    does_not_answer(subject, &server);
    has_another_password(subject, &server);
}

/// A client of the program, which keeps its things at this address.
fn client(installation: &Installation, subject: Subject, url: &str) -> StdioServer {
    let mut command = installation.command(&["serve", "--log", "debug"]);
    command.env(subject.setting, url);
    let mut client = StdioServer::start(command);
    client.open(Era::INITIALIZED);
    client
}

fn is_down_at_first(subject: Subject, server: &mut Server) {
    server.kill();
    let installation = installation();
    let mut client = client(&installation, subject, &server.url());
    for _ in 0..2 {
        let (tool, arguments) = subject.write("too early");
        assert_says_why(&client.call(tool, arguments), subject);
    }
    server.restart().unwrap();
    let id = write_until_it_succeeds(&mut client, subject, "now");
    assert_reads(&mut client, subject, &id);
    assert_no_password(&client.process().errors());
}

fn is_killed_in_a_burst_of_writes(subject: Subject, server: &mut Server) {
    let installation = installation();
    let mut client = client(&installation, subject, &server.url());
    write_until_it_succeeds(&mut client, subject, "before the burst");
    let name = |number: usize| format!("burst {number}");
    let mut sent: HashMap<i64, String> = HashMap::new();
    let mut send = |client: &mut StdioServer, number: usize| {
        let (tool, arguments) = subject.write(&name(number));
        sent.insert(client.request_call(tool, arguments), name(number));
    };
    (0..WRITES).for_each(|number| send(&mut client, number));
    let mut answers: Vec<Value> = (0..ANSWERED).map(|_| client.receive()).collect();
    server.kill();
    // A fast server may have done all of them by now: the burst goes on.
    (WRITES..WRITES + MORE).for_each(|number| send(&mut client, number));
    answers.extend((ANSWERED..WRITES + MORE).map(|_| client.receive()));
    let acknowledged: HashMap<String, &String> =
        answers.iter().filter_map(|answer| Some((kept_id(answer)?, &sent[&answer["id"].as_i64()?]))).collect();
    let failed: Vec<&Value> = answers.iter().filter(|answer| kept_id(answer).is_none()).collect();
    assert!(acknowledged.len() >= ANSWERED, "{} of {ANSWERED} writes were kept before", acknowledged.len());
    assert!(!failed.is_empty(), "a server that was killed has kept every write");
    failed.iter().for_each(|answer| assert_says_why(answer, subject));

    server.restart().unwrap();
    write_until_it_succeeds(&mut client, subject, "after the burst");
    let kept = all_kept(&installation, subject, server);
    let by_id: HashMap<&String, &String> = kept.iter().map(|(id, name)| (id, name)).collect();
    for (id, name) in &acknowledged {
        assert_eq!(by_id.get(id), Some(name), "acknowledged and not there");
    }
    let bursts = kept.iter().map(|(_, name)| name).filter(|name| name.starts_with("burst"));
    let mut seen = HashSet::new();
    bursts.for_each(|name| assert!(seen.insert(name), "`{name}` is there twice"));
    assert_no_password(&client.process().errors());
}

fn does_not_answer(subject: Subject, server: &Server) {
    let installation = installation();
    let mut client = client(&installation, subject, &server.url());
    let id = write_until_it_succeeds(&mut client, subject, "before the pause");
    server.pause();
    let (tool, arguments) = subject.read(&id);
    let calls: Vec<i64> = (0..20).map(|_| client.request_call(tool, arguments.clone())).collect();
    // Each answer comes within the deadline of the tool, or the wait for it fails.
    for call in calls {
        let answer = client.answer_to(call);
        let code = error(&answer)["code"].as_str().unwrap();
        assert!(["DB_ERROR", "TIMEOUT"].contains(&code), "{answer}");
    }
    server.resume();
    write_until_it_succeeds(&mut client, subject, "after the pause");
    for _ in 0..20 {
        assert_reads(&mut client, subject, &id);
    }
    assert_no_password(&client.process().errors());
}

fn has_another_password(subject: Subject, server: &Server) {
    let installation = installation();
    let url = server.url().replace(PASSWORD, WRONG);
    let mut client = client(&installation, subject, &url);
    let (tool, arguments) = subject.write("not for us");
    let answer = client.call(tool, arguments);
    assert_says_why(&answer, subject);
    assert!(error(&answer)["message"].as_str().unwrap().contains("password is wrong"), "{answer}");
    client.process().close_input();
    client.process().wait_for_exit(testkit::PATIENCE);
    assert_no_password(&client.process().errors());
    let mut doctor = installation.command(&["doctor", "--log", "debug"]);
    doctor.env(subject.setting, &url);
    let doctor = testkit::Ran::of(doctor, "").expect_code(1);
    assert!(doctor.output.contains("password is wrong"), "{doctor:?}");
    assert_no_password(&format!("{doctor:?}"));
    for entry in std::fs::read_dir(installation.home()).unwrap() {
        let file = entry.unwrap().path();
        if file.is_file() {
            assert_no_password(&String::from_utf8_lossy(&std::fs::read(file).unwrap()));
        }
    }
}

/// The id of what was kept, if it was.
fn kept_id(answer: &Value) -> Option<String> {
    let body = &answer["result"]["structuredContent"];
    (body["ok"] == true).then(|| body["data"]["id"].as_str().unwrap().to_owned())
}

fn error(answer: &Value) -> &Value {
    assert_eq!(answer["result"]["isError"], true, "{answer}");
    &answer["result"]["structuredContent"]["error"]
}

/// The answer says what is wrong and which setting to look at, and nothing of the password.
#[track_caller]
fn assert_says_why(answer: &Value, subject: Subject) {
    let error = error(answer);
    assert_eq!(error["code"], "DB_ERROR", "{answer}");
    assert!(error.to_string().contains(subject.setting), "{error}");
    assert_no_password(&answer.to_string());
}

#[track_caller]
fn assert_reads(client: &mut StdioServer, subject: Subject, id: &str) {
    let (tool, arguments) = subject.read(id);
    let answer = client.call(tool, arguments);
    assert_eq!(answer["result"]["structuredContent"]["data"]["id"], id, "{answer}");
}

/// The same program without a restart, once the server is there again.
#[track_caller]
fn write_until_it_succeeds(client: &mut StdioServer, subject: Subject, name: &str) -> String {
    let until = Instant::now() + RECOVERY;
    loop {
        let (tool, arguments) = subject.write(name);
        let answer = client.call(tool, arguments);
        if let Some(id) = kept_id(&answer) {
            return id;
        }
        assert!(Instant::now() < until, "it does not recover: {answer}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// All that the server keeps, taken over into an embedded store.
fn all_kept(installation: &Installation, subject: Subject, server: &Server) -> Vec<(String, String)> {
    let folder = tempfile::tempdir().unwrap();
    let to = format!("embedded:{}", folder.path().display());
    move_between(installation, &server.url(), &to, 0);
    subject.all_in(folder.path())
}

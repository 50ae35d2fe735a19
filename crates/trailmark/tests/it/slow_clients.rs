//! Clients that are slow, or stop in the middle: they are let go, and nobody else waits for them.

use std::fs;
use std::io::{Read as _, Write as _};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;
use testkit::{Connection, Era, HttpResponse, HttpServer};

use crate::sample::{all_tools, data, installation, remark};

/// The server gives up on headers after 10 s and on a body after 30 s; longer than this is a hang.
const LONGEST: Duration = Duration::from_secs(45);

/// Everything that comes until the server hangs up, and how long that took.
fn read_until_hung_up(mut connection: Connection) -> (Vec<u8>, Duration) {
    let started = Instant::now();
    let mut bytes = Vec::new();
    while started.elapsed() < LONGEST {
        match connection.read_to_end(&mut bytes) {
            Ok(_) => return (bytes, started.elapsed()),
            Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => return (bytes, started.elapsed()),
            Err(_still_open) => {}
        }
    }
    panic!("the server did not hang up: {}", String::from_utf8_lossy(&bytes));
}

#[test]
fn a_client_that_never_finishes_its_request_is_let_go_and_holds_up_nobody() {
    let installation = installation();
    let server = installation.serve_http(&[]);
    let request = server.post(&Era::PerRequest.request(1, "tools/list", json!({})));
    let mut half_a_head = server.connect();
    half_a_head.write_all(&request.head()[..20]).unwrap();
    let mut half_a_body = server.connect();
    let bytes = request.to_bytes();
    half_a_body.write_all(&bytes[..bytes.len() - 10]).unwrap();
    let head = thread::spawn(|| read_until_hung_up(half_a_head));
    let body = thread::spawn(|| read_until_hung_up(half_a_body));
    assert_served(&server);
    assert!(!head.is_finished() && !body.is_finished(), "others were served only once the slow ones were let go");
    while !(head.is_finished() && body.is_finished()) {
        assert_served(&server);
        thread::sleep(Duration::from_millis(500));
    }
    let (bytes, waited) = head.join().unwrap();
    remark(&format!("half a head: let go after {waited:?} with {:?}", String::from_utf8_lossy(&bytes)));
    let (bytes, waited) = body.join().unwrap();
    remark(&format!("half a body: let go after {waited:?}"));
    let response = HttpResponse::parse(&bytes).expect("a client that sent its headers is told why");
    assert_eq!(response.status, 408);
    assert!(response.json()["error"]["message"].as_str().unwrap().contains("took longer than 30 s"), "{response:?}");
}

#[track_caller]
fn assert_served(server: &HttpServer) {
    assert_eq!(data(&server.call("mongo_find_all", json!({}))), &json!({"items": []}));
}

#[test]
fn a_client_that_reads_nothing_gets_everything_once_it_reads() {
    const REQUESTS: usize = 2_500;
    let installation = installation();
    let mut server = installation.open_stdio(Era::INITIALIZED);
    let ids: Vec<i64> = (0..REQUESTS).map(|_| server.request("tools/list", json!({}))).collect();
    thread::sleep(Duration::from_secs(2));
    let memory = resident_megabytes(server.process().id());
    remark(&format!("resident memory with {REQUESTS} answers unread: {memory} MB"));
    assert!(memory < 100, "{memory} MB are kept for a client that does not read");
    for id in ids {
        assert_eq!(server.answer_to(id)["result"]["tools"].as_array().unwrap().len(), all_tools().len());
    }
}

#[test]
fn a_client_that_reads_nothing_and_closes_its_side_does_not_keep_the_server_alive() {
    // The answers to the second are more than the server keeps before it stops reading; the requests fit into a pipe.
    for requests in [50, 1_100] {
        let installation = installation();
        let mut server = installation.serve_stdio(&[]);
        server.send(&Era::INITIALIZED.opening(0));
        for id in 1..=requests {
            server
                .process()
                .write(format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools/list\"}}\n").as_bytes());
        }
        server.process().close_input();
        let started = Instant::now();
        let status = server.process().wait_for_exit(LONGEST);
        remark(&format!("end of input with {requests} unread answers to end of process: {:?}", started.elapsed()));
        assert_eq!(status.code(), Some(0));
    }
}

#[test]
fn a_client_that_dies_with_more_unread_than_the_server_keeps_does_not_leave_it_behind() {
    let installation = installation();
    let mut server = installation.serve_stdio(&[]);
    server.send(&Era::INITIALIZED.opening(0));
    for _ in 0..2_500 {
        server.request("tools/list", json!({}));
    }
    thread::sleep(Duration::from_secs(1));
    server.process().close_input();
    server.process().close_output();
    server.process().wait_for_exit(LONGEST);
}

#[test]
fn a_client_that_sends_byte_by_byte_is_understood() {
    let installation = installation();
    let mut server = installation.open_stdio(Era::INITIALIZED);
    let line = format!("{}\n", Era::INITIALIZED.request(9, "ping", json!({})));
    for byte in line.as_bytes() {
        server.process().write(&[*byte]);
        thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(server.answer_to(9)["result"], json!({}));
}

fn resident_megabytes(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() / 1024
}

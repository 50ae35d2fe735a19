//! A server at an address.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::{Map, Value, json};
use upstream::{Address, Client, Error, Target};

const LONG: Duration = Duration::from_secs(20);
const SHORT: Duration = Duration::from_millis(800);

/// What the server does with calls of tools.
#[derive(Debug, Clone, Copy)]
enum Behaviour {
    Answers,
    SaysNothing,
    IsNoServer,
}

/// Answers JSON to every message; gives the address, and the tokens that were sent.
fn serve(behaviour: Behaviour) -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    let tokens = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&tokens);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let seen = Arc::clone(&seen);
            thread::spawn(move || while answer(&stream, behaviour, &seen).is_some() {});
        }
    });
    (url, tokens)
}

fn answer(stream: &TcpStream, behaviour: Behaviour, seen: &Mutex<Vec<String>>) -> Option<()> {
    let (message, token) = read(&mut BufReader::new(stream))?;
    seen.lock().unwrap().extend(token);
    let id = message["id"].clone();
    let result = match (behaviour, message["method"].as_str().unwrap_or_default()) {
        (Behaviour::IsNoServer, _) => return write(stream, "200 OK", "text/html", "<html>hello</html>"),
        (_, "initialize") => json!({
            "protocolVersion": "2025-06-18",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "stand-in", "version": "1"},
        }),
        (Behaviour::Answers, "tools/call") => json!({"content": [{"type": "text", "text": "hello"}]}),
        (Behaviour::SaysNothing, "tools/call") => {
            thread::sleep(LONG);
            return None;
        }
        (_, "") => return write(stream, "405 Method Not Allowed", "text/plain", ""),
        _ => return write(stream, "202 Accepted", "text/plain", ""),
    };
    write(stream, "200 OK", "application/json", &json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string())
}

fn read(reader: &mut BufReader<&TcpStream>) -> Option<(Value, Option<String>)> {
    let (mut length, mut token) = (0, None);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end().split_once(": ") {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => length = value.parse().unwrap(),
            Some((name, value)) if name.eq_ignore_ascii_case("authorization") => token = Some(value.to_owned()),
            None if line.trim().is_empty() => break,
            Some(_) | None => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((serde_json::from_slice(&body).unwrap_or_default(), token))
}

fn write(mut stream: &TcpStream, status: &str, kind: &str, body: &str) -> Option<()> {
    let head = format!("HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n\r\n", body.len());
    stream.write_all(head.as_bytes()).ok()?;
    stream.write_all(body.as_bytes()).ok()
}

#[tokio::test]
async fn a_server_at_an_address_is_called_with_its_token() {
    let (url, tokens) = serve(Behaviour::Answers);
    let client = Client::new(Target::Address(Address { url, token: Some("not-a-real-token".to_owned()) }));
    for _ in 0..2 {
        assert_eq!(client.call("say", Map::new(), LONG).await.unwrap().text, "hello");
    }
    let tokens = tokens.lock().unwrap().clone();
    assert!(tokens.len() >= 3 && tokens.iter().all(|token| token == "Bearer not-a-real-token"), "{tokens:?}");
    client.close().await;
}

#[tokio::test]
async fn what_cannot_be_reached_or_does_not_answer_is_an_error_in_time() {
    let (silent, _) = serve(Behaviour::SaysNothing);
    let error = call(&silent).await;
    assert!(matches!(error, Error::Timeout { .. }), "{error}");
    let (page, _) = serve(Behaviour::IsNoServer);
    let error = call(&page).await;
    assert!(matches!(error, Error::NoConnection { .. } | Error::NotMcp { .. }), "{error}");
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let error = call(&format!("http://{nobody}/mcp")).await;
    assert!(matches!(error, Error::NoConnection { .. }), "{error}");
    assert!(error.to_string().starts_with(&format!("no connection to http://{nobody}: ")), "{error}");
    for nonsense in ["", "nonsense", "ftp://host/"] {
        let error = call(nonsense).await;
        assert!(matches!(error, Error::NoConnection { .. }), "{error}");
    }
}

async fn call(url: &str) -> Error {
    Client::new(Target::Address(Address::new(url))).call("say", Map::new(), SHORT).await.unwrap_err()
}

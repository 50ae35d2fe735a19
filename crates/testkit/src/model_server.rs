//! A language model that says what a test wants it to, on a port of this machine.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// What the server does with one request.
#[derive(Debug, Clone)]
pub enum ModelReply {
    /// A completion with this text.
    Text(String),
    /// These bytes, as they are.
    Raw(Vec<u8>),
    /// Nothing, with the connection kept open.
    Silence,
    /// The beginning of an answer that has no end.
    Endless,
}

impl ModelReply {
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// An answer with this status and body.
    pub fn status(status: u16, body: &str) -> Self {
        let length = body.len();
        // It is the last on its connection, which a client that was not told so would use again.
        let head = format!("HTTP/1.1 {status} Said\r\nconnection: close\r\ncontent-length: {length}");
        Self::Raw(format!("{head}\r\n\r\n{body}").into_bytes())
    }
}

/// A request as it came.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelRequest {
    /// Method and path.
    pub line: String,
    pub authorization: Option<String>,
    pub body: Value,
}

impl ModelRequest {
    /// The text of the message that was added last.
    pub fn last_message(&self) -> &str {
        let messages = self.body["messages"].as_array().expect("a request has messages");
        messages.last().and_then(|message| message["content"].as_str()).expect("the last message has a text")
    }
}

/// Speaks as much of the protocol as a client needs, and remembers what it was asked.
#[derive(Debug)]
pub struct ModelServer {
    port: u16,
    requests: Arc<Mutex<Vec<ModelRequest>>>,
}

impl ModelServer {
    /// The first request gets the first reply, and so on; the last one is repeated.
    pub fn start(replies: Vec<ModelReply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let port = listener.local_addr().expect("a bound listener has an address").port();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (seen, replies) = (requests.clone(), Arc::new(replies));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (seen, replies) = (seen.clone(), replies.clone());
                // A client that goes away in the middle is what some tests are about.
                thread::spawn(move || answer(stream, &seen, &replies).ok());
            }
        });
        Self { port, requests }
    }

    /// What a client is to be told.
    pub fn base_url(&self) -> String {
        format!("http://127.0.0.1:{}/v1", self.port)
    }

    /// Every request so far, in the order they came.
    pub fn requests(&self) -> Vec<ModelRequest> {
        lock(&self.requests).clone()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Answers every request of one connection.
fn answer(stream: TcpStream, seen: &Mutex<Vec<ModelRequest>>, replies: &[ModelReply]) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut writer = stream;
    while let Some(request) = read(&mut reader)? {
        let number = {
            let mut seen = lock(seen);
            seen.push(request);
            seen.len() - 1
        };
        match replies.get(number).or(replies.last()) {
            Some(ModelReply::Text(text)) => {
                let message = json!({"role": "assistant", "content": text});
                let body = json!({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}).to_string();
                let head = format!("content-type: application/json\r\ncontent-length: {}", body.len());
                write!(writer, "HTTP/1.1 200 OK\r\n{head}\r\n\r\n{body}")?;
            }
            Some(ModelReply::Raw(bytes)) => {
                writer.write_all(bytes)?;
                return Ok(());
            }
            Some(ModelReply::Endless) => {
                writer.write_all(b"HTTP/1.1 200 OK\r\n\r\n")?;
                loop {
                    writer.write_all(&[b'x'; 4_096])?;
                }
            }
            Some(ModelReply::Silence) | None => thread::sleep(Duration::from_secs(60)),
        }
    }
    Ok(())
}

fn read(reader: &mut BufReader<TcpStream>) -> std::io::Result<Option<ModelRequest>> {
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let (mut length, mut authorization) = (0, None);
    loop {
        let mut header = String::new();
        reader.read_line(&mut header)?;
        let Some((name, value)) = header.trim_end().split_once(':') else { break };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.trim().parse().unwrap_or_default(),
            "authorization" => authorization = Some(value.trim().to_owned()),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
    let line = line.trim_end().trim_end_matches(" HTTP/1.1").to_owned();
    Ok(Some(ModelRequest { line, authorization, body }))
}

//! A client on the server's standard input and output.

use std::collections::VecDeque;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::process::Process;
use crate::{Era, PATIENCE};

/// A running server and the client that talks to it.
#[derive(Debug)]
pub struct StdioServer {
    process: Process,
    era: Era,
    next_id: i64,
    /// Messages that came while another one was waited for.
    set_aside: VecDeque<Value>,
}

impl StdioServer {
    /// Starts the server and says nothing to it.
    pub fn start(command: Command) -> Self {
        Self { process: Process::start(command), era: Era::INITIALIZED, next_id: 1, set_aside: VecDeque::new() }
    }

    /// The process behind it.
    pub fn process(&mut self) -> &mut Process {
        &mut self.process
    }

    /// Introduces the client; the server's answer.
    pub fn open(&mut self, era: Era) -> Value {
        self.era = era;
        let id = self.take_id();
        self.send(&era.opening(id));
        let answer = self.answer_to(id);
        if matches!(era, Era::Initialize(_)) {
            self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        }
        answer
    }

    /// Sends a message as one line.
    pub fn send(&self, message: &Value) {
        self.send_line(message.to_string().as_bytes());
    }

    /// Sends bytes and a line end.
    pub fn send_line(&self, line: &[u8]) {
        self.process.write(&[line, b"\n"].concat());
    }

    /// Sends a request of this client's era under a new id.
    pub fn request(&mut self, method: &str, params: Value) -> i64 {
        let id = self.take_id();
        self.send(&self.era.request(id, method, params));
        id
    }

    /// Sends a call under a new id.
    pub fn request_call(&mut self, tool: &str, arguments: Value) -> i64 {
        self.request("tools/call", json!({"name": tool, "arguments": arguments}))
    }

    /// Sends a request and waits for its answer.
    #[track_caller]
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.request(method, params);
        self.answer_to(id)
    }

    /// Calls a tool and waits for the answer.
    #[track_caller]
    pub fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let id = self.request_call(tool, arguments);
        self.answer_to(id)
    }

    /// The answer to a request; what else comes meanwhile is kept for later.
    #[track_caller]
    pub fn answer_to(&mut self, id: impl Into<Value>) -> Value {
        let id = id.into();
        let is_answer = |message: &Value| message["id"] == id && message.get("method").is_none();
        if let Some(place) = self.set_aside.iter().position(is_answer) {
            return self.set_aside.remove(place).expect("the place was found just now");
        }
        let until = Instant::now() + PATIENCE;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.read(left) {
                Some(message) if is_answer(&message) => return message,
                Some(message) => self.set_aside.push_back(message),
                None => panic!("no answer to {id}; standard error: {}", self.process.errors()),
            }
        }
    }

    /// The next message.
    #[track_caller]
    pub fn receive(&mut self) -> Value {
        let message = self.receive_within(PATIENCE);
        message.unwrap_or_else(|| panic!("no message came; standard error: {}", self.process.errors()))
    }

    /// The next message if one comes in time.
    pub fn receive_within(&mut self, patience: Duration) -> Option<Value> {
        self.set_aside.pop_front().or_else(|| self.read(patience))
    }

    /// Every message until the server closes its side.
    pub fn receive_all(&mut self) -> Vec<Value> {
        std::iter::from_fn(|| self.receive_within(PATIENCE)).collect()
    }

    /// Standard output carries protocol messages only, so every line must be one. Half a line, from a server that was
    /// killed, is none.
    fn read(&mut self, patience: Duration) -> Option<Value> {
        let line = self.process.read_line(patience).filter(|line| line.ends_with(b"\n"))?;
        let message: Value = serde_json::from_slice(&line)
            .unwrap_or_else(|error| panic!("not JSON ({error}): {}", String::from_utf8_lossy(&line)));
        assert_eq!(message["jsonrpc"], "2.0", "not a JSON-RPC message: {message}");
        Some(message)
    }

    fn take_id(&mut self) -> i64 {
        self.next_id += 1;
        self.next_id - 1
    }
}

//! A client that is as thin as can be, so that what is measured is the server.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::Receiver;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::process;

/// A server behind two pipes; ended when dropped.
pub(super) struct StdioSession {
    server: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    last_id: u64,
}

impl StdioSession {
    pub(super) fn start(command: &mut Command) -> Result<Self> {
        Self::spawn(command.stderr(Stdio::null()))
    }

    /// With what the server logs, line by line.
    pub(super) fn start_with_log(command: &mut Command) -> Result<(Self, Receiver<String>)> {
        let mut session = Self::spawn(command.stderr(Stdio::piped()))?;
        let log = session.server.stderr.take().context("the server has no log")?;
        Ok((session, process::read_lines(log, |_| {})))
    }

    fn spawn(command: &mut Command) -> Result<Self> {
        let mut server = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = server.stdin.take().context("the server has no input")?;
        let output = BufReader::new(server.stdout.take().context("the server has no output")?);
        Ok(Self { server, input, output, last_id: 0 })
    }

    pub(super) fn initialize(&mut self) -> Result<()> {
        let client = json!({"name": "bench", "version": "1"});
        self.request(
            "initialize",
            &json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}),
        )?;
        writeln!(self.input, "{}", json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok(())
    }

    /// The result of a tool that must succeed.
    pub(super) fn call(&mut self, tool: &str, arguments: Value) -> Result<Value> {
        let result = self.request("tools/call", &json!({"name": tool, "arguments": arguments}))?;
        ensure!(result["isError"] != true, "{tool} failed: {result}");
        Ok(result)
    }

    /// A call that the server must refuse.
    pub(super) fn refused(&mut self, tool: &str, arguments: Value) -> Result<()> {
        let result = self.request("tools/call", &json!({"name": tool, "arguments": arguments}))?;
        ensure!(result["isError"] == true, "{tool} was not refused: {result}");
        Ok(())
    }

    /// The results of `count` calls in their order, with up to `in_flight` of them unanswered at any time.
    pub(super) fn call_all(
        &mut self,
        count: usize,
        in_flight: usize,
        call: impl Fn(usize) -> (&'static str, Value),
    ) -> Result<Vec<Value>> {
        let first = self.last_id + 1;
        let mut results = vec![Value::Null; count];
        let mut sent = 0;
        for answered in 0..count {
            while sent < count && sent - answered < in_flight {
                let (tool, arguments) = call(sent);
                self.send("tools/call", &json!({"name": tool, "arguments": arguments}))?;
                sent += 1;
            }
            let mut line = String::new();
            self.output.read_line(&mut line)?;
            let id = serde_json::from_str::<Value>(&line)?["id"].as_u64().context("an answer has an id")?;
            let result = result(&line)?;
            ensure!(result["isError"] != true, "a call failed: {result}");
            results[usize::try_from(id - first)?] = result;
        }
        Ok(results)
    }

    pub(super) fn process(&self) -> u32 {
        self.server.id()
    }

    fn request(&mut self, method: &str, params: &Value) -> Result<Value> {
        self.send(method, params)?;
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        result(&line)
    }

    fn send(&mut self, method: &str, params: &Value) -> Result<()> {
        self.last_id += 1;
        let mut line = message(self.last_id, method, params);
        line.push('\n');
        Ok(self.input.write_all(line.as_bytes())?)
    }
}

impl Drop for StdioSession {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// A server behind one connection that is kept open; ended when dropped.
pub(super) struct HttpSession {
    server: Child,
    stream: BufReader<TcpStream>,
    host: String,
    last_id: u64,
}

impl HttpSession {
    pub(super) fn start(command: &mut Command) -> Result<Self> {
        let mut server = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
        let mut said = String::new();
        BufReader::new(server.stderr.take().context("the server has no stderr")?).read_line(&mut said)?;
        let host = said.split("http://").nth(1).and_then(|rest| rest.split('/').next());
        let host = host.with_context(|| format!("the server did not say where it listens: {said}"))?.to_owned();
        let stream = TcpStream::connect(&host)?;
        stream.set_nodelay(true)?;
        Ok(Self { server, stream: BufReader::new(stream), host, last_id: 0 })
    }

    pub(super) fn call(&mut self, tool: &str, arguments: Value) -> Result<Value> {
        self.last_id += 1;
        let body = message(self.last_id, "tools/call", &json!({"name": tool, "arguments": arguments}));
        let head = format!(
            "POST /mcp HTTP/1.1\r\nHost: {}\r\nAccept: application/json, text/event-stream\r\nContent-Type: application/json\r\n\
             MCP-Protocol-Version: 2025-06-18\r\nContent-Length: {}\r\n\r\n",
            self.host,
            body.len()
        );
        self.stream.get_mut().write_all((head + &body).as_bytes())?;
        let result = result(&self.read_body()?)?;
        ensure!(result["isError"] != true, "{tool} failed: {result}");
        Ok(result)
    }

    fn read_body(&mut self) -> Result<String> {
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.stream.read_line(&mut line)?;
            if line.trim().is_empty() {
                break;
            }
            if let Some((_, value)) =
                line.split_once(':').filter(|(name, _)| name.eq_ignore_ascii_case("content-length"))
            {
                length = value.trim().parse()?;
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body)?;
        Ok(String::from_utf8(body)?)
    }
}

impl Drop for HttpSession {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn message(id: u64, method: &str, params: &Value) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string()
}

fn result(line: &str) -> Result<Value> {
    let mut answer: Value = serde_json::from_str(line).with_context(|| format!("not an answer: {line:?}"))?;
    ensure!(answer.get("result").is_some(), "refused: {answer}");
    Ok(answer["result"].take())
}

//! A service on this machine with one operation, for the demo to call through its OpenAPI document.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread;

use anyhow::Context;
use serde_json::{Value, json};

/// Answers until the demo ends.
pub(super) struct Service(SocketAddr);

impl Service {
    pub(super) fn start() -> anyhow::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").context("no port of this machine is free")?;
        let address = listener.local_addr()?;
        thread::spawn(move || listener.incoming().flatten().for_each(|stream| drop(answer(&stream))));
        Ok(Self(address))
    }

    /// Where it is, for the operator to name: a document alone may not lead to this machine.
    pub(super) fn address(&self) -> String {
        format!("http://{}", self.0)
    }

    pub(super) fn document(&self) -> Value {
        json!({
            "openapi": "3.1.0", "info": {"title": "Shop", "version": "1"}, "servers": [{"url": self.address()}],
            "paths": {"/orders/{id}": {"get": {
                "operationId": "getOrder", "summary": "One order by its number",
                "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
                "responses": {"200": {"description": "The order", "content": {"application/json": {}}}},
            }}},
        })
    }
}

fn answer(stream: &TcpStream) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    let mut request = String::new();
    reader.read_line(&mut request)?;
    let mut line = String::new();
    while reader.read_line(&mut line)? > 2 {
        line.clear();
    }
    let id = request.split(' ').nth(1).and_then(|path| path.strip_prefix("/orders/")).unwrap_or_default();
    let body = json!({"id": id, "status": "paid", "total": 42.5}).to_string();
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close";
    let mut writer = stream;
    write!(writer, "{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len())
}

//! The few bytes of MongoDB's protocol that a new server needs before any driver can use it.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use anyhow::{Context, Result};

const MESSAGE: i32 = 2013;
const LIMIT: Duration = Duration::from_secs(20);

/// As much of BSON as the commands here need.
#[derive(Debug)]
pub(crate) enum Value {
    Text(String),
    Number(i32),
    Document(Vec<(&'static str, Value)>),
    List(Vec<Value>),
}

/// Sends one command to the database `admin`; the answer as it came.
pub(crate) fn ask(port: u16, mut command: Vec<(&'static str, Value)>) -> Result<Vec<u8>> {
    command.push(("$db", Value::Text("admin".to_owned())));
    let mut body = vec![0; 5];
    body.extend(document(command.iter().map(|(name, value)| ((*name).to_owned(), value))));
    let mut message = Vec::new();
    for number in [16 + i32::try_from(body.len())?, 1, 0, MESSAGE] {
        message.extend(number.to_le_bytes());
    }
    message.extend(body);
    let mut stream = TcpStream::connect(("127.0.0.1", port)).context("cannot connect to the new server")?;
    stream.set_read_timeout(Some(LIMIT))?;
    stream.write_all(&message)?;
    let mut length = [0; 4];
    stream.read_exact(&mut length)?;
    let mut answer = vec![0; usize::try_from(i32::from_le_bytes(length) - 4)?];
    stream.read_exact(&mut answer)?;
    Ok(answer)
}

fn document<'a>(fields: impl Iterator<Item = (String, &'a Value)>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (name, value) in fields {
        let (kind, encoded) = encode(value);
        bytes.push(kind);
        bytes.extend(name.as_bytes());
        bytes.push(0);
        bytes.extend(encoded);
    }
    let mut framed = length(bytes.len() + 5).to_vec();
    framed.extend(bytes);
    framed.push(0);
    framed
}

fn encode(value: &Value) -> (u8, Vec<u8>) {
    match value {
        Value::Text(text) => {
            let mut bytes = length(text.len() + 1).to_vec();
            bytes.extend(text.as_bytes());
            bytes.push(0);
            (2, bytes)
        }
        Value::Number(number) => (16, number.to_le_bytes().to_vec()),
        Value::Document(fields) => (3, document(fields.iter().map(|(name, value)| ((*name).to_owned(), value)))),
        Value::List(values) => {
            (4, document(values.iter().enumerate().map(|(position, value)| (position.to_string(), value))))
        }
    }
}

fn length(bytes: usize) -> [u8; 4] {
    i32::try_from(bytes).unwrap_or(i32::MAX).to_le_bytes()
}

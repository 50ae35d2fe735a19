//! A server on this machine that remembers every request, byte for byte, and answers as it is told.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use openapi::{Api, ApiIdentity, ApiSettings, Called, Credentials};
use serde_json::{Value, json};

/// A request as it came over the wire.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Recorded {
    /// Method, path and query.
    pub(crate) line: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Recorded {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }
}

pub(crate) struct Recorder {
    pub(crate) base: String,
    requests: Arc<Mutex<Vec<Recorded>>>,
}

impl Recorder {
    /// Answers every request with an empty JSON object.
    pub(crate) fn start() -> Self {
        Self::answering(|_| answer(200, "application/json", "{}"))
    }

    pub(crate) fn answering(reply: impl Fn(&Recorded) -> String + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let requests: Arc<Mutex<Vec<Recorded>>> = Arc::default();
        let (heard, reply) = (requests.clone(), Arc::new(reply));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (heard, reply) = (heard.clone(), reply.clone());
                std::thread::spawn(move || serve(stream, &heard, &*reply));
            }
        });
        Self { base, requests }
    }

    pub(crate) fn last(&self) -> Recorded {
        self.requests.lock().unwrap().last().cloned().expect("a request has come")
    }

    pub(crate) fn all(&self) -> Vec<Recorded> {
        self.requests.lock().unwrap().clone()
    }
}

pub(crate) fn answer(status: u16, media_type: &str, body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 {status} Said\r\ncontent-type: {media_type}\r\ncontent-length: {length}\r\n\r\n{body}")
}

fn serve(stream: TcpStream, heard: &Mutex<Vec<Recorded>>, reply: &dyn Fn(&Recorded) -> String) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut stream = stream;
    while let Some(request) = read(&mut reader) {
        let answer = reply(&request);
        heard.lock().unwrap().push(request);
        if stream.write_all(answer.as_bytes()).is_err() {
            return;
        }
    }
}

fn read(reader: &mut impl BufRead) -> Option<Recorded> {
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|length| *length > 0)?;
    let line = line.trim_end().strip_suffix(" HTTP/1.1")?.to_owned();
    let mut headers = Vec::new();
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok()?;
        let Some((name, value)) = header.trim_end().split_once(':') else { break };
        headers.push((name.to_lowercase(), value.trim().to_owned()));
    }
    let length =
        headers.iter().find(|(name, _)| name == "content-length").map_or(0, |(_, value)| value.parse().unwrap());
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Recorded { line, headers, body })
}

pub(crate) fn run<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

/// An API from the text of a document, as the settings have been changed.
pub(crate) async fn load(
    document: &str,
    change: impl FnOnce(&mut ApiSettings),
    credentials: impl FnOnce(&ApiIdentity) -> Credentials,
) -> Result<Api, openapi::DocumentError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("openapi.yaml");
    std::fs::write(&path, document).unwrap();
    let mut settings = ApiSettings::new(path.to_str().unwrap());
    settings.name = Some("t".to_owned());
    change(&mut settings);
    Api::load(&settings, credentials).await
}

/// A document with one path item.
pub(crate) fn document(path: &str, item: Value) -> String {
    json!({"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {path: item}}).to_string()
}

/// Calls the only operation of a document on this base.
pub(crate) fn call(document: &str, base: &str, arguments: Value) -> Called {
    run(async {
        let api = load(document, |settings| settings.base_url = Some(base.to_owned()), |_| Credentials::default())
            .await
            .unwrap();
        assert!(api.skipped.is_empty(), "{:?}", api.skipped);
        api.call(&api.operations[0], arguments.as_object().unwrap()).await
    })
}

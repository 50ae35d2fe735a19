//! A server on a port or a socket, and a client small enough to say exactly what goes over the wire.

mod message;

use std::fmt;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::ops::{Deref, DerefMut};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::process::Process;
use crate::{Era, PATIENCE};

pub use message::{HttpRequest, HttpResponse};

/// A running server, and a client of it.
#[derive(Debug)]
pub struct HttpServer {
    process: Process,
    client: HttpClient,
}

/// Where a server listens, and how a client introduces itself there; every request has a connection of its own.
#[derive(Debug, Clone)]
pub struct HttpClient {
    endpoint: Endpoint,
    /// The token of the server's data folder, sent with every request that sets no other.
    token: Option<String>,
    /// The era of the calls.
    pub era: Era,
}

#[derive(Debug, Clone)]
enum Endpoint {
    Port(SocketAddr),
    Socket(PathBuf),
}

impl HttpServer {
    /// Starts the server and waits until it listens; the token is read from its file, if there is one.
    pub fn start(command: Command, token_file: Option<&Path>) -> Self {
        let mut process = Process::start(command);
        let endpoint = endpoint(&process.wait_for_error_line("listening on "));
        let token = token_file.and_then(|file| std::fs::read_to_string(file).ok()).map(|token| token.trim().to_owned());
        Self { process, client: HttpClient { endpoint, token, era: Era::PerRequest } }
    }

    /// The process behind it.
    pub fn process(&mut self) -> &mut Process {
        &mut self.process
    }
}

impl Deref for HttpServer {
    type Target = HttpClient;

    fn deref(&self) -> &HttpClient {
        &self.client
    }
}

impl DerefMut for HttpServer {
    fn deref_mut(&mut self) -> &mut HttpClient {
        &mut self.client
    }
}

impl HttpClient {
    /// The token that clients must send.
    pub fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// The name by which clients address it.
    pub fn host(&self) -> String {
        match &self.endpoint {
            Endpoint::Port(address) => address.to_string(),
            Endpoint::Socket(_) => "localhost".to_owned(),
        }
    }

    /// A connection on which nothing was sent yet.
    pub fn connect(&self) -> Connection {
        let connected = match &self.endpoint {
            Endpoint::Port(address) => TcpStream::connect_timeout(address, PATIENCE).and_then(Connection::tcp),
            Endpoint::Socket(path) => UnixStream::connect(path).and_then(Connection::unix),
        };
        connected.unwrap_or_else(|error| panic!("cannot connect to {:?}: {error}", self.endpoint))
    }

    /// A POST of this message with everything that a well-behaved client of this era sends.
    pub fn post(&self, message: &Value) -> HttpRequest {
        let mut request = self.post_bytes(message.to_string().into_bytes());
        if self.era == Era::PerRequest
            && let Some(method) = message["method"].as_str()
        {
            request = request.header("Mcp-Method", method);
            if let Some(name) = message["params"]["name"].as_str().or(message["params"]["uri"].as_str()) {
                request = request.header("Mcp-Name", name);
            }
        }
        request
    }

    /// A POST of these bytes.
    pub fn post_bytes(&self, body: Vec<u8>) -> HttpRequest {
        let request = self
            .request("POST", "/mcp")
            .header("Content-Type", "application/json")
            .header("Accept", "application/json, text/event-stream")
            .header("MCP-Protocol-Version", self.era.revision())
            .body(body);
        match &self.token {
            Some(token) => request.header("Authorization", &format!("Bearer {token}")),
            None => request,
        }
    }

    /// A request with nothing but its host.
    pub fn request(&self, method: &str, path: &str) -> HttpRequest {
        HttpRequest::new(method, path).header("Host", &self.host()).header("Connection", "close")
    }

    /// Sends a request on a connection of its own and reads the response to its end.
    #[track_caller]
    pub fn send(&self, request: &HttpRequest) -> HttpResponse {
        self.send_raw(&request.to_bytes())
    }

    /// Sends bytes on a connection of their own and reads the response to its end.
    #[track_caller]
    pub fn send_raw(&self, request: &[u8]) -> HttpResponse {
        let mut connection = self.connect();
        // A server may answer and hang up before it has read everything; the answer is what counts.
        let sent = connection.write_all(request);
        let mut bytes = Vec::new();
        let read = connection.read_to_end(&mut bytes);
        HttpResponse::parse(&bytes).unwrap_or_else(|| {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            panic!("no response ({sent:?}, {read:?}): {text}")
        })
    }

    /// Sends a request of this server's era and gives the answer to it.
    #[track_caller]
    pub fn ask(&self, method: &str, params: Value) -> Value {
        let response = self.send(&self.post(&self.era.request(1, method, params)));
        let answer = response.messages().into_iter().find(|message| message["id"] == 1);
        answer.unwrap_or_else(|| panic!("no answer: {response:?}"))
    }

    /// Calls a tool.
    #[track_caller]
    pub fn call(&self, tool: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({"name": tool, "arguments": arguments}))
    }
}

/// `http://127.0.0.1:7411/mcp`, or `unix:/path (path /mcp)`.
fn endpoint(announced: &str) -> Endpoint {
    if let Some(path) = announced.strip_prefix("unix:").and_then(|rest| rest.strip_suffix(" (path /mcp)")) {
        return Endpoint::Socket(PathBuf::from(path));
    }
    let address = announced.strip_prefix("http://").and_then(|rest| rest.strip_suffix("/mcp"));
    let parsed = address.and_then(|address| address.parse().ok());
    Endpoint::Port(parsed.unwrap_or_else(|| panic!("`{announced}` is no address that this client knows")))
}

/// A connection whose reads and writes are bounded.
pub struct Connection(Box<dyn Stream>);

trait Stream: Read + Write + Send {}
impl<S: Read + Write + Send> Stream for S {}

impl Connection {
    fn tcp(stream: TcpStream) -> io::Result<Self> {
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        stream.set_nodelay(true)?;
        Ok(Self(Box::new(stream)))
    }

    fn unix(stream: UnixStream) -> io::Result<Self> {
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        Ok(Self(Box::new(stream)))
    }
}

impl Read for Connection {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl Write for Connection {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Connection(…)")
    }
}

//! HTTP/1.1 requests and responses, and the events in a response.

use serde_json::Value;

/// A request as it goes over the wire.
#[derive(Debug, Clone)]
pub struct HttpRequest {
    method: String,
    path: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl HttpRequest {
    /// Without headers and without a body.
    pub fn new(method: &str, path: &str) -> Self {
        Self { method: method.to_owned(), path: path.to_owned(), headers: Vec::new(), body: Vec::new() }
    }

    /// Sets a header in place of any that was set before.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self = self.without(name);
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Leaves a header out.
    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        self
    }

    /// Sets the body.
    #[must_use]
    pub fn body(mut self, body: Vec<u8>) -> Self {
        self.body = body;
        self
    }

    /// The request line and the headers, up to and with the empty line.
    pub fn head(&self) -> Vec<u8> {
        let mut head = format!("{} {} HTTP/1.1\r\n", self.method, self.path);
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str(&format!("Content-Length: {}\r\n\r\n", self.body.len()));
        head.into_bytes()
    }

    /// All of it.
    pub fn to_bytes(&self) -> Vec<u8> {
        [self.head(), self.body.clone()].concat()
    }
}

/// A response that was read to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpResponse {
    pub status: u16,
    headers: Vec<(String, String)>,
    pub body: String,
}

impl HttpResponse {
    /// `None` when the bytes are no whole response.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
        let head = std::str::from_utf8(&bytes[..end]).ok()?;
        let mut lines = head.split("\r\n");
        let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
        let headers: Vec<(String, String)> = lines
            .filter_map(|line| line.split_once(':'))
            .map(|(name, value)| (name.to_lowercase(), value.trim().to_owned()))
            .collect();
        let rest = &bytes[end + 4..];
        let chunked = headers.iter().any(|(name, value)| name == "transfer-encoding" && value == "chunked");
        let body = if chunked { dechunk(rest)? } else { rest.to_vec() };
        Some(Self { status, headers, body: String::from_utf8(body).ok()? })
    }

    /// The value of a header, by its name in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The body as one JSON value.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Every message in the body, whether it is JSON or a stream of events.
    #[track_caller]
    pub fn messages(&self) -> Vec<Value> {
        match self.header("content-type") {
            Some(kind) if kind.starts_with("text/event-stream") => events(&self.body),
            _ => vec![self.json()],
        }
    }
}

/// The data of every event that has any.
fn events(stream: &str) -> Vec<Value> {
    let stream = stream.replace("\r\n", "\n");
    let data = stream.split("\n\n").map(|event| {
        let lines = event.lines().filter_map(|line| line.strip_prefix("data:"));
        lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect::<Vec<_>>().join("\n")
    });
    data.filter(|data| !data.is_empty())
        .map(|data| {
            serde_json::from_str(&data).unwrap_or_else(|error| panic!("an event is not JSON ({error}): {data}"))
        })
        .collect()
}

/// The content of chunks; `None` when the last chunk is missing.
fn dechunk(mut rest: &[u8]) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let line_end = rest.windows(2).position(|window| window == b"\r\n")?;
        let length = std::str::from_utf8(&rest[..line_end]).ok()?;
        let length = usize::from_str_radix(length.split(';').next()?.trim(), 16).ok()?;
        if length == 0 {
            return Some(body);
        }
        let start = line_end + 2;
        body.extend_from_slice(rest.get(start..start + length)?);
        rest = rest.get(start + length + 2..)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_response_is_read_whether_it_comes_whole_or_in_chunks() {
        for bytes in [
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{\"a\":1}",
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\n{\"a\r\n4\r\n\":1}\r\n0\r\n\r\n",
        ] {
            let response = HttpResponse::parse(bytes.as_bytes()).unwrap();
            assert_eq!((response.status, response.json()), (200, json!({"a": 1})));
        }
        assert_eq!(HttpResponse::parse(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\n{\"a\r\n"), None);
        assert_eq!(HttpResponse::parse(b"HTTP/1.1 200 OK\r\n"), None);
    }

    #[test]
    fn every_event_with_data_is_a_message() {
        let stream =
            "id: 0\ndata: \nretry: 3000\n\ndata: {\"a\":\ndata: 1}\n\n: comment\n\nevent: message\r\ndata: 2\r\n\r\n";
        assert_eq!(events(stream), [json!({"a": 1}), json!(2)]);
    }

    #[test]
    fn a_header_that_is_set_again_replaces_the_first() {
        let request = HttpRequest::new("POST", "/mcp").header("Host", "a").header("host", "b").body(b"xy".to_vec());
        assert_eq!(request.to_bytes(), b"POST /mcp HTTP/1.1\r\nhost: b\r\nContent-Length: 2\r\n\r\nxy");
    }
}

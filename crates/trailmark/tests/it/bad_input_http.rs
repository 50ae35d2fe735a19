//! Bad input over HTTP: each has a status and a message that say what is wrong, and the server goes on.

use serde_json::{Value, json};
use testkit::{Era, HttpRequest, HttpServer};

use crate::sample::{data, installation};

const MEGABYTE: usize = 1024 * 1024;

#[track_caller]
fn check(server: &HttpServer, request: &HttpRequest, status: u16, message: &str) {
    let response = server.send(request);
    assert_eq!(response.status, status, "{response:?}");
    assert!(response.body.contains(message), "`{}` does not say `{message}`", response.body);
    assert_eq!(data(&server.call("mongo_find_all", json!({}))), &json!({"items": []}), "the server goes on");
}

#[track_caller]
fn check_body(server: &HttpServer, body: &[u8], code: i64, message: &str) {
    let request = server.post_bytes(body.to_vec());
    check(server, &request, 400, message);
    assert_eq!(server.send(&request).json()["error"]["code"], code);
}

#[test]
fn a_body_that_is_no_message_is_a_bad_request_with_the_same_error_as_on_stdio() {
    let installation = installation();
    let server = installation.serve_http(&[]);
    check_body(&server, b"", -32700, "Parse error");
    check_body(&server, b"nonsense", -32700, "Parse error");
    check_body(&server, b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", -32700, "not UTF-8");
    check_body(&server, format!("{}1", "[".repeat(100_000)).as_bytes(), -32700, "recursion limit");
    check_body(&server, b"[]", -32600, "batches are not supported");
    check_body(&server, b"{}", -32600, "`jsonrpc` must be");
    check_body(&server, br#"{"jsonrpc":"2.0","id":1}"#, -32600, "`method` is missing");
    check_body(&server, br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}"#, -32602, "`name`");
}

#[test]
fn a_body_that_is_too_long_is_refused_whether_its_length_is_told_or_not() {
    let installation = installation();
    let server = installation.serve_http(&[]);
    check(&server, &server.post_bytes(vec![b' '; 5 * MEGABYTE]), 413, "at most 4194304 bytes");
    let chunk = [format!("{:x}\r\n", MEGABYTE).into_bytes(), vec![b' '; MEGABYTE], b"\r\n".to_vec()].concat();
    let chunked = server.post_bytes(Vec::new()).header("Transfer-Encoding", "chunked");
    let head = String::from_utf8(chunked.head()).unwrap().replace("Content-Length: 0\r\n", "");
    let response = server.send_raw(&[head.into_bytes(), chunk.repeat(5), b"0\r\n\r\n".to_vec()].concat());
    assert_eq!(response.status, 413, "{response:?}");
}

#[test]
fn a_body_of_three_megabytes_is_read() {
    let installation = installation();
    let server = installation.serve_http(&[]);
    let answer = server.call("mongo_save_document", json!({"topic": "t", "content": "x".repeat(3 * MEGABYTE)}));
    let error = &answer["result"]["structuredContent"]["error"];
    assert_eq!(error["message"], "`content` must have at most 20000 characters, but has 3145728");
}

#[test]
fn a_page_from_elsewhere_is_kept_out() {
    let installation = installation();
    let server = installation.serve_http(&[]);
    let ping = server.post(&Era::PerRequest.request(1, "tools/list", json!({})));
    for origin in
        ["http://evil.example", "https://localhost.evil.example", "http://127.0.0.1.evil.example", "null", "file://"]
    {
        check(&server, &ping.clone().header("Origin", origin), 403, "Origin header");
    }
    for origin in ["http://localhost:3000", "http://127.0.0.1:8080", "https://localhost:443", "http://[::1]:9"] {
        let response = server.send(&ping.clone().header("Origin", origin));
        assert_eq!(response.status, 200, "{origin}: {response:?}");
    }
}

#[test]
fn a_host_name_that_is_not_ours_is_kept_out() {
    let installation = installation();
    let server = installation.serve_http(&[]);
    let ping = server.post(&Era::PerRequest.request(1, "tools/list", json!({})));
    for host in ["evil.example", "evil.example:80", "localhost.evil.example", "127.0.0.1.evil.example", "0.0.0.0"] {
        check(&server, &ping.clone().header("Host", host), 403, "Host header is not allowed");
    }
    check(&server, &ping.clone().without("Host"), 400, "Host");
    for host in ["localhost", "127.0.0.1:1", "[::1]:1", "LOCALHOST:99"] {
        let response = server.send(&ping.clone().header("Host", host));
        assert_eq!(response.status, 200, "{host}: {response:?}");
    }
}

#[test]
fn hosts_and_origins_can_be_allowed_by_name() {
    let installation = installation();
    let arguments = ["--allowed-hosts", "agents.example", "--allowed-origins", "https://agents.example"];
    let server = installation.serve_http(&arguments);
    let ping = server.post(&Era::PerRequest.request(1, "tools/list", json!({})));
    let ours = ping.clone().header("Host", "agents.example").header("Origin", "https://agents.example");
    assert_eq!(server.send(&ours).status, 200);
    check(&server, &ours.clone().header("Origin", "https://other.example"), 403, "Origin header is not allowed");
    check(&server, &ours.header("Host", "other.example"), 403, "Host header is not allowed");
}

#[test]
fn the_wrong_method_kind_or_path_is_named_by_its_status() {
    let installation = installation();
    let server = installation.serve_http(&[]);
    let ping = server.post(&Era::PerRequest.request(1, "tools/list", json!({})));
    check(&server, &ping.clone().header("Content-Type", "text/plain"), 415, "must be application/json");
    check(&server, &ping.clone().header("Accept", "text/html"), 406, "must accept both");
    let authorization = format!("Bearer {}", server.token().unwrap());
    for method in ["GET", "PUT", "DELETE"] {
        let request = server.request(method, "/mcp").header("Authorization", &authorization);
        check(&server, &request, 405, "Method Not Allowed");
    }
    let message = Era::PerRequest.request(1, "tools/list", json!({})).to_string().into_bytes();
    check(&server, &server.request("POST", "/other").header("Authorization", &authorization).body(message), 404, "");
}

#[test]
fn unknown_methods_tools_and_revisions_are_answered() {
    let installation = installation();
    let server = installation.serve_http(&[]);
    assert_eq!(server.ask("no/such/method", json!({}))["error"]["code"], -32601);
    let unknown = server.call("no_such_tool", json!({}));
    let shape = json!({"content": [{"type": "text", "text": "Error: Unknown tool: no_such_tool"}], "isError": true});
    assert_eq!(unknown["error"], json!({"code": -32602, "message": "Unknown tool: no_such_tool", "data": shape}));
    let contradiction = server.post(&Era::PerRequest.request(1, "tools/list", json!({})));
    let contradiction = contradiction.header("MCP-Protocol-Version", "1999-01-01");
    check(&server, &contradiction, 400, "MCP-Protocol-Version header (1999-01-01) does not match");
    let unknown = server.post(&Era::INITIALIZED.request(1, "tools/list", json!({})));
    let unknown = unknown.header("MCP-Protocol-Version", "1999-01-01");
    check(&server, &unknown, 400, "Unsupported MCP-Protocol-Version: 1999-01-01");
}

#[test]
fn many_clients_that_misbehave_do_not_stop_one_that_behaves() {
    let installation = installation();
    let server = installation.serve_http(&[]);
    let idle: Vec<_> = (0..200).map(|_| server.connect()).collect();
    for body in ["nonsense", "[]", "{}"] {
        assert_eq!(server.send(&server.post_bytes(body.as_bytes().to_vec())).status, 400);
    }
    assert_eq!(data(&server.call("mongo_find_all", json!({}))), &json!({"items": Value::Array(Vec::new())}));
    drop(idle);
}

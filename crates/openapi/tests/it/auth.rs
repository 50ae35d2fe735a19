//! Credentials: where they go, where they never go, and tokens that are bought.

use openapi::{Api, ClientCredentials, Credentials, Secret};
use serde_json::{Map, Value, json};

use crate::recording::{Recorder, answer, load, run};

fn document(schemes: Value, security: Value) -> String {
    json!({
        "openapi": "3.0.0", "info": {"title": "T"}, "components": {"securitySchemes": schemes}, "security": security,
        "paths": {"/x": {"get": {"operationId": "x", "parameters": [{"name": "key", "in": "query", "schema": {}}]}}},
    })
    .to_string()
}

fn called(recorder: &Recorder, document: &str, credentials: Credentials) -> (Api, openapi::Called) {
    run(async {
        let base = recorder.base.clone();
        let api = load(document, |settings| settings.base_url = Some(base), |_| credentials).await.unwrap();
        let called = api.call(&api.operations[0], &Map::new()).await;
        (api, called)
    })
}

fn secret(text: &str) -> Option<Secret> {
    Some(Secret::new(text))
}

#[test]
fn credentials_go_where_their_scheme_says_and_are_no_arguments() {
    let rows = [
        (json!({"type": "http", "scheme": "bearer"}), "authorization", "Bearer bearer-secret"),
        (json!({"type": "oauth2", "flows": {}}), "authorization", "Bearer bearer-secret"),
        (json!({"type": "http", "scheme": "basic"}), "authorization", "Basic dXNlcjpwYXNzLXNlY3JldA=="),
        (json!({"type": "apiKey", "in": "header", "name": "X-Key"}), "x-key", "key-secret"),
        (json!({"type": "apiKey", "in": "cookie", "name": "sid"}), "cookie", "sid=key-secret"),
    ];
    let credentials = Credentials {
        bearer: secret("bearer-secret"),
        basic: Some((Secret::new("user"), Secret::new("pass-secret"))),
        key: secret("key-secret"),
        ..Credentials::default()
    };
    for (scheme, header, expected) in rows {
        let recorder = Recorder::start();
        called(&recorder, &document(json!({"s": scheme}), json!([{"s": []}])), credentials.clone()).1.ended.unwrap();
        assert_eq!(recorder.last().header(header), Some(expected), "{scheme}");
    }
    let recorder = Recorder::start();
    let scheme = json!({"s": {"type": "apiKey", "in": "query", "name": "key"}});
    let (api, called) = called(&recorder, &document(scheme, json!([{"s": []}])), credentials);
    assert_eq!(recorder.last().line, "GET /x?key=key-secret");
    assert!(!called.url.unwrap().contains("secret"), "the address in the answer has no key");
    assert_eq!(api.operations[0].input_schema["properties"], json!({}), "a key is no argument");
}

#[test]
fn what_the_document_asks_for_decides() {
    let schemes = json!({"a": {"type": "apiKey", "in": "header", "name": "A"}, "b": {"type": "apiKey", "in": "header", "name": "B"}});
    let keys = |names: &[&str]| Credentials {
        keys: names.iter().map(|name| ((*name).to_owned(), Secret::new(&format!("secret-{name}")))).collect(),
        ..Credentials::default()
    };
    let sent = |security: Value, credentials: Credentials| {
        let recorder = Recorder::start();
        called(&recorder, &document(schemes.clone(), security), credentials).1.ended.unwrap();
        let request = recorder.last();
        (request.header("a").map(str::to_owned), request.header("b").map(str::to_owned))
    };
    let (a, b) = (Some("secret-a".to_owned()), Some("secret-b".to_owned()));
    assert_eq!(sent(json!([{"a": [], "b": []}]), keys(&["a", "b"])), (a.clone(), b.clone()));
    assert_eq!(sent(json!([{"a": []}, {"b": []}]), keys(&["b"])), (None, b));
    assert_eq!(sent(json!([]), keys(&["a"])), (None, None), "an operation that asks for nothing gets nothing");
    assert_eq!(sent(json!([{"a": []}]), Credentials::default()), (None, None));
    assert_eq!(sent(json!([{}, {"a": []}]), keys(&["a"])), (a, None));
}

#[test]
fn a_secret_that_a_service_repeats_is_masked_and_none_is_ever_shown() {
    let recorder = Recorder::answering(|request| {
        answer(200, "application/json", &json!({"seen": request.header("authorization")}).to_string())
    });
    let text = document(json!({"s": {"type": "http", "scheme": "bearer"}}), json!([{"s": []}]));
    let credentials = Credentials { bearer: secret("hunter2hunter2"), ..Credentials::default() };
    assert!(!format!("{credentials:?}").contains("hunter2"));
    let (_, called) = called(&recorder, &text, credentials);
    let body = String::from_utf8(called.ended.unwrap().body).unwrap();
    assert_eq!(body, "{\"seen\":\"Bearer [redacted]\"}");
}

/// Services repeat the address of a request, and write what they repeat as JSON.
#[test]
fn a_secret_is_masked_however_it_is_written() {
    let recorder = Recorder::answering(|request| {
        let sent = "a/b+c \"d\"";
        answer(
            200,
            "application/json",
            &json!({"url": request.line, "form": "a%2Fb%2Bc+%22d%22", "key": sent}).to_string(),
        )
    });
    let scheme = json!({"s": {"type": "apiKey", "in": "query", "name": "key"}});
    let credentials = Credentials { key: secret("a/b+c \"d\""), ..Credentials::default() };
    let (_, called) = called(&recorder, &document(scheme, json!([{"s": []}])), credentials);
    assert_eq!(recorder.last().line, "GET /x?key=a%2Fb%2Bc%20%22d%22");
    let body: Value = serde_json::from_slice(&called.ended.unwrap().body).unwrap();
    assert_eq!(body, json!({"url": "GET /x?key=[redacted]", "form": "[redacted]", "key": "[redacted]"}));
}

#[test]
fn fields_of_an_object_do_not_replace_a_key() {
    let recorder = Recorder::start();
    for (place, header) in [("query", None), ("cookie", Some("cookie"))] {
        let text = json!({
            "openapi": "3.0.0", "info": {"title": "T"}, "security": [{"s": []}],
            "components": {"securitySchemes": {"s": {"type": "apiKey", "in": place, "name": "key"}}},
            "paths": {"/x": {"get": {"parameters": [{"name": "filter", "in": place, "explode": true, "schema": {"type": "object"}}]}}},
        });
        let arguments = json!({"filter": {"key": "evil", "a": "1"}});
        run(async {
            let base = recorder.base.clone();
            let credentials = Credentials { key: secret("key-secret"), ..Credentials::default() };
            let api =
                load(&text.to_string(), |settings| settings.base_url = Some(base), |_| credentials).await.unwrap();
            api.call(&api.operations[0], arguments.as_object().unwrap()).await.ended.unwrap();
        });
        let request = recorder.last();
        match header {
            None => assert_eq!(request.line, "GET /x?a=1&key=key-secret"),
            Some(header) => assert_eq!(request.header(header), Some("a=1; key=key-secret")),
        }
    }
}

#[test]
fn credentials_go_to_the_document_s_own_host_only() {
    let (home, other) = (Recorder::start(), Recorder::start());
    let text = json!({
        "openapi": "3.0.0", "info": {"title": "T"}, "servers": [{"url": home.base}],
        "components": {"securitySchemes": {"s": {"type": "http", "scheme": "bearer"}}}, "security": [{"s": []}],
        "paths": {"/home": {"get": {}}, "/other": {"get": {"servers": [{"url": other.base}]}}},
    });
    run(async {
        let credentials = Credentials { bearer: secret("bearer-secret"), ..Credentials::default() };
        let api = load(&text.to_string(), |settings| settings.allow_private = true, |_| credentials).await.unwrap();
        for operation in &api.operations {
            api.call(operation, &Map::new()).await.ended.unwrap();
        }
    });
    assert_eq!(home.last().header("authorization"), Some("Bearer bearer-secret"));
    assert_eq!(other.last().header("authorization"), None);
}

#[test]
fn a_token_is_bought_once() {
    let recorder = Recorder::answering(|request| {
        if request.line == "POST /token" {
            let number = if request.header("authorization") == Some("Basic aWQ6c2VjcmV0LXZhbHVl") { 1 } else { 0 };
            return answer(
                200,
                "application/json",
                &json!({"access_token": format!("token-{number}"), "expires_in": 3600}).to_string(),
            );
        }
        let status = if request.header("authorization") == Some("Bearer token-1") { 200 } else { 401 };
        answer(status, "application/json", "{}")
    });
    let flow = json!({"clientCredentials": {"tokenUrl": "/token", "scopes": {}}});
    let text = document(json!({"s": {"type": "oauth2", "flows": flow}}), json!([{"s": []}]));
    let client = ClientCredentials {
        id: Secret::new("id"),
        secret: Secret::new("secret-value"),
        token_url: None,
        scopes: vec!["a".into(), "b".into()],
    };
    run(async {
        let base = recorder.base.clone();
        let credentials = Credentials { client: Some(client), ..Credentials::default() };
        let api = load(&text, |settings| settings.base_url = Some(base), |_| credentials).await.unwrap();
        for _ in 0..3 {
            assert_eq!(api.call(&api.operations[0], &Map::new()).await.ended.unwrap().status, 200);
        }
    });
    let lines: Vec<String> = recorder.all().into_iter().map(|request| request.line).collect();
    assert_eq!(lines, ["POST /token", "GET /x", "GET /x", "GET /x"]);
    let bought = &recorder.all()[0];
    assert_eq!(bought.text(), "grant_type=client_credentials&scope=a+b");
}

#[test]
fn a_token_that_is_refused_is_bought_again_once() {
    let bought = std::sync::atomic::AtomicUsize::new(0);
    let recorder = Recorder::answering(move |request| {
        if request.line == "POST /token" {
            let number = bought.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            return answer(200, "application/json", &json!({"access_token": format!("token-{number}")}).to_string());
        }
        let is_good = request.header("authorization") == Some("Bearer token-1");
        let seen = json!({"seen": request.header("authorization")}).to_string();
        answer(if is_good { 200 } else { 401 }, "application/json", &seen)
    });
    let flow = json!({"clientCredentials": {"tokenUrl": "/token", "scopes": {}}});
    let text = document(json!({"s": {"type": "oauth2", "flows": flow}}), json!([{"s": []}]));
    let client = || ClientCredentials {
        id: Secret::new("id"),
        secret: Secret::new("secret-value"),
        token_url: None,
        scopes: Vec::new(),
    };
    let credentials = Credentials { client: Some(client()), ..Credentials::default() };
    let (api, first) = called(&recorder, &text, credentials);
    let reply = first.ended.unwrap();
    assert_eq!(
        (reply.status, String::from_utf8(reply.body).unwrap().as_str()),
        (200, "{\"seen\":\"Bearer [redacted]\"}")
    );
    run(async { api.call(&api.operations[0], &Map::new()).await.ended.unwrap() });
    let lines: Vec<String> = recorder.all().into_iter().map(|request| request.line).collect();
    assert_eq!(lines, ["POST /token", "GET /x", "POST /token", "GET /x", "GET /x"]);
    let never = Recorder::answering(|request| match request.line.as_str() {
        "POST /token" => answer(200, "application/json", "{\"access_token\": \"token-x\"}"),
        _ => answer(401, "application/json", "{}"),
    });
    let credentials = Credentials { client: Some(client()), ..Credentials::default() };
    assert_eq!(called(&never, &text, credentials).1.ended.unwrap().status, 401, "it is not tried for ever");
    assert_eq!(never.all().len(), 4);
}

#[test]
fn a_token_address_on_another_host_must_come_from_the_operator() {
    let recorder = Recorder::start();
    let flow = json!({"clientCredentials": {"tokenUrl": "https://elsewhere.example/token", "scopes": {}}});
    let text = document(json!({"s": {"type": "oauth2", "flows": flow}}), json!([{"s": []}]));
    let client = ClientCredentials {
        id: Secret::new("id"),
        secret: Secret::new("secret-value"),
        token_url: None,
        scopes: Vec::new(),
    };
    let (_, called) = called(&recorder, &text, Credentials { client: Some(client), ..Credentials::default() });
    let error = called.ended.unwrap_err().to_string();
    assert!(error.contains("token-url") && !error.contains("secret-value"), "{error}");
    assert!(recorder.all().is_empty());
}

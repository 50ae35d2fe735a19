//! Documents that are not what they should be: a clear message, and everything that can work does.

use std::fs;

use openapi::{Api, ApiSettings, CallError, Credentials, MOST_BYTES};
use serde_json::{Map, json};

use crate::recording::{Recorder, answer, load, run};

#[track_caller]
fn refused(document: &str, expected: &str) {
    let error = run(load(document, |_| {}, |_| Credentials::default())).unwrap_err().to_string();
    assert!(error.contains(expected), "{error}");
}

#[test]
fn what_is_no_document_says_what_it_is() {
    refused("", "empty");
    refused("just words", "not an object");
    refused("[]", "not an object");
    refused("{\"a\": 1}", "neither `openapi` nor `swagger`");
    refused("<html><body>404</body></html>", "not an object");
    refused("{\"openapi\": \"3.0.0\", \"paths\": {", "begins like JSON");
    refused("openapi: 3.0.0\ninfo: {title: T}\n", "no `paths`");
    refused("openapi: 4.0.0\npaths: {}\n", "says version `4.0.0`");
    refused("swagger: '1.2'\npaths: {}\n", "says version `1.2`");
    refused(&" ".repeat(MOST_BYTES + 1), "longer than 50 MB");
    let bomb: String = (0..12)
        .map(|n| {
            format!("a{n}: &a{n} [{}]\n", vec![if n == 0 { "x".into() } else { format!("*a{}", n - 1) }; 9].join(","))
        })
        .collect();
    refused(&format!("openapi: 3.0.0\npaths: {{}}\n{bomb}"), "aliases");
    let missing = run(Api::load(&ApiSettings::new("/nowhere/openapi.json"), |_| Credentials::default())).unwrap_err();
    assert!(missing.to_string().contains("cannot read it"), "{missing}");
    let folder = run(Api::load(&ApiSettings::new("."), |_| Credentials::default())).unwrap_err();
    assert!(folder.to_string().contains("not a file"), "{folder}");
    let scheme = run(Api::load(&ApiSettings::new("ftp://example.com/a"), |_| Credentials::default())).unwrap_err();
    assert!(scheme.to_string().contains("scheme"), "{scheme}");
}

#[test]
fn one_bad_operation_is_left_out_and_said_and_the_rest_works() {
    let document = json!({"openapi": "3.0.0", "info": {"title": "T"}, "paths": {
        "/good": {"get": {"operationId": "good"}},
        "/list": [],
        "/text": {"get": "nonsense", "post": {"operationId": "also-good"}},
        "/nowhere": {"get": {"parameters": [{"$ref": "#/components/parameters/Gone"}]}},
        "/circle": {"get": {"parameters": [{"$ref": "#/components/parameters/Circle"}]}},
        "/nameless": {"get": {"parameters": [{"in": "query"}]}},
        "/placeless": {"get": {"parameters": [{"name": "a", "in": "moon"}]}},
        "/body": {"post": {"requestBody": {"$ref": "#/components/requestBodies/Gone"}}},
    }, "components": {"parameters": {"Circle": {"$ref": "#/components/parameters/Circle"}}}});
    let api = run(load(&document.to_string(), |_| {}, |_| Credentials::default())).unwrap();
    let names: Vec<&str> = api.operations.iter().map(|operation| operation.name.as_str()).collect();
    assert_eq!(names, ["t_good", "t_also-good"]);
    let skipped: Vec<(&str, &str)> = api.skipped.iter().map(|s| (s.operation.as_str(), s.reason.as_str())).collect();
    assert_eq!(skipped.len(), 7, "{skipped:?}");
    assert!(skipped.iter().any(|(operation, reason)| *operation == "GET /nowhere" && reason.contains("leads nowhere")));
    assert!(skipped.iter().any(|(operation, reason)| *operation == "GET /circle" && reason.contains("circle")));
}

/// What a call of the only operation says when the document has these servers.
fn server(servers: serde_json::Value, base: Option<&str>) -> Result<String, String> {
    let document =
        json!({"openapi": "3.0.0", "info": {"title": "T"}, "servers": servers, "paths": {"/x": {"get": {}}}});
    let change = |settings: &mut ApiSettings| settings.base_url = base.map(str::to_owned);
    let api = run(load(&document.to_string(), change, |_| Credentials::default())).unwrap();
    api.operations[0].base().map(ToString::to_string).map_err(str::to_owned)
}

#[test]
fn servers_are_filled_in_or_their_lack_is_said() {
    let variable = |default: serde_json::Value| json!([{"url": "https://{region}.example.com/{v}", "variables": {"region": default, "v": {"default": "v2"}}}]);
    assert_eq!(server(variable(json!({"default": "eu"})), None).unwrap(), "https://eu.example.com/v2");
    assert_eq!(server(variable(json!({"enum": ["us", "eu"]})), None).unwrap(), "https://us.example.com/v2");
    assert!(server(variable(json!({})), None).unwrap_err().contains("variable `region` without a default"));
    assert!(server(json!([]), None).unwrap_err().contains("--base-url"));
    assert!(server(json!([{"url": "/v1"}]), None).unwrap_err().contains("does not say on which host"));
    assert!(server(json!([{"url": "ftp://example.com"}]), None).unwrap_err().contains("only http and https"));
    assert!(server(json!([{"url": "https://[bad"}]), None).unwrap_err().contains("no address"));
    let secret = server(json!([{"url": "https://user:hunter2@example.com"}]), None).unwrap_err();
    assert!(secret.contains("credentials in its address") && !secret.contains("hunter2"), "{secret}");
    assert_eq!(server(json!([{"url": "/v1"}]), Some("http://127.0.0.1:1/api")).unwrap(), "http://127.0.0.1:1/api");
}

/// A document that came from the web has its servers, and the files it refers to, where it came from.
#[test]
fn relative_servers_are_those_of_the_document_s_own_host() {
    let document = json!({
        "openapi": "3.0.0", "info": {"title": "T"}, "servers": [{"url": "../v1"}],
        "paths": {"/x": {"get": {"parameters": [{"$ref": "parts.json#/Q"}]}}, "/away": {"get": {"servers": [{"url": "//169.254.169.254/"}]}}},
    });
    let recorder = Recorder::answering(move |request| match request.line.as_str() {
        "GET /docs/openapi.json" => answer(200, "application/json", &document.to_string()),
        "GET /docs/parts.json" => {
            answer(200, "text/plain", "{\"Q\": {\"name\": \"q\", \"in\": \"query\", \"schema\": {}}}")
        }
        _ => answer(200, "application/json", "{}"),
    });
    let mut settings = ApiSettings::new(format!("{}/docs/openapi.json", recorder.base));
    settings.allow_external_refs = true;
    run(async {
        let api = Api::load(&settings, |_| Credentials::default()).await.unwrap();
        assert!(api.skipped.is_empty(), "{:?}", api.skipped);
        let arguments = json!({"q": "a b"});
        api.call(&api.operations[0], arguments.as_object().unwrap()).await.ended.unwrap();
        assert_eq!(recorder.last().line, "GET /v1/x?q=a%20b");
        let away = api.call(&api.operations[1], &Map::new()).await.ended.unwrap_err();
        assert!(matches!(&away, CallError::Refused { problem } if problem.contains("169.254.169.254")), "{away}");
    });
    let gone = run(Api::load(&ApiSettings::new(format!("{}/v1/nothing", recorder.base)), |_| Credentials::default()));
    assert!(gone.unwrap_err().to_string().contains("neither `openapi` nor `swagger`"));
}

#[test]
fn a_private_server_of_a_document_is_refused_until_the_operator_names_it() {
    let document = json!({"openapi": "3.0.0", "info": {"title": "T"}, "servers": [{"url": "http://127.0.0.1:1/"}], "paths": {"/x": {"get": {}}}});
    let ended = |change: fn(&mut ApiSettings)| {
        run(async {
            let api = load(&document.to_string(), change, |_| Credentials::default()).await.unwrap();
            api.call(&api.operations[0], &Map::new()).await.ended.unwrap_err()
        })
    };
    let refused = ended(|_| {});
    assert!(matches!(&refused, CallError::Refused { problem } if problem.contains("--base-url")), "{refused}");
    assert!(matches!(ended(|settings| settings.allow_private = true), CallError::NoConnection { .. }));
    assert!(matches!(
        ended(|settings| settings.base_url = Some("http://127.0.0.1:1".into())),
        CallError::NoConnection { .. }
    ));
}

#[test]
fn other_files_are_read_only_where_that_is_allowed_and_only_beside_the_document() {
    let folder = tempfile::tempdir().unwrap();
    let inside = folder.path().join("inside");
    fs::create_dir(&inside).unwrap();
    fs::write(folder.path().join("outside.yaml"), "Pet: {type: object}\n").unwrap();
    fs::write(
        inside.join("pets.yaml"),
        "Pet: {type: object, properties: {owner: {$ref: '#/Owner'}}}\nOwner: {type: string, maxLength: 3}\n",
    )
    .unwrap();
    let load = |reference: &str, allowed: bool| {
        let text = format!(
            "openapi: 3.0.0\ninfo: {{title: T}}\npaths: {{/x: {{post: {{requestBody: {{content: {{application/json: {{schema: {{$ref: '{reference}'}}}}}}}}}}}}}}\n"
        );
        fs::write(inside.join("openapi.yaml"), text).unwrap();
        let mut settings = ApiSettings::new(inside.join("openapi.yaml").to_str().unwrap());
        settings.allow_external_refs = allowed;
        run(Api::load(&settings, |_| Credentials::default()))
            .map(|api| (api.operations[0].input_schema["properties"]["body"].clone(), api.files.len()))
    };
    let (schema, files) = load("pets.yaml#/Pet", true).unwrap();
    assert_eq!((schema["properties"]["owner"]["maxLength"].as_u64(), files), (Some(3), 2));
    let (schema, files) = load("pets.yaml#/Pet", false).unwrap();
    assert!(schema["description"].as_str().unwrap().contains("allow-external-refs"), "{schema}");
    assert_eq!(files, 1);
    assert!(load("../outside.yaml#/Pet", true).unwrap_err().to_string().contains("outside of the document's folder"));
    assert!(load("http://127.0.0.1:1/x.yaml#/Pet", true).unwrap_err().to_string().contains("not a file beside"));
}

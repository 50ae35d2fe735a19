//! Requests as they go over the wire: every style, place and kind of body.

use openapi::CallError;
use serde_json::{Value, json};

use crate::recording::{Recorder, call, document};

/// The line of the request that this parameter and value make.
fn line(recorder: &Recorder, path: &str, parameter: Value, value: &Value) -> String {
    let item = json!({"get": {"operationId": "op", "parameters": [parameter], "responses": {}}});
    let called = call(&document(path, item), &recorder.base, json!({"color": value}));
    called.ended.unwrap();
    recorder.last().line
}

fn list() -> Value {
    json!(["blue", "black", "brown"])
}

fn object() -> Value {
    json!({"R": 100, "G": 200, "B": 150})
}

#[test]
fn every_style_of_a_query_is_written_as_the_specification_says() {
    let recorder = Recorder::start();
    let rows = [
        ("form", true, json!("blue"), "color=blue"),
        ("form", true, json!(""), "color="),
        ("form", true, list(), "color=blue&color=black&color=brown"),
        ("form", true, object(), "R=100&G=200&B=150"),
        ("form", false, json!("blue"), "color=blue"),
        ("form", false, list(), "color=blue,black,brown"),
        ("form", false, object(), "color=R,100,G,200,B,150"),
        ("spaceDelimited", false, list(), "color=blue%20black%20brown"),
        ("spaceDelimited", false, object(), "color=R%20100%20G%20200%20B%20150"),
        ("spaceDelimited", true, list(), "color=blue&color=black&color=brown"),
        ("pipeDelimited", false, list(), "color=blue%7Cblack%7Cbrown"),
        ("pipeDelimited", false, object(), "color=R%7C100%7CG%7C200%7CB%7C150"),
        ("deepObject", true, object(), "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"),
        ("deepObject", true, json!({"a": {"b": [1, 2]}}), "color%5Ba%5D%5Bb%5D%5B0%5D=1&color%5Ba%5D%5Bb%5D%5B1%5D=2"),
        ("form", true, json!("a&b=c#d/é +%"), "color=a%26b%3Dc%23d%2F%C3%A9%20%2B%25"),
        ("form", false, json!(["a,b", "c"]), "color=a%2Cb,c"),
        ("form", true, json!(true), "color=true"),
        ("form", true, json!(1.5), "color=1.5"),
    ];
    for (style, explode, value, expected) in rows {
        let parameter = json!({"name": "color", "in": "query", "style": style, "explode": explode, "schema": {}});
        assert_eq!(line(&recorder, "/x", parameter, &value), format!("GET /x?{expected}"), "{style} {explode} {value}");
    }
    let reserved = json!({"name": "color", "in": "query", "allowReserved": true, "schema": {}});
    assert_eq!(line(&recorder, "/x", reserved, &json!("a/b:c?d&e#f")), "GET /x?color=a/b:c?d%26e%23f");
    let as_json = json!({"name": "color", "in": "query", "content": {"application/json": {"schema": {}}}});
    assert_eq!(line(&recorder, "/x", as_json, &json!({"a": [1]})), "GET /x?color=%7B%22a%22%3A%5B1%5D%7D");
    let usual = json!({"name": "color", "in": "query", "schema": {}});
    assert_eq!(line(&recorder, "/x", usual.clone(), &list()), "GET /x?color=blue&color=black&color=brown");
    assert_eq!(line(&recorder, "/x?fixed=1", usual, &json!("blue")), "GET /x?fixed=1&color=blue");
}

#[test]
fn every_style_of_a_path_is_written_as_the_specification_says() {
    let recorder = Recorder::start();
    let rows = [
        ("simple", false, json!("blue"), "blue"),
        ("simple", false, list(), "blue,black,brown"),
        ("simple", false, object(), "R,100,G,200,B,150"),
        ("simple", true, list(), "blue,black,brown"),
        ("simple", true, object(), "R=100,G=200,B=150"),
        ("label", false, json!("blue"), ".blue"),
        ("label", false, list(), ".blue,black,brown"),
        ("label", false, object(), ".R,100,G,200,B,150"),
        ("label", true, list(), ".blue.black.brown"),
        ("label", true, object(), ".R=100.G=200.B=150"),
        ("matrix", false, json!("blue"), ";color=blue"),
        ("matrix", false, list(), ";color=blue,black,brown"),
        ("matrix", false, object(), ";color=R,100,G,200,B,150"),
        ("matrix", true, list(), ";color=blue;color=black;color=brown"),
        ("matrix", true, object(), ";R=100;G=200;B=150"),
        ("simple", false, json!("a/b?c#d;e é"), "a%2Fb%3Fc%23d%3Be%20%C3%A9"),
        ("simple", false, json!("100%"), "100%25"),
        ("simple", false, json!("v1.2..3"), "v1.2..3"),
    ];
    for (style, explode, value, expected) in rows {
        let parameter =
            json!({"name": "color", "in": "path", "required": true, "style": style, "explode": explode, "schema": {}});
        assert_eq!(
            line(&recorder, "/x/{color}/y", parameter, &value),
            format!("GET /x/{expected}/y"),
            "{style} {explode} {value}"
        );
    }
}

#[test]
fn headers_and_cookies_go_where_the_document_says() {
    let recorder = Recorder::start();
    let item = json!({"get": {"responses": {}, "parameters": [
        {"name": "X-List", "in": "header", "schema": {}},
        {"name": "X-Object", "in": "header", "explode": true, "schema": {}},
        {"name": "session", "in": "cookie", "schema": {}},
        {"name": "many", "in": "cookie", "explode": false, "schema": {}},
        {"name": "id", "in": "query", "schema": {}},
        {"name": "id", "in": "header", "schema": {}},
    ]}});
    let arguments = json!({
        "X-List": list(), "X-Object": object(), "session": "a b;c", "many": [1, 2], "query_id": 7, "header_id": "é",
    });
    call(&document("/x", item), &recorder.base, arguments).ended.unwrap();
    let request = recorder.last();
    assert_eq!(request.line, "GET /x?id=7");
    assert_eq!(request.header("x-list"), Some("blue,black,brown"));
    assert_eq!(request.header("x-object"), Some("R=100,G=200,B=150"));
    assert_eq!(request.header("id"), Some("é"));
    assert_eq!(request.header("cookie"), Some("session=a%20b%3Bc; many=1,2"));
    assert!(request.body.is_empty());
}

#[test]
fn swagger_2_writes_lists_in_five_ways() {
    let recorder = Recorder::start();
    for (format, expected) in [
        ("csv", "blue,black,brown"),
        ("ssv", "blue%20black%20brown"),
        ("tsv", "blue%09black%09brown"),
        ("pipes", "blue%7Cblack%7Cbrown"),
    ] {
        let text = json!({"swagger": "2.0", "info": {"title": "T"}, "paths": {"/x": {"get": {"parameters": [
            {"name": "color", "in": "query", "type": "array", "items": {"type": "string"}, "collectionFormat": format},
        ]}}}});
        call(&text.to_string(), &recorder.base, json!({"color": list()})).ended.unwrap();
        assert_eq!(recorder.last().line, format!("GET /x?color={expected}"));
    }
    let text = json!({"swagger": "2.0", "info": {"title": "T"}, "paths": {"/x": {"get": {"parameters": [
        {"name": "color", "in": "query", "type": "array", "items": {"type": "string"}, "collectionFormat": "multi"},
    ]}}}});
    call(&text.to_string(), &recorder.base, json!({"color": list()})).ended.unwrap();
    assert_eq!(recorder.last().line, "GET /x?color=blue&color=black&color=brown");
}

/// The media type and body that this content and value make.
fn sent(content: Value, value: Value) -> (String, String) {
    let recorder = Recorder::start();
    let item = json!({"post": {"requestBody": {"required": true, "content": content}, "responses": {}}});
    call(&document("/x", item), &recorder.base, json!({"body": value})).ended.unwrap();
    let request = recorder.last();
    assert!(request.line.starts_with("POST /x"), "{}", request.line);
    (request.header("content-type").unwrap_or_default().to_owned(), request.text())
}

#[test]
fn bodies_are_sent_in_their_media_type() {
    let any = || json!({"schema": {}});
    assert_eq!(
        sent(json!({"application/json": any()}), json!({"a": [1, null]})),
        ("application/json".into(), "{\"a\":[1,null]}".into())
    );
    assert_eq!(sent(json!({"application/json": any()}), json!(0)).1, "0");
    assert_eq!(sent(json!({"application/json": any()}), json!(false)).1, "false");
    assert_eq!(
        sent(json!({"application/vnd.x+json": any()}), json!([])),
        ("application/vnd.x+json".into(), "[]".into())
    );
    assert_eq!(sent(json!({"*/*": any()}), json!({"a": 1})), ("application/json".into(), "{\"a\":1}".into()));
    assert_eq!(sent(json!({"text/plain": any()}), json!("a\nb")), ("text/plain".into(), "a\nb".into()));
    assert_eq!(sent(json!({"application/xml": any()}), json!("<a/>")), ("application/xml".into(), "<a/>".into()));
    assert_eq!(
        sent(json!({"application/octet-stream": any()}), json!({"base64": "aGk="})),
        ("application/octet-stream".into(), "hi".into())
    );
    assert_eq!(
        sent(json!({"image/*": any()}), json!({"text": "x", "content_type": "image/svg+xml"})),
        ("image/svg+xml".into(), "x".into())
    );
    let both = json!({"multipart/form-data": any(), "application/json": any()});
    assert_eq!(sent(both, json!({})).0, "application/json");
}

#[test]
fn a_form_is_encoded_and_its_fields_follow_their_encoding() {
    let form = json!({"application/x-www-form-urlencoded": {
        "schema": {"type": "object", "properties": {"tags": {}, "csv": {}, "address": {}, "name": {}}},
        "encoding": {"csv": {"explode": false}},
    }});
    let value = json!({"name": "A & B+C", "tags": ["x", "y"], "csv": ["x", "y"], "address": {"city": "Köln"}});
    let (media_type, body) = sent(form, value);
    assert_eq!(media_type, "application/x-www-form-urlencoded");
    assert_eq!(body, "name=A+%26+B%2BC&tags=x&tags=y&csv=x,y&address%5Bcity%5D=K%C3%B6ln");
}

#[test]
fn a_multipart_body_has_files_and_fields() {
    let content = json!({"multipart/form-data": {
        "schema": {"type": "object", "properties": {
            "note": {"type": "string"},
            "meta": {"type": "object"},
            "files": {"type": "array", "items": {"type": "string", "format": "binary"}},
        }},
        "encoding": {"meta": {"contentType": "application/vnd.meta+json"}},
    }});
    let value = json!({
        "note": "hello", "meta": {"a": 1},
        "files": [{"text": "a,b\n", "filename": "a\"b.csv", "content_type": "text/csv"}, {"base64": "AAE="}],
    });
    let recorder = Recorder::start();
    let item = json!({"post": {"requestBody": {"required": true, "content": content}, "responses": {}}});
    call(&document("/x", item), &recorder.base, json!({"body": value})).ended.unwrap();
    let request = recorder.last();
    let media_type = request.header("content-type").unwrap().to_owned();
    let boundary = media_type.strip_prefix("multipart/form-data; boundary=").unwrap();
    let expected = [
        "--B\r\ncontent-disposition: form-data; name=\"note\"\r\n\r\nhello\r\n",
        "--B\r\ncontent-disposition: form-data; name=\"meta\"\r\ncontent-type: application/vnd.meta+json\r\n\r\n{\"a\":1}\r\n",
        "--B\r\ncontent-disposition: form-data; name=\"files\"; filename=\"a%22b.csv\"\r\ncontent-type: text/csv\r\n\r\na,b\n\r\n",
        "--B\r\ncontent-disposition: form-data; name=\"files\"; filename=\"file\"\r\ncontent-type: application/octet-stream\r\n\r\n\0\u{1}\r\n",
        "--B--\r\n",
    ];
    assert_eq!(request.text(), expected.concat().replace("--B", &format!("--{boundary}")));
}

#[test]
fn swagger_2_forms_and_files_are_forms_and_multipart() {
    let recorder = Recorder::start();
    let text = |fields: Value| {
        json!({"swagger": "2.0", "info": {"title": "T"}, "paths": {"/x": {"post": {"parameters": fields}}}}).to_string()
    };
    let plain =
        json!([{"name": "a", "in": "formData", "type": "string"}, {"name": "b", "in": "formData", "type": "integer"}]);
    call(&text(plain), &recorder.base, json!({"body": {"a": "x y", "b": 3}})).ended.unwrap();
    assert_eq!(recorder.last().text(), "a=x+y&b=3");
    let file = json!([{"name": "a", "in": "formData", "type": "file", "required": true}]);
    call(&text(file), &recorder.base, json!({"body": {"a": {"text": "hi", "filename": "a.txt"}}})).ended.unwrap();
    assert!(recorder.last().header("content-type").unwrap().starts_with("multipart/form-data; boundary="));
    assert!(recorder.last().text().contains("filename=\"a.txt\""));
}

/// What a value of a parameter in this place is refused with.
fn refusal(location: &str, name: &str, value: Value) -> CallError {
    let recorder = Recorder::start();
    let path = if location == "path" { "/x/{p}/y" } else { "/x" };
    let item = json!({"get": {"responses": {}, "parameters": [{"name": name, "in": location, "required": true, "schema": {}}]}});
    let called = call(&document(path, item), &recorder.base, json!({name: value}));
    assert!(recorder.all().is_empty(), "a request was sent: {:?}", recorder.last().line);
    called.ended.unwrap_err()
}

#[test]
fn a_value_cannot_lead_to_another_path() {
    let values = [
        "..",
        ".",
        "../admin",
        "a/../../admin",
        "..\\admin",
        "%2e%2e",
        "%2e%2e%2fadmin",
        "%252e%252e%252fadmin",
        "a/./b",
        "",
        "..;/admin",
        "a\r\nX: y",
        "a\0",
        "%0d%0aX",
    ];
    for value in values {
        let error = refusal("path", "p", json!(value));
        assert!(matches!(error, CallError::Argument { .. } | CallError::Refused { .. }), "{value:?}: {error}");
    }
    assert!(matches!(refusal("path", "p", json!([])), CallError::Argument { .. }));
    assert!(matches!(refusal("path", "p", json!({})), CallError::Argument { .. }));
    assert!(matches!(refusal("path", "p", json!({"..": 1})), CallError::Argument { .. }));
    assert!(matches!(refusal("path", "p", json!(["", ""])), CallError::Argument { .. }));
    assert!(matches!(refusal("path", "p", json!(["a", ".."])), CallError::Argument { .. }));
}

#[test]
fn a_value_cannot_begin_another_line() {
    for value in ["a\r\nEvil: 1", "a\nEvil: 1", "a\rb", "a\0b", "\u{7f}"] {
        assert!(matches!(refusal("header", "X-A", json!(value)), CallError::Argument { .. }), "{value:?}");
    }
}

#[test]
fn nobody_sets_headers_of_the_connection_or_credentials() {
    let names = [
        "Host",
        "Authorization",
        "Cookie",
        "Content-Length",
        "Transfer-Encoding",
        "Connection",
        "Content-Type",
        "Accept",
        "Proxy-Authorization",
        "Upgrade",
        "TE",
        "Expect",
        "X-Forwarded-For",
        "X-HTTP-Method-Override",
        "Bad Header",
        "a\r\nb",
    ];
    let parameters: Vec<Value> = names.iter().map(|name| json!({"name": name, "in": "header", "schema": {}})).collect();
    let recorder = Recorder::start();
    let item = json!({"get": {"responses": {}, "parameters": parameters}});
    let arguments: serde_json::Map<String, Value> =
        names.iter().map(|name| ((*name).to_owned(), json!("evil"))).collect();
    call(&document("/x", item), &recorder.base, Value::Object(arguments)).ended.unwrap();
    let request = recorder.last();
    assert!(request.headers.iter().all(|(_, value)| value != "evil"), "{:?}", request.headers);
    assert!(format!("http://{}", request.header("host").unwrap()) == recorder.base);
}

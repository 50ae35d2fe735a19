//! What many tests begin with: an installation, a document, the body of an answer.

use std::io::Write as _;
#[cfg(not(feature = "conformance"))]
use std::{fs, path::PathBuf};

use serde_json::Value;
use testkit::Installation;

/// The binary under test with a new data folder.
pub(crate) fn installation() -> Installation {
    Installation::new(binary())
}

/// Where the binary under test is.
pub(crate) fn binary() -> &'static str {
    env!("CARGO_BIN_EXE_trailmark")
}

/// Arguments of `mongo_save_document`.
#[cfg(not(feature = "conformance"))]
pub(crate) fn document(topic: &str) -> Value {
    serde_json::json!({"topic": topic, "content": format!("what is known about {topic}")})
}

/// Writes a file below a folder, which is made where it is missing.
#[cfg(not(feature = "conformance"))]
pub(crate) fn write(folder: &std::path::Path, path: &str, text: &str) {
    let path = folder.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// The body of an answer to a call.
#[track_caller]
pub(crate) fn body(answer: &Value) -> &Value {
    let body = &answer["result"]["structuredContent"];
    assert!(body.is_object(), "no body: {answer}");
    body
}

/// The data of an answer that says it succeeded.
#[track_caller]
pub(crate) fn data(answer: &Value) -> &Value {
    let body = body(answer);
    assert_eq!(body["ok"], true, "{body}");
    assert_eq!(answer["result"]["isError"], false, "{answer}");
    &body["data"]
}

/// The id of the document that an answer says was saved.
#[cfg(not(feature = "conformance"))]
#[track_caller]
pub(crate) fn saved_id(answer: &Value) -> String {
    data(answer)["id"].as_str().unwrap().to_owned()
}

/// Something worth reading in the output of a test that passes, such as a time that is no assertion.
pub(crate) fn remark(text: &str) {
    let mut errors = std::io::stderr().lock();
    writeln!(errors, "{text}").unwrap();
}

/// A server with a document whose three operations count as too many to be tools each.
#[cfg(not(feature = "conformance"))]
pub(crate) const MANY_OPERATIONS: &[&str] = &["--openapi", NOTES, "--api-tools", "0"];
#[cfg(not(feature = "conformance"))]
pub(crate) const NOTES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/openapi/notes.json");

/// The names of all tools of the frozen surface, sorted, without those that are there only where a server has APIs.
#[cfg(not(feature = "conformance"))]
pub(crate) fn all_tools() -> Vec<String> {
    frozen(|_| true)
}

/// Those that change nothing.
#[cfg(not(feature = "conformance"))]
pub(crate) fn reading_tools() -> Vec<String> {
    frozen(|tool| tool["annotations"]["readOnlyHint"] == true)
}

#[cfg(not(feature = "conformance"))]
fn frozen(wanted: impl Fn(&Value) -> bool) -> Vec<String> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("contract/tools");
    let files = fs::read_dir(folder).unwrap().map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap());
    let tools = files.map(|text| serde_json::from_str::<Value>(&text).unwrap()).filter(wanted);
    let names = tools.map(|tool| tool["name"].as_str().unwrap().to_owned());
    let mut names: Vec<String> = names.filter(|name| !name.starts_with("api_")).collect();
    names.sort();
    names
}

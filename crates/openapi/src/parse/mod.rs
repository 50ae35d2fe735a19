//! Bytes → plain JSON values, whether they are JSON or YAML, within limits.

mod yaml;

use serde_json::Value;

use crate::error::DocumentError;

/// The longest document, in bytes.
pub const MOST_BYTES: usize = 50_000_000;

/// The value of a document. A text that begins like JSON is JSON, unless only YAML can read it.
pub(crate) fn parse(bytes: &[u8]) -> Result<Value, DocumentError> {
    check_length(bytes.len())?;
    let text = std::str::from_utf8(bytes).map_err(|_| DocumentError::NotText)?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if !text.trim_start().starts_with(['{', '[']) {
        return yaml::parse(text);
    }
    serde_json::from_str(text).or_else(|error| {
        let refused = DocumentError::NotParsed { reason: format!("it begins like JSON, but is not: {error}") };
        // What ends too soon is half a document, however it is read.
        if error.is_eof() { Err(refused) } else { yaml::parse(text).map_err(|_| refused) }
    })
}

pub(crate) fn check_length(length: usize) -> Result<(), DocumentError> {
    if length > MOST_BYTES { Err(DocumentError::TooLong { most: MOST_BYTES }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn json_and_yaml_give_the_same_values() {
        let expected =
            json!({"openapi": "3.1.0", "paths": {"/a": {"get": {"responses": {"200": {"x": [1, 2.5, true]}}}}}});
        assert_eq!(parse(expected.to_string().as_bytes()).unwrap(), expected);
        let yaml = "openapi: 3.1.0\npaths:\n  /a:\n    get:\n      responses:\n        200: {x: [1, 2.5, true]}\n";
        assert_eq!(parse(yaml.as_bytes()).unwrap(), expected);
        assert_eq!(parse(b"\xef\xbb\xbf{\"a\": 1}").unwrap(), json!({"a": 1}));
        assert_eq!(parse(b"{a: 1, b: [x]}").unwrap(), json!({"a": 1, "b": ["x"]}), "YAML that begins like JSON");
    }

    #[track_caller]
    fn refused(bytes: &[u8], expected: &str) {
        let message = parse(bytes).unwrap_err().to_string();
        assert!(message.contains(expected), "{message}");
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        refused(b"{\"a\": ", "it begins like JSON, but is not: EOF");
        refused(b"\xff\xfe{\"a\"", "not UTF-8");
        refused(b"a: [1, 2\nb: 3", "line 2");
        refused(&vec![b' '; MOST_BYTES + 1], "longer than 50 MB");
        refused(b"", "empty");
    }
}

//! Secrets out of what is recorded: by the name of the field that holds them, and by their own shape.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::bytes::{Captures, Regex, RegexBuilder};
use serde_json::{Map, Value};

use super::named;
use crate::answer::indented;

pub(super) const MASK: &str = "[redacted]";

/// How the name of a field ends whose value is a secret, in lower case and without `_`, `-`, `.` and blanks.
const SECRET_ENDINGS: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "pwd",
    "secret",
    "apikey",
    "accesskey",
    "privatekey",
    "secretkey",
    "token",
    "authorization",
    "cookie",
    "credential",
    "credentials",
];

/// Shapes of secrets; the named groups in front of the secret stay readable. Without Unicode they compile to a fraction of
/// the size, and every match still begins and ends beside an ASCII character. A line break may come before a secret as
/// the two characters of its escape, when the text is JSON inside a string.
static SECRET_SHAPES: LazyLock<Regex> = LazyLock::new(|| {
    let words = [
        r"eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]*",
        r"(?:AKIA|ASIA)[0-9A-Z]{16}\b",
        r"(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,})",
        r"sk-[A-Za-z0-9_-]{16,}|[sr]k_(?:live|test)_[A-Za-z0-9]{16,}",
        r"xox[abeoprs]-[A-Za-z0-9-]{10,}|AIza[0-9A-Za-z_-]{35}\b|npm_[A-Za-z0-9]{36}\b|pypi-[A-Za-z0-9_-]{32,}|hf_[A-Za-z0-9]{30,}",
        // A number that ends at `/`, `?`, `#` or `,` is a port, and an `@` after it belongs to the path.
        r"(?P<scheme>(?i:[a-z][a-z0-9+.-]{1,20})://[^\s/:@\[]*:)(?:\d{0,5}[^\s\d/?#,]\S*|\d{6,}\S*|[/?#,]\S*|\d{1,5})@",
        r"(?P<bearer>(?i:bearer|basic)\s+)[A-Za-z0-9._~+/=-]{12,}",
    ];
    let private_key = r"-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|\z)";
    let shapes = format!(r"{private_key}|(?P<lead>\b|\\[nrtbf])(?:{})", words.join("|"));
    let shapes = RegexBuilder::new(&shapes).unicode(false).build();
    shapes.expect("the shapes are constant and a test compiles them")
});

/// An answer with its secrets masked, and whether there were any: field by field if it is JSON, which is then indented
/// anew, else as text.
pub(super) fn answer(answer: String) -> (String, bool) {
    let parsed = answer.trim_start().starts_with(['{', '[']).then(|| serde_json::from_str(&answer).ok()).flatten();
    let Some(value) = parsed else { return text(answer) };
    match json(value) {
        (masked, true) => (indented(&masked), true),
        (_, false) => (answer, false),
    }
}

/// The text with its secrets masked, and whether there were any.
pub(super) fn text(mut text: String) -> (String, bool) {
    let found = mask_text(&mut text);
    (text, found)
}

/// The JSON with its secrets masked, and whether there were any.
pub(super) fn json(mut value: Value) -> (Value, bool) {
    let found = mask(&mut value);
    (value, found)
}

/// Replaces what an experience may not hold, and says whether there was any.
pub(super) fn sanitise(value: &mut Value) -> bool {
    match value {
        Value::String(text) => {
            let clean = experience::sanitizer::sanitise(text);
            let found = clean != *text;
            *text = clean;
            found
        }
        Value::Array(items) => items.iter_mut().fold(false, |found, item| sanitise(item) | found),
        Value::Object(fields) => fields.values_mut().fold(false, |found, field| sanitise(field) | found),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

fn mask_text(text: &mut String) -> bool {
    let shaped = match SECRET_SHAPES.replace_all(text.as_bytes(), mask_shape) {
        Cow::Borrowed(_) => None,
        Cow::Owned(masked) => Some(String::from_utf8_lossy(&masked).into_owned()),
    };
    let named = named::mask(shaped.as_deref().unwrap_or(text));
    let masked = named.or(shaped);
    let found = masked.is_some();
    if let Some(masked) = masked {
        *text = masked;
    }
    found
}

fn mask_shape(captures: &Captures<'_>) -> Vec<u8> {
    let group = |name| captures.name(name).map_or(&b""[..], |group| group.as_bytes());
    let at: &[u8] = if captures.name("scheme").is_some() { b"@" } else { b"" };
    [group("lead"), group("scheme"), group("bearer"), MASK.as_bytes(), at].concat()
}

fn mask(value: &mut Value) -> bool {
    match value {
        Value::String(string) => mask_text(string),
        Value::Array(items) => items.iter_mut().fold(false, |found, item| mask(item) | found),
        Value::Object(fields) => {
            mask_names(fields) | fields.iter_mut().fold(false, |found, field| mask_field(field) | found)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

fn mask_field((name, value): (&String, &mut Value)) -> bool {
    if value.is_null() || value.is_boolean() || !is_secret_name(name) {
        return mask(value);
    }
    *value = Value::String(MASK.to_owned());
    true
}

/// Masks names that are secrets themselves.
fn mask_names(fields: &mut Map<String, Value>) -> bool {
    let found = fields.keys().any(|name| text(name.clone()).1);
    if found {
        *fields = std::mem::take(fields).into_iter().map(|(name, value)| (text(name).0, value)).collect();
    }
    found
}

fn is_secret_name(name: &str) -> bool {
    let bare = name.chars().filter(|c| !matches!(c, '_' | '-' | '.') && !c.is_whitespace());
    let name: String = bare.flat_map(char::to_lowercase).collect();
    name == "pass" || SECRET_ENDINGS.iter().any(|ending| name.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn check(given: &str, expected: &str) {
        let (masked, found) = text(given.to_owned());
        assert_eq!(masked, expected);
        assert_eq!(found, given != expected);
    }

    #[test]
    fn secrets_are_masked_by_their_shape() {
        check("key AKIAABCDEFGHIJKLMNOP here", "key [redacted] here");
        check("ghp_0123456789abcdefghijABCDEFGHIJ012345", "[redacted]");
        check("Authorization: Bearer abcdef0123456789", "Authorization: Bearer [redacted]");
        check("postgres://ann:hunter22@db.example.com/x", "postgres://ann:[redacted]@db.example.com/x");
        check("export API_KEY=abcdef123456", "export API_KEY=[redacted]");
        check("password: \"correct horse\"", "password: [redacted]");
        check("a -----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- b", "a [redacted] b");
        check("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl", "[redacted]");
    }

    #[test]
    fn a_password_in_an_address_ends_at_the_last_at_sign() {
        check("postgres://ann:a/b@c@db/x y@z", "postgres://ann:[redacted]@db/x y@z");
        check("redis://:123@db", "redis://:[redacted]@db");
        check("redis://:1234567/8@db", "redis://:[redacted]@db");
        check("http://localhost:4873/@scope/name", "http://localhost:4873/@scope/name");
        check("mongodb://one:27017,two:27017/x?mail=a@b", "mongodb://one:27017,two:27017/x?mail=a@b");
    }

    #[test]
    fn an_escaped_line_break_hides_no_secret() {
        check(r"one\nghp_0123456789abcdefghijABCDEFGHIJ012345\n", r"one\n[redacted]\n");
        check(r"one\tBearer abcdef0123456789", r"one\tBearer [redacted]");
    }

    #[test]
    fn a_private_key_is_masked_whole_behind_a_name() {
        check("secret=-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----", "secret=[redacted]");
    }

    #[test]
    fn ordinary_text_is_left_alone() {
        check("the token bucket has 5 tokens", "the token bucket has 5 tokens");
        check("see https://example.com:8080/path", "see https://example.com:8080/path");
        check("MongoDB 索引优化", "MongoDB 索引优化");
        check("密码 password=密码密码密码。", "密码 password=[redacted]");
    }

    #[track_caller]
    fn check_json(given: Value, expected: Value) {
        let (masked, found) = json(given.clone());
        assert_eq!(masked, expected);
        assert_eq!(found, given != expected);
        let given = given.to_string();
        let kept = if found { indented(&expected) } else { given.clone() };
        assert_eq!(answer(given), (kept, found));
    }

    #[test]
    fn secrets_are_masked_by_the_name_of_their_field() {
        check_json(
            json!({"api_key": "short", "nested": {"Password": "x"}, "topic": "y", "tokens": 3}),
            json!({"api_key": "[redacted]", "nested": {"Password": "[redacted]"}, "topic": "y", "tokens": 3}),
        );
        for name in ["db.password", "DB_PWD", "X-Api-Key", "aws secret key", "refreshToken", "Set-Cookie", "pass"] {
            for secret in [json!("x"), json!(1234), json!({"a": "b"}), json!(["a", "b"])] {
                check_json(json!([{ name: secret }]), json!([{ name: "[redacted]" }]));
            }
            check_json(json!({ name: true }), json!({ name: true }));
            check_json(json!({ name: null }), json!({ name: null }));
        }
    }

    #[test]
    fn ordinary_fields_are_left_alone() {
        let names =
            ["traceId", "topic", "content", "tags", "tookMs", "limit", "tokens", "max_tokens", "tokenCount", "bypass"];
        for name in names {
            check_json(json!({ name: ["text", 5] }), json!({ name: ["text", 5] }));
        }
    }

    #[test]
    fn a_secret_that_is_a_name_is_masked() {
        check_json(json!({"AKIAABCDEFGHIJKLMNOP": {"a": 1}}), json!({"[redacted]": {"a": 1}}));
    }
}

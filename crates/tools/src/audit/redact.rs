//! Secrets out of what is recorded: by the name of the field that holds them, and by their own shape.

use std::sync::LazyLock;

use regex::bytes::{Captures, Regex, RegexBuilder};
use serde_json::Value;

const MASK: &str = "[redacted]";

/// Field names whose text value is a secret, compared without case, `_` and `-`.
const SECRET_NAMES: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "secret",
    "apikey",
    "accesskey",
    "privatekey",
    "accesstoken",
    "refreshtoken",
    "authtoken",
    "bearertoken",
    "sessiontoken",
    "clientsecret",
    "authorization",
    "cookie",
    "setcookie",
    "credential",
    "credentials",
    "token",
    "pwd",
];

/// Shapes of secrets; a named group in front of the secret stays readable. Without Unicode they compile to a fraction of the
/// size, and every match still begins and ends beside an ASCII character.
static SECRET_SHAPES: LazyLock<Regex> = LazyLock::new(|| {
    let shapes = [
        r"-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|\z)",
        r"\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]*",
        r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b",
        r"\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,})",
        r"\bsk-[A-Za-z0-9_-]{16,}|\b[sr]k_(?:live|test)_[A-Za-z0-9]{16,}",
        r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}|\bAIza[0-9A-Za-z_-]{35}\b|\bnpm_[A-Za-z0-9]{36}\b|\bpypi-[A-Za-z0-9_-]{32,}|\bhf_[A-Za-z0-9]{30,}",
        r"(?i)(?P<scheme>\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@]{0,64}:)[^\s/@]{1,256}@",
        r"(?i)(?P<bearer>\b(?:bearer|basic)\s+)[A-Za-z0-9._~+/=-]{12,}",
        r#"(?i)(?P<name>\b[a-z0-9_.-]{0,40}(?:password|passwd|secret|api[_-]?key|access[_-]?key|token)(?:\\?["'])?\s*[:=]\s*)(?:\\?["'])?[^\s"'\\,;]{6,}"#,
    ];
    let shapes = RegexBuilder::new(&shapes.join("|")).unicode(false).build();
    shapes.expect("the shapes are constant and a test compiles them")
});

/// The text with its secrets masked, and whether there were any.
pub(super) fn text(text: &str) -> (String, bool) {
    let mut found = false;
    let masked = SECRET_SHAPES.replace_all(text.as_bytes(), |captures: &Captures<'_>| {
        found = true;
        let kept = ["scheme", "bearer", "name"].iter().find_map(|group| captures.name(group));
        let at: &[u8] = if captures.name("scheme").is_some() { b"@" } else { b"" };
        [kept.map_or(&b""[..], |kept| kept.as_bytes()), MASK.as_bytes(), at].concat()
    });
    (String::from_utf8_lossy(&masked).into_owned(), found)
}

/// The JSON with its secrets masked, and whether there were any.
pub(super) fn json(mut value: Value) -> (Value, bool) {
    let found = mask(&mut value);
    (value, found)
}

fn mask(value: &mut Value) -> bool {
    match value {
        Value::String(string) => {
            let (masked, found) = text(string);
            if found {
                *string = masked;
            }
            found
        }
        Value::Array(items) => items.iter_mut().fold(false, |found, item| mask(item) | found),
        Value::Object(fields) => fields.iter_mut().fold(false, |found, (name, field)| {
            if is_secret_name(name) && field.is_string() {
                *field = Value::String(MASK.to_owned());
                return true;
            }
            mask(field) | found
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

fn is_secret_name(name: &str) -> bool {
    let name: String = name.chars().filter(|c| !matches!(c, '_' | '-')).flat_map(char::to_lowercase).collect();
    SECRET_NAMES.contains(&name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn check(given: &str, expected: &str) {
        let (masked, found) = text(given);
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
        check("password: \"correct horse\"", "password: [redacted] horse\"");
        check("a -----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- b", "a [redacted] b");
        check("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl", "[redacted]");
    }

    #[test]
    fn ordinary_text_is_left_alone() {
        check("the token bucket has 5 tokens", "the token bucket has 5 tokens");
        check("see https://example.com:8080/path", "see https://example.com:8080/path");
        check("MongoDB 索引优化", "MongoDB 索引优化");
        check("密码 password=密码密码密码。", "密码 password=[redacted]");
    }

    #[test]
    fn secrets_are_masked_by_the_name_of_their_field() {
        let (masked, found) = json(json!({"api_key": "short", "nested": {"Password": "x"}, "topic": "y", "tokens": 3}));
        assert!(found);
        assert_eq!(
            masked,
            json!({"api_key": "[redacted]", "nested": {"Password": "[redacted]"}, "topic": "y", "tokens": 3})
        );
    }
}

//! What does a name say about the value that it is given?

use super::words::words;

/// What a value under this name would be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Typed by people: short, and not random.
    Password,
    /// Made by a machine, and random.
    Token,
    /// Perhaps a secret, perhaps an ordinary key: only what is long and random counts.
    Perhaps,
}

/// What the name promises; `None` when its value is no secret.
pub(super) fn kind(name: &[u8]) -> Option<Kind> {
    let words = words(name);
    let words: Vec<&str> =
        words.iter().map(|word| word.trim_end_matches(|character: char| character.is_ascii_digit())).collect();
    let last = words.iter().rev().find(|word| !word.is_empty())?;
    if ABOUT_SOMETHING_ELSE.contains(last) || words.iter().any(|word| NEVER.contains(word)) {
        return None;
    }
    let has = |parts: &[&str]| words.iter().any(|word| parts.iter().any(|part| word.contains(part)));
    let is = |parts: &[&str]| words.iter().any(|word| parts.contains(word));
    if has(&["password", "passwd", "passphrase", "passcode", "pswd"]) || is(&["pass", "pwd", "pw", "psw"]) {
        return Some(Kind::Password);
    }
    if has(&["secret", "credential", "apikey", "apitoken", "authtoken", "accesstoken", "authkey"])
        || words.iter().any(|word| *word == "token" || *word == "tokens" || word.ends_with("token"))
    {
        return Some(Kind::Token);
    }
    let key_of = |pair: &[&str]| pair[1] == "key" && QUALIFIES_KEY.contains(&pair[0]);
    if words.windows(2).any(key_of) || is(&["privatekey", "secretkey", "accesskey", "authkey", "slapikey"]) {
        return Some(Kind::Token);
    }
    (is(&["key", "keys", "auth", "authorization", "login", "bearer", "jwt", "session", "cookie", "signature", "oauth"]))
        .then_some(Kind::Perhaps)
}

/// `token_url` holds an address, `key_name` a name.
#[rustfmt::skip]
const ABOUT_SOMETHING_ELSE: &[&str] = &[
    "address", "algorithm", "alias", "arn", "attribute", "attributes", "budget", "button", "callback", "class", "code",
    "column", "component", "context", "count", "counter", "date", "description", "dir", "directory", "domain", "duration",
    "email", "endpoint", "error", "event", "exception", "expiration", "expired", "expires", "expiry", "factory", "field",
    "file", "filename", "flag", "folder", "form", "format", "function", "generator", "group", "handler", "header", "headers",
    "helper", "hint", "host", "icon", "id", "identifier", "ids", "index", "input", "interval", "issuer", "kind", "label",
    "length", "lifetime", "limit", "link", "list", "location", "manager", "map", "message", "method", "middleware", "mode",
    "model", "module", "name", "names", "namespace", "network", "number", "option", "options", "page", "param", "parameter",
    "parser", "path", "pattern", "placeholder", "policy", "port", "position", "prefix", "property", "provider", "ref",
    "reference", "regex", "region", "required", "results", "role", "route", "rule", "rules", "schema", "scope", "scopes",
    "screen", "selector", "server", "service", "size", "source", "state", "status", "store", "strategy", "strength", "suffix",
    "table", "template", "test", "text", "time", "timeout", "timestamp", "title", "ttl", "type", "types", "uri", "url", "urls",
    "usage", "user", "username", "validator", "version", "view", "width",
];

/// A name with one of these words never holds a secret.
#[rustfmt::skip]
const NEVER: &[&str] = &[
    "author", "authority", "authors", "fingerprint", "keyboard", "keycode", "keydown", "keyframes", "keypress", "keyup",
    "keyword", "keywords", "monkey", "passenger", "passport", "pubkey", "public", "publickey", "publishable", "secretary",
    "tokenization", "tokenize", "tokenizer", "turkey",
];

/// A key with one of these words before it opens something.
#[rustfmt::skip]
const QUALIFIES_KEY: &[&str] = &[
    "access", "account", "admin", "api", "app", "application", "auth", "authentication", "client", "cloud", "consumer",
    "crypto", "decryption", "deploy", "encrypt", "encryption", "heroku", "hmac", "iam", "integration", "jwt", "license",
    "master", "private", "secret", "security", "server", "service", "session", "shared", "sign", "signing", "ssh", "storage",
    "subscription", "webhook", "write",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_what_its_value_is() {
        for (name, expected) in [
            ("password", Some(Kind::Password)),
            ("DB_PASS", Some(Kind::Password)),
            ("spring.datasource.password", Some(Kind::Password)),
            ("userPassword2", Some(Kind::Password)),
            ("githubToken", Some(Kind::Token)),
            ("AWS_SECRET_ACCESS_KEY", Some(Kind::Token)),
            ("x-api-key", Some(Kind::Token)),
            ("STRIPE_API_KEY", Some(Kind::Token)),
            ("cloudant_key", Some(Kind::Perhaps)),
            ("SONAR_LOGIN", Some(Kind::Perhaps)),
            ("token_type", None),
            ("secretName", None),
            ("compass", None),
            ("keyboard", None),
            ("author", None),
            ("public_key", None),
            ("tokenizer", None),
        ] {
            assert_eq!(kind(name.as_bytes()), expected, "{name}");
        }
    }
}

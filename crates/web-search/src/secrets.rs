//! What must not be told, and texts without it.

use std::fmt;

use reqwest::Url;

/// What stands where a secret stood.
pub(crate) const HIDDEN: &str = "[hidden]";
/// Shorter ones would be found everywhere; nobody can guard them anyway.
const SHORTEST: usize = 4;

/// Secrets that others may repeat in what they say.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct Secrets(Vec<String>);

impl Secrets {
    pub(crate) fn new(secrets: impl IntoIterator<Item = String>) -> Self {
        let mut secrets: Vec<String> = secrets.into_iter().filter(|secret| secret.len() >= SHORTEST).collect();
        // A secret may be a part of another one.
        secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        Self(secrets)
    }

    /// What an address holds that may be secret, as it is written there and as it is meant: what stands before the host, and the
    /// values of parameters.
    pub(crate) fn of_address(address: &Url) -> Self {
        let values = address.query().unwrap_or_default().split('&').filter_map(|pair| Some(pair.split_once('=')?.1));
        let texts = [address.username(), address.password().unwrap_or_default()].into_iter().chain(values);
        Self::new(texts.flat_map(|text| [text.to_owned(), plain(text)]))
    }

    pub(crate) fn and(self, more: Self) -> Self {
        Self::new(self.0.into_iter().chain(more.0))
    }

    pub(crate) fn hide(&self, text: &str) -> String {
        let hidden = self.0.iter().fold(text.to_owned(), |text, secret| text.replace(secret, HIDDEN));
        without_credentials(&hidden)
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} secrets", self.0.len())
    }
}

/// A text whose addresses have no user name and no password.
pub fn without_credentials(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("://").map(|at| at + 3) {
        clean.push_str(&rest[..start]);
        rest = &rest[start..];
        let end =
            rest.find(|letter: char| "/?#\"'<> ".contains(letter) || letter.is_whitespace()).unwrap_or(rest.len());
        if let Some(at) = rest[..end].rfind('@') {
            clean.push_str(HIDDEN);
            rest = &rest[at..];
        }
    }
    clean + rest
}

/// With characters for their escapes.
fn plain(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let code = (*first == b'%').then(|| after.get(..2).and_then(|digits| str::from_utf8(digits).ok())).flatten();
        let code = code.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(code.unwrap_or(*first));
        rest = if code.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_escaped_password_is_hidden_in_both_forms() {
        let address = "https://somebody:p%40ss%C3%A4@host/mcp?apiKey=k3y%2B1&x".parse().unwrap();
        let secrets = Secrets::of_address(&address);
        assert_eq!(
            secrets.hide("p%40ss%C3%A4 or p@ssä, ?apiKey=k3y%2B1 or k3y+1"),
            "[hidden] or [hidden], ?apiKey=[hidden] or [hidden]"
        );
    }

    #[test]
    fn secrets_and_what_stands_before_a_host_are_hidden() {
        let secrets =
            Secrets::new(["s3cret".to_owned(), "s3cret-and-more".to_owned(), "abc".to_owned(), String::new()]);
        assert_eq!(secrets.hide("key s3cret-and-more and s3cret, abc"), "key [hidden] and [hidden], abc");
        assert_eq!(secrets.hide("at https://me:p@ss@host.example/a@b, ok"), "at https://[hidden]@host.example/a@b, ok");
        assert_eq!(secrets.hide("http://host/x me@example.com"), "http://host/x me@example.com");
        assert!(!format!("{secrets:?}").contains("s3cret"));
    }
}

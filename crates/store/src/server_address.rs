//! Where a database server is: an address that may hold a password and never shows it.

use std::fmt;

use crate::error::{ErrorKind, StoreError};

const CONCEALED: &str = "***";

/// What a setting was given: `scheme://user:password@host:port/name?options`.
#[derive(Clone, PartialEq, Eq)]
pub struct ServerAddress {
    url: String,
    setting: &'static str,
}

impl ServerAddress {
    /// This address, as the setting of this name gave it.
    pub fn new(url: &str, setting: &'static str) -> Self {
        Self { url: url.trim().to_owned(), setting }
    }

    /// All of it, with the password: for a driver, and for nothing else.
    pub fn secret_url(&self) -> &str {
        &self.url
    }

    /// The setting that gave it.
    pub fn setting(&self) -> &'static str {
        self.setting
    }

    /// What comes before `://`, in small letters.
    pub fn scheme(&self) -> String {
        self.url.split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase()).unwrap_or_default()
    }

    /// Host and port, several of them with commas between.
    pub fn host(&self) -> &str {
        let authority = self.authority();
        authority.rsplit_once('@').map_or(authority, |(_, host)| host)
    }

    /// The name after the host, where there is one.
    pub fn name(&self) -> Option<&str> {
        let after = &self.after_scheme()[self.authority().len()..];
        let name = after.strip_prefix('/')?.split(['?', '#']).next()?;
        Some(name).filter(|name| !name.is_empty())
    }

    /// The user, with its escapes resolved.
    pub fn user(&self) -> Option<String> {
        self.credentials().map(|(user, _)| decoded(user)).filter(|user| !user.is_empty())
    }

    /// The password, with its escapes resolved.
    pub fn password(&self) -> Option<String> {
        self.credentials().and_then(|(_, password)| password).map(decoded)
    }

    /// What a driver said, without the password it may have repeated.
    pub fn conceal(&self, text: &str) -> String {
        let mut text = text.replace(&self.url, &self.to_string());
        let given = self.credentials().and_then(|(_, password)| password).map(str::to_owned);
        for secret in given.into_iter().chain(self.password()).filter(|secret| !secret.is_empty()) {
            text = text.replace(&secret, CONCEALED);
        }
        text
    }

    /// The server cannot be used just now, and where to look.
    pub fn unavailable(&self, reason: impl fmt::Display) -> StoreError {
        let reason = self.conceal(&reason.to_string());
        let hint = format!("start the server, or correct {}{}", self.setting, self.in_file());
        StoreError::new(ErrorKind::Unavailable, format!("{self} cannot be used: {reason}")).with_hint(hint)
    }

    /// The setting as a settings file names it; an option of a command is in no file.
    fn in_file(&self) -> String {
        let key = self.setting.strip_prefix("TRAILMARK_").map(|key| key.to_ascii_lowercase().replace('_', "-"));
        key.map(|key| format!(" (in trailmark.toml: `{key}`)")).unwrap_or_default()
    }

    fn after_scheme(&self) -> &str {
        self.url.split_once("://").map_or(self.url.as_str(), |(_, rest)| rest)
    }

    fn authority(&self) -> &str {
        let rest = self.after_scheme();
        // A password that was not escaped may hold a slash: what counts is the last `@`, which no host has, but options may.
        let before_options = &rest[..options(rest).unwrap_or(rest.len())];
        let host = before_options.rfind('@').or_else(|| rest.rfind('@')).map_or(0, |at| at + 1);
        let end = rest[host..].find(['/', '?', '#']).map_or(rest.len(), |end| host + end);
        &rest[..end]
    }

    fn credentials(&self) -> Option<(&str, Option<&str>)> {
        let (credentials, _) = self.authority().rsplit_once('@')?;
        Some(credentials.split_once(':').map_or((credentials, None), |(user, password)| (user, Some(password))))
    }
}

/// Without user, password and options.
impl fmt::Display for ServerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme(), self.host())?;
        self.name().map_or(Ok(()), |name| write!(f, "/{name}"))
    }
}

impl fmt::Debug for ServerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={self}", self.setting)
    }
}

/// Where `?name=` begins.
fn options(text: &str) -> Option<usize> {
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|part| part.is_ascii_alphanumeric() || part == '_');
    let begins = |at: &usize| text[at + 1..].split_once('=').is_some_and(|(name, _)| is_name(name));
    text.match_indices('?').map(|(at, _)| at).find(begins)
}

/// `%40` is `@`; what is no escape stays.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let escape = after.get(..2).filter(|_| *first == b'%').and_then(|digits| std::str::from_utf8(digits).ok());
        if let Some(byte) = escape.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            bytes.push(byte);
            rest = &after[2..];
        } else {
            bytes.push(*first);
            rest = after;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(url: &str) -> ServerAddress {
        ServerAddress::new(url, "TRAILMARK_DOCUMENTS")
    }

    #[test]
    fn the_parts_of_an_address_are_told_apart() {
        let whole = address("MongoDB://me:p%40ss@one:1,two:2/notes?replicaSet=rs0");
        assert_eq!((whole.scheme().as_str(), whole.host(), whole.name()), ("mongodb", "one:1,two:2", Some("notes")));
        assert_eq!((whole.user().as_deref(), whole.password().as_deref()), (Some("me"), Some("p@ss")));
        let bare = address("bolt://localhost");
        assert_eq!((bare.host(), bare.name(), bare.user(), bare.password()), ("localhost", None, None, None));
    }

    #[test]
    fn no_text_about_an_address_holds_its_password() {
        let secrets = ["hunter2", "hunt%65r2", "a/b", "a?b#c", "a@b"];
        for secret in secrets {
            let address = address(&format!("postgres://me:{secret}@host:5/db?password={secret}"));
            let said =
                format!("bad password {secret} in {}, also {}", address.secret_url(), address.password().unwrap());
            let error = address.unavailable(&said);
            for text in [address.to_string(), format!("{address:?}"), error.to_string(), format!("{error:?}")] {
                assert!(!text.contains(secret) && !text.contains("hunter2"), "{secret}: {text}");
            }
            assert_eq!(address.host(), "host:5");
        }
    }

    #[test]
    fn an_error_names_the_setting() {
        let error = address("mongodb://host").unavailable("nobody listens");
        assert_eq!(error.to_string(), "mongodb://host cannot be used: nobody listens");
        let hint = "start the server, or correct TRAILMARK_DOCUMENTS (in trailmark.toml: `documents`)";
        assert_eq!(error.hint(), Some(hint));
        let error = ServerAddress::new("mongodb://host", "--to").unavailable("nobody listens");
        assert_eq!(error.hint(), Some("start the server, or correct --to"));
    }
}

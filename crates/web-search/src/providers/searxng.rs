//! SearXNG through its JSON API.

use std::fmt;
use std::time::Duration;

use futures::future::{BoxFuture, FutureExt as _};
use jiff::{SignedDuration, Timestamp};
use reqwest::header::{CONTENT_TYPE, HeaderMap, LOCATION, RETRY_AFTER};
use reqwest::{Response, StatusCode, Url};
use serde::Deserialize;
use serde_json::Value;
use tokio::sync::OnceCell;
use tokio::time::timeout;

use super::{Bounds, Provider, ProviderInfo};
use crate::cleaning::one_line;
use crate::configuration::{Configuration, ConfigurationError};
use crate::connection;
use crate::error::{Error, first_cause};
use crate::query::Question;
use crate::rows::{Found, Row};
use crate::secrets::Secrets;

const NAME: &str = "searxng";
/// How much of an answer that is no list of results an error shows, in characters.
const MOST_SHOWN: usize = 200;
/// Which engines are switched on is nice to know, but not worth a long wait.
const ENGINES: Duration = Duration::from_secs(2);
/// What is searched where a question names no category.
const CATEGORY: &str = "general";

pub(crate) const INFO: ProviderInfo = ProviderInfo {
    name: NAME,
    summary: "a SearXNG instance through its JSON API; `url` is its address, with `USER:PASSWORD@` before the host where it wants them",
    open: |configuration| Ok(Box::new(SearxNg::new(configuration)?)),
};

/// One instance. Opens nothing before the first question.
struct SearxNg {
    /// With a slash at its end, and with the credentials, which the client takes out and sends as a header.
    base: Url,
    place: String,
    secrets: Secrets,
    connection: OnceCell<reqwest::Client>,
}

impl SearxNg {
    fn new(configuration: &Configuration) -> Result<Self, ConfigurationError> {
        configuration.has_none_of(NAME, &["command", "arguments", "environment", "tool", "token"])?;
        let missing = ConfigurationError::Missing { provider: NAME, needed: "`url`" };
        let base = base(configuration.url.as_deref().ok_or(missing)?).ok_or(ConfigurationError::NotAnAddress)?;
        let secrets = Secrets::of_address(&base);
        let place = format!("SearXNG at {}", host(&base));
        Ok(Self { base, place, secrets, connection: OnceCell::new() })
    }

    async fn search(&self, question: &Question, bounds: Bounds) -> Result<Found, Error> {
        let mut address = self.below("search");
        address.query_pairs_mut().append_pair("q", &question.words).append_pair("format", "json");
        if let Some(language) = language(&question.language) {
            address.query_pairs_mut().append_pair("language", &language);
        }
        if let Some(range) = question.range {
            address.query_pairs_mut().append_pair("time_range", range.word());
        }
        let answer = self.get(address, bounds.bytes).await?;
        let mut found = self.read(&answer)?;
        found.is_ranged = question.range.is_some();
        Ok(found)
    }

    fn read(&self, answer: &Value) -> Result<Found, Error> {
        let Some(results) = answer.get("results").and_then(Value::as_array) else {
            let said = answer.get("error").and_then(Value::as_str).map(|said| self.shown(said.as_bytes()));
            let said = said.map_or_else(String::new, |said| format!(": {said}"));
            return Err(self.malformed(format!("it has no list `results`{said}")));
        };
        let now = Timestamp::now();
        let mut found =
            Found { rows: results.iter().filter_map(|row| Row::read(row, now)).collect(), ..Found::default() };
        found.read_engines(answer);
        Ok(found)
    }

    /// The JSON at this address.
    async fn get(&self, address: Url, most: usize) -> Result<Value, Error> {
        let sending = self.connection().await?.get(address);
        let mut response = sending.send().await.map_err(|error| self.explain(error))?;
        if response.status() != StatusCode::OK {
            return Err(self.refusal(&mut response).await);
        }
        let body = self.body(&mut response, most).await?;
        serde_json::from_slice(&body).map_err(|error| {
            let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
            let is_page = kind.starts_with("text/html");
            self.malformed(if is_page {
                "it is a web page, not JSON".to_owned()
            } else {
                format!("it is not JSON: {error}")
            })
        })
    }

    async fn body(&self, response: &mut Response, most: usize) -> Result<Vec<u8>, Error> {
        let too_long = || Error::TooLong { place: self.place.clone(), most };
        if response.content_length().is_some_and(|length| length > most as u64) {
            return Err(too_long());
        }
        let mut body = Vec::new();
        while let Some(part) = response.chunk().await.map_err(|error| self.explain(error))? {
            if body.len() + part.len() > most {
                return Err(too_long());
            }
            body.extend_from_slice(&part);
        }
        Ok(body)
    }

    async fn refusal(&self, response: &mut Response) -> Error {
        let (place, status) = (self.place.clone(), response.status());
        match status {
            StatusCode::UNAUTHORIZED => Error::Unauthorised { place },
            StatusCode::FORBIDDEN => Error::JsonRefused { place },
            StatusCode::TOO_MANY_REQUESTS => {
                Error::TooManyRequests { place, retry_after: retry_after(response.headers(), Timestamp::now()) }
            }
            _ if status.is_redirection() => Error::Redirected { place, to: target(response) },
            _ => {
                let said = self.body(response, 64 * 1024).await.map(|body| self.said(&body)).unwrap_or_default();
                Error::Status { place, status: status.as_u16(), said }
            }
        }
    }

    /// The reason in an answer that is none, if it is short and in words.
    fn said(&self, body: &[u8]) -> String {
        let reason = serde_json::from_slice::<Value>(body).ok();
        let reason = reason.as_ref().and_then(|reason| reason.get("error")).and_then(Value::as_str);
        let is_page = body.trim_ascii_start().starts_with(b"<");
        match reason {
            Some(reason) => self.shown(reason.as_bytes()),
            None if is_page => String::new(),
            None => self.shown(body),
        }
    }

    async fn connection(&self) -> Result<&reqwest::Client, Error> {
        let is_encrypted = self.base.scheme() == "https";
        let open = async {
            let opening = tokio::task::spawn_blocking(move || connection::open(is_encrypted));
            opening.await.unwrap_or_else(|error| Err(Error::NoSecurity { reason: error.to_string() }))
        };
        self.connection.get_or_try_init(|| open).await
    }

    fn below(&self, path: &str) -> Url {
        self.base.join(path).unwrap_or_else(|_| self.base.clone())
    }

    fn explain(&self, error: reqwest::Error) -> Error {
        let place = self.place.clone();
        let (is_connect, is_timeout) = (error.is_connect(), error.is_timeout());
        let reason =
            if is_connect && is_timeout { "it takes too long".to_owned() } else { first_cause(&error.without_url()) };
        let reason = self.shown(reason.as_bytes());
        if is_connect { Error::NoConnection { place, reason } } else { Error::Lost { place, reason } }
    }

    fn malformed(&self, reason: String) -> Error {
        Error::Malformed { place: self.place.clone(), reason }
    }

    /// The beginning of what was said, on one line and without secrets.
    fn shown(&self, said: &[u8]) -> String {
        self.secrets.hide(&one_line(&String::from_utf8_lossy(said), MOST_SHOWN))
    }

    /// The engines that are switched on for such a question.
    async fn switched_on(&self, question: &Question, bounds: Bounds) -> Option<Vec<String>> {
        // Words such as `!wp` choose engines themselves.
        if question.words.split(' ').any(|word| word.starts_with('!') && word.len() > 1) {
            return None;
        }
        let answer =
            timeout(bounds.time.min(ENGINES), self.get(self.below("config"), bounds.bytes)).await.ok()?.ok()?;
        let engines = Engines::deserialize(answer).ok()?.engines;
        let is_asked = |engine: &Engine| {
            engine.enabled
                && engine.categories.iter().any(|category| category == CATEGORY)
                && (question.range.is_none() || engine.time_range_support)
        };
        let mut names: Vec<String> =
            engines.iter().filter(|engine| is_asked(engine)).map(|engine| one_line(&engine.name, MOST_SHOWN)).collect();
        names.sort();
        Some(names)
    }
}

impl Provider for SearxNg {
    fn place(&self) -> &str {
        &self.place
    }

    fn ask<'a>(&'a self, question: &'a Question, bounds: Bounds) -> BoxFuture<'a, Result<Found, Error>> {
        async move {
            let late = |_| Err(Error::Timeout { place: self.place.clone(), after: bounds.time });
            timeout(bounds.time, self.search(question, bounds)).await.unwrap_or_else(late)
        }
        .boxed()
    }

    fn source(&self) -> String {
        NAME.to_owned()
    }

    fn engines<'a>(&'a self, question: &'a Question, bounds: Bounds) -> BoxFuture<'a, Option<Vec<String>>> {
        self.switched_on(question, bounds).boxed()
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        futures::future::ready(()).boxed()
    }
}

impl fmt::Debug for SearxNg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SearxNg").field("place", &self.place).finish_non_exhaustive()
    }
}

#[derive(Debug, Deserialize)]
struct Engines {
    engines: Vec<Engine>,
}

#[derive(Debug, Deserialize)]
struct Engine {
    name: String,
    #[serde(default)]
    categories: Vec<String>,
    #[serde(default)]
    enabled: bool,
    #[serde(default)]
    time_range_support: bool,
}

/// What stands before `/search`, whether or not that was written too.
fn base(text: &str) -> Option<Url> {
    let mut url = Url::parse(text).ok()?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none_or(str::is_empty) {
        return None;
    }
    url.set_fragment(None);
    url.set_query(None);
    let path = url.path().trim_end_matches('/');
    let path = format!("{}/", path.strip_suffix("/search").unwrap_or(path));
    url.set_path(&path);
    Some(url)
}

fn host(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

/// SearXNG knows a language and a country of two letters, no script and nothing else; `all` is every language.
fn language(tag: &str) -> Option<String> {
    let mut parts = tag.split(['-', '_']);
    let language = parts.next()?.to_ascii_lowercase();
    if language == "auto" {
        return Some(language);
    }
    let is_letters = |part: &&str| part.bytes().all(|byte| byte.is_ascii_alphabetic());
    if !matches!(language.len(), 2..=3) || !is_letters(&language.as_str()) {
        return None;
    }
    let country = parts.find(|part| part.len() == 2 && is_letters(part));
    Some(country.map_or_else(|| language.clone(), |country| format!("{language}-{}", country.to_ascii_uppercase())))
}

/// `Retry-After` in seconds or as a date.
fn retry_after(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse::<u32>() {
        return Some(Duration::from_secs(u64::from(seconds)));
    }
    let until = jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(text).ok()?;
    Some(until.duration_since(now).max(SignedDuration::ZERO).unsigned_abs())
}

/// Where a redirect leads, without what may be secret there.
fn target(response: &Response) -> String {
    let location = response.headers().get(LOCATION).and_then(|location| location.to_str().ok());
    let target = location.and_then(|location| response.url().join(location).ok());
    target.map_or_else(|| "nowhere".to_owned(), |target| format!("{}://{}", target.scheme(), host(&target)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_is_what_stands_before_search() {
        let check =
            |text: &str, expected: Option<&str>| assert_eq!(base(text).as_ref().map(Url::as_str), expected, "{text}");
        check("https://searx.example", Some("https://searx.example/"));
        check("https://searx.example/search?q=x#y", Some("https://searx.example/"));
        check("http://h:8080/searxng/", Some("http://h:8080/searxng/"));
        check("http://h:8080/searxng/search/", Some("http://h:8080/searxng/"));
        check("http://me:pw@h", Some("http://me:pw@h/"));
        check("h:8080", None);
        assert_eq!(base("http://h/searxng").unwrap().join("search").unwrap().as_str(), "http://h/searxng/search");
    }

    #[test]
    fn languages_are_written_as_it_knows_them() {
        let tags = [
            ("zh-CN", Some("zh-CN")),
            ("zh-Hans-CN", Some("zh-CN")),
            ("ZH_cn", Some("zh-CN")),
            ("en", Some("en")),
            ("EN-us", Some("en-US")),
            ("all", Some("all")),
            ("auto", Some("auto")),
            ("es-419", Some("es")),
            ("fil", Some("fil")),
            ("english", None),
            ("", None),
        ];
        for (tag, expected) in tags {
            assert_eq!(language(tag).as_deref(), expected, "{tag}");
        }
    }

    #[test]
    fn when_to_try_again_is_read_in_both_forms() {
        let now: Timestamp = "2026-11-17T12:00:00Z".parse().unwrap();
        let read = |text: &str| {
            let headers = HeaderMap::from_iter([(RETRY_AFTER, text.parse().unwrap())]);
            retry_after(&headers, now).map(|after| after.as_secs())
        };
        assert_eq!(read("120"), Some(120));
        assert_eq!(read("Tue, 17 Nov 2026 12:00:30 GMT"), Some(30));
        assert_eq!(read("Tue, 17 Nov 2026 11:00:00 GMT"), Some(0));
        assert_eq!((read("soon"), read("-1"), retry_after(&HeaderMap::new(), now)), (None, None, None));
    }

    #[test]
    fn credentials_are_in_no_form_for_people() {
        let searxng = SearxNg::new(&Configuration::searxng("https://me:s3cret@searx.example:8443/x")).unwrap();
        let shown = format!("{searxng:?} {}", searxng.place());
        assert!(!shown.contains("s3cret") && !shown.contains("me:"), "{shown}");
        assert_eq!(searxng.place(), "SearXNG at searx.example:8443");
        assert_eq!(searxng.shown(b"bad password s3cret"), "bad password [hidden]");
    }
}

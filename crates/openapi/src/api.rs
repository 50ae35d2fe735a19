//! One API: a document that was read, its operations, and calls of them.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use reqwest::header::{CONTENT_TYPE, HeaderMap, LAST_MODIFIED};
use serde_json::{Map, Value};
use url::Url;

use crate::auth::{Auth, Credentials};
use crate::convert::{self, Converted};
use crate::document::{Document, Version};
use crate::error::{CallError, DocumentError};
use crate::filter::Filter;
use crate::names;
use crate::net::{Answer, Connection, Limits, Lookup, Outgoing, Reach, SystemLookup, send};
use crate::operation::Operation;
use crate::read::{Scheme, Skipped};
use crate::request::{self, Request};
use crate::source::{self, Source};

/// What the operator says about an API.
#[derive(Debug, Clone)]
pub struct ApiSettings {
    /// A file or an http address.
    pub source: String,
    /// What its tools begin with; without one, a word of its title.
    pub name: Option<String>,
    /// Where its paths are, whatever the document says.
    pub base_url: Option<String>,
    pub filter: Filter,
    /// Whether servers that only the document names may be private.
    pub allow_private: bool,
    pub allow_external_refs: bool,
    pub timeout: Duration,
    /// The longest schema of one tool.
    pub schema_bytes: usize,
    /// The most that is read of one answer.
    pub answer_bytes: usize,
}

impl ApiSettings {
    /// Everything as it is unless somebody says otherwise.
    pub fn new(source: impl Into<String>) -> Self {
        Self {
            source: source.into(),
            name: None,
            base_url: None,
            filter: Filter::default(),
            allow_private: false,
            allow_external_refs: false,
            timeout: Duration::from_secs(30),
            schema_bytes: 8 * 1024,
            answer_bytes: 10_000_000,
        }
    }
}

/// What must be known of an API to find its credentials.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiIdentity {
    pub name: String,
    /// The names of its security schemes.
    pub schemes: Vec<String>,
}

/// An API whose operations can be called.
pub struct Api {
    pub name: String,
    pub title: String,
    pub version: Version,
    pub source: String,
    pub operations: Vec<Operation>,
    /// What was left out of the document, and why.
    pub skipped: Vec<Skipped>,
    /// Operations that the filter left out.
    pub filtered: usize,
    /// The files that it was read from.
    pub files: Vec<PathBuf>,
    auth: Auth,
    /// The only host that credentials are sent to.
    home: Option<Url>,
    limits: Limits,
    named_by_operator: NamedByOperator,
    public: Connection,
    private: Connection,
}

/// Which hosts the operator has named, and may therefore be private.
#[derive(Debug)]
struct NamedByOperator {
    base: bool,
    document: Option<Url>,
    anything: bool,
}

/// What a service answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    pub status: u16,
    pub media_type: Option<String>,
    pub last_modified: Option<Timestamp>,
    pub body: Vec<u8>,
    /// Whether the service had more to send than is read.
    pub is_cut: bool,
}

/// A call and how it ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Called {
    pub method: &'static str,
    /// Where it went, without credentials; `None` when no address could be made.
    pub url: Option<String>,
    pub ended: Result<Reply, CallError>,
}

impl fmt::Debug for Api {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Api")
            .field("name", &self.name)
            .field("operations", &self.operations.len())
            .finish_non_exhaustive()
    }
}

impl Api {
    /// Reads the document and makes its operations. The credentials are asked for once its name is known.
    pub async fn load(
        settings: &ApiSettings,
        credentials: impl FnOnce(&ApiIdentity) -> Credentials,
    ) -> Result<Self, DocumentError> {
        Self::load_with(settings, credentials, Arc::new(SystemLookup)).await
    }

    pub(crate) async fn load_with(
        settings: &ApiSettings,
        credentials: impl FnOnce(&ApiIdentity) -> Credentials,
        lookup: Arc<dyn Lookup>,
    ) -> Result<Self, DocumentError> {
        let source = Source::named(&settings.source)?;
        let base = settings.base_url.as_deref().map(base_url).transpose()?;
        let parts = source::parts(&source, settings.allow_external_refs).await?;
        let files = parts.iter().filter_map(|part| part.location.as_ref()?.to_file_path().ok()).collect();
        let document = Document::new(parts)?;
        let names_base = base.is_some();
        let (filter, budget, name) = (settings.filter.clone(), settings.schema_bytes, settings.name.clone());
        let converting =
            tokio::task::spawn_blocking(move || convert::convert(&document, base, &filter, name.as_deref(), budget));
        let converted = converting.await.map_err(|error| DocumentError::Unreadable { reason: error.to_string() })?;
        let document = if let Source::Web(url) = &source { Some(url.clone()) } else { None };
        let named = NamedByOperator { base: names_base, document, anything: settings.allow_private };
        let limits = Limits { total: settings.timeout, answer_bytes: settings.answer_bytes };
        Ok(Self::assembled(converted, files, named, limits, credentials, lookup).from(&settings.source))
    }

    fn assembled(
        converted: Converted,
        files: Vec<PathBuf>,
        named_by_operator: NamedByOperator,
        limits: Limits,
        credentials: impl FnOnce(&ApiIdentity) -> Credentials,
        lookup: Arc<dyn Lookup>,
    ) -> Self {
        let Converted { name, title, version, operations, skipped, filtered, schemes, home } = converted;
        let identity =
            ApiIdentity { name: name.clone(), schemes: schemes.iter().map(|(name, _)| name.clone()).collect() };
        let is_encrypted =
            operations.iter().any(|operation| operation.base.as_ref().is_ok_and(|base| base.scheme() == "https"));
        let mut auth = Auth::new(credentials(&identity), schemes);
        auth.credentials.keys.retain(|(name, _)| identity.schemes.contains(name));
        let asks_elsewhere = auth
            .credentials
            .client
            .as_ref()
            .is_some_and(|client| client.token_url.as_ref().is_some_and(|url| url.scheme() == "https"));
        let is_encrypted = is_encrypted || asks_elsewhere;
        Self {
            name,
            title,
            version,
            source: String::new(),
            operations,
            skipped,
            filtered,
            files,
            auth,
            home,
            limits,
            named_by_operator,
            public: Connection::new(Reach::Public, is_encrypted, lookup.clone()),
            private: Connection::new(Reach::Private, is_encrypted, lookup),
        }
    }

    fn from(mut self, source: &str) -> Self {
        self.source = source.to_owned();
        self
    }

    /// What its credentials are found by.
    pub fn identity(&self) -> ApiIdentity {
        let schemes = self.auth.schemes.iter().map(|(name, _)| name.clone()).collect();
        ApiIdentity { name: self.name.clone(), schemes }
    }

    /// The most that one call can take: a token, the call, and both again where the token was refused.
    pub fn longest_call(&self) -> Duration {
        self.limits.total * 4 + Duration::from_secs(1)
    }

    /// The operation of this tool name.
    pub fn operation(&self, name: &str) -> Option<&Operation> {
        self.operations.iter().find(|operation| operation.name == name)
    }

    /// Whether an operation needs credentials of which there are none.
    pub fn lacks_credentials(&self, operation: &Operation) -> bool {
        operation.needs_credentials() && self.auth.chosen(operation).is_empty()
    }

    /// Calls one of its operations with arguments that fit its schema.
    pub async fn call(&self, operation: &Operation, arguments: &Map<String, Value>) -> Called {
        let method = operation.method.as_str();
        let request = match request::build(operation, arguments) {
            Ok(request) => request,
            Err(error) => return Called { method, url: None, ended: Err(error) },
        };
        let mut url = request.url.to_string();
        self.auth.mask(&mut url);
        let ended = self.ended(operation, request).await;
        Called { method, url: Some(url), ended }
    }

    async fn ended(&self, operation: &Operation, request: Request) -> Result<Reply, CallError> {
        let connection = self.connection(&request.url);
        let schemes = self.schemes_for(operation, &request.url)?;
        let answer = self.sent(connection, &request, &schemes).await?;
        let bought = self.auth.credentials.client.is_some() && self.auth.credentials.bearer.is_none();
        let answer = if answer.status == 401 && bought && !schemes.is_empty() {
            self.auth.forget_token().await;
            self.sent(connection, &request, &schemes).await?
        } else {
            answer
        };
        Ok(self.reply(answer))
    }

    /// One attempt with credentials put in.
    async fn sent(&self, connection: &Connection, request: &Request, schemes: &[&Scheme]) -> Result<Answer, CallError> {
        let mut request = request.clone();
        for scheme in schemes {
            let token = match scheme {
                Scheme::Bearer | Scheme::OAuth { .. } => self.token(&request.url).await?,
                Scheme::Basic | Scheme::Key { .. } | Scheme::Unknown => None,
            };
            self.auth.put(&mut request, scheme, token.as_ref());
        }
        let Request { method, url, mut headers, cookies, body } = request;
        if !cookies.is_empty() {
            headers.push(("cookie".to_owned(), cookies.join("; ")));
        }
        send(connection, Outgoing { method, url, headers, body }, self.limits).await
    }

    async fn token(&self, url: &Url) -> Result<Option<crate::secret::Secret>, CallError> {
        let base = self.home.as_ref().unwrap_or(url);
        // The operator's own token address may be private, as the API's own host may be where the operator named it.
        let named = self.auth.credentials.client.as_ref().is_some_and(|client| client.token_url.is_some());
        let connection = if named { &self.private } else { self.connection(base) };
        self.auth.token(base, connection, self.limits).await
    }

    /// Credentials go to the API's own host only, and not in the clear unless the operator named that address.
    fn schemes_for(&self, operation: &Operation, url: &Url) -> Result<Vec<&Scheme>, CallError> {
        let is_home = self.home.as_ref().is_some_and(|home| home.origin() == url.origin());
        let schemes = if is_home { self.auth.chosen(operation) } else { Vec::new() };
        if !schemes.is_empty() && url.scheme() == "http" && !self.is_named(url) {
            return Err(CallError::setup(format!(
                "credentials are not sent in the clear to {}, which only the document names; --base-url names the address you mean",
                url.origin().ascii_serialization()
            )));
        }
        Ok(schemes)
    }

    /// Whether the operator, and not only the document, names this host.
    fn is_named(&self, url: &Url) -> bool {
        let NamedByOperator { base, document, anything } = &self.named_by_operator;
        *base || *anything || document.as_ref().is_some_and(|document| document.origin() == url.origin())
    }

    fn connection(&self, url: &Url) -> &Connection {
        if self.is_named(url) { &self.private } else { &self.public }
    }

    /// The answer, without credentials that it repeats.
    fn reply(&self, answer: Answer) -> Reply {
        let Answer { status, headers, body, is_cut } = answer;
        let body = match String::from_utf8(body) {
            Ok(mut text) => {
                self.auth.mask(&mut text);
                text.into_bytes()
            }
            Err(binary) => binary.into_bytes(),
        };
        let text = |headers: &HeaderMap, name| headers.get(name)?.to_str().ok().map(str::to_owned);
        let media_type = text(&headers, CONTENT_TYPE).filter(|media_type| !media_type.is_empty());
        let last_modified = headers.get(LAST_MODIFIED).and_then(|value| value.to_str().ok()).and_then(http_date);
        Reply { status, media_type, last_modified, body, is_cut }
    }
}

fn http_date(text: &str) -> Option<Timestamp> {
    jiff::fmt::rfc2822::parse(text).ok().map(|time| time.timestamp())
}

/// An address that the operator gave.
fn base_url(given: &str) -> Result<Url, DocumentError> {
    let bad = |reason: &str| DocumentError::BadAddress { given: given.to_owned(), reason: reason.to_owned() };
    let url = Url::parse(given).map_err(|error| bad(&error.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err(bad("it must begin with http:// or https:// and name a host"));
    }
    if url.password().is_some() || !url.username().is_empty() {
        return Err(DocumentError::BadAddress {
            given: url.host_str().unwrap_or_default().to_owned(),
            reason: "credentials do not belong into an address: the environment has them".to_owned(),
        });
    }
    Ok(url)
}

/// An http or https address that the operator gave, without credentials in it.
pub fn web_address(given: &str) -> Option<Url> {
    base_url(given).ok()
}

/// Whether a text can be the name of an API.
pub fn is_api_name(name: &str) -> bool {
    names::is_api_name(name)
}

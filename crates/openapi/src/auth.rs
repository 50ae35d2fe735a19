//! Credentials of one API: which of them an operation needs, and where they go.

use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use tokio::sync::Mutex;
use url::Url;

use crate::error::CallError;
use crate::net::{Connection, Limits, Outgoing, send};
use crate::operation::{Location, Method, Operation};
use crate::read::Scheme;
use crate::request::{Part, Request, encoded};
use crate::secret::Secret;

/// A token is renewed this long before it ends.
const RENEWED_BEFORE: Duration = Duration::from_secs(30);
/// What a token is good for where nobody says.
const USUAL_LIFE: Duration = Duration::from_secs(300);

/// What the operator has given for an API.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Credentials {
    pub bearer: Option<Secret>,
    /// User and password.
    pub basic: Option<(Secret, Secret)>,
    /// The key of every scheme that has none of its own.
    pub key: Option<Secret>,
    /// Keys by the name of their scheme.
    pub keys: Vec<(String, Secret)>,
    pub client: Option<ClientCredentials>,
}

/// What a token is bought with: OAuth 2.0 client credentials.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientCredentials {
    pub id: Secret,
    pub secret: Secret,
    /// Where; without it, where the document says, if that is on the API's own host.
    pub token_url: Option<Url>,
    pub scopes: Vec<String>,
}

/// Credentials, the schemes of a document, and a token that was got.
#[derive(Debug)]
pub(crate) struct Auth {
    pub(crate) credentials: Credentials,
    pub(crate) schemes: Vec<(String, Scheme)>,
    pub(crate) token: Mutex<Option<(Secret, Instant)>>,
}

impl Auth {
    pub(crate) fn new(credentials: Credentials, schemes: Vec<(String, Scheme)>) -> Self {
        Self { credentials, schemes, token: Mutex::new(None) }
    }

    /// The schemes to use for an operation: the first list of which everything is there.
    pub(crate) fn chosen(&self, operation: &Operation) -> Vec<&Scheme> {
        let named = |name: &String| self.schemes.iter().find(|(scheme, _)| scheme == name).map(|(_, scheme)| scheme);
        let mut usable = operation.security.iter().filter_map(|names| {
            let schemes: Option<Vec<&Scheme>> = names.iter().map(named).collect();
            schemes.filter(|schemes| {
                !schemes.is_empty() && names.iter().zip(schemes).all(|(name, scheme)| self.has(name, scheme))
            })
        });
        if let Some(schemes) = usable.next() {
            return schemes;
        }
        // A document that says nothing about credentials is believed less than the operator who gave some.
        if operation.security.is_empty() && self.schemes.is_empty() {
            return self.without_document();
        }
        if operation.security.is_empty() && !self.schemes.is_empty() {
            return self
                .schemes
                .iter()
                .filter(|(name, scheme)| self.has(name, scheme))
                .map(|(_, scheme)| scheme)
                .take(1)
                .collect();
        }
        Vec::new()
    }

    fn without_document(&self) -> Vec<&'static Scheme> {
        let Credentials { bearer, basic, client, .. } = &self.credentials;
        if bearer.is_some() || client.is_some() {
            vec![const { &Scheme::Bearer }]
        } else if basic.is_some() {
            vec![const { &Scheme::Basic }]
        } else {
            Vec::new()
        }
    }

    fn has(&self, name: &str, scheme: &Scheme) -> bool {
        let Credentials { bearer, basic, client, .. } = &self.credentials;
        match scheme {
            Scheme::Basic => basic.is_some(),
            Scheme::Bearer | Scheme::OAuth { .. } => bearer.is_some() || client.is_some(),
            Scheme::Key { .. } => self.key(name).is_some(),
            Scheme::Unknown => false,
        }
    }

    fn key(&self, scheme: &str) -> Option<&Secret> {
        let own = self.credentials.keys.iter().find(|(name, _)| name == scheme).map(|(_, key)| key);
        own.or(self.credentials.key.as_ref())
    }

    /// Puts what the scheme asks for into the request.
    pub(crate) fn put(&self, request: &mut Request, scheme: &Scheme, token: Option<&Secret>) {
        match scheme {
            Scheme::Basic => {
                let Some((user, password)) = &self.credentials.basic else { return };
                let pair = STANDARD.encode(format!("{}:{}", user.reveal(), password.reveal()));
                request.headers.push(("authorization".to_owned(), format!("Basic {pair}")));
            }
            Scheme::Bearer | Scheme::OAuth { .. } => {
                let Some(token) = token.or(self.credentials.bearer.as_ref()) else { return };
                request.headers.push(("authorization".to_owned(), format!("Bearer {}", token.reveal())));
            }
            Scheme::Key { location, name } => {
                let scheme_name =
                    self.schemes.iter().find(|(_, other)| other == scheme).map_or("", |(name, _)| name.as_str());
                let Some(key) = self.key(scheme_name) else { return };
                put_key(request, *location, name, key);
            }
            Scheme::Unknown => {}
        }
    }

    /// Everything that a service might repeat.
    pub(crate) fn mask(&self, text: &mut String) {
        let Credentials { bearer, basic, key, keys, client } = &self.credentials;
        let pair = basic
            .iter()
            .map(|(user, password)| Secret::new(&STANDARD.encode(format!("{}:{}", user.reveal(), password.reveal()))));
        pair.for_each(|pair| pair.mask(text));
        basic.iter().for_each(|(_, password)| password.mask(text));
        bearer.iter().chain(key).chain(keys.iter().map(|(_, key)| key)).for_each(|secret| secret.mask(text));
        client.iter().for_each(|client| client.secret.mask(text));
        if let Ok(held) = self.token.try_lock()
            && let Some((token, _)) = &*held
        {
            token.mask(text);
        }
    }

    /// A token of client credentials, the one from before while it is good.
    pub(crate) async fn token(
        &self,
        base: &Url,
        connection: &Connection,
        limits: Limits,
    ) -> Result<Option<Secret>, CallError> {
        let Some(client) = self.credentials.client.as_ref().filter(|_| self.credentials.bearer.is_none()) else {
            return Ok(None);
        };
        let mut held = self.token.lock().await;
        if let Some((token, until)) = &*held
            && *until > Instant::now()
        {
            return Ok(Some(token.clone()));
        }
        let url = self.token_url(client, base)?;
        let (token, life) = buy(client, url, connection, limits).await?;
        *held = Some((token.clone(), Instant::now() + life.saturating_sub(RENEWED_BEFORE)));
        Ok(Some(token))
    }

    /// Forgets the token, after a service has refused it.
    pub(crate) async fn forget_token(&self) {
        *self.token.lock().await = None;
    }

    fn token_url(&self, client: &ClientCredentials, base: &Url) -> Result<Url, CallError> {
        if let Some(url) = &client.token_url {
            return Ok(url.clone());
        }
        let said = self.schemes.iter().find_map(|(_, scheme)| match scheme {
            Scheme::OAuth { token_url } => token_url.as_deref(),
            Scheme::Basic | Scheme::Bearer | Scheme::Key { .. } | Scheme::Unknown => None,
        });
        let url = said.and_then(|said| base.join(said).ok());
        let url = url.ok_or_else(|| CallError::setup("nobody says where tokens are given out: set token-url"))?;
        if url.origin() != base.origin() {
            return Err(CallError::setup(format!(
                "the document says that tokens are given out by {}, which is not the API's own host; if that is right, say so \
                 with token-url",
                url.origin().ascii_serialization()
            )));
        }
        Ok(url)
    }
}

fn put_key(request: &mut Request, location: Location, name: &str, key: &Secret) {
    match location {
        Location::Query | Location::Path => {
            let written = |text: &str| encoded(text, Part::Query { allow_reserved: false });
            let beginning = format!("{}=", written(name));
            // An object whose fields are parameters must not bring a second key.
            let others = request.url.query().unwrap_or_default().split('&');
            let others = others.filter(|pair| !pair.is_empty() && !pair.starts_with(&beginning));
            let pair = format!("{beginning}{}", written(key.reveal()));
            let query = others.chain([pair.as_str()]).collect::<Vec<_>>().join("&");
            request.url.set_query(Some(&query));
        }
        Location::Header => request.headers.push((name.to_ascii_lowercase(), key.reveal().to_owned())),
        Location::Cookie => {
            let beginning = format!("{}=", encoded(name, Part::Cookie));
            request.cookies.retain(|pair| !pair.starts_with(&beginning));
            request.cookies.push(format!("{beginning}{}", encoded(key.reveal(), Part::Cookie)));
        }
    }
}

/// RFC 6749, section 4.4.
async fn buy(
    client: &ClientCredentials,
    url: Url,
    connection: &Connection,
    limits: Limits,
) -> Result<(Secret, Duration), CallError> {
    let write = |secret: &Secret| encoded(secret.reveal(), Part::FormBody);
    let pair = STANDARD.encode(format!("{}:{}", write(&client.id), write(&client.secret)));
    let scope = if client.scopes.is_empty() {
        String::new()
    } else {
        format!("&scope={}", encoded(&client.scopes.join(" "), Part::FormBody))
    };
    let host = url.host_str().unwrap_or_default().to_owned();
    let outgoing = Outgoing {
        method: Method::Post,
        url,
        headers: vec![
            ("authorization".to_owned(), format!("Basic {pair}")),
            ("accept".to_owned(), "application/json".to_owned()),
            ("content-type".to_owned(), "application/x-www-form-urlencoded".to_owned()),
        ],
        body: Some(format!("grant_type=client_credentials{scope}").into_bytes()),
    };
    let answer = send(connection, outgoing, limits).await?;
    let body: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
    let token = body.get("access_token").and_then(Value::as_str).filter(|_| answer.status == 200);
    let Some(token) = token else {
        let said = body.get("error").and_then(Value::as_str).unwrap_or("no reason given");
        let said: String = said.chars().filter(|c| !c.is_control()).take(80).collect();
        return Err(CallError::setup(format!("{host} gave no token: status {}, {said}", answer.status)));
    };
    let life = body.get("expires_in").and_then(Value::as_u64).map_or(USUAL_LIFE, Duration::from_secs);
    Ok((Secret::new(token), life))
}

//! One request, from hop to hop: every address checked, redirects on the same origin only, time and size bounded.

use std::error::Error;
use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue, LOCATION};
use tokio::time::timeout;
use url::Url;

use super::Connection;
use super::connection::NotPublic;
use crate::error::{CallError, first_cause};
use crate::operation::Method;

const MOST_HOPS: usize = 5;

/// What one call may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limits {
    /// Until the last byte of the answer.
    pub(crate) total: Duration,
    pub(crate) answer_bytes: usize,
}

/// A request as it leaves, credentials included.
pub(crate) struct Outgoing {
    pub(crate) method: Method,
    pub(crate) url: Url,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Option<Vec<u8>>,
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
    /// Whether the service had more to send than is read.
    pub(crate) is_cut: bool,
}

pub(crate) async fn send(connection: &Connection, outgoing: Outgoing, limits: Limits) -> Result<Answer, CallError> {
    let host = host(&outgoing.url);
    let after = limits.total;
    let sending = timeout(after, follow(connection, outgoing, limits));
    sending.await.unwrap_or_else(|_elapsed| Err(CallError::Timeout { host, after }))
}

async fn follow(connection: &Connection, mut outgoing: Outgoing, limits: Limits) -> Result<Answer, CallError> {
    for _ in 0..=MOST_HOPS {
        connection.check(&outgoing.url)?;
        let response = one(connection, &outgoing).await?;
        let status = response.status().as_u16();
        let location = response.headers().get(LOCATION).and_then(|location| location.to_str().ok());
        let Some(location) = location.filter(|_| matches!(status, 301 | 302 | 303 | 307 | 308)) else {
            return read(response, &outgoing.url, limits).await;
        };
        let next = outgoing
            .url
            .join(location)
            .map_err(|_| CallError::refused("the service redirects to what is no address"))?;
        if next.origin() != outgoing.url.origin() {
            return Err(CallError::refused(format!(
                "{} redirects to {}, and redirects to another host are not followed",
                host(&outgoing.url),
                host(&next)
            )));
        }
        let becomes_get = status == 303 || (matches!(status, 301 | 302) && outgoing.method == Method::Post);
        if becomes_get && outgoing.method != Method::Head {
            outgoing.method = Method::Get;
            outgoing.body = None;
            outgoing.headers.retain(|(name, _)| name != "content-type");
        }
        outgoing.url = next;
    }
    Err(CallError::refused(format!("{} redirects more than {MOST_HOPS} times", host(&outgoing.url))))
}

async fn one(connection: &Connection, outgoing: &Outgoing) -> Result<reqwest::Response, CallError> {
    let method = reqwest::Method::from_bytes(outgoing.method.as_str().as_bytes())
        .map_err(|_| CallError::refused("the method cannot be sent"))?;
    let mut request = connection.client().await?.request(method, outgoing.url.clone());
    let mut headers = HeaderMap::new();
    for (name, value) in &outgoing.headers {
        let unsound = || CallError::refused(format!("the header `{name}` has a name or value that cannot be sent"));
        let key = HeaderName::from_bytes(name.as_bytes()).map_err(|_| unsound())?;
        headers.append(key, HeaderValue::from_bytes(value.as_bytes()).map_err(|_| unsound())?);
    }
    request = request.headers(headers);
    if let Some(body) = &outgoing.body {
        request = request.body(body.clone());
    }
    request.send().await.map_err(|error| explain(error, &outgoing.url))
}

async fn read(mut response: reqwest::Response, url: &Url, limits: Limits) -> Result<Answer, CallError> {
    let status = response.status().as_u16();
    let headers = response.headers().clone();
    let mut body = Vec::new();
    let mut is_cut = false;
    while let Some(part) = response.chunk().await.map_err(|error| explain(error, url))? {
        let room = limits.answer_bytes - body.len();
        body.extend_from_slice(&part[..part.len().min(room)]);
        if part.len() > room {
            is_cut = true;
            break;
        }
    }
    Ok(Answer { status, headers, body, is_cut })
}

fn host(url: &Url) -> String {
    url.host_str().unwrap_or_default().to_owned()
}

/// The reason without the address, whose query may hold a key.
fn explain(error: reqwest::Error, url: &Url) -> CallError {
    let error = error.without_url();
    let mut cause: Option<&(dyn Error + 'static)> = Some(&error);
    while let Some(inner) = cause {
        if let Some(refusal) = inner.downcast_ref::<NotPublic>() {
            return CallError::refused(refusal.to_string());
        }
        cause = inner.source();
    }
    CallError::NoConnection { host: host(url), reason: first_cause(&error) }
}

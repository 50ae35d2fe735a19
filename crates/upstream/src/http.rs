//! The HTTP client for servers at an address: no proxy, no redirect, certificates as the system trusts them.

use std::sync::Arc;
use std::time::Duration;

use reqwest::redirect::Policy;
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rustls::crypto::ring;
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt;

use crate::error::{Error, first_cause};
use crate::session::LONGEST_MESSAGE;
use crate::target::Address;

const CONNECT: Duration = Duration::from_secs(3);

pub(crate) type Transport = StreamableHttpClientTransport<reqwest::Client>;

/// Reads certificates from files where it is encrypted, so it must run where blocking is allowed.
pub(crate) fn client(address: &Address, server: &str) -> Result<reqwest::Client, Error> {
    let explain = |reason| Error::NoConnection { server: server.to_owned(), reason };
    let security = security(address.is_encrypted()).map_err(|error| explain(first_cause(&error)))?;
    // A call goes to the host that was named and to nobody else.
    let builder = reqwest::Client::builder().no_proxy().redirect(Policy::none()).referer(false);
    let client = builder.connect_timeout(CONNECT).tls_backend_preconfigured(security).build();
    client.map_err(|error| explain(first_cause(&error)))
}

pub(crate) fn transport(client: reqwest::Client, address: &Address) -> Transport {
    let config =
        StreamableHttpClientTransportConfig::with_uri(address.url.as_str()).max_sse_event_size(LONGEST_MESSAGE);
    let config = match &address.token {
        Some(token) => config.auth_header(token.as_str()),
        None => config,
    };
    StreamableHttpClientTransport::with_client(client, config)
}

fn security(is_encrypted: bool) -> Result<ClientConfig, rustls::Error> {
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let builder = builder.with_safe_default_protocol_versions()?;
    let builder = if is_encrypted {
        builder.with_platform_verifier()?
    } else {
        builder.with_root_certificates(RootCertStore::empty())
    };
    Ok(builder.with_no_client_auth())
}

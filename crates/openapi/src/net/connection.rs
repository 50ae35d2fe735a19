//! The HTTP client: no proxy, no redirect of its own, and names resolved here, so that the address that was checked is the address
//! that is dialled.

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::redirect::Policy;
use rustls::crypto::ring;
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt;
use tokio::sync::OnceCell;
use url::{Host, Url};

use super::Reach;
use crate::error::{CallError, first_cause};

const CONNECT: Duration = Duration::from_secs(5);

/// Names → addresses.
pub(crate) trait Lookup: Send + Sync + fmt::Debug {
    fn addresses(&self, name: String) -> std::pin::Pin<Box<dyn Future<Output = std::io::Result<Vec<IpAddr>>> + Send>>;
}

/// As the system resolves names.
#[derive(Debug)]
pub(crate) struct SystemLookup;

impl Lookup for SystemLookup {
    fn addresses(&self, name: String) -> std::pin::Pin<Box<dyn Future<Output = std::io::Result<Vec<IpAddr>>> + Send>> {
        Box::pin(async move { Ok(tokio::net::lookup_host((name, 0)).await?.map(|address| address.ip()).collect()) })
    }
}

/// A client that reaches nothing beyond what it may.
#[derive(Debug)]
pub(crate) struct Connection {
    reach: Reach,
    is_encrypted: bool,
    lookup: Arc<dyn Lookup>,
    client: OnceCell<reqwest::Client>,
}

impl Connection {
    /// Opens nothing yet.
    pub(crate) fn new(reach: Reach, is_encrypted: bool, lookup: Arc<dyn Lookup>) -> Self {
        Self { reach, is_encrypted, lookup, client: OnceCell::new() }
    }

    /// Refuses an address that is written out; a name is checked when it is resolved.
    pub(super) fn check(&self, url: &Url) -> Result<(), CallError> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(CallError::refused(format!("`{}:` is not served, only http and https", url.scheme())));
        }
        let address = match url.host() {
            Some(Host::Ipv4(address)) => IpAddr::V4(address),
            Some(Host::Ipv6(address)) => IpAddr::V6(address),
            Some(Host::Domain(_)) => return Ok(()),
            None => return Err(CallError::refused("the address has no host")),
        };
        if self.reach.allows(address) { Ok(()) } else { Err(CallError::refused(not_public(&address.to_string()))) }
    }

    pub(super) async fn client(&self) -> Result<&reqwest::Client, CallError> {
        let guard = Guard { reach: self.reach, lookup: self.lookup.clone() };
        let is_encrypted = self.is_encrypted;
        let open = async move {
            // Certificates are read from files.
            let opening = tokio::task::spawn_blocking(move || client(guard, is_encrypted));
            opening.await.unwrap_or_else(|error| Err(error.to_string())).map_err(CallError::setup)
        };
        self.client.get_or_try_init(|| open).await
    }
}

pub(super) fn not_public(host: &str) -> String {
    format!(
        "{host} is not a public address, and a document cannot send requests there; if you mean it, name the server with \
         --base-url, or set allow-private"
    )
}

fn client(guard: Guard, is_encrypted: bool) -> Result<reqwest::Client, String> {
    let security = security(is_encrypted).map_err(|error| first_cause(&error))?;
    let builder = reqwest::Client::builder().no_proxy().redirect(Policy::none()).referer(false).http1_only();
    let builder = builder.connect_timeout(CONNECT).dns_resolver(Arc::new(guard)).tls_backend_preconfigured(security);
    builder.user_agent(concat!("trailmark/", env!("CARGO_PKG_VERSION"))).build().map_err(|error| first_cause(&error))
}

fn security(is_encrypted: bool) -> Result<ClientConfig, rustls::Error> {
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let builder = builder.with_safe_default_protocol_versions()?;
    // A system without certificates can still reach a service of its own, so they are looked for only where they are needed.
    let builder = if is_encrypted {
        builder.with_platform_verifier()?
    } else {
        builder.with_root_certificates(RootCertStore::empty())
    };
    Ok(builder.with_no_client_auth())
}

/// Hands the client only addresses that it may dial.
#[derive(Debug)]
struct Guard {
    reach: Reach,
    lookup: Arc<dyn Lookup>,
}

#[derive(Debug, thiserror::Error)]
#[error("{}", not_public(.0))]
pub(super) struct NotPublic(String);

impl Resolve for Guard {
    fn resolve(&self, name: Name) -> Resolving {
        let (reach, lookup, name) = (self.reach, self.lookup.clone(), name.as_str().to_owned());
        Box::pin(async move {
            let allowed = permitted(reach, &*lookup, name).await?;
            Ok(Box::new(allowed.into_iter().map(|address| SocketAddr::new(address, 0))) as Addrs)
        })
    }
}

/// The addresses of a name that may be dialled: a name that has none of them is refused.
pub(super) async fn permitted(
    reach: Reach,
    lookup: &dyn Lookup,
    name: String,
) -> Result<Vec<IpAddr>, Box<dyn std::error::Error + Send + Sync>> {
    let mut found = lookup.addresses(name.clone()).await?;
    found.retain(|address| reach.allows(*address));
    if found.is_empty() { Err(NotPublic(name).into()) } else { Ok(found) }
}

//! The HTTP client behind requests: no proxy, no way to another host, certificates as the system trusts them.

use std::sync::Arc;
use std::time::Duration;

use reqwest::Url;
use reqwest::redirect::{Action, Attempt, Policy};
use rustls::crypto::ring;
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt;

use crate::error::{Error, first_cause};

const CONNECT: Duration = Duration::from_secs(3);
const MOST_REDIRECTS: usize = 3;

/// Reads certificates from files where it is encrypted, so it must not be called on a thread of the runtime.
pub(crate) fn open(is_encrypted: bool) -> Result<reqwest::Client, Error> {
    let explain = |error: &dyn std::error::Error| Error::NoSecurity { reason: first_cause(error) };
    let security = security(is_encrypted).map_err(|error| explain(&error))?;
    let builder = reqwest::Client::builder().no_proxy().redirect(Policy::custom(follow)).referer(false);
    let agent = concat!("trailmark/", env!("CARGO_PKG_VERSION"));
    let builder = builder.connect_timeout(CONNECT).user_agent(agent).tls_backend_preconfigured(security);
    builder.build().map_err(|error| explain(&error))
}

/// A redirect that is not followed comes back as the answer.
fn follow(attempt: Attempt<'_>) -> Action {
    let is_near = attempt.previous().last().is_some_and(|from| is_same_host(from, attempt.url()));
    if is_near && attempt.previous().len() <= MOST_REDIRECTS { attempt.follow() } else { attempt.stop() }
}

/// From an open connection to an encrypted one is another place too: it has other certificates to be checked.
fn is_same_host(from: &Url, to: &Url) -> bool {
    let place = |url: &Url| (url.scheme().to_owned(), url.host_str().map(str::to_owned), url.port_or_known_default());
    place(from) == place(to)
}

fn security(is_encrypted: bool) -> Result<ClientConfig, rustls::Error> {
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let builder = builder.with_safe_default_protocol_versions()?;
    // A system without certificates can still ask a server of its own, so they are looked for only where they are needed.
    let builder = if is_encrypted {
        builder.with_platform_verifier()?
    } else {
        builder.with_root_certificates(RootCertStore::empty())
    };
    Ok(builder.with_no_client_auth())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_host_is_followed() {
        let check = |from: &str, to: &str| is_same_host(&from.parse().unwrap(), &to.parse().unwrap());
        assert!(check("http://a.example/search", "http://a.example/search/"));
        assert!(check("https://a.example/", "https://a.example:443/x"));
        assert!(!check("https://a.example/", "http://a.example/"), "an encrypted connection stays so");
        assert!(!check("http://a.example/", "http://b.example/"));
        assert!(!check("http://a.example/", "http://www.a.example/"));
        assert!(!check("http://127.0.0.1:1/", "http://127.0.0.1:2/"));
        assert!(!check("http://a.example/", "https://a.example/"));
    }
}

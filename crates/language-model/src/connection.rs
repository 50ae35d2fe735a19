//! The HTTP client behind requests: no proxy, no redirect, certificates as the system trusts them.

use std::sync::Arc;
use std::time::Duration;

use reqwest::redirect::Policy;
use rustls::crypto::ring;
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt;

use crate::error::{Error, first_cause};

/// Reads certificates from files where it is encrypted, so it must not be called on a thread of the runtime.
pub(crate) fn open(is_encrypted: bool, patience: Duration) -> Result<reqwest::Client, Error> {
    // The question goes to the host that was named and to nobody else, so neither proxies of the environment nor
    // redirects are followed.
    let builder = reqwest::Client::builder().no_proxy().redirect(Policy::none()).referer(false);
    let builder = builder.connect_timeout(patience);
    let security = security(is_encrypted).map_err(|error| Error::NoSecurity { reason: first_cause(&error) })?;
    let client = builder.tls_backend_preconfigured(security).build();
    client.map_err(|error| Error::NoSecurity { reason: first_cause(&error) })
}

fn security(is_encrypted: bool) -> Result<ClientConfig, rustls::Error> {
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let builder = builder.with_safe_default_protocol_versions()?;
    // A system without certificates can still ask a model of its own, so they are looked for only where they are needed.
    let builder = if is_encrypted {
        builder.with_platform_verifier()?
    } else {
        builder.with_root_certificates(RootCertStore::empty())
    };
    Ok(builder.with_no_client_auth())
}

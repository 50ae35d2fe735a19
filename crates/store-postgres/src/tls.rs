//! Encrypted connections, checked against the certificates that the system trusts.
//!
//! Whether a connection is encrypted is the address's `sslmode`; where it is, the certificate always has to fit.

use std::sync::Arc;

use rustls::crypto::ring;
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt as _;
use tokio_postgres_rustls::MakeRustlsConnect;

/// Never fails: where the system's certificates cannot be read, no certificate fits.
pub(crate) fn connector() -> MakeRustlsConnect {
    let config = trusting_the_system().unwrap_or_else(|_| trusting_nobody());
    MakeRustlsConnect::new(config)
}

fn trusting_the_system() -> Result<ClientConfig, rustls::Error> {
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    Ok(builder.with_safe_default_protocol_versions()?.with_platform_verifier()?.with_no_client_auth())
}

fn trusting_nobody() -> ClientConfig {
    ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("the provider knows the default versions of the protocol")
        .with_root_certificates(RootCertStore::empty())
        .with_no_client_auth()
}

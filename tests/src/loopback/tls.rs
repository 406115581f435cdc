//! The TLS of a server named `localhost`, whose certificate an authority of the tests has made.

use std::sync::Arc;

use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// The authority, as PEM.
pub const AUTHORITY: &str = include_str!("../../fixtures/tls/ca.pem");

const CERTIFICATE: &[u8] = include_bytes!("../../fixtures/tls/server.pem");
const SECRET: &[u8] = include_bytes!("../../fixtures/tls/server.key");

/// What takes connections for that server.
#[must_use]
pub fn acceptor() -> TlsAcceptor {
    let certificate = CertificateDer::from_pem_slice(CERTIFICATE).unwrap();
    let secret = PrivateKeyDer::from_pem_slice(SECRET).unwrap();
    let config =
        ServerConfig::builder().with_no_client_auth().with_single_cert(vec![certificate], secret).unwrap();
    TlsAcceptor::from(Arc::new(config))
}

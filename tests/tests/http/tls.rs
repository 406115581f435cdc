//! Connections with TLS, to a server whose certificate an authority of the tests has made.

use tests::loopback::Request;
use tests::loopback::tls::{AUTHORITY, acceptor};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tool_runtime::http::{ApiKey, HttpModel, HttpModelBuilder};
use tool_runtime::provider::responses::Settings;

use super::{ask, error_of, saying};

/// A server that answers one request, and a client that asks it. The server gives the request that it read; `None` if the
/// client did not want its certificate.
async fn served() -> (HttpModelBuilder, JoinHandle<Option<Request>>) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let server = tokio::spawn(async move {
        let (stream, _) = listener.accept().await.unwrap();
        let mut stream = acceptor().accept(stream).await.ok()?;
        let request = Request::read(&mut stream, &mut Vec::new()).await?;
        let body = saying("over TLS").to_string();
        let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length";
        stream.write_all(format!("{head}: {}\r\n\r\n{body}", body.len()).as_bytes()).await.unwrap();
        stream.shutdown().await.unwrap();
        Some(request)
    });
    let client = HttpModel::responses(Settings::new("m")).base_url(format!("https://{address}/v1"));
    (client.without_proxy().key(ApiKey::new("sk-secret-0123")), server)
}

#[tokio::test]
async fn a_server_of_an_authority_that_is_trusted_is_asked() {
    let (client, server) = served().await;
    let response = ask(client.trust(AUTHORITY)).await.unwrap();
    assert_eq!(response.text(), "over TLS");
    let request = server.await.unwrap().unwrap();
    assert_eq!(request.target, "/v1/responses");
    assert_eq!(request.header("authorization"), Some("Bearer sk-secret-0123"));
}

#[tokio::test]
async fn a_server_of_an_unknown_authority_gets_no_request_and_no_key() {
    let (client, server) = served().await;
    let error = error_of(client).await;
    assert!(error.message.starts_with("the request got no answer: "), "{error}");
    assert!(error.message.contains("certificate"), "the cause is told: {error}");
    assert!(server.await.unwrap().is_none());
}

#[tokio::test]
async fn an_authority_that_cannot_be_read_is_an_error_of_the_client() {
    let build =
        |pem: &str| HttpModel::responses(Settings::new("m")).trust(pem).build().unwrap_err().to_string();
    assert_eq!(
        build("no certificate"),
        "the certificate authority to trust holds no certificate: give it as PEM, which begins with \
         `-----BEGIN CERTIFICATE-----`"
    );
    let broken = build("-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----\n");
    assert!(broken.starts_with("the certificate authority to trust cannot be read: "), "{broken}");
}

//! Pages over TLS, from a server whose certificate an authority of the tests has made.

use std::net::SocketAddr;

use tests::loopback::Request;
use tests::loopback::tls::{AUTHORITY, acceptor};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tool_std::web::{HttpFetch, HttpFetchBuilder, Web};

use super::{Names, OPEN, fetch, refusal, text};

/// A server named `localhost` that answers one request. It gives whether it was asked.
async fn served() -> (SocketAddr, JoinHandle<bool>) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let server = tokio::spawn(async move {
        let (stream, _) = listener.accept().await.unwrap();
        let Ok(mut stream) = acceptor().accept(stream).await else { return false };
        if Request::read(&mut stream, &mut Vec::new()).await.is_none() {
            return false;
        }
        let answer = "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 8\r\n\r\nover TLS";
        stream.write_all(answer.as_bytes()).await.unwrap();
        stream.shutdown().await.unwrap();
        true
    });
    (address, server)
}

/// A fetcher as it comes, but for where `name` leads.
fn fetcher(name: &str, address: SocketAddr) -> HttpFetchBuilder {
    HttpFetch::builder().resolver(Names::default().with(name, address)).reach(OPEN)
}

fn web(fetcher: HttpFetchBuilder) -> Web {
    Web::new().fetch(fetcher.build().unwrap())
}

#[tokio::test]
async fn a_page_of_an_authority_that_is_trusted_is_read() {
    let (address, server) = served().await;
    let web = web(fetcher("localhost", address).trust(AUTHORITY));
    assert_eq!(text(&fetch(&web, &["https://localhost/"]).await), "over TLS");
    assert!(server.await.unwrap());
}

#[tokio::test]
async fn a_certificate_for_another_name_is_refused() {
    let (address, server) = served().await;
    let web = web(fetcher("bank.test", address).trust(AUTHORITY));
    let (message, _) = refusal(&fetch(&web, &["https://bank.test/"]).await);
    assert!(message.contains("the server gave no answer: ") && message.contains("certificate"), "{message}");
    assert!(message.contains("not valid for name"), "{message}");
    assert!(!server.await.unwrap());
}

#[tokio::test]
async fn an_unknown_authority_is_refused() {
    let (address, server) = served().await;
    let (message, _) = refusal(&fetch(&web(fetcher("localhost", address)), &["https://localhost/"]).await);
    assert!(message.contains("certificate"), "{message}");
    assert!(!server.await.unwrap());
}

#[tokio::test]
async fn an_authority_that_cannot_be_read_is_an_error_of_the_fetcher() {
    let error = HttpFetch::builder().trust("no certificate").build().unwrap_err();
    assert_eq!(error.message, "the certificate authority to trust holds no certificate: give it as PEM");
}

//! Nothing but public addresses is reached, whatever a name, an address or a redirect says.

use std::net::SocketAddr;

use tests::loopback::{Server, whole};
use tool_runtime::ToolErrorKind;
use tool_std::web::{HttpFetch, Schemes, Web};

use super::{INNER, Names, OPEN, fetch, fetcher, html, page, paths, redirect, refusal, said_of, text, web};

fn address(text: &str) -> SocketAddr {
    SocketAddr::new(text.parse().unwrap(), 80)
}

/// A server that must not be asked.
async fn inner() -> Server {
    Server::start_at(INNER, |_| html("<p>secret")).await
}

fn only(names: Names) -> Web {
    Web::new().fetch(fetcher(&names).build().unwrap())
}

#[tokio::test]
async fn a_name_that_leads_inwards_is_refused() {
    for (inner, what) in [
        ("127.0.0.2", "an address of this machine"),
        ("10.0.0.1", "an address of a private network"),
        ("169.254.169.254", "an address of the local link"),
        ("100.64.0.1", "an address of a provider's inner network"),
        ("0.0.0.0", "an address of this host"),
        ("::1", "an address of this machine"),
        ("::ffff:10.0.0.1", "an IPv4 address inside of an IPv6 address"),
        ("64:ff9b::a00:1", "an IPv4 address inside of an IPv6 address"),
        ("2002:a00:1::1", "an IPv4 address inside of an IPv6 address"),
        ("2001:0:a00:1::1", "an IPv4 address inside of an IPv6 address"),
        ("fd00::1", "an address of a private network"),
        ("fe80::1", "an address of the local link"),
    ] {
        let call =
            fetch(&only(Names::default().with("site.test", address(inner))), &["http://site.test/"]).await;
        let expected = format!(
            "`site.test` leads to `{}`, {what}; only public addresses are fetched",
            address(inner).ip()
        );
        assert_eq!(said_of(&call), expected);
        assert_eq!(refusal(&call).1, ToolErrorKind::Denied);
    }
}

#[tokio::test]
async fn an_inner_address_is_refused_however_it_is_written() {
    let (server, names) = (inner().await, Names::default());
    let port = server.address().port();
    for host in [
        "127.0.0.2",
        "127.2",
        "0x7f000002",
        "2130706434",
        "0177.0.0.2",
        "0x7f.0.0.2",
        "[::ffff:127.0.0.2]",
        "[::7f00:2]",
        "[64:ff9b::7f00:2]",
        "10.0.0.1",
        "[::1]",
        "[::]",
        "0",
        "192.168.1.1",
        "169.254.169.254",
        "[fd00:ec2::254]",
    ] {
        let url = format!("http://{host}:{port}/");
        let (message, kind) = refusal(&fetch(&only(names.clone()), &[&url]).await);
        assert!(message.ends_with("; only public addresses are fetched"), "{host}: {message}");
        assert_eq!(kind, ToolErrorKind::Denied);
    }
    assert_eq!(server.connections(), 0);
}

#[tokio::test]
async fn a_clouds_own_address_is_refused_even_if_it_is_named() {
    let fetcher = HttpFetch::builder()
        .schemes(Schemes::HttpAndHttps)
        .reach("169.254.169.254".parse().unwrap())
        .reach("100.100.100.200".parse().unwrap());
    let web = Web::new().fetch(fetcher.build().unwrap());
    for host in ["169.254.169.254", "100.100.100.200"] {
        let (message, _) = refusal(&fetch(&web, &[&format!("http://{host}/latest/meta-data/")]).await);
        assert!(message.contains(&format!("`{host}` is an address of ")), "{message}");
    }
}

#[tokio::test]
async fn of_several_addresses_only_the_public_ones_are_used() {
    let (inner, outer) = (inner().await, Server::start(|_| html("<p>public")).await);
    let both = vec![inner.address(), outer.address()];
    let web = only(Names::default().changing("site.test", [both]));
    assert_eq!(text(&fetch(&web, &["http://site.test/"]).await), "public");
    assert_eq!(inner.connections(), 0);
}

#[tokio::test]
async fn a_name_that_changes_is_judged_at_each_look_up() {
    // The first answer closes its connection, so that the second page needs another look-up.
    let outer = Server::start(|_| whole("200 OK", &[("connection", "close")], "public")).await;
    let inner = inner().await;
    let names = Names::default().changing("site.test", [vec![outer.address()], vec![inner.address()]]);
    let web = only(names);
    assert_eq!(text(&fetch(&web, &["http://site.test/first"]).await), "public");
    let (message, _) = refusal(&fetch(&web, &["http://site.test/second"]).await);
    assert!(message.contains("`site.test` leads to `127.0.0.2`, "), "{message}");
    assert_eq!((outer.connections(), inner.connections()), (1, 0));
}

#[tokio::test]
async fn a_redirect_inwards_is_refused() {
    let inner = inner().await;
    let port = inner.address().port();
    for (to, expected) in [
        (format!("http://127.0.0.2:{port}/admin"), "`127.0.0.2` is an address of this machine"),
        (format!("//127.0.0.2:{port}/admin"), "`127.0.0.2` is an address of this machine"),
        (
            format!("http://inner.test:{port}/admin"),
            "`inner.test` leads to `127.0.0.2`, an address of this machine",
        ),
        ("http://169.254.169.254/latest".to_owned(), "`169.254.169.254` is an address of the local link"),
        ("file:///etc/passwd".to_owned(), "`file` is not fetched; only `https` is"),
        ("ftp://site.test/".to_owned(), "`ftp` is not fetched; only `https` is"),
        ("http://user:secret@site.test/".to_owned(), "the URL holds a user or a password; leave them out"),
    ] {
        let server = Server::answering([redirect(&to)]).await;
        let names = Names::default().with("site.test", server.address()).with("inner.test", inner.address());
        let said = said_of(&fetch(&only(names), &["http://site.test/"]).await);
        assert!(said.starts_with("it leads to `") && said.contains(expected), "{to}: {said}");
    }
    assert_eq!(inner.connections(), 0);
}

#[tokio::test]
async fn redirects_are_followed_as_far_as_they_go() {
    let mut server = Server::start(|request| match &*request.target {
        "/" => redirect("/a?x=1#part"),
        "/a?x=1" => whole("308 Permanent Redirect", &[("location", "http://other.test/b")], ""),
        _ => html("<title>There</title><p>here"),
    })
    .await;
    let names = Names::default().with("site.test", server.address()).with("other.test", server.address());
    let call = fetch(&only(names), &["http://site.test/"]).await;
    assert_eq!(text(&call), "here");
    assert_eq!(page(&call)["source"], "http://other.test/b");
    assert_eq!(page(&call)["title"], "There");
    let requests = server.requests();
    assert_eq!(requests[2].header("host"), Some("other.test"));
    assert_eq!(paths(requests), ["/", "/a?x=1", "/b"]);
}

#[tokio::test]
async fn redirects_without_an_end_are_given_up() {
    let mut server = Server::start(|request| redirect(if request.target == "/" { "/a" } else { "/" })).await;
    let said = said_of(&fetch(&web(&server), &["http://site.test/"]).await);
    assert_eq!(said, "it leads round in a circle, back to `http://site.test/`");
    assert_eq!(paths(server.requests()), ["/", "/a"]);

    let mut number = 0;
    let server = Server::start(move |_| {
        number += 1;
        redirect(&format!("/{number}"))
    })
    .await;
    let said = said_of(&fetch(&web(&server), &["http://site.test/"]).await);
    assert_eq!(said, "it leads on more than 5 times");
}

#[tokio::test]
async fn only_https_is_fetched_unless_the_host_says_otherwise() {
    let server = Server::start(|_| html("<p>never")).await;
    let names = Names::default().with("site.test", server.address());
    let web = Web::new().fetch(HttpFetch::builder().resolver(names).reach(OPEN).build().unwrap());
    for (url, expected) in [
        ("http://site.test/", "only `https` is fetched; try the same address with `https`"),
        ("file:///etc/passwd", "`file` is not fetched; only `https` is"),
        ("data:text/html,hi", "`data` is not fetched; only `https` is"),
        ("https://user@site.test/", "the URL holds a user or a password; leave them out"),
        (
            "site.test/page",
            "this is no URL (relative URL without a base); it is like `https://example.com/page`",
        ),
        ("https://", "this is no URL (empty host); it is like `https://example.com/page`"),
    ] {
        let (message, kind) = refusal(&fetch(&web, &[url]).await);
        assert_eq!(message, format!("`{url}` was not fetched: {expected}"));
        assert_eq!(kind, ToolErrorKind::Denied);
    }
    assert_eq!(server.connections(), 0);
}

#[tokio::test]
async fn a_name_without_an_address_says_so() {
    let (message, kind) = refusal(&fetch(&only(Names::default()), &["http://nowhere.test/"]).await);
    assert!(message.contains("no test has the name `nowhere.test`"), "{message}");
    assert_eq!(kind, ToolErrorKind::Unavailable);
    let names = Names::default().changing("site.test", [Vec::new()]);
    let said = said_of(&fetch(&only(names), &["http://site.test/"]).await);
    assert!(said.contains("the name has no address"), "{said}");
}

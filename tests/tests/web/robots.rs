//! What `robots.txt` allows, where the host wants to know.

use tests::loopback::{Answer, Server, Step, whole};
use tool_std::web::Web;

use super::{Names, fetch, fetcher, good, html, paths, redirect, said_of, text};

/// A server with these rules, and a web that obeys them.
async fn obeying(robots: impl Fn() -> Answer + Send + 'static) -> (Server, Web) {
    let server = Server::start(move |request| match &*request.target {
        "/robots.txt" => robots(),
        _ => html("<p>text"),
    })
    .await;
    let names = Names::default().with("site.test", server.address());
    let web = Web::new().fetch(fetcher(&names).honour_robots().user_agent("reader/1.0").build().unwrap());
    (server, web)
}

const RULES: &str =
    "User-agent: *\nDisallow: /\n\nUser-agent: reader\nDisallow: /private\nAllow: /private/open\n";

#[tokio::test]
async fn only_what_the_rules_allow_is_fetched() {
    let (mut server, web) = obeying(|| good("text/plain", RULES)).await;
    assert_eq!(text(&fetch(&web, &["http://site.test/page"]).await), "text");
    assert_eq!(text(&fetch(&web, &["http://site.test/private/open"]).await), "text");
    let refused = fetch(&web, &["http://site.test/private/page"]).await;
    assert!(
        refused.text().ends_with("the site's `robots.txt` does not allow `reader` to read this"),
        "{}",
        refused.text()
    );
    assert_eq!(
        paths(server.requests()),
        ["/robots.txt", "/page", "/private/open"],
        "the rules are asked for once"
    );
}

#[tokio::test]
async fn without_being_asked_for_they_are_not_read() {
    let mut server = Server::start(|_| html("<p>text")).await;
    let names = Names::default().with("site.test", server.address());
    let web = Web::new().fetch(fetcher(&names).build().unwrap());
    assert_eq!(text(&fetch(&web, &["http://site.test/private"]).await), "text");
    assert_eq!(paths(server.requests()), ["/private"]);
}

#[tokio::test]
async fn a_site_without_rules_allows_all_and_one_that_fails_nothing() {
    let (_server, web) = obeying(|| whole("404 Not Found", &[], "")).await;
    assert_eq!(text(&fetch(&web, &["http://site.test/"]).await), "text");
    let before = "the site's `robots.txt` could not be read, so nothing is fetched: ";
    for (robots, expected) in [
        (whole("503 Busy", &[], ""), "the server answered 503 Service Unavailable"),
        (vec![Step::Close], "the server gave no answer: "),
        (
            redirect("http://127.0.0.2/robots.txt"),
            "it leads to `http://127.0.0.2/robots.txt`: `127.0.0.2` is ",
        ),
        (good("text/plain", "x".repeat(600_000)), "it is larger than 512,000 bytes"),
        (good("text/plain", "Disallow: /a*b\n".repeat(2_000)), "it has more than 1000 rules with `*` or `$`"),
    ] {
        let (_server, web) = obeying(move || robots.clone()).await;
        let said = said_of(&fetch(&web, &["http://site.test/"]).await);
        assert!(said.strip_prefix(before).is_some_and(|why| why.starts_with(expected)), "{said}");
    }
}

#[tokio::test]
async fn the_rules_of_where_a_redirect_leads_count_too() {
    let (other, _) = obeying(|| good("text/plain", "User-agent: *\nDisallow: /")).await;
    let server = Server::start(|request| match &*request.target {
        "/robots.txt" => whole("404 Not Found", &[], ""),
        _ => redirect("http://other.test/page"),
    })
    .await;
    let names = Names::default().with("site.test", server.address()).with("other.test", other.address());
    let web = Web::new().fetch(fetcher(&names).honour_robots().build().unwrap());
    let said = said_of(&fetch(&web, &["http://site.test/"]).await);
    let expected = "it leads to `http://other.test/page`: the site's `robots.txt` does not allow `tool-std` to read this";
    assert_eq!(said, expected);
}

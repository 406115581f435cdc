//! The web on the command line, with servers on this machine.

use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use crate::program::{Ran, command, run};

/// A server that answers each request with the same; gives its address and the heads of the requests.
fn serve(kind: &'static str, body: Vec<u8>) -> (SocketAddr, Receiver<String>) {
    let server = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = server.local_addr().unwrap();
    let (sender, heads) = channel();
    thread::spawn(move || {
        for stream in server.incoming() {
            let mut stream = stream.unwrap();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let mut head = String::new();
            while !head.ends_with("\r\n\r\n") && reader.read_line(&mut head).unwrap() > 0 {}
            if sender.send(head).is_err() {
                return;
            }
            let length = body.len();
            let head = format!(
                "HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
            );
            // The program may have gone.
            let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
        }
    });
    (address, heads)
}

fn urls(address: SocketAddr) -> String {
    format!(r#"{{"urls": ["http://{address}/page"]}}"#)
}

#[test]
fn a_page_is_fetched_where_the_operator_lets_it() {
    let (address, heads) = serve("text/html", b"<title>Hello</title><p>A <b>page</b>".to_vec());
    let mut program =
        command(&["call", "web_fetch", &urls(address), "--web-http", "--web-reach", "127.0.0.1"]);
    // A proxy that would see every address.
    for variable in ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "ALL_PROXY", "all_proxy"] {
        program.env(variable, "http://127.0.0.1:9");
    }
    let ran = Ran::from(program.output().unwrap());
    assert!(ran.stderr.contains("Fetched “Hello” from 127.0.0.1"), "{ran:?}");
    let shown = ran.good();
    assert!(shown.contains("title=\"Hello\" content=\"external\">\nA **page**\n</web_page>"), "{shown}");
    assert!(heads.recv().unwrap().starts_with("GET /page HTTP/1.1\r\n"));
}

#[test]
fn nothing_else_is_fetched() {
    let (address, heads) = serve("text/html", b"secret".to_vec());
    let refused = run(&["call", "web_fetch", &urls(address), "--web-http"]).refused(3);
    assert!(
        refused.contains("`127.0.0.1` is an address of this machine; only public addresses are fetched"),
        "{refused}"
    );
    let refused = run(&["call", "web_fetch", &urls(address), "--web-reach", "127.0.0.1"]).refused(3);
    assert!(refused.contains("only `https` is fetched"), "{refused}");
    assert!(heads.try_recv().is_err());
}

#[test]
fn a_turn_searches_by_the_provider_that_is_named() {
    let hit = r#"{"results": [{"title": "Knots", "url": "https://example.com/", "content": "about knots"}]}"#;
    let (address, heads) = serve("application/json", hit.as_bytes().to_vec());
    let url = format!("http://{address}");
    let search = |options: &[&str]| {
        let arguments = [&["call", "web_search", r#"{"query": "knots", "limit": 1}"#], options].concat();
        let ran = Ran::from(command(&arguments).env("TEST_SEARCH_KEY", "sk-secret-key").output().unwrap());
        assert!(!ran.stderr.contains("sk-secret-key"), "{ran:?}");
        (ran.good(), heads.recv().unwrap())
    };
    let (shown, head) = search(&["--searxng", &url]);
    assert!(shown.contains("1. Knots\n   https://example.com/\n   about knots"), "{shown}");
    assert!(head.starts_with("GET /search?q=knots&format=json"), "{head}");
    let (_, head) = search(&["--tavily-key-variable", "TEST_SEARCH_KEY", "--search-url", &url]);
    assert!(
        head.starts_with("POST /search ") && head.contains("authorization: Bearer sk-secret-key"),
        "{head}"
    );
    let hit = format!(r#"{{"web": {hit}, "query": {{"more_results_available": false}}}}"#);
    let (address, brave) = serve("application/json", hit.into_bytes());
    let arguments = [
        "call",
        "web_search",
        r#"{"query": "knots"}"#,
        "--brave-key-variable",
        "TEST_SEARCH_KEY",
        "--search-url",
    ];
    let url = format!("http://{address}");
    let ran = Ran::from(
        command(&[&arguments[..], &[&url]].concat())
            .env("TEST_SEARCH_KEY", "sk-secret-key")
            .output()
            .unwrap(),
    );
    assert!(ran.good().contains("1. Knots\n"));
    assert!(brave.recv().unwrap().contains("x-subscription-token: sk-secret-key"));
}

#[test]
fn what_a_turn_lacks_is_said() {
    let needs = "--searxng URL or --brave-key-variable NAME or --tavily-key-variable NAME";
    let listed = run(&["list"]).good();
    assert!(listed.contains(&format!("\nnot in this turn: web_search, which needs {needs}\n")), "{listed}");
    assert!(listed.contains("\nweb_fetch "), "{listed}");
    let refused = run(&["call", "web_search", r#"{"query": "x"}"#]).refused(2);
    let expected = "worker-tools: this turn has no `web_search`: it needs `--searxng URL` or `--brave-key-variable NAME` or `--tavily-key-variable NAME`\n";
    assert_eq!(refused, expected);
    let listed = run(&["list", "--searxng", "https://searx.example"]).good();
    assert!(listed.contains("\nweb_search ") && !listed.contains("not in this turn: web"), "{listed}");
    let listed = run(&["list", "--no-web"]).good();
    assert!(!listed.contains("\nweb_"), "{listed}");

    for (arguments, expected) in [
        (
            &["list", "--brave-key-variable", "NO_SUCH_KEY"][..],
            "there is no variable `NO_SUCH_KEY` in the environment",
        ),
        (&["list", "--searxng", "searx.example"], "the address of the search provider cannot be read"),
        (
            &["list", "--searxng", "https://a.example", "--tavily-key-variable", "PATH"],
            "a turn has one search provider",
        ),
        (&["list", "--web-trust", "no/such/file.pem"], "`no/such/file.pem`: "),
        (&["list", "--web-reach", "inner.example"], "invalid IP address syntax"),
    ] {
        let refused = run(arguments).refused(2);
        assert!(refused.contains(expected), "{expected:?} is not in {refused}");
    }
}

/// Pages that would grow without bound, in a program that has one gibibyte for all it does.
#[test]
fn memory_is_bounded() {
    let unlimited = b"<b><p></b>".repeat(800_000);
    for body in
        [unlimited, b"<".repeat(8_000_000), b"<blockquote><p>a".repeat(500_000), b"word, ".repeat(1_300_000)]
    {
        let (address, _heads) = serve("text/html", body);
        let folder = tempfile::tempdir().unwrap();
        let line = format!(
            "ulimit -v 1048576 && exec \"$0\" call web_fetch '{}' --web-http --web-reach 127.0.0.1",
            urls(address)
        );
        let ran: Ran = Command::new("bash")
            .args(["-c", &line, env!("CARGO_BIN_EXE_worker-tools")])
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .output()
            .unwrap()
            .into();
        assert!(ran.good().contains("content=\"external\">"));
    }
}

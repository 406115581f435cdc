//! A server on loopback that does what it is told, good or bad: no library stands between a test and the bytes.

mod request;
pub mod tls;

pub use request::Request;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;

/// One thing that the server does with a connection.
#[derive(Clone, Debug)]
pub enum Step {
    /// Writes these bytes.
    Send(Vec<u8>),
    /// Writes these bytes one by one.
    Drip(Vec<u8>),
    /// Writes these bytes one by one again and again, with so much time between them, until the client has gone.
    Slowly(Vec<u8>, Duration),
    /// Writes these bytes again and again, until the client has gone.
    Forever(Vec<u8>),
    /// Does nothing until the client has gone.
    Stall,
    /// Closes the connection.
    Close,
}

/// What the server does with one request. Without a [`Step::Close`] or [`Step::Stall`] in it, the connection stays open
/// for a next one.
pub type Answer = Vec<Step>;

/// What happened at the server.
#[derive(Debug)]
pub enum Seen {
    /// A request came.
    Request(Request),
    /// The client closed its connection while the server was not done with it.
    Gone,
}

/// A server that runs until it is dropped.
pub struct Server {
    address: SocketAddr,
    connections: Arc<AtomicUsize>,
    /// How many of them are open.
    open: watch::Receiver<usize>,
    sent: Arc<AtomicU64>,
    seen: mpsc::UnboundedReceiver<Seen>,
    task: JoinHandle<()>,
}

type Handler = dyn FnMut(&Request) -> Answer + Send;

impl Server {
    /// A server that gives these answers, one for each request, and after the last one closes connections at once.
    pub async fn answering(answers: impl IntoIterator<Item = Answer>) -> Self {
        let mut answers: std::collections::VecDeque<Answer> = answers.into_iter().collect();
        Self::start(move |_| answers.pop_front().unwrap_or_else(|| vec![Step::Close])).await
    }

    /// A server that asks `handler` what to do with each request.
    pub async fn start(handler: impl FnMut(&Request) -> Answer + Send + 'static) -> Self {
        Self::start_at(Ipv4Addr::LOCALHOST.into(), handler).await
    }

    /// The same at another address of this machine, such as `127.0.0.2`.
    pub async fn start_at(address: IpAddr, handler: impl FnMut(&Request) -> Answer + Send + 'static) -> Self {
        let listener = TcpListener::bind((address, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let (sender, seen) = mpsc::unbounded_channel();
        let handler: Arc<Mutex<Handler>> = Arc::new(Mutex::new(handler));
        let connections = Arc::new(AtomicUsize::new(0));
        let sent = Arc::new(AtomicU64::new(0));
        let (count, counted) = (Arc::clone(&connections), Arc::clone(&sent));
        let (opened, open) = watch::channel(0);
        let task = tokio::spawn(async move {
            let mut running = tokio::task::JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                count.fetch_add(1, Ordering::Relaxed);
                opened.send_modify(|open| *open += 1);
                let served = serve(stream, Arc::clone(&handler), sender.clone(), Arc::clone(&counted));
                let opened = opened.clone();
                running.spawn(async move {
                    served.await;
                    opened.send_modify(|open| *open -= 1);
                });
            }
        });
        Self { address, connections, open, sent, seen, task }
    }

    /// An address at which nothing listens.
    pub async fn nobody() -> String {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        format!("http://{}/v1", listener.local_addr().unwrap())
    }

    /// Where the server is, as a base address.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Where the server is.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// How many bytes went out so far.
    #[must_use]
    pub fn sent(&self) -> u64 {
        self.sent.load(Ordering::Relaxed)
    }

    /// How many connections were made so far.
    #[must_use]
    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::Relaxed)
    }

    /// Waits until no connection is open.
    pub async fn closed(&mut self) {
        self.open.wait_for(|open| *open == 0).await.unwrap();
    }

    /// Waits for the next thing that happens.
    pub async fn next(&mut self) -> Seen {
        self.seen.recv().await.unwrap()
    }

    /// The requests that came so far.
    pub fn requests(&mut self) -> Vec<Request> {
        let mut requests = Vec::new();
        while let Ok(seen) = self.seen.try_recv() {
            if let Seen::Request(request) = seen {
                requests.push(request);
            }
        }
        requests
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(
    mut stream: TcpStream,
    handler: Arc<Mutex<Handler>>,
    seen: mpsc::UnboundedSender<Seen>,
    sent: Arc<AtomicU64>,
) {
    stream.set_nodelay(true).unwrap();
    let mut read = Vec::new();
    while let Some(request) = Request::read(&mut stream, &mut read).await {
        let answer = (handler.lock().unwrap())(&request);
        // The test may be over already.
        let _ = seen.send(Seen::Request(request));
        for step in answer {
            if matches!(step, Step::Close) {
                let _ = stream.shutdown().await;
                return;
            }
            if !run(&mut stream, step, &sent).await {
                let _ = seen.send(Seen::Gone);
                return;
            }
        }
    }
}

/// Whether the connection is still to be used.
async fn run(stream: &mut TcpStream, step: Step, sent: &AtomicU64) -> bool {
    match step {
        Step::Send(bytes) => {
            sent.fetch_add(bytes.len() as u64, Ordering::Relaxed);
            stream.write_all(&bytes).await.is_ok()
        }
        Step::Drip(bytes) => {
            for byte in bytes {
                if stream.write_all(&[byte]).await.is_err() {
                    return false;
                }
                tokio::task::yield_now().await;
            }
            true
        }
        Step::Slowly(bytes, pause) => {
            for byte in bytes.into_iter().cycle() {
                if stream.write_all(&[byte]).await.is_err() {
                    return false;
                }
                tokio::time::sleep(pause).await;
            }
            false
        }
        Step::Forever(bytes) => {
            while stream.write_all(&bytes).await.is_ok() {
                sent.fetch_add(bytes.len() as u64, Ordering::Relaxed);
            }
            false
        }
        Step::Stall => {
            let mut rest = [0; 64];
            while matches!(stream.read(&mut rest).await, Ok(1..)) {}
            false
        }
        Step::Close => false,
    }
}

/// The head of an answer; the body ends with the connection unless a header says otherwise.
#[must_use]
pub fn head(status: &str, headers: &[(&str, &str)]) -> Step {
    let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    Step::Send(format!("HTTP/1.1 {status}\r\n{headers}\r\n").into_bytes())
}

/// A whole answer with a body of a known length.
#[must_use]
pub fn whole(status: &str, headers: &[(&str, &str)], body: impl AsRef<[u8]>) -> Answer {
    let body = body.as_ref().to_vec();
    let length = body.len().to_string();
    let mut all = headers.to_vec();
    all.push(("content-length", &length));
    vec![head(status, &all), Step::Send(body)]
}

/// A good answer that is JSON.
#[must_use]
pub fn json(body: impl AsRef<[u8]>) -> Answer {
    whole("200 OK", &[("content-type", "application/json")], body)
}

/// The head of an event stream that ends with the connection.
#[must_use]
pub fn events_head() -> Step {
    head("200 OK", &[("content-type", "text/event-stream; charset=utf-8"), ("connection", "close")])
}

/// The head of an event stream that comes in chunks.
#[must_use]
pub fn chunked_head() -> Step {
    head("200 OK", &[("content-type", "text/event-stream"), ("transfer-encoding", "chunked")])
}

/// One chunk.
#[must_use]
pub fn chunk(text: &str) -> Step {
    Step::Send(format!("{:x}\r\n{text}\r\n", text.len()).into_bytes())
}

/// A whole event stream in chunks, one an event; the connection stays open behind it.
#[must_use]
pub fn events(events: &[String]) -> Answer {
    let chunks = events.iter().map(|event| chunk(event));
    std::iter::once(chunked_head()).chain(chunks).chain([Step::Send(b"0\r\n\r\n".to_vec())]).collect()
}

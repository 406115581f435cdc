//! A request as it came.

use serde_json::Value;
use tokio::io::{AsyncRead, AsyncReadExt};

/// A request as it came.
#[derive(Clone, Debug)]
pub struct Request {
    /// `POST`.
    pub method: String,
    /// The path, with what stands behind `?`.
    pub target: String,
    /// The headers, names in lower case, in order.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: String,
}

impl Request {
    /// The next request of a connection; `None` when the client has closed it. `read` holds what was read beyond the last
    /// one.
    ///
    /// # Panics
    ///
    /// When it is no request of HTTP/1.1 with a length.
    pub async fn read(stream: &mut (impl AsyncRead + Unpin), read: &mut Vec<u8>) -> Option<Self> {
        let head_end = loop {
            if let Some(at) = read.windows(4).position(|window| window == b"\r\n\r\n") {
                break at;
            }
            more(stream, read).await?;
        };
        let head = String::from_utf8(read.drain(..head_end + 4).collect()).unwrap();
        let mut lines = head.trim_end().lines();
        let mut first = lines.next().unwrap().split(' ');
        let (method, target) = (first.next().unwrap().to_owned(), first.next().unwrap().to_owned());
        let headers: Vec<(String, String)> = lines
            .map(|line| line.split_once(':').unwrap())
            .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
            .collect();
        let mut request = Self { method, target, headers, body: String::new() };
        let length: usize = request.header("content-length").unwrap_or("0").parse().unwrap();
        while read.len() < length {
            more(stream, read).await?;
        }
        request.body = String::from_utf8(read.drain(..length).collect()).unwrap();
        Some(request)
    }

    /// The value of a header.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The body as JSON.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

async fn more(stream: &mut (impl AsyncRead + Unpin), read: &mut Vec<u8>) -> Option<()> {
    let mut buffer = vec![0; 16 * 1024];
    let count = stream.read(&mut buffer).await.ok().filter(|count| *count > 0)?;
    read.extend_from_slice(&buffer[..count]);
    Some(())
}

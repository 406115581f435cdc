//! A bound on what a server may write in one line.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, ReadBuf};

/// Reads on until a line is longer than allowed; then the stream is broken, so that whoever waits for an answer learns of it
/// at once.
pub(super) struct BoundedLines<R> {
    inner: R,
    max: usize,
    since_line_start: usize,
}

impl<R> BoundedLines<R> {
    pub(super) fn new(inner: R, max: usize) -> Self {
        Self { inner, max, since_line_start: 0 }
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for BoundedLines<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.inner).poll_read(cx, buffer))?;
        let read = buffer.filled().get(before..).unwrap_or_default();
        self.since_line_start = match read.iter().rposition(|byte| *byte == b'\n') {
            Some(end) => read.len() - end - 1,
            None => self.since_line_start.saturating_add(read.len()),
        };
        if self.since_line_start > self.max {
            // A read that fails gives nothing.
            buffer.set_filled(before);
            let problem = format!("a message is longer than {} bytes", self.max);
            return Poll::Ready(Err(io::Error::new(io::ErrorKind::InvalidData, problem)));
        }
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt;

    use super::BoundedLines;

    async fn read(text: &str, max: usize) -> std::io::Result<String> {
        let mut read = String::new();
        BoundedLines::new(text.as_bytes(), max).read_to_string(&mut read).await?;
        Ok(read)
    }

    #[tokio::test]
    async fn short_lines_pass_however_many_there_are() {
        let text = "12345\n".repeat(1_000);
        assert_eq!(read(&text, 5).await.ok().as_deref(), Some(text.as_str()));
    }

    #[tokio::test]
    async fn a_long_line_breaks_the_stream() {
        assert!(read("1\n123456", 5).await.is_err());
    }
}

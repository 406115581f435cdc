//! Serving over a pair of streams.

use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use rmcp::transport::async_rw::AsyncRwTransport;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::sync::CancellationToken;

use super::handler::Handler;
use super::{McpServer, ServeError};

impl McpServer {
    /// Serves one client over standard input and output until it closes the connection or `cancel` fires. Nothing else may
    /// write to standard output meanwhile; logs belong to standard error.
    ///
    /// # Errors
    ///
    /// When the client does not open the connection as the protocol says.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future stops the connection and the calls that run.
    pub async fn serve_stdio(&self, cancel: &CancellationToken) -> Result<(), ServeError> {
        let (read, write) = rmcp::transport::io::stdio_pipes();
        self.serve(read, write, cancel).await
    }

    /// [`serve_stdio`](Self::serve_stdio) over other streams: a socket, a pair of pipes.
    ///
    /// # Errors
    ///
    /// When the client does not open the connection as the protocol says.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future stops the connection and the calls that run.
    pub async fn serve<R, W>(&self, read: R, write: W, cancel: &CancellationToken) -> Result<(), ServeError>
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let transport = AsyncRwTransport::new_server(read, write).with_max_line_length(self.max_message);
        let stop = cancel.child_token();
        let _stop_when_dropped = stop.clone().drop_guard();
        match Handler::new(self.clone()).serve_with_ct(transport, stop).await {
            Ok(running) => running.waiting().await.map(drop).map_err(|error| ServeError::Io(error.into())),
            // Nobody came: that is how a host that only looks whether the program starts behaves.
            Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => Ok(()),
            Err(error) => Err(ServeError::Handshake(error.to_string())),
        }
    }
}

//! The Model Context Protocol, both ways: [`McpServer`] lets any host call our tools, [`McpClient`] takes the tools of any
//! server into a turn.
//!
//! The same list of tools that a turn gets is what a connection gets: a function makes it, so that each connection has its
//! own state. Nothing about a tool is written twice.

mod client;
mod content;
mod definition;
mod server;

pub use client::{Imported, LeftOut, McpClient, McpError};
pub use definition::definitions;
pub use server::{Connection, HttpOptions, HttpServer, McpServer, ServeError, ToolsChanged};

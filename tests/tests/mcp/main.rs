//! The Model Context Protocol, both ways. The other end is written by hand here, so that a fault of the library that we use
//! is seen too; peers that others wrote are in `tests/peers`.

mod client;
mod http;
mod raw;
mod server;

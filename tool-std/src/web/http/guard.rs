//! What stands between a page's address and a connection: names are looked up here, and only addresses that may be reached
//! come out.

use std::error::Error;
use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tool_runtime::BoxFuture;

use super::address::{is_metadata, not_public};

/// Finds the addresses of names.
pub trait Resolver: Send + Sync {
    /// The addresses of `name`, best first. A port of 0 means that of the URL.
    fn resolve<'a>(&'a self, name: &'a str) -> BoxFuture<'a, io::Result<Vec<SocketAddr>>>;
}

/// The resolver of this machine.
pub(super) struct SystemResolver;

impl Resolver for SystemResolver {
    fn resolve<'a>(&'a self, name: &'a str) -> BoxFuture<'a, io::Result<Vec<SocketAddr>>> {
        Box::pin(async move { Ok(tokio::net::lookup_host((name, 0)).await?.collect()) })
    }
}

/// Lets connections to public addresses through, and to those that are named.
#[derive(Clone)]
pub(super) struct Guard {
    resolver: Arc<dyn Resolver>,
    /// May be reached although they are not public.
    named: Arc<[IpAddr]>,
}

impl Guard {
    pub(super) fn new(resolver: Arc<dyn Resolver>, named: Vec<IpAddr>) -> Self {
        Self { resolver, named: named.into() }
    }

    /// Whether `host`, which leads to `address`, may be reached there.
    ///
    /// # Errors
    ///
    /// When it may not; says what the address is.
    pub(super) fn check(&self, host: &str, address: IpAddr) -> Result<(), NotReached> {
        let what = not_public(address);
        let is_open = what.is_none() || self.named.contains(&address);
        if is_open && !is_metadata(address) {
            return Ok(());
        }
        let what = what.unwrap_or("an address of a cloud's own");
        Err(NotReached { host: host.to_owned(), address, what })
    }

    /// Where `host` may be reached. Each look-up is judged by itself, and what it gave is what is connected to.
    pub(super) async fn look_up(&self, host: &str) -> Result<Vec<SocketAddr>, Box<dyn Error + Send + Sync>> {
        let mut refused = None;
        let mut open = Vec::new();
        for found in self.resolver.resolve(host).await? {
            match self.check(host, found.ip()) {
                Ok(()) => open.push(found),
                Err(error) => refused = refused.or(Some(error)),
            }
        }
        match refused {
            Some(refused) if open.is_empty() => Err(refused.into()),
            _ if open.is_empty() => Err("the name has no address".into()),
            _ => Ok(open),
        }
    }
}

impl Resolve for Guard {
    fn resolve(&self, name: Name) -> Resolving {
        let guard = self.clone();
        Box::pin(async move {
            let open = guard.look_up(name.as_str()).await?;
            Ok(Box::new(open.into_iter()) as Addrs)
        })
    }
}

/// A host that may not be reached where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NotReached {
    host: String,
    address: IpAddr,
    what: &'static str,
}

impl fmt::Display for NotReached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { host, address, what } = self;
        if host.trim_start_matches('[').trim_end_matches(']') == address.to_string() {
            write!(f, "`{address}` is {what}; only public addresses are fetched")
        } else {
            write!(f, "`{host}` leads to `{address}`, {what}; only public addresses are fetched")
        }
    }
}

impl Error for NotReached {}

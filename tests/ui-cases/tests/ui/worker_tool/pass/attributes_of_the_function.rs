#![deny(warnings)]
#![allow(unexpected_cfgs)]

use tool_runtime::{tools, worker_tool};

/// Adds.
#[worker_tool]
#[allow(unused_variables)]
#[inline]
async fn add(#[param] a: u32, #[param] unused: u32) -> u32 {
    a
}

#[cfg(feature = "extra")]
#[worker_tool(read_only, read_only)]
async fn extra() {}

/// Not built.
#[worker_tool]
#[cfg(feature = "extra")]
async fn extra(#[param] a: Missing) -> Missing {
    a
}

/// Old.
#[worker_tool]
#[deprecated = "use `add`"]
#[expect(unused_variables)]
async fn old(#[param] a: u32) {}

#[allow(deprecated)]
fn main() {
    assert_eq!(tools![add, old].len(), 2);
}

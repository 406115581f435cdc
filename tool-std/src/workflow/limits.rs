//! How much a run may have.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// How often a call is attempted before it has failed, counted anew after each sleep.
pub const MAX_ATTEMPTS: i64 = 3;
/// How often one call may sleep.
pub const MAX_SLEEPS: i64 = 16;
/// The shortest sleep.
pub const MIN_SLEEP: Duration = Duration::from_secs(60);
/// The longest sleep.
pub const MAX_SLEEP: Duration = Duration::from_secs(48 * 3_600);

/// A field with its default, its hard cap and its builder method, which never goes over the cap.
macro_rules! limits {
    ($($(#[$doc:meta])* $name:ident: $ty:ty = $default:expr, at most $cap:expr;)*) => {
        /// How much a run of a workflow may have. A deployment lowers a limit or raises it up to its hard cap; what a run asks
        /// for lowers it further and never raises it.
        ///
        /// ```
        /// use tool_std::workflow::WorkflowLimits;
        ///
        /// let limits = WorkflowLimits::new().agent_calls(50_000);
        /// assert_eq!(limits.agent_calls, 1_024); // the hard cap
        /// ```
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        #[non_exhaustive]
        pub struct WorkflowLimits {
            $($(#[$doc])* pub $name: $ty,)*
        }

        impl Default for WorkflowLimits {
            fn default() -> Self {
                Self { $($name: $default,)* }
            }
        }

        impl WorkflowLimits {
            /// No limit is above its hard cap, whoever has set it.
            pub(crate) fn capped(self) -> Self {
                Self { $($name: self.$name.min($cap),)* }
            }

            $(
                #[doc = concat!("Sets `", stringify!($name), "`; more than the hard cap is the hard cap.")]
                #[must_use]
                pub fn $name(mut self, limit: $ty) -> Self {
                    self.$name = limit.min($cap);
                    self
                }
            )*
        }
    };
}

limits! {
    /// Tasks of one run that run at a time: 8, at most 32.
    concurrency: u32 = 8, at most 32;
    /// Tasks of one agent that run at a time, over all its runs: 8, at most 64.
    running_per_agent: u32 = 8, at most 64;
    /// Calls of `agent` in one run: 256, at most 1,024.
    agent_calls: usize = 256, at most 1_024;
    /// Calls that wait at a time: 64, at most 1,024.
    pending_calls: usize = 64, at most 1_024;
    /// Bytes of the arguments of those that wait: 1 MiB, at most 8 MiB.
    pending_bytes: usize = 1 << 20, at most 8 << 20;
    /// Bytes of one call's arguments: 8 KiB.
    call_bytes: usize = 8 << 10, at most 8 << 10;
    /// Bytes of the result of one call: 24 KiB.
    value_bytes: usize = 24 << 10, at most 24 << 10;
    /// Bytes of the results of all finished calls together: 6 MiB.
    memo_bytes: usize = 6 << 20, at most 6 << 20;
    /// Bytes of all that a replay is given of earlier calls, arguments included: 8 MiB.
    memo_input_bytes: usize = 8 << 20, at most 8 << 20;
    /// Bytes of the program: 256 KiB.
    source_bytes: usize = 256 << 10, at most 256 << 10;
    /// Bytes of its arguments: 64 KiB.
    args_bytes: usize = 64 << 10, at most 64 << 10;
    /// Bytes of the final result: 1 MiB.
    result_bytes: usize = 1 << 20, at most 1 << 20;
    /// Bytes of a message to a task: 8 KiB.
    message_bytes: usize = 8 << 10, at most 8 << 10;
    /// Programs that one worker replays at a time, each in a child process: 4, at most 16.
    replays: usize = 4, at most 16;
    /// Bytes of memory of one replay: 64 MiB, at most 256 MiB.
    memory_bytes: usize = 64 << 20, at most 256 << 20;
    /// Bytes of stack of one replay: 512 KiB, at most 1 MiB.
    stack_bytes: usize = 512 << 10, at most 1 << 20;
    /// What one replay may compute, in units of about 10,000 steps of a loop: 20,000, at most 200,000. The same program uses
    /// the same everywhere.
    fuel: u64 = 20_000, at most 200_000;
    /// How long one replay may take: 20 seconds, at most 2 minutes.
    replay_time: Duration = Duration::from_secs(20), at most Duration::from_secs(120);
}

impl WorkflowLimits {
    /// The default limits.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

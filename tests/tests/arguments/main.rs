//! Arguments as models write them: the reported faults as rows, what holds for any text, and other people's test suites.

#![allow(clippy::unwrap_used, clippy::panic, reason = "the helpers of tests stop at what must not be")]

mod cases;

//! Arguments as models write them: the reported faults as rows, what holds for any text, and other people's test suites.

mod by_rule;
mod cases;
mod guided;
mod properties;
#[cfg(feature = "validator")]
mod suite;
mod types;

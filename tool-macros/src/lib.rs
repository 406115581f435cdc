//! The macros of `tool-runtime`.

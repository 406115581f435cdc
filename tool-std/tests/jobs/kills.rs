//! Workers that are killed.

//! Tools for language-model agents.

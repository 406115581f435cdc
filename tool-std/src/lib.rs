//! Standard tools for agents on `tool-runtime`, by category.
//!
//! Each category is a function from what its tools need to a `Vec<WorkerAgentTool>`, to be spread into the list of a turn:
//! `tools![..web_tools(&providers), ..]`. What a turn does not have (a provider that is not bound, for example) has no tools.
//! The crate uses the public face of `tool-runtime` only, so each of its files is an example of a tool.

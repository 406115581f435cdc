//! The list of a set's tools as one text, in a provider's format.

/// Entries of tools, joined, and what the rest of a request has to know about them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Definitions {
    /// The entries as JSON, with commas between and no brackets around.
    pub(crate) text: String,
    /// How many tools there are.
    pub(crate) count: usize,
    /// Whether a tool among them is listed as deferred.
    pub(crate) deferred: bool,
    /// Whether a tool among them may be called by a program.
    pub(crate) programmatic: bool,
    /// Tools (by display name) that the provider is not asked to enforce although their author wants it, and why.
    pub(crate) strict_dropped: Vec<(String, String)>,
}

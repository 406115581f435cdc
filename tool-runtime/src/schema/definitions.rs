//! Names for the definitions of a schema that is written anew.

use std::collections::{HashMap, HashSet};

const PREFIX: &str = "#/$defs/";

/// References to definitions, by the places of what they stand for in the author's schema.
#[derive(Default)]
pub(super) struct Names {
    references: HashMap<String, String>,
    taken: HashSet<String>,
}

impl Names {
    /// The reference to what stands at `pointer` in the author's schema, and whether it is asked for the first time. The
    /// root needs no definition.
    pub(super) fn reference(&mut self, pointer: &str) -> (String, bool) {
        if pointer.is_empty() {
            return ("#".to_owned(), false);
        }
        if let Some(reference) = self.references.get(pointer) {
            return (reference.clone(), false);
        }
        let name = self.free_name(pointer.rsplit('/').next().unwrap_or_default());
        let reference = format!("{PREFIX}{name}");
        self.taken.insert(name);
        self.references.insert(pointer.to_owned(), reference.clone());
        (reference, true)
    }

    /// The name of the definition that a reference from here leads to.
    pub(super) fn of(reference: &str) -> &str {
        reference.strip_prefix(PREFIX).unwrap_or(reference)
    }

    fn free_name(&self, wanted: &str) -> String {
        let plain: String = wanted
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' })
            .take(64)
            .collect();
        let numbered = (2..).map(|number| format!("{plain}{number}"));
        let name = std::iter::once(plain.clone()).chain(numbered).find(|name| !self.taken.contains(name));
        name.unwrap_or(plain)
    }
}

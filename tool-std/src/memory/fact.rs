//! Facts: single statements, about something or about nothing in particular.

use schemars::JsonSchema;
use serde::Serialize;

use super::error::MemoryError;
use super::names;

/// The longest fact, in bytes of UTF-8.
pub const MAX_FACT: usize = 2_000;

/// A statement that is remembered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Fact {
    /// What is so.
    pub claim: String,
    /// Whom or what it is about, if that was said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entity: Option<String>,
}

/// A fact with its number, as the host sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct KeptFact {
    /// The number by which it is removed.
    pub id: i64,
    /// What it says.
    #[serde(flatten)]
    pub fact: Fact,
}

impl Fact {
    /// A statement.
    pub fn new(claim: impl Into<String>) -> Self {
        Self { claim: claim.into(), entity: None }
    }

    /// Says whom or what it is about.
    #[must_use]
    pub fn about(mut self, entity: impl Into<String>) -> Self {
        self.entity = Some(entity.into());
        self
    }

    /// The fact as it is kept: without space around it.
    pub(super) fn checked(&self) -> Result<Self, MemoryError> {
        let claim = self.claim.trim();
        if claim.is_empty() {
            return Err(MemoryError::invalid("the fact is blank; say what is so"));
        }
        if claim.len() > MAX_FACT {
            return Err(MemoryError::invalid(format!(
                "the fact has {} bytes and may have {MAX_FACT}; keep what is longer as a page",
                claim.len()
            )));
        }
        names::check_text("the fact", claim)?;
        let entity = self.entity.as_deref().map(|entity| names::title("what the fact is about", entity));
        Ok(Self { claim: claim.to_owned(), entity: entity.transpose()? })
    }
}

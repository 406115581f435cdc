//! What a turn begins with.

use crate::model::Item;
use crate::output::Content;

/// The conversation that a turn begins with: one text of the user, or everything so far.
#[derive(Clone, Debug, PartialEq)]
pub struct TurnInput {
    pub(super) items: Vec<Item>,
}

impl From<&str> for TurnInput {
    fn from(text: &str) -> Self {
        Item::user(text).into()
    }
}

impl From<String> for TurnInput {
    fn from(text: String) -> Self {
        Item::user(text).into()
    }
}

impl From<Vec<Content>> for TurnInput {
    fn from(content: Vec<Content>) -> Self {
        Item::User(content).into()
    }
}

impl From<Item> for TurnInput {
    fn from(item: Item) -> Self {
        vec![item].into()
    }
}

impl From<Vec<Item>> for TurnInput {
    fn from(items: Vec<Item>) -> Self {
        Self { items }
    }
}

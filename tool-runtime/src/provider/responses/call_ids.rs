//! Ids that the provider takes, the same in a call and its result.

use std::collections::{HashMap, HashSet, VecDeque};

use serde_json::Value;

use crate::model::{Item, is_legal_call_id};

use super::FORMAT;

/// Gives each call of a request an id of its own and its result the same one. Ids that are legal and unique stay as they
/// are; others are replaced by numbered ones, the same from request to request for the same conversation.
pub(super) struct CallIds<'a> {
    /// All ids of the conversation, those of the provider's own items too.
    known: HashSet<&'a str>,
    given: HashSet<String>,
    unanswered: HashMap<&'a str, VecDeque<String>>,
}

impl<'a> CallIds<'a> {
    /// Ids for the calls of a conversation, or of a part of it.
    pub(super) fn new(conversation: &'a [Item]) -> Self {
        let known = conversation.iter().filter_map(|item| match item {
            Item::Call(item) => Some(item.call.id.as_str()),
            Item::Opaque(native) => native.of_format(FORMAT)?.get("call_id").and_then(Value::as_str),
            _ => None,
        });
        Self { known: known.collect(), given: HashSet::new(), unanswered: HashMap::new() }
    }

    pub(super) fn of_call(&mut self, id: &'a str) -> String {
        let usable = is_legal_call_id(id) && !self.given.contains(id);
        let id_on_wire = if usable { id.to_owned() } else { self.free_id() };
        self.given.insert(id_on_wire.clone());
        self.unanswered.entry(id).or_default().push_back(id_on_wire.clone());
        id_on_wire
    }

    /// Results of calls with one id belong to them in order. A result without a call here answers one that the provider
    /// knows already, by the id that the provider gave it.
    pub(super) fn of_result(&mut self, id: &'a str) -> String {
        let unanswered = self.unanswered.get_mut(id).and_then(VecDeque::pop_front);
        unanswered.unwrap_or_else(|| if is_legal_call_id(id) { id.to_owned() } else { self.free_id() })
    }

    fn free_id(&self) -> String {
        let mut number = self.given.len() + 1;
        loop {
            let id = format!("mended_{number}");
            if !self.given.contains(&id) && !self.known.contains(id.as_str()) {
                return id;
            }
            number += 1;
        }
    }
}

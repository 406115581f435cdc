//! Ids that the provider takes, the same in a call and its result.

use std::collections::{HashMap, HashSet, VecDeque};

use crate::model::is_legal_call_id;

/// Gives each call of a request an id of its own and its result the same one. Ids that are legal and unique stay as they are;
/// others are replaced by numbered ones, the same from request to request for the same conversation.
#[derive(Default)]
pub(super) struct CallIds<'a> {
    taken: HashSet<String>,
    unanswered: HashMap<&'a str, VecDeque<String>>,
}

impl<'a> CallIds<'a> {
    pub(super) fn of_call(&mut self, id: &'a str) -> String {
        let id_on_wire =
            if is_legal_call_id(id) && !self.taken.contains(id) { id.to_owned() } else { self.free_id() };
        self.taken.insert(id_on_wire.clone());
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
        let mut number = self.taken.len() + 1;
        loop {
            let id = format!("call_{number}");
            if !self.taken.contains(&id) {
                return id;
            }
            number += 1;
        }
    }
}

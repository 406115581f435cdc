//! Ids that the provider takes, the same in a call and its result.

use std::collections::{HashMap, HashSet, VecDeque};

/// Gives each call of a request an id of its own and its result the same one. Ids that are legal and unique stay as they
/// are; others are replaced by numbered ones, the same from request to request for the same conversation.
pub(super) struct CallIds<'a> {
    /// The longest id that the provider takes, in characters.
    max: usize,
    /// The characters that it takes.
    takes: fn(char) -> bool,
    /// All ids of the conversation, those of the provider's own items too.
    known: HashSet<&'a str>,
    given: HashSet<String>,
    unanswered: HashMap<&'a str, VecDeque<String>>,
}

impl<'a> CallIds<'a> {
    /// Ids of at most `max` characters for the calls of a conversation in which the ids `known` stand.
    pub(super) fn new(max: usize, known: impl Iterator<Item = &'a str>) -> Self {
        Self {
            max,
            takes: |_| true,
            known: known.collect(),
            given: HashSet::new(),
            unanswered: HashMap::new(),
        }
    }

    /// The same for a provider that takes only some characters.
    pub(super) fn only(mut self, takes: fn(char) -> bool) -> Self {
        self.takes = takes;
        self
    }

    pub(super) fn of_call(&mut self, id: &'a str) -> String {
        let usable = self.is_legal(id) && !self.given.contains(id);
        let id_on_wire = if usable { id.to_owned() } else { self.free_id() };
        self.given.insert(id_on_wire.clone());
        self.unanswered.entry(id).or_default().push_back(id_on_wire.clone());
        id_on_wire
    }

    /// Results of calls with one id belong to them in order. A result without a call here answers one that the provider
    /// knows already, by the id that the provider gave it.
    pub(super) fn of_result(&mut self, id: &'a str) -> String {
        let unanswered = self.unanswered(id);
        unanswered.unwrap_or_else(|| if self.is_legal(id) { id.to_owned() } else { self.free_id() })
    }

    /// The id on the wire of the first call with this id that has no result yet.
    pub(super) fn unanswered(&mut self, id: &str) -> Option<String> {
        self.unanswered.get_mut(id).and_then(VecDeque::pop_front)
    }

    fn is_legal(&self, id: &str) -> bool {
        !id.is_empty() && id.chars().nth(self.max).is_none() && id.chars().all(self.takes)
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

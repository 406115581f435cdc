//! What is asked of a memory and what it answers, within a budget.

use schemars::JsonSchema;
use serde::Serialize;

use super::fact::Fact;

/// The tokens of an answer unless the query says otherwise.
pub const DEFAULT_BUDGET: usize = 4_000;
/// The most tokens that a model may ask for.
pub const MAX_BUDGET: usize = 12_000;

/// What the frame of an answer costs, in quarters of tokens.
const FRAME: usize = 48;
/// A passage is cut only where so much of its text is left, in quarters of tokens.
const SHORTEST: usize = 120;

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Recall {
    /// Words that it is about.
    pub query: String,
    /// Whom or what it is about: only facts about it are given, and passages are looked for by its name too.
    pub entity: Option<String>,
    /// The most tokens of the answer: four characters of ASCII are a token, and so is every other character.
    pub budget_tokens: usize,
}

/// What was recalled.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Recalled {
    /// Single statements, the best first.
    pub facts: Vec<Fact>,
    /// Pieces of pages, the best first.
    pub passages: Vec<Passage>,
    /// How many facts and passages fit the query and found no room in the budget.
    pub left_out: usize,
}

/// A piece of a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Passage {
    /// The slug of the page, for `get_page`.
    pub page: String,
    /// Its title.
    pub title: String,
    /// The headings that the piece stands under, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heading: Option<String>,
    /// Its text. It ends with `…` where it was cut for the budget.
    pub text: String,
}

impl Recall {
    /// A query with a budget of [`DEFAULT_BUDGET`].
    pub fn new(query: impl Into<String>) -> Self {
        Self { query: query.into(), entity: None, budget_tokens: DEFAULT_BUDGET }
    }

    /// Says whom or what it is about.
    #[must_use]
    pub fn entity(mut self, entity: impl Into<String>) -> Self {
        self.entity = Some(entity.into());
        self
    }

    /// Sets the most tokens of the answer.
    #[must_use]
    pub fn budget_tokens(mut self, tokens: usize) -> Self {
        self.budget_tokens = tokens;
        self
    }
}

impl Recalled {
    /// As many facts and then passages, both given the best first, as the budget has room for as JSON. The first passage
    /// that has no room whole is cut, if enough of it remains; what comes behind is left out.
    ///
    /// ```
    /// use tool_std::memory::{Fact, Recalled};
    ///
    /// let facts = || ["short", "another"].map(Fact::new);
    /// assert_eq!(Recalled::within(4_000, facts(), []).left_out, 0);
    /// assert_eq!(Recalled::within(18, facts(), []).facts, [Fact::new("short")]);
    /// assert_eq!(Recalled::within(0, facts(), []).left_out, 2);
    /// ```
    pub fn within(
        budget_tokens: usize,
        facts: impl IntoIterator<Item = Fact>,
        passages: impl IntoIterator<Item = Passage>,
    ) -> Self {
        let mut recalled = Self::default();
        let mut room = budget_tokens.saturating_mul(4).saturating_sub(FRAME);
        let mut is_full = false;
        for fact in facts {
            match room.checked_sub(cost(&fact)).filter(|_| !is_full) {
                Some(left) => {
                    room = left;
                    recalled.facts.push(fact);
                }
                None => {
                    is_full = true;
                    recalled.left_out += 1;
                }
            }
        }
        // A fact that has no room must not keep a cut passage out.
        is_full = false;
        for passage in passages {
            let passage = if is_full { None } else { fitted(passage, &mut room) };
            is_full |= passage.is_none() || room == 0;
            match passage {
                Some(passage) => recalled.passages.push(passage),
                None => recalled.left_out += 1,
            }
        }
        recalled
    }
}

/// What stands where a text was cut.
const CUT: char = '…';

/// The passage as it has room; takes the room, all of it where the passage had to be cut.
fn fitted(mut passage: Passage, room: &mut usize) -> Option<Passage> {
    if let Some(left) = room.checked_sub(cost(&passage)) {
        *room = left;
        return Some(passage);
    }
    let text = std::mem::take(&mut passage.text);
    let left = room.checked_sub(cost(&passage) + quarters(CUT)).filter(|left| *left >= SHORTEST)?;
    let mut used = 0;
    let fits = text.char_indices().find(|&(_, c)| {
        used += quarters(c);
        used > left
    });
    let end = fits.map_or(text.len(), |(at, _)| at);
    let start = text.get(..end).unwrap_or_default();
    let start = start.rfind(char::is_whitespace).and_then(|at| start.get(..at)).unwrap_or(start);
    passage.text = format!("{}{CUT}", start.trim_end());
    *room = 0;
    Some(passage)
}

/// What a thing costs as JSON with the comma behind it, in quarters of tokens.
fn cost(item: &impl Serialize) -> usize {
    let json = serde_json::to_string(item).unwrap_or_default();
    json.chars().map(quarters_of_json).sum::<usize>() + 1
}

/// What a character costs within a text of JSON.
fn quarters(c: char) -> usize {
    match c {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        c if c < ' ' => 6,
        c => quarters_of_json(c),
    }
}

fn quarters_of_json(c: char) -> usize {
    if c.is_ascii() { 1 } else { 4 }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn passage(text: &str) -> Passage {
        Passage { page: "p".to_owned(), title: "T".to_owned(), heading: None, text: text.to_owned() }
    }

    fn tokens(recalled: &Recalled) -> usize {
        let json = serde_json::to_string(recalled).unwrap();
        json.chars().map(quarters_of_json).sum::<usize>().div_ceil(4)
    }

    #[test]
    fn a_passage_that_has_no_room_is_cut_behind_a_word() {
        let passages =
            || ["word ".repeat(20), "other ".repeat(100), "last".to_owned()].map(|text| passage(&text));
        let recalled = Recalled::within(120, [], passages());
        assert_eq!((recalled.passages.len(), recalled.left_out), (2, 1));
        assert!(recalled.passages[1].text.ends_with("other…"), "{recalled:?}");
        assert!(tokens(&recalled) <= 120);
        assert_eq!(Recalled::within(usize::MAX, [], passages()).left_out, 0);
        for none in [0, 1, 12, 40] {
            let recalled = Recalled::within(none, [], passages());
            assert_eq!((recalled.passages.len(), recalled.left_out), (0, 3), "{none}");
        }
    }

    #[test]
    fn a_long_fact_does_not_take_the_room_of_passages() {
        let recalled = Recalled::within(100, [Fact::new("x".repeat(2_000))], [passage("text")]);
        assert_eq!((recalled.facts.len(), recalled.passages.len(), recalled.left_out), (0, 1, 1));
    }

    proptest! {
        #[test]
        fn no_answer_is_over_its_budget(
            budget in 12_usize..800,
            facts in proptest::collection::vec(any::<String>(), 0..6),
            passages in proptest::collection::vec(any::<String>(), 0..6),
        ) {
            let facts: Vec<_> = facts.into_iter().map(Fact::new).collect();
            let passages: Vec<_> = passages.iter().map(|text| passage(&text.repeat(30))).collect();
            let all = facts.len() + passages.len();
            let recalled = Recalled::within(budget, facts, passages);
            prop_assert!(tokens(&recalled) <= budget, "{} > {budget}", tokens(&recalled));
            prop_assert_eq!(recalled.facts.len() + recalled.passages.len() + recalled.left_out, all);
        }
    }
}

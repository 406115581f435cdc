//! Ranks tools by the words of a query (BM25).

use std::collections::HashMap;

use bm25::{Embedder, EmbedderBuilder};

use crate::tool::WorkerAgentTool;

use super::words::{Words, plain};

/// How much more a word counts in a tool's name, and in the words that its author gave for the search.
const NAME_WEIGHT: usize = 3;
const SEARCH_TEXT_WEIGHT: usize = 2;

/// The most different words of a query that are looked at; those beyond are left out.
const QUERY_WORDS: usize = 32;

/// The words of a catalog's tools. The weights come from the library; the lists are kept here, since a word that stands in
/// every tool must not make a query slow.
pub(super) struct Index {
    embedder: Embedder<u32, Words>,
    /// By word: the tools that hold it, with what it adds to their scores.
    lists: HashMap<u32, Vec<(usize, f32)>>,
    /// How many tools there are.
    count: usize,
}

impl Index {
    pub(super) fn new(tools: &[WorkerAgentTool]) -> Self {
        let texts: Vec<String> = tools.iter().map(text).collect();
        let borrowed: Vec<&str> = texts.iter().map(String::as_str).collect();
        let embedder: Embedder<u32, Words> =
            EmbedderBuilder::with_tokenizer_and_fit_to_corpus(Words::new(), &borrowed).build();
        let mut lists: HashMap<u32, Vec<(usize, f32)>> = HashMap::new();
        for (position, text) in borrowed.iter().enumerate() {
            for word in embedder.embed(text).0 {
                let list = lists.entry(word.index).or_default();
                // A word stands in the list once for each time that the tool has it, always with the same value.
                if list.last().is_none_or(|&(last, _)| last != position) {
                    list.push((position, word.value));
                }
            }
        }
        for list in lists.values_mut() {
            let rarity = rarity(tools.len(), list.len());
            list.iter_mut().for_each(|(_, value)| *value *= rarity);
        }
        Self { embedder, lists, count: tools.len() }
    }

    /// The tools that have a word of the query, the best first; equal ones in their order.
    pub(super) fn ranked(&self, query: &str) -> Ranked {
        let mut words: Vec<u32> = Vec::new();
        for word in self.embedder.embed(query).0 {
            if words.len() < QUERY_WORDS && !words.contains(&word.index) {
                words.push(word.index);
            }
        }
        let mut scores = vec![0_f32; self.count];
        for &(position, value) in words.iter().filter_map(|word| self.lists.get(word)).flatten() {
            if let Some(score) = scores.get_mut(position) {
                *score += value;
            }
        }
        let hits = scores.into_iter().enumerate().filter(|&(_, score)| score > 0.0);
        Ranked {
            rest: hits.map(|(position, score)| (score, position)).collect(),
            best: Vec::new().into_iter(),
        }
    }
}

/// How much a word says that `holders` of `count` tools have.
fn rarity(count: usize, holders: usize) -> f32 {
    let (count, holders) = (count as f32, holders as f32);
    (1.0 + (count - holders + 0.5) / (holders + 0.5)).ln()
}

/// Hits that are sorted only as far as they are asked for.
pub(super) struct Ranked {
    best: std::vec::IntoIter<(f32, usize)>,
    rest: Vec<(f32, usize)>,
}

impl Ranked {
    /// How many are sorted at a time.
    const STEP: usize = 64;
}

impl Iterator for Ranked {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        if self.best.len() == 0 && !self.rest.is_empty() {
            let order = |left: &(f32, usize), right: &(f32, usize)| {
                right.0.total_cmp(&left.0).then(left.1.cmp(&right.1))
            };
            let mut step = std::mem::take(&mut self.rest);
            if step.len() > Self::STEP {
                step.select_nth_unstable_by(Self::STEP, order);
                self.rest = step.split_off(Self::STEP);
            }
            step.sort_unstable_by(order);
            self.best = step.into_iter();
        }
        self.best.next().map(|(_, position)| position)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.best.len() + self.rest.len();
        (left, Some(left))
    }
}

impl ExactSizeIterator for Ranked {}

/// All that a tool is found by, as one text: what weighs more stands in it more often.
fn text(tool: &WorkerAgentTool) -> String {
    let spec = tool.spec();
    let mut text = String::new();
    let mut add = |part: &str, times: usize| {
        for _ in 0..times {
            text.push_str(part);
            text.push('\n');
        }
    };
    add(&spec.name, NAME_WEIGHT);
    if let Some(namespace) = &spec.namespace {
        add(&namespace.name, 1);
    }
    if let Some(title) = &spec.title {
        add(title, 1);
    }
    if let Some(words) = &spec.search_text {
        add(words, SEARCH_TEXT_WEIGHT);
    }
    add(&spec.description, 1);
    for name in tool.definition().parameters().property_names() {
        add(name, 1);
    }
    text
}

/// The words of all names, each once, for queries that match nothing.
pub(super) fn vocabulary(tools: &[WorkerAgentTool]) -> Vec<String> {
    let names = tools.iter().flat_map(|tool| plain(&tool.spec().name));
    let mut words: Vec<String> = names.filter(|word| word.chars().count() > 2).collect();
    words.sort_unstable();
    words.dedup();
    words
}

//! Asks a memory questions of which the right page is known, and counts in which place it comes.

use std::collections::HashSet;

use tool_std::memory::{IfThere, MemoryStore as _, NewPage, Recall, StateMemory};

/// A question as somebody asks it, and the page that answers it.
pub(crate) type Question = (&'static str, &'static str);

/// Keeps the pages, asks, and prints a table; gives the questions whose page is not among the first three.
pub(crate) async fn ask(
    name: &str,
    memory: &StateMemory,
    pages: &[NewPage],
    questions: &[Question],
) -> Vec<String> {
    for pages in pages.chunks(100) {
        for kept in memory.add_pages(pages, IfThere::Refuse).await.unwrap() {
            kept.unwrap();
        }
    }
    let known: HashSet<_> = memory.pages().await.unwrap().into_iter().map(|page| page.slug).collect();
    let mut missed = Vec::new();
    let (mut first, mut found) = (0, 0);
    println!("\n{name}: {} pages, {} questions", known.len(), questions.len());
    println!("place  question -> page that answers it [page that came first instead]");
    for (question, expected) in questions {
        assert!(
            known.contains(*expected),
            "no page is called `{expected}`: it was renamed, or lies elsewhere"
        );
        let recalled = memory.recall(&Recall::new(*question)).await.unwrap();
        let mut seen = HashSet::new();
        let places: Vec<_> = recalled.passages.iter().map(|passage| passage.page.as_str()).collect();
        let places: Vec<_> = places.into_iter().filter(|page| seen.insert(*page)).collect();
        let place = places.iter().position(|page| page == expected).map(|place| place + 1);
        let told = place.map_or("-".to_owned(), |place| place.to_string());
        let instead = match place {
            Some(1) => String::new(),
            _ => format!(" [{}]", places.first().unwrap_or(&"nothing")),
        };
        println!("{told:>5}  {question} -> {expected}{instead}");
        first += usize::from(place == Some(1));
        match place {
            Some(1..=3) => found += 1,
            _ => missed.push(format!(
                "{name}: {question}: {expected} is not among {:?}",
                places.get(..3).unwrap_or(&places)
            )),
        }
    }
    println!("first: {first} of {0}; among the first three: {found} of {0}", questions.len());
    missed
}

//! Many write at once, and others read meanwhile.

use std::collections::BTreeSet;

use tool_std::memory::{Fact, IfThere, Memory, NewPage, PageFound, Recall, StateMemory};
use tool_std::state::State;

use crate::world::worlds;

const WRITERS: usize = 6;
const PAGES: usize = 15;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn nothing_of_many_writers_is_lost() {
    for world in worlds().await {
        let mut tasks = Vec::new();
        for writer in 0..WRITERS {
            let place = world.database.place.clone();
            tasks.push(tokio::spawn(async move {
                // Each with connections of its own, as processes have.
                let memory = StateMemory::new(&State::open(&place).await.unwrap(), "agent-1");
                for number in 0..PAGES {
                    let body = format!("# Page\n\nwriter{writer} page{number} {}", "text ".repeat(50));
                    let page = NewPage::new(format!("Page {writer} {number}"), body);
                    memory.add_page(&page, IfThere::Refuse).await.unwrap();
                    // All of them write this one.
                    let shared = NewPage::new("Shared", format!("owl{writer} and number{number}"));
                    memory.add_page(&shared, IfThere::Replace).await.unwrap();
                    memory.add_fact(&Fact::new(format!("Fact {number}."))).await.unwrap();
                }
            }));
        }
        let reader = Memory::new(world.memory.clone());
        while tasks.iter().any(|task| !task.is_finished()) {
            let recalled = reader.recall(&Recall::new("number1 owl1 text")).await.unwrap();
            assert!(recalled.passages.iter().all(|passage| !passage.text.is_empty()), "{}", world.name);
            tokio::task::yield_now().await;
        }
        for task in tasks {
            task.await.unwrap();
        }
        let slugs: BTreeSet<_> =
            world.memory.pages().await.unwrap().into_iter().map(|page| page.slug).collect();
        assert_eq!(slugs.len(), WRITERS * PAGES + 1, "{}", world.name);
        assert_eq!(
            world.memory.facts().await.unwrap().len(),
            PAGES,
            "{}: the same fact is kept once",
            world.name
        );
        for writer in 0..WRITERS {
            let recalled = reader.recall(&Recall::new(format!("writer{writer} page14"))).await.unwrap();
            assert_eq!(recalled.passages[0].page, format!("page-{writer}-14"), "{}", world.name);
        }
        // What is found of the page that all wrote is what stands in it.
        let PageFound::Page(shared) = reader.page("shared").await.unwrap() else { panic!("no page") };
        let query: String = (0..WRITERS).map(|writer| format!("owl{writer} ")).collect();
        let recalled = reader.recall(&Recall::new(query)).await.unwrap();
        let texts: Vec<_> = recalled.passages.iter().map(|passage| passage.text.as_str()).collect();
        assert_eq!(texts, [shared.body.as_str()], "{}", world.name);
    }
}

#[tokio::test]
async fn a_change_that_is_dropped_is_made_whole_or_not_at_all() {
    for world in worlds().await {
        let pages: Vec<_> = (0..50).map(|number| NewPage::new(format!("Page {number}"), "the owl")).collect();
        for polls in [1_usize, 3, 10, 40, 120] {
            let mut change = Box::pin(world.memory.add_pages(&pages, IfThere::Refuse));
            let mut done = false;
            for _ in 0..polls {
                tokio::select! {
                    biased;
                    kept = &mut change => { kept.unwrap(); done = true; break }
                    () = tokio::time::sleep(std::time::Duration::from_micros(100)) => {}
                }
            }
            drop(change);
            let kept = world.memory.pages().await.unwrap().len();
            // Its end may have been on its way already.
            assert!(kept == 50 || (kept == 0 && !done), "{} after {polls}: {kept}", world.name);
            if kept == 50 {
                break;
            }
        }
        // The connection that was dropped in the middle is no obstacle.
        for kept in world.memory.add_pages(&pages, IfThere::Refuse).await.unwrap() {
            kept.unwrap();
        }
        assert_eq!(world.memory.pages().await.unwrap().len(), 50, "{}", world.name);
    }
}

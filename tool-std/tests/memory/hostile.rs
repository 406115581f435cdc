//! Queries, names and pages that mean no good.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::json;
use tool_std::memory::{Fact, IfThere, Memory, MemoryErrorKind, NewPage, Recall};

use crate::world::worlds;

/// What is syntax for one of the databases, and what else may stand in a query.
const QUERIES: &[&str] = &[
    "owl\"",
    "\"owl",
    "owl*",
    "owl AND",
    "NOT owl",
    "NEAR(owl bird, 2)",
    "title:owl",
    "{title text}: owl",
    "-owl",
    "^owl",
    "owl + bird",
    "(owl",
    "owl)",
    "owl'; DROP TABLE memory_pages; --",
    "owl & !bird | (",
    "owl <-> bird:*",
    "owl\\",
    "$1 owl ?1 :owl @owl",
    "owl\u{0}bird",
    "\u{feff}owl\u{202e}",
    "owl \u{1f989}",
    "%owl_",
    "owl\r\n\tbird",
    "\u{10ffff} owl",
    "o\u{301}wl owl",
];

#[tokio::test]
async fn nothing_in_a_query_is_syntax() {
    for world in worlds().await {
        world.add("owl", "Owl", "An owl is a bird.").await.unwrap();
        world.memory.add_fact(&Fact::new("The owl sleeps.").about("Owl")).await.unwrap();
        for query in QUERIES {
            for arguments in [json!({ "query": query }), json!({ "query": "owl", "entity": query })] {
                let call = world.recall(arguments).await;
                let found = call.details::<serde_json::Value>();
                let found =
                    found.unwrap_or_else(|_| panic!("{}: {query:?}: {}", world.name, call.model_text));
                assert_eq!(found["passages"][0]["page"], "owl", "{}: {query:?}", world.name);
            }
        }
        assert_eq!(world.memory.pages().await.unwrap().len(), 1, "{}", world.name);
    }
}

#[tokio::test]
async fn a_query_of_a_megabyte_is_answered() {
    for world in worlds().await {
        world.add("owl", "Owl", "An owl is a bird.").await.unwrap();
        for query in [
            "owl ".repeat(1 << 18),
            format!("owl {}", "x".repeat(1 << 20)),
            format!("owl {}", "\"*(".repeat(1 << 18)),
            format!("owl {}", (0..100_000).map(|number| format!("w{number} ")).collect::<String>()),
            format!("owl {}", "\u{4e2d}\u{6587}".repeat(1 << 17)),
        ] {
            let call = world.recall(json!({ "query": query })).await;
            assert!(call.model_text.contains("An owl is a bird."), "{}", world.name);
            assert!(call.activity.unwrap().chars().count() <= 120);
        }
    }
}

#[tokio::test]
async fn any_page_is_kept_as_it_is_and_any_query_is_answered() {
    for world in worlds().await {
        let memory = Memory::new(world.memory.clone());
        let mut runner =
            TestRunner::new(Config { cases: 40, failure_persistence: None, ..Config::default() });
        let handle = tokio::runtime::Handle::current();
        let (kept_in, name) = (world.memory.clone(), world.name);
        let ran = tokio::task::spawn_blocking(move || {
            runner.run(&(any::<String>(), "\\PC*\n# \\PC*\n\\PC*", any::<String>()), |(title, body, query)| {
                handle.block_on(async {
                    let page = NewPage::new(&title, &body).slug("any");
                    let kept = kept_in.add_page(&page, IfThere::Replace).await;
                    if let Err(error) = kept {
                        prop_assert_eq!(error.kind(), MemoryErrorKind::Invalid, "{}", error);
                    } else {
                        let found = memory.page("any").await.unwrap();
                        let is_it = matches!(&found, tool_std::memory::PageFound::Page(page) if page.body == body);
                        prop_assert!(is_it, "{:?}", found);
                    }
                    let recalled = memory.recall(&Recall::new(&query).entity(&title)).await;
                    if let Err(error) = recalled {
                        prop_assert_eq!(error.kind(), MemoryErrorKind::Invalid, "{}", error);
                    }
                    if let Err(error) = memory.page(&query).await {
                        prop_assert!(false, "{}", error);
                    }
                    Ok(())
                })
            })
        });
        ran.await.unwrap().unwrap_or_else(|failure| panic!("{name}: {failure}"));
    }
}

#[tokio::test]
async fn pages_of_strange_shapes_are_kept_and_found() {
    for world in worlds().await {
        for (slug, body) in [
            ("one-word", "owl".repeat(100_000)),
            ("headings", format!("{}\nowl", "# a\n## b\n".repeat(20_000))),
            ("open-fence", format!("```\n{}", "# owl\n".repeat(10_000))),
            ("long-heading", format!("# {}\n\nowl", "h".repeat(100_000))),
            ("deep", format!("{} owl\n\ntext", "#".repeat(100_000))),
            ("marks", format!("owl {}", "\u{301}".repeat(50_000))),
            ("ligatures", format!("owl {}", "\u{fdfa}".repeat(10_000))),
            ("spaces", format!("{}owl", " ".repeat(1_000_000))),
            ("lines", format!("{}owl", "\n".repeat(1_000_000))),
        ] {
            world.add(slug, slug, &body).await.unwrap();
            let call = world.recall(json!({ "query": slug })).await;
            assert!(call.model_text.contains(&format!("\"page\":\"{slug}\"")), "{}: {slug}", world.name);
            assert!(world.memory.remove_page(slug).await.unwrap(), "{}: {slug}", world.name);
        }
    }
}

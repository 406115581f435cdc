//! Pages and facts are kept, replaced and removed.

use tool_std::memory::{
    Fact, IfThere, Keeping, MAX_FACT, MAX_PAGE, MAX_TITLE, Memory, MemoryErrorKind, NewPage, PageFound,
    Recall, StateMemory,
};
use tool_std::state::State;

use crate::databases::sqlite;
use crate::world::worlds;

/// The pages that a query finds, each once, the best first.
async fn found(memory: &StateMemory, query: &str) -> Vec<String> {
    let recalled = Memory::new(memory.clone()).recall(&Recall::new(query)).await.unwrap();
    let mut pages: Vec<_> = recalled.passages.into_iter().map(|passage| passage.page).collect();
    pages.dedup();
    pages
}

#[tokio::test]
async fn a_page_is_added_left_refused_and_replaced() {
    for world in worlds().await {
        let (name, memory) = (world.name, &world.memory);
        let old = NewPage::new("Rotating Keys", "On the first of a month, by the owl.");
        let kept = memory.add_page(&old, IfThere::Refuse).await.unwrap();
        assert_eq!((kept.slug.as_str(), kept.keeping), ("rotating-keys", Keeping::Added), "{name}");
        let again = memory.add_page(&old, IfThere::Refuse).await.unwrap();
        assert_eq!(again.keeping, Keeping::Unchanged, "{name}");

        let new = NewPage::new("Rotating keys", "Every Friday, by the fox.");
        let refused = memory.add_page(&new, IfThere::Refuse).await.unwrap_err();
        assert_eq!(refused.kind(), MemoryErrorKind::Exists, "{name}");
        assert_eq!(
            refused.to_string(),
            "the page `rotating-keys` is there already, titled `Rotating Keys` and with another title or text; replace it, \
             or give this one another slug"
        );
        assert_eq!(found(memory, "owl").await, ["rotating-keys"], "{name}: what was refused changes nothing");

        let replaced = memory.add_page(&new, IfThere::Replace).await.unwrap();
        assert_eq!(replaced.keeping, Keeping::Replaced, "{name}");
        assert!(found(memory, "owl").await.is_empty(), "{name}: old words find nothing");
        assert_eq!(found(memory, "fox").await, ["rotating-keys"], "{name}");
        let pages = memory.pages().await.unwrap();
        assert_eq!(
            (pages.len(), pages[0].title.as_str(), pages[0].bytes),
            (1, "Rotating keys", 25),
            "{name}"
        );
    }
}

#[tokio::test]
async fn what_is_removed_is_not_found() {
    for world in worlds().await {
        let (name, memory) = (world.name, &world.memory);
        world.add("a", "A", "the owl").await.unwrap();
        world.add("b", "B", "the owl").await.unwrap();
        assert!(memory.remove_page("a").await.unwrap(), "{name}");
        assert!(!memory.remove_page("a").await.unwrap(), "{name}: twice");
        assert!(!memory.remove_page("A\u{0}").await.unwrap(), "{name}: no slug");
        assert_eq!(found(memory, "owl").await, ["b"], "{name}");

        let fact = memory.add_fact(&Fact::new("The owl sleeps.")).await.unwrap();
        assert!(memory.remove_fact(fact).await.unwrap(), "{name}");
        assert!(!memory.remove_fact(fact).await.unwrap(), "{name}");
        let recalled = Memory::new(memory.clone()).recall(&Recall::new("owl sleeps")).await.unwrap();
        assert!(recalled.facts.is_empty(), "{name}");
        // A number is not given again, so that words of what is gone cannot lead to what is new.
        assert!(memory.add_fact(&Fact::new("Other.")).await.unwrap() > fact, "{name}");
    }
}

#[tokio::test]
async fn a_batch_keeps_what_it_can_and_tells_the_rest() {
    for world in worlds().await {
        let pages = [
            NewPage::new("One", "text"),
            NewPage::new("Blank", " \n"),
            NewPage::new("One", "other text"),
            NewPage::new("Two", "text"),
        ];
        let kept = world.memory.add_pages(&pages, IfThere::Refuse).await.unwrap();
        let kinds: Vec<_> = kept.iter().map(|kept| kept.as_ref().map_err(|error| error.kind())).collect();
        assert!(kinds[0].is_ok() && kinds[3].is_ok(), "{}: {kinds:?}", world.name);
        assert_eq!(kinds[1].unwrap_err(), MemoryErrorKind::Invalid, "{}", world.name);
        assert_eq!(kinds[2].unwrap_err(), MemoryErrorKind::Exists, "{}", world.name);
        assert_eq!(world.memory.pages().await.unwrap().len(), 2, "{}", world.name);
        assert!(world.memory.add_pages(&[], IfThere::Refuse).await.unwrap().is_empty());
    }
}

#[tokio::test]
async fn what_cannot_be_kept_says_why() {
    for world in worlds().await {
        let long = "x".repeat(MAX_TITLE + 1);
        for (page, expected) in [
            (NewPage::new(" \n", "text"), "the title of the page is blank; give it a name".to_owned()),
            (NewPage::new("\u{1f389}", "text"), "the title `\u{1f389}` has no letter or digit".to_owned()),
            (
                NewPage::new(&long, "text"),
                format!("the title of the page has 301 bytes and may have {MAX_TITLE}"),
            ),
            (NewPage::new("T", " \n\t"), "the page `t` holds no text".to_owned()),
            (NewPage::new("T", "a\u{0}b"), "the page `t` holds a NUL character at byte 1".to_owned()),
            (NewPage::new("T\u{0}", "a"), "the title of the page holds a NUL character at byte 1".to_owned()),
            (
                NewPage::new("T", "a".repeat(MAX_PAGE + 1)),
                "the page `t` has 4194305 bytes and may have 4194304".to_owned(),
            ),
            (NewPage::new("T", "a").slug("../etc/Passwd"), "`../etc/Passwd` is no slug".to_owned()),
            (NewPage::new("T", "a").slug("../etc/Passwd"), "`etc/passwd` would be one".to_owned()),
            (NewPage::new("T", "a").slug(""), "it needs a letter or a digit".to_owned()),
            (NewPage::new("T", "a").slug(&long), "the slug of the page has 301 bytes".to_owned()),
        ] {
            let error = world.memory.add_page(&page, IfThere::Refuse).await.unwrap_err();
            assert_eq!(error.kind(), MemoryErrorKind::Invalid);
            assert!(error.to_string().contains(&expected), "{}: {error}", world.name);
        }
        for (fact, expected) in [
            (Fact::new(" "), "the fact is blank"),
            (Fact::new("x".repeat(MAX_FACT + 1)), "the fact has 2001 bytes and may have 2000"),
            (Fact::new("a\u{0}"), "the fact holds a NUL character at byte 1"),
            (Fact::new("a").about(" "), "what the fact is about is blank"),
        ] {
            let error = world.memory.add_fact(&fact).await.unwrap_err();
            assert!(error.to_string().contains(expected), "{}: {error}", world.name);
        }
        assert!(
            world.memory.pages().await.unwrap().is_empty() && world.memory.facts().await.unwrap().is_empty()
        );
    }
}

#[tokio::test]
async fn the_longest_page_and_fact_are_kept() {
    for world in worlds().await {
        let body = "A line of the page, with words. ".repeat(MAX_PAGE / 32);
        assert_eq!(body.len(), MAX_PAGE);
        world.add("long", &"t".repeat(MAX_TITLE), &body).await.unwrap();
        let found = Memory::new(world.memory.clone()).page("long").await.unwrap();
        assert!(matches!(found, PageFound::Page(page) if page.body == body), "{}", world.name);
        let fact = Fact::new("f".repeat(MAX_FACT)).about("e".repeat(MAX_TITLE));
        world.memory.add_fact(&fact).await.unwrap();
        assert_eq!(world.memory.facts().await.unwrap()[0].fact, fact, "{}", world.name);
        assert!(world.memory.remove_page("long").await.unwrap());
    }
}

#[tokio::test]
async fn a_fact_is_kept_once_for_each_thing_that_it_is_about() {
    for world in worlds().await {
        let memory = &world.memory;
        let first = memory.add_fact(&Fact::new(" Likes tea. ").about("Ann")).await.unwrap();
        let same = memory.add_fact(&Fact::new("Likes tea.").about(" ann ")).await.unwrap();
        assert_eq!(same, first, "{}", world.name);
        memory.add_fact(&Fact::new("Likes tea.").about("Bob")).await.unwrap();
        memory.add_fact(&Fact::new("Likes tea.")).await.unwrap();
        let facts = memory.facts().await.unwrap();
        let about: Vec<_> = facts.iter().map(|kept| kept.fact.entity.as_deref()).collect();
        assert_eq!(about, [Some("Ann"), Some("Bob"), None], "{}", world.name);
    }
}

#[tokio::test]
async fn agents_of_one_database_have_memories_of_their_own() {
    for world in worlds().await {
        let other = StateMemory::new(&world.state, "agent-2");
        world.add("secret", "Secret", "the owl").await.unwrap();
        world.memory.add_fact(&Fact::new("The owl sleeps.").about("Owl")).await.unwrap();
        let fact = world.memory.facts().await.unwrap()[0].id;

        let memory = Memory::new(other.clone());
        let recalled = memory.recall(&Recall::new("owl").entity("Owl")).await.unwrap();
        assert!(recalled.facts.is_empty() && recalled.passages.is_empty(), "{}", world.name);
        assert_eq!(memory.page("secret").await.unwrap(), PageFound::Candidates(Vec::new()), "{}", world.name);
        assert!(!other.remove_page("secret").await.unwrap() && !other.remove_fact(fact).await.unwrap());
        let page = NewPage::new("Secret", "mine");
        assert_eq!(other.add_page(&page, IfThere::Refuse).await.unwrap().keeping, Keeping::Added);
        assert_eq!(found(&world.memory, "owl").await, ["secret"], "{}", world.name);
    }
}

#[tokio::test]
async fn a_memory_outlives_the_process_that_wrote_it() {
    for world in worlds().await {
        world.add("kept", "Kept", "the owl").await.unwrap();
        world.state.close().await;
        let state = State::open(&world.database.place).await.unwrap();
        assert_eq!(found(&StateMemory::new(&state, "agent-1"), "owls").await, ["kept"], "{}", world.name);
    }
}

#[tokio::test]
async fn a_memory_can_have_a_file_of_its_own() {
    let database = sqlite();
    let file = database.folder.path().join("memory.db");
    let state = State::open(&format!("sqlite:{}", file.display())).await.unwrap();
    let memory = StateMemory::new(&state, "agent-1");
    memory.add_page(&NewPage::new("Owl", "the owl"), IfThere::Refuse).await.unwrap();
    assert_eq!(found(&memory, "owl").await, ["owl"]);
}

//! Which page a model gets for a reference.

use serde_json::{Value, json};

use crate::world::{World, worlds};

impl World {
    /// The slug of the page, or those of the candidates.
    async fn meant(&self, reference: &str) -> Result<String, Vec<String>> {
        let call = self.get_page(json!({ "reference": reference })).await;
        let result: Value = call.details().unwrap_or_else(|_| panic!("{}: {}", self.name, call.model_text));
        match result["page"]["slug"].as_str() {
            Some(slug) => {
                assert!(result.get("candidates").is_none());
                Ok(slug.to_owned())
            }
            None => {
                let candidates = result["candidates"].as_array().unwrap().iter();
                Err(candidates.map(|page| page["slug"].as_str().unwrap().to_owned()).collect())
            }
        }
    }
}

#[tokio::test]
async fn a_page_is_meant_by_slug_title_or_its_name_in_a_folder() {
    for world in worlds().await {
        world.add("docs/jobs", "Background Jobs", "text").await.unwrap();
        world.add("docs/uber", "\u{dc}ber  uns", "text").await.unwrap();
        for reference in ["docs/jobs", " Docs/Jobs ", "background  JOBS", "jobs", "Jobs", "/docs/jobs/"] {
            assert_eq!(
                world.meant(reference).await.as_deref(),
                Ok("docs/jobs"),
                "{}: {reference}",
                world.name
            );
        }
        assert_eq!(world.meant("\u{fc}ber uns").await.as_deref(), Ok("docs/uber"), "{}", world.name);
    }
}

#[tokio::test]
async fn what_may_mean_several_pages_is_not_guessed() {
    for world in worlds().await {
        world.add("a/setup", "Setup", "for a").await.unwrap();
        world.add("b/setup", "Setup", "for b").await.unwrap();
        world.add("c/install", "Installing", "how to set up c, once").await.unwrap();
        let both = Err(vec!["a/setup".to_owned(), "b/setup".to_owned()]);
        assert_eq!(world.meant("setup").await, both, "{}: by name", world.name);
        assert_eq!(world.meant("SETUP").await, both, "{}: by title", world.name);
        assert_eq!(world.meant("a/setup").await.as_deref(), Ok("a/setup"), "{}", world.name);
        // One that is only like it is a candidate too.
        assert_eq!(world.meant("installing c").await, Err(vec!["c/install".to_owned()]), "{}", world.name);
    }
}

#[tokio::test]
async fn a_slug_names_its_page_whatever_titles_others_have() {
    for world in worlds().await {
        world.add("keys", "Rotation", "text").await.unwrap();
        world.add("other", "keys", "text").await.unwrap();
        assert_eq!(world.meant("keys").await.as_deref(), Ok("keys"), "{}", world.name);
        let both = Err(vec!["keys".to_owned(), "other".to_owned()]);
        assert_eq!(world.meant("Keys").await, both, "{}: that is no slug", world.name);
    }
}

#[tokio::test]
async fn what_means_nothing_is_said_to() {
    for world in worlds().await {
        world.add("keys", "Keys", "text").await.unwrap();
        for reference in ["owls", "../../etc/passwd", "\u{1f389}", "%", "_", "' OR 1=1 --", "\u{0}"] {
            let call = world.get_page(json!({ "reference": reference })).await;
            assert!(call.outcome.is_err(), "{}: {reference}", world.name);
            assert!(call.model_text.contains("find one with `recall`"), "{}", call.model_text);
        }
        let long = world.get_page(json!({ "reference": "owl ".repeat(1 << 18) })).await;
        assert!(long.outcome.is_err() && long.model_text.len() < 1_000, "{}", world.name);
    }
}

#[tokio::test]
async fn a_long_page_comes_in_pieces_that_join_exactly() {
    for world in worlds().await {
        let body = "A \"line\" \u{1f600} of the page.\r\n\u{7f}\u{1}".repeat(8_000);
        world.add("long", "Long", &body).await.unwrap();
        let (mut joined, mut offset, mut pieces) = (String::new(), Some(0), 0);
        while let Some(at) = offset {
            let call = world.get_page(json!({ "reference": "long", "offset": at })).await;
            let piece: Value = call.details().unwrap();
            assert!(call.model_text.len() < 50_000, "{}", world.name);
            joined += piece["page"]["text"].as_str().unwrap();
            offset = piece["page"]["next_offset"].as_u64();
            pieces += 1;
        }
        assert!(pieces > 3 && joined == body, "{}", world.name);
        let behind = world.get_page(json!({ "reference": "long", "offset": 1 << 30 })).await;
        assert!(behind.model_text.contains("and the page ends at"), "{}", behind.model_text);
    }
}

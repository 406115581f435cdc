//! What a model recalls.

use serde_json::{Value, json};
use tool_std::memory::{Fact, Recalled};

use crate::world::{World, worlds};

impl World {
    async fn recalled(&self, arguments: Value) -> Value {
        let call = self.recall(arguments).await;
        assert!(call.outcome.is_ok(), "{}: {}", self.name, call.model_text);
        call.details().unwrap()
    }

    /// The pages of the passages, each as often as it comes.
    async fn pages(&self, query: &str) -> Vec<String> {
        let recalled = self.recalled(json!({ "query": query })).await;
        recalled["passages"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["page"].as_str().unwrap().to_owned())
            .collect()
    }
}

#[tokio::test]
async fn facts_come_first_then_passages_with_their_headings() {
    for world in worlds().await {
        world.memory.add_fact(&Fact::new("Ann rotates the keys.").about("Ann")).await.unwrap();
        world.memory.add_fact(&Fact::new("The moon is far.")).await.unwrap();
        let body =
            "# Keys\n\nNothing yet.\n\n## When\n\nKeys are rotated on Fridays.\n\n## Who\n\nSomebody else.";
        world.add("keys", "Keys", body).await.unwrap();
        let recalled = world.recalled(json!({ "query": "who rotates keys?" })).await;
        assert_eq!(
            recalled["facts"],
            json!([{ "claim": "Ann rotates the keys.", "entity": "Ann" }]),
            "{}",
            world.name
        );
        assert_eq!(
            recalled["passages"][0],
            json!({ "page": "keys", "title": "Keys", "heading": "When", "text": "Keys are rotated on Fridays." }),
            "{}",
            world.name
        );
        assert_eq!(recalled["left_out"], 0, "{}", world.name);
        assert!(recalled["passages"][1].get("heading").is_none_or(|heading| heading != &Value::Null));
    }
}

#[tokio::test]
async fn facts_about_an_entity_are_given_also_where_they_say_it_otherwise() {
    for world in worlds().await {
        for (claim, about) in [
            ("Was born on 3 May.", Some("Ann")),
            ("Has a birthday party each year.", Some("ANN")),
            ("Has a birthday in June.", Some("Bob")),
            ("Nobody likes a birthday.", None),
        ] {
            let fact = Fact { claim: claim.to_owned(), entity: about.map(str::to_owned) };
            world.memory.add_fact(&fact).await.unwrap();
        }
        let recalled = world.recalled(json!({ "query": "birthday", "entity": " ann " })).await;
        let claims: Vec<_> =
            recalled["facts"].as_array().unwrap().iter().map(|fact| &fact["claim"]).collect();
        assert_eq!(claims, ["Has a birthday party each year.", "Was born on 3 May."], "{}", world.name);
        let all = world.recalled(json!({ "query": "birthday" })).await;
        assert_eq!(all["facts"].as_array().unwrap().len(), 3, "{}", world.name);
    }
}

#[tokio::test]
async fn an_answer_keeps_to_its_budget() {
    for world in worlds().await {
        for number in 0..30 {
            let body = format!("The owl number {number} sleeps. {}", "And it snores. ".repeat(40));
            world.add(&format!("owl-{number}"), &format!("Owl {number}"), &body).await.unwrap();
        }
        let mut found = 0;
        for budget in [1, 11, 50, 200, 1_000, 12_000] {
            let recalled = world.recalled(json!({ "query": "owl", "budget_tokens": budget })).await;
            let recalled_of = recalled["passages"].as_array().unwrap().len();
            assert!(recalled.to_string().len() <= budget.max(12) * 4, "{}: {budget}", world.name);
            assert_eq!(recalled_of as u64 + recalled["left_out"].as_u64().unwrap(), 30, "{}", world.name);
            assert!(recalled_of >= found, "{}", world.name);
            found = recalled_of;
        }
        assert_eq!(found, 30, "{}", world.name);
        for (budget, expected) in
            [(json!(0), "1 to 12000"), (json!(12_001), "1 to 12000"), (json!(-1), "1 to 12000")]
        {
            let call = world.recall(json!({ "query": "owl", "budget_tokens": budget })).await;
            assert!(call.outcome.is_err() && call.model_text.contains(expected), "{}", call.model_text);
        }
    }
}

#[tokio::test]
async fn one_page_does_not_take_the_place_of_others() {
    for world in worlds().await {
        let long = (0..20).map(|part| format!("## Part {part}\n\nowl owl owl\n")).collect::<String>();
        world.add("owls", "Owls", &long).await.unwrap();
        world
            .add("birds", "Birds", "Some birds, as the owl, fly by night, which most of the others do not.")
            .await
            .unwrap();
        let pages = world.pages("owl").await;
        assert_eq!(pages[..4], ["owls", "owls", "owls", "birds"], "{}", world.name);
        assert_eq!(pages.len(), 21, "{}", world.name);
    }
}

#[tokio::test]
async fn words_are_found_in_their_forms_and_scripts() {
    for world in worlds().await {
        for (slug, title, body) in [
            ("connect", "Links", "Connections that are broken are connected again."),
            ("cafe", "Menu", "Le caf\u{e9} est ferm\u{e9} en \u{e9}t\u{e9}."),
            ("go", "入門", "これはメモリの設定方法です。"),
            ("ko", "한국어", "메모리를 설정합니다."),
            ("th", "ภาษาไทย", "หน่วยความจำของระบบ"),
            ("hi", "हिन्दी", "स्मृति की व्यवस्था"),
            ("code", "Code", "Call `TodoStore::restore_all` on HTTPServer."),
            ("ru", "Память", "Настройки памяти агента."),
        ] {
            world.add(slug, title, body).await.unwrap();
        }
        for (query, expected) in [
            ("connecting", "connect"),
            ("ETE cafe", "cafe"),
            ("設定", "go"),
            ("入門", "go"),
            ("法", "go"),
            ("설정", "ko"),
            ("ความจำ", "th"),
            ("स्मृति", "hi"),
            ("todo store", "code"),
            ("todostore", "code"),
            ("restore_all", "code"),
            ("HTTP server", "code"),
            ("ПАМЯТИ", "ru"),
        ] {
            let pages = world.pages(query).await;
            assert_eq!(pages.first().map(String::as_str), Some(expected), "{}: {query}", world.name);
        }
        assert!(world.pages("猫").await.is_empty(), "{}", world.name);
    }
}

#[tokio::test]
async fn a_title_and_a_rare_word_say_more() {
    for world in worlds().await {
        for number in 0..20 {
            world
                .add(&format!("p{number}"), &format!("Page {number}"), "the server and the client")
                .await
                .unwrap();
        }
        world.add("other", "Other", "the server, the server, the server has a gasket").await.unwrap();
        world.add("gaskets", "Gaskets", "What seals.").await.unwrap();
        assert_eq!(world.pages("server gasket").await[..2], ["gaskets", "other"], "{}", world.name);
    }
}

#[tokio::test]
async fn nothing_found_is_an_answer_and_no_words_are_a_mistake() {
    for world in worlds().await {
        let recalled = world.recall(json!({ "query": "owl" })).await;
        assert_eq!(recalled.details::<Value>().unwrap(), json!(Recalled::default()), "{}", world.name);
        assert_eq!(recalled.activity.as_deref(), Some("Recalling owl"));
        for query in ["\"*-()", "\u{1f389}", " "] {
            let call = world.recall(json!({ "query": query })).await;
            assert!(
                call.model_text.contains("the query has no word that could be looked for"),
                "{}",
                call.model_text
            );
        }
        let call = world.recall(json!({ "query": "" })).await;
        assert!(call.model_text.contains("at least 1 character"), "{}", call.model_text);
    }
}

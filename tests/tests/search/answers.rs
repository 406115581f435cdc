//! What the model reads.

use serde_json::json;
use tool_runtime::{Namespace, ToolCatalog, ToolSet, ToolSpec, WorkerAgentTool, tools};

use super::{LARGE, clock, large, listed};

async fn ask(set: &ToolSet, arguments: serde_json::Value) -> String {
    set.call("tool_search", &arguments.to_string()).await.unwrap().text()
}

async fn asked(arguments: serde_json::Value) -> String {
    ask(&ToolSet::new(listed()).unwrap(), arguments).await
}

#[tokio::test]
async fn by_words_of_name_description_search_text_and_parameters() {
    for (query, tool) in [
        ("finding customers", "crm.find_customer"),
        ("Lists the ORDERS", "crm.list_orders"),
        ("history of purchases", "crm.list_orders"),
        ("cents", "shop.set_price"),
        ("github pull request", "GitHubPullRequest"),
        ("git hub", "GitHubPullRequest"),
        ("find_customer", "crm.find_customer"),
        ("crm.find_customer", "crm.find_customer"),
        ("crm__find_customer", "crm.find_customer"),
    ] {
        let text = asked(json!({"query": query})).await;
        let first = text.lines().nth(1).unwrap_or_default();
        assert!(first.starts_with(&format!("- {tool}: ")), "{query}: {text}");
    }
}

#[tokio::test]
async fn what_was_loaded_is_said_in_a_line_each() {
    let text = asked(json!({"query": "customer", "limit": 1})).await;
    assert_eq!(
        text,
        "Loaded 1 tool. It is listed with its parameters from your next response on:\n\
         - crm.find_customer: Finds a customer by a part of the name.\n\
         Not loaded, but matching too: `crm.list_orders`. Ask for them by `names`, or be more exact."
    );
}

#[tokio::test]
async fn by_namespace_and_by_words_in_one() {
    let text = asked(json!({"namespace": "crm"})).await;
    assert!(text.starts_with("Loaded 2 tools."), "{text}");
    let text = asked(json!({"namespace": "shop", "query": "find"})).await;
    assert!(text.contains("- shop.find_product: ") && !text.contains("find_customer"), "{text}");
    let text = asked(json!({"namespace": "crn"})).await;
    assert!(
        text.starts_with("There is no namespace `crn`. Did you mean `crm`?\nThe namespaces are `crm` (2): "),
        "{text}"
    );
    let text = asked(json!({"namespace": "crm", "query": "price"})).await;
    assert!(
        text.starts_with("No tool in the namespace `crm` matches `price`; nothing was loaded."),
        "{text}"
    );
}

#[tokio::test]
async fn by_exact_names_with_near_ones_for_those_that_are_wrong() {
    let text = asked(json!({"names": ["crm.find_customer", "set_price", "crm.find_custmer", "zzz"]})).await;
    assert_eq!(
        text,
        "Loaded 2 tools. They are listed with their parameters from your next response on:\n\
         - crm.find_customer: Finds a customer by a part of the name.\n\
         - shop.set_price: Changes a price.\n\
         No tool is named `crm.find_custmer`. Did you mean `crm.find_customer`?\n\
         No tool is named `zzz`."
    );
}

fn in_namespace(namespace: &'static str, name: &'static str) -> WorkerAgentTool {
    let spec = ToolSpec::new(name, "Finds.").namespace(Namespace::new(namespace, "Some."));
    spec.defer_loading(true).read_only(true).no_parameters().execute(|_, _| async { "found" })
}

#[tokio::test]
async fn a_name_in_two_namespaces_is_not_guessed() {
    let catalog = ToolCatalog::new(vec![in_namespace("a", "find"), in_namespace("b", "find")]).unwrap();
    let set = ToolSet::new(catalog.tools()).unwrap();
    let text = ask(&set, json!({"names": ["find"]})).await;
    assert_eq!(
        text,
        "Several tools are named `find`, and none was loaded: ask for one of `a.find`, `b.find`."
    );
    assert!(ask(&set, json!({"names": ["b.find"]})).await.starts_with("Loaded 1 tool."));
}

#[tokio::test]
async fn nothing_is_found_and_that_is_said_with_near_words_and_what_there_is() {
    let text = asked(json!({"query": "custmer"})).await;
    assert_eq!(
        text,
        "No tool matches `custmer`; nothing was loaded.\n\
         Names of tools have the words `customer`.\n\
         The namespaces are `crm` (2): Customers and their orders; `shop` (2): The products of the shop; one tool is in none.\n\
         Look for other words for what you want to do, in a `namespace`, or by exact `names`."
    );
    // Words that stand in any request find nothing by themselves.
    assert!(asked(json!({"query": "what is the tool to use for this"})).await.starts_with("No tool matches"));
}

#[tokio::test]
async fn what_is_loaded_already_is_said() {
    let mut set = ToolSet::new(listed()).unwrap();
    set.load(Some("crm"), "find_customer");
    let text = ask(&set, json!({"names": ["crm.find_customer"]})).await;
    assert_eq!(text, "Loaded already, to be called at once: `crm.find_customer`.");
    let text = ask(&set, json!({"query": "customer"})).await;
    assert!(text.contains("- crm.list_orders") && text.contains("at once: `crm.find_customer`"), "{text}");
}

#[tokio::test]
async fn asked_for_nothing_it_says_what_there_is() {
    let text = asked(json!({})).await;
    assert!(text.starts_with("The namespaces are `crm` (2): Customers and their orders; "), "{text}");
    let description =
        ToolSet::new(listed()).unwrap().get(None, "tool_search").unwrap().spec().description.to_string();
    assert!(description.contains("`crm` (2): Customers and their orders"), "{description}");
}

#[tokio::test]
async fn arguments_out_of_bounds_are_refused() {
    let set = ToolSet::new(listed()).unwrap();
    for arguments in [json!({"query": ""}), json!({"limit": 21}), json!({"names": []}), json!({"words": "x"})]
    {
        assert!(set.call("tool_search", &arguments.to_string()).await.is_err(), "{arguments}");
    }
}

#[tokio::test]
async fn answers_over_5_000_tools_are_bounded() {
    let set = ToolSet::new(tools![clock, ..LARGE.tools()]).unwrap();
    let description = LARGE.search_tool().spec().description.clone();
    assert!(description.chars().count() <= 1_000 && description.contains("; and "), "{description}");
    for arguments in [
        json!({"query": "work", "limit": 20}),
        json!({"namespace": "service_7"}),
        json!({"query": "zzzzz"}),
        json!({"names": vec!["x".repeat(200); 20]}),
        json!({}),
    ] {
        let text = ask(&set, arguments.clone()).await;
        assert!(text.len() < 6_000, "{arguments}: {} bytes", text.len());
    }
    let text = ask(&set, json!({"namespace": "service_7"})).await;
    assert!(text.starts_with("Loaded 20 tools.") && text.contains("`service_7.do_729` and others"), "{text}");
}

#[tokio::test]
async fn equal_queries_give_equal_answers() {
    let other = ToolCatalog::new(large()).unwrap();
    let found = [&*LARGE, &other].map(|catalog| {
        let names = catalog.find("work number").take(200).map(|tool| tool.spec().name.to_string());
        names.collect::<Vec<_>>()
    });
    assert_eq!(found[0], found[1]);
    assert_eq!(found[0][..2], ["do_0", "do_1"], "equally good ones stand in their order");
}

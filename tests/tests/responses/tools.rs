//! Tools as the provider gets them.

use serde_json::{Value, json};
use tests::wire::{parse, tool};
use tool_runtime::provider::chat;
use tool_runtime::provider::responses::encode_tools;
use tool_runtime::{ToolSet, ToolSpec};

use crate::{catalog, fixture, read_file};

#[test]
fn every_kind_of_tool_is_encoded_in_the_authors_order() {
    let encoded = encode_tools(&catalog());
    assert_eq!(parse(&encoded), parse(fixture!("tools")), "{encoded}");
}

#[test]
fn strict_is_always_said() {
    let set = ToolSet::new(vec![read_file(), tool(ToolSpec::new("b", "B."), &json!({}))]).unwrap();
    let tools = parse(&encode_tools(&set));
    assert_eq!((&tools[0]["strict"], &tools[1]["strict"]), (&json!(true), &json!(false)));
}

#[test]
fn a_set_of_no_tools_is_an_empty_list() {
    assert_eq!(encode_tools(&ToolSet::new(Vec::new()).unwrap()), "[]");
}

/// Each entry that is deferred, and whether tool search is offered.
fn deferred(set: &ToolSet) -> (Vec<String>, bool) {
    let tools = parse(&encode_tools(set));
    let own = tools.as_array().unwrap().iter();
    let members = own.flat_map(|entry| match entry["tools"].as_array() {
        Some(members) => members.iter().collect::<Vec<&Value>>(),
        None => vec![entry],
    });
    let deferred = members.filter(|entry| entry["defer_loading"] == true);
    let names = deferred.map(|entry| entry["name"].as_str().unwrap().to_owned()).collect();
    (names, tools.as_array().unwrap().iter().any(|entry| entry["type"] == "tool_search"))
}

#[test]
fn d_25_a_tool_that_the_host_loads_is_listed_with_its_parameters() {
    let mut set = catalog();
    assert_eq!(deferred(&set).0, ["delete", "cron", "get_weather"]);
    assert!(set.load(Some("crm"), "delete"));
    assert_eq!(deferred(&set), (vec!["cron".to_owned(), "get_weather".to_owned()], true));
    assert!(set.load(None, "cron") && set.load(None, "get_weather"));
    assert_eq!(deferred(&set), (Vec::new(), false));
    assert!(!set.load(None, "nothing"));
}

#[test]
fn a_tool_that_the_provider_found_may_be_called_and_leaves_the_list_as_it_is() {
    let mut set = catalog();
    let before = encode_tools(&set);
    assert!(set.mark_found(Some("crm"), "delete"));
    // The provider names a bare tool that it found by its own name as the namespace.
    assert!(set.mark_found(Some("get_weather"), "get_weather"));
    assert!(!set.mark_found(Some("crm"), "crm"));
    assert_eq!(encode_tools(&set), before);
    let waiting: Vec<&str> = set.deferred().map(|tool| &*tool.spec().name).collect();
    assert_eq!(waiting, ["cron"]);
}

#[test]
fn a_tool_that_the_host_loaded_stays_listed_when_the_provider_finds_it() {
    let mut set = catalog();
    set.load(Some("crm"), "delete");
    set.mark_found(Some("crm"), "delete");
    assert_eq!(deferred(&set).0, ["cron", "get_weather"]);
}

/// The provider refuses the whole request for one of them.
#[test]
fn a_raw_schema_with_a_union_at_the_root_is_listed_as_one_object() {
    let branch = |name: &str| json!({"properties": {name: {"type": "string"}}, "required": [name]});
    for keyword in ["anyOf", "oneOf", "allOf"] {
        let schema = json!({"type": "object", keyword: [branch("path"), branch("url")]});
        let spec = ToolSpec::new("open", "Opens.").schema::<Value>(schema);
        let set = ToolSet::new(vec![spec.execute(|_, _| async { "opened" })]).unwrap();
        for entries in [encode_tools(&set), chat::encode_tools(&chat::Settings::new("m"), &set)] {
            let entry = parse(&entries)[0].clone();
            let parameters = entry.pointer("/function/parameters").unwrap_or(&entry["parameters"]);
            assert_eq!(parameters["type"], "object", "{entries}");
            assert!(
                parameters["properties"]["path"].is_object() && parameters.get(keyword).is_none(),
                "{entries}"
            );
        }
    }
}

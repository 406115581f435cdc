//! Tools as the server gets them.

use serde_json::json;
use tests::wire::{parse, tool};
use tool_runtime::provider::chat::{MAX_TOOLS, Settings, encode_request, encode_tools};
use tool_runtime::{Item, ModelErrorKind, ModelRequest, Namespace, Offer, ToolName, ToolSet, ToolSpec};

use crate::{catalog, fixture};

#[test]
fn every_kind_of_tool_is_encoded_in_the_authors_order() {
    let encoded = encode_tools(&Settings::new("m"), &catalog());
    assert_eq!(parse(&encoded), parse(fixture!("tools")), "{encoded}");
}

#[test]
fn a_server_that_knows_functions_only_gets_functions_only() {
    let encoded = encode_tools(&Settings::compatible("m"), &catalog());
    assert_eq!(parse(&encoded), parse(fixture!("tools_functions")), "{encoded}");
}

#[test]
fn strict_is_always_said() {
    let tools = parse(&encode_tools(&Settings::compatible("m"), &catalog()));
    assert!(tools.as_array().unwrap().iter().all(|entry| entry["function"]["strict"].is_boolean()));
}

fn names(set: &ToolSet) -> Vec<String> {
    let tools = parse(&encode_tools(&Settings::compatible("m"), set));
    let name = |entry: &serde_json::Value| entry["function"]["name"].as_str().unwrap().to_owned();
    tools.as_array().unwrap().iter().map(name).collect()
}

#[test]
fn d_25_a_deferred_tool_is_listed_when_it_is_loaded_or_found() {
    let mut set = catalog();
    assert!(!names(&set).contains(&"crm__delete".to_owned()));
    let mut loaded = catalog();
    assert!(loaded.load(Some("crm"), "delete") && set.mark_found(Some("crm"), "delete"));
    for set in [set, loaded] {
        assert_eq!(names(&set)[3], "crm__delete");
    }
}

#[test]
fn a_name_with_a_namespace_is_unique_and_short_enough() {
    let long: &'static str = Box::leak("n".repeat(64).into_boxed_str());
    let in_long = |name: &str| {
        let spec = ToolSpec::new(name.to_owned(), "Does it.").namespace(Namespace::new(long, "Long."));
        tool(spec, &json!({}))
    };
    let bare = tool(ToolSpec::new("crm__find", "A bare one."), &json!({}));
    let find = tool(ToolSpec::new("find", "F.").namespace(Namespace::new("crm", "C.")), &json!({}));
    let set = ToolSet::new(vec![find, bare, in_long("a"), in_long("b")]).unwrap();
    let names = names(&set);
    assert_eq!(&names[..2], ["crm__find_2", "crm__find"]);
    assert!(names[2] != names[3] && names.iter().all(|name| name.len() <= 64), "{names:?}");
}

#[test]
fn more_tools_than_the_provider_takes_are_refused_with_their_number() {
    let many = |count: usize| {
        let tools = (0..count).map(|number| tool(ToolSpec::new(format!("t{number}"), "T."), &json!({})));
        ToolSet::new(tools.collect()).unwrap()
    };
    let items = [Item::user("hi")];
    let settings = Settings::new("m");
    let most = many(MAX_TOOLS);
    assert!(encode_request(&settings, &ModelRequest::new(&most, &items)).is_ok());
    let hosted = settings.clone().hosted(json!({"type": "web_search"}));
    assert!(encode_request(&hosted, &ModelRequest::new(&most, &items)).is_err());

    let too_many = many(130);
    let mut request = ModelRequest::new(&too_many, &items);
    let error = encode_request(&settings, &request).unwrap_err();
    assert_eq!((error.kind, error.retryable), (ModelErrorKind::Request, false));
    assert_eq!(
        error.message,
        "the request lists 130 tools and at most 128 are taken: offer fewer, or make some of them `defer_loading`"
    );
    let some = [ToolName::bare("t1")];
    request.offer = Offer::Only(&some);
    assert!(encode_request(&settings, &request).is_ok());
    let mut own_limit = settings;
    own_limit.abilities.max_tools = 500;
    assert!(encode_request(&own_limit, &ModelRequest::new(&too_many, &items)).is_ok());
}

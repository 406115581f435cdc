//! Tools as Anthropic gets them.

use serde_json::{Value, json};
use tests::wire::{parse, tool, with_schema};
use tool_runtime::provider::anthropic::{
    MAX_STRICT_TOOLS, Settings, ToolSearch, encode_request, encode_tools,
};
use tool_runtime::{AllowedCallers, Item, ModelRequest, Offer, ToolName, ToolSet, ToolSpec, WorkerAgentTool};

use crate::{catalog, fixture, set};

fn encoded(set: &ToolSet) -> Value {
    parse(&encode_tools(&Settings::new("m"), set))
}

fn strict(name: String, schema: Value) -> WorkerAgentTool {
    with_schema(ToolSpec::new(name, "Does.").strict(true), schema)
}

/// Which tools of a request are enforced, and what is told about the others.
fn enforced(tools: Vec<WorkerAgentTool>) -> (Vec<bool>, Vec<(String, String)>) {
    let set = set(tools);
    let items = [Item::user("hi")];
    let encoded = encode_request(&Settings::new("m"), &ModelRequest::new(&set, &items)).unwrap();
    let tools = parse(&encoded.body)["tools"].as_array().unwrap().clone();
    let strict = tools.iter().filter_map(|tool| tool.get("strict")).map(|strict| strict == true).collect();
    let dropped = encoded.strict_dropped.into_iter().map(|dropped| (dropped.tool, dropped.reason)).collect();
    (strict, dropped)
}

#[test]
fn every_kind_of_tool_is_encoded_in_the_authors_order() {
    let text = encode_tools(&Settings::new("m"), &catalog());
    assert_eq!(parse(&text), parse(fixture!("anthropic/tools.json")), "{text}");
}

#[test]
fn s_25_another_providers_strict_subset() {
    let schema = json!({"$ref": "#/$defs/P", "$defs": {"P": {"type": "object",
        "properties": {"n": {"type": "integer", "minimum": 1, "maximum": 9}}, "required": ["n"]}}});
    let tools = encoded(&set(vec![strict("f".to_owned(), schema)]));
    assert_eq!(tools[0]["strict"], true);
    assert_eq!(
        tools[0]["input_schema"],
        json!({
            "type": "object",
            "properties": {"n": {"type": "integer", "description": "At least 1, at most 9."}},
            "required": ["n"],
            "additionalProperties": false,
        })
    );
}

#[test]
fn what_is_optional_may_be_left_out_and_admits_no_null() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "integer"}}, "required": ["b"]});
    let tools = encoded(&set(vec![strict("f".to_owned(), schema)]));
    let sent = &tools[0]["input_schema"];
    assert_eq!((&sent["properties"]["a"], &sent["required"]), (&json!({"type": "string"}), &json!(["b"])));
}

#[test]
fn a_schema_that_contains_itself_is_not_enforced_here() {
    let schema =
        json!({"type": "object", "properties": {"next": {"$ref": "#"}}, "additionalProperties": false});
    let (strict, dropped) = enforced(vec![strict("f".to_owned(), schema)]);
    assert_eq!(strict, [false]);
    assert_eq!(
        dropped,
        [(
            "f".to_owned(),
            "at `the root`: strict takes no schema that contains itself here; write the levels out"
                .to_owned()
        )]
    );
}

#[test]
fn a_twenty_first_strict_tool_goes_out_without() {
    let plain = || json!({"type": "object", "properties": {}});
    let tools = (0..22).map(|number| strict(format!("f{number}"), plain())).collect();
    let (strict, dropped) = enforced(tools);
    assert!(strict[..MAX_STRICT_TOOLS].iter().all(|strict| *strict));
    assert_eq!(strict[MAX_STRICT_TOOLS..], [false, false]);
    let names: Vec<&str> = dropped.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["f20", "f21"]);
    assert_eq!(dropped[0].1, "one request enforces at most 20 tools, 20 are taken, and this tool adds 1");
}

#[test]
fn optional_properties_of_all_strict_tools_are_counted() {
    let optional = |count: usize| {
        let properties: Value = (0..count).map(|n| (format!("p{n}"), json!({"type": "string"}))).collect();
        json!({"type": "object", "properties": properties})
    };
    let tools = [10, 10, 5, 4].map(|count| strict(format!("f{count}_{}", count % 3), optional(count)));
    let mut tools = tools.to_vec();
    tools[1] = strict("second".to_owned(), optional(10));
    let (strict, dropped) = enforced(tools);
    // The third is too much, and the last still fits.
    assert_eq!(strict, [true, true, false, true]);
    assert_eq!(
        dropped[0].1,
        "one request enforces at most 24 properties that may be left out, 20 are taken, and this tool adds 5"
    );
}

#[test]
fn values_of_several_types_of_all_strict_tools_are_counted() {
    let unions = |count: usize| {
        let properties: serde_json::Map<String, Value> =
            (0..count).map(|n| (format!("p{n}"), json!({"type": ["string", "null"]}))).collect();
        let required: Vec<&String> = properties.keys().collect();
        json!({"type": "object", "required": required, "properties": properties})
    };
    let (strict, dropped) =
        enforced(vec![strict("a".to_owned(), unions(16)), strict("b".to_owned(), unions(1))]);
    assert_eq!(strict, [true, false]);
    assert_eq!(
        dropped[0].1,
        "one request enforces at most 16 values of several types, 16 are taken, and this tool adds 1"
    );
}

#[test]
fn a_tool_for_programs_is_not_enforced_and_contains_nothing_that_contains_itself() {
    let schema = json!({
        "type": "object",
        "properties": {"tree": {"$ref": "#/$defs/node"}},
        "additionalProperties": false,
        "$defs": {"node": {
            "type": "object",
            "properties": {"name": {"type": "string"}, "inner": {"type": "array", "items": {"$ref": "#/$defs/node"}}},
            "additionalProperties": false,
        }},
    });
    let tool = |callers| {
        let spec = ToolSpec::new("f", "Does.").strict(true).allowed_callers(callers);
        with_schema(spec, schema.clone())
    };
    let (strict, dropped) = enforced(vec![tool(AllowedCallers::Any)]);
    assert_eq!(strict, [false]);
    assert_eq!(dropped[0].1, "this provider does not enforce the parameters of tools that programs may call");
    let text = encode_tools(&Settings::new("m"), &set(vec![tool(AllowedCallers::Programmatic)]));
    assert!(
        !text.contains("$ref") && text.contains("Again a `node`, like the one that it stands in."),
        "{text}"
    );
    let direct = encode_tools(&Settings::new("m"), &set(vec![tool(AllowedCallers::Direct)]));
    assert!(direct.contains("$ref"), "{direct}");
}

#[test]
fn a_union_at_the_root_becomes_one_object() {
    let schema = json!({
        "type": "object",
        "properties": {"id": {"type": "integer"}},
        "required": ["id"],
        "anyOf": [
            {"properties": {"route": {"type": "string"}}, "required": ["route"], "additionalProperties": true},
            {"required": ["file", "line"]},
        ],
    });
    let tools = encoded(&set(vec![with_schema(ToolSpec::new("f", "Does."), schema)]));
    assert_eq!(
        tools[0]["input_schema"],
        json!({
            "type": "object",
            "properties": {"id": {"type": "integer"}, "route": {}},
            "required": ["id"],
            "description": "Give `route`, or `file` and `line`.",
        })
    );
}

#[test]
fn closed_branches_at_the_root_keep_their_properties() {
    let branch = |kind: &str, name: &str| {
        json!({
            "type": "object",
            "properties": {"kind": {"const": kind}, name: {"type": "string"}},
            "required": ["kind", name],
            "additionalProperties": false,
        })
    };
    let schema = json!({"type": "object", "oneOf": [branch("a", "x"), branch("b", "y")]});
    let tools = encoded(&set(vec![with_schema(ToolSpec::new("f", "Does."), schema)]));
    assert_eq!(
        tools[0]["input_schema"],
        json!({
            "type": "object",
            "properties": {
                "kind": {"anyOf": [{"const": "a"}, {"const": "b"}]},
                "x": {"type": "string"},
                "y": {"type": "string"},
            },
            "required": ["kind"],
            "additionalProperties": false,
            "description": "Give `x`, or `y`.",
        })
    );
}

#[test]
fn all_definitions_travel_and_one_entry_is_never_deferred() {
    let deferred = |name: &'static str| tool(ToolSpec::new(name, "Does.").defer_loading(true), &json!({}));
    let mut set = set(vec![deferred("a"), deferred("b")]);
    let search = |entry: &Value| entry["type"].as_str().is_some_and(|kind| kind.starts_with("tool_search"));
    let tools = encoded(&set);
    let list = tools.as_array().unwrap();
    assert_eq!(list.iter().filter(|entry| entry["defer_loading"] == true).count(), 2);
    assert!(list.iter().any(|entry| search(entry) && entry.get("defer_loading").is_none()));
    assert!(list.iter().filter(|entry| !search(entry)).all(|entry| entry["input_schema"].is_object()));
    // What the provider found stays as it is; what the host loads does not.
    set.mark_found(None, "a");
    assert_eq!(encoded(&set), tools);
    set.load(None, "a");
    set.load(None, "b");
    assert!(encoded(&set).as_array().unwrap().iter().all(|entry| !search(entry)));
}

#[test]
fn an_entry_that_the_host_brings_is_not_sent_twice() {
    let own = json!({"type": "tool_search_tool_regex", "name": "tool_search_tool_regex"});
    let settings = Settings::new("m")
        .hosted(own.clone())
        .hosted(json!({"type": "code_execution_20260521", "name": "code_execution"}));
    let tools = parse(&encode_tools(&settings, &catalog()));
    let of_kind = |prefix: &str| {
        let kinds = tools.as_array().unwrap().iter().filter_map(|entry| entry["type"].as_str());
        kinds.filter(|kind| kind.starts_with(prefix)).count()
    };
    assert_eq!((of_kind("tool_search"), of_kind("code_execution")), (1, 1));
    let mut regex = Settings::new("m");
    regex.tool_search = ToolSearch::Regex;
    assert!(encode_tools(&regex, &catalog()).contains("tool_search_tool_regex_20251119"));
}

#[test]
fn a_round_may_offer_some_tools_only() {
    let set = catalog();
    let items = [Item::user("hi")];
    let mut request = ModelRequest::new(&set, &items);
    let some = [ToolName::namespaced("crm", "sql"), ToolName::bare("read_file")];
    request.offer = Offer::Only(&some);
    let body = parse(&encode_request(&Settings::new("m"), &request).unwrap().body);
    let names: Vec<&Value> = body["tools"].as_array().unwrap().iter().map(|tool| &tool["name"]).collect();
    assert_eq!(names, ["read_file", "crm__sql"]);
}

#[test]
fn a_limit_of_one_provider_is_no_fault_of_the_tool() {
    let mut schema = json!({"type": "string"});
    for _ in 0..11 {
        schema = json!({"type": "object", "properties": {"a": schema}, "required": ["a"], "additionalProperties": false});
    }
    let set = set(vec![strict("deep".to_owned(), schema)]);
    assert_eq!(encoded(&set)[0]["strict"], true);
    let items = [Item::user("hi")];
    let request = ModelRequest::new(&set, &items);
    let responses = tool_runtime::provider::responses::Settings::new("m");
    let dropped =
        tool_runtime::provider::responses::encode_request(&responses, &request).unwrap().strict_dropped;
    assert!(dropped[0].reason.contains("at most 10 objects within each other"), "{}", dropped[0].reason);
    let free = json!({"type": "object", "properties": {"a": {"type": "object"}}, "required": ["a"]});
    assert!(ToolSet::new(vec![strict("free".to_owned(), free)]).is_err());
}

//! Bodies of requests.

use serde_json::{Value, json};
use tests::wire::parse;
use tool_runtime::provider::responses::{EncodedRequest, FORMAT, Settings, encode_request};
use tool_runtime::{
    Caller, Content, File, Image, Item, ModelError, ModelErrorKind, ModelRequest, Native, Offer, Previous,
    ResultItem, ToolCall, ToolChoice, ToolName, ToolSet,
};

use crate::{catalog, fixture, read_file};

fn reader() -> ToolSet {
    ToolSet::new(vec![read_file()]).unwrap()
}

fn answer(call: &ToolCall, content: Vec<Content>, is_error: bool) -> Item {
    Item::Result(ResultItem::new(call, content, is_error))
}

#[test]
fn a_stateless_request_holds_the_whole_conversation() {
    let program = Caller::Program { caller_id: "call_p".to_owned() };
    let read = ToolCall::new("call_1", "read_file", r#"{"path":"a"}"#);
    let query = ToolCall::with_text("call_2", "sql", "SELECT 1").in_namespace("crm");
    let stock = ToolCall::new("call_3", "stock", "{}").by(program);
    let media = vec![
        "done".into(),
        "".into(),
        Image::from_base64("image/png", "AAAA").into(),
        File::from_base64("a.pdf", "application/pdf", "BBBB").into(),
        File::from_url("b.pdf", "application/pdf", "https://example.com/b.pdf").into(),
    ];
    let picture = Image::from_url("image/png", "https://example.com/a.png");
    let items = [
        Item::user("Read it."),
        Item::User(vec!["And this:".into(), picture.into()]),
        Item::assistant("I do."),
        Item::call(read.clone()),
        Item::call(query.clone()),
        Item::call(stock.clone()),
        answer(&read, vec!["the ".into(), "text".into()], false),
        answer(&query, vec!["no such table".into()], true),
        answer(&stock, media, false),
    ];
    let mut settings = Settings::new("gpt-test")
        .hosted(json!({"type": "web_search"}))
        .extra("reasoning", json!({"effort": "low"}));
    settings.parallel_tool_calls = Some(false);
    let set = reader();
    let mut request = ModelRequest::new(&set, &items);
    request.instructions = Some("Be brief.");
    request.tool_choice = ToolChoice::Required;
    request.max_output_tokens = Some(500);
    // A memory that a stateless conversation does not use.
    request.previous = Some(Previous::new("resp_1", 3));
    let EncodedRequest { body, strict_dropped, .. } = encode_request(&settings, &request).unwrap();
    assert_eq!(parse(&body), parse(fixture!("request_stateless")), "{body}");
    assert_eq!(strict_dropped, []);
}

#[test]
fn a_stored_request_holds_what_is_new() {
    let read = ToolCall::new("call_1", "read_file", r#"{"path":"a"}"#);
    let items =
        [Item::user("Read it."), Item::call(read.clone()), answer(&read, vec!["the text".into()], false)];
    let set = reader();
    let mut request = ModelRequest::new(&set, &items);
    request.previous = Some(Previous::new("resp_1", 2));
    let body = encode_request(&Settings::new("gpt-test").stored(), &request).unwrap().body;
    assert_eq!(parse(&body), parse(fixture!("request_stored")), "{body}");
}

#[test]
fn a_stored_conversation_without_a_usable_response_is_sent_whole() {
    let set = reader();
    let items = [Item::user("a"), Item::user("b")];
    let body = encode_request(&Settings::new("m").stored(), &ModelRequest::new(&set, &items)).unwrap().body;
    let body = parse(&body);
    assert_eq!(body["input"].as_array().unwrap().len(), 2);
    assert_eq!(body.get("previous_response_id"), None);
}

#[test]
fn reasoning_that_nobody_kept_is_left_out() {
    let set = reader();
    let reasoning = |value| Item::Opaque(Native::new(FORMAT, value));
    let items = [
        reasoning(json!({"type": "reasoning", "id": "rs_1", "encrypted_content": "b64"})),
        reasoning(json!({"type": "reasoning", "id": "rs_2", "encrypted_content": null})),
        reasoning(json!({"type": "program", "id": "cm_1"})),
    ];
    let sent = |settings: &Settings| {
        let body = parse(&encode_request(settings, &ModelRequest::new(&set, &items)).unwrap().body);
        body["input"].as_array().unwrap().iter().map(|item| item["id"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(sent(&Settings::new("m")), ["rs_1", "cm_1"]);
    assert_eq!(sent(&Settings::new("m").stored()), ["rs_1", "rs_2", "cm_1"]);
}

/// The names that a request offers, with its choice among them.
fn offered(offer: Offer<'_>, settings: &Settings) -> (Option<Value>, Option<Value>) {
    let set = catalog();
    let mut request = ModelRequest::new(&set, &[]);
    request.offer = offer;
    let body = parse(&encode_request(settings, &request).unwrap().body);
    let label = |entry: &Value| match entry["tools"].as_array() {
        Some(members) => members.iter().map(|member| member["name"].clone()).collect(),
        None => entry.get("name").unwrap_or(&entry["type"]).clone(),
    };
    let tools = body.get("tools").map(|tools| tools.as_array().unwrap().iter().map(label).collect());
    (tools, body.get("tool_choice").cloned())
}

#[test]
fn a_round_without_tools_has_no_empty_list() {
    assert_eq!(offered(Offer::None, &Settings::new("m")), (None, None));
}

#[test]
fn hosted_tools_are_offered_in_every_round() {
    let settings = Settings::new("m").hosted(json!({"type": "web_search"}));
    assert_eq!(offered(Offer::None, &settings), (Some(json!(["web_search"])), Some(json!("auto"))));
}

#[test]
fn a_round_may_offer_some_tools_only() {
    let some = [ToolName::bare("price"), ToolName::namespaced("crm", "sql"), ToolName::bare("sql")];
    let (tools, _) = offered(Offer::Only(&some), &Settings::new("m"));
    assert_eq!(tools, Some(json!(["price", ["sql"], "programmatic_tool_calling"])));
}

#[test]
fn an_entry_that_the_host_brings_is_not_sent_twice() {
    let settings = Settings::new("m").hosted(json!({"type": "tool_search", "execution": "client"}));
    let deferred = [ToolName::namespaced("crm", "delete")];
    let (tools, _) = offered(Offer::Only(&deferred), &settings);
    assert_eq!(tools, Some(json!([["delete"], "tool_search"])));
}

fn choose(choice: ToolChoice, offer: Offer<'_>) -> Result<Value, ModelError> {
    let set = catalog();
    let mut request = ModelRequest::new(&set, &[]);
    request.tool_choice = choice;
    request.offer = offer;
    let body = encode_request(&Settings::new("m"), &request)?.body;
    Ok(parse(&body)["tool_choice"].clone())
}

#[test]
fn a_choice_is_encoded() {
    let choose = |choice| choose(choice, Offer::All).unwrap();
    assert_eq!(choose(ToolChoice::Auto), "auto");
    assert_eq!(choose(ToolChoice::None), "none");
    assert_eq!(choose(ToolChoice::Required), "required");
    let forced = choose(ToolChoice::Tool(ToolName::bare("read_file")));
    assert_eq!(forced, json!({"type": "function", "name": "read_file"}));
    let forced = choose(ToolChoice::Tool(ToolName::bare("apply_patch")));
    assert_eq!(forced, json!({"type": "custom", "name": "apply_patch"}));
}

#[test]
fn a_choice_that_the_format_cannot_carry_is_refused() {
    let refusal = |choice, offer| {
        let error = choose(choice, offer).unwrap_err();
        assert_eq!((error.kind, error.retryable), (ModelErrorKind::Request, false));
        error.to_string()
    };
    let tool = |name: ToolName| ToolChoice::Tool(name);
    let bare = || ToolName::bare("price");
    let others = [ToolName::bare("stock")];
    assert_eq!(
        refusal(tool(ToolName::bare("prize")), Offer::All),
        "the tool `prize` cannot be forced: the set has none of this name"
    );
    assert_eq!(
        refusal(tool(bare()), Offer::Only(&others)),
        "the tool `price` cannot be forced: the request does not offer it"
    );
    assert_eq!(
        refusal(tool(ToolName::namespaced("crm", "find")), Offer::All),
        "the tool `crm.find` cannot be forced, since it is in a namespace: offer only this tool and require a call"
    );
    assert_eq!(
        refusal(tool(ToolName::bare("cron")), Offer::All),
        "the tool `cron` cannot be forced, since it is deferred: load it first"
    );
    assert_eq!(
        refusal(tool(bare()), Offer::None),
        "a call is forced, and no tool is offered that could be called"
    );
}

#[test]
fn what_the_format_writes_itself_cannot_be_an_extra_field() {
    let set = reader();
    let settings = Settings::new("m").extra("tools", json!([]));
    let error = encode_request(&settings, &ModelRequest::new(&set, &[])).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the extra field `tools` is written by the format itself: leave it out of the settings"
    );
}

#[test]
fn a_previous_response_cannot_cover_more_than_there_is() {
    let set = reader();
    let mut request = ModelRequest::new(&set, &[]);
    request.previous = Some(Previous::new("resp_1", 1));
    let error = encode_request(&Settings::new("m").stored(), &request).unwrap_err();
    assert_eq!(error.to_string(), "1 items are known to the provider, but the conversation has 0");
}

//! Bodies of requests to Anthropic.

use serde_json::{Value, json};
use tests::wire::parse;
use tool_runtime::provider::anthropic::{FORMAT, Settings, decode_response, encode_request};
use tool_runtime::{
    Content, File, Image, Item, ModelError, ModelErrorKind, ModelRequest, Native, Offer, ResultItem,
    ToolCall, ToolChoice, ToolName, ToolSet,
};

use crate::{catalog, fixture, read_file, set};

fn answer(call: &ToolCall, content: Vec<Content>, is_error: bool) -> Item {
    Item::Result(ResultItem::new(call, content, is_error))
}

#[test]
fn a_request_holds_the_whole_conversation() {
    let set = set(vec![
        read_file(),
        crate::text_tool(
            tool_runtime::ToolSpec::new("sql", "Runs a query.").namespace(crate::CRM),
            tool_runtime::TextFormat::Any,
        ),
    ]);
    let read = ToolCall::new("toolu_1", "read_file", r#"{"path": "a"}"#);
    let query = ToolCall::with_text("toolu_2", "sql", "SELECT 1").in_namespace("crm");
    let media = vec![
        "no such table".into(),
        "".into(),
        Image::from_base64("image/png", "AAAA").into(),
        File::from_base64("a.pdf", "application/pdf", "BBBB").into(),
        File::from_base64("a.zip", "application/zip", "CCCC").into(),
    ];
    let thinking = json!({"type": "thinking", "thinking": "hm", "signature": "c2ln"});
    let items = [
        Item::user("Read it."),
        Item::User(vec![
            "And this:".into(),
            Image::from_url("image/png", "https://example.com/a.png").into(),
        ]),
        Item::Opaque(Native::new(FORMAT, thinking)),
        Item::Opaque(Native::new("openai.responses", json!({"type": "reasoning"}))),
        Item::assistant("I do."),
        Item::call(read.clone()),
        Item::call(query.clone()),
        answer(&query, media, true),
        Item::user("Go on."),
        answer(&read, vec!["the ".into(), "text".into()], false),
    ];
    let mut settings = Settings::new("claude-test")
        .streamed()
        .hosted(json!({"type": "web_search_20260209", "name": "web_search"}))
        .extra("thinking", json!({"type": "adaptive"}));
    settings.parallel_tool_calls = Some(false);
    let mut request = ModelRequest::new(&set, &items);
    let offered = [ToolName::bare("read_file")];
    request.offer = Offer::Only(&offered);
    request.instructions = Some("Be brief.");
    request.tool_choice = ToolChoice::Required;
    request.max_output_tokens = Some(500);
    let body = encode_request(&settings, &request).unwrap().body;
    assert_eq!(parse(&body), parse(fixture!("anthropic/request.json")), "{body}");
}

fn encode(
    set: &ToolSet,
    settings: &Settings,
    choice: ToolChoice,
    offer: Offer<'_>,
) -> Result<Value, ModelError> {
    let items = [Item::user("hi")];
    let mut request = ModelRequest::new(set, &items);
    request.tool_choice = choice;
    request.offer = offer;
    Ok(parse(&encode_request(settings, &request)?.body))
}

#[test]
fn a_choice_is_encoded() {
    let set = catalog();
    let choose =
        |choice| encode(&set, &Settings::new("m"), choice, Offer::All).unwrap()["tool_choice"].take();
    assert_eq!(choose(ToolChoice::Auto), json!({"type": "auto"}));
    assert_eq!(choose(ToolChoice::None), json!({"type": "none"}));
    assert_eq!(choose(ToolChoice::Required), json!({"type": "any"}));
    let forced = choose(ToolChoice::Tool(ToolName::namespaced("crm", "find")));
    assert_eq!(forced, json!({"type": "tool", "name": "crm__find"}));
    let one_at_a_time = set_of_one_at_a_time();
    assert_eq!(
        one_at_a_time,
        json!({"type": "tool", "name": "read_file", "disable_parallel_tool_use": true})
    );
}

fn set_of_one_at_a_time() -> Value {
    let mut settings = Settings::new("m");
    settings.parallel_tool_calls = Some(false);
    let choice = ToolChoice::Tool(ToolName::bare("read_file"));
    encode(&set(vec![read_file()]), &settings, choice, Offer::All).unwrap()["tool_choice"].take()
}

#[test]
fn a_round_without_tools_lists_them_and_forbids_calls() {
    let set = catalog();
    let all = encode(&set, &Settings::new("m"), ToolChoice::Auto, Offer::All).unwrap();
    let none = encode(&set, &Settings::new("m"), ToolChoice::Auto, Offer::None).unwrap();
    assert_eq!((&none["tools"], &none["tool_choice"]), (&all["tools"], &json!({"type": "none"})));
    // The provider's own tools stay on offer, so ours cannot be forbidden and are not listed.
    let hosted = json!({"type": "web_search_20260209", "name": "web_search"});
    let settings = Settings::new("m").hosted(hosted.clone());
    let none = encode(&set, &settings, ToolChoice::Auto, Offer::None).unwrap();
    assert_eq!((&none["tools"], &none["tool_choice"]), (&json!([hosted]), &json!({"type": "auto"})));
    let nothing =
        encode(&ToolSet::new(Vec::new()).unwrap(), &Settings::new("m"), ToolChoice::Auto, Offer::All);
    let nothing = nothing.unwrap();
    assert_eq!((nothing.get("tools"), nothing.get("tool_choice")), (None, None));
}

#[test]
fn what_the_format_cannot_carry_is_refused() {
    let set = catalog();
    let refusal = |settings: &Settings, choice, offer| {
        let error = encode(&set, settings, choice, offer).unwrap_err();
        assert_eq!((error.kind, error.retryable), (ModelErrorKind::Request, false));
        error.to_string()
    };
    let plain = Settings::new("m");
    let tool = |name: ToolName| ToolChoice::Tool(name);
    let others = [ToolName::bare("price")];
    for (choice, offer, message) in [
        (
            tool(ToolName::bare("x")),
            Offer::All,
            "the tool `x` cannot be forced: the set has none of this name",
        ),
        (
            tool(ToolName::bare("read_file")),
            Offer::Only(&others),
            "the tool `read_file` cannot be forced: the request does not offer it",
        ),
        (
            tool(ToolName::namespaced("crm", "delete")),
            Offer::All,
            "the tool `crm.delete` cannot be forced: it is deferred, so load it first",
        ),
        (
            tool(ToolName::bare("stock")),
            Offer::All,
            "the tool `stock` cannot be forced: only a program may call it",
        ),
        (ToolChoice::Required, Offer::None, "a call is forced, and no tool is offered that could be called"),
    ] {
        assert_eq!(refusal(&plain, choice, offer), message);
    }
    let mut one_at_a_time = Settings::new("m");
    one_at_a_time.parallel_tool_calls = Some(false);
    assert!(
        refusal(&one_at_a_time, ToolChoice::Auto, Offer::All)
            .starts_with("calls one at a time cannot be asked for while programs may call tools")
    );
    let own = Settings::new("m").extra("system", json!("x"));
    assert!(refusal(&own, ToolChoice::Auto, Offer::All).starts_with("the extra field `system` is written"));
    let error = encode_request(&plain, &ModelRequest::new(&set, &[])).unwrap_err();
    assert_eq!(error.to_string(), "the conversation is empty: begin it with a message of the user");
}

#[test]
fn a_program_gets_its_results_alone_and_in_its_container() {
    let set = catalog();
    let response = decode_response(fixture!("anthropic/response_program.json"), &set).unwrap();
    let call = response.calls().next().unwrap().clone();
    let mut items = vec![Item::user("How many?")];
    items.extend(response.items);
    items.push(answer(&call, vec!["7".into()], false));
    items.push(Item::user("And be quick."));
    let body = |items: &[Item]| {
        parse(&encode_request(&Settings::new("m"), &ModelRequest::new(&set, items)).unwrap().body)
    };
    let waiting = body(&items);
    assert_eq!(waiting["container"], "container_1");
    let came = parse(fixture!("anthropic/response_program.json"));
    assert_eq!(waiting["messages"][1]["content"], came["content"]);
    let result = json!({"type": "tool_result", "tool_use_id": "toolu_1", "content": "7"});
    assert_eq!(waiting["messages"][2]["content"], json!([result]));
    // As soon as the program is done, the user is heard.
    items.push(Item::assistant("Seven."));
    let done = body(&items);
    assert_eq!(done.get("container"), None);
    assert_eq!(done["messages"][2]["content"], json!([result]));
    let last = done["messages"].as_array().unwrap().last().unwrap();
    assert_eq!(last, &json!({"role": "user", "content": [{"type": "text", "text": "And be quick."}]}));
}

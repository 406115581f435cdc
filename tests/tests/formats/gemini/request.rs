//! Bodies of requests to Gemini.

use serde_json::{Value, json};
use tests::wire::{any_arguments, parse, text_tool};
use tool_runtime::provider::gemini::{FORMAT, Settings, encode_request};
use tool_runtime::{
    CallItem, Content, File, Image, Item, ModelError, ModelErrorKind, ModelRequest, Native, Offer,
    ResultItem, TextFormat, ToolCall, ToolChoice, ToolName, ToolSet, ToolSpec,
};

use crate::{CRM, catalog, fixture, read_file, set};

fn answer(call: &ToolCall, content: Vec<Content>, is_error: bool) -> Item {
    Item::Result(ResultItem::new(call, content, is_error))
}

#[test]
fn a_request_holds_the_whole_conversation() {
    let sql = text_tool(ToolSpec::new("sql", "Runs a query.").namespace(CRM), TextFormat::Any);
    let set = set(vec![read_file(), sql]);
    let read = ToolCall::new("c1", "read_file", r#"{"path": "a"}"#);
    let query = ToolCall::with_text("call_1", "sql", "SELECT 1").in_namespace("crm");
    let media = vec![
        "no such table".into(),
        Image::from_base64("image/png", "AAAA").into(),
        File::from_base64("a.pdf", "application/pdf", "BBBB").into(),
    ];
    let native = |value: Value| Native::new(FORMAT, value);
    let items = [
        Item::user("Read it."),
        Item::User(vec![
            "And this:".into(),
            Image::from_url("image/png", "https://example.com/a.png").into(),
        ]),
        Item::Opaque(native(json!({"text": "hm", "thought": true}))),
        Item::Opaque(Native::new("openai.responses", json!({"type": "reasoning"}))),
        Item::assistant("I do."),
        Item::Call(CallItem::new(
            read.clone(),
            Some(native(json!({"thoughtSignature": "c2ln", "id": "c1"}))),
        )),
        Item::call(query.clone()),
        answer(&query, media, true),
        Item::user("Go on."),
        answer(&read, vec!["the ".into(), "text".into()], false),
    ];
    let settings = Settings::new("gemini-test")
        .hosted(json!({"googleSearch": {}}))
        .generation("temperature", json!(0))
        .extra("cachedContent", json!("cachedContents/1"));
    let offered = [ToolName::bare("read_file")];
    let one = ToolSet::new(vec![read_file()]).unwrap();
    let mut request = ModelRequest::new(&set, &items);
    request.instructions = Some("Be brief.");
    request.tool_choice = ToolChoice::Required;
    request.max_output_tokens = Some(500);
    let body = encode_request(&settings, &request).unwrap().body;
    let mut expected = parse(fixture!("gemini/request.json"));
    assert_eq!(parse(&body)["contents"], expected["contents"], "{body}");
    // The same with one tool on offer.
    request.offer = Offer::Only(&offered);
    let body = parse(&encode_request(&settings, &request).unwrap().body);
    assert_eq!(
        body["toolConfig"]["functionCallingConfig"],
        json!({"mode": "ANY", "allowedFunctionNames": ["read_file"]})
    );
    let mut request = ModelRequest::new(&one, &items);
    request.instructions = Some("Be brief.");
    request.tool_choice = ToolChoice::Required;
    request.max_output_tokens = Some(500);
    let body = encode_request(&settings, &request).unwrap().body;
    // A free-text call of a tool that is gone has a name of the same form.
    expected["contents"][2]["parts"][1]["functionResponse"]["name"] = json!("crm__sql");
    assert_eq!(parse(&body), expected, "{body}");
}

fn encode(set: &ToolSet, choice: ToolChoice, offer: Offer<'_>) -> Result<Value, ModelError> {
    let items = [Item::user("hi")];
    let mut request = ModelRequest::new(set, &items);
    request.tool_choice = choice;
    request.offer = offer;
    Ok(parse(&encode_request(&Settings::new("m"), &request)?.body))
}

#[test]
fn a_choice_is_encoded() {
    let loose = set(vec![any_arguments("f"), any_arguments("g")]);
    let config = |set: &ToolSet, choice, offer| {
        encode(set, choice, offer).unwrap()["toolConfig"]["functionCallingConfig"].take()
    };
    assert_eq!(config(&loose, ToolChoice::Auto, Offer::All), json!({"mode": "AUTO"}));
    assert_eq!(config(&loose, ToolChoice::None, Offer::All), json!({"mode": "NONE"}));
    assert_eq!(config(&loose, ToolChoice::Required, Offer::All), json!({"mode": "ANY"}));
    let forced = config(&catalog(), ToolChoice::Tool(ToolName::namespaced("crm", "find")), Offer::All);
    assert_eq!(forced, json!({"mode": "ANY", "allowedFunctionNames": ["crm__find"]}));
    let some = [ToolName::bare("g")];
    let forced = config(&loose, ToolChoice::Required, Offer::Only(&some));
    assert_eq!(forced, json!({"mode": "ANY", "allowedFunctionNames": ["g"]}));
}

#[test]
fn strict_is_a_mode_of_the_request() {
    let set = set(vec![any_arguments("f"), read_file()]);
    let mode = |offer| {
        encode(&set, ToolChoice::Auto, offer).unwrap()["toolConfig"]["functionCallingConfig"]["mode"].take()
    };
    assert_eq!(mode(Offer::All), "VALIDATED");
    let loose = [ToolName::bare("f")];
    assert_eq!(mode(Offer::Only(&loose)), "AUTO");
}

#[test]
fn a_round_without_tools_lists_them_and_forbids_calls() {
    let set = catalog();
    let all = encode(&set, ToolChoice::Auto, Offer::All).unwrap();
    let none = encode(&set, ToolChoice::Auto, Offer::None).unwrap();
    assert_eq!(none["tools"], all["tools"]);
    assert_eq!(none["toolConfig"]["functionCallingConfig"], json!({"mode": "NONE"}));
    let nothing = encode(&ToolSet::new(Vec::new()).unwrap(), ToolChoice::Auto, Offer::All).unwrap();
    assert_eq!((nothing.get("tools"), nothing.get("toolConfig")), (None, None));
}

#[test]
fn what_the_format_cannot_carry_is_refused() {
    let set = catalog();
    let refusal = |choice, offer| {
        let error = encode(&set, choice, offer).unwrap_err();
        assert_eq!((error.kind, error.retryable), (ModelErrorKind::Request, false));
        error.to_string()
    };
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
        assert_eq!(refusal(choice, offer), message);
    }
    let items = [Item::user("hi")];
    let refuse = |settings: Settings, limit| {
        let mut request = ModelRequest::new(&set, &items);
        request.max_output_tokens = limit;
        encode_request(&settings, &request).unwrap_err().to_string()
    };
    assert!(
        refuse(Settings::new("m").extra("tools", json!([])), None).starts_with("the extra field `tools`")
    );
    let limit = Settings::new("m").generation("maxOutputTokens", json!(1));
    assert!(refuse(limit, Some(2)).starts_with("the extra field `maxOutputTokens`"));
    let error = encode_request(&Settings::new("m"), &ModelRequest::new(&set, &[])).unwrap_err();
    assert_eq!(error.to_string(), "the conversation is empty: begin it with a message of the user");
}

#[test]
fn the_path_names_model_and_method() {
    assert_eq!(Settings::new("gemini-test").path(), "models/gemini-test:generateContent");
    assert_eq!(
        Settings::new("tunedModels/mine").streamed().path(),
        "tunedModels/mine:streamGenerateContent?alt=sse"
    );
}

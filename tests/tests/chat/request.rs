//! Bodies of requests.

use serde_json::{Value, json};
use tests::wire::parse;
use tool_runtime::provider::chat::{Settings, encode_request};
use tool_runtime::{
    Content, File, Image, Item, ModelError, ModelErrorKind, ModelRequest, Offer, Previous, ResultItem,
    ToolCall, ToolChoice, ToolName, ToolSet,
};

use crate::{catalog, fixture};

fn answer(call: &ToolCall, content: Vec<Content>, is_error: bool) -> Item {
    Item::Result(ResultItem::new(call, content, is_error))
}

/// A round with every kind of call and result, and what a user says while its calls run.
fn conversation() -> Vec<Item> {
    let read = ToolCall::new("call_1", "read_file", r#"{"path":"a"}"#);
    let query = ToolCall::with_text("call_2", "sql", "SELECT 1").in_namespace("crm");
    let find = ToolCall::new("call_3", "find", r#"{"q":"ada"}"#).in_namespace("crm");
    let media = vec![
        "done".into(),
        Image::from_base64("image/png", "AAAA").into(),
        File::from_base64("a.pdf", "application/pdf", "BBBB").into(),
        File::from_url("b.pdf", "application/pdf", "https://example.com/b.pdf").into(),
    ];
    let picture = Image::from_url("image/png", "https://example.com/a.png");
    vec![
        Item::user("Read it."),
        Item::User(vec!["And this:".into(), picture.into()]),
        Item::assistant("I do."),
        Item::call(read.clone()),
        Item::call(query.clone()),
        Item::call(find.clone()),
        answer(&query, vec!["no table".into()], true),
        Item::user("Go on."),
        answer(&read, media, false),
        answer(&find, vec!["ada".into()], false),
    ]
}

fn body(settings: &Settings, change: impl FnOnce(&mut ModelRequest<'_>)) -> Value {
    let (set, items) = (catalog(), conversation());
    let mut request = ModelRequest::new(&set, &items);
    let only = [ToolName::bare("read_file")];
    request.offer = Offer::Only(&only);
    request.instructions = Some("Be short.");
    request.max_output_tokens = Some(500);
    change(&mut request);
    parse(&encode_request(settings, &request).unwrap().body)
}

#[test]
fn a_request_holds_the_whole_conversation_in_the_order_that_the_format_wants() {
    let mut settings = Settings::new("m").streamed().extra("temperature", json!(0.5));
    settings.parallel_tool_calls = Some(false);
    // There is no memory to build on.
    let body = body(&settings, |request| request.previous = Some(Previous::new("resp_1", 5)));
    assert_eq!(body, parse(fixture!("request")), "{body}");
}

#[test]
fn a_server_that_only_speaks_the_format_gets_what_all_know() {
    let body = body(&Settings::compatible("m"), |_| {});
    assert_eq!(body, parse(fixture!("request_compatible")), "{body}");
}

#[test]
fn a_model_that_cannot_see_is_told_what_there_was() {
    let mut settings = Settings::compatible("m");
    settings.abilities.images = false;
    let body = body(&settings, |_| {});
    assert_eq!(body["messages"][2]["content"], "And this:[image, image/png at https://example.com/a.png]");
    assert_eq!(body["messages"].as_array().unwrap().len(), 8);
    assert!(!body.to_string().contains("AAAA"));
}

struct Asked {
    choice: ToolChoice,
    offer: Option<Vec<ToolName>>,
}

fn asked(settings: &Settings, asked: &Asked) -> Result<(Value, Vec<String>), ModelError> {
    let (set, items) = (catalog(), [Item::user("hi")]);
    let mut request = ModelRequest::new(&set, &items);
    request.tool_choice = asked.choice.clone();
    request.offer = match &asked.offer {
        None => Offer::All,
        Some(names) if names.is_empty() => Offer::None,
        Some(names) => Offer::Only(names),
    };
    let body = parse(&encode_request(settings, &request)?.body);
    let name = |entry: &Value| entry[entry["type"].as_str()?]["name"].as_str().map(str::to_owned);
    let names = body["tools"].as_array().into_iter().flatten().filter_map(name).collect();
    Ok((body["tool_choice"].clone(), names))
}

fn forced(name: ToolName) -> Asked {
    Asked { choice: ToolChoice::Tool(name), offer: None }
}

const ALL: [&str; 5] = ["read_file", "crm__find", "apply_patch", "price", "crm__sql"];

#[test]
fn a_choice_is_nested() {
    let settings = Settings::new("m");
    let choice = |asked_for| asked(&settings, &asked_for).unwrap();
    for (choice_, word) in
        [(ToolChoice::Auto, "auto"), (ToolChoice::None, "none"), (ToolChoice::Required, "required")]
    {
        let (value, names) = choice(Asked { choice: choice_, offer: None });
        assert_eq!((value, names), (json!(word), ALL.map(str::to_owned).to_vec()));
    }
    let (value, names) = choice(forced(ToolName::namespaced("crm", "find")));
    assert_eq!(value, json!({"type": "function", "function": {"name": "crm__find"}}));
    assert_eq!(names, ALL);
    let (value, _) = choice(forced(ToolName::namespaced("crm", "sql")));
    assert_eq!(value, json!({"type": "custom", "custom": {"name": "crm__sql"}}));
}

#[test]
fn a_server_without_named_choices_gets_one_tool_and_must_call_it() {
    let (value, names) =
        asked(&Settings::compatible("m"), &forced(ToolName::namespaced("crm", "sql"))).unwrap();
    assert_eq!((value, names), (json!("required"), vec!["crm__sql".to_owned()]));
}

#[test]
fn a_round_may_offer_some_tools_only() {
    let some = || Some(vec![ToolName::namespaced("crm", "find"), ToolName::bare("read_file")]);
    let (value, names) =
        asked(&Settings::new("m"), &Asked { choice: ToolChoice::Required, offer: some() }).unwrap();
    assert_eq!((value, names), (json!("required"), vec!["read_file".to_owned(), "crm__find".to_owned()]));
}

#[test]
fn where_choices_may_name_what_is_allowed_the_list_stays_whole() {
    let mut settings = Settings::new("m");
    settings.abilities.allowed_tools = true;
    let offer = || {
        Some(vec![
            ToolName::namespaced("crm", "sql"),
            ToolName::bare("read_file"),
            ToolName::namespaced("crm", "delete"),
        ])
    };
    for (choice, mode) in [(ToolChoice::Auto, "auto"), (ToolChoice::Required, "required")] {
        let (value, names) = asked(&settings, &Asked { choice, offer: offer() }).unwrap();
        assert_eq!(
            value,
            json!({"type": "allowed_tools", "allowed_tools": {"mode": mode, "tools": [
                {"type": "function", "function": {"name": "read_file"}},
                {"type": "custom", "custom": {"name": "crm__sql"}}
            ]}})
        );
        assert_eq!(names, ALL);
    }
    let nothing = |choice| asked(&settings, &Asked { choice, offer: Some(Vec::new()) });
    assert_eq!(nothing(ToolChoice::Auto).unwrap(), (json!("none"), ALL.map(str::to_owned).to_vec()));
    assert!(nothing(ToolChoice::Required).is_err());
    // The server's own tools are offered in every round, and a choice cannot name them.
    let hosted = settings.hosted(json!({"type": "web_search"}));
    let (value, names) =
        asked(&hosted, &Asked { choice: ToolChoice::Auto, offer: Some(Vec::new()) }).unwrap();
    assert_eq!((value, names), (json!("auto"), Vec::new()));
}

#[test]
fn a_choice_that_cannot_be_made_is_refused() {
    let refused = |asked_for: Asked| {
        for settings in [Settings::new("m"), Settings::compatible("m")] {
            let error = asked(&settings, &asked_for).unwrap_err();
            assert_eq!(error.kind, ModelErrorKind::Request);
        }
        asked(&Settings::new("m"), &asked_for).unwrap_err().message
    };
    assert_eq!(
        refused(forced(ToolName::bare("find"))),
        "the tool `find` cannot be forced: the set has none of this name"
    );
    assert_eq!(
        refused(forced(ToolName::namespaced("crm", "delete"))),
        "the tool `crm.delete` cannot be forced: it is deferred, so load it first"
    );
    assert_eq!(
        refused(forced(ToolName::bare("stock"))),
        "the tool `stock` cannot be forced: only a program may call it"
    );
    let other = Some(vec![ToolName::bare("price")]);
    assert_eq!(
        refused(Asked { choice: ToolChoice::Tool(ToolName::bare("read_file")), offer: other }),
        "the tool `read_file` cannot be forced: the request does not offer it"
    );
    assert_eq!(
        refused(Asked { choice: ToolChoice::Required, offer: Some(Vec::new()) }),
        "a call is forced, and no tool is offered that could be called"
    );
}

#[test]
fn a_round_without_tools_has_no_empty_list() {
    let (set, items) = (ToolSet::new(Vec::new()).unwrap(), [Item::user("hi")]);
    let encoded = encode_request(&Settings::new("m"), &ModelRequest::new(&set, &items)).unwrap();
    assert_eq!(encoded.body, r#"{"model":"m","messages":[{"role":"user","content":"hi"}]}"#);
}

#[test]
fn what_the_format_writes_itself_cannot_be_an_extra_field() {
    let (set, items) = (catalog(), [Item::user("hi")]);
    for field in ["messages", "max_tokens", "stream_options"] {
        let settings = Settings::new("m").extra(field, json!(1));
        let error = encode_request(&settings, &ModelRequest::new(&set, &items)).unwrap_err();
        assert!(error.message.contains(field), "{error}");
    }
}

//! What holds for every conversation that leaves a turn, by the rules of all providers.

use proptest::prelude::*;
use serde_json::Value;
use tests::{anthropic_rules, chat_rules, gemini_rules, responses_rules};
use tool_runtime::provider::responses::encode_input;
use tool_runtime::provider::{anthropic, chat, gemini};
use tool_runtime::{Item, ToolSet};

use crate::echo;

/// Providers take the conversation.
pub(super) fn check_for_provider(items: &[Item]) -> Result<(), TestCaseError> {
    let set = ToolSet::new(vec![echo("echo")]).unwrap();
    for settings in [chat::Settings::new("scripted"), chat::Settings::compatible("scripted")] {
        let messages = chat::encode_messages(&settings, &set, Some("Be brief."), items);
        prop_assert_eq!(chat_rules::complaints(&messages), Vec::<String>::new());
    }
    prop_assert_eq!(responses_rules::complaints(&encode_input(items)), Vec::<String>::new());

    let messages = list(&anthropic::encode_messages(&set, items));
    prop_assert_eq!(anthropic_rules::complaints(&messages), Vec::<String>::new());
    let is_thinking = |block: &&Value| block["type"] == "thinking";
    let blocks = messages.iter().filter_map(|message| message["content"].as_array()).flatten();
    let sent: Vec<&Value> = blocks.filter(is_thinking).collect();
    let own: Vec<&Value> = natives(items, anthropic::FORMAT).collect();
    // Before a call that was never answered, thinking may go with it; nothing else of it may be missing or changed.
    let is_open = |block: &&&Value| block["type"] == "server_tool_use";
    let is_result = |block: &&&Value| block.get("tool_use_id").is_some();
    let open = own.iter().filter(is_open).count() - own.iter().filter(is_result).count();
    let mut left = sent.iter().peekable();
    let missing =
        own.into_iter().filter(is_thinking).filter(|own| left.next_if(|sent| *sent == own).is_none()).count();
    prop_assert!(left.next().is_none() && missing <= open, "{} are missing", missing);

    let contents = list(&gemini::encode_contents(&gemini::Settings::new("scripted"), &set, items));
    prop_assert_eq!(gemini_rules::complaints(&contents), Vec::<String>::new());
    let parts = || contents.iter().filter_map(|content| content["parts"].as_array()).flatten();
    let signed: Vec<_> = parts().filter(|part| part.get("functionCall").is_some()).collect();
    let calls = items.iter().filter_map(|item| match item {
        Item::Call(item) => Some(item),
        _ => None,
    });
    for (call, part) in calls.zip(signed) {
        let signature = call.native.as_ref().and_then(|native| native.of_format(gemini::FORMAT));
        let signature = signature.and_then(|native| native.get("thoughtSignature"));
        prop_assert_eq!(
            part.get("thoughtSignature"),
            signature,
            "each signature on the part that it came with"
        );
    }
    let thoughts: Vec<&Value> = parts().filter(|part| part["thought"] == true).collect();
    prop_assert_eq!(thoughts, natives(items, gemini::FORMAT).collect::<Vec<_>>());
    Ok(())
}

fn list(json: &str) -> Vec<Value> {
    serde_json::from_str(json).unwrap()
}

/// What only one format understands, in order.
fn natives<'a>(items: &'a [Item], format: &'static str) -> impl Iterator<Item = &'a Value> {
    items.iter().filter_map(move |item| match item {
        Item::Opaque(native) => native.of_format(format),
        _ => None,
    })
}

/// The provider takes the conversation, and the results stand behind the calls of their response in the calls' order.
pub(super) fn check_conversation(items: &[Item]) -> Result<(), TestCaseError> {
    check_for_provider(items)?;
    let mut open: Vec<&str> = Vec::new();
    for item in items {
        match item {
            Item::Call(item) => open.push(&item.call.id),
            Item::Result(result) => {
                prop_assert_eq!(open.first(), Some(&result.call_id.as_str()));
                open.remove(0);
            }
            Item::User(_) => prop_assert!(open.is_empty()),
            _ => {}
        }
    }
    prop_assert!(open.is_empty());
    Ok(())
}

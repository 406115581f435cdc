//! What holds for any stream, however it is cut.

use proptest::prelude::*;
use serde_json::{Value, json};
use tests::arbitrary::{any_json, any_stream_changes, changed_stream};
use tests::wire::events;
use tool_runtime::provider::chat::decode_response;
use tool_runtime::provider::sse::{Parser, SseEvent};

use crate::{catalog, chat, responses, stream};

const RESPONSES: [&str; 4] = [
    stream!("responses"),
    stream!("responses_rotating_ids"),
    stream!("responses_program"),
    stream!("responses_error"),
];
const CHAT: [&str; 4] =
    [stream!("chat"), stream!("chat_llama_cpp"), stream!("chat_vllm"), stream!("chat_ollama")];

/// A text cut into pieces, some of them empty.
fn pieces(text: &str, cuts: &[prop::sample::Index]) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    let mut borders: Vec<usize> = cuts.iter().map(|cut| cut.index(characters.len() + 1)).collect();
    borders.extend([0, characters.len()]);
    borders.sort_unstable();
    borders.windows(2).map(|pair| characters[pair[0]..pair[1]].iter().collect()).collect()
}

/// How a server tells its calls apart.
#[derive(Clone, Copy, Debug)]
enum Habit {
    Right,
    NoIndex,
    AlwaysZero,
    NameAndIdInEveryPiece,
}

fn chunks(calls: &[(String, Value)], habit: Habit, cuts: &[prop::sample::Index]) -> Vec<String> {
    let mut chunks = Vec::new();
    for (number, (name, arguments)) in calls.iter().enumerate() {
        for (place, piece) in pieces(&arguments.to_string(), cuts).into_iter().enumerate() {
            let mut entry = json!({"function": {"arguments": piece}});
            if place == 0 || matches!(habit, Habit::NameAndIdInEveryPiece) {
                entry["id"] = format!("c{number}").into();
                entry["function"]["name"] = name.as_str().into();
            }
            match habit {
                Habit::NoIndex => {}
                Habit::AlwaysZero => entry["index"] = 0.into(),
                Habit::Right | Habit::NameAndIdInEveryPiece => entry["index"] = number.into(),
            }
            chunks.push(json!({"choices": [{"index": 0, "delta": {"tool_calls": [entry]}}]}).to_string());
        }
    }
    chunks.push(r#"{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}"#.to_owned());
    chunks
}

proptest! {
    #[test]
    fn any_portions_of_bytes_give_the_same_events(
        lines in prop::collection::vec("(data|event|id|x)?:? ?[a-zé{}\":,\u{feff}]{0,6}", 0..12),
        end in prop::sample::select(vec!["\n", "\r\n", "\r"]),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..20),
    ) {
        let stream = lines.join(end) + end + end;
        let whole = Parser::new().push(stream.as_bytes()).unwrap();
        let mut borders: Vec<usize> = cuts.iter().map(|cut| cut.index(stream.len() + 1)).collect();
        borders.extend([0, stream.len()]);
        borders.sort_unstable();
        let mut parser = Parser::new();
        let mut events: Vec<SseEvent> = Vec::new();
        for pair in borders.windows(2) {
            events.extend(parser.push(&stream.as_bytes()[pair[0]..pair[1]]).unwrap());
        }
        prop_assert_eq!(events, whole);
        prop_assert_eq!(parser.finish().unwrap(), None);
    }

    #[test]
    fn no_bytes_make_the_parser_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let mut parser = Parser::new();
        for byte in bytes.chunks(7) {
            let _ = parser.push(byte);
        }
        let _ = parser.finish();
    }

    #[test]
    fn no_change_of_a_responses_stream_makes_it_panic(
        which in 0..RESPONSES.len(),
        changes in any_stream_changes(),
    ) {
        let _ = responses(&changed_stream(events(RESPONSES[which]), changes));
    }

    #[test]
    fn no_change_of_a_chat_stream_makes_it_panic(
        which in 0..CHAT.len(),
        changes in any_stream_changes(),
    ) {
        let _ = chat(&changed_stream(events(CHAT[which]), changes));
    }

    #[test]
    fn a_stream_gives_what_the_whole_completion_gives(
        calls in prop::collection::vec(("read|list|crm__find", any_json().prop_map(|value| json!({"x": value}))), 0..4),
        habit in prop::sample::select(vec![Habit::Right, Habit::NoIndex, Habit::AlwaysZero, Habit::NameAndIdInEveryPiece]),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
    ) {
        let (streamed, _) = chat(&chunks(&calls, habit, &cuts)).unwrap();
        let whole: Vec<Value> = calls
            .iter()
            .enumerate()
            .map(|(number, (name, arguments))| {
                let function = json!({"name": name, "arguments": arguments.to_string()});
                json!({"id": format!("c{number}"), "type": "function", "function": function})
            })
            .collect();
        let whole = json!({"choices": [{"message": {"tool_calls": whole}, "finish_reason": "tool_calls"}]});
        prop_assert_eq!(streamed, decode_response(&whole.to_string(), &catalog()).unwrap());
    }
}

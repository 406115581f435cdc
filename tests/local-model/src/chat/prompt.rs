//! A conversation as the model reads it: messages between `<|im_start|>` and `<|im_end|>`, the tools among the instructions.

use std::borrow::Cow;

use serde_json::Value;
use toktrie::TokenId;

use crate::Error;
use crate::vocabulary::Vocabulary;

use super::request::{Message, Request, Tool};

/// What the model is told where nobody instructs it.
const INSTRUCTIONS: &str = "You are a helpful AI assistant.";

/// The most that is told of a tool, in characters: the model is small, and what its arguments may be is enforced anyway.
const DESCRIPTION: usize = 160;

/// What the model reads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prompt {
    /// The tokens.
    pub tokens: Vec<TokenId>,
    /// Where to keep what was read: behind the instructions, which are the same in each turn, and at the end, where the
    /// next round goes on.
    pub marks: Vec<usize>,
}

/// The prompt of a request.
///
/// # Errors
///
/// When a text cannot be made into tokens.
pub fn prompt(request: &Request, vocabulary: &Vocabulary) -> Result<Prompt, Error> {
    let mut prompt = Prompt::default();
    let instructions = request.messages.iter().filter_map(|message| match message {
        Message::System(text) => Some(text.as_str()),
        _ => None,
    });
    let mut instructions = instructions.collect::<Vec<_>>().join("\n\n");
    if instructions.is_empty() {
        instructions.push_str(INSTRUCTIONS);
    }
    instructions.push_str(&tools(&request.tools));
    prompt.add("system", &instructions, vocabulary)?;
    prompt.marks.push(prompt.tokens.len());
    for message in &request.messages {
        match message {
            Message::System(_) => {}
            Message::User(text) => prompt.add("user", text, vocabulary)?,
            Message::Assistant { text, calls } => {
                let calls = calls.iter().map(|call| {
                    Cow::Owned(format!(r#"{{"name": "{}", "arguments": {}}}"#, call.name, call.arguments))
                });
                let text = (!text.is_empty()).then_some(Cow::Borrowed(text.as_str()));
                let lines: Vec<_> = text.into_iter().chain(calls).collect();
                prompt.add("assistant", &lines.join("\n"), vocabulary)?;
            }
            // The model was not taught a role for results.
            Message::Tool { name, text } => {
                prompt.add("user", &format!("Result of {name}:\n{text}"), vocabulary)?;
            }
        }
    }
    prompt.begin("assistant", vocabulary)?;
    prompt.marks.push(prompt.tokens.len());
    Ok(prompt)
}

impl Prompt {
    fn add(&mut self, role: &str, text: &str, vocabulary: &Vocabulary) -> Result<(), Error> {
        self.begin(role, vocabulary)?;
        self.tokens.extend(vocabulary.tokens(text)?);
        self.tokens.push(vocabulary.end());
        self.tokens.extend(vocabulary.tokens("\n")?);
        Ok(())
    }

    fn begin(&mut self, role: &str, vocabulary: &Vocabulary) -> Result<(), Error> {
        self.tokens.push(vocabulary.begin());
        self.tokens.extend(vocabulary.tokens(&format!("{role}\n"))?);
        Ok(())
    }
}

/// The tools in words, one a line.
fn tools(tools: &[Tool]) -> String {
    if tools.is_empty() {
        return String::new();
    }
    let lines: String = tools.iter().map(|tool| format!("- {}\n", line(tool))).collect();
    format!(
        "\n\nYou have these tools:\n{lines}\
         To use a tool, answer only with JSON: {{\"name\": \"...\", \"arguments\": {{...}}}}\n\
         You then get its result. Answer in plain words when you need no tool."
    )
}

/// `name(path: string, limit?: integer): What it does.`
fn line(tool: &Tool) -> String {
    let parameters = &tool.callable.parameters;
    let is_required =
        |name: &str| parameters["required"].as_array().is_some_and(|names| names.iter().any(|n| n == name));
    let properties = parameters["properties"].as_object();
    let arguments = properties.into_iter().flatten().map(|(name, schema)| {
        let mark = if is_required(name) { "" } else { "?" };
        format!("{name}{mark}: {}", kind(schema))
    });
    let sentence = tool.description.split_inclusive(". ").next().unwrap_or_default();
    let sentence: String = sentence.chars().take(DESCRIPTION).map(in_one_line).collect();
    format!("{}({}): {}", tool.callable.name, arguments.collect::<Vec<_>>().join(", "), sentence.trim())
}

fn in_one_line(letter: char) -> char {
    if letter.is_control() { ' ' } else { letter }
}

/// The type of a value, in a word or as its choices.
fn kind(schema: &Value) -> String {
    let words = |list: &[Value], between: &str| {
        let words = list.iter().map(|word| word.as_str().map_or_else(|| word.to_string(), str::to_owned));
        words.collect::<Vec<_>>().join(between)
    };
    match (&schema["enum"], &schema["type"]) {
        (Value::Array(choices), _) => words(choices, "|"),
        (_, Value::Array(kinds)) => words(kinds, "|"),
        (_, Value::String(kind)) => kind.clone(),
        _ => "value".to_owned(),
    }
}

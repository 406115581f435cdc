//! The OpenAI Chat Completions format, both ways, and what servers make of it that only speak it: llama.cpp, vLLM, Ollama,
//! and hosted ones.
//!
//! [`encode_request`] writes the body of a request, [`decode_response`] reads a completion object, [`StreamDecoder`] one
//! that comes in chunks. What a server can do beyond the common part is said by [`Abilities`].
//!
//! # What the format cannot carry
//!
//! - **A union at the root of the parameters.** It becomes one object with the properties of all branches; the call is
//!   checked against the union all the same.
//! - **Namespaces.** A tool in one is listed as `namespace__name`; a table leads each such name back to its tool.
//! - **Tool search.** Deferred tools are left out until they are loaded.
//! - **Programs.** Tools that only a program may call are left out; a call that a program asked for goes back as an
//!   ordinary one, and the program itself is left out.
//! - **Output schemas.** They are left out.
//! - **Pictures and files in results.** A result is text that names them; they follow in a message of the user, behind the
//!   results of the same round, where the server takes such.
//! - **Files at an address.** They are named in the text.
//! - **A mark for failures.** The text of a failed call starts with `error: `.
//! - **The order within a round.** All that the model wrote between two results is one message: reasoning, text, calls.
//! - **Free text for calls, on servers that know functions only.** It becomes `{"input": string}`; a grammar stands in the
//!   description and is not enforced.
//! - **A memory.** [`ModelRequest::previous`](crate::ModelRequest::previous) is not looked at: every request holds the
//!   whole conversation.
//! - Choices beyond the first, log probabilities, audio, and parts of a message that are no text are not read.
//!
//! # What servers make of it
//!
//! [`Settings::compatible`] is made for these.
//!
//! - **llama.cpp** knows `auto`, `none` and `required` and takes a named choice for `auto`; whether it allows parallel calls
//!   by default depends on the model's template; arguments that are no JSON break the template.
//! - **vLLM** reads the arguments of earlier calls and refuses broken ones; with a named choice it says `stop` where others
//!   say `tool_calls`.
//! - **Ollama** looks neither at the choice nor at `parallel_tool_calls`, knows `max_tokens` only, wants arguments that are
//!   an object, and gives calls whole, sometimes all at one index.
//! - **DeepSeek and others that reason** want their `reasoning_content` back with the calls that came with it; see
//!   [`Reasoning`]. What Gemini and others write beside a call (`extra_content`) goes back with it, always.

mod decode;
mod messages;
mod request;
mod settings;
mod stream;
mod tools;

pub use decode::decode_response;
pub use messages::encode_messages;
pub use request::encode_request;
pub use settings::{Abilities, Reasoning, Settings};
pub use stream::StreamDecoder;
pub use tools::encode_tools;

/// The name of the format in [`Native::format`](crate::Native).
pub const FORMAT: &str = "openai.chat";

/// The most tools that OpenAI takes in one request.
pub const MAX_TOOLS: usize = 128;

/// The fields in which servers give the reasoning of a model, beside the text of the message.
const REASONING_FIELDS: [&str; 3] = ["reasoning_content", "reasoning", "reasoning_details"];

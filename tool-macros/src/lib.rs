//! The macros of `tool-runtime`, which re-exports them: use them from there.
//!
//! The way from an annotated function to a tool:
//!
//! | file | does |
//! |---|---|
//! | `item.rs`, `args.rs`, `signature.rs` | read what was written; the body stays tokens |
//! | `model.rs` | makes a valid tool of it, or lists all its mistakes |
//! | `expand.rs` | writes a valid tool as code; cannot fail |
//! | `fallback.rs` | stands in for a tool with mistakes, so that its uses add none |
//! | `params.rs`, `tools.rs` | the derive, and the list macro |

mod args;
mod docs;
mod expand;
mod fallback;
mod item;
mod mistakes;
mod model;
mod nearest;
mod params;
mod runtime;
mod signature;
#[cfg(test)]
mod tests;
mod tools;

use proc_macro::TokenStream;
use quote::quote;

use args::ToolArgs;
use item::ToolFn;
use mistakes::Mistakes;
use model::Tool;
use signature::Signature;

/// The `async fn` becomes a constructor of the same name and visibility: its `#[state]` arguments in, a `WorkerAgentTool` out.
///
/// # Arguments
///
/// In this order; what an argument is for is decided by marks, position and traits, never by how its type is spelt.
///
/// | arguments | how many | what they are |
/// |---|---|---|
/// | `#[state] name: T` | any number | arguments of the constructor; cloned for each call, so keep them cheap (`Clone + Send + Sync + 'static`) |
/// | `params: P` | none or one | the parameters, a struct with `#[derive(Deserialize, JsonSchema, ToolParams)]` |
/// | `#[param] name: T` | any number, instead of the struct | one parameter each, with its doc comment and its `#[serde(…)]` and `#[schemars(…)]` attributes; needs neither crate in the manifest |
/// | `cx: ToolContext` | none or one | the call's id, its cancellation, its progress |
///
/// The function returns what `IntoToolOutput` takes: texts, numbers, `Json<T>`, `ToolOutput`, `()`, or a `Result` of one of
/// them. Its body is left as it is; inside it, the function's own name is the function.
///
/// # Keys
///
/// Each is a field of `ToolSpec` and a method of its builder by the same name. Boolean keys take `= true` and `= false` too.
///
/// | key | default | meaning |
/// |---|---|---|
/// | `name = "…"` | the function's name, without `r#` | what the model calls; 1 to 64 of `a-z A-Z 0-9 _ -`, a letter or `_` first |
/// | `description = …` | the doc comment, lines as written | what the model decides by; a literal or any constant `&str` |
/// | `title = …` | none | a name for people; a literal or any constant `&str` |
/// | `schema = …` | from the parameters' type | a raw JSON Schema, sent as it is and enforced; a literal is checked when the crate is built, JSON text or a `serde_json::Value` from any other expression when the tool is first made. The parameters then need only `Deserialize`, and a single argument is always the parameters |
/// | `strict` | off | asks the provider to enforce the parameters |
/// | `input = text` | JSON | the model writes free text, which arrives as a `String` in the place of the parameters |
/// | `input = text(grammar = …, syntax = "lark")` | | the same, text that a grammar allows; `syntax` is `"lark"` or `"regex"` |
/// | `namespace = PATH` | none | the group, a `const` of type `Namespace` |
/// | `defer_loading` | off | the parameters stay behind tool search until the tool is selected |
/// | `search_text = …` | none | words that tool search matches on beside the name, the description and the parameters |
/// | `parallel`, `sequential` | `sequential` | whether the tool may run beside others |
/// | `read_only` | off | the tool changes nothing |
/// | `destructive` | on, unless `read_only` | the tool may destroy something |
/// | `idempotent` | off | a second equal call changes nothing more |
/// | `open_world` | on | the tool reaches things outside the host's control |
/// | `activity = "…"` | the title, or the name in words | the label of a running call: a text with `{field}` and `{field.sub}` of the parameters, `{{` and `}}` for braces; what is shown implements `LabelValue` |
/// | `activity = path` | | the same from a function `fn(&P) -> impl IntoLabel`; `None` shows no row |
/// | `activity = none` | | no row |
/// | `completed_activity = "…"` | the first label | the label of a call that has worked; may name `{details.x}` too, where `details` are those of the output |
/// | `completed_activity = path` | | the same from a function `fn(&P, &Details) -> impl IntoLabel`; needs `P: Clone` |
/// | `timeout = "30s"` | none | the longest that one call may take; `ms`, `s` or `m` |
/// | `max_output = 50_000` | 100,000 | the most text that one call may give the model, in bytes |
/// | `allowed_callers = …` | `direct` | `direct`, `programmatic` or `[direct, programmatic]` |
/// | `function = name` | not kept | keeps the plain function, as written, under this name |
/// | `crate = ::path` | `::tool_runtime` | where the runtime is, if the crate is renamed or re-exported |
///
/// # Lints
///
/// Generated code builds under `forbid(unsafe_code)` and `deny(warnings, missing_docs, clippy::pedantic, clippy::nursery)`.
/// It relaxes `clippy::unused_async` on the function, and nothing else; a crate that forbids that lint cannot have tools.
/// `#[param]` arguments use the derives of serde and schemars, which relax `unused_qualifications` and
/// `non_camel_case_types` in their own code: a crate that forbids these lints cannot have such arguments.
#[proc_macro_attribute]
pub fn worker_tool(args: TokenStream, item: TokenStream) -> TokenStream {
    worker_tool_tokens(args.into(), item.into()).into()
}

/// Promises that a struct is read from one JSON object, so that it can be the parameters of a tool.
///
/// Refuses what has another shape: enums, tuple and unit structs (`struct Nothing {}` is the form without fields), types with
/// lifetimes, and structs with `transparent`, `from`, `try_from` or `untagged`. Generic structs are promised for all arguments with
/// which they are `Deserialize + JsonSchema`.
///
/// `#[tool_params(crate = ::path)]` says where the runtime is, as the key `crate` of the attribute does.
#[proc_macro_derive(ToolParams, attributes(tool_params))]
pub fn tool_params(input: TokenStream) -> TokenStream {
    match syn::parse(input) {
        Ok(input) => params::derive(&input).into(),
        Err(error) => error.to_compile_error().into(),
    }
}

/// The list macro behind `tools![…]`, which hands it the path of the runtime.
#[doc(hidden)]
#[proc_macro]
pub fn tools(input: TokenStream) -> TokenStream {
    match syn::parse(input) {
        Ok(list) => tools::expand(list).into(),
        Err(error) => error.to_compile_error().into(),
    }
}

fn worker_tool_tokens(
    args: proc_macro2::TokenStream,
    item: proc_macro2::TokenStream,
) -> proc_macro2::TokenStream {
    let function: ToolFn = match syn::parse2(item.clone()) {
        Ok(function) => function,
        Err(error) => {
            let message = format!("`#[worker_tool]` makes a tool of an `async fn`: {error}");
            let error = syn::Error::new(error.span(), message).to_compile_error();
            return quote!(#error #item);
        }
    };
    expand_tool(args.clone(), &function).unwrap_or_else(|errors| fallback::tool(args, &function, &errors))
}

fn expand_tool(args: proc_macro2::TokenStream, item: &ToolFn) -> syn::Result<proc_macro2::TokenStream> {
    let mut mistakes = Mistakes::default();
    let args = ToolArgs::parse(args, &mut mistakes);
    let signature = Signature::read(item, &mut mistakes);
    let tool = Tool::new(item, args, signature, mistakes)?;
    Ok(expand::expand(&tool))
}

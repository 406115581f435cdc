//! For the macros only. Nothing here is public API; it may change at any time.
#![allow(missing_docs, reason = "hidden, and used by generated code only")]

mod argument;
mod call;
mod labels;
mod list;
mod output;
mod tool;

pub use argument::{Checked, context, state};
pub use call::{Call, call, call_of_none, call_of_one, raw_call, text_call};
pub use labels::{Label, Labels, clone_for_label, into_label, label_part, label_value};
pub use list::{constructor, extend, push};
pub use output::{output, run};
pub use tool::{DefinitionCell, Spec, constant_text, raw_schema, tool};

pub use std::borrow::Cow;
pub use std::vec::Vec;

pub use schemars::{self, JsonSchema};
pub use serde::{self, de::DeserializeOwned};
pub use tool_macros::tools;

pub use crate::label::LabelText;
pub use crate::params::ToolParams;
pub use crate::spec::{AllowedCallers, ExecutionMode, GrammarSyntax, Input, Namespace, TextFormat, ToolSpec};

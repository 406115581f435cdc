//! The keys of `#[worker_tool(…)]`, as they were written.

mod activity;
mod input;
mod schema;
mod values;

pub(crate) use activity::{Label, Piece, Root};
pub(crate) use input::Input;
pub(crate) use schema::RawSchema;
pub(crate) use values::{Callers, check_name, krate, lit};

use proc_macro2::{Span, TokenStream};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Expr, Ident, LitStr, Meta, Path, Token};

use crate::mistakes::Mistakes;
use crate::nearest::suggest;

/// The value of a key, and where the key stands.
pub(crate) struct Given<T> {
    pub(crate) key: Span,
    pub(crate) value: T,
}

/// One row a key: the field, the key as it is written, and the function that reads its value.
macro_rules! keys {
    ($($field:ident $key:literal: $ty:ty = $read:path;)*) => {
        /// What was written; a key that could not be read is in `tried` only.
        #[derive(Default)]
        pub(crate) struct ToolArgs {
            $(pub(crate) $field: Option<Given<$ty>>,)*
            tried: Vec<&'static str>,
        }

        const NAMES: &[&str] = &[$($key),*];

        impl ToolArgs {
            fn set(&mut self, key: &'static str, meta: &Meta) -> syn::Result<()> {
                match key {
                    $($key => self.$field = Some(Given { key: meta.path().span(), value: $read(meta)? }),)*
                    _ => {}
                }
                Ok(())
            }
        }
    };
}

keys! {
    name "name": LitStr = values::name;
    description "description": Expr = values::text;
    title "title": Expr = values::text;
    schema "schema": RawSchema = schema::read;
    strict "strict": bool = values::boolean;
    input "input": Input = input::read;
    namespace "namespace": Path = values::namespace;
    defer_loading "defer_loading": bool = values::boolean;
    search_text "search_text": Expr = values::text;
    parallel "parallel": () = values::word;
    sequential "sequential": () = values::word;
    read_only "read_only": bool = values::boolean;
    destructive "destructive": bool = values::boolean;
    idempotent "idempotent": bool = values::boolean;
    open_world "open_world": bool = values::boolean;
    activity "activity": Label = activity::read;
    completed_activity "completed_activity": Label = activity::read_completed;
    timeout "timeout": u64 = values::milliseconds;
    max_output "max_output": Expr = values::bytes;
    allowed_callers "allowed_callers": Callers = values::callers;
    function "function": Ident = values::ident;
    krate "crate": Path = values::krate;
}

impl ToolArgs {
    /// Reads the keys. Each mistake is kept, and the other keys are read all the same.
    pub(crate) fn parse(tokens: TokenStream, mistakes: &mut Mistakes) -> Self {
        let mut args = Self::default();
        let list = Punctuated::<Meta, Token![,]>::parse_terminated;
        let metas = mistakes.handle(list.parse2(tokens)).unwrap_or_else(|| {
            // What cannot be split into keys may hold any of them, so none is missed.
            args.tried.extend(NAMES);
            Punctuated::new()
        });
        for meta in &metas {
            let written = meta.path().get_ident().map(ToString::to_string).unwrap_or_default();
            let Some(key) = NAMES.iter().find(|name| **name == written) else {
                mistakes.at(meta.path(), format!("no key `{written}`; {}", suggest(&written, NAMES)));
                continue;
            };
            if args.tried.contains(key) {
                mistakes.at(meta.path(), format!("the key `{key}` is given twice"));
                continue;
            }
            args.tried.push(key);
            let read = args.set(key, meta);
            mistakes.handle(read);
        }
        args
    }

    /// Whether the key was written, read or not.
    pub(crate) fn tried(&self, key: &str) -> bool {
        self.tried.contains(&key)
    }
}

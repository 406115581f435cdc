//! The list macro behind `tools![…]`.

mod entry;

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{Path, Token};

use entry::{Entries, Entry, What};

use crate::mistakes::Mistakes;

/// `$crate; entry, entry, …`.
pub(crate) struct List {
    krate: Path,
    entries: Entries,
}

impl Parse for List {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let krate = input.parse()?;
        input.parse::<Token![;]>()?;
        Ok(Self { krate, entries: Entries::read(input) })
    }
}

// Input:
//     $crate; todo(plan), grep, ..web_tools(&web), #[cfg(unix)] if jobs => shell
//
// Output:
//     {
//         let mut __tools: $crate::__private::Vec<$crate::WorkerAgentTool> = $crate::__private::Vec::with_capacity(4);
//         $crate::__private::push(&mut __tools, todo(plan));
//         {
//             let tool_entry = $crate::__private::constructor(grep);
//             $crate::__private::push(&mut __tools, tool_entry());
//         }
//         $crate::__private::extend(&mut __tools, web_tools(&web));
//         #[cfg(unix)]
//         {
//             if jobs {
//                 $crate::__private::push(&mut __tools, shell());
//             }
//         }
//         __tools
//     }
//
// After a mistake in one entry the others are listed all the same.
pub(crate) fn expand(list: List) -> TokenStream {
    let krate = &list.krate;
    let mut mistakes = Mistakes::default();
    let entries = list.entries.finish(&mut mistakes);
    check_repeats(&entries, &mut mistakes);
    let errors = mistakes.finish(()).err().map(|error| error.to_compile_error());
    let capacity = entries.len();
    if capacity == 0 {
        return quote!({ #errors #krate::__private::Vec::<#krate::WorkerAgentTool>::new() });
    }
    let tools = syn::Ident::new("__tools", Span::mixed_site());
    let statements = entries.iter().map(|entry| {
        let (cfg, statement) = (&entry.cfg, statement(krate, &tools, &entry.what));
        if cfg.is_empty() { statement } else { quote!(#(#cfg)* { #statement }) }
    });
    quote! {{
        #errors
        let mut #tools: #krate::__private::Vec<#krate::WorkerAgentTool> =
            #krate::__private::Vec::with_capacity(#capacity);
        #(#statements)*
        #tools
    }}
}

fn statement(krate: &Path, tools: &syn::Ident, what: &What) -> TokenStream {
    match what {
        What::Path(path) => {
            // A path whose call fails is reported as the path, so the name stands for it wherever that is written.
            let span = path.span();
            let entry = syn::Ident::new("tool_entry", span);
            let function = quote_spanned!(span=> let #entry = #krate::__private::constructor(#path););
            let push = quote_spanned!(span=> #krate::__private::push(&mut #tools, #entry()););
            quote!({ #function #push })
        }
        What::Tool(tool) => {
            let span = tool.span();
            quote_spanned!(span=> #krate::__private::push(&mut #tools, #tool);)
        }
        What::Spread(spread) => {
            let span = spread.span();
            quote_spanned!(span=> #krate::__private::extend(&mut #tools, #spread);)
        }
        What::If(condition, then) => {
            let then = statement(krate, tools, then);
            quote!(if #condition { #then })
        }
    }
}

/// Two entries of the same tokens would be two tools of one name, unless they depend on something.
fn check_repeats(entries: &[Entry], mistakes: &mut Mistakes) {
    let mut seen: Vec<String> = Vec::new();
    for entry in entries {
        let text = match (&entry.what, entry.cfg.is_empty()) {
            (What::If(..), _) | (_, false) => continue,
            (what, true) => what.text(),
        };
        if seen.contains(&text) {
            mistakes.at(&entry.what.tokens(), "this entry is in the list already; a turn has each tool once");
        } else {
            seen.push(text);
        }
    }
}

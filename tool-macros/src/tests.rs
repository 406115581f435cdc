//! Expansions, formatted and compared with the files in `snapshots`. `UPDATE_EXPECT=1 cargo test -p tool-macros` writes
//! them anew; read each change.

use expect_test::{ExpectFile, expect_file};
use proc_macro2::TokenStream;
use quote::quote;
use syn::parse_quote;

fn format(items: TokenStream) -> String {
    prettyplease::unparse(&syn::parse2(items).expect("the expansion is code"))
}

fn check(args: TokenStream, item: TokenStream, expected: ExpectFile) {
    expected.assert_eq(&format(crate::worker_tool_tokens(args, item)));
}

fn check_list(list: TokenStream, expected: ExpectFile) {
    let list = crate::tools::expand(parse_quote!(::tool_runtime; #list));
    expected.assert_eq(&format(quote!(fn list() -> Vec<WorkerAgentTool> { #list })));
}

#[test]
fn params_state_and_context() {
    check(
        quote!(read_only),
        quote! {
            /// Reads a file.
            pub async fn read_file(#[state] root: Root, params: ReadFile, cx: ToolContext) -> Result<String, ToolError> {
                read(root, params.path, cx).await
            }
        },
        expect_file!["snapshots/params_state_and_context.rs"],
    );
}

#[test]
fn no_arguments() {
    check(
        quote!(),
        quote! {
            /// Says hello.
            async fn hello() {}
        },
        expect_file!["snapshots/no_arguments.rs"],
    );
}

#[test]
fn one_argument() {
    check(
        quote!(crate = ::my::runtime),
        quote! {
            /// Reads a file.
            async fn read_file(params: ReadFile) -> String { params.path }
        },
        expect_file!["snapshots/one_argument.rs"],
    );
}

#[test]
fn inline_params() {
    check(
        quote!(function = plain_add, activity = "Adding {a}"),
        quote! {
            /// Adds.
            pub(crate) async fn add(
                /// The first.
                #[param]
                #[schemars(range(min = 0))]
                a: i64,
                #[param]
                #[serde(default)]
                r#type: i64,
            ) -> i64 { a + r#type }
        },
        expect_file!["snapshots/inline_params.rs"],
    );
}

#[test]
fn label_texts() {
    check(
        quote!(activity = "Reading {path}", completed_activity = "Read {details.lines} lines of {path.name}"),
        quote! {
            /// Reads a file.
            async fn read_file(params: ReadFile) -> Json<Page> { read(params) }
        },
        expect_file!["snapshots/label_texts.rs"],
    );
}

#[test]
fn label_functions() {
    check(
        quote!(activity = label, completed_activity = labels::completed),
        quote! {
            /// Reads a file.
            async fn read_file(params: ReadFile) -> Json<Page> { read(params) }
        },
        expect_file!["snapshots/label_functions.rs"],
    );
}

#[test]
fn every_key() {
    check(
        quote!(
            name = "add-2",
            description = ABOUT,
            title = "Add",
            strict,
            namespace = names::SUMS,
            defer_loading,
            search_text = "sum",
            parallel,
            destructive = false,
            idempotent,
            open_world = false,
            activity = none,
            timeout = "2m",
            max_output = 50_000,
            allowed_callers = [direct, programmatic],
        ),
        quote! {
            async fn add(params: Add, cx: ToolContext) -> i64 { 1 }
        },
        expect_file!["snapshots/every_key.rs"],
    );
}

#[test]
fn raw_schema() {
    check(
        quote!(schema = r#"{"type": "object"}"#),
        quote! {
            /// Takes anything.
            async fn anything(arguments: Value) -> String { arguments.to_string() }
        },
        expect_file!["snapshots/raw_schema.rs"],
    );
}

#[test]
fn free_text() {
    check(
        quote!(input = text(grammar = "start: WORD", syntax = "lark"), activity = "Running {code}"),
        quote! {
            /// Runs code.
            async fn run(code: String, cx: ToolContext) -> String { code }
        },
        expect_file!["snapshots/free_text.rs"],
    );
}

#[test]
fn mistakes_leave_a_tool_and_the_plain_function() {
    check(
        quote!(paralel, read_only, read_only, destructive = 3, function = plain),
        quote! {
            pub fn broken<T>(#[state] root: Root, (a, b): (u32, u32)) -> String { a }
        },
        expect_file!["snapshots/mistakes_leave_a_tool_and_the_plain_function.rs"],
    );
}

#[test]
fn derive() {
    let derived = crate::params::derive(&parse_quote! {
        struct Page<T: Item> where T: Clone { items: Vec<T> }
    });
    expect_file!["snapshots/derive.rs"].assert_eq(&format(derived));
}

#[test]
fn refused_derive() {
    let derived = crate::params::derive(&parse_quote! {
        #[tool_params(crate = ::my::runtime)]
        #[serde(transparent, rename_all = "camelCase")]
        struct Path(String);
    });
    expect_file!["snapshots/refused_derive.rs"].assert_eq(&format(derived));
}

#[test]
fn list() {
    check_list(
        quote!(
            todo(plan),
            files::grep,
            ..web_tools(&web),
            #[cfg(unix)] if jobs => shell,
            if let Some(jobs) = jobs && jobs.enabled() => ..job_tools(jobs),
            (built),
        ),
        expect_file!["snapshots/list.rs"],
    );
}

#[test]
fn empty_list() {
    check_list(quote!(), expect_file!["snapshots/empty_list.rs"]);
}

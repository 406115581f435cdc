/// Runs code.
fn run() -> ::tool_runtime::WorkerAgentTool {
    #[allow(clippy::unused_async, reason = "a tool is async by contract")]
    async fn run(code: String, cx: ToolContext) -> String {
        code
    }
    static __DEFINITION: ::tool_runtime::__private::DefinitionCell = ::tool_runtime::__private::DefinitionCell::new();
    let __checked = ::tool_runtime::__private::Checked;
    let __output = ::tool_runtime::__private::output();
    let __call = ::tool_runtime::__private::text_call::<
        String,
        _,
        _,
        _,
    >(
        __output,
        move |__params, __context, __finish| ::tool_runtime::__private::run(
            __checked,
            __finish,
            run(
                __params,
                ::tool_runtime::__private::context::<ToolContext, _>(__context),
            ),
            __output,
        ),
        || ::tool_runtime::__private::Labels {
            activity: ::tool_runtime::__private::Label::Text(|tool_params| {
                let mut __label = ::tool_runtime::__private::LabelText::new();
                __label.text("Running ");
                ::tool_runtime::__private::label_value(&mut __label, &tool_params);
                __label.finish()
            }),
            completed: ::core::option::Option::None,
        },
    );
    ::tool_runtime::__private::tool(
        &__DEFINITION,
        || ::tool_runtime::__private::Spec::new(
            ::tool_runtime::__private::ToolSpec::new("run", "Runs code.")
                .input(
                    ::tool_runtime::__private::Input::Text(::tool_runtime::__private::TextFormat::Grammar {
                        syntax: ::tool_runtime::__private::GrammarSyntax::Lark,
                        definition: ::tool_runtime::__private::Cow::Borrowed(
                            "start: WORD",
                        ),
                    }),
                ),
        ),
        __call,
    )
}

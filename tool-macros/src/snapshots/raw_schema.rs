/// Takes anything.
fn anything() -> ::tool_runtime::WorkerAgentTool {
    #[allow(clippy::unused_async, reason = "a tool is async by contract")]
    async fn anything(arguments: Value) -> String {
        arguments.to_string()
    }
    static __DEFINITION: ::tool_runtime::__private::DefinitionCell = ::tool_runtime::__private::DefinitionCell::new();
    let __checked = ::tool_runtime::__private::Checked;
    let __output = ::tool_runtime::__private::output();
    let __call = ::tool_runtime::__private::raw_call::<
        Value,
        _,
        _,
        _,
        _,
    >(
        __output,
        move |__params, _, __finish| ::tool_runtime::__private::run(
            __checked,
            __finish,
            anything(__params),
            __output,
        ),
        || ::tool_runtime::__private::Labels {
            activity: ::tool_runtime::__private::Label::Generic,
            completed: ::core::option::Option::None,
        },
    );
    ::tool_runtime::__private::tool(
        &__DEFINITION,
        || ::tool_runtime::__private::Spec::with_schema(
            ::tool_runtime::__private::ToolSpec::new("anything", "Takes anything."),
            ::tool_runtime::__private::raw_schema(r#"{"type": "object"}"#),
        ),
        __call,
    )
}

/// Says hello.
fn hello() -> ::tool_runtime::WorkerAgentTool {
    #[allow(clippy::unused_async, reason = "a tool is async by contract")]
    async fn hello() {}
    static __DEFINITION: ::tool_runtime::__private::DefinitionCell = ::tool_runtime::__private::DefinitionCell::new();
    let __checked = ::tool_runtime::__private::Checked;
    let __output = ::tool_runtime::__private::output();
    let __call = ::tool_runtime::__private::call_of_none(
        __output,
        move |__finish| ::tool_runtime::__private::run(
            __checked,
            __finish,
            hello(),
            __output,
        ),
        || ::tool_runtime::__private::Labels {
            activity: ::tool_runtime::__private::Label::Generic,
            completed: ::core::option::Option::None,
        },
    );
    ::tool_runtime::__private::tool(
        &__DEFINITION,
        || ::tool_runtime::__private::Spec::new(
            ::tool_runtime::__private::ToolSpec::new("hello", "Says hello."),
        ),
        __call,
    )
}

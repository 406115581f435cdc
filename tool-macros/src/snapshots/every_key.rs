///The tool `add-2`.
fn add() -> ::tool_runtime::WorkerAgentTool {
    #[allow(clippy::unused_async, reason = "a tool is async by contract")]
    async fn add(params: Add, cx: ToolContext) -> i64 {
        1
    }
    static __DEFINITION: ::tool_runtime::__private::DefinitionCell = ::tool_runtime::__private::DefinitionCell::new();
    let __checked = ::tool_runtime::__private::Checked;
    let __output = ::tool_runtime::__private::output();
    let __call = ::tool_runtime::__private::call::<
        Add,
        _,
        _,
        _,
        _,
    >(
        __output,
        move |__params, __context, __finish| ::tool_runtime::__private::run(
            __checked,
            __finish,
            add(
                __params,
                ::tool_runtime::__private::context::<ToolContext, _>(__context),
            ),
            __output,
        ),
        || ::tool_runtime::__private::Labels {
            activity: ::tool_runtime::__private::Label::Hidden,
            completed: ::core::option::Option::None,
        },
    );
    ::tool_runtime::__private::tool(
        &__DEFINITION,
        || ::tool_runtime::__private::Spec::new(
            ::tool_runtime::__private::ToolSpec::new(
                    "add-2",
                    {
                        const __TEXT: &::core::primitive::str = ::tool_runtime::__private::constant_text(
                            ABOUT,
                        );
                        __TEXT
                    },
                )
                .title("Add")
                .namespace({
                    const __NAMESPACE: ::tool_runtime::__private::Namespace = names::SUMS;
                    __NAMESPACE
                })
                .search_text("sum")
                .execution_mode(::tool_runtime::__private::ExecutionMode::Parallel)
                .strict(true)
                .defer_loading(true)
                .destructive(false)
                .idempotent(true)
                .open_world(false)
                .timeout(::core::time::Duration::from_millis(120000u64))
                .max_output(50_000)
                .allowed_callers(::tool_runtime::__private::AllowedCallers::Any),
        ),
        __call,
    )
}

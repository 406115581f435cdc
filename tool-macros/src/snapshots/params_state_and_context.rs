/// Reads a file.
pub fn read_file(root: Root) -> ::tool_runtime::WorkerAgentTool {
    #[allow(clippy::unused_async, reason = "a tool is async by contract")]
    async fn read_file(
        root: Root,
        params: ReadFile,
        cx: ToolContext,
    ) -> Result<String, ToolError> {
        read(root, params.path, cx).await
    }
    static __DEFINITION: ::tool_runtime::__private::DefinitionCell = ::tool_runtime::__private::DefinitionCell::new();
    let __checked = ::tool_runtime::__private::Checked;
    let (root, __checked) = ::tool_runtime::__private::state::<Root, _>()
        .keep(__checked, root);
    let __output = ::tool_runtime::__private::output();
    let __call = ::tool_runtime::__private::call::<
        ReadFile,
        _,
        _,
        _,
        _,
    >(
        __output,
        move |__params, __context, __finish| ::tool_runtime::__private::run(
            __checked,
            __finish,
            read_file(
                root,
                __params,
                ::tool_runtime::__private::context::<ToolContext, _>(__context),
            ),
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
            ::tool_runtime::__private::ToolSpec::new("read_file", "Reads a file.")
                .read_only(true),
        ),
        __call,
    )
}

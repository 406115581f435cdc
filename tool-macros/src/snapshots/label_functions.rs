/// Reads a file.
fn read_file() -> ::tool_runtime::WorkerAgentTool {
    #[allow(clippy::unused_async, reason = "a tool is async by contract")]
    async fn read_file(params: ReadFile) -> Json<Page> {
        read(params)
    }
    static __DEFINITION: ::tool_runtime::__private::DefinitionCell = ::tool_runtime::__private::DefinitionCell::new();
    let __checked = ::tool_runtime::__private::Checked;
    let __output = ::tool_runtime::__private::output();
    let __call = ::tool_runtime::__private::call_of_one::<
        ReadFile,
        _,
        _,
        _,
        _,
    >(
        __output,
        move |__params, __finish| ::tool_runtime::__private::run(
            __checked,
            __finish,
            read_file(__params),
            __output,
        ),
        || ::tool_runtime::__private::Labels {
            activity: ::tool_runtime::__private::Label::Function(|label_params| ::tool_runtime::__private::into_label(
                label(label_params),
            )),
            completed: ::core::option::Option::Some(|completed_params, __of_details| {
                let completed_kept = ::tool_runtime::__private::clone_for_label(
                    completed_params,
                );
                __of_details
                    .label(move |completed_details| ::tool_runtime::__private::into_label(
                        labels::completed(&completed_kept, completed_details),
                    ))
            }),
        },
    );
    ::tool_runtime::__private::tool(
        &__DEFINITION,
        || ::tool_runtime::__private::Spec::new(
            ::tool_runtime::__private::ToolSpec::new("read_file", "Reads a file."),
        ),
        __call,
    )
}

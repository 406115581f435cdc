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
            activity: ::tool_runtime::__private::Label::Text(|tool_params| {
                let mut __label = ::tool_runtime::__private::LabelText::new();
                __label.text("Reading ");
                ::tool_runtime::__private::label_value(&mut __label, &tool_params.path);
                __label.finish()
            }),
            completed: ::core::option::Option::Some(|tool_params, __of_details| {
                let __part_3 = ::tool_runtime::__private::label_part(
                    &tool_params.path.name,
                );
                __of_details
                    .label(move |tool_details| {
                        let mut __label = ::tool_runtime::__private::LabelText::new();
                        __label.text("Read ");
                        ::tool_runtime::__private::label_value(
                            &mut __label,
                            &tool_details.lines,
                        );
                        __label.text(" lines of ");
                        __label.text(&__part_3);
                        __label.finish()
                    })
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

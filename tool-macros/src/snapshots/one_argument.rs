/// Reads a file.
fn read_file() -> ::my::runtime::WorkerAgentTool {
    #[allow(clippy::unused_async, reason = "a tool is async by contract")]
    async fn read_file(params: ReadFile) -> String {
        params.path
    }
    static __DEFINITION: ::my::runtime::__private::DefinitionCell = ::my::runtime::__private::DefinitionCell::new();
    let __checked = ::my::runtime::__private::Checked;
    let __output = ::my::runtime::__private::output();
    let __call = ::my::runtime::__private::call_of_one::<
        ReadFile,
        _,
        _,
        _,
        _,
    >(
        __output,
        move |__params, __finish| ::my::runtime::__private::run(
            __checked,
            __finish,
            read_file(__params),
            __output,
        ),
        || ::my::runtime::__private::Labels {
            activity: ::my::runtime::__private::Label::Generic,
            completed: ::core::option::Option::None,
        },
    );
    ::my::runtime::__private::tool(
        &__DEFINITION,
        || ::my::runtime::__private::Spec::new(
            ::my::runtime::__private::ToolSpec::new("read_file", "Reads a file."),
        ),
        __call,
    )
}

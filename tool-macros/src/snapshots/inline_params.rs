/// Adds.
#[allow(clippy::unused_async, reason = "a tool is async by contract")]
pub(crate) async fn plain_add(a: i64, r#type: i64) -> i64 {
    a + r#type
}
/// Adds.
pub(crate) fn add() -> ::tool_runtime::WorkerAgentTool {
    use ::tool_runtime::__private::{schemars as __schemars, serde as __serde};
    #[derive(__schemars::JsonSchema, __serde::Deserialize)]
    #[schemars(crate = "__schemars")]
    #[serde(crate = "__serde")]
    struct __Params {
        /// The first.
        #[schemars(range(min = 0))]
        a: i64,
        #[serde(default)]
        r#type: i64,
    }
    impl ::tool_runtime::__private::ToolParams for __Params {}
    static __DEFINITION: ::tool_runtime::__private::DefinitionCell = ::tool_runtime::__private::DefinitionCell::new();
    let __checked = ::tool_runtime::__private::Checked;
    let __output = ::tool_runtime::__private::output();
    let __call = ::tool_runtime::__private::call::<
        __Params,
        _,
        _,
        _,
        _,
    >(
        __output,
        move |__params, _, __finish| ::tool_runtime::__private::run(
            __checked,
            __finish,
            plain_add(__params.a, __params.r#type),
            __output,
        ),
        || ::tool_runtime::__private::Labels {
            activity: ::tool_runtime::__private::Label::Text(|tool_params| {
                let mut __label = ::tool_runtime::__private::LabelText::new();
                __label.text("Adding ");
                ::tool_runtime::__private::label_value(&mut __label, &tool_params.a);
                __label.finish()
            }),
            completed: ::core::option::Option::None,
        },
    );
    ::tool_runtime::__private::tool(
        &__DEFINITION,
        || ::tool_runtime::__private::Spec::new(
            ::tool_runtime::__private::ToolSpec::new("add", "Adds."),
        ),
        __call,
    )
}

#[automatically_derived]
impl<T: Item> ::tool_runtime::ToolParams for Page<T>
where
    T: Clone,
    Page<
        T,
    >: ::tool_runtime::__private::DeserializeOwned
        + ::tool_runtime::__private::JsonSchema + ::core::marker::Send + 'static,
{}

::core::compile_error! {
    "a tool's parameters are one JSON object, and a tuple struct is a list or a bare value: give the fields names"
}
#[automatically_derived]
impl ::my::runtime::ToolParams for Path {}

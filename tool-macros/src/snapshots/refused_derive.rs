::core::compile_error! {
    "a tool's parameters are one JSON object, and a tuple struct is a list or a bare value: give the fields names"
}
::core::compile_error! {
    "a transparent type is its field, which need not be a JSON object: leave the attribute out"
}
#[automatically_derived]
impl ::my::runtime::ToolParams for Path {}

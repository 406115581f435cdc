::core::compile_error! {
    "no key `paralel`; did you mean `parallel`?"
}
::core::compile_error! {
    "the key `read_only` is given twice"
}
::core::compile_error! {
    "write `destructive`, `destructive = true` or `destructive = false`"
}
::core::compile_error! {
    "a tool is asynchronous: write `async fn broken`"
}
::core::compile_error! {
    "a tool cannot be generic, since its parameters are told to a model: write the types out"
}
::core::compile_error! {
    "an argument of a tool has a plain name: take it apart in the body"
}
::core::compile_error! {
    "a tool needs a description, by which the model decides whether to call it: write a doc comment, or `description = \"…\"`"
}
pub fn plain<T>(root: Root, (a, b): (u32, u32)) -> String {
    a
}
pub fn broken(_: impl ::core::marker::Sized) -> ::tool_runtime::WorkerAgentTool {
    ::core::unreachable!()
}

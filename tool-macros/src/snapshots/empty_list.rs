fn list() -> Vec<WorkerAgentTool> {
    { ::tool_runtime::__private::Vec::<::tool_runtime::WorkerAgentTool>::new() }
}

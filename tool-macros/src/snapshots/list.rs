fn list() -> Vec<WorkerAgentTool> {
    {
        let mut __tools: ::tool_runtime::__private::Vec<
            ::tool_runtime::WorkerAgentTool,
        > = ::tool_runtime::__private::Vec::with_capacity(6usize);
        ::tool_runtime::__private::push(&mut __tools, todo(plan));
        {
            let tool_entry = ::tool_runtime::__private::constructor(files::grep);
            ::tool_runtime::__private::push(&mut __tools, tool_entry());
        }
        ::tool_runtime::__private::extend(&mut __tools, web_tools(&web));
        #[cfg(unix)]
        {
            if jobs {
                {
                    let tool_entry = ::tool_runtime::__private::constructor(shell);
                    ::tool_runtime::__private::push(&mut __tools, tool_entry());
                }
            }
        }
        if let Some(jobs) = jobs && jobs.enabled() {
            ::tool_runtime::__private::extend(&mut __tools, job_tools(jobs));
        }
        ::tool_runtime::__private::push(&mut __tools, built);
        __tools
    }
}

//! The list of a turn's tools.

/// Lists the tools of a turn, in order, as a `Vec<WorkerAgentTool>`.
///
/// | entry | gives |
/// |---|---|
/// | `grep` | the tool that the constructor makes; a bare path is called |
/// | `todo(plan)`, `catalog.tool()`, any other expression | the tool that it is |
/// | `(built)` | a variable that holds a tool |
/// | `..web_tools(&web)` | all tools of an iterator |
/// | `if enabled => entry`, `if let Some(jobs) = &jobs => ..job_tools(jobs)` | the entry, under a condition; chains of `let` too |
/// | `#[cfg(unix)] shell` | the entry, if it is configured in |
///
/// The same entry twice is a compile error, unless it has a condition or a `cfg`.
///
/// ```
/// use tool_runtime::{tools, worker_tool};
///
/// /// Adds two numbers.
/// #[worker_tool(read_only, parallel)]
/// async fn add(#[param] a: i64, #[param] b: i64) -> i64 {
///     a + b
/// }
///
/// /// Counts up, and gives the number.
/// #[worker_tool]
/// async fn next(#[state] counter: std::sync::Arc<std::sync::atomic::AtomicU64>) -> u64 {
///     counter.fetch_add(1, std::sync::atomic::Ordering::Relaxed)
/// }
///
/// let counter = Some(std::sync::Arc::default());
/// let tools = tools![
///     add,
///     if let Some(counter) = counter => next(counter),
/// ];
/// assert_eq!(tools.len(), 2);
/// ```
#[macro_export]
macro_rules! tools {
    ($($entries:tt)*) => {
        $crate::__private::tools! { $crate; $($entries)* }
    };
}

use tool_runtime::{WorkerAgentTool, tools, worker_tool};

/// Does nothing.
#[worker_tool]
async fn nothing() {}

/// Says a word.
#[worker_tool]
async fn say(#[state] word: &'static str, #[state] _times: usize) -> &'static str {
    word
}

struct Catalog {
    tools: Vec<WorkerAgentTool>,
    first: Option<u32>,
}

impl Catalog {
    fn first(&self) -> WorkerAgentTool {
        self.tools[0].clone()
    }
}

fn more() -> impl Iterator<Item = WorkerAgentTool> {
    [nothing(), say("more", 1)].into_iter()
}

fn names(tools: &[WorkerAgentTool]) -> Vec<&str> {
    tools.iter().map(|tool| &*tool.spec().name).collect()
}

fn main() {
    let catalog = Catalog { tools: tools![nothing], first: Some(3) };
    let built = say("built", 2);
    let on = |value: u32| value > 2;
    let list = tools![
        nothing,
        self::nothing,
        say("a", 1),
        catalog.first(),
        (built),
        { say("block", 1) },
        ..more(),
        ..catalog.tools.iter().cloned(),
        if catalog.first.is_none() => nothing,
        if let Some(value) = catalog.first => say(if value > 1 { "b" } else { "c" }, 1),
        if let Some(value) = catalog.first && on(value) && catalog.first.is_some() => ..more(),
        if on(3) => if on(4) => nothing,
        if matches!(catalog.first, Some(3)) => nothing,
        match catalog.first {
            Some(_) => nothing(),
            None => say("none", 0),
        },
        #[cfg(all())]
        say("cfg", 1),
        #[cfg(any())]
        missing,
    ];
    assert_eq!(
        names(&list),
        [
            "nothing", "nothing", "say", "nothing", "say", "say", "nothing", "say", "nothing", "say", "nothing", "say",
            "nothing", "nothing", "nothing", "say"
        ]
    );
}

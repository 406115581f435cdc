use tool_runtime::{tools, worker_tool};

const ABOUT: &str = "Adds numbers.";

mod texts {
    pub const TITLE: &str = "Add";
}

#[worker_tool(description = ABOUT, title = texts::TITLE)]
async fn add(#[param] a: u32) -> u32 {
    a
}

#[worker_tool(description = concat!("Adds ", "numbers."))]
async fn add2(#[param] a: u32) -> u32 {
    a
}

#[doc = "Adds"]
#[doc = concat!("num", "bers.")]
#[worker_tool]
async fn add3(#[param] a: u32) -> u32 {
    a
}

fn main() {
    for tool in tools![add, add2] {
        assert_eq!(tool.spec().description, "Adds numbers.");
    }
    assert_eq!(add3().spec().description.trim(), "Adds\nnumbers.");
}

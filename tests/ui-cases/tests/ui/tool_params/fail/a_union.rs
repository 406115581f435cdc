use tool_runtime::ToolParams;

#[derive(ToolParams)]
union Number {
    signed: i64,
    unsigned: u64,
}

fn main() {}

use tool_runtime::tools;

fn main() {
    tools!["hello"];
}

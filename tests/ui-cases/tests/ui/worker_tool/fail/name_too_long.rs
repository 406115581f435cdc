use tool_runtime::worker_tool;

/// Says hello.
#[worker_tool]
async fn say_hello_to_everybody_who_is_in_the_room_and_to_those_outside_of_it() -> String {
    String::new()
}

fn main() {}

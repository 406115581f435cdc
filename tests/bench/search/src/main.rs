//! What a search among 5,000 deferred tools takes: `cargo run --release`. The goal is 200 µs for a query by words, whatever
//! the words are.

use std::time::{Duration, Instant};

use serde_json::json;
use tool_runtime::{Namespace, ToolCatalog, ToolSet, ToolSpec, WorkerAgentTool};

const SERVICES: [&str; 10] =
    ["crm", "shop", "desk", "git", "drive", "mail", "pay", "calendar", "chat", "host"];
const VERBS: [&str; 10] =
    ["find", "list", "create", "update", "delete", "archive", "export", "merge", "count", "share"];
const THINGS: [&str; 50] = [
    "customer",
    "order",
    "invoice",
    "ticket",
    "project",
    "task",
    "file",
    "folder",
    "contact",
    "meeting",
    "event",
    "report",
    "dashboard",
    "user",
    "team",
    "role",
    "payment",
    "refund",
    "product",
    "price",
    "cart",
    "shipment",
    "address",
    "comment",
    "label",
    "branch",
    "commit",
    "issue",
    "review",
    "pipeline",
    "secret",
    "key",
    "webhook",
    "template",
    "form",
    "survey",
    "vote",
    "channel",
    "message",
    "thread",
    "call",
    "recording",
    "note",
    "page",
    "site",
    "domain",
    "record",
    "backup",
    "job",
    "queue",
];
/// The goal for a query by words.
const GOAL: Duration = Duration::from_micros(200);
const REPEATS: usize = 200;

fn tool(service: &str, verb: &str, thing: &str) -> WorkerAgentTool {
    let description = format!(
        "{verb}s a {thing} of {service} by its id or by a part of its name, with all fields that the caller may see. \
         Answers page by page; give the cursor of the last page to go on."
    );
    let namespace = Namespace {
        name: service.to_owned().into(),
        description: format!("All that the company keeps in {service}.").into(),
    };
    let schema = json!({"type": "object", "properties": {
        format!("{thing}_id"): {"type": "string"},
        "name_part": {"type": "string"},
        "fields": {"type": "array", "items": {"type": "string"}},
        "cursor": {"type": "string"},
    }});
    let spec = ToolSpec::new(format!("{verb}_{thing}"), description).namespace(namespace);
    let spec = spec.defer_loading(true).read_only(true);
    spec.schema::<serde_json::Value>(schema).execute(|_, _| async { "done" })
}

fn tools() -> Vec<WorkerAgentTool> {
    let things = |service, verb| THINGS.iter().map(move |thing| tool(service, verb, thing));
    let verbs = |service| VERBS.iter().flat_map(move |verb| things(service, verb));
    SERVICES.iter().flat_map(|service| verbs(service)).collect()
}

/// The median and the longest of many runs.
fn time<T>(mut work: impl FnMut() -> T) -> (Duration, Duration) {
    let mut times: Vec<Duration> = (0..REPEATS)
        .map(|_| {
            let start = Instant::now();
            std::hint::black_box(work());
            start.elapsed()
        })
        .collect();
    times.sort();
    (times[REPEATS / 2], times[REPEATS - 1])
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let tools = tools();
    let (build, _) = {
        let start = Instant::now();
        let catalog = ToolCatalog::new(tools.clone()).unwrap();
        (start.elapsed(), catalog)
    };
    let catalog = ToolCatalog::new(tools).unwrap();
    let set = ToolSet::new(catalog.tools()).unwrap();
    println!("{} deferred tools; the index is built in {build:.1?}, once for the program", catalog.len());
    let (turn, _) = time(|| ToolSet::new(catalog.tools()).unwrap());
    println!("the set of a turn with all of them: {turn:.1?}\n");
    println!("| call of `tool_search` | median | longest of {REPEATS} |");
    println!("|---|---|---|");
    let long = THINGS.join(" ");
    let mut missed = Vec::new();
    for (kind, arguments, is_query) in [
        ("three words", json!({"query": "find customer address"}), true),
        ("a sentence", json!({"query": "I want to list the open invoices of a customer in the shop"}), true),
        ("a word that every tool has", json!({"query": "fields"}), true),
        (
            "many words that every tool has",
            json!({"query": "page name fields caller cursor company id"}),
            true,
        ),
        ("fifty words", json!({"query": long}), true),
        ("words in a namespace", json!({"query": "list page", "namespace": "git"}), true),
        ("one name", json!({"names": ["crm.find_customer"]}), false),
        ("a namespace", json!({"namespace": "git"}), false),
        ("a word that no tool has", json!({"query": "custmer"}), false),
        ("a wrong name", json!({"names": ["crm.find_custmer"]}), false),
    ] {
        let text = arguments.to_string();
        let (median, longest) = time(|| runtime.block_on(set.call("tool_search", &text)).unwrap());
        println!("| {kind} | {median:.1?} | {longest:.1?} |");
        if is_query && median > GOAL {
            missed.push(kind);
        }
    }
    println!(
        "\nqueries over {GOAL:?}: {}",
        if missed.is_empty() { "none".to_owned() } else { missed.join(", ") }
    );
}

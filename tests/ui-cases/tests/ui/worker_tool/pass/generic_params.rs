use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::Hash;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tool_runtime::{Json, ToolParams, tools, worker_tool};

trait Item: Debug + Send + 'static {}

impl Item for u32 {}

#[derive(Debug, Deserialize, JsonSchema, ToolParams)]
struct Page<T: Item, const N: usize = 3>
where
    T: Clone,
{
    items: Vec<T>,
}

#[derive(Deserialize, JsonSchema, ToolParams)]
struct Table<K: Eq + Hash, V> {
    #[serde(bound(deserialize = "K: Deserialize<'de>, V: Deserialize<'de>"))]
    rows: HashMap<K, V>,
}

#[derive(Serialize, JsonSchema)]
struct Wrapped<T> {
    value: T,
}

/// Takes a page.
#[worker_tool(activity = "Taking {items} items", completed_activity = "Took {details.value}")]
async fn take(page: Page<u32>) -> Json<Wrapped<usize>> {
    Json(Wrapped { value: page.items.len() })
}

/// Takes a table.
#[worker_tool(activity = "Taking {rows} rows")]
async fn take_table(table: Table<String, Vec<Option<u8>>>) -> usize {
    table.rows.len()
}

fn main() {
    assert_eq!(tools![take, take_table].len(), 2);
}

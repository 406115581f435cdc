//! Names for providers that have no namespaces: a table both ways, so that no name is ever taken apart.

use std::collections::HashMap;

use crate::tool::WorkerAgentTool;

/// The longest name that every provider takes.
const MAX_NAME: usize = 64;

/// One flat name for each tool of a set.
#[derive(Debug)]
pub(crate) struct WireNames {
    by_position: Vec<String>,
    by_name: HashMap<String, usize>,
}

impl WireNames {
    /// Tools without a namespace keep their names; the others become `namespace__name`, cut and numbered where that is
    /// too long or taken.
    pub(crate) fn new(tools: &[WorkerAgentTool]) -> Self {
        let mut by_name = HashMap::with_capacity(tools.len());
        let bare = |tool: &WorkerAgentTool| tool.spec().namespace.is_none();
        let order = |wanted: bool| tools.iter().enumerate().filter(move |(_, tool)| bare(tool) == wanted);
        let mut by_position = vec![String::new(); tools.len()];
        for (position, tool) in order(true).chain(order(false)) {
            let spec = tool.spec();
            let wish = match &spec.namespace {
                None => spec.name.to_string(),
                Some(namespace) => format!("{}__{}", namespace.name, spec.name),
            };
            let name = free_name(&wish, &by_name);
            by_name.insert(name.clone(), position);
            if let Some(slot) = by_position.get_mut(position) {
                *slot = name;
            }
        }
        Self { by_position, by_name }
    }

    /// The flat name of the tool at `position`.
    pub(crate) fn name(&self, position: usize) -> Option<&str> {
        self.by_position.get(position).map(String::as_str)
    }

    /// The tool that a flat name leads to.
    pub(crate) fn position(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }
}

/// `wish`, or what is nearest to it, short enough and not taken.
pub(crate) fn free_name(wish: &str, taken: &HashMap<String, usize>) -> String {
    let head = |room: usize| wish.chars().take(room).collect::<String>();
    if wish.len() <= MAX_NAME && !taken.contains_key(wish) {
        return wish.to_owned();
    }
    let mut number = 2_usize;
    loop {
        let tail = format!("_{number}");
        let name = head(MAX_NAME - tail.len()) + &tail;
        if !taken.contains_key(&name) {
            return name;
        }
        number += 1;
    }
}

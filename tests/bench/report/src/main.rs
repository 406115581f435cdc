//! Writes `docs/benchmarks.md` and `docs/benchmarks.svg` from the lines that the benches printed: `report RESULTS DOCS`.
//!
//! The folder of results holds `times.jsonl` (all rounds), `instructions.jsonl`, `compile.jsonl`, `search.md`, `versions.txt`
//! and `when.txt`. What is not there is left out of the page.

mod chart;
mod goals;
mod page;
mod results;

use std::path::PathBuf;

fn main() {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let (results, docs) = (arguments.next().expect("results"), arguments.next().expect("docs"));
    let results = results::read(&results);
    std::fs::write(docs.join("benchmarks.md"), page::page(&results)).expect("the page can be written");
    std::fs::write(docs.join("benchmarks.svg"), chart::chart(&results)).expect("the chart can be written");
}

//! Writes the first inputs of the targets: the rows of `tests/cases/arguments.jsonl`.

use std::{fs, io};

fn main() -> io::Result<()> {
    fs::create_dir_all("corpus/text")?;
    fs::create_dir_all("corpus/schema")?;
    for line in fs::read_to_string("../cases/arguments.jsonl")?.lines() {
        let row: serde_json::Value = serde_json::from_str(line)?;
        let id = row["id"].as_str().unwrap_or_default();
        let raw = row["raw"].as_str().unwrap_or_default();
        fs::write(format!("corpus/text/{id}"), raw)?;
        fs::write(format!("corpus/schema/{id}"), format!("{}\0{raw}", row["schema"]))?;
    }
    Ok(())
}

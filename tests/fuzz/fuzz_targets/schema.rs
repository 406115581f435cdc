//! Any JSON as a schema, up to the first zero byte, with any bytes behind it as the arguments.

#![no_main]

use fuzz::Subject;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &str| {
    let (schema, text) = input.split_once('\0').unwrap_or((input, "{}"));
    if let Ok(schema) = serde_json::from_str(schema)
        && let Some(subject) = Subject::new(&schema)
    {
        subject.check(text);
    }
});

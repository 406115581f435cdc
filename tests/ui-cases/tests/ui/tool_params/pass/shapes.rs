use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use tool_runtime::ToolParams;

#[derive(Deserialize, JsonSchema, ToolParams)]
struct Empty {}

#[derive(Deserialize, JsonSchema, ToolParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default, rename(deserialize = "x"))]
#[schemars(description = "Described.", extend("additionalProperties" = true))]
#[derive(Default)]
struct Attributes {
    #[serde(alias = "b", deserialize_with = "text::deserialize")]
    a: String,
}

mod text {
    use serde::Deserialize as _;

    pub(crate) fn deserialize<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
        String::deserialize(deserializer)
    }
}

#[derive(Deserialize, JsonSchema, ToolParams)]
struct Flattened {
    #[serde(flatten)]
    more: BTreeMap<String, u32>,
    #[serde(default)]
    r#type: Option<Box<Flattened>>,
}

/// A promise made by hand.
#[derive(Deserialize, JsonSchema)]
#[serde(transparent)]
struct ByHand(BTreeMap<String, u32>);

impl ToolParams for ByHand {}

fn is_params<P: ToolParams>() {}

fn main() {
    is_params::<Empty>();
    is_params::<Attributes>();
    is_params::<Flattened>();
    is_params::<ByHand>();
}

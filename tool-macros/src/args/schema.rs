//! `schema = …`: a literal is checked here, any other expression when the tool is first built.

use std::fmt;

use quote::ToTokens;
use serde_core::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use syn::{Expr, Lit, LitStr, Meta};

use super::values::{at, fault, lit, value};

/// A raw schema.
pub(crate) enum RawSchema {
    /// Checked: JSON whose root describes an object.
    Literal(LitStr),
    /// To be checked when the tool is first built.
    Expr(Expr),
}

pub(super) fn read(meta: &Meta) -> syn::Result<RawSchema> {
    let Some(value) = value(meta) else {
        return Err(fault(meta, "`schema` is a JSON Schema: `schema = r#\"{ \"type\": \"object\", … }\"#`"));
    };
    match lit(value) {
        None => Ok(RawSchema::Expr(value.clone())),
        Some(Lit::Str(text)) => {
            check(&text.value()).map_err(|message| at(text.span(), message))?;
            Ok(RawSchema::Literal(text.clone()))
        }
        Some(other) => Err(fault(other.to_token_stream(), "the schema is JSON in a string literal")),
    }
}

fn check(text: &str) -> Result<(), String> {
    let node: Node = serde_json::from_str(text)
        .map_err(|error| format!("the schema is no JSON that can be read one way: {error}"))?;
    let Node::Object { root_type } = node else {
        return Err(
            "the root of the schema is not a JSON object: write `{ \"type\": \"object\", … }`".to_owned()
        );
    };
    match root_type.as_deref() {
        Some("object") => Ok(()),
        Some(other) => Err(format!(
            "arguments are one JSON object, and the root of the schema has the type `{other}`: write `\"type\": \"object\"`"
        )),
        None => {
            Err("arguments are one JSON object: the root of the schema needs `\"type\": \"object\"`"
                .to_owned())
        }
    }
}

/// JSON with no key twice, of which only the root's type is kept.
enum Node {
    Text(String),
    Object { root_type: Option<String> },
    Other,
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Nodes;

        impl<'de> Visitor<'de> for Nodes {
            type Value = Node;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("JSON")
            }

            fn visit_unit<E>(self) -> Result<Node, E> {
                Ok(Node::Other)
            }

            fn visit_bool<E>(self, _: bool) -> Result<Node, E> {
                Ok(Node::Other)
            }

            fn visit_i64<E>(self, _: i64) -> Result<Node, E> {
                Ok(Node::Other)
            }

            fn visit_u64<E>(self, _: u64) -> Result<Node, E> {
                Ok(Node::Other)
            }

            fn visit_f64<E>(self, _: f64) -> Result<Node, E> {
                Ok(Node::Other)
            }

            fn visit_str<E>(self, text: &str) -> Result<Node, E> {
                Ok(Node::Text(text.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Node, A::Error> {
                while items.next_element::<Node>()?.is_some() {}
                Ok(Node::Other)
            }

            fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Node, A::Error> {
                let (mut keys, mut root_type) = (Vec::<String>::new(), None);
                while let Some(key) = members.next_key::<String>()? {
                    if keys.contains(&key) {
                        return Err(A::Error::custom(format!("the key `{key}` is given twice")));
                    }
                    match members.next_value()? {
                        Node::Text(text) if key == "type" => root_type = Some(text),
                        _ => {}
                    }
                    keys.push(key);
                }
                Ok(Node::Object { root_type })
            }
        }

        deserializer.deserialize_any(Nodes)
    }
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn an_object_passes() {
        check(r#"{"type":"object","properties":{"type":{"type":"string"},"n":{"enum":[1,null,true,1.5]}}}"#)
            .unwrap();
    }

    #[test]
    fn a_key_twice_is_found_at_any_depth() {
        let error = check(r#"{"type":"object","properties":{"a":{},"a":{}}}"#).unwrap_err();
        assert!(error.contains("the key `a` is given twice"), "{error}");
    }

    #[test]
    fn the_root_must_describe_an_object() {
        for (schema, said) in [
            ("[]", "not a JSON object"),
            (r#"{"type":"string"}"#, "has the type `string`"),
            (r#"{"properties":{}}"#, "needs `\"type\": \"object\"`"),
            (r#"{"type":["object","null"]}"#, "needs `\"type\": \"object\"`"),
            ("{", "EOF"),
        ] {
            let error = check(schema).unwrap_err();
            assert!(error.contains(said), "{schema}: {error}");
        }
    }
}

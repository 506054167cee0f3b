//! Reads JSON objects, and keeps only the members that a method uses.
//!
//! A caller decides what a message contains, and 64 KB of keys as a tree take a millisecond and a megabyte. So the
//! envelope keeps `params` as text, and a method names the few members that it reads. All other members are checked
//! and dropped.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value, value::RawValue};

/// Keys of `_meta` that the protocol defines: the version and the client's capabilities.
pub(super) const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
pub(super) const CAPABILITIES_KEY: &str = "io.modelcontextprotocol/clientCapabilities";

/// Maximum number of messages in a batch. Chosen, not measured: a client's batch has one message for each tool that a
/// model calls at once.
pub(super) const ITEMS_MAX: usize = 16;

/// The members of `_meta` that this service reads.
const META_KEYS: &[&str] = &[VERSION_KEY, CAPABILITIES_KEY];

/// The members of a message that this service reads. `params` stays as text.
#[derive(Debug, Default)]
pub(super) struct Envelope<'m> {
    pub(super) jsonrpc: Option<Value>,
    pub(super) id: Option<Value>,
    pub(super) method: Option<Value>,
    pub(super) params: Option<&'m RawValue>,
    /// Whether the message has a result or an error.
    pub(super) is_answer: bool,
}

/// The kind of a JSON text, with its members if it is an object.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "made once for a message, and taken apart at once")]
pub(super) enum Text<'m> {
    Object(Envelope<'m>),
    /// The items of a list, as text. Keeps one item more than [`ITEMS_MAX`], to detect longer lists.
    List(Vec<&'m RawValue>),
    Other,
}

impl<'m> Text<'m> {
    /// Reads a text to its end, which checks all of it.
    ///
    /// # Errors
    /// If it is not JSON.
    pub(super) fn read(text: &'m str) -> serde_json::Result<Text<'m>> {
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let read = deserializer.deserialize_any(TextVisitor)?;
        deserializer.end()?;
        Ok(read)
    }
}

struct TextVisitor;

impl<'m> Visitor<'m> for TextVisitor {
    type Value = Text<'m>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a message")
    }

    fn visit_map<A: MapAccess<'m>>(self, mut map: A) -> Result<Text<'m>, A::Error> {
        let mut envelope = Envelope::default();
        while let Some(name) =
            map.next_key_seed(OneOf(&["jsonrpc", "id", "method", "params", "result", "error"]))?
        {
            // The last value of a repeated member counts, as in most JSON parsers.
            match name {
                Some("jsonrpc") => envelope.jsonrpc = Some(map.next_value_seed(Shallow)?),
                Some("id") => envelope.id = Some(map.next_value_seed(Shallow)?),
                Some("method") => envelope.method = Some(map.next_value_seed(Shallow)?),
                Some("params") => envelope.params = Some(map.next_value()?),
                other => {
                    envelope.is_answer |= other.is_some();
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(Text::Object(envelope))
    }

    fn visit_seq<A: SeqAccess<'m>>(self, mut seq: A) -> Result<Text<'m>, A::Error> {
        let mut items = Vec::new();
        while items.len() <= ITEMS_MAX {
            let Some(item) = seq.next_element()? else { return Ok(Text::List(items)) };
            items.push(item);
        }
        IgnoredAny.visit_seq(seq)?;
        Ok(Text::List(items))
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<Text<'m>, E> {
        Ok(Text::Other)
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Text<'m>, E> {
        Ok(Text::Other)
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Text<'m>, E> {
        Ok(Text::Other)
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<Text<'m>, E> {
        Ok(Text::Other)
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Text<'m>, E> {
        Ok(Text::Other)
    }

    fn visit_unit<E: Error>(self) -> Result<Text<'m>, E> {
        Ok(Text::Other)
    }
}

/// Returns the members of these names; `None` if the text is not an object. Members in `whole` are kept with all
/// their content. Objects and lists in other members become empty.
///
/// # Errors
/// Fails if a number or a text in a member of `whole` cannot be represented.
pub(super) fn members(
    text: &RawValue,
    names: &'static [&'static str],
    whole: &'static [&'static str],
) -> serde_json::Result<Option<Map<String, Value>>> {
    if !text.get().starts_with('{') {
        return Ok(None);
    }
    let mut deserializer = serde_json::Deserializer::from_str(text.get());
    deserializer.deserialize_map(Members { names, whole }).map(Some)
}

struct Members {
    names: &'static [&'static str],
    whole: &'static [&'static str],
}

/// The member of parameters that belongs to the protocol itself.
const META: &str = "_meta";

impl<'m> Visitor<'m> for Members {
    type Value = Map<String, Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'m>>(self, mut map: A) -> Result<Map<String, Value>, A::Error> {
        let mut members = Map::new();
        while let Some(name) = map.next_key_seed(OneOf(self.names))? {
            let Some(name) = name else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            let value = if name == META {
                map.next_value_seed(Meta)?
            } else if self.whole.contains(&name) {
                map.next_value()?
            } else {
                map.next_value_seed(Shallow)?
            };
            members.insert(name.to_owned(), value);
        }
        Ok(members)
    }
}

/// Reads `_meta`. Keeps only the known members of an object, and reads any other value as [`Shallow`] does.
struct Meta;

impl<'m> DeserializeSeed<'m> for Meta {
    type Value = Value;

    fn deserialize<D: Deserializer<'m>>(self, deserializer: D) -> Result<Value, D::Error> {
        let text: &RawValue = serde::Deserialize::deserialize(deserializer)?;
        let read = match members(text, META_KEYS, &[]) {
            Ok(Some(members)) => Ok(Value::Object(members)),
            Ok(None) => serde_json::Deserializer::from_str(text.get()).deserialize_any(Shallow),
            Err(error) => Err(error),
        };
        read.map_err(D::Error::custom)
    }
}

/// Reads the name of a member: one of these names, or `None` for any other.
struct OneOf(&'static [&'static str]);

impl<'m> DeserializeSeed<'m> for OneOf {
    type Value = Option<&'static str>;

    fn deserialize<D: Deserializer<'m>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for OneOf {
    type Value = Option<&'static str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a member")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        Ok(self.0.iter().find(|known| **known == name).copied())
    }
}

/// Reads a value. Keeps an object or a list only as an empty one.
struct Shallow;

impl<'m> DeserializeSeed<'m> for Shallow {
    type Value = Value;

    fn deserialize<D: Deserializer<'m>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(Shallow)
    }
}

impl<'m> Visitor<'m> for Shallow {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_map<A: MapAccess<'m>>(self, map: A) -> Result<Value, A::Error> {
        IgnoredAny.visit_map(map)?;
        Ok(Value::Object(Map::new()))
    }

    fn visit_seq<A: SeqAccess<'m>>(self, seq: A) -> Result<Value, A::Error> {
        IgnoredAny.visit_seq(seq)?;
        Ok(Value::Array(Vec::new()))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Values of every kind, and strings and names that need decoding.
    const VALUES: &[&str] = &[
        "null",
        "true",
        "false",
        "0",
        "-7",
        "18446744073709551615",
        "1.5e3",
        "\"\"",
        "\"a \\u00e9 \\n\"",
        "[]",
        "[1,[2],{\"id\":9}]",
        "{}",
        "{\"id\":9,\"method\":\"inner\",\"result\":1}",
    ];

    fn tree(text: &str) -> Value {
        serde_json::from_str(text).unwrap()
    }

    /// Returns the part of a value that a shallow read keeps.
    fn shallow(value: Value) -> Value {
        match value {
            Value::Object(_) => json!({}),
            Value::Array(_) => json!([]),
            other => other,
        }
    }

    fn envelope(text: &str) -> Envelope<'_> {
        match Text::read(text).unwrap() {
            Text::Object(envelope) => envelope,
            other => panic!("{text} is {other:?}"),
        }
    }

    #[test]
    fn a_text_is_of_its_kind_and_read_to_its_end() {
        for value in VALUES {
            let kind = match Text::read(value).unwrap() {
                Text::Object(_) => "object",
                Text::List(_) => "list",
                Text::Other => "other",
            };
            let expected = match tree(value) {
                Value::Object(_) => "object",
                Value::Array(_) => "list",
                _ => "other",
            };
            assert_eq!(kind, expected, "{value}");
            for rest in ["x", "{}", " 1", ","] {
                assert!(Text::read(&format!("{value}{rest}")).is_err(), "{value}{rest}");
            }
            assert!(Text::read(&format!(" {value} \n")).is_ok(), "{value}");
        }
    }

    #[test]
    fn an_envelope_has_its_members_and_no_inner_ones() {
        for value in VALUES {
            for (name, pick) in [
                ("jsonrpc", (|envelope: Envelope<'_>| envelope.jsonrpc) as fn(Envelope<'_>) -> Option<Value>),
                ("id", |envelope| envelope.id),
                ("method", |envelope| envelope.method),
            ] {
                // The last of equal names counts, and names may contain escapes.
                let text = format!(
                    "{{\"x\":{value},\"{name}\":1,\"\\u{:04x}{}\":{value}}}",
                    name.as_bytes()[0],
                    &name[1..]
                );
                assert_eq!(pick(envelope(&text)), Some(shallow(tree(value))), "{text}");
                assert_eq!(pick(envelope(&format!("{{\"x\":{{\"{name}\":{value}}}}}"))), None);
            }
            let text = format!("{{\"params\":1,\"params\":{value},\"y\":{value}}}");
            assert_eq!(envelope(&text).params.map(RawValue::get), Some(*value), "{text}");
            for (name, is_answer) in [("result", true), ("error", true), ("results", false), ("x", false)] {
                let text = format!("{{\"{name}\":{value},\"id\":1}}");
                assert_eq!(envelope(&text).is_answer, is_answer, "{text}");
            }
        }
        assert!(envelope("{}").params.is_none());
    }

    #[test]
    fn members_are_kept_whole_shallow_or_not_at_all() {
        let members = |text: &str| {
            let raw: &RawValue = serde_json::from_str(text).unwrap();
            members(raw, &["whole", "part", META], &["whole"]).unwrap().map(Value::Object)
        };
        for value in VALUES {
            let text = format!("{{\"part\":{value},\"whole\":{value},\"other\":{value}}}");
            let expected = json!({ "part": shallow(tree(value)), "whole": tree(value) });
            assert_eq!(members(&text), Some(expected), "{text}");
            let meta = format!("{{\"{META}\":{{\"{VERSION_KEY}\":{value},\"x\":{value}}}}}");
            let expected = json!({ META: { VERSION_KEY: shallow(tree(value)) } });
            assert_eq!(members(&meta), Some(expected), "{meta}");
            if !value.starts_with('{') {
                assert_eq!(members(value), None, "{value}");
                let meta = format!("{{\"{META}\":{value}}}");
                assert_eq!(members(&meta), Some(json!({ META: shallow(tree(value)) })), "{meta}");
            }
        }
    }
}

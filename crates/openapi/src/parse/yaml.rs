//! YAML → plain JSON values: the core schema of YAML 1.2, merge keys, and aliases within a budget.

use std::collections::HashMap;

use saphyr_parser::{Event, Parser, ScalarStyle};
use serde_json::{Map, Number, Value};

use crate::error::DocumentError;

/// Aliases may repeat this many values in all: a few lines of them can stand for more than any memory holds.
const MOST_REPEATED: usize = 500_000;
const DEEPEST: usize = 120;

pub(super) fn parse(text: &str) -> Result<Value, DocumentError> {
    let mut builder = Builder::default();
    let mut parser = Parser::new_from_str(text);
    while let Some(event) = parser.next_event() {
        let (event, _) = event.map_err(|error| DocumentError::NotParsed { reason: error.to_string() })?;
        if matches!(event, Event::DocumentEnd | Event::StreamEnd) && builder.root.is_some() {
            break;
        }
        builder.take(event)?;
    }
    builder.root.filter(|root| !root.is_null()).ok_or(DocumentError::Empty)
}

#[derive(Default)]
struct Builder {
    root: Option<Value>,
    open: Vec<Open>,
    /// What has been given a name, and how many values it holds.
    anchored: HashMap<usize, (Value, usize)>,
    repeated: usize,
}

/// A list or mapping whose end has not come.
struct Open {
    anchor: usize,
    /// How many values it holds so far, itself included.
    size: usize,
    kind: Kind,
}

enum Kind {
    List(Vec<Value>),
    Mapping { fields: Map<String, Value>, merged: Vec<Value>, key: Option<String> },
}

impl Builder {
    fn take(&mut self, event: Event<'_>) -> Result<(), DocumentError> {
        match event {
            Event::Scalar(text, style, anchor, _) => {
                let value = if self.expects_key() { Value::String(text.into_owned()) } else { scalar(&text, style) };
                self.finish(value, 1, anchor)
            }
            Event::SequenceStart(anchor, _) => self.begin(anchor, Kind::List(Vec::new())),
            Event::MappingStart(anchor, _) => {
                self.begin(anchor, Kind::Mapping { fields: Map::new(), merged: Vec::new(), key: None })
            }
            Event::SequenceEnd | Event::MappingEnd => self.end(),
            Event::Alias(anchor) => self.repeat(anchor),
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentStart(_) | Event::DocumentEnd => {
                Ok(())
            }
        }
    }

    fn expects_key(&self) -> bool {
        matches!(self.open.last(), Some(Open { kind: Kind::Mapping { key: None, .. }, .. }))
    }

    fn begin(&mut self, anchor: usize, kind: Kind) -> Result<(), DocumentError> {
        if self.expects_key() {
            return Err(DocumentError::NotParsed { reason: "a key of a mapping must be a text".to_owned() });
        }
        if self.open.len() >= DEEPEST {
            return Err(DocumentError::TooDeep { most: DEEPEST });
        }
        self.open.push(Open { anchor, size: 1, kind });
        Ok(())
    }

    fn end(&mut self) -> Result<(), DocumentError> {
        let Some(Open { anchor, size, kind }) = self.open.pop() else { return Ok(()) };
        let value = match kind {
            Kind::List(items) => Value::Array(items),
            Kind::Mapping { fields, merged, .. } => Value::Object(merge(fields, merged)),
        };
        self.finish(value, size, anchor)
    }

    fn repeat(&mut self, anchor: usize) -> Result<(), DocumentError> {
        let Some((value, size)) = self.anchored.get(&anchor) else {
            return Err(DocumentError::NotParsed { reason: "an alias stands before what it repeats".to_owned() });
        };
        self.repeated += size;
        if self.repeated > MOST_REPEATED {
            return Err(DocumentError::TooManyAliases { most: MOST_REPEATED });
        }
        let (value, size) = (value.clone(), *size);
        self.finish(value, size, 0)
    }

    fn finish(&mut self, value: Value, size: usize, anchor: usize) -> Result<(), DocumentError> {
        if anchor != 0 {
            self.repeated += size;
            self.anchored.insert(anchor, (value.clone(), size));
        }
        let Some(open) = self.open.last_mut() else {
            self.root = Some(value);
            return Ok(());
        };
        open.size += size;
        match &mut open.kind {
            Kind::List(items) => items.push(value),
            Kind::Mapping { fields, merged, key } => match key.take() {
                None => *key = Some(value.as_str().map_or_else(|| value.to_string(), str::to_owned)),
                Some(name) if name == "<<" && !value.is_string() => merged.push(value),
                Some(name) => drop(fields.insert(name, value)),
            },
        }
        Ok(())
    }
}

/// The fields, and those of merged mappings that they do not have themselves.
fn merge(mut fields: Map<String, Value>, merged: Vec<Value>) -> Map<String, Value> {
    for part in merged {
        let mappings = if let Value::Array(parts) = part { parts } else { vec![part] };
        for mapping in mappings {
            let Value::Object(mapping) = mapping else { continue };
            for (name, value) in mapping {
                fields.entry(name).or_insert(value);
            }
        }
    }
    fields
}

/// A plain scalar as the core schema reads it; anything quoted is a text.
fn scalar(text: &str, style: ScalarStyle) -> Value {
    if style != ScalarStyle::Plain {
        return Value::String(text.to_owned());
    }
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ => number(text).map_or_else(|| Value::String(text.to_owned()), Value::Number),
    }
}

fn number(text: &str) -> Option<Number> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if !digits.starts_with(|first: char| first.is_ascii_digit() || first == '.') {
        return None;
    }
    if let Some(octal) = text.strip_prefix("0o") {
        return i64::from_str_radix(octal, 8).ok().map(Number::from);
    }
    if let Some(hexadecimal) = text.strip_prefix("0x") {
        return i64::from_str_radix(hexadecimal, 16).ok().map(Number::from);
    }
    let whole = text.parse::<i64>().map(Number::from).or_else(|_| text.parse::<u64>().map(Number::from));
    whole.ok().or_else(|| {
        let is_number = digits.bytes().all(|byte| byte.is_ascii_digit() || b".eE+-".contains(&byte));
        is_number.then(|| text.parse::<f64>().ok().and_then(Number::from_f64)).flatten()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn scalars_are_those_of_the_core_schema() {
        let text = "a: no\nb: 1.0\nc: 0x1F\nd: '3'\ne: ~\nf: 2020-01-01\ng: 1.2.3\nh: |\n  x\n  y\ni: -7\nj: 1e3\nk: .5\non: yes\n";
        let expected = json!({
            "a": "no", "b": 1.0, "c": 31, "d": "3", "e": null, "f": "2020-01-01", "g": "1.2.3", "h": "x\ny\n",
            "i": -7, "j": 1000.0, "k": 0.5, "on": "yes",
        });
        assert_eq!(parse(text).unwrap(), expected);
    }

    #[test]
    fn aliases_and_merge_keys_repeat_what_they_name() {
        let text = "base: &b {x: 1, y: 2}\na: *b\nc:\n  <<: *b\n  y: 3\n";
        assert_eq!(
            parse(text).unwrap(),
            json!({"base": {"x": 1, "y": 2}, "a": {"x": 1, "y": 2}, "c": {"y": 3, "x": 1}})
        );
    }

    #[test]
    fn a_bomb_of_aliases_is_refused_before_it_grows() {
        let mut text = "a0: &a0 [x,x,x,x,x,x,x,x,x]\n".to_owned();
        for level in 1..30 {
            let inner = format!("*a{}", level - 1);
            text += &format!("a{level}: &a{level} [{}]\n", [inner.as_str(); 9].join(","));
        }
        let message = parse(&text).unwrap_err().to_string();
        assert!(message.contains("aliases"), "{message}");
    }

    #[test]
    fn endless_nesting_is_refused() {
        let message = parse(&format!("{}{}", "[".repeat(200), "]".repeat(200))).unwrap_err().to_string();
        assert!(message.contains("nested"), "{message}");
        assert!(parse(&"[".repeat(100_000)).is_err());
        assert!(parse("? [a, b]\n: c\n").unwrap_err().to_string().contains("key"));
    }
}

//! The schema of an operation's arguments: complete in itself, valid under JSON Schema 2020-12, and within a budget of bytes.
//!
//! The whole schema is tried first. What does not fit loses examples and long prose, then prose within, then depth; every step says
//! what it took. Parameters are never lost, and an object whose fields are left out still takes them.

mod expand;
mod keywords;
mod patterns;
mod prose;

use serde_json::{Map, Value, json};

use crate::document::Document;
use crate::operation::{Body, Parameter};
use crate::read::{Draft, Shape, ShapeKind};

pub(crate) use patterns::Patterns;
pub(crate) use prose::shortened;

use expand::{Expansion, Overrun};

/// How much of a schema is written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan {
    /// The longest example in bytes; 0 for none.
    examples: usize,
    /// The longest description in characters: of an argument, and of what is within one.
    prose: usize,
    prose_within: usize,
    /// Levels of objects and lists.
    depth: usize,
    /// The longest list of allowed values.
    values: usize,
    /// Whether the body is described at all.
    body: bool,
}

const WHOLE: Plan = Plan { examples: 120, prose: 240, prose_within: 160, depth: 40, values: usize::MAX, body: true };

/// From everything to the least that is useful.
const PLANS: &[Plan] = &[
    WHOLE,
    Plan { examples: 0, ..WHOLE },
    Plan { examples: 0, prose: 120, prose_within: 60, ..WHOLE },
    Plan { examples: 0, prose: 120, prose_within: 0, ..WHOLE },
    Plan { examples: 0, prose: 80, prose_within: 0, depth: 5, values: 60, body: true },
    Plan { examples: 0, prose: 80, prose_within: 0, depth: 4, values: 40, body: true },
    Plan { examples: 0, prose: 60, prose_within: 0, depth: 3, values: 30, body: true },
    Plan { examples: 0, prose: 60, prose_within: 0, depth: 2, values: 20, body: true },
    Plan { examples: 0, prose: 0, prose_within: 0, depth: 1, values: 12, body: true },
    Plan { examples: 0, prose: 0, prose_within: 0, depth: 0, values: 8, body: true },
    Plan { examples: 0, prose: 0, prose_within: 0, depth: 0, values: 8, body: false },
];

/// A schema that fits, and what it cost.
#[derive(Debug)]
pub(crate) struct Fitted {
    pub(crate) schema: Value,
    pub(crate) cuts: Vec<String>,
}

/// Makes the schemas of one document.
#[derive(Debug)]
pub(crate) struct Schemas<'a> {
    pub(crate) document: &'a Document,
    pub(crate) patterns: Patterns,
}

impl<'a> Schemas<'a> {
    pub(crate) fn new(document: &'a Document) -> Self {
        Self { document, patterns: Patterns::default() }
    }

    /// The arguments of a draft within so many bytes, if its parameters alone fit.
    pub(crate) fn arguments(&self, draft: &Draft<'a>, budget: usize) -> Fitted {
        for (step, plan) in PLANS.iter().enumerate() {
            let is_last = step + 1 == PLANS.len();
            let limit = if is_last { usize::MAX } else { budget };
            let mut expansion = Expansion::new(self, *plan, limit);
            let Ok(schema) = expansion.arguments(draft) else { continue };
            if is_last || length(&schema) <= budget {
                return Fitted { schema, cuts: cuts(plan, &expansion, budget) };
            }
        }
        Fitted { schema: json!({"type": "object"}), cuts: Vec::new() }
    }
}

fn cuts(plan: &Plan, expansion: &Expansion<'_, '_>, budget: usize) -> Vec<String> {
    let mut cuts = Vec::new();
    if plan.examples < WHOLE.examples {
        cuts.push("examples".to_owned());
    }
    if plan.prose < WHOLE.prose {
        cuts.push("long descriptions".to_owned());
    }
    if expansion.left_out > 0 {
        cuts.push(format!("the fields of {} nested objects or lists", expansion.left_out));
    }
    if expansion.shortened_values > 0 {
        cuts.push(format!("values of {} long enumerations", expansion.shortened_values));
    }
    if cuts.is_empty() {
        return cuts;
    }
    vec![format!("cut to fit {}: {}", bytes(budget), cuts.join(", "))]
}

fn bytes(count: usize) -> String {
    if count.is_multiple_of(1024) { format!("{} KB", count / 1024) } else { format!("{count} bytes") }
}

/// The length of a value as compact JSON.
pub(crate) fn length(value: &Value) -> usize {
    struct Count(usize);
    impl std::io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    match serde_json::to_writer(&mut count, value) {
        Ok(()) => count.0,
        Err(_) => usize::MAX,
    }
}

impl<'a> Expansion<'_, 'a> {
    fn arguments(&mut self, draft: &Draft<'a>) -> Result<Value, Overrun> {
        let mut properties = Map::new();
        let mut required = Vec::new();
        for (parameter, shape) in &draft.parameters {
            let schema = self.parameter(parameter, shape)?;
            properties.insert(parameter.argument.clone(), schema);
            if parameter.required {
                required.push(Value::from(parameter.argument.as_str()));
            }
        }
        if let Some((body, shape)) = &draft.body {
            let schema = self.body(body, shape)?;
            properties.insert(body.argument.clone(), schema);
            if body.required {
                required.push(Value::from(body.argument.as_str()));
            }
        }
        Ok(json!({
            "type": "object", "properties": properties, "required": required, "additionalProperties": false,
        }))
    }

    fn parameter(&mut self, parameter: &Parameter, shape: &Shape<'a>) -> Result<Value, Overrun> {
        let mut schema = self.shape(shape, 0)?;
        if parameter.argument != parameter.name
            && let Value::Object(keywords) = &mut schema
        {
            let said = keywords.get("description").and_then(Value::as_str).unwrap_or_default();
            let place = format!("`{}` in the {}.", parameter.name, parameter.location.as_str());
            let text = if said.is_empty() { place } else { format!("{place} {said}") };
            keywords.insert("description".to_owned(), Value::from(text));
        }
        Ok(schema)
    }

    fn body(&mut self, body: &Body, shape: &Shape<'a>) -> Result<Value, Overrun> {
        let mut schema = if self.plan.body { self.shape(shape, 0)? } else { self.undescribed()? };
        if body.media_type != "application/json"
            && let Value::Object(keywords) = &mut schema
        {
            let said = keywords.get("description").and_then(Value::as_str).unwrap_or_default();
            let text = format!("Sent as {}. {said}", body.media_type);
            keywords.insert("description".to_owned(), Value::from(text.trim()));
        }
        Ok(schema)
    }

    fn shape(&mut self, shape: &Shape<'a>, depth: usize) -> Result<Value, Overrun> {
        let mut schema = match &shape.kind {
            ShapeKind::Schema(place) => self.schema(*place, depth)?,
            ShapeKind::FormSchema(place) => self.with_files(|expansion| expansion.schema(*place, depth))?,
            ShapeKind::Text => json!({"type": "string"}),
            ShapeKind::File => self.file()?,
            ShapeKind::Fields(fields) => {
                let mut properties = Map::new();
                for (name, _, field) in fields {
                    properties.insert(name.clone(), self.shape(field, depth + 1)?);
                }
                let required: Vec<&String> = fields.iter().filter(|field| field.1).map(|field| &field.0).collect();
                let mut object = json!({"type": "object", "properties": properties});
                if !required.is_empty() {
                    object["required"] = json!(required);
                }
                object
            }
        };
        if let (Some(text), Value::Object(keywords)) = (shape.description, &mut schema) {
            self.describe(keywords, text, depth)?;
        }
        if let (Some(example), Value::Object(keywords)) = (shape.example, &mut schema)
            && !keywords.contains_key("examples")
        {
            self.example(keywords, example)?;
        }
        Ok(schema)
    }
}

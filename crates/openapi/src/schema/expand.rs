//! One schema of a document → the same without references, in the words of JSON Schema 2020-12.

use serde_json::{Map, Value, json};

use super::keywords::{
    count, implied, is_nested, is_read_only, is_type, merge_only_part, number, or_null, put_first, types,
};
use super::{Plan, Schemas, length, shortened};
use crate::document::{Place, Version};
use crate::read::is_file_schema;

/// The schema grew longer than the plan allows.
#[derive(Debug)]
pub(super) struct Overrun;

/// One attempt at a plan.
#[derive(Debug)]
pub(super) struct Expansion<'s, 'a> {
    schemas: &'s Schemas<'a>,
    pub(super) plan: Plan,
    /// About how many bytes are left.
    left: usize,
    /// What is being written, from the outside in: to meet one of these again is recursion.
    around: Vec<*const Value>,
    /// Binary texts are files here.
    has_files: bool,
    pub(super) left_out: usize,
    pub(super) shortened_values: usize,
}

/// Keywords by what they hold.
const COUNTS: &[&str] =
    &["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains"];
const NUMBERS: &[&str] = &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];
const FLAGS: &[&str] = &["uniqueItems", "deprecated"];
const TEXTS: &[&str] = &["contentEncoding", "contentMediaType"];
const SCHEMAS: &[&str] = &[
    "additionalProperties",
    "unevaluatedProperties",
    "unevaluatedItems",
    "contains",
    "not",
    "if",
    "then",
    "else",
    "propertyNames",
];
const LISTS: &[&str] = &["allOf", "anyOf", "oneOf", "prefixItems"];
const NAMED: &[&str] = &["properties", "patternProperties", "dependentSchemas"];
/// What a number or text is called in a program says nothing on the wire.
const NOISE: &[&str] =
    &["int32", "int64", "float", "double", "string", "integer", "number", "boolean", "object", "decimal"];

impl<'s, 'a> Expansion<'s, 'a> {
    pub(super) fn new(schemas: &'s Schemas<'a>, plan: Plan, limit: usize) -> Self {
        Self { schemas, plan, left: limit, around: Vec::new(), has_files: false, left_out: 0, shortened_values: 0 }
    }

    pub(super) fn with_files<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        self.has_files = true;
        let done = work(self);
        self.has_files = false;
        done
    }

    fn spend(&mut self, bytes: usize) -> Result<(), Overrun> {
        self.left = self.left.checked_sub(bytes).ok_or(Overrun)?;
        Ok(())
    }

    pub(super) fn schema(&mut self, place: Place<'a>, depth: usize) -> Result<Value, Overrun> {
        let Value::Object(written) = place.value else {
            return Ok(if place.value == &Value::Bool(false) { json!({"not": {}}) } else { json!({}) });
        };
        if let Some(reference) = written.get("$ref").and_then(Value::as_str) {
            return self.referred(reference, place, written, depth);
        }
        self.spend(2)?;
        if self.has_files && is_file_schema(place.value) {
            let mut file = self.file()?;
            if let (Value::Object(keywords), Some(text)) =
                (&mut file, written.get("description").and_then(Value::as_str))
            {
                self.describe(keywords, text, depth)?;
            }
            return Ok(file);
        }
        if depth > self.plan.depth && is_nested(written) {
            return self.without_fields(written);
        }
        let mut schema = Map::new();
        for (keyword, value) in written {
            self.keyword(&mut schema, keyword, place.with(value), depth)?;
        }
        self.repair(&mut schema, written)?;
        Ok(self.typed(schema, written))
    }

    /// What a reference leads to, with what stands beside it.
    fn referred(
        &mut self,
        reference: &str,
        place: Place<'a>,
        written: &'a Map<String, Value>,
        depth: usize,
    ) -> Result<Value, Overrun> {
        let target = match self.schemas.document.target(reference, place.part) {
            Ok(target) => target,
            Err(reason) => return self.note(&format!("Any value: {reason}.")),
        };
        let key: *const Value = target.value;
        if self.around.contains(&key) {
            return self.again(reference, target);
        }
        self.around.push(key);
        let expanded = self.schema(target, depth);
        self.around.pop();
        let mut expanded = expanded?;
        let Value::Object(keywords) = &mut expanded else { return Ok(expanded) };
        if let Some(text) = written.get("description").and_then(Value::as_str) {
            self.describe(keywords, text, depth)?;
        }
        if let Some(default) = written.get("default") {
            self.spend(length(default) + 11)?;
            keywords.insert("default".to_owned(), default.clone());
        }
        let is_nullable = written.get("nullable") == Some(&Value::Bool(true));
        Ok(if is_nullable { or_null(expanded) } else { expanded })
    }

    /// A type within itself is described once; deeper it is named.
    fn again(&mut self, reference: &str, target: Place<'a>) -> Result<Value, Overrun> {
        let name = reference.rsplit('/').next().unwrap_or(reference);
        let mut schema =
            self.note(&format!("A `{name}` again, as described around this one; nested deeper it is not described."))?;
        let is_object = target.value.get("properties").is_some();
        let said = target.value.get("type").and_then(Value::as_str).filter(|name| is_type(name));
        if let Some(name) = said.or(is_object.then_some("object")) {
            schema["type"] = Value::from(name);
            if name == "array" {
                schema["items"] = json!({});
            }
        }
        Ok(schema)
    }

    /// An object or list without what is in it.
    fn without_fields(&mut self, written: &Map<String, Value>) -> Result<Value, Overrun> {
        const MOST_NAMES: usize = 12;
        self.left_out += 1;
        let names: Vec<&str> = written
            .get("properties")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
            .map(|(name, _)| name.as_str())
            .collect();
        let shown = names.iter().take(MOST_NAMES).copied().collect::<Vec<_>>().join(", ");
        let more = if names.len() > MOST_NAMES { ", …" } else { "" };
        let text = if names.is_empty() { "Not described here.".to_owned() } else { format!("Fields: {shown}{more}.") };
        let mut schema = if self.plan.depth == 0 { json!({}) } else { self.note(&text)? };
        let is_list = written.contains_key("items");
        let said = written.get("type").and_then(Value::as_str).filter(|name| is_type(name));
        if let Some(name) = said.or(if is_list { Some("array") } else { written.get("properties").map(|_| "object") }) {
            self.spend(16)?;
            schema["type"] = Value::from(name);
            if name == "array" {
                schema["items"] = json!({});
            }
        }
        let is_nullable = written.get("nullable") == Some(&Value::Bool(true));
        Ok(if is_nullable { or_null(schema) } else { schema })
    }

    fn keyword(
        &mut self,
        schema: &mut Map<String, Value>,
        keyword: &str,
        place: Place<'a>,
        depth: usize,
    ) -> Result<(), Overrun> {
        let value = place.value;
        let plain = plain(keyword, value);
        if let Some(plain) = plain {
            self.spend(keyword.len() + 4 + length(&plain))?;
            schema.insert(keyword.to_owned(), plain);
            return Ok(());
        }
        if SCHEMAS.contains(&keyword) && (value.is_object() || value.is_boolean()) {
            return self.inner(schema, keyword, place, depth);
        }
        if LISTS.contains(&keyword) {
            return self.inner_list(schema, keyword, place, depth);
        }
        if NAMED.contains(&keyword) {
            return self.inner_map(schema, keyword, place, depth);
        }
        match keyword {
            "items" => self.items(schema, place, depth),
            "enum" => self.values(schema, value),
            "const" | "default" => {
                self.spend(keyword.len() + 4 + length(value))?;
                schema.insert(keyword.to_owned(), value.clone());
                Ok(())
            }
            "pattern" => self.text_if(schema, keyword, value, |this, text| this.schemas.patterns.accepts(text)),
            "format" => self.text_if(schema, keyword, value, |_, text| !NOISE.contains(&text)),
            "description" => self.describe(schema, value.as_str().unwrap_or_default(), depth),
            "example" => self.example(schema, value),
            "examples" => match value.as_array().and_then(|examples| examples.first()) {
                Some(example) => self.example(schema, example),
                None => Ok(()),
            },
            "required" => self.required(schema, value),
            "dependentRequired" => {
                let sound = value.as_object().is_some_and(|lists| {
                    lists.values().all(|list| list.as_array().is_some_and(|list| list.iter().all(Value::is_string)))
                });
                if sound {
                    self.spend(length(value) + 22)?;
                    schema.insert(keyword.to_owned(), value.clone());
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn text_if(
        &mut self,
        schema: &mut Map<String, Value>,
        keyword: &str,
        value: &Value,
        fits: impl Fn(&Self, &str) -> bool,
    ) -> Result<(), Overrun> {
        let Some(text) = value.as_str().filter(|text| fits(self, text)) else { return Ok(()) };
        self.spend(keyword.len() + 6 + text.len())?;
        schema.insert(keyword.to_owned(), Value::from(text));
        Ok(())
    }

    fn inner(
        &mut self,
        schema: &mut Map<String, Value>,
        keyword: &str,
        place: Place<'a>,
        depth: usize,
    ) -> Result<(), Overrun> {
        self.spend(keyword.len() + 4)?;
        if place.value.is_boolean() {
            schema.insert(keyword.to_owned(), place.value.clone());
            return Ok(());
        }
        let inner = self.schema(place, depth + 1)?;
        schema.insert(keyword.to_owned(), inner);
        Ok(())
    }

    fn inner_list(
        &mut self,
        schema: &mut Map<String, Value>,
        keyword: &str,
        place: Place<'a>,
        depth: usize,
    ) -> Result<(), Overrun> {
        let items = place.value.as_array().filter(|items| !items.is_empty());
        let Some(items) = items else { return Ok(()) };
        self.spend(keyword.len() + 5)?;
        let inner: Result<Vec<Value>, Overrun> =
            items.iter().map(|item| self.schema(place.with(item), depth + 1)).collect();
        schema.insert(keyword.to_owned(), Value::Array(inner?));
        Ok(())
    }

    fn inner_map(
        &mut self,
        schema: &mut Map<String, Value>,
        keyword: &str,
        place: Place<'a>,
        depth: usize,
    ) -> Result<(), Overrun> {
        let Some(named) = place.value.as_object() else { return Ok(()) };
        self.spend(keyword.len() + 5)?;
        let mut inner = Map::new();
        for (name, value) in named {
            let is_left_out = match keyword {
                "properties" => is_read_only(value),
                "patternProperties" => !self.schemas.patterns.accepts(name),
                _ => false,
            };
            if is_left_out || !(value.is_object() || value.is_boolean()) {
                continue;
            }
            self.spend(name.len() + 4)?;
            inner.insert(name.clone(), self.schema(place.with(value), depth + 1)?);
        }
        schema.insert(keyword.to_owned(), Value::Object(inner));
        Ok(())
    }

    /// A list of schemas is what older drafts wrote for `prefixItems`.
    fn items(&mut self, schema: &mut Map<String, Value>, place: Place<'a>, depth: usize) -> Result<(), Overrun> {
        if place.value.is_array() {
            return self.inner_list(schema, "prefixItems", place, depth);
        }
        self.inner(schema, "items", place, depth)
    }

    fn values(&mut self, schema: &mut Map<String, Value>, value: &Value) -> Result<(), Overrun> {
        let Some(values) = value.as_array().filter(|values| !values.is_empty()) else { return Ok(()) };
        if values.len() > self.plan.values {
            self.shortened_values += 1;
            let shown: Vec<String> = values.iter().take(6).map(Value::to_string).collect();
            let text = format!("One of {} values, such as {}.", values.len(), shown.join(", "));
            self.spend(text.len() + 18)?;
            schema.insert("description".to_owned(), Value::from(text));
            return Ok(());
        }
        let mut kept: Vec<Value> = Vec::with_capacity(values.len());
        for value in values {
            if !kept.contains(value) {
                kept.push(value.clone());
            }
        }
        let kept = Value::Array(kept);
        self.spend(length(&kept) + 8)?;
        schema.insert("enum".to_owned(), kept);
        Ok(())
    }

    fn required(&mut self, schema: &mut Map<String, Value>, value: &Value) -> Result<(), Overrun> {
        let mut names: Vec<Value> = Vec::new();
        for name in value.as_array().into_iter().flatten().filter(|name| name.is_string()) {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        if !names.is_empty() {
            let names = Value::Array(names);
            self.spend(length(&names) + 12)?;
            schema.insert("required".to_owned(), names);
        }
        Ok(())
    }

    /// Adds a description; one that is there already is replaced, since the outer one says more about this use.
    pub(super) fn describe(
        &mut self,
        schema: &mut Map<String, Value>,
        text: &str,
        depth: usize,
    ) -> Result<(), Overrun> {
        let most = if depth == 0 { self.plan.prose } else { self.plan.prose_within };
        let text = shortened(text, most);
        if text.is_empty() || (depth > 0 && schema.contains_key("description") && text.len() < 3) {
            return Ok(());
        }
        self.spend(text.len() + 18)?;
        schema.insert("description".to_owned(), Value::from(text));
        Ok(())
    }

    pub(super) fn example(&mut self, schema: &mut Map<String, Value>, example: &Value) -> Result<(), Overrun> {
        let bytes = length(example);
        let is_reference = example.get("$ref").is_some();
        if bytes <= self.plan.examples && !example.is_null() && !is_reference {
            self.spend(bytes + 16)?;
            schema.insert("examples".to_owned(), json!([example]));
        }
        Ok(())
    }

    fn note(&mut self, text: &str) -> Result<Value, Overrun> {
        self.spend(text.len() + 18)?;
        Ok(json!({"description": text}))
    }

    /// A body that is too long to say anything about.
    pub(super) fn undescribed(&mut self) -> Result<Value, Overrun> {
        self.left_out += 1;
        self.note("Not described here: it has more fields than fit.")
    }

    /// How a file is given.
    pub(super) fn file(&mut self) -> Result<Value, Overrun> {
        let file = json!({
            "type": "object",
            "description": "A file: its content as `text` or as `base64`.",
            "properties": {
                "text": {"type": "string"},
                "base64": {"type": "string"},
                "filename": {"type": "string"},
                "content_type": {"type": "string"},
            },
            "additionalProperties": false,
        });
        self.spend(length(&file))?;
        Ok(file)
    }

    /// What older drafts wrote differently, and what nobody can send.
    fn repair(&mut self, schema: &mut Map<String, Value>, written: &Map<String, Value>) -> Result<(), Overrun> {
        for (limit, exclusive) in [("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")] {
            if written.get(exclusive) == Some(&Value::Bool(true))
                && let Some(bound) = schema.remove(limit)
            {
                self.spend(exclusive.len())?;
                schema.insert(exclusive.to_owned(), bound);
            }
        }
        let read_only: Vec<&str> = written
            .get("properties")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
            .filter(|(_, property)| is_read_only(property))
            .map(|(name, _)| name.as_str())
            .collect();
        if let Some(Value::Array(names)) = schema.get_mut("required") {
            names.retain(|name| name.as_str().is_none_or(|name| !read_only.contains(&name)));
            if names.is_empty() {
                schema.remove("required");
            }
        }
        Ok(())
    }

    /// Puts the type first. Several types, or null beside one, become alternatives: some clients take no list of types.
    fn typed(&mut self, mut schema: Map<String, Value>, written: &Map<String, Value>) -> Value {
        let mut types = types(written);
        let said_null = types.iter().position(|name| *name == "null").map(|at| types.remove(at)).is_some();
        let is_nullable = self.schemas.document.version != Version::OpenApi31
            && ["nullable", "x-nullable"].iter().any(|key| written.get(*key) == Some(&Value::Bool(true)));
        if types.is_empty() && !said_null {
            types.extend(implied(&schema));
        }
        let may_be_null = is_nullable || (said_null && !types.is_empty());
        if types == ["array"] && !schema.contains_key("items") && !schema.contains_key("prefixItems") {
            schema.insert("items".to_owned(), json!({}));
        }
        merge_only_part(&mut schema);
        match types.as_slice() {
            [] if said_null => put_first(schema, "type", json!("null")),
            [] => {
                if may_be_null && !schema.is_empty() {
                    or_null(Value::Object(schema))
                } else {
                    Value::Object(schema)
                }
            }
            [only] => {
                let typed = put_first(schema, "type", json!(only));
                if may_be_null { or_null(typed) } else { typed }
            }
            several => {
                let forms: Vec<Value> = several.iter().map(|name| json!({"type": name})).collect();
                if let Some(other) = schema.remove("anyOf") {
                    schema.insert("allOf".to_owned(), json!([{"anyOf": other}]));
                }
                let typed = put_first(schema, "anyOf", Value::Array(forms));
                if may_be_null { or_null(typed) } else { typed }
            }
        }
    }
}

/// The value of a keyword that holds no schema, if it is sound.
fn plain(keyword: &str, value: &Value) -> Option<Value> {
    if COUNTS.contains(&keyword) {
        count(value)
    } else if NUMBERS.contains(&keyword) {
        number(value).filter(|value| keyword != "multipleOf" || value.as_f64().is_some_and(|number| number > 0.0))
    } else if FLAGS.contains(&keyword) {
        Some(value.clone()).filter(|value| value == &Value::Bool(true))
    } else if TEXTS.contains(&keyword) {
        Some(value.clone()).filter(Value::is_string)
    } else {
        None
    }
}

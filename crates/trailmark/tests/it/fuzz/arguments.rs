//! Arguments made from a published schema, and whether that schema allows them.

use serde_json::{Map, Value, json};

use super::random::Random;
use super::values;

const WORDS: &[&str] = &["note", "缓存", "失效", "🙂", "e\u{301}", "'", "\"", "*", "(", "NEAR", "\0", "-", "\u{202e}"];
/// Where file tools are sent; the last ones lead out.
const PATHS: &[&str] = &["a.txt", "b/c.txt", "b", ".", "./b/../a.txt", "缓存.txt", "\0", "..", "../a.txt", "/a.txt"];
/// Folders to index: small, or none.
const FOLDERS: &[&str] = &[".", "b", "a.txt", "none", "\0"];
/// Fields of a document that nobody may change.
const FIXED: &[&str] = &["id", "createdAt", "updatedAt"];

/// Makes arguments for the calls of one conversation.
#[derive(Debug, Default)]
pub(super) struct Arguments {
    /// Documents that are there, or were.
    pub(super) ids: Vec<String>,
}

/// The pattern of languages, and some that it allows.
const LANGUAGE: &str = "^[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8})*$";
const WITHOUT_BRACES: &str = "^[^{}]*$";
const LANGUAGES: &[&str] = &["en", "zh-CN", "zh_Hans_CN", "all", "de-1996"];

impl Arguments {
    /// Valid ones, at or inside the bounds; then perhaps one thing wrong, or nothing right.
    pub(super) fn make(&self, random: &mut Random, schema: &Value) -> Map<String, Value> {
        let mut arguments = self.object(random, schema);
        match random.below(6) {
            0..=2 => {}
            3 | 4 => break_one(random, &mut arguments, schema),
            _ => break_all(random, &mut arguments),
        }
        arguments
    }

    fn valid(&self, random: &mut Random, name: &str, schema: &Value) -> Value {
        if let Some(choices) = ["enum", "oneOf", "anyOf"].iter().find_map(|keyword| schema[keyword].as_array()) {
            let choice = random.pick(choices);
            return if schema.get("enum").is_some() { choice.clone() } else { self.valid(random, name, choice) };
        }
        let any_text = json!({"type": "string"});
        match schema["type"].as_str() {
            Some("null") => Value::Null,
            Some("integer") => json!(number(random, schema)),
            Some("number") => random.pick(&[schema["minimum"].clone(), schema["maximum"].clone(), json!(0.5)]).clone(),
            Some("string") if name == "id" && !self.ids.is_empty() && !random.once_in(4) => {
                json!(random.pick(&self.ids))
            }
            Some("string") if name.ends_with("_path") => json!(random.pick(PATHS)),
            Some("string") if name == "language" => json!(random.pick(LANGUAGES)),
            Some("string") if name == "path" => json!(random.pick(FOLDERS)),
            Some("boolean") => json!(random.once_in(2)),
            Some("string") => json!(string(random, schema)),
            Some("array") => {
                let most = bound(schema, "maxItems").unwrap_or(60);
                let count = *random.pick(&[0, 1, 2, most]);
                let item = schema.get("items").unwrap_or(&any_text).clone();
                (0..count).map(|_| self.valid(random, "", &item)).collect()
            }
            Some("object") => Value::Object(self.object(random, schema)),
            other => panic!("no values are made for the type {other:?}: {schema}"),
        }
    }

    fn object(&self, random: &mut Random, schema: &Value) -> Map<String, Value> {
        let least = bound(schema, "minProperties").unwrap_or(0);
        let Some(properties) = schema["properties"].as_object() else { return open_object(random, least) };
        let forced = random.below(properties.len());
        let mut object = Map::new();
        for (index, (name, schema_of)) in properties.iter().enumerate() {
            if is_required(schema, name) || (least > 0 && index == forced) || random.once_in(2) {
                object.insert(name.clone(), self.valid(random, name, schema_of));
            }
        }
        object
    }
}

/// What an object without described properties may hold.
fn open_object(random: &mut Random, least: usize) -> Map<String, Value> {
    let values =
        [json!("note"), json!("缓存"), json!(7), json!(0.5), json!(true), json!(["a", "b"]), json!({"deep": 1})];
    let names = ["name", "aliases", "x", "y", "source", "target", "has space"];
    let count = least.max(random.below(4));
    names.iter().take(count).map(|name| ((*name).to_owned(), random.pick(&values).clone())).collect()
}

/// Whether a call with these arguments must be let through to its tool. A keyword that is not known here is a bug here.
pub(super) fn allows(schema: &Value, arguments: &Map<String, Value>) -> bool {
    // A client may say null for an optional argument that it does not give.
    let is_known = |name: &str| schema["properties"].get(name).is_some();
    let given = |(name, value): &(&String, &Value)| !value.is_null() || is_required(schema, name) || !is_known(name);
    let given = arguments.iter().filter(given).map(|(name, value)| (name.clone(), value.clone())).collect();
    accepts(schema, &Value::Object(given))
}

/// Whether the arguments try to change what nobody may change, which has an error of its own.
pub(super) fn change_fixed_fields(arguments: &Map<String, Value>) -> bool {
    let patch = arguments.get("patch").and_then(Value::as_object);
    patch.is_some_and(|patch| FIXED.iter().any(|field| patch.contains_key(*field)))
}

fn accepts(schema: &Value, value: &Value) -> bool {
    let keywords = schema.as_object().unwrap_or_else(|| panic!("{schema} is no schema"));
    keywords.iter().all(|(keyword, rule)| obeys(keyword, rule, schema, value))
}

fn obeys(keyword: &str, rule: &Value, schema: &Value, value: &Value) -> bool {
    let limit = || usize::try_from(rule.as_u64().expect("a limit is a whole number")).expect("a limit is small");
    let characters = || value.as_str().map(|text| text.chars().count());
    match keyword {
        "description" | "default" | "title" => true,
        "type" => is_of_type(rule, value),
        "enum" => rule.as_array().is_some_and(|choices| choices.contains(value)),
        "oneOf" => rule.as_array().is_some_and(|all| all.iter().filter(|one| accepts(one, value)).count() == 1),
        "minLength" => characters().is_none_or(|count| count >= limit()),
        "maxLength" => characters().is_none_or(|count| count <= limit()),
        "anyOf" => rule.as_array().is_some_and(|all| all.iter().any(|one| accepts(one, value))),
        "pattern" if rule == WITHOUT_BRACES => value.as_str().is_none_or(|text| !text.contains(['{', '}'])),
        "pattern" if rule == LANGUAGE => value.as_str().is_none_or(is_language),
        "pattern" => {
            assert_eq!(rule, "\\S", "only this pattern is known here");
            value.as_str().is_none_or(|text| text.chars().any(|character| !character.is_whitespace()))
        }
        "minimum" => value.as_f64().is_none_or(|number| number >= rule.as_f64().expect("a bound is a number")),
        "maximum" => value.as_f64().is_none_or(|number| number <= rule.as_f64().expect("a bound is a number")),
        "items" => value.as_array().is_none_or(|items| items.iter().all(|item| accepts(rule, item))),
        "minItems" => value.as_array().is_none_or(|items| items.len() >= limit()),
        "maxItems" => value.as_array().is_none_or(|items| items.len() <= limit()),
        "minProperties" => value.as_object().is_none_or(|object| object.len() >= limit()),
        "required" => value.as_object().is_none_or(|object| names(rule).all(|name| object.contains_key(name))),
        "properties" => value.as_object().is_none_or(|object| {
            object.iter().all(|(name, value)| rule.get(name).is_none_or(|schema| accepts(schema, value)))
        }),
        "additionalProperties" if rule == true => true,
        "additionalProperties" => {
            assert_eq!(rule, false, "only closed and open objects are known here");
            let known = |name: &String| schema["properties"].get(name).is_some();
            value.as_object().is_none_or(|object| object.keys().all(known))
        }
        unknown => panic!("the keyword `{unknown}` is not known here: {schema}"),
    }
}

fn is_language(text: &str) -> bool {
    let is_part = |part: &str, least: usize| (least..=8).contains(&part.len()) && part.is_ascii();
    let mut parts = text.split(['-', '_']);
    let is_first =
        parts.next().is_some_and(|first| is_part(first, 2) && first.chars().all(|c| c.is_ascii_alphabetic()));
    is_first && parts.all(|part| is_part(part, 1) && part.chars().all(|c| c.is_ascii_alphanumeric()))
}

fn is_of_type(rule: &Value, value: &Value) -> bool {
    match rule.as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some("null") => value.is_null(),
        Some("number") => value.is_number(),
        Some("integer") => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        other => panic!("the type {other:?} is not known here"),
    }
}

fn is_required(schema: &Value, name: &str) -> bool {
    names(&schema["required"]).any(|required| required == name)
}

fn names(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str)
}

fn bound(schema: &Value, keyword: &str) -> Option<usize> {
    schema.get(keyword).map(|limit| usize::try_from(limit.as_u64().expect("a limit is a number")).expect("and small"))
}

fn number(random: &mut Random, schema: &Value) -> usize {
    let least = bound(schema, "minimum").expect("a number has a lower bound");
    let most = bound(schema, "maximum").unwrap_or(least + 1_000);
    let between = least + random.below(most - least + 1);
    *random.pick(&[least, most, between])
}

/// Words up to a length that is often exactly the longest or the shortest; never blank.
fn string(random: &mut Random, schema: &Value) -> String {
    let most = bound(schema, "maxLength").unwrap_or(100);
    let (any, short) = (1 + random.below(most), 1 + random.below(most.min(30)));
    let length = *random.pick(&[1, most, any, short, short]);
    let mut text = String::from("n");
    let mut count = 1;
    while count < length {
        let word = *random.pick(WORDS);
        let space = if random.once_in(2) { " " } else { "" };
        text.extend(word.chars().chain(space.chars()).take(length - count));
        count = text.chars().count();
    }
    text
}

fn break_one(random: &mut Random, arguments: &mut Map<String, Value>, schema: &Value) {
    if let Some(patch) = arguments.get_mut("patch").and_then(Value::as_object_mut).filter(|_| random.once_in(2)) {
        patch.insert((*random.pick(FIXED)).to_owned(), values::weird(random));
        return;
    }
    let properties = schema["properties"].as_object().expect("an object describes its properties");
    let name = properties.keys().nth(random.below(properties.len())).cloned().unwrap_or_else(|| "none".to_owned());
    let longest = properties.get(&name).and_then(|schema| bound(schema, "maxLength")).unwrap_or(0);
    match random.below(7) {
        0 => drop(arguments.remove(&name)),
        1 => drop(arguments.insert(format!("{name}x"), json!(1))),
        2 => drop(arguments.insert(name, json!("缓".repeat(longest + 1)))),
        3 => drop(arguments.insert(name, json!(" \t"))),
        4 => drop(arguments.insert(name, json!(random.pick(&[-1, 0, 21, 51, i64::MAX])))),
        5 => drop(arguments.insert(name, json!(vec!["tag"; 51]))),
        _ => drop(arguments.insert(name, values::weird(random))),
    }
}

fn break_all(random: &mut Random, arguments: &mut Map<String, Value>) {
    for value in arguments.values_mut() {
        *value = values::weird(random);
    }
    for _ in 0..random.below(4) {
        arguments.insert(values::text(random), values::weird(random));
    }
}

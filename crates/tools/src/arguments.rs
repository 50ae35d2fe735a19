//! Arguments against the published schema: what was given, what is allowed, said in words a model can act on.

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{ValidationError, Validator};
use serde_json::{Map, Number, Value};

use crate::error::{FieldError, ToolError};
use crate::suggest::nearest;

/// One way in which the arguments break the schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The argument, with dots into objects and brackets into lists.
    pub field: String,
    /// The schema keyword that was broken, such as `required` or `maximum`.
    pub keyword: String,
    /// What was given and what is allowed.
    pub message: String,
}

/// Reads the arguments as a lenient client means them: a null optional argument was not given, and `5.0` is a whole
/// number where a whole number is asked for.
pub(crate) fn normalise(mut arguments: Map<String, Value>, schema: &Value) -> Value {
    let required = |name: &str| schema["required"].as_array().is_some_and(|names| names.iter().any(|n| n == name));
    let known = |name: &str| schema["properties"].get(name).is_some();
    arguments.retain(|name, value| !value.is_null() || required(name) || !known(name));
    for (name, value) in &mut arguments {
        if schema["properties"][name]["type"] == "integer" {
            make_whole(value);
        }
    }
    Value::Object(arguments)
}

fn make_whole(value: &mut Value) {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if let Some(float) = value.as_f64().filter(|float| value.is_f64() && float.fract() == 0.0 && float.abs() < EXACT) {
        #[expect(clippy::cast_possible_truncation, reason = "whole and below 2^53")]
        let whole = float as i64;
        *value = Value::Number(Number::from(whole));
    }
}

/// As many violations as one answer names.
const MOST: usize = 20;
/// The longest piece of what was given that an answer repeats, in characters.
const LONGEST_SHOWN: usize = 60;

/// The violations, in the order of the schema's checks; more than anyone would read at once are left out.
pub(crate) fn violations(validator: &Validator, arguments: &Value, schema: &Value) -> Vec<Violation> {
    validator.iter_errors(arguments).flat_map(|error| describe(&error, schema)).take(MOST).collect()
}

/// The error a caller sees when the tool has no better one.
pub(crate) fn refuse(violations: &[Violation]) -> ToolError {
    let sentences: Vec<String> = violations.iter().map(|v| format!("`{}` {}", v.field, v.message)).collect();
    let mut error = ToolError::invalid(sentences.join("; "));
    error.fields =
        violations.iter().map(|v| FieldError { field: v.field.clone(), message: v.message.clone() }).collect();
    if let [only] = violations {
        error = error.with_detail("field", only.field.as_str());
    } else {
        error = error.with_detail("fields", violations.iter().map(|v| v.field.clone()).collect::<Vec<_>>());
    }
    error
}

fn describe(error: &ValidationError<'_>, schema: &Value) -> Vec<Violation> {
    let path = field_path(error.instance_path().as_str());
    let keyword = error.kind().keyword();
    let one = |field: String, message: String| vec![Violation { field, keyword: keyword.to_owned(), message }];
    if let ValidationErrorKind::Required { property } = error.kind() {
        return one(join(&path, property.as_str().unwrap_or_default()), "is required but missing".to_owned());
    }
    if let ValidationErrorKind::OneOfNotValid { context } | ValidationErrorKind::AnyOf { context } = error.kind() {
        return describe_forms(error, context, schema);
    }
    let ValidationErrorKind::AdditionalProperties { unexpected } = error.kind() else {
        return one(or_arguments(path), message(error.kind(), error.instance(), error));
    };
    let known = known_properties(schema, error.instance_path().as_str());
    let named = unexpected.iter().take(MOST).map(|name| cut(name));
    named.flat_map(|name| one(join(&path, &name), unknown(&name, &path, &known))).collect()
}

/// Of several allowed forms, the one that takes this kind of value says what is wrong; if none does, all kinds are named.
fn describe_forms(error: &ValidationError<'_>, forms: &[Vec<ValidationError<'_>>], schema: &Value) -> Vec<Violation> {
    let wrong_kind = |inner: &ValidationError<'_>| {
        let ValidationErrorKind::Type { kind } = inner.kind() else { return None };
        (inner.instance_path() == error.instance_path()).then(|| type_names(kind))
    };
    let other_kind = |form: &Vec<ValidationError<'_>>| form.iter().find_map(wrong_kind);
    if let Some(form) = forms.iter().find(|form| other_kind(form).is_none()) {
        return form.iter().flat_map(|inner| describe(inner, schema)).collect();
    }
    let kinds: Vec<String> = forms.iter().filter_map(other_kind).collect();
    let message = format!("must be {}, but is {}", kinds.join(" or "), shown(error.instance()));
    let field = or_arguments(field_path(error.instance_path().as_str()));
    vec![Violation { field, keyword: error.kind().keyword().to_owned(), message }]
}

fn message(kind: &ValidationErrorKind, given: &Value, error: &ValidationError<'_>) -> String {
    #[expect(clippy::wildcard_enum_match_arm, reason = "the validator's own sentence serves for rare keywords")]
    match kind {
        ValidationErrorKind::Type { kind } => format!("must be {}, but is {}", type_names(kind), shown(given)),
        ValidationErrorKind::Enum { options } => format!("must be one of {options}, but is {}", shown(given)),
        ValidationErrorKind::Minimum { limit } => format!("must be at least {limit}, but is {given}"),
        ValidationErrorKind::Maximum { limit } => format!("must be at most {limit}, but is {given}"),
        ValidationErrorKind::MinLength { limit: 1 } => "must not be empty".to_owned(),
        ValidationErrorKind::MinLength { limit } => format!("must have at least {limit} characters{}", length(given)),
        ValidationErrorKind::MaxLength { limit } => format!("must have at most {limit} characters{}", length(given)),
        ValidationErrorKind::MinProperties { limit } => format!("must name at least {limit} field"),
        ValidationErrorKind::MinItems { limit } => format!("must have at least {limit} items{}", count(given)),
        ValidationErrorKind::MaxItems { limit } => format!("must have at most {limit} items{}", count(given)),
        ValidationErrorKind::Pattern { pattern } if pattern == r"\S" => "must not be blank".to_owned(),
        ValidationErrorKind::Pattern { pattern } => format!("must match `{pattern}`, but is {}", shown(given)),
        _ => format!("is not valid: {error}"),
    }
}

fn unknown(name: &str, object: &str, known: &[&str]) -> String {
    let what = if object.is_empty() { "an argument of this tool".to_owned() } else { format!("a field of `{object}`") };
    let list = known.join(", ");
    match nearest(name, known.iter().copied()) {
        Some(meant) => format!("is not {what}; did you mean `{meant}`? (known: {list})"),
        None if known.is_empty() => format!("is not {what}; there are none"),
        None => format!("is not {what}; known: {list}"),
    }
}

fn known_properties<'a>(schema: &'a Value, instance_path: &str) -> Vec<&'a str> {
    let object = instance_path.split('/').skip(1).try_fold(schema, |at, name| at.get("properties")?.get(name));
    let properties = object.and_then(|object| object.get("properties")).and_then(Value::as_object);
    properties.map(|properties| properties.keys().map(String::as_str).collect()).unwrap_or_default()
}

fn type_names(kind: &TypeKind) -> String {
    match kind {
        TypeKind::Single(name) => with_article(&name.to_string()),
        TypeKind::Multiple(names) => {
            names.iter().map(|name| with_article(&name.to_string())).collect::<Vec<_>>().join(" or ")
        }
    }
}

fn with_article(name: &str) -> String {
    match name {
        "null" => "null".to_owned(),
        "array" => "a list".to_owned(),
        "integer" => "a whole number".to_owned(),
        "object" => "an object".to_owned(),
        name => format!("a {name}"),
    }
}

/// A value short enough to repeat to the caller.
fn shown(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(_) => format!("the boolean {value}"),
        Value::Number(_) => format!("the number {value}"),
        Value::String(text) => format!("the string {}", Value::from(cut(text))),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

/// The beginning of a text that may be of any length.
fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn length(given: &Value) -> String {
    given.as_str().map(|text| format!(", but has {}", text.chars().count())).unwrap_or_default()
}

fn count(given: &Value) -> String {
    given.as_array().map(|items| format!(", but has {}", items.len())).unwrap_or_default()
}

fn field_path(pointer: &str) -> String {
    let mut path = String::new();
    for part in pointer.split('/').skip(1) {
        let part = part.replace("~1", "/").replace("~0", "~");
        if part.bytes().all(|byte| byte.is_ascii_digit()) && !path.is_empty() {
            path = format!("{path}[{part}]");
        } else {
            path = join(&path, &part);
        }
    }
    path
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

fn or_arguments(path: String) -> String {
    if path.is_empty() { "arguments".to_owned() } else { path }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn schema() -> Value {
        json!({
            "type": "object",
            "properties": {
                "topic": {"type": "string", "pattern": "\\S", "maxLength": 5},
                "limit": {"type": "integer", "minimum": 1, "maximum": 20},
                "kind": {"type": "string", "enum": ["web", "user"]},
                "tags": {"type": "array", "items": {"type": "string"}},
                "words": {"oneOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]},
                "patch": {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": false, "minProperties": 1},
            },
            "required": ["topic"],
            "additionalProperties": false,
        })
    }

    #[track_caller]
    fn check(arguments: Value, expected: &str) {
        let schema = schema();
        let validator = jsonschema::validator_for(&schema).unwrap();
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        let found = violations(&validator, &normalise(arguments, &schema), &schema);
        let text = if found.is_empty() { String::new() } else { refuse(&found).message };
        assert_eq!(text, expected);
    }

    #[test]
    fn a_violation_names_the_argument_what_was_given_and_what_is_allowed() {
        check(json!({"topic": "a"}), "");
        check(json!({}), "`topic` is required but missing");
        check(json!({"topic": "  "}), "`topic` must not be blank");
        check(json!({"topic": "abcdef"}), "`topic` must have at most 5 characters, but has 6");
        check(json!({"topic": 7}), "`topic` must be a string, but is the number 7");
        check(json!({"topic": null}), "`topic` must be a string, but is null");
        check(json!({"topic": "a", "limit": 0}), "`limit` must be at least 1, but is 0");
        check(json!({"topic": "a", "limit": 21}), "`limit` must be at most 20, but is 21");
        check(json!({"topic": "a", "limit": "5"}), "`limit` must be a whole number, but is the string \"5\"");
        check(json!({"topic": "a", "limit": 1.5}), "`limit` must be a whole number, but is the number 1.5");
        check(json!({"topic": "a", "kind": "x"}), "`kind` must be one of [\"web\",\"user\"], but is the string \"x\"");
        check(json!({"topic": "a", "tags": ["b", 1]}), "`tags[1]` must be a string, but is the number 1");
        check(json!({"topic": "a", "words": 7}), "`words` must be a list or null, but is the number 7");
        check(json!({"topic": "a", "words": ["b", 1]}), "`words[1]` must be a string, but is the number 1");
        check(
            json!({"topic": "a", "limt": 1}),
            "`limt` is not an argument of this tool; did you mean `limit`? (known: topic, limit, kind, tags, words, patch)",
        );
        check(
            json!({"topic": "a", "patch": {"b": "x"}}),
            "`patch.b` is not a field of `patch`; did you mean `a`? (known: a)",
        );
        check(json!({"topic": "a", "patch": {}}), "`patch` must name at least 1 field");
    }

    #[test]
    fn what_is_repeated_to_the_caller_is_short() {
        let long = "x".repeat(1_000_000);
        let many: Map<String, Value> = (0..1_000).map(|n| (format!("key{n}"), json!(1))).collect();
        for arguments in
            [json!({"topic": "a", long.clone(): 1}), json!({"topic": "a", "limit": long}), Value::Object(many)]
        {
            let schema = schema();
            let validator = jsonschema::validator_for(&schema).unwrap();
            let message = refuse(&violations(&validator, &arguments, &schema)).message;
            assert!(message.len() < 4_000, "{} bytes", message.len());
        }
    }

    #[test]
    fn a_null_under_an_unknown_name_is_still_a_mistake() {
        check(
            json!({"topic": "a", "limt": null}),
            "`limt` is not an argument of this tool; did you mean `limit`? (known: topic, limit, kind, tags, words, patch)",
        );
    }

    #[test]
    fn several_violations_are_told_at_once() {
        check(json!({"limit": 0}), "`limit` must be at least 1, but is 0; `topic` is required but missing");
    }

    #[test]
    fn a_null_optional_argument_counts_as_not_given_and_a_whole_float_as_whole() {
        check(json!({"topic": "a", "limit": null}), "");
        check(json!({"topic": "a", "limit": 5.0}), "");
        let Value::Object(arguments) = json!({"limit": 5.0}) else { unreachable!() };
        assert_eq!(normalise(arguments, &schema()), json!({"limit": 5}));
    }
}

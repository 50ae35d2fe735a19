//! Values that programs tend to stumble over.

use serde_json::{Map, Value, json};

use super::random::Random;

const TEXTS: &[&str] = &[
    "",
    " ",
    "\t\r\n",
    "\0",
    "\u{1}\u{1b}[31m\u{7f}",
    "缓存失效",
    "写入时先删除缓存，再更新数据库",
    "🙂👩‍👩‍👧‍👦",
    "e\u{301}\u{301}\u{301}",
    "\u{202e}txet",
    "\u{feff}\u{200b}",
    "\u{fffd}\u{ffff}\u{10ffff}",
    "' OR 1=1; DROP TABLE documents; --",
    "\"unclosed AND (NEAR * ^ : -",
    "topic:x OR NOT y",
    "../../../etc/passwd",
    "trailmark://documents/%2e%2e",
    "{\"ok\":true}",
    "00000000-0000-7000-8000-000000000000",
    "notifications/cancelled",
    "true",
    "1e999",
    "\\ud800",
];

/// Stand for tokens that a JSON value cannot hold; [`raw_tokens`] puts them in.
const RAW: &[(&str, &str)] = &[
    ("\"@raw-0@\"", "1e999"),
    ("\"@raw-1@\"", "123456789012345678901234567890"),
    ("\"@raw-2@\"", "NaN"),
    ("\"@raw-3@\"", "\"\\ud800\""),
    ("\"@raw-4@\"", "\"\\u0000\\udc00\""),
    ("\"@raw-5@\"", "-0"),
    ("\"@raw-6@\"", "0123"),
    ("\"@raw-7@\"", "{\"a\":1,\"a\":2}"),
];

/// A value of any type, which a parser can still read inside a message.
pub(super) fn weird(random: &mut Random) -> Value {
    match random.below(14) {
        0 => Value::Null,
        1 => json!(random.once_in(2)),
        2 => json!(random.pick(&[0, 1, -1, i64::MAX, i64::MIN])),
        3 => json!(u64::MAX),
        4 => json!(random.pick(&[0.5, -0.0, 1.0, 1e308, 5e-324, 1e16])),
        5 => json!([]),
        6 => json!({}),
        7 => nested(random, 100),
        8 => json!(long_text(random)),
        9 => Value::Array((0..random.below(200)).map(|number| json!(number)).collect()),
        10 => json!({"": "", "type": "object", "$ref": "#", "__proto__": {"a": [null]}}),
        _ => json!(text(random)),
    }
}

/// A short text, or several in one.
pub(super) fn text(random: &mut Random) -> String {
    let count = if random.once_in(4) { 3 } else { 1 };
    (0..count).map(|_| *random.pick(TEXTS)).collect()
}

/// A value that becomes a token no JSON value holds.
pub(super) fn raw(random: &mut Random) -> Value {
    json!(random.pick(RAW).0.trim_matches('"'))
}

pub(super) fn raw_tokens(text: String) -> String {
    RAW.iter().fold(text, |text, (stand_in, token)| text.replace(stand_in, token))
}

fn long_text(random: &mut Random) -> String {
    let length = *random.pick(&[200, 201, 2_048, 20_000, 20_001, 300_000]);
    (*random.pick(&["x", "缓", "🙂", " ", "\0"])).repeat(length)
}

/// Lists in lists or objects in objects, around and beyond what parsers bear.
pub(super) fn too_deep(random: &mut Random) -> Value {
    let depth = *random.pick(&[120, 123, 124, 125, 126, 127, 128, 500]);
    nested(random, depth)
}

fn nested(random: &mut Random, depth: usize) -> Value {
    let in_objects = random.once_in(2);
    (0..depth).fold(json!(1), |inner, _| {
        if in_objects { Value::Object(Map::from_iter([("a".to_owned(), inner)])) } else { Value::Array(vec![inner]) }
    })
}

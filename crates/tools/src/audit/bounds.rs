//! What a record may weigh, held to before it waits to be written.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use crate::budget::json_length;

/// The longest arguments, as JSON text, that are kept as they are.
const LONGEST_ARGUMENTS: usize = 64 * 1024;
/// The longest text and the most entries of a list or object in arguments that are too long.
const LONGEST_TEXT: usize = 1024;
const MOST_ENTRIES: usize = 100;
/// Stands where text was cut off.
const CUT: char = '…';

/// Shortens arguments that are too long, and says whether it did.
pub(super) fn cut_arguments(arguments: &mut Value) -> bool {
    if !is_too_long(arguments) {
        return false;
    }
    let length = json_length(arguments);
    cut_parts(arguments);
    if is_too_long(arguments) {
        *arguments = json!({ "cut": format!("{length} bytes") });
    }
    true
}

/// The beginning of a text that is longer than this many bytes. The last word goes too: half a secret has no shape to be
/// known by.
pub(super) fn cut_text(text: &mut String, longest: usize) {
    if text.len() <= longest {
        return;
    }
    let head = &text[..text.floor_char_boundary(longest - CUT.len_utf8())];
    let words = head.trim_end_matches(|c: char| c.is_ascii_graphic());
    let kept = if words.is_empty() { head } else { words };
    *text = format!("{kept}{CUT}");
}

/// The first characters of a name.
pub(super) fn cut_name(name: &mut String, most_characters: usize) {
    if let Some((end, _)) = name.char_indices().nth(most_characters) {
        *name = name[..end].to_owned();
    }
}

/// About how much memory a value takes.
pub(super) fn held_by(value: &Value) -> usize {
    const ENTRY: usize = size_of::<Value>() + size_of::<String>() + 2 * size_of::<usize>();
    size_of::<Value>()
        + match value {
            Value::Null | Value::Bool(_) | Value::Number(_) => 0,
            Value::String(text) => text.len(),
            Value::Array(items) => items.iter().map(held_by).sum(),
            Value::Object(fields) => fields.iter().map(|(name, field)| ENTRY + name.len() + held_by(field)).sum(),
        }
}

/// A part of the memory that waiting records may take, given back when dropped.
#[derive(Debug)]
pub(super) struct Share {
    bytes: usize,
    taken: Arc<AtomicUsize>,
}

impl Share {
    /// Takes this many bytes unless more than `most` would then be taken.
    pub(super) fn take(bytes: usize, taken: &Arc<AtomicUsize>, most: usize) -> Option<Self> {
        let before = taken.fetch_add(bytes, Ordering::Relaxed);
        let share = Self { bytes, taken: Arc::clone(taken) };
        (before + bytes <= most).then_some(share)
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.taken.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// Small arguments are known to be short without being written.
fn is_too_long(arguments: &Value) -> bool {
    most_written(arguments) > LONGEST_ARGUMENTS && json_length(arguments) > LONGEST_ARGUMENTS
}

/// No less than the length of the value as JSON text.
fn most_written(value: &Value) -> usize {
    const NUMBER: usize = 32;
    const ESCAPED: usize = 6;
    match value {
        Value::Null | Value::Bool(_) => 5,
        Value::Number(_) => NUMBER,
        Value::String(text) => 2 + ESCAPED * text.len(),
        Value::Array(items) => 2 + items.iter().map(|item| 1 + most_written(item)).sum::<usize>(),
        Value::Object(fields) => {
            2 + fields.iter().map(|(name, field)| 4 + ESCAPED * name.len() + most_written(field)).sum::<usize>()
        }
    }
}

fn cut_parts(value: &mut Value) {
    match value {
        Value::String(text) => cut_text(text, LONGEST_TEXT),
        Value::Array(items) => {
            items.truncate(MOST_ENTRIES);
            items.shrink_to_fit();
            items.iter_mut().for_each(cut_parts);
        }
        Value::Object(fields) => {
            if fields.len() > MOST_ENTRIES {
                *fields = std::mem::take(fields).into_iter().take(MOST_ENTRIES).collect();
            }
            fields.values_mut().for_each(cut_parts);
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(given: Value, expected: Value) {
        let mut cut = given.clone();
        assert_eq!(cut_arguments(&mut cut), given != expected);
        assert_eq!(cut, expected);
        assert!(json_length(&cut) <= LONGEST_ARGUMENTS);
        assert_eq!(json_length(&given), given.to_string().len());
        assert!(most_written(&given) >= json_length(&given));
    }

    #[test]
    fn arguments_are_cut_only_when_they_are_too_long() {
        let fitting = json!({"content": "x".repeat(60_000), "list": vec![1.5; 500], "\u{1}": null});
        check(fitting.clone(), fitting);
        let kept = format!("{}…", "x".repeat(LONGEST_TEXT - 3));
        check(json!({"a": {"b": ["x".repeat(70_000)]}, "n": 1}), json!({"a": {"b": [kept]}, "n": 1}));
        check(json!({"list": vec![true; 20_000]}), json!({"list": vec![true; MOST_ENTRIES]}));
        let many: Value = (0..20_000).map(|n| (n.to_string(), json!(n))).collect();
        check(many, (0..MOST_ENTRIES).map(|n| (n.to_string(), json!(n))).collect());
    }

    #[test]
    fn arguments_that_cutting_leaves_too_long_are_counted() {
        check(json!(vec!["x".repeat(2_000); 100]), json!({"cut": "200301 bytes"}));
        check(json!({"x".repeat(70_000): 1}), json!({"cut": "70006 bytes"}));
    }

    #[test]
    fn text_is_cut_in_front_of_a_word() {
        for (given, expected) in
            [("one two", "one two"), ("one two three", "one …"), ("onetwothree", "onetwot…"), ("一二三四", "一二…")]
        {
            let mut text = given.to_owned();
            cut_text(&mut text, 10);
            assert_eq!(text, expected);
        }
    }

    #[test]
    fn a_share_is_given_back() {
        let taken = Arc::default();
        let share = Share::take(6, &taken, 10);
        assert!(share.is_some() && Share::take(5, &taken, 10).is_none() && Share::take(4, &taken, 10).is_some());
        drop(share);
        assert_eq!(taken.load(Ordering::Relaxed), 0);
    }
}

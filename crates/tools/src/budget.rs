//! Answers of bounded size: too long an answer loses whole records from its end, and says so.

use std::io;

use serde::Serialize;
use serde_json::Value;

use crate::answer::Answer;
use crate::content::ContentBlock;
use crate::output::Payload;
use crate::styles::{CallFacts, Style};
use crate::tool::Records;

const ENVELOPE: usize = 512;
const CUT: &str = "Texts were cut so that the answer fits.";

/// Renders the payload so that the whole answer is at most `limit` bytes long.
pub(crate) fn render(
    style: Style,
    payload: Payload,
    records: Option<Records>,
    facts: CallFacts,
    limit: usize,
) -> Answer {
    // What the protocol puts around the answer.
    let limit = limit.saturating_sub(ENVELOPE);
    if surely_fits(&payload, limit) {
        return style.success(payload, facts);
    }
    let answer = style.success(payload.clone(), facts);
    if json_length(&answer) <= limit {
        return answer;
    }
    let fits = |payload: &Payload| json_length(&style.success(payload.clone(), facts)) <= limit;
    let rest = records.map(|records| records.rest);
    let cut = cut_records(&payload, records, &fits).unwrap_or_else(|| cut_text(payload, rest, &fits));
    style.success(cut, facts)
}

/// A cheap upper bound, so that the common short answer is serialised only once.
fn surely_fits(payload: &Payload, limit: usize) -> bool {
    match payload {
        Payload::Text(text) => text.len().saturating_mul(6) + 1024 < limit,
        // Once compact, once indented and escaped inside a string: at most twice and six times the compact length.
        Payload::Json { data, notes, beside } => {
            beside.is_empty() && notes.is_empty() && json_length(data).saturating_mul(8) + 4096 < limit
        }
        Payload::Blocks(_) => false,
    }
}

/// Keeps as many leading records as fit; `None` when the answer has no list or not even one record fits.
fn cut_records(payload: &Payload, records: Option<Records>, fits: &dyn Fn(&Payload) -> bool) -> Option<Payload> {
    let Payload::Json { data, notes, beside } = payload else { return None };
    let records = records?;
    let total = data.pointer(records.pointer)?.as_array()?.len();
    let keep = |count: usize| {
        let mut data = data.clone();
        if let Some(Value::Array(items)) = data.pointer_mut(records.pointer) {
            items.truncate(count);
        }
        let mut notes = notes.clone();
        notes.push(format!("Only the first {count} of {total} records fit into one answer. {}", records.rest));
        Payload::Json { data, notes, beside: beside.clone() }
    };
    let (mut fitting, mut too_many) = (0, total);
    while too_many - fitting > 1 {
        let middle = fitting.midpoint(too_many);
        if fits(&keep(middle)) { fitting = middle } else { too_many = middle }
    }
    (fitting > 0).then(|| keep(fitting))
}

/// Shortens the longest texts until the answer fits.
fn cut_text(mut payload: Payload, rest: Option<&str>, fits: &dyn Fn(&Payload) -> bool) -> Payload {
    let remark = rest.map_or(CUT.to_owned(), |rest| format!("{CUT} {rest}"));
    match &mut payload {
        Payload::Json { notes, .. } => notes.push(remark),
        Payload::Blocks(blocks) => blocks.blocks.insert(0, ContentBlock::text(remark)),
        Payload::Text(_) => {}
    }
    while !fits(&payload) {
        let shortened = match &mut payload {
            Payload::Text(text) => shorten(text),
            Payload::Json { data, beside, .. } => longest_string(data).is_some_and(shorten) || beside.pop().is_some(),
            Payload::Blocks(blocks) => blocks.structured.take().is_some() || blocks.blocks.pop().is_some(),
        };
        if !shortened {
            break;
        }
    }
    payload
}

/// Halves a text at a line or character boundary and says that it was cut; false when it is too short to matter.
fn shorten(text: &mut String) -> bool {
    const NOTE: &str = "\n… [cut: the answer was too long]";
    let length = text.strip_suffix(NOTE).unwrap_or(text).len();
    if length < 64 {
        return false;
    }
    let half = text.floor_char_boundary(length / 2);
    let end = text[..half].rfind('\n').filter(|end| *end > half / 2).unwrap_or(half);
    text.truncate(end);
    text.push_str(NOTE);
    true
}

fn longest_string(value: &mut Value) -> Option<&mut String> {
    match value {
        Value::String(text) => Some(text),
        Value::Array(items) => items.iter_mut().filter_map(longest_string).max_by_key(|text| text.len()),
        Value::Object(fields) => fields.values_mut().filter_map(longest_string).max_by_key(|text| text.len()),
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

/// The length of the value as compact JSON.
pub(crate) fn json_length(value: &impl Serialize) -> usize {
    let mut counter = Counter(0);
    serde_json::to_writer(&mut counter, value).expect("counting bytes never fails");
    counter.0
}

struct Counter(usize);

impl io::Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::time::Duration;
    use store::TraceId;

    const LIMIT: usize = 200_000;
    const ITEMS: Records = Records { pointer: "/items", rest: "Ask for fewer." };

    fn rendered(payload: Payload) -> Answer {
        let facts = CallFacts { trace_id: TraceId::generate(), took: Duration::ZERO };
        let answer = render(Style::Knowledge, payload, Some(ITEMS), facts, LIMIT);
        assert!(json_length(&answer) <= LIMIT, "{} bytes", json_length(&answer));
        answer
    }

    fn items(count: usize, content: &str) -> Payload {
        let items: Vec<Value> = (0..count).map(|n| json!({"id": n, "content": content})).collect();
        Payload::Json { data: json!({"items": items}), notes: Vec::new(), beside: Vec::new() }
    }

    #[test]
    fn a_short_answer_is_left_alone() {
        let body = rendered(items(3, "short")).structured_content.unwrap();
        assert_eq!(body["data"]["items"].as_array().unwrap().len(), 3);
        assert_eq!(body["meta"].get("notes"), None);
    }

    #[test]
    fn a_long_list_loses_whole_records_and_says_how_to_get_the_rest() {
        let body = rendered(items(20, &"字".repeat(20_000))).structured_content.unwrap();
        let kept = body["data"]["items"].as_array().unwrap();
        assert_eq!(kept.len(), 1);
        assert_eq!(kept[0]["content"].as_str().unwrap().chars().count(), 20_000);
        assert_eq!(body["meta"]["notes"][0], "Only the first 1 of 20 records fit into one answer. Ask for fewer.");
    }

    #[test]
    fn one_record_that_does_not_fit_is_cut_and_says_so() {
        let body = rendered(items(2, &"\u{1}".repeat(40_000))).structured_content.unwrap();
        assert!(body.to_string().contains("[cut: the answer was too long]"));
    }

    #[test]
    fn a_long_text_is_cut_at_a_line() {
        let text = rendered(Payload::Text("line of text\n".repeat(40_000))).joined_text();
        assert!(text.ends_with("line of text\n… [cut: the answer was too long]"), "{}", &text[text.len() - 60..]);
    }
}

//! Answers of bounded size: too long an answer loses whole records from its end, and says so.

use std::io;

use serde::Serialize;
use serde_json::Value;

use crate::answer::Answer;
use crate::content::ContentBlock;
use crate::output::{Lines, Payload};
use crate::styles::{CallFacts, Style};
use crate::tool::Records;

const ENVELOPE: usize = 512;
const CUT: &str = "Texts were cut so that the answer fits.";
/// Stands where a text was cut off.
const NOTE: &str = "… [cut: the answer was too long]";

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
    let cut = match payload {
        Payload::Text(text) => Payload::Text(cut_plain(&text, rest, &fits)),
        Payload::Lines(lines) => Payload::Text(cut_lines(lines, &fits)),
        Payload::Json { .. } | Payload::Blocks(_) => {
            cut_records(&payload, records, &fits).unwrap_or_else(|| cut_texts(payload, rest, &fits))
        }
    };
    style.success(cut, facts)
}

/// A cheap upper bound, so that the common short answer is serialised only once.
fn surely_fits(payload: &Payload, limit: usize) -> bool {
    match payload {
        Payload::Text(text) | Payload::Lines(Lines { text, .. }) => text.len().saturating_mul(6) + 1024 < limit,
        // Once compact, once indented and escaped inside a string: at most twice and six times the compact length.
        Payload::Json { data, notes, beside, facts } => {
            beside.is_empty()
                && notes.is_empty()
                && facts.is_empty()
                && json_length(data).saturating_mul(8) + 4096 < limit
        }
        Payload::Blocks(_) => false,
    }
}

/// Keeps as many leading records as fit; `None` when the answer has no list or not even one record fits.
fn cut_records(payload: &Payload, records: Option<Records>, fits: &dyn Fn(&Payload) -> bool) -> Option<Payload> {
    let Payload::Json { data, notes, beside, facts } = payload else { return None };
    let records = records?;
    let total = data.pointer(records.pointer)?.as_array()?.len();
    let keep = |count: usize| {
        let mut data = data.clone();
        if let Some(Value::Array(items)) = data.pointer_mut(records.pointer) {
            items.truncate(count);
        }
        let mut notes = notes.clone();
        notes.push(format!("Only the first {count} of {total} records fit into one answer. {}", records.rest));
        Payload::Json { data, notes, beside: beside.clone(), facts: facts.clone() }
    };
    let (mut fitting, mut too_many) = (0, total);
    while too_many - fitting > 1 {
        let middle = fitting.midpoint(too_many);
        if fits(&keep(middle)) { fitting = middle } else { too_many = middle }
    }
    (fitting > 0).then(|| keep(fitting))
}

/// As much of the text as fits, cut at the end of a line unless that would lose half of it.
fn cut_plain(text: &str, rest: Option<&str>, fits: &dyn Fn(&Payload) -> bool) -> String {
    let note = rest.map_or(NOTE.to_owned(), |rest| format!("{NOTE} {rest}"));
    let with_note = |head: &str| format!("{}\n{note}", head.trim_end_matches('\n'));
    let head = longest_head(text, &|head| fits(&Payload::Text(with_note(head))));
    let end = head.rfind('\n').filter(|end| *end > head.len() / 2).unwrap_or(head.len());
    with_note(&head[..end])
}

/// As many whole lines as fit, with how to get those after them.
fn cut_lines(lines: Lines, fits: &dyn Fn(&Payload) -> bool) -> String {
    let ends: Vec<usize> = line_ends(&lines.text).collect();
    let keep = |count: usize| {
        let (first, last, total) = (lines.offset + 1, lines.offset + count, lines.total);
        let kept = Lines { text: lines.text[..ends[count - 1]].to_owned(), ..lines }.into_text();
        let end = if kept.ends_with('\n') { "" } else { "\n" };
        format!("{kept}{end}{NOTE} These are lines {first}-{last} of {total}; go on with offset {last}.")
    };
    let (mut fitting, mut too_many) = (0, ends.len() + 1);
    while too_many - fitting > 1 {
        let middle = fitting.midpoint(too_many);
        if fits(&Payload::Text(keep(middle))) { fitting = middle } else { too_many = middle }
    }
    if fitting > 0 { keep(fitting) } else { cut_long_line(lines, fits) }
}

/// The beginning of a line that is longer than an answer.
fn cut_long_line(mut lines: Lines, fits: &dyn Fn(&Payload) -> bool) -> String {
    let (number, total) = (lines.offset + 1, lines.total);
    let end = line_ends(&lines.text).next().unwrap_or_default();
    let line = lines.text[..end].to_owned();
    lines.text.clear();
    let with_note = |head: &str| {
        let kept = Lines { text: head.to_owned(), ..lines }.into_text();
        format!("{kept}\n{NOTE} This is the beginning of line {number} of {total}; go on with offset {number}.")
    };
    with_note(longest_head(&line, &|head| fits(&Payload::Text(with_note(head)))))
}

fn line_ends(text: &str) -> impl Iterator<Item = usize> {
    text.split_inclusive('\n').scan(0, |end, line| {
        *end += line.len();
        Some(*end)
    })
}

/// The longest beginning of a text that fits.
fn longest_head<'a>(text: &'a str, fits: &dyn Fn(&str) -> bool) -> &'a str {
    let (mut fitting, mut too_long) = (0, text.len());
    while too_long - fitting > 1 {
        let middle = fitting.midpoint(too_long);
        if fits(&text[..text.floor_char_boundary(middle)]) { fitting = middle } else { too_long = middle }
    }
    &text[..text.floor_char_boundary(fitting)]
}

/// Shortens the longest texts until the answer fits.
fn cut_texts(mut payload: Payload, rest: Option<&str>, fits: &dyn Fn(&Payload) -> bool) -> Payload {
    let remark = rest.map_or(CUT.to_owned(), |rest| format!("{CUT} {rest}"));
    match &mut payload {
        Payload::Json { notes, .. } => notes.push(remark),
        Payload::Blocks(blocks) => blocks.blocks.insert(0, ContentBlock::text(remark)),
        Payload::Text(_) | Payload::Lines(_) => {}
    }
    while !fits(&payload) {
        let shortened = match &mut payload {
            Payload::Text(_) | Payload::Lines(_) => false,
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
    let length = text.strip_suffix(NOTE).unwrap_or(text).len();
    if length < 64 {
        return false;
    }
    let half = text.floor_char_boundary(length / 2);
    let end = text[..half].rfind('\n').filter(|end| *end > half / 2).unwrap_or(half);
    text.truncate(end);
    text.push('\n');
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
        Payload::Json {
            data: json!({"items": items}),
            notes: Vec::new(),
            beside: Vec::new(),
            facts: serde_json::Map::new(),
        }
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
        assert!(text.ends_with("line of text\n… [cut: the answer was too long] Ask for fewer."), "{}", ending(&text));
        assert!(text.len() > LIMIT * 9 / 10, "{} bytes", text.len());
    }

    #[test]
    fn a_text_of_one_long_line_is_cut_inside_it() {
        let text = rendered(Payload::Text("字".repeat(100_000))).joined_text();
        assert!(text.ends_with("字\n… [cut: the answer was too long] Ask for fewer."), "{}", ending(&text));
        assert!(text.len() > LIMIT * 9 / 10, "{} bytes", text.len());
    }

    fn ending(text: &str) -> &str {
        &text[text.ceil_char_boundary(text.len().saturating_sub(150))..]
    }

    fn lines(text: String, offset: usize, headed: bool) -> String {
        let total = offset + text.lines().count();
        rendered(Payload::Lines(Lines { text, offset, total, headed })).joined_text()
    }

    #[test]
    fn lines_that_fit_are_left_alone() {
        assert_eq!(lines("one\r\ntwo".to_owned(), 4, false), "one\r\ntwo");
        assert_eq!(lines("one\ntwo".to_owned(), 4, true), "# Lines 5-6 of 6\none\ntwo");
        assert_eq!(lines(String::new(), 4, true), "# Lines 5-4 of 4\n");
    }

    #[test]
    fn too_many_lines_lose_whole_ones_and_say_where_to_go_on() {
        let text: String = (10..20_000).map(|n| format!("line {n}\n")).collect();
        for headed in [true, false] {
            let shown = lines(text.clone(), 10, headed);
            let (kept, note) = shown.rsplit_once('\n').unwrap();
            let last: usize = kept.rsplit_once("line ").unwrap().1.parse().unwrap();
            let expected = format!("{NOTE} These are lines 11-{} of 20000; go on with offset {}.", last + 1, last + 1);
            assert_eq!(note, expected);
            assert_eq!(kept.starts_with(&format!("# Lines 11-{} of 20000\nline 10\n", last + 1)), headed);
            assert!(shown.len() > LIMIT * 8 / 10, "{} bytes", shown.len());
        }
    }

    #[test]
    fn a_line_longer_than_an_answer_shows_its_beginning() {
        let shown = lines(format!("{}\nend\n", "\u{1}字".repeat(100_000)), 2, true);
        assert!(shown.starts_with("# Lines 3-3 of 4\n\u{1}字"), "{}", &shown[..40]);
        let note = format!("{NOTE} This is the beginning of line 3 of 4; go on with offset 3.");
        assert!(shown.ends_with(&note), "{}", ending(&shown));
    }
}

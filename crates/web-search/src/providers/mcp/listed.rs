//! Results in a text for people: fields with labels, numbered headings, or links of Markdown.

use jiff::Timestamp;
use serde_json::Value;

use crate::published::Published;
use crate::rows::Row;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Title,
    Url,
    Snippet,
    Date,
    /// Known, and of no use here.
    Other,
}

const LABELS: &[(&str, Field)] = &[
    ("title", Field::Title),
    ("url", Field::Url),
    ("link", Field::Url),
    ("href", Field::Url),
    ("description", Field::Snippet),
    ("summary", Field::Snippet),
    ("snippet", Field::Snippet),
    ("content", Field::Snippet),
    ("text", Field::Snippet),
    ("published date", Field::Date),
    ("published", Field::Date),
    ("date", Field::Date),
    ("relevance score", Field::Other),
    ("score", Field::Other),
    ("engines", Field::Other),
    ("category", Field::Other),
    ("thumbnail", Field::Other),
    ("image source", Field::Other),
];
/// More lines are no list of results.
const MOST_LINES: usize = 20_000;

pub(super) fn rows(text: &str, now: Timestamp) -> Vec<Row> {
    let mut reader = Reader { now, rows: Vec::new(), row: blank(), heading: String::new() };
    text.lines().take(MOST_LINES).for_each(|line| reader.line(line));
    reader.finish();
    reader.rows
}

struct Reader {
    now: Timestamp,
    rows: Vec<Row>,
    /// The one being read; it counts once it has an address.
    row: Row,
    /// The last line that was neither label nor address: a title, if an address follows.
    heading: String,
}

impl Reader {
    fn line(&mut self, line: &str) {
        let (bare, is_heading) = bare(line);
        if let Some((field, value)) = labelled(bare) {
            self.field(field, value);
        } else if let Some((title, url, rest)) = markdown_link(bare) {
            self.begin(title);
            self.address(url);
            self.row.snippet = rest.trim_start_matches([' ', '-', ':', '–', '—']).to_owned();
        } else if is_address(bare) {
            self.address(bare);
        } else if is_heading {
            self.begin(bare);
        } else if !self.row.url.is_empty() && !bare.is_empty() {
            self.more(bare);
        } else if !bare.is_empty() {
            self.heading = bare.to_owned();
        }
    }

    fn field(&mut self, field: Field, value: &str) {
        match field {
            Field::Title => self.begin(value),
            Field::Url if is_address(value) => self.address(value),
            Field::Snippet => value.clone_into(&mut self.row.snippet),
            Field::Date => {
                let date = Published::read(&Value::from(value), self.now);
                self.row.published = self.row.published.or(date);
            }
            Field::Url | Field::Other => {}
        }
    }

    fn address(&mut self, url: &str) {
        if !self.row.url.is_empty() {
            self.finish();
        }
        if self.row.title.is_empty() {
            self.row.title = std::mem::take(&mut self.heading);
        }
        url.clone_into(&mut self.row.url);
    }

    fn begin(&mut self, title: &str) {
        self.finish();
        title.clone_into(&mut self.row.title);
    }

    fn more(&mut self, text: &str) {
        if !self.row.snippet.is_empty() {
            self.row.snippet.push(' ');
        }
        self.row.snippet.push_str(text);
    }

    fn finish(&mut self) {
        let row = std::mem::replace(&mut self.row, blank());
        if !row.url.is_empty() {
            self.rows.push(row);
        }
    }
}

fn blank() -> Row {
    Row { title: String::new(), url: String::new(), snippet: String::new(), published: None }
}

/// A line without what marks lists and headings, and whether there was a number or a heading sign.
fn bare(line: &str) -> (&str, bool) {
    let line = line.trim();
    let unmarked = line.trim_start_matches(['#', '*', '-', '•', '>']).trim_start();
    let digits = unmarked.bytes().take_while(u8::is_ascii_digit).count();
    let numbered =
        unmarked[digits..].strip_prefix(['.', ')']).filter(|rest| (1..=3).contains(&digits) && rest.starts_with(' '));
    let text = numbered.unwrap_or(unmarked).trim().trim_matches('*').trim();
    (text, numbered.is_some() || line.starts_with('#'))
}

fn labelled(line: &str) -> Option<(Field, &str)> {
    let (label, value) = line.split_once(':')?;
    let label = label.trim().trim_matches('*').to_ascii_lowercase();
    let (_, field) = LABELS.iter().find(|(known, _)| *known == label)?;
    Some((*field, value.trim().trim_start_matches('*').trim()))
}

/// `[title](address) rest`.
fn markdown_link(line: &str) -> Option<(&str, &str, &str)> {
    let (title, rest) = line.strip_prefix('[')?.split_once("](")?;
    let (url, rest) = rest.split_once(')')?;
    is_address(url).then_some((title, url, rest.trim_matches('*')))
}

fn is_address(text: &str) -> bool {
    (text.starts_with("https://") || text.starts_with("http://")) && !text.contains(char::is_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(&str, &str, &str)]) {
        let rows = rows(text, "2026-11-17T12:00:00Z".parse().unwrap());
        let read: Vec<_> =
            rows.iter().map(|row| (row.title.as_str(), row.url.as_str(), row.snippet.as_str())).collect();
        assert_eq!(read, expected, "{text}");
    }

    const TWO: &[(&str, &str, &str)] =
        &[("One", "https://a.example/1", "first text"), ("Two", "https://b.example/2", "second text")];

    #[test]
    fn lists_for_people_are_read() {
        check(
            "Title: One\nDescription: first text\nURL: https://a.example/1\nRelevance Score: 1.000\nEngines: x, y\n\n\
             Title: Two\nDescription: second text\nURL: https://b.example/2",
            TWO,
        );
        check(
            "Found 2 search results:\n\n1. One\n   URL: https://a.example/1\n   Summary: first text\n\n2. Two\n   URL: https://b.example/2\n   \
             Summary: second text\n",
            TWO,
        );
        check(
            "**Title:** One\n**URL:** https://a.example/1\n**Content:** first\ntext\n\nTitle: Two\nURL: https://b.example/2\nContent: second text",
            TWO,
        );
        check("- [One](https://a.example/1): first text\n- [Two](https://b.example/2) - second text", TWO);
        check("### One\nhttps://a.example/1\nfirst text\n\n### Two\nhttps://b.example/2\nsecond text", TWO);
        check(
            "One\nhttps://a.example/1\n\nhttps://b.example/2",
            &[("One", "https://a.example/1", ""), ("", "https://b.example/2", "")],
        );
    }

    #[test]
    fn a_date_is_read_where_there_is_one() {
        let text = "Title: One\nURL: https://a.example/\nPublished Date: 2026-11-10T08:00:00\n";
        let rows = rows(text, "2026-11-17T12:00:00Z".parse().unwrap());
        assert_eq!(rows[0].published.unwrap().at.to_string(), "2026-11-10T08:00:00Z");
    }

    #[test]
    fn a_text_without_addresses_holds_no_results() {
        for text in [
            "",
            "No results found.",
            "Title: One\nDescription: no address",
            "see https://a.example/ for more",
            "1. One\n2. Two",
            "[x](y)",
        ] {
            check(text, &[]);
        }
    }
}

//! Rows or a graph from a file: CSV, JSON, or JSON Lines.

use serde_json::{Map, Value};

use crate::request::Row;

/// How a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Csv,
    Json,
    JsonLines,
}

/// What a file holds.
#[derive(Debug, Clone, PartialEq)]
pub enum Given {
    Rows(Vec<Row>),
    /// An object: a graph, or an answer that holds one.
    Graph(Value),
}

impl Format {
    /// By the end of a file's name; without one, by how the text begins.
    pub fn of(name: &str, text: &str) -> Self {
        match name.rsplit_once('.').map(|(_, end)| end.to_ascii_lowercase()).as_deref() {
            Some("csv" | "tsv" | "tab") => Self::Csv,
            Some("json") => Self::Json,
            Some("jsonl" | "ndjson") => Self::JsonLines,
            _ => Self::guessed(text),
        }
    }

    fn guessed(text: &str) -> Self {
        let start = text.trim_start();
        if !start.starts_with(['[', '{']) {
            return Self::Csv;
        }
        let mut values = serde_json::Deserializer::from_str(start).into_iter::<serde::de::IgnoredAny>();
        if matches!((values.next(), values.next()), (Some(Ok(_)), Some(_))) { Self::JsonLines } else { Self::Json }
    }
}

/// What the text holds, or what is wrong with it, with the line.
pub fn read(text: &str, format: Format) -> Result<Given, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match format {
        Format::Csv => read_csv(text).map(Given::Rows),
        Format::Json => read_json(text),
        Format::JsonLines => read_json_lines(text).map(Given::Rows),
    }
}

fn read_json(text: &str) -> Result<Given, String> {
    match serde_json::from_str(text).map_err(|error| format!("it is not JSON: {error}"))? {
        Value::Array(rows) => {
            let rows = rows.into_iter().enumerate().map(|(at, row)| match row {
                Value::Object(row) => Ok(row),
                other @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_)) => {
                    Err(format!("entry {} must be an object, but is {}", at + 1, crate::error::shown(&other)))
                }
            });
            rows.collect::<Result<_, _>>().map(Given::Rows)
        }
        object @ Value::Object(_) => Ok(Given::Graph(object)),
        other @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => {
            Err(format!("it must hold a list of objects or a graph, but holds {}", crate::error::shown(&other)))
        }
    }
}

fn read_json_lines(text: &str) -> Result<Vec<Row>, String> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let row = |(at, line): (usize, &str)| {
        serde_json::from_str::<Row>(line).map_err(|error| format!("line {} is not a JSON object: {error}", at + 1))
    };
    lines.map(row).collect()
}

fn read_csv(text: &str) -> Result<Vec<Row>, String> {
    let mut reader = csv::ReaderBuilder::new().delimiter(delimiter(text)).flexible(true).from_reader(text.as_bytes());
    let names: Vec<String> =
        reader.headers().map_err(|error| error.to_string())?.iter().map(|name| name.trim().to_owned()).collect();
    for (at, name) in names.iter().enumerate() {
        if names[..at].contains(name) {
            return Err(format!("two columns are called {name:?}; give each its own name"));
        }
    }
    let mut cells: Vec<csv::StringRecord> = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| error.to_string())?;
        if record.len() != names.len() {
            let line = record.position().map_or(0, csv::Position::line);
            return Err(format!(
                "line {line} has {} cells where the first line names {} columns",
                record.len(),
                names.len()
            ));
        }
        cells.push(record);
    }
    let numeric: Vec<bool> = (0..names.len()).map(|column| is_numeric(&cells, column)).collect();
    let row = |record: &csv::StringRecord| {
        let values = record.iter().zip(&numeric).map(|(cell, numeric)| value(cell, *numeric));
        names.iter().cloned().zip(values).collect::<Map<_, _>>()
    };
    Ok(cells.iter().map(row).collect())
}

/// What parts the first line most often.
fn delimiter(text: &str) -> u8 {
    let first = text.lines().next().unwrap_or_default();
    let count = |byte: u8| first.bytes().filter(|other| *other == byte).count();
    [b',', b'\t', b';'].into_iter().max_by_key(|byte| (count(*byte), *byte == b',')).unwrap_or(b',')
}

/// A column is numeric when every cell that is not blank is a number as programs write it; `007` is a name.
fn is_numeric(cells: &[csv::StringRecord], column: usize) -> bool {
    let mut filled =
        cells.iter().filter_map(|record| record.get(column)).map(str::trim).filter(|cell| !cell.is_empty()).peekable();
    let plain = |cell: &str| {
        let digits = cell.trim_start_matches(['-', '+']);
        let padded = digits.len() > 1 && digits.starts_with('0') && !digits.starts_with("0.");
        !padded
            && cell.parse::<f64>().is_ok_and(f64::is_finite)
            && cell.ends_with(|last: char| last.is_ascii_digit() || last == '.')
    };
    filled.peek().is_some() && filled.all(plain)
}

fn value(cell: &str, numeric: bool) -> Value {
    let trimmed = cell.trim();
    if trimmed.is_empty() {
        return Value::Null;
    }
    if numeric && let Ok(number) = trimmed.parse::<f64>() {
        return crate::kinds::number_value(number);
    }
    Value::from(cell)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn check(name: &str, text: &str, expected: Result<Value, &str>) {
        let read = read(text, Format::of(name, text)).map(|given| match given {
            Given::Rows(rows) => json!(rows),
            Given::Graph(graph) => graph,
        });
        assert_eq!(read, expected.map_err(str::to_owned));
    }

    #[test]
    fn every_format_gives_the_same_rows() {
        let rows = || Ok(json!([{"m": "Jan", "v": 1}, {"m": "Feb", "v": null}, {"m": "März, \"x\"", "v": 2.5}]));
        check("a.csv", "\u{feff}m,v\nJan,1\nFeb,\n\"März, \"\"x\"\"\",2.5\n", rows());
        check("a.csv", "m;v\r\nJan;1\r\nFeb;\r\n\"März, \"\"x\"\"\";2.5", rows());
        check("a.tsv", "m\tv\nJan\t1\nFeb\t\n\"März, \"\"x\"\"\"\t2.5\n", rows());
        let lines = "{\"m\":\"Jan\",\"v\":1}\n\n{\"m\":\"Feb\",\"v\":null}\n{\"m\":\"März, \\\"x\\\"\",\"v\":2.5}\n";
        check("a.jsonl", lines, rows());
        check("-", lines, rows());
        check("-", "m,v\nJan,1\nFeb,\n\"März, \"\"x\"\"\",2.5\n", rows());
    }

    #[test]
    fn names_that_look_like_numbers_stay_names() {
        check("a.csv", "k,v\n007,1\n008,2\n", Ok(json!([{"k": "007", "v": 1}, {"k": "008", "v": 2}])));
        check("a.csv", "k,v\ninf,1\nnan,n/a\n", Ok(json!([{"k": "inf", "v": "1"}, {"k": "nan", "v": "n/a"}])));
    }

    #[test]
    fn what_cannot_be_read_is_named_with_its_line() {
        check("a.csv", "a,b\n1,2\n3\n", Err("line 3 has 1 cells where the first line names 2 columns"));
        check("a.csv", "a,a\n1,2\n", Err("two columns are called \"a\"; give each its own name"));
        check("a.json", "[1]", Err("entry 1 must be an object, but is the number 1"));
        check("a.json", "7", Err("it must hold a list of objects or a graph, but holds the number 7"));
        check(
            "a.jsonl",
            "{}\n[]\n",
            Err("line 2 is not a JSON object: invalid type: sequence, expected a map at line 1 column 0"),
        );
    }
}

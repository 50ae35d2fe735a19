//! A column that must hold numbers: what is one, what can be read as one, and what is refused.

use serde_json::Value;

use super::fields::{Cells, is_gap};
use crate::error::{Invalid, quoted, shown};
use crate::notes::{Notes, counted};
use crate::request::Row;

/// The numbers of a column, with `None` where a row has none. Text that is a number is read as one, and that is noted.
pub(crate) fn numbers(rows: &[Row], column: &str, notes: &mut Notes) -> Result<Vec<Option<f64>>, Invalid> {
    let mut texts = Texts::default();
    let mut found = Vec::with_capacity(rows.len());
    for (row, value) in Cells::of(rows, column).enumerate() {
        if is_gap(value) {
            found.push(None);
            continue;
        }
        found.push(Some(match value {
            Some(Value::Number(number)) => number
                .as_f64()
                .filter(|number| number.is_finite())
                .ok_or_else(|| Invalid::cell(row, column, format!("must be a finite number, but is {number}")))?,
            Some(Value::String(text)) => {
                let (number, percent) = parse_number(text).ok_or_else(|| refused(row, column, value))?;
                texts.saw(row, text, percent);
                number
            }
            _ => return Err(refused(row, column, value)),
        }));
    }
    if found.iter().all(Option::is_none) {
        return Err(Invalid::new(
            "data",
            format!("has no number in the field {}; every row is empty there", quoted(column)),
        ));
    }
    texts.note(column, notes);
    Ok(found)
}

fn refused(row: usize, column: &str, value: Option<&Value>) -> Invalid {
    let given = value.map_or_else(|| "missing".to_owned(), shown);
    let advice = if value.is_some_and(Value::is_string) { "; leave it out or give null for a gap" } else { "" };
    Invalid::cell(row, column, format!("must be a number, but is {given}{advice}"))
}

/// The number that a text spells, and whether it had a percent sign: `12`, `-1.5e3`, `1,234.5`, `12%`. No NaN, no infinity.
pub(crate) fn parse_number(text: &str) -> Option<(f64, bool)> {
    let text = text.trim();
    let (text, percent) = match text.strip_suffix('%') {
        Some(number) => (number.trim_end(), true),
        None => (text, false),
    };
    // Rust reads `inf` and `nan` too.
    if !text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b',' | b'e' | b'E')) {
        return None;
    }
    let number = if text.contains(',') { without_separators(text)?.parse::<f64>() } else { text.parse::<f64>() };
    number.ok().filter(|number| number.is_finite()).map(|number| (number, percent))
}

/// `1,234,567.8` → `1234567.8`; a comma anywhere else than before each three digits is not taken for a separator.
fn without_separators(text: &str) -> Option<String> {
    let (whole, fraction) = text.split_once('.').map_or((text, None), |(whole, fraction)| (whole, Some(fraction)));
    let mut groups = whole.trim_start_matches(['+', '-']).split(',');
    let first = groups.next()?;
    let digits = |group: &str| group.bytes().all(|byte| byte.is_ascii_digit());
    let valid =
        (1..=3).contains(&first.len()) && digits(first) && groups.all(|group| group.len() == 3 && digits(group));
    if !valid || fraction.is_some_and(|fraction| fraction.contains(',')) {
        return None;
    }
    Some(text.replace(',', ""))
}

/// Numbers that were given as text.
#[derive(Default)]
struct Texts {
    count: usize,
    percents: usize,
    first: Option<(usize, String)>,
}

impl Texts {
    fn saw(&mut self, row: usize, text: &str, percent: bool) {
        self.count += 1;
        self.percents += usize::from(percent);
        self.first.get_or_insert_with(|| (row, quoted(text)));
    }

    fn note(self, column: &str, notes: &mut Notes) {
        let Some((row, text)) = self.first else { return };
        let percent = if self.percents > 0 { ", without the percent sign" } else { "" };
        notes.add(format!(
            "{} held text in {} (first: data[{row}] is {text}); it was read as numbers{percent}.",
            quoted(column),
            counted(self.count, "row"),
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::parse_number;

    #[track_caller]
    fn check(text: &str, expected: Option<f64>) {
        assert_eq!(parse_number(text).map(|(number, _)| number), expected, "{text}");
    }

    #[test]
    fn a_text_that_spells_a_number_is_read() {
        check("12", Some(12.0));
        check(" -1.5e3 ", Some(-1500.0));
        check("1,234", Some(1234.0));
        check("-1,234,567.25", Some(-1_234_567.25));
        check("12.5 %", Some(12.5));
        check("0", Some(0.0));
    }

    #[test]
    fn a_text_that_may_mean_something_else_is_not() {
        for text in ["", "-", "n/a", "NaN", "inf", "-Infinity", "1,5", "1,23,456", "12 kg", "0x10", "1e999", "1.2,3"] {
            check(text, None);
        }
    }
}

//! What people and scripts see: results on standard output, trouble on standard error, colour only where it is wanted.

use std::io::{self, BufWriter, IsTerminal, Write};

use serde::Serialize;

/// Where a command prints.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Console {
    pub(crate) json: bool,
    colour: bool,
}

/// How a word is coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Paint {
    Good,
    Bad,
    Attention,
    Quiet,
    Strong,
}

impl Console {
    pub(crate) fn new(json: bool) -> Self {
        let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Self { json, colour: !json && !unwanted && io::stdout().is_terminal() }
    }

    /// One line of result. A reader that has gone away (`| head`) is no error.
    pub(crate) fn line(&self, text: &str) {
        let _ = writeln!(io::stdout().lock(), "{text}");
    }

    /// Many lines of result, at most until their reader has gone.
    pub(crate) fn lines(&self, lines: impl IntoIterator<Item = String>) {
        let mut output = BufWriter::new(io::stdout().lock());
        let _ = lines.into_iter().try_for_each(|line| writeln!(output, "{line}")).and_then(|()| output.flush());
    }

    /// A value for a program to read.
    pub(crate) fn json(&self, value: &impl Serialize) {
        let text = serde_json::to_string_pretty(value).unwrap_or_else(|error| format!("{{\"error\": \"{error}\"}}"));
        self.line(&text);
    }

    pub(crate) fn error(&self, text: &str) {
        let _ = writeln!(io::stderr().lock(), "error: {text}");
    }

    /// A remark that is not part of the result.
    pub(crate) fn remark(&self, text: &str) {
        let _ = writeln!(io::stderr().lock(), "{text}");
    }

    pub(crate) fn paint(&self, paint: Paint, text: &str) -> String {
        if !self.colour {
            return text.to_owned();
        }
        let code = match paint {
            Paint::Good => "32",
            Paint::Bad => "31",
            Paint::Attention => "33",
            Paint::Quiet => "2",
            Paint::Strong => "1",
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }

    /// Rows in columns, each as wide as its widest cell; the last column runs free.
    pub(crate) fn table(&self, rows: &[Vec<String>]) {
        let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
        let width =
            |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
        let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
        let rows: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(|cell| printable(cell)).collect()).collect();
        for row in &rows {
            let cells = row.iter().enumerate().map(|(column, cell)| {
                let last = column + 1 == row.len();
                if last { cell.clone() } else { format!("{cell:<width$}", width = widths[column]) }
            });
            self.line(cells.collect::<Vec<_>>().join("  ").trim_end());
        }
    }
}

/// Text from outside as it may be printed: without what would move the cursor, change colours or forge a line.
pub(crate) fn printable(text: &str) -> String {
    let shown = |character: char| match character.is_control() {
        true => character.escape_default().to_string(),
        false => character.to_string(),
    };
    text.chars().map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::printable;

    #[test]
    fn control_characters_are_shown_not_sent() {
        assert_eq!(printable("N\u{1b}[31mEVIL\nforged 索引"), "N\\u{1b}[31mEVIL\\nforged 索引");
    }
}

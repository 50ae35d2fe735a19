//! What an asker gets.

use crate::cell::Cell;

/// The rows of a query, and what to know about them.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The query that really ran, its limit included.
    pub query: String,
    pub columns: Vec<String>,
    pub rows: Vec<Row>,
    pub total: Total,
    /// One sentence about the rows.
    pub summary: String,
    /// What was taken for what, and names in the query that the graph does not have.
    pub notes: Vec<String>,
}

/// One value for each column.
pub type Row = Vec<Cell>;

/// How many rows there are without the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Total {
    Exactly(u64),
    /// Counting them all would have taken too long.
    AtLeast(u64),
}

impl Total {
    pub fn number(self) -> u64 {
        match self {
            Self::Exactly(number) | Self::AtLeast(number) => number,
        }
    }
}

impl Answer {
    /// The summary with the notes, and with what was cut.
    pub fn text(&self) -> String {
        let shown = self.rows.len() as u64;
        let mut text = self.summary.clone();
        match self.total {
            Total::Exactly(total) if total > shown => text += &format!("; the first {shown} are shown"),
            Total::AtLeast(_) => text += &format!(" or more; the first {shown} are shown"),
            Total::Exactly(_) => {}
        }
        for note in &self.notes {
            text += &format!(". {}", note.trim_end_matches('.'));
        }
        text
    }
}

//! What was changed or chosen on the way to a chart, in words for `meta.notes`.

/// Remarks in the order in which they were made.
#[derive(Debug, Default)]
pub(crate) struct Notes(Vec<String>);

impl Notes {
    pub(crate) fn add(&mut self, note: impl Into<String>) {
        self.0.push(note.into());
    }

    pub(crate) fn into_texts(self) -> Vec<String> {
        self.0
    }
}

/// `1 row`, `3 rows`.
pub(crate) fn counted(count: usize, one: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") }
}

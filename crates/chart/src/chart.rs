//! What a request becomes: an option, what was changed on the way, and what must be seen of it.

use serde_json::Value;

/// An ECharts option that is plain JSON.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    pub option: Value,
    /// Every repair and every choice that the caller did not make, in words.
    pub notes: Vec<String>,
    /// What ECharts must draw, series by series.
    pub marks: Vec<Marks>,
}

/// The marks of one series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Marks {
    /// Bars, points, slices or nodes.
    pub items: usize,
    /// Links between nodes.
    pub links: usize,
}

impl Marks {
    pub(crate) fn items(items: usize) -> Self {
        Self { items, links: 0 }
    }
}

impl Chart {
    /// All marks together: one for each row that was accepted.
    pub fn mark_count(&self) -> usize {
        self.marks.iter().map(|marks| marks.items + marks.links).sum()
    }
}

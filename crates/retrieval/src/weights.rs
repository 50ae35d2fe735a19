//! How much each kind of evidence counts.
//!
//! The figures were chosen by what helps the mean over repositories of the public sets (docs/benchmarks.md); none stands for a single case.

use search::FileKind;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weights {
    /// Of the zones of a query.
    pub title: f32,
    pub prose: f32,
    pub code: f32,
    pub trace: f32,
    pub quoted: f32,
    /// Of a whole identifier, and of its parts.
    pub identifier: f32,
    pub identifier_part: f32,
    /// Of the other ways to write it.
    pub joined: f32,
    /// Of being the whole name of a definition or a file: for what looks like a name, and for any other word.
    pub exact: f32,
    pub exact_word: f32,
    /// Of what a definition of exactly that name is worth beside its occurrences.
    pub defined: f32,
    /// The same in a report, which names more than it is about.
    pub defined_in_report: f32,
    /// Of the short form of a word, or the long one.
    pub abbreviated: f32,
    /// How repeats in the query count.
    pub repeat: f32,
    /// Saturation and length normalisation of files and of parts.
    pub file_k: f32,
    pub file_b: f32,
    pub part_k: f32,
    pub part_b: f32,
    /// What being in a name, a declaration or a path is worth in occurrences.
    pub file_name: f32,
    pub file_path: f32,
    pub part_name: f32,
    pub part_head: f32,
    pub part_parent: f32,
    /// Of a file's best parts beside the evidence of the whole file.
    pub best_part: f32,
    pub next_parts: f32,
    /// Of what the query names outright, in shares of the best score.
    pub path_anchor: f32,
    pub module_anchor: f32,
    pub stem_anchor: f32,
    pub frame_anchor: f32,
    pub deepest_frame: f32,
    /// What a definition has of the score of its file.
    pub file_share: f32,
    /// Of a type beside the functions in it: the smaller is the better answer.
    pub whole_type: f32,
    /// What neighbours get of the score of what they are next to.
    pub graph_share: f32,
    /// How much of their own score files and definitions that words found gain at most where the best definitions use them.
    pub graph_file: f32,
    pub graph_part: f32,
    /// The most that a file which no word found gets, in shares of the best score.
    pub graph_fill: f32,
    /// Of being longer than others, for files and for definitions: there is more in them to be looked for.
    pub size: f32,
    pub part_size: f32,
    /// Of nearness in meaning, in shares of the best score: of files, and of parts.
    pub meaning_file: f32,
    pub meaning_part: f32,
    pub test: f32,
    pub example: f32,
    pub documentation: f32,
    pub foreign: f32,
    pub other: f32,
}

impl Default for Weights {
    fn default() -> Self {
        Self {
            title: 2.0,
            prose: 1.0,
            code: 0.4,
            trace: 0.5,
            quoted: 1.5,
            identifier: 2.0,
            identifier_part: 0.6,
            joined: 0.7,
            exact: 0.5,
            exact_word: 0.3,
            defined: 1.0,
            defined_in_report: 0.6,
            abbreviated: 0.5,
            repeat: 0.7,
            file_k: 1.5,
            file_b: 0.5,
            part_k: 1.5,
            part_b: 0.3,
            file_name: 4.0,
            file_path: 4.0,
            part_name: 5.0,
            part_head: 1.5,
            part_parent: 2.0,
            best_part: 1.0,
            next_parts: 0.1,
            path_anchor: 0.6,
            module_anchor: 0.3,
            stem_anchor: 0.3,
            frame_anchor: 0.15,
            deepest_frame: 0.3,
            file_share: 0.25,
            whole_type: 0.72,
            graph_share: 0.05,
            graph_file: 0.12,
            graph_part: 0.13,
            graph_fill: 0.1,
            size: 0.15,
            part_size: 0.1,
            meaning_file: 0.5,
            meaning_part: 0.15,
            test: 0.35,
            example: 0.4,
            documentation: 0.35,
            foreign: 0.4,
            other: 0.3,
        }
    }
}

impl Weights {
    pub(crate) fn of_kind(&self, kind: FileKind) -> f32 {
        match kind {
            FileKind::Source => 1.0,
            FileKind::Test => self.test,
            FileKind::Example => self.example,
            FileKind::Documentation => self.documentation,
            FileKind::Foreign => self.foreign,
            FileKind::Other => self.other,
        }
    }
}

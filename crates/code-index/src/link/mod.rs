//! What do the facts of all files say together?

use languages::FileFacts;
use store::Part;

/// One file as the linker sees it.
#[derive(Debug, Clone, Copy)]
pub struct SourceFile<'a> {
    /// From the root, `/` between parts.
    pub path: &'a str,
    pub language: Option<&'a str>,
    pub facts: Option<&'a FileFacts>,
    pub lines: u32,
    /// The text of a file that says how modules are laid out.
    pub manifest: Option<&'a str>,
}

/// The graph of a project, split by the file that each part belongs to.
#[derive(Debug, Default)]
pub struct Linked {
    /// One for each file, in the same order.
    pub parts: Vec<Part>,
    /// What belongs to no file.
    pub structure: Part,
}

pub fn link(project: &str, files: &[SourceFile]) -> Linked {
    let _ = project;
    Linked { parts: files.iter().map(|_| Part::default()).collect(), structure: Part::default() }
}

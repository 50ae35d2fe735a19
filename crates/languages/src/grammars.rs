//! Which grammar each language folder uses: the one line that adding a language needs here.

use tree_sitter_language::LanguageFn;

use crate::language::{Language, LanguageError};

/// A folder in `languages/`, its grammar and its texts.
pub(crate) struct Folder {
    pub(crate) id: &'static str,
    pub(crate) grammar: LanguageFn,
    pub(crate) settings: &'static str,
    pub(crate) patterns: &'static [&'static str],
}

impl Folder {
    pub(crate) fn language(&self) -> Result<Language, LanguageError> {
        Language::new(self.id, self.grammar.into(), self.settings, &self.patterns.join("\n"))
    }
}

macro_rules! folders {
    ($($id:literal => $grammar:expr $(, with $shared:literal)?;)+) => {
        pub(crate) const FOLDERS: &[Folder] = &[$(Folder {
            id: $id,
            grammar: $grammar,
            settings: include_str!(concat!("../languages/", $id, "/language.toml")),
            patterns: &[
                include_str!(concat!("../languages/", $id, "/facts.scm")),
                $(include_str!(concat!("../languages/", $shared, "/facts.scm")),)?
            ],
        }),+];
    };
}

folders! {
    "python" => tree_sitter_python::LANGUAGE;
}

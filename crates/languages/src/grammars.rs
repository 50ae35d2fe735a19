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
                $(include_str!(concat!("../languages/", $shared, ".scm")),)?
            ],
        }),+];
    };
}

folders! {
    "bash" => tree_sitter_bash::LANGUAGE;
    "c" => tree_sitter_c::LANGUAGE;
    "cpp" => tree_sitter_cpp::LANGUAGE;
    "csharp" => tree_sitter_c_sharp::LANGUAGE;
    "dart" => tree_sitter_dart::LANGUAGE;
    "elixir" => tree_sitter_elixir::LANGUAGE;
    "go" => tree_sitter_go::LANGUAGE;
    "haskell" => tree_sitter_haskell::LANGUAGE;
    "java" => tree_sitter_java::LANGUAGE;
    "javascript" => tree_sitter_javascript::LANGUAGE;
    "kotlin" => tree_sitter_kotlin_ng::LANGUAGE;
    "lua" => tree_sitter_lua::LANGUAGE;
    "php" => tree_sitter_php::LANGUAGE_PHP;
    "python" => tree_sitter_python::LANGUAGE;
    "ruby" => tree_sitter_ruby::LANGUAGE;
    "rust" => tree_sitter_rust::LANGUAGE;
    "scala" => tree_sitter_scala::LANGUAGE;
    "swift" => tree_sitter_swift::LANGUAGE;
    "tsx" => tree_sitter_typescript::LANGUAGE_TSX, with "typescript/facts";
    "typescript" => tree_sitter_typescript::LANGUAGE_TYPESCRIPT, with "typescript/assertions";
    "zig" => tree_sitter_zig::LANGUAGE;
}

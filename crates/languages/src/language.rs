//! A language: its grammar, its patterns and its rules, read from its folder.

use std::sync::OnceLock;

use thiserror::Error;

use crate::extract::{self, ExtractError};
use crate::facts::FileFacts;
use crate::grammars::FOLDERS;
use crate::pattern::{PatternError, Patterns};
use crate::python;
use crate::settings::{OwnParser, Settings};
use crate::tree::Forest;

#[derive(Debug)]
pub struct Language {
    id: &'static str,
    settings: Settings,
    grammar: tree_sitter::Language,
    patterns_text: String,
    /// Made on first use: most projects are written in few of all languages.
    rules: OnceLock<Rules>,
}

/// What its texts are read by.
#[derive(Debug)]
struct Rules {
    patterns: Patterns,
    /// For the parser of this crate, where there is one.
    python: Option<python::Numbers>,
}

/// Why a language's folder cannot be used.
#[derive(Debug, Error)]
pub enum LanguageError {
    #[error("languages/{id}/language.toml: {source}")]
    Settings { id: &'static str, source: Box<toml::de::Error> },
    #[error("languages/{id}/facts.scm: {reason}")]
    Patterns { id: &'static str, reason: String },
}

impl Language {
    pub(crate) fn new(
        id: &'static str,
        grammar: tree_sitter::Language,
        settings: &str,
        patterns: &str,
    ) -> Result<Self, LanguageError> {
        let settings: Settings =
            toml::from_str(settings).map_err(|source| LanguageError::Settings { id, source: Box::new(source) })?;
        Ok(Self { id, settings, grammar, patterns_text: patterns.to_owned(), rules: OnceLock::new() })
    }

    /// The language of this folder alone, if its patterns are right as well.
    pub fn load(id: &str) -> Option<Result<Self, LanguageError>> {
        let language = FOLDERS.iter().find(|folder| folder.id == id)?.language();
        Some(language.and_then(|language| {
            let rules = language.make_rules()?;
            Ok(Self { rules: rules.into(), ..language })
        }))
    }

    fn make_rules(&self) -> Result<Rules, LanguageError> {
        let patterns = Patterns::compile(&self.patterns_text, &self.grammar)
            .map_err(|error: PatternError| LanguageError::Patterns { id: self.id, reason: error.to_string() })?;
        let python = self.settings.own_parser.map(|OwnParser::Python| python::Numbers::of(&self.grammar));
        Ok(Rules { patterns, python })
    }

    fn rules(&self) -> &Rules {
        self.rules.get_or_init(|| self.make_rules().expect("the languages of this build pass their tests"))
    }

    /// The name of its folder.
    pub fn id(&self) -> &'static str {
        self.id
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    pub fn grammar(&self) -> &tree_sitter::Language {
        &self.grammar
    }

    /// Its `facts.scm`, and that of the language it shares patterns with.
    pub fn patterns_text(&self) -> &str {
        &self.patterns_text
    }

    pub(crate) fn patterns(&self) -> &Patterns {
        &self.rules().patterns
    }

    /// What this text says. Broken text gives what can be read of it.
    pub fn extract(&self, source: &str) -> Result<FileFacts, ExtractError> {
        extract::extract(self, source)
    }

    /// The same by way of the grammar alone, which takes longer.
    pub fn extract_by_grammar(&self, source: &str) -> Result<FileFacts, ExtractError> {
        extract::extract_by_grammar(self, source)
    }

    /// Whether the parser of this crate reads this text. Others are read by way of the grammar.
    pub fn reads_itself(&self, source: &str) -> bool {
        self.own_tree(source).is_some()
    }

    /// The tree that the parser of this crate gives, if there is one and it is sure.
    pub(crate) fn own_tree(&self, source: &str) -> Option<Forest> {
        self.rules().python.as_ref().and_then(|numbers| python::parse(source, numbers))
    }
}

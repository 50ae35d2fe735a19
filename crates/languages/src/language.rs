//! A language: its grammar, its patterns and its rules, read from its folder.

use thiserror::Error;

use crate::extract::{self, ExtractError};
use crate::facts::FileFacts;
use crate::grammars::{FOLDERS, Folder};
use crate::pattern::{PatternError, Patterns};
use crate::settings::Settings;

#[derive(Debug)]
pub struct Language {
    id: &'static str,
    settings: Settings,
    grammar: tree_sitter::Language,
    patterns: Patterns,
    patterns_text: String,
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
        let settings =
            toml::from_str(settings).map_err(|source| LanguageError::Settings { id, source: Box::new(source) })?;
        let patterns_text = patterns.to_owned();
        let patterns = Patterns::compile(patterns, &grammar)
            .map_err(|error: PatternError| LanguageError::Patterns { id, reason: error.to_string() })?;
        Ok(Self { id, settings, grammar, patterns, patterns_text })
    }

    /// The language of this folder alone.
    pub fn load(id: &str) -> Option<Result<Self, LanguageError>> {
        FOLDERS.iter().find(|folder| folder.id == id).map(Folder::language)
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
        &self.patterns
    }

    /// What this text says. Broken text gives what can be read of it.
    pub fn extract(&self, source: &str) -> Result<FileFacts, ExtractError> {
        extract::extract(self, source)
    }
}

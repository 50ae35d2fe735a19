//! What a programming language is to us: source text of one file in, facts about it out.
//!
//! Each language is a folder in `languages/`: `language.toml` (how to recognise it, its rules), `facts.scm` (tree-sitter
//! patterns that say what each node is, in the vocabulary of `roles.rs`) and `fixtures/` (source with carets that say what must
//! be found). This crate knows no other file than the one it is given, no project and no storage.

#![expect(clippy::wildcard_enum_match_arm, reason = "few of the many roles and terms matter to any one function")]

mod builtin;
mod extract;
pub mod facts;
mod grammars;
mod language;
pub mod lines;
mod pattern;
mod python;
mod roles;
pub mod settings;
mod tree;

pub use builtin::Languages;
pub use extract::ExtractError;
pub use facts::FileFacts;
pub use language::{Language, LanguageError};

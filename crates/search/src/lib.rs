//! Words: how text becomes searchable tokens, and how a question becomes a search over them.
//!
//! In: any text in any script. Out: [`tokens`] for an index, a [`Query`] for a search, and [`fold`] for equality. A query
//! finds what the tokeniser stored, because both sides cut text in the same place. This crate knows no storage: the one
//! engine-specific thing is the text form of a query in [`fts5`]. Nearness in meaning is in [`embed`].
//!
//! ```
//! let query = search::Query::parse("MongoDB索引").unwrap();
//! assert_eq!(search::index_text("索引优化"), "索引 引优 优化 化");
//! assert!(search::fts5::match_all(&query).ends_with(r#"AND "索引""#));
//! ```

pub mod embed;
mod expression;
mod file_kind;
pub mod file_words;
mod fold;
pub mod fts5;
pub mod fuzzy;
mod interner;
mod plain;
mod query;
mod related;
mod script;
mod segment;
mod stem;
mod stems;
mod tokens;

pub use expression::Expression;
pub use file_kind::FileKind;
pub use file_words::FileWords;
pub use fold::fold;
pub use query::{Query, Term};
pub use related::related_terms;
pub use stem::stem;
pub use stems::{Terms, character_terms, index_terms, query_terms};
pub use tokens::{index_text, tokens};

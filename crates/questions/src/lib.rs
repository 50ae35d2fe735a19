//! Plain questions: English or Chinese in, Cypher out, without any model.
//!
//! In: a question and the [`Names`] of a project. Out: a [`Translation`], one read query with a sentence about its answer, or
//! [`NotUnderstood`] with the part that meant nothing and questions that would work. The same question gives the same query.
//! This crate knows no storage and runs no query.
//!
//! The road: `text` makes characters uniform and cuts words; `lexicon` says what words mean, a table for each language;
//! `grammar` finds filters, sizes, places and who does what to whom; `names` links names to the index; `write` turns the
//! `meaning` into a query. Adding a phrase is adding it to a row of a table; adding a wording is adding a pattern to a list.
//!
//! ```
//! let names = questions::MemoryNames::default();
//! let asked = questions::translate("Show me all classes that contain 'user' in their name", &names, 50).unwrap();
//! assert!(asked.cypher.starts_with("MATCH (c:Class) WHERE toLower(c.name) CONTAINS 'user'"));
//! assert_eq!(asked.summary.render(2), "Found 2 classes matching 'user'");
//! ```

mod examples;
mod grammar;
mod lexicon;
mod meaning;
mod names;
mod quote;
mod text;
mod translate;
mod write;

pub use names::{Hit, MemoryNames, Names, fold, parts, similar_folds};
pub use translate::{Confidence, Intent, NotUnderstood, Translation, translate};
pub use write::Summary;

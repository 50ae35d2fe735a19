//! Which words does a record hold, and how well does it fit the words of a question?
//!
//! What every store that keeps an index of its own shares, so that all of them find the same records in the same order: the
//! [`DocumentTerms`] of a record, its length in a byte, the [`AskedTerm`]s of a question, rows of [`Postings`], and [`scoring`].
//! Where the rows are kept is the store's business.

mod asked;
pub mod length;
mod postings;
pub mod scoring;
mod terms;

pub use asked::{AskedTerm, asked_characters, asked_terms};
pub use postings::{Postings, PostingsBuilder};
pub use terms::{DocumentTerms, TERM_BITS, decode, term, weight_of};

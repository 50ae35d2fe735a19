//! A folder with a static embedding model becomes an embedder.
//!
//! In: a folder as model2vec writes it, with `model.safetensors` (a table with a row for each token), `tokenizer.json` and, if there
//! is one, `config.json`. Out: a [`search::embed::Embedder`]; the vector of a text is the mean of the rows of its tokens. Nothing is
//! downloaded, and nothing is read before the first text. This crate knows no storage and no network.

mod folder;
mod model;
mod table;
mod text;

pub use folder::{ModelFolder, NoModel};

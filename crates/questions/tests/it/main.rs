//! What questions become, and what becomes of texts that are none.

mod chinese;
mod english;
mod hostile;
mod names;
mod project;
mod word_names;

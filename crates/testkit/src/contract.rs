//! Tool contracts: Markdown files in which a heading is a case and blocks are calls with the answers they must get.
//!
//! ````markdown
//! ## finds nothing in an empty store
//!
//! ```json call
//! { "topic": "cache" }
//! ```
//!
//! ```json result
//! { "ok": true, "data": { "items": [] }, "error": null, "meta": { "traceId": "<uuid>", "tookMs": "<integer>" } }
//! ```
//! ````
//!
//! `json call` calls the tool after which the file is named, `json call OTHER` another one, and `× 20` at the end of
//! either calls it twenty times, `<number>` standing for 1 to 20. Its answer is `json result`, the whole body of an answer
//! that is JSON; `text result`, the text of one that is not; or `json error`, the error of a call that has no answer. A
//! case begins with an empty store, and its calls run in order.
//!
//! In an answer, `"<uuid>"`, `"<time>"`, `"<integer>"` and `"<any>"` stand for any value of that kind, `"<list of 20>"` for
//! any list of that length, and `"<uuid:first>"` for a UUID that is `<first>` from then on; `<decimal>` stands for a number
//! inside of a text. In calls and answers,
//! `<20000 × 字>` stands for that many times the text, `<root>` for the folder that file tools work in, and `<CR>` for a
//! carriage return.
//!
//! A block `files` before the first call fills that folder, which is empty otherwise, and `files after` behind a result says
//! all that is in it then; where none stands, a call must leave the files as they were. In both, a line
//! `//- /src/a.rs` begins a file, and words behind the path say more: `crlf`, `no-newline` (at the end), `latin-1`,
//! `utf-8-mark`, `utf-16le`, `utf-16be`, `hex` (the bytes themselves), `mode 755`, `× 20` (the text that many times).
//! `//- /link -> a.rs` is a symbolic link, `//- /src/` an empty directory, and `//- ../secret` a file outside of the folder.

mod files;
mod parse;
mod pattern;
mod run;

pub use run::{Client, Reply, problems};

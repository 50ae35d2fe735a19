//! Nearness in meaning of the parts of a project's files: vectors beside their words, made in the same transaction.

mod form;
mod space;
mod write;

pub(super) use self::space::{Shared, Space};
pub(super) use self::write::write;

use rusqlite::Connection;
use store::Meaning;

use super::meta;
use crate::job::Outcome;

const LEARNED: &str = "learned";
const GIVEN: &str = "given:";

/// What vectors are made by.
pub(super) fn kind(connection: &Connection) -> Outcome<Meaning> {
    let text: String = meta::get(connection, "meaning")?;
    Ok(match (text.as_str(), text.strip_prefix(GIVEN)) {
        (LEARNED, _) => Meaning::Learned,
        (_, Some(fingerprint)) => Meaning::Given(fingerprint.to_owned()),
        (_, None) => Meaning::Nothing,
    })
}

fn set_kind(connection: &Connection, kind: &Meaning) -> Outcome<()> {
    let text = match kind {
        Meaning::Nothing => String::new(),
        Meaning::Learned => LEARNED.to_owned(),
        Meaning::Given(fingerprint) => format!("{GIVEN}{fingerprint}"),
    };
    meta::set(connection, "meaning", text)
}

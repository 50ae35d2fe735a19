//! Keeping vectors in step with words.
//!
//! What is learned is learned from all files, and kept while few of them change: those that do are made vectors of by what is
//! known. A small project is learned anew with every change, so that how it came to be does not show.

use rusqlite::{Connection, OptionalExtension as _};
use search::embed::{ENOUGH_PARTS, Learned, Lesson, WordsOfParts};
use search::file_words::{AllWords, PartVector, part_count};
use store::projects::file_id;
use store::{FileVectors, GraphUpdate, Meaning, StoreError};

use super::{form, kind, set_kind};
use crate::error;
use crate::job::Outcome;
use crate::projects::find::for_each;
use crate::projects::meta;

const ALL_FILES: &str = "SELECT number, file, parts FROM word_file ORDER BY file";
const NEW_FILES: &str = "
    SELECT number, file, parts FROM word_file WHERE number NOT IN (SELECT number FROM word_vector) ORDER BY file";
const COUNT_NEW: &str = "SELECT count(*) FROM word_file WHERE number NOT IN (SELECT number FROM word_vector)";
const NUMBER: &str = "SELECT number FROM word_file WHERE file = ?";
const PUT: &str = "INSERT OR REPLACE INTO word_vector (number, vectors) VALUES (?, ?)";
const CLEAN: &str = "DELETE FROM word_vector WHERE number NOT IN (SELECT number FROM word_file)";
const LEARNED: &str = "SELECT files, model FROM learned_meaning";
const PUT_LEARNED: &str = "INSERT OR REPLACE INTO learned_meaning (only, files, model) VALUES (1, ?, ?)";

/// A part with fewer words says nothing about what stands beside what.
const FEWEST_WORDS: usize = 4;

/// Learning from so few files takes no time worth saving.
const FEW_FILES: u64 = 24;

/// It is learned again when this part of the files has come since.
const PART_SINCE: u64 = 4;

/// Makes the vectors that an update asks for. Whether anything changed.
pub(in crate::projects) fn write(connection: &Connection, update: &GraphUpdate, has_new_words: bool) -> Outcome<bool> {
    let before = kind(connection)?;
    let wanted = update.meaning.as_ref().unwrap_or(&before);
    let is_other = *wanted != before;
    if is_other {
        connection.execute_batch("DELETE FROM word_vector; DELETE FROM learned_meaning")?;
        set_kind(connection, wanted)?;
    }
    if has_new_words {
        connection.prepare_cached(CLEAN)?.execute(())?;
    }
    match wanted {
        Meaning::Nothing => {}
        Meaning::Learned if is_other || has_new_words => learn(connection)?,
        Meaning::Learned => {}
        Meaning::Given(_) => return Ok(put_given(connection, &update.vectors)? || is_other),
    }
    Ok(is_other)
}

/// Whether there were any.
fn put_given(connection: &Connection, vectors: &[FileVectors]) -> Outcome<bool> {
    for file in vectors {
        let id = file_id(&file.path).0;
        let number: Option<u32> = connection.prepare_cached(NUMBER)?.query_row([id], |row| row.get(0)).optional()?;
        if let Some(number) = number {
            connection.prepare_cached(PUT)?.execute((number, form::encode(&file.parts)))?;
        }
    }
    Ok(!vectors.is_empty())
}

/// Brings the model and the vectors up to date with the words.
fn learn(connection: &Connection) -> Outcome<()> {
    let files: u64 = connection.query_row("SELECT count(*) FROM word_file", (), |row| row.get(0))?;
    let new: u64 = connection.query_row(COUNT_NEW, (), |row| row.get(0))?;
    let since: u64 = meta::get::<u64>(connection, "meaning_since")? + new;
    let known: Option<(u64, Vec<u8>)> =
        connection.prepare_cached(LEARNED)?.query_row((), |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    let known = known.filter(|(then, _)| files > FEW_FILES && since * PART_SINCE <= *then);
    let known = known.and_then(|(_, bytes)| Learned::decode(&bytes));
    if let Some(learned) = known {
        meta::set(connection, "meaning_since", since)?;
        return put_vectors(connection, &learned, NEW_FILES);
    }
    connection.execute_batch("DELETE FROM word_vector; DELETE FROM learned_meaning")?;
    meta::set(connection, "meaning_since", 0)?;
    let Some(learned) = lesson(connection)?.learn() else { return Ok(()) };
    connection.prepare_cached(PUT_LEARNED)?.execute((files, learned.encode()))?;
    put_vectors(connection, &learned, ALL_FILES)
}

/// Enough parts, chosen by what they are called and not by when they came.
fn lesson(connection: &Connection) -> Outcome<Lesson> {
    let mut parts = 0_u64;
    for_each(connection, ALL_FILES, (), |row| {
        let bytes = row.get_ref(2)?.as_blob().map_err(rusqlite::Error::from)?;
        parts += u64::from(part_count(bytes).ok_or_else(cut_short)?);
        Ok(true)
    })?;
    let share = ENOUGH_PARTS as f64 / parts.max(1) as f64;
    let mut lesson = Lesson::default();
    each_file(connection, ALL_FILES, |_, file, all| {
        let parts = WordsOfParts::of(all);
        let chosen =
            (0_u64..).zip(parts.iter()).filter(|(part, row)| row.len() >= FEWEST_WORDS && lot(file, *part) < share);
        chosen.for_each(|(_, row)| lesson.add(row));
        Ok(())
    })?;
    Ok(lesson)
}

/// A number between 0 and 1 that looks drawn.
fn lot(file: i64, part: u64) -> f64 {
    let mixed = (file.cast_unsigned() ^ part.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed >> 11) as f64 / (1_u64 << 53) as f64
}

fn put_vectors(connection: &Connection, learned: &Learned, files: &str) -> Outcome<()> {
    let mut made: Vec<(u32, Vec<u8>)> = Vec::new();
    each_file(connection, files, |number, _, all| {
        let words = WordsOfParts::of(all);
        let vectors = all.parts.iter().zip(words.iter()).filter_map(|(part, words)| {
            let vector = learned.vector(words.iter().copied())?;
            Some(PartVector { start_line: part.start_line, end_line: part.end_line, vector })
        });
        made.push((number, form::encode(&vectors.collect::<Vec<_>>())));
        Ok(())
    })?;
    made.sort_unstable_by_key(|(number, _)| *number);
    let mut statement = connection.prepare_cached(PUT)?;
    for (number, bytes) in &made {
        statement.execute((number, bytes))?;
    }
    Ok(())
}

/// Calls back with number, id and words of each file.
fn each_file(
    connection: &Connection,
    sql: &str,
    mut each: impl FnMut(u32, i64, &AllWords) -> Outcome<()>,
) -> Outcome<()> {
    for_each(connection, sql, (), |row| {
        let bytes = row.get_ref(2)?.as_blob().map_err(rusqlite::Error::from)?;
        let all = AllWords::read(bytes).ok_or_else(cut_short)?;
        each(row.get(0)?, row.get(1)?, &all)?;
        Ok(true)
    })
}

fn cut_short() -> StoreError {
    error::unreadable("words of a file", "they end early")
}

//! Keeping the lists of files up to date.

use rusqlite::{Connection, OptionalExtension as _};
use rustc_hash::FxHashMap;
use search::FileWords;
use search::file_words::{number, put, take};
use store::projects::file_id;
use store::{GraphUpdate, StoreError};

use super::{Classes, blocks, segments};
use crate::error;
use crate::job::Outcome;
use crate::projects::meta;

const PUT_BLOCK: &str = "INSERT INTO word_block (segment, first, words) VALUES (?, ?, ?)";
const PUT_FILE: &str = "INSERT INTO word_file (number, file, parts) VALUES (?, ?, ?)";
const NUMBER: &str = "SELECT number FROM word_file WHERE file = ?";
const REMOVE_FILE: &str = "DELETE FROM word_file WHERE number = ?";
const BLOCKS: &str = "SELECT words FROM word_block WHERE segment = ?";
const REMOVE_SEGMENT: &str = "DELETE FROM word_block WHERE segment = ?";

/// More segments than this become one: each costs a search a look-up for each word.
const MAX_SEGMENTS: usize = 8;

/// The first segment is left alone while the others have fewer numbers than this part of it.
const SMALL_PART: u32 = 4;

/// Puts the words of an update in place of what is stored. Whether there were any.
pub(in crate::projects) fn write(connection: &Connection, update: &GraphUpdate) -> Outcome<bool> {
    let mut brought: Vec<(i64, Option<&FileWords>)> = update
        .files
        .iter()
        .filter_map(|file| Some((file_id(&file.record.path).0, file.words.as_ref()?.as_ref())))
        .chain(update.removed.iter().map(|path| (file_id(path).0, None)))
        .collect();
    if brought.is_empty() {
        return Ok(false);
    }
    brought.sort_by_key(|(id, _)| *id);
    let mut classes = Classes::read(connection)?;
    let was_empty = classes.there() == 0;
    let mut is_changed = false;
    for (file, _) in brought.iter().filter(|_| !was_empty) {
        is_changed |= remove(connection, *file, &mut classes)?;
    }
    let first = classes.next_number();
    let mut lists = Lists::default();
    for (file, words) in brought.iter().filter_map(|(file, words)| Some((file, (*words)?))) {
        let number = classes.next_number();
        connection.prepare_cached(PUT_FILE)?.execute((number, file, &words.parts))?;
        classes.add(words.kind, words.length);
        words.words().for_each(|(word, weight)| lists.add(word, number, weight.0));
        is_changed = true;
    }
    if classes.next_number() > first {
        lists.store(connection, first)?;
        let mut segments = segments(connection)?;
        segments.push(first);
        join(connection, &mut segments, &classes)?;
    }
    classes.write(connection)?;
    Ok(is_changed)
}

fn remove(connection: &Connection, file: i64, classes: &mut Classes) -> Outcome<bool> {
    let known: Option<u32> = connection.prepare_cached(NUMBER)?.query_row([file], |row| row.get(0)).optional()?;
    let Some(number) = known else { return Ok(false) };
    connection.prepare_cached(REMOVE_FILE)?.execute([number])?;
    classes.remove(number);
    Ok(true)
}

/// Makes one of the later segments, or of all, where there are too many.
fn join(connection: &Connection, segments: &mut Vec<u32>, classes: &Classes) -> Outcome<()> {
    if segments.len() > MAX_SEGMENTS {
        let base = segments[1] - segments[0];
        let later = classes.next_number() - segments[1];
        let kept = usize::from(later < base / SMALL_PART);
        let joined = segments.split_off(kept);
        let mut lists = Lists::default();
        for segment in &joined {
            lists.take_in(connection, *segment, classes)?;
            connection.prepare_cached(REMOVE_SEGMENT)?.execute([segment])?;
        }
        lists.store(connection, joined[0])?;
        segments.push(joined[0]);
    }
    let text = serde_json::to_string(segments).map_err(|cause| error::unreadable("segments", cause))?;
    meta::set(connection, "word_segments", text)
}

/// For each word the files it is in, as it is stored, and the last of them.
#[derive(Default)]
struct Lists<'a> {
    lists: FxHashMap<std::borrow::Cow<'a, str>, (u32, Vec<u8>)>,
}

impl<'a> Lists<'a> {
    fn add(&mut self, word: &'a str, number: u32, weight: u8) {
        add_to(self.lists.entry(word.into()).or_default(), number, weight);
    }

    /// Adds a stored segment, without what has gone.
    fn take_in(&mut self, connection: &Connection, segment: u32, classes: &Classes) -> Outcome<()> {
        let mut statement = connection.prepare_cached(BLOCKS)?;
        let mut rows = statement.query([segment])?;
        while let Some(row) = rows.next()? {
            for found in blocks::words(row.get_ref(0)?.as_blob().map_err(rusqlite::Error::from)?) {
                let (word, bytes) = found?;
                self.take_in_list(word, bytes, classes)?;
            }
        }
        Ok(())
    }

    fn take_in_list(&mut self, word: &str, bytes: &[u8], classes: &Classes) -> Outcome<()> {
        let list = self.lists.entry(word.to_owned().into()).or_default();
        each(bytes, |number, weight| {
            if classes.is_there(number) {
                add_to(list, number, weight);
            }
        })?;
        Ok(())
    }

    /// In the order of words, in which rows are stored.
    fn store(self, connection: &Connection, segment: u32) -> Outcome<()> {
        let mut lists: Vec<_> = self.lists.into_iter().filter(|(_, (_, bytes))| !bytes.is_empty()).collect();
        lists.sort_unstable_by(|left, right| left.0.cmp(&right.0));
        let mut statement = connection.prepare_cached(PUT_BLOCK)?;
        let words = lists.iter().map(|(word, (_, bytes))| (&**word, &bytes[..]));
        blocks::each_row(words, |first, words| {
            statement.execute((segment, first, words))?;
            Ok(())
        })
    }
}

fn add_to((last, bytes): &mut (u32, Vec<u8>), number: u32, weight: u8) {
    put(bytes, number - *last);
    bytes.push(weight);
    *last = number;
}

/// Calls back with each number of a stored list and its weight.
pub(super) fn each(mut bytes: &[u8], mut each: impl FnMut(u32, u8)) -> Result<(), StoreError> {
    let mut last = 0;
    while !bytes.is_empty() {
        let (Some(step), Some(weight)) = (number(&mut bytes), take(&mut bytes)) else {
            return Err(error::unreadable("list of files", "it ends early"));
        };
        last += step;
        each(last, weight);
    }
    Ok(())
}

//! The words of a project's files: lists of files for each word, in segments, and the words of each file's parts.
//!
//! A change writes one segment with the lists of the files it brings; nothing in earlier ones is touched, because a file that
//! changes or goes leaves only a number behind that stands for nothing any more. Reading skips such numbers, so what is found does
//! not depend on how a project came to be what it is.

mod blocks;
mod read;
mod write;

pub(super) use self::read::WordReader;
pub(super) use self::write::write;

use rusqlite::Connection;
use search::FileKind;
use store::FileClass;

use super::meta;
use crate::error;
use crate::job::Outcome;

/// Lengths are kept in steps of an eighth of a doubling.
const STEPS: f32 = 8.0;

fn length_class(length: u32) -> u8 {
    ((length as f32 + 1.0).log2() * STEPS) as u8
}

/// Two bytes for each number there ever was since all segments were last made one.
struct Classes(Vec<u8>);

impl Classes {
    fn read(connection: &Connection) -> Outcome<Self> {
        Ok(Self(meta::get(connection, "word_classes")?))
    }

    fn write(&self, connection: &Connection) -> Outcome<()> {
        meta::set(connection, "word_classes", &self.0)
    }

    fn next_number(&self) -> u32 {
        (self.0.len() / 2) as u32
    }

    fn is_there(&self, number: u32) -> bool {
        self.0.get(number as usize * 2).is_some_and(|kind| *kind != 0)
    }

    fn there(&self) -> usize {
        self.0.chunks_exact(2).filter(|pair| pair[0] != 0).count()
    }

    fn add(&mut self, kind: FileKind, length: u32) {
        self.0.extend([kind.code(), length_class(length)]);
    }

    fn remove(&mut self, number: u32) {
        if let Some(kind) = self.0.get_mut(number as usize * 2) {
            *kind = 0;
        }
    }

    fn all(&self) -> Vec<Option<FileClass>> {
        let class = |pair: &[u8]| {
            let kind = FileKind::from_code(pair[0])?;
            Some(FileClass { kind, length: (f32::from(pair[1]) / STEPS).exp2() - 1.0 })
        };
        self.0.chunks_exact(2).map(class).collect()
    }
}

/// The first number in each, rising.
fn segments(connection: &Connection) -> Outcome<Vec<u32>> {
    let text: String = meta::get(connection, "word_segments")?;
    Ok(serde_json::from_str(&text).map_err(|cause| error::unreadable("segments", cause))?)
}

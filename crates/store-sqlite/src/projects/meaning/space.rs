//! All vectors of a project side by side in memory, for one state of it.

use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::{Connection, OptionalExtension as _};
use search::embed::{Learned, Nearest, Vector};
use store::{Meaning, NearPart};

use super::{form, kind};
use crate::error;
use crate::file_system::FileIdentity;
use crate::job::Outcome;
use crate::projects::find::for_each;
use crate::projects::meta;

/// The newest that readers of a process share.
#[derive(Debug, Default)]
pub(in crate::projects) struct Shared(Mutex<Option<(FileIdentity, u64, Arc<Space>)>>);

impl Shared {
    /// That of the state that this connection sees, read now unless it is there.
    pub(in crate::projects) fn of(&self, connection: &Connection, file: FileIdentity) -> Outcome<Arc<Space>> {
        let epoch = meta::epoch(connection)?;
        // Held while it is read: two at once would cost twice the memory.
        let mut newest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of_file, of_epoch, space)) = &*newest
            && (*of_file, *of_epoch) == (file, epoch)
        {
            return Ok(Arc::clone(space));
        }
        *newest = None;
        let space = Arc::new(Space::read(connection)?);
        *newest = Some((file, epoch, Arc::clone(&space)));
        Ok(space)
    }

    pub(in crate::projects) fn forget(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

#[derive(Debug)]
pub(in crate::projects) struct Space {
    kind: Meaning,
    learned: Option<Learned>,
    vectors: Nearest,
    /// Number of the file, first and last line of each.
    places: Vec<(u32, u32, u32)>,
}

impl Space {
    fn read(connection: &Connection) -> Outcome<Self> {
        let kind = kind(connection)?;
        let sql = "SELECT model FROM learned_meaning";
        let model: Option<Vec<u8>> = connection.query_row(sql, (), |row| row.get(0)).optional()?;
        let mut space = Self {
            kind,
            learned: model.and_then(|bytes| Learned::decode(&bytes)),
            vectors: Nearest::default(),
            places: Vec::new(),
        };
        for_each(connection, "SELECT number, vectors FROM word_vector ORDER BY number", (), |row| {
            let number = row.get(0)?;
            let bytes = row.get_ref(1)?.as_blob().map_err(rusqlite::Error::from)?;
            space.take(number, bytes).ok_or_else(|| error::unreadable("vectors", "they end early"))?;
            Ok(true)
        })?;
        Ok(space)
    }

    fn take(&mut self, number: u32, bytes: &[u8]) -> Option<()> {
        let mut values: Vec<i8> = Vec::new();
        form::each(bytes, |stored| {
            values.clear();
            values.extend(stored.values.iter().map(|byte| byte.cast_signed()));
            if self.vectors.is_empty() {
                self.vectors = Nearest::new(values.len(), 0);
            }
            if self.vectors.add(&values, stored.factor) {
                self.places.push((number, stored.start_line, stored.end_line));
            }
        })
    }

    pub(in crate::projects) fn kind(&self) -> &Meaning {
        &self.kind
    }

    pub(in crate::projects) fn learned(&self) -> Option<&Learned> {
        self.learned.as_ref()
    }

    pub(in crate::projects) fn near(&self, to: &Vector, each: &mut dyn FnMut(NearPart)) {
        self.vectors.each(to, |place, nearness| {
            let (number, start_line, end_line) = self.places[place];
            each(NearPart { number, start_line, end_line, nearness });
        });
    }
}

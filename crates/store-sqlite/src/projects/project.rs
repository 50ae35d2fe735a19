//! One project's file, and the connections to it.

use std::fs::{self, File};
use std::sync::{Mutex, MutexGuard, PoisonError};

use graph::{Edge, GraphRead, Node, Relation};
use rusqlite::{Connection, TransactionBehavior};
use store::{
    ErrorKind, FileRecord, FoundNode, GraphUpdate, Meaning, ProjectGraph, ProjectInfo, Result, StoreError, WordRead,
};

use super::paths::Paths;
use super::read::{GraphReader, Reading, Shared};
use super::words::WordReader;
use super::{change, find, meaning, meta};
use crate::connection::{Access, Durability, Settings};
use crate::error::{self, Failure};
use crate::file_system::{FileIdentity, identity};
use crate::job::Outcome;
use crate::migrations::{self, Format};

/// `TMcg`
const FORMAT: Format = Format { application_id: 0x544D_6367, first: 5, migrations: migrations::PROJECTS };

/// How many connections wait for the next reader.
const READERS: usize = 2;

const CACHE_KIBIBYTES: i64 = 8_000;

/// Much is written at once, and lists and texts are long.
const PAGE_BYTES: u32 = 8_192;

/// Whether a file that somebody has open can be replaced by another.
const CAN_BE_REPLACED: bool = cfg!(unix);

const INDEX_HINT: &str = "run `trailmark index`, which makes it anew";

/// A code graph in a file of its own. Opened by the first call; every call notices when the file was deleted or replaced.
#[derive(Debug)]
pub(super) struct Project {
    paths: Paths,
    settings: Settings,
    readers: Mutex<Vec<Reader>>,
    writer: Mutex<()>,
    reading: Reading,
    shared: Shared,
    space: meaning::Shared,
}

/// A connection, and the file it is to.
#[derive(Debug)]
pub(super) struct Reader {
    pub(super) connection: Connection,
    pub(super) identity: FileIdentity,
}

impl Project {
    pub(super) fn new(paths: Paths, reading: Reading) -> Self {
        let settings = settings(paths.database());
        let (readers, writer, shared) = (Mutex::default(), Mutex::default(), Shared::default());
        Self { paths, settings, readers, writer, reading, shared, space: meaning::Shared::default() }
    }

    /// Makes an empty project, in place of whatever was there.
    pub(super) fn begin(&self, name: &str, root: &str) -> Result<()> {
        self.make(name, root, |_| Ok(()))
    }

    /// Makes a project in place of whatever was there. It is made aside, so that nobody meets half of it.
    fn make(&self, name: &str, root: &str, fill: impl FnOnce(&Connection) -> Outcome<()>) -> Result<()> {
        self.forget();
        self.paths.remove_unfinished()?;
        let unfinished = settings(self.paths.unfinished());
        let made = make(&unfinished, name, root, fill).map_err(|failure| failure.explain(&unfinished.file));
        made.and_then(|()| self.take_place()).inspect_err(|_| {
            let _ = self.paths.remove_unfinished();
        })
    }

    fn take_place(&self) -> Result<()> {
        let (from, to) = (self.paths.unfinished(), self.paths.database());
        self.paths.remove_database()?;
        File::open(&from).and_then(|file| file.sync_all()).map_err(|error| error::no_file(error, &from))?;
        fs::rename(&from, &to).map_err(|error| error::no_file(error, &to))
    }

    pub(super) fn set_root(&self, root: &str) -> Result<()> {
        self.write(|connection| meta::set_root(connection, root))
    }

    /// Closes the connections at rest, and gives back the memory that readers share.
    pub(super) fn forget(&self) {
        self.readers().clear();
        self.shared.forget();
        self.space.forget();
    }

    /// What readers share.
    pub(super) fn shared(&self) -> &Shared {
        &self.shared
    }

    /// The vectors that readers share.
    pub(super) fn space(&self) -> &meaning::Shared {
        &self.space
    }

    /// Does this on one snapshot of the data.
    fn read<T>(&self, work: impl FnOnce(&Connection) -> Outcome<T>) -> Result<T> {
        let reader = self.take_reader()?;
        let result = snapshot(&reader.connection, work).map_err(|failure| self.explain(failure, reader.identity));
        if result.is_ok() {
            self.give_back(reader);
        }
        result
    }

    /// Does this in one transaction, on a connection of its own: changes are rare, and its memory is not kept.
    fn write(&self, work: impl FnOnce(&Connection) -> Outcome<()>) -> Result<()> {
        let _writer = self.writer();
        let Reader { mut connection, identity: before } = self.open(Access::Write)?;
        transaction(&mut connection, work).map_err(|failure| self.explain(failure, before))?;
        if self.identity()? == before { Ok(()) } else { Err(self.replaced()) }
    }

    fn writer(&self) -> MutexGuard<'_, ()> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn take_reader(&self) -> Result<Reader> {
        let current = self.identity()?;
        let mut readers = self.readers();
        readers.retain(|reader| reader.identity == current);
        let reader = readers.pop();
        drop(readers);
        reader.map_or_else(|| self.open(Access::Read), Ok)
    }

    pub(super) fn give_back(&self, reader: Reader) {
        let mut readers = self.readers();
        if readers.len() < READERS {
            readers.push(reader);
        }
    }

    fn open(&self, access: Access) -> Result<Reader> {
        let identity = self.identity()?;
        let connection = self.settings.open_current(access).map_err(|failure| self.explain(failure, identity))?;
        if self.identity()? == identity { Ok(Reader { connection, identity }) } else { Err(self.replaced()) }
    }

    fn readers(&self) -> MutexGuard<'_, Vec<Reader>> {
        self.readers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn identity(&self) -> Result<FileIdentity> {
        let found = if self.paths.exists()? { identity(&self.settings.file) } else { None };
        found.ok_or_else(|| {
            StoreError::new(ErrorKind::NotFound, format!("the project in `{}` is gone", self.settings.file.display()))
                .with_hint("run `trailmark index` to index it again")
        })
    }

    fn replaced(&self) -> StoreError {
        let message = format!("the project in `{}` was replaced just now", self.settings.file.display());
        StoreError::new(ErrorKind::Unavailable, message).with_hint("try again")
    }

    /// What went wrong with the file that this was. A project can always be made again from its source code.
    pub(super) fn explain(&self, failure: Failure, before: FileIdentity) -> StoreError {
        match self.identity() {
            Ok(now) if now == before => {}
            Ok(_) => return self.replaced(),
            Err(error) => return error,
        }
        let error = failure.explain(&self.settings.file);
        if error.kind() == ErrorKind::Corrupt {
            self.paths.mark_damaged();
        }
        if can_be_made_again(&error) { error.with_hint(INDEX_HINT) } else { error }
    }
}

/// Whether indexing again from nothing helps.
pub(super) fn can_be_made_again(error: &StoreError) -> bool {
    matches!(error.kind(), ErrorKind::Corrupt | ErrorKind::Unsupported)
}

fn settings(file: std::path::PathBuf) -> Settings {
    Settings {
        file,
        format: FORMAT,
        durability: Durability::Process,
        shrinks: false,
        page_bytes: PAGE_BYTES,
        cache_kibibytes: CACHE_KIBIBYTES,
    }
}

fn make(settings: &Settings, name: &str, root: &str, fill: impl FnOnce(&Connection) -> Outcome<()>) -> Outcome<()> {
    let mut connection = settings.make()?;
    transaction(&mut connection, |connection| {
        meta::begin(connection, name, root)?;
        fill(connection)
    })?;
    settings.finish(connection)
}

fn snapshot<T>(connection: &Connection, work: impl FnOnce(&Connection) -> Outcome<T>) -> Outcome<T> {
    let snapshot = connection.unchecked_transaction()?;
    let result = work(&snapshot)?;
    snapshot.finish()?;
    Ok(result)
}

fn transaction(connection: &mut Connection, work: impl FnOnce(&Connection) -> Outcome<()>) -> Outcome<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    work(&transaction)?;
    transaction.commit()?;
    Ok(())
}

impl ProjectGraph for Project {
    fn info(&self) -> Result<ProjectInfo> {
        self.read(meta::read)
    }

    fn files(&self) -> Result<Vec<FileRecord>> {
        self.read(find::files)
    }

    fn facts(&self, each: &mut dyn FnMut(&str, &[u8])) -> Result<()> {
        self.read(|connection| find::facts(connection, each))
    }

    fn apply(&self, update: &GraphUpdate) -> Result<()> {
        let info = self.info()?;
        let is_new = info.indexed_at.is_none() && info.files == 0 && info.nodes == 0;
        if is_new && !update.files.is_empty() && CAN_BE_REPLACED {
            let _writer = self.writer();
            return self.make(&info.name, &info.root.to_string_lossy(), |connection| change::apply(connection, update));
        }
        self.write(|connection| change::apply(connection, update))
    }

    fn reader(&self) -> Result<Box<dyn GraphRead + Send + '_>> {
        Ok(Box::new(GraphReader::open(self, self.reading)?))
    }

    fn meaning(&self) -> Result<Meaning> {
        self.read(meaning::kind)
    }

    fn words(&self) -> Result<Box<dyn WordRead + '_>> {
        Ok(Box::new(WordReader::open(self)?))
    }

    fn find_qualified(&self, qualified_name: &str) -> Result<Vec<FoundNode>> {
        self.read(|connection| find::qualified(connection, qualified_name))
    }

    fn find_named(&self, name: &str, limit: usize) -> Result<Vec<FoundNode>> {
        self.read(|connection| find::named(connection, name, limit))
    }

    fn nodes(&self, each: &mut dyn FnMut(&Node) -> bool) -> Result<()> {
        self.read(|connection| find::nodes(connection, each))
    }

    fn edges(&self, relations: &[Relation], each: &mut dyn FnMut(&Edge) -> bool) -> Result<()> {
        self.read(|connection| find::edges(connection, relations, each))
    }
}

//! Code graphs in SQLite: one file for each project, in the folder `projects`.
//!
//! An empty project is made aside and takes its place by a rename, and so does one that is filled for the first time: nobody reads
//! it before, so that it needs no journal, and its indexes are made when the rows are in. Every change after that is one
//! transaction.
//!
//! Whoever has a file open that was deleted or replaced notices it by its identity, at the next call. Everything here can be
//! made again from source code, so a file that cannot be read is no loss: making the project again replaces it.

mod change;
mod difference;
mod find;
mod meaning;
mod meta;
mod paths;
mod project;
mod read;
mod reservation;
mod row;
mod words;

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use store::{ErrorKind, ProjectCatalog, ProjectGraph, ProjectInfo, Reservation, Result, StoreError};

use self::paths::{Paths, id_of};
use self::project::{Project, can_be_made_again};
pub use self::read::{Reading, Snapshots};
use self::reservation::{Reservations, Reserved};
use crate::error;
use crate::file_system;

/// The projects in a data folder.
#[derive(Debug)]
pub struct SqliteProjects {
    folder: PathBuf,
    /// Those used so far, by the id in their file names.
    known: Mutex<HashMap<String, Arc<Project>>>,
    reservations: Reservations,
    reading: Reading,
}

type Known<'a> = MutexGuard<'a, HashMap<String, Arc<Project>>>;

impl SqliteProjects {
    /// The projects in this data folder. Nothing is opened or made before it is needed.
    pub fn open(folder: impl Into<PathBuf>) -> Self {
        let folder = folder.into().join("projects");
        Self { folder, known: Mutex::default(), reservations: Reservations::default(), reading: Reading::default() }
    }

    /// The same projects, read in another way.
    #[must_use]
    pub fn with_reading(self, reading: Reading) -> Self {
        Self { reading, known: Mutex::default(), ..self }
    }

    /// The folder with the projects' files.
    pub fn path(&self) -> &Path {
        &self.folder
    }

    fn paths(&self, id: &str) -> Paths {
        Paths::new(&self.folder, id)
    }

    /// Held while a project's files are made or removed, so that a log just made is never taken for an old one.
    fn known(&self) -> Known<'_> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn project(&self, known: &mut Known<'_>, id: &str) -> Arc<Project> {
        let make = || Arc::new(Project::new(self.paths(id), self.reading));
        Arc::clone(known.entry(id.to_owned()).or_insert_with(make))
    }

    /// The project whose files have this id, and what it is; `None` where there is none.
    fn look_up(&self, id: &str) -> Result<Option<(Arc<Project>, ProjectInfo)>> {
        if !self.paths(id).exists()? {
            self.known().remove(id);
            return Ok(None);
        }
        let project = self.project(&mut self.known(), id);
        match project.info() {
            Ok(info) => Ok(Some((project, info))),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Every project that can be read, by name.
    fn all(&self) -> Result<Vec<(Arc<Project>, ProjectInfo)>> {
        let ids = self.ids().map_err(|error| error::no_file(error, &self.folder))?;
        let readable = |id: &String| {
            let found = self.look_up(id).unwrap_or_else(|error| {
                tracing::warn!(file = id, %error, hint = error.hint(), "left out a project that cannot be read");
                None
            });
            // A copy that someone made of a project's file is not a project.
            found.filter(|(_, info)| id_of(&info.name) == *id)
        };
        let mut all: Vec<_> = ids.iter().filter_map(readable).collect();
        all.sort_by(|(_, left), (_, right)| left.name.cmp(&right.name));
        Ok(all)
    }

    fn ids(&self) -> io::Result<Vec<String>> {
        let entries = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let names = entries.map(|entry| Ok(entry?.file_name())).collect::<io::Result<Vec<_>>>()?;
        Ok(names.iter().filter_map(|name| Some(name.to_str()?.strip_suffix(".db")?.to_owned())).collect())
    }

    fn make_folder(&self) -> Result<()> {
        file_system::create_folder(&self.folder).map_err(|error| error::no_folder(error, &self.folder))
    }

    fn take_reservation(&self, id: &str) -> Result<std::result::Result<Reserved, Option<u32>>> {
        self.make_folder()?;
        self.reservations.take(id, &self.paths(id).lock())
    }
}

impl ProjectCatalog for SqliteProjects {
    fn list(&self) -> Result<Vec<ProjectInfo>> {
        Ok(self.all()?.into_iter().map(|(_, info)| info).collect())
    }

    fn find(&self, name: &str) -> Result<Option<Arc<dyn ProjectGraph>>> {
        Ok(self.look_up(&id_of(name))?.map(|(project, _)| project as _))
    }

    fn find_root(&self, root: &str) -> Result<Option<Arc<dyn ProjectGraph>>> {
        let found = self.all()?.into_iter().find(|(_, info)| info.root == Path::new(root));
        Ok(found.map(|(project, _)| project as _))
    }

    fn reserve(&self, name: &str) -> Result<Reservation> {
        Ok(match self.take_reservation(&id_of(name))? {
            Ok(reserved) => Reservation::Granted(Box::new(reserved)),
            Err(holder) => Reservation::HeldBy(holder),
        })
    }

    /// One that is damaged or of another format is made anew.
    fn create(&self, name: &str, root: &str) -> Result<Arc<dyn ProjectGraph>> {
        self.make_folder()?;
        let id = id_of(name);
        let paths = self.paths(&id);
        let mut known = self.known();
        let project = self.project(&mut known, &id);
        paths.remove_unfinished()?;
        if paths.is_marked_damaged() {
            project.begin(name, root)?;
            return Ok(project);
        }
        match project.info() {
            Ok(info) if info.root == Path::new(root) => {}
            Ok(_) => project.set_root(root)?,
            Err(error) if error.kind() == ErrorKind::NotFound => project.begin(name, root)?,
            Err(error) if can_be_made_again(&error) => {
                tracing::warn!(name, %error, "made a project anew that could not be read");
                project.begin(name, root)?;
            }
            Err(error) => return Err(error),
        }
        Ok(project)
    }

    fn delete(&self, name: &str) -> Result<bool> {
        let id = id_of(name);
        let paths = self.paths(&id);
        if !paths.exists()? {
            return Ok(false);
        }
        let _reserved = match self.reservations.contains(&id) {
            true => None,
            false => Some(self.take_reservation(&id)?.map_err(|holder| busy(name, holder))?),
        };
        let mut known = self.known();
        if let Some(project) = known.remove(&id) {
            project.forget();
        }
        paths.remove_unfinished()?;
        paths.remove_database()?;
        Ok(true)
    }
}

fn busy(name: &str, holder: Option<u32>) -> StoreError {
    let process = holder.map_or_else(|| "another process".to_owned(), |id| format!("process {id}"));
    StoreError::new(ErrorKind::Unavailable, format!("{process} is indexing the project `{name}`"))
        .with_hint("try again when it has finished")
}

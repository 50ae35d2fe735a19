//! What the next run has to look at, given what was reported.

use std::path::Path;

use notify::Event;

use super::eyes::{from_root, is_of_names};
use crate::ignore_files::{GIT_IGNORE, TRAILMARK_IGNORE};
use crate::run::Scope;
use crate::walk::Changes;

/// `None` is everything.
#[derive(Debug)]
pub(super) struct Noted(Option<Changes>);

impl Noted {
    pub(super) fn everything() -> Self {
        Self(None)
    }

    pub(super) fn nothing() -> Self {
        Self(Some(Changes::default()))
    }

    pub(super) fn into_scope(self) -> Scope {
        self.0.map_or(Scope::Everything, Scope::Changes)
    }

    pub(super) fn add_folders(&mut self, folders: Vec<String>) {
        if let Some(changes) = &mut self.0 {
            changes.folders.extend(folders);
        }
    }

    pub(super) fn add(&mut self, root: &Path, event: &Event) {
        let paths = event.paths.iter().map(|path| from_root(root, path).filter(|path| !path.is_empty()));
        let Some(paths) = paths.collect::<Option<Vec<String>>>().filter(|paths| !paths.is_empty()) else {
            *self = Self::everything();
            return;
        };
        let Some(changes) = &mut self.0 else { return };
        for path in paths {
            let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
            // What it says holds for everything below.
            if [GIT_IGNORE, TRAILMARK_IGNORE].contains(&name) {
                *self = Self::everything();
                return;
            }
            changes.folders.insert(folder.to_owned());
            // It may be a folder of which no more is reported than that something in it changed.
            changes.folders.insert(path.clone());
            if is_of_names(event) {
                changes.replaced.insert(path);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use notify::EventKind;
    use notify::event::{CreateKind, DataChange, ModifyKind};

    use super::*;

    fn noted(kind: EventKind, path: &str) -> Option<Changes> {
        let mut noted = Noted::nothing();
        noted.add(Path::new("/root"), &Event::new(kind).add_path(Path::new("/root").join(path)));
        noted.0
    }

    #[test]
    fn a_file_stands_for_its_folder_and_an_ignore_file_for_everything() {
        let written = EventKind::Modify(ModifyKind::Data(DataChange::Any));
        let created = EventKind::Create(CreateKind::Any);
        let changes = noted(written, "a/b.py").unwrap();
        assert!(changes.folders.contains("a") && changes.replaced.is_empty());
        let changes = noted(created, "b").unwrap();
        assert!(changes.folders.contains("") && changes.replaced.contains("b"));
        assert_eq!(noted(written, "a/.gitignore"), None);
        assert_eq!(noted(written, ""), None);
        assert_eq!(noted(written, "/elsewhere/a.py"), None);
    }
}

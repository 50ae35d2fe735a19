//! Files with content: opened so that no pipe or device can hold a call up, and held while they are changed.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::file_errors::{missing, quoted, unusable};
use super::root::Place;
use crate::error::{ErrorKind, ToolError};

/// Time between two looks at a file that somebody else is changing.
const LOOK_AGAIN: Duration = Duration::from_millis(2);

/// Opens a file for reading.
pub(super) fn open(place: &Place) -> Result<File, ToolError> {
    // Opening a device can do something already, so it is looked at first.
    if find(place)?.is_none() {
        return Err(missing("file", place));
    }
    let mut options = OpenOptions::new();
    never_wait(options.read(true));
    let file = options.open(&place.path).map_err(|error| unusable("read", place, &error))?;
    let metadata = file.metadata().map_err(|error| unusable("read", place, &error))?;
    refuse_other_kinds(&metadata, place)?;
    Ok(file)
}

/// What is at the place, if it is a regular file or nothing.
pub(super) fn find(place: &Place) -> Result<Option<Metadata>, ToolError> {
    match fs::symlink_metadata(&place.path) {
        Ok(metadata) => refuse_other_kinds(&metadata, place).map(|()| Some(metadata)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(unusable("read", place, &error)),
    }
}

/// A file that no other call changes until this is dropped, in this process or another.
#[derive(Debug)]
pub(super) struct HeldFile {
    pub(super) file: File,
    pub(super) metadata: Metadata,
}

impl HeldFile {
    /// Waits until nobody else holds the file.
    pub(super) fn take(place: &Place, cancel: &CancellationToken) -> Result<Self, ToolError> {
        loop {
            let file = open(place)?;
            check_writable(place)?;
            lock(&file, cancel)?;
            let metadata = file.metadata().map_err(|error| unusable("read", place, &error))?;
            // Whoever held it before has put a new file into its place.
            if is_at(&metadata, place) {
                return Ok(Self { file, metadata });
            }
        }
    }

    /// Fails if a program that does not wait for its turn has changed the file since it was taken.
    pub(super) fn check_unchanged(&self, place: &Place) -> Result<(), ToolError> {
        let now = self.file.metadata().map_err(|error| unusable("read", place, &error))?;
        let same = now.len() == self.metadata.len() && now.modified().ok() == self.metadata.modified().ok();
        if same && is_at(&self.metadata, place) {
            return Ok(());
        }
        let message = format!("{} was changed by another program meanwhile; nothing was written", quoted(&place.given));
        Err(ToolError::new(ErrorKind::Storage, message).with_hint("read the file again and repeat the call"))
    }
}

/// A new file could take the place of one that may not be written. It is not opened for writing, since no program could
/// be started from it meanwhile.
#[cfg(unix)]
fn check_writable(place: &Place) -> Result<(), ToolError> {
    rustix::fs::access(&place.path, rustix::fs::Access::WRITE_OK)
        .map_err(|error| unusable("write", place, &error.into()))
}

#[cfg(not(unix))]
fn check_writable(place: &Place) -> Result<(), ToolError> {
    OpenOptions::new().write(true).open(&place.path).map(drop).map_err(|error| unusable("write", place, &error))
}

/// Whatever was put into the place since it was looked at: a link is not followed, a pipe is not waited for.
#[cfg(unix)]
fn never_wait(options: &mut OpenOptions) {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt;

    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    options.custom_flags(flags.bits().cast_signed());
}

#[cfg(not(unix))]
fn never_wait(_: &mut OpenOptions) {}

fn refuse_other_kinds(metadata: &Metadata, place: &Place) -> Result<(), ToolError> {
    let given = quoted(&place.given);
    if metadata.is_file() {
        Ok(())
    } else if metadata.is_dir() {
        Err(ToolError::invalid(format!("{given} is a directory, not a file; list_directory lists it")))
    } else {
        Err(ToolError::invalid(format!("{given} is {}, not a regular file", special_kind(metadata))))
    }
}

#[cfg(unix)]
fn special_kind(metadata: &Metadata) -> &'static str {
    use std::os::unix::fs::FileTypeExt;

    let kind = metadata.file_type();
    if kind.is_fifo() {
        "a named pipe"
    } else if kind.is_socket() {
        "a socket"
    } else if kind.is_char_device() || kind.is_block_device() {
        "a device"
    } else {
        "a special file"
    }
}

#[cfg(not(unix))]
fn special_kind(_: &Metadata) -> &'static str {
    "a special file"
}

/// A file system without locks leaves the check for changes as the only protection.
fn lock(file: &File, cancel: &CancellationToken) -> Result<(), ToolError> {
    while cfg!(unix) {
        match file.try_lock() {
            Ok(()) | Err(fs::TryLockError::Error(_)) => break,
            Err(fs::TryLockError::WouldBlock) if cancel.is_cancelled() => {
                return Err(ToolError::new(ErrorKind::Timeout, "another program holds the file"));
            }
            Err(fs::TryLockError::WouldBlock) => std::thread::sleep(LOOK_AGAIN),
        }
    }
    Ok(())
}

#[cfg(unix)]
fn is_at(metadata: &Metadata, place: &Place) -> bool {
    use std::os::unix::fs::MetadataExt;

    fs::symlink_metadata(&place.path).is_ok_and(|now| (now.dev(), now.ino()) == (metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn is_at(_: &Metadata, _: &Place) -> bool {
    true
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use crate::code::root::Root;

    fn in_folder(folder: &tempfile::TempDir, name: &str) -> Place {
        Root::at(folder.path()).unwrap().place(name).unwrap()
    }

    #[test]
    fn what_is_no_regular_file_is_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        rustix::fs::mknodat(rustix::fs::CWD, path.join("pipe"), rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(path.join("socket")).unwrap();
        fs::create_dir(path.join("directory")).unwrap();
        for (name, message) in [
            ("pipe", "`pipe` is a named pipe, not a regular file"),
            ("socket", "`socket` is a socket, not a regular file"),
            ("directory", "`directory` is a directory, not a file; list_directory lists it"),
            ("none", "there is no file `none`"),
        ] {
            let place = in_folder(&folder, name);
            assert_eq!(open(&place).unwrap_err().message, message);
            assert_eq!(HeldFile::take(&place, &CancellationToken::new()).unwrap_err().message, message);
        }
        let device = Root::at(std::path::Path::new("/dev")).unwrap().place("zero").unwrap();
        assert_eq!(open(&device).unwrap_err().message, "`zero` is a device, not a regular file");
    }

    #[test]
    fn a_held_file_is_waited_for_until_the_caller_gives_up() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a"), "x").unwrap();
        let place = in_folder(&folder, "a");
        let held = HeldFile::take(&place, &CancellationToken::new()).unwrap();
        let given_up = CancellationToken::new();
        given_up.cancel();
        assert_eq!(HeldFile::take(&place, &given_up).unwrap_err().kind, ErrorKind::Timeout);
        drop(held);
        assert!(HeldFile::take(&place, &given_up).is_ok());
    }

    #[test]
    fn a_change_by_somebody_who_does_not_wait_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, "x").unwrap();
        let place = in_folder(&folder, "a");
        let held = HeldFile::take(&place, &CancellationToken::new()).unwrap();
        assert!(held.check_unchanged(&place).is_ok());
        fs::write(&path, "longer").unwrap();
        let error = held.check_unchanged(&place).unwrap_err();
        assert!(error.message.ends_with("was changed by another program meanwhile; nothing was written"), "{error}");
    }
}

//! New content for a file, all or nothing: after a crash there is the old file or the new one.

use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::Path;

use tokio_util::sync::CancellationToken;

use super::file_errors::unusable;
use super::root::Place;
use crate::error::{ErrorKind, ToolError};

/// Puts a file with this content into the place. It gets the mode and the owner of the file that was there.
pub(super) fn write(
    place: &Place,
    content: &[u8],
    before: Option<&Metadata>,
    cancel: &CancellationToken,
) -> Result<(), ToolError> {
    let failed = |error: io::Error| unusable("write", place, &error);
    let folder = place.path.parent().unwrap_or(&place.path);
    fs::create_dir_all(folder).map_err(failed)?;
    let mut file = new_file(folder).map_err(failed)?;
    file.write_all(content).map_err(failed)?;
    if let Some(before) = before {
        take_after(file.as_file(), before).map_err(failed)?;
    }
    file.as_file().sync_all().map_err(failed)?;
    if cancel.is_cancelled() {
        return Err(ToolError::new(ErrorKind::Timeout, "the call was cancelled; nothing was written"));
    }
    file.persist(&place.path).map_err(|error| failed(error.error))?;
    sync_folder(folder);
    Ok(())
}

/// A file that goes with the last handle to it unless it is given a place. Its mode is what the system gives new files.
fn new_file(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".trailmark-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

#[cfg(unix)]
fn take_after(file: &File, before: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};

    let now = file.metadata()?;
    if (now.uid(), now.gid()) != (before.uid(), before.gid()) {
        // Only some users may give a file away; for the others it becomes their own.
        let _ = fchown(file, Some(before.uid()), Some(before.gid()));
    }
    file.set_permissions(before.permissions())
}

#[cfg(not(unix))]
fn take_after(file: &File, before: &Metadata) -> io::Result<()> {
    file.set_permissions(before.permissions())
}

/// Makes the new name survive a power cut, where a folder can be synced.
fn sync_folder(folder: &Path) {
    if cfg!(unix) {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
}

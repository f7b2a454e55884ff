//! Files that appear whole or not at all: each is written beside its place, and all are renamed once all are on the disk. Tapes are
//! written so, and what the command writes; it is no part of the interface for others.

use crate::error::Error;
use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Files that are written together. What is not finished leaves no trace.
#[derive(Default)]
pub struct Outputs {
    staged: Vec<Staged>,
}

struct Staged {
    /// As the user wrote it.
    path: PathBuf,
    /// Where that is, links followed.
    place: PathBuf,
    beside: NamedTempFile,
}

impl Outputs {
    /// A file with these bytes. A pipe or a device, which cannot be renamed over, gets them at once.
    ///
    /// Fails, naming the file, if it may not or cannot be written.
    pub fn add(&mut self, path: &Path, bytes: &[u8]) -> Result<(), Error> {
        self.stage(path, bytes, None).map_err(|e| in_file(path, &e))
    }

    /// A copy of a file, with its permissions.
    ///
    /// Fails, naming the new file, if one cannot be read or the other cannot be written.
    pub fn add_copy(&mut self, path: &Path, of: &Path) -> Result<(), Error> {
        let staged = fs::read(of)
            .and_then(|bytes| Ok((bytes, fs::metadata(of)?.permissions())))
            .and_then(|(bytes, permissions)| self.stage(path, &bytes, Some(permissions)));
        staged.map_err(|e| in_file(path, &e))
    }

    fn stage(&mut self, path: &Path, bytes: &[u8], permissions: Option<Permissions>) -> io::Result<()> {
        let (place, permissions) = match fs::metadata(path) {
            Err(e) if e.kind() == ErrorKind::NotFound => (path.to_owned(), permissions),
            Err(e) => return Err(e),
            Ok(old) => {
                // Says what is wrong with a folder, or with a file that may not be written to.
                let mut file = OpenOptions::new().write(true).open(path)?;
                if !old.is_file() {
                    file.write_all(bytes)?;
                    return file.flush();
                }
                // Links stay, and lead to the new file.
                (fs::canonicalize(path)?, permissions.or(Some(old.permissions())))
            }
        };
        let folder = place.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut beside = builder().tempfile_in(folder)?;
        beside.write_all(bytes)?;
        if let Some(permissions) = permissions {
            beside.as_file().set_permissions(permissions)?;
        }
        // Some disks say only now that they are full.
        beside.as_file().sync_all()?;
        self.staged.push(Staged { path: path.to_owned(), place, beside });
        Ok(())
    }

    /// Puts all files in their places, in the order in which they were added.
    ///
    /// Fails, naming the file, at the first that cannot be moved there.
    pub fn finish(self) -> Result<(), Error> {
        for Staged { path, place, beside } in self.staged {
            beside.persist(&place).map_err(|e| in_file(&path, &e.error))?;
        }
        Ok(())
    }
}

/// Writes one file.
///
/// Fails, naming it, if it may not or cannot be written; what was there before stays as it was then.
pub fn save(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let mut outputs = Outputs::default();
    outputs.add(path, bytes)?;
    outputs.finish()
}

/// What went wrong with a file.
fn in_file(path: &Path, e: &io::Error) -> Error {
    // Without the name of the file beside it, which nobody has heard of.
    let mut message = e.to_string();
    if let Some(at) = message.find(" at path ") {
        message.truncate(at);
    }
    Error::new(format!("{}: {message}", path.display()), None)
}

/// Files with the permissions that new files have.
fn builder() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".wengert-").suffix(".new");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder
}

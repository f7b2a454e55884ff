//! A folder of one user's own, and files in it that only that user can have written.
//!
//! The folder is opened once, without following a link at its end; whose it is and who may write to it is asked of what was
//! opened, and files are reached from there, whatever its path may mean later. Files are opened without following links and
//! without waiting for the other end of a pipe; what is no regular file, belongs to somebody else, or could be written to by
//! others is refused. Elsewhere than on Unix a folder is what its path says, and who may write to it is not asked.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

/// A file, ordered by age, the oldest first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    /// When it was written, in nanoseconds.
    pub(super) modified: i128,
    pub(super) name: String,
    pub(super) length: u64,
}

/// A folder that is open.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    #[cfg(unix)]
    handle: std::os::fd::OwnedFd,
}

impl Folder {
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// What a file holds that others may read, if it has no more than `most` bytes.
    pub(super) fn read(&self, name: &str, most: u64) -> io::Result<Vec<u8>> {
        self.read_unless(name, most, OTHERS_WRITE)
    }

    /// What a file holds that nobody else may read.
    pub(super) fn read_private(&self, name: &str, most: u64) -> io::Result<Vec<u8>> {
        self.read_unless(name, most, OTHERS_WRITE | OTHERS_READ)
    }

    fn read_unless(&self, name: &str, most: u64, forbidden: u32) -> io::Result<Vec<u8>> {
        let file = self.open_file(name, forbidden)?;
        let length = file.metadata()?.len();
        let size =
            usize::try_from(length).ok().filter(|_| length <= most).ok_or(io::ErrorKind::FileTooLarge)?;
        let mut bytes = Vec::with_capacity(size);
        file.take(length).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Writes a file that only this user may read, whole or not at all, over what is there; `beside` is a name for it until it is
    /// finished.
    pub(super) fn write(&self, name: &str, beside: &str, bytes: &[u8]) -> io::Result<()> {
        let written = self
            .create_file(beside)
            .and_then(|mut file| file.write_all(bytes))
            .and_then(|()| self.rename(beside, name));
        if written.is_err() {
            let _ = self.remove(beside);
        }
        written
    }
}

/// Permissions of the group and of everybody.
const OTHERS_WRITE: u32 = 0o022;
const OTHERS_READ: u32 = 0o044;

#[cfg(unix)]
fn refused(path: &Path, why: &str) -> io::Error {
    let message = format!("{}: {why}, and code there is executed", path.display());
    io::Error::new(io::ErrorKind::PermissionDenied, message)
}

/// What is wrong with a file or folder, if anybody else could have written it.
#[cfg(unix)]
fn check(path: &Path, data: &std::fs::Metadata, forbidden: u32) -> io::Result<()> {
    use std::os::unix::fs::MetadataExt;
    let (owner, user) = (data.uid(), rustix::process::geteuid().as_raw());
    if owner != user {
        return Err(refused(path, &format!("belongs to user {owner}, not to user {user}")));
    }
    let mode = data.mode();
    if mode & forbidden != 0 {
        let what = if mode & OTHERS_WRITE != 0 { "write to" } else { "read" };
        return Err(refused(path, &format!("others may {what} it (mode {:o})", mode & 0o7777)));
    }
    Ok(())
}

#[cfg(unix)]
impl Folder {
    /// The folder at a path, made if it is missing.
    pub(super) fn open(path: PathBuf) -> io::Result<Self> {
        use rustix::fs::{CWD, Mode, OFlags, openat};
        use std::os::unix::fs::DirBuilderExt;
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&path)?;
        let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let handle = openat(CWD, &path, flags, Mode::empty());
        let handle = handle.map_err(|_| refused(&path, "is no folder but a link or something else"))?;
        check(&path, &File::from(handle.try_clone()?).metadata()?, OTHERS_WRITE)?;
        Ok(Self { path, handle })
    }

    fn open_file(&self, name: &str, forbidden: u32) -> io::Result<File> {
        use rustix::fs::{Mode, OFlags, openat};
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let file = File::from(openat(&self.handle, name, flags, Mode::empty())?);
        let (path, data) = (self.path.join(name), file.metadata()?);
        if !data.is_file() {
            return Err(refused(&path, "is no regular file"));
        }
        check(&path, &data, forbidden)?;
        Ok(file)
    }

    fn create_file(&self, name: &str) -> io::Result<File> {
        use rustix::fs::{Mode, OFlags, openat};
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(File::from(openat(&self.handle, name, flags, Mode::RUSR | Mode::WUSR)?))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        Ok(rustix::fs::renameat(&self.handle, from, &self.handle, to)?)
    }

    pub(super) fn remove(&self, name: &str) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(&self.handle, name, rustix::fs::AtFlags::empty())?)
    }

    /// Regular files whose name `wanted` takes.
    pub(super) fn files(&self, wanted: impl Fn(&str) -> bool) -> io::Result<Vec<Entry>> {
        use rustix::fs::{AtFlags, Dir, FileType, statat};
        let mut files = Vec::new();
        for entry in Dir::read_from(&self.handle)? {
            let entry = entry?;
            let Some(name) = entry.file_name().to_str().ok().filter(|name| wanted(name)) else { continue };
            // Another process may have removed it by now.
            let Ok(data) = statat(&self.handle, name, AtFlags::SYMLINK_NOFOLLOW) else { continue };
            if FileType::from_raw_mode(data.st_mode) == FileType::RegularFile {
                let seconds = i128::from(data.st_mtime);
                files.push(Entry {
                    modified: seconds * 1_000_000_000 + i128::from(data.st_mtime_nsec),
                    name: name.to_owned(),
                    length: u64::try_from(data.st_size).unwrap_or(0),
                });
            }
        }
        Ok(files)
    }
}

#[cfg(not(unix))]
impl Folder {
    pub(super) fn open(path: PathBuf) -> io::Result<Self> {
        std::fs::create_dir_all(&path)?;
        Ok(Self { path })
    }

    fn open_file(&self, name: &str, _: u32) -> io::Result<File> {
        let path = self.path.join(name);
        if !std::fs::symlink_metadata(&path)?.is_file() {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        File::open(path)
    }

    fn create_file(&self, name: &str) -> io::Result<File> {
        File::create_new(self.path.join(name))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        std::fs::rename(self.path.join(from), self.path.join(to))
    }

    pub(super) fn remove(&self, name: &str) -> io::Result<()> {
        std::fs::remove_file(self.path.join(name))
    }

    pub(super) fn files(&self, wanted: impl Fn(&str) -> bool) -> io::Result<Vec<Entry>> {
        let mut files = Vec::new();
        for entry in std::fs::read_dir(&self.path)?.flatten() {
            let (Ok(data), Ok(name)) = (entry.metadata(), entry.file_name().into_string()) else { continue };
            if data.is_file() && wanted(&name) {
                let age = data.modified()?.duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
                files.push(Entry { modified: age.as_nanos() as i128, name, length: data.len() });
            }
        }
        Ok(files)
    }
}

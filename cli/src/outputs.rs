//! Files that appear whole or not at all: each is written beside its place, and all are renamed once all are on the disk.

use crate::Result;
use std::fs::{self, OpenOptions, Permissions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// The files of one command. What is not finished leaves no trace.
#[derive(Default)]
pub(crate) struct Outputs {
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
    pub(crate) fn add(&mut self, path: &Path, bytes: &[u8]) -> Result<()> {
        self.stage(path, bytes, None).map_err(|e| describe(path, &e))
    }

    /// A copy of a file, with its permissions.
    pub(crate) fn add_copy(&mut self, path: &Path, of: &Path) -> Result<()> {
        let staged = fs::read(of)
            .and_then(|bytes| Ok((bytes, fs::metadata(of)?.permissions())))
            .and_then(|(bytes, permissions)| self.stage(path, &bytes, Some(permissions)));
        staged.map_err(|e| describe(path, &e))
    }

    fn stage(&mut self, path: &Path, bytes: &[u8], permissions: Option<Permissions>) -> std::io::Result<()> {
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

    /// Puts all files in their places.
    pub(crate) fn finish(self) -> Result<()> {
        for Staged { path, place, beside } in self.staged {
            beside.persist(&place).map_err(|e| describe(&path, &e.error))?;
        }
        Ok(())
    }
}

/// Writes one file.
pub(crate) fn save(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut outputs = Outputs::default();
    outputs.add(path, bytes)?;
    outputs.finish()
}

fn describe(path: &Path, e: &std::io::Error) -> String {
    // Without the name of the file beside it, which nobody has heard of.
    let mut message = e.to_string();
    if let Some(at) = message.find(" at path ") {
        message.truncate(at);
    }
    format!("{}: {message}", path.display())
}

/// Files with the permissions that new files have.
fn builder() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".wengert-").suffix(".new");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("wengert-outputs-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        folder
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder").flatten();
        let mut names: Vec<String> = entries.map(|e| e.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn one_that_fails_leaves_all_as_they_were() {
        let folder = folder("fails");
        let (a, b) = (folder.join("a"), folder.join("b"));
        fs::write(&a, "before").expect("written");
        fs::create_dir(&b).expect("a folder in the way");
        let mut outputs = Outputs::default();
        outputs.add(&a, b"after").expect("staged");
        let error = outputs.add(&b, b"after").expect_err("a folder is no file");
        assert!(error.starts_with(&b.display().to_string()), "{error}");
        drop(outputs);
        assert_eq!(names(&folder), ["a", "b"]);
        assert_eq!(fs::read(&a).expect("a file"), b"before");
        let error = save(&folder.join("no/such"), b"x").expect_err("no folder");
        assert!(error.contains("no/such: ") && !error.contains(".new"), "{error}");
        fs::remove_dir_all(folder).expect("removed");
    }

    #[cfg(unix)]
    #[test]
    fn what_was_there_keeps_its_permissions_and_its_links() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = folder("keeps");
        let (file, link) = (folder.join("file"), folder.join("link"));
        fs::write(&file, "before").expect("written");
        fs::set_permissions(&file, PermissionsExt::from_mode(0o640)).expect("set");
        symlink("file", &link).expect("a link");
        save(&link, b"after").expect("saved");
        assert!(fs::symlink_metadata(&link).expect("there").is_symlink());
        assert_eq!(fs::read(&file).expect("a file"), b"after");
        assert_eq!(fs::metadata(&file).expect("there").permissions().mode() & 0o777, 0o640);
        // A new one has what the process gives to new files.
        let (new, plain) = (folder.join("new"), folder.join("plain"));
        save(&new, b"x").expect("saved");
        fs::write(&plain, "x").expect("written");
        let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode();
        assert_eq!(mode(&new), mode(&plain));
        assert_eq!(names(&folder), ["file", "link", "new", "plain"]);
        fs::remove_dir_all(folder).expect("removed");
    }
}

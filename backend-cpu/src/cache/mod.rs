//! Machine code kept in files, so that a program is compiled once for all processes: [`CodeCache`], a folder that a user
//! asks for.
//!
//! A file holds code as it is before it is linked (no address of any process), under a key that is everything the code
//! depends on ([`key`]): the kernel IR, the options, this machine's instructions, and the sources of this compiler. The
//! contents of constants are not part of it; each process has its own. A file is used if its checksum, its key in full,
//! and every number in it are right, and is as good as absent otherwise. Files are written beside their place and
//! renamed, so a reader sees a whole one or none; when the folder outgrows its limit the oldest go.
//!
//! Code in the folder is executed, so only code that this user's processes put there may be: folder and files belong to the
//! user and nobody else may write to them, no link is followed, only regular files are read ([`folder`]), and the
//! checksum takes a secret that lies elsewhere and only the user may read ([`secret`]): what came into the folder in
//! another way (an archive that was unpacked, a time when more people could write to it) is as good as absent.

mod folder;
mod format;
mod key;
mod secret;

use crate::codegen::link::Image;
use folder::Folder;
pub(crate) use key::Key;
use secret::Secret;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use wengert_ir::kernel::Program;

/// How names of files end.
const EXTENSION: &str = ".wgtcode";
/// How names of files that are being written end.
const NEW: &str = ".new";
/// Bytes that a folder may hold unless its user says otherwise.
const MOST_BYTES: u64 = 256 << 20;

/// A folder of compiled programs.
#[derive(Clone, Debug)]
pub struct CodeCache {
    opened: Arc<Opened>,
    most_bytes: u64,
}

/// What the clones of a cache share.
#[derive(Debug)]
struct Opened {
    folder: Folder,
    secret: Secret,
    number: u64,
    loaded: AtomicU64,
    stored: AtomicU64,
}

impl CodeCache {
    /// The cache in a folder, which is made if it is missing.
    ///
    /// Fails if it cannot be made, is a link, belongs to another user, or if others than its owner may write to it: code in it is
    /// executed. Fails also if there is no place for the user's secret, which the files are sealed with: `wengert` in
    /// `XDG_STATE_HOME`, or else in `.local/state` of `HOME` (on Windows in `LOCALAPPDATA`).
    pub fn open(folder: impl Into<PathBuf>) -> io::Result<Self> {
        let folder = Folder::open(folder.into())?;
        Ok(Self::with(folder, secret::of_user()?))
    }

    /// The same with a secret of the caller's in place of the user's, for programs that keep their secrets themselves. Whoever
    /// knows it can make files that are executed.
    pub fn open_with_secret(folder: impl Into<PathBuf>, secret: &[u8; 32]) -> io::Result<Self> {
        Ok(Self::with(Folder::open(folder.into())?, Secret::new(*secret)))
    }

    fn with(folder: Folder, secret: Secret) -> Self {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Relaxed);
        let (loaded, stored) = (AtomicU64::new(0), AtomicU64::new(0));
        let opened = Opened { folder, secret, number, loaded, stored };
        Self { opened: Arc::new(opened), most_bytes: MOST_BYTES }
    }

    /// The same with another limit on what the files take together; 256 MiB without.
    pub fn most_bytes(self, most_bytes: u64) -> Self {
        Self { most_bytes, ..self }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        self.opened.folder.path()
    }

    /// How many programs were taken from the folder through this value and its clones.
    pub fn loaded(&self) -> u64 {
        self.opened.loaded.load(Relaxed)
    }

    /// How many programs were compiled and added to the folder through this value and its clones.
    pub fn stored(&self) -> u64 {
        self.opened.stored.load(Relaxed)
    }

    /// A number that this value and its clones have, and no other cache of this process.
    pub fn number(&self) -> u64 {
        self.opened.number
    }

    /// The code kept under a key, if there is any and nothing is wrong with it.
    pub(crate) fn load(&self, key: &Key, program: &Program) -> Option<Image> {
        let bytes = self.opened.folder.read(&name(key), self.most_bytes).ok()?;
        let image = format::decode(&bytes, key, program, &self.opened.secret)?;
        self.opened.loaded.fetch_add(1, Relaxed);
        Some(image)
    }

    /// Keeps code. Whatever goes wrong, the next process compiles again.
    pub(crate) fn store(&self, key: &Key, image: &Image) {
        let bytes = format::encode(key, image, &self.opened.secret);
        let Some(bytes) = bytes.filter(|bytes| bytes.len() as u64 <= self.most_bytes) else {
            return;
        };
        if self.opened.folder.write(&name(key), &beside(), &bytes).is_ok() {
            self.opened.stored.fetch_add(1, Relaxed);
        }
        self.evict();
    }

    /// Removes the oldest files until what is left fits.
    fn evict(&self) {
        let is_ours = |name: &str| name.ends_with(EXTENSION) || name.ends_with(NEW);
        let Ok(mut files) = self.opened.folder.files(is_ours) else { return };
        let mut total = files.iter().fold(0u64, |sum, file| sum.saturating_add(file.length));
        files.sort();
        for file in files {
            if total <= self.most_bytes {
                return;
            }
            if self.opened.folder.remove(&file.name).is_ok() {
                total -= file.length;
            }
        }
    }
}

/// How the file of a key is called.
fn name(key: &Key) -> String {
    let hash = blake3::hash(&key.0).to_hex();
    format!("{}{EXTENSION}", &hash[..32])
}

/// A name that no other file being written has.
fn beside() -> String {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    format!("{}-{}{NEW}", std::process::id(), NUMBER.fetch_add(1, Relaxed))
}

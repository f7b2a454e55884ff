//! The secret that a user's files are sealed with: made at random when it is first needed, in a file that nobody else may read,
//! far from the folders of code.

use super::beside;
use super::folder::Folder;
use std::io;
use std::ops::Deref;
use std::path::PathBuf;

const BYTES: usize = 32;
/// Its file.
const NAME: &str = "code-cache.key";

/// A secret; it is never shown.
pub(super) struct Secret([u8; BYTES]);

impl Secret {
    pub(super) fn new(bytes: [u8; BYTES]) -> Self {
        Self(bytes)
    }
}

impl Deref for Secret {
    type Target = [u8; BYTES];

    fn deref(&self) -> &[u8; BYTES] {
        &self.0
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(..)")
    }
}

/// The secret of the user that runs this process.
pub(super) fn of_user() -> io::Result<Secret> {
    let folder = Folder::open(place()?)?;
    // Where two processes make one at once, the later one stays: what the other seals with its own is compiled again.
    for _ in 0..2 {
        match folder.read_private(NAME, BYTES as u64) {
            Ok(bytes) => {
                if let Ok(bytes) = bytes.try_into() {
                    return Ok(Secret(bytes));
                }
                // Cut short: as good as absent.
            }
            Err(e) if e.kind() == io::ErrorKind::NotFound => {}
            Err(e) => return Err(e),
        }
        let mut fresh = [0; BYTES];
        getrandom::fill(&mut fresh).map_err(|e| io::Error::other(e.to_string()))?;
        folder.write(NAME, &beside(), &fresh)?;
    }
    let path = folder.path().join(NAME);
    Err(io::Error::other(format!("{}: is not what was just written there", path.display())))
}

/// The folder for it: what programs keep for a user (the XDG base directory specification's state).
fn place() -> io::Result<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let state = if cfg!(windows) {
        absolute("LOCALAPPDATA")
    } else {
        absolute("XDG_STATE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".local/state")))
    };
    let none = || {
        io::Error::new(io::ErrorKind::NotFound, "no place for the secret of a code cache: HOME is not set")
    };
    Ok(state.ok_or_else(none)?.join("wengert"))
}

//! Files that appear whole or not at all.

use std::fs;
use std::path::{Path, PathBuf};
use wengert::outputs::{Outputs, save};

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
    assert!(error.message().starts_with(&b.display().to_string()), "{error}");
    drop(outputs);
    assert_eq!(names(&folder), ["a", "b"]);
    assert_eq!(fs::read(&a).expect("a file"), b"before");
    let error = save(&folder.join("no/such"), b"x").expect_err("no folder");
    assert!(error.message().contains("no/such: ") && !error.message().contains(".new"), "{error}");
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

//! A copy of the tree with the faults of a sample of sites in it, all in one build, each off until it is asked for. Sites that do not
//! compile are dropped, by the lines that the compiler names.

use crate::sites::{self, Edit, Site};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The crates whose code gets faults, by folder.
pub const CRATES: [&str; 6] = ["ir", "ir/libraries", "passes", "backend-cpu", "frontend", "cli"];

/// A number of its own for whoever asks with the same words again.
fn hash(words: &[&dyn std::fmt::Display]) -> u64 {
    let mut h = 0xcbf2_9ce4_8422_2325u64;
    for word in words {
        for byte in word.to_string().bytes().chain([0]) {
            h = (h ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    // The last steps of splitmix64: neighbours of one file get numbers far apart.
    h = (h ^ (h >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    h = (h ^ (h >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    h ^ (h >> 31)
}

fn rust_files(folder: &Path, out: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().and_then(|n| n.to_str()).unwrap_or_default().to_owned();
        if path.is_dir() && name != "tests" {
            rust_files(&path, out);
        } else if name.ends_with(".rs") && !name.starts_with("test") && name != "build.rs" {
            out.push(path);
        }
    }
}

/// `count` sites of the tree, drawn by line: first a line, then one of its sites.
pub fn sample(tree: &Path, count: usize, seed: u64) -> Vec<Site> {
    let mut files = Vec::new();
    for krate in CRATES {
        rust_files(&tree.join(krate).join("src"), &mut files);
    }
    let mut by_line: BTreeMap<(String, usize), Vec<Site>> = BTreeMap::new();
    for path in files {
        let name = path.strip_prefix(tree).expect("inside").display().to_string();
        let text = std::fs::read_to_string(&path).expect("UTF-8 source");
        match sites::of_file(&name, &text) {
            Ok(found) => {
                for site in found {
                    by_line.entry((site.file.clone(), site.line)).or_default().push(site);
                }
            }
            Err(e) => eprintln!("{name}: {e}"),
        }
    }
    let all: usize = by_line.values().map(Vec::len).sum();
    println!("{all} sites on {} lines", by_line.len());
    let mut lines: Vec<_> = by_line.into_iter().collect();
    lines.sort_by_key(|((file, line), _)| hash(&[&seed, file, line]));
    lines.truncate(count);
    let one = |((file, line), sites): ((String, usize), Vec<Site>)| {
        sites[hash(&[&seed, &"one", &file, &line]) as usize % sites.len()].clone()
    };
    lines.into_iter().map(one).collect()
}

/// The text of a file with the edits of its sites, which are numbered.
fn edited(text: &str, sites: &[(usize, &Site)]) -> String {
    let mut edits: Vec<(usize, usize, &Edit)> =
        sites.iter().flat_map(|(id, s)| s.edits.iter().map(|e| (*id, s.line, e))).collect();
    // Sites of a file stand in the order of its walk only by their extent: outer ones begin earlier or end later.
    let extent = |id: usize| {
        let of = |&(other, _): &&(usize, &Site)| *other == id;
        let site = sites.iter().find(of).expect("an edit's site").1;
        let from = site.edits.iter().map(|e| e.from).min().unwrap_or(0);
        let to = site.edits.iter().map(|e| e.to).max().unwrap_or(0);
        to - from
    };
    edits.sort_by_key(|(id, _, e)| {
        let wide = extent(*id) as isize;
        (e.from, !e.ends, if e.ends { wide } else { -wide })
    });
    let mut out = String::with_capacity(text.len() + 64 * edits.len());
    let mut at = 0;
    for (id, _, edit) in edits {
        out.push_str(&text[at.min(edit.from)..edit.from]);
        out.push_str(&edit.text.replace('@', &id.to_string()));
        at = edit.to.max(at);
    }
    out.push_str(&text[at..]);
    out
}

/// Writes a file of the copy, if it says something else: what does not change is not built again.
fn put(path: &Path, bytes: &[u8]) {
    if std::fs::read(path).ok().as_deref() != Some(bytes) {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("the copy is ours");
        std::fs::write(path, bytes).expect("the copy is ours");
    }
}

/// Writes what git knows of the tree, with the sites that are in `alive` (numbered from 1) and a runtime crate that all know.
fn write(tree: &Path, copy: &Path, sites: &[Site], alive: &BTreeSet<usize>) {
    let mut files: BTreeMap<&str, Vec<(usize, &Site)>> = BTreeMap::new();
    for (k, site) in sites.iter().enumerate() {
        if alive.contains(&(k + 1)) {
            files.entry(&site.file).or_default().push((k + 1, site));
        }
    }
    let list = Command::new("git").args(["ls-files", "-co", "--exclude-standard"]).current_dir(tree).output();
    for name in String::from_utf8(list.expect("git").stdout).expect("UTF-8 names").lines() {
        let Ok(bytes) = std::fs::read(tree.join(name)) else { continue };
        let krate = CRATES.iter().find(|krate| name == format!("{krate}/Cargo.toml"));
        if let Some(sites) = files.get(name) {
            put(&copy.join(name), edited(std::str::from_utf8(&bytes).expect("UTF-8 source"), sites).as_bytes());
        } else if name == "Cargo.toml" {
            // Lints are for the original. (Flags for all of rustc would build other people's crates again.)
            let text = String::from_utf8(bytes).expect("UTF-8 manifest").replace("\"deny\"", "\"allow\"");
            put(&copy.join(name), text.replacen("members = [", "members = [\"fault-runtime\", ", 1).as_bytes());
        } else if let Some(krate) = krate {
            let up = "../".repeat(krate.split('/').count());
            let line = format!("[dependencies]\nwengert-fault = {{ path = \"{up}fault-runtime\" }}");
            let text = String::from_utf8(bytes).expect("UTF-8 manifest");
            put(&copy.join(name), text.replacen("[dependencies]", &line, 1).as_bytes());
        } else if name != "Cargo.lock" || !copy.join(name).exists() {
            put(&copy.join(name), &bytes);
        }
    }
    let manifest = "[package]\nname = \"wengert-fault\"\nversion = \"0.0.0\"\nedition = \"2024\"\n";
    put(&copy.join("fault-runtime/Cargo.toml"), manifest.as_bytes());
    put(&copy.join("fault-runtime/src/lib.rs"), include_bytes!("runtime.rs"));
}

/// Cargo on the copy.
pub fn cargo(copy: &Path, args: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    command.args(args).current_dir(copy).env("CARGO_INCREMENTAL", "1");
    command.env("CARGO_PROFILE_DEV_DEBUG", "false").env("INSTA_UPDATE", "no").env_remove("CARGO_TARGET_DIR");
    command
}

/// Plants a sample and checks until everything compiles. Gives the numbers that are left.
pub fn plant(tree: &Path, copy: &Path, sites: &[Site]) -> BTreeSet<usize> {
    let mut alive: BTreeSet<usize> = (1..=sites.len()).collect();
    let before = std::fs::read_to_string(copy.join("dropped")).unwrap_or_default();
    alive.retain(|id| !before.lines().any(|line| line == sites[id - 1].to_string()));
    write(tree, copy, sites, &alive);
    loop {
        let out = cargo(copy, &["check", "--workspace", "--message-format=json", "--keep-going"]).output();
        let out = out.expect("cargo");
        let mut dropped = BTreeSet::new();
        let mut errors = 0;
        let mut named = Vec::new();
        for line in String::from_utf8_lossy(&out.stdout).lines() {
            let Ok(json) = serde_json::from_str::<serde_json::Value>(line) else { continue };
            let message = &json["message"];
            if message["level"] != "error" {
                continue;
            }
            errors += 1;
            for span in message["spans"].as_array().into_iter().flatten() {
                let file = span["file_name"].as_str().unwrap_or_default();
                let (from, to) = (span["line_start"].as_u64().unwrap_or(0), span["line_end"].as_u64().unwrap_or(0));
                named.push((file.to_owned(), from, to));
            }
        }
        // An error may be seen some lines after what makes it.
        for around in [0, 3, 12, 50] {
            for (file, from, to) in &named {
                let (from, to) = (from.saturating_sub(around), to + around);
                let there = |site: &Site| site.file == *file && (from..=to).contains(&(site.line as u64));
                dropped.extend((1..=sites.len()).filter(|k| alive.contains(k) && there(&sites[k - 1])));
            }
            if !dropped.is_empty() {
                break;
            }
        }
        println!("{errors} errors, {} sites dropped", dropped.len());
        if errors == 0 && out.status.success() {
            return alive;
        }
        if dropped.is_empty() {
            panic!("errors that no site explains:\n{}", String::from_utf8_lossy(&out.stderr));
        }
        let mut known = std::fs::read_to_string(copy.join("dropped")).unwrap_or_default();
        dropped.iter().for_each(|k| known += &format!("{}\n", sites[k - 1]));
        put(&copy.join("dropped"), known.as_bytes());
        alive.retain(|k| !dropped.contains(k));
        write(tree, copy, sites, &alive);
    }
}

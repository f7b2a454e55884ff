//! No file takes names from one that takes names from it, directly or by way of others, within a crate. Where that still is so, the
//! circle is listed; the list may only become shorter.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use syn::visit::{self, Visit};

/// Crates, and of each circle its first file in alphabetical order and how many there are.
const LEFT: &[(&str, &[(&str, usize)])] = &[
    ("ir", &[]),
    ("ir/libraries", &[]),
    ("passes", &[]),
    ("backend-cpu", &[]),
    ("backend-gpu", &[]),
    ("frontend", &[]),
    ("cli", &[]),
    ("pjrt", &[]),
];

type Module = Vec<String>;

/// The modules of a crate that are files, but those of tests.
fn modules(folder: &Path, at: &mut Module, all: &mut BTreeMap<Module, PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().expect("a name").to_str().expect("UTF-8").to_owned();
        if name.contains("tests") {
            continue;
        }
        if path.is_dir() {
            at.push(name);
            modules(&path, at, all);
            at.pop();
        } else if path.extension().is_some_and(|e| e == "rs") {
            let mut module = at.clone();
            if !["lib", "main", "mod"].contains(&name.as_str()) {
                module.push(name);
            }
            all.insert(module, path);
        }
    }
}

/// The paths of a file that begin with `crate`, `self` or `super`.
#[derive(Default)]
struct Paths(Vec<Module>);

impl Paths {
    fn tree(&mut self, tree: &syn::UseTree, path: &mut Module) {
        match tree {
            syn::UseTree::Path(part) => {
                path.push(part.ident.to_string());
                self.tree(&part.tree, path);
                path.pop();
            }
            syn::UseTree::Name(name) => self.0.push([&path[..], &[name.ident.to_string()]].concat()),
            syn::UseTree::Rename(name) => self.0.push([&path[..], &[name.ident.to_string()]].concat()),
            syn::UseTree::Glob(_) => self.0.push(path.clone()),
            syn::UseTree::Group(group) => group.items.iter().for_each(|tree| self.tree(tree, path)),
        }
    }
}

impl<'ast> Visit<'ast> for Paths {
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.tree(&item.tree, &mut Vec::new());
    }
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if item.ident != "tests" {
            visit::visit_item_mod(self, item);
        }
    }
    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.0.push(path.segments.iter().map(|part| part.ident.to_string()).collect());
        visit::visit_path(self, path);
    }
}

/// The files that a file takes names from.
fn taken(module: &Module, path: &Path, all: &BTreeMap<Module, PathBuf>) -> BTreeSet<Module> {
    let file = syn::parse_file(&std::fs::read_to_string(path).expect("UTF-8")).expect("Rust");
    let mut paths = Paths::default();
    paths.visit_file(&file);
    let mut out = BTreeSet::new();
    for path in paths.0 {
        let ups = path.iter().take_while(|part| *part == "super").count();
        let from = match path[0].as_str() {
            "crate" => Vec::new(),
            "self" => module.clone(),
            "super" => module[..module.len().saturating_sub(ups)].to_vec(),
            _ => continue,
        };
        let full = [&from[..], &path[ups.max(1)..]].concat();
        let Some(file) = (1..=full.len()).rev().map(|n| &full[..n]).find(|part| all.contains_key(*part))
        else {
            continue;
        };
        // A module is there before its parts, which may know it.
        if !module.starts_with(file) {
            out.insert(file.to_vec());
        }
    }
    out
}

/// What can be come to from a file.
fn reached<'g>(graph: &'g BTreeMap<Module, BTreeSet<Module>>, from: &'g Module) -> BTreeSet<&'g Module> {
    let (mut found, mut work) = (BTreeSet::new(), vec![from]);
    while let Some(module) = work.pop() {
        for next in &graph[module] {
            if found.insert(next) {
                work.push(next);
            }
        }
    }
    found
}

#[test]
fn files_do_not_know_each_other_in_circles() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace");
    for (name, left) in LEFT {
        let mut all = BTreeMap::new();
        modules(&root.join(name).join("src"), &mut Vec::new(), &mut all);
        let graph: BTreeMap<Module, BTreeSet<Module>> =
            all.iter().map(|(module, path)| (module.clone(), taken(module, path, &all))).collect();
        let reached: BTreeMap<&Module, BTreeSet<&Module>> =
            graph.keys().map(|module| (module, reached(&graph, module))).collect();
        let mut circles: Vec<Vec<String>> = Vec::new();
        for module in graph.keys().filter(|m| reached[m].contains(m)) {
            let circle: Vec<String> = reached[module]
                .iter()
                .filter(|other| reached[*other].contains(module))
                .map(|other| other.join("::"))
                .collect();
            if !circles.contains(&circle) {
                circles.push(circle);
            }
        }
        let sizes: Vec<(&str, usize)> = circles.iter().map(|c| (c[0].as_str(), c.len())).collect();
        assert_eq!(sizes, *left, "{name}: {circles:#?}");
    }
}

//! Functions of the host by first use: the hash of a program says which of its calls are of one function, and nothing else of them.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use wengert_ir::host::{Batching, Host, hashing_by_first_use};

/// For each of a list the place of the first that is the same; `None` for no function.
fn pattern(calls: &[usize], none: usize) -> Vec<Option<usize>> {
    calls.iter().map(|&c| (c != none).then(|| calls.iter().position(|&d| d == c).expect("itself"))).collect()
}

#[test]
fn hashes_by_first_use_tell_functions_apart_and_not_their_numbers() {
    let hash = |hosts: &[Host], calls: &[usize]| {
        hashing_by_first_use(|| {
            let mut hasher = DefaultHasher::new();
            calls.iter().for_each(|&c| hosts[c].hash(&mut hasher));
            hasher.finish()
        })
    };
    // Two processes would number the same functions differently.
    let [here, there] = [(), ()].map(|()| {
        let function = |_| Host::new(Batching::Examples, |_| Ok(Vec::new()));
        let mut all: Vec<Host> = (0..3).map(function).collect();
        all.push(Host::default());
        all
    });
    let none = here.len() - 1;
    for length in 1..=4u32 {
        let lists: Vec<Vec<usize>> = (0..4usize.pow(length))
            .map(|code| (0..length).map(|k| code / 4usize.pow(k) % 4).collect())
            .collect();
        for a in &lists {
            let one = hash(&here, a);
            for b in &lists {
                let same = pattern(a, none) == pattern(b, none);
                assert_eq!(one == hash(&there, b), same, "calls {a:?} here and {b:?} there");
            }
        }
    }
}

//! Interleaved groups: elements that are far apart along a loop, but beside which others lie that the same iteration wants. Rows of a
//! block are read or written as they lie, and turned in registers: with `n` rows of `n` lanes, `log2(n)` steps exchange
//! squares of 1, 2, 4, ... lanes (Eklundh, "A fast computer method for matrix transposing", 1972).

use super::body::{Body, Inst, Run, Size, V};
use rustc_hash::FxHashMap;

/// Elements that are nearer are taken apart one by one.
const APART: i32 = 8;

/// An access to elements at a distance.
#[derive(Clone, Copy)]
struct Strided {
    /// Which instruction it is.
    at: usize,
    run: Run,
    step: i32,
    part: u8,
    /// What is read or written.
    value: V,
}

/// Accesses whose elements lie side by side, in order: as many as a vector has lanes, or half as many.
type Group = Vec<Strided>;

/// A body that does the same in blocks, if there is something to be taken so. It reads whole blocks: it is for rounds without a mask.
/// `same` says whether two pointers are into one memory.
pub(super) fn in_blocks(body: &Body, same: &dyn Fn(u32, u32) -> bool) -> Option<Body> {
    let mut loads: Vec<Strided> = Vec::new();
    let mut stores: Vec<Strided> = Vec::new();
    for (at, inst) in body.insts.iter().enumerate() {
        if let Inst::Gather { run, step, index: None, part, to, .. } = *inst
            && step.abs() >= APART
        {
            loads.push(Strided { at, run, step, part, value: to });
        }
        if let Inst::Scatter { run, step, part, from, .. } = *inst
            && step.abs() >= APART
        {
            stores.push(Strided { at, run, step, part, value: from });
        }
    }
    let accesses: Vec<(usize, u32, bool)> = (body.insts.iter().enumerate())
        .filter_map(|(at, inst)| inst.access().map(|(pointer, stores)| (at, pointer, stores)))
        .collect();
    // Loads move to the first of them, and stores to the last: nothing in between may be of the same memory.
    let never_stored = |x: &Strided| !accesses.iter().any(|a| a.2 && same(a.1, x.run.pointer));
    loads.retain(never_stored);
    let alone = |x: &Strided| {
        let is_like = |at: usize| {
            stores.iter().any(|y| y.at == at && (y.run.pointer, y.step) == (x.run.pointer, x.step))
        };
        let again = |y: &&Strided| (y.run, y.step, y.part) == (x.run, x.step, x.part);
        accesses.iter().all(|a| !same(a.1, x.run.pointer) || is_like(a.0))
            && stores.iter().filter(again).count() == 1
    };
    let stores: Vec<Strided> = stores.iter().copied().filter(alone).collect();
    let (loads, stores) = (groups(loads), groups(stores));
    if loads.is_empty() && stores.is_empty() {
        return None;
    }
    let mut out = Blocks { insts: Vec::new(), vectors: body.vectors };
    let (mut begins, mut ends) = (FxHashMap::default(), FxHashMap::default());
    let mut moved = vec![false; body.insts.len()];
    for group in loads.iter().chain(&stores) {
        group.iter().for_each(|x| moved[x.at] = true);
    }
    for group in &loads {
        begins.insert(group.iter().map(|x| x.at).min(), group);
    }
    for group in &stores {
        ends.insert(group.iter().map(|x| x.at).max(), group);
    }
    for (at, inst) in body.insts.iter().enumerate() {
        if let Some(group) = begins.get(&Some(at)) {
            out.load(group);
        } else if let Some(group) = ends.get(&Some(at)) {
            out.store(group);
        } else if !moved[at] {
            out.insts.push(*inst);
        }
    }
    Some(body.with(out.insts, out.vectors))
}

/// Accesses in groups.
fn groups(mut all: Vec<Strided>) -> Vec<Group> {
    all.sort_by_key(|x| (x.run.pointer, x.step, x.part, x.run.scale, x.run.offset));
    let mut found = Vec::new();
    let mut rest = &all[..];
    while let Some(first) = rest.first() {
        let is_next = |k: usize, x: &Strided| {
            let beside = first.run.offset + k as i32 * i32::from(first.run.scale);
            (x.run.pointer, x.step, x.part, x.run.scale, x.run.offset)
                == (first.run.pointer, first.step, first.part, first.run.scale, beside)
        };
        let length = rest.iter().enumerate().take_while(|(k, x)| is_next(*k, x)).count();
        let lanes = 64 / usize::from(first.run.scale);
        let taken = [lanes, lanes / 2].into_iter().find(|&n| n <= length);
        if let Some(n) = taken {
            found.push(rest[..n].to_vec());
        }
        rest = &rest[taken.unwrap_or(length)..];
    }
    found
}

/// Instructions being written.
struct Blocks {
    insts: Vec<Inst>,
    vectors: u32,
}

impl Blocks {
    fn vector(&mut self) -> V {
        self.vectors += 1;
        V(self.vectors - 1)
    }

    /// Turns a block; the last step writes to `results`, where they are given.
    fn turn(&mut self, size: Size, mut rows: Vec<V>, results: Option<&Group>) -> Vec<V> {
        let mut side = 1;
        while side < rows.len() {
            let is_last = 2 * side == rows.len();
            for k in (0..rows.len()).filter(|k| k & side == 0) {
                let [a, b] = [rows[k], rows[k + side]];
                for (row, second) in [(k, false), (k + side, true)] {
                    let to = match results {
                        Some(group) if is_last => group[row].value,
                        Some(_) | None => self.vector(),
                    };
                    self.insts.push(Inst::Turn { size, side: side as u8, second, a, b, to });
                    rows[row] = to;
                }
            }
            side *= 2;
        }
        rows
    }

    fn load(&mut self, group: &Group) {
        let Strided { run, step, .. } = group[0];
        let (n, lanes) = (group.len(), 64 / usize::from(run.scale));
        let rows = (0..n).map(|k| {
            let mut row = |row: usize, low: Option<V>| {
                let to = self.vector();
                let width = if n == lanes { 64 } else { 32 };
                self.insts.push(Inst::Row { run, step, row: row as u8, low, width, to });
                to
            };
            let low = row(k, None);
            if n == lanes { low } else { row(k + n, Some(low)) }
        });
        let rows = rows.collect();
        self.turn(run.scale, rows, Some(group));
    }

    fn store(&mut self, group: &Group) {
        let Strided { run, step, .. } = group[0];
        let (n, lanes) = (group.len(), 64 / usize::from(run.scale));
        let rows = self.turn(run.scale, group.iter().map(|x| x.value).collect(), None);
        for (k, &from) in rows.iter().enumerate() {
            let mut keep = |row: usize, upper: bool, width: u8| {
                self.insts.push(Inst::KeepRow { run, step, row: row as u8, upper, width, from });
            };
            if n == lanes {
                keep(k, false, 64);
            } else {
                keep(k, false, 32);
                keep(k + n, true, 32);
            }
        }
    }
}

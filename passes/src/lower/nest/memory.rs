//! Memory of the program being lowered, and the plan that packs scratch memory.
//!
//! Time is a counter that advances with each unit of work. A buffer lives from its allocation to its last
//! use; a use inside a loop of a buffer from outside keeps it until the loop ends. [`Memory::plan`] gives each
//! scratch buffer the best-fitting free range.

use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;
use wengert_ir::entity::{Entity, EntityVec};
use wengert_ir::kernel::*;
use wengert_ir::types::{Dims, MAX_BYTES};

/// Scratch buffers begin at multiples of so many bytes.
const ALIGN: usize = 64;

#[derive(Clone, Copy, Debug)]
struct Life {
    born: u32,
    last: u32,
    bytes: usize,
}

struct Scope {
    start: u32,
    touched: Vec<Mem>,
}

/// The memory of a program.
#[derive(Default)]
pub struct Memory {
    /// Each that was asked for.
    pub mems: EntityVec<Mem, MemDef>,
    life: Vec<Option<Life>>,
    time: u32,
    loops: Vec<Scope>,
    constants: FxHashMap<(Arc<[u8]>, Scalar), Mem>,
    /// Whether a scratch buffer was asked for that no memory can be: the program has no [plan](Self::plan) then.
    too_large: bool,
}

impl Memory {
    pub(in crate::lower) fn fixed(&mut self, elem: Scalar, shape: &[usize], place: Place) -> Mem {
        self.life.push(None);
        self.mems.push(MemDef { elem, shape: shape.into(), place })
    }

    /// Scratch memory from now to its last [`Self::touch`].
    pub fn scratch(&mut self, elem: Scalar, shape: &[usize]) -> Mem {
        let mut def = MemDef { elem, shape: Dims::from_slice(shape), place: Place::Scratch(0) };
        let bytes = def.checked_bytes().unwrap_or_else(|| {
            self.too_large = true;
            def.shape = Dims::from_slice(&[0]);
            0
        });
        self.life.push(Some(Life { born: self.time, last: self.time, bytes }));
        self.mems.push(def)
    }

    /// A constant, once per content.
    pub(in crate::lower) fn constant(&mut self, elem: Scalar, shape: &[usize], bytes: &[u8]) -> Mem {
        let bytes: Arc<[u8]> = bytes.into();
        if let Some(&mem) = self.constants.get(&(bytes.clone(), elem)) {
            return mem;
        }
        let mem = self.fixed(elem, shape, Place::Constant(bytes.clone()));
        self.constants.insert((bytes, elem), mem);
        mem
    }

    /// The memory turned out not to be needed.
    pub(in crate::lower) fn forget(&mut self, mem: Mem) {
        if let Some(life) = &mut self.life[mem.index()] {
            life.bytes = 0;
            life.last = life.born;
            self.mems[mem].shape = Dims::from_slice(&[0]);
        }
    }

    /// Elements of a memory; of a stack, of one row.
    pub(in crate::lower) fn len(&self, mem: Mem) -> usize {
        self.mems[mem].elements()
    }

    pub(in crate::lower) fn elem(&self, mem: Mem) -> Scalar {
        self.mems[mem].elem
    }

    /// The memory is used now.
    pub fn touch(&mut self, mem: Mem) {
        if let Some(life) = &mut self.life[mem.index()] {
            life.last = self.time;
            if let Some(scope) = self.loops.last_mut()
                && life.born <= scope.start
                && scope.touched.last() != Some(&mem)
            {
                scope.touched.push(mem);
            }
        }
    }

    /// The next unit of work begins.
    pub fn tick(&mut self) {
        self.time += 1;
    }

    /// A loop begins.
    pub fn enter_loop(&mut self) {
        self.loops.push(Scope { start: self.time, touched: Vec::new() });
        self.time += 1;
    }

    /// It ends: what it touched is used until here.
    pub fn leave_loop(&mut self) {
        let scope = self.loops.pop().expect("inside a loop");
        self.time += 1;
        for mem in scope.touched {
            self.touch(mem);
        }
        self.time += 1;
    }

    /// Leaves a loop that one launch runs: what its trips use is all there at once.
    pub(in crate::lower) fn leave_launch(&mut self) {
        let start = self.loops.last().expect("inside a loop").start;
        self.leave_loop();
        let now = self.time;
        for life in self.life.iter_mut().flatten().filter(|l| l.born > start && l.bytes > 0) {
            (life.born, life.last) = (start, now);
        }
        self.time += 1;
    }

    /// Places scratch memories so that no two share a byte; the bytes of all.
    pub(in crate::lower) fn apart(mems: &mut EntityVec<Mem, MemDef>) -> Option<usize> {
        let mut end = 0usize;
        for def in mems.values_mut() {
            if let Place::Scratch(_) = def.place {
                let bytes = def.checked_bytes()?.max(1).checked_next_multiple_of(ALIGN)?;
                def.place = Place::Scratch(end);
                end = end.checked_add(bytes).filter(|&n| n <= MAX_BYTES)?;
            }
        }
        Some(end)
    }

    /// Bytes of all scratch buffers together, or the largest number.
    pub(in crate::lower) fn unshared(&self) -> usize {
        self.life.iter().flatten().fold(0usize, |sum, l| sum.saturating_add(l.bytes.next_multiple_of(ALIGN)))
    }

    /// Places scratch buffers; returns the bytes of all, or `None` if they are more than memory can have.
    pub fn plan(&mut self) -> Option<usize> {
        if self.too_large {
            return None;
        }
        let mut order: Vec<(u32, u32, usize, Mem)> = self
            .mems
            .keys()
            .filter_map(|m| {
                self.life[m.index()].map(|l| (l.born, l.last, l.bytes.next_multiple_of(ALIGN), m))
            })
            .collect();
        order.sort_by_key(|&(born, _, bytes, m)| (born, std::cmp::Reverse(bytes), m.index()));
        let mut active: BTreeMap<(u32, Mem), (usize, usize)> = BTreeMap::new();
        // Free ranges by offset; the last reaches to the end of all memory.
        let mut free: BTreeMap<usize, usize> = BTreeMap::from([(0, MAX_BYTES)]);
        let mut peak = 0;
        for (born, last, bytes, mem) in order {
            while let Some(entry) = active.first_entry()
                && entry.key().0 < born
            {
                let (offset, size) = entry.remove();
                release(&mut free, offset, size);
            }
            let bytes = bytes.max(ALIGN);
            let (&offset, &size) = free
                .iter()
                .filter(|&(_, &size)| size >= bytes)
                .min_by_key(|&(&offset, &size)| (size, offset))?;
            free.remove(&offset);
            if size > bytes {
                free.insert(offset + bytes, size - bytes);
            }
            active.insert((last, mem), (offset, bytes));
            peak = peak.max(offset + bytes);
            self.mems[mem].place = Place::Scratch(offset);
        }
        Some(peak)
    }
}

fn release(free: &mut BTreeMap<usize, usize>, mut offset: usize, mut size: usize) {
    if let Some((&before, &n)) = free.range(..offset).next_back()
        && before + n == offset
    {
        free.remove(&before);
        offset = before;
        size += n;
    }
    if let Some(&n) = free.get(&(offset + size)) {
        free.remove(&(offset + size));
        size += n;
    }
    free.insert(offset, size);
}

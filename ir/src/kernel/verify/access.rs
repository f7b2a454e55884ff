//! Accesses, calls and library calls: that all of them stay in their memories.

use super::range::{Interval, Linear, hull};
use super::{Checker, elements};
use crate::kernel::product::{Level, MOST_LEVELS};
use crate::kernel::{Access, Extent, KernelId, Library, Matrix, MemKind, Place, Scalar};
use crate::types::TensorType;

impl Checker<'_> {
    /// Checks an access to `count` elements from its position on.
    pub(super) fn access(&mut self, access: &Access, count: i128) {
        self.access_to(access, Linear::constant(count));
    }

    fn access_to(&mut self, access: &Access, count: Linear) {
        let Some(def) = self.kernel.mems.get(access.mem) else {
            return self.error(format!("there is no memref {}", access.mem));
        };
        let before = self.errors.len();
        for (k, &(v, _)) in access.terms.iter().enumerate() {
            self.expect(v, Scalar::I64);
            let repeats = access.terms[..k].iter().any(|t| t.0 == v);
            self.require(!repeats, || format!("{v} occurs twice in one access"));
        }
        if self.errors.len() > before || self.is_dead {
            return;
        }
        let first = Linear::position(access);
        let Some(end) = first.plus(&count) else {
            return self.error(format!("a position in {} that does not fit", access.mem));
        };
        let ends_within =
            |room: &Linear| end.subtracted_from(room).is_some_and(|n| self.ranges.is_nonnegative(&n));
        let fits = match (def.kind, self.place(access.mem)) {
            // As many rows as room was made for.
            (MemKind::Program(mem), Some(Place::Stack)) => {
                let stack = &self.program.mems[mem];
                let row = elements(&stack.shape, stack.elem).unwrap_or(0) as i128;
                let mut made = self.reserved.iter().rev().filter(|(m, _)| *m == access.mem);
                made.any(|&(_, rows)| {
                    let mut room = Linear::constant(0);
                    room.add(rows, row).is_some() && ends_within(&room)
                })
            }
            (MemKind::Program(_) | MemKind::Param(_) | MemKind::Local | MemKind::Workgroup, _) => {
                ends_within(&Linear::constant(def.len as i128))
            }
        };
        if !fits || !self.ranges.is_nonnegative(&first) {
            // Numbers make the better message, where there are any.
            let (mem, len) = (access.mem, def.len);
            let bounds = (self.ranges.bounds(&first), self.ranges.bounds(&end));
            let (low, high) = match bounds {
                (Some((low, _)), Some((_, end))) => (low, end - 1),
                _ => (i128::MIN, i128::MAX),
            };
            let has =
                if self.is_stack(mem) { "rows that room was made for".to_owned() } else { len.to_string() };
            self.error(format!("access to {low}..={high} of {mem}, which has {has}"));
        }
    }

    pub(super) fn call(
        &mut self,
        kernel: KernelId,
        mems: &[Access],
        types: &[Scalar],
        scalars: Vec<Interval>,
    ) {
        let Some(callee) = self.program.kernels.get(kernel) else {
            return self.error(format!("there is no {kernel}"));
        };
        let is_entry = kernel == self.program.entry;
        self.require(!is_entry, || "the entry is called by nobody");
        let takes = || callee.body.params.iter().map(|&v| callee.values.get(v).copied());
        self.require(takes().eq(types.iter().map(|&ty| Some(ty))), || {
            let takes: Vec<Scalar> = takes().flatten().collect();
            format!("`{}` takes {takes:?}, not {types:?}", callee.name)
        });
        let params = callee.mems.values().filter(|m| matches!(m.kind, MemKind::Param(_))).count();
        self.require(params == mems.len(), || {
            format!("`{}` takes {params} memories, not {}", callee.name, mems.len())
        });
        for def in callee.mems.values() {
            let MemKind::Param(k) = def.kind else { continue };
            let Some(access) = mems.get(k as usize) else { continue };
            self.access(access, def.len as i128);
            let elem = self.elem(access.mem);
            self.require(elem == Some(def.elem), || {
                format!("argument {k} of `{}` is of {elem:?}", callee.name)
            });
            if self.is_fixed(access.mem) {
                self.given[kernel].fixed.insert(k);
            }
            if self.is_host(access.mem) {
                self.given[kernel].host.insert(k);
            }
        }
        let local = self.given[self.id].local;
        let given = &mut self.given[kernel];
        given.local = given.local.max(local);
        match &mut given.scalars {
            _ if self.is_dead => {}
            None => given.scalars = Some(scalars),
            Some(known) => known.iter_mut().zip(scalars).for_each(|(known, new)| *known = hull(*known, new)),
        }
    }

    pub(super) fn library(&mut self, call: &Library) {
        match call {
            Library::Gemm { elem, sizes, rows, depth, a, b, c, adds: _ } => {
                self.require(elem.is_float(), || "a product of floats");
                let levels = rows.iter().chain(depth).map(|l| l.extent);
                let all = sizes.iter().copied().chain(levels).map(|n| n.max(1));
                let work = all.into_iter().try_fold(1usize, usize::checked_mul);
                let fits = work.is_some_and(|n| isize::try_from(n).is_ok());
                if !self.require(fits, || "a product whose size does not fit") {
                    return;
                }
                let few = rows.len() <= MOST_LEVELS && depth.len() <= MOST_LEVELS;
                self.require(few, || format!("a product with more than {MOST_LEVELS} levels"));
                let together = rows.is_empty() && depth.is_empty() || c.col_stride == 1;
                self.require(together, || "a product with levels whose columns do not lie together");
                let [batches, m, n, k] = *sizes;
                let of = |k: usize, levels: &[Level]| -> Vec<(usize, i64)> {
                    levels.iter().map(|l| (l.extent, l.strides[k])).collect()
                };
                self.matrix(*elem, a, [batches, m, k], &[of(0, rows), of(0, depth)].concat());
                self.matrix(*elem, b, [batches, k, n], &of(1, depth));
                self.matrix(*elem, c, [batches, m, n], &of(1, rows));
                // Threads write them at the same time.
                let apart = lie_apart([batches, m, n].into_iter().zip(strides(c)).chain(of(1, rows)));
                self.require(apart, || "a product whose elements may lie in one place");
                self.writable(c.at.mem);
            }
            Library::Tile { src, dst, len, .. } => self.tile(&[src], dst, *len),
            Library::Tile2 { a, b, dst, len, .. } => self.tile(&[a, b], dst, *len),
            Library::Reference { program, inputs, outputs } => {
                self.tensors("inputs", inputs, program.params());
                self.tensors("outputs", outputs, program.results());
                outputs.iter().for_each(|a| self.writable(a.mem));
            }
            Library::Section(_) => {}
        }
    }

    /// Whole tensors in memory.
    fn tensors(&mut self, what: &str, accesses: &[Access], types: &[TensorType]) {
        self.require(accesses.len() == types.len(), || {
            format!("the program has {} {what}, not {}", types.len(), accesses.len())
        });
        for (access, ty) in accesses.iter().zip(types) {
            let (elem, shape) = Scalar::held(ty);
            let found = self.elem(access.mem);
            self.require(found == Some(elem), || format!("{} is of {found:?}, not {elem}", access.mem));
            match elements(&shape, elem) {
                Some(count) => self.access(access, count as i128),
                None => self.error(format!("{ty} has no memory form")),
            }
        }
    }

    /// A matrix with further levels, each its extent and its stride; its sizes are known to fit.
    fn matrix(&mut self, elem: Scalar, m: &Matrix, sizes: [usize; 3], levels: &[(usize, i64)]) {
        let walks = || sizes.into_iter().zip(strides(m)).chain(levels.iter().copied());
        let found = self.elem(m.at.mem);
        self.require(found == Some(elem), || format!("{} is of {found:?}, not {elem}", m.at.mem));
        if walks().any(|(n, _)| n == 0) {
            return self.access(&m.at, 0);
        }
        let farthest = walks().map(|(n, stride)| (n as i128 - 1) * i128::from(stride));
        let farthest: Vec<i128> = farthest.collect();
        self.require(farthest.iter().all(|&n| n >= 0), || "a stride is negative");
        self.access(&m.at, farthest.iter().fold(1i128, |sum, &n| sum.saturating_add(n.max(0))));
    }

    fn tile(&mut self, sources: &[&Access], dst: &Access, len: Extent) {
        let (least, most) = self.ranges.of_extent(len);
        let is_dead = self.is_dead;
        self.require(least >= 0 || is_dead, || format!("a tile of {least}..={most} elements"));
        let mut count = Linear::constant(0);
        if count.add_extent(len).is_none() {
            return self.error("a tile whose size does not fit");
        }
        let elem = self.elem(dst.mem);
        self.require(elem.is_some_and(Scalar::is_float), || "tiles are of floats");
        for access in sources.iter().copied().chain([dst]) {
            self.access_to(access, count.clone());
            let found = self.elem(access.mem);
            self.require(found == elem, || format!("{} is of {found:?}, not {elem:?}", access.mem));
        }
        self.writable(dst.mem);
    }
}

fn strides(m: &Matrix) -> [i64; 3] {
    [m.batch_stride, m.row_stride, m.col_stride]
}

/// Whether no two indices of dimensions, each its extent and its stride, are one place: each steps over all that those with shorter
/// steps reach.
fn lie_apart(dims: impl Iterator<Item = (usize, i64)>) -> bool {
    let mut dims: Vec<(i64, usize)> = dims.filter(|&(n, _)| n != 1).map(|(n, stride)| (stride, n)).collect();
    dims.sort_unstable();
    let mut reach = 0i128;
    let apart = dims.iter().all(|&(stride, n)| {
        let apart = i128::from(stride) > reach;
        reach += (n as i128 - 1) * i128::from(stride);
        apart
    });
    apart || dims.iter().any(|&(_, n)| n == 0)
}

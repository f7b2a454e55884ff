//! Matrix products as loops: kernel IR to kernel IR, for programs that have no library.
//!
//! `c[i, j]` starts from zero, or from what it is if the product is added, and takes `a[i, k] * b[k, j]` in order of `k`, each rounded
//! once where the machine can: the order of most of the runtime's small products. Of few columns whose sums run along memory the terms
//! are added by lanes.
//!
//! [`ROWS`] rows times [`DEPTH`] terms of the sum are one vector loop along the columns (or along the rows, if those lie together):
//! each vector of `b` is used for every row, each of `c` for every term. Columns that do not lie together are copied
//! to memory of the kernel first, a panel at a time. Sums of more than [`CHUNK`] terms are added up in parts, as the runtime's are:
//! one running sum of two million `f32` terms errs by 6e-4.

use smallvec::{SmallVec, smallvec};
use std::borrow::Cow;
use wengert_ir::kernel::product::Level;
use wengert_ir::kernel::{
    Access, BLOCK, Block, Combine, Extent, For, KBinary, KInst, KOp, KValue, Kernel, Library, LoopKind,
    Matrix, MemKind, MemRef, MemRefDef, Program, Scalar,
};

/// Rows that a vector loop computes.
const ROWS: usize = 4;
/// Terms that it adds to each.
const DEPTH: usize = 8;
/// Bytes of the panel that is copied, a part of the fastest cache, and its rows.
const PANEL: usize = 32 << 10;
const PANEL_ROWS: usize = 64;
/// Of fewer columns a vector loop makes little.
const FEW: usize = 8;
/// Terms that are added before they are added to the rest.
const CHUNK: usize = 2048;
/// Bytes of what such a part is added up in, and its rows if there are many columns.
const PART: usize = 32 << 10;
const PART_ROWS: usize = 8 * ROWS;

/// The program with loops in place of its matrix products; `fuses`: the machine multiplies and adds in one instruction.
pub(crate) fn with_products(program: &Program, fuses: bool) -> Cow<'_, Program> {
    let mut program = Cow::Borrowed(program);
    let ids: Vec<_> = program.kernels.iter().map(|(id, _)| id).collect();
    for id in ids {
        let mut any = false;
        program.kernels[id].body.visit(&mut |inst| any |= product(&inst.op).is_some());
        if any {
            let kernel = &mut program.to_mut().kernels[id];
            let body = std::mem::take(&mut kernel.body);
            kernel.body = rewrite(kernel, body, fuses, &mut Panels::new());
        }
    }
    program
}

fn product(op: &KOp) -> Option<&Library> {
    match op {
        KOp::Library(library) if matches!(**library, Library::Gemm { .. }) => Some(library),
        _ => None,
    }
}

/// The memories of a kernel for panels and parts, by the type of their elements: all products of a kernel have one of each, because
/// they are on the stack.
type Panels = SmallVec<[(Use, Scalar, MemRef); 2]>;

/// What memory of the kernel holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// Rows of `b`, whose columns lie together there.
    Panel,
    /// Sums of some terms.
    Part,
}

fn rewrite(kernel: &mut Kernel, mut block: Block, fuses: bool, panels: &mut Panels) -> Block {
    let insts = std::mem::take(&mut block.insts);
    for mut inst in insts {
        if let Some(Library::Gemm { elem, sizes, rows, depth, a, b, c, adds }) = product(&inst.op) {
            let levels = [rows, depth].map(|levels| &levels[..]);
            let matrices = [a, b, c].map(View::of);
            let mut loops = Loops { kernel, elem: *elem, adds: *adds, fuses, panels };
            loops.product(&mut block.insts, *sizes, levels, matrices);
            continue;
        }
        for inner in inst.op.blocks_mut() {
            *inner = rewrite(kernel, std::mem::take(inner), fuses, panels);
        }
        block.insts.push(inst);
    }
    block
}

/// A matrix: its first element, and how far the next row, column and batch are.
#[derive(Clone)]
struct View {
    at: Access,
    row: i64,
    col: i64,
    batch: i64,
}

impl View {
    fn of(matrix: &Matrix) -> View {
        let Matrix { at, row_stride: row, col_stride: col, batch_stride: batch } = matrix;
        View { at: at.clone(), row: *row, col: *col, batch: *batch }
    }

    fn transposed(self) -> View {
        View { row: self.col, col: self.row, ..self }
    }

    /// From where counters are on.
    fn from(&self, terms: &[Term]) -> View {
        let mut view = self.clone();
        view.at.terms.extend(terms.iter().copied().filter(|term| term.1 != 0));
        view
    }

    /// From an element on.
    fn beyond(&self, row: usize, col: usize) -> View {
        let mut view = self.clone();
        view.at.offset += row as i64 * self.row + col as i64 * self.col;
        view
    }

    /// From a row on.
    fn row_at(&self, row: At) -> View {
        self.along(row, self.row)
    }

    /// From a column on.
    fn col_at(&self, col: At) -> View {
        self.along(col, self.col)
    }

    /// From a place of a dimension on.
    fn along(&self, at: At, stride: i64) -> View {
        match at {
            At::Counter(i) => self.from(&[(i, stride)]),
            At::Constant(i) => {
                let mut view = self.clone();
                view.at.offset += i as i64 * stride;
                view
            }
        }
    }

    /// An element of a row, at a counter of columns.
    fn element(&self, row: usize, col: KValue) -> Access {
        self.beyond(row, 0).from(&[(col, self.col)]).at
    }
}

struct Loops<'k> {
    kernel: &'k mut Kernel,
    elem: Scalar,
    adds: bool,
    fuses: bool,
    panels: &'k mut Panels,
}

impl<'k> Loops<'k> {
    fn product(
        &mut self,
        out: &mut Vec<KInst>,
        [batches, m, n, k]: [usize; 4],
        [rows, depth]: [&[Level]; 2],
        [a, b, c]: [View; 3],
    ) {
        // Vectors along the rows instead of the columns, if those of the result lie together.
        let turns =
            rows.is_empty() && c.row == 1 && m > n && (c.col != 1 || n < FEW) && (a.row == 1 || n >= ROWS);
        let ([a, b, c], [m, n]) = match turns {
            true => ([b, a, c].map(View::transposed), [n, m]),
            false => ([a, b, c], [m, n]),
        };
        // Levels of the sum are beside `a` and `b` as they were.
        let levels: Vec<Nested> = depth
            .iter()
            .map(|l| (l.extent, if turns { [l.strides[1], l.strides[0]] } else { l.strides }))
            .collect();
        let rows: Vec<Nested> = rows.iter().map(|l| (l.extent, l.strides)).collect();
        let terms = levels.iter().fold(k, |terms, l| terms.saturating_mul(l.0));
        self.count(out, batches, LoopKind::Sequential, |l, out, batch| {
            let [a, b, c] = [&a, &b, &c].map(|x| x.from(&[(batch, x.batch)]));
            if !l.adds {
                l.nest(out, &rows, &mut |l, out, [_, to]| l.clear(out, [m, n], &c.from(to)));
            }
            match terms > CHUNK && m > 0 && n > 0 {
                true => l.in_parts(out, &rows, &levels, [m, n, k], [&a, &b, &c]),
                false => l.sum(out, &rows, &levels, [m, n, k], [&a, &b, &c]),
            }
        });
    }

    /// `c += a * b` with some thousand terms added up by themselves, a tile of `c` at a time.
    fn in_parts(
        &mut self,
        out: &mut Vec<KInst>,
        rows: &[Nested],
        levels: &[Nested],
        [m, n, k]: [usize; 3],
        [a, b, c]: [&View; 3],
    ) {
        let dims: Vec<Nested> = levels.iter().copied().chain([(k, [a.col, b.row])]).collect();
        // The dimension that is cut, and into how many of it at a time; those within it are whole.
        let (mut cut, mut inner) = (dims.len() - 1, 1);
        while dims[cut].0.saturating_mul(inner) <= CHUNK {
            inner *= dims[cut].0;
            cut -= 1;
        }
        let most = PART / self.elem.size();
        let wide = n.min(most / m.min(PART_ROWS));
        let fits = most / wide;
        let high = if m <= fits { m } else { fits - fits % ROWS };
        self.nest(out, rows, &mut |l, out, [row, to]| {
            let (a, c) = (a.from(row), c.from(to));
            l.steps(out, n, wide, &mut |l, out, first, width| {
                let (b, c) = (b.col_at(first), c.col_at(first));
                l.steps(out, m, high, &mut |l, out, first, height| {
                    let (a, c) = (a.row_at(first), c.row_at(first));
                    let at =
                        Access { mem: l.memory(Use::Part, high * wide), offset: 0, terms: SmallVec::new() };
                    let part = View { at, row: wide as i64, col: 1, batch: 0 };
                    l.nest(out, &dims[..cut], &mut |l, out, [col, from]| {
                        let (a, b) = (a.from(col), b.from(from));
                        let (extent, strides) = dims[cut];
                        l.steps(out, extent, CHUNK / inner, &mut |l, out, first, some| {
                            let (a, b) = (a.along(first, strides[0]), b.along(first, strides[1]));
                            let mut dims = dims[cut..].to_vec();
                            dims[0].0 = some;
                            let (k, levels) = dims.split_last().expect("the sum itself is one");
                            l.clear(out, [height, width], &part);
                            l.sum(out, &[], levels, [height, width, k.0], [&a, &b, &part]);
                            l.add(out, [height, width], &part, &c);
                        });
                    });
                });
            });
        });
    }

    /// `c += a * b`.
    fn sum(
        &mut self,
        out: &mut Vec<KInst>,
        rows: &[Nested],
        levels: &[Nested],
        [m, n, k]: [usize; 3],
        [a, b, c]: [&View; 3],
    ) {
        let dots = n < FEW && a.col == 1 && b.row == 1 && k >= 2 * FEW;
        let users = m * rows.iter().map(|r| r.0).product::<usize>();
        let copies = b.col != 1 && users >= 2 * ROWS && !dots && n > 1 && k > 0;
        self.nest(out, levels, &mut |l, out, [col, from]| {
            let (a, b) = (a.from(col), b.from(from));
            if copies {
                l.in_panels(out, rows, [m, n, k], [&a, &b, c]);
                return;
            }
            l.nest(out, rows, &mut |l, out, [row, to]| {
                let (a, c) = (a.from(row), c.from(to));
                match dots {
                    true => l.dots(out, [m, n, k], [&a, &b, &c]),
                    false => l.blocks(out, [m, n, k], [&a, &b, &c]),
                }
            });
        });
    }

    /// Zeros in place of a matrix.
    fn clear(&mut self, out: &mut Vec<KInst>, [m, n]: [usize; 2], c: &View) {
        self.count(out, m, LoopKind::Sequential, |l, out, i| {
            let c = c.from(&[(i, c.row)]);
            l.count(out, n, LoopKind::Vector, |l, out, j| {
                let zero = l.emit(out, KOp::Const(0), &[]);
                store(out, c.element(0, j), zero);
            });
        });
    }

    /// `c += part`.
    fn add(&mut self, out: &mut Vec<KInst>, [m, n]: [usize; 2], part: &View, c: &View) {
        self.count(out, m, LoopKind::Sequential, |l, out, i| {
            let (part, c) = (part.from(&[(i, part.row)]), c.from(&[(i, c.row)]));
            l.count(out, n, LoopKind::Vector, |l, out, j| {
                let before = l.emit(out, KOp::Load(c.element(0, j)), &[]);
                let more = l.emit(out, KOp::Load(part.element(0, j)), &[]);
                let sum = l.emit(out, KOp::Binary(KBinary::Add), &[before, more]);
                store(out, c.element(0, j), sum);
            });
        });
    }

    /// `c += a * b` by vector loops along the columns.
    fn blocks(&mut self, out: &mut Vec<KInst>, [m, n, k]: [usize; 3], [a, b, c]: [&View; 3]) {
        self.steps(out, m, ROWS, &mut |l, out, first, rows| {
            let (a, c) = (a.row_at(first), c.row_at(first));
            l.steps(out, k, DEPTH, &mut |l, out, first, depth| {
                let (a, b) = (a.col_at(first), b.row_at(first));
                l.block(out, [rows, n, depth], [&a, &b, &c]);
            });
        });
    }

    /// Some rows and some terms of the sum, written out, in one vector loop along the columns.
    fn block(&mut self, out: &mut Vec<KInst>, [rows, n, depth]: [usize; 3], [a, b, c]: [&View; 3]) {
        let xs: Vec<Vec<KValue>> = (0..rows)
            .map(|r| (0..depth).map(|p| self.emit(out, KOp::Load(a.beyond(r, p).at), &[])).collect())
            .collect();
        self.count(out, n, LoopKind::Vector, |l, out, j| {
            let mut sums: Vec<KValue> =
                (0..rows).map(|r| l.emit(out, KOp::Load(c.element(r, j)), &[])).collect();
            for p in 0..depth {
                let y = l.emit(out, KOp::Load(b.element(p, j)), &[]);
                for (sum, xs) in sums.iter_mut().zip(&xs) {
                    *sum = l.add_product(out, xs[p], y, *sum);
                }
            }
            for (r, sum) in sums.into_iter().enumerate() {
                store(out, c.element(r, j), sum);
            }
        });
    }

    /// `c += a * b` with panels of `b` copied, so that its columns lie together.
    fn in_panels(
        &mut self,
        out: &mut Vec<KInst>,
        rows: &[Nested],
        [m, n, k]: [usize; 3],
        [a, b, c]: [&View; 3],
    ) {
        let deep = k.min(PANEL_ROWS);
        let wide = n.min(PANEL / self.elem.size() / deep);
        let at = Access { mem: self.memory(Use::Panel, deep * wide), offset: 0, terms: SmallVec::new() };
        let panel = View { at, row: wide as i64, col: 1, batch: 0 };
        self.steps(out, n, wide, &mut |l, out, first, width| {
            let (b, c) = (b.col_at(first), c.col_at(first));
            l.steps(out, k, deep, &mut |l, out, first, depth| {
                let (a, b) = (a.col_at(first), b.row_at(first));
                l.count(out, depth, LoopKind::Sequential, |l, out, p| {
                    let (from, to) = (b.from(&[(p, b.row)]), panel.from(&[(p, panel.row)]));
                    l.count(out, width, LoopKind::Vector, |l, out, j| {
                        let y = l.emit(out, KOp::Load(from.element(0, j)), &[]);
                        store(out, to.element(0, j), y);
                    });
                });
                l.nest(out, rows, &mut |l, out, [row, to]| {
                    l.blocks(out, [m, width, depth], [&a.from(row), &panel, &c.from(to)]);
                });
            });
        });
    }

    /// Memory of the kernel for so many elements.
    fn memory(&mut self, holds: Use, len: usize) -> MemRef {
        if let Some(&(.., mem)) = self.panels.iter().find(|known| (known.0, known.1) == (holds, self.elem)) {
            let known = &mut self.kernel.mems[mem].len;
            *known = len.max(*known);
            return mem;
        }
        let mem = self.kernel.mems.push(MemRefDef { elem: self.elem, len, kind: MemKind::Local });
        self.panels.push((holds, self.elem, mem));
        mem
    }

    /// `c += a * b`, each element sums by lanes of as many terms as a loop of them has.
    fn dots(&mut self, out: &mut Vec<KInst>, [m, n, k]: [usize; 3], [a, b, c]: [&View; 3]) {
        self.count(out, m, LoopKind::Sequential, |l, out, i| {
            let (a, c) = (a.from(&[(i, a.row)]), c.from(&[(i, c.row)]));
            l.steps(out, k, BLOCK, &mut |l, out, first, terms| {
                let (a, b) = (a.col_at(first), b.row_at(first));
                for j in 0..n {
                    l.dot(out, terms, &a, &b.beyond(0, j).transposed(), c.beyond(0, j).at);
                }
            });
        });
    }

    /// `c +=` the sum over the columns of a row of `a` times one of `b`, by lanes.
    fn dot(&mut self, out: &mut Vec<KInst>, terms: usize, a: &View, b: &View, c: Access) {
        let (counter, carried) = (self.kernel.values.push(Scalar::I64), self.kernel.values.push(self.elem));
        let mut insts = Vec::new();
        let x = self.emit(&mut insts, KOp::Load(a.element(0, counter)), &[]);
        let y = self.emit(&mut insts, KOp::Load(b.element(0, counter)), &[]);
        let sum = self.add_product(&mut insts, x, y, carried);
        let body = Block { params: smallvec![counter, carried], insts, yields: smallvec![sum] };
        let kind = LoopKind::Lanes(smallvec![Combine::Add]);
        let (start, end) = (Extent::Const(0), Extent::Const(terms as i64));
        let total = self.kernel.values.push(self.elem);
        out.push(KInst {
            op: KOp::For(Box::new(For { start, end, step: 1, kind, body })),
            operands: smallvec![],
            results: smallvec![total],
        });
        let before = self.emit(out, KOp::Load(c.clone()), &[]);
        let sum = self.emit(out, KOp::Binary(KBinary::Add), &[before, total]);
        store(out, c, sum);
    }

    fn add_product(&mut self, out: &mut Vec<KInst>, x: KValue, y: KValue, sum: KValue) -> KValue {
        if self.fuses {
            return self.emit(out, KOp::Fma, &[x, y, sum]);
        }
        let product = self.emit(out, KOp::Binary(KBinary::Mul), &[x, y]);
        self.emit(out, KOp::Binary(KBinary::Add), &[sum, product])
    }

    /// Does something for so many of a dimension at a time, and for the rest of it.
    fn steps(&mut self, out: &mut Vec<KInst>, extent: usize, step: usize, each: &mut Steps<'_, 'k>) {
        let full = extent - extent % step;
        if full == step {
            each(self, out, At::Constant(0), step);
        } else if full > 0 {
            self.count_by(out, full, step, LoopKind::Sequential, |l, out, counter| {
                each(l, out, At::Counter(counter), step);
            });
        }
        if extent > full {
            each(self, out, At::Constant(full), extent - full);
        }
    }

    /// Loops over levels, with where their counters are in the two matrices.
    fn nest(&mut self, out: &mut Vec<KInst>, levels: &[Nested], body: &mut Body<'_, 'k>) {
        self.nest_from(out, levels, &mut [Vec::new(), Vec::new()], body);
    }

    fn nest_from(
        &mut self,
        out: &mut Vec<KInst>,
        dims: &[Nested],
        places: &mut [Vec<Term>; 2],
        body: &mut Body<'_, 'k>,
    ) {
        let Some((&(extent, strides), inner)) = dims.split_first() else {
            return body(self, out, [&places[0], &places[1]]);
        };
        self.count(out, extent, LoopKind::Sequential, |l, out, counter| {
            places.iter_mut().zip(strides).for_each(|(terms, stride)| terms.push((counter, stride)));
            l.nest_from(out, inner, places, body);
            places.iter_mut().for_each(|terms| terms.truncate(terms.len() - 1));
        });
    }

    fn count(
        &mut self,
        out: &mut Vec<KInst>,
        trips: usize,
        kind: LoopKind,
        body: impl FnOnce(&mut Self, &mut Vec<KInst>, KValue),
    ) {
        self.count_by(out, trips, 1, kind, body);
    }

    fn count_by(
        &mut self,
        out: &mut Vec<KInst>,
        end: usize,
        step: usize,
        kind: LoopKind,
        body: impl FnOnce(&mut Self, &mut Vec<KInst>, KValue),
    ) {
        let counter = self.kernel.values.push(Scalar::I64);
        let mut insts = Vec::new();
        body(self, &mut insts, counter);
        let body = Block { params: smallvec![counter], insts, yields: smallvec![] };
        let l =
            For { start: Extent::Const(0), end: Extent::Const(end as i64), step: step as i64, kind, body };
        out.push(KInst { op: KOp::For(Box::new(l)), operands: smallvec![], results: smallvec![] });
    }

    fn emit(&mut self, out: &mut Vec<KInst>, op: KOp, operands: &[KValue]) -> KValue {
        let result = self.kernel.values.push(self.elem);
        out.push(KInst { op, operands: SmallVec::from_slice(operands), results: smallvec![result] });
        result
    }
}

/// Where some of a dimension begin.
#[derive(Clone, Copy)]
enum At {
    Counter(KValue),
    Constant(usize),
}

/// What is done for some of a dimension: where they begin, and how many there are.
type Steps<'b, 'k> = dyn FnMut(&mut Loops<'k>, &mut Vec<KInst>, At, usize) + 'b;

/// What a nest does at each place in two matrices.
type Body<'b, 'k> = dyn FnMut(&mut Loops<'k>, &mut Vec<KInst>, [&[Term]; 2]) + 'b;

/// A dimension around a product: its extent, and how far one step of it is in two matrices.
type Nested = (usize, [i64; 2]);

/// A counter, and how far one step of it is.
type Term = (KValue, i64);

fn store(out: &mut Vec<KInst>, access: Access, value: KValue) {
    out.push(KInst { op: KOp::Store(access), operands: smallvec![value], results: smallvec![] });
}

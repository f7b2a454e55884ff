//! Matrix products as loops: kernel IR to kernel IR, for programs that have no library.
//!
//! `c[i, j]` starts from zero, or from what it is if the product is added, and takes `a[i, k] * b[k, j]` in order of `k`, each rounded once: the order of
//! most of the runtime's small products (those of few columns may add along vectors).

use smallvec::{SmallVec, smallvec};
use std::borrow::Cow;
use wengert_ir::kernel::product::Level;
use wengert_ir::kernel::{
    Access, Block, Extent, For, KInst, KOp, KValue, Kernel, Library, LoopKind, Matrix, Program, Scalar,
};

/// The program with loops in place of its matrix products.
pub(crate) fn as_loops(program: &Program) -> Cow<'_, Program> {
    let mut program = Cow::Borrowed(program);
    let ids: Vec<_> = program.kernels.iter().map(|(id, _)| id).collect();
    for id in ids {
        let mut any = false;
        program.kernels[id].body.visit(&mut |inst| any |= product(&inst.op).is_some());
        if any {
            let kernel = &mut program.to_mut().kernels[id];
            let body = std::mem::take(&mut kernel.body);
            kernel.body = rewrite(kernel, body);
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

fn rewrite(kernel: &mut Kernel, mut block: Block) -> Block {
    let insts = std::mem::take(&mut block.insts);
    for mut inst in insts {
        if let Some(Library::Gemm { elem, sizes, rows, depth, a, b, c, adds }) = product(&inst.op) {
            let levels = [rows, depth].map(|levels| &levels[..]);
            Loops { kernel, elem: *elem, adds: *adds }.product(&mut block.insts, *sizes, levels, [a, b, c]);
            continue;
        }
        for inner in inst.op.blocks_mut() {
            *inner = rewrite(kernel, std::mem::take(inner));
        }
        block.insts.push(inst);
    }
    block
}

struct Loops<'k> {
    kernel: &'k mut Kernel,
    elem: Scalar,
    adds: bool,
}

impl<'k> Loops<'k> {
    fn product(
        &mut self,
        out: &mut Vec<KInst>,
        [batches, m, n, k]: [usize; 4],
        [rows, depth]: [&[Level]; 2],
        [a, b, c]: [&Matrix; 3],
    ) {
        let at = |x: &Matrix, batch: KValue, row: &[Term], col: &[Term]| {
            let mut access = x.at.clone();
            access.terms.push((batch, x.batch_stride));
            access.terms.extend(row.iter().chain(col).copied());
            access
        };
        self.count(out, batches, LoopKind::Sequential, |l, out, batch| {
            l.nest(out, rows, (m, [a.row_stride, c.row_stride]), &mut |l, out, [row, to]| {
                if !l.adds {
                    l.count(out, n, LoopKind::Vector, |l, out, j| {
                        let zero = l.emit(out, KOp::Const(0), &[]);
                        store(out, at(c, batch, to, &[(j, c.col_stride)]), zero);
                    });
                }
                l.nest(out, depth, (k, [a.col_stride, b.row_stride]), &mut |l, out, [col, from]| {
                    let x = l.emit(out, KOp::Load(at(a, batch, row, col)), &[]);
                    l.count(out, n, LoopKind::Vector, |l, out, j| {
                        let y = l.emit(out, KOp::Load(at(b, batch, from, &[(j, b.col_stride)])), &[]);
                        let sum = l.emit(out, KOp::Load(at(c, batch, to, &[(j, c.col_stride)])), &[]);
                        let sum = l.emit(out, KOp::Fma, &[x, y, sum]);
                        store(out, at(c, batch, to, &[(j, c.col_stride)]), sum);
                    });
                });
            });
        });
    }

    /// Loops over levels and the innermost dimension, with where their counters are in the two matrices.
    fn nest(
        &mut self,
        out: &mut Vec<KInst>,
        levels: &[Level],
        (extent, strides): (usize, [i64; 2]),
        body: &mut Body<'_, 'k>,
    ) {
        let all: Vec<(usize, [i64; 2])> =
            levels.iter().map(|l| (l.extent, l.strides)).chain([(extent, strides)]).collect();
        self.nest_from(out, &all, &mut [Vec::new(), Vec::new()], body);
    }

    fn nest_from(
        &mut self,
        out: &mut Vec<KInst>,
        dims: &[(usize, [i64; 2])],
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
        let counter = self.kernel.values.push(Scalar::I64);
        let mut insts = Vec::new();
        body(self, &mut insts, counter);
        let body = Block { params: smallvec![counter], insts, yields: smallvec![] };
        let l = For { start: Extent::Const(0), end: Extent::Const(trips as i64), step: 1, kind, body };
        out.push(KInst { op: KOp::For(Box::new(l)), operands: smallvec![], results: smallvec![] });
    }

    fn emit(&mut self, out: &mut Vec<KInst>, op: KOp, operands: &[KValue]) -> KValue {
        let result = self.kernel.values.push(self.elem);
        out.push(KInst { op, operands: SmallVec::from_slice(operands), results: smallvec![result] });
        result
    }
}

/// What a nest does at each place in two matrices.
type Body<'b, 'k> = dyn FnMut(&mut Loops<'k>, &mut Vec<KInst>, [&[Term]; 2]) + 'b;

/// A counter, and how far one step of it is.
type Term = (KValue, i64);

fn store(out: &mut Vec<KInst>, access: Access, value: KValue) {
    out.push(KInst { op: KOp::Store(access), operands: smallvec![value], results: smallvec![] });
}

//! Matrix products as loops: kernel IR to kernel IR, for programs that have no library.
//!
//! `c[i, j]` starts from zero, or from what it is if the product is added, and takes `a[i, k] * b[k, j]` in order of `k`, each rounded once: the order of the
//! runtime's small products.

use smallvec::{SmallVec, smallvec};
use std::borrow::Cow;
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
        if let Some(&Library::Gemm { elem, sizes, ref a, ref b, ref c, adds }) = product(&inst.op) {
            Loops { kernel, elem, adds }.product(&mut block.insts, sizes, a, b, c);
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

impl Loops<'_> {
    fn product(
        &mut self,
        out: &mut Vec<KInst>,
        [batches, m, n, k]: [usize; 4],
        a: &Matrix,
        b: &Matrix,
        c: &Matrix,
    ) {
        let at = |x: &Matrix, batch: KValue, row: KValue, col: KValue| {
            let mut access = x.at.clone();
            access.terms.extend([(batch, x.batch_stride), (row, x.row_stride), (col, x.col_stride)]);
            access
        };
        self.count(out, batches, LoopKind::Sequential, |l, out, batch| {
            l.count(out, m, LoopKind::Sequential, |l, out, i| {
                if !l.adds {
                    l.count(out, n, LoopKind::Vector, |l, out, j| {
                        let zero = l.emit(out, KOp::Const(0), &[]);
                        store(out, at(c, batch, i, j), zero);
                    });
                }
                l.count(out, k, LoopKind::Sequential, |l, out, p| {
                    let x = l.emit(out, KOp::Load(at(a, batch, i, p)), &[]);
                    l.count(out, n, LoopKind::Vector, |l, out, j| {
                        let y = l.emit(out, KOp::Load(at(b, batch, p, j)), &[]);
                        let sum = l.emit(out, KOp::Load(at(c, batch, i, j)), &[]);
                        let sum = l.emit(out, KOp::Fma, &[x, y, sum]);
                        store(out, at(c, batch, i, j), sum);
                    });
                });
            });
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

fn store(out: &mut Vec<KInst>, access: Access, value: KValue) {
    out.push(KInst { op: KOp::Store(access), operands: smallvec![value], results: smallvec![] });
}

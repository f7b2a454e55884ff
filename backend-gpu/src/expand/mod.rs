//! Kernels of few operations from kernels of all: what printers do not know is written out in what they do.
//!
//! After [`expand`] a kernel has no function of the math library, no float remainder and no `next_after`; every bit is what it was. The math library's formulas are the ones of `wengert_ir::math`, run on lanes that are values of the
//! kernel under construction ([`lane`]), so there is no second copy to keep equal. Where a device has no fused
//! multiply-add, [`Means::fma`] says what stands for it; only that changes bits.

mod fma;
mod lane;
mod plain;
mod remainder;

use std::cell::RefCell;
use wengert_ir::entity::EntityVec;
use wengert_ir::kernel::build::KernelBuilder;
use wengert_ir::kernel::{Block, Extent, KBinary, KInst, KOp, KValue, Kernel, Scalar};
use wengert_ir::math::lane::next_after;

/// What a multiplication with an addition that is rounded once becomes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Fma {
    /// The device has it.
    #[default]
    Native,
    /// Sums of floats whose errors are known (Dekker, Knuth): right but for the last place in rare cases, where the device
    /// contracts nothing by itself.
    Emulated,
}

/// What a device has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Means {
    /// What there is where one rounding is asked for.
    pub fma: Fma,
    /// Whether roots and roundings of binary64 are to be made of arithmetic.
    pub plain_f64: bool,
}

/// The same kernel in fewer operations.
pub fn expand(kernel: &Kernel, means: Means) -> Kernel {
    let types: Vec<Scalar> = kernel.body.params.iter().map(|&p| kernel.values[p]).collect();
    let (mut b, params) = KernelBuilder::new(&kernel.name, &types);
    for def in kernel.mems.values() {
        b.mem(def.elem, def.len, def.kind);
    }
    let mut rewriter = Rewriter { kernel, means, values: EntityVec::filled(None, kernel.values.len()) };
    rewriter.bind(&kernel.body.params, &params);
    kernel.body.insts.iter().for_each(|inst| rewriter.inst(&mut b, inst));
    b.finish()
}

struct Rewriter<'k> {
    kernel: &'k Kernel,
    means: Means,
    /// What stands for each value of the old kernel.
    values: EntityVec<KValue, Option<KValue>>,
}

impl Rewriter<'_> {
    fn bind(&mut self, old: &[KValue], new: &[KValue]) {
        old.iter().zip(new).for_each(|(&old, &new)| self.values[old] = Some(new));
    }

    fn value(&self, old: KValue) -> KValue {
        self.values[old].expect("the verifier has seen that values are defined before they are used")
    }

    fn extent(&self, old: Extent) -> Extent {
        match old {
            Extent::Const(n) => Extent::Const(n),
            Extent::Value(v) => Extent::Value(self.value(v)),
        }
    }

    /// A block like this one.
    fn block(&mut self, b: &mut KernelBuilder, block: &Block) -> Block {
        let types: Vec<Scalar> = block.params.iter().map(|&p| self.kernel.values[p]).collect();
        b.block(&types, |b, params| {
            self.bind(&block.params, params);
            block.insts.iter().for_each(|inst| self.inst(b, inst));
            block.yields.iter().map(|&v| self.value(v)).collect()
        })
    }

    fn inst(&mut self, b: &mut KernelBuilder, inst: &KInst) {
        let operands: Vec<KValue> = inst.operands.iter().map(|&v| self.value(v)).collect();
        let types: Vec<Scalar> = inst.results.iter().map(|&r| self.kernel.values[r]).collect();
        let one = |v: KValue| vec![v];
        let results: Vec<KValue> = match &inst.op {
            KOp::Math(f) => one(lane::formula(b, types[0], &operands, lane::Unary(*f), self.means)),
            KOp::Math2(f) => one(lane::formula(b, types[0], &operands, lane::Binary(*f), self.means)),
            KOp::Binary(KBinary::NextAfter) => {
                one(lane::formula(b, types[0], &operands, lane::NextAfter, self.means))
            }
            KOp::Binary(KBinary::Rem) if types[0].is_float() => {
                one(remainder::remainder(b, types[0], operands[0], operands[1]))
            }
            KOp::Unary(op) if self.means.plain_f64 && types[0] == Scalar::F64 => {
                match plain::unary(b, *op, operands[0]) {
                    Some(made) => one(made),
                    None => b.inst(inst.op.clone(), &operands, &types).to_vec(),
                }
            }
            KOp::Fma if self.means.fma == Fma::Emulated => {
                one(fma::emulated(b, types[0], operands[0], operands[1], operands[2]))
            }
            other => {
                let mut op = other.clone();
                for access in op.accesses_mut() {
                    access.terms.iter_mut().for_each(|t| t.0 = self.value(t.0));
                }
                for extent in op.extents_mut() {
                    *extent = self.extent(*extent);
                }
                let blocks: Vec<Block> = other.blocks().map(|block| self.block(b, block)).collect();
                op.blocks_mut().zip(blocks).for_each(|(place, block)| *place = block);
                b.inst(op, &operands, &types).to_vec()
            }
        };
        self.bind(&inst.results, &results);
    }
}

/// Runs what builds by way of a shared builder.
fn shared<T>(b: &mut KernelBuilder, f: impl FnOnce(&RefCell<KernelBuilder>) -> T) -> T {
    let empty = || KernelBuilder::new("", &[]).0;
    let cell = RefCell::new(std::mem::replace(b, empty()));
    let result = f(&cell);
    *b = cell.into_inner();
    result
}

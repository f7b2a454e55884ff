//! Kernels of few operations from kernels of all: what printers do not know is written out in what they do.
//!
//! After [`expand`] a kernel has no function of the math library, no float remainder and no `next_after`; every bit is what it was. The math library's formulas are those of `wengert_ir::math`, read as
//! instructions of a kernel ([`KernelBuilder::formula`]), so there is no second copy to keep equal. Where a device has no fused
//! multiply-add, [`Means::fma`] says what stands for it; only that changes bits.

mod fma;
mod plain;
mod remainder;

use wengert_ir::entity::EntityVec;
use wengert_ir::kernel::build::KernelBuilder;
use wengert_ir::kernel::{Block, Extent, KBinary, KInst, KOp, KUnary, KValue, Kernel, Scalar};
use wengert_ir::math::formula::{self, Formula, Function, Rare};

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
            KOp::Math(f) => one(function(b, types[0], &operands, Function::One(*f), self.means)),
            KOp::Math2(f) => one(function(b, types[0], &operands, Function::Two(*f), self.means)),
            KOp::Binary(KBinary::NextAfter) => {
                one(function(b, types[0], &operands, Function::NextAfter, self.means))
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

/// What a formula becomes: branches and loops, in operations that devices have or [`Means`] has something for.
const FORMULAS: formula::Means =
    formula::Means { rare: Rare::Branch, canonical: true, clamps: false, counts: true, mul_high: false };

/// Adds the formula of a function.
fn function(b: &mut KernelBuilder, ty: Scalar, operands: &[KValue], f: Function, means: Means) -> KValue {
    let formula = Formula::of(f, ty == Scalar::F64, FORMULAS);
    let mut own = |b: &mut KernelBuilder, op: &KOp, x: &[KValue]| match op {
        KOp::Fma if means.fma == Fma::Emulated => Some(fma::emulated(b, ty, x[0], x[1], x[2])),
        KOp::Unary(KUnary::Sqrt) if means.plain_f64 && ty == Scalar::F64 => {
            plain::unary(b, KUnary::Sqrt, x[0])
        }
        _ => None,
    };
    b.formula(&formula, ty, operands, &mut own).0
}

//! Contraction: a product that is only added to something becomes a fused multiply-add.
//!
//! `a * b + c` is rounded once instead of twice; nothing else changes. C compilers and XLA do it by default, and so do the
//! float modes [`Default`] and [`Relaxed`]; [`Exact`] never. The node is explicit, so kernel text says what runs and the
//! kernel interpreter gives its bits.
//!
//! A product is contracted where its only reader adds it, in the same block. One that has other readers stays
//! as it is: it is computed anyway, and error-free transformations (`p = a * b; e = fma(a, b, -p)`) keep their meaning.
//! A difference becomes an addition of something negated; instructions have that for nothing.
//!
//! [`Default`]: wengert_ir::types::FloatMode::Default
//! [`Relaxed`]: wengert_ir::types::FloatMode::Relaxed
//! [`Exact`]: wengert_ir::types::FloatMode::Exact

use smallvec::{SmallVec, smallvec};
use wengert_ir::entity::{Entity, EntityVec};
use wengert_ir::kernel::{Block, Extent, KBinary, KInst, KOp, KUnary, KValue, Kernel, Scalar};

/// Contracts products in a kernel.
pub(super) fn contract(kernel: &mut Kernel) {
    let (n, values) = (kernel.values.len(), std::mem::take(&mut kernel.values));
    let mut pass =
        Pass { uses: vec![0; n], products: vec![None; n], constants: vec![None; n], values, dropped: false };
    pass.count(&kernel.body);
    pass.block(&mut kernel.body);
    kernel.values = pass.values;
    if kernel.values.len() != n || pass.dropped {
        renumber(kernel);
    }
}

/// Numbers values in the order of their definition; the products that are gone have no number.
fn renumber(kernel: &mut Kernel) {
    fn define(block: &Block, order: &mut Vec<KValue>) {
        order.extend(&block.params);
        for inst in &block.insts {
            inst.op.blocks().for_each(|b| define(b, order));
            order.extend(&inst.results);
        }
    }
    let mut order = Vec::with_capacity(kernel.values.len());
    define(&kernel.body, &mut order);
    let mut new: Vec<Option<KValue>> = vec![None; kernel.values.len()];
    let mut values = EntityVec::new();
    for v in order {
        new[v.index()] = Some(values.push(kernel.values[v]));
    }
    kernel.values = values;
    kernel.body.map_values(&mut |v| new[v.index()].expect("a value is defined before it is read"));
}

struct Pass {
    /// How often each value is read.
    uses: Vec<u32>,
    /// Where in the block at hand a value is made, of products with one reader.
    products: Vec<Option<usize>>,
    /// The bits of constants.
    constants: Vec<Option<u64>>,
    values: EntityVec<KValue, Scalar>,
    /// Whether a product is gone.
    dropped: bool,
}

/// A sum in which a factor pair is found.
struct Sum {
    /// Position of the product in the block.
    product: usize,
    /// Whether the product is subtracted.
    minus: bool,
    /// What it is added to, and whether that is subtracted.
    rest: (KValue, bool),
}

impl Pass {
    fn count(&mut self, block: &Block) {
        let mut read = |v: KValue| self.uses[v.index()] += 1;
        block.yields.iter().for_each(|&v| read(v));
        for inst in &block.insts {
            if let KOp::Const(bits) = inst.op {
                self.constants[inst.results[0].index()] = Some(bits);
            }
            inst.operands.iter().for_each(|&v| read(v));
            inst.op.accesses().iter().flat_map(|access| &access.terms).for_each(|&(v, _)| read(v));
            for extent in inst.op.extents() {
                match *extent {
                    Extent::Value(v) => read(v),
                    Extent::Const(_) => {}
                }
            }
        }
        block.insts.iter().flat_map(|inst| inst.op.blocks()).for_each(|b| self.count(b));
    }

    fn block(&mut self, block: &mut Block) {
        for inst in &mut block.insts {
            inst.op.blocks_mut().for_each(|b| self.block(b));
        }
        let mut sums: Vec<Option<Sum>> = Vec::with_capacity(block.insts.len());
        for (at, inst) in block.insts.iter().enumerate() {
            sums.push(self.sum(inst));
            if self.is_product(inst) {
                self.products[inst.results[0].index()] = Some(at);
            }
        }
        block.insts.iter().flat_map(|inst| &inst.results).for_each(|v| self.products[v.index()] = None);
        if sums.iter().all(Option::is_none) {
            return;
        }
        self.dropped = true;
        let mut gone = vec![false; block.insts.len()];
        sums.iter().flatten().for_each(|sum| gone[sum.product] = true);
        let insts = std::mem::take(&mut block.insts);
        for (at, (inst, sum)) in insts.iter().zip(sums).enumerate() {
            match sum {
                Some(sum) => {
                    let mut factors: SmallVec<[KValue; 2]> =
                        SmallVec::from_slice(&insts[sum.product].operands);
                    if sum.minus {
                        // A constant for choice: it is negated now.
                        let which = usize::from(self.constant(factors[1]).is_some());
                        factors[which] = self.negated(factors[which], &mut block.insts);
                    }
                    let (rest, minus) = sum.rest;
                    let rest = if minus { self.negated(rest, &mut block.insts) } else { rest };
                    let operands = smallvec![factors[0], factors[1], rest];
                    block.insts.push(KInst { op: KOp::Fma, operands, results: inst.results.clone() });
                }
                None if gone[at] => {}
                None => block.insts.push(inst.clone()),
            }
        }
    }

    /// Whether an instruction is a product with one reader.
    fn is_product(&self, inst: &KInst) -> bool {
        matches!(inst.op, KOp::Binary(KBinary::Mul))
            && self.values[inst.results[0]].is_float()
            && self.uses[inst.results[0].index()] == 1
    }

    /// The product that an instruction adds, if it does.
    fn sum(&self, inst: &KInst) -> Option<Sum> {
        let minus = match inst.op {
            KOp::Binary(KBinary::Add) => false,
            KOp::Binary(KBinary::Sub) => true,
            _ => return None,
        };
        let (x, y) = (inst.operands[0], inst.operands[1]);
        let find = |v: KValue| self.products[v.index()];
        // The later of two products, so that chains of sums pass through the operand that is added.
        match (find(x), find(y)) {
            (Some(p), Some(q)) if p > q => Some(Sum { product: p, minus: false, rest: (y, minus) }),
            (_, Some(q)) => Some(Sum { product: q, minus, rest: (x, false) }),
            (Some(p), None) => Some(Sum { product: p, minus: false, rest: (y, minus) }),
            (None, None) => None,
        }
    }

    fn constant(&self, x: KValue) -> Option<u64> {
        self.constants.get(x.index()).copied().flatten()
    }

    fn negated(&mut self, x: KValue, insts: &mut Vec<KInst>) -> KValue {
        let ty = self.values[x];
        let to = self.values.push(ty);
        let (op, operands) = match self.constant(x) {
            Some(bits) => (KOp::Const(bits ^ 1 << (8 * ty.size() - 1)), smallvec![]),
            None => (KOp::Unary(KUnary::Neg), smallvec![x]),
        };
        insts.push(KInst { op, operands, results: smallvec![to] });
        to
    }
}

//! Formulas of the math library as instructions of a kernel.

use super::build::KernelBuilder;
use super::{Extent, KBinary, KCast, KOp, KUnary, KValue, LoopKind, Scalar};
use crate::entity::EntityVec;
use crate::math::formula::{Block, Comparison, FloatOp, Formula, IntOp, Node, Op, Type};
use crate::op::{CompareType, Direction};

/// What a target makes in its own way, of an operation and its operands; `None` for what it does as it is.
pub type Own<'a> = dyn FnMut(&mut KernelBuilder, &KOp, &[KValue]) -> Option<KValue> + 'a;

impl KernelBuilder {
    /// Adds a formula of values of type `ty`; gives its result, and where that is not the function's.
    pub fn formula(
        &mut self,
        formula: &Formula,
        ty: Scalar,
        operands: &[KValue],
        own: &mut Own<'_>,
    ) -> (KValue, Option<KValue>) {
        let int = if ty == Scalar::F64 { Scalar::I64 } else { Scalar::I32 };
        let values = EntityVec::filled(None, formula.nodes.len());
        let mut reader = Reader { formula, ty, int, values, own };
        formula.body.params.iter().zip(operands).for_each(|(&p, &v)| reader.values[p] = Some([v; 2]));
        reader.block(self, &formula.body);
        (reader.value(formula.body.results[0]), formula.rare.map(|v| reader.value(v)))
    }
}

struct Reader<'f, 'o> {
    formula: &'f Formula,
    ty: Scalar,
    int: Scalar,
    /// Results; a node with one has it twice.
    values: EntityVec<Node, Option<[KValue; 2]>>,
    own: &'f mut Own<'o>,
}

impl Reader<'_, '_> {
    fn value(&self, v: Node) -> KValue {
        self.results(v)[0]
    }

    fn results(&self, v: Node) -> [KValue; 2] {
        self.values[v].expect("a formula reads what is before")
    }

    fn block(&mut self, b: &mut KernelBuilder, block: &Block) -> Vec<KValue> {
        for &v in &block.nodes {
            let (op, ty) = &self.formula.nodes[v];
            let ty = match ty {
                Type::Float => self.ty,
                Type::Int => self.int,
                Type::Mask => Scalar::I1,
            };
            self.values[v] = Some(self.op(b, op, ty));
        }
        block.results.iter().map(|&v| self.value(v)).collect()
    }

    fn op(&mut self, b: &mut KernelBuilder, op: &Op, ty: Scalar) -> [KValue; 2] {
        let (float, unsigned) = (CompareType::Float, CompareType::Unsigned);
        let (op, operands): (KOp, &[Node]) = match op {
            Op::Const(word) => return [b.bits(ty, *word); 2],
            Op::Neg(x) => (KOp::Unary(KUnary::Neg), &[*x]),
            Op::Sqrt(x) => (KOp::Unary(KUnary::Sqrt), &[*x]),
            Op::Float(op, x) => (KOp::Binary(arithmetic(*op)), x),
            Op::Fma(x) => (KOp::Fma, x),
            Op::Int(op, x) => (KOp::Binary(whole(*op)), x),
            Op::Compare(Comparison::Less, x) => (KOp::Compare(Direction::Lt, float), x),
            Op::Compare(Comparison::Equal, x) => (KOp::Compare(Direction::Eq, unsigned), x),
            Op::Compare(Comparison::Below, x) => (KOp::Compare(Direction::Lt, unsigned), x),
            Op::Both(x) => (KOp::Binary(KBinary::And), x),
            Op::Select(x) => (KOp::Select, x),
            Op::Cast(x) => (KOp::Cast(KCast::Bits), &[*x]),
            Op::Rarely { mask, common, rare } => {
                let index = b.op(KOp::Cast(KCast::Unsigned), &[self.value(*mask)], Scalar::I32);
                let made = b.switch(index, 2, &[ty], |b, arm| match arm == 1 {
                    true => self.block(b, rare),
                    false => vec![self.value(*common)],
                });
                return [made[0]; 2];
            }
            Op::Count { most, init, step } => {
                let (start, end) = (Extent::Const(0), Extent::Const(i64::from(*most)));
                let init = init.map(|v| self.value(v));
                let made = b.count(start, end, 1, LoopKind::Sequential, &init, |b, i, x| {
                    let most = b.bits(Scalar::I64, u64::from(*most));
                    let k = b.op(KOp::Binary(KBinary::Sub), &[most, i], Scalar::I64);
                    let k = b.op(KOp::Cast(KCast::Signed), &[k], ty);
                    let given = [k, x[0], x[1]];
                    step.params.iter().zip(given).for_each(|(&p, v)| self.values[p] = Some([v; 2]));
                    self.block(b, step)
                });
                return [made[0], made[1]];
            }
            Op::Second(count) => return [self.results(*count)[1]; 2],
            Op::Param | Op::AtMost(_) | Op::AtLeast(_) | Op::Scale(_) => {
                unreachable!("formulas for kernels are made without")
            }
        };
        let operands: Vec<KValue> = operands.iter().map(|&v| self.value(v)).collect();
        [(self.own)(b, &op, &operands).unwrap_or_else(|| b.op(op, &operands, ty)); 2]
    }
}

fn arithmetic(op: FloatOp) -> KBinary {
    match op {
        FloatOp::Add => KBinary::Add,
        FloatOp::Sub => KBinary::Sub,
        FloatOp::Mul => KBinary::Mul,
        FloatOp::Div => KBinary::Div,
    }
}

fn whole(op: IntOp) -> KBinary {
    match op {
        IntOp::Add => KBinary::Add,
        IntOp::Sub => KBinary::Sub,
        IntOp::Mul => KBinary::Mul,
        IntOp::MulHigh => unreachable!("formulas for kernels are made without"),
        IntOp::And => KBinary::And,
        IntOp::Or => KBinary::Or,
        IntOp::Xor => KBinary::Xor,
        IntOp::Shl => KBinary::Shl,
        IntOp::Shr => KBinary::ShrU,
        IntOp::Sar => KBinary::Shr,
    }
}

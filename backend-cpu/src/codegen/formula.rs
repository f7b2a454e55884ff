//! The math library as Cranelift functions, for object files: its formulas, read as instructions of a function under
//! construction. Same bits as every other form.

use super::remainder;
use crate::runtime::entry::Routine;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{Function, InstBuilder, MemFlagsData, Type, Value, types};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use wengert_ir::entity::EntityVec;
use wengert_ir::kernel::Scalar;
use wengert_ir::math::formula::{self, Block, Comparison, FloatOp, Formula, IntOp, Means, Node, Op, Rare};

/// A function branches to what is rare, and its NaN are the library's.
const MEANS: Means =
    Means { rare: Rare::Branch, canonical: true, clamps: false, counts: false, mul_high: true };

/// Builds the body of a routine that is a formula; false if it is none.
pub(crate) fn build(
    routine: Routine,
    func: &mut Function,
    context: &mut FunctionBuilderContext,
    config: TargetFrontendConfig,
) -> bool {
    let (f, ty) = match routine {
        Routine::Math(f, ty) => (formula::Function::One(f), ty),
        Routine::Math2(f, ty) => (formula::Function::Two(f), ty),
        Routine::NextAfter(ty) => (formula::Function::NextAfter, ty),
        Routine::Remainder(ty) => {
            remainder::build(ty, func, context, config);
            return true;
        }
        Routine::Eight(..)
        | Routine::Tile(..)
        | Routine::Tile2(..)
        | Routine::Product
        | Routine::Parallel
        | Routine::Reference
        | Routine::Grow
        | Routine::Section => return false,
    };
    let formula = Formula::of(f, ty == Scalar::F64, MEANS);
    let mut b = FunctionBuilder::new(func, context);
    let entry = b.create_block();
    b.append_block_params_for_function_params(entry);
    b.switch_to_block(entry);
    let values = EntityVec::filled(None, formula.nodes.len());
    let mut reader = Reader { b, formula: &formula, double: ty == Scalar::F64, values };
    for (k, &param) in formula.body.params.iter().enumerate() {
        reader.values[param] = Some(reader.b.block_params(entry)[k]);
    }
    let result = reader.block(&formula.body);
    let mut b = reader.b;
    b.ins().return_(&[result]);
    b.seal_all_blocks();
    b.finalize(config);
    true
}

/// Adds what a formula does to a function.
struct Reader<'f> {
    b: FunctionBuilder<'f>,
    formula: &'f Formula,
    double: bool,
    values: EntityVec<Node, Option<Value>>,
}

impl Reader<'_> {
    fn value(&self, v: Node) -> Value {
        self.values[v].expect("a formula reads what is before")
    }

    /// The type of a node that is a float or an integer.
    fn ty(&self, v: Node) -> Type {
        match (self.formula.nodes[v].1, self.double) {
            (formula::Type::Float, true) => types::F64,
            (formula::Type::Float, false) => types::F32,
            (formula::Type::Int, true) => types::I64,
            (formula::Type::Int, false) => types::I32,
            (formula::Type::Mask, _) => types::I8,
        }
    }

    fn block(&mut self, block: &Block) -> Value {
        for &v in &block.nodes {
            self.values[v] = Some(self.op(v));
        }
        self.value(block.results[0])
    }

    fn op(&mut self, node: Node) -> Value {
        let ty = self.ty(node);
        let op = &self.formula.nodes[node].0;
        let pair = |x: &[Node; 2]| (self.value(x[0]), self.value(x[1]));
        let triple = |x: &[Node; 3]| (self.value(x[0]), self.value(x[1]), self.value(x[2]));
        match op {
            Op::Const(word) => self.constant(ty, *word),
            Op::Neg(x) => {
                let x = self.value(*x);
                self.b.ins().fneg(x)
            }
            Op::Sqrt(x) => {
                let x = self.value(*x);
                self.b.ins().sqrt(x)
            }
            Op::Float(op, x) => self.float(*op, pair(x)),
            Op::Fma(x) => {
                let (x, y, z) = triple(x);
                self.b.ins().fma(x, y, z)
            }
            Op::Int(op, x) => self.int(*op, pair(x)),
            Op::Compare(how, x) => self.compare(*how, pair(x)),
            Op::Both(x) => {
                let (x, y) = pair(x);
                self.b.ins().band(x, y)
            }
            Op::Select(x) => {
                let (mask, x, y) = triple(x);
                self.b.ins().select(mask, x, y)
            }
            Op::Cast(x) => {
                let x = self.value(*x);
                self.b.ins().bitcast(ty, MemFlagsData::new(), x)
            }
            Op::Rarely { mask, common, rare } => {
                let (mask, common) = (self.value(*mask), self.value(*common));
                let join = self.open_rare(mask, ty, common);
                let rare = self.block(rare);
                self.b.ins().jump(join, &[rare.into()]);
                self.b.switch_to_block(join);
                self.b.block_params(join)[0]
            }
            Op::Param | Op::AtMost(_) | Op::AtLeast(_) | Op::Scale(_) | Op::Count { .. } | Op::Second(_) => {
                unreachable!("formulas for functions are made without")
            }
        }
    }

    fn float(&mut self, op: FloatOp, (x, y): (Value, Value)) -> Value {
        match op {
            FloatOp::Add => self.b.ins().fadd(x, y),
            FloatOp::Sub => self.b.ins().fsub(x, y),
            FloatOp::Mul => self.b.ins().fmul(x, y),
            FloatOp::Div => self.b.ins().fdiv(x, y),
        }
    }

    fn int(&mut self, op: IntOp, (x, y): (Value, Value)) -> Value {
        match op {
            IntOp::Add => self.b.ins().iadd(x, y),
            IntOp::Sub => self.b.ins().isub(x, y),
            IntOp::Mul => self.b.ins().imul(x, y),
            IntOp::MulHigh => self.b.ins().umulhi(x, y),
            IntOp::And => self.b.ins().band(x, y),
            IntOp::Or => self.b.ins().bor(x, y),
            IntOp::Xor => self.b.ins().bxor(x, y),
            IntOp::Shl => self.b.ins().ishl(x, y),
            IntOp::Shr => self.b.ins().ushr(x, y),
            IntOp::Sar => self.b.ins().sshr(x, y),
        }
    }

    fn compare(&mut self, how: Comparison, (x, y): (Value, Value)) -> Value {
        match how {
            Comparison::Less => self.b.ins().fcmp(FloatCC::LessThan, x, y),
            Comparison::Equal => self.b.ins().icmp(IntCC::Equal, x, y),
            Comparison::Below => self.b.ins().icmp(IntCC::UnsignedLessThan, x, y),
        }
    }

    fn constant(&mut self, ty: Type, word: u64) -> Value {
        let b = self.b.ins();
        match (ty.is_float(), self.double) {
            (true, true) => b.f64const(f64::from_bits(word)),
            (true, false) => b.f32const(f32::from_bits(word as u32)),
            (false, true) => b.iconst(ty, word as i64),
            (false, false) => b.iconst(ty, i64::from(word as u32 as i32)),
        }
    }

    /// Opens a block for when the mask holds; the block after it, which takes a value of this type, gets `otherwise`.
    fn open_rare(&mut self, mask: Value, ty: Type, otherwise: Value) -> cranelift_codegen::ir::Block {
        let b = &mut self.b;
        let (rare, join) = (b.create_block(), b.create_block());
        b.append_block_param(join, ty);
        b.ins().brif(mask, rare, &[], join, &[otherwise.into()]);
        b.set_cold_block(rare);
        b.switch_to_block(rare);
        join
    }
}

//! Contraction: a product that is only added to something becomes a fused multiply-add.
//!
//! `a * b + c` is rounded once instead of twice; nothing else changes. C compilers and XLA do it by default, and so do the
//! float modes [`Default`] and [`Relaxed`]; [`Exact`] never. It is decided here, once per value of the optimized program,
//! and written down as [`Fma`]: lowering may compute a value in several loops, and whatever compares the copies (the
//! derivatives of maxima, sorting, clamping) needs them to be equal. So the text of the optimized program says what runs,
//! and the reference interpreter gives its bits.
//!
//! A product is contracted where its only reader adds it. One that has other readers stays as it is: it is computed
//! anyway, and error-free transformations (`p = a * b; e = fma(a, b, -p)`) keep their meaning. A difference becomes an
//! addition of something negated; instructions have that for nothing. Elements that are only moved on the way from the
//! product to the sum ([`Reshape`], [`Transpose`]) are moved before it.
//!
//! A sum over few products is a contraction ([`DotGeneral`]), which lowering writes out with fused multiply-adds wherever it
//! computes it. Longer sums keep the order and the rounding that is defined for them.
//!
//! [`Default`]: wengert_ir::types::FloatMode::Default
//! [`Relaxed`]: wengert_ir::types::FloatMode::Relaxed
//! [`Exact`]: wengert_ir::types::FloatMode::Exact
//! [`Reshape`]: wengert_ir::op::Reshape
//! [`Transpose`]: wengert_ir::op::Transpose
//! [`DotGeneral`]: wengert_ir::op::DotGeneral

use crate::inline::rebuilt;
use crate::lower::plan::classify::SHORT;
use crate::rewrite::{self, Env, copy_inst, like};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use wengert_ir::array::Literal;
use wengert_ir::entity::EntityVec;
use wengert_ir::func::{Func, FuncId, Inst, InstId, Loc, Module, Value};
use wengert_ir::op::{BinaryOp, BroadcastInDim, Constant, DotGeneral, Fma, Op, Precision, Reducer, UnaryOp};
use wengert_ir::types::{DType, Dims, FloatMode, TensorType};

/// `func` with products contracted into the sums that read them. It is `func` itself if there are none, and in exact mode.
pub(crate) fn contract(m: &mut Module, func: FuncId) -> FuncId {
    if m.mode == FloatMode::Exact {
        return func;
    }
    rebuilt(m, func, |m, f| Pass::new(f).run(m))
}

struct Pass<'f> {
    func: &'f Func,
    /// How often each value is read.
    uses: EntityVec<Value, u32>,
}

/// A sum with a product that nobody else reads.
enum Sum {
    /// Of two terms.
    Two(Two),
    /// Over few elements of this product.
    Few(InstId),
}

/// A sum of two terms, one of which is a product.
struct Two {
    /// The product.
    product: InstId,
    /// What moves its elements, the last first.
    moves: SmallVec<[InstId; 2]>,
    /// Whether the product is subtracted.
    minus: bool,
    /// What it is added to, and whether that is subtracted.
    rest: (Value, bool),
}

impl<'f> Pass<'f> {
    fn new(func: &'f Func) -> Self {
        let mut uses = EntityVec::filled(0, func.values.len());
        let operands = func.insts.values().flat_map(|inst| &inst.operands);
        operands.chain(&func.results).for_each(|&v| uses[v] += 1);
        Self { func, uses }
    }

    /// The function with its sums contracted, if it has any that can be.
    fn run(&self, m: &Module) -> Option<Func> {
        let f = self.func;
        let mut gone: EntityVec<InstId, bool> = EntityVec::filled(false, f.insts.len());
        let mut sums: FxHashMap<InstId, Sum> = FxHashMap::default();
        for (id, inst) in f.insts.iter() {
            if let Some(sum) = self.two(inst) {
                gone[sum.product] = true;
                sum.moves.iter().for_each(|&k| gone[k] = true);
                sums.insert(id, Sum::Two(sum));
            } else if let Some(product) = self.few(inst) {
                gone[product] = true;
                sums.insert(id, Sum::Few(product));
            }
        }
        if sums.is_empty() {
            return None;
        }
        let (mut out, mut env) = like(f);
        for (id, inst) in f.insts.iter().filter(|(id, _)| !gone[*id]) {
            match sums.get(&id) {
                None => copy_inst(&mut out, f, inst, &mut env),
                Some(Sum::Two(sum)) => self.fuse(m, &mut out, &mut env, inst, sum),
                Some(&Sum::Few(product)) => self.contraction(m, &mut out, &mut env, inst, product),
            }
        }
        out.results = rewrite::mapped(&env, &f.results).to_vec();
        Some(out)
    }

    /// `factor * factor + rest`.
    fn fuse(&self, m: &Module, out: &mut Func, env: &mut Env, inst: &Inst, sum: &Two) {
        let f = self.func;
        let product = &f.insts[sum.product];
        let mut factors = rewrite::mapped(env, &product.operands);
        if sum.minus {
            // A constant for choice: its negative is a constant.
            let which = usize::from(splat(f, product.operands[1]).is_some());
            factors[which] = negated(m, out, factors[which], &product.loc);
        }
        for &k in sum.moves.iter().rev() {
            for v in &mut factors {
                *v = rewrite::push(m, out, f.insts[k].op.clone(), &[*v], &f.insts[k].loc)[0];
            }
        }
        let (rest, minus) = sum.rest;
        let rest = rewrite::mapped(env, &[rest])[0];
        let rest = if minus { negated(m, out, rest, &inst.loc) } else { rest };
        let operands = [factors[0], factors[1], rest];
        env[inst.results[0]] = Some(rewrite::push(m, out, Fma {}, &operands, &inst.loc)[0]);
    }

    /// `init` plus the contraction of a product's factors.
    fn contraction(&self, m: &Module, out: &mut Func, env: &mut Env, inst: &Inst, product: InstId) {
        let Op::Reduce(reduce) = &inst.op else { unreachable!("`few` has seen it") };
        let factors = rewrite::mapped(env, &self.func.insts[product].operands);
        let ty = out.tensor(factors[0]).clone();
        let kept: Dims = (0..ty.rank()).filter(|d| !reduce.dims.contains(d)).collect();
        let dot = DotGeneral {
            lhs_batching_dims: kept.clone(),
            rhs_batching_dims: kept,
            lhs_contracting_dims: reduce.dims.clone(),
            rhs_contracting_dims: reduce.dims.clone(),
            lhs_precision: Precision::Default,
            rhs_precision: Precision::Default,
            dtype: ty.dtype,
        };
        let sum = rewrite::push(m, out, dot, &factors, &inst.loc)[0];
        let shape = out.tensor(sum).shape.clone();
        let init = rewrite::mapped(env, &[inst.operands[1]])[0];
        let init =
            match splat(out, init).map(|(ty, bytes)| Literal::splat_bytes(ty.with_shape(&shape), bytes)) {
                Some(value) => rewrite::push(m, out, Constant { value }, &[], &inst.loc)[0],
                None => {
                    let op = BroadcastInDim { shape, dims: Dims::new() };
                    rewrite::push(m, out, op, &[init], &inst.loc)[0]
                }
            };
        env[inst.results[0]] = Some(rewrite::push(m, out, BinaryOp::Add, &[init, sum], &inst.loc)[0]);
    }

    /// The product over few elements of which an instruction sums.
    fn few(&self, inst: &Inst) -> Option<InstId> {
        let Op::Reduce(r) = &inst.op else { return None };
        let ty = self.func.tensor(inst.operands[0]);
        let count = r.dims.iter().map(|&d| ty.shape[d]).try_fold(1usize, usize::checked_mul)?;
        let adds = r.reducer == Reducer::Op(BinaryOp::Add) && r.inputs == 1;
        if !adds || !(2..=SHORT).contains(&count) || !has_instruction(ty) {
            return None;
        }
        self.product(inst.operands[0]).filter(|(_, moves)| moves.is_empty()).map(|(product, _)| product)
    }

    /// The product that an instruction adds to one other term, if it does.
    fn two(&self, inst: &Inst) -> Option<Two> {
        let minus = match inst.op {
            Op::Binary(BinaryOp::Add) => false,
            Op::Binary(BinaryOp::Subtract) => true,
            _ => return None,
        };
        if !has_instruction(self.func.tensor(inst.results[0])) {
            return None;
        }
        let (x, y) = (inst.operands[0], inst.operands[1]);
        // The later of two products, so that chains of sums pass through the operand that is added.
        match (self.product(x), self.product(y)) {
            (Some((p, moves)), Some((q, _))) if p > q => {
                Some(Two { product: p, moves, minus: false, rest: (y, minus) })
            }
            (_, Some((q, moves))) => Some(Two { product: q, moves, minus, rest: (x, false) }),
            (Some((p, moves)), None) => Some(Two { product: p, moves, minus: false, rest: (y, minus) }),
            (None, None) => None,
        }
    }

    /// The product that a value is, and what moves its elements, if nobody else reads them.
    fn product(&self, mut v: Value) -> Option<(InstId, SmallVec<[InstId; 2]>)> {
        let mut moves = SmallVec::new();
        while self.uses[v] == 1
            && let Some((id, inst)) = self.func.def(v)
        {
            match inst.op {
                Op::Binary(BinaryOp::Multiply) => return Some((id, moves)),
                Op::Reshape(_) | Op::Transpose(_) => {
                    moves.push(id);
                    v = inst.operands[0];
                }
                _ => return None,
            }
        }
        None
    }
}

/// Whether machines multiply and add such numbers with one rounding. Rows of loops of unknown length are left alone: only
/// few operations take them.
fn has_instruction(ty: &TensorType) -> bool {
    matches!(ty.dtype, DType::F32 | DType::F64) && ty.is_static()
}

/// The bytes of the element that a constant repeats.
fn splat(f: &Func, v: Value) -> Option<(&TensorType, &[u8])> {
    match f.def(v).map(|(_, inst)| &inst.op) {
        Some(Op::Constant(c)) => c.value.as_splat().map(|bytes| (c.value.ty(), bytes)),
        _ => None,
    }
}

fn negated(m: &Module, out: &mut Func, x: Value, loc: &Loc) -> Value {
    let constant = splat(out, x).map(|(ty, bytes)| {
        let mut bytes: SmallVec<[u8; 8]> = bytes.into();
        *bytes.last_mut().expect("an element has bytes") ^= 0x80;
        Constant { value: Literal::splat_bytes(ty.clone(), &bytes) }
    });
    match constant {
        Some(constant) => rewrite::push(m, out, constant, &[], loc)[0],
        None => rewrite::push(m, out, UnaryOp::Negate, &[x], loc)[0],
    }
}

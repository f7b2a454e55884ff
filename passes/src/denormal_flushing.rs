//! Subnormal elements of what large matrix products read become zeros, except in exact mode.
//!
//! Some machines multiply subnormal numbers a hundred times slower than others, and gradients of a softmax are full of them;
//! a product reads each element hundreds of times, the kernel that makes it writes it once. An element of the product
//! changes by less than the least normal number times the sum of the other factor's magnitudes. (XLA:CPU treats subnormal
//! numbers as zeros everywhere.)
//!
//! Only what elementwise operations make is changed, in the loop that makes it; arguments are read as they are.

use crate::cost::Target;
use crate::inline::rebuilt;
use crate::lower::plan::classify::is_elementwise;
use crate::rewrite::{self, like, mapped};
use rustc_hash::{FxHashMap, FxHashSet};
use wengert_ir::array::Literal;
use wengert_ir::func::{Func, FuncId, Inst, Loc, Module, Value};
use wengert_ir::op::{Compare, CompareType, Constant, Direction, Op, Select, UnaryOp};
use wengert_ir::types::{DType, FloatMode};

/// `func` with such elements made zeros. It is `func` itself if there are none.
pub(crate) fn flush(m: &mut Module, func: FuncId) -> FuncId {
    if m.mode == FloatMode::Exact {
        return func;
    }
    rebuilt(m, func, |m, f| {
        let chosen: FxHashSet<Value> = f.insts.values().flat_map(|i| factors(f, i)).collect();
        (!chosen.is_empty()).then(|| flushed(m, f, &chosen))
    })
}

/// What elementwise operations make of the factors of a large product, before it is moved about.
fn factors(f: &Func, inst: &Inst) -> Vec<Value> {
    let Op::DotGeneral(dot) = &inst.op else { return Vec::new() };
    let size = |v: Value| f.tensor(v).checked_elements().unwrap_or(usize::MAX);
    let contracted: usize =
        dot.lhs_contracting_dims.iter().map(|&d| f.tensor(inst.operands[0]).shape[d]).product();
    if contracted < 2 || size(inst.results[0]).saturating_mul(contracted) < Target::CPU.sizes.flushed {
        return Vec::new();
    }
    let made = |&v: &Value| {
        let v = source(f, v);
        let inst = f.def(v)?.1;
        // Integers are converted to none.
        let of_integers = matches!(inst.op, Op::Convert(_)) && !f.tensor(inst.operands[0]).dtype.is_float();
        (!of_integers && is_elementwise(f, inst) && least_normal(f.tensor(v).dtype).is_some()).then_some(v)
    };
    inst.operands.iter().filter_map(made).collect()
}

/// Where a value comes from that is only moved about.
fn source(f: &Func, mut v: Value) -> Value {
    while let Some((_, inst)) = f.def(v)
        && let Op::Reshape(_) | Op::Transpose(_) = inst.op
    {
        v = inst.operands[0];
    }
    v
}

fn least_normal(dtype: DType) -> Option<f64> {
    match dtype {
        DType::F32 => Some(f64::from(f32::MIN_POSITIVE)),
        DType::F64 => Some(f64::MIN_POSITIVE),
        _ => None,
    }
}

/// The function with products that read the `chosen` values flushed.
fn flushed(m: &Module, f: &Func, chosen: &FxHashSet<Value>) -> Func {
    let (mut out, mut env) = like(f);
    // What products read in the place of a value: itself flushed, or moved about after that.
    let mut zeroed: FxHashMap<Value, Value> = FxHashMap::default();
    for inst in f.insts.values() {
        if !factors(f, inst).is_empty() {
            let operands: Vec<Value> = inst
                .operands
                .iter()
                .map(|v| zeroed.get(v).copied().unwrap_or_else(|| env[*v].expect("topological order")))
                .collect();
            let types = inst.results.iter().map(|&r| f.ty(r).clone());
            let results = out.push_typed(inst.op.clone(), &operands, types, inst.loc.clone());
            env[inst.results[0]] = Some(results[0]);
            continue;
        }
        rewrite::copy_inst(&mut out, f, inst, &mut env);
        let Some(&v) = inst.results.first() else { continue };
        if chosen.contains(&v) {
            let new = mapped(&env, &[v])[0];
            zeroed.insert(v, without_subnormals(m, &mut out, new, &inst.loc));
        } else if let Op::Reshape(_) | Op::Transpose(_) = inst.op
            && let Some(&operand) = zeroed.get(&inst.operands[0])
        {
            let moved = rewrite::push(m, &mut out, inst.op.clone(), &[operand], &inst.loc)[0];
            zeroed.insert(v, moved);
        }
    }
    out.results = mapped(&env, &f.results).to_vec();
    out
}

/// `|x| < least normal ? 0 : x`.
fn without_subnormals(m: &Module, out: &mut Func, x: Value, loc: &Loc) -> Value {
    let ty = out.tensor(x).clone();
    let least = least_normal(ty.dtype).expect("chosen by it");
    let mut push = |op: Op, operands: &[Value]| rewrite::push(m, out, op, operands, loc)[0];
    let size = push(UnaryOp::Abs.into(), &[x]);
    let limit = push(Constant { value: Literal::splat(ty.clone(), least) }.into(), &[]);
    let zero = push(Constant { value: Literal::splat(ty, 0.0) }.into(), &[]);
    let order = Compare { direction: Direction::Lt, kind: CompareType::Float };
    let tiny = push(order.into(), &[size, limit]);
    push(Select {}.into(), &[tiny, zero, x])
}

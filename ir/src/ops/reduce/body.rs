//! Bodies of reductions: which are monoids, and how any other becomes a scan.

use super::is_monoid;
use crate::array::Literal;
use crate::entity::EntityVec;
use crate::func::{Func, FuncId, FuncKind, Loc, Module, Value};
use crate::op::{
    BinaryOp, BroadcastInDim, Constant, Kind, Op, Reduce, Reducer, Reshape, Scan, Transpose as TransposeOp,
};
use crate::types::{DYNAMIC, Dims, Type};
use smallvec::smallvec;

/// The monoid that a reducer's body is, if it is one: `(a, b) -> op(a, b)` or `op(b, a)`.
pub fn recognise(module: &Module, body: FuncId) -> Option<BinaryOp> {
    let body = module.get(body);
    let (&[a, b], &[out], 1) = (&body.params[..], &body.results[..], body.insts.len()) else { return None };
    let inst = body.insts.values().next()?;
    let Op::Binary(op) = inst.op else { return None };
    let same = inst.operands[..] == [a, b] || inst.operands[..] == [b, a];
    (is_monoid(op) && same && inst.results[0] == out).then_some(op)
}

/// A function that computes the same as a reduction with a body of its own, from the same operands, as a
/// scan over the reduced elements. Differentiation goes through it.
///
/// `None` if a dimension is dynamic.
pub fn as_scan(module: &mut Module, reduce: &Reduce, operands: &[Type]) -> Option<FuncId> {
    let Reducer::Func(reducer) = reduce.reducer else { return None };
    let n = reduce.inputs;
    let first = operands.first()?.as_tensor()?.clone();
    if !first.is_static() {
        return None;
    }
    let kept = reduce.kept(first.rank());
    let kept_shape: Dims = kept.iter().map(|&d| first.shape[d]).collect();
    let length: usize = reduce.dims.iter().map(|&d| first.shape[d]).product();
    let perm: Dims = reduce.dims.iter().chain(&kept).copied().collect();

    // One trip: captures, what is accumulated, one row of each input.
    let mut body = Func::new("", FuncKind::Region);
    let accumulated = |k: usize| operands[k].tensor().with_shape(&kept_shape);
    let mut args: Vec<Value> = operands[2 * n..].iter().map(|ty| body.param(ty.clone())).collect();
    for _ in 0..2 {
        args.extend((0..n).map(|k| body.param(accumulated(k))));
    }
    let (captures, args) = args.split_at(operands.len() - 2 * n);
    body.results = apply(module, &mut body, reducer, captures, args, &kept_shape)?;
    let body = module.add(body);

    let mut func = Func::new(module.fresh_name("reduce"), FuncKind::Private);
    let params: Vec<Value> = operands.iter().map(|ty| func.param(ty.clone())).collect();
    let mut push = |op: Op, operands: &[Value]| func.push(module, op, operands, Loc::Unknown).ok();
    let mut scanned: Vec<Value> = params[2 * n..].to_vec();
    for &init in &params[n..2 * n] {
        let spread = BroadcastInDim { shape: kept_shape.clone(), dims: Dims::new() };
        scanned.push(push(spread.into(), &[init])?[0]);
    }
    let mut rows: Dims = smallvec![length];
    rows.extend_from_slice(&kept_shape);
    for &x in &params[..n] {
        let x = push(TransposeOp { perm: perm.clone() }.into(), &[x])?[0];
        scanned.push(push(Reshape { shape: rows.clone() }.into(), &[x])?[0]);
    }
    let consts = params.len() - 2 * n;
    let scan = Scan { body, consts, carry: n, reverse: false, length };
    func.results = push(scan.into(), &scanned)?.to_vec();
    Some(module.add(func))
}

/// Appends a function of captures and scalars, applied to the elements of tensors of `shape`: as elementwise
/// operations if its body has no others, else as a loop over the elements.
///
/// `None` if `shape` is dynamic.
pub(crate) fn apply(
    module: &Module,
    func: &mut Func,
    callee: FuncId,
    captures: &[Value],
    args: &[Value],
    shape: &[usize],
) -> Option<Vec<Value>> {
    if shape.contains(&DYNAMIC) {
        return None;
    }
    let body = module.get(callee);
    let all = [captures, args].concat();
    if shape.is_empty() {
        return Some(func.inline(&body, &all));
    }
    let before = func.clone();
    if let Some(results) = lift(module, func, &body, &all, shape) {
        return Some(results);
    }
    *func = before;
    let length = shape.iter().product();
    let mut push = |op: Op, operands: &[Value]| func.push(module, op, operands, Loc::Unknown).ok();
    let mut scanned = captures.to_vec();
    for &x in args {
        scanned.push(push(Reshape { shape: smallvec![length] }.into(), &[x])?[0]);
    }
    let scan = Scan { body: callee, consts: captures.len(), carry: 0, reverse: false, length };
    let lines = push(scan.into(), &scanned)?;
    lines.iter().map(|&y| Some(push(Reshape { shape: shape.into() }.into(), &[y])?[0])).collect()
}

/// Appends `callee`, a function of scalars, to `func` with every scalar that depends on an argument of
/// `shape` replaced by a tensor of `shape`.
pub(crate) fn lift(
    module: &Module,
    func: &mut Func,
    callee: &Func,
    args: &[Value],
    shape: &[usize],
) -> Option<Vec<Value>> {
    let mut map: EntityVec<Value, Option<Value>> = EntityVec::filled(None, callee.values.len());
    for (&param, &arg) in callee.params.iter().zip(args) {
        map[param] = Some(arg);
    }
    let spread = |func: &mut Func, v: Value| {
        if func.tensor(v).shape[..] == *shape {
            return Some(v);
        }
        let op = match func.constant(v) {
            Some(c) => match c.as_splat() {
                Some(bytes) => {
                    Constant { value: Literal::splat_bytes(c.ty().with_shape(shape), bytes) }.into()
                }
                None => return None,
            },
            None => BroadcastInDim { shape: shape.into(), dims: Dims::new() }.into(),
        };
        let operands: &[Value] = if matches!(op, Op::Constant(_)) { &[] } else { &[v] };
        Some(func.push(module, op, operands, Loc::Unknown).ok()?[0])
    };
    for (_, inst) in callee.insts.iter() {
        let mut operands: Vec<Value> = inst.operands.iter().map(|&v| map[v]).collect::<Option<_>>()?;
        let lifted = operands.iter().any(|&v| func.tensor(v).rank() > 0);
        let scalars = inst.operands.iter().chain(&inst.results).all(|&v| callee.tensor(v).rank() == 0);
        let results: Vec<Value> = if !lifted {
            func.push(module, inst.op.clone(), &operands, inst.loc.clone()).ok()?.to_vec()
        } else if let Op::Call(call) = &inst.op {
            lift(module, func, &module.get(call.callee), &operands, shape)?
        } else if scalars && inst.op.kind() == Kind::Elementwise {
            for v in &mut operands {
                *v = spread(func, *v)?;
            }
            let mut op = inst.op.clone();
            if let Op::BitcastConvert(op) = &mut op {
                op.ty = op.ty.with_shape(shape);
            }
            func.push(module, op, &operands, inst.loc.clone()).ok()?.to_vec()
        } else if let (true, Op::Reshape(_) | Op::Transpose(_) | Op::BroadcastInDim(_)) = (scalars, &inst.op)
        {
            operands // a scalar stays what it is
        } else {
            return None;
        };
        for (&old, new) in inst.results.iter().zip(results) {
            map[old] = Some(new);
        }
    }
    callee.results.iter().map(|&r| map[r].and_then(|v| spread(func, v))).collect()
}

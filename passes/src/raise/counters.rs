//! What counts in a loop: the carry that its condition asks, and those that move with it.

use super::affine::{self, Counter, Known, integer};
use wengert_ir::func::{Func, Value};
use wengert_ir::op::{BinaryOp, Direction, Op};

/// The carry that counts: `cond` is `carry < limit` with a known limit, and the body adds one.
pub(super) fn find_counter(
    cond: &Func,
    body: &Func,
    consts: usize,
    operand: impl Fn(usize) -> Option<i128>,
) -> Option<Counter> {
    let (_, compare) = cond.def(cond.results[0])?;
    let Op::Compare(c) = &compare.op else { return None };
    let (left, right) = (compare.operands[0], compare.operands[1]);
    let (count, limit, extra) = match c.direction {
        Direction::Lt => (left, right, 0),
        Direction::Le => (left, right, 1),
        Direction::Gt => (right, left, 0),
        Direction::Ge => (right, left, 1),
        Direction::Eq | Direction::Ne => return None,
    };
    let param = |f: &Func, v: Value| f.params.iter().position(|&p| p == v);
    let k = param(cond, count).filter(|&k| k >= consts)?;
    let ty = cond.tensor(count);
    if ty.rank() != 0 || !ty.dtype.is_integer() {
        return None;
    }
    let limit = match cond.constant(limit) {
        Some(value) => integer(value)?,
        None => operand(param(cond, limit).filter(|&j| j < consts)?)?,
    };
    if step_of(body, k, consts)? != 1 {
        return None;
    }
    let start = operand(k)?;
    let limit = (limit + extra).max(start);
    // The last addition may not wrap, and a signed number must count the trips.
    affine::fits(ty.dtype, limit).then_some(())?;
    i64::try_from(limit - start).ok()?;
    Some(Counter { param: k, dtype: ty.dtype, start, limit })
}

/// By how much parameter `k` of the body moves in every trip, if that is a constant.
fn step_of(body: &Func, k: usize, consts: usize) -> Option<i128> {
    let (_, next) = body.def(body.results[k - consts])?;
    let &[a, b] = &next.operands[..] else { return None };
    let (param, constant) = (body.params[k], |v: Value| body.constant(v).and_then(integer));
    let adds = matches!(next.op, Op::Binary(BinaryOp::Add));
    if adds && b == param {
        return constant(a);
    }
    let subtracts = matches!(next.op, Op::Binary(BinaryOp::Subtract));
    let by = constant(b).filter(|_| a == param && (adds || subtracts))?;
    Some(if subtracts { -by } else { by })
}

/// Parameters of the body, the counter not among them, that are an affine function of the counter.
pub(super) fn find_steps(
    body: &Func,
    consts: usize,
    counter: &Counter,
    operand: impl Fn(usize) -> Option<i128>,
) -> Vec<(usize, Known)> {
    let one = |k: usize| {
        let ty = body.tensor(body.params[k]);
        if k == counter.param || ty.rank() != 0 || !ty.dtype.is_integer() {
            return None;
        }
        let (scale, start) = (step_of(body, k, consts)?, operand(k)?);
        let offset = start.checked_sub(scale.checked_mul(counter.start)?)?;
        let last = scale.checked_mul(counter.limit)?.checked_add(offset)?;
        // Neither the steps nor the counter, which is converted, may wrap in the type.
        let all = [start, last, counter.start, counter.limit, scale, offset];
        all.iter().all(|&v| affine::fits(ty.dtype, v)).then_some((k, Known::Int { scale, offset }))
    };
    (consts..body.params.len()).filter_map(one).collect()
}

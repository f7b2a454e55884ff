//! `scan` and `while`. They differ only in who says how often: linearized, both become a primal loop with
//! more ys and a linear *scan*.

use super::{Loop, LoopKind};
use crate::ad::activity::present;
use crate::ad::emit::{Single, Split};
use crate::ad::residuals::Place;
use crate::ad::walk::Linear;
use crate::error::TransformError;
use crate::hoist;
use crate::rewrite::{count, filter, reshape_func};
use crate::total::Totality;
use std::ops::Range;
use wengert_ir::func::{Func, FuncId, Value, Values};
use wengert_ir::op::{Op, Scan};
use wengert_ir::types::Type;

/// Where a residual of the body lives.
enum Home {
    /// Outside: it is the same in every trip.
    Outside(Value),
    /// In an operand that is sliced already.
    Xs(Value),
    /// In the stacked result of this number of the body's results.
    Ys(usize),
}

/// Primal results, and tangents of the active ones.
pub(in crate::ad) fn linearize(
    s: &mut Split<'_>,
    l: &Loop,
    all: &[Value],
    all_tangents: &[Option<Value>],
) -> Result<Linear, TransformError> {
    let (x, dx) = (&all[l.first..], &all_tangents[l.first..]);
    let mut active: Vec<bool> = dx.iter().map(Option::is_some).collect();
    let out = s.activity.fixpoint(s.module, l, &mut active);
    let free: Vec<bool> = (0..x.len()).map(|k| k < l.consts || k >= l.consts + l.carry).collect();
    let lin = crate::ad::linearize::linearize(
        s.module,
        s.activity,
        l.body,
        &active,
        &out,
        Place::Region { free: &free },
    )?;
    let (nc, nk) = (l.consts, l.carry);

    // The primal loop: more ys, for residuals that have no place yet.
    let primal_body = s.module.get(lin.primal);
    let n = out.len();
    // What no trip changes is computed once, outside.
    let invariant = hoist::invariant(s.module, &mut Totality::default(), &primal_body, nc, |_| true);
    let fixed: Vec<Value> = primal_body.results[n..].iter().copied().filter(|&r| invariant[r]).collect();
    let outer = hoist::outside(&mut s.primal, &primal_body, &x[..nc], &fixed);
    let mut results = primal_body.results[..n].to_vec();
    let mut places = Vec::new();
    for &r in &primal_body.results[n..] {
        let place = if let Some(v) = outer[r] {
            Home::Outside(v)
        } else if let Some(k) = primal_body.params[nc + nk..].iter().position(|&p| p == r) {
            Home::Xs(x[nc + nk + k])
        } else if let Some(k) = results[nk..].iter().position(|&y| y == r) {
            Home::Ys(nk + k)
        } else {
            results.push(r);
            Home::Ys(results.len() - 1)
        };
        places.push(place);
    }
    let mut primal = l.clone();
    primal.ys = results.len() - nk;
    let mut body = Func::clone(&primal_body);
    body.results = results;
    primal.body = s.module.add(body);
    if matches!(l.kind, LoopKind::While { .. }) {
        primal.after = 1;
    }
    let outs = s.push_primal(primal.op(), all);

    // The linear loop: consts = invariant residuals, dconsts; carry = dcarry; xs = stacked residuals, dxs.
    let linear_body = s.module.get(lin.linear);
    let [ac, ak, ax] = sections(l).map(|r| count(&active[r]));
    let nr = places.len();
    let mut map = vec![0; linear_body.params.len()];
    let mut types = Vec::new();
    let mut operands = Values::new();
    if l.length() == wengert_ir::types::DYNAMIC {
        let trips = match l.kind {
            LoopKind::Scan { .. } => all[0],
            LoopKind::While { .. } => outs[nk],
        };
        operands.push(s.lift(trips));
    }
    let mut place = |old: usize, operand: Value, operands: &mut Values| {
        map[old] = types.len();
        types.push(linear_body.ty(linear_body.params[old]).clone());
        operands.push(operand);
    };
    for (k, p) in places.iter().enumerate() {
        if let Home::Outside(v) = p {
            place(k, s.lift(*v), &mut operands);
        }
    }
    for (k, t) in present(&dx[..nc]).into_iter().enumerate() {
        place(nr + k, t, &mut operands);
    }
    let consts = operands.len() - (l.length() == wengert_ir::types::DYNAMIC) as usize;
    for (j, k) in (nc..nc + nk).filter(|&k| active[k]).enumerate() {
        let t = match dx[k] {
            Some(t) => t,
            None => {
                let ty = s.primal.ty(x[k]).clone(); // became active inside
                s.zero(&ty)
            }
        };
        place(nr + ac + j, t, &mut operands);
    }
    for (k, p) in places.iter().enumerate() {
        match p {
            Home::Outside(_) => {}
            Home::Xs(v) => place(k, s.lift(*v), &mut operands),
            Home::Ys(y) => place(k, s.lift(outs[primal.result_of(*y)]), &mut operands),
        }
    }
    for (k, t) in present(&dx[nc + nk..]).into_iter().enumerate() {
        place(nr + ac + ak + k, t, &mut operands);
    }
    debug_assert_eq!(nr + ac + ak + ax, linear_body.params.len(), "parameters of the linear body");
    let all_results: Vec<usize> = (0..linear_body.results.len()).collect();
    let body = reshape_func(&linear_body, &types, &map, &all_results);
    let body = s.module.add(body);
    let op = Scan { body, consts, carry: ak, reverse: l.reverse(), length: l.length() };
    let tangents = s.push_linear(op, &operands);

    // The caller knows the results the original loop had.
    let mut results = Values::new();
    let mut found = vec![None; nk + l.after + l.ys];
    results.extend_from_slice(&outs[..nk]);
    results.extend_from_slice(&outs[nk..nk + l.after]);
    results.extend_from_slice(&outs[nk + primal.after..nk + primal.after + l.ys]);
    for (k, t) in (0..n).filter(|&k| out[k]).zip(tangents) {
        found[l.result_of(k)] = Some(t);
    }
    Ok((results, found))
}

/// Consts, carry and xs among the body's parameters.
fn sections(l: &Loop) -> [Range<usize>; 3] {
    let (c, k) = (l.consts, l.consts + l.carry);
    [0..c, c..k, k..k + l.xs]
}

/// Forward mode: values and tangents in one loop.
pub(in crate::ad) fn jvp(
    s: &mut Single<'_>,
    l: &Loop,
    all: &[Value],
    all_tangents: &[Option<Value>],
) -> Result<Linear, TransformError> {
    let (x, dx) = (&all[l.first..], &all_tangents[l.first..]);
    let mut active: Vec<bool> = dx.iter().map(Option::is_some).collect();
    let out = s.activity.fixpoint(s.module, l, &mut active);
    let body = crate::ad::jvp::jvp(s.module, s.activity, l.body, &active, &out)?;
    let mut given = Vec::new();
    for ((&v, t), _) in x.iter().zip(dx).zip(&active).filter(|(_, a)| **a) {
        given.push(match t {
            Some(t) => *t,
            None => {
                let ty = s.func.ty(v).clone(); // became active inside
                s.zero(&ty)
            }
        });
    }
    let (values, tangents) = forward(s, l, all, &given, &active, &out, body, 1);
    Ok((values, tangents.into_iter().map(|t| t.first().copied()).collect()))
}

/// The loop over a body of values that each come with `n` others, tangents or coefficients: the body takes its parameters and
/// then those of the active ones, and gives its results and then those of the ones in `out`. `given` are those of the active
/// operands, one after the other. Gives the results, and for each what came with it.
#[expect(clippy::too_many_arguments, reason = "a loop, what goes in, and which of it counts")]
pub(in crate::ad) fn forward(
    s: &mut Single<'_>,
    l: &Loop,
    all: &[Value],
    given: &[Value],
    active: &[bool],
    out: &[bool],
    body: FuncId,
    n: usize,
) -> (Values, Vec<Vec<Value>>) {
    let x = &all[l.first..];
    let body = s.module.get(body);

    // Each section of parameters is followed by what comes with it; so are carry and ys among the results.
    let mut order: Vec<usize> = Vec::new();
    let mut operands: Values = all[..l.first].into();
    let mut sizes = Vec::new();
    for section in sections(l) {
        let start = order.len();
        order.extend(section.clone());
        operands.extend_from_slice(&x[section.clone()]);
        for k in section.filter(|&k| active[k]) {
            let at = n * count(&active[..k]);
            order.extend(x.len() + at..x.len() + at + n);
            operands.extend_from_slice(&given[at..at + n]);
        }
        sizes.push(order.len() - start);
    }
    let beside = |k: usize| {
        let at = out.len() + n * count(&out[..k]);
        at..at + n
    };
    let (nk, all_results) = (l.carry, out.len());
    let mut results: Vec<usize> = (0..nk).collect();
    results.extend((0..nk).filter(|&k| out[k]).flat_map(beside));
    results.extend(nk..all_results);
    results.extend((nk..all_results).filter(|&k| out[k]).flat_map(beside));
    let mut new = l.clone();
    new.body = s.module.add(permuted(&body, &order, &results));
    (new.consts, new.carry, new.xs) = (sizes[0], sizes[1], sizes[2]);
    new.ys = results.len() - new.carry;
    if let LoopKind::While { cond } = l.kind {
        let cond = s.module.get(cond);
        let types: Vec<Type> = order.iter().map(|&k| body.ty(body.params[k]).clone()).collect();
        let map: Vec<usize> = (0..cond.params.len())
            .map(|k| order.iter().position(|&o| o == k).expect("every parameter has a place"))
            .collect();
        let cond = reshape_func(&cond, &types, &map, &[0]);
        new.kind = LoopKind::While { cond: s.module.add(cond) };
    }
    let outs = s.push(new.op(), &operands);
    let place = |k: usize| new.result_of(results.iter().position(|&r| r == k).expect("every result has one"));
    let mut values = Values::new();
    let mut found = vec![Vec::new(); nk + l.after + l.ys];
    for k in 0..all_results {
        if k == nk {
            values.extend_from_slice(&outs[new.carry..new.carry + l.after]);
        }
        values.push(outs[place(k)]);
        if out[k] {
            found[l.result_of(k)] = beside(k).map(|r| outs[place(r)]).collect();
        }
    }
    if all_results == nk {
        values.extend_from_slice(&outs[new.carry..new.carry + l.after]);
    }
    (values, found)
}

/// `func` with parameter `order[k]` in place `k` and these results.
fn permuted(func: &Func, order: &[usize], results: &[usize]) -> Func {
    let types: Vec<Type> = order.iter().map(|&k| func.ty(func.params[k]).clone()).collect();
    let mut map = vec![0; order.len()];
    for (new, &old) in order.iter().enumerate() {
        map[old] = new;
    }
    reshape_func(func, &types, &map, results)
}

/// Cotangents of the operands of a linear scan (`operands`: the known ones): the scan that runs the other
/// way. Captured linear constants are carried there, summing over trips.
pub(in crate::ad) fn transpose(
    s: &mut Single<'_>,
    l: &Loop,
    operands: &[Option<Value>],
    types: &[Type],
    results: &[Type],
    cotangents: &[Option<Value>],
) -> Result<Vec<Option<Value>>, TransformError> {
    let known = &operands[l.first..];
    let linear: Vec<bool> = known.iter().map(Option::is_none).collect();
    let [consts, carry, xs] = sections(l);
    assert!(linear[carry.clone()].iter().all(|l| *l), "classify accepts linear carries only");
    let (nk, ys) = (l.carry, &cotangents[l.carry..]);
    // Final carries without a cotangent start as zeros; ys without one never become an array.
    let mut has = vec![true; nk];
    has.extend(ys.iter().map(Option::is_some));
    let body = crate::ad::transpose::transpose(s.module, l.body, &linear, &has)?;
    let body = s.module.get(body);

    // The body takes known consts, known xs, cotangents of carry and ys; the loop wants
    // consts | sums, cotangents of carry | known xs, cotangents of ys.
    let nlc = count(&linear[consts.clone()]);
    let (nkc, nkx) = (consts.len() - nlc, xs.len() - count(&linear[xs.clone()]));
    let type_of = |k: usize| body.ty(body.params[k]).clone();
    let mut b = Func::new(body.name.clone(), body.kind);
    let known_consts: Vec<Value> = (0..nkc).map(|k| b.param(type_of(k))).collect();
    let sums: Vec<Value> = (0..nlc).map(|k| b.param(body.ty(body.results[k]).clone())).collect();
    let carried: Vec<Value> = (0..nk).map(|k| b.param(type_of(nkc + nkx + k))).collect();
    let known_xs: Vec<Value> = (0..nkx).map(|k| b.param(type_of(nkc + k))).collect();
    let rows: Vec<Value> = (nkc + nkx + nk..body.params.len()).map(|k| b.param(type_of(k))).collect();
    let args = [known_consts, known_xs, carried, rows].concat();
    let mut found = b.inline(&body, &args);
    for (r, &sum) in found.iter_mut().zip(&sums) {
        let is_zero = b.def(*r).is_some_and(|(_, i)| matches!(i.op, Op::Zero(_)));
        *r = if is_zero { sum } else { crate::ad::transpose::add(s.module, &mut b, &s.loc, sum, *r) };
    }
    b.results = found;
    let body = s.module.add(b);

    let mut args: Values =
        operands[..l.first].iter().map(|c| c.expect("classify: the count is known")).collect();
    args.extend(present(&known[consts.clone()]));
    for k in consts.clone().filter(|&k| linear[k]) {
        args.push(s.zero(&types[l.first + k]));
    }
    for (k, c) in cotangents[..nk].iter().enumerate() {
        args.push(match c {
            Some(c) => *c,
            None => s.zero(&results[k]),
        });
    }
    args.extend(present(&known[xs.clone()]));
    args.extend(present(ys));
    let op = Scan { body, consts: nkc, carry: nlc + nk, reverse: !l.reverse(), length: l.length() };
    let mut outs = s.push(op, &args).into_iter();
    let mut found = vec![None; operands.len()];
    let order = filter(&(0..linear.len()).collect::<Vec<_>>(), &linear);
    for k in order {
        found[l.first + k] = outs.next();
    }
    Ok(found)
}

//! Checks that nobody wrote, in random programs: they change no result, and say what an observer of the program sees.

use super::Rounding;
use super::agreement::{BOUND, agree, agree_all};
use super::check::{Case, compiled, interpret, piped, vectors, verified};
use wengert_ir::array::Array;
use wengert_ir::func::{FuncId, Inst, Module};
use wengert_ir::interp::{Limits, run_watched};
use wengert_ir::op::{BinaryOp, Kind, Op};
use wengert_ir::ops::Starts;
use wengert_ir::types::DType;
use wengert_passes::effects::{Automatic, checked};
use wengert_passes::pipeline::DEFAULT;

/// One program in four.
pub(super) fn checks(case: &Case<'_>) -> Result<(), String> {
    let p = case.program;
    if p.seed % 4 != 2 {
        return Ok(());
    }
    let all = Automatic { nans: true, division: true, indices: true };
    let (m, func) = made(&p.module, p.func, all)?;
    verified("checked", &m, func)?;
    let told = interpret(&m, func, &p.args)?;
    let state = told.len() - case.want.len();
    for (got, want) in told[state..].iter().zip(&case.want) {
        agree(got, want, None).map_err(|e| format!("checked: {e}"))?;
    }
    let mut optimized = m.clone();
    let f = piped(&mut optimized, func, DEFAULT);
    let got = compiled(&optimized, f, &p.args, vectors(p.seed)).map_err(|e| format!("checked, {e}"))?;
    // Where rounding is not defined, what is made of it may be a NaN in one way and none in another.
    if p.rounding == Rounding::Defined {
        agree_all("checked and compiled", Ok(got), &told, p.rounding, BOUND)?;
    } else {
        case.compare("checked and compiled", Ok(got[state..].to_vec()))?;
    }
    watched(case)
}

fn made(m: &Module, func: FuncId, what: Automatic) -> Result<(Module, FuncId), String> {
    let mut m = m.clone();
    let made = checked(&mut m, func, what).map_err(|e| e.to_string())?;
    Ok((m, made.func))
}

/// Each kind of check, against what an observer of the instructions sees.
fn watched(case: &Case<'_>) -> Result<(), String> {
    let p = case.program;
    let (reached, _) = p.module.reachable(&[p.func]);
    // Functions of single elements are watched too, and not checked.
    let runs = |op: &Op| {
        op.callees().is_empty() || matches!(op, Op::Case(_) | Op::While(_) | Op::Scan(_) | Op::Call(_))
    };
    if !reached.funcs.values().all(|f| f.insts.values().all(|i| runs(&i.op))) {
        return Ok(());
    }
    let none = Automatic::default();
    type Sees = fn(&Inst, &[Array], &[Array]) -> bool;
    let kinds: [(&str, Automatic, Sees); 3] = [
        ("nans", Automatic { nans: true, ..none }, makes_nan),
        ("division", Automatic { division: true, ..none }, divides_by_zero),
        ("indices", Automatic { indices: true, ..none }, leads_outside),
    ];
    for (name, what, sees) in kinds {
        let mut seen = None;
        let mut watch = |inst: &Inst, x: &[Array], results: &mut [Array]| {
            if seen.is_none() && sees(inst, x, results) {
                seen = Some(inst.op.name());
            }
        };
        run_watched(&p.module, p.func, &p.args, &Limits::default(), &mut watch).map_err(|e| e.to_string())?;
        let (m, func) = made(&p.module, p.func, what)?;
        let fails = interpret(&m, func, &p.args)?[0].as_slice::<i32>()[0] != 0;
        if fails != seen.is_some() {
            return Err(format!("checks of {name} fail: {fails}; seen: {seen:?}"));
        }
    }
    Ok(())
}

/// Which elements are NaN.
fn nans(x: &Array) -> Vec<bool> {
    let parts = match x.dtype() {
        DType::C64 | DType::C128 => 2,
        dtype if dtype.is_float() => 1,
        _ => return vec![false; x.ty().elements()],
    };
    super::agreement::wide(x).chunks(parts).map(|element| element.iter().any(|x| x.is_nan())).collect()
}

/// Whether an operation that computes made a NaN of operands without one.
fn makes_nan(inst: &Inst, x: &[Array], results: &[Array]) -> bool {
    let (kind, operands) = (inst.op.kind(), x.iter().map(nans).collect::<Vec<_>>());
    let before = |k: usize, n: usize| {
        let one_by_one = kind == Kind::Elementwise;
        operands.iter().any(|x| if one_by_one && x.len() == n { x[k] } else { x.contains(&true) })
    };
    let computes = match kind {
        Kind::Elementwise => !matches!(inst.op, Op::BitcastConvert(_)),
        Kind::Update | Kind::Contraction | Kind::Reduction | Kind::Library => true,
        Kind::Source | Kind::Movement | Kind::Call | Kind::Control | Kind::Mark | Kind::Opaque => false,
    };
    let made = |r: &Array| nans(r).iter().enumerate().any(|(k, &is)| is && !before(k, r.ty().elements()));
    computes && results.iter().any(made)
}

fn divides_by_zero(inst: &Inst, x: &[Array], _: &[Array]) -> bool {
    let divides = matches!(inst.op, Op::Binary(BinaryOp::Divide | BinaryOp::Remainder));
    divides && has_zero(&x[1])
}

/// Whether an element is zero, of whatever sign.
fn has_zero(x: &Array) -> bool {
    let size = x.dtype().size();
    if !x.dtype().is_float() && !x.dtype().is_complex() {
        return x.bytes().chunks(size).any(|element| element.iter().all(|&b| b == 0));
    }
    let parts = if x.dtype().is_complex() { 2 } else { 1 };
    super::agreement::wide(x).chunks(parts).any(|element| element.iter().all(|&x| x == 0.0))
}

/// Whether a start is where its window does not fit.
fn leads_outside(inst: &Inst, x: &[Array], _: &[Array]) -> bool {
    let outside = |at: i64, n: usize, window: usize| at < 0 || at as i128 + window as i128 > n as i128;
    let scalars = |starts: &[Array], window: &[usize]| {
        let at = |k: usize| starts[k].integers().expect("integers")[0];
        (0..window.len()).any(|d| outside(at(d), x[0].shape()[d], window[d]))
    };
    let vectors = |starts: Starts| {
        let indices = &x[starts.operand];
        let all = indices.integers().expect("integers");
        // Components lie as far apart as what follows them has elements.
        let apart: usize = indices.shape().get(starts.vector_dim + 1..).unwrap_or_default().iter().product();
        let n = starts.components.len();
        all.iter().enumerate().any(|(k, &at)| {
            let (dim, window) = starts.components[k / apart.max(1) % n];
            outside(at, x[0].shape()[dim], window)
        })
    };
    match &inst.op {
        Op::DynamicSlice(op) => scalars(&x[1..], &op.sizes),
        Op::DynamicUpdateSlice(_) => scalars(&x[2..], x[1].shape()),
        Op::Gather(op) => vectors(op.starts()),
        Op::Scatter(op) => vectors(op.starts(x[0].shape(), x[op.inputs + 1].shape())),
        _ => false,
    }
}

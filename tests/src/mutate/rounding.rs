//! How exactly the results of a mutant are defined: what its run in the interpreter shows.

use super::judge::SHORT;
use crate::random::Rounding;
use crate::random::agreement::{BOUND, BOUND_OF_DERIVATIVES, agree, wide};
use wengert_ir::array::Array;
use wengert_ir::func::{FuncId, Inst, Module};
use wengert_ir::interp::{Limits, run_watched};
use wengert_ir::op::{CompareType, Kind, Op};
use wengert_ir::ops::convert;
use wengert_ir::ops_of;
use wengert_ir::testing::{Random, eval_op, numbers};
use wengert_ir::types::{DType, TensorType};

/// Arguments whose products may cancel so far that nothing is left of the bound.
const LARGE: f64 = 1e6;

/// How exactly a function's results are defined; `None` if the interpreter does not run it within [`SHORT`]. Where a rounding
/// is not, the arguments, and the sums whose order is not, are moved a little to see what that does.
pub(crate) fn of(module: &Module, func: FuncId, args: &[Array]) -> Option<Rounding> {
    let large = args.iter().filter(|a| rounds(a)).flat_map(wide).any(is_large);
    let mut seen = Seen { large, ..Seen::default() };
    let want = run_watched(module, func, args, &SHORT, &mut |i, x, y| seen.inst(module, i, x, y)).ok()?;
    Some(match seen {
        Seen { undefined: true, .. } => Rounding::Unbounded,
        Seen { free: false, .. } => Rounding::Defined,
        _ if !is_stable(module, func, args, &want) => Rounding::Unbounded,
        _ if !is_conditioned(module, func, args, &want, seen.single) => Rounding::Unbounded,
        Seen { single: true, .. } => Rounding::Single,
        _ => Rounding::Bounded,
    })
}

/// What a run shows.
#[derive(Default)]
struct Seen {
    /// Whether an argument is large.
    large: bool,
    /// A sum whose order is not defined.
    free: bool,
    /// Such a sum of fewer bits than `f64` has.
    single: bool,
    /// A NaN that is the result of arithmetic: nothing promises its sign.
    computed_nan: bool,
    /// Something whose value nothing promises.
    undefined: bool,
}

impl Seen {
    fn inst(&mut self, module: &Module, inst: &Inst, operands: &[Array], results: &[Array]) {
        let op = &inst.op;
        let (is_free, shows_sign) = (rounds_freely(op), shows_sign(module, op));
        if !(is_free || shows_sign || is_arithmetic(op)) {
            return;
        }
        let numbers = |of: &[Array]| -> Vec<f64> { of.iter().filter(|a| rounds(a)).flat_map(wide).collect() };
        let has_nan = |of: &[f64]| of.iter().any(|x| x.is_nan());
        let sources = numbers(operands);
        if is_free && operands.iter().chain(results).any(rounds) {
            self.free = true;
            let few = |a: &Array| rounds(a) && !matches!(a.dtype(), DType::F64 | DType::C128);
            self.single |= operands.iter().chain(results).any(few);
            self.undefined |= self.large && sources.iter().copied().any(is_large);
            self.undefined |= may_overflow(operands);
        }
        // XLA multiplies by the zeros of padding for f32 and not for f64, and infinity times zero shows which.
        self.undefined |= has_zeros_between(op) && sources.iter().any(|x| !x.is_finite());
        self.undefined |= shows_sign && self.computed_nan && has_nan(&sources);
        self.computed_nan |= is_arithmetic(op) && has_nan(&numbers(results));
    }
}

/// Whether a sum of products of these factors may overflow on the way, which depends on its order.
fn may_overflow(factors: &[Array]) -> bool {
    let factors: Vec<&Array> = factors.iter().filter(|a| rounds(a)).collect();
    let terms = factors.iter().map(|a| a.ty().elements()).max().unwrap_or(0) as f64;
    let product = match factors[..] {
        [x, y, ..] => largest(x) * largest(y),
        [x] => largest(x).powi(2),
        [] => 0.0,
    };
    let wide = factors.iter().all(|a| matches!(a.dtype(), DType::F64 | DType::C128));
    // Complex products are two of each.
    2.0 * terms * product > if wide { f64::MAX } else { f32::MAX.into() }
}

fn is_large(x: f64) -> bool {
    x.is_finite() && x.abs() > LARGE
}

/// Whether an operation pads with zeros what it sums products of, or spreads it.
fn has_zeros_between(op: &Op) -> bool {
    let Op::Convolution(c) = op else { return false };
    c.padding_low.iter().chain(&c.padding_high).any(|&n| n > 0) || c.lhs_dilation.iter().any(|&d| d > 1)
}

/// Whether an operation tells NaN by its sign.
fn shows_sign(module: &Module, op: &Op) -> bool {
    let total = |op: &Op| matches!(op, Op::Compare(c) if c.kind == CompareType::TotalOrder);
    match op {
        Op::BitcastConvert(_) | Op::TopK(_) | Op::ApproxTopK(_) => true,
        // Its comparator need not be run.
        Op::Sort(s) => module.funcs[s.comparator].insts.values().any(|i| total(&i.op)),
        op => total(op),
    }
}

/// Whether results hardly change when the arguments hardly do.
fn is_stable(module: &Module, func: FuncId, args: &[Array], want: &[Array]) -> bool {
    [1.0 + 1e-6, 1.0 - 3e-6].into_iter().all(|factor| {
        let moved: Vec<Array> = args.iter().map(|a| scaled(a, factor)).collect();
        wengert_ir::interp::run(module, func, &moved, &SHORT).is_ok_and(|got| {
            got.iter().zip(want).all(|(g, w)| agree(g, w, Some(BOUND.map(|b| b.max(1e-4)))).is_ok())
        })
    })
}

/// Whether results hardly change when sums whose order is not defined are rounded otherwise: by many times more than they
/// can be, and that by a fraction of the bound that the results are held to.
pub(crate) fn is_conditioned(
    module: &Module,
    func: FuncId,
    args: &[Array],
    want: &[Array],
    single: bool,
) -> bool {
    let bound = if single { [BOUND[1]; 2] } else { BOUND };
    stays(module, func, args, want, bound, rounds_freely)
}

/// Whether a smooth program is one where it is run: nothing in it overflows, and results hardly change when everything is
/// rounded otherwise.
pub(crate) fn is_steady(module: &Module, func: FuncId, args: &[Array], want: &[Array]) -> bool {
    let mut finite = true;
    let mut watch = |_: &Inst, _: &[Array], results: &mut [Array]| {
        finite &= results.iter().filter(|r| rounds(r)).flat_map(wide).all(f64::is_finite);
    };
    let ran = run_watched(module, func, args, &Limits::default(), &mut watch).is_ok();
    ran && finite && stays(module, func, args, want, BOUND_OF_DERIVATIVES, is_arithmetic)
}

/// Whether results stay within a bound where some operations are rounded otherwise, at random ([`rounded_otherwise`]).
fn stays(
    module: &Module,
    func: FuncId,
    args: &[Array],
    want: &[Array],
    bound: [f64; 2],
    which: fn(&Op) -> bool,
) -> bool {
    let mut random = Random(0x50f7);
    let mut round = |inst: &Inst, operands: &[Array], results: &mut [Array]| {
        if which(&inst.op) {
            rounded_otherwise(&inst.op, operands, results, &mut random);
        }
    };
    // What one direction decides otherwise, such as whether a pivot is positive, four runs hardly miss.
    (0..4).all(|_| {
        run_watched(module, func, args, &Limits::default(), &mut round)
            .is_ok_and(|got| got.iter().zip(want).all(|(g, w)| agree(g, w, Some(bound)).is_ok()))
    })
}

/// Moves results by many roundings. A factorization is exact for a matrix next to its own (N. J. Higham, *Accuracy and
/// Stability of Numerical Algorithms*, 2002, section 1.5), so it is that of a matrix moved. A sum of products that is narrower
/// than binary32 is moved before it is rounded: next to a tie that gives its neighbour.
fn rounded_otherwise(op: &Op, operands: &[Array], results: &mut [Array], random: &mut Random) {
    let size = size_of_terms(op, operands, results);
    if factorizes(op) {
        let moved: Vec<Array> = operands.iter().map(|a| shaken(a, largest(a), random)).collect();
        results.clone_from_slice(&eval_op(op.clone(), &moved));
    }
    for result in results.iter_mut().filter(|r| rounds(r)) {
        *result = match summed_wide(op, operands, result.dtype()) {
            Some(sum) => convert(&shaken(&sum, size, random), result.dtype()).expect("floats convert"),
            None => shaken(result, size, random),
        };
    }
}

/// A sum of products before it is rounded to something narrower than binary32.
fn summed_wide(op: &Op, operands: &[Array], result: DType) -> Option<Array> {
    if !result.is_float() || matches!(result, DType::F32 | DType::F64) {
        return None;
    }
    let wide = if operands.iter().any(|a| a.dtype() == DType::F64) { DType::F64 } else { DType::F32 };
    let mut op = op.clone();
    if let Op::DotGeneral(d) = &mut op {
        d.dtype = wide;
    } else if let Op::Convolution(c) = &mut op {
        c.dtype = wide;
    } else {
        return None;
    }
    eval_op(op, operands).pop()
}

/// The largest finite size of a number, or part of one.
fn largest(a: &Array) -> f64 {
    if !rounds(a) {
        return 0.0;
    }
    wide(a).into_iter().filter(|x| x.is_finite()).fold(0.0, |m, x| x.abs().max(m))
}

/// The size of the products that a result is the sum of, or of the results of what is not a sum of products.
fn size_of_terms(op: &Op, operands: &[Array], results: &[Array]) -> f64 {
    let made = results.iter().map(largest).fold(0.0, f64::max);
    match operands {
        [x, y] if op.kind() == Kind::Contraction => made.max(largest(x) * largest(y)),
        _ => made,
    }
}

/// Numbers moved by what a sum of terms of some size may be rounded by.
fn shaken(a: &Array, size: f64, random: &mut Random) -> Array {
    let (part, by) = match a.dtype() {
        DType::F64 | DType::C128 => (DType::F64, 1e-13),
        DType::F32 | DType::C64 => (DType::F32, 1e-6),
        // What is narrower is rounded once, from binary32 ([`summed_wide`]).
        _ => return a.clone(),
    };
    let parts = wide(a);
    let moved =
        parts.iter().map(|&x| if x.is_finite() { x + by * size * random.uniform(-1.0, 1.0) } else { x });
    let moved: Vec<f64> = moved.collect();
    let flat = numbers(&TensorType::new(part, &[parts.len()]), moved);
    Array::from_bytes(a.ty().clone(), flat.bytes())
}

/// Numbers, or parts of numbers, of 32 and 64 bits, times a factor; others as they are.
fn scaled(a: &Array, factor: f64) -> Array {
    let part = match a.dtype() {
        DType::F32 | DType::C64 => DType::F32,
        DType::F64 | DType::C128 => DType::F64,
        _ => return a.clone(),
    };
    let parts = wide(a);
    let flat = numbers(&TensorType::new(part, &[parts.len()]), parts.into_iter().map(|x| x * factor));
    Array::from_bytes(a.ty().clone(), flat.bytes())
}

fn rounds(a: &Array) -> bool {
    a.dtype().is_float() || a.dtype().is_complex()
}

/// Whether an operation makes numbers of numbers, rather than choosing among them.
fn is_arithmetic(op: &Op) -> bool {
    match op.kind() {
        Kind::Elementwise => !matches!(op, Op::Select(_) | Op::BitcastConvert(_) | Op::Compare(_)),
        Kind::Contraction | Kind::Reduction => true,
        Kind::Library => !matches!(op, Op::Sort(_) | Op::TopK(_) | Op::ApproxTopK(_)),
        Kind::Source | Kind::Movement | Kind::Update => false,
        Kind::Call | Kind::Control | Kind::Mark | Kind::Opaque => false,
    }
}

/// Whether the order of an operation's sums is not defined.
fn rounds_freely(op: &Op) -> bool {
    matches!(op, Op::DotGeneral(_) | Op::Convolution(_) | Op::Fft(_)) || factorizes(op)
}

/// Whether an operation factors a matrix or solves with one.
fn factorizes(op: &Op) -> bool {
    matches!(op, Op::Cholesky(_) | Op::TriangularSolve(_) | ops_of!(factorization))
}

//! What is defined by an equation: [`custom_linear_solve`], [`custom_root`], [`fixed_point`]. Derivatives are those of the
//! equation, not of the steps that solved it.

use super::control::{body, framed, join, rebuild, same_types, while_loop};
use super::segments::call;
use crate::Tensor;
use crate::call::Func;
use crate::context::What;
use crate::linear::linear_transpose;
use crate::trace::{Recorded, apply_at};
use crate::transform::{Transformed, jvp};
use crate::tree::{self, Tree};
use std::panic::Location;
use std::sync::Arc;
use wengert_ir::op::{LinearSolve, Op, Root};
use wengert_ir::types::TensorType;

/// A function from trees to trees like them, as solvers are given it. It is called like a closure, and transforms take a clone
/// of it: Newton's method of [`custom_root`] may ask for `grad(f.clone())` or `jacfwd(f.clone())`.
///
/// It is a part of what is being traced: calling it later fails.
pub type Operator<V> = Transformed<(V,), V>;

/// What solves with a function and a vector.
type Solver<'s, V> = &'s dyn Fn(&Operator<V>, V) -> V;

/// Types of leaves.
fn types<T: Tree>(x: &T) -> Vec<TensorType> {
    let mut out = Vec::new();
    x.visit(&mut |t| out.push(t.ty()));
    out
}

/// One instruction whose functions take the leaves of `x` after all that they capture.
fn apply<V: Tree, const N: usize>(
    what: What,
    functions: [&Recorded; N],
    x: &V,
    op: impl FnOnce([wengert_ir::func::FuncId; N], usize) -> Op,
) -> V {
    let (ids, captures) = join(&functions);
    let ids = <[_; N]>::try_from(ids).expect("one for each");
    let mut operands: Vec<&Tensor> = captures.iter().collect();
    x.visit(&mut |t| operands.push(t));
    rebuild(x, &apply_at(op(ids, captures.len()), &operands, what.at))
}

/// The `x` with `matvec(x) = b`, which `solve` finds for a function of the kind of `matvec` and a vector: an iteration that calls
/// it, or anything else. `solve` also serves the transposed matrix, which derivatives in reverse mode need; it is not
/// differentiated itself, as in `jax.lax.custom_linear_solve`.
///
/// `matvec` must be linear. What it captures is differentiated, as `b` is, in every mode and order.
///
/// ```
/// use wengert::{Tensor, custom_linear_solve, grad, jit, linalg};
/// // Solves with a matrix that is known by its products.
/// let f = |d: Tensor, b: Tensor| {
///     let x = custom_linear_solve(move |x: Tensor| &d * x, b, |a, b| linalg::cg(a, b, 1e-12, 100));
///     x.sum()
/// };
/// let slope = jit(grad(f))(Tensor::from([2.0f64, 4.0]), Tensor::from([1.0f64, 1.0]));
/// assert!((slope.get(0).item::<f64>() + 0.25).abs() < 1e-12);
/// ```
///
/// Fails if `matvec` or `solve` give other types than they take, and if `matvec` is not linear; the message names the operation.
#[track_caller]
pub fn custom_linear_solve<V: Tree, F: Func<(V,), Out = V>>(
    matvec: F,
    b: V,
    solve: impl Fn(&Operator<V>, V) -> V,
) -> V {
    linear_solve(What { name: "custom_linear_solve", at: Location::caller() }, matvec, b, &solve)
}

/// A function that has been traced, as transforms take it.
fn operator<V: Tree>(what: What, function: &Arc<Recorded>) -> Operator<V> {
    let function = function.clone();
    Transformed::new(move |(x,): (V,)| {
        function.check_current(what, None);
        rebuild(&x, &call(what, &function, &x))
    })
}

fn linear_solve<V: Tree, F: Func<(V,), Out = V>>(what: What, matvec: F, b: V, solve: Solver<'_, V>) -> V {
    framed(what, || {
        let matvec = Arc::new(matvec);
        let (_, given, product) = body(what, &b, |x| matvec.call_with((x,)));
        same_types(what, &types(&b), &given, "the product must have the types of the vector");
        let like = b.map(&mut |t| Tensor::zeros_of(&t.ty()));
        let forward = Transformed::new(move |(x,): (V,)| matvec.call_with((x,)));
        let transposed = linear_transpose(forward, (like,));
        let (_, _, product_of_transpose) = body(what, &b, |y| transposed.call(y).0);
        let (product, product_of_transpose) = (Arc::new(product), Arc::new(product_of_transpose));
        let solver = |product: &Arc<Recorded>| {
            let product = operator(what, product);
            let (_, given, solver) = body(what, &b, |b| solve(&product, b));
            same_types(what, &types(&b), &given, "the solution must have the types of the vector");
            solver
        };
        let (solver, of_transpose) = (solver(&product), solver(&product_of_transpose));
        let functions = [&product, &product_of_transpose, &solver, &of_transpose];
        apply(what, functions, &b, |[matvec, vecmat, solve, transpose_solve], consts| {
            LinearSolve { matvec, vecmat, solve, transpose_solve, consts }.into()
        })
    })
}

/// The `x` with `f(x) = 0` that `solve` finds for `f` from a start. Derivatives by what `f` captures are those of the root (the
/// implicit function theorem), whatever `solve` does, in every mode and order; `tangent_solve` finds the `v` with `j(v) = y`
/// for the derivative `j` of `f` at the root, and for its transpose. As `jax.lax.custom_root`.
///
/// ```
/// use wengert::{Operator, Tensor, custom_root, grad, jit, while_loop};
/// // The root of x^3 = a by bisection, of whose steps none has a derivative.
/// let cube_root = |a: Tensor| {
///     let bisect = |f: &Operator<Tensor>, start: Tensor| {
///         let (low, high) = while_loop(
///             |(low, high): (Tensor, Tensor)| (high - low).greater(1e-14),
///             |(low, high)| {
///                 let middle = (&low + &high) * 0.5;
///                 let right = f(middle.clone()).less(0.0);
///                 (right.select(&middle, &low), right.select(&high, &middle))
///             },
///             (start.zeros_like(), start),
///         );
///         (low + high) * 0.5
///     };
///     let start = Tensor::from(10.0f64);
///     custom_root(move |x: Tensor| x.powi(3) - &a, start, bisect, |j, y| &y / j(y.ones_like()))
/// };
/// assert!((jit(grad(cube_root))(Tensor::from(8.0f64)).item::<f64>() - 1.0 / 12.0).abs() < 1e-12);
/// ```
///
/// Fails if one of the functions gives other types than the start has.
#[track_caller]
pub fn custom_root<V: Tree, F: Func<(V,), Out = V>>(
    f: F,
    start: V,
    solve: impl Fn(&Operator<V>, V) -> V,
    tangent_solve: impl Fn(&Operator<V>, V) -> V,
) -> V {
    root(What { name: "custom_root", at: Location::caller() }, f, start, &solve, &tangent_solve)
}

fn root<V: Tree, F: Func<(V,), Out = V>>(
    what: What,
    f: F,
    start: V,
    solve: Solver<'_, V>,
    tangent_solve: Solver<'_, V>,
) -> V {
    framed(what, || {
        let f = Arc::new(f);
        let wanted = types(&start);
        let (_, given, residual) = body(what, &start, |x| f.call_with((x,)));
        same_types(what, &wanted, &given, "the function must give the types of the root");
        let residual = Arc::new(residual);
        let equation = operator(what, &residual);
        let (_, given, solver) = body(what, &start, |x| solve(&equation, x));
        same_types(what, &wanted, &given, "the root must have the types of the start");
        let (_, given, tangent) = body(what, &(start.clone(), start.clone()), |(x, y): (V, V)| {
            let f = f.clone();
            let derivative = move |v: V| {
                let f = f.clone();
                jvp(Transformed::new(move |(x,): (V,)| f.call_with((x,))), (x.clone(),), (v,)).1
            };
            linear_solve(what, derivative, y, tangent_solve)
        });
        same_types(what, &wanted, &given, "the tangent must have the types of the root");
        apply(what, [&residual, &solver, &tangent], &start, |[residual, solve, tangent], consts| {
            Root { residual, solve, tangent, consts }.into()
        })
    })
}

/// The `x` with `x = f(x)`, found by calling `f` until no element moves by more than `tolerance`, of it or of its own size.
/// Derivatives by what `f` captures are those of the fixed point, found by iterations of the same kind: their price in memory
/// does not grow with the number of steps.
///
/// ```
/// use wengert::{Tensor, fixed_point, grad, jit};
/// // Kepler's equation: e = m + 0.3 sin e.
/// let anomaly = |m: Tensor| fixed_point(move |e: Tensor| &m + e.sin() * 0.3, Tensor::from(0.0f64), 1e-14);
/// let e = anomaly(Tensor::from(1.0f64)).item::<f64>();
/// assert!((e - 1.0 - 0.3 * e.sin()).abs() < 1e-13);
/// let slope = jit(grad(anomaly))(Tensor::from(1.0f64)).item::<f64>();
/// assert!((slope - 1.0 / (1.0 - 0.3 * e.cos())).abs() < 1e-12);
/// ```
///
/// Does not end where the iteration does not converge (a NaN ends it). Fails if `f` gives other types than it takes.
#[track_caller]
pub fn fixed_point<V: Tree, F: Func<(V,), Out = V>>(f: F, start: V, tolerance: f64) -> V {
    let what = What { name: "fixed_point", at: Location::caller() };
    let minus = |a: &V, b: &V| tree::map2(a, b, |a, b| a - b);
    let residual = move |x: V| {
        let y = f.call_with((x.clone(),));
        same_types(what, &types(&x), &types(&y), "the function must give the types of what it takes");
        tree::map2(&x, &y, |x, y| x - y)
    };
    root(
        what,
        residual,
        start,
        &|g, x| settled(|x: &V| minus(x, &g(x.clone())), x, tolerance),
        // v = y + (1 - j) v, which converges as the iteration does, for the transpose too.
        &|j, y| settled(|v: &V| tree::map2(&minus(v, &j(v.clone())), &y, |a, b| a + b), y.clone(), tolerance),
    )
}

/// What is left when `step` no longer moves it.
fn settled<V: Tree>(step: impl Fn(&V) -> V, start: V, tolerance: f64) -> V {
    let moves = |(x, before): (V, V)| {
        let mut all: Option<Tensor> = None;
        let _ = tree::map2(&x, &before, |x, before| {
            let near = x.abs().maximum(1.0) * tolerance;
            let moves = (x - before).abs().greater(&near).any();
            all = Some(match all.take() {
                Some(sum) => sum.logical_or(&moves),
                None => moves.clone(),
            });
            moves
        });
        all.unwrap_or_else(|| Tensor::from(false))
    };
    let first = step(&start);
    while_loop(moves, |(x, _)| (step(&x), x), (first, start)).0
}

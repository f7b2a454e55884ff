//! [`check_grads`]: derivatives of a user's function against differences of its values.

use crate::call::{Args, Func};
use crate::context::What;
use crate::error::{Error, boundary};
use crate::refusals::tangents_of;
use crate::tensor::Tensor;
use crate::transform::{Graph, Transformed, jvp, pullback, record};
use crate::tree::{self, Tree};
use crate::{DType, random};
use std::ops::Range;
use std::panic::Location;
use std::sync::Arc;

type Checked<A, R> = Arc<dyn Fn(A) -> R + Send + Sync>;

/// Compares the derivatives of `f` at `args` with differences of its values, in forward and reverse mode, up to `order`: for
/// functions with rules of their own ([`crate::custom_jvp`]), and to find where a function has no derivative. A function with a
/// [`crate::custom_vjp`] in it has no forward mode: there the reverse mode is compared with differences.
///
/// Each order is checked in one direction, drawn at random but always the same: the derivative in it by `jvp` is compared with
/// a central difference, the pullback of a cotangent drawn likewise with that derivative, and then the derivative is the
/// function of the next order. Steps and tolerances are those of the element type: in `f64`, steps of 1e-5 and 1e-4 of
/// what is compared.
///
/// ```
/// use wengert::{Tensor, check_grads, custom_jvp, custom_vjp};
/// check_grads(|x: Tensor| (x.sin() * &x).sum(), (Tensor::from([0.3f64, 0.7]),), 2)?;
///
/// let wrong = custom_jvp(|x: Tensor| x.sin(), |(x,): (Tensor,), (dx,): (Tensor,)| (x.sin(), x.sin() * dx));
/// let error = check_grads(wrong, (Tensor::from(0.3f64),), 1).unwrap_err();
/// assert!(error.to_string().contains("forward mode"), "{error}");
///
/// // A cotangent of the wrong size, by a rule for reverse mode alone.
/// let wrong = custom_vjp(|x: Tensor| x.sin(), |(x,)| (x.sin(), x), |x: Tensor, ct: Tensor| (x.cos() * ct * 2.0,));
/// let error = check_grads(wrong, (Tensor::from(0.3f64),), 1).unwrap_err();
/// assert!(error.to_string().contains("reverse mode"), "{error}");
/// # Ok::<(), wengert::Error>(())
/// ```
///
/// Fails with the order, the mode and both numbers where they differ, or are not finite, and with what the function or its
/// derivatives fail with.
#[track_caller]
pub fn check_grads<A: Args, F: Func<A>>(f: F, args: A, order: usize) -> Result<(), Error> {
    let what = What { name: "check_grads", at: Location::caller() };
    orders(what, Arc::new(move |a| f.call_with(a)), &args, 1..order + 1)
}

/// Checks a function that is the derivative of the one before, and then its own.
fn orders<A: Args, R: Tree>(
    what: What,
    g: Checked<A, R>,
    args: &A,
    mut left: Range<usize>,
) -> Result<(), Error> {
    let Some(k) = left.next() else { return Ok(()) };
    // Another direction for each order: with one alone only a diagonal of the derivatives would be looked at.
    let direction = drawn(args, k as u64);
    let has_forward = boundary(|| check(what, &*g, args, &direction, k))??;
    if has_forward {
        let next = move |a: A| {
            let inner = g.clone();
            jvp(Transformed::new(move |a| inner(a)), a, direction.clone()).1
        };
        return orders(what, Arc::new(next), args, left);
    }
    let next = move |a: A| {
        let inner = g.clone();
        let (y, back) = pullback(what, &*inner, a);
        inner_product(&back.call(cotangent(&y, k)), &direction)
    };
    orders::<A, Tensor>(what, Arc::new(next), args, left)
}

/// What a pullback is given.
fn cotangent<R: Tree>(value: &R, order: usize) -> R {
    drawn(value, 100 + order as u64)
}

/// Numbers from -1 to 1 in place of the floats of a tree; zeros in place of integers.
fn drawn<T: Tree>(tree: &T, seed: u64) -> T {
    let mut leaf = 0;
    tree.map(&mut |t| {
        leaf += 1;
        let part = |part: u64| {
            let key = random::key(1_000_000 * seed + 2 * leaf + part);
            random::uniform(&key, t.shape(), DType::F64, -1.0, 1.0)
        };
        let d = t.dtype();
        if d.is_float() {
            part(0).astype(d)
        } else if d.is_complex() {
            Tensor::complex(&part(0), &part(1)).astype(d)
        } else {
            Tensor::zeros_of(&t.ty())
        }
    })
}

/// Step of the differences, and how much of what is compared may differ, by the coarsest type among the leaves: a central
/// difference errs by a third of its step squared and by the rounding of values over the step.
fn precision(leaves: &[Tensor]) -> (f64, f64) {
    let of = |t: &Tensor| match t.dtype() {
        DType::F64 | DType::C128 => Some((1e-5, 1e-4)),
        DType::F32 | DType::C64 => Some((1e-2, 1e-2)),
        d => d.is_float().then_some((1e-1, 1e-1)),
    };
    leaves.iter().filter_map(of).fold((1e-5, 1e-4), |a, b| if a.0 < b.0 { b } else { a })
}

/// Whether there is a forward mode, or how a derivative is wrong.
fn check<A: Args, R: Tree>(
    what: What,
    f: &dyn Fn(A) -> R,
    args: &A,
    direction: &A,
    order: usize,
) -> Result<bool, Error> {
    let refuse = |mode: &str, message: String| {
        let message = format!("order {order}, {mode} mode: {message}");
        Err(Error::new(message, Some(what.at)).within(what))
    };
    let graph = record(what, args, f, true);
    let has_forward = graph.recorded.has_forward_mode();
    let (value, back) = pullback(what, f, args.clone());
    let (step, tolerance) = precision(&[tree::leaves(args), tree::leaves(&value)].concat());
    let moved = |by: f64| {
        f(tree::map2(args, direction, |x, v| match x.dtype().is_differentiable() {
            true => (x + v.astype(x.dtype()) * by).astype(x.dtype()),
            false => x.clone(),
        }))
    };
    let (above, below) = (moved(step), moved(-step));
    let ct = cotangent(&value, order);
    let forward = if has_forward {
        let tangent = tangent(what, &graph, args, direction);
        let mut names = Vec::new();
        value.names("the result", &mut names);
        let (above, below) = (tree::leaves(&above), tree::leaves(&below));
        let tangents = tree::leaves(&tangent);
        for (k, dy) in tangents.iter().enumerate().filter(|(_, t)| t.dtype().is_differentiable()) {
            let difference = (wide(&above[k]) - wide(&below[k])) / (2.0 * step);
            let (error, size) = (largest(&(&difference - wide(dy))), largest(&wide(dy)));
            // A comparison that is false for what is not finite.
            let near = error <= tolerance * (1.0 + size);
            if !near {
                let message = format!(
                    "the derivative of {} differs by {error:.3e} from a difference of values over steps of {step:.0e}, of {size:.3e} \
                     at most",
                    names[k]
                );
                return refuse("forward", message);
            }
        }
        inner(&ct, &tangent)
    } else {
        (inner(&ct, &above) - inner(&ct, &below)) / (2.0 * step)
    };
    let reverse = inner(&back.call(ct), direction);
    let near = (forward - reverse).abs() <= tolerance * (1.0 + forward.abs());
    if !near {
        let by = if has_forward { "forward mode" } else { "a difference of values" };
        let message = format!(
            "a cotangent times the derivative is {forward:.6e} by {by}, {reverse:.6e} by reverse mode"
        );
        return refuse("reverse", message);
    }
    Ok(has_forward)
}

fn tangent<A: Args, R: Tree>(what: What, graph: &Graph<R>, args: &A, direction: &A) -> R {
    graph.pushforward(what, args, &tangents_of(what, args, direction)).1
}

/// In the widest type, so that nothing is lost to comparing.
fn wide(t: &Tensor) -> Tensor {
    t.astype(if t.dtype().is_complex() { DType::C128 } else { DType::F64 })
}

/// The largest magnitude; NaN if there is one, 0 of nothing.
fn largest(t: &Tensor) -> f64 {
    if t.is_empty() { 0.0 } else { t.abs().max().item::<f64>() }
}

/// The sum of the products of the elements of two trees: its real part, which is what transposition keeps.
fn inner_product<T: Tree>(a: &T, b: &T) -> Tensor {
    let both = tree::leaves(a).into_iter().zip(tree::leaves(b));
    let floats = both.filter(|(a, _)| a.dtype().is_differentiable());
    floats.fold(Tensor::from(0.0f64), |sum, (a, b)| sum + (wide(&a) * wide(&b)).sum().real())
}

fn inner<T: Tree>(a: &T, b: &T) -> f64 {
    inner_product(a, b).item()
}

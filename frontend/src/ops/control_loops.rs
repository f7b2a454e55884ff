//! Loops over rows and numbers: [`scan`], [`map`], [`fori_loop`], [`associative_scan`].
//!
//! The step of a loop is traced once (that of [`associative_scan`] once per halving) and works under every transform.

use super::control::{rebuild, while_loop};
use super::revolve::scan_in_slots;
use super::save::Save;
use super::scan::scanned;
use crate::context::What;
use crate::error::{Error, fail};
use crate::ops::promote::{fits, promote_types};
use crate::ops::reduce::axes;
use crate::ops::shape::concatenate;
use crate::tree::Tree;
use crate::{Ix, Tensor};
use std::panic::Location;
use wengert_ir::types::DType;

/// A bound of [`fori_loop`]: a Rust integer, known when the loop is traced, or an integer tensor.
#[derive(Clone)]
pub enum Bound {
    /// Known now.
    Static(i64),
    /// A scalar integer tensor.
    Dynamic(Tensor),
}

macro_rules! bounds {
    ($($ty:ty),+) => { $(impl From<$ty> for Bound { fn from(v: $ty) -> Bound { Bound::Static(v as i64) } })+ };
}
bounds!(i32, i64, u32, isize);
impl From<usize> for Bound {
    fn from(v: usize) -> Bound {
        Bound::Static(i64::try_from(v).unwrap_or(i64::MAX))
    }
}
impl From<Tensor> for Bound {
    fn from(v: Tensor) -> Bound {
        Bound::Dynamic(v)
    }
}
impl From<&Tensor> for Bound {
    fn from(v: &Tensor) -> Bound {
        Bound::Dynamic(v.clone())
    }
}

/// Runs `carry = step(i, carry)` for `i` in `lower..upper`; none if the range is empty.
///
/// The bounds are Rust integers (the loop is a [`scan`]; `i` is a scalar `i32`) or scalar integer tensors (it is a
/// [`while_loop`]; `i` has the bounds' type). Either way it has a reverse mode.
///
/// ```
/// use wengert::{Tensor, fori_loop, grad};
/// let power = |n: Tensor| move |x: Tensor| fori_loop(0, &n, |_, y: Tensor| &x * &y, Tensor::from(1.0f64));
/// assert_eq!(power(Tensor::from(3i32))(Tensor::from(2.0f64)).item::<f64>(), 8.0);
/// assert_eq!(grad(power(Tensor::from(3i32)))(Tensor::from(2.0f64)).item::<f64>(), 12.0);
/// ```
///
/// Fails if a bound is not a scalar integer, if a Rust integer is none of the type in which trips are counted (that of the other
/// bound, or `i32`), or if the step changes the types it carries.
#[track_caller]
pub fn fori_loop<T: Tree>(
    lower: impl Into<Bound>,
    upper: impl Into<Bound>,
    step: impl FnOnce(Tensor, T) -> T,
    init: T,
) -> T {
    let at = Location::caller();
    let (lower, upper) = (lower.into(), upper.into());
    let counted = |v: i64, dtype: DType| {
        if !fits(v.into(), dtype) {
            let message =
                format!("fori_loop: the bound {v} is no {dtype}, the type in which trips are counted");
            fail(Error::new(message, Some(at)))
        }
    };
    let dtype = match (&lower, &upper) {
        (Bound::Static(from), Bound::Static(to)) => {
            let n = usize::try_from(to.saturating_sub(*from)).unwrap_or(0);
            if n > 0 {
                counted(*from, DType::I32);
                counted(*to - 1, DType::I32);
            }
            let index = Tensor::arange(n, DType::I32);
            let index = if *from == 0 { index } else { index + *from };
            let step = |carry, i: Tensor| (step(i, carry), ());
            return scan_at(What { name: "fori_loop", at }, step, init, index, ScanOptions::default()).0;
        }
        (Bound::Dynamic(t), Bound::Static(_)) | (Bound::Static(_), Bound::Dynamic(t)) => t.dtype(),
        (Bound::Dynamic(a), Bound::Dynamic(b)) => promote_types(a.dtype(), b.dtype()),
    };
    let tensor = |bound: Bound| {
        let t = match bound {
            Bound::Static(v) if dtype.is_integer() => {
                counted(v, dtype);
                Tensor::from(v)
            }
            Bound::Static(v) => Tensor::from(v),
            Bound::Dynamic(t) => t,
        };
        if !t.dtype().is_integer() || t.rank() != 0 {
            let message = format!("fori_loop: a bound must be a scalar integer, here it is {}", t.ty());
            fail(Error::new(message, Some(at)))
        }
        t.astype(dtype)
    };
    let (lower, upper) = (tensor(lower), tensor(upper));
    let (_, out) = while_loop(
        |(i, _): (Tensor, T)| i.less(&upper),
        |(i, carry)| (&i + 1i64, step(i, carry)),
        (lower, init),
    );
    out
}

/// How [`scan_with`] runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScanOptions {
    /// How many steps; needed only where there are no inputs to count them by.
    pub length: Option<usize>,
    /// Whether the last row comes first. Row `k` of the outputs belongs to row `k` of the inputs all the same.
    pub reverse: bool,
    /// How many steps one trip of the loop makes, for small steps; results do not depend on it.
    pub unroll: usize,
    /// How much the reverse pass keeps; results do not depend on it.
    pub save: Save,
}

impl Default for ScanOptions {
    fn default() -> Self {
        Self { length: None, reverse: false, unroll: 1, save: Save::EachStep }
    }
}

/// Runs `step(carry, x) -> (carry, y)` over the rows of `xs` (leading dimension of every leaf) and stacks the `y`s.
///
/// ```
/// use wengert::{Tensor, scan};
/// let (total, partial) = scan(|s: Tensor, x: Tensor| { let s = s + x; (s.clone(), s) },
///                             Tensor::from(0.0f64), Tensor::from([1.0f64, 2.0, 3.0]));
/// assert_eq!(total.item::<f64>(), 6.0);
/// assert_eq!(partial.to_vec::<f64>(), [1.0, 3.0, 6.0]);
/// ```
///
/// Fails if the rows differ in number, if there is no `xs` leaf to count them, or if the carry changes its types.
#[track_caller]
pub fn scan<C: Tree, X: Tree, Y: Tree>(step: impl FnOnce(C, X) -> (C, Y), init: C, xs: X) -> (C, Y) {
    scan_at(What { name: "scan", at: Location::caller() }, step, init, xs, ScanOptions::default())
}

/// [`scan`] with a number of steps of its own, in reverse, unrolled, or with less memory for its derivatives.
///
/// ```
/// use wengert::{ScanOptions, Tensor, scan_with};
/// let options = ScanOptions { length: Some(4), ..ScanOptions::default() };
/// let (last, all) = scan_with(|x: Tensor, ()| (&x * 2.0, x), Tensor::from(1.0f64), (), options);
/// assert_eq!((last.item::<f64>(), all.to_vec::<f64>()), (16.0, vec![1.0, 2.0, 4.0, 8.0]));
/// ```
///
/// ```
/// use wengert::{Save, ScanOptions, Tensor, grad, jit, scan_with};
/// // Ten thousand steps, of which a hundred are kept.
/// let options = ScanOptions { length: Some(10_000), save: Save::Root, ..ScanOptions::default() };
/// let last = move |x: Tensor| scan_with(|x: Tensor, ()| (x.sin() + 1e-3, ()), x, (), options).0;
/// assert!(jit(grad(last))(Tensor::from(0.5f64)).item::<f64>() < 1e-3);
/// ```
///
/// Fails as [`scan`] does, and if `length` is not the number of rows.
#[track_caller]
pub fn scan_with<C: Tree, X: Tree, Y: Tree>(
    step: impl FnOnce(C, X) -> (C, Y),
    init: C,
    xs: X,
    options: ScanOptions,
) -> (C, Y) {
    scan_at(What { name: "scan", at: Location::caller() }, step, init, xs, options)
}

/// `f` of each row of `xs` (leading dimension of every leaf), stacked: a [`scan`] that carries nothing.
///
/// ```
/// use wengert::{Tensor, map};
/// let norms = map(|row: Tensor| row.square().sum().sqrt(), Tensor::from([[3.0f64, 4.0], [6.0, 8.0]]));
/// assert_eq!(norms.to_vec::<f64>(), [5.0, 10.0]);
/// ```
///
/// Fails as [`scan`] does.
#[track_caller]
pub fn map<X: Tree, Y: Tree>(f: impl FnOnce(X) -> Y, xs: X) -> Y {
    let what = What { name: "map", at: Location::caller() };
    scan_at(what, |(), x| ((), f(x)), (), xs, ScanOptions::default()).1
}

fn scan_at<C: Tree, X: Tree, Y: Tree>(
    what: What,
    step: impl FnOnce(C, X) -> (C, Y),
    init: C,
    xs: X,
    options: ScanOptions,
) -> (C, Y) {
    let ScanOptions { length, reverse, unroll, save } = options;
    scanned(what, step, (init, xs), (length, reverse, unroll), |each, carry, xs, length| {
        let segment = save.segment(length);
        // Where no step is made there is none to keep a state of.
        if let Save::Slots(slots) = save
            && length > 0
        {
            scan_in_slots(each.what, each.step, (carry, xs), length, reverse, slots)
        } else if segment < length {
            each.grouped(carry, &xs, length, segment, &|s, carry, xs, n| s.segment(carry, xs, n))
        } else {
            each.all(carry, &xs, length)
        }
    })
}

/// How [`associative_scan_with`] runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AssociativeScanOptions {
    /// Whether to begin with the last element.
    pub reverse: bool,
    /// The axis to run along, in every leaf; negative axes count from the end.
    pub axis: isize,
}

/// All prefixes of `elems` along the leading dimension combined by an associative `f`: `x0, f(x0, x1), f(f(x0, x1), x2) ..`.
///
/// `f` works on many elements at once (leaves with a leading dimension of any size) and is called about
/// `2 log2(n)` times on slices, so that the work is `O(n)` in `O(log n)` steps without a loop.
///
/// ```
/// use wengert::{Tensor, associative_scan};
/// // Composition of maps x -> a x + b, held as pairs.
/// let (a, b) = (Tensor::from([2.0f64, 3.0, 4.0]), Tensor::from([1.0f64, 1.0, 1.0]));
/// let after = |(a, b): (Tensor, Tensor), (c, d): (Tensor, Tensor)| (&a * &c, b * &c + d);
/// let (_, b) = associative_scan(after, (a, b));
/// assert_eq!(b.to_vec::<f64>(), [1.0, 4.0, 17.0]);
/// ```
///
/// Fails if a leaf is a scalar, if the leaves differ in number of rows, or if `f` changes the types.
#[track_caller]
pub fn associative_scan<T: Tree>(f: impl Fn(T, T) -> T, elems: T) -> T {
    associative_scan_with(f, elems, AssociativeScanOptions::default())
}

/// [`associative_scan`] along another axis or in reverse.
///
/// Fails as it does, and if the axis is out of range.
#[track_caller]
pub fn associative_scan_with<T: Tree>(f: impl Fn(T, T) -> T, elems: T, options: AssociativeScanOptions) -> T {
    let at = Location::caller();
    let (mut leaves, mut dims) = (Vec::new(), Vec::new());
    elems.visit(&mut |t| {
        let dim = axes("associative_scan", t, &[options.axis], at)[0];
        dims.push(dim);
        leaves.push(if options.reverse { t.flip(dim as isize) } else { t.clone() });
    });
    let sizes: Vec<usize> = leaves.iter().zip(&dims).map(|(t, &d)| t.shape()[d]).collect();
    let Some(&n) = sizes.first() else { return elems };
    if let Some(m) = sizes.iter().find(|&&m| m != n) {
        fail(Error::new(format!("associative_scan: inputs with {n} and {m} elements"), Some(at)))
    }
    let combine = |a: &[Tensor], b: &[Tensor]| {
        let (mut out, mut k) = (Vec::new(), 0);
        f(rebuild(&elems, a), rebuild(&elems, b)).visit(&mut |t| out.push(t.clone()));
        let same = out.len() == a.len() && out.iter().zip(a).all(|(o, a)| o.has_type(&a.ty()));
        if !same {
            k += out.iter().zip(a).take_while(|(o, a)| o.has_type(&a.ty())).count();
            let given = out.get(k).map_or("nothing".into(), |t| t.ty().to_string());
            let wanted = a.get(k).map_or("nothing".into(), |t| t.ty().to_string());
            let message =
                format!("associative_scan: the function gives {given} where it takes {wanted} (leaf {k})");
            fail(Error::new(message, Some(at)))
        }
        out
    };
    let mut out = prefixes(&combine, &leaves, &dims, n);
    if options.reverse {
        out = out.iter().zip(&dims).map(|(t, &d)| t.flip(d as isize)).collect();
    }
    rebuild(&elems, &out)
}

/// Elements `from, from + step ..` below `to` along each leaf's dimension.
fn part(leaves: &[Tensor], dims: &[usize], from: usize, to: usize, step: usize) -> Vec<Tensor> {
    let cut = |(t, &d): (&Tensor, &usize)| {
        let mut index = vec![Ix::from(..); d];
        index.push(Ix::Range(Some(from as isize), Some(to as isize), step));
        t.get(&index[..])
    };
    leaves.iter().zip(dims).map(cut).collect()
}

/// Combines the leaves of two trees.
type Combine<'a> = dyn Fn(&[Tensor], &[Tensor]) -> Vec<Tensor> + 'a;

/// Pairs are combined, prefixes of the pairs found, and the even places filled in (Blelloch, "Prefix sums and their
/// applications", 1990).
fn prefixes(combine: &Combine<'_>, leaves: &[Tensor], dims: &[usize], n: usize) -> Vec<Tensor> {
    if n < 2 {
        return leaves.to_vec();
    }
    let pairs = n / 2;
    let odd = combine(&part(leaves, dims, 0, 2 * pairs, 2), &part(leaves, dims, 1, n, 2));
    let odd = prefixes(combine, &odd, dims, pairs);
    let first = part(leaves, dims, 0, 1, 1);
    let even = if n == 2 {
        first
    } else {
        let later = combine(&part(&odd, dims, 0, (n - 1) / 2, 1), &part(leaves, dims, 2, n, 2));
        let joined = first.iter().zip(later).zip(dims);
        joined.map(|((a, b), &d)| concatenate(&[a.clone(), b], d as isize)).collect()
    };
    let last = part(&even, dims, pairs, n - pairs, 1);
    let leaf = |k: usize| {
        let d = dims[k];
        // Neighbours side by side, then in one row.
        let paired = [&part(&even[k..=k], &dims[k..=k], 0, pairs, 1)[0], &odd[k]]
            .map(|t| t.expand_dims(d as isize + 1));
        let mut shape = leaves[k].shape().to_vec();
        shape[d] = 2 * pairs;
        let paired = concatenate(&paired, d as isize + 1).reshape_to(shape[..].into(), Location::caller());
        if n == 2 * pairs { paired } else { concatenate(&[paired, last[k].clone()], d as isize) }
    };
    (0..leaves.len()).map(leaf).collect()
}

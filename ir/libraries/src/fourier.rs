//! Fourier transforms of any lengths over the last dimensions. Transforms of real numbers and of their spectra take half of the
//! work; long ones do so too where the numbers are given as complex ones.

use crate::dense::wide;
use num_complex::Complex;
use realfft::{ComplexToReal, RealFftPlanner, RealToComplex};
use rustfft::num_traits::Zero;
use rustfft::{Fft, FftDirection, FftNum, FftPlanner};
use std::sync::{Arc, Mutex, MutexGuard};

/// How many plans of each kind are kept of each precision.
const KEPT: usize = 32;
/// Longer plans are made anew: they take memory, and making one is less of what they are used for.
const LONGEST: usize = 1 << 20;

/// The plans that were made last: making one costs more than using it. They never change what is computed.
struct Kept<T: FftNum> {
    whole: Mutex<Vec<Arc<dyn Fft<T>>>>,
    halves: Mutex<Vec<Arc<Halves<T>>>>,
    forward: Mutex<Vec<Arc<dyn RealToComplex<T>>>>,
    inverse: Mutex<Vec<Arc<dyn ComplexToReal<T>>>>,
}

impl<T: FftNum> Kept<T> {
    const fn none() -> Self {
        Self {
            whole: Mutex::new(Vec::new()),
            halves: Mutex::new(Vec::new()),
            forward: Mutex::new(Vec::new()),
            inverse: Mutex::new(Vec::new()),
        }
    }
}

static DOUBLE: Kept<f64> = Kept::none();
static SINGLE: Kept<f32> = Kept::none();

/// The plan that is kept, or one made anew.
fn plan<P: ?Sized>(
    kept: &Mutex<Vec<Arc<P>>>,
    n: usize,
    fits: impl Fn(&Arc<P>) -> bool,
    make: impl FnOnce() -> Arc<P>,
) -> Arc<P> {
    let plans = || -> MutexGuard<'_, Vec<Arc<P>>> { kept.lock().unwrap_or_else(|e| e.into_inner()) };
    if let Some(known) = plans().iter().find(|p| fits(p)) {
        return known.clone();
    }
    let plan = make();
    if n <= LONGEST {
        let mut plans = plans();
        if plans.len() == KEPT {
            plans.remove(0);
        }
        plans.push(plan.clone());
    }
    plan
}

/// A plan of complex lines, and its work space.
struct Whole<T: FftNum>(Arc<dyn Fft<T>>, Vec<Complex<T>>);

impl<T: FftNum> Whole<T> {
    fn new(kept: &Kept<T>, n: usize, inverse: bool) -> Self {
        let direction = if inverse { FftDirection::Inverse } else { FftDirection::Forward };
        let fits = |p: &Arc<dyn Fft<T>>| p.len() == n && p.fft_direction() == direction;
        let plan = plan(&kept.whole, n, fits, || FftPlanner::new().plan_fft(n, direction));
        let scratch = plan.get_inplace_scratch_len().max(plan.get_immutable_scratch_len());
        Self(plan, vec![Complex::zero(); scratch])
    }

    fn run(&mut self, lines: &mut [Complex<T>]) {
        self.0.process_with_scratch(lines, &mut self.1);
    }

    fn run_to(&mut self, from: &[Complex<T>], to: &mut [Complex<T>]) {
        self.0.process_immutable_with_scratch(from, to, &mut self.1);
    }
}

/// The first half of the terms of real lines; `fill` is called with the number of each, and writes it.
fn forward<T: FftNum>(kept: &Kept<T>, to: &mut [Complex<T>], n: usize, fill: impl Fn(usize, &mut [T])) {
    if n.is_multiple_of(2) {
        return even(kept, to, n, fill);
    }
    let make = || RealFftPlanner::new().plan_fft_forward(n);
    let plan = plan(&kept.forward, n, |p: &Arc<dyn RealToComplex<T>>| p.len() == n, make);
    // A line is work space, too.
    let (mut line, mut scratch) = (plan.make_input_vec(), plan.make_scratch_vec());
    for (k, to) in to.chunks_exact_mut(n / 2 + 1).enumerate() {
        fill(k, &mut line);
        plan.process_with_scratch(&mut line, to, &mut scratch).expect("lines of the plan's length");
    }
}

/// A plan of real lines of even length, whose even and odd places are real and imaginary parts of a complex line half as long.
struct Halves<T: FftNum> {
    half: Arc<dyn Fft<T>>,
    back: Arc<dyn Fft<T>>,
    /// `exp(-2 pi i k / n)`.
    turns: Vec<Complex<T>>,
}

impl<T: FftNum> Halves<T> {
    fn new(n: usize) -> Self {
        let number = |x: f64| T::from_f64(x).expect("a number of the type");
        let turn = |k: usize| {
            let (sin, cos) = (-2.0 * std::f64::consts::PI * k as f64 / n as f64).sin_cos();
            Complex::new(number(cos), number(sin))
        };
        let mut planner = FftPlanner::new();
        Self {
            half: planner.plan_fft_forward(n / 2),
            back: planner.plan_fft_inverse(n / 2),
            turns: (0..n / 4 + 1).map(turn).collect(),
        }
    }

    fn of(kept: &Kept<T>, n: usize) -> Arc<Self> {
        plan(&kept.halves, n, |p: &Arc<Halves<T>>| p.half.len() == n / 2, || Arc::new(Halves::new(n)))
    }

    /// The terms of a real line of those of the complex one; bits are those of the `realfft` crate.
    #[inline(always)]
    fn terms(&self, z: &[Complex<T>], to: &mut [Complex<T>]) {
        let h = z.len();
        to[0] = Complex::new(z[0].re + z[0].im, T::zero());
        to[h] = Complex::new(z[0].re - z[0].im, T::zero());
        if h.is_multiple_of(2) {
            to[h / 2] = z[h / 2].conj();
        }
        let pairs = (h - 1) / 2;
        let (front, back) = to.split_at_mut(h - pairs);
        let (front, back) = (&mut front[1..1 + pairs], &mut back[..pairs]);
        let (a, b, turns) = (&z[1..1 + pairs], &z[h - pairs..], &self.turns[1..1 + pairs]);
        let half = T::from_f64(0.5).expect("a number of the type");
        each_pair(a, b, turns, front, back, |x, y, turn| {
            let even = Complex::new((x.re + y.re) * half, (x.im - y.im) * half);
            let odd = Complex::new((x.im + y.im) * half, (y.re - x.re) * half);
            let odd = turn * odd;
            [even + odd, (even - odd).conj()]
        });
    }

    /// The complex line whose inverse transform is the real line of these terms, without the factor of either.
    #[inline(always)]
    fn halves(&self, terms: &[Complex<T>], z: &mut [Complex<T>]) {
        let h = z.len();
        // What is imaginary of the first and of the last counts for nothing.
        z[0] = Complex::new(terms[0].re + terms[h].re, terms[0].re - terms[h].re);
        if h.is_multiple_of(2) {
            z[h / 2] = (terms[h / 2] + terms[h / 2]).conj();
        }
        let pairs = (h - 1) / 2;
        let (front, back) = z.split_at_mut(h - pairs);
        let (front, back) = (&mut front[1..1 + pairs], &mut back[..pairs]);
        let (a, b, turns) = (&terms[1..1 + pairs], &terms[h - pairs..h], &self.turns[1..1 + pairs]);
        each_pair(a, b, turns, front, back, |x, y, turn| {
            let (sum, less, turn) = (x + y, x - y, turn.conj());
            let re = sum.im * turn.re + less.re * turn.im;
            let im = sum.im * turn.im - less.re * turn.re;
            [Complex::new(sum.re - re, less.im - im), Complex::new(sum.re + re, -im - less.im)]
        });
    }
}

/// Of each pair of elements, one from the front and one from the back, and their turn, what is to be in the same places, all of one
/// length. In a loop that compilers make vectors of: what is read is not written, and lengths are known to be the same.
#[inline(always)]
fn each_pair<T: FftNum>(
    a: &[Complex<T>],
    b: &[Complex<T>],
    turns: &[Complex<T>],
    front: &mut [Complex<T>],
    back: &mut [Complex<T>],
    of: impl Fn(Complex<T>, Complex<T>, Complex<T>) -> [Complex<T>; 2],
) {
    let n = front.len();
    let (a, b, turns, back) = (&a[..n], &b[..n], &turns[..n], &mut back[..n]);
    for k in 0..n {
        let [x, y] = of(a[k], b[n - 1 - k], turns[k]);
        front[k] = x;
        back[n - 1 - k] = y;
    }
}

/// Numbers that are transformed at a time: they stay in the nearest cache.
const TOGETHER: usize = 2048;

/// [`forward`] of even lengths. As many lines as fit are transformed at a time, and pairs of terms follow in one loop: 256 lines of 1024
/// single numbers take 111 us where they took 199 without vectors, and back 130 where the `realfft` crate took 202.
fn even<T: FftNum>(kept: &Kept<T>, to: &mut [Complex<T>], n: usize, fill: impl Fn(usize, &mut [T])) {
    let (h, plan) = (n / 2, Halves::of(kept, n));
    let many = (TOGETHER / h).max(1);
    let mut line = vec![T::zero(); n];
    let mut lines = vec![Complex::zero(); many.min(to.len() / (h + 1)) * h];
    let mut scratch = vec![Complex::zero(); plan.half.get_inplace_scratch_len()];
    for (k, to) in to.chunks_mut(many * (h + 1)).enumerate() {
        let lines = &mut lines[..to.len() / (h + 1) * h];
        for (i, z) in lines.chunks_exact_mut(h).enumerate() {
            fill(k * many + i, &mut line);
            z.iter_mut().zip(line.chunks_exact(2)).for_each(|(z, x)| *z = Complex::new(x[0], x[1]));
        }
        plan.half.process_with_scratch(lines, &mut scratch);
        wide(
            #[inline(always)]
            || {
                for (z, to) in lines.chunks_exact(h).zip(to.chunks_exact_mut(h + 1)) {
                    plan.terms(z, to);
                }
            },
        );
    }
}

/// Real lines of the first half of their terms, without the factor `1 / n`. `give` is called with each.
fn inverse<T: FftNum>(kept: &Kept<T>, from: &[Complex<T>], n: usize, mut give: impl FnMut(&[T])) {
    if n.is_multiple_of(2) {
        return even_inverse(kept, from, n, give);
    }
    let make = || RealFftPlanner::new().plan_fft_inverse(n);
    let plan = plan(&kept.inverse, n, |p: &Arc<dyn ComplexToReal<T>>| p.len() == n, make);
    let (mut line, mut scratch) = (plan.make_input_vec(), plan.make_scratch_vec());
    let mut to = plan.make_output_vec();
    for from in from.chunks_exact(n / 2 + 1) {
        line.copy_from_slice(from);
        line[0].im = T::zero();
        plan.process_with_scratch(&mut line, &mut to, &mut scratch).expect("lines of the plan's length");
        give(&to);
    }
}

/// [`inverse`] of even lengths, as [`even`].
fn even_inverse<T: FftNum>(kept: &Kept<T>, from: &[Complex<T>], n: usize, mut give: impl FnMut(&[T])) {
    let (h, plan) = (n / 2, Halves::of(kept, n));
    let many = (TOGETHER / h).max(1);
    let mut line = vec![T::zero(); n];
    let mut lines = vec![Complex::zero(); many.min(from.len() / (h + 1)) * h];
    let mut scratch = vec![Complex::zero(); plan.back.get_inplace_scratch_len()];
    for from in from.chunks(many * (h + 1)) {
        let lines = &mut lines[..from.len() / (h + 1) * h];
        wide(
            #[inline(always)]
            || {
                for (terms, z) in from.chunks_exact(h + 1).zip(lines.chunks_exact_mut(h)) {
                    plan.halves(terms, z);
                }
            },
        );
        plan.back.process_with_scratch(lines, &mut scratch);
        for z in lines.chunks_exact(h) {
            line.chunks_exact_mut(2).zip(z).for_each(|(x, z)| (x[0], x[1]) = (z.re, z.im));
            give(&line);
        }
    }
}

/// `1 / n`.
fn reciprocal<T: FftNum>(n: usize) -> T {
    T::from_f64(1.0 / n as f64).expect("a number of the type")
}

/// Lines that are transformed at a time where they do not lie one after another.
const LINES: usize = 8;

/// Transforms every line along a dimension in place, without the factor of the inverse.
fn along<T: FftNum>(kept: &Kept<T>, data: &mut [Complex<T>], shape: &[usize], dim: usize, inverse: bool) {
    let n = shape[dim];
    let inner: usize = shape[dim + 1..].iter().product();
    let mut plan = Whole::new(kept, n, inverse);
    if inner == 1 {
        return plan.run(data);
    }
    // Neighbours in memory are of neighbouring lines: as many lines at a time as share a line of the cache.
    let most = LINES.min(inner);
    let mut lines = vec![Complex::zero(); most * n];
    for data in data.chunks_exact_mut(n * inner) {
        for first in (0..inner).step_by(most) {
            let count = most.min(inner - first);
            let lines = &mut lines[..count * n];
            for (k, row) in data.chunks_exact(inner).enumerate() {
                row[first..][..count].iter().enumerate().for_each(|(i, z)| lines[i * n + k] = *z);
            }
            plan.run(lines);
            for (k, row) in data.chunks_exact_mut(inner).enumerate() {
                row[first..][..count].iter_mut().enumerate().for_each(|(i, z)| *z = lines[i * n + k]);
            }
        }
    }
}

/// What is known of the complex numbers of one transform: half of the work is enough.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Symmetry {
    None,
    /// They are real: half of the terms are conjugates of the others.
    Real,
    /// Each is the conjugate of its mirror image: the result is real.
    Hermitian,
}

/// Lines of so many bytes of real numbers, and of fewer, are transformed without a look at what they are: to take half of the terms of
/// 1024 single real numbers, and what they are conjugates of, took longer than to take all (509 and 236 us for 256 lines).
const SHORT: usize = 4096;

impl Symmetry {
    /// Of one transform over `dims`.
    fn of<T: FftNum>(data: &[Complex<T>], dims: &[usize]) -> Self {
        let (n, rows) = (dims[dims.len() - 1], &dims[..dims.len() - 1]);
        if n * size_of::<T>() <= SHORT {
            return Self::None;
        }
        if data.iter().all(|z| z.im == T::zero()) {
            return Self::Real;
        }
        let is_mirrored = |(row, line): (usize, &[Complex<T>])| {
            let other = &data[mirror(row, rows) * n..][..n];
            line[0] == other[0].conj() && (1..=n / 2).all(|k| line[k] == other[n - k].conj())
        };
        if data.chunks_exact(n).enumerate().all(is_mirrored) { Self::Hermitian } else { Self::None }
    }
}

/// The row with every index negated, of rows that lie over `dims`.
fn mirror(row: usize, dims: &[usize]) -> usize {
    let (mut rest, mut at, mut stride) = (row, 0, 1);
    for &n in dims.iter().rev() {
        at += (n - rest % n) % n * stride;
        (rest, stride) = (rest / n, stride * n);
    }
    at
}

/// Transforms over `dims`, one after another in memory. What is done depends on the numbers of a transform, not on its neighbours.
fn complex<T: FftNum>(
    kept: &Kept<T>,
    from: &[Complex<T>],
    to: &mut [Complex<T>],
    dims: &[usize],
    inverse: bool,
) {
    let each: usize = dims.iter().product();
    let (mut from, mut to) = (from, to);
    while !from.is_empty() {
        let kind = Symmetry::of(&from[..each], dims);
        let alike = from.chunks_exact(each).skip(1).take_while(|one| Symmetry::of(one, dims) == kind).count();
        let (these, others) = from.split_at((1 + alike) * each);
        let (results, rest) = to.split_at_mut(these.len());
        match kind {
            Symmetry::None => {
                let shape = [&[1 + alike], dims].concat();
                let last = shape.len() - 1;
                Whole::new(kept, shape[last], inverse).run_to(these, results);
                (1..last).for_each(|d| along(kept, results, &shape, d, inverse));
                if inverse {
                    let scale = reciprocal(each);
                    results.iter_mut().for_each(|z| *z = z.scale(scale));
                }
            }
            Symmetry::Real => real(kept, these, results, dims, inverse),
            Symmetry::Hermitian => hermitian(kept, these, results, dims, inverse),
        }
        (from, to) = (others, rest);
    }
}

/// The shape with half of the terms of its last dimension, behind as many transforms as `all` numbers are.
fn narrow(all: usize, dims: &[usize]) -> (Vec<usize>, usize) {
    let (n, rows) = (dims[dims.len() - 1], &dims[..dims.len() - 1]);
    let count = all / dims.iter().product::<usize>();
    ([&[count], rows, &[n / 2 + 1]].concat(), n / 2 + 1)
}

/// Transforms of real numbers, as complex ones: those of half of the terms, and their conjugates. The inverse of real numbers is
/// the conjugate of the transform.
fn real<T: FftNum>(
    kept: &Kept<T>,
    from: &[Complex<T>],
    to: &mut [Complex<T>],
    dims: &[usize],
    inverse: bool,
) {
    let (n, rows) = (dims[dims.len() - 1], &dims[..dims.len() - 1]);
    let (shape, half) = narrow(from.len(), dims);
    let mut terms = vec![Complex::zero(); shape.iter().product()];
    forward(kept, &mut terms, n, |k, line| {
        line.iter_mut().zip(&from[k * n..][..n]).for_each(|(x, z)| *x = z.re);
    });
    (1..dims.len()).for_each(|d| along(kept, &mut terms, &shape, d, false));
    if inverse {
        let scale = reciprocal(dims.iter().product());
        terms.iter_mut().for_each(|z| *z = z.conj().scale(scale));
    }
    let count: usize = rows.iter().product();
    for (to, terms) in to.chunks_exact_mut(n * count).zip(terms.chunks_exact(half * count)) {
        for (row, to) in to.chunks_exact_mut(n).enumerate() {
            to[..half].copy_from_slice(&terms[row * half..][..half]);
            let other = &terms[mirror(row, rows) * half..][1..n.div_ceil(2)];
            to[half..].iter_mut().rev().zip(other).for_each(|(to, z)| *to = z.conj());
        }
    }
}

/// Transforms of numbers that mirror each other, whose results are real. Forward, they are inverse ones of the conjugates.
fn hermitian<T: FftNum>(
    kept: &Kept<T>,
    from: &[Complex<T>],
    to: &mut [Complex<T>],
    dims: &[usize],
    inverse: bool,
) {
    let n = dims[dims.len() - 1];
    let (shape, half) = narrow(from.len(), dims);
    let first = from.chunks_exact(n).flat_map(|line| &line[..half]);
    let mut terms: Vec<Complex<T>> = first.map(|z| if inverse { *z } else { z.conj() }).collect();
    (1..dims.len()).for_each(|d| along(kept, &mut terms, &shape, d, true));
    let scale = if inverse { reciprocal(dims.iter().product()) } else { T::one() };
    let mut lines = to.chunks_exact_mut(n);
    self::inverse(kept, &terms, n, |line| {
        let to = lines.next().expect("as many lines");
        to.iter_mut().zip(line).for_each(|(z, re)| *z = Complex::new(*re * scale, T::zero()));
    });
}

/// Transforms over the last dimensions of numbers of one precision, `dims` of them, one after another in memory.
///
/// All panic where a dimension is 0 or slices are not of such transforms.
pub trait Transforms: Sized {
    /// Forward (`exp(-2 pi i j k / n)`), or inverse with its factor `1 / n`.
    fn complex(from: &[Complex<Self>], to: &mut [Complex<Self>], dims: &[usize], inverse: bool);
    /// The first `n / 2 + 1` terms in the last dimension of the forward transforms of real numbers over `dims`; the others are conjugates
    /// of these.
    fn forward(from: &[Self], to: &mut [Complex<Self>], dims: &[usize]);
    /// Inverse transforms to real numbers over `dims` of the first `n / 2 + 1` terms in the last dimension, completed by
    /// conjugates. What is imaginary of the first term, and of the middle one of an even length, has no place in a real result.
    fn inverse(from: &[Complex<Self>], to: &mut [Self], dims: &[usize]);
}

macro_rules! transforms {
    ($($number:ident $kept:ident),*) => {
        $(impl Transforms for $number {
            fn complex(from: &[Complex<Self>], to: &mut [Complex<Self>], dims: &[usize], inverse: bool) {
                complex(&$kept, from, to, dims, inverse);
            }
            fn forward(from: &[Self], to: &mut [Complex<Self>], dims: &[usize]) {
                let (shape, _) = narrow(from.len(), dims);
                let n = dims[dims.len() - 1];
                forward(&$kept, to, n, |k, line| line.copy_from_slice(&from[k * n..][..n]));
                (1..dims.len()).for_each(|d| along(&$kept, to, &shape, d, false));
            }
            fn inverse(from: &[Complex<Self>], to: &mut [Self], dims: &[usize]) {
                let (shape, _) = narrow(to.len(), dims);
                let mut terms = from.to_vec();
                (1..dims.len()).for_each(|d| along(&$kept, &mut terms, &shape, d, true));
                let (n, scale) = (dims[dims.len() - 1], reciprocal::<Self>(dims.iter().product()));
                let mut lines = to.chunks_exact_mut(n);
                inverse(&$kept, &terms, n, |line| {
                    let to = lines.next().expect("as many lines");
                    to.iter_mut().zip(line).for_each(|(to, x)| *to = x * scale);
                });
            }
        })*
    };
}
transforms!(f64 DOUBLE, f32 SINGLE);

#[cfg(test)]
mod tests {
    use super::*;
    use num_complex::{Complex32, Complex64};

    fn line(n: usize) -> Vec<Complex64> {
        (0..n).map(|k| Complex64::new((k as f64).sqrt(), 1.0 - 0.5 * k as f64)).collect()
    }

    fn defined(line: &[Complex64], sign: f64) -> Vec<Complex64> {
        let n = line.len();
        let turn = |j: usize| sign * 2.0 * std::f64::consts::PI * (j % n) as f64 / n as f64;
        (0..n).map(|j| (0..n).map(|k| line[k] * Complex64::from_polar(1.0, turn(j * k))).sum()).collect()
    }

    fn near(found: &[Complex64], want: &[Complex64], by: f64) {
        assert_eq!(found.len(), want.len());
        let bound = by * want.len() as f64;
        for (j, (z, want)) in found.iter().zip(want).enumerate() {
            assert!((z - want).norm() < bound, "{j}: {z} {want}");
        }
    }

    fn doubles(single: &[Complex32]) -> Vec<Complex64> {
        single.iter().map(|z| Complex64::new(z.re.into(), z.im.into())).collect()
    }

    /// The definition, at lengths that are powers of two, have odd factors or are primes; two lines at once.
    #[test]
    fn lines_are_transformed_as_defined() {
        for n in [1, 2, 8, 15, 31, 36] {
            let line = line(n);
            for (inverse, sign) in [(false, -1.0), (true, 1.0)] {
                let want = [defined(&line, sign), defined(&line, sign)].concat();
                let mut found = [&line[..], &line[..]].concat();
                let mut single: Vec<Complex32> =
                    found.iter().map(|z| Complex32::new(z.re as f32, z.im as f32)).collect();
                let want: Vec<_> = want.iter().map(|z| if inverse { z / n as f64 } else { *z }).collect();
                f64::complex(&found.clone(), &mut found, &[n], inverse);
                near(&found, &want, 1e-11);
                f32::complex(&single.clone(), &mut single, &[n], inverse);
                near(&doubles(&single), &want, 1e-4);
            }
        }
    }

    /// Real lines against complex ones.
    #[test]
    fn real_lines_are_transformed_as_complex_ones() {
        for n in [1, 2, 3, 4, 6, 8, 15, 31, 36, 62, 96, 134] {
            let (half, line) = (n / 2 + 1, line(n));
            let real: Vec<f64> = line.iter().map(|z| z.re).collect();
            let real: Vec<f64> = [real.clone(), real].concat();
            let single: Vec<f32> = real.iter().map(|&x| x as f32).collect();
            let complex: Vec<Complex64> = real[..n].iter().map(|&x| x.into()).collect();
            let want = defined(&complex, -1.0)[..half].to_vec();
            let mut found = vec![Complex64::ZERO; 2 * half];
            f64::forward(&real, &mut found, &[n]);
            near(&found, &[&want[..], &want[..]].concat(), 1e-11);
            let mut found = vec![Complex32::ZERO; 2 * half];
            f32::forward(&single, &mut found, &[n]);
            near(&doubles(&found), &[&want[..], &want[..]].concat(), 1e-4);

            // Terms that no real line has: what is imaginary of the first and the middle one counts for nothing.
            let terms: Vec<Complex64> = line[..half].to_vec();
            let term = |k: usize| match k {
                0 => terms[0].re.into(),
                _ if 2 * k == n => terms[k].re.into(),
                _ if k < half => terms[k],
                _ => terms[n - k].conj(),
            };
            let want = defined(&(0..n).map(term).collect::<Vec<_>>(), 1.0);
            let want: Vec<_> = want.iter().map(|z| z / n as f64).collect();
            let want = [&want[..], &want[..]].concat();
            let terms = [&terms[..], &terms[..]].concat();
            let mut found = vec![0.0f64; 2 * n];
            f64::inverse(&terms, &mut found, &[n]);
            near(&found.iter().map(|&x| x.into()).collect::<Vec<_>>(), &want, 1e-11);
            let single: Vec<Complex32> =
                terms.iter().map(|z| Complex32::new(z.re as f32, z.im as f32)).collect();
            let mut found = vec![0.0f32; 2 * n];
            f32::inverse(&single, &mut found, &[n]);
            near(&found.iter().map(|&x| f64::from(x).into()).collect::<Vec<_>>(), &want, 1e-4);
        }
    }

    /// Long lines of numbers that are real, or mirror each other, take half of the work and give what others do: `a + ib` is
    /// transformed as `a` and `b` are, and what is transformed twice comes back mirrored.
    #[test]
    fn half_of_the_work_gives_all_of_the_terms() {
        for dims in [&[520][..], &[513], &[3, 514], &[2, 3, 515], &[1032]] {
            let each: usize = dims.iter().product();
            let [a, b] = [3, 7].map(|step| -> Vec<f64> {
                (0..2 * each).map(|k| ((k * k * step) % 101) as f64 / 101.0).collect()
            });
            let complex = |x: &[f64]| -> Vec<Complex64> { x.iter().map(|&x| x.into()).collect() };
            let both: Vec<Complex64> = a.iter().zip(&b).map(|(&re, &im)| Complex64::new(re, im)).collect();
            let transformed = |from: &[Complex64], inverse: bool| {
                let mut to = vec![Complex64::ZERO; from.len()];
                f64::complex(from, &mut to, dims, inverse);
                to
            };
            assert!(Symmetry::of(&complex(&a)[..each], dims) == Symmetry::Real);
            assert!(Symmetry::of(&both[..each], dims) == Symmetry::None);
            for inverse in [false, true] {
                let (of_a, of_b) = (transformed(&complex(&a), inverse), transformed(&complex(&b), inverse));
                let want: Vec<Complex64> =
                    of_a.iter().zip(&of_b).map(|(x, y)| x + Complex64::I * y).collect();
                near(&transformed(&both, inverse), &want, 1e-13);
                assert!(Symmetry::of(&of_a[..each], dims) == Symmetry::Hermitian);
                near(&transformed(&of_a, !inverse), &complex(&a), 1e-13);
                let scale = if inverse { 1.0 / each as f64 } else { each as f64 };
                let turned = |k: usize| {
                    let (transform, k) = (k / each, k % each);
                    a[transform * each + mirror(k, dims)] * scale
                };
                let want: Vec<Complex64> = (0..a.len()).map(|k| turned(k).into()).collect();
                near(&transformed(&of_a, inverse), &want, 1e-11 * scale);
                // The same in single precision: of 1,032 numbers the half, of others all.
                let single: Vec<Complex32> = a.iter().map(|&x| Complex32::new(x as f32, 0.0)).collect();
                let (mut to, mut back) = (single.clone(), single.clone());
                f32::complex(&single, &mut to, dims, inverse);
                near(&doubles(&to), &of_a, 1e-6 * if inverse { 1.0 / each as f64 } else { 1.0 });
                f32::complex(&to, &mut back, dims, !inverse);
                near(&doubles(&back), &complex(&a), 1e-8);
            }
        }
    }

    /// Plans that are kept, plans that were dropped and plans of many threads are all the same.
    #[test]
    fn plans_are_as_good_as_new() {
        let transform = |n: usize| {
            let mut all = line(n);
            f64::complex(&line(n), &mut all, &[n], false);
            all
        };
        let first: Vec<_> = (1..2 * KEPT).map(transform).collect();
        std::thread::scope(|s| {
            for _ in 0..3 {
                s.spawn(|| (1..2 * KEPT).for_each(|n| assert_eq!(transform(n), first[n - 1])));
            }
        });
        assert!(DOUBLE.whole.lock().expect("no panic").len() <= KEPT);
    }
}

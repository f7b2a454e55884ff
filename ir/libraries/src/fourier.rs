//! Fourier transforms of any length, of lines that lie one after another.

use num_complex::Complex;
use realfft::{ComplexToReal, RealFftPlanner, RealToComplex};
use rustfft::{Fft, FftDirection, FftNum, FftPlanner};
use std::sync::{Arc, Mutex, MutexGuard};

/// How many plans of each kind are kept of each precision.
const KEPT: usize = 32;
/// Longer plans are made anew: they take memory, and making one is less of what they are used for.
const LONGEST: usize = 1 << 20;

/// The plans that were made last: making one costs more than using it. They never change what is computed.
struct Kept<T: FftNum> {
    whole: Mutex<Vec<Arc<dyn Fft<T>>>>,
    forward: Mutex<Vec<Arc<dyn RealToComplex<T>>>>,
    inverse: Mutex<Vec<Arc<dyn ComplexToReal<T>>>>,
}

impl<T: FftNum> Kept<T> {
    const fn none() -> Self {
        Self {
            whole: Mutex::new(Vec::new()),
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

fn whole<T: FftNum>(kept: &Kept<T>, lines: &mut [Complex<T>], n: usize, inverse: bool) {
    let direction = if inverse { FftDirection::Inverse } else { FftDirection::Forward };
    let fits = |p: &Arc<dyn Fft<T>>| p.len() == n && p.fft_direction() == direction;
    plan(&kept.whole, n, fits, || FftPlanner::new().plan_fft(n, direction)).process(lines);
}

fn forward<T: FftNum>(kept: &Kept<T>, from: &[T], to: &mut [Complex<T>], n: usize) {
    let make = || RealFftPlanner::new().plan_fft_forward(n);
    let plan = plan(&kept.forward, n, |p: &Arc<dyn RealToComplex<T>>| p.len() == n, make);
    // A line is work space, too.
    let (mut line, mut scratch) = (plan.make_input_vec(), plan.make_scratch_vec());
    for (from, to) in from.chunks_exact(n).zip(to.chunks_exact_mut(n / 2 + 1)) {
        line.copy_from_slice(from);
        plan.process_with_scratch(&mut line, to, &mut scratch).expect("lines of the plan's length");
    }
}

fn inverse<T: FftNum>(kept: &Kept<T>, from: &[Complex<T>], to: &mut [T], n: usize) {
    let make = || RealFftPlanner::new().plan_fft_inverse(n);
    let plan = plan(&kept.inverse, n, |p: &Arc<dyn ComplexToReal<T>>| p.len() == n, make);
    let (mut line, mut scratch) = (plan.make_input_vec(), plan.make_scratch_vec());
    for (from, to) in from.chunks_exact(n / 2 + 1).zip(to.chunks_exact_mut(n)) {
        line.copy_from_slice(from);
        line[0].im = T::zero();
        if n.is_multiple_of(2) {
            line[n / 2].im = T::zero();
        }
        plan.process_with_scratch(&mut line, to, &mut scratch).expect("lines of the plan's length");
    }
}

/// Transforms of lines of numbers of one precision.
///
/// All panic where `n` is 0 or slices are not lines of their lengths.
pub trait Transforms: Sized {
    /// Transforms lines of `n` numbers in place, forward (`exp(-2 pi i j k / n)`) or inverse without its factor `1 / n`.
    fn whole(lines: &mut [Complex<Self>], n: usize, inverse: bool);
    /// The first `n / 2 + 1` terms of the forward transforms of lines of `n` real numbers; the others are conjugates of these.
    fn forward(from: &[Self], to: &mut [Complex<Self>], n: usize);
    /// Inverse transforms, without their factor, of lines of `n / 2 + 1` terms, completed by conjugates. What is imaginary of the
    /// first term, and of the middle one of an even length, has no place in a real result.
    fn inverse(from: &[Complex<Self>], to: &mut [Self], n: usize);
}

macro_rules! transforms {
    ($($number:ident $kept:ident),*) => {
        $(impl Transforms for $number {
            fn whole(lines: &mut [Complex<Self>], n: usize, inverse: bool) {
                whole(&$kept, lines, n, inverse);
            }
            fn forward(from: &[Self], to: &mut [Complex<Self>], n: usize) {
                forward(&$kept, from, to, n);
            }
            fn inverse(from: &[Complex<Self>], to: &mut [Self], n: usize) {
                inverse(&$kept, from, to, n);
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
                f64::whole(&mut found, n, inverse);
                near(&found, &want, 1e-11);
                f32::whole(&mut single, n, inverse);
                near(&doubles(&single), &want, 1e-4);
            }
        }
    }

    /// Real lines against complex ones.
    #[test]
    fn real_lines_are_transformed_as_complex_ones() {
        for n in [1, 2, 3, 8, 15, 31, 36] {
            let (half, line) = (n / 2 + 1, line(n));
            let real: Vec<f64> = line.iter().map(|z| z.re).collect();
            let real: Vec<f64> = [real.clone(), real].concat();
            let single: Vec<f32> = real.iter().map(|&x| x as f32).collect();
            let complex: Vec<Complex64> = real[..n].iter().map(|&x| x.into()).collect();
            let want = defined(&complex, -1.0)[..half].to_vec();
            let mut found = vec![Complex64::ZERO; 2 * half];
            f64::forward(&real, &mut found, n);
            near(&found, &[&want[..], &want[..]].concat(), 1e-11);
            let mut found = vec![Complex32::ZERO; 2 * half];
            f32::forward(&single, &mut found, n);
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
            let want = [&want[..], &want[..]].concat();
            let terms = [&terms[..], &terms[..]].concat();
            let mut found = vec![0.0f64; 2 * n];
            f64::inverse(&terms, &mut found, n);
            near(&found.iter().map(|&x| x.into()).collect::<Vec<_>>(), &want, 1e-11);
            let single: Vec<Complex32> =
                terms.iter().map(|z| Complex32::new(z.re as f32, z.im as f32)).collect();
            let mut found = vec![0.0f32; 2 * n];
            f32::inverse(&single, &mut found, n);
            near(&found.iter().map(|&x| f64::from(x).into()).collect::<Vec<_>>(), &want, 1e-4);
        }
    }

    /// Plans that are kept, plans that were dropped and plans of many threads are all the same.
    #[test]
    fn plans_are_as_good_as_new() {
        let transform = |n: usize| {
            let mut all = line(n);
            f64::whole(&mut all, n, false);
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

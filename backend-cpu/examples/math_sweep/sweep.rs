//! The wide routines of the math library over many arguments at once, and their largest error.
//!
//! A single's exact result is the double function's: `reference.py` of the library holds that to exact
//! references, and its error is far below a single's unit.

use wengert_cpu::tile::{Float, tile, tile2};
use wengert_ir::math::{Bound, MathFn, MathFn2};

/// Arguments of one call.
const BLOCK: usize = 4096;

/// The largest error so far, and where it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Worst {
    /// In the units of the function's bound.
    pub(crate) error: f64,
    /// The first argument.
    pub(crate) x: f32,
    /// The second argument of binary functions.
    pub(crate) y: f32,
}

impl Worst {
    /// Before anything was looked at.
    pub(crate) const NONE: Worst = Worst { error: 0.0, x: 0.0, y: 0.0 };

    /// The larger of two.
    pub(crate) fn or(self, other: Worst) -> Worst {
        if other.error > self.error { other } else { self }
    }
}

/// A unary routine over a slice.
macro_rules! over {
    ($name:ident $float:ident $variant:ident) => {
        /// The function over a slice, by the routine that compiled programs call on this machine.
        pub(crate) fn $name(f: MathFn, x: &[$float], y: &mut [$float]) {
            assert_eq!(x.len(), y.len());
            type Routine = unsafe extern "C" fn(*const $float, *mut $float, usize);
            // SAFETY: the type is the one that the module documents for this pointer.
            let run: Routine = unsafe { std::mem::transmute(tile(f, Float::$variant)) };
            // SAFETY: both slices have this length, and the routine is for this machine.
            unsafe { run(x.as_ptr(), y.as_mut_ptr(), x.len()) };
        }
    };
}
over!(singles f32 F32);
over!(doubles f64 F64);

/// A binary routine over slices.
macro_rules! over2 {
    ($name:ident $float:ident $variant:ident) => {
        /// The function over two slices, by the routine that compiled programs call on this machine.
        pub(crate) fn $name(f: MathFn2, a: &[$float], b: &[$float], y: &mut [$float]) {
            assert!(a.len() == y.len() && b.len() == y.len());
            type Routine = unsafe extern "C" fn(*const $float, *const $float, *mut $float, usize);
            // SAFETY: the type is the one that the module documents for this pointer.
            let run: Routine = unsafe { std::mem::transmute(tile2(f, Float::$variant)) };
            // SAFETY: the slices have this length, and the routine is for this machine.
            unsafe { run(a.as_ptr(), b.as_ptr(), y.as_mut_ptr(), y.len()) };
        }
    };
}
over2!(singles2 f32 F32);
over2!(doubles2 f64 F64);

/// An error that is right for finite results of finite size, and not below it otherwise or NaN.
#[inline(always)]
fn quick(bound: &Bound, x: f32, got: f32, want: f64) -> f64 {
    let floor = if bound.floor_below_zero && x < 0.0 { 1023 } else { 1023 - 126 };
    let exponent = (want.to_bits() >> 52 & 0x7ff).clamp(floor, 1023 + 127);
    (f64::from(got) - want).abs() * f64::from_bits((2 * 1023 + 23 - exponent) << 52)
}

/// Looks at results; only what might be worse than the worst is looked at with care.
fn look(bound: &Bound, x: &[f32], y: &[f32], got: &[f32], want: &[f64], worst: &mut Worst) {
    for (i, (&got, &want)) in got.iter().zip(want).enumerate() {
        if quick(bound, x[i], got, want) <= worst.error || got.is_nan() && want.is_nan() {
            continue;
        }
        let error = bound.error_f32(x[i], got, want);
        *worst = worst.or(Worst { error, x: x[i], y: y.get(i).copied().unwrap_or(0.0) });
    }
}

/// The largest error over the floats whose bits are `first`, `first + step` and so on.
pub(crate) fn unary(f: MathFn, first: u32, step: u32, count: u64) -> Worst {
    let bound = f.bound();
    let mut worst = Worst::NONE;
    let (mut x, mut got) = (vec![0f32; BLOCK], vec![0f32; BLOCK]);
    let (mut wide, mut want) = (vec![0f64; BLOCK], vec![0f64; BLOCK]);
    let mut bits = first;
    let mut left = count;
    while left > 0 {
        let n = BLOCK.min(left as usize);
        for (x, wide) in x.iter_mut().zip(&mut wide) {
            *x = f32::from_bits(bits);
            *wide = f64::from(*x);
            bits = bits.wrapping_add(step);
        }
        singles(f, &x[..n], &mut got[..n]);
        doubles(f, &wide[..n], &mut want[..n]);
        look(&bound, &x[..n], &[], &got[..n], &want[..n], &mut worst);
        left -= n as u64;
    }
    worst
}

/// splitmix64: the same numbers for the same seed.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// The next 64 bits.
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// Between 0 and 1.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Between `low` and `high`.
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Of any size, or more often of about 1.
    fn positive(&mut self, any: impl Fn(u64) -> f64) -> f64 {
        match self.bits() % 8 {
            0 => any(self.bits()).abs(),
            1..4 => 2f64.powf(self.between(-10.0, 12.0)),
            _ => self.between(0.0, 30.0),
        }
    }

    /// Arguments of a binary function, three quarters of them where its result is neither zero nor infinite
    /// nor NaN; `largest` is the logarithm of the largest number.
    pub(crate) fn pair(&mut self, f: MathFn2, any: impl Fn(u64) -> f64, largest: f64) -> (f64, f64) {
        let x = any(self.bits());
        match (f, self.bits() % 4) {
            (MathFn2::Polygamma, kind) => {
                let n = if kind == 0 { 1.0 } else { self.between(0.0, 30.5).round() };
                (n, self.positive(&any))
            }
            (MathFn2::Zeta, 0) => (1.0 + 2f64.powf(self.between(-20.0, 7.0)), self.positive(&any)),
            (MathFn2::Zeta, 1) => (self.between(1.0, 100.0), self.positive(&any)),
            (MathFn2::Zeta, _) => (self.between(1.0, 12.0), self.positive(&any)),
            (_, 0) => (x, any(self.bits())),
            (MathFn2::Pow, 1) => {
                let x = 1.0 + self.between(-1.0, 1.0) * 2f64.powf(self.between(-24.0, 0.0));
                (x, self.between(-1.1, 1.1) * largest / x.ln())
            }
            (MathFn2::Pow, 2) => (self.between(-3.0, 3.0), self.between(-40.0, 40.0).round() / 2.0),
            (MathFn2::Pow, _) => (x, self.between(-1.1, 1.1) * largest / x.abs().ln()),
            (MathFn2::Atan2, 1) => (self.between(-3.0, 3.0), self.between(-3.0, 3.0)),
            (MathFn2::Atan2, _) => (x, x * self.between(-1.0, 1.0) * 2f64.powf(self.between(-60.0, 60.0))),
        }
    }
}

/// The largest error over pairs of floats drawn from `seed`.
pub(crate) fn binary(f: MathFn2, seed: u64, count: u64) -> Worst {
    let bound = f.bound();
    let mut random = Random(seed);
    let mut worst = Worst::NONE;
    let [mut x, mut y, mut got] = std::array::from_fn(|_| vec![0f32; BLOCK]);
    let [mut wide_x, mut wide_y, mut want] = std::array::from_fn(|_| vec![0f64; BLOCK]);
    for _ in 0..count.div_ceil(BLOCK as u64) {
        for i in 0..BLOCK {
            let (a, b) = random.pair(f, |bits| f64::from(f32::from_bits(bits as u32)), 88.8);
            (x[i], y[i]) = (a as f32, b as f32);
            (wide_x[i], wide_y[i]) = (f64::from(x[i]), f64::from(y[i]));
        }
        singles2(f, &x, &y, &mut got);
        doubles2(f, &wide_x, &wide_y, &mut want);
        look(&bound, &x, &y, &got, &want, &mut worst);
    }
    worst
}

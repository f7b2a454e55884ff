//! Errors against exact references, special values, and identities that hold bit for bit.

mod formula;
mod zeta;

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};
use wengert_ir::math::{MathFn, MathFn2};

fn by_name(name: &str) -> Option<MathFn> {
    MathFn::ALL.iter().copied().find(|f| f.name().ends_with(&format!(".{name}")))
}

fn by_name2(name: &str) -> Option<MathFn2> {
    MathFn2::ALL.iter().copied().find(|f| f.name().ends_with(&format!(".{name}")))
}

/// Exact results, computed with 200 bits by `reference.py`: of random arguments, and of those with the
/// largest errors among 60,000 each.
#[test]
fn doubles_against_the_reference() {
    let mut name = "";
    let mut failures = Vec::new();
    let mut count = 0;
    for line in include_str!("reference.txt").lines().chain(include_str!("hardest.txt").lines()) {
        if let Some(n) = line.strip_prefix("# ") {
            name = n;
            continue;
        }
        let words: Vec<&str> = line.split(' ').collect();
        let float = |k: usize| f64::from_bits(u64::from_str_radix(words[k], 16).unwrap());
        let rest = words[words.len() - 1].parse::<f64>().unwrap() / 100.0;
        let want = float(words.len() - 2);
        let (got, bound, call) = if words.len() == 3 {
            let f = by_name(name).unwrap();
            (f.eval_f64(float(0)), f.bound(), format!("{f:?}({:e})", float(0)))
        } else {
            let f = if name == "pow" { MathFn2::Pow } else { by_name2(name).unwrap() };
            (f.eval_f64(float(0), float(1)), f.bound(), format!("{f:?}({:e}, {:e})", float(0), float(1)))
        };
        count += 1;
        let error = bound.error_f64(float(0), got, want, rest);
        if error > bound.ulp {
            failures.push(format!("{call} = {got:e}, want {want:e}: {error:.2} ULP"));
        }
    }
    assert_eq!(count, 120 * (MathFn::ALL.len() + MathFn2::ALL.len()));
    assert!(failures.is_empty(), "{failures:#?}");
}

/// Singles against the double functions, over all of the range.
#[test]
fn singles_against_doubles() {
    for &f in MathFn::ALL {
        let bound = f.bound();
        for k in 0..30_000u32 {
            let x = f32::from_bits(k.wrapping_mul(143_165).wrapping_add(k % 7));
            let (got, want) = (f.eval_f32(x), f.eval_f64(f64::from(x)));
            assert!(bound.error_f32(x, got, want) <= bound.ulp, "{f:?}({x:e}) = {got:e}, want {want:e}");
        }
    }
    for &f in MathFn2::ALL {
        let bound = f.bound();
        let mut state = 1u64;
        for k in 0..60_000u32 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let x = f32::from_bits((state >> 32) as u32);
            let unit = (state >> 8) as u32 as f32 / 4_294_967_296.0;
            let y = match k % 3 {
                0 => f32::from_bits(state as u32),
                1 => (unit - 0.5) * 200.0 / x.abs().ln(),
                _ => (unit * 40.0 - 20.0).round(),
            };
            // Orders that no single beyond 1e30 tells from it.
            if f == MathFn2::Polygamma && x > 1e30 {
                continue;
            }
            let (got, want) = (f.eval_f32(x, y), f.eval_f64(f64::from(x), f64::from(y)));
            assert!(
                bound.error_f32(x, got, want) <= bound.ulp,
                "{f:?}({x:e}, {y:e}) = {got:e}, want {want:e}"
            );
        }
    }
}

/// The standard library is a second opinion on the doubles: one unit more for its own error.
#[test]
fn doubles_against_the_standard_library() {
    type Std = fn(f64) -> f64;
    let functions: [(MathFn, Std); 16] = [
        (MathFn::Exp, f64::exp),
        (MathFn::Exp2, f64::exp2),
        (MathFn::Expm1, f64::exp_m1),
        (MathFn::Log, f64::ln),
        (MathFn::Log2, f64::log2),
        (MathFn::Log1p, f64::ln_1p),
        (MathFn::Sin, f64::sin),
        (MathFn::Cos, f64::cos),
        (MathFn::Tan, f64::tan),
        (MathFn::Tanh, f64::tanh),
        (MathFn::Sinh, f64::sinh),
        (MathFn::Cosh, f64::cosh),
        (MathFn::Cbrt, f64::cbrt),
        (MathFn::Atan, f64::atan),
        (MathFn::Asin, f64::asin),
        (MathFn::Acos, f64::acos),
    ];
    for (f, reference) in functions {
        // C libraries promise less for these.
        let slack = if matches!(f, MathFn::Tanh | MathFn::Sinh | MathFn::Cosh) { 3.0 } else { 1.5 };
        let bound = f.bound();
        let mut state = 7u64;
        for _ in 0..20_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let x = f64::from_bits(state);
            let (got, want) = (f.eval_f64(x), reference(x));
            assert!(
                bound.error_f64(x, got, want, 0.0) <= bound.ulp + slack,
                "{f:?}({x:e}) = {got:e}, std {want:e}"
            );
        }
    }
}

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

/// Argument and exact result: signed zeros, infinities, domain errors and exact values.
const SPECIAL: &[(MathFn, &[(f64, f64)])] = &[
    (MathFn::Exp, &[(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, 0.0), (1e4, INF), (-1e4, 0.0)]),
    (
        MathFn::Exp2,
        &[(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, 0.0), (1e4, INF), (-1e4, 0.0), (10.0, 1024.0)],
    ),
    (MathFn::Expm1, &[(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -1.0), (1e4, INF), (-1e4, -1.0)]),
    (MathFn::Log, &[(0.0, -INF), (-0.0, -INF), (1.0, 0.0), (INF, INF), (-1.0, NAN), (-INF, NAN)]),
    (
        MathFn::Log2,
        &[(0.0, -INF), (-0.0, -INF), (1.0, 0.0), (INF, INF), (-1.0, NAN), (-INF, NAN), (0.125, -3.0)],
    ),
    (MathFn::Log1p, &[(0.0, 0.0), (-0.0, -0.0), (-1.0, -INF), (INF, INF), (-1.5, NAN), (-INF, NAN)]),
    (MathFn::Sin, &[(0.0, 0.0), (-0.0, -0.0), (INF, NAN), (-INF, NAN)]),
    (MathFn::Cos, &[(0.0, 1.0), (-0.0, 1.0), (INF, NAN), (-INF, NAN)]),
    (MathFn::Tan, &[(0.0, 0.0), (-0.0, -0.0), (INF, NAN), (-INF, NAN)]),
    (MathFn::Tanh, &[(0.0, 0.0), (-0.0, -0.0), (INF, 1.0), (-INF, -1.0), (50.0, 1.0)]),
    (MathFn::Sinh, &[(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -INF), (1e4, INF), (-1e4, -INF)]),
    (MathFn::Cosh, &[(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, INF), (1e4, INF)]),
    (MathFn::Logistic, &[(0.0, 0.5), (-0.0, 0.5), (INF, 1.0), (-INF, 0.0), (1e3, 1.0), (-1e3, 0.0)]),
    (MathFn::Cbrt, &[(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -INF), (27.0, 3.0), (-8.0, -2.0)]),
    (MathFn::Rsqrt, &[(0.0, INF), (-0.0, -INF), (INF, 0.0), (-1.0, NAN), (0.25, 2.0), (-INF, NAN)]),
    (MathFn::Atan, &[(0.0, 0.0), (-0.0, -0.0), (INF, FRAC_PI_2), (-INF, -FRAC_PI_2), (1.0, FRAC_PI_4)]),
    (MathFn::Asin, &[(0.0, 0.0), (-0.0, -0.0), (1.0, FRAC_PI_2), (-1.0, -FRAC_PI_2), (1.5, NAN), (INF, NAN)]),
    (MathFn::Acos, &[(0.0, FRAC_PI_2), (1.0, 0.0), (-1.0, PI), (1.5, NAN), (-1.5, NAN), (-INF, NAN)]),
    (MathFn::Asinh, &[(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -INF)]),
    (MathFn::Acosh, &[(1.0, 0.0), (0.5, NAN), (-2.0, NAN), (INF, INF), (-INF, NAN)]),
    (MathFn::Atanh, &[(0.0, 0.0), (-0.0, -0.0), (1.0, INF), (-1.0, -INF), (1.5, NAN), (INF, NAN)]),
    (MathFn::Erf, &[(0.0, 0.0), (-0.0, -0.0), (INF, 1.0), (-INF, -1.0), (10.0, 1.0)]),
    (MathFn::Erfc, &[(0.0, 1.0), (-0.0, 1.0), (INF, 0.0), (-INF, 2.0), (-10.0, 2.0), (30.0, 0.0)]),
    (MathFn::ErfInv, &[(0.0, 0.0), (-0.0, -0.0), (1.0, INF), (-1.0, -INF), (1.5, NAN), (-INF, NAN)]),
    (
        MathFn::Lgamma,
        &[(1.0, 0.0), (2.0, 0.0), (0.0, INF), (-0.0, INF), (-1.0, INF), (-7.0, INF), (INF, INF), (-INF, INF)],
    ),
    (MathFn::Digamma, &[(0.0, NAN), (-0.0, NAN), (-1.0, NAN), (INF, INF), (-INF, NAN), (1e-310, -INF)]),
];

fn same_f64(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

fn same_f32(a: f32, b: f32) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

#[test]
fn special_values() {
    let listed: Vec<MathFn> = SPECIAL.iter().map(|&(f, _)| f).collect();
    assert_eq!(listed, MathFn::ALL);
    for &(f, values) in SPECIAL {
        for &(x, want) in values.iter().chain(&[(NAN, NAN)]) {
            let got = f.eval_f64(x);
            assert!(same_f64(got, want), "{f:?}({x:e}) = {got:e}, want {want:e}");
            let (x, want) = (if x == 1e-310 { 1e-42 } else { x as f32 }, want as f32);
            let got = f.eval_f32(x);
            assert!(same_f32(got, want), "{f:?}({x:e}) = {got:e}, want {want:e}");
        }
    }
}

/// C's table for `pow`; each row is arguments and result.
#[test]
fn special_values_of_pow() {
    let table = [
        (0.0, -3.0, INF),
        (-0.0, -3.0, -INF),
        (-0.0, -2.0, INF),
        (-0.0, -0.5, INF),
        (0.0, -0.5, INF),
        (0.0, -INF, INF),
        (-0.0, -INF, INF),
        (0.0, 3.0, 0.0),
        (-0.0, 3.0, -0.0),
        (-0.0, 2.0, 0.0),
        (-0.0, 0.5, 0.0),
        (-1.0, INF, 1.0),
        (-1.0, -INF, 1.0),
        (1.0, NAN, 1.0),
        (1.0, INF, 1.0),
        (NAN, 0.0, 1.0),
        (INF, 0.0, 1.0),
        (-INF, -0.0, 1.0),
        (-2.0, 0.5, NAN),
        (-2.0, -1.5, NAN),
        (NAN, 1.0, NAN),
        (2.0, NAN, NAN),
        (0.5, -INF, INF),
        (-0.5, -INF, INF),
        (2.0, -INF, 0.0),
        (0.5, INF, 0.0),
        (2.0, INF, INF),
        (-2.0, INF, INF),
        (-INF, -3.0, -0.0),
        (-INF, -2.0, 0.0),
        (-INF, -0.5, 0.0),
        (-INF, -INF, 0.0),
        (-INF, INF, INF),
        (-INF, 3.0, -INF),
        (-INF, 2.0, INF),
        (-INF, 0.5, INF),
        (INF, -1.0, 0.0),
        (INF, 1.0, INF),
        (-2.0, 3.0, -8.0),
        (-2.0, 2.0, 4.0),
        (3.0, 4.0, 81.0),
        (4.0, -0.5, 0.5),
        (10.0, 400.0, INF),
        (-10.0, 401.0, -INF),
        (-10.0, -401.0, -0.0),
    ];
    for (x, y, want) in table {
        let got = MathFn2::Pow.eval_f64(x, y);
        assert!(same_f64(got, want), "pow({x:e}, {y:e}) = {got:e}, want {want:e}");
        let got = MathFn2::Pow.eval_f32(x as f32, y as f32);
        assert!(same_f32(got, want as f32), "pow({x:e}, {y:e}) = {got:e}, want {want:e}");
    }
}

/// `atan2` at the axes, zeros and infinities is the standard library's, bit for bit.
#[test]
fn special_values_of_atan2() {
    let values = [0.0, -0.0, 1.0, -1.0, INF, -INF, NAN, 1e-310, -1e300];
    for y in values {
        for x in values {
            if y.abs() == 1e-310 && x.abs() == 1e-310 || y == x && y == -1e300 {
                continue;
            }
            let (got, want) = (MathFn2::Atan2.eval_f64(y, x), y.atan2(x));
            assert!(same_f64(got, want), "atan2({y:e}, {x:e}) = {got:e}, want {want:e}");
            let (y, x) = (y as f32, x as f32);
            let (got, want) = (MathFn2::Atan2.eval_f32(y, x), f64::from(y).atan2(f64::from(x)) as f32);
            assert!(same_f32(got, want), "atan2({y:e}, {x:e}) = {got:e}, want {want:e}");
        }
    }
}

/// Every NaN that a function returns is the one canonical NaN.
#[test]
fn one_nan() {
    for x in [f64::NAN, -f64::NAN, f64::from_bits(0xfff0_0000_0000_0001), -1.5, 1.5, -INF, INF] {
        for &f in MathFn::ALL {
            let y = f.eval_f64(x);
            assert!(!y.is_nan() || y.to_bits() == 0x7ff8_0000_0000_0000, "{f:?}({x:e})");
            let y = f.eval_f32(x as f32);
            assert!(!y.is_nan() || y.to_bits() == 0x7fc0_0000, "{f:?}({x:e})");
        }
        for &f in MathFn2::ALL {
            for (a, b) in [(x, 2.5), (-2.5, x), (x, x)] {
                let y = f.eval_f64(a, b);
                assert!(!y.is_nan() || y.to_bits() == 0x7ff8_0000_0000_0000, "{f:?}({a:e}, {b:e})");
            }
        }
    }
}

/// Odd functions are odd and even ones even, bit for bit.
#[test]
fn symmetry() {
    for k in 1..2000 {
        let x = f64::from(k) * 0.011;
        for f in
            [MathFn::Sin, MathFn::Tan, MathFn::Tanh, MathFn::Sinh, MathFn::Atan, MathFn::Asinh, MathFn::Erf]
        {
            assert_eq!(f.eval_f64(-x).to_bits(), (-f.eval_f64(x)).to_bits(), "{f:?}({x})");
            assert_eq!(f.eval_f32(-x as f32).to_bits(), (-f.eval_f32(x as f32)).to_bits(), "{f:?}({x})");
        }
        for f in [MathFn::Cos, MathFn::Cosh] {
            assert_eq!(f.eval_f64(-x).to_bits(), f.eval_f64(x).to_bits(), "{f:?}({x})");
        }
    }
}

/// Near one the inverse error function is the exact one but for the last place.
#[test]
fn erf_inv_near_one() {
    assert_eq!(MathFn::ErfInv.eval_f64(0.9999999554283866), 3.869082581281174);
}

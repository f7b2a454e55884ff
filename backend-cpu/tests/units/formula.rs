//! The math library as object files have it: the same bits.

use wengert_cpu::testing::formulas;
use wengert_ir::math::{MathFn, MathFn2};

fn canonical(x: f64) -> u64 {
    if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() }
}

/// Scales of the samples: those at the ends are where numbers of either type begin to lose digits.
const SCALES: [f64; 10] = [2.0, 20.0, 800.0, 1e6, 1e40, 1e-30, 1e-306, 1e-310, 1e-37, 1e-41];

/// Numbers of every size and sign, and the special ones.
fn samples() -> Vec<f64> {
    let mut all = vec![0.0, -0.0, f64::INFINITY, -f64::INFINITY, f64::NAN, 1.0, -1.0, 5e-324, f64::MAX];
    let mut word = 0x9e37_79b9_7f4a_7c15u64;
    for k in 0..1500 {
        word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let unit = (word >> 11) as f64 / (1u64 << 53) as f64;
        all.push((unit - 0.5) * SCALES[k % SCALES.len()]);
    }
    all
}

/// Every routine that is a formula gives the bits of the library's.
#[test]
fn formulas_agree_with_the_library() {
    let (all, mut seen) = (samples(), 0);
    formulas(&mut |routine, [ours, library]| {
        seen += 1;
        for (k, &x) in all.iter().enumerate() {
            // One of any size, and one of the same.
            for y in [k * 7 + 3, k + 13 * SCALES.len()].map(|j| all[j % all.len()]) {
                let (found, expected) = (ours(x, y), library(x, y));
                let same = canonical(found) == canonical(expected);
                assert!(same, "{routine} of {x:e}, {y:e}: {found:e}, not {expected:e}");
            }
        }
    });
    // Neighbours and remainders are formulas too.
    assert_eq!(seen, 2 * (MathFn::ALL.len() + MathFn2::ALL.len() + 2));
}

//! The Schur form of real matrices: against LAPACK's numbers, and `a = z t z^T` with standard blocks for matrices of all kinds.

use std::f64::consts::FRAC_1_SQRT_2;
use wengert_ir::array::Array;
use wengert_ir::op::*;
use wengert_ir::testing::{Random, eval_op, floats};
use wengert_ir::types::{DType, TensorType};

/// What `jax.scipy.linalg.schur` gives.
struct Known {
    what: &'static str,
    a: &'static [f64],
    t: &'static [f64],
    z: &'static [f64],
}

fn known() -> Vec<Known> {
    vec![
        Known {
            what: "a rotation",
            a: &[0.0, 1.0, -1.0, 0.0],
            t: &[0.0, 1.0, -1.0, 0.0],
            z: &[1.0, 0.0, 0.0, 1.0],
        },
        Known {
            what: "real eigenvalues",
            a: &[1.0, 2.0, 3.0, 4.0],
            t: &[-0.3722813232690143, -1.0, 0.0, 5.372281323269014],
            z: &[-0.8245648401323938, -0.5657674649689923, 0.5657674649689923, -0.8245648401323938],
        },
        Known {
            what: "a defective pair",
            a: &[4.0, 1.0, -1.0, 2.0],
            t: &[3.0, 2.0, 0.0, 3.0],
            z: &[FRAC_1_SQRT_2, FRAC_1_SQRT_2, -FRAC_1_SQRT_2, FRAC_1_SQRT_2],
        },
        Known {
            what: "a dense matrix",
            a: &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 10.0],
            t: &[
                16.707493316124747,
                4.7599571851259395,
                1.1544838513035005,
                0.0,
                -0.9057401795217577,
                -0.09987308369817635,
                0.0,
                0.0,
                0.1982468633970094,
            ],
            z: &[
                -0.2235133577278518,
                -0.9573111784438506,
                0.18329508052227475,
                -0.5039456275263903,
                -0.04746692429985612,
                -0.8624301105565276,
                -0.8343144391740168,
                0.28513540419239,
                0.4718232909276399,
            ],
        },
        Known {
            what: "a row that isolates an eigenvalue",
            a: &[1.0, 2.0, 0.0, 3.0, 0.0, 2.0, 0.0, 0.0, 1.0, 5.0, 3.0, 4.0, 2.0, -7.0, -4.0, 4.0],
            t: &[
                -0.06769080938676228,
                2.646476232736542,
                -0.23091860026081776,
                -4.840939872287941,
                0.0,
                4.033845404693379,
                -5.0476414166325805,
                0.9524606065887289,
                0.0,
                2.6297826402770097,
                4.033845404693379,
                -7.325170301487153,
                0.0,
                0.0,
                0.0,
                2.0,
            ],
            z: &[
                -0.934241346634151,
                -0.14598835871523028,
                0.3253928477376871,
                0.0,
                0.0,
                0.0,
                0.0,
                1.0,
                -0.12900034934707694,
                -0.7122784138216184,
                -0.6899408460673209,
                0.0,
                0.3324936331834649,
                -0.6865470561610403,
                0.646607395232275,
                0.0,
            ],
        },
        Known {
            what: "blocks already, one not in standard form",
            a: &[1.0, 2.0, 3.0, 4.0, -2.0, 1.0, 5.0, 6.0, 0.0, 0.0, 3.0, 7.0, 0.0, 0.0, -1.0, 2.0],
            t: &[
                1.0,
                2.0,
                2.659855901909577,
                4.233812298753547,
                -2.0,
                1.0,
                4.4880801908792245,
                6.391958713902767,
                0.0,
                0.0,
                2.500000000000001,
                7.04138126514911,
                0.0,
                0.0,
                -0.9586187348508903,
                2.500000000000001,
            ],
            z: &[
                1.0,
                0.0,
                0.0,
                0.0,
                0.0,
                1.0,
                0.0,
                0.0,
                0.0,
                0.0,
                0.9965926760297168,
                0.08248053154489328,
                0.0,
                0.0,
                -0.08248053154489328,
                0.9965926760297168,
            ],
        },
        Known {
            what: "real and conjugate eigenvalues",
            a: &[
                2.0, -1.0, 0.0, 3.0, 1.0, 1.0, 0.0, 4.0, -2.0, 2.0, 0.0, 3.0, -1.0, 1.0, 5.0, -4.0, 1.0, 2.0,
                0.0, 1.0, 1.0, -2.0, 3.0, 1.0, -3.0,
            ],
            t: &[
                -6.85024694623019,
                0.07690865533078498,
                1.1777046636433437,
                0.8343736529168689,
                1.6151217857522342,
                0.0,
                1.138112183443062,
                -4.204937120747062,
                2.411345105839491,
                -0.11649065695112149,
                0.0,
                3.3269466805993018,
                1.138112183443062,
                -1.745598598874578,
                1.495904386328581,
                0.0,
                0.0,
                0.0,
                -1.277157695006132,
                3.3852659744025866,
                0.0,
                0.0,
                0.0,
                0.0,
                3.851180274350194,
            ],
            z: &[
                0.06198688247448339,
                0.540208272288874,
                -0.6306880988073238,
                0.5534039940287644,
                0.01758380981413013,
                -0.23179158052391513,
                0.24111635509835092,
                0.6955444943257247,
                0.5746218736767118,
                0.27232907521553296,
                0.6995100002700595,
                0.06783332530580008,
                0.03785724079593366,
                -0.12365126223186218,
                0.699543847208969,
                -0.0360730348488984,
                -0.7993813000184551,
                -0.2378538811172333,
                0.5064278472821658,
                0.2159737022700095,
                -0.672171693303349,
                0.08016297782341605,
                -0.24585105042029654,
                -0.3029767689623984,
                0.6241165357403481,
            ],
        },
    ]
}

/// The same in binary32, where fewer iterations separate eigenvalues.
fn known_single() -> Vec<Known> {
    vec![Known {
        what: "dense, single",
        a: &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 10.0],
        t: &[16.7074966, 4.75995541, -1.15448105, 0.0, -0.905740499, 0.0998724252, 0.0, 0.0, 0.19824712],
        z: &[
            0.223513559,
            0.957310975,
            0.183295622,
            0.503945708,
            0.0474673845,
            -0.862430096,
            0.834314346,
            -0.285135627,
            0.471823186,
        ],
    }]
}

#[track_caller]
fn close(what: &str, ours: &Array, theirs: &[f64], tolerance: f64) {
    let ours = floats(ours);
    for (x, y) in ours.iter().zip(theirs) {
        assert!((x - y).abs() <= tolerance * (1.0 + y.abs()), "{what}: {ours:?}, not {theirs:?}");
    }
}

#[test]
fn numbers_are_those_of_lapack() {
    for Known { what, a, t, z } in known() {
        let n = a.len().isqrt();
        let out = eval_op(Schur { vectors: true }, &[Array::new(&[n, n], a)]);
        close(what, &out[0], t, 1e-13);
        close(what, &out[1], z, 1e-13);
    }
    for Known { what, a, t, z } in known_single() {
        let n = a.len().isqrt();
        let a: Vec<f32> = a.iter().map(|&x| x as f32).collect();
        let out = eval_op(Schur { vectors: true }, &[Array::new(&[n, n], &a)]);
        close(what, &out[0], t, 1e-5);
        close(what, &out[1], z, 1e-5);
    }
}

/// Checks every promise of the operation for one matrix.
#[track_caller]
fn check(what: &str, n: usize, a: &[f64], single: bool) {
    let x = if single {
        let narrow: Vec<f32> = a.iter().map(|&x| x as f32).collect();
        Array::new(&[n, n], &narrow)
    } else {
        Array::new(&[n, n], a)
    };
    let a = floats(&x);
    let out = eval_op(Schur { vectors: true }, &[x]);
    let (t, z, re, im) = (floats(&out[0]), floats(&out[1]), floats(&out[2]), floats(&out[3]));
    assert_eq!((out[4].as_slice::<i32>(), out[5].as_slice::<i32>()), (&[0][..], &[0][..]), "{what}");
    let eps = if single { f32::EPSILON as f64 } else { f64::EPSILON };
    let size = a.iter().fold(0.0f64, |m, x| m.max(x.abs()));
    let bound = 20.0 * eps * (n as f64 + 1.0);
    let at = |m: &[f64], i: usize, j: usize| m[i * n + j];
    for i in 0..n {
        for j in 0..n {
            let gram: f64 = (0..n).map(|k| at(&z, k, i) * at(&z, k, j)).sum();
            assert!((gram - f64::from(i == j)).abs() <= bound, "{what}: z^T z is {gram} at {i}, {j}");
            let scaled = |k: usize, l: usize| at(&z, i, k) * (at(&t, k, l) / size.max(1e-300)) * at(&z, j, l);
            let back: f64 = (0..n).flat_map(|k| (0..n).map(move |l| (k, l))).map(|(k, l)| scaled(k, l)).sum();
            let wanted = at(&a, i, j) / size.max(1e-300);
            assert!((back - wanted).abs() <= bound * n as f64, "{what}: {back}, not {wanted}, at {i}, {j}");
        }
    }
    let mut i = 0;
    while i < n {
        for j in 0..i.saturating_sub(1) {
            assert_eq!(at(&t, i, j), 0.0, "{what}: below the subdiagonal");
        }
        if i + 1 < n && at(&t, i + 1, i) != 0.0 {
            let (b, c) = (at(&t, i, i + 1), at(&t, i + 1, i));
            assert_eq!(at(&t, i, i), at(&t, i + 1, i + 1), "{what}: diagonal of a block");
            assert!((b < 0.0) != (c < 0.0), "{what}: a block with {b} and {c}");
            if i + 2 < n {
                assert_eq!(at(&t, i + 2, i + 1), 0.0, "{what}: blocks touch");
            }
            let wanted = b.abs().sqrt() * c.abs().sqrt();
            assert!((im[i] - wanted).abs() <= 4.0 * eps * wanted && im[i + 1] == -im[i], "{what}: {im:?}");
            assert!(re[i] == at(&t, i, i) && re[i + 1] == re[i], "{what}: {re:?}");
            i += 2;
        } else {
            assert_eq!((re[i], im[i]), (at(&t, i, i), 0.0), "{what}: eigenvalue {i}");
            i += 1;
        }
    }
}

fn from_fn(n: usize, f: impl Fn(usize, usize) -> f64) -> Vec<f64> {
    (0..n * n).map(|k| f(k / n, k % n)).collect()
}

#[test]
fn every_matrix_is_rebuilt() {
    for n in [1, 2, 3, 4, 5, 8, 13, 24, 41, 60] {
        let x = Random(n as u64).array(&TensorType::new(DType::F64, &[n, n]), -1.0, 1.0);
        let x = x.as_slice::<f64>();
        let at = |i: usize, j: usize| x[i * n + j];
        let rows: Vec<(&str, Vec<f64>)> = vec![
            ("random", x.to_vec()),
            ("symmetric", from_fn(n, |i, j| at(i, j) + at(j, i))),
            ("skew", from_fn(n, |i, j| at(i, j) - at(j, i))),
            ("zero", vec![0.0; n * n]),
            ("identity", from_fn(n, |i, j| f64::from(i == j))),
            ("upper triangular", from_fn(n, |i, j| if i <= j { at(i, j) } else { 0.0 })),
            ("lower triangular", from_fn(n, |i, j| if i >= j { at(i, j) } else { 0.0 })),
            ("Jordan", from_fn(n, |i, j| if i == j { 3.0 } else { f64::from(i + 1 == j) })),
            ("Jordan, transposed", from_fn(n, |i, j| if i == j { 3.0 } else { f64::from(j + 1 == i) })),
            ("nilpotent", from_fn(n, |i, j| if i > j { at(i, j) } else { 0.0 })),
            ("cyclic", from_fn(n, |i, j| f64::from((j + 1) % n == i))),
            ("ones", vec![1.0; n * n]),
            ("rank one", from_fn(n, |i, j| at(i, 0) * at(0, j))),
            (
                "rotations",
                from_fn(n, |i, j| match (i / 2 == j / 2, i == j, i < j) {
                    (false, ..) => 0.0,
                    (_, true, _) => 0.6,
                    (.., true) => 0.8,
                    (.., false) => -0.8,
                }),
            ),
            ("graded", from_fn(n, |i, j| at(i, j) * 10f64.powi(-((i + j) as i32) / 4))),
            ("graded upwards", from_fn(n, |i, j| at(i, j) * 10f64.powi((i + j) as i32 / 8))),
            ("companion", from_fn(n, |i, j| if i == 0 { at(0, j) } else { f64::from(j + 1 == i) })),
            ("sparse", from_fn(n, |i, j| if at(i, j) > 0.6 { at(i, j) } else { 0.0 })),
        ];
        for (what, a) in rows {
            for single in [false, true] {
                check(&format!("{what}, {n}"), n, &a, single);
            }
        }
        for scale in [1e-200, 1e200, 1e300] {
            check(&format!("{scale} times random, {n}"), n, &from_fn(n, |i, j| at(i, j) * scale), false);
        }
    }
}

#[test]
fn batches_and_failures() {
    let x = [f64::NAN, 1.0, 2.0, 3.0, 1.0, 2.0, 0.0, 3.0, f64::INFINITY, 0.0, 0.0, 1.0];
    let out = eval_op(Schur { vectors: true }, &[Array::new(&[3, 2, 2], &x)]);
    assert_eq!(out[5].as_slice::<i32>(), [1, 0, 1]);
    for (k, width) in [(0, 4), (1, 4), (2, 2), (3, 2)] {
        let parts: Vec<_> = out[k].as_slice::<f64>().chunks(width).collect();
        assert!(parts[0].iter().chain(parts[2]).all(|v| v.is_nan()), "{out:?}");
        assert!(parts[1].iter().all(|v| v.is_finite()), "{out:?}");
    }
    assert_eq!(out[0].as_slice::<f64>()[4..8], [1.0, 2.0, 0.0, 3.0]);
    for shape in [&[0, 0][..], &[2, 0, 0]] {
        let out = eval_op(Schur { vectors: true }, &[Array::new::<f64>(shape, &[])]);
        assert_eq!(out[0].shape(), shape);
    }
    let plain = eval_op(Schur { vectors: false }, &[Array::new(&[2, 2], &[0.0, 1.0, -1.0, 0.0])]);
    assert_eq!(plain[1].as_slice::<f64>(), [0.0; 4]);
    assert_eq!(plain[3].as_slice::<f64>(), [1.0, -1.0]);
}

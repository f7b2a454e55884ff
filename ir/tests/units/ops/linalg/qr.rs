//! Derivatives of the QR decomposition where columns need no reflection, against those that `jax.grad` gives.

use wengert_ir::array::Array;
use wengert_ir::func::{Func, FuncId, FuncKind, Loc, Module, Value};
use wengert_ir::op::*;
use wengert_ir::testing::{Random, check_jvp, eval, floats, jvp, single};
use wengert_ir::text::parse;
use wengert_ir::types::{DType, Dims, TensorType};
use wengert_libraries::Complex64 as C;
use wengert_libraries::dense::{Mat, Scalar, orgqr};

/// Of `sum(q * weights(0)) + sum(r * weights(1))`: the gradient, and the gradient of its product with `weights(2)`.
struct Known {
    what: &'static str,
    shape: [usize; 2],
    a: &'static [f64],
    gradient: &'static [f64],
    second: &'static [f64],
}

/// The same, parts apart: real parts of Q and R with `weights(0)` and `weights(1)`, imaginary ones with `weights(2)` and
/// `weights(3)`; the derivative by real parts and by imaginary ones.
struct Complex {
    what: &'static str,
    shape: [usize; 2],
    a: [&'static [f64]; 2],
    gradient: [&'static [f64]; 2],
}

fn known() -> Vec<Known> {
    vec![
        Known {
            what: "identity",
            shape: [3, 3],
            a: &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
            gradient: &[-1.0, 0.75, -0.25, 1.5, 0.5, -0.5, 1.25, 0.25, -0.75],
            second: &[3.0625, 0.8125, -1.4375, 0.875, -0.875, 0.625, -2.0625, 1.0625, 0.0625],
        },
        Known {
            what: "upper triangular",
            shape: [3, 3],
            a: &[2.0, 1.0, 3.0, 0.0, -1.0, 4.0, 0.0, 0.0, 5.0],
            gradient: &[-1.0, 0.75, -0.25, 0.0, 0.5, -0.5, 1.875, -1.25, -0.75],
            second: &[
                1.171875,
                -0.53125,
                -0.71875,
                1.1562500000000004,
                -1.78125,
                -0.71875,
                -3.046875,
                3.90625,
                0.71875,
            ],
        },
        Known { what: "one", shape: [1, 1], a: &[3.0], gradient: &[-1.0], second: &[0.0] },
        Known { what: "minus one", shape: [1, 1], a: &[-3.0], gradient: &[-1.0], second: &[0.0] },
        Known {
            what: "tall, nothing below",
            shape: [3, 2],
            a: &[2.0, 1.0, 0.0, 3.0, 0.0, 0.0],
            gradient: &[-1.0, 0.75, 1.25, -1.25, 0.25, -0.25],
            second: &[
                -0.09375,
                0.09375,
                0.8854166666666666,
                -0.05208333333333333,
                -0.20486111111111108,
                0.48263888888888884,
            ],
        },
        Known {
            what: "one column",
            shape: [2, 1],
            a: &[1.0, 0.0],
            gradient: &[-1.0, 0.5],
            second: &[-0.5, 0.625],
        },
        Known {
            what: "the second column",
            shape: [3, 3],
            a: &[3.0, 1.0, 2.0, 4.0, 2.0, 1.0, 0.0, 0.0, 7.0],
            gradient: &[
                1.0639999999999998,
                -0.8499999999999998,
                0.55,
                0.4519999999999998,
                -0.2999999999999996,
                -0.09999999999999992,
                5.25,
                -10.5,
                -0.75,
            ],
            second: &[
                11.829500000000001,
                -23.625000000000004,
                -1.6874999999999993,
                -7.231500000000001,
                14.437500000000004,
                1.0312500000000004,
                -10.541250000000003,
                31.718750000000007,
                -1.3750000000000002,
            ],
        },
        Known {
            what: "the first of tall",
            shape: [4, 3],
            a: &[1.0, 2.0, 3.0, 0.0, 1.0, 4.0, 0.0, 2.0, 1.0, 0.0, 3.0, 5.0],
            gradient: &[
                -1.0,
                0.75,
                -0.25,
                0.15391756925012734,
                1.427397800389152,
                -0.49644139138899657,
                3.0872226897473523,
                -1.45738933659656,
                0.6787368418113361,
                1.4738790170850558,
                -0.12781594019433398,
                0.3365988003844316,
            ],
            second: &[
                2.170597160077998,
                -0.23456894511363047,
                -0.06876883960536592,
                0.7433760606829587,
                -2.2398772452695654,
                0.9083785273275415,
                4.4573797453148565,
                -1.8407936740769488,
                1.0435190862549504,
                -0.4712747514216007,
                2.0003138482644327,
                -0.9014349520581048,
            ],
        },
        Known {
            what: "wide",
            shape: [2, 4],
            a: &[2.0, 1.0, 3.0, 1.0, 0.0, -1.0, 4.0, 2.0],
            gradient: &[-1.0, 0.75, -0.25, -1.25, -4.375, -0.5, 1.25, 0.25],
            second: &[1.640625, 0.1875, -0.46875, -0.09375, -2.78125, 0.28125, -0.09375, -0.46875],
        },
        Known {
            what: "square",
            shape: [2, 2],
            a: &[1.0, 2.0, 3.0, 4.0],
            gradient: &[-0.7747580267412526, 0.9486832980505137, 1.3123452289698776, -1.1067971810589328],
            second: &[-0.5419353340113561, 0.24902936573825976, -0.09210133685240282, 0.21345374206136483],
        },
    ]
}

fn complex() -> Vec<Complex> {
    vec![
        Complex {
            what: "identity",
            shape: [2, 2],
            a: [&[1.0, 0.0, 0.0, 1.0], &[0.0, 0.0, 0.0, 0.0]],
            gradient: [&[-1.0, 0.75, -0.25, -1.25], &[-0.75, 1.25, -0.25, -1.0]],
        },
        Complex {
            what: "upper",
            shape: [2, 2],
            a: [&[1.0, 0.0, 0.0, 2.0], &[0.0, 1.0, 0.0, 0.0]],
            gradient: [&[-1.0, 0.75, 1.0, -1.25], &[0.0, 1.25, -2.75, -0.5]],
        },
        Complex {
            what: "tall",
            shape: [3, 2],
            a: [&[1.0, 0.0, 0.0, 2.0, 0.0, 0.0], &[0.0, 1.0, 0.0, 0.0, 0.0, 0.0]],
            gradient: [&[-1.0, 0.75, 1.0, -1.25, 0.375, -0.375], &[0.0, 1.25, -2.75, -0.5, 0.375, -0.125]],
        },
        Complex {
            what: "dense",
            shape: [3, 2],
            a: [&[1.0, 2.0, 0.0, 3.0, 2.0, 1.0], &[1.0, 0.0, 1.0, -1.0, 0.0, 0.0]],
            gradient: [
                &[
                    -0.38886421677318894,
                    0.49997421101447603,
                    -0.940796253095241,
                    1.3540996754230639,
                    0.12215610103635835,
                    -0.3450352193227,
                ],
                &[
                    1.235052933637622,
                    -1.0185900194617763,
                    1.5552503921274408,
                    -0.7756272362057428,
                    -0.3374455192299578,
                    -0.21726261646571104,
                ],
            ],
        },
    ]
}

fn weights(n: usize, seed: usize) -> impl Iterator<Item = f64> {
    (0..n).map(move |k| ((k * 7 + seed) % 11) as f64 * 0.25 - 1.25)
}

fn weighted(x: &Array, seed: usize) -> f64 {
    let x = floats(x);
    x.iter().zip(weights(x.len(), seed)).map(|(x, w)| x * w).sum()
}

/// `a -> (q, r)` as JAX writes it, or `(re, im) -> (re q, im q, re r, im r)`.
fn program(shape: [usize; 2], complex: bool) -> (Module, FuncId) {
    let mut module = Module::new("test");
    let mut func = Func::new("main", FuncKind::Public);
    let add = |func: &mut Func, op: Op, operands: &[Value]| -> Vec<Value> {
        func.push(&module, op, operands, Loc::Unknown).unwrap_or_else(|e| panic!("{e}")).to_vec()
    };
    let [m, n] = shape;
    let least = m.min(n);
    let dtype = if complex { DType::C128 } else { DType::F64 };
    let param = TensorType::new(DType::F64, &shape);
    let mut a = func.param(param.clone());
    if complex {
        let im = func.param(param);
        a = add(&mut func, BinaryOp::Complex.into(), &[a, im])[0];
    }
    let form = CallForm::Lapack;
    let block = |rows, cols| Slice {
        start: Dims::from_slice(&[0, 0]),
        limit: Dims::from_slice(&[rows, cols]),
        strides: Dims::from_slice(&[1, 1]),
    };
    let out = add(&mut func, Qr { form }.into(), &[a]);
    let v = add(&mut func, block(m, least).into(), &[out[0]])[0];
    let q = add(&mut func, HouseholderProduct { form }.into(), &[v, out[1]])[0];
    let r = add(&mut func, block(least, n).into(), &[out[0]])[0];
    let ty = TensorType::new(DType::I32, &[least, n]);
    let row = add(&mut func, Iota { ty: ty.clone(), dim: 0 }.into(), &[])[0];
    let col = add(&mut func, Iota { ty, dim: 1 }.into(), &[])[0];
    let upper = Compare { direction: Direction::Le, kind: CompareType::Signed };
    let upper = add(&mut func, upper.into(), &[row, col])[0];
    let zero = add(&mut func, Op::splat(TensorType::new(dtype, &[least, n]), 0.0), &[])[0];
    let r = add(&mut func, Select {}.into(), &[upper, r, zero])[0];
    func.results = if complex {
        let mut parts = Vec::new();
        for x in [q, r] {
            for part in [UnaryOp::Real, UnaryOp::Imag] {
                parts.extend(add(&mut func, part.into(), &[x]));
            }
        }
        parts
    } else {
        vec![q, r]
    };
    let id = module.add(func);
    (module, id)
}

/// The `k`-th of `n` directions.
fn unit(shape: &[usize], k: usize) -> Array {
    let n = shape.iter().product();
    Array::new(shape, &(0..n).map(|i| f64::from(i == k)).collect::<Vec<_>>())
}

#[track_caller]
fn close(what: &str, ours: &[f64], theirs: &[f64]) {
    for (x, y) in ours.iter().zip(theirs) {
        assert!((x - y).abs() <= 1e-12 * (1.0 + y.abs()), "{what}: {ours:?}, not {theirs:?}");
    }
    assert_eq!(ours.len(), theirs.len());
}

#[test]
fn columns_without_reflection() {
    for Known { what, shape, a, gradient, second } in known() {
        let (mut module, f) = program(shape, false);
        let first = jvp(&mut module, f);
        let twice = jvp(&mut module, first);
        let x = Array::new(&shape, a);
        let along: Vec<f64> = weights(a.len(), 2).collect();
        let (along, still) = (Array::new(&shape, &along), Array::new(&shape, &vec![0.0; a.len()]));
        let (mut ours, mut ours_second) = (Vec::new(), Vec::new());
        for k in 0..a.len() {
            let out = eval(&module, first, &[x.clone(), unit(&shape, k)]);
            ours.push(weighted(&out[2], 0) + weighted(&out[3], 1));
            let out = eval(&module, twice, &[x.clone(), unit(&shape, k), along.clone(), still.clone()]);
            ours_second.push(weighted(&out[6], 0) + weighted(&out[7], 1));
        }
        close(what, &ours, gradient);
        close(&format!("second order of {what}"), &ours_second, second);
    }
}

#[test]
fn complex_columns_without_reflection() {
    for Complex { what, shape, a, gradient } in complex() {
        let (mut module, f) = program(shape, true);
        let first = jvp(&mut module, f);
        let n = a[0].len();
        for (part, gradient) in gradient.into_iter().enumerate() {
            let mut ours = Vec::new();
            for k in 0..n {
                let mut args: Vec<Array> = a.iter().map(|a| Array::new(&shape, a)).collect();
                args.push(unit(&shape, if part == 0 { k } else { n }));
                args.push(unit(&shape, if part == 1 { k } else { n }));
                let out = eval(&module, first, &args);
                ours.push((0..4).map(|i| weighted(&out[4 + i], [0, 2, 1, 3][i])).sum());
            }
            close(&format!("{what}, part {part}"), &ours, gradient);
        }
    }
}

/// LAPACK's own packed form, permutation and taus, as JAX gives them; and columns that come first on demand.
#[test]
fn columns_are_pivoted() {
    let a = Array::new(&[4, 3], &[1.0, 1.0, 4.0, 2.0, 3.0, 4.0, 1.0, 0.0, 2.0, 4.0, 2.0, 2.0]);
    let run = |first: [i32; 3]| {
        let types = [a.ty().clone(), TensorType::new(DType::I32, &[3])];
        let (module, f) = single(PivotedQr {}.into(), &types);
        eval(&module, f, &[a.clone(), Array::new(&[3], &first)])
    };
    let free = run([0; 3]);
    #[rustfmt::skip]
    let packed = [
        -6.324555320336759, -3.478505426185217, -3.16227766016838,
        0.38742588672279304, -3.146426544510455, -1.2712834523274565,
        0.19371294336139652, 0.03882803381893855, 1.5439683882250905,
        0.19371294336139652, 0.9182484677438897, 0.5085180297371169,
    ];
    close("packed", free[0].as_slice(), &packed);
    assert_eq!(free[1].as_slice::<i32>(), [3, 1, 2]);
    close("taus", free[2].as_slice(), &[1.632455532033676, 1.0841942630218209, 1.589079102724076]);
    for (first, order) in [([0, 1, 0], [2, 3, 1]), ([5, 0, 1], [1, 3, 2]), ([1, 1, 1], [1, 2, 3])] {
        assert_eq!(run(first)[1].as_slice::<i32>(), order, "{first:?}");
    }
    // Derivatives, with the permutation constant.
    for shape in [&[4, 3][..], &[3, 3], &[2, 4], &[2, 3, 2]] {
        let types = [
            TensorType::new(DType::F64, shape),
            TensorType::new(DType::I32, &[&shape[..shape.len() - 2], &shape[shape.len() - 1..]].concat()),
        ];
        let (mut module, f) = single(PivotedQr {}.into(), &types);
        let x = Random(9).array(&types[0], -2.0, 2.0);
        check_jvp(&mut module, f, &[x, Array::zeros(types[1].clone())], 1e-5);
    }
}

/// The program of `ormqr` on the reflectors of `a`, as JAX writes it.
fn applied(a: &str, taus: &str, c: &str, [left, adjoint]: [bool; 2]) -> (Module, FuncId) {
    let letter = if a.contains("complex") { "zun" } else { "dor" };
    let qr = format!("lapack_{}geqrf_ffi", &letter[..1]);
    let source = format!(
        "func.func public @main(%a: {a}, %c: {c}) -> ({c}, {a}, {taus}) {{
          %0:2 = stablehlo.custom_call @{qr}(%a) {{backend_config = \"\"}} : ({a}) -> ({a}, {taus})
          %1 = stablehlo.custom_call @lapack_{letter}mqr_ffi(%0#0, %0#1, %c) {{mhlo.backend_config = {{left = {left}, transpose = {adjoint}}}}} : ({a}, {taus}, {c}) -> {c}
          return %1, %0#0, %0#1 : {c}, {a}, {taus}
        }}"
    );
    let module = parse(&source).unwrap_or_else(|e| panic!("{e}\n{source}"));
    let f = module.find("main").expect("there");
    (module, f)
}

#[test]
fn reflectors_are_applied() {
    for [m, n] in [[4, 3], [3, 3], [2, 3], [3, 1]] {
        for side in [[true, false], [true, true], [false, false], [false, true]] {
            let (rows, cols) = if side[0] { (m, 2) } else { (2, m) };
            for element in ["f64", "complex<f64>"] {
                let ty = |shape: &str| format!("tensor<{shape}x{element}>");
                let (a, c) = (ty(&format!("{m}x{n}")), ty(&format!("{rows}x{cols}")));
                let (mut module, f) = applied(&a, &ty(&m.min(n).to_string()), &c, side);
                let types = module.get(f).param_types();
                let args = [0, 1].map(|k| {
                    let ty = types[k as usize].tensor();
                    let real = ty.with_dtype(DType::F64);
                    let part = |k| floats(&Random(k).array(&real, -2.0, 2.0));
                    let numbers: Vec<C> =
                        part(k + 3).into_iter().zip(part(k + 5)).map(|(re, im)| C::new(re, im)).collect();
                    from_complex(ty.clone(), &numbers)
                });
                let out = eval(&module, f, &args);
                let q = square_q(&out[1], &out[2], m);
                let c = matrix(&args[1]);
                let q = if side[1] { Mat::from_fn(m, m, |i, j| q[(j, i)].conj()) } else { q };
                let (left, right) = if side[0] { (&q, &c) } else { (&c, &q) };
                let want = Mat::from_fn(rows, cols, |i, j| {
                    (0..m).fold(C::ZERO, |s, k| s + left[(i, k)] * right[(k, j)])
                });
                let got = matrix(&out[0]);
                for (x, y) in got.data.iter().zip(&want.data) {
                    assert!((x - y).norm() < 1e-12, "{m}x{n} {side:?} {element}: {x} instead of {y}");
                }
                if element == "f64" {
                    check_jvp(&mut module, f, &args, 1e-5);
                }
            }
        }
    }
}

/// Of `ormqr` only what fits is known: the rest stays a call.
#[test]
fn reflectors_that_do_not_fit() {
    let source = "func.func public @main(%a: tensor<4x3xf64>, %t: tensor<3xf64>, %c: tensor<3x2xf64>) -> tensor<3x2xf64> {
        %1 = stablehlo.custom_call @lapack_dormqr_ffi(%a, %t, %c) {mhlo.backend_config = {left = true, transpose = false}} : (tensor<4x3xf64>, tensor<3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
        return %1 : tensor<3x2xf64>
      }";
    let module = parse(source).expect("a call of anything");
    let main = module.get(module.find("main").expect("there"));
    assert!(matches!(main.insts.values().next().map(|i| &i.op), Some(Op::CustomCall(_))));
}

/// An array of doubles from complex numbers; a real type keeps real parts.
fn from_complex(ty: TensorType, numbers: &[C]) -> Array {
    let parts: Vec<f64> = match ty.dtype {
        DType::C128 => C::into_parts(numbers.to_vec()),
        _ => numbers.iter().map(|x| x.re).collect(),
    };
    Array::from_bytes(ty, bytemuck::cast_slice(&parts))
}

/// The elements of an array of doubles, real or complex.
fn complex_parts(x: &Array) -> Vec<C> {
    match x.dtype() {
        DType::C128 => C::from_parts(bytemuck::cast_slice(x.bytes()).to_vec()),
        _ => floats(x).into_iter().map(|re| C::new(re, 0.0)).collect(),
    }
}

fn matrix(x: &Array) -> Mat<C> {
    Mat { rows: x.shape()[0], cols: x.shape()[1], data: complex_parts(x) }
}

/// The product of all reflectors of a packed matrix, of all `m` columns.
fn square_q(packed: &Array, taus: &Array, m: usize) -> Mat<C> {
    let packed = matrix(packed);
    let taus: Vec<C> = complex_parts(taus);
    let wide = Mat::from_fn(m, m, |i, j| if j < taus.len() { packed[(i, j)] } else { C::ZERO });
    orgqr(&wide, &taus)
}

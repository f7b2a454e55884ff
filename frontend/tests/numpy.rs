//! Indexing, broadcasting, reductions, products and shapes against NumPy: `golden/numpy.txt`, made by
//! `golden/make_numpy.py`; and promotion of element types against JAX: `golden/promotion.txt`.
#![allow(clippy::reversed_empty_ranges, reason = "negative bounds count from the end")]

use wengert::{DType, NEW, Tensor, concatenate, grad, jit, promote_types, stack};

struct Inputs {
    x: Tensor,
    m: Tensor,
    v: Tensor,
    w: Tensor,
    i: Tensor,
    u: Tensor,
    p: Tensor,
    b: Tensor,
    e: Tensor,
    nan: Tensor,
}

fn inputs() -> Inputs {
    let range = |n| Tensor::arange(n, DType::F64);
    Inputs {
        x: range(24).reshape(&[2, 3, 4]) * 0.5 - 3.0,
        m: range(12).sin().reshape(&[3, 4]),
        v: Tensor::from([3.0, -1.0, 2.0, 0.5]),
        w: Tensor::from([1.0, -2.0, 0.25]),
        i: Tensor::from([[5i32, -3, 2], [-7, 4, 0]]),
        u: Tensor::from([7u32, 0, 3]),
        p: Tensor::new(&[2, 3], &[true, false, true, false, false, true]),
        b: range(24).cos().reshape(&[2, 4, 3]),
        e: Tensor::zeros(&[0, 3], DType::F64),
        nan: Tensor::from([1.0, f64::NAN, -2.0]),
    }
}

/// An expression as NumPy writes it, as we write it.
type Case = (&'static str, fn(&Inputs) -> Tensor);

#[rustfmt::skip]
const CASES: &[Case] = &[
    ("x[0]", |a| a.x.get(0)),
    ("x[-1]", |a| a.x.get(-1)),
    ("x[1, 2, 3]", |a| a.x.get((1, 2, 3))),
    ("x[:, 1]", |a| a.x.get((.., 1))),
    ("x[..., -1]", |a| a.x.get((wengert::Ix::Rest, -1))),
    ("x[..., 1:3]", |a| a.x.get((wengert::Ix::Rest, 1..3))),
    ("x[0, ..., -2]", |a| a.x.get((0, wengert::Ix::Rest, -2))),
    ("x[1:, :2, 1:-1]", |a| a.x.get((1.., ..2, 1..-1))),
    ("x[:, None]", |a| a.x.get((.., NEW))),
    ("x[..., None]", |a| a.x.get((wengert::Ix::Rest, NEW))),
    ("x[None, 1, None]", |a| a.x.get((NEW, 1, NEW))),
    ("x[:, 5:]", |a| a.x.get((.., 5..))),
    ("x[:, :100]", |a| a.x.get((.., ..100))),
    ("m[::2]", |a| a.m.get(wengert::Ix::Range(None, None, 2))),
    ("m[:, 1::3]", |a| a.m.get((.., wengert::Ix::Range(Some(1), None, 3)))),
    ("m[-2:]", |a| a.m.get(-2..)),
    ("np.take(m, [2, 0, -1], 0)", |a| a.m.take(&Tensor::from([2i32, 0, -1]), 0)),
    ("np.take(m, [[0, 1], [3, 3]], 1)", |a| a.m.take(&Tensor::from([[0i64, 1], [3, 3]]), 1)),
    ("np.take(x, 1, 1)", |a| a.x.take(&Tensor::from(1i32), 1)),
    ("x + v", |a| &a.x + &a.v),
    ("x * m", |a| &a.x * &a.m),
    ("m - w[:, None]", |a| &a.m - a.w.get((.., NEW))),
    ("v[:, None] / w", |a| a.v.expand_dims(1) / &a.w),
    ("i + 1", |a| &a.i + 1),
    ("i / 2", |a| &a.i / 2),
    ("i % 3", |a| &a.i % 3),
    ("i % np.array([[2], [-3]], np.int32)", |a| &a.i % Tensor::from([[2i32], [-3]])),
    ("u + 2", |a| &a.u + 2),
    ("i * w", |a| &a.i * &a.w),
    ("p + i", |a| &a.p + &a.i),
    ("-i", |a| -&a.i),
    ("v % 2.0", |a| &a.v % 2.0),
    ("-v % 2.0", |a| -&a.v % 2.0),
    ("np.maximum(m, 0.25)", |a| a.m.maximum(0.25)),
    ("np.minimum(w[:, None], v)", |a| a.w.expand_dims(-1).minimum(&a.v)),
    ("np.clip(v, -0.5, 2.5)", |a| a.v.clip(-0.5, 2.5)),
    ("np.where(p, i, 10)", |a| a.p.select(&a.i, a.i.like(10))),
    ("np.where(m > 0, m, v)", |a| a.m.greater(0.0).select(&a.m, &a.v)),
    ("i < 0", |a| a.i.less(0)),
    ("i == 4", |a| a.i.equal(4)),
    ("(i >= 0) & (i != 4)", |a| a.i.greater_equal(0).logical_and(a.i.not_equal(4))),
    ("~p", |a| !&a.p),
    ("p ^ True", |a| &a.p ^ Tensor::from(true)),
    ("np.sum(x)", |a| a.x.sum()),
    ("np.sum(x, 1)", |a| a.x.sum_axis(1)),
    ("np.sum(x, (0, 2))", |a| a.x.sum_axes(&[0, 2])),
    ("np.sum(x, -1, keepdims=True)", |a| a.x.sum_keep(&[-1])),
    ("np.sum(p)", |a| a.p.sum()),
    ("np.sum(e, 0)", |a| a.e.sum_axis(0)),
    ("np.sum(i, 0)", |a| a.i.sum_axis(0)),
    ("np.prod(w)", |a| a.w.prod()),
    ("np.prod(m, 1)", |a| a.m.prod_axes(&[1])),
    ("np.mean(x, (0, 1))", |a| a.x.mean_axes(&[0, 1])),
    ("np.mean(i)", |a| a.i.mean()),
    ("np.var(m, 1)", |a| a.m.var_axes(&[1])),
    ("np.max(i, 0)", |a| a.i.max_axes(&[0])),
    ("np.min(i, 1)", |a| a.i.min_axes(&[1])),
    ("np.max(nan)", |a| a.nan.max()),
    ("np.min(x, (1, 2))", |a| a.x.min_axes(&[1, 2])),
    ("np.any(p)", |a| a.p.any()),
    ("np.all(p)", |a| a.p.all()),
    ("np.argmax(m, 1)", |a| a.m.argmax(1)),
    ("np.argmin(i, 0)", |a| a.i.argmin(0)),
    ("np.argmax(nan)", |a| a.nan.argmax(0)),
    ("v @ v", |a| a.v.matmul(&a.v)),
    ("m @ v", |a| a.m.matmul(&a.v)),
    ("w @ m", |a| a.w.matmul(&a.m)),
    ("m @ m.T", |a| a.m.matmul(&a.m.t())),
    ("x @ b", |a| a.x.matmul(&a.b)),
    ("x @ v", |a| a.x.matmul(&a.v)),
    ("w @ x", |a| a.w.matmul(&a.x)),
    ("m @ b", |a| a.m.matmul(&a.b)),
    ("x @ m.T", |a| a.x.matmul(&a.m.t())),
    ("i @ u", |a| a.i.matmul(&a.u)),
    ("np.tensordot(x, b, ([2], [1]))", |a| a.x.dot_general(&a.b, (&[2], &[1]), (&[], &[]))),
    ("x.reshape(4, 6)", |a| a.x.reshape(&[4, 6])),
    ("x.reshape(-1, 2)", |a| a.x.reshape(&[-1, 2])),
    ("x.transpose(2, 0, 1)", |a| a.x.transpose(&[2, 0, 1])),
    ("m.T", |a| a.m.t()),
    ("np.swapaxes(x, 0, -1)", |a| a.x.swap_axes(0, -1)),
    ("np.expand_dims(m, 1)", |a| a.m.expand_dims(1)),
    ("np.squeeze(x[:, :1], 1)", |a| a.x.get((.., ..1)).squeeze(&[1])),
    ("np.broadcast_to(w[:, None], (2, 3, 2))", |a| a.w.expand_dims(1).broadcast_to(&[2, 3, 2])),
    ("np.flip(x, 1)", |a| a.x.flip(1)),
    ("np.pad(m, ((1, 0), (0, 2)), constant_values=7)", |a| a.m.pad(&[(1, 0), (0, 2)], 7.0)),
    ("np.concatenate([m, w[:, None]], 1)", |a| concatenate(&[a.m.clone(), a.w.expand_dims(1)], 1)),
    ("np.stack([w, w * 2], 0)", |a| stack(&[a.w.clone(), &a.w * 2.0], 0)),
    ("np.stack([w, w * 2], -1)", |a| stack(&[a.w.clone(), &a.w * 2.0], -1)),
    ("np.arange(5)", |_| Tensor::arange(5, DType::I64)),
    ("np.linspace(-1.0, 2.0, 7)", |_| Tensor::linspace(-1.0, 2.0, 7, DType::F64)),
    ("np.eye(3)", |_| Tensor::eye(3, DType::F64)),
    ("np.full((2, 2), 2.5)", |_| Tensor::full(&[2, 2], 2.5, DType::F64)),
    ("x ** 2", |a| a.x.powi(2)),
    ("2.0 ** v", |a| a.v.full_like(2.0).pow(&a.v)),
    ("np.exp(m)", |a| a.m.exp()),
    ("np.log1p(m * m)", |a| (&a.m * &a.m).log1p()),
    ("np.sqrt(np.abs(m))", |a| a.m.abs().sqrt()),
    ("np.cbrt(v)", |a| a.v.cbrt()),
    ("np.arctan2(v, m)", |a| a.v.atan2(&a.m)),
    ("np.tanh(x)", |a| a.x.tanh()),
    ("np.floor(v)", |a| a.v.floor()),
    ("np.round(v)", |a| a.v.round()),
    ("np.sign(v)", |a| a.v.sign()),
    ("np.isfinite(nan)", |a| a.nan.is_finite()),
    ("np.square(v)", |a| a.v.square()),
    ("v.astype(int)", |a| a.v.astype(DType::I64)),
    ("p.astype(float)", |a| a.p.astype(DType::F64)),
];

/// Where our element type differs from NumPy's by intention, as JAX's does: counts and positions are `i32`, means and
/// quotients of integers `f32`.
fn our_dtype(case: &str, numpy: DType) -> DType {
    match case {
        "np.sum(p)" | "np.sum(i, 0)" | "np.argmax(m, 1)" | "np.argmin(i, 0)" | "np.argmax(nan)" => DType::I32,
        "i / 2" | "np.mean(i)" => DType::F32,
        _ => numpy,
    }
}

fn check(case: &str, found: &Tensor, dtype: DType, shape: &[usize], expected: &[f64]) {
    assert_eq!((found.dtype(), found.shape()), (our_dtype(case, dtype), shape), "{case}");
    let values = found.astype(DType::F64).to_vec::<f64>();
    // Sums are taken in another order than NumPy's.
    let tolerance = if found.dtype() == DType::F32 { 1e-6 } else { 1e-14 };
    for (a, e) in values.iter().zip(expected) {
        let same = a == e || (a.is_nan() && e.is_nan()) || (a - e).abs() <= tolerance * (1.0 + e.abs());
        assert!(same, "{case}: {values:?} is not {expected:?}");
    }
}

/// The lines of the table, by expression, in the order of `CASES`.
fn table() -> Vec<(DType, Vec<usize>, Vec<f64>)> {
    let lines: Vec<&str> = include_str!("golden/numpy.txt").lines().collect();
    assert_eq!(lines.len(), CASES.len());
    let parse = |(line, case): (&&str, &Case)| {
        let parts: Vec<&str> = line.split(" | ").collect();
        let [expression, dtype, shape, values] = parts[..] else { panic!("{line}") };
        assert_eq!(expression.trim(), case.0);
        let shape = if shape == "-" {
            vec![]
        } else {
            shape.split('x').map(|d| d.parse().expect("a size")).collect()
        };
        let values = values.split_whitespace().map(|v| v.parse().expect("a number")).collect();
        (DType::parse(dtype).expect("an element type"), shape, values)
    };
    lines.iter().zip(CASES).map(parse).collect()
}

#[test]
fn eagerly() {
    let inputs = inputs();
    for ((case, f), (dtype, shape, expected)) in CASES.iter().zip(table()) {
        check(case, &f(&inputs), dtype, &shape, &expected);
    }
}

#[test]
fn compiled() {
    for ((case, f), (dtype, shape, expected)) in CASES.iter().zip(table()) {
        let a = inputs();
        let call = jit(move |floats: [Tensor; 7], (i, u, p): (Tensor, Tensor, Tensor)| {
            let [x, m, v, w, b, e, nan] = floats;
            f(&Inputs { x, m, v, w, i, u, p, b, e, nan })
        });
        let found = call([a.x, a.m, a.v, a.w, a.b, a.e, a.nan], (a.i, a.u, a.p));
        check(case, &found, dtype, &shape, &expected);
    }
}

#[test]
fn element_types_promote_as_in_jax() {
    let mut pairs = 0;
    for line in include_str!("golden/promotion.txt").lines() {
        let types: Vec<DType> = line.split(' ').map(|t| DType::parse(t).expect("an element type")).collect();
        assert_eq!(promote_types(types[0], types[1]), types[2], "{} and {}", types[0], types[1]);
        pairs += 1;
    }
    assert!(pairs > 300);
    for &a in DType::ALL {
        for &b in DType::ALL {
            assert_eq!(promote_types(a, b), promote_types(b, a), "{a} and {b}");
        }
    }
}

#[test]
fn scalars_take_the_tensors_type() {
    let of = |t: Tensor| t.dtype();
    let (x, i, p) = (Tensor::from(1f32), Tensor::from(1i64), Tensor::from(true));
    assert_eq!([of(&x + 1.0), of(&x + 1), of(2.0 * &x), of(1 - &x)], [DType::F32; 4]);
    assert_eq!(
        [of(&i + 1), of(&i + 1.0), of(&p + 1), of(&p + 1.0)],
        [DType::I64, DType::F64, DType::I32, DType::F32]
    );
    // The type of a literal needs no suffix, and a method may follow.
    assert_eq!((&x * 2.0 + 1.0).exp().item::<f32>(), 3f32.exp());
}

#[test]
fn wrong_operands_name_the_rule_and_the_line() {
    let x = || Tensor::zeros(&[2, 3], DType::F32);
    let message = |f: fn(Tensor) -> Tensor| jit(f).try_call((x(),)).expect_err("wrong").to_string();
    for (text, parts) in [
        (message(|x| &x + Tensor::zeros(&[4], DType::F32)), ["do not broadcast", "[2, 3]", "[4]"]),
        (message(|x| x.matmul(&x)), ["matmul", "tensor<2x3xf32>", "last dimension"]),
        (message(|x| x.reshape(&[4])), ["reshape", "[4]", "tensor<2x3xf32>"]),
        (message(|x| x.get((0, 3))), ["get", "position 3", "dimension 1"]),
        (message(|x| x.get((0, 0, 0))), ["get", "3 indices", "tensor<2x3xf32>"]),
        (message(|x| x.sum_axis(2)), ["sum", "axis 2", "tensor<2x3xf32>"]),
        (message(|x| x.take(&Tensor::from(0.5), 0)), ["take", "integers", "f64"]),
        (message(|x| x.squeeze(&[0])), ["squeeze", "dimension 0", "not 1"]),
        (
            message(|x| concatenate(&[x.clone(), x.t()], 0)),
            ["concatenate", "tensor<2x3xf32>", "tensor<3x2xf32>"],
        ),
        (message(|x| grad(|y: Tensor| y)(x)), ["float scalar", "tensor<2x3xf32>", "grad"]),
    ] {
        assert!(parts.iter().all(|p| text.contains(p)), "{text}");
        assert!(text.contains("numpy.rs"), "the line is missing: {text}");
    }
}

/// Every form of range with bounds inside, on the edges and far outside, as Python's slices of a list.
#[test]
fn ranges_of_every_form() {
    use wengert::Ix;
    // What `list[start:end:step]` selects.
    let python = |n: isize, start: Option<isize>, end: Option<isize>, step: usize| -> Vec<i32> {
        let at = |bound: isize| if bound < 0 { (bound + n).max(0) } else { bound.min(n) };
        let (start, end) = (start.map_or(0, at), end.map_or(n, at));
        (start..end).step_by(step).map(|k| k as i32).collect()
    };
    for n in 0..5isize {
        let x = Tensor::arange(n as usize, DType::I32);
        let bounds = -(n + 2)..=n + 2;
        let same = |found: Tensor, want: Vec<i32>, what: &str| {
            assert_eq!(found.to_vec::<i32>(), want, "{what} of {n}");
        };
        for a in bounds.clone() {
            same(x.get(a..), python(n, Some(a), None, 1), &format!("{a}.."));
            same(x.get(..a), python(n, None, Some(a), 1), &format!("..{a}"));
            for b in bounds.clone() {
                same(x.get(a..b), python(n, Some(a), Some(b), 1), &format!("{a}..{b}"));
                // Up to and with the last element, which -1 is.
                let end = if b == -1 { None } else { Some(b + 1) };
                same(x.get(a..=b), python(n, Some(a), end, 1), &format!("{a}..={b}"));
                for step in 1..4 {
                    let range = Ix::Range(Some(a), Some(b), step);
                    same(x.get(range), python(n, Some(a), Some(b), step), &format!("{range:?}"));
                }
            }
        }
    }
}

/// Where there is nothing but NaN, nothing is left to choose from.
#[test]
fn nothing_but_nan() {
    let x = Tensor::from([[f64::NAN, f64::NAN], [f64::NAN, 2.0]]);
    for y in [x.nanmax(&[1]), x.nanmin(&[1]), jit(|x: Tensor| x.nanmax(&[1]))(x.clone())] {
        let y = y.to_vec::<f64>();
        assert!(y[0].is_nan() && y[1] == 2.0, "{y:?}");
    }
    assert!(x.nanmean(&[1]).to_vec::<f64>()[0].is_nan());
    assert_eq!(x.nansum(&[1]).to_vec::<f64>(), [0.0, 2.0]);
}

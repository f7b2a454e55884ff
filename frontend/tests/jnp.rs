//! Every method beside the function of `jax.numpy` it is named after, for every element type: types and values of
//! `jnp/expect.txt`, which `jnp/expect.py` writes and says the rule of.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use wengert::{DType, OutOfRange, Side, Tensor, jit, linalg};

type Method = fn(&Tensor, &Tensor) -> Tensor;

/// Methods by name. Those of one operand ignore the second.
const METHODS: &[(&str, Method)] = &[
    ("exp", |x, _| x.exp()),
    ("expm1", |x, _| x.expm1()),
    ("log", |x, _| x.log()),
    ("log1p", |x, _| x.log1p()),
    ("sqrt", |x, _| x.sqrt()),
    ("rsqrt", |x, _| x.rsqrt()),
    ("cbrt", |x, _| x.cbrt()),
    ("sin", |x, _| x.sin()),
    ("cos", |x, _| x.cos()),
    ("tan", |x, _| x.tan()),
    ("asin", |x, _| x.asin()),
    ("acos", |x, _| x.acos()),
    ("atan", |x, _| x.atan()),
    ("sinh", |x, _| x.sinh()),
    ("cosh", |x, _| x.cosh()),
    ("tanh", |x, _| x.tanh()),
    ("asinh", |x, _| x.asinh()),
    ("acosh", |x, _| x.acosh()),
    ("atanh", |x, _| x.atanh()),
    ("sigmoid", |x, _| x.sigmoid()),
    ("erf", |x, _| x.erf()),
    ("erfc", |x, _| x.erfc()),
    ("erf_inv", |x, _| x.erf_inv()),
    ("lgamma", |x, _| x.lgamma()),
    ("digamma", |x, _| x.digamma()),
    ("bessel_i1e", |x, _| x.bessel_i1e()),
    ("exp2", |x, _| x.exp2()),
    ("log2", |x, _| x.log2()),
    ("log10", |x, _| x.log10()),
    ("deg2rad", |x, _| x.deg2rad()),
    ("rad2deg", |x, _| x.rad2deg()),
    ("recip", |x, _| x.recip()),
    ("softplus", |x, _| x.softplus()),
    ("floor", |x, _| x.floor()),
    ("ceil", |x, _| x.ceil()),
    ("round", |x, _| x.round()),
    ("trunc", |x, _| x.trunc()),
    ("abs", |x, _| x.abs()),
    ("sign", |x, _| x.sign()),
    ("square", |x, _| x.square()),
    ("neg", |x, _| -x),
    ("not", |x, _| !x),
    ("is_nan", |x, _| x.is_nan()),
    ("is_inf", |x, _| x.is_inf()),
    ("is_finite", |x, _| x.is_finite()),
    ("relu", |x, _| x.relu()),
    ("logical_not", |x, _| x.logical_not()),
    ("real", |x, _| x.real()),
    ("imag", |x, _| x.imag()),
    ("conj", |x, _| x.conj()),
    ("angle", |x, _| x.angle()),
    ("nan_to_num", |x, _| x.nan_to_num(0.0)),
    ("powi2", |x, _| x.powi(2)),
    ("powi3", |x, _| x.powi(3)),
    ("powi_minus1", |x, _| x.powi(-1)),
    ("round_to_1", |x, _| x.round_to(1)),
    ("add", |x, y| x + y),
    ("sub", |x, y| x - y),
    ("mul", |x, y| x * y),
    ("div", |x, y| x / y),
    ("rem", |x, y| x % y),
    ("floor_divide", |x, y| x.floor_divide(y)),
    ("fmod", |x, y| x.fmod(y)),
    ("atan2", |x, y| x.atan2(y)),
    ("hypot", |x, y| x.hypot(y)),
    ("logaddexp", |x, y| x.logaddexp(y)),
    ("maximum", |x, y| x.maximum(y)),
    ("minimum", |x, y| x.minimum(y)),
    ("and", |x, y| x & y),
    ("or", |x, y| x | y),
    ("xor", |x, y| x ^ y),
    ("equal", |x, y| x.equal(y)),
    ("less", |x, y| x.less(y)),
    ("greater_equal", |x, y| x.greater_equal(y)),
    ("heaviside", |x, y| x.heaviside(y)),
    ("logical_and", |x, y| x.logical_and(y)),
    ("logical_or", |x, y| x.logical_or(y)),
    ("logical_xor", |x, y| x.logical_xor(y)),
    ("isclose", |x, y| x.isclose(y, 1e-3, 1e-3)),
    ("where", |x, y| x.not_equal(0i64).select(x, y)),
    ("dot", |x, y| x.flatten().dot(&y.flatten())),
    ("matmul", |x, y| x.matmul(&y.t())),
    ("outer", |x, y| x.outer(y)),
    ("pow", |x, y| x.pow(y)),
    ("add_float", |x, _| x + 1.5),
    ("mul_int", |x, _| x * 3),
    ("div_int", |x, _| x / 2),
    ("add_300", |x, _| x + 300),
    ("add_minus_1", |x, _| x + -1),
    ("less_300", |x, _| x.less(300i64)),
    ("rem_0", |x, _| x % 0),
    ("rem_3", |x, _| x % 3),
    ("floor_divide_0", |x, _| x.floor_divide(0i64)),
    ("maximum_minus_5", |x, _| x.maximum(-5i64)),
    ("clip", |x, _| x.clip(1i64, 3i64)),
    ("pow_half", |x, _| x.pow(0.5)),
    ("full_300", |x, _| x.full_like(300.0)),
    ("full_minus_1_5", |x, _| x.full_like(-1.5)),
    ("sum", |x, _| x.sum()),
    ("prod", |x, _| x.get(..9).prod()),
    ("mean", |x, _| x.mean()),
    ("var", |x, _| x.var()),
    ("std", |x, _| x.std()),
    ("var_ddof", |x, _| x.var_ddof(&[0], 1.0)),
    ("std_ddof", |x, _| x.std_ddof(&[0], 1.0)),
    ("max", |x, _| x.max()),
    ("min", |x, _| x.min()),
    ("any", |x, _| x.any()),
    ("all", |x, _| x.all()),
    ("logsumexp", |x, _| x.logsumexp(&[0])),
    ("ptp", |x, _| x.ptp(&[0])),
    ("count_nonzero", |x, _| x.count_nonzero(&[0])),
    ("nansum", |x, _| x.nansum(&[0])),
    ("nanmean", |x, _| x.nanmean(&[0])),
    ("nanmax", |x, _| x.nanmax(&[0])),
    ("nanmin", |x, _| x.nanmin(&[0])),
    ("argmax", |x, _| x.argmax(0)),
    ("argmin", |x, _| x.argmin(0)),
    ("median", |x, _| x.median(0)),
    ("quantile", |x, _| x.quantile(0.3, 0)),
    ("trapezoid", |x, _| x.trapezoid(0.5)),
    ("cov", |x, _| x.cov(1.0)),
    ("average", |x, _| x.average(&(x * x), &[0])),
    ("softmax_max", |x, _| x.softmax(0).max()),
    ("log_softmax_max", |x, _| x.log_softmax(0).max()),
    ("cumsum_last", |x, _| x.cumsum(0).get(-1)),
    ("cumprod_last", |x, _| x.get(..9).cumprod(0).get(-1)),
    ("cummax_last", |x, _| x.cummax(0).get(-1)),
    ("cummin_last", |x, _| x.cummin(0).get(-1)),
    ("cumlogsumexp_last", |x, _| x.get(..40).cumlogsumexp(0).get(-1)),
    ("diff", |x, _| x.get(..5).diff(1, 0)),
    ("norm", |x, _| linalg::norm(x, linalg::Norm::Euclidean, None)),
    ("searchsorted", |x, _| x.sort(0).searchsorted(x.get(1), Side::Left)),
    ("nonzero", |x, _| x.nonzero(3).remove(0)),
    ("argsort", |x, _| x.get(..5).argsort(0)),
    ("sort", |x, _| x.get(..5).sort(0)),
    ("unique", |x, _| x.unique(4)),
    ("sum_axes", |x, _| x.sum_axes(&[1])),
    ("sum_keep", |x, _| x.sum_keep(&[1])),
    ("prod_axes", |x, _| x.prod_axes(&[0])),
    ("mean_axes", |x, _| x.mean_axes(&[1])),
    ("mean_keep", |x, _| x.mean_keep(&[0])),
    ("var_axes", |x, _| x.var_axes(&[1])),
    ("var_keep", |x, _| x.var_keep(&[1])),
    ("std_axes", |x, _| x.std_axes(&[1])),
    ("max_axes", |x, _| x.max_axes(&[1])),
    ("min_keep", |x, _| x.min_keep(&[1])),
    ("any_axes", |x, _| x.any_axes(&[1])),
    ("all_axes", |x, _| x.all_axes(&[0])),
    ("cumsum", |x, _| x.cumsum(1)),
    ("cumprod", |x, _| x.cumprod(1)),
    ("softmax", |x, _| x.softmax(1)),
    ("log_softmax", |x, _| x.log_softmax(1)),
    ("trace", |x, _| x.trace(0)),
    ("cov_rows", |x, _| x.cov(1.0)),
    ("corrcoef", |x, _| x.corrcoef()),
    ("logsumexp_axes", |x, _| x.logsumexp(&[1])),
    ("cov_ddof", |x, _| x.cov(0.0)),
    ("mean_none", |x, _| none(x).mean()),
    ("sum_none", |x, _| none(x).sum()),
    ("prod_none", |x, _| none(x).prod()),
    ("max_none", |x, _| none(x).max()),
    ("min_none", |x, _| none(x).min_axes(&[1])),
    ("max_of_no_rows", |x, _| x.get(..0).max_axes(&[1])),
    ("argmax_none", |x, _| none(x).argmax(1)),
    ("argmin_of_no_rows", |x, _| x.get(..0).argmin(1)),
    ("any_none", |x, _| none(x).any_axes(&[1])),
    ("all_none", |x, _| none(x).all()),
    ("var_none", |x, _| none(x).var()),
    ("ptp_none", |x, _| none(x).ptp(&[0, 1])),
    ("nanmax_none", |x, _| none(x).nanmax(&[0, 1])),
    ("logsumexp_none", |x, _| none(x).logsumexp(&[1])),
    ("softmax_none", |x, _| none(x).softmax(1)),
    ("cummax_none", |x, _| none(x).cummax(1)),
    ("sort_none", |x, _| none(x).sort(1)),
    ("take_out", |x, _| x.take(&Tensor::from([0i32, 3, -1, -4, 2]), 1)),
    ("take_clip", |x, _| x.take_with(&Tensor::from([0i32, 3, -1, -4, 2]), 1, OutOfRange::Clip)),
    ("take_narrow", |x, _| x.take(&Tensor::from([-1i8, 100, -128]), 1)),
    ("take_unsigned", |x, _| x.take(&Tensor::from([2u16, 255]).astype(DType::U8), 1)),
    ("take_along", |x, _| x.take_along_axis(&Tensor::from([[0i32, 3], [-1, -4]]), 1)),
    ("take_along_clip", |x, _| {
        x.take_along_axis_with(&Tensor::from([[0i32, 3], [-1, -4]]), 1, OutOfRange::Clip)
    }),
    ("at_get", |x, _| x.at_rows(&Tensor::from([0i32, 2, -1, -3])).get()),
    ("at_get_fill", |x, _| x.at_rows(&Tensor::from([0i32, 2, -1, -3])).out_of_range(OutOfRange::Fill).get()),
    ("at_set", |x, _| x.at_rows(&Tensor::from([0i32, 2, -3])).set(x.get(1))),
    ("at_set_clip", |x, _| {
        x.at_rows(&Tensor::from([2i32, -3])).out_of_range(OutOfRange::Clip).set(x.flip(0))
    }),
    ("at_add", |x, _| x.at_rows(&Tensor::from([0i32, 0, 2, -1])).add(x.get(0))),
    ("take_none", |x, _| none(x).take(&Tensor::from([0i32]), 1)),
    ("one_hot", |x, _| Tensor::from([0i32, 3, -1]).one_hot(3, x.dtype())),
];

/// What JAX refuses and has one meaning here.
const EXTENSIONS: &[(&str, &str)] = &[
    ("cbrt", "complex"),
    ("hypot", "complex"),
    ("round", "i1"),
    ("round_to_1", "i1"),
    ("cummax_last", "i1"),
    ("cummin_last", "i1"),
    ("cummax_none", "i1"),
    ("at_add", "i1"),
];

/// What JAX has and is refused here: complex numbers in lexicographic order.
const REFUSED: &[&str] = &["sort", "argsort", "unique", "searchsorted", "sort_none"];

/// Rows without elements.
fn none(x: &Tensor) -> Tensor {
    x.get((.., ..0))
}

/// Elements by kind of type, as in `expect.py`.
fn of(dtype: DType, signed: &[i32], unsigned: &[i32], real: &[f64], complex: &[(f64, f64)]) -> Tensor {
    match dtype {
        DType::I1 => Tensor::from(unsigned).astype(dtype),
        DType::U8 | DType::U16 | DType::U32 | DType::U64 => Tensor::from(unsigned).astype(dtype),
        DType::I8 | DType::I16 | DType::I32 | DType::I64 => Tensor::from(signed).astype(dtype),
        DType::C64 | DType::C128 => Tensor::new(&[complex.len()], complex).astype(dtype),
        _ => Tensor::from(real).astype(dtype),
    }
}

fn a(t: DType) -> Tensor {
    let c = [(0.5, 1.0), (-1.25, 0.0), (3.0, -2.0), (2.0, 0.5), (0.0, -0.75), (1.5, -1.0)];
    let real = [0.5, -1.25, 3.0, 2.0, -0.75, 1.5];
    of(t, &[100, 27, -3, 120, 5, -7], &[200, 55, 3, 255, 0, 7], &real, &c).reshape(&[2, 3])
}

fn b(t: DType) -> Tensor {
    let c = [(0.0, 1.0), (2.0, 0.0), (-1.0, 1.0), (0.5, 0.0), (1.25, -3.0), (4.0, 0.0)];
    let real = [0.75, 0.0, -2.0, 0.5, 1.25, 4.0];
    of(t, &[7, 0, 2, -3, -7, 3], &[7, 0, 2, 255, 3, 3], &real, &c).reshape(&[2, 3])
}

fn long(t: DType) -> Tensor {
    let of_each = |f: fn(i32) -> i32| (0..5000).map(f).collect::<Vec<i32>>();
    let real = |k: i32| (k % 13) as f64 * 0.25;
    let reals: Vec<f64> = (0..5000).map(|k| real(k) + 0.1).collect();
    let complex: Vec<(f64, f64)> = (0..5000).map(|k| (real(k), (k % 7) as f64)).collect();
    of(t, &of_each(|k| k % 11 - 3), &of_each(|k| k % 11), &reals, &complex)
}

fn special(t: DType) -> Tensor {
    let s = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, 1.0];
    of(t, &[0; 6], &[0; 6], &s, &[(0.0, 0.0); 6])
}

fn dtype(name: &str) -> DType {
    [
        DType::I1,
        DType::I8,
        DType::I16,
        DType::I32,
        DType::I64,
        DType::U8,
        DType::U16,
        DType::U32,
        DType::U64,
        DType::F16,
        DType::BF16,
        DType::F32,
        DType::F64,
        DType::C64,
        DType::C128,
    ]
    .into_iter()
    .find(|d| d.to_string() == name)
    .unwrap_or_else(|| panic!("a type called {name}"))
}

/// How much results may differ, relative to their size: the functions of two math libraries, sums in two orders.
fn tolerance(dtype: DType) -> f64 {
    match dtype {
        DType::BF16 => 1.6e-2,
        DType::F16 => 2e-3,
        DType::F32 | DType::C64 => 4e-6,
        _ => 1e-13,
    }
}

fn parts(text: &str) -> (f64, f64) {
    let number = |t: &str| match t {
        "nan" => f64::NAN,
        "inf" => f64::INFINITY,
        "-inf" => f64::NEG_INFINITY,
        t => t.parse().unwrap_or_else(|e| panic!("{t}: {e}")),
    };
    match text.split_once(',') {
        Some((re, im)) => (number(re), number(im)),
        None => (number(text), 0.0),
    }
}

/// Whether they are one number, or near enough; a complex one with a NaN is any such.
fn near(got: (f64, f64), want: (f64, f64), bound: f64) -> bool {
    let size = want.0.abs().max(want.1.abs()).max(1e-3);
    let part = |g: f64, w: f64| g == w || (g.is_nan() && w.is_nan()) || (g - w).abs() <= bound * size;
    let nan = |z: (f64, f64)| z.0.is_nan() || z.1.is_nan();
    (part(got.0, want.0) && part(got.1, want.1)) || (nan(got) && nan(want))
}

fn elements(y: &Tensor) -> Vec<(f64, f64)> {
    match y.dtype() {
        DType::C64 | DType::C128 => y.astype(DType::C128).to_vec::<(f64, f64)>(),
        DType::U64 => y.to_vec::<u64>().into_iter().map(|v| (v as f64, 0.0)).collect(),
        DType::I64 => y.to_vec::<i64>().into_iter().map(|v| (v as f64, 0.0)).collect(),
        _ => y.astype(DType::F64).to_vec::<f64>().into_iter().map(|v| (v, 0.0)).collect(),
    }
}

/// What is wrong with a row, if something is.
fn check(kind: &str, name: &str, f: Method, types: &[DType], expected: &str) -> Result<(), String> {
    let of = |x: fn(DType) -> Tensor| x(types[0]);
    let args = match kind {
        "unary" | "weak" | "rows" => (of(a), of(b)),
        "binary" => (of(a), of(b)),
        "pow" => (of(a).abs(), of(b)),
        "reduction" => (of(long), of(long)),
        "unary_special" | "reduction_special" => (of(special), of(special)),
        "binary_special" => (of(special), of(special).roll(-1, 0)),
        "mixed" => (a(types[0]), b(types[1])),
        _ => return Err(format!("no kind of rows is called {kind}")),
    };
    let got = if kind == "mixed" {
        // Types alone: no need to compile.
        let traced = jit(move |x: Tensor, y: Tensor| f(&x, &y)).trace(args).map_err(|e| e.to_string())?;
        let ty = traced.result_types().remove(0);
        Ok((ty.dtype, ty.shape.to_vec(), Vec::new()))
    } else {
        // The boundary makes a refusal an error, without a word on standard error.
        let refused = jit(move |x: Tensor, y: Tensor| f(&x, &y)).trace(args.clone()).err();
        match refused {
            Some(e) => Err(e.to_string()),
            None => {
                let y = f(&args.0, &args.1);
                Ok((y.dtype(), y.shape().to_vec(), elements(&y)))
            }
        }
    };
    let (got, expected) = match (got, expected) {
        (Err(_), "refused") => return Ok(()),
        (Err(_), _) if REFUSED.contains(&name) && types[0].is_complex() => return Ok(()),
        (Err(e), _) => return Err(format!("refused: {}", e.lines().next().unwrap_or_default())),
        (Ok((d, ..)), "refused") => {
            let ty = types[0].to_string();
            let known = EXTENSIONS.iter().any(|(n, t)| *n == name && ty.starts_with(t));
            return if known { Ok(()) } else { Err(format!("gives {d}, JAX refuses")) };
        }
        (Ok(got), expected) => (got, expected),
    };
    let (ty, values) = expected.split_once(" :").ok_or("a colon")?;
    let shape: Vec<String> = got.1.iter().map(usize::to_string).collect();
    let shape = if shape.is_empty() { "-".to_owned() } else { shape.join("x") };
    if format!("{} {shape}", got.0) != ty {
        return Err(format!("is {} {shape}, not {ty}", got.0));
    }
    if values == " loose" {
        return Ok(());
    }
    let want: Vec<(f64, f64)> = values.split_whitespace().map(parts).collect();
    // A running sum adds in the order of the elements.
    let terms = if name == "cumsum_last" { 30.0 } else { 1.0 };
    let bound = if got.0.is_differentiable() { terms * tolerance(got.0) } else { 0.0 };
    let same = got.2.len() == want.len() && got.2.iter().zip(&want).all(|(&g, &w)| near(g, w, bound));
    if same { Ok(()) } else { Err(format!("is {:?}, not {want:?}", got.2)) }
}

#[test]
fn every_method_is_jaxs_for_every_type() {
    let (mut wrong, mut rows, mut seen) = (String::new(), 0, BTreeSet::new());
    for line in include_str!("jnp/expect.txt").lines() {
        let (key, expected) = line.split_once(" -> ").expect("an arrow");
        let words: Vec<&str> = key.split(' ').collect();
        let (kind, name) = (words[0], words[1]);
        let types: Vec<DType> = words[2..].iter().map(|t| dtype(t)).collect();
        let (_, f) = METHODS.iter().find(|(n, _)| *n == name).unwrap_or_else(|| panic!("no method {name}"));
        if let Err(e) = check(kind, name, *f, &types, expected) {
            let _ = writeln!(wrong, "{key}: {e}");
        }
        seen.insert(name);
        rows += 1;
    }
    assert!(wrong.is_empty(), "{} of {rows} rows are wrong:\n{wrong}", wrong.lines().count());
    // No method is in the list and not in the table.
    assert_eq!(seen.len(), METHODS.len());
}

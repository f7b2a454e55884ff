//! The rest of NumPy's functions, and some of SciPy's, against them (`golden/numpy_more.txt`, made by `golden/make_numpy_more.py`), and
//! their derivatives against finite differences.

use wengert::{
    ConvolveMode, DType, Indexing, Ix, NEW, OutOfRange, PadMode, Tensor, einsum, grad, hstack, jit, jvp,
    meshgrid, vstack,
};

#[derive(Clone)]
struct Inputs {
    x: Tensor,
    m: Tensor,
    s: Tensor,
    v: Tensor,
    w: Tensor,
    b: Tensor,
    z: Tensor,
    i: Tensor,
}

impl Inputs {
    fn new() -> Inputs {
        let range = |n| Tensor::arange(n, DType::F64);
        let inf = f64::INFINITY;
        Inputs {
            x: range(24).reshape(&[2, 3, 4]) * 0.5 - 3.0,
            m: range(12).sin().reshape(&[3, 4]),
            s: range(9).cos().reshape(&[3, 3]),
            v: Tensor::from([3.0, -1.0, 2.0, 0.5]),
            w: Tensor::from([1.0, -2.0, 0.25]),
            b: range(24).cos().reshape(&[2, 4, 3]),
            z: Tensor::from([0.5, -0.0, 0.0, -7.25, inf, -inf, f64::NAN, 2.5]),
            i: Tensor::from([[5i32, -3, 2], [-7, 4, 0]]),
        }
    }
    fn of(floats: [Tensor; 6], z: Tensor, i: Tensor) -> Inputs {
        let [x, m, s, v, w, b] = floats;
        Inputs { x, m, s, v, w, b, z, i }
    }
    fn floats(&self) -> [Tensor; 6] {
        [&self.x, &self.m, &self.s, &self.v, &self.w, &self.b].map(Tensor::clone)
    }
}

/// An expression as NumPy writes it, as we write it.
type Case = (&'static str, fn(&Inputs) -> Tensor);

fn cube(shape: &[isize]) -> Tensor {
    Tensor::arange(18, DType::F64).cos().reshape(shape)
}

fn gamma_ends() -> Tensor {
    let inf = f64::INFINITY;
    let x = Tensor::from([0.0, 1.0, 0.0, 1.0, 2.0, inf, 210.0, 5.01e4]);
    Tensor::from([0.0, 0.0, 2.0, -1.0, inf, 3.0, 200.0, 5e4]).gammainc(&x)
}

fn beta_ends() -> Tensor {
    Tensor::from([1.0, 2.0, -1.0, 3.0, f64::INFINITY]).betainc(2.0, Tensor::from([0.0, 1.0, 0.5, 1.5, 0.5]))
}

#[rustfmt::skip]
const CASES: &[Case] = &[
    ("np.split(x, 2, 2)[1]", |a| a.x.split(2, 2)[1].clone()),
    ("np.array_split(v, 3)[0]", |a| a.v.array_split(3, 0)[0].clone()),
    ("np.array_split(v, 3)[2]", |a| a.v.array_split(3, 0)[2].clone()),
    ("np.split(m, [1, 3], 1)[1]", |a| a.m.split_at(&[1, 3], 1)[1].clone()),
    ("np.tile(w, 2)", |a| a.w.tile(&[2])),
    ("np.tile(m, (2, 1, 2))", |a| a.m.tile(&[2, 1, 2])),
    ("np.repeat(m, 2, 1)", |a| a.m.repeat(2, 1)),
    ("np.roll(x, 1, 1)", |a| a.x.roll(1, 1)),
    ("np.roll(v, -5, 0)", |a| a.v.roll(-5, 0)),
    ("np.moveaxis(x, 0, -1)", |a| a.x.moveaxis(&[0], &[-1])),
    ("np.moveaxis(x, [0, 1], [-1, 0])", |a| a.x.moveaxis(&[0, 1], &[-1, 0])),
    ("np.flip(x, (0, 2))", |a| a.x.flip_axes(&[0, 2])),
    ("np.rot90(m, 1)", |a| a.m.rot90(1, 0, 1)),
    ("np.rot90(m, -1)", |a| a.m.rot90(-1, 0, 1)),
    ("np.rot90(x, 2, (1, 2))", |a| a.x.rot90(2, 1, 2)),
    ("np.tril(m, 1)", |a| a.m.tril(1)),
    ("np.triu(x, -1)", |a| a.x.triu(-1)),
    ("np.diagonal(x, 1, 1, 2)", |a| a.x.diagonal(1, 1, 2)),
    ("np.diagonal(x, -1, 2, 0)", |a| a.x.diagonal(-1, 2, 0)),
    ("np.diag(w, -1)", |a| a.w.diag(-1)),
    ("np.diag(m, 2)", |a| a.m.diag(2)),
    ("np.trace(m)", |a| a.m.trace(0)),
    ("np.pad(m, ((2, 1), (1, 2)), 'edge')", |a| a.m.pad_with(&[(2, 1), (1, 2)], PadMode::Edge)),
    ("np.pad(m, ((5, 4), (3, 7)), 'reflect')", |a| a.m.pad_with(&[(5, 4), (3, 7)], PadMode::Reflect)),
    ("np.pad(m, ((4, 1), (5, 6)), 'symmetric')", |a| a.m.pad_with(&[(4, 1), (5, 6)], PadMode::Symmetric)),
    ("np.pad(m, ((4, 1), (5, 6)), 'wrap')", |a| a.m.pad_with(&[(4, 1), (5, 6)], PadMode::Wrap)),
    ("np.meshgrid(v, w)[0]", |a| meshgrid(&[a.v.clone(), a.w.clone()], Indexing::Xy)[0].clone()),
    ("np.meshgrid(v, w)[1]", |a| meshgrid(&[a.v.clone(), a.w.clone()], Indexing::Xy)[1].clone()),
    ("np.meshgrid(v, w, indexing='ij')[0]", |a| meshgrid(&[a.v.clone(), a.w.clone()], Indexing::Ij)[0].clone()),
    ("np.vstack([w, w * 2])", |a| vstack(&[a.w.clone(), &a.w * 2.0])),
    ("np.hstack([m, w[:, None]])", |a| hstack(&[a.m.clone(), a.w.expand_dims(1)])),
    ("np.hstack([v, w])", |a| hstack(&[a.v.clone(), a.w.clone()])),
    ("np.broadcast_arrays(v, w[:, None])[1]", |a| wengert::broadcast_arrays(&[a.v.clone(), a.w.expand_dims(1)])[1].clone()),
    ("np.tensordot(m, b[0], 1)", |a| a.m.tensordot(&a.b.get(0), 1)),
    ("np.tensordot(x, b, ([2, 0], [1, 0]))", |a| a.x.tensordot(&a.b, ([2, 0], [1, 0]))),
    ("np.inner(x, v)", |a| a.x.inner(&a.v)),
    ("np.outer(v, w)", |a| a.v.outer(&a.w)),
    ("np.vdot(m, m + 1)", |a| a.m.vdot(&(&a.m + 1.0))),
    ("np.kron(m, w)", |a| a.m.kron(&a.w)),
    ("np.kron(w, m)", |a| a.w.kron(&a.m)),
    ("np.cross(b, w)", |a| a.b.cross(&a.w)),
    ("np.einsum('ij->ji', m)", |a| einsum("ij->ji", &[&a.m])),
    ("np.einsum('ii', s)", |a| einsum("ii", &[&a.s])),
    ("np.einsum('ii->i', s)", |a| einsum("ii->i", &[&a.s])),
    ("np.einsum('ij,jk,kl', s, m, b[0])", |a| einsum("ij,jk,kl", &[&a.s, &a.m, &a.b.get(0)])),
    ("np.einsum('ij,kj->ik', s, m.T)", |a| einsum("ij,kj->ik", &[&a.s, &a.m.t()])),
    ("np.einsum('bij,bjk->bik', x, b)", |a| einsum("bij,bjk->bik", &[&a.x, &a.b])),
    ("np.einsum('...ij,...jk', x, b)", |a| einsum("...ij,...jk", &[&a.x, &a.b])),
    ("np.einsum('i...,i', x, v[:2])", |a| einsum("i...,i", &[&a.x, &a.v.get(..2)])),
    ("np.einsum('ij,jk,kl,lm->im', s, m, m.T, s)", |a| einsum("ij, jk, kl, lm -> im", &[&a.s, &a.m, &a.m.t(), &a.s])),
    ("np.einsum('i,j,k->kij', v, w, v)", |a| einsum("i,j,k->kij", &[&a.v, &a.w, &a.v])),
    ("np.einsum('ijk,jil->kl', x, np.ones((3, 2, 5)))", |a| einsum("ijk,jil->kl", &[&a.x, &Tensor::ones(&[3, 2, 5], DType::F64)])),
    ("np.einsum('...,...', v, w[:, None])", |a| einsum("...,...", &[&a.v, &a.w.get((.., NEW))])),
    ("np.einsum('ijj->i', np.cos(np.arange(18.0)).reshape(2, 3, 3))", |_| einsum("ijj->i", &[&cube(&[2, 3, 3])])),
    ("np.einsum('iij,jkk->ik', np.cos(np.arange(18.0)).reshape(3, 3, 2), np.cos(np.arange(18.0)).reshape(2, 3, 3))",
        |_| einsum("iij,jkk->ik", &[&cube(&[3, 3, 2]), &cube(&[2, 3, 3])])),
    ("np.einsum('ab,ab->', m, m)", |a| einsum("ab,ab->", &[&a.m, &a.m])),
    ("np.einsum('ab,ab->ab', m, m)", |a| einsum("ab,ab->ab", &[&a.m, &a.m])),
    ("np.einsum('ab,b->a', m, v[:1])", |a| einsum("ab,b->a", &[&a.m, &a.v.get(..1)])),
    ("np.einsum('a,a,a,a->a', v, v, v, v)", |a| einsum("a,a,a,a->a", &[&a.v, &a.v, &a.v, &a.v])),
    ("np.einsum('B,a', v, w)", |a| einsum("B,a", &[&a.v, &a.w])),
    ("np.einsum('ij,jk', i, i.T)", |a| einsum("ij,jk", &[&a.i, &a.i.t()])),
    ("np.var(x)", |a| a.x.var()),
    ("np.var(m, 1, ddof=1)", |a| a.m.var_ddof(&[1], 1.0)),
    ("np.std(m, 0)", |a| a.m.std_axes(&[0])),
    ("np.std(x, (0, 2), ddof=1)", |a| a.x.std_ddof(&[0, 2], 1.0)),
    ("np.var(x, 1, keepdims=True)", |a| a.x.var_keep(&[1])),
    ("np.ptp(x, 1)", |a| a.x.ptp(&[1])),
    ("np.average(m, 0, np.broadcast_to(w[:, None] + 3, (3, 4)))", |a| a.m.average(&(a.w.get((.., NEW)) + 3.0), &[0])),
    ("np.cov(m)", |a| a.m.cov(1.0)),
    ("np.cov(v, ddof=0)", |a| a.v.cov(0.0)),
    ("np.corrcoef(m)", |a| a.m.corrcoef()),
    ("np.count_nonzero(i, 0)", |a| a.i.count_nonzero(&[0])),
    ("np.any(i > 4, 0)", |a| a.i.greater(4i64).any_axes(&[0])),
    ("np.all(i > -5, 1)", |a| a.i.greater(-5i64).all_axes(&[1])),
    ("np.min(x, 1, keepdims=True)", |a| a.x.min_keep(&[1])),
    ("np.prod(x, (0, 1), keepdims=True)", |a| a.x.prod_keep(&[0, 1])),
    ("np.nansum(z[:4])", |a| a.z.get(..4).nansum(&[0])),
    ("np.nansum(z[6:])", |a| a.z.get(6..).nansum(&[0])),
    ("np.nanmean(z[6:])", |a| a.z.get(6..).nanmean(&[0])),
    ("np.nanmax(z)", |a| a.z.nanmax(&[0])),
    ("np.nanmin(z)", |a| a.z.nanmin(&[0])),
    ("np.diff(x, 2, 1)", |a| a.x.diff(2, 1)),
    ("np.diff(i, 1, 1)", |a| a.i.diff(1, 1)),
    ("np.trapezoid(m, dx=0.5)", |a| a.m.trapezoid(0.5)),
    ("np.isclose(z, z + 1e-9)", |a| a.z.isclose(&a.z + 1e-9, 1e-5, 1e-8)),
    ("np.exp2(x)", |a| a.x.exp2()),
    ("np.log2(np.abs(v))", |a| a.v.abs().log2()),
    ("np.log10(np.abs(v))", |a| a.v.abs().log10()),
    ("np.logaddexp(v, -v)", |a| a.v.logaddexp(-&a.v)),
    ("np.logaddexp(z, 1.0)", |a| a.z.logaddexp(1.0)),
    ("np.logaddexp(-np.inf, z)", |a| a.z.full_like(f64::NEG_INFINITY).logaddexp(&a.z)),
    ("np.hypot(m, v)", |a| a.m.hypot(&a.v)),
    ("np.hypot(z, 2.0)", |a| a.z.hypot(2.0)),
    ("x // 0.7", |a| a.x.floor_divide(0.7)),
    ("i // 3", |a| a.i.floor_divide(3)),
    ("i // np.array([[2], [-3]], np.int32)", |a| a.i.floor_divide(Tensor::from([[2i32], [-3]]))),
    ("np.fmod(x, 0.7)", |a| a.x.fmod(0.7)),
    ("np.trunc(z)", |a| a.z.trunc()),
    ("np.round(m, 2)", |a| a.m.round_to(2)),
    ("np.deg2rad(x)", |a| a.x.deg2rad()),
    ("np.rad2deg(m)", |a| a.m.rad2deg()),
    ("np.heaviside(z, 0.5)", |a| a.z.heaviside(0.5)),
    ("np.isinf(z)", |a| a.z.is_inf()),
    ("np.isnan(z)", |a| a.z.is_nan()),
    ("np.nan_to_num(z)", |a| a.z.nan_to_num(0.0)),
    ("np.logical_xor(m > 0, v > 0)", |a| a.m.greater(0.0).logical_xor(a.v.greater(0.0))),
    ("np.arange(2.0, 4.0, 0.3)", |_| Tensor::arange_step(2.0, 4.0, 0.3, DType::F64)),
    ("np.logspace(-1, 2, 4)", |_| Tensor::logspace(-1.0, 2.0, 4, DType::F64)),
    ("np.eye(3, 4, 1)", |_| Tensor::eye_offset(3, 4, 1, DType::F64)),
    ("np.tri(3, 4, -1)", |_| Tensor::tri(3, 4, -1, DType::F64)),
    ("np.clip(x, -1, 1.5)", |a| a.x.clip(-1.0, 1.5)),
    ("np.interp(x, np.array([-2.2, -1.1, 0.3, 2.7, 6.1]), np.cos(np.arange(5.0)))", |a| a.x.interp(&Tensor::from([-2.2, -1.1, 0.3, 2.7, 6.1]), &Tensor::arange(5, DType::F64).cos())),
    ("np.interp(0.1, np.sort(v), v)", |a| Tensor::from(0.1f64).interp(&a.v.sort(0), &a.v)),
    ("np.digitize(x, np.array([-2.0, 0.0, 0.5, 7.0]))", |a| a.x.digitize(&Tensor::from([-2.0, 0.0, 0.5, 7.0]))),
    ("np.histogram(x, 5)[0] * 1.0", |a| a.x.histogram(5, None).0),
    ("np.histogram(x, 5)[1]", |a| a.x.histogram(5, None).1),
    ("np.histogram(x, 4, (-2, 2))[0] * 1.0", |a| a.x.histogram(4, Some((-2.0, 2.0))).0),
    ("np.histogram(z[:4], 3, (0, 0))[1]", |a| a.z.get(..4).histogram(3, Some((0.0, 0.0))).1),
    ("np.bincount(i.ravel() % 4, minlength=6)", |a| (&a.i % 4i64).bincount(6)),
    ("np.stack([m[[0, 2]].sum(0), m[1], 0 * m[0]])", |a| a.m.segment_sum(&Tensor::from([0i32, 1, 0]), 3)),
    ("np.stack([m[0], m[2], np.ones(4)])", |a| a.m.segment_prod(&Tensor::from([0i32, -1, 1]), 3)),
    ("np.stack([m[[0, 2]].max(0), m[1], np.full(4, -np.inf)])", |a| a.m.segment_max(&Tensor::from([0i32, 1, 0]), 3)),
    ("np.stack([m[[0, 2]].max(0), m[1]])", |a| a.m.segment_max(&Tensor::from([0i32, 1, 0]), 2)),
    ("np.stack([m[[0, 2]].min(0), m[1]])", |a| a.m.segment_min(&Tensor::from([0i32, 1, 0]), 2)),
    ("np.convolve(v, w)", |a| a.v.convolve(&a.w, ConvolveMode::Full)),
    ("np.convolve(v, w, 'same')", |a| a.v.convolve(&a.w, ConvolveMode::Same)),
    ("np.convolve(w, v, 'same')", |a| a.w.convolve(&a.v, ConvolveMode::Same)),
    ("np.convolve(v, w[:2], 'same')", |a| a.v.convolve(&a.w.get(..2), ConvolveMode::Same)),
    ("np.convolve(w, v, 'valid')", |a| a.w.convolve(&a.v, ConvolveMode::Valid)),
    ("np.correlate(v, w, 'full')", |a| a.v.correlate(&a.w, ConvolveMode::Full)),
    ("np.correlate(w, v, 'full')", |a| a.w.correlate(&a.v, ConvolveMode::Full)),
    ("np.correlate(w, v, 'same')", |a| a.w.correlate(&a.v, ConvolveMode::Same)),
    ("np.correlate(v, w, 'valid')", |a| a.v.correlate(&a.w, ConvolveMode::Valid)),
    ("np.unwrap(m * 9)", |a| (&a.m * 9.0).unwrap_angles()),
    ("np.unwrap(w[:1])", |a| a.w.get(..1).unwrap_angles()),
    ("np.hanning(5)", |_| Tensor::hanning(5, DType::F64)),
    ("np.hamming(4)", |_| Tensor::hamming(4, DType::F64)),
    ("np.blackman(6)", |_| Tensor::blackman(6, DType::F64)),
    ("np.hanning(1)", |_| Tensor::hanning(1, DType::F64)),
    ("sp.ndtr(x)", |a| a.x.ndtr()),
    ("sp.ndtri((m + 1.01) / 2.03)", |a| ((&a.m + 1.01) / 2.03).ndtri()),
    ("sp.ndtri(np.exp(x * 9 - 77))", |a| (&a.x * 9.0 - 77.0).exp().ndtri()),
    ("sp.ndtri(1 - np.exp(-m * m * 3 - 1))", |a| (1.0 - (&a.m * &a.m * -3.0 - 1.0).exp()).ndtri()),
    ("sp.ndtri(z)", |a| a.z.ndtri()),
    ("sp.logit((m + 1.01) / 2.03)", |a| ((&a.m + 1.01) / 2.03).logit()),
    ("sp.xlogy(np.maximum(v, 0), np.abs(v))", |a| a.v.maximum(0.0).xlogy(a.v.abs())),
    ("sp.xlogy(z, z)", |a| a.z.xlogy(&a.z)),
    ("sp.xlog1py(m, np.abs(v))", |a| a.m.xlog1py(a.v.abs())),
    ("sp.entr(np.abs(v))", |a| a.v.abs().entr()),
    ("sp.entr(z)", |a| a.z.entr()),
    ("sp.betaln(np.abs(v), 2.5)", |a| a.v.abs().betaln(2.5)),
    ("sp.gammainc(np.abs(v) + 0.1, np.abs(w)[:, None])", |a| (a.v.abs() + 0.1).gammainc(a.w.abs().expand_dims(1))),
    ("sp.gammaincc(np.abs(v) * 9, 30.0)", |a| (a.v.abs() * 9.0).gammaincc(30.0)),
    ("sp.gammaincc(np.abs(v) * 90, np.abs(v) * 80 + 12)", |a| (a.v.abs() * 90.0).gammaincc(a.v.abs() * 80.0 + 12.0)),
    ("sp.gammainc(np.array([0, 0, 2, -1, np.inf, 3, 200, 5e4]), np.array([0, 1, 0, 1, 2, np.inf, 210, 5.01e4]))", |_| gamma_ends()),
    ("sp.betainc(np.abs(v), np.abs(w)[:, None], (m + 1.5) / 3)", |a| a.v.abs().betainc(a.w.abs().expand_dims(1), (&a.m + 1.5) / 3.0)),
    ("sp.betainc(300.0, 250.0, (m + 1.5) / 3)", |a| Tensor::from(300.0f64).betainc(250.0, (&a.m + 1.5) / 3.0)),
    ("sp.betainc(np.array([1, 2, -1, 3, np.inf]), 2.0, np.array([0, 1, 0.5, 1.5, 0.5]))", |_| beta_ends()),
];

fn check(case: &str, found: &Tensor, dtype: DType, shape: &[usize], expected: &[f64]) {
    // Counts are `i32`, as JAX's.
    let counts = ["np.count_nonzero", "np.digitize", "np.bincount"].iter().any(|name| case.starts_with(name));
    let dtype = if counts { DType::I32 } else { dtype };
    assert_eq!((found.dtype(), found.shape()), (dtype, shape), "{case}");
    let values = found.astype(DType::F64).to_vec::<f64>();
    for (a, e) in values.iter().zip(expected) {
        let same = a == e || (a.is_nan() && e.is_nan()) || (a - e).abs() <= 1e-13 * (1.0 + e.abs());
        assert!(same, "{case}: {values:?} is not {expected:?}");
    }
}

/// The lines of the table, in the order of `CASES`.
fn table() -> Vec<(DType, Vec<usize>, Vec<f64>)> {
    let lines: Vec<&str> = include_str!("golden/numpy_more.txt").lines().collect();
    assert_eq!(lines.len(), CASES.len());
    let parse = |(line, case): (&&str, &Case)| {
        let parts: Vec<&str> = line.split(" | ").collect();
        let [expression, dtype, shape, values] = parts[..] else { panic!("{line}") };
        assert_eq!(expression.trim(), case.0);
        let sizes = |s: &str| s.split('x').map(|d| d.parse().expect("a size")).collect();
        let shape = if shape == "-" { vec![] } else { sizes(shape) };
        let values = values.split_whitespace().map(|v| v.parse().expect("a number")).collect();
        (DType::parse(dtype).expect("an element type"), shape, values)
    };
    lines.iter().zip(CASES).map(parse).collect()
}

#[test]
fn eagerly() {
    let inputs = Inputs::new();
    for ((case, f), (dtype, shape, expected)) in CASES.iter().zip(table()) {
        check(case, &f(&inputs), dtype, &shape, &expected);
    }
}

#[test]
fn compiled() {
    let a = Inputs::new();
    for ((case, f), (dtype, shape, expected)) in CASES.iter().zip(table()) {
        let call = jit(move |floats: [Tensor; 6], z: Tensor, i: Tensor| f(&Inputs::of(floats, z, i)));
        check(case, &call(a.floats(), a.z.clone(), a.i.clone()), dtype, &shape, &expected);
    }
}

/// Where a difference quotient says nothing: jumps, and kinks at the inputs chosen.
const NOT_SMOOTH: &[&str] = &[
    "x // 0.7",
    "np.clip(x, -1, 1.5)",
    "np.fmod(x, 0.7)",
    "np.round(m, 2)",
    "np.stack([m[[0, 2]].max(0), m[1], np.full(4, -np.inf)])",
    "sp.gammainc(np.array([0, 0, 2, -1, np.inf, 3, 200, 5e4]), np.array([0, 1, 0, 1, 2, np.inf, 210, 5.01e4]))",
    "sp.betainc(np.array([1, 2, -1, 3, np.inf]), 2.0, np.array([0, 1, 0.5, 1.5, 0.5]))",
    "np.histogram(x, 5)[0] * 1.0",
    "np.histogram(x, 4, (-2, 2))[0] * 1.0",
];

#[test]
fn derivatives() {
    let inputs = Inputs::new();
    for &(case, f) in CASES {
        let differentiable = f(&inputs).dtype() == DType::F64;
        if !differentiable || case.contains('z') || NOT_SMOOTH.contains(&case) {
            continue;
        }
        let loss = {
            let (z, i) = (inputs.z.clone(), inputs.i.clone());
            move |floats: [Tensor; 6]| {
                let y = f(&Inputs::of(floats, z.clone(), i.clone())).flatten();
                (&y * Tensor::arange(y.len(), DType::F64).cos()).sum()
            }
        };
        let direction = inputs.floats().map(|t| (&t * 7.0 + 1.0).sin());
        let moved = |h: f64| {
            let mut k = 0;
            inputs.floats().map(|t| {
                k += 1;
                t + &direction[k - 1] * h
            })
        };
        let h = 1e-4;
        let at = |h: f64| loss(moved(h)).item::<f64>();
        let slope = (8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h);
        let close = |what: &str, a: f64| {
            assert!((a - slope).abs() <= 1e-7 * (1.0 + slope.abs()), "{what} of {case}: {a} is not {slope}");
        };
        let dot = |g: [Tensor; 6]| g.iter().zip(&direction).map(|(g, d)| (g * d).sum().item::<f64>()).sum();
        close("reverse", dot(grad(loss.clone())(inputs.floats())));
        close("compiled reverse", dot(jit(grad(loss.clone()))(inputs.floats())));
        close("forward", jvp(loss.clone(), (inputs.floats(),), (direction.clone(),)).1.item());
        // The derivative of the derivative's length, forward over reverse, against reverse over reverse.
        let length = {
            let (loss, direction) = (loss.clone(), direction.clone());
            move |floats: [Tensor; 6]| {
                let g = grad(loss.clone())(floats);
                let mut total = Tensor::from(0.0f64);
                for (g, d) in g.iter().zip(&direction) {
                    total += (g * d).sum();
                }
                total
            }
        };
        let forward = jvp(length.clone(), (inputs.floats(),), (direction.clone(),)).1.item::<f64>();
        let reverse: f64 = dot(grad(length)(inputs.floats()));
        assert!(
            (forward - reverse).abs() <= 1e-9 * (1.0 + reverse.abs()),
            "second order of {case}: {forward}, {reverse}"
        );
    }
}

#[test]
fn many_operands_are_contracted_in_a_cheap_order() {
    // Ten matrices: a product from the left costs 2^10 times more than one that begins at the vector.
    let ms: Vec<Tensor> =
        (0..10).map(|k| (Tensor::arange(64, DType::F64) + k as i64).sin().reshape(&[8, 8])).collect();
    let v = Tensor::arange(8, DType::F64);
    let mut operands: Vec<&Tensor> = ms.iter().collect();
    operands.push(&v);
    let found = einsum("ab,bc,cd,de,ef,fg,gh,hi,ij,jk,k->a", &operands);
    let expected = ms.iter().rev().fold(v.clone(), |v, m| m.matmul(&v));
    for (a, e) in found.to_vec::<f64>().iter().zip(expected.to_vec::<f64>()) {
        assert!((a - e).abs() <= 1e-9 * (1.0 + e.abs()));
    }
    // The best order for three begins at the end here: no product of two matrices remains.
    let text = jit(|m: Tensor, v: Tensor| einsum("ij,jk,k->i", &[&m, &m, &v]))
        .trace((ms[0].clone(), v))
        .expect("traces");
    assert!(!text.to_string().contains("-> tensor<8x8xf64>"), "{text}");
}

/// Coefficients and sums that the narrow types do not hold.
#[test]
fn special_functions_of_narrow_floats() {
    let x = Tensor::from([0.01f64, 0.3, 0.5, 0.96]);
    type Function = fn(&Tensor) -> Tensor;
    let all: [Function; 8] = [
        |x| x.ndtri(),
        |x| x.ndtr(),
        |x| x.logit(),
        |x| x.xlogy(x),
        |x| x.entr(),
        |x| (x * 40.0).gammainc(30.0),
        |x| (x * 3.0).gammaincc(0.5),
        |x| x.betainc(2.0, x),
    ];
    for dtype in [DType::F16, DType::BF16, DType::F32] {
        for (k, f) in all.iter().enumerate() {
            let (got, want) = (f(&x.astype(dtype)), f(&x.astype(dtype).astype(DType::F64)));
            assert_eq!(got.dtype(), dtype);
            let off = (got.astype(DType::F64) - &want).abs() / (want.abs() + 0.1);
            let most = match dtype {
                DType::F32 => 1e-5,
                DType::F16 => 4e-3,
                _ => 3e-2,
            };
            assert!(off.max().item::<f64>() < most, "{k} {dtype}: {off:?}");
        }
    }
}

/// Of many numbers none may wait for another's rounding, and where the terms do not suffice there is no number.
#[test]
fn incomplete_functions_of_many_numbers_and_of_large_ones() {
    let n = 50_000;
    let (a, x) = (Tensor::linspace(0.1, 30.0, n, DType::F64), Tensor::linspace(0.2, 45.0, n, DType::F64));
    let p = Tensor::linspace(0.0, 1.0, n, DType::F64);
    let gamma = jit(|a: Tensor, x: Tensor| a.gammainc(&x));
    let beta = jit(|a: Tensor, b: Tensor, p: Tensor| a.betainc(&b, &p));
    let near = |a: &Tensor, b: &Tensor, off: f64| (a - b).abs().less(off).all().item::<bool>();
    // DLMF 8.8.5 and 8.17.4.
    let step = (a.xlogy(&x) - &x - (&a + 1.0).lgamma()).exp();
    let (below, side) = (gamma(a.clone(), x.clone()), beta(a.clone(), x.clone(), p.clone()));
    assert!(near(&(&below - step), &gamma(&a + 1.0, x.clone()), 1e-12));
    assert!(near(&side, &(1.0 - beta(x.clone(), a.clone(), 1.0 - &p)), 1e-12));
    let narrow = [&a, &x, &p].map(|t| t.astype(DType::F32));
    let [a, x, p] = narrow.clone().map(|t| t.astype(DType::F64));
    let [na, nx, np] = narrow;
    assert!(near(&gamma(na.clone(), nx.clone()).astype(DType::F64), &gamma(a.clone(), x.clone()), 1e-4));
    assert!(near(&beta(na, nx, np).astype(DType::F64), &beta(a, x, p), 1e-4));
    let large = Tensor::from([1e9f64, 1e9, 1e9]).gammainc(Tensor::from([0.5e9f64, 1e9, 3e9])).to_vec::<f64>();
    assert!(large[0] == 0.0 && large[1].is_nan() && large[2] == 1.0, "{large:?}");
}

#[test]
fn strides_to_nowhere() {
    // Each slice has the type of its operand; together they have no stride that fits a word.
    let f = jit(|x: Tensor| x.get(Ix::Range(None, None, 1 << 40)).get(Ix::Range(None, None, 1 << 40)));
    assert_eq!(f(Tensor::from([3.0f64])).to_vec::<f64>(), [3.0]);
}

#[test]
fn mistakes_are_explained() {
    let a = || Tensor::zeros(&[2, 3], DType::F64);
    let message = |f: &dyn Fn() -> Tensor| {
        let error = std::panic::catch_unwind(std::panic::AssertUnwindSafe(f)).expect_err("wrong");
        error.downcast_ref::<String>().cloned().unwrap_or_default()
    };
    for (text, part) in [
        (message(&|| einsum("ij,jk", &[&a()])), "2 terms for 1 operands"),
        (message(&|| einsum("ijk", &[&a()])), "names 3 dimensions"),
        (message(&|| einsum("ij,ij->k", &[&a(), &a()])), "no operand has"),
        (message(&|| einsum("ij->ii", &[&a()])), "twice"),
        (message(&|| einsum("ij,jk", &[&a(), &a()])), "`j` is both 3 and 2"),
        (message(&|| einsum("i1", &[&a()])), "not a letter"),
        (message(&|| a().tensordot(&a(), 1)), "dimensions 1 and 0 differ"),
        (message(&|| a().split(2, 1)[0].clone()), "equal parts"),
        (message(&|| a().cross(&a().t())), "must be 3"),
        (message(&|| a().pad_with(&[(1, 1)], PadMode::Edge)), "1 widths"),
        (message(&|| a().moveaxis(&[0, 0], &[0, 1])), "repeated"),
        (message(&|| a().get(0).tril(0)), "two dimensions"),
        (message(&|| a().get((Ix::Rest, NEW)).diag(0)), "a vector or a matrix"),
        (message(&|| a().histogram(0, None).0), "0 bins"),
        (message(&|| a().histogram(3, Some((2.0, 1.0))).0), "(2.0, 1.0)"),
        (message(&|| a().histogram(3, Some((0.0, f64::NAN))).0), "NaN"),
        (message(&|| a().segment_sum(&Tensor::from([0i32, 1, 0]), 2)), "a number for each row"),
        (message(&|| a().convolve(&Tensor::from([1.0f64]), ConvolveMode::Full)), "two vectors"),
        (
            message(&|| a().interp(&Tensor::from([1.0f64, 2.0]), &Tensor::from([1.0f64]))),
            "2 places and 1 values",
        ),
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

/// A constant that has no normal reciprocal is not multiplied by one.
#[test]
fn numbers_without_a_reciprocal_divide() {
    let [small, largest] = [f64::from_bits(3), f64::MAX];
    let f = jit(move |x: Tensor| x / small);
    assert_eq!(f(Tensor::from([f64::from_bits(15), 0.0, -small])).to_vec::<f64>(), [5.0, 0.0, -1.0]);
    let f = jit(move |x: Tensor| x / largest);
    assert_eq!(f(Tensor::from([largest, largest / 2.0, 3.0])).to_vec::<f64>(), [1.0, 0.5, 3.0 / largest]);
}

#[test]
fn one_is_stretched_wherever_it_stands() {
    let (x, y) = (Tensor::from([[2.0f64], [3.0]]), Tensor::from([[1.0f64, 2.0], [3.0, 4.0], [5.0, 6.0]]));
    let want = [18.0, 24.0, 27.0, 36.0];
    assert_eq!(einsum("ij,jk->ik", &[&x, &y]).to_vec::<f64>(), want);
    assert_eq!(einsum("kj,ji->ki", &[&x, &y]).to_vec::<f64>(), want);
    assert_eq!(einsum("jk,ij->ik", &[&y, &x]).to_vec::<f64>(), want);
}

#[test]
fn weights_of_more_bits_make_an_average_of_more() {
    let (x, w) = (Tensor::from([1.0f32, 2.0]), Tensor::from([1.0f64, 3.0]));
    assert_eq!((x.average(&w, &[0]).dtype(), w.average(&x, &[0]).dtype()), (DType::F64, DType::F64));
    assert_eq!(x.average(&w, &[0]).item::<f64>(), 1.75);
}

#[test]
fn updates_beyond_the_end_may_be_clipped() {
    let x = Tensor::from([1.0f64, 2.0, 3.0]);
    for (index, want) in
        [(2i32, [1.0, 2.0, 9.0]), (3, [1.0, 2.0, 9.0]), (7, [1.0, 2.0, 9.0]), (-7, [9.0, 2.0, 3.0])]
    {
        let part = x.at_rows(&Tensor::from([index])).out_of_range(OutOfRange::Clip);
        assert_eq!(part.set(9.0).to_vec::<f64>(), want, "{index}");
    }
}

#[test]
fn what_is_reversed_in_one_dimension_lies_in_two() {
    let x = Tensor::arange(24, DType::I32).reshape(&[6, 4]);
    let g = |x: Tensor| {
        let rows = Tensor::iota(&[6, 4], 0, DType::I32);
        (x + rows * 100i64).flatten().flip(0)
    };
    assert_eq!(jit(g)(x.clone()).to_vec::<i32>(), g(x).to_vec::<i32>());
}

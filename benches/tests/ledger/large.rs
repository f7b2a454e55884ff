//! Operations one by one, at sizes for which loops are shared out, cut into tiles and launched.

use wengert::DType::{BF16, C64, F32, F64, I8, I32};
use wengert::{
    DType, Padding, Side, Tensor, TensorType, concatenate, cond, fft, jit, linalg, scan, stages::Traced,
    while_loop,
};

type Make = fn(&[Tensor]) -> Tensor;

/// A name, the arguments, the function, and whether its derivative by the first argument is looked at too.
type Row = (&'static str, &'static [(DType, &'static [usize])], Make, bool);

const LARGE: &[Row] = &[
    ("transpose", &[(F32, &[512, 700]), (F32, &[700, 512])], |x| x[0].transpose(&[1, 0]) * &x[1], true),
    ("transpose_of_64_bits", &[(F64, &[300, 400])], |x| x[0].transpose(&[1, 0]).sin(), true),
    ("transpose_of_16_bits", &[(BF16, &[300, 400])], |x| x[0].transpose(&[1, 0]), false),
    ("transpose_of_three", &[(F32, &[64, 48, 80])], |x| x[0].transpose(&[2, 0, 1]), true),
    ("columns_read_as_rows", &[(F32, &[600, 500])], |x| x[0].transpose(&[1, 0]).exp().sum_axis(1), true),
    ("chain", &[(F32, &[1 << 20])], |x| (x[0].sin() * x[0].exp() + 1.0).log(), true),
    ("chain_of_64_bits", &[(F64, &[100_000])], |x| (x[0].sin() * x[0].exp() + 1.0).log(), true),
    ("chain_of_bf16", &[(BF16, &[1 << 20])], |x| x[0].tanh() * 2.0 + &x[0], true),
    ("integers", &[(I32, &[1 << 18])], |x| (&x[0] * 3 + 7) / 5, false),
    ("softmax", &[(F32, &[2000, 1000])], |x| x[0].softmax(-1), true),
    ("softmax_of_columns", &[(F32, &[1000, 300])], |x| x[0].softmax(0), true),
    ("softmax_of_short_rows", &[(F32, &[20_000, 10])], |x| x[0].softmax(-1), true),
    ("logsumexp", &[(F64, &[500, 700])], |x| x[0].logsumexp(&[1]), true),
    ("layer_norm", &[(F32, &[4096, 512])], layer_norm, true),
    ("sums_of_columns", &[(F32, &[20_000, 64])], |x| x[0].square().sum_axis(0), true),
    ("sums_of_few_columns", &[(F32, &[100_000, 3])], |x| x[0].square().sum_axis(0), true),
    ("sums_of_long_rows", &[(F32, &[64, 20_000])], |x| x[0].square().sum_axis(1), true),
    ("sums_of_short_rows", &[(F32, &[50_000, 8])], |x| x[0].square().sum_axis(1), true),
    ("sums_in_the_middle", &[(F32, &[40, 300, 50])], |x| x[0].exp().sum_axis(1), true),
    ("a_sum", &[(F32, &[1 << 20])], |x| x[0].sin().sum(), true),
    ("a_maximum", &[(F32, &[1 << 20])], |x| x[0].max(), true),
    ("a_product", &[(F64, &[10_000])], |x| x[0].prod(), true),
    ("argmax", &[(F32, &[1000, 1000])], |x| x[0].argmax(1), false),
    ("cumsum", &[(F32, &[100, 10_000])], |x| x[0].cumsum(1), true),
    ("cumsum_of_columns", &[(F32, &[1000, 100])], |x| x[0].cumsum(0), true),
    ("cumprod", &[(F64, &[50, 2000])], |x| x[0].cumprod(1), true),
    ("sort", &[(F32, &[100, 1000])], |x| x[0].sort(1), true),
    ("top_k", &[(F32, &[100, 1000])], |x| x[0].top_k(10).0, true),
    ("searchsorted", &[(F32, &[1000]), (F32, &[20_000])], |x| x[0].searchsorted(&x[1], Side::Left), false),
    ("flip", &[(F32, &[500, 1000])], |x| x[0].flip(1) - x[0].flip(0), true),
    ("roll", &[(F32, &[1000, 1000])], |x| x[0].roll(3, 1) + x[0].roll(-5, 0), true),
    ("pad", &[(F32, &[500, 500])], |x| x[0].pad(&[(1, 2), (3, 0)], 1.0).exp(), true),
    ("stencil", &[(F32, &[1000, 1000])], stencil, true),
    ("concatenate", &[(F32, &[300, 400]), (F32, &[300, 70])], joined, true),
    ("tile", &[(F32, &[300, 40])], |x| x[0].tile(&[2, 5]).sin(), true),
    ("repeat", &[(F32, &[300, 40])], |x| x[0].repeat(6, 1).sin(), true),
    ("outer", &[(F32, &[600]), (F32, &[900])], |x| (x[0].outer(&x[1])).tanh(), true),
    ("take", &[(F32, &[50_000, 64]), (I32, &[10_000])], |x| x[0].take(&x[1], 0), true),
    ("take_of_elements", &[(F32, &[50_000]), (I32, &[100_000])], |x| x[0].take(&x[1], 0), true),
    ("segment_sum", &[(F32, &[50_000, 8]), (I32, &[50_000])], |x| x[0].segment_sum(&x[1], 100), true),
    ("rows_that_are_set", &[(F32, &[5000, 20]), (I32, &[300])], |x| x[0].at_rows(&x[1]).set(1.0), true),
    ("rows_that_are_raised", &[(F32, &[5000, 20]), (I32, &[300])], |x| x[0].at_rows(&x[1]).max(1.0), true),
    ("bincount", &[(I32, &[100_000])], |x| x[0].bincount(256), false),
    ("matmul", &[(F32, &[300, 200]), (F32, &[200, 100]), (F32, &[100])], dense, true),
    ("matmul_of_small_integers", &[(I8, &[128, 100]), (I8, &[100, 96])], |x| x[0].matmul(&x[1]), false),
    ("products_in_a_batch", &[(F32, &[200, 6, 6]), (F32, &[200, 6, 6])], |x| x[0].matmul(&x[1]), true),
    ("matrix_by_vector", &[(F32, &[1000, 1000]), (F32, &[1000])], |x| x[0].matmul(&x[1]), true),
    ("attention", &[(F32, &[4, 128, 64]), (F32, &[4, 128, 64]), (F32, &[4, 128, 64])], attention, true),
    ("conv2d", &[(F32, &[4, 16, 32, 32]), (F32, &[32, 16, 3, 3])], conv, true),
    ("conv2d_in_strides", &[(F32, &[4, 16, 32, 32]), (F32, &[32, 16, 3, 3])], strided, true),
    ("max_pool", &[(F32, &[4, 8, 64, 64])], |x| pooled(&x[0], true), true),
    ("avg_pool", &[(F32, &[4, 8, 64, 64])], |x| pooled(&x[0], false), true),
    ("rfft", &[(F32, &[256, 1024])], |x| fft::rfft(&x[0], None, -1).abs(), true),
    ("complex", &[(C64, &[100_000]), (C64, &[100_000])], |x| (&x[0] * &x[1]).real(), false),
    ("cholesky", &[(F64, &[100, 8, 8])], |x| linalg::cholesky(&x[0]), true),
    ("solve", &[(F32, &[64, 64]), (F32, &[64, 10])], |x| linalg::solve(&x[0], &x[1]), true),
    ("scan", &[(F32, &[2000])], steps, true),
    ("while", &[(F32, &[1000])], halvings, false),
    ("cond", &[(F32, &[100_000])], either, true),
    ("select", &[(F32, &[100_000]), (F32, &[100_000])], chosen, true),
    ("lower_triangle", &[(F32, &[700, 700])], |x| x[0].tril(0).exp(), true),
];

fn layer_norm(x: &[Tensor]) -> Tensor {
    let n = x[0].shape()[1] as f64;
    let rows = |t: Tensor| (t.sum_axis(1) / n).reshape(&[-1, 1]);
    let centred = &x[0] - rows(x[0].clone());
    &centred / (rows(centred.square()) + 1e-5).sqrt()
}

fn stencil(x: &[Tensor]) -> Tensor {
    let x = &x[0];
    x.roll(1, 0) + x.roll(-1, 0) + x.roll(1, 1) + x.roll(-1, 1) - x * 4.0
}

fn joined(x: &[Tensor]) -> Tensor {
    concatenate(&[x[0].sin(), x[1].clone(), x[0].clone()], 1)
}

fn dense(x: &[Tensor]) -> Tensor {
    (x[0].matmul(&x[1]) + &x[2]).tanh()
}

fn attention(x: &[Tensor]) -> Tensor {
    let scores = x[0].matmul(&x[1].transpose(&[0, 2, 1])) / 8.0;
    scores.softmax(-1).matmul(&x[2])
}

fn conv(x: &[Tensor]) -> Tensor {
    wengert::conv2d(&x[0], &x[1], [1, 1], Padding::Same).tanh()
}

fn strided(x: &[Tensor]) -> Tensor {
    wengert::conv2d(&x[0], &x[1], [2, 2], Padding::Valid)
}

fn pooled(x: &Tensor, is_max: bool) -> Tensor {
    let pool = if is_max { wengert::max_pool } else { wengert::avg_pool };
    pool(x, &[2, 2], &[2, 2], Padding::Valid)
}

fn steps(x: &[Tensor]) -> Tensor {
    let (last, ()) =
        scan(|c: Tensor, _: Tensor| ((c.sin() * 1.5 + 0.1), ()), x[0].clone(), Tensor::zeros(&[50], F32));
    last
}

fn halvings(x: &[Tensor]) -> Tensor {
    while_loop(|c: Tensor| c.max().greater(1.0), |c: Tensor| c * 0.5, x[0].clone())
}

fn either(x: &[Tensor]) -> Tensor {
    cond(&x[0].sum().greater(0.0), |x: Tensor| x.sin(), |x: Tensor| x.exp() * 2.0, x[0].clone())
}

fn chosen(x: &[Tensor]) -> Tensor {
    x[0].greater(&x[1]).select(x[0].sin(), x[1].exp())
}

/// All programs by name, and the derivatives of those that have one.
pub(crate) fn programs() -> impl Iterator<Item = (String, Traced)> {
    LARGE.iter().flat_map(|&(name, shapes, f, has_slope)| {
        let args: Vec<Tensor> =
            shapes.iter().map(|(dtype, shape)| Tensor::placeholder(shape, *dtype)).collect();
        let traced =
            jit(move |x: Vec<Tensor>| f(&x)).trace((args,)).unwrap_or_else(|e| panic!("{name}: {e}"));
        let vjp = has_slope.then(|| traced.vjp(&[0], &[0]).unwrap_or_else(|e| panic!("{name}: {e}")));
        let vjp = vjp.map(|vjp| (format!("{name}.vjp"), vjp));
        std::iter::once((name.to_owned(), traced)).chain(vjp)
    })
}

/// Numbers between -1 and 1 that hardly repeat, matrices with a large diagonal; integers that are an index of everything here.
fn argument(ty: &TensorType, seed: usize) -> Tensor {
    let (n, rank) = (ty.elements(), ty.rank());
    if ty.dtype.is_integer() {
        let values: Vec<i32> = (0..n).map(|k| ((k * 37 + seed) % 90) as i32).collect();
        return Tensor::new(&ty.shape, &values).astype(ty.dtype);
    }
    let mut values: Vec<f64> =
        (0..n).map(|k| ((k + seed) * 7919 % 1_000_003) as f64 / 500_000.0 - 1.0).collect();
    if let Some(&[rows, columns]) = ty.shape.get(rank.wrapping_sub(2)..)
        && rows == columns
        && rows <= 64
    {
        (0..n).filter(|k| k / columns % rows == k % columns).for_each(|k| values[k] += rows as f64);
    }
    Tensor::new(&ty.shape, &values).astype(ty.dtype)
}

/// Compiled as a whole it gives what its operations give one by one, up to rounding.
pub(crate) fn check(name: &str, traced: &Traced) {
    let args: Vec<Tensor> =
        traced.param_types().iter().enumerate().map(|(seed, ty)| argument(ty, 1000 * seed)).collect();
    let compiled = traced.lower().and_then(|l| l.compile()).and_then(|c| c.call(&args));
    let compiled = compiled.unwrap_or_else(|e| panic!("{name}: {e}"));
    let eager = traced.run_eagerly(&args).unwrap_or_else(|e| panic!("{name}: {e}"));
    for (got, want) in compiled.iter().zip(&eager) {
        assert_eq!(got.ty(), want.ty(), "{name}");
        let bound = match got.dtype() {
            F64 => 1e-9,
            BF16 => 2e-2,
            F32 => 1e-3,
            dtype => {
                assert!(!dtype.is_complex(), "{name}: parts are not compared");
                0.0
            }
        };
        let [got, want] = [got, want].map(|t| t.astype(F64).to_vec::<f64>());
        let largest = want.iter().map(|x| x.abs()).fold(0.0, f64::max);
        let far = got.iter().zip(&want).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(largest.is_finite() && want.iter().all(|x| !x.is_nan()), "{name}: nothing to compare with");
        assert!(got.iter().all(|x| !x.is_nan()) && far <= bound * largest, "{name}: {far} beside {largest}");
    }
}

//! `vmap` of operations of each family beside the same with the batch written by hand: convolutions, scatters, Fourier transforms,
//! factorizations, branches, random numbers, collectives.

use super::Workload;
use super::data::{integers, normal, wave};
use wengert::collectives::pmean;
use wengert::linalg::Factors;
use wengert::{DType, Padding, Tensor, cond, conv2d, fft, grad, linalg, random, stack, value_and_grad, vmap};

pub(super) fn rows() -> Vec<Workload> {
    let images = || (normal(1, &[32, 8, 32, 32], DType::F32), normal(2, &[16, 8, 3, 3], DType::F32) * 0.2);
    let counts = || (integers(1, &[500, 256], 64), normal(2, &[500, 256], DType::F32));
    let signals = || (wave(&[256, 1024], 1.0, DType::F32),);
    let matrices = || {
        let a = normal(1, &[200, 16, 16], DType::F64);
        (a.matmul(&a.transpose(&[0, 2, 1])) + Tensor::eye(16, DType::F64),)
    };
    let numbers = || (normal(1, &[100_000], DType::F64),);
    let seeds = || (integers(1, &[1000], 1 << 30),);
    let rows = || (normal(1, &[1000, 100], DType::F32),);
    vec![
        Workload::new(
            "vmap_conv.32x8x32.vg",
            || vmap(value_and_grad(filtered)).in_axes([Some(0), None]),
            images,
        ),
        Workload::new("vmap_conv.32x8x32.hand", || filtered_by_hand, images),
        Workload::new("vmap_scatter.500x256.f", || vmap(histogram), counts),
        Workload::new("vmap_scatter.500x256.hand", || histograms_by_hand, counts),
        Workload::new("vmap_fft.256x1024.f", || vmap(power), signals),
        Workload::new("vmap_fft.256x1024.hand", || |x: Tensor| power_along(&x, 1), signals),
        Workload::new("vmap_cholesky.200x16.f", || vmap(|a: Tensor| linalg::cholesky(&a)), matrices),
        Workload::new("vmap_cholesky.200x16.hand", || |a: Tensor| linalg::cholesky(&a), matrices),
        Workload::new("vmap_qr.200x16.f", || vmap(|a: Tensor| upper(&a)), matrices),
        Workload::new("vmap_qr.200x16.hand", || |a: Tensor| upper(&a), matrices),
        Workload::new("vmap_eigh.200x16.f", || vmap(|a: Tensor| linalg::eigh(&a).0), matrices),
        Workload::new("vmap_eigh.200x16.hand", || |a: Tensor| linalg::eigh(&a).0, matrices),
        Workload::new(
            "vmap_svd.200x16.f",
            || vmap(|a: Tensor| linalg::svd(&a, Factors::Reduced).1),
            matrices,
        ),
        Workload::new("vmap_svd.200x16.hand", || |a: Tensor| linalg::svd(&a, Factors::Reduced).1, matrices),
        Workload::new("vmap_cond.100000.f", || vmap(branched), numbers),
        Workload::new("vmap_cond.100000.hand", || branched_by_hand, numbers),
        Workload::new("vmap_cond.100000.vg", || vmap(grad(branched)), numbers),
        Workload::new("vmap_random.1000x64.f", || vmap(drawn), seeds),
        Workload::new("vmap_pmean.1000x100.f", || vmap(centred).axis_name("i"), rows),
        Workload::new(
            "vmap_pmean.1000x100.hand",
            || |x: Tensor| (&x - x.mean_axes(&[0])).square().sum_axis(-1),
            rows,
        ),
    ]
}

/// What a layer makes of an image `[8, 32, 32]`, in one number.
fn filtered(image: Tensor, kernel: Tensor) -> Tensor {
    conv2d(&image.expand_dims(0), &kernel, [1, 1], Padding::Same).tanh().sum()
}

/// Of images `[32, 8, 32, 32]`: the number of each, and the gradient, in which no two images meet.
fn filtered_by_hand(images: Tensor, kernel: Tensor) -> (Tensor, Tensor) {
    let layer = move |x: Tensor| conv2d(&x, &kernel, [1, 1], Padding::Same).tanh().sum_axes(&[1, 2, 3]);
    let (values, pullback) = wengert::vjp(layer, (images,));
    let (gradient,) = pullback.call(values.ones_like());
    (values, gradient)
}

/// Sums of weights by class.
fn histogram(class: Tensor, weights: Tensor) -> Tensor {
    Tensor::zeros(&[64], weights.dtype()).at_rows(&class).add(&weights)
}

/// Of rows `[500, 256]`.
fn histograms_by_hand(class: Tensor, weights: Tensor) -> Tensor {
    let n = class.shape()[0];
    let row = Tensor::arange(n, DType::I32).expand_dims(1) * 64;
    let all = Tensor::zeros(&[n * 64], weights.dtype());
    all.at_rows(&(class + row).flatten()).add(weights.flatten()).reshape(&[n as isize, 64])
}

fn power(x: Tensor) -> Tensor {
    power_along(&x, 0)
}

/// The power at each frequency along an axis.
fn power_along(x: &Tensor, axis: isize) -> Tensor {
    let z = fft::rfft(x, None, axis);
    z.real().square() + z.imag().square()
}

/// The triangular factor, whose signs are those of its diagonal.
fn upper(a: &Tensor) -> Tensor {
    linalg::qr(a, Factors::Reduced).1.abs()
}

/// One of two ways, by the sign.
fn branched(x: Tensor) -> Tensor {
    cond(&x.greater(0.0), |x: Tensor| (x + 1.0).log(), |x: Tensor| x.sin() * 0.5, x)
}

fn branched_by_hand(x: Tensor) -> Tensor {
    let positive = x.greater(0.0);
    positive.select((positive.select(&x, x.zeros_like()) + 1.0).log(), &(x.sin() * 0.5))
}

/// The mean of 64 normal numbers of a seed.
fn drawn(seed: Tensor) -> Tensor {
    let key = stack(&[seed.zeros_like(), seed], 0).astype(DType::U32);
    random::normal(&key, &[64], DType::F32).mean()
}

/// The squared distance of a row from the mean of all.
fn centred(row: Tensor) -> Tensor {
    (&row - pmean(&row, "i")).square().sum()
}

//! Fourier transforms against NumPy's values, and derivatives against finite differences.

use wengert::{DType, Tensor, fft, grad, jit};

fn close(x: &Tensor, expected: &[f64]) {
    let x = x.to_vec::<f64>();
    assert_eq!(x.len(), expected.len());
    for (a, b) in x.iter().zip(expected) {
        assert!((a - b).abs() <= 1e-12 * (1.0 + b.abs()), "{x:?} is not {expected:?}");
    }
}

fn matrix() -> Tensor {
    Tensor::from([[1.0f64, 2.0, -1.0], [0.5, 3.0, 4.0]])
}

#[test]
fn values() {
    let y = fft::fft(&matrix(), None, -1);
    close(&y.real(), &[2.0, 0.5, 0.5, 7.5, -3.0, -3.0]);
    let y = fft::rfft(&matrix(), Some(4), 1);
    close(&y.real(), &[2.0, 2.0, -2.0, 7.5, -3.5, 1.5]);
    close(&y.imag(), &[0.0, -2.0, 0.0, 0.0, -3.0, 0.0]);
    let y = fft::fft2(&matrix());
    close(&y.real(), &[9.5, -2.5, -2.5, -5.5, 3.5, 3.5]);
    let y = fft::fft(&matrix(), None, 0);
    close(&y.real(), &[1.5, 5.0, 3.0, 0.5, -1.0, -5.0]);
    close(&fft::irfft(&Tensor::from([4.0f64, 1.0, 2.0]), None, 0), &[2.0, 0.5, 1.0, 0.5]);
    close(&fft::rfftfreq(5, 0.5, DType::F64), &[0.0, 0.4, 0.8]);
    close(&fft::fftfreq(5, 1.0, DType::F64), &[0.0, 0.2, 0.4, -0.4, -0.2]);
    let x = matrix();
    close(&fft::ifftshift(&fft::fftshift(&x, &[0, 1]), &[0, 1]), &x.to_vec::<f64>());
    assert_eq!(fft::fft(&x.astype(DType::F32), None, 0).dtype(), DType::C64);
}

#[test]
fn inverses() {
    for shape in [&[5isize][..], &[2, 3], &[2, 3, 4], &[2, 3, 2, 3]] {
        let n = shape.iter().product::<isize>() as usize;
        let x = Tensor::arange(n, DType::F64).sin().reshape(shape);
        let sizes: Vec<usize> = x.shape().to_vec();
        close(&fft::irfftn(&fft::rfftn(&x), Some(&sizes)), &x.to_vec::<f64>());
        close(&fft::ifftn(&fft::fftn(&x)).real(), &x.to_vec::<f64>());
        // Half of the full transform.
        let (half, full) = (fft::rfftn(&x), fft::fftn(&x));
        let last = half.shape()[half.rank() - 1];
        let part = full.moveaxis(&[-1], &[0]).get(..last).moveaxis(&[0], &[-1]);
        close(&half.real(), &part.real().to_vec::<f64>());
        close(&half.imag(), &part.imag().to_vec::<f64>());
    }
    let x = matrix();
    close(&fft::irfft2(&fft::rfft2(&x), Some([2, 3])), &x.to_vec::<f64>());
    close(&fft::ifft2(&fft::fft2(&x)).real(), &x.to_vec::<f64>());
}

fn spectrum(x: &Tensor, n: usize) -> Tensor {
    let y = fft::rfft(x, Some(n), 0);
    let weights = y.real().zeros_like() + Tensor::arange(n / 2 + 1, DType::F64);
    let power = (y.real().square() + y.imag().powi(3)) * &weights;
    let z = fft::irfft(&(&y * &y), Some(n), 0);
    power.sum() + (z * Tensor::arange(n, DType::F64).cos()).sum()
}

/// Central differences of a function of vectors.
fn differences(f: impl Fn(&Tensor) -> Tensor, x: &Tensor) -> Vec<f64> {
    let h = 1e-5;
    let n = x.len();
    let one = |k: usize| Tensor::arange(n, DType::F64).equal(k as f64).astype(DType::F64) * h;
    (0..n).map(|k| (f(&(x + one(k))) - f(&(x - one(k)))).item::<f64>() / (2.0 * h)).collect()
}

#[test]
fn derivatives_to_second_order() {
    for (size, n) in [(5, 5), (6, 6), (4, 6), (6, 5)] {
        let x = Tensor::arange(size, DType::F64).sin();
        let first = move |x: Tensor| grad(move |x: Tensor| spectrum(&x, n))(x);
        let expected = differences(|x| spectrum(x, n), &x);
        let turned = move |x: Tensor| (first(x) * Tensor::arange(size, DType::F64).cos()).sum();
        let second = differences(|x| turned(x.clone()), &x);
        let checks = [
            (first(x.clone()), &expected),
            (jit(first)(x.clone()), &expected),
            (grad(turned)(x.clone()), &second),
            (jit(grad(turned))(x.clone()), &second),
        ];
        for (found, wanted) in checks {
            for (a, b) in found.to_vec::<f64>().iter().zip(wanted) {
                assert!((a - b).abs() < 1e-6 * (1.0 + b.abs()), "length {n} of {size}: {a} is not {b}");
            }
        }
    }
}

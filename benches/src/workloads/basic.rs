//! Small functions of few arrays: what a call itself costs, a function of a scalar, Rosenbrock's, a chain of elementwise
//! functions, `a * x + y * y`, matrix products.

use super::Workload;
use super::data::{integers, wave};
use wengert::{DType, Tensor, grad, hessian, value_and_grad};

pub(super) fn rows() -> Vec<Workload> {
    let point = || (Tensor::from(0.7f64),);
    let many = || ((0..200).map(|k| Tensor::from(f64::from(k))).collect::<Vec<Tensor>>(),);
    let mut rows = vec![
        Workload::new("call.1.f", || |x: Tensor| x + 1.0, point),
        Workload::new("call.200.f", || total, many),
        Workload::new("scalar.f", || scalar, point),
        Workload::new("scalar.grad", || grad(scalar), point),
        Workload::new("scalar.grad2", || grad(grad(scalar)), point),
    ];
    for n in [10, 1000, 1_000_000] {
        let x = move || (wave(&[n], 1.0, DType::F64),);
        rows.push(Workload::new(format!("rosenbrock.{n}.f"), || rosenbrock, x));
        rows.push(Workload::new(format!("rosenbrock.{n}.vg"), || value_and_grad(rosenbrock), x));
    }
    let ten = || (wave(&[10], 1.0, DType::F64),);
    rows.push(Workload::new("rosenbrock.10.hessian", || hessian(rosenbrock), ten));
    for n in [10_000, 1_000_000, 10_000_000] {
        let args = move || (wave(&[n], 2.0, DType::F32), Tensor::from(1.3f32), Tensor::from(0.2f32));
        rows.push(Workload::new(format!("fused.{n}.f"), || fused, args));
        rows.push(Workload::new(format!("fused.{n}.vg"), || value_and_grad(fused), args));
    }
    let vectors = || (Tensor::from(1.5f32), wave(&[N], 1.0, DType::F32), wave(&[N], 2.0, DType::F32));
    const N: usize = 10_000_000;
    rows.push(Workload::new("axpy.10000000.f", || axpy, vectors));
    for n in [128, 1024] {
        for (suffix, dtype) in [("f32", DType::F32), ("f64", DType::F64)] {
            let args = move || (wave(&[n, n], 1.0, dtype), wave(&[n, n], 2.0, dtype));
            rows.push(Workload::new(format!("matmul.{n}_{suffix}.f"), || product, args));
        }
    }
    for batch in [8, 32, 128] {
        let args = move || (wave(&[batch, 1024], 1.0, DType::F32), wave(&[1024, 1024], 2.0, DType::F32));
        rows.push(Workload::new(format!("layer.{batch}x1024.f"), || layer, args));
    }
    let small =
        || (integers(1, &[128, 512], 200).astype(DType::I8), integers(2, &[512, 256], 200).astype(DType::I8));
    rows.push(Workload::new("quantized.128x512x256.f", || quantized, small));
    rows
}

/// Few rows by the rows of a matrix: a layer whose weights are written output by output, or the gradient of one.
fn layer(x: Tensor, weights: Tensor) -> Tensor {
    x.matmul(&weights.transpose(&[1, 0]))
}

/// Of 8 bits, in 32.
fn quantized(x: Tensor, weights: Tensor) -> Tensor {
    (x.astype(DType::I32) - 3).matmul(&weights.astype(DType::I32))
}

fn product(a: Tensor, b: Tensor) -> Tensor {
    a.matmul(&b)
}

fn total(xs: Vec<Tensor>) -> Tensor {
    xs.into_iter().fold(Tensor::from(1.0f64), |sum, x| sum + x)
}

fn scalar(x: Tensor) -> Tensor {
    (&x * &x).sin() + (-&x).exp() * &x
}

/// The sum of 100 (x[i+1] - x[i]^2)^2 + (1 - x[i])^2.
pub(super) fn rosenbrock(x: Tensor) -> Tensor {
    let (a, b) = (x.get(..-1), x.get(1..));
    ((b - a.square()).square() * 100.0 + (1.0 - a).square()).sum()
}

fn fused(x: Tensor, a: Tensor, b: Tensor) -> Tensor {
    ((a * &x + b).tanh() * (-&x * &x).exp() + (&x * &x).log1p()).mean()
}

fn axpy(a: Tensor, x: Tensor, y: Tensor) -> Tensor {
    a * x + &y * &y
}

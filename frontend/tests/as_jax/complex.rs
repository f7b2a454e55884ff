//! Complex numbers: cases of `golden/transforms_of_derivatives.py`.

use super::modes::weights;
use super::{Case, One, case};
use wengert::{
    DType, Tensor, fft, grad, hessian, jacfwd, jacrev, jvp, linalg, linear_transpose, scan, tree,
    value_and_grad, vjp, vmap,
};

pub(super) fn cases() -> Vec<Case> {
    let gradients = REAL.map(|(name, f)| {
        case(format!("complex gradient: {name}"), &[2, 3], move |x| {
            let z = complex(&x);
            let second = jvp(grad(f), (z.clone(),), (z.sin(),)).1;
            vec![f(z.clone()), grad(f)(z), second]
        })
    });
    gradients.into_iter().chain(holomorphic()).chain(other()).collect()
}

/// Of two rows of numbers, the parts.
fn complex(x: &Tensor) -> Tensor {
    Tensor::complex(&x.get(0), &x.get(1))
}

/// This multiple of the imaginary unit.
fn imaginary(y: f64) -> Tensor {
    Tensor::new(&[], &[(0.0f64, y)])
}

/// Real functions of complex vectors.
const REAL: [(&str, One); 10] = [
    ("modulus", |z| z.abs().sum()),
    ("square of the modulus", |z| (&z * z.conj()).real().sum()),
    ("exponential", |z| (&z * &z).exp().real().sum()),
    ("logarithm and angle", |z| (z.log().real() * z.angle()).sum()),
    ("division", |z| ((&z + 1.0) / (&z - 2.0)).abs().sum()),
    ("root and tangent", |z| (z.sqrt().real() * z.tanh().imag()).sum()),
    ("power", |z| (&z * &z * &z).imag().sum() + (z.sin() * z.conj()).real().sum()),
    ("Fourier transform", |z| {
        let power = fft::fft(&(&z * &z), None, -1).abs().square();
        (power * Tensor::from([1.0f64, 2.0, 3.0])).sum()
    }),
    ("linear system", |z| {
        let m = z.outer(&z.conj()) + Tensor::eye(3, DType::F64) * 3.0;
        linalg::solve(&m, &(&z * &z)).abs().sum()
    }),
    ("scan", |z| {
        let step = |c: Tensor, v: Tensor| (&c * v + imaginary(1.0), c);
        scan(step, z.get(0), z).1.abs().sum()
    }),
];

fn essential(z: Tensor) -> Tensor {
    (&z * &z * &z).exp() / z
}

fn coupled(z: Tensor) -> Tensor {
    (z.sin() * z.flip(0)).cumsum(0)
}

fn holomorphic() -> Vec<Case> {
    vec![
        case("holomorphic grad", &[2, 3], |x| {
            let f = |z: Tensor| essential(z.clone()).sum() * z.get(0);
            vec![grad(f).holomorphic()(complex(&x))]
        }),
        case("holomorphic value_and_grad", &[2, 3], |x| {
            let f = |z: Tensor| (&z * z.get(1)).sum();
            tree::leaves(&value_and_grad(f).holomorphic()(complex(&x)))
        }),
        case("holomorphic jacfwd", &[2, 3], |x| vec![jacfwd(coupled).holomorphic()(complex(&x))]),
        case("holomorphic jacrev", &[2, 3], |x| vec![jacrev(coupled).holomorphic()(complex(&x))]),
        case("holomorphic hessian", &[2, 3], |x| {
            let f = |z: Tensor| (essential(z.clone()) * z.get(0)).sum();
            vec![hessian(f).holomorphic()(complex(&x))]
        }),
    ]
}

fn mixed(z: Tensor) -> (Tensor, Tensor) {
    (&z * z.conj() * &z, z.abs())
}

fn through(x: Tensor) -> Tensor {
    Tensor::complex(&x, &x.square()).exp().abs().square().sum() * x.get(0)
}

fn other() -> Vec<Case> {
    vec![
        case("jvp of what is not holomorphic", &[2, 3], |x| {
            let z = complex(&x);
            tree::leaves(&jvp(mixed, (z.clone(),), (z.exp(),)))
        }),
        case("vjp of what is not holomorphic", &[2, 3], |x| {
            let z = complex(&x);
            tree::leaves(&vjp(mixed, (z.clone(),)).1.call((z.exp(), x.get(1))))
        }),
        case("real numbers through complex ones", &[3], |x| {
            vec![grad(through)(x.clone()), hessian(through)(x)]
        }),
        case("complex gradients of a batch", &[2, 2, 3], |x| {
            vec![vmap(grad(|z: Tensor| (z.sum() * z).abs().sum()))(complex(&x))]
        }),
        case("gradient by real and complex numbers", &[2, 3], |x| {
            let f = |(a, b): (Tensor, Tensor)| (a * b.exp()).abs().sum();
            tree::leaves(&grad(f)((x.get(0), complex(&x))))
        }),
        case("linear_transpose of complex numbers", &[2, 3], |x| {
            let z = complex(&x);
            let by = z.exp();
            let f = move |v: Tensor| &v * &by + v.flip(0) * imaginary(2.0);
            vec![linear_transpose(f, (z.zeros_like(),)).call(z.sin()).0]
        }),
        case("linear_transpose of complex parts", &[2, 3], |x| {
            let f = |v: Tensor| (v.real() * 2.0, v.conj() * imaginary(1.0));
            let back = linear_transpose(f, (complex(&x),));
            vec![back.call((weights(&x.get(0)), complex(&x))).0]
        }),
    ]
}

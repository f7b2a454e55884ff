//! Loops whose state is multiplied by a matrix on every trip: recurrent networks, and an ordinary differential equation with a network
//! on its right side.

use super::Workload;
use super::data::normal;
use wengert::{ARG0, ARG1, DType, ScanOptions, Tensor, scan, scan_with, value_and_grad};

pub(super) fn rows() -> Vec<Workload> {
    let matrix = |seed, m: usize, n: usize| normal(seed, &[m, n], DType::F32) * (0.5 / (n as f64).sqrt());
    let cell =
        move |n: usize| move || (matrix(1, 4 * n, n), matrix(2, 4 * n, n), normal(3, &[50, n], DType::F32));
    let batch = move || (matrix(1, 64, 192), matrix(2, 64, 192), normal(3, &[50, 8, 64], DType::F32));
    let flow = move || (matrix(1, 128, 64), matrix(2, 64, 128), normal(3, &[64], DType::F32));
    let mut rows = Vec::new();
    for n in [32, 128] {
        rows.push(Workload::new(format!("lstm_cell.50x{n}.f"), || lstm, cell(n)));
        rows.push(Workload::new(
            format!("lstm_cell.50x{n}.vg"),
            || value_and_grad(lstm).wrt((ARG0, ARG1)),
            cell(n),
        ));
    }
    rows.extend([
        Workload::new("gru.50x8x64.f", || gru, batch),
        Workload::new("gru.50x8x64.vg", || value_and_grad(gru).wrt((ARG0, ARG1)), batch),
        Workload::new("neural_ode.50x64.f", || neural_ode, flow),
        Workload::new("neural_ode.50x64.vg", || value_and_grad(neural_ode).wrt((ARG0, ARG1)), flow),
    ]);
    rows
}

/// One example: weights stand on the left, as PyTorch has them.
fn lstm(w: Tensor, u: Tensor, x: Tensor) -> Tensor {
    let n = u.shape()[1];
    let step = |(h, c): (Tensor, Tensor), x: Tensor| {
        let z = w.matmul(&x) + u.matmul(&h);
        let [i, f, g, o] = &z.split(4, 0)[..] else { unreachable!("four parts") };
        let c = f.sigmoid() * c + i.sigmoid() * g.tanh();
        let h = o.sigmoid() * c.tanh();
        ((h.clone(), c), h)
    };
    let zeros = Tensor::zeros(&[n], DType::F32);
    scan(step, (zeros.clone(), zeros), x).1.square().sum()
}

/// A batch: weights stand on the right, as Flax has them.
fn gru(w: Tensor, u: Tensor, x: Tensor) -> Tensor {
    let (batch, n) = (x.shape()[1], u.shape()[0]);
    let step = |h: Tensor, x: Tensor| {
        let (a, b) = (x.matmul(&w).split(3, 1), h.matmul(&u).split(3, 1));
        let r = (&a[0] + &b[0]).sigmoid();
        let z = (&a[1] + &b[1]).sigmoid();
        let new = (&a[2] + r * &b[2]).tanh();
        let h = (1.0 - &z) * new + z * h;
        (h.clone(), h)
    };
    scan(step, Tensor::zeros(&[batch, n], DType::F32), x).1.square().sum()
}

/// Steps of the midpoint method.
fn neural_ode(w: Tensor, v: Tensor, y: Tensor) -> Tensor {
    let slope = |y: &Tensor| v.matmul(&w.matmul(y).tanh());
    let options = ScanOptions { length: Some(50), ..ScanOptions::default() };
    let step = |y: Tensor, ()| {
        let middle = &y + slope(&y) * 0.01;
        (&y + slope(&middle) * 0.02, ())
    };
    scan_with(step, y, (), options).0.square().sum()
}

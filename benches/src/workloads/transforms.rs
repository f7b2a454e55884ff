//! `vmap` and sparse derivatives. Each function of examples stands beside the same with the batch written by hand (`hand`), which
//! is what `vmap` has to reach; sparse Jacobians stand beside dense ones.

use super::Workload;
use super::batched::solve as eliminated;
use super::data::{integers, normal, uniform, wave};
use wengert::{
    ARG0, ARG1, DType, ScanOptions, Tensor, debug_nans, grad, hessian, jacfwd, linalg, nn, scan, scan_with,
    sparse_hessian, sparse_jacobian, stack, value_and_grad, vmap, while_loop,
};

pub(super) fn rows() -> Vec<Workload> {
    let mlp = || {
        let layer = |seed, a: usize, b| normal(seed, &[a, b], DType::F32) * (a as f64).sqrt().recip();
        (layer(1, 64, 128), layer(2, 128, 10), normal(3, &[128, 64], DType::F32), integers(4, &[128], 10))
    };
    let systems = |n: usize, batch: usize| {
        move || {
            let a = normal(1, &[batch, n, n], DType::F64) + Tensor::eye(n, DType::F64) * (2.0 * n as f64);
            (a, normal(2, &[batch, n], DType::F64))
        }
    };
    let starts = || (normal(1, &[256, 3], DType::F64),);
    let numbers = || (uniform(1, &[10_000], 0.5, 50.0, DType::F64),);
    let points = || (normal(1, &[512, 3], DType::F32), normal(2, &[512, 3], DType::F32));
    let tables = || (normal(1, &[1000, 64], DType::F32), integers(2, &[1000, 16], 64));
    let small = || (normal(1, &[1000, 6], DType::F64),);
    let series = || (normal(1, &[64, 200], DType::F32), uniform(2, &[64], 0.1, 0.9, DType::F32));
    let tracks = || (normal(1, &[1000, 50, 2], DType::F64),);
    let plate = || (wave(&[316 * 316], 1.0, DType::F64),);
    let patch = || (wave(&[24 * 24], 1.0, DType::F64),);
    vec![
        Workload::new(
            "vmap_mlp_grads.128.f",
            || vmap(grad(example_loss).wrt((ARG0, ARG1))).in_axes([None, None, Some(0), Some(0)]),
            mlp,
        ),
        Workload::new("vmap_mlp_grads.128.hand", || mlp_grads_by_hand, mlp),
        Workload::new("vmap_eliminate.4x10000.f", || vmap(squared_solution), systems(4, 10_000)),
        Workload::new(
            "vmap_eliminate.4x10000.vg",
            || vmap(value_and_grad(squared_solution).wrt((ARG0, ARG1))),
            systems(4, 10_000),
        ),
        Workload::new(
            "vmap_solve.8x2000.vg",
            || vmap(value_and_grad(solved).wrt((ARG0, ARG1))),
            systems(8, 2000),
        ),
        Workload::new(
            "vmap_solve.8x2000.hand",
            || value_and_grad(solved_by_hand).wrt((ARG0, ARG1)),
            systems(8, 2000),
        ),
        Workload::new("vmap_lorenz.256x500.f", || vmap(lorenz), starts),
        Workload::new("vmap_lorenz.256x500.vg", || vmap(value_and_grad(lorenz)), starts),
        Workload::new("vmap_lorenz.256x500.hand", || value_and_grad(lorenz_by_hand), starts),
        Workload::new("vmap_newton.10000.f", || vmap(root), numbers),
        Workload::new("vmap_newton.10000.hand", || roots_by_hand, numbers),
        Workload::new(
            "vmap_distances.512x512.f",
            || vmap(vmap(distance).in_axes([None, Some(0)])).in_axes([Some(0), None]),
            points,
        ),
        Workload::new("vmap_distances.512x512.hand", || distances_by_hand, points),
        Workload::new(
            "vmap_take.1000x64.f",
            || vmap(|x: Tensor, at: Tensor| x.take(&at, 0).square().sum()),
            tables,
        ),
        Workload::new(
            "vmap_take.1000x64.hand",
            || |x: Tensor, at: Tensor| x.take_along_axis(&at, 1).square().sum_axis(-1),
            tables,
        ),
        Workload::new("vmap_sort.1000x64.f", || vmap(|x: Tensor, _: Tensor| x.sort(0).cumsum(0)), tables),
        Workload::new("vmap_sort.1000x64.hand", || |x: Tensor, _: Tensor| x.sort(1).cumsum(1), tables),
        Workload::new("vmap_hessian.1000x6.f", || vmap(hessian(rosenbrock)), small),
        Workload::new("vmap_filter.64x200.vg", || vmap(value_and_grad(smoothed).wrt(ARG1)), series),
        Workload::new("vmap_filter.64x200.hand", || value_and_grad(smoothed_by_hand).wrt(ARG1), series),
        Workload::new("vmap_kalman.1000x50.f", || vmap(tracked), tracks),
        Workload::new("vmap_kalman.1000x50.vg", || vmap(value_and_grad(tracked)), tracks),
        // The same functions of one example: what compiling them takes is what `vmap` may add little to.
        Workload::new(
            "one_mlp_grads.1.f",
            || grad(example_loss).wrt((ARG0, ARG1)),
            one_of(mlp, |(a, b, x, l)| (a, b, x.get(0), l.get(0))),
        ),
        Workload::new(
            "one_eliminate.4.f",
            || squared_solution,
            one_of(systems(4, 1), |(a, b)| (a.get(0), b.get(0))),
        ),
        Workload::new(
            "one_eliminate.4.vg",
            || value_and_grad(squared_solution).wrt((ARG0, ARG1)),
            one_of(systems(4, 1), |(a, b)| (a.get(0), b.get(0))),
        ),
        Workload::new(
            "one_solve.8.vg",
            || value_and_grad(solved).wrt((ARG0, ARG1)),
            one_of(systems(8, 1), |(a, b)| (a.get(0), b.get(0))),
        ),
        Workload::new("one_lorenz.500.f", || lorenz, one_of(starts, |(x,)| (x.get(0),))),
        Workload::new("one_lorenz.500.vg", || value_and_grad(lorenz), one_of(starts, |(x,)| (x.get(0),))),
        Workload::new("one_newton.1.f", || root, one_of(numbers, |(x,)| (x.get(0),))),
        Workload::new("one_distances.1.f", || distance, one_of(points, |(a, b)| (a.get(0), b.get(0)))),
        Workload::new(
            "one_take.64.f",
            || |x: Tensor, at: Tensor| x.take(&at, 0).square().sum(),
            one_of(tables, |(x, at)| (x.get(0), at.get(0))),
        ),
        Workload::new(
            "one_sort.64.f",
            || |x: Tensor, _: Tensor| x.sort(0).cumsum(0),
            one_of(tables, |(x, at)| (x.get(0), at.get(0))),
        ),
        Workload::new("one_hessian.6.f", || hessian(rosenbrock), one_of(small, |(x,)| (x.get(0),))),
        Workload::new(
            "one_filter.200.vg",
            || value_and_grad(smoothed).wrt(ARG1),
            one_of(series, |(a, b)| (a.get(0), b.get(0))),
        ),
        Workload::new("one_kalman.50.f", || tracked, one_of(tracks, |(x,)| (x.get(0),))),
        Workload::new("one_kalman.50.vg", || value_and_grad(tracked), one_of(tracks, |(x,)| (x.get(0),))),
        Workload::new("heat.316x316.f", || heat::<316>, plate),
        // Called without `jit` (the column `eager`) it is compiled and looks for NaN; within `jit` it is the function.
        Workload::new("heat.316x316.debug_nans", || debug_nans(heat::<316>), plate),
        Workload::new("heat.316x316.sparse", || sparse_jacobian(heat::<316>), plate),
        Workload::new("heat.24x24.dense", || jacfwd(heat::<24>), patch),
        Workload::new("heat.24x24.sparse", || sparse_jacobian(heat::<24>), patch),
        Workload::new("energy.316x316.f", || energy::<316>, plate),
        Workload::new("energy.316x316.sparse", || sparse_hessian(energy::<316>), plate),
    ]
}

/// The first example of a batch.
fn one_of<A, B>(batch: impl Fn() -> A, first: impl Fn(A) -> B) -> impl Fn() -> B {
    move || first(batch())
}

/// The loss of a network with one hidden layer on one example `[64]` with a label.
fn example_loss(w1: Tensor, w2: Tensor, x: Tensor, label: Tensor) -> Tensor {
    let logits = x.matmul(&w1).tanh().matmul(&w2);
    logits.logsumexp(&[0]) - (nn::one_hot(&label, 10, logits.dtype()) * logits).sum()
}

/// The gradients of all examples `[128, 64]`, by the formulas.
fn mlp_grads_by_hand(w1: Tensor, w2: Tensor, x: Tensor, labels: Tensor) -> (Tensor, Tensor) {
    let hidden = x.matmul(&w1).tanh();
    let logits = hidden.matmul(&w2);
    let d_logits = nn::softmax(&logits, 1) - nn::one_hot(&labels, 10, logits.dtype());
    let d_hidden = d_logits.matmul(&w2.t()) * (1.0 - hidden.square());
    let outer = |a: &Tensor, b: &Tensor| a.expand_dims(2) * b.expand_dims(1);
    (outer(&x, &d_hidden), outer(&hidden, &d_logits))
}

/// The squared norm of the solution of a system, by elimination.
fn squared_solution(a: Tensor, b: Tensor) -> Tensor {
    eliminated(a, b).square().sum()
}

/// The same by a factorization.
fn solved(a: Tensor, b: Tensor) -> Tensor {
    linalg::solve(&a, &b).square().sum()
}

/// The sum of it over systems `[n, 8, 8]`, `[n, 8]`.
fn solved_by_hand(a: Tensor, b: Tensor) -> Tensor {
    linalg::solve(&a, &b.expand_dims(2)).square().sum()
}

/// The squared distance from the origin after 500 steps of Lorenz' equations, by the classical Runge-Kutta method. The three
/// numbers are along the first dimension.
fn lorenz_norms(state: Tensor) -> Tensor {
    let slope = |s: &Tensor| {
        let (x, y, z) = (s.get(0), s.get(1), s.get(2));
        stack(&[(&y - &x) * 10.0, &x * (28.0 - &z) - &y, &x * &y - z * (8.0 / 3.0)], 0)
    };
    let step = move |s: Tensor, _: ()| {
        const H: f64 = 0.01;
        let k1 = slope(&s);
        let k2 = slope(&(&s + &k1 * (H / 2.0)));
        let k3 = slope(&(&s + &k2 * (H / 2.0)));
        let k4 = slope(&(&s + &k3 * H));
        (s + (k1 + k2 * 2.0 + k3 * 2.0 + k4) * (H / 6.0), ())
    };
    let steps = ScanOptions { length: Some(500), ..Default::default() };
    scan_with(step, state, (), steps).0.square()
}

fn lorenz(start: Tensor) -> Tensor {
    lorenz_norms(start).sum()
}

/// Of starts `[256, 3]`.
fn lorenz_by_hand(starts: Tensor) -> Tensor {
    lorenz_norms(starts.t()).sum()
}

/// A cube root by Newton's method, to a relative 1e-12.
fn root(a: Tensor) -> Tensor {
    let off = |(x, a): &(Tensor, Tensor)| (x.powi(3) - a).abs();
    let start = (a.ones_like(), a);
    let next = |(x, a): (Tensor, Tensor)| (&x * (2.0 / 3.0) + &a / (x.square() * 3.0), a);
    while_loop(move |s: (Tensor, Tensor)| off(&s).greater(&s.1 * 1e-12), next, start).0
}

/// Of many numbers: those that are found stay where they are.
fn roots_by_hand(a: Tensor) -> Tensor {
    let open = |(x, a): &(Tensor, Tensor)| (x.powi(3) - a).abs().greater(a * 1e-12);
    let start = (a.ones_like(), a);
    let next = move |(x, a): (Tensor, Tensor)| {
        let new = &x * (2.0 / 3.0) + &a / (x.square() * 3.0);
        (open(&(x.clone(), a.clone())).select(&new, &x), a)
    };
    while_loop(move |s: (Tensor, Tensor)| open(&s).any(), next, start).0
}

fn distance(a: Tensor, b: Tensor) -> Tensor {
    ((a - b).square().sum() + 1e-6).sqrt()
}

fn distances_by_hand(a: Tensor, b: Tensor) -> Tensor {
    ((a.expand_dims(1) - b.expand_dims(0)).square().sum_axis(-1) + 1e-6).sqrt()
}

/// Rosenbrock's function of few numbers.
fn rosenbrock(x: Tensor) -> Tensor {
    super::basic::rosenbrock(x)
}

/// The squared error of exponential smoothing `[200]` as a predictor; the time is along the first dimension.
fn errors_of_smoothing(series: Tensor, rate: Tensor) -> Tensor {
    let start = series.get(0);
    let step = move |level: Tensor, x: Tensor| {
        let error = x - &level;
        (level + &rate * &error, error.square())
    };
    scan(step, start, series).1
}

fn smoothed(series: Tensor, rate: Tensor) -> Tensor {
    errors_of_smoothing(series, rate).sum()
}

/// Of series `[64, 200]`.
fn smoothed_by_hand(series: Tensor, rates: Tensor) -> Tensor {
    errors_of_smoothing(series.t(), rates).sum()
}

/// Minus twice the logarithm of the likelihood of a track `[time, 2]`, but for a constant, by a Kalman filter of position and
/// speed.
fn tracked(track: Tensor) -> Tensor {
    let constant = |rows: &[[f64; 4]]| Tensor::from(rows.concat()).reshape(&[rows.len() as isize, 4]);
    let moves =
        constant(&[[1.0, 0.0, 0.1, 0.0], [0.0, 1.0, 0.0, 0.1], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]]);
    let sees = constant(&[[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]]);
    let drift = Tensor::eye(4, DType::F64) * 0.01;
    let noise = Tensor::eye(2, DType::F64) * 0.1;
    let start = (track.get(0).matmul(&sees) * 0.0, Tensor::eye(4, DType::F64));
    let step = move |(m, p): (Tensor, Tensor), z: Tensor| {
        let m = moves.matmul(&m);
        let p = moves.matmul(&p).matmul(&moves.t()) + &drift;
        let error = z - sees.matmul(&m);
        let s = sees.matmul(&p).matmul(&sees.t()) + &noise;
        let at = |i: isize, j: isize| s.get((i, j));
        let det = at(0, 0) * at(1, 1) - at(0, 1) * at(1, 0);
        let cofactors = stack(&[at(1, 1), -at(0, 1), -at(1, 0), at(0, 0)], 0).reshape(&[2, 2]);
        let inverse = cofactors / &det;
        let gain = p.matmul(&sees.t()).matmul(&inverse);
        let m = m + gain.matmul(&error);
        let p = &p - gain.matmul(&sees).matmul(&p);
        ((m, p), (&error * inverse.matmul(&error)).sum() + det.log())
    };
    scan(step, start, track).1.sum()
}

/// A step of nonlinear heat on a plate of N x N: each point depends on itself and its four neighbours.
fn heat<const N: usize>(u: Tensor) -> Tensor {
    let u = u.reshape(&[N as isize, N as isize]);
    let k = 1.0 + u.square();
    let flow = |a: &Tensor, b: &Tensor, ka: &Tensor, kb: &Tensor| (ka + kb) * (a - b) * 0.5;
    let n = N as isize;
    let right = flow(&u.get((.., 1..)), &u.get((.., ..n - 1)), &k.get((.., 1..)), &k.get((.., ..n - 1)));
    let down = flow(&u.get((1.., ..)), &u.get((..n - 1, ..)), &k.get((1.., ..)), &k.get((..n - 1, ..)));
    let across = right.pad(&[(0, 0), (0, 1)], 0.0) - right.pad(&[(0, 0), (1, 0)], 0.0);
    let along = down.pad(&[(0, 1), (0, 0)], 0.0) - down.pad(&[(1, 0), (0, 0)], 0.0);
    (u + (across + along) * 0.1).flatten()
}

/// The energy of a plate: its second derivatives couple neighbours.
fn energy<const N: usize>(u: Tensor) -> Tensor {
    let u = u.reshape(&[N as isize, N as isize]);
    let n = N as isize;
    let right = u.get((.., 1..)) - u.get((.., ..n - 1));
    let down = u.get((1.., ..)) - u.get((..n - 1, ..));
    (1.0 + right.square()).log().sum() + (1.0 + down.square()).log().sum() + u.powi(4).sum()
}

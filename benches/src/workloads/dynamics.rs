//! Long loops: a Lorenz system under the Runge-Kutta method, 64 bodies under the leapfrog method, a thousand coupled
//! values whose gradient needs memory for every step.

use super::Workload;
use super::data::{normal, uniform};
use wengert::{ARG0, ARG1, DType, Save, ScanOptions, Tensor, scan_with, stack, value_and_grad};

pub(super) fn rows() -> Vec<Workload> {
    let start = || (Tensor::from([1.0f64, 1.0, 1.0]), Tensor::from([10.0, 28.0, 8.0 / 3.0]));
    let bodies = || {
        let (x, v) = (normal(1, &[BODIES, 3], DType::F64), normal(2, &[BODIES, 3], DType::F64) * 0.1);
        (x, v, uniform(3, &[BODIES], 0.0, 1.0 / BODIES as f64, DType::F64))
    };
    let by_coordinate = move || {
        let (x, v, m) = bodies();
        (x.t(), v.t(), m)
    };
    let mut rows = vec![
        Workload::new("lorenz.1000.f", || lorenz, start),
        Workload::new("lorenz.1000.vg", || value_and_grad(lorenz).wrt((ARG0, ARG1)), start),
        Workload::new("nbody_power.64x100.f", || nbody_power, bodies),
        Workload::new("nbody_power.64x100.vg", || value_and_grad(nbody_power).wrt((ARG0, ARG1)), bodies),
        Workload::new("nbody_root.64x100.f", || nbody_root, by_coordinate),
        Workload::new("nbody_root.64x100.vg", || value_and_grad(nbody_root).wrt((ARG0, ARG1)), by_coordinate),
    ];
    for n in [10, 100] {
        let f = move |s, p| lorenz_unrolled(n, s, p);
        rows.push(Workload::new(format!("lorenz_unrolled.{n}.f"), move || f, start));
        rows.push(Workload::new(
            format!("lorenz_unrolled.{n}.vg"),
            move || value_and_grad(f).wrt((ARG0, ARG1)),
            start,
        ));
    }
    let line = || (Tensor::ones(&[1000], DType::F64), Tensor::linspace(0.9, 1.1, 1000, DType::F64));
    for n in [1000, 10_000] {
        let f = move |s, w| coupled(n, s, w);
        rows.push(Workload::new(format!("long_scan.{n}.vg"), move || value_and_grad(f), line));
    }
    rows.push(Workload::new("long_scan_checkpointed.10000.vg", || value_and_grad(coupled_in_parts), line));
    rows
}

/// `n` steps of a state.
fn steps<T: wengert::Tree>(n: usize, state: T, step: impl Fn(T) -> T) -> T {
    let options = ScanOptions { length: Some(n), ..ScanOptions::default() };
    scan_with(|state, ()| (step(state), ()), state, (), options).0
}

const H: f64 = 0.01;

/// The derivative of the Lorenz system with parameters `p`.
fn slope(p: &Tensor, s: &Tensor) -> Tensor {
    let (x, y, z) = (s.get(0), s.get(1), s.get(2));
    stack(&[p.get(0) * (&y - &x), &x * (p.get(1) - &z) - &y, &x * &y - p.get(2) * &z], 0)
}

/// A step of the classical Runge-Kutta method.
fn lorenz_step(p: &Tensor, s: Tensor) -> Tensor {
    let k1 = slope(p, &s);
    let k2 = slope(p, &(&s + &k1 * (H / 2.0)));
    let k3 = slope(p, &(&s + &k2 * (H / 2.0)));
    let k4 = slope(p, &(&s + &k3 * H));
    s + (k1 + k2 * 2.0 + k3 * 2.0 + k4) * (H / 6.0)
}

/// The squared norm of the state after 1000 steps.
fn lorenz(s: Tensor, p: Tensor) -> Tensor {
    steps(1000, s, |s| lorenz_step(&p, s)).square().sum()
}

/// The same after `n` steps that are written out, for compilers to chew on.
fn lorenz_unrolled(n: usize, s: Tensor, p: Tensor) -> Tensor {
    (0..n).fold(s, |s, _| lorenz_step(&p, s)).square().sum()
}

/// A step of a thousand values, each coupled to its neighbour.
fn coupled_step(w: &Tensor, s: Tensor) -> Tensor {
    (&s * w).sin() + s.roll(1, 0).cos() * 0.5
}

/// `n` steps: their gradient keeps something of every step.
fn coupled(n: usize, s: Tensor, w: Tensor) -> Tensor {
    steps(n, s, |s| coupled_step(&w, s)).square().sum()
}

/// 10,000 steps, of which a hundred are kept and the others computed again for the gradient.
fn coupled_in_parts(s: Tensor, w: Tensor) -> Tensor {
    let options = ScanOptions { length: Some(10_000), save: Save::Root, ..ScanOptions::default() };
    scan_with(|s, ()| (coupled_step(&w, s), ()), s, (), options).0.square().sum()
}

const BODIES: usize = 64;
const STEP: f64 = 0.005;
/// Softens the force of bodies that come close.
const SOFTENING: f64 = 0.01;

/// 100 steps of the leapfrog method from positions `x` and velocities `v`.
fn leapfrog(x: Tensor, v: Tensor, acceleration: impl Fn(&Tensor) -> Tensor) -> (Tensor, Tensor) {
    let a = acceleration(&x);
    let (x, v, _) = steps(100, (x, v, a), |(x, v, a)| {
        let v = v + a * (STEP / 2.0);
        let x = x + &v * STEP;
        let a = acceleration(&x);
        (x, v + &a * (STEP / 2.0), a)
    });
    (x, v)
}

/// Kinetic and potential energy, given squared speeds `[n]` and squared distances `[n, n]`.
fn energy(masses: &Tensor, speeds: Tensor, distances: Tensor) -> Tensor {
    let apart = 1.0 - Tensor::eye(BODIES, DType::F64);
    let potential = masses / (distances + SOFTENING).sqrt() * apart;
    (masses * speeds).sum() * 0.5 - (masses.expand_dims(1) * potential).sum() * 0.5
}

/// The energy after 100 steps of bodies with positions and velocities `[n, 3]`; forces by a power of the distance.
fn nbody_power(x: Tensor, v: Tensor, masses: Tensor) -> Tensor {
    let apart = |x: &Tensor| x.expand_dims(0) - x.expand_dims(1);
    let (x, v) = leapfrog(x, v, |x| {
        let d = apart(x);
        let strength = &masses * (d.square().sum_axis(-1) + SOFTENING).pow(-1.5);
        (strength.expand_dims(-1) * d).sum_axis(1)
    });
    energy(&masses, v.square().sum_axis(-1), apart(&x).square().sum_axis(-1))
}

/// The same with coordinates first, `[3, n]`, and forces by a square root.
fn nbody_root(x: Tensor, v: Tensor, masses: Tensor) -> Tensor {
    let apart = |x: &Tensor| x.expand_dims(1) - x.expand_dims(2);
    let (x, v) = leapfrog(x, v, |x| {
        let d = apart(x);
        let inverse = 1.0 / (d.square().sum_axis(0) + SOFTENING).sqrt();
        (&masses * &inverse * &inverse * inverse * d).sum_axis(-1)
    });
    energy(&masses, v.square().sum_axis(0), apart(&x).square().sum_axis(0))
}

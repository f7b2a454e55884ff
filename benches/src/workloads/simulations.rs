//! What a simulator calls at every step, in f64 and small: a rigid body, three bodies, a rotation, a Kalman filter, a
//! linear system, Newton's method.

use super::Workload;
use super::batched::solve;
use super::data::{normal, uniform};
use wengert::{ARG0, ARG1, DType, Tensor, concatenate, grad, stack, while_loop};

pub(super) fn rows() -> Vec<Workload> {
    let vector = |seed| normal(seed, &[3], DType::F64);
    let body = move || {
        let state = (vector(1), Tensor::from([1.0f64, 0.0, 0.0, 0.0]), vector(2), vector(3));
        (state, vector(4), vector(5), uniform(6, &[3], 1.0, 2.0, DType::F64), Tensor::from(2.0f64))
    };
    let three = || {
        let matrix = |seed| normal(seed, &[3, 3], DType::F64);
        (matrix(1), matrix(2), uniform(3, &[3], 1.0, 2.0, DType::F64))
    };
    let turn = move || (Tensor::from([1.0f64, 0.0, 0.0, 0.0]), vector(1));
    let filter = || {
        let eye = |n| Tensor::eye(n, DType::F64);
        let moves = eye(6) + normal(2, &[6, 6], DType::F64) * 0.01;
        let sees = normal(3, &[3, 6], DType::F64);
        (normal(1, &[6], DType::F64), eye(6), normal(4, &[3], DType::F64), moves, eye(6) * 0.1, sees, eye(3))
    };
    let system =
        || (normal(1, &[4, 4], DType::F64) + Tensor::eye(4, DType::F64) * 4.0, normal(2, &[4], DType::F64));
    vec![
        Workload::new("rigid_body.step.f", || rigid_body, body),
        Workload::new("three_bodies.step.f", || three_bodies, three),
        Workload::new("three_bodies.step.grad", || grad(reach).wrt((ARG0, ARG1)), three),
        Workload::new("quaternion.step.f", || turned, turn),
        Workload::new("kalman.6.f", || kalman, filter),
        Workload::new("solve.4.f", || solve, system),
        Workload::new("solve.4.grad", || grad(|a, b| solve(a, b).square().sum()).wrt((ARG0, ARG1)), system),
        Workload::new("newton.root.f", || root, || (Tensor::from(7.0f64),)),
    ]
}

/// The product of quaternions `[4]`, real part first.
fn hamilton(p: &Tensor, q: &Tensor) -> Tensor {
    let (s, t, u, v) = (p.get(0), q.get(0), p.get(1..), q.get(1..));
    let real = &s * &t - u.dot(&v);
    concatenate(&[real.expand_dims(0), s * &v + t * &u + u.cross(&v)], 0)
}

fn normalized(x: &Tensor) -> Tensor {
    x / x.square().sum().sqrt()
}

/// `v` rotated by the quaternion `q`.
fn rotated(q: &Tensor, v: &Tensor) -> Tensor {
    let (s, u) = (q.get(0), q.get(1..));
    u.dot(v) * 2.0 * &u + (s.square() - u.square().sum()) * v + s * 2.0 * u.cross(v)
}

/// Position, orientation, velocity and angular velocity.
type Body = (Tensor, Tensor, Tensor, Tensor);

/// A step of the classical Runge-Kutta method for a rigid body under a force that turns with it and a torque.
fn rigid_body(state: Body, force: Tensor, torque: Tensor, inertia: Tensor, mass: Tensor) -> Body {
    const STEP: f64 = 0.01;
    let slope = |(_, q, v, w): &Body| {
        let acceleration = rotated(q, &force) / &mass + Tensor::from([0.0f64, 0.0, -9.81]);
        let spin = (&torque - w.cross(&(&inertia * w))) / &inertia;
        let turning = concatenate(&[Tensor::zeros(&[1], DType::F64), w.clone()], 0);
        (v.clone(), hamilton(q, &turning) * 0.5, acceleration, spin)
    };
    let plus =
        |s: &Body, k: &Body, h: f64| (&s.0 + &k.0 * h, &s.1 + &k.1 * h, &s.2 + &k.2 * h, &s.3 + &k.3 * h);
    let k1 = slope(&state);
    let k2 = slope(&plus(&state, &k1, STEP / 2.0));
    let k3 = slope(&plus(&state, &k2, STEP / 2.0));
    let k4 = slope(&plus(&state, &k3, STEP));
    let sum = plus(&plus(&plus(&k1, &k2, 2.0), &k3, 2.0), &k4, 1.0);
    let (x, q, v, w) = plus(&state, &sum, STEP / 6.0);
    (x, normalized(&q), v, w)
}

/// A leapfrog step of three bodies `[3, 3]`, the pairs written out.
fn three_bodies(x: Tensor, v: Tensor, masses: Tensor) -> (Tensor, Tensor) {
    const STEP: f64 = 1e-3;
    let pull = |x: &Tensor, i: usize, j: usize| {
        let d = x.get(j) - x.get(i);
        let r = d.square().sum().sqrt();
        masses.get(j) * d / (r.powi(3) + 1e-3)
    };
    let acceleration = |x: &Tensor| {
        let of = |i: usize| pull(x, i, (i + 1) % 3) + pull(x, i, (i + 2) % 3);
        stack(&[of(0), of(1), of(2)], 0)
    };
    let v = v + acceleration(&x) * (STEP / 2.0);
    let x = x + &v * STEP;
    let v = v + acceleration(&x) * (STEP / 2.0);
    (x, v)
}

fn reach(x: Tensor, v: Tensor, masses: Tensor) -> Tensor {
    three_bodies(x, v, masses).0.square().sum()
}

/// An orientation after a hundredth of a second of an angular velocity.
fn turned(q: Tensor, velocity: Tensor) -> Tensor {
    let speed = velocity.square().sum().sqrt();
    let half = &speed * 0.005;
    let axis = velocity / (speed + 1e-12);
    let turn = concatenate(&[half.cos().expand_dims(0), axis * half.sin()], 0);
    normalized(&hamilton(&q, &turn))
}

/// Prediction and correction of a state `[6]` and its covariance by a measurement `[3]`.
fn kalman(x: Tensor, p: Tensor, z: Tensor, a: Tensor, q: Tensor, h: Tensor, r: Tensor) -> (Tensor, Tensor) {
    let x = a.matmul(&x);
    let p = a.matmul(&p).matmul(&a.t()) + q;
    let hp = h.matmul(&p);
    let gain = solve(hp.matmul(&h.t()) + r, hp).t();
    let x = &x + gain.matmul(&(z - h.matmul(&x)));
    (x, (Tensor::eye(6, DType::F64) - gain.matmul(&h)).matmul(&p))
}

/// The square root by Newton's method, until its square is right to 12 digits.
fn root(a: Tensor) -> Tensor {
    let (b, start) = (a.clone(), a.clone());
    while_loop(
        move |x: Tensor| (x.square() - &a).abs().greater(1e-12),
        move |x: Tensor| (&x + &b / &x) * 0.5,
        start,
    )
}

//! Bundle adjustment: how far points seen by cameras lie from where they were observed, and the derivative of each
//! observation's two errors with respect to its camera (11), its point (3) and its weight.

use super::Numbers;
use crate::workloads::Workload;
use wengert::{OutOfRange, Tensor, Tree, concatenate, jacrev, sparse_jacobian, stack, vjp};

pub(super) fn rows() -> Vec<Workload> {
    let unknowns = |scene: fn() -> Scene| {
        move || {
            let (cameras, points, weights, ..) = scene();
            ((cameras, points, weights),)
        }
    };
    vec![
        Workload::new("ba.1.f", || errors, data),
        Workload::new("ba.1.jacobian", || jacobian, data),
        // The Jacobian of all errors by all that is unknown: places and colours are found from the program.
        Workload::new("ba_unknowns.1.sparse", || sparse_jacobian(errors_of(data())), unknowns(data)),
        Workload::new("ba_unknowns.5x60.sparse", || sparse_jacobian(errors_of(small())), unknowns(small)),
        Workload::new("ba_unknowns.5x60.dense", || dense(errors_of(small())), unknowns(small)),
    ]
}

type Scene = (Tensor, Tensor, Tensor, Tensor, Tensor, Tensor);

/// Five cameras, each of which sees 48 of 60 points.
fn small() -> Scene {
    let (cameras, points, ..) = data();
    let rows = |t: &Tensor, n: usize| t.get(0).broadcast_to(&[n, t.shape()[1]]);
    let (n, m, p) = (5, 60, 240);
    let at = |of: &dyn Fn(usize) -> usize| Tensor::from((0..p).map(|i| of(i) as i32).collect::<Vec<i32>>());
    let (_, _, weights, seen, ..) = data();
    let (camera, point) = (at(&|i| i % n), at(&|i| (i / n + 12 * (i % n)) % m));
    (rows(&cameras, n), rows(&points, m), weights.get(..p), rows(&seen, p), camera, point)
}

/// All errors as a function of the unknowns: cameras, points, weights.
fn errors_of(scene: Scene) -> impl Fn((Tensor, Tensor, Tensor)) -> (Tensor, Tensor) + Send + Sync + 'static {
    let (_, _, _, seen, camera, point) = scene;
    move |(cameras, points, weights)| {
        errors(cameras, points, weights, seen.clone(), camera.clone(), point.clone())
    }
}

/// The Jacobian with all its zeros, as blocks.
fn dense(
    f: impl Fn((Tensor, Tensor, Tensor)) -> (Tensor, Tensor) + Send + Sync + 'static,
) -> impl Fn((Tensor, Tensor, Tensor)) -> Vec<Tensor> + Send + Sync + 'static {
    let j = jacrev(f);
    move |x| {
        let mut blocks = Vec::new();
        j(x).visit(&mut |t| blocks.push(t.clone()));
        blocks
    }
}

/// Cameras `[n, 11]` (rotation, centre, focal length, principal point, radial distortion), points `[m, 3]`, weights
/// `[p]`, observations `[p, 2]`, and which camera and which point each is of, `[p]`. As in ADBench all cameras are
/// alike, all points are, and all observations.
fn data() -> Scene {
    let (mut sizes, mut numbers) = (
        [49, 7776, 31843],
        vec![
            -0.76, -1.11, -0.85, 34.6, 39.7, 53.9, 419.2, 5.9, -8.5, 0.088, 0.0027, // camera
            7.2, 0.0011, 3.0,  // point
            0.42, // weight
            271.8, 834.2, // observation
        ],
    );
    if let Some(mut file) = Numbers::read("ba/ba1_n49_m7776_p31843.txt") {
        sizes = [file.count(), file.count(), file.count()];
        numbers = file.0.collect();
    }
    let [n, m, p] = sizes;
    let rows = |from: usize, to: usize, count: usize| {
        Tensor::from(&numbers[from..to]).broadcast_to(&[count, to - from])
    };
    let turn = |below: usize| Tensor::from((0..p).map(|i| (i % below) as i32).collect::<Vec<i32>>());
    (rows(0, 11, n), rows(11, 14, m), rows(14, 15, p).flatten(), rows(15, 17, p), turn(n), turn(m))
}

/// Errors `[p, 2]` and those of the weights `[p]`.
fn errors(
    cameras: Tensor,
    points: Tensor,
    weights: Tensor,
    seen: Tensor,
    camera: Tensor,
    point: Tensor,
) -> (Tensor, Tensor) {
    let misses = project(
        cameras.take_with(&camera, 0, OutOfRange::Clip),
        points.take_with(&point, 0, OutOfRange::Clip),
        weights.clone(),
        seen,
    );
    (misses, 1.0 - weights.square())
}

/// Rows for each observation's errors `[p, 2, 15]`, the errors, and the derivatives of the weights' `[p]`. Observations
/// do not touch each other, so a vector with ones for all observations gives every row at once.
fn jacobian(
    cameras: Tensor,
    points: Tensor,
    weights: Tensor,
    seen: Tensor,
    camera: Tensor,
    point: Tensor,
) -> (Tensor, Tensor, Tensor) {
    let args = (
        cameras.take_with(&camera, 0, OutOfRange::Clip),
        points.take_with(&point, 0, OutOfRange::Clip),
        weights.clone(),
    );
    let f = move |camera, point, weight| project(camera, point, weight, seen.clone());
    let (misses, pullback) = vjp(f, args);
    let row = |k: usize| {
        let one = misses.zeros_like().at((.., k)).set(1.0);
        let (camera, point, weight) = pullback.call(one);
        concatenate(&[camera, point, weight.expand_dims(1)], 1)
    };
    let rows = stack(&[row(0), row(1)], 1);
    (rows, misses, weights * -2.0)
}

/// Weighted errors `[p, 2]` of points `[p, 3]` through cameras `[p, 11]`.
fn project(camera: Tensor, point: Tensor, weight: Tensor, seen: Tensor) -> Tensor {
    let rotation = camera.get((.., 0..3));
    let x = point - camera.get((.., 3..6));
    // Rodrigues' formula; the angle is not zero.
    let angle = rotation.square().sum_keep(&[1]).sqrt();
    let (sin, cos) = (angle.sin(), angle.cos());
    let axis = rotation / angle;
    let along = (&axis * &x).sum_keep(&[1]) * (1.0 - &cos);
    let turned = &x * cos + axis.cross(&x) * sin + axis * along;
    let flat = turned.get((.., 0..2)) / turned.get((.., 2..3));
    let radius = flat.square().sum_keep(&[1]);
    let distortion = 1.0 + camera.get((.., 9..10)) * &radius + camera.get((.., 10..11)) * radius.square();
    let image = flat * distortion * camera.get((.., 6..7)) + camera.get((.., 7..9));
    weight.expand_dims(1) * (image - seen)
}

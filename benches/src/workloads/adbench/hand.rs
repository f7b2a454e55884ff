//! Hand tracking: 26 angles bend a skeleton of 22 bones that moves the vertices of a skin; errors are distances of
//! measured points to the skin, at vertices (simple) or within triangles (complicated). The derivative is the whole
//! Jacobian, by forward mode.

use super::{Numbers, positions, text};
use crate::workloads::Workload;
use crate::workloads::data::{integers, normal, uniform};
use wengert::{DType, OutOfRange, Tensor, Tree, concatenate, einsum, jacfwd, jvp, stack};

const BONES: usize = 22;
const ANGLES: usize = 26;

/// What the angles move.
#[derive(Clone, Tree)]
struct Model {
    /// Each bone's place relative to its parent, `[bones, 4, 4]`.
    relative: Tensor,
    /// From the skin's coordinates at rest to each bone's, `[bones, 4, 4]`.
    inverse: Tensor,
    /// The skin at rest, `[vertices, 4]`.
    skin: Tensor,
    /// How much each vertex follows each bone, `[vertices, bones]`.
    weights: Tensor,
}

/// Angles `[26]`, measured points `[n, 3]`, model, and the vertex of each point `[n]`.
type Simple = (Tensor, Tensor, Model, Tensor);
/// Angles, coordinates in triangles `[n, 2]`, points, model, and the three vertices of each point's triangle `[n, 3]`.
type Complicated = (Tensor, Tensor, Tensor, Model, Tensor);

pub(super) fn rows() -> Vec<Workload> {
    let mut rows = Vec::new();
    for (size, vertices) in [("small", 544), ("big", 10_000)] {
        let simple = move || simple(size, vertices);
        rows.push(Workload::new(format!("hand_simple.{size}.f"), || simple_errors, simple));
        rows.push(Workload::new(format!("hand_simple.{size}.jacobian"), || simple_jacobian, simple));
        let complicated = move || complicated(size, vertices);
        rows.push(Workload::new(format!("hand_complicated.{size}.f"), || errors, complicated));
        rows.push(Workload::new(format!("hand_complicated.{size}.jacobian"), || jacobian, complicated));
    }
    rows
}

fn simple(size: &str, vertices: usize) -> Simple {
    let folder = format!("hand/simple_{size}");
    let model = read_model(&folder).unwrap_or_else(|| made_model(vertices));
    match Numbers::read(&format!("{folder}/hand5_t26_c800.txt")) {
        Some(mut file) => {
            let (n, angles) = (file.count(), file.count());
            let rows = file.tensor(&[n, 4]);
            (file.tensor(&[angles]), rows.get((.., 1..)), model, rows.get((.., 0)).astype(DType::I32))
        }
        None => (angles(), normal(7, &[800, 3], DType::F64), model, integers(8, &[800], vertices)),
    }
}

fn complicated(size: &str, vertices: usize) -> Complicated {
    let folder = format!("hand/complicated_{size}");
    let file = Numbers::read(&format!("{folder}/hand5_t26_c800.txt"));
    let triangles = text(&format!("{folder}/model/triangles.txt"));
    match (file, triangles, read_model(&folder)) {
        (Some(mut file), Some(triangles), Some(model)) => {
            let (n, angles) = (file.count(), file.count());
            let (rows, within) = (file.tensor(&[n, 4]), file.tensor(&[n, 2]));
            let corners = triangles.split(&[':', '\n']).filter_map(|w| w.trim().parse().ok());
            let triangles = positions(corners).reshape(&[-1, 3]);
            let corners = triangles.take_with(&rows.get((.., 0)).astype(DType::I32), 0, OutOfRange::Clip);
            (file.tensor(&[angles]), within, rows.get((.., 1..)), model, corners)
        }
        _ => {
            let (angles, points, model, _) = simple(size, vertices);
            let n = points.shape()[0];
            let within = uniform(9, &[n, 2], 0.0, 0.5, DType::F64);
            (angles, within, points, model, integers(10, &[n, 3], vertices))
        }
    }
}

fn angles() -> Tensor {
    normal(6, &[ANGLES], DType::F64)
}

/// Fields of a line are separated by colons: a bone's name, parent and two matrices; a vertex's position, normal and
/// texture coordinates (eight numbers), then how many bones move it, and a bone and a weight for each.
fn read_model(folder: &str) -> Option<Model> {
    let (bones, vertices) =
        (text(&format!("{folder}/model/bones.txt"))?, text(&format!("{folder}/model/vertices.txt"))?);
    let fields =
        |line: &str| line.split(':').skip(1).filter_map(|w| w.trim().parse().ok()).collect::<Vec<f64>>();
    let bones: Vec<Vec<f64>> = bones.lines().map(fields).filter(|b| b.len() >= 33).collect();
    let matrices = |from: usize| {
        let all: Vec<f64> = bones.iter().flat_map(|b| b[from..from + 16].to_vec()).collect();
        Tensor::new(&[bones.len(), 4, 4], &all)
    };
    let (mut skin, mut weights, mut n) = (Vec::new(), Vec::new(), 0);
    for line in vertices.lines().filter(|l| !l.trim().is_empty()) {
        let v: Vec<f64> = line.split(':').filter_map(|w| w.trim().parse().ok()).collect();
        skin.extend([v[0], v[1], v[2], 1.0]);
        let mut row = vec![0.0; bones.len()];
        v[9..].chunks_exact(2).take(v[8] as usize).for_each(|pair| row[pair[0] as usize] = pair[1]);
        weights.extend(row);
        n += 1;
    }
    Some(Model {
        relative: matrices(1),
        inverse: matrices(17),
        skin: Tensor::new(&[n, 4], &skin),
        weights: Tensor::new(&[n, bones.len()], &weights),
    })
}

/// A model with small random bones and vertices that follow all of them alike.
fn made_model(vertices: usize) -> Model {
    let eye = Tensor::eye(4, DType::F64);
    let bones = |seed| (&eye + normal(seed, &[BONES, 4, 4], DType::F64) * 0.1).at((.., 3)).set(eye.get(3));
    let skin =
        concatenate(&[normal(3, &[vertices, 3], DType::F64), Tensor::ones(&[vertices, 1], DType::F64)], 1);
    let weights = uniform(4, &[vertices, BONES], 0.0, 2.0 / BONES as f64, DType::F64);
    Model { relative: bones(1), inverse: bones(2), skin, weights }
}

/// The wrist and the forearm, and between them five fingers of four bones in a row that begin at the wrist.
fn parent(bone: usize) -> Option<usize> {
    match bone {
        0 => None,
        21 => Some(0),
        b if b % 4 == 1 => Some(0),
        b => Some(b - 1),
    }
}

/// Where the vertices `[vertices, 3]` are when the angles are `angles`: a rotation and a translation of the whole
/// (three each), then for each finger two angles of its second bone and one of its third and fourth.
fn vertices(angles: &Tensor, model: &Model) -> Tensor {
    let none = ANGLES;
    let mut of_bone = [[none; 3]; BONES];
    for finger in 0..5 {
        let (bone, angle) = (2 + 4 * finger, 6 + 4 * finger);
        of_bone[bone] = [angle, angle + 1, none];
        of_bone[bone + 1][0] = angle + 2;
        of_bone[bone + 2][0] = angle + 3;
    }
    let filled = concatenate(&[angles.clone(), Tensor::zeros(&[1], DType::F64)], 0);
    let bends = filled
        .take_with(&positions(of_bone.into_iter().flatten()), 0, OutOfRange::Clip)
        .reshape(&[BONES as isize, 3]);
    let relative = model.relative.matmul(&rotations(&bends));
    let mut absolute: Vec<Tensor> = Vec::new();
    for bone in 0..BONES {
        let own = relative.get(bone);
        absolute.push(match parent(bone) {
            None => own,
            Some(parent) => absolute[parent].matmul(&own),
        });
    }
    let moves = stack(&absolute, 0).matmul(&model.inverse).get((.., ..3));
    // A vertex goes where the weighted mean of its bones' moves takes it.
    let blended = einsum("vb,bij->vij", &[&model.weights, &moves]);
    let placed = einsum("vij,vj->vi", &[&blended, &model.skin]);
    placed.matmul(&rotation_about(&angles.get(..3)).t()) + angles.get(3..6)
}

/// Rotations `[bones, 4, 4]` about x by the first, z by the second and y by the third angle of `[bones, 3]`, as
/// Rz Ry Rx.
fn rotations(angles: &Tensor) -> Tensor {
    let part = |k: usize| angles.get((.., k));
    let (sx, cx, sz, cz, sy, cy) =
        (part(0).sin(), part(0).cos(), part(1).sin(), part(1).cos(), part(2).sin(), part(2).cos());
    let (zero, one) = (sx.zeros_like(), sx.ones_like());
    let elements = [
        &cz * &cy,
        &cz * &sy * &sx - &sz * &cx,
        &cz * &sy * &cx + &sz * &sx,
        zero.clone(),
        &sz * &cy,
        &sz * &sy * &sx + &cz * &cx,
        &sz * &sy * &cx - &cz * &sx,
        zero.clone(),
        -&sy,
        &cy * &sx,
        &cy * &cx,
        zero.clone(),
        zero.clone(),
        zero.clone(),
        zero,
        one,
    ];
    stack(&elements, 1).reshape(&[BONES as isize, 4, 4])
}

/// The rotation about a vector by its length (Rodrigues).
fn rotation_about(v: &Tensor) -> Tensor {
    let angle = v.square().sum().sqrt();
    let (s, c) = (angle.sin(), angle.cos());
    let axis = v / angle;
    let zero = s.zeros_like();
    let (x, y, z) = (axis.get(0), axis.get(1), axis.get(2));
    let across =
        stack(&[zero.clone(), -&z, y.clone(), z, zero.clone(), -&x, -y, x, zero], 0).reshape(&[3, 3]);
    Tensor::eye(3, DType::F64) * &c + across * s + axis.outer(&axis) * (1.0 - c)
}

fn simple_errors(angles: Tensor, points: Tensor, model: Model, vertex: Tensor) -> Tensor {
    points - vertices(&angles, &model).take_with(&vertex, 0, OutOfRange::Clip)
}

/// Errors and their derivatives by the angles, `[n, 3, 26]`.
fn simple_jacobian(angles: Tensor, points: Tensor, model: Model, vertex: Tensor) -> (Tensor, Tensor) {
    let errors = simple_errors(angles.clone(), points.clone(), model.clone(), vertex.clone());
    (errors, jacfwd(simple_errors)(angles, points, model, vertex))
}

fn errors(angles: Tensor, within: Tensor, points: Tensor, model: Model, corners: Tensor) -> Tensor {
    let skin = vertices(&angles, &model);
    let corner = |k: usize| skin.take_with(&corners.get((.., k)), 0, OutOfRange::Clip);
    let (u, v) = (within.get((.., ..1)), within.get((.., 1..)));
    let on_skin = &u * corner(0) + &v * corner(1) + (1.0 - u - v) * corner(2);
    points - on_skin
}

/// Errors, their derivatives by the two coordinates, each `[n, 3]`, and by the angles, `[n, 3, 26]`. A point's
/// coordinates touch its own errors only, so two tangents give all of theirs.
fn jacobian(
    angles: Tensor,
    within: Tensor,
    points: Tensor,
    model: Model,
    corners: Tensor,
) -> (Tensor, Tensor, Tensor, Tensor) {
    let by_angles = {
        let (within, points, model, corners) =
            (within.clone(), points.clone(), model.clone(), corners.clone());
        jacfwd(move |angles| errors(angles, within.clone(), points.clone(), model.clone(), corners.clone()))
    }(angles.clone());
    let of_within = {
        let angles = angles.clone();
        move |within| errors(angles.clone(), within, points.clone(), model.clone(), corners.clone())
    };
    let along = |k: usize| {
        let tangent = within.zeros_like().at((.., k)).set(1.0);
        jvp(of_within.clone(), (within.clone(),), (tangent,))
    };
    let ((value, by_u), (_, by_v)) = (along(0), along(1));
    (value, by_u, by_v, by_angles)
}

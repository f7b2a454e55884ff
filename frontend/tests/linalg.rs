//! Linear algebra against JAX's: `golden/linalg.txt`, made by `golden/make_linalg.py`. Each case is checked eagerly, under
//! `jit`, and for its gradient: against JAX's numbers, against forward mode, and to second order against differences.

use wengert::linalg::{self, Factors, Norm, Trans, Triangle, TriangularOptions};
use wengert::{DType, Tensor, grad, jit, jvp};

/// `f64[2,2]=1,2,3,4`; complex numbers as pairs.
fn parse(text: &str) -> Tensor {
    let (ty, elements) = text.split_once('=').expect("a tensor");
    let (dtype, shape) = ty.trim_end_matches(']').split_once('[').expect("a type");
    let shape: Vec<usize> =
        shape.split(',').filter(|s| !s.is_empty()).map(|s| s.parse().expect("a size")).collect();
    let parts: Vec<f64> =
        elements.split(',').filter(|s| !s.is_empty()).map(|s| s.parse().expect("a number")).collect();
    let pairs: Vec<(f64, f64)> = parts.chunks_exact(2).map(|p| (p[0], p[1])).collect();
    match dtype {
        "f64" => Tensor::new(&shape, &parts),
        "f32" => Tensor::new(&shape, &parts).astype(DType::F32),
        "i32" => Tensor::new(&shape, &parts).astype(DType::I32),
        "c128" => Tensor::new(&shape, &pairs),
        _ => unreachable!("{dtype}"),
    }
}

fn parse_all(text: &str) -> Vec<Tensor> {
    if text == "-" { vec![] } else { text.split(' ').map(parse).collect() }
}

fn which_norm(name: &str) -> Norm {
    match name {
        "fro" => Norm::Euclidean,
        "nuc" => Norm::Nuclear,
        "inf" => Norm::P(f64::INFINITY),
        "-inf" => Norm::P(f64::NEG_INFINITY),
        p => Norm::P(p.parse().expect("a number")),
    }
}

fn evaluate(name: &str, x: &[Tensor]) -> Vec<Tensor> {
    let words: Vec<&str> = name.split(' ').collect();
    let number = |k: usize| words[k].parse::<i32>().expect("a number");
    let triangle = |lower: bool| if lower { Triangle::Lower } else { Triangle::Upper };
    let two = |(a, b): (Tensor, Tensor)| vec![a, b];
    let three = |(a, b, c): (Tensor, Tensor, Tensor)| vec![a, b, c];
    let refs: Vec<&Tensor> = x.iter().collect();
    match words[0] {
        "cholesky" => vec![linalg::cholesky(&x[0])],
        "cho_factor" => vec![linalg::cho_factor(&x[0], triangle(words[1] == "lower")).0],
        "cho_solve" => vec![linalg::cho_solve(&(x[0].clone(), triangle(words[1] == "lower")), &x[1])],
        "solve" => vec![linalg::solve(&x[0], &x[1])],
        "solve_triangular" => {
            let trans = match words[1] {
                "N" => Trans::No,
                "T" => Trans::Transpose,
                _ => Trans::Adjoint,
            };
            let triangle = triangle(number(2) == 1);
            let options = TriangularOptions { triangle, trans, unit_diagonal: number(3) == 1 };
            vec![linalg::solve_triangular(&x[0], &x[1], options)]
        }
        "lu" => three(linalg::lu(&x[0])),
        "lu_factor" => two(linalg::lu_factor(&x[0])),
        "lu_solve" => {
            let trans = [Trans::No, Trans::Transpose, Trans::Adjoint][number(1) as usize];
            vec![linalg::lu_solve(&linalg::lu_factor(&x[0]), &x[1], trans)]
        }
        "inv" => vec![linalg::inv(&x[0])],
        "det" => vec![linalg::det(&x[0])],
        "slogdet" => two(linalg::slogdet(&x[0])),
        "qr" if words[1] == "reduced" => two(linalg::qr(&x[0], Factors::Reduced)),
        "qr" => two(linalg::qr(&x[0], Factors::Complete)),
        "eigh" => two(linalg::eigh(&x[0])),
        "eigvalsh" => vec![linalg::eigvalsh(&x[0])],
        "eigvals" => {
            let w = linalg::eigvals(&x[0]);
            vec![(&w * &w * &w).sum().real(), w.abs().sum()]
        }
        "svd" => three(linalg::svd(&x[0], Factors::Reduced)),
        "svdvals" => vec![linalg::svdvals(&x[0])],
        "norm" if words[2] == "all" => vec![linalg::norm(&x[0], Norm::Euclidean, None)],
        "norm" => {
            let over: Vec<isize> = words[2].split(',').map(|s| s.parse().expect("an axis")).collect();
            vec![linalg::norm(&x[0], which_norm(words[1]), Some(&over))]
        }
        "cond" => vec![linalg::cond(&x[0], which_norm(words[1]))],
        "matrix_rank" => vec![linalg::matrix_rank(&x[0], None)],
        "matrix_power" => vec![linalg::matrix_power(&x[0], number(1))],
        "pinv" => vec![linalg::pinv(&x[0], None)],
        "expm" => vec![linalg::expm(&x[0])],
        "lstsq" => {
            let (x, residuals, rank, s) = linalg::lstsq(&x[0], &x[1], None);
            vec![x, residuals, rank, s]
        }
        "multi_dot" => vec![linalg::multi_dot(&refs)],
        "tensorinv" => vec![linalg::tensorinv(&x[0], 2)],
        "tensorsolve" => vec![linalg::tensorsolve(&x[0], &x[1])],
        "tridiagonal_solve" => vec![linalg::tridiagonal_solve(&x[0], &x[1], &x[2], &x[3])],
        "block_diag" => vec![linalg::block_diag(&refs)],
        "toeplitz" => vec![linalg::toeplitz(&x[0], x.get(1))],
        "polar" => two(linalg::polar(&x[0])),
        "vdot" => vec![x[0].vdot(&x[1])],
        "vecdot" => vec![linalg::vecdot(&x[0], &x[1], -1)],
        "trace" => vec![linalg::trace(&x[0], 0)],
        _ => unreachable!("{name}"),
    }
}

/// The loss of `make_linalg.py`.
fn loss(name: &str, x: &[Tensor]) -> Tensor {
    let out = evaluate(name, x);
    let terms = out.iter().enumerate().filter(|(_, o)| o.dtype().is_differentiable()).map(|(k, o)| {
        let re = o.real().flatten();
        let i = Tensor::arange(o.len(), re.dtype()) + (1.0 + k as f64);
        let sum = (re * i.cos()).sum();
        if o.is_complex() { sum + (o.imag().flatten() * i.sin()).sum() } else { sum }
    });
    // Numbers of both precisions do not occur together.
    terms.reduce(|a, b| a + b).expect("a float result")
}

/// All elements as real numbers.
fn numbers(x: &Tensor) -> Vec<f64> {
    if x.is_complex() {
        let (re, im) = (numbers(&x.real()), numbers(&x.imag()));
        return re.into_iter().zip(im).flat_map(|(a, b)| [a, b]).collect();
    }
    x.astype(DType::F64).to_vec::<f64>()
}

#[track_caller]
fn close(what: &str, found: &[Tensor], expected: &[Tensor], tolerance: f64) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (f, e) in found.iter().zip(expected) {
        assert_eq!((f.dtype(), f.shape()), (e.dtype(), e.shape()), "{what}");
        let (f, e) = (numbers(f), numbers(e));
        let size = e.iter().filter(|x| x.is_finite()).fold(1.0, |m: f64, x| m.max(x.abs()));
        for (a, b) in f.iter().zip(&e) {
            let same = a == b || a.is_nan() && b.is_nan() || (a - b).abs() <= tolerance * size;
            assert!(same, "{what}: {f:?} is not {e:?}");
        }
    }
}

/// Runs the checks on the cases whose first word is among these.
fn check(names: &[&'static str]) {
    let mut found = 0;
    for line in include_str!("golden/linalg.txt").lines() {
        let fields: Vec<&'static str> = line.split(" | ").collect();
        let &[name, inputs, results, gradients] = &fields[..] else { panic!("{line}") };
        if !names.contains(&name.split(' ').next().expect("a name")) {
            continue;
        }
        found += 1;
        let (inputs, results, gradients) = (parse_all(inputs), parse_all(results), parse_all(gradients));
        let single = inputs.iter().any(|x| matches!(x.dtype(), DType::F32 | DType::C64));
        let tolerance = if single { 2e-4 } else { 1e-9 };
        let what = format!("{name} {:?}", inputs.iter().map(|x| x.ty().to_string()).collect::<Vec<_>>());
        close(&what, &evaluate(name, &inputs), &results, tolerance);
        let compiled = jit(move |x: Vec<Tensor>| evaluate(name, &x))(inputs.clone());
        close(&format!("jit {what}"), &compiled, &results, tolerance);
        if gradients.is_empty() {
            continue;
        }
        let slope = grad(move |x: Vec<Tensor>| loss(name, &x));
        close(&format!("grad {what}"), &slope(inputs.clone()), &gradients, 10.0 * tolerance);
        if inputs.iter().any(|x| x.dtype() != DType::F64) {
            continue;
        }
        // Forward mode along some direction, and the derivative of the gradient along it.
        let along: Vec<Tensor> = inputs
            .iter()
            .map(|x| (Tensor::arange(x.len(), DType::F64) * 1.7).sin().reshape_like(x))
            .collect();
        let dot = |a: &[Tensor], b: &[Tensor]| -> f64 {
            a.iter().zip(b).map(|(a, b)| (a * b).sum().item::<f64>()).sum()
        };
        let (_, forward) = jvp(move |x: Vec<Tensor>| loss(name, &x), (inputs.clone(),), (along.clone(),));
        let expected = dot(&gradients, &along);
        let forward = forward.item::<f64>();
        assert!(
            (forward - expected).abs() <= 1e-8 * (1.0 + expected.abs()),
            "jvp {what}: {forward} {expected}"
        );
        let slope = jit(grad(move |x: Vec<Tensor>| loss(name, &x)));
        let (_, second) = jvp(slope, (inputs.clone(),), (along.clone(),));
        let moved = |h: f64| -> Vec<Tensor> { inputs.iter().zip(&along).map(|(x, v)| x + v * h).collect() };
        let slope = jit(grad(move |x: Vec<Tensor>| loss(name, &x)));
        let h = 1e-5;
        let (up, down) = (slope(moved(h)), slope(moved(-h)));
        let differences: Vec<Tensor> = up.iter().zip(&down).map(|(a, b)| (a - b) / (2.0 * h)).collect();
        if !SINGULAR.contains(&what.as_str()) {
            close(&format!("second order {what}"), &second, &differences, 1e-4);
        }
    }
    assert!(found > 0, "{names:?}");
}

trait ReshapeLike {
    fn reshape_like(&self, like: &Tensor) -> Tensor;
}
impl ReshapeLike for Tensor {
    fn reshape_like(&self, like: &Tensor) -> Tensor {
        self.reshape(&like.shape().iter().map(|&n| n as isize).collect::<Vec<_>>())
    }
}

/// Cases at points where nearby matrices have another rank, or reflections other signs.
const SINGULAR: &[&str] = &["pinv [\"tensor<3x4xf64>\"]", "qr reduced [\"tensor<2x2xf64>\"]"];

#[test]
fn cholesky() {
    check(&["cholesky", "cho_factor", "cho_solve"]);
}
#[test]
fn systems() {
    check(&["solve", "inv", "lu_solve", "tensorinv", "tensorsolve", "tridiagonal_solve"]);
}
#[test]
fn triangular_systems() {
    check(&["solve_triangular"]);
}
#[test]
fn lu() {
    check(&["lu", "lu_factor"]);
}
#[test]
fn determinants() {
    check(&["det", "slogdet"]);
}
#[test]
fn qr() {
    check(&["qr"]);
}
#[test]
fn eigenvalues() {
    check(&["eigh", "eigvalsh", "eigvals"]);
}
#[test]
fn singular_values() {
    check(&["svd", "svdvals", "polar"]);
}
#[test]
fn norms() {
    check(&["norm", "cond", "matrix_rank"]);
}
#[test]
fn functions() {
    check(&["matrix_power", "expm", "multi_dot"]);
}
#[test]
fn pseudo_inverses() {
    check(&["pinv", "lstsq"]);
}
#[test]
fn structured() {
    check(&["block_diag", "toeplitz", "vdot", "vecdot", "trace"]);
}

#[test]
fn factors_multiply_to_the_matrix() {
    let shape = |x: &Tensor| x.shape().to_vec();
    let a = Tensor::from([[1.0f64, -2.0], [0.5, 3.0], [2.0, 2.0]]);
    let same = |x: &Tensor, y: &Tensor| assert!(x.allclose(y, 1e-12, 1e-12).item::<bool>(), "{x} {y}");
    let (u, s, vh) = linalg::svd(&a, Factors::Complete);
    assert_eq!((shape(&u), shape(&s), shape(&vh)), (vec![3, 3], vec![2], vec![2, 2]));
    same(&u.get((.., 0..2)).matmul(&s.diag(0)).matmul(&vh), &a);
    same(&u.t().matmul(&u), &Tensor::eye(3, DType::F64));
    let m = Tensor::new(&[2, 2], &[(1.0f64, 1.0f64), (0.5, -2.0), (0.0, 3.0), (2.0, 0.0)]);
    let (t, z) = linalg::schur(&m);
    let back = z.matmul(&t).matmul(&z.conj().t());
    assert!((back - &m).abs().max().item::<f64>() < 1e-12);
    assert_eq!(t.get((1, 0)).item::<(f64, f64)>(), (0.0, 0.0));
    let (w, v) = linalg::eig(&m);
    assert!((m.matmul(&v) - &v * &w).abs().max().item::<f64>() < 1e-12);
    let (q, r) = linalg::qr(&m, Factors::Complete);
    assert!((q.matmul(&r) - &m).abs().max().item::<f64>() < 1e-12);
}

/// Singular vectors of complex matrices are turned by phases that no value of the decomposition shows: their tangents must give
/// that of the matrix, whose every part they take, and leave the vectors orthogonal.
#[test]
fn tangents_of_complex_factors_are_those_of_the_matrix() {
    let numbers = |n: usize, by: usize| -> Vec<(f64, f64)> {
        let part = |k: usize| ((k * by % 29) as f64 - 14.0) / 9.0;
        (0..n).map(|k| (part(3 * k + 1), part(5 * k + 2))).collect()
    };
    let adjoint = |x: &Tensor| x.conj().t();
    for shape in [[3, 3], [4, 2], [2, 4]] {
        let a = Tensor::new(&shape, &numbers(shape[0] * shape[1], 7));
        let da = Tensor::new(&shape, &numbers(shape[0] * shape[1], 11));
        let factors = |a: Tensor| linalg::svd(&a, Factors::Reduced);
        let ((u, s, vh), (du, ds, dvh)) = jvp(factors, (a,), (da.clone(),));
        let [s, ds] = [s, ds].map(|s| s.diag(0).astype(DType::C128));
        let sum = du.matmul(&s).matmul(&vh) + u.matmul(&ds).matmul(&vh) + u.matmul(&s).matmul(&dvh);
        assert!((sum - da).abs().max().item::<f64>() < 1e-11, "{shape:?}");
        for turn in [adjoint(&u).matmul(&du), dvh.matmul(&adjoint(&vh))] {
            assert!((&turn + adjoint(&turn)).abs().max().item::<f64>() < 1e-11, "{shape:?}");
        }
    }
}

/// `adj(a)` transposed, from minors computed one by one.
fn cofactors(a: &[[f64; 4]; 4]) -> Vec<f64> {
    let minor = |i: usize, j: usize| {
        let rows: Vec<usize> = (0..4).filter(|&k| k != i).collect();
        let cols: Vec<usize> = (0..4).filter(|&k| k != j).collect();
        let e = |r: usize, c: usize| a[rows[r]][cols[c]];
        e(0, 0) * (e(1, 1) * e(2, 2) - e(1, 2) * e(2, 1)) - e(0, 1) * (e(1, 0) * e(2, 2) - e(1, 2) * e(2, 0))
            + e(0, 2) * (e(1, 0) * e(2, 1) - e(1, 1) * e(2, 0))
    };
    (0..16)
        .map(|k| if (k / 4 + k % 4) % 2 == 0 { minor(k / 4, k % 4) } else { -minor(k / 4, k % 4) })
        .collect()
}

#[test]
fn the_gradient_of_a_singular_determinant() {
    let slope = jit(grad(|a: Tensor| linalg::det(&a)));
    // Of rank 3 with the vanishing pivot last, first (where JAX gives 0), in the middle; of rank 2; nothing.
    let cases = [
        [[1.0, 2.0, 3.0, 6.0], [0.0, 1.0, 4.0, 5.0], [5.0, 6.0, 0.0, 11.0], [2.0, 1.0, 1.0, 4.0]],
        [[0.0, 1.0, 0.0, 2.0], [0.0, 0.0, 1.0, 0.0], [0.0, 3.0, 0.0, 1.0], [0.0, 1.0, 1.0, 1.0]],
        [[2.0, 4.0, 1.0, 0.0], [1.0, 2.0, 3.0, 1.0], [0.0, 0.0, 1.0, 1.0], [4.0, 8.0, 0.0, 1.0]],
        [[1.0, 2.0, 3.0, 4.0], [2.0, 4.0, 6.0, 8.0], [1.0, 1.0, 1.0, 1.0], [2.0, 3.0, 4.0, 5.0]],
        [[0.0; 4]; 4],
    ];
    for a in cases {
        let found = slope(Tensor::from(a)).to_vec::<f64>();
        for (x, y) in found.iter().zip(cofactors(&a)) {
            assert!((x - y).abs() < 1e-12, "{a:?}: {found:?} is not {:?}", cofactors(&a));
        }
    }
}

#[test]
fn singular_and_empty_matrices() {
    let singular = Tensor::from([[1.0f64, 2.0], [2.0, 4.0]]);
    assert!(!linalg::solve(&singular, &Tensor::from([1.0f64, 1.0])).is_finite().any().item::<bool>());
    assert_eq!(linalg::det(&singular).item::<f64>(), 0.0);
    let (sign, log) = linalg::slogdet(&singular);
    assert_eq!((sign.item::<f64>(), log.item::<f64>()), (0.0, f64::NEG_INFINITY));
    assert_eq!(linalg::norm(&Tensor::from([0.0f64, 2.0, -1.0]), 0.0, None).item::<f64>(), 2.0);
    assert!(linalg::cholesky(&-&singular).is_nan().all().item::<bool>());
    assert_eq!(linalg::cond(&Tensor::zeros(&[2, 2], DType::F64), 1.0).item::<f64>(), f64::INFINITY);
    let none = Tensor::zeros(&[0, 0], DType::F64);
    assert_eq!(linalg::inv(&none).shape(), [0, 0]);
    assert_eq!(linalg::solve(&none, &Tensor::zeros(&[0, 3], DType::F64)).shape(), [0, 3]);
    assert_eq!(linalg::cholesky(&none).shape(), [0, 0]);
    assert_eq!(linalg::expm(&none).shape(), [0, 0]);
    assert_eq!(linalg::det(&none).item::<f64>(), 1.0);
    let (sign, log) = linalg::slogdet(&none);
    assert_eq!((sign.item::<f64>(), log.item::<f64>()), (1.0, 0.0));
    assert_eq!(linalg::eigvalsh(&none).shape(), [0]);
    assert_eq!(linalg::norm(&none, Norm::P(1.0), None).item::<f64>(), 0.0);
    let tall = Tensor::zeros(&[3, 0], DType::F64);
    assert_eq!(linalg::pinv(&tall, None).shape(), [0, 3]);
    let (q, r) = linalg::qr(&tall, Factors::Complete);
    assert_eq!((q.to_vec::<f64>(), r.shape()), (Tensor::eye(3, DType::F64).to_vec::<f64>(), &[3, 0][..]));
    let (x, residuals, rank, s) = linalg::lstsq(&tall, &Tensor::from([1.0f64, 2.0, 2.0]), None);
    assert_eq!((x.len(), residuals.to_vec::<f64>(), rank.item::<i32>(), s.len()), (0, vec![9.0], 0, 0));
    let batch = Tensor::zeros(&[0, 3, 3], DType::F64);
    assert_eq!(linalg::inv(&batch).shape(), [0, 3, 3]);
    assert_eq!(linalg::det(&batch).shape(), [0]);
}

#[test]
fn integers_become_floats() {
    let a = Tensor::from([[2i32, 1], [1, 3]]);
    assert_eq!(linalg::inv(&a).dtype(), DType::F32);
    assert_eq!(linalg::solve(&a, &Tensor::from([1.0f64, 2.0])).dtype(), DType::F64);
    assert!((linalg::det(&a).item::<f32>() - 5.0).abs() < 1e-6);
    assert_eq!(linalg::norm(&Tensor::from([3i32, 4]), 2.0, None).item::<f32>(), 5.0);
    assert_eq!(linalg::matrix_power(&a, 2).dtype(), DType::I32);
}

#[test]
fn wrong_operands_say_so() {
    let text = |f: fn(&Tensor) -> Tensor| {
        let x = Tensor::zeros(&[2, 3], DType::F64);
        jit(move |x: Tensor| f(&x)).try_call((x,)).expect_err("wrong").to_string()
    };
    let square = "takes square matrices, these have 2 rows and 3 columns; operands: tensor<2x3xf64>";
    for (name, f) in [
        ("cholesky", linalg::cholesky as fn(&Tensor) -> Tensor),
        ("inv", linalg::inv),
        ("det", linalg::det),
        ("expm", linalg::expm),
        ("eigvalsh", linalg::eigvalsh),
        ("eigvals", linalg::eigvals),
    ] {
        let message = text(f);
        assert!(
            message.contains(&format!("linalg::{name}: {square}")) && message.contains("linalg.rs"),
            "{message}"
        );
    }
    let contains = |f: fn(&Tensor) -> Tensor, part: &str| {
        let message = text(f);
        assert!(message.contains(part), "{message}");
    };
    contains(|x| linalg::solve(&x.get((.., 0..2)), &x.get(0)), "the right-hand side needs 2 rows");
    contains(|x| linalg::solve_triangular(&x.get((.., 0..2)), &x.t(), Triangle::Lower), "needs 2 rows");
    contains(|x| linalg::svdvals(&x.get(0)), "linalg::svdvals: takes matrices, of two dimensions or more");
    contains(|x| linalg::norm(x, 3.0, None), "matrices have no norm 3");
    contains(|x| linalg::norm(x, Norm::Nuclear, Some(&[0])), "vectors have no norm Nuclear");
    contains(|x| linalg::norm(x, 1.0, Some(&[5, 0])), "axis 5 is out of range");
    contains(|x| linalg::norm(&x.expand_dims(0), 1.0, None), "takes one axis or two");
    contains(|x| linalg::cond(x, 1.0), "linalg::cond: takes square matrices");
    contains(|x| linalg::cond(&x.get(0..0), 2.0), "empty matrices have no condition number");
    contains(|x| linalg::multi_dot(&[x, x]), "columns of each must be rows of the next");
    contains(|x| linalg::multi_dot(&[x]), "takes two operands or more");
    contains(|x| linalg::lstsq(x, &x.get(0), None).0, "as many rows");
    contains(|x| linalg::tridiagonal_solve(x, x, x, &x.t()), "diagonals need one length");
    contains(|x| linalg::tensorinv(x, 1), "a map of 3 elements to 2");
    contains(|x| linalg::tensorsolve(x, &x.get(0)), "the first dimensions of the first operand");
    contains(|x| linalg::block_diag(&[&x.expand_dims(0)]), "at most two dimensions");
    contains(|x| linalg::toeplitz(&x.sum(), None), "takes vectors");
    contains(
        |x| linalg::lu_solve(&(x.get((.., 0..2)), x.get(0)), &x.t().get(0), Trans::No),
        "the pivots must be integers",
    );
    contains(|x| linalg::trace(&x.get(0), 0), "out of range");
}

/// Eigenvalues that are near each other, of matrices whose elements are large or small: errors are those of the elements' size.
#[test]
fn eigenvalues_of_any_size() {
    for size in [1e-300, 1e-150, 1e-10, 1.0, 1e10, 1e12, 1e150, 1e300] {
        let x = (Tensor::from([[1.0f64, 1e-5], [1e-5, 1.0]]) * size).astype(DType::F64);
        let w = linalg::eigh(&x).0.to_vec::<f64>();
        for (w, want) in w.iter().zip([1.0 - 1e-5, 1.0 + 1e-5]) {
            assert!((w / size - want).abs() < 1e-14, "{size:e}: {w:e}");
        }
    }
}

#[test]
fn batches_without_a_matrix() {
    let none = || Tensor::zeros(&[0, 3, 3], DType::F64);
    let (values, vectors) = linalg::eigh(&none());
    assert_eq!((values.shape(), vectors.shape()), (&[0usize, 3][..], &[0usize, 3, 3][..]));
    let (values, _) = jit(|x: Tensor| linalg::eigh(&x))(none());
    assert_eq!(values.shape(), [0, 3]);
}

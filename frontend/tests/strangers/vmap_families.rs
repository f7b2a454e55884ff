//! `vmap` of operations of every family: batches of 0, 1 and 3, other axes, nested, with gradients, against plain loops.
use super::*;
use wengert::linalg::{self, Factors, Triangle};
use wengert::{
    DType, Side, Tensor, concatenate, einsum, grad, hessian, jacfwd, jacrev, jit, random, stack, vmap,
};

fn spd(x: &Tensor) -> Tensor {
    x.outer(x) + Tensor::eye(4, DType::F64) * 2.0
}
fn square_of(x: &Tensor) -> Tensor {
    x.outer(&x.flip(0)) * 0.3 + Tensor::eye(4, DType::F64) + x.cumsum(0).diag(0)
}

fn family(name: &str, f: fn(Tensor) -> Tensor, smooth: bool) {
    case(name, || {
        for n in [0usize, 1, 3] {
            let x = noise_of(&[n, 4], 7 + n as u64);
            let one = f(noise_of(&[4], 3));
            let mut shape = vec![n];
            shape.extend_from_slice(one.shape());
            let want: Vec<f64> = (0..n).flat_map(|i| v(&f(x.get(i)))).collect();
            let y = vmap(f)(x.clone());
            same(&format!("{name} shape {n}"), y.shape().to_vec(), shape.clone());
            closet(&format!("{name} vmap {n}"), &y, &want, 1e-10);
            closet(&format!("{name} jit vmap {n}"), &jit(vmap(f))(x.clone()), &want, 1e-10);
            // Columns instead of rows, and the result along the last axis.
            let z = vmap(f).in_axes([Some(-1)]).out_axes(-1isize)(x.t());
            closet(&format!("{name} last axes {n}"), &z.moveaxis(&[-1], &[0]), &want, 1e-10);
            // Twice the batch, nested.
            let xx = stack(&[x.clone(), &x * 0.5], 0);
            let half: Vec<f64> = (0..n).flat_map(|i| v(&f(x.get(i) * 0.5))).collect();
            let zz = vmap(vmap(f))(xx);
            closet(&format!("{name} nested {n}"), &zz, &[want.clone(), half].concat(), 1e-10);
            if smooth {
                let loss = move |x: Tensor| (f(x).square() * 0.5).sum();
                let slopes: Vec<f64> = (0..n).flat_map(|i| v(&grad(loss)(x.get(i)))).collect();
                closet(&format!("{name} vmap grad {n}"), &vmap(grad(loss))(x.clone()), &slopes, 1e-9);
                closet(
                    &format!("{name} jit vmap grad {n}"),
                    &jit(vmap(grad(loss)))(x.clone()),
                    &slopes,
                    1e-9,
                );
                let whole = grad(move |x: Tensor| vmap(loss)(x).sum())(x.clone());
                closet(&format!("{name} grad of sum of vmap {n}"), &whole, &slopes, 1e-9);
                if n == 3 {
                    let by_differences = differences(|p| vec![loss(t(p)).item::<f64>()], &v(&x.get(1)));
                    closet(&format!("{name} differences"), &grad(loss)(x.get(1)), &by_differences, 2e-6);
                    let j = vmap(jacfwd(f))(x.clone());
                    let k = jit(vmap(jacrev(f)))(x.clone());
                    let m: Vec<f64> = (0..n).flat_map(|i| v(&jacrev(f)(x.get(i)))).collect();
                    closet(&format!("{name} vmap jacfwd"), &j, &m, 1e-9);
                    closet(&format!("{name} jit vmap jacrev"), &k, &m, 1e-9);
                    let h: Vec<f64> = (0..n).flat_map(|i| v(&hessian(loss)(x.get(i)))).collect();
                    closet(
                        &format!("{name} jit vmap hessian"),
                        &jit(vmap(hessian(loss)))(x.clone()),
                        &h,
                        1e-7,
                    );
                }
            }
        }
    });
}

#[test]
fn all() {
    let smooth: &[(&str, fn(Tensor) -> Tensor)] = &[
        ("elementwise", |x: Tensor| (&x * 2.0).tanh() + x.exp() / (x.square() + 1.0)),
        ("sort", |x: Tensor| x.sort(0)),
        ("cumsum", |x: Tensor| x.cumsum(0)),
        ("cumprod", |x: Tensor| x.cumprod(0)),
        ("softmax", |x: Tensor| x.softmax(0)),
        ("logsumexp", |x: Tensor| x.logsumexp(&[0])),
        ("max", |x: Tensor| x.max()),
        ("prod", |x: Tensor| x.prod()),
        ("var", |x: Tensor| x.var()),
        ("take", |x: Tensor| x.take(&Tensor::from([2i32, 0, 0, -1]), 0)),
        ("take at argmax", |x: Tensor| x.take(&x.argmax(0), 0) * x.sum()),
        ("dynamic slice", |x: Tensor| x.dynamic_slice(&[&x.argmin(0)], &[2])),
        ("scatter add", |x: Tensor| {
            Tensor::zeros(&[3], DType::F64).at_rows(&Tensor::from([1i32, 1, 0, 2])).add(x.sin())
        }),
        ("scatter at argsort", |x: Tensor| x.at_rows(&x.argsort(0)).set(x.square())),
        ("set slice", |x: Tensor| x.at(1..3).mul(x.get(..2))),
        ("concatenate", |x: Tensor| concatenate(&[x.get(2..), x.sin()], 0)),
        ("pad roll flip", |x: Tensor| x.pad(&[(1, 2)], 0.5).roll(2, 0).flip(0)),
        ("matmul", |x: Tensor| spd(&x).matmul(&x)),
        ("einsum", |x: Tensor| einsum("i,j,ij->j", &[&x, &x, &spd(&x)])),
        ("cholesky", |x: Tensor| linalg::cholesky(&spd(&x))),
        ("solve", |x: Tensor| linalg::solve(&square_of(&x), &x)),
        ("triangular", |x: Tensor| {
            linalg::solve_triangular(&linalg::cholesky(&spd(&x)), &x, Triangle::Lower)
        }),
        ("det", |x: Tensor| linalg::det(&square_of(&x))),
        ("inverse", |x: Tensor| linalg::inv(&square_of(&x))),
        ("eigvalsh", |x: Tensor| linalg::eigvalsh(&(spd(&x) + Tensor::arange(4, DType::F64).diag(0)))),
        ("qr", |x: Tensor| linalg::qr(&square_of(&x), Factors::Reduced).1),
        ("expm", |x: Tensor| linalg::expm(&(square_of(&x) * 0.3))),
        ("top_k", |x: Tensor| x.top_k(2).0),
        ("quantile", |x: Tensor| x.quantile(0.3, 0)),
        ("sample", |x: Tensor| random::normal(&random::key(5), &[4], DType::F64) * &x),
    ];
    for &(name, f) in smooth {
        family(name, f, true);
    }
    let steps: &[(&str, fn(Tensor) -> Tensor)] = &[
        ("argsort", |x: Tensor| x.argsort(0).astype(DType::F64)),
        ("searchsorted", |x: Tensor| x.sort(0).searchsorted(&x, Side::Left).astype(DType::F64)),
        ("one_hot", |x: Tensor| x.argmax(0).one_hot(4, DType::F64)),
        ("cummax", |x: Tensor| x.cummax(0)),
        ("compare", |x: Tensor| x.greater(0.0).select(1.0, &x)),
        ("unique", |x: Tensor| x.sign().unique(3)),
    ];
    for &(name, f) in steps {
        family(name, f, false);
    }
    case("keys", || {
        // Random numbers of a batch of keys are those of each key.
        let keys = random::split(&random::key(11), 3);
        let draw = |k: Tensor| {
            let two = random::split(&k, 2);
            random::normal(&two[0], &[2], DType::F64) + random::uniform(&two[1], &[2], DType::F64, 0.0, 1.0)
        };
        let want: Vec<f64> = keys.iter().flat_map(|k| v(&draw(k.clone()))).collect();
        closet("keys vmap", &vmap(draw)(stack(&keys, 0)), &want, 1e-12);
        closet("keys jit vmap", &jit(vmap(draw))(stack(&keys, 0)), &want, 1e-12);
        let shuffled = |k: Tensor| random::permutation(&k, &Tensor::arange(5, DType::F64));
        let want: Vec<f64> = keys.iter().flat_map(|k| v(&shuffled(k.clone()))).collect();
        closet("keys permutation", &jit(vmap(shuffled))(stack(&keys, 0)), &want, 0.0);
    });
    finish();
}

//! Sparse Jacobians and Hessians: patterns, colours, CSR, through control flow, under transforms, against dense ones.
use super::*;
use wengert::{
    ARG0, ARG1, Coloring, Csr, DType, Tensor, Tree, cond, custom_jvp, custom_vjp, debug_print,
    effects::prints_of, fori_loop, grad, hessian, jacfwd, jacrev, jit, map, scan, sparse_hessian,
    sparse_jacobian, tree, vmap, while_loop,
};

/// The dense matrix of rows of a CSR, made by hand from its parts.
fn dense(a: &Csr) -> Vec<f64> {
    let (rows, columns) = a.shape();
    let mut out = vec![0.0; rows * columns];
    let values = v(a.values());
    for r in 0..rows {
        for k in a.starts()[r]..a.starts()[r + 1] {
            out[r * columns + a.indices()[k]] += values[k];
        }
    }
    out
}
// Heat with a reaction on a grid of n x n: five neighbours.
fn heat(u: Tensor) -> Tensor {
    let n = (u.len() as f64).sqrt() as usize;
    let g = u.reshape(&[n as isize, n as isize]);
    let p = g.pad(&[(1, 1), (1, 1)], 0.0);
    let lap =
        p.get((2.., 1..-1)) + p.get((..-2, 1..-1)) + p.get((1..-1, 2..)) + p.get((1..-1, ..-2)) - &g * 4.0;
    (lap + g.square() * (1.0 - &g)).flatten()
}
// Bundle adjustment in small: each observation sees one camera (3 numbers) and one point (2 numbers).
#[derive(Clone, Tree)]
struct Scene {
    cameras: Tensor,
    points: Tensor,
}
fn residuals(p: Scene, seen: Tensor, camera: Tensor, point: Tensor) -> Tensor {
    let one = |c: Tensor, x: Tensor, z: Tensor| {
        let (co, si) = (c.get(0).cos(), c.get(0).sin());
        let (a, b) = (&co * &x.get(0) - &si * &x.get(1), &si * &x.get(0) + &co * &x.get(1));
        wengert::stack(&[(a + c.get(1)) / (&b + 5.0), b.tanh() + c.get(2)], 0) - z
    };
    vmap(one)(p.cameras.take(&camera, 0), p.points.take(&point, 0), seen).flatten()
}

#[test]
fn all() {
    case("heat", || {
        for n in [3usize, 6] {
            let u = noise_of(&[n * n], 4);
            let want = v(&jacrev(heat)(u.clone()));
            let a = sparse_jacobian(heat)(u.clone());
            close(&format!("heat {n}: eager"), &dense(&a), &want, 1e-12);
            let b = jit(sparse_jacobian(heat))(u.clone());
            close(&format!("heat {n}: jit"), &dense(&b), &want, 1e-12);
            closet(&format!("heat {n}: to_dense"), &b.to_dense(), &want, 1e-12);
            let places = n * n * 5 - 4 * n;
            same(&format!("heat {n}: places"), a.indices().len(), places);
            let pattern = sparse_jacobian(heat).pattern(&(Tensor::placeholder(&[n * n], DType::F64),));
            yes(&format!("heat {n}: at most nine colours"), pattern.colors() <= 9, pattern.colors());
            yes(
                &format!("heat {n}: prints"),
                pattern.to_string().contains(&format!("{places} places")),
                &pattern,
            );
            yes(
                &format!("heat {n}: columns ascend"),
                (0..n * n)
                    .all(|r| a.indices()[a.starts()[r]..a.starts()[r + 1]].windows(2).all(|w| w[0] < w[1])),
                "they do not",
            );
            for way in [Coloring::Columns, Coloring::Rows] {
                close(
                    &format!("heat {n}: {way:?}"),
                    &dense(&jit(sparse_jacobian(heat).coloring(way))(u.clone())),
                    &want,
                    1e-12,
                );
            }
            close(
                &format!("heat {n}: chunks"),
                &dense(&sparse_jacobian(heat).chunk_size(2)(u.clone())),
                &want,
                1e-12,
            );
            let x = noise_of(&[n * n], 6);
            closet(
                &format!("heat {n}: matvec"),
                &a.matvec(&x),
                &v(&jacrev(heat)(u.clone()).matmul(&x)),
                1e-12,
            );
            close(
                &format!("heat {n}: with its pattern"),
                &dense(&sparse_jacobian(heat).with_pattern(pattern)(u.clone())),
                &want,
                1e-12,
            );
        }
        let big = sparse_jacobian(heat).pattern(&(Tensor::placeholder(&[90_000], DType::F64),));
        yes("90,000 points: at most nine colours", big.colors() <= 9, big.colors());
        // Ten implicit steps of Newton in a loop with the sparse Jacobian's product, differentiated.
        let u = noise_of(&[9], 2);
        let step = |u: Tensor| {
            let a = sparse_jacobian(heat)(u.clone());
            &u + heat(u.clone()) * 0.1 + a.matvec(&heat(u)) * 0.005
        };
        let run = move |u: Tensor| fori_loop(0, 3, |_, u: Tensor| step(u), u).square().sum();
        let plain = |u: Tensor| {
            fori_loop(
                0,
                3,
                |_, u: Tensor| &u + heat(u.clone()) * 0.1 + jacfwd(heat)(u.clone()).matmul(&heat(u)) * 0.005,
                u,
            )
            .square()
            .sum()
        };
        closet("a Rosenbrock step in a loop", &jit(run)(u.clone()), &v(&plain(u.clone())), 1e-11);
        closet("grad of it", &jit(grad(run))(u.clone()), &v(&grad(plain)(u)), 1e-10);
    });
    case("bundle adjustment", || {
        let scene = || Scene { cameras: noise_of(&[3, 3], 1), points: noise_of(&[5, 2], 2) };
        let camera = || Tensor::from([0i32, 0, 0, 1, 1, 2, 2, 2]);
        let point = || Tensor::from([0i32, 1, 2, 2, 3, 3, 4, 0]);
        let seen = || noise_of(&[8, 2], 3);
        let want: Vec<f64> = {
            let (_, un) = tree::ravel(&scene());
            let f =
                move |flat: Tensor, seen: Tensor, c: Tensor, p: Tensor| residuals(un.call(&flat), seen, c, p);
            v(&jacfwd(f)(tree::ravel(&scene()).0, seen(), camera(), point()))
        };
        let a = jit(sparse_jacobian(residuals))(scene(), seen(), camera(), point());
        same("shape", a.shape(), (16, 19));
        close("values", &dense(&a), &want, 1e-11);
        // Places follow from types alone, so from indices that are arguments nothing is known; captured ones are.
        let fixed = |p: Scene, seen: Tensor| {
            residuals(
                p,
                seen,
                Tensor::from([0i32, 0, 0, 1, 1, 2, 2, 2]),
                Tensor::from([0i32, 1, 2, 2, 3, 3, 4, 0]),
            )
        };
        let b = jit(sparse_jacobian(fixed))(scene(), seen());
        close("values with captured indices", &dense(&b), &want, 1e-11);
        yes("captured indices are sparse", b.indices().len() <= 16 * 5, b.indices().len());
        let both = sparse_jacobian(fixed).wrt((ARG1, ARG0));
        same("by other arguments", both.pattern(&(scene(), seen())).shape(), (16, 16 + 19));
        let scenes = tree::stack(&[scene(), tree::map(&scene(), |t| t * 0.5)]);
        let batch =
            jit(vmap(move |p: Scene| sparse_jacobian(fixed)(p, noise_of(&[8, 2], 3)).to_dense()))(scenes);
        closet("vmap", &batch.get(0), &want, 1e-11);
        // Gauss-Newton's matrix from the parts.
        let gn = jit(move |p: Scene| {
            let a = sparse_jacobian(fixed)(p, noise_of(&[8, 2], 3)).to_dense();
            a.t().matmul(&a).sum()
        })(scene());
        let d = Tensor::new(&[16, 19], &want);
        closet("J^T J", &gn, &v(&d.t().matmul(&d).sum()), 1e-10);
    });
    case("hessians", || {
        let rosen = |x: Tensor| {
            ((x.get(1..) - x.get(..-1).square()).square() * 100.0 + (1.0 - x.get(..-1)).square()).sum()
        };
        let arrow = |x: Tensor| (x.get(1..).square() * x.get(..1)).sin().sum();
        let chain = |x: Tensor| {
            scan(
                |c: Tensor, k: Tensor| {
                    let e = (&k - &c).cos();
                    (k, e)
                },
                s(0.1),
                x,
            )
            .1
            .square()
            .sum()
        };
        let x = noise_of(&[7], 5);
        let fs: [(&str, fn(Tensor) -> Tensor); 3] =
            [("rosenbrock", rosen), ("arrow", arrow), ("chain in a scan", chain)];
        for (name, f) in fs {
            let want = v(&hessian(f)(x.clone()));
            for way in [None, Some(Coloring::Columns), Some(Coloring::Star), Some(Coloring::Acyclic)] {
                let h = match way {
                    None => sparse_hessian(f),
                    Some(w) => sparse_hessian(f).coloring(w),
                };
                case(&format!("{name} {way:?}"), || {
                    let a = jit(h.clone())(x.clone());
                    close(&format!("{name} {way:?}"), &dense(&a), &want, 1e-9);
                });
            }
            let third = grad(move |x: Tensor| sparse_hessian(f)(x).values().square().sum())(x.clone());
            let dense_third = grad(move |x: Tensor| hessian(f)(x).square().sum())(x.clone());
            closet(&format!("{name}: grad of the values"), &third, &v(&dense_third), 1e-8);
        }
        let star = sparse_hessian(arrow).pattern(&(x.clone(),));
        yes("an arrow needs few colours", star.colors() <= 3, star.colors());
        let columns = sparse_hessian(arrow).coloring(Coloring::Columns).pattern(&(x.clone(),));
        same("an arrow by columns needs all", columns.colors(), 7);
        fails(
            "a star of no Hessian",
            || sparse_jacobian(heat).coloring(Coloring::Star)(t(&[1.0; 9])),
            &["hessian|star"],
        );
        let two = |a: Tensor, b: Tensor| (a.square() * &b).sum() + b.sin().sum();
        let h = jit(sparse_hessian(two).wrt((ARG0, ARG1)))(t(&[1.0, 2.0]), t(&[3.0, 4.0]));
        let sb: Vec<f64> = [3.0f64, 4.0].iter().map(|b| -b.sin()).collect();
        close(
            "by two arguments",
            &dense(&h),
            &[6.0, 0.0, 2.0, 0.0, 0.0, 8.0, 0.0, 4.0, 2.0, 0.0, sb[0], 0.0, 0.0, 4.0, 0.0, sb[1]],
            1e-12,
        );
        let ruled = |x: Tensor| {
            custom_jvp(
                |x: Tensor| x.square(),
                |(x,): (Tensor,), (dx,): (Tensor,)| (x.square(), &dx * &x * 2.0 + dx.roll(1, 0) * 0.0),
            )(x)
            .sum()
        };
        close(
            "with a rule",
            &dense(&sparse_hessian(ruled)(t(&[1.0, 2.0, 3.0]))),
            &[2.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 2.0],
            1e-12,
        );
    });
    case("control flow is conservative", || {
        let x = || t(&[0.5, -0.4, 0.9, 0.2]);
        let fs: [(&str, fn(Tensor) -> Tensor); 7] = [
            ("branch", |x: Tensor| {
                cond(&x.get(0).greater(0.0), |x: Tensor| x.square(), |x: Tensor| x.roll(1, 0).sin(), x)
            }),
            ("while", |x: Tensor| {
                while_loop(|x: Tensor| x.get(3).less(3.0), |x: Tensor| &x + x.square() + 0.5, x)
            }),
            ("while that mixes", |x: Tensor| {
                while_loop(|x: Tensor| x.get(0).less(3.0), |x: Tensor| &x + x.roll(1, 0).square() + 0.5, x)
            }),
            ("running", |x: Tensor| {
                scan(
                    |c: Tensor, x: Tensor| {
                        let c = c.sin() + x;
                        (c.clone(), c)
                    },
                    s(0.2),
                    x,
                )
                .1
            }),
            ("map", |x: Tensor| map(|x: Tensor| x.exp() * 2.0, x)),
            ("sort", |x: Tensor| x.sort(0).square()),
            ("through an integer", |x: Tensor| x.take(&x.argsort(0), 0) * x.get(0)),
        ];
        for (name, f) in fs {
            case(name, || {
                let want = v(&jacfwd(f)(x()));
                close(&format!("{name}: at a point"), &dense(&sparse_jacobian(f)(x())), &want, 1e-12);
                // A pattern found at one point is right at another.
                let pattern = sparse_jacobian(f).pattern(&(Tensor::placeholder(&[4], DType::F64),));
                let other = t(&[-0.7, 0.8, -0.1, 2.9]);
                close(
                    &format!("{name}: elsewhere"),
                    &dense(&jit(sparse_jacobian(f).with_pattern(pattern.clone()))(other.clone())),
                    &v(&jacfwd(f)(other)),
                    1e-12,
                );
            });
        }
        let pattern = sparse_jacobian(|x: Tensor| map(|x: Tensor| x.exp(), x)).pattern(&(x(),));
        same("a map stays diagonal", pattern.places(), 4);
        let rev = custom_vjp(
            |x: Tensor| x.get(1..) * x.get(..-1),
            |(x,): (Tensor,)| (x.get(1..) * x.get(..-1), x),
            |x: Tensor, g: Tensor| {
                ((&g * x.get(..-1)).pad(&[(1, 0)], 0.0) + (&g * x.get(1..)).pad(&[(0, 1)], 0.0),)
            },
        );
        close(
            "a rule for reverse mode alone",
            &dense(&jit(sparse_jacobian(rev))(t(&[1.0, 2.0, 3.0]))),
            &[2.0, 1.0, 0.0, 0.0, 3.0, 2.0],
            1e-12,
        );
        let f = |x: Tensor| {
            debug_print!("here {}", x.sum());
            x.square()
        };
        same("heard once", prints_of(|| jit(sparse_jacobian(f))(x())).1.len(), 1);
        let csr = sparse_jacobian(|x: Tensor| x.square())(x());
        let twice = jit(|a: Csr, x: Tensor| a.matvec(&x) * 2.0)(csr, t(&[1.0; 4]));
        closet("a CSR as an argument", &twice, &[2.0, -1.6, 3.6, 0.8], 1e-14);
        for n in [0usize, 1] {
            let a = sparse_jacobian(|x: Tensor| x.square())(t(&vec![3.0; n]));
            same(&format!("of {n} numbers"), (a.shape(), v(a.values())), ((n, n), vec![6.0; n]));
        }
        fails("integers", || sparse_jacobian(|x: Tensor| x.argsort(0))(x()), &["i32", "sparse|result"]);
        fails(
            "several types",
            || sparse_jacobian(|x: Tensor| (x.clone(), x.astype(DType::F32)))(x()),
            &["f32", "f64"],
        );
        fails(
            "a pattern of another shape",
            || {
                sparse_jacobian(|x: Tensor| x.square())
                    .with_pattern(sparse_jacobian(|x: Tensor| x.square()).pattern(&(t(&[1.0]),)))(
                    x()
                )
            },
            &["4", "1"],
        );
    });
    finish();
}

//! Named axes: every collective, nested, with derivatives, in loops, against plain arithmetic on whole batches.
use super::*;
use wengert::collectives::{
    all_gather, all_to_all, axis_index, axis_size, pmax, pmean, pmin, ppermute, psum, psum_scatter,
};
use wengert::{
    DType, Tensor, cond, fori_loop, grad, hessian, jacfwd, jacrev, jit, jvp, tree, vjp, vmap, while_loop,
};

fn loss(w: Tensor, x: Tensor, y: Tensor) -> Tensor {
    (x.dot(&w).tanh() - y).square()
}
fn norm_layer(x: Tensor) -> Tensor {
    let mean = pmean(&x, "batch");
    let centred = &x - &mean;
    let variance = pmean(&centred.square(), "batch");
    centred / (variance + 1e-3).sqrt()
}

#[test]
fn all() {
    for n in [1usize, 4] {
        case(&format!("data parallel {n}"), || {
            let (w, x, y) = (noise_of(&[3], 1), noise_of(&[n, 3], 2), noise_of(&[n], 3));
            let shared = |w: Tensor, x: Tensor, y: Tensor| pmean(&grad(loss)(w, x, y), "i");
            let f = vmap(shared).in_axes([None, Some(0), Some(0)]).axis_name("i").out_axes(None);
            let (xx, yy) = (x.clone(), y.clone());
            let whole = move |w: Tensor| (xx.matmul(&w).tanh() - &yy).square().mean();
            let want = v(&grad(whole)(w.clone()));
            closet(&format!("mean gradient {n}"), &f(w.clone(), x.clone(), y.clone()), &want, 1e-12);
            closet(&format!("jit mean gradient {n}"), &jit(f)(w, x, y), &want, 1e-12);
        });
        case(&format!("batch norm {n}"), || {
            let x = noise_of(&[n, 2], 4);
            let weights = noise_of(&[n, 2], 5);
            let ww = weights.clone();
            let f = move |x: Tensor| (vmap(norm_layer).axis_name("batch")(x) * &ww).sum();
            let by_hand = |p: &[f64]| {
                let w = v(&weights);
                let mut total = 0.0;
                for c in 0..2 {
                    let column: Vec<f64> = (0..n).map(|i| p[i * 2 + c]).collect();
                    let mean = column.iter().sum::<f64>() / n as f64;
                    let var = column.iter().map(|a| (a - mean).powi(2)).sum::<f64>() / n as f64;
                    total +=
                        (0..n).map(|i| (column[i] - mean) / (var + 1e-3).sqrt() * w[i * 2 + c]).sum::<f64>();
                }
                vec![total]
            };
            closet(&format!("batch norm value {n}"), &f(x.clone()), &by_hand(&v(&x)), 1e-12);
            let d = differences(by_hand, &v(&x));
            closet(&format!("batch norm grad {n}"), &grad(f.clone())(x.clone()), &d, 1e-6);
            closet(&format!("batch norm jit grad {n}"), &jit(grad(f.clone()))(x.clone()), &d, 1e-6);
            closet(&format!("batch norm jacfwd {n}"), &jit(jacfwd(f.clone()))(x.clone()), &d, 1e-6);
            let h = differences(|p| v(&grad(f.clone())(Tensor::new(&[n, 2], p))), &v(&x));
            closet(&format!("batch norm hessian {n}"), &jit(hessian(f.clone()))(x.clone()), &h, 1e-5);
        });
    }
    case("ring", || {
        // An all-reduce out of n - 1 shifts, in a loop.
        let ring = |x: Tensor| {
            let n = axis_size("i");
            let pairs: Vec<(usize, usize)> = (0..n).map(|k| (k, (k + 1) % n)).collect();
            fori_loop(
                0,
                n - 1,
                |_, (total, moving): (Tensor, Tensor)| {
                    let moving = ppermute(&moving, "i", &pairs);
                    (total + &moving, moving)
                },
                (x.clone(), x),
            )
            .0
        };
        let f = vmap(ring).axis_name("i");
        let x = || t(&[1.0, 2.0, 4.0, 8.0]);
        closet("ring all-reduce", &f(x()), &[15.0; 4], 0.0);
        closet("jit ring", &jit(f.clone())(x()), &[15.0; 4], 0.0);
        let g = f.clone();
        let weighted = move |x: Tensor| (g(x) * t(&[1.0, 10.0, 100.0, 1000.0])).sum();
        closet("grad ring", &jit(grad(weighted))(x()), &[1111.0; 4], 0.0);
    });
    case("exchanges", || {
        let x = || mat(3, 3, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
        let turn = vmap(|r: Tensor| all_to_all(&r, "i", 0, 0)).axis_name("i");
        closet("all_to_all transposes", &jit(turn.clone())(x()), &v(&x().t()), 0.0);
        let (_, back) = vjp(turn.clone(), (x(),));
        closet("all_to_all transposed", &back.call(x()).0, &v(&x().t()), 0.0);
        let gathered = vmap(|r: Tensor| all_gather(&r, "i")).axis_name("i");
        closet("all_gather", &gathered(x()), &[v(&x()), v(&x()), v(&x())].concat(), 0.0);
        let scattered = vmap(|r: Tensor| psum_scatter(&r, "i")).axis_name("i");
        closet("psum_scatter", &scattered(x()), &[12.0, 15.0, 18.0], 0.0);
        // <gather(a), b> = <a, scatter(b)>.
        let column = || t(&[1.0, -2.0, 0.5]);
        let (y, pull) = vjp(vmap(|r: Tensor| all_gather(&r, "i")).axis_name("i"), (column(),));
        let b = noise_of(&[3, 3], 8);
        let left = (&y * &b).sum().item::<f64>();
        let right = (pull.call(b.clone()).0 * column()).sum().item::<f64>();
        close("adjoint of all_gather", &[left], &[right], 1e-12);
        closet("its pullback is psum_scatter", &pull.call(b.clone()).0, &v(&scattered(b)), 1e-12);
        let part = vmap(|r: Tensor| ppermute(&r, "i", &[(0, 2), (2, 1)])).axis_name("i");
        closet("ppermute leaves zeros", &part(column()), &[0.0, 0.5, 1.0], 0.0);
        let (_, dy) = jvp(part.clone(), (column(),), (t(&[10.0, 20.0, 30.0]),));
        closet("ppermute jvp", &dy, &[0.0, 30.0, 10.0], 0.0);
        // A matrix for each example, split along its second, stacked along its last dimension.
        let big = noise_of(&[2, 3, 2], 3);
        let f = vmap(|m: Tensor| all_to_all(&m, "i", 1, -1)).axis_name("i");
        let y = f(big.clone());
        same("all_to_all other axes shape", y.shape().to_vec(), vec![2, 3, 2]);
        let (a, mut want) = (v(&big), vec![0.0; 12]);
        for i in 0..2 {
            for r in 0..3 {
                for k in 0..2 {
                    want[i * 6 + r * 2 + k] = a[k * 6 + r * 2 + i];
                }
            }
        }
        closet("all_to_all other axes", &y, &want, 0.0);
    });
    case("extremes", || {
        let f = vmap(|x: Tensor| pmax(&x, "i") * 2.0 + pmin(&x, "i")).axis_name("i").out_axes(None);
        let g = f.clone();
        closet("pmax pmin", &f(t(&[3.0, 1.0, 3.0])), &[7.0], 0.0);
        closet("ties share", &grad(move |x: Tensor| g(x))(t(&[3.0, 1.0, 3.0])), &[1.0, 1.0, 1.0], 0.0);
        let argmax = vmap(|x: Tensor| {
            let here = x.equal(pmax(&x, "i"));
            pmin(&here.select(axis_index("i"), 99), "i")
        })
        .axis_name("i")
        .out_axes(None);
        same("argmax over examples", argmax(t(&[3.0, 7.0, 5.0])).item::<i32>(), 1);
    });
    case("trees", || {
        let f = vmap(|p: (Tensor, Vec<Tensor>)| psum(&p, "i")).axis_name("i").out_axes(None);
        let (a, b) = f((t(&[1.0, 2.0]), vec![mat(2, 2, &[1.0, 2.0, 3.0, 4.0])]));
        closet("psum of a tree", &a, &[3.0], 0.0);
        closet("psum of a tree, list", &b[0], &[4.0, 6.0], 0.0);
        let clipped = vmap(|g: (Tensor, Tensor)| {
            let norm = psum(&(g.0.square() + g.1.square().sum()), "i").sqrt();
            tree::map(&g, |x| x / &norm)
        })
        .axis_name("i");
        let (a, b) = jit(clipped)((t(&[3.0, 0.0]), mat(2, 1, &[0.0, 4.0])));
        close("global norm", &[v(&a), v(&b)].concat(), &[0.6, 0.0, 0.0, 0.8], 1e-15);
    });
    case("nested", || {
        let f = |x: Tensor| {
            (psum(&x, "i"), psum(&x, "j"), psum(&x, ("i", "j")), axis_index(("i", "j")).astype(DType::F64))
        };
        let g = vmap(vmap(f).axis_name("j")).axis_name("i");
        let (i, j, both, number) = jit(g)(mat(2, 3, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]));
        closet("sum over i", &i, &[5.0, 7.0, 9.0, 5.0, 7.0, 9.0], 0.0);
        closet("sum over j", &j, &[6.0, 6.0, 6.0, 15.0, 15.0, 15.0], 0.0);
        closet("sum over both", &both, &[21.0; 6], 0.0);
        closet("numbers", &number, &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0], 0.0);
        // Within a Jacobian within a batch: d/dx_a of x_a * sum_i(x_i) is, of the sum over examples, 2 sum.
        let each = vmap(vmap(grad(|x: Tensor| &x * psum(&x, "i"))).axis_name("i"));
        closet(
            "grad in vmap in vmap",
            &jit(each)(mat(2, 2, &[1.0, 2.0, 3.0, 5.0])),
            &[6.0, 6.0, 16.0, 16.0],
            1e-14,
        );
        let j = jacrev(|x: Tensor| vmap(|x: Tensor| &x * psum(&x, "i")).axis_name("i")(x))(t(&[1.0, 2.0]));
        closet("jacrev of collective", &j, &[4.0, 1.0, 2.0, 5.0], 1e-14);
    });
    case("together in loops and branches", || {
        let halve =
            |x: Tensor| while_loop(|x: Tensor| pmax(&x.abs(), "i").greater(1.0), |x: Tensor| x * 0.5, x);
        let f = vmap(halve).axis_name("i");
        closet("loop left together", &jit(f.clone())(t(&[4.0, -1.0, 8.0])), &[0.5, -0.125, 1.0], 0.0);
        let g = grad(move |x: Tensor| f(x).sum());
        closet("its gradient", &jit(g)(t(&[4.0, -1.0, 8.0])), &[0.125; 3], 0.0);
        let branch =
            |x: Tensor| cond(&psum(&x, "i").greater(0.0), |x: Tensor| pmean(&x, "i"), |x: Tensor| x, x);
        closet("branch on what is the same", &vmap(branch).axis_name("i")(t(&[1.0, 3.0])), &[2.0, 2.0], 0.0);
        let bad = jit(vmap(|x: Tensor| cond(&x.greater(0.0), |x: Tensor| psum(&x, "i"), |x: Tensor| x, x))
            .axis_name("i"));
        fails_with(
            "communication in a branch of some",
            bad.try_call((t(&[1.0, -3.0]),)),
            &["i", "psum|branch|cond", "collectives"],
        );
        let unbound = jit(vmap(|x: Tensor| psum(&x, "rows")).axis_name("i"));
        fails_with(
            "a name that nobody has",
            unbound.try_call((t(&[1.0]),)),
            &["rows", "\"i\"|`i`|'i'|i", "collectives"],
        );
        let twice = jit(vmap(|x: Tensor| ppermute(&x, "i", &[(0, 1), (1, 1)])).axis_name("i"));
        fails_with("sent to twice", twice.try_call((t(&[1.0, 2.0]),)), &["1", "twice|once|two"]);
    });
    finish();
}

//! Taylor mode on functions that were written after it was.

use wengert::{
    DType, Tensor, associative_scan, checkpoint, cond, fft, fori_loop, grad, hessian, jet, jit, jvp, linalg,
    map, nn, scan, tape::Tape, vmap, while_loop,
};

fn x(v: f64) -> Tensor {
    Tensor::from(v)
}

fn vector() -> Tensor {
    Tensor::from([0.3f64, -0.7, 1.1, 0.45])
}

/// The first three derivatives along `v + t w`, by nested forward mode and by Taylor mode.
#[track_caller]
fn check(f: impl Fn(Tensor) -> Tensor + Send + Sync + Copy + 'static, v: Tensor) {
    let w = v.cos();
    let (at, along) = (v.clone(), w.clone());
    let curve = move |t: Tensor| f(&at + &along * t);
    let (c1, c2, c3) = (curve.clone(), curve.clone(), curve);
    let one = || (x(1.0),);
    let first = jvp(c1, (x(0.0),), one()).1;
    let second = jvp(
        move |t: Tensor| {
            let c = c2.clone();
            jvp(c, (t,), one()).1
        },
        (x(0.0),),
        one(),
    )
    .1;
    let third = move |t: Tensor| {
        let c = c3.clone();
        jvp(
            move |t: Tensor| {
                let c = c.clone();
                jvp(c, (t,), (x(1.0),)).1
            },
            (t,),
            (x(1.0),),
        )
        .1
    };
    let third = jvp(third, (x(0.0),), one()).1;
    let zeros = Tensor::zeros(v.shape(), DType::F64);
    let (y, d) = jet(f, (v.clone(),), &[(w,), (zeros.clone(),), (zeros,)]);
    for (k, (got, want)) in [y].iter().chain(&d).zip([f(v), first, second, third]).enumerate() {
        let fits = got.allclose(&want, 1e-8, 1e-9).item::<bool>();
        assert!(fits, "derivative {k}: {got} instead of {want}");
    }
}

#[test]
fn networks() {
    check(
        |v| {
            let w = Tensor::arange_step(0.0, 1.6, 0.1, DType::F64).reshape(&[4, 4]);
            let h = nn::gelu(&w.dot(&v), nn::Gelu::Exact);
            nn::layer_norm(&h, Some(&v), None, 1e-5)
        },
        vector(),
    );
    check(|v| nn::silu(&v) * nn::log_softmax(&v, 0), vector());
}

#[test]
fn transforms_of_fourier_and_norms() {
    check(|v| fft::rfft(&v.sin(), None, 0).abs().square().sum(), vector());
    check(|v| (v.square().sum() + 1.0).sqrt(), vector());
    check(|v| v.var() / (v.std() + 1.0), vector());
}

#[test]
fn loops_in_loops() {
    check(|v| fori_loop(0, 3, |i, c: Tensor| c.sin() * (i.astype(DType::F64) + 1.0), v), vector());
    check(
        |v| {
            scan(
                |c: Tensor, r: Tensor| {
                    let inner = fori_loop(0, 2, |_, c: Tensor| (c * &r).sin(), c);
                    (inner.clone(), cond(&r.greater(0.0), |c: Tensor| c.exp(), |c: Tensor| c, inner))
                },
                x(0.5),
                v,
            )
            .1
        },
        vector(),
    );
    check(|v| map(|r: Tensor| r.tanh().exp(), v), vector());
    check(|v| associative_scan(|a: Tensor, b: Tensor| a * b, v.exp()), vector());
    check(
        |v| {
            let step = |(k, c): (Tensor, Tensor)| (k + 1, checkpoint(|c: Tensor| c.sin() * &c)(c));
            while_loop(
                |(k, c): (Tensor, Tensor)| k.less(5).logical_and(c.sum().abs().greater(0.01)),
                step,
                (Tensor::from(0i32), v),
            )
            .1
        },
        vector(),
    );
}

#[test]
fn eigenvalues_and_triangles() {
    let symmetric = |v: &Tensor| {
        let a = v.reshape(&[2, 2]);
        &a + a.t() + Tensor::from([[1.0f64, 0.0], [0.0, 4.0]])
    };
    check(move |v| linalg::eigvalsh(&symmetric(&v)), vector());
    check(move |v| linalg::slogdet(&symmetric(&v)).1, vector());
    check(
        move |v| {
            linalg::solve_triangular(
                &v.exp().reshape(&[2, 2]),
                &v.get(0..2).reshape(&[2, 1]),
                linalg::Triangle::Lower,
            )
        },
        vector(),
    );
}

#[test]
fn of_tapes_and_batches_and_hessians() {
    let f = |v: Tensor| if v.sum().greater(0.0).item::<bool>() { v.exp() } else { v.sin() };
    let (_, tape) = Tape::record(f, (vector(),));
    let ones = || (Tensor::ones(&[4], DType::F64),);
    let (y, d) = jet(tape.clone(), (vector(),), &[ones(), (vector(),)]);
    let want = vector().exp() * (vector() + 1.0);
    assert!(
        y.allclose(vector().exp(), 1e-12, 0.0).item::<bool>()
            && d[1].allclose(want, 1e-12, 0.0).item::<bool>()
    );
    // Reads are known inside a jet too.
    let (y, _) = jet(f, (-vector(),), &[ones()]);
    assert!(y.allclose((-vector()).sin(), 1e-12, 0.0).item::<bool>());
    // A quadratic form of the Hessian is the second derivative along a line.
    let g = |v: Tensor| (v.sin() * v.exp()).sum() * v.sum();
    let w = vector().cos();
    let h = hessian(g)(vector());
    let zeros = (Tensor::zeros(&[4], DType::F64),);
    let second = jit(move |v: Tensor, w: Tensor| jet(g, (v,), &[(w,), zeros.clone()]).1.swap_remove(1));
    assert!((second(vector(), w.clone()) - w.dot(&h.dot(&w))).abs().item::<f64>() < 1e-10);
    let rows = Tensor::from([[0.1f64, 0.2, 0.3, 0.4], [1.0, -0.5, 0.25, 0.0]]);
    let batch = vmap(move |w: Tensor| second(vector(), w))(rows.clone());
    for k in 0..2 {
        let w = rows.get(k);
        assert!((batch.get(k) - w.dot(&h.dot(&w))).abs().item::<f64>() < 1e-10);
    }
    let third = grad(|v: Tensor| jet(|v: Tensor| v.sin(), (v,), &[(x(1.0),), (x(0.0),)]).1.swap_remove(1));
    assert!((third(x(0.4)).item::<f64>() + 0.4f64.cos()).abs() < 1e-12);
}

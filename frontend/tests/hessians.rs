//! Second derivatives by chosen arguments: whole, as products with vectors, of complex functions, in chunks.

use wengert::{
    ARG0, ARG1, ARG2, DType, Tensor, Tree, fori_loop, grad, hessian, hvp, hvp_wrt, jacfwd, jacrev, jit, tree,
    vmap,
};

fn v(values: &[f64]) -> Tensor {
    Tensor::from(values)
}

#[track_caller]
fn close(a: &Tensor, b: &Tensor) {
    assert_eq!(a.ty(), b.ty());
    let parts = |t: &Tensor| match t.dtype().is_complex() {
        true => [t.real().to_vec::<f64>(), t.imag().to_vec::<f64>()].concat(),
        false => t.to_vec::<f64>(),
    };
    for (x, y) in parts(a).iter().zip(&parts(b)) {
        assert!((x - y).abs() <= 1e-9 * (1.0 + y.abs()), "{a} is not {b}");
    }
}

#[track_caller]
fn same<T: Tree>(a: &T, b: &T) {
    let (a, b) = (tree::leaves(a), tree::leaves(b));
    assert_eq!(a.len(), b.len());
    a.iter().zip(&b).for_each(|(a, b)| close(a, b));
}

/// The message of what panics.
fn message<R>(f: impl FnOnce() -> R) -> String {
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| drop(f()))).expect_err("it fails");
    caught.downcast::<String>().map_or("?".into(), |s| *s)
}

/// Two arguments of one type, which it is not symmetric in.
fn f(x: Tensor, y: Tensor) -> Tensor {
    (x.sin() * y.square()).sum() + x.prod() * y.get(0).exp()
}

fn at() -> (Tensor, Tensor) {
    (v(&[0.4, -1.3, 0.8]), v(&[0.7, 0.2, -0.5]))
}

#[test]
fn by_other_arguments() {
    let (x, y) = at();
    let want = jacfwd(jacrev(f).wrt(ARG1)).wrt(ARG1)(x.clone(), y.clone());
    close(&want, &jacrev(grad(f).wrt(ARG1)).wrt(ARG1)(x.clone(), y.clone()));
    close(&hessian(f).wrt(ARG1)(x.clone(), y.clone()), &want);
    close(&jit(hessian(f).wrt(ARG1))(x.clone(), y.clone()), &want);
    close(&hessian(f).wrt(ARG0)(x.clone(), y.clone()), &hessian(f)(x.clone(), y.clone()));
    // All blocks: rows are those of what the gradient is by.
    let all = jacrev(grad(f).wrt((ARG1, ARG0))).wrt((ARG1, ARG0))(x.clone(), y.clone());
    let got = hessian(f).wrt((ARG1, ARG0))(x.clone(), y.clone());
    same(&got, &all);
    close(&got.0.0, &want);
    close(&got.0.1, &got.1.0.t());
    same(&jit(hessian(f).wrt((ARG1, ARG0)))(x.clone(), y.clone()), &all);
    let rows = |t: &Tensor| tree::stack(&[t.clone(), t * 0.5]);
    let batch = vmap(hessian(f).wrt((ARG1, ARG0)))(rows(&x), rows(&y));
    same(&tree::map(&batch, |t| t.get(0)), &all);
    let half = hessian(f).wrt((ARG1, ARG0))(&x * 0.5, &y * 0.5);
    same(&tree::map(&jit(vmap(hessian(f).wrt((ARG1, ARG0))))(rows(&x), rows(&y)), |t| t.get(1)), &half);
    // Differentiated once more, and clones are the same.
    let trace = |x: Tensor, y: Tensor| hessian(f).wrt(ARG1)(x, y).diag(0).sum();
    let by_hand = |x: Tensor, y: Tensor| jacrev(grad(f).wrt(ARG1)).wrt(ARG1)(x, y).diag(0).sum();
    same(
        &grad(trace).wrt((ARG0, ARG1))(x.clone(), y.clone()),
        &grad(by_hand).wrt((ARG0, ARG1))(x.clone(), y.clone()),
    );
    let h = hessian(f);
    close(&h.clone()(x.clone(), y.clone()), &h(x, y));
}

#[derive(Clone, Tree)]
struct Params {
    w: Tensor,
    b: Vec<Tensor>,
}

#[test]
fn of_trees_by_trees() {
    let f = |n: Tensor, p: Params, x: Tensor| {
        let y = (p.w.matmul(&x) + &p.b[0]).tanh() * n.astype(DType::F64);
        ((&y * &y).sum(), vec![&y * p.b[1].exp()])
    };
    let p =
        Params { w: v(&[0.3, -0.2, 0.5, 0.1]).reshape(&[2, 2]), b: vec![v(&[0.1, -0.3]), v(&[0.2, 0.6])] };
    let args = || (Tensor::from(2i32), p.clone(), v(&[0.9, -1.1]));
    let (n, p, x) = args();
    let want = jacrev(jacfwd(f).wrt((ARG1, ARG2))).wrt((ARG1, ARG2))(n.clone(), p.clone(), x.clone());
    let got = hessian(f).wrt((ARG1, ARG2))(n.clone(), p.clone(), x.clone());
    same(&got, &want);
    assert_eq!(got.1[0].0[".w"].1.shape(), [2, 2, 2, 2]);
    same(&jit(hessian(f).chunk_size(2).wrt((ARG1, ARG2)))(n, p, x), &want);
    // The integer is nothing to differentiate by, and is not asked for.
    let (n, p, x) = args();
    let said = message(|| hessian(f)(n, p, x));
    assert!(said.contains("`arg0` is tensor<i32>") && said.contains("hessians.rs"), "{said}");
}

#[test]
fn of_complex_functions() {
    let f = |w: Tensor, z: Tensor| (&z * &z * &z * &w).exp() / &z;
    let z = Tensor::complex(&v(&[0.3, -0.7]), &v(&[0.8, 0.2]));
    let w = Tensor::complex(&v(&[0.5, 0.1]), &v(&[-0.2, 0.4]));
    let sum = move |w: Tensor, z: Tensor| f(w, z).sum();
    let want = jacfwd(jacrev(sum).holomorphic()).holomorphic()(w.clone(), z.clone());
    assert!(want.dtype().is_complex());
    close(&hessian(sum).holomorphic()(w.clone(), z.clone()), &want);
    // d2/dw2 of exp(z^3 w) / z is z^5 exp(z^3 w).
    close(&want.diag(0), &((&z * &z * &z * &w).exp() * z.powi(5)));
    let want = jacrev(grad(sum).holomorphic().wrt(ARG1)).holomorphic().wrt(ARG1)(w.clone(), z.clone());
    close(&jit(hessian(sum).holomorphic().wrt(ARG1))(w.clone(), z.clone()), &want);
    close(&hessian(sum).chunk_size(1).holomorphic().wrt(ARG1)(w.clone(), z.clone()), &want);
    let said = message(|| hessian(sum)(w.clone(), z.clone()));
    assert!(said.contains("must be a float tensor") && said.contains("in `hessian` built at"), "{said}");
    let said = message(|| hessian(f).holomorphic()(v(&[1.0, 1.0]), z));
    assert!(said.contains("holomorphic function has complex arguments"), "{said}");
}

/// Both derivatives are taken in chunks.
#[test]
fn in_chunks() {
    let f = |x: Tensor| fori_loop(0, 3, |_, y: Tensor| (&y * x.sum()).sin() + &x, x.clone()).square().sum();
    let x = Tensor::linspace(0.1, 1.3, 13, DType::F64);
    let want = hessian(f)(x.clone());
    close(&want, &jacrev(grad(f))(x.clone()));
    for chunk in [1, 4, 13, 100] {
        close(&hessian(f).chunk_size(chunk)(x.clone()), &want);
        close(&jit(hessian(f).chunk_size(chunk))(x.clone()), &want);
        close(&vmap(hessian(f).chunk_size(chunk))(x.expand_dims(0)).get(0), &want);
    }
    // Of a function with several results the inner derivative has a basis too, which the outer one's chunks say nothing of.
    let g = |x: Tensor| x.sin() * x.get(0);
    let text = |chunk: usize| jit(hessian(g).chunk_size(chunk)).trace((x.clone(),)).unwrap().to_string();
    assert!(text(4).contains("tensor<4x4x13xf64>"), "{}", text(4));
    let said = std::panic::catch_unwind(|| hessian(g).chunk_size(0)).err().expect("it fails");
    assert!(said.downcast_ref::<&str>().is_some_and(|s| s.contains("at least one vector")));
}

/// Products with vectors by chosen arguments are those of the blocks of the Hessian.
#[test]
fn products_by_other_arguments() {
    let (x, y) = at();
    let (vx, vy) = (v(&[1.0, -2.0, 0.5]), v(&[0.3, 0.7, -1.1]));
    let ((xx, xy), (yx, yy)) = hessian(f).wrt((ARG0, ARG1))(x.clone(), y.clone());
    close(&hvp_wrt(f, ARG1, at(), vy.clone()), &yy.matmul(&vy));
    close(&hvp_wrt(f, ARG0, at(), vx.clone()), &xx.matmul(&vx));
    let (hy, hx) = hvp_wrt(f, (ARG1, ARG0), at(), (vy.clone(), vx.clone()));
    close(&hx, &(xx.matmul(&vx) + xy.matmul(&vy)));
    close(&hy, &(yx.matmul(&vx) + yy.matmul(&vy)));
    same(&(hx, hy), &hvp(f, at(), (vx, vy.clone())));
    let of = |x: Tensor, y: Tensor, v: Tensor| hvp_wrt(f, ARG1, (x, y), v);
    close(&jit(of)(x.clone(), y.clone(), vy.clone()), &yy.matmul(&vy));
    let rows = Tensor::eye(3, DType::F64);
    close(&vmap(of).in_axes([None, None, Some(0)])(x.clone(), y.clone(), rows), &yy);
    let norm = move |y: Tensor| hvp_wrt(f, ARG1, (x.clone(), y), vy.clone()).square().sum();
    wengert::check_grads(norm, (y,), 2).unwrap();

    // Of a tree, whose integers have no second derivatives.
    let f = |x: Tensor, p: (Tensor, Vec<Tensor>)| (x * &p.0 * &p.1[0] * p.1[1].astype(DType::F64)).sum();
    let p = || (v(&[1.0, 2.0]), vec![v(&[3.0, 4.0]), Tensor::from(2i32)]);
    let args = || (v(&[5.0, 6.0]), p());
    let h = hvp_wrt(f, ARG1, args(), (v(&[1.0, 0.0]), vec![v(&[0.0, 10.0]), Tensor::from(0i32)]));
    assert_eq!((h.0.to_vec::<f64>(), h.1[0].to_vec::<f64>()), (vec![0.0, 120.0], vec![10.0, 0.0]));
    assert_eq!(h.1[1].item::<i32>(), 0);

    let said = message(|| hvp_wrt(f, ARG1, args(), (v(&[1.0, 0.0]), vec![v(&[0.0, 10.0])])));
    assert!(said.contains("{.0, .1[0]}") && said.contains("{.0, .1[0], .1[1]}"), "{said}");
    assert!(said.contains("hessians.rs"), "{said}");
    let said = message(|| hvp_wrt(f, ARG0, args(), v(&[1.0])));
    assert!(
        said.contains("the vector of `the chosen argument` is tensor<1xf64>, and that is tensor<2xf64>"),
        "{said}"
    );
    let said = message(|| hvp_wrt(f, (ARG0, ARG0), args(), (v(&[1.0, 0.0]), v(&[1.0, 0.0]))));
    assert!(said.contains("argument 0 is chosen twice") && said.contains("hessians.rs"), "{said}");
    let said = message(|| hvp_wrt(|x: Tensor| x, ARG0, (v(&[1.0]),), v(&[1.0])));
    assert!(said.contains("must be a float scalar"), "{said}");
}

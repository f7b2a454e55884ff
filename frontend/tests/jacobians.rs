//! Jacobians of trees, linear functions, auxiliary results, trees mapped together, and what is checked of users' derivatives.

use std::collections::BTreeMap;
use wengert::{
    ARG0, ARG1, DType, Tensor, Tree, check_grads, custom_jvp, custom_vjp, eval_shape, fori_loop, grad,
    hessian, hvp, io_callback, jacfwd, jacrev, jit, jvp, linear_transpose, linearize, sparse_jacobian, tree,
    value_and_grad, vjp, vmap, while_loop,
};

fn v(values: &[f64]) -> Tensor {
    Tensor::from(values)
}

#[track_caller]
fn close(a: &Tensor, b: &Tensor) {
    assert_eq!(a.ty(), b.ty());
    let (x, y) = (a.to_vec::<f64>(), b.to_vec::<f64>());
    for (x, y) in x.iter().zip(&y) {
        assert!((x - y).abs() <= 1e-9 * (1.0 + y.abs()), "{a} is not {b}");
    }
}

/// The message of what panics.
fn message<R>(f: impl FnOnce() -> R) -> String {
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| drop(f()))).expect_err("it fails");
    match caught.downcast::<String>() {
        Ok(s) => *s,
        Err(other) => other.downcast::<wengert::Error>().map_or("?".into(), |e| e.to_string()),
    }
}

#[derive(Clone, Tree)]
struct Params {
    w: Tensor,
    b: Tensor,
}

#[derive(Clone, Tree)]
struct Out {
    y: Tensor,
    energy: Vec<Tensor>,
}

fn layer(p: Params, x: Tensor) -> Out {
    let y = (p.w.matmul(&x) + &p.b).tanh();
    Out { energy: vec![(&y * &y).sum(), (&p.w * &p.w).sum() * x.sum()], y }
}

fn params() -> (Params, Tensor) {
    (
        Params { w: Tensor::from([[0.3f64, -0.2, 0.5], [0.1, 0.7, -0.4]]), b: v(&[0.05, -0.3]) },
        v(&[0.9, -1.1, 0.4]),
    )
}

/// Every block of a Jacobian of [`layer`] against tangents one by one.
#[test]
fn of_trees_to_trees() {
    let (p, x) = params();
    let all = [
        ("forward", jacfwd(layer).wrt((ARG0, ARG1))(p.clone(), x.clone())),
        ("reverse", jacrev(layer).wrt((ARG0, ARG1))(p.clone(), x.clone())),
        ("forward, compiled", jit(jacfwd(layer).wrt((ARG0, ARG1)))(p.clone(), x.clone())),
        ("reverse, compiled", jit(jacrev(layer).wrt((ARG0, ARG1)))(p.clone(), x.clone())),
        ("by one", jacfwd(layer).chunk_size(1).wrt((ARG0, ARG1))(p.clone(), x.clone())),
        ("by two", jit(jacrev(layer).chunk_size(2).wrt((ARG0, ARG1)))(p.clone(), x.clone())),
        ("by four", jit(jacfwd(layer).chunk_size(4).wrt((ARG0, ARG1)))(p.clone(), x.clone())),
    ];
    let args = (p, x);
    let inputs = tree::leaves(&args);
    for (name, j) in &all {
        assert_eq!(j.len(), 3, "{name}");
        let shapes: Vec<Vec<usize>> =
            tree::leaves(&j[".energy[1]"]).iter().map(|t| t.shape().to_vec()).collect();
        assert_eq!(shapes, [vec![2, 3], vec![2], vec![3]], "{name}");
        for (i, input) in inputs.iter().enumerate() {
            for e in 0..input.len() {
                let mut k = 0;
                let tangent = tree::map(&args, |t| {
                    k += 1;
                    let mut unit = vec![0.0; t.len()];
                    if k - 1 == i {
                        unit[e] = 1.0;
                    }
                    v(&unit).reshape(&t.shape().iter().map(|&n| n as isize).collect::<Vec<_>>())
                });
                let (_, dy) = jvp(layer, args.clone(), tangent);
                for (r, dy) in tree::leaves(&dy).iter().enumerate() {
                    let block = tree::leaves(&j[r])[i].reshape(&[dy.len() as isize, input.len() as isize]);
                    close(&block.get((.., e)), &dy.flatten());
                }
            }
        }
    }
}

#[test]
fn of_loops_branches_and_nothing() {
    // A loop whose trips depend on values keeps rows of unknown number for reverse mode.
    let newton = |a: Tensor| {
        let b = a.clone();
        while_loop(|y: Tensor| (&y * &y).sum().less(50.0), move |y: Tensor| &y * 1.5 + b.sin() * 0.1, a)
    };
    let at = || v(&[0.7, 1.3, -0.4]);
    let forward = jacfwd(newton)(at());
    for j in [jacrev(newton)(at()), jit(jacfwd(newton))(at()), jit(jacrev(newton))(at())] {
        close(&j, &forward);
    }
    close(&jacrev(newton).chunk_size(2)(at()), &forward);
    let counted = |a: Tensor| fori_loop(0, 4, |_, y: Tensor| (&y * &a).sin() + y.sum(), a.clone());
    close(&jacrev(counted)(at()), &jacfwd(counted)(at()));
    close(&vmap(jacrev(counted))(tree::stack(&[at(), at()])).get(1), &jacfwd(counted)(at()));
    // No element of argument or result.
    let nothing = |x: Tensor| x.sin();
    assert_eq!(jacfwd(nothing)(v(&[])).shape(), [0, 0]);
    assert_eq!(jit(jacrev(nothing))(v(&[])).shape(), [0, 0]);
    let one = |x: Tensor| x.get(0) * 3.0;
    assert_eq!(jacfwd(one)(v(&[1.0])).shape(), [1]);
    assert_eq!(jacrev(one)(v(&[1.0])).to_vec::<f64>(), [3.0]);
}

/// Of third order, stacks with a row for each trip of a loop are added, whose number nobody knows: all together.
#[test]
fn third_derivatives_of_a_loop_are_a_batch() {
    let f = |a: Tensor| {
        let b = a.clone();
        while_loop(
            |y: Tensor| (&y * &y).sum().less(50.0),
            move |y: Tensor| &y * (y.sin() * 0.1 + 1.5) * b.cosh() + (&b * y.sum()).tanh() * 0.1,
            a,
        )
    };
    let at = || v(&[0.7, 1.3, -0.4]);
    let (forward, reverse) = (jit(jacfwd(jacrev(jacrev(f)))), jit(jacrev(jacrev(jacrev(f)))));
    for program in [&forward, &reverse] {
        assert!(program.trace((at(),)).unwrap().example_by_example().is_empty());
    }
    close(&reverse(at()), &forward(at()));
    close(&jacrev(jacrev(jacrev(f)))(at()), &forward(at()));
}

/// What has no batch is applied to one vector of a basis after the other, which the program says as it does of examples.
#[test]
fn what_is_taken_one_by_one_is_said() {
    let line = line!() + 1;
    let heard = custom_vjp(
        |x: Tensor| x.sin(),
        |(x,): (Tensor,)| (x.sin(), x),
        |x: Tensor, g: Tensor| {
            let same = io_callback(|g: Tensor| g, &g, (g.clone(),));
            (same * x.cos(),)
        },
    );
    let at = || v(&[0.7, 1.3, -0.4]);
    let one_by_one = jit(jacrev(heard));
    let program = one_by_one.trace((at(),)).unwrap();
    let said = program.example_by_example();
    assert_eq!(said.len(), 1, "{said:?}");
    let call = format!("stablehlo.custom_call at \"frontend/tests/jacobians.rs\":{line}:");
    assert!(said[0].contains(&call), "{said:?}");
    let page = program.explain_html("page").unwrap();
    assert!(page.contains("One example of a batch after the other: stablehlo.custom_call"));
    close(&one_by_one(at()), &at().cos().diag(0));
}

#[test]
fn second_derivatives_of_trees() {
    let f = |p: Params, x: Tensor| layer(p, x).energy.remove(0);
    let (p, x) = params();
    let h = hessian(f)(p.clone(), x.clone());
    assert_eq!(h[".w"].b.shape(), [2, 3, 2]);
    assert_eq!(h[".b"].w.shape(), [2, 2, 3]);
    close(&h[".w"].b.reshape(&[6, 2]), &h[".b"].w.reshape(&[2, 6]).t());
    // The product with a vector, of all arguments together.
    let (pv, xv) = (Params { w: p.w.sin(), b: p.b.cos() }, v(&[0.0; 3]));
    let (hv, _) = hvp(f, (p.clone(), x.clone()), (pv.clone(), xv.clone()));
    let of = |a: &Tensor, b: &Tensor| a.reshape(&[2, 6]).matmul(&b.flatten());
    close(&hv.b, &(of(&h[".b"].w, &pv.w) + h[".b"].b.matmul(&pv.b)));
    let compiled = jit(move |p: Params, x: Tensor| hvp(f, (p, x), (pv.clone(), xv.clone())).0);
    close(&compiled(p, x).b, &hv.b);
}

#[test]
fn holomorphic_functions() {
    let f = |z: Tensor| (&z * &z * &z).exp() / &z;
    let z = Tensor::complex(&v(&[0.3, -0.7]), &v(&[0.8, 0.2]));
    // f' = f (3 z^2 - 1/z).
    let want = f(z.clone()) * ((&z * &z) * 3.0 - z.recip());
    let forward = jacfwd(f).holomorphic()(z.clone());
    let reverse = jit(jacrev(f).holomorphic())(z.clone());
    for j in [&forward, &reverse] {
        let (re, im) = (j.diag(0).real(), j.diag(0).imag());
        close(&re, &want.real());
        close(&im, &want.imag());
        assert_eq!(j.get((0, 1)).to_vec::<(f64, f64)>(), [(0.0, 0.0)]);
    }
    let one = grad(f).holomorphic()(z.get(0));
    close(&one.real(), &want.get(0).real());
    close(&one.imag(), &want.get(0).imag());
    let real = message(|| grad(|x: Tensor| x).holomorphic()(Tensor::from(1.0f64)));
    assert!(real.contains("complex scalar"), "{real}");
    let real = message(|| jacrev(f)(z.clone()));
    assert!(real.contains("must be a float tensor"), "{real}");
    let real = message(|| jacfwd(|z: Tensor| z.abs())(z));
    assert!(real.contains("holomorphic"), "{real}");
}

/// Basis vectors are real; what they become need not be, as in JAX.
#[test]
fn complex_numbers_on_one_side() {
    // A turn: its derivative by the angle is i times itself.
    let turned = |x: Tensor| Tensor::complex(&x.cos(), &x.sin());
    let x = v(&[0.3, -0.7]);
    for j in [jacfwd(turned)(x.clone()), jit(jacfwd(turned))(x.clone())] {
        close(&j.real(), &(-x.sin()).diag(0));
        close(&j.imag(), &x.cos().diag(0));
    }
    // |z|^2 of a linear map: a row is the gradient of an element.
    let energies = |z: Tensor| (&z * z.sum()).abs().square();
    let z = Tensor::complex(&v(&[0.3, -0.7]), &v(&[0.8, 0.2]));
    let j = jit(jacrev(energies))(z.clone());
    for k in 0..2 {
        let row = grad(move |z: Tensor| energies(z).get(k as isize))(z.clone());
        close(&j.get(k as isize).real(), &row.real());
        close(&j.get(k as isize).imag(), &row.imag());
    }
    let said = message(|| jacrev(turned)(v(&[1.0])));
    assert!(said.contains("must be a float tensor"), "{said}");
    let said = message(|| jacfwd(energies)(z));
    assert!(said.contains("`jacrev`"), "{said}");
}

#[test]
fn auxiliary_results() {
    let f = |x: Tensor, y: Tensor| ((&x * &y).sum(), vec![x.sin(), y.argmax(0)]);
    let args = || (v(&[1.0, 2.0]), v(&[3.0, 4.0]));
    for compiled in [false, true] {
        let (x, y) = args();
        let (dx, aux) = if compiled { jit(grad(f).aux())(x, y) } else { grad(f).aux()(x, y) };
        assert_eq!((dx.to_vec::<f64>(), aux[1].item::<i32>()), (vec![3.0, 4.0], 1));
        close(&aux[0], &v(&[1.0, 2.0]).sin());
        let (x, y) = args();
        let g = value_and_grad(f).aux().wrt((ARG1, ARG0));
        let ((value, aux), (dy, dx)) = if compiled { jit(g)(x, y) } else { g(x, y) };
        assert_eq!((value.item::<f64>(), aux.len()), (11.0, 2));
        assert_eq!((dx.to_vec::<f64>(), dy.to_vec::<f64>()), (vec![3.0, 4.0], vec![1.0, 2.0]));
    }
    // What is returned beside the number may be differentiated by an outer transform.
    let outer = |x: Tensor| grad(|x: Tensor| (x.powi(3), x.powi(2))).aux()(x).1;
    assert_eq!(grad(outer)(Tensor::from(3.0f64)).item::<f64>(), 6.0);
}

#[test]
fn linear_functions() {
    let f = |x: Tensor, n: Tensor| (x.sin() * &x, x.sum() * n.astype(DType::F64));
    let args = || (v(&[0.3, 0.9]), Tensor::from(3i32));
    let t = || (v(&[1.0, -2.0]), Tensor::from(0i32));
    let want = jvp(f, args(), t()).1;
    let (y, df) = linearize(f, args());
    close(&y.0, &f(args().0, args().1).0);
    for _ in 0..2 {
        let got = df.call(t());
        close(&got.0, &want.0);
        close(&got.1, &want.1);
    }
    let ct = || (v(&[0.5, 0.25]), Tensor::from(2.0f64));
    close(&df.transpose().call(ct()).0, &vjp(f, args()).1.call(ct()).0);
    // Under other transforms: of each of a batch of tangents, compiled, and differentiated again.
    let mapped = jit(move |ts: Tensor| {
        let (_, df) = linearize(f, args());
        vmap(move |t: Tensor| df.call((t, Tensor::from(0i32))).0)(ts)
    });
    close(&mapped(tree::stack(&[v(&[1.0, -2.0]), v(&[0.0, 0.0])])).get(0), &want.0);
    let second = grad(|x: Tensor| linearize(|x: Tensor| x.powi(3), (x,)).1.call((Tensor::from(1.0f64),)));
    assert_eq!(second(Tensor::from(2.0f64)).item::<f64>(), 12.0);

    let linear = |x: Tensor, k: Tensor| (x.cumsum(0) * k.astype(DType::F64), x.get(0));
    let back = linear_transpose(linear, (v(&[0.0; 3]), Tensor::from(2i32)));
    let (dx, dk) = back.call((v(&[1.0, 2.0, 3.0]), Tensor::from(10.0f64)));
    assert_eq!((dx.to_vec::<f64>(), dk.item::<i32>()), (vec![22.0, 10.0, 6.0], 0));
    let captured = v(&[1.0, 2.0, 3.0]).astype(DType::F64);
    let twice = jit(move |ct: Tensor| {
        let c = captured.clone();
        linear_transpose(move |x: Tensor| (&x * &c).sum(), (v(&[0.0; 3]),)).call(ct).0
    });
    assert_eq!(twice(Tensor::from(2.0f64)).to_vec::<f64>(), [2.0, 4.0, 6.0]);
    for (name, f) in [
        ("sine", (|x: Tensor| x.sin()) as fn(Tensor) -> Tensor),
        ("multiply", |x| &x * &x),
        ("", |x| x + 1.0),
    ] {
        let error = message(|| linear_transpose(f, (v(&[1.0]),)).call(v(&[1.0])));
        assert!(error.contains(name) && error.contains("linear"), "{error}");
    }
    let error = message(|| df.call((v(&[1.0]), Tensor::from(0i32))));
    assert!(error.contains("the tangent of `arg0`"), "{error}");
}

#[test]
fn shapes_without_values() {
    let f = |x: Tensor| Out { y: x.matmul(&x), energy: vec![x.argmax(0)] };
    let types = eval_shape(f, (Tensor::zeros(&[3, 3], DType::F32),));
    let shown: Vec<(&str, String)> = types.iter().map(|(name, t)| (name, t.0.to_string())).collect();
    assert_eq!(shown, [(".y", "tensor<3x3xf32>".to_owned()), (".energy[0]", "tensor<3xi32>".to_owned())]);
}

/// Arguments that have types only: asked about, never computed with.
#[test]
fn placeholders() {
    let huge = || Tensor::placeholder(&[1 << 30, 1 << 20], DType::F32);
    let types = eval_shape(|a: Tensor, b: Tensor| (a.t().matmul(&b), b.get(0).sum()), (huge(), huge()));
    assert_eq!(types.0.0.to_string(), format!("tensor<{0}x{0}xf32>", 1 << 20));
    assert_eq!(types.1.0.to_string(), "tensor<f32>");
    assert_eq!(Tensor::placeholder(&[2], DType::I8).to_string(), "placeholder tensor<2xi8>");
    // Under transforms, and of those.
    let f = |x: Tensor, y: Tensor| (&x * y.sin()).sum();
    let at = || (Tensor::placeholder(&[3], DType::F64), Tensor::placeholder(&[3], DType::F64));
    assert_eq!(eval_shape(hessian(f).wrt(ARG1), at()).0.shape[..], [3, 3]);
    assert_eq!(eval_shape(vmap(grad(f)), (huge(), huge())).0.shape[..], [1 << 30, 1 << 20]);
    let compiled = jit(grad(f));
    assert_eq!(
        compiled.trace(at()).unwrap().to_string(),
        compiled.trace((v(&[0.0; 3]), v(&[0.0; 3]))).unwrap().to_string()
    );
    let prepared = compiled.prepare(&at()).unwrap();
    assert_eq!(prepared.call(&(v(&[1.0; 3]), v(&[0.0; 3]))).unwrap().to_vec::<f64>(), [0.0; 3]);
    // What computes says what is wrong.
    let says = |said: String| assert!(said.contains("has a shape and no elements"), "{said}");
    says(prepared.call(&at()).unwrap_err().to_string());
    says(compiled.try_call(at()).unwrap_err().to_string());
    says(
        compiled
            .trace(at())
            .unwrap()
            .lower()
            .unwrap()
            .compile()
            .unwrap()
            .call(&[at().0, at().1])
            .unwrap_err()
            .to_string(),
    );
    says(message(|| f(at().0, at().1)));
    says(message(|| at().0.to_vec::<f64>()));
    says(message(|| grad(f)(at().0, at().1)));
    says(message(|| jit(move |x: Tensor| x * Tensor::placeholder(&[3], DType::F64))(v(&[0.0; 3]))));
    let said = message(|| at().0 + at().1);
    assert!(said.contains("add") && said.contains("jacobians.rs"), "{said}");
}

#[test]
fn trees_together() {
    let a: BTreeMap<String, Tensor> = [("x".into(), v(&[1.0])), ("y".into(), v(&[2.0]))].into();
    let b = tree::map(&a, |t| t * 10.0);
    assert_eq!(tree::map2(&a, &b, |a, b| a + b)["y"].to_vec::<f64>(), [22.0]);
    assert_eq!(tree::map3(&a, &b, &b, |a, b, c| a + b + c)["x"].to_vec::<f64>(), [21.0]);
    assert_eq!(tree::map_n(&[&a, &b], |t| t[0] - t[1])["x"].to_vec::<f64>(), [-9.0]);
    let other: BTreeMap<String, Tensor> = [("x".into(), v(&[1.0])), ("z".into(), v(&[2.0]))].into();
    let error = message(|| tree::map2(&a, &other, |a, _| a.clone()));
    assert!(
        error.contains("[\"y\"]") && error.contains("[\"z\"]") && error.contains("jacobians.rs"),
        "{error}"
    );
    let error = message(|| tree::map_n::<Tensor>(&[], |t| t[0].clone()));
    assert!(error.contains("no tree"), "{error}");

    let t = (Tensor::from([[1.0f32, 2.0]]), vec![Tensor::from(3i32)], Tensor::from(4.0f64));
    let (flat, unravel) = tree::ravel(&t);
    assert_eq!(flat.to_vec::<f64>(), [1.0, 2.0, 3.0, 4.0]);
    let back = unravel.call(&(&flat * 2.0));
    assert_eq!((back.0.ty(), back.1[0].item::<i32>()), (t.0.ty(), 6));
    assert!(message(|| unravel.call(&v(&[1.0]))).contains("the vector is"));
    let (leaves, structure) = tree::flatten(&t);
    assert_eq!((leaves.len(), structure.to_string()), (3, "{.0, .1[0], .2}".to_owned()));
    assert!(structure.unflatten(leaves[1..].to_vec()).is_err());
    assert_eq!(tree::ravel(&()).0.shape(), [0]);
    // A whole model as one vector, as optimizers of vectors want it.
    let (p, x) = params();
    let (flat, unravel) = tree::ravel(&p);
    let loss = move |flat: Tensor| layer(unravel.call(&flat), x.clone()).energy.remove(0);
    assert_eq!(jit(hessian(loss))(flat).shape(), [8, 8]);

    let examples = [(v(&[1.0, 2.0]), Tensor::from(1i32)), (v(&[3.0, 4.0]), Tensor::from(2i32))];
    let batch = tree::stack(&examples);
    assert_eq!(batch.0.shape(), [2, 2]);
    assert_eq!(tree::unstack(&batch)[1].1.item::<i32>(), 2);
    assert!(message(|| tree::unstack(&(v(&[1.0]), Tensor::from(1.0f64)))).contains(".1"));
    assert!(message(|| tree::unstack(&(v(&[1.0]), v(&[1.0, 2.0])))).contains("2 rows"));
}

#[test]
fn derivatives_of_users() {
    let at = || (v(&[0.3, -0.8]), v(&[1.5, 0.2]));
    check_grads(|x: Tensor, y: Tensor| (x.sin() * &y, (x / y).sum()), at(), 3).unwrap();
    check_grads(|x: Tensor| x.sin(), (Tensor::from([0.5f32, 0.7]),), 2).unwrap();
    let complex = |z: Tensor| (z.real() * z.imag(), &z * z.conj(), z.exp());
    check_grads(complex, (Tensor::complex(&v(&[0.3]), &v(&[-0.4])),), 2).unwrap();

    let forward =
        custom_jvp(|x: Tensor| x.sin(), |(x,): (Tensor,), (dx,): (Tensor,)| (x.sin(), x.sin() * dx));
    let error = check_grads(forward, (v(&[0.3]),), 1).unwrap_err().to_string();
    assert!(error.contains("order 1, forward mode") && error.contains("jacobians.rs"), "{error}");
    // Right at first, wrong in the second order.
    let second = custom_jvp(
        |x: Tensor| x.sin(),
        |(x,): (Tensor,), (dx,): (Tensor,)| (x.sin(), wengert::stop_gradient(&x.cos()) * dx),
    );
    check_grads(second.clone(), (v(&[0.3]),), 1).unwrap();
    let error = check_grads(second, (v(&[0.3]),), 2).unwrap_err().to_string();
    assert!(error.contains("order 2"), "{error}");
    let reverse_only = custom_vjp(
        |x: Tensor| x.sin(),
        |(x,): (Tensor,)| (x.sin(), x),
        |x: Tensor, ct: Tensor| (ct * x.cos(),),
    );
    // It has no forward mode: the reverse mode is held to differences, and so are its derivatives.
    check_grads(reverse_only, (v(&[0.3, 1.1]),), 3).unwrap();
    let doubled = custom_vjp(
        |x: Tensor| x.sin(),
        |(x,): (Tensor,)| (x.sin(), x),
        |x: Tensor, ct: Tensor| (ct * x.cos() * 2.0,),
    );
    let error = check_grads(doubled, (v(&[0.3]),), 1).unwrap_err().to_string();
    assert!(error.contains("order 1, reverse mode") && error.contains("difference of values"), "{error}");
    let second = custom_vjp(
        |x: Tensor| x.sin(),
        |(x,): (Tensor,)| (x.sin(), wengert::stop_gradient(&x.cos())),
        |cosine: Tensor, ct: Tensor| (ct * cosine,),
    );
    check_grads(second.clone(), (v(&[0.3]),), 1).unwrap();
    let error = check_grads(second, (v(&[0.3]),), 2).unwrap_err().to_string();
    assert!(error.contains("order 2"), "{error}");
    let nan = check_grads(|x: Tensor| x.sqrt(), (v(&[0.0]),), 1).unwrap_err().to_string();
    assert!(nan.contains("order 1"), "{nan}");
}

#[test]
fn transforms_are_cloned() {
    let g = jit(jacrev(vmap(|x: Tensor| x.sin()))).try_call((v(&[0.0]),)).unwrap();
    assert_eq!(g.to_vec::<f64>(), [1.0]);
    let wrt = grad(|x: Tensor, y: Tensor| (x * y).sum()).wrt(ARG1);
    let again = wrt.clone();
    assert_eq!(again(v(&[3.0]), v(&[1.0])).to_vec::<f64>(), wrt(v(&[3.0]), v(&[1.0])).to_vec::<f64>());
    // So are those whose options can still be chosen.
    let f = |x: Tensor| (&x * &x).sum();
    let at = || v(&[3.0]);
    let (gradient, both, batch, forward) = (grad(f), value_and_grad(f), vmap(f), jacfwd(f));
    let (sparse, compiled) = (sparse_jacobian(|x: Tensor| x.sin()), jit(f));
    assert_eq!(gradient.clone()(at()).to_vec::<f64>(), gradient(at()).to_vec::<f64>());
    assert_eq!(both.clone()(at()).1.to_vec::<f64>(), both(at()).1.to_vec::<f64>());
    assert_eq!(batch.clone().in_axes([Some(1)])(v(&[3.0]).expand_dims(0)).to_vec::<f64>(), [9.0]);
    assert_eq!(forward.clone().chunk_size(1)(at()).to_vec::<f64>(), forward(at()).to_vec::<f64>());
    assert_eq!(sparse.clone()(at()).shape(), sparse(at()).shape());
    let _ = compiled.clone()(at());
    assert_eq!(compiled.compiled_signatures(), 1);
}

/// Outside of what is traced, Rust's control flow sees values, as under `grad`.
#[test]
fn control_flow_of_rust_is_differentiated_as_it_went() {
    let f = |x: Tensor| if x.sum().greater(0.0).item::<bool>() { x.sin() } else { &x * 2.0 };
    for at in [1.0f64, -1.0] {
        let want = if at > 0.0 { at.cos() } else { 2.0 };
        assert_eq!(jacfwd(f)(v(&[at])).to_vec::<f64>(), [want]);
        assert_eq!(jacrev(f)(v(&[at])).to_vec::<f64>(), [want]);
        let curved = if at > 0.0 { -at.sin() } else { 0.0 };
        let h = hessian(move |x: Tensor| f(x).sum())(v(&[at])).to_vec::<f64>();
        assert!((h[0] - curved).abs() < 1e-15);
    }
}

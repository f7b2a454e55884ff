//! Mistakes: each must be an error that names the right thing and this file, and says what to do.
use super::*;
use std::collections::BTreeMap;
use std::sync::Mutex;
use wengert::collectives::{all_to_all, axis_index, pmean, psum};
use wengert::{
    ARG0, ARG1, DType, Linearized, Pullback, Tensor, cond, einsum, fori_loop, grad, hessian, hvp, hvp_wrt,
    jacfwd, jacrev, jit, jvp, linalg, linearize, scan, sparse_hessian, sparse_jacobian, switch, tape::Tape,
    tree, value_and_grad, vjp, vmap, while_loop,
};

const HERE: &str = "bad_input.rs";
static LEAKED: Mutex<Option<Tensor>> = Mutex::new(None);
static PULL: Mutex<Option<Pullback<(Tensor,), Tensor>>> = Mutex::new(None);
static LINEAR: Mutex<Option<Linearized<(Tensor,), Tensor>>> = Mutex::new(None);

fn leaked() -> Tensor {
    let x = LEAKED.lock().unwrap().take();
    x.unwrap()
}
fn pull() -> Pullback<(Tensor,), Tensor> {
    let p = PULL.lock().unwrap().take();
    p.unwrap()
}
fn linear() -> Linearized<(Tensor,), Tensor> {
    let p = LINEAR.lock().unwrap().take();
    p.unwrap()
}

#[test]
fn all() {
    case("axes", || {
        let add = |x: Tensor, y: Tensor| x + y;
        let (a, b) = (|| noise_of(&[2, 3], 1), || noise_of(&[4, 3], 2));
        fails_with(
            "sizes that differ",
            jit(vmap(add)).try_call((a(), b())),
            &["2", "4", "arg0", "arg1", HERE],
        );
        fails("sizes that differ, eager", || vmap(add)(a(), b()), &["2", "4", "arg1", HERE]);
        fails(
            "no such axis",
            || vmap(add).in_axes([Some(2), Some(0)])(a(), a()),
            &["arg0", "2", "tensor<2x3xf64>", HERE],
        );
        fails(
            "no such axis from the end",
            || vmap(add).in_axes([Some(-3), Some(0)])(a(), a()),
            &["arg0", "-3", HERE],
        );
        fails("a scalar has no axis", || vmap(add)(s(1.0), a()), &["arg0", "tensor<f64>", HERE]);
        fails("too few entries", || vmap(add).in_axes([Some(0)])(a(), a()), &["1", "2", HERE]);
        fails("too many entries", || vmap(add).in_axes([Some(0), None, None])(a(), a()), &["3", "2", HERE]);
        fails("nothing is mapped", || vmap(add).in_axes([None, None])(a(), a()), &["axis_size", HERE]);
        fails("axis_size says another size", || vmap(add).axis_size(5)(a(), a()), &["5", "2", HERE]);
        fails("an axis of the result", || vmap(add).out_axes(5)(a(), a()), &["5", "result", HERE]);
        fails(
            "a result that differs has no axis",
            || vmap(add).out_axes(None)(a(), a()),
            &["result 0", "axis", HERE],
        );
        fails(
            "axes of leaves: too few",
            || vmap(|p: (Tensor, Tensor), x: Tensor| p.0 + p.1 + x).leaf_axes(0, [Some(0)])((a(), a()), a()),
            &["1", "2", HERE],
        );
        fails("axes of leaves of no argument", || vmap(add).leaf_axes(7, [Some(0)])(a(), a()), &["7", HERE]);
        fails(
            "out axes of leaves: too many",
            || vmap(add).out_leaf_axes([Some(0), Some(0)])(a(), a()),
            &["2", "1", HERE],
        );
        fails(
            "sizes in a tree",
            || {
                vmap(|m: BTreeMap<&'static str, Tensor>| m["left"].sum() + m["right"].sum())(BTreeMap::from(
                    [("left", a()), ("right", b())],
                ))
            },
            &["left", "right", "2", "4", HERE],
        );
        fails(
            "shapes inside name the line inside",
            || vmap(|x: Tensor| x + t(&[1.0, 2.0]))(a()),
            &["tensor<3xf64>", "tensor<2xf64>", HERE],
        );
        fails(
            "a value under vmap",
            || vmap(|x: Tensor| if x.sum().item::<f64>() > 0.0 { x } else { -x })(a()),
            &["item", "vmap", HERE, "cond|select"],
        );
        fails(
            "a value under jit of grad of vmap",
            || jit(grad(|x: Tensor| vmap(|x: Tensor| s(x.sum().item::<f64>()))(x).sum()))(a()),
            &["item", HERE],
        );
        same(
            "a batch of none",
            vmap(add)(Tensor::zeros(&[0, 3], DType::F64), Tensor::zeros(&[0, 3], DType::F64))
                .shape()
                .to_vec(),
            vec![0, 3],
        );
        same(
            "a batch of none, jit vmap hessian",
            jit(vmap(hessian(|x: Tensor| x.prod())))(Tensor::zeros(&[0, 3], DType::F64)).shape().to_vec(),
            vec![0, 3, 3],
        );
        fails(
            "the mean of no examples is no number, or an error",
            || {
                let y = vmap(|x: Tensor| pmean(&x, "i")).axis_name("i").out_axes(None)(t(&[]));
                if y.item::<f64>().is_nan() {
                    panic!("NaN")
                }
            },
            &["NaN|example|0"],
        );
    });
    case("names", || {
        fails("not bound", || psum(&s(1.0), "i"), &["i", "axis_name|vmap", HERE]);
        fails(
            "not bound, others are",
            || vmap(vmap(|x: Tensor| psum(&x, "k")).axis_name("j")).axis_name("i")(mat(1, 1, &[1.0])),
            &["k", "i", "j", HERE],
        );
        fails_with(
            "in a loop",
            jit(|x: Tensor| fori_loop(0, 3, |_, x: Tensor| pmean(&x, "rows"), x)).try_call((s(1.0),)),
            &["rows", HERE],
        );
        fails("index of none", || axis_index("n"), &["n", HERE]);
        fails(
            "a dimension that is not the axis",
            || vmap(|x: Tensor| all_to_all(&x, "i", 0, 0)).axis_name("i")(noise_of(&[3, 2], 1)),
            &["2", "3", HERE],
        );
        fails(
            "a scalar to all",
            || vmap(|x: Tensor| all_to_all(&x, "i", 0, 0)).axis_name("i")(t(&[1.0, 2.0])),
            &["all_to_all|dimension", HERE],
        );
        fails(
            "a loop left at different times",
            || {
                vmap(|x: Tensor| while_loop(|x: Tensor| x.less(5.0), |x: Tensor| psum(&x, "i"), x))
                    .axis_name("i")(t(&[1.0, 9.0]))
            },
            &["i", "while|loop", HERE],
        );
        fails(
            "twice in one list",
            || vmap(|x: Tensor| psum(&x, ("i", "i"))).axis_name("i")(t(&[1.0])),
            &["i", "twice|once|two|same"],
        );
    });
    case("derivatives", || {
        fails(
            "a result that is no scalar",
            || grad(|x: Tensor| x.sin())(t(&[1.0, 2.0])),
            &["tensor<2xf64>", "scalar|one", "jacrev|sum|vjp|jac", HERE],
        );
        fails("an integer result", || grad(|x: Tensor| x.argmax(0))(t(&[1.0, 2.0])), &["i32", "float", HERE]);
        fails(
            "by integers",
            || {
                value_and_grad(|p: (Tensor, Vec<Tensor>)| p.0.sum())((
                    s(1.0),
                    vec![s(1.0), Tensor::from(3i32)],
                ))
            },
            &["arg0.1[1]", "i32", HERE],
        );
        fails("jacfwd of an integer", || jacfwd(|x: Tensor| x.argsort(0))(t(&[1.0, 2.0])), &["i32", HERE]);
        fails(
            "jacrev of an integer leaf of a struct",
            || jacrev(|x: Tensor| (x.sin(), [x.argmax(0)]))(t(&[1.0, 2.0])),
            &["i32", "1", HERE],
        );
        fails(
            "hessian by an integer",
            || hessian(|n: Tensor| n.astype(DType::F64))(Tensor::from(1i32)),
            &["i32", HERE],
        );
        fails(
            "hvp of a vector",
            || hvp(|x: Tensor| x.sin(), (t(&[1.0]),), (t(&[1.0]),)),
            &["tensor<1xf64>|scalar|one", HERE],
        );
        fails(
            "hvp with another vector",
            || hvp(|x: Tensor| x.sin().sum(), (t(&[1.0]),), (t(&[1.0, 2.0]),)),
            &["tensor<2xf64>", "tensor<1xf64>", HERE],
        );
        fails(
            "hvp_wrt twice",
            || hvp_wrt(|x: Tensor, y: Tensor| x * y, (ARG0, ARG0), (s(1.0), s(1.0)), (s(1.0), s(1.0))),
            &["twice|once|arg0|argument 0", HERE],
        );
        fails(
            "a tangent of another type",
            || jit(|x: Tensor| jvp(|x: Tensor| x.sin(), (x,), (Tensor::from(1.0f32),)).1)(s(1.0)),
            &["f32", "f64", HERE],
        );
        fails(
            "a tangent of another length",
            || linearize(|x: Vec<Tensor>| x[0].sin(), (vec![s(1.0)],)).1.call((vec![],)),
            &["[0]|structure|leaves|length", HERE],
        );
        fails(
            "a cotangent of another type",
            || vjp(|x: Tensor| (x.sin(), x.cos()), (s(1.0),)).1.call((s(1.0), Tensor::from(1i32))),
            &["i32", "f64", HERE],
        );
        fails(
            "a cotangent in a batch",
            || {
                let (_, p) = vjp(|x: Tensor| x.sin(), (t(&[1.0, 2.0]),));
                vmap(move |c: Tensor| p.call(c))(t(&[1.0, 2.0]))
            },
            &["tensor<2xf64>", "tensor<f64>", HERE],
        );
        fails("chunks of none", || jacfwd(|x: Tensor| x.sin()).chunk_size(0)(t(&[1.0])), &["0|chunk"]);
        fails(
            "a sparse Hessian of a vector",
            || sparse_hessian(|x: Tensor| x.square())(t(&[1.0, 2.0])),
            &["tensor<2xf64>|scalar|one", HERE],
        );
        fails(
            "sparse by an argument that is no float",
            || sparse_jacobian(|x: Tensor, n: Tensor| x * n).wrt(ARG1)(s(1.0), Tensor::from(1i32)),
            &["i32", HERE],
        );
    });
    case("leaks", || {
        let keep = |x: Tensor| {
            *LEAKED.lock().unwrap() = Some(x.sin());
            x
        };
        let _ = jit(keep)(s(1.0));
        fails("a tracer of jit, used", || leaked() * 2.0, &["jit|trac", HERE]);
        let _ = jit(vmap(keep))(t(&[1.0, 2.0]));
        fails("a tracer of vmap, read", || leaked().to_vec::<f64>(), &["vmap|trac|jit", HERE]);
        let _ = jit(grad(keep))(s(1.0));
        let outside = leaked();
        fails(
            "a tracer in another function",
            move || jit(move |x: Tensor| x * &outside)(s(1.0)),
            &["trac|jit|grad", HERE],
        );
        let _ = scan(
            |c: Tensor, x: Tensor| {
                *LEAKED.lock().unwrap() = Some(&c * &x);
                (c, ())
            },
            s(1.0),
            t(&[1.0, 2.0]),
        );
        fails("a value of a step", || leaked().item::<f64>(), &["scan|loop|step|trac", HERE]);
        let _ = jit(|x: Tensor| {
            let (y, p) = vjp(|x: Tensor| x.sin(), (x,));
            *PULL.lock().unwrap() = Some(p);
            y
        })(s(1.0));
        fails("a leaked pullback", || pull().call(s(1.0)), &["trac|jit|vjp|pullback", HERE]);
        let _ = jit(vmap(|x: Tensor| {
            let (y, p) = linearize(|x: Tensor| x.sin(), (x,));
            *LINEAR.lock().unwrap() = Some(p);
            y
        }))(t(&[1.0]));
        fails("a leaked linear function", || linear().call((s(1.0),)), &["trac|jit|vmap|linearize", HERE]);
    });
    case("control flow", || {
        fails(
            "branches of two types",
            || jit(|x: Tensor| cond(&x.greater(0.0), |x: Tensor| x, |x: Tensor| x.expand_dims(0), x))(s(1.0)),
            &["tensor<f64>", "tensor<1xf64>", HERE],
        );
        fails(
            "branches of two structures",
            || cond(&s(1.0).greater(0.0), |x: Tensor| vec![x], |x: Tensor| vec![x.clone(), x], s(1.0)),
            &["branch|cond|structure|[1]", HERE],
        );
        fails(
            "a predicate that is no scalar",
            || cond(&t(&[1.0, 2.0]).greater(0.0), |x: Tensor| x, |x: Tensor| -x, s(1.0)),
            &["tensor<2xi1>|scalar", HERE],
        );
        fails(
            "a step that changes its type",
            || {
                grad(|x: Tensor| {
                    while_loop(|x: Tensor| x.sum().less(3.0), |x: Tensor| x.astype(DType::F32), x).sum()
                })(t(&[1.0]))
            },
            &["f32", "f64", HERE],
        );
        fails(
            "rows of two lengths",
            || {
                scan(
                    |c: Tensor, (a, b): (Tensor, Tensor)| (c + a * b, ()),
                    s(0.0),
                    (t(&[1.0]), t(&[1.0, 2.0])),
                )
            },
            &["1", "2", HERE],
        );
        fails(
            "a float for an index",
            || {
                let b: [&dyn Fn(Tensor) -> Tensor; 1] = [&|x: Tensor| x];
                switch(&s(1.0), &b, s(1.0))
            },
            &["f64", "integer", HERE],
        );
        fails(
            "matrices that do not fit",
            || jit(vmap(grad(|x: Tensor| x.matmul(&noise_of(&[5, 2], 1)).sum())))(noise_of(&[3, 2, 4], 2)),
            &["4", "5", HERE],
        );
        fails(
            "an einsum that does not fit",
            || einsum("ij,jk->ik", &[&noise_of(&[2, 3], 1), &noise_of(&[4, 2], 1)]),
            &["3", "4", HERE],
        );
        fails(
            "a factor of what is not square",
            || vmap(|x: Tensor| linalg::cholesky(&x))(noise_of(&[2, 3, 4], 1)),
            &["3", "4", HERE],
        );
    });
    case("transforms are named", || {
        let e = jit(vmap(grad(|x: Tensor| x.sin().reshape(&[7]).sum())))
            .try_call((noise_of(&[2, 3], 1),))
            .err()
            .map(|e| e.to_string())
            .unwrap_or_default();
        names("the transforms around", &e, &["reshape", HERE, "grad", "vmap", "jit"]);
        let (_, tape) =
            Tape::record(|x: Tensor| if x.greater(0.0).item::<bool>() { x.sqrt() } else { -x }, (s(4.0),));
        for (name, r) in [
            ("grad of a tape", jit(grad(tape.clone())).try_call((s(-1.0),))),
            ("vmap of a tape", jit(vmap(tape.clone())).try_call((t(&[1.0, -1.0]),)).map(|y| y.get(0))),
            ("a tape replayed", tape.replay((s(-1.0),))),
        ] {
            fails_with(name, r, &["read true", "false", HERE]);
        }
        fails_with("a tape with another type", tape.replay((Tensor::from(1.0f32),)), &["f32", "f64"]);
        fails(
            "trees of two structures",
            || tree::map2(&vec![s(1.0)], &vec![s(1.0), s(2.0)], |a, b| a + b),
            &["[1]"],
        );
        fails("no trees", || tree::stack::<Tensor>(&[]), &["tree|none|no "]);
        fails(
            "a stack of two shapes",
            || tree::stack(&[(s(1.0), t(&[1.0])), (s(1.0), t(&[1.0, 2.0]))]),
            &["tensor<2xf64>|2", ".1|1"],
        );
        let after = jit(|x: Tensor| x.sin());
        closet("all works after all these errors", &after(t(&[0.0])), &[0.0], 0.0);
    });
    finish();
}

//! `vmap`: a function of batches computes what the function computes of each example, under every other transform.

use crate::common;

use common::{close, numbers};
use wengert::*;

type One = fn(Tensor) -> Tensor;

fn weights() -> Tensor {
    Tensor::from([1.0f64, -2.0, 3.0, 0.5])
}

/// Functions of a vector of four numbers.
fn functions() -> Vec<(&'static str, One)> {
    vec![
        ("sin", |x| x.sin()),
        ("sum", |x| x.sum()),
        ("norm", |x| x.square().sum().sqrt()),
        ("softmax", |x| nn::softmax(&x, 0)),
        ("outer", |x| x.reshape(&[4, 1]).matmul(&x.reshape(&[1, 4]))),
        ("dot", |x| x.dot(&x)),
        ("captured", |x| x.dot(&weights()) * weights()),
        ("constant", |x| x.ones_like() * 2.0),
        ("sort", |x| x.sort(0)),
        ("cumsum", |x| x.cumsum(0)),
        ("cumulative product", |x| x.cumprod(0)),
        ("flip", |x| x.flip(0)),
        ("max", |x| x.max()),
        ("where", |x| x.greater(0.0).select(&x, &(&x * 2.0))),
        ("clip", |x| x.clip(-0.5, x.mean())),
        ("pad", |x| x.pad(&[(1, 2)], 0.5)),
        ("rows", |x| concatenate(&[x.clone(), x.reshape(&[2, 2]).t().reshape(&[4])], 0)),
        ("take", |x| x.take(&Tensor::from([3i64, 0, 0]), 0)),
        ("take by value", |x| weights().take(&x.argsort(0), 0)),
        ("take of both", |x| x.take(&x.argsort(0), 0)),
        ("update", |x| x.at(1).set(x.sum())),
        ("add to places", |x| x.at_rows(&x.argsort(0)).add(&x)),
        ("cholesky", |x| {
            let a = x.reshape(&[4, 1]).matmul(&x.reshape(&[1, 4])) + Tensor::eye(4, DType::F64) * 3.0;
            linalg::cholesky(&a)
        }),
        ("solve", |x| linalg::solve(&(x.reshape(&[2, 2]) + Tensor::eye(2, DType::F64) * 4.0), &x.get(..2))),
        ("branches", |x| cond(&x.sum().greater(0.0), |x: Tensor| x.exp(), |x: Tensor| &x * &weights(), x)),
        ("one branch for all", |x| cond(&Tensor::from(true), |x: Tensor| x.exp(), |x: Tensor| x.sin(), x)),
        ("loop", |x| while_loop(|x: Tensor| x.square().sum().less(20.0), |x| &x * 1.5 + &weights() * 0.1, x)),
        ("loop for all", |x| fori_loop(0, 3, |_, x: Tensor| &x * &x * 0.5 + 0.1, x)),
        ("loop that may not end, in a branch", |x| {
            cond(
                &x.sum().greater(0.0),
                |x: Tensor| while_loop(|x: Tensor| x.sum().less(30.0), |x| &x * 2.0, x),
                |x: Tensor| x.sin(),
                x,
            )
        }),
        ("scan", |x| {
            let (last, all) = scan(|c: Tensor, x: Tensor| (&c * 0.5 + &x, &c * &x), Tensor::from(1.0f64), x);
            all + last
        }),
        ("grouped convolutions, image and kernel of each", |x| {
            // Two features that are convolved apart, and two batches: the one is the derivative of the other.
            let kernel = x.reshape(&[2, 1, 2]) * 0.5 + 0.1;
            let image = concatenate(&[x.clone(), x.sin(), x.cos()], 0).reshape(&[1, 2, 6]);
            let features = ConvOptions { feature_group_count: 2, ..Default::default() };
            let batches = ConvOptions { batch_group_count: 2, ..Default::default() };
            let apart = conv_general(&image, &kernel, &features).flatten();
            let pairs = conv_general(&image.reshape(&[2, 1, 6]), &kernel, &batches).flatten();
            concatenate(&[apart, pairs], 0)
        }),
        ("grouped convolutions of what is the same for all", |x| {
            let features = ConvOptions { feature_group_count: 2, ..Default::default() };
            let batches = ConvOptions { batch_group_count: 2, ..Default::default() };
            let image = weights().broadcast_to(&[3, 4]).reshape(&[2, 1, 6]);
            let one = conv_general(&image, &x.reshape(&[2, 1, 2]), &batches).flatten();
            let kernel = weights().get(..2).reshape(&[2, 1, 1]);
            let two = conv_general(&x.reshape(&[2, 1, 2]), &kernel, &batches).flatten();
            concatenate(&[one, two, conv_general(&x.reshape(&[1, 2, 2]), &kernel, &features).flatten()], 0)
        }),
        ("map", |x| map(|x: Tensor| x.sin() * 2.0, x)),
    ]
}

fn examples(f: impl Fn(Tensor) -> Tensor, batch: &Tensor) -> Tensor {
    let all: Vec<Tensor> = (0..batch.shape()[0]).map(|k| f(batch.get(k))).collect();
    stack(&all, 0)
}

#[test]
fn a_batch_is_its_examples() {
    let batch = numbers(&[5, 4]);
    for (what, f) in functions() {
        let want = examples(f, &batch);
        close(&vmap(f)(batch.clone()), &want, what);
        close(&jit(vmap(f))(batch.clone()), &want, what);
        let columns = batch.t();
        close(&vmap(f).in_axes([Some(1)])(columns.clone()), &want, what);
        let last = vmap(f).in_axes([Some(-1)]).out_axes(-1);
        close(&last(columns), &want.moveaxis(&[0], &[-1]), what);
    }
}

#[test]
fn derivatives_of_examples_and_of_batches() {
    let batch = numbers(&[5, 4]);
    for (what, f) in functions() {
        let loss = move |x: Tensor| {
            let y = f(x);
            (&y * &y).sin().sum()
        };
        let want = examples(|x| grad(loss)(x), &batch);
        let of_batch = move |x: Tensor| vmap(loss)(x).sum();
        close(&grad(of_batch)(batch.clone()), &want, what);
        close(&jit(grad(of_batch))(batch.clone()), &want, what);
        close(&vmap(grad(loss))(batch.clone()), &want, what);
        close(&jit(vmap(grad(loss)))(batch.clone()), &want, what);
        let along = numbers(&[5, 4]).cos();
        let forward = move |x: Tensor, t: Tensor| jvp(loss, (x,), (t,)).1;
        let (slopes, wanted) = (vmap(forward)(batch.clone(), along.clone()), (&want * &along).sum_axes(&[1]));
        close(&slopes, &wanted, what);
    }
}

#[test]
fn second_derivatives_and_batches_of_batches() {
    let batch = numbers(&[2, 3, 4]);
    for (what, f) in functions() {
        let want = examples(|rows| examples(f, &rows), &batch);
        close(&vmap(vmap(f))(batch.clone()), &want, what);
        close(&jit(vmap(vmap(f)))(batch.clone()), &want, what);
    }
    let f = |x: Tensor| (x.sin() * &x).sum();
    let batch = numbers(&[3, 4]);
    let want: Vec<Tensor> = (0..3).map(|k| hessian(f)(batch.get(k))).collect();
    close(&vmap(hessian(f))(batch.clone()), &stack(&want, 0), "hessians");
    close(&jit(vmap(hessian(f)))(batch), &stack(&want, 0), "hessians");
}

#[test]
fn rules_of_the_user_hold_for_batches() {
    let batch = numbers(&[5, 4]);
    // Each thrice the derivative, so that it shows which rule was taken.
    let forward = |x: Tensor| {
        let rule = |(x,): (Tensor,), (t,): (Tensor,)| (x.sin(), t * x.cos() * 3.0);
        custom_jvp(|x: Tensor| x.sin(), rule)(x)
    };
    let backward = |w: Tensor, x: Tensor| {
        let f = custom_vjp(
            |w: Tensor, x: Tensor| (&w * &x).sum(),
            |(w, x): (Tensor, Tensor)| ((&w * &x).sum(), (w, x)),
            |(w, x): (Tensor, Tensor), ct: Tensor| (&ct * &x * 3.0, &ct * &w * 3.0),
        );
        f(w, x)
    };
    close(&grad(move |x: Tensor| vmap(forward)(x).sum())(batch.clone()), &(batch.cos() * 3.0), "custom_jvp");
    close(&vmap(grad(move |x: Tensor| forward(x).sum()))(batch.clone()), &(batch.cos() * 3.0), "custom_jvp");
    let loss = move |w: Tensor, x: Tensor| vmap(backward).in_axes([None, Some(0)])(w, x).sum();
    let (of_w, of_x) = grad(loss).wrt((ARG0, ARG1))(weights(), batch.clone());
    close(&of_w, &(batch.sum_axes(&[0]) * 3.0), "what all share");
    close(&of_x, &(batch.ones_like() * weights() * 3.0), "what each has");
    let g = jit(vmap(grad(backward).wrt((ARG0, ARG1))).in_axes([None, Some(0)]));
    let (of_w, of_x) = g(weights(), batch.clone());
    close(&of_w, &(&batch * 3.0), "what all share, for each");
    close(&of_x, &(batch.ones_like() * weights() * 3.0), "what each has");
}

#[test]
fn trees_have_axes_by_argument_and_by_leaf() {
    type Layer = (Tensor, Tensor);
    let f = |(w, b): Layer, x: Tensor| (w.matmul(&x) + b, x.sum());
    let (w, b, x) = (numbers(&[3, 4]), numbers(&[5, 3]), numbers(&[4, 5]));
    let g =
        vmap(f).leaf_axes(0, [None, Some(0)]).in_axes([Some(0), Some(1)]).out_leaf_axes([Some(1), Some(0)]);
    let (y, s) = g((w.clone(), b.clone()), x.clone());
    close(&y, &(w.matmul(&x) + b.t()), "products");
    close(&s, &x.sum_axes(&[0]), "sums");
    let same =
        vmap(|x: Tensor, y: Tensor| (x, y * 2.0)).in_axes([Some(0), None]).out_leaf_axes([Some(0), None]);
    let (one, two) = same(numbers(&[2, 3]), weights());
    assert_eq!((one.shape(), two.shape()), (&[2usize, 3][..], &[4usize][..]));
    let repeated = vmap(|x: Tensor| x).in_axes([None]).axis_size(3)(weights());
    close(&repeated, &stack(&[weights(), weights(), weights()], 0), "repeated");
    assert_eq!(vmap(|x: Tensor| x.sum())(numbers(&[0, 4])).shape(), [0]);
}

/// No example and a single one are batches too.
#[test]
fn batches_of_none_and_of_one() {
    for size in [0, 1] {
        // The rows that there are of what one example gives.
        let rows = |one: Tensor| one.expand_dims(0).get(..size);
        let batch = rows(numbers(&[4]));
        for (what, f) in functions() {
            let what = &format!("{what}, {size}");
            let want = rows(f(numbers(&[4])));
            close(&vmap(f)(batch.clone()), &want, what);
            close(&jit(vmap(f))(batch.clone()), &want, what);
            close(&jit(vmap(f).in_axes([Some(-1)]))(batch.t()), &want, what);
            let nested = vmap(vmap(f))(batch.expand_dims(0));
            close(&nested, &want.expand_dims(0), what);
            close(&jit(vmap(vmap(f)))(batch.expand_dims(1)), &want.expand_dims(1), what);
            let loss = move |x: Tensor| {
                let y = f(x);
                (&y * &y).sin().sum()
            };
            let of_batch = move |x: Tensor| vmap(loss)(x).sum();
            let want = rows(grad(loss)(numbers(&[4])));
            close(&grad(of_batch)(batch.clone()), &want, what);
            close(&jit(grad(of_batch))(batch.clone()), &want, what);
            close(&vmap(grad(loss))(batch.clone()), &want, what);
            close(&jit(vmap(grad(loss)))(batch.clone()), &want, what);
            let forward = move |x: Tensor, t: Tensor| jvp(loss, (x,), (t,)).1;
            let slopes = jit(vmap(forward))(batch.clone(), batch.ones_like());
            close(&slopes, &want.sum_axes(&[1]), what);
        }
    }
}

/// Along with dimensions of none nothing is taken, by `take_along_axis` too.
#[test]
fn nothing_is_taken_of_no_rows() {
    let rows = Tensor::zeros(&[0, 4], DType::F64);
    let taken = |x: Tensor| x.take_along_axis(&x.argsort(1).get((.., ..2)), 1);
    assert_eq!(taken(rows.clone()).shape(), [0, 2]);
    assert_eq!(jit(taken)(rows.clone()).shape(), [0, 2]);
    assert_eq!(jit(grad(move |x: Tensor| taken(x).sum()))(rows).shape(), [0, 4]);
}

/// A loop in a loop: what an example that is done has would keep the inner one running for ever.
#[test]
fn what_is_done_does_not_run_on() {
    let f = |x: Tensor| {
        // It never ends from 0, where the outer one does not run.
        let outer = |x: Tensor| {
            let bound = &x * 3.0;
            while_loop(move |y: Tensor| y.less_equal(&bound), |y: Tensor| &y * 1.25, x)
        };
        while_loop(|x: Tensor| x.greater(0.0).logical_and(x.less(100.0)), outer, x)
    };
    let batch = Tensor::from([1.0f64, 0.0, 30.0, 120.0]);
    let want = examples(f, &batch);
    close(&vmap(f)(batch.clone()), &want, "values");
    close(&jit(vmap(f))(batch.clone()), &want, "values, compiled");
    let slopes = examples(|x| grad(f)(x), &batch);
    close(&jit(vmap(grad(f)))(batch.clone()), &slopes, "slopes");
    close(&jit(grad(move |x: Tensor| vmap(f)(x).sum()))(batch), &slopes, "slopes of the sum");
}

/// Stacks of a loop that examples leave at different times, of which the third derivative is a sum.
#[test]
fn third_derivatives_of_a_loop_of_unknown_trips() {
    let root = |a: Tensor| {
        let of = a.clone();
        while_loop(
            |(x, before): (Tensor, Tensor)| (&x - &before).abs().greater(1e-13),
            move |(x, _): (Tensor, Tensor)| ((&x + &of / &x) * 0.5, x),
            (a.clone(), a.zeros_like()),
        )
        .0
    };
    let (third, at) = (grad(grad(grad(root))), [2.0f64, 3.0, 0.5, 40.0]);
    let want = at.map(|a| 0.375 * a.powf(-2.5));
    close(&Tensor::from(examples(&*third, &Tensor::from(at)).to_vec::<f64>()), &Tensor::from(want), "alone");
    close(&vmap(grad(grad(grad(root))))(Tensor::from(at)), &Tensor::from(want), "a batch");
    close(&jit(vmap(grad(grad(grad(root)))))(Tensor::from(at)), &Tensor::from(want), "compiled");
}

/// A reduction whose initial value differs from example to example has a dimension more, and the bits of each example.
#[test]
fn initial_values_of_each_example() {
    for (op, ty) in [
        ("add", "f32"),
        ("add", "f64"),
        ("add", "bf16"),
        ("multiply", "f64"),
        ("maximum", "f32"),
        ("minimum", "f64"),
        ("add", "i32"),
        ("maximum", "i32"),
        ("and", "i32"),
        ("or", "i32"),
        ("xor", "i32"),
        ("maximum", "bf16"),
        ("multiply", "bf16"),
        ("minimum", "i32"),
        ("minimum", "i64"),
        ("maximum", "i64"),
        ("minimum", "ui8"),
        ("maximum", "ui8"),
        ("and", "ui8"),
        ("and", "i1"),
        ("minimum", "i1"),
    ] {
        let text = format!(
            "func.func public @main(%x: tensor<2x700x{ty}>, %s: tensor<{ty}>) -> tensor<2x{ty}> {{
               %0 = stablehlo.reduce(%x init: %s) applies stablehlo.{op} across dimensions = [1] : \
             (tensor<2x700x{ty}>, tensor<{ty}>) -> tensor<2x{ty}>
               return %0 : tensor<2x{ty}>
             }}"
        );
        let dtype = match ty {
            "f32" => DType::F32,
            "f64" => DType::F64,
            "bf16" => DType::BF16,
            "i64" => DType::I64,
            "ui8" => DType::U8,
            "i1" => DType::I1,
            _ => DType::I32,
        };
        let x = (numbers(&[3, 2, 700]) * 3.0).astype(dtype);
        // The signs of zeros, and what is no number, begin sums too.
        let starts = match dtype.is_float() {
            true => Tensor::from([-0.0f64, f64::NAN, 1.5]).astype(dtype),
            false => Tensor::from([7i32, -1, 0]).astype(dtype),
        };
        let one = import::<(Tensor, Tensor), Tensor>(&text).unwrap();
        let looped: Vec<Tensor> = (0..3).map(|k| one(x.get(k), starts.get(k))).collect();
        let bits = |t: &Tensor| format!("{:?}", t.astype(DType::F64).to_vec::<f64>());
        let batched = vmap(one.clone())(x.clone(), starts.clone());
        let traced = jit(vmap(one.clone())).trace((x.clone(), starts.clone())).unwrap();
        assert!(traced.example_by_example().is_empty(), "{op} {ty}: a loop over the examples");
        assert_eq!(bits(&batched), bits(&stack(&looped, 0)), "{op} {ty}");
        // The same numbers, other starts.
        let shared = vmap(one.clone()).in_axes([None, Some(0)])(x.get(0), starts.clone());
        let looped: Vec<Tensor> = (0..3).map(|k| one(x.get(0), starts.get(k))).collect();
        assert_eq!(bits(&shared), bits(&stack(&looped, 0)), "{op} {ty}, of the same");
    }
}

/// A branch that takes long is not computed where no example takes it; values and derivatives are those of examples.
#[test]
fn branches_that_take_long_are_passed_over() {
    let f = |x: Tensor| {
        let long = |x: Tensor| {
            let all = x.expand_dims(1) * x.expand_dims(0);
            fori_loop(0, 40_000, |_, m: Tensor| (&m * 0.5).sin() + &all * 0.01, all.clone()).sum_axis(0)
        };
        let (short, other) = (|x: Tensor| x.sin(), |x: Tensor| &x * 3.0);
        switch(&x.get(0).astype(DType::I32), &[&short, &long, &other], x.clone())
    };
    let batch = |first: [f64; 4]| {
        let rest = numbers(&[4, 3]);
        concatenate(&[Tensor::from(first).expand_dims(1), rest], 1)
    };
    let g = jit(vmap(f));
    let text = g.trace((batch([0.0; 4]),)).unwrap().to_string();
    assert_eq!(text.matches("stablehlo.case").count(), 1, "{text}");
    let loss = move |x: Tensor| f(x).square().sum();
    for first in [[0.0, 2.0, 0.0, 2.0], [0.0, 1.0, 2.0, 1.0], [1.0; 4], [7.0, -3.0, 0.0, 1.0]] {
        let batch = batch(first);
        close(&g(batch.clone()), &examples(|x| jit(f)(x), &batch), "values");
        let want = examples(|x| jit(grad(loss))(x), &batch);
        close(&jit(vmap(grad(loss)))(batch.clone()), &want, "gradients");
        close(&jit(grad(move |x: Tensor| vmap(loss)(x).sum()))(batch), &want, "gradients of the batch");
    }
    // A branch that is short is computed for all.
    let short = |x: Tensor| cond(&x.sum().greater(0.0), |x: Tensor| x.exp(), |x: Tensor| x.sin(), x);
    let text = jit(vmap(short)).trace((numbers(&[5, 4]),)).unwrap().to_string();
    assert!(!text.contains("stablehlo.case"), "{text}");
}

/// What has no operation on batches is said, with its line; what has one is not.
#[test]
fn what_is_run_one_after_the_other_is_said() {
    let line = line!() + 1;
    let host = |x: Tensor| callback(|x: Tensor| x, &x, (x.sin(),));
    let said = jit(vmap(host)).trace((numbers(&[5, 4]),)).unwrap().example_by_example();
    assert_eq!(said.len(), 1);
    assert!(
        said[0].contains("stablehlo.custom_call at") && said[0].contains(&format!("vmap.rs\":{line}:")),
        "{said:?}"
    );
    let page = jit(vmap(host)).trace((numbers(&[5, 4]),)).unwrap().explain_html("page").unwrap();
    assert!(page.contains("One example of a batch after the other: stablehlo.custom_call"));
    for (what, f) in functions() {
        let said = jit(vmap(f)).trace((numbers(&[5, 4]),)).unwrap().example_by_example();
        assert_eq!(said.len(), 0, "{what}: {said:?}");
    }
}

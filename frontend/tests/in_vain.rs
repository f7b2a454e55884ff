//! What a batch computes in vain, for an example that is done or takes another branch, has no part in derivatives, whatever its slope
//! is: the derivative of a batch is the batch of derivatives.

use crate::common;

use common::close;
use wengert::*;

type Of = fn(Tensor, Tensor) -> Tensor;

fn s(x: f64) -> Tensor {
    Tensor::from(x)
}

/// Functions of two numbers with loops and branches whose other way has an infinite slope or no value.
fn functions() -> Vec<(&'static str, Of)> {
    vec![
        // Done at k = 0, where y / k is run once more for the others.
        ("quotients", |y, k| {
            let again = |(_, k): (Tensor, Tensor)| k.greater(0.0);
            while_loop(again, |(y, k)| (&y / &k, k - 1.0), (y, k)).0
        }),
        // The square root of what is left, which is 0 at the end.
        ("roots", |y, k| {
            let again = |(_, k): (Tensor, Tensor)| k.greater(0.0);
            while_loop(again, |(y, k)| (y * (&k / 2.0).sqrt(), k - 1.0), (y, k)).0
        }),
        ("logarithms in a loop of counts", |y, k| {
            let n = k.astype(DType::I32);
            fori_loop(0, &n, |i, y: Tensor| y + (&k - i.astype(DType::F64)).log().sin(), y)
        }),
        ("growth beyond all bounds", |y, k| {
            let again = |(y, k): (Tensor, Tensor)| y.less(k * 3.0);
            while_loop(again, |(y, k)| ((&y * 4.0).exp(), k), (y, k)).0
        }),
        ("a root of one sign", |y, k| {
            let x = &y - &k * 0.5;
            cond(&x.greater(0.0), |x: Tensor| x.sqrt(), |x: Tensor| x * 0.0, x)
        }),
        // A loop that would not end for examples that take the other branch.
        ("a loop in a branch", |y, k| {
            let halved = |(y, k): (Tensor, Tensor)| {
                let again = |(_, k): (Tensor, Tensor)| k.not_equal(0.0);
                while_loop(again, |(y, k)| ((y / &k).sqrt(), k - 1.0), (y, k)).0
            };
            cond(&k.less(2.5), halved, |(y, k): (Tensor, Tensor)| y * (k - 4.0), (y, k - 0.0))
        }),
        ("one of three", |y, k| {
            let x = &y - &k * 0.5;
            let branches: [&dyn Fn(Tensor) -> Tensor; 3] =
                [&|x| x.log(), &|x| x.rsqrt(), &|x| x.abs().pow(0.5)];
            switch(&k.astype(DType::I32), &branches, x)
        }),
    ]
}

/// Examples that end at different times and take different branches.
fn examples() -> (Tensor, Tensor) {
    (Tensor::from([1.0f64, 0.75, 1.5, 2.0, 1.25]), Tensor::from([1.0f64, 3.0, 0.0, 2.0, 4.0]))
}

#[test]
fn gradients_of_batches_are_batches_of_gradients() {
    for (name, f) in functions() {
        let (y, k) = examples();
        let one_by_one = {
            let all = (0..5).map(|i| grad(f)(y.get(i), k.get(i)).expand_dims(0)).collect::<Vec<_>>();
            concatenate(&all, 0)
        };
        // What one example has of infinite slopes it has itself.
        let sum = move |y: Tensor, k: Tensor| vmap(f)(y, k).sum();
        close(&vmap(grad(f))(y.clone(), k.clone()), &one_by_one, name);
        close(&grad(sum)(y.clone(), k.clone()), &one_by_one, name);
        close(&jit(grad(sum))(y.clone(), k.clone()), &one_by_one, name);
        let forward = jvp(move |y: Tensor| vmap(f)(y, examples().1), (y.clone(),), (y.ones_like(),)).1;
        close(&forward, &one_by_one, name);
    }
}

#[test]
fn second_derivatives_of_batches_are_batches_of_second_derivatives() {
    for (name, f) in functions() {
        let (y, k) = examples();
        let second = move |y: Tensor, k: Tensor| {
            let k = k.clone();
            grad(move |y: Tensor| grad(f)(y, k.clone()))(y)
        };
        let one_by_one = {
            let all = (0..5).map(|i| second(y.get(i), k.get(i)).expand_dims(0)).collect::<Vec<_>>();
            concatenate(&all, 0)
        };
        let of_batch = move |y: Tensor| {
            let first = grad(move |y: Tensor, k: Tensor| vmap(f)(y, k).sum());
            first(y, examples().1).sum()
        };
        let of_batched = move |y: Tensor| vmap(grad(f))(y, examples().1).sum();
        close(&vmap(second)(y.clone(), k), &one_by_one, name);
        close(&grad(of_batch)(y.clone()), &one_by_one, name);
        close(&jit(grad(of_batched))(y), &one_by_one, name);
    }
}

/// Values that are no numbers where they are run in vain, not slopes alone.
#[test]
fn what_overflows_in_vain_has_no_part_in_derivatives() {
    let powers = |y: Tensor| while_loop(|y: Tensor| y.less(1e10), |y: Tensor| &y * &y * &y, y);
    let y = || Tensor::from([2.0f32, 1.0e4, 3.0]);
    let one_by_one: Vec<f32> = (0..3).map(|i| grad(powers)(y().get(i)).item::<f32>()).collect();
    let whole = grad(move |y: Tensor| vmap(powers)(y).sum())(y()).to_vec::<f32>();
    assert_eq!(whole, one_by_one);
    assert!(whole.iter().all(|d| d.is_finite()), "{whole:?}");
}

/// The rule of a `custom_jvp` with a choice is linear in a batch too.
#[test]
fn rules_with_choices_stay_linear_in_batches() {
    let f = custom_jvp(
        |x: Tensor| x.square(),
        |(x,), (t,)| {
            let slope = cond(&x.greater(0.0), |(x, t): (Tensor, Tensor)| t / x, |(_, t)| t, (x.clone(), t));
            (x.square(), slope)
        },
    );
    let x = || Tensor::from([4.0f64, 0.0, -2.0]);
    let d = grad(move |x: Tensor| vmap(f.clone())(x).sum())(x());
    assert_eq!(d.to_vec::<f64>(), [0.25, 1.0, 1.0]);
}

/// What all examples share has the sum of their derivatives.
#[test]
fn what_is_shared_has_no_part_of_what_is_run_in_vain() {
    // An infinite value, times what is shared.
    let f = |x: Tensor, a: Tensor| {
        let again = |(k, _): (Tensor, Tensor)| k.greater(0.0);
        while_loop(again, |(k, r)| (&k - 1.0, r + &a * k.log()), (x, s(0.0))).1
    };
    let sum = move |x: Tensor, a: Tensor| vmap(move |x: Tensor| f(x, a.clone()))(x).sum();
    let d = grad(sum).wrt(ARG1)(Tensor::from([1.0f64, 2.0]), s(3.0)).item::<f64>();
    assert!((d - 2f64.ln()).abs() < 1e-15, "{d}");

    // The slope by a is 1 / (2 sqrt(a - x)): infinite where x has come to a, and is carried on for the others.
    let f = |x: Tensor, a: Tensor| {
        let again = |(x, _): (Tensor, Tensor)| x.less(&a);
        while_loop(again, |(x, r)| (&x + 1.0, r + (&a - x).sqrt()), (x, s(0.0))).1
    };
    let (x, a) = (Tensor::from([0.0f64, 2.0, 1.0]), s(3.0));
    let want = (0..3).fold(s(0.0), |sum, i| sum + grad(f).wrt(ARG1)(x.get(i), a.clone()));
    let sum = move |x: Tensor, a: Tensor| vmap(move |x: Tensor| f(x, a.clone()))(x).sum();
    close(&grad(sum).wrt(ARG1)(x.clone(), a.clone()), &want, "shared");
    close(&jit(grad(sum).wrt(ARG1))(x, a), &want, "shared, compiled");
    assert!(want.item::<f64>().is_finite());
}

/// So have tensors that all share, of loops and of branches, also of one that no example takes.
#[test]
fn shared_tensors_have_no_part_of_what_is_run_in_vain() {
    type Of = fn(Tensor, Tensor) -> Tensor;
    let looped: Of = |x, a| {
        let again = |(x, _): (Tensor, Tensor)| x.less(3.0);
        while_loop(again, |(x, r)| (&x + 1.0, r + (&a - x).sqrt().sum()), (x, s(0.0))).1
    };
    let chosen: Of = |x, a| {
        let root = |(x, a): (Tensor, Tensor)| (a * x).sqrt().sum();
        cond(&x.greater(0.5), root, |(x, a): (Tensor, Tensor)| x * a.sum(), (x, a))
    };
    let weighted: Of = |x, a| {
        let product = |(x, a): (Tensor, Tensor)| {
            (a.reshape(&[1, 3]).matmul(&(x * Tensor::ones(&[3, 2], DType::F64)))).log().sum()
        };
        cond(&x.greater(0.5), product, |(x, a): (Tensor, Tensor)| x * a.prod(), (x, a))
    };
    let a = || Tensor::from([3.0f64, 4.0, 5.0]);
    for (name, f) in [("loop", looped), ("branches", chosen), ("products", weighted)] {
        for x in [vec![0.0f64, 3.0, 1.0, 2.0], vec![0.0, 0.25], vec![1.0]] {
            let x = move || Tensor::from(x.clone());
            let n = x().shape()[0];
            let want = (0..n).fold(a().zeros_like(), |sum, i| sum + grad(f).wrt(ARG1)(x().get(i), a()));
            assert!(want.to_vec::<f64>().iter().all(|d| d.is_finite()), "{name}");
            let sum = move |x: Tensor, a: Tensor| vmap(f).in_axes([Some(0), None])(x, a).sum();
            close(&grad(sum).wrt(ARG1)(x(), a()), &want, name);
            close(&jit(grad(sum).wrt(ARG1))(x(), a()), &want, &format!("{name}, compiled"));
            let forward = jvp(move |a: Tensor| sum(x(), a), (a(),), (a().ones_like(),)).1;
            close(&forward, &want.sum(), &format!("{name}, forward"));
        }
    }
}

/// What a loop captures may have its examples along any axis, and be shared in part.
#[test]
fn captures_have_their_examples_anywhere() {
    let f = |w: Tensor, k: Tensor| {
        let scale = s(0.25);
        let loss = move |w: Tensor| {
            let (inside, scale) = (w.clone(), scale.clone());
            let again = |(_, k): (Tensor, Tensor)| k.greater(0.0);
            let step = move |(y, k): (Tensor, Tensor)| ((y * &inside).exp() * &scale, k - 1.0);
            while_loop(again, step, (w.ones_like(), k.clone())).0.sum()
        };
        grad(loss)(w)
    };
    let k = || Tensor::from([0.0f64, 2.0, 1.0, 3.0]);
    let w = || Tensor::from([[0.5f64, -0.25, 1.0, 0.75], [0.1, 0.2, -0.3, 0.4]]);
    let want = stack(&(0..4).map(|i| f(w().get((.., i)), k().get(i))).collect::<Vec<_>>(), 0);
    close(&vmap(f).in_axes([Some(1), Some(0)])(w(), k()), &want, "along the columns");
    close(&jit(vmap(f).in_axes([Some(1), Some(0)]))(w(), k()), &want, "along the columns, compiled");
}

/// What is linear stays so: a batch of a choice has a transpose.
#[test]
fn batches_of_linear_choices_are_transposed() {
    let k = || Tensor::from([1.0f64, -1.0, 2.0]);
    let f = move |x: Tensor| {
        let one = |x: Tensor, k: Tensor| {
            cond(&k.greater(0.0), |x: Tensor| x / 4.0 * (&s(2.0) / s(0.25)), |x: Tensor| -x, x)
        };
        vmap(one)(x, k())
    };
    let transposed = linear_transpose(f, (k(),));
    assert_eq!(transposed.call(Tensor::from([1.0f64, 1.0, 3.0])).0.to_vec::<f64>(), [2.0, -1.0, 6.0]);
}

/// So it does where all examples share a tensor: in transposes, in rules, in systems that are solved.
#[test]
fn choices_that_share_tensors_stay_linear() {
    let k = || Tensor::from([1.0f64, -1.0, 2.0]);
    let w = || Tensor::from([[2.0f64, 1.0], [0.5, 4.0]]);
    let rows = || Tensor::from([[1.0f64, 2.0], [3.0, 4.0], [5.0, 6.0]]);
    let f = move |x: Tensor| {
        let one = move |x: Tensor, k: Tensor| {
            let (a, w) = (w(), w());
            cond(&k.greater(0.0), move |x: Tensor| (a / w.sum()).matmul(&x), |x: Tensor| -x, x)
        };
        vmap(one)(x, k())
    };
    let transposed = linear_transpose(f, (rows(),));
    let want = stack(
        &[w().t().matmul(&rows().get(0)) / 7.5, -rows().get(1), w().t().matmul(&rows().get(2)) / 7.5],
        0,
    );
    close(&transposed.call(rows()).0, &want, "transposed");

    let solved = |x: Tensor, k: Tensor, w: Tensor| {
        let (a, k) = (w.matmul(&w.t()), k);
        let product = move |x: Tensor| {
            let a = a.clone();
            cond(&k.greater(0.0), move |x: Tensor| a.matmul(&x), |x: Tensor| x * 2.0, x)
        };
        let cg = |a: &Operator<Tensor>, b: Tensor| linalg::cg(a, b, 1e-14, 10);
        custom_linear_solve(product, x, cg).sum()
    };
    let sum = move |x: Tensor, w: Tensor| vmap(solved).in_axes([Some(0), Some(0), None])(x, k(), w).sum();
    let want =
        (0..3).fold(w().zeros_like(), |sum, i| sum + grad(solved).wrt(ARG2)(rows().get(i), k().get(i), w()));
    let got = grad(sum).wrt(ARG1)(rows(), w());
    assert!(
        got.to_vec::<f64>().iter().zip(want.to_vec::<f64>()).all(|(g, w)| (g - w).abs() < 1e-9),
        "{got} {want}"
    );

    let weights = Tensor::from([0.25f64, 0.5, 0.25]);
    let f = custom_jvp(
        |x: Tensor| x.square(),
        move |(x,), (t,)| {
            let w = weights.clone();
            let quotient = move |(x, t): (Tensor, Tensor)| t / x * w.sum();
            (x.square(), cond(&x.greater(0.0), quotient, |(_, t)| t, (x.clone(), t)))
        },
    );
    let x = Tensor::from([4.0f64, 0.0, -2.0]);
    let d = grad(move |x: Tensor| vmap(f.clone())(x).sum())(x);
    assert_eq!(d.to_vec::<f64>(), [0.25, 1.0, 1.0]);
}

/// What is masked costs nothing where nothing is differentiated.
#[test]
fn nothing_is_selected_where_nothing_is_differentiated() {
    let f = |y: Tensor| {
        let again = |(_, k): (Tensor, Tensor)| k.greater(0.0);
        while_loop(again, |(y, k)| (y.log(), k - 1.0), (y.clone(), y)).0
    };
    let lowered =
        jit(vmap(f)).trace((Tensor::from([1.0f64, 2.0]),)).expect("a program").optimize().expect("small");
    let text = lowered.text(false);
    // One for each number that is carried.
    assert_eq!(text.matches("stablehlo.select").count(), 2, "{text}");
    assert!(!text.contains("stop_gradient"), "{text}");
}

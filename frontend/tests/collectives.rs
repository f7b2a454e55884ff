//! Named axes: what examples ask of all examples is what one asks of the dimension that they are, in values and derivatives,
//! under every other transform, and nested.

use crate::common;

use common::{close, numbers};
use wengert::collectives::*;
use wengert::*;

type F = fn(Tensor) -> Tensor;

/// The rows `x[k]` where `k` is the source of each of five targets, zeros for none.
fn rows(x: &Tensor, sources: [Option<usize>; 5]) -> Tensor {
    let row = |s: Option<usize>| s.map_or(x.get(0).zeros_like(), |s| x.get(s as isize));
    stack(&sources.map(row), 0)
}

/// Functions of one of five examples, a vector of five numbers; and the same of all of them.
fn functions() -> Vec<(&'static str, F, F)> {
    vec![
        ("psum", |x| &x * psum(&x.sin(), "i"), |x| &x * x.sin().sum_axis(0)),
        ("pmean", |x| x.exp() - pmean(&x, "i"), |x| x.exp() - x.mean_axes(&[0])),
        ("pmax", |x| &x * pmax(&(&x * 2.0), "i"), |x| &x * (&x * 2.0).max_axes(&[0])),
        ("pmin", |x| &x * pmin(&x.cos(), "i"), |x| &x * x.cos().min_axes(&[0])),
        ("all_gather", |x| all_gather(&x, "i").matmul(&x), |x| x.matmul(&x.t())),
        ("psum_scatter", |x| psum_scatter(&x.exp(), "i") * &x, |x| x.exp().sum_axis(0).reshape(&[5, 1]) * &x),
        ("all_to_all", |x| all_to_all(&x.sin(), "i", 0, 0) * &x, |x| x.sin().t() * &x),
        (
            "axis_index",
            |x| (axis_index("i").astype(DType::F64) * &x).sin(),
            |x| (Tensor::from([0.0f64, 1.0, 2.0, 3.0, 4.0]).reshape(&[5, 1]) * &x).sin(),
        ),
        (
            "a shift around",
            |x| &x * ppermute(&x.sin(), "i", &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)]),
            |x| &x * rows(&x.sin(), [Some(4), Some(0), Some(1), Some(2), Some(3)]),
        ),
        (
            "some send",
            |x| &x * ppermute(&x.exp(), "i", &[(0, 3), (4, 1)]),
            |x| &x * rows(&x.exp(), [None, Some(4), None, Some(0), None]),
        ),
        ("of what is the same", |x| &x * psum(&Tensor::from(2.0f64), "i"), |x| x * 10.0),
        (
            "in a function",
            |x| jit(|x: Tensor| psum(&x.square(), "i").sqrt() * x)(x),
            |x| x.square().sum_axis(0).sqrt() * &x,
        ),
        (
            "in a loop",
            |x| fori_loop(0, 3, |_, x: Tensor| (&x - pmean(&x, "i")) * 0.5 + x.sin(), x),
            |x| (0..3).fold(x, |x, _| (&x - x.mean_axes(&[0])) * 0.5 + x.sin()),
        ),
        (
            "in a scan from what is the same",
            |x| {
                let zero = x.zeros_like() + 1.0;
                let step = |c: Tensor, _: Tensor| {
                    let c = c * 0.5 + axis_index("i").astype(DType::F64);
                    (c.clone(), c)
                };
                let (c, _) = scan(step, x.zeros_like() + 1.0, zero);
                c * x
            },
            |x| {
                let index = Tensor::from([0.0f64, 1.0, 2.0, 3.0, 4.0]).reshape(&[5, 1]);
                let c = (0..5).fold(Tensor::ones(&[5, 5], DType::F64), |c, _| c * 0.5 + &index);
                c * x
            },
        ),
        (
            "in a branch for all",
            |x| cond(&Tensor::from(true), |x: Tensor| psum(&x, "i") * &x, |x: Tensor| x, x),
            |x| x.sum_axis(0) * &x,
        ),
        (
            "in a loop that all leave together",
            |x| {
                while_loop(
                    |x: Tensor| pmax(&x.abs().sum(), "i").greater(1.0),
                    |x| (&x - pmean(&x, "i")) * 0.5,
                    x,
                )
            },
            |x| {
                while_loop(
                    |x: Tensor| x.abs().sum_axis(1).max().greater(1.0),
                    |x| (&x - x.mean_axes(&[0])) * 0.5,
                    x,
                )
            },
        ),
        (
            "a number in branches that differ",
            |x| {
                let numbered = |x: Tensor| axis_index("i").astype(DType::F64) * x;
                cond(&x.sum().greater(0.0), numbered, |x: Tensor| x.sin(), x)
            },
            |x| {
                let index = Tensor::from([0.0f64, 1.0, 2.0, 3.0, 4.0]).reshape(&[5, 1]);
                x.sum_axis(1).greater(0.0).reshape(&[5, 1]).select(&(index * &x), x.sin())
            },
        ),
        (
            "checkpointed",
            |x| checkpoint(|x: Tensor| psum(&x.exp(), "i").log() * &x)(x),
            |x| x.exp().sum_axis(0).log() * &x,
        ),
    ]
}

#[test]
fn examples_speak_of_the_batch() {
    let x = numbers(&[5, 5]);
    for (name, one, all) in functions() {
        let batch = move || vmap(one).axis_name("i");
        let want = all(x.clone());
        close(&batch()(x.clone()), &want, name);
        close(&jit(batch())(x.clone()), &want, name);
        // Along another dimension of both.
        let columns = batch().in_axes([Some(1)]).out_axes(1);
        close(&columns(x.t()), &want.t(), name);
    }
}

#[test]
fn derivatives_of_batches_and_for_each_example() {
    let x = numbers(&[5, 5]);
    let w = numbers(&[5, 5]).cos();
    for (name, one, all) in functions() {
        let batch = move |x: Tensor| vmap(one).axis_name("i")(x);
        let weigh = |f: fn(Tensor) -> Tensor, w: Tensor| move |x: Tensor| (f(x) * &w).sum();
        let want = grad(weigh(all, w.clone()))(x.clone());
        let weights = w.clone();
        let of_batch = move |x: Tensor| (batch(x) * &weights).sum();
        close(&jit(grad(of_batch.clone()))(x.clone()), &want, name);
        close(&grad(of_batch.clone())(x.clone()), &want, name);
        // For each example: of the sum of what all give.
        let each = vmap(grad(move |x: Tensor, w: Tensor| (one(x) * w).sum())).axis_name("i");
        close(&each(x.clone(), w.clone()), &want, &format!("{name}, for each example"));
        let (_, forward) = jvp(batch, (x.clone(),), (w.clone(),));
        let (_, want) = jvp(all, (x.clone(),), (w.clone(),));
        close(&forward, &want, &format!("{name}, forward"));
        let inner = vmap(move |x: Tensor, t: Tensor| jvp(one, (x,), (t,)).1).axis_name("i");
        close(&inner(x.clone(), w.clone()), &want, &format!("{name}, forward for each example"));
        // Second order.
        let twice = grad(move |x: Tensor| grad(weigh(all, numbers(&[5, 5]).cos()))(x).sin().sum())(x.clone());
        let again = jit(grad(move |x: Tensor| grad(of_batch.clone())(x).sin().sum()));
        close(&again(x.clone()), &twice, &format!("{name}, twice"));
    }
}

#[test]
fn axes_nest() {
    let x = numbers(&[3, 4]);
    let both = vmap(
        vmap(|x: Tensor| {
            let index = axis_index("row") * 4 + axis_index("column");
            &x / psum(&x.abs(), "row")
                + pmax(&x, "column") * psum(&psum(&x, "row"), "column")
                + index.astype(DType::F64)
        })
        .axis_name("column"),
    )
    .axis_name("row");
    let index = Tensor::from((0..12).map(f64::from).collect::<Vec<_>>()).reshape(&[3, 4]);
    let want = &x / x.abs().sum_axis(0) + x.max_keep(&[1]) * x.sum() + index;
    close(&both(x.clone()), &want, "two axes");
    let matrix =
        vmap(vmap(|x: Tensor| (all_gather(&x, "row"), all_gather(&x, "column"))).axis_name("column"));
    let (rows, columns) = matrix.axis_name("row")(x.clone());
    close(&rows, &stack(&[x.t(), x.t(), x.t()], 0), "gathered along the outer axis");
    close(
        &columns,
        &stack(&[x.clone(), x.clone(), x.clone(), x.clone()], 1),
        "gathered along the inner axis",
    );
    // The inner one of two of a name.
    let one = vmap(vmap(|x: Tensor| psum(&x, "i")).axis_name("i").out_axes(None)).axis_name("i");
    close(&one(x.clone()), &x.sum_axis(1), "of one name");
    // Rows of another axis.
    let exchange = vmap(vmap(|x: Tensor| all_to_all(&x, "row", -1, 0)).axis_name("column")).axis_name("row");
    let y = numbers(&[3, 4, 3]);
    close(&exchange(y.clone()), &y.transpose(&[2, 1, 0]), "exchanged along the outer axis");
    let sums = vmap(vmap(|x: Tensor| psum_scatter(&x, "row")).axis_name("column")).axis_name("row");
    close(&sums(y.clone()), &y.sum_axis(0).t(), "scattered along the outer axis");
}

#[test]
fn what_all_share_is_no_batch() {
    // The mean is the same for all, and may be given once.
    let f =
        vmap(|x: Tensor| (&x - pmean(&x, "i"), pmean(&x, "i"))).axis_name("i").out_leaf_axes([Some(0), None]);
    let (_, mean) = f(Tensor::from([1.0f64, 2.0, 6.0]));
    assert_eq!(mean.item::<f64>(), 3.0);
    let counts = vmap(|x: Tensor| psum(&x.greater(1.5), "i")).axis_name("i").out_axes(None);
    assert_eq!(counts(Tensor::from([1.0f64, 2.0, 6.0])).item::<i32>(), 2);
    // A long permutation is a gather.
    let pairs: Vec<(usize, usize)> = (0..40).map(|k| (k, (k * 7 + 3) % 40)).collect();
    let x = Tensor::from((0..40).map(f64::from).collect::<Vec<_>>());
    let there = pairs.clone();
    let moved = vmap(move |x: Tensor| ppermute(&x, "i", &there)).axis_name("i")(x.clone()).to_vec::<f64>();
    pairs.iter().for_each(|&(from, to)| assert_eq!(moved[to], from as f64));
    let half = vmap(move |x: Tensor| ppermute(&x, "i", &pairs[..20])).axis_name("i")(x + 1.0);
    assert_eq!(half.equal(0.0).sum().item::<i32>(), 20);
    // No examples.
    let none = vmap(|x: Tensor| &x - psum(&x, "i")).axis_name("i")(Tensor::zeros(&[0], DType::F64));
    assert_eq!(none.shape(), [0]);
}

#[test]
fn rules_of_the_user_speak_of_the_batch() {
    // The sum, whose cotangent is the sum of all cotangents.
    let total = custom_vjp(
        |x: Tensor| psum(&x, "i"),
        |(x,): (Tensor,)| (psum(&x, "i"), ()),
        |_: (), ct: Tensor| (psum(&ct, "i"),),
    );
    let x = numbers(&[5]);
    let f = move |x: Tensor| {
        (vmap({
            let total = total.clone();
            move |x: Tensor| total(x.sin()) * x
        })
        .axis_name("i"))(x)
        .sum()
    };
    let want = grad(|x: Tensor| (x.sin().sum() * &x).sum())(x.clone());
    close(&grad(f.clone())(x.clone()), &want, "gradient of a batch");
    close(&jit(grad(f))(x), &want, "compiled");
}

#[test]
fn rules_of_the_user_count_what_is_shared() {
    let x = numbers(&[5]);
    // Each gives the sum of what all make of one weight.
    let forward = custom_vjp(
        |w: Tensor, x: Tensor| psum(&(&w * &x), "i"),
        |(w, x): (Tensor, Tensor)| (psum(&(&w * &x), "i"), (w, x)),
        |(w, x): (Tensor, Tensor), ct: Tensor| {
            let ct = psum(&ct, "i");
            (&ct * &x, &ct * &w)
        },
    );
    let by_jvp = custom_jvp(
        |w: Tensor, x: Tensor| psum(&(&w * &x), "i"),
        |(w, x): (Tensor, Tensor), (dw, dx): (Tensor, Tensor)| {
            (psum(&(&w * &x), "i"), psum(&(&dw * &x + &w * &dx), "i"))
        },
    );
    let of = |x: Tensor| {
        move |w: Tensor| {
            let all = (&w * &x).sum() * Tensor::ones(&[5], DType::F64);
            (all.sin() * &x).sum()
        }
    };
    let w = Tensor::from(0.3f64);
    let want = grad(of(x.clone()))(w.clone());
    let (batch, v) = (x.clone(), forward);
    let by_rule = move |w: Tensor| {
        let v = v.clone();
        let f = vmap(move |w: Tensor, x: Tensor| v(w, x.clone()).sin() * x).in_axes([None, Some(0)]);
        f.axis_name("i")(w, batch.clone()).sum()
    };
    close(&grad(by_rule)(w.clone()), &want, "a reverse rule");
    let by_rule = move |w: Tensor| {
        let v = by_jvp.clone();
        let f = vmap(move |w: Tensor, x: Tensor| v(w, x.clone()).sin() * x).in_axes([None, Some(0)]);
        f.axis_name("i")(w, x.clone()).sum()
    };
    close(&grad(by_rule.clone())(w.clone()), &want, "a forward rule");
    close(&jvp(by_rule, (w.clone(),), (w.ones_like(),)).1, &want, "a forward rule, forward");
    // One number for all, which all examples make alike.
    let count = custom_vjp(
        |w: Tensor| psum(&w, "i"),
        |(w,): (Tensor,)| (psum(&w, "i"), ()),
        |_: (), ct: Tensor| (psum(&ct, "i"),),
    );
    let of = move |w: Tensor| {
        let count = count.clone();
        let f = vmap(move |w: Tensor, x: Tensor| count(w) * x).in_axes([None, Some(0)]).axis_name("i");
        f(w, Tensor::from([1.0f64, 2.0, 4.0])).sum()
    };
    assert_eq!(grad(of)(Tensor::from(0.5f64)).item::<f64>(), 21.0);
}

#[track_caller]
fn fails(f: impl FnOnce() + std::panic::UnwindSafe, parts: &[&str]) {
    let message =
        *std::panic::catch_unwind(f).expect_err("a failure").downcast::<String>().expect("a message");
    for part in parts {
        assert!(message.contains(part), "`{part}` is not in: {message}");
    }
}

/// A name that is used twice is that of the innermost axis that has it, whatever is said of it.
#[test]
fn names_are_those_of_the_innermost() {
    let inner = |x: Tensor| {
        let size = Tensor::from(axis_size("i") as f64);
        pmean(&x, "i") * 100.0
            + axis_index("i").astype(DType::F64) * 10.0
            + size
            + ppermute(&x, "i", &[(0, 2)])
    };
    let both = vmap(vmap(inner).axis_name("i")).axis_name("i");
    let x = numbers(&[2, 3]);
    let sent = concatenate(&[Tensor::zeros(&[2, 2], DType::F64), x.get((.., ..1))], 1);
    let want = x.mean_keep(&[1]) * 100.0 + Tensor::from([[0.0f64, 10.0, 20.0]]) + 3.0 + sent;
    close(&both(x), &want, "one name for two");
}

#[test]
fn errors_name_the_axis() {
    let x = || Tensor::from([1.0f64, 2.0]);
    fails(move || drop(psum(&x(), "i")), &["psum", "`i`", "axis_name(\"i\")", "collectives.rs"]);
    fails(
        move || drop(vmap(|x: Tensor| pmax(&x, "j")).axis_name("i")(x())),
        &["pmax", "`j`", "the names here are `i` (2)", "collectives.rs"],
    );
    fails(
        move || drop(vmap(|x: Tensor| psum_scatter(&x.broadcast_to(&[3]), "i")).axis_name("i")(x())),
        &["no row for each of 2 examples", "collectives.rs"],
    );
    fails(
        move || drop(vmap(|x: Tensor| ppermute(&x, "i", &[(0, 1), (0, 0)])).axis_name("i")(x())),
        &["a source is there twice"],
    );
    let endless = |x: Tensor| {
        let loops = |x: Tensor| {
            while_loop(|x: Tensor| x.less(5.0), |x: Tensor| x + psum(&Tensor::from(1.0f64), "i"), x)
        };
        cond(&x.greater(0.5), loops, |x: Tensor| x, x)
    };
    fails(move || drop(vmap(endless).axis_name("i")(x())), &["communication", "a branch of its own"]);
    // Seen where the other axis is bound.
    let branches = |x: Tensor| cond(&x.greater(0.5), |x: Tensor| psum(&x, "i") * &x, |x: Tensor| x, x);
    let both = move |x: Tensor| vmap(vmap(branches)).axis_name("i")(x.reshape(&[2, 1]));
    fails(move || drop(both(x())), &["communication along `i`", "decides on its own", "collectives.rs"]);
    let loops = |x: Tensor| while_loop(|x: Tensor| x.less(5.0), |x: Tensor| &x + psum(&x, "i"), x);
    let both = move |x: Tensor| vmap(vmap(loops)).axis_name("i")(x.reshape(&[2, 1]));
    fails(move || drop(both(x())), &["communication along `i`", "decides on its own", "collectives.rs"]);
    let alone = |x: Tensor| {
        let loops = |x: Tensor| {
            while_loop(|x: Tensor| x.less(5.0), |x: Tensor| x + axis_index("i").astype(DType::F64), x)
        };
        cond(&x.greater(0.5), loops, |x: Tensor| x, x)
    };
    fails(move || drop(vmap(alone).axis_name("i")(x())), &["the axis `i`", "example by example"]);
    fails(
        move || drop(vmap(|x: Tensor| all_to_all(&x.broadcast_to(&[2]), "i", 3, 0)).axis_name("i")(x())),
        &["all_to_all along `i`: axis 3", "tests/collectives.rs"],
    );
    let differs = |x: Tensor| while_loop(|x: Tensor| x.less(5.0), |x: Tensor| &x + psum(&x, "i"), x);
    fails(move || drop(vmap(differs).axis_name("i")(x())), &["communication", "at different times", "pmax"]);
}

/// Functions of one of two times three examples, a vector of six numbers; and the same of all of them, `[2, 3, 6]`.
fn functions_of_two_axes() -> Vec<(&'static str, F, F)> {
    fn flat(x: &Tensor) -> Tensor {
        x.reshape(&[6, 6])
    }
    fn folded(x: Tensor) -> Tensor {
        x.reshape(&[2, 3, 6])
    }
    const IJ: (&str, &str) = ("i", "j");
    vec![
        ("psum", |x| &x * psum(&x.sin(), IJ), |x| &x * x.sin().sum_axes(&[0, 1])),
        ("psum, by a slice", |x| &x * psum(&x.sin(), &["j", "i"][..]), |x| &x * x.sin().sum_axes(&[0, 1])),
        ("pmean", |x| x.exp() - pmean(&x, ["i", "j"]), |x| x.exp() - x.mean_axes(&[0, 1])),
        ("pmax", |x| &x * pmax(&x.floor(), IJ), |x| &x * x.floor().max_axes(&[0, 1])),
        ("pmin", |x| &x * pmin(&x.cos(), IJ), |x| &x * x.cos().min_axes(&[0, 1])),
        ("all_gather", |x| all_gather(&x, IJ).matmul(&x), |x| folded(flat(&x).matmul(&flat(&x).t()))),
        (
            "psum_scatter",
            |x| psum_scatter(&x.exp(), IJ) * &x,
            |x| x.exp().sum_axes(&[0, 1]).reshape(&[2, 3, 1]) * &x,
        ),
        ("all_to_all", |x| all_to_all(&x.sin(), IJ, 0, 0) * &x, |x| folded(flat(&x).sin().t()) * &x),
        (
            "all_to_all in other places",
            |x| all_to_all(&x.sin().reshape(&[1, 6]), IJ, -1, 0).reshape(&[6]) * &x,
            |x| folded(flat(&x).sin().t()) * &x,
        ),
        (
            "axis_index",
            |x| (axis_index(IJ).astype(DType::F64) * &x).sin(),
            |x| (Tensor::arange(6, DType::F64).reshape(&[2, 3, 1]) * &x).sin(),
        ),
        (
            "ppermute",
            |x| ppermute(&x.sin(), IJ, &[(0, 1), (1, 2), (4, 0), (5, 5)]) * &x,
            |x| {
                let y = flat(&x).sin();
                let no = y.get(0).zeros_like();
                folded(stack(&[y.get(4), y.get(0), y.get(1), no.clone(), no, y.get(5)], 0)) * &x
            },
        ),
        ("axis_size", |x| x * axis_size(IJ) as f64, |x| x * 6.0),
        ("of no axis", |x| psum(&x, [""; 0]), |x| x),
    ]
}

#[test]
fn several_axes_are_one() {
    let x = numbers(&[2, 3, 6]);
    for (name, one, all) in functions_of_two_axes() {
        let batch = move |x: Tensor| vmap(vmap(one).axis_name("j")).axis_name("i")(x);
        let want = all(x.clone());
        close(&batch(x.clone()), &want, name);
        close(&jit(batch)(x.clone()), &want, name);
        // The other axis outside.
        let turned = vmap(vmap(one).axis_name("i")).axis_name("j").in_axes([Some(1)]).out_axes(1);
        close(&turned(x.clone()), &want, &format!("{name}, turned"));
        let weights = numbers(&[2, 3, 6]).cos();
        let weigh = |f: fn(Tensor) -> Tensor, w: Tensor| move |x: Tensor| (f(x) * &w).sum();
        let slopes = grad(weigh(all, weights.clone()))(x.clone());
        let of_batch = move |x: Tensor| (batch(x) * &weights).sum();
        close(&jit(grad(of_batch))(x.clone()), &slopes, &format!("{name}, slopes"));
    }
}

#[test]
fn several_axes_are_checked() {
    let said = |f: F| {
        let batch = vmap(vmap(f).axis_name("j")).axis_name("i");
        let e = jit(batch).try_call((numbers(&[2, 3, 6]),)).unwrap_err();
        assert_eq!(e.location().expect("a line").file(), file!());
        e.message().to_owned()
    };
    assert!(said(|x| psum(&x, ("i", "i"))).contains("the axis `i` is named twice"));
    assert!(said(|x| psum(&x, ("i", "k"))).contains("no `vmap` around it calls its axis `k`"));
    let outside = said(|x| ppermute(&x, ("i", "j"), &[(0, 6)]));
    assert!(outside.contains("ppermute along `i, j`, of 6 examples"), "{outside}");
    let twice = said(|x| ppermute(&x, ("i", "j"), &[(0, 1), (2, 1)]));
    assert!(twice.contains("ppermute along `i, j`, of 6 examples"), "{twice}");
    let places = said(|x| psum_scatter(&x.get(..4), ("i", "j")));
    assert!(places.contains("of 6 examples") && places.contains("has no place for each"), "{places}");
    let places = said(|x| all_to_all(&x.get(..4), ("i", "j"), 0, 0));
    assert!(places.contains("has no place for each"), "{places}");
}

/// Of a batch of none there is nothing, and nothing fails.
#[test]
fn a_batch_of_none_has_its_collectives() {
    let none = || Tensor::zeros(&[0], DType::F64);
    let all: [F; 5] = [
        |x| &x - pmax(&x, "i"),
        |x| &x - pmin(&x, "i"),
        |x| &x - psum(&x, "i"),
        |x| &x - pmean(&x, "i"),
        |x| &x * axis_index("i").astype(DType::F64),
    ];
    for f in all {
        assert_eq!(vmap(f).axis_name("i")(none()).shape(), [0]);
        assert_eq!(jit(vmap(f).axis_name("i"))(none()).shape(), [0]);
    }
}

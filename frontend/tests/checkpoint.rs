//! Checkpoints change what is kept and nothing else: values and derivatives of every mode and order, for one example and for
//! batches, are those of the function.

use crate::common;

use common::{close, numbers};
use wengert::stages::{Limits, Traced};
use wengert::{
    Keep, Padding, Save, ScanOptions, Tensor, checkpoint, checkpoint_name, cond, custom_jvp, fori_loop, grad,
    hessian, jacfwd, jit, jvp, linearize, max_pool, scan, scan_with, value_and_grad, vjp, vmap, while_loop,
    while_loop_with,
};

const ALL: [Keep; 5] =
    [Keep::Nothing, Keep::Contractions, Keep::UnbatchedContractions, Keep::Names, Keep::Everything];

type Of = fn(Tensor) -> Tensor;

/// Functions of three numbers, smooth where they are tried.
const FUNCTIONS: &[(&str, Of)] = &[
    ("elementwise", |x| (x.sin() * &x).exp().sin()),
    ("products", |x| {
        let w = x.expand_dims(1).matmul(&x.expand_dims(0)).sin();
        w.matmul(&x.cos()).tanh()
    }),
    ("a batch of products", |x| {
        let m = x.sin().reshape(&[3, 1, 1]).broadcast_to(&[3, 2, 2]).exp();
        m.matmul(&m.sin()).sum_axes(&[1, 2]).sin()
    }),
    ("a branch", |x| cond(&x.sum().greater(0.0), |x: Tensor| x.sin().exp(), |x: Tensor| x.cos() * &x, x)),
    ("a scan", |x| {
        scan(
            |c: Tensor, v: Tensor| {
                let c = (c * v).sin();
                (c.clone(), c.exp())
            },
            x.sum(),
            x.clone(),
        )
        .1 * x
    }),
    ("counted", |x| fori_loop(0, 3, |_, c: Tensor| (c.sin() + 0.1).exp(), x)),
    ("as long as it takes", |x| {
        while_loop(|c: Tensor| c.square().sum().less(50.0), |c| c.sinh() * 1.5 + 0.3, x)
    }),
    ("the largest", |x| (x.max() * &x.sin()).maximum(x.cos())),
    ("a rule", |x| {
        custom_jvp(|x: Tensor| x.sin().exp(), |(x,), (d,)| (x.sin().exp(), d * x.cos() * x.sin().exp()))(x)
    }),
    ("a checkpoint", |x| checkpoint(|x: Tensor| x.sin().exp().sin())(x.cos()).exp()),
    ("sorted", |x| x.sort(0).cumsum(0).sin()),
];

fn x() -> Tensor {
    Tensor::from([0.4f64, -0.9, 1.3])
}

/// The sum of what two checkpoints in a row give, with weights that they capture; or that without checkpoints.
fn loss(f: Of, keep: Option<Keep>) -> impl Fn(Tensor, Tensor) -> Tensor + Clone + Send + Sync + 'static {
    move |x: Tensor, w: Tensor| {
        let captured = w.clone();
        let layer = move |x: Tensor| f(x * &captured) + captured.sum();
        let y = match keep {
            Some(keep) => {
                let layer = checkpoint(layer).keep(keep);
                layer(layer(x).sin())
            }
            None => layer(layer(x).sin()),
        };
        (y * w).sum()
    }
}

#[test]
fn derivatives_are_those_of_the_function() {
    let w = || Tensor::from([0.8f64, 1.1, -0.6]);
    for &(name, f) in FUNCTIONS {
        let plain = loss(f, None);
        let gradient = |f: &dyn Fn(Tensor, Tensor) -> Tensor| f(x(), w());
        let want = gradient(&*grad(plain.clone()));
        let of_captured = gradient(&*grad(plain.clone()).wrt(wengert::ARG1));
        let curvature = hessian(plain.clone())(x(), w());
        let forward = jvp(plain.clone(), (x(), w()), (w(), x()));
        for keep in ALL {
            let what = |mode: &str| format!("{name}, keeping {}, {mode}", keep.name());
            let saved = loss(f, Some(keep));
            close(&saved(x(), w()), &plain(x(), w()), &what("value"));
            close(&jit(saved.clone())(x(), w()), &plain(x(), w()), &what("compiled"));
            close(&grad(saved.clone())(x(), w()), &want, &what("reverse"));
            close(&jit(grad(saved.clone()))(x(), w()), &want, &what("reverse, compiled"));
            close(&grad(saved.clone()).wrt(wengert::ARG1)(x(), w()), &of_captured, &what("what is captured"));
            let got = jvp(saved.clone(), (x(), w()), (w(), x()));
            close(&got.1, &forward.1, &what("forward"));
            let (_, tangent) = linearize(saved.clone(), (x(), w()));
            close(&tangent.call((w(), x())), &forward.1, &what("linearized"));
            close(&jit(hessian(saved.clone()))(x(), w()), &curvature, &what("forward over reverse"));
            let twice = saved.clone();
            let reverse = move |x: Tensor, w: Tensor| (grad(twice.clone())(x, w.clone()) * w).sum();
            let twice = plain.clone();
            let expected = grad(move |x: Tensor, w: Tensor| (grad(twice.clone())(x, w.clone()) * w).sum());
            close(&jit(grad(reverse))(x(), w()), &expected(x(), w()), &what("reverse over reverse"));
            let once = saved.clone();
            let over_forward =
                grad(move |x: Tensor, w: Tensor| jvp(once.clone(), (x, w.clone()), (w.clone(), w)).1);
            let once = plain.clone();
            let expected =
                grad(move |x: Tensor, w: Tensor| jvp(once.clone(), (x, w.clone()), (w.clone(), w)).1);
            close(&jit(over_forward)(x(), w()), &expected(x(), w()), &what("reverse over forward"));
            let pulled = vjp(saved.clone(), (x(), w())).1.call(Tensor::from(1.0f64)).0;
            close(&pulled, &want, &what("pulled back"));
        }
    }
}

#[test]
fn batches() {
    let (xs, w) = (numbers(&[4, 3]), Tensor::from([0.8f64, 1.1, -0.6]));
    for &(name, f) in FUNCTIONS {
        for keep in ALL {
            let what = |mode: &str| format!("{name}, keeping {}, {mode}", keep.name());
            let want = vmap(grad(loss(f, None))).in_axes([Some(0), None])(xs.clone(), w.clone());
            let each = vmap(grad(loss(f, Some(keep)))).in_axes([Some(0), None]);
            let got = jit(each)(xs.clone(), w.clone());
            close(&got, &want, &what("gradients of examples"));
            let batch = vmap(loss(f, Some(keep))).in_axes([Some(0), None]);
            let of_batch = jit(grad(move |x: Tensor, w: Tensor| batch(x, w).sum()))(xs.clone(), w.clone());
            close(&of_batch, &want, &what("gradient of a batch"));
        }
    }
}

#[test]
fn integers_pass() {
    let f = checkpoint(|x: Tensor, k: Tensor| (x.sin().take(&k, 0).exp(), &k + 1));
    let loss = move |x: Tensor, k: Tensor| f(x, k).0.sum();
    let k = Tensor::from([2i32, 0, 2]);
    let want = grad(|x: Tensor, k: Tensor| x.sin().take(&k, 0).exp().sum())(x(), k.clone());
    close(&jit(grad(loss.clone()))(x(), k.clone()), &want, "reverse");
    close(&jacfwd(loss)(x(), k), &want, "forward");
}

/// How often a word is in a program that has been optimized.
fn count(program: Traced, word: &str) -> usize {
    program.optimize().expect("small").to_string().matches(word).count()
}

#[test]
fn what_is_kept_is_not_computed_again() {
    let layer = |w: Tensor, x: Tensor| w.matmul(&x).sin().sin();
    let args = || (numbers(&[8, 8]), numbers(&[8, 8]));
    let counts = |keep: Option<Keep>| {
        let f = move |w: Tensor, x: Tensor| match keep {
            Some(keep) => checkpoint(layer).keep(keep)(w, x).sum(),
            None => layer(w, x).sum(),
        };
        let program = jit(value_and_grad(f)).trace(args()).expect("traces");
        (count(program.clone(), "stablehlo.dot_general"), count(program, "stablehlo.sine"))
    };
    assert_eq!(counts(None), (2, 2));
    assert_eq!(counts(Some(Keep::Everything)), (2, 2));
    assert_eq!(counts(Some(Keep::Nothing)), (3, 3), "the outer sine is not needed again");
    assert_eq!(counts(Some(Keep::Contractions)), (2, 3));
}

/// The least memory with which a program runs, to a hundredth.
fn least_memory(program: &Traced, args: &[Tensor]) -> u64 {
    let runs = |bytes: u64| {
        let limits = Limits { max_memory: Some(bytes), ..Limits::default() };
        let within = program.clone().within(limits);
        within.lower().and_then(|l| l.compile()).and_then(|c| c.call(args)).is_ok()
    };
    let (mut low, mut high) = (0, 1 << 30);
    assert!(runs(high));
    while high - low > high / 100 {
        let middle = (low + high) / 2;
        if runs(middle) { high = middle } else { low = middle }
    }
    high
}

/// Sixteen layers of four steps: without checkpoints each step keeps a value; with them each layer keeps its argument.
#[test]
fn memory_is_that_of_the_layers() {
    let step = |w: &Tensor, x: Tensor| x.matmul(w).sin();
    let layer = move |w: Tensor, x: Tensor| (0..4).fold(x, |x, _| step(&w, x));
    let model = |save: bool| {
        move |w: Tensor, x: Tensor| {
            (0..16)
                .fold(x, |x, _| if save { checkpoint(layer)(w.clone(), x) } else { layer(w.clone(), x) })
                .sum()
        }
    };
    let args = [numbers(&[64, 64]), numbers(&[256, 64])];
    let least = |save: bool| {
        let program = jit(grad(model(save))).trace((args[0].clone(), args[1].clone())).expect("traces");
        least_memory(&program.optimize().expect("small"), &args)
    };
    let (saved, plain) = (least(true), least(false));
    let value = 256 * 64 * 8;
    assert!(saved < 30 * value && plain > 60 * value, "{} and {} values", saved / value, plain / value);
}

/// Loops that keep what goes into segments of their steps, of every length, in both directions and all modes.
#[test]
fn loops_in_segments() {
    let saves = [Save::EachStep, Save::Every(1), Save::Every(3), Save::Every(7), Save::Every(50), Save::Root];
    let loss = |save: Save, reverse: bool, unroll: usize| {
        move |w: Tensor, xs: Tensor| {
            let options = ScanOptions { save, reverse, unroll, ..ScanOptions::default() };
            let step = |c: Tensor, x: Tensor| {
                let c = (&c * &w + x).sin();
                (c.clone(), c.exp().sum())
            };
            let (last, all) = scan_with(step, w.cos(), xs, options);
            (last * all.cumsum(0).sum()).sum()
        }
    };
    let xs = || numbers(&[23, 3]);
    for reverse in [false, true] {
        let plain = loss(Save::EachStep, reverse, 1);
        let want = grad(plain)(x(), xs());
        let curvature = hessian(plain)(x(), xs());
        for save in saves {
            for unroll in [1, 2] {
                let what = format!("{save:?}, reverse {reverse}, unrolled {unroll}");
                let f = loss(save, reverse, unroll);
                close(&f(x(), xs()), &plain(x(), xs()), &what);
                close(&grad(f)(x(), xs()), &want, &what);
                close(&jit(grad(f))(x(), xs()), &want, &what);
                close(
                    &grad(f).wrt(wengert::ARG1)(x(), xs()),
                    &grad(plain).wrt(wengert::ARG1)(x(), xs()),
                    &what,
                );
                close(&jit(hessian(f))(x(), xs()), &curvature, &what);
            }
        }
    }
    let loops = |save: Save| {
        move |w: Tensor| {
            let small = |c: Tensor| c.square().sum().less(1e4);
            while_loop_with(small, |c| &c * (1.0 + &w * 0.1) + w.exp(), w.clone(), save).log().sum()
        }
    };
    let at = || Tensor::from([0.4f64, 0.2, 0.9]);
    for save in saves {
        let what = format!("while, {save:?}");
        close(&jit(loops(save))(at()), &loops(Save::EachStep)(at()), &what);
        close(&jit(grad(loops(save)))(at()), &grad(loops(Save::EachStep))(at()), &what);
        close(&jacfwd(loops(save))(at()), &grad(loops(Save::EachStep))(at()), &what);
        close(&jit(hessian(loops(save)))(at()), &hessian(loops(Save::EachStep))(at()), &what);
        let batch = numbers(&[3, 3]).abs() + 0.1;
        let each = jit(vmap(grad(loops(save))));
        close(&each(batch.clone()), &vmap(grad(loops(Save::EachStep)))(batch), &what);
    }
}

/// Two thousand steps that need two numbers each, in segments of 44, of which 20 steps are left over.
#[test]
fn memory_is_that_of_the_segments() {
    let f = |save: Save| {
        move |w: Tensor, x: Tensor| {
            let options = ScanOptions { save, length: Some(2000), ..ScanOptions::default() };
            scan_with(|c: Tensor, ()| ((c * &w).sin(), ()), x, (), options).0.sum()
        }
    };
    let args = [numbers(&[1000]), numbers(&[1000])];
    let least = |save: Save| {
        let program = jit(grad(f(save))).trace((args[0].clone(), args[1].clone())).expect("traces");
        least_memory(&program.optimize().expect("small"), &args) / (1000 * 8)
    };
    let (saved, plain) = (least(Save::Root), least(Save::EachStep));
    assert!(saved < 200 && plain > 4000, "{saved} and {plain} steps");
}

#[test]
fn checkpoints_survive_text() {
    for keep in ALL {
        let f = checkpoint(|x: Tensor| x.sin().exp()).keep(keep);
        let program = jit(move |x: Tensor| f(x).sum()).trace((x(),)).expect("traces");
        let text = program.to_string();
        assert!(text.contains("wengert.checkpoint") && text.contains(keep.name()), "{text}");
        let read = Traced::parse(&text, None).expect("reads");
        assert_eq!(read.to_string(), text);
        let [a, b] = [program, read].map(|p| p.value_and_grad(&[0]).expect("derives"));
        close(&a.interpret(&[x()]).expect("runs")[1], &b.interpret(&[x()]).expect("runs")[1], keep.name());
    }
    let text = jit(|x: Tensor| checkpoint(|x: Tensor| x.sin())(x)).trace((x(),)).expect("traces").to_string();
    let wrong = text.replace("\"nothing\"", "\"some\"");
    let error = Traced::parse(&wrong, None).err().expect("no such word").to_string();
    assert!(error.contains("`keep` must say what a checkpoint keeps"), "{error}");
}

/// Loops that are reversed with so many states: values and derivatives of every mode are those of the loop.
#[test]
fn loops_in_slots() {
    let loss = |save: Save, reverse: bool| {
        move |w: Tensor, xs: Tensor| {
            let options = ScanOptions { save, reverse, ..ScanOptions::default() };
            let step = |(c, n): (Tensor, Tensor), x: Tensor| {
                let c = (&c * &w + x).sin();
                ((c.clone(), n + Tensor::from(1i32)), c.exp().sum())
            };
            let ((last, n), all) = scan_with(step, (w.cos(), Tensor::from(0i32)), xs, options);
            (last * all.cumsum(0).sum()).sum() * n
        }
    };
    let xs = || numbers(&[13, 3]);
    for reverse in [false, true] {
        let plain = loss(Save::EachStep, reverse);
        let want = grad(plain)(x(), xs());
        for slots in [0, 1, 2, 3, 5, 13, 40] {
            let what = format!("{slots} slots, reverse {reverse}");
            let f = loss(Save::Slots(slots), reverse);
            close(&f(x(), xs()), &plain(x(), xs()), &what);
            close(&grad(f)(x(), xs()), &want, &what);
            close(&jit(grad(f))(x(), xs()), &want, &what);
            close(&grad(f).wrt(wengert::ARG1)(x(), xs()), &grad(plain).wrt(wengert::ARG1)(x(), xs()), &what);
            let along = (x(), xs());
            close(&jvp(f, along.clone(), along.clone()).1, &jvp(plain, along.clone(), along).1, &what);
        }
        let f = loss(Save::Slots(3), reverse);
        close(&jit(hessian(f))(x(), xs()), &hessian(plain)(x(), xs()), "forward over reverse");
        let batch = numbers(&[2, 3]);
        let each = vmap(grad(f)).in_axes([Some(0), None]);
        close(
            &jit(each)(batch.clone(), xs()),
            &vmap(grad(plain)).in_axes([Some(0), None])(batch, xs()),
            "batch",
        );
    }
    let loops = |save: Save| {
        move |w: Tensor| {
            let most = w.sum() + 1e4;
            let small = move |c: Tensor| c.square().sum().less(&most);
            while_loop_with(small, |c| &c * (1.0 + &w * 0.1) + w.exp(), w.clone(), save).log().sum()
        }
    };
    let at = || Tensor::from([0.4f64, 0.2, 0.9]);
    for slots in [1, 2, 4, 100] {
        let what = format!("while, {slots} slots");
        let (f, plain) = (loops(Save::Slots(slots)), loops(Save::EachStep));
        close(&jit(f)(at()), &plain(at()), &what);
        close(&grad(f)(at()), &grad(plain)(at()), &what);
        close(&jit(grad(f))(at()), &grad(plain)(at()), &what);
        close(&jacfwd(f)(at()), &grad(plain)(at()), &what);
        let batch = numbers(&[3, 3]).abs() + 0.1;
        close(&jit(vmap(grad(f)))(batch.clone()), &vmap(grad(plain))(batch), &what);
    }
    let twice = |save: Save| move |w: Tensor| (grad(loops(save))(w.clone()) * w).sum();
    close(
        &jit(grad(twice(Save::Slots(3))))(at()),
        &grad(twice(Save::EachStep))(at()),
        "reverse over reverse",
    );
}

/// What a policy keeps by name or by what it is.
#[test]
fn what_is_named_is_kept() {
    let layer = |w: Tensor, x: Tensor| {
        let y = checkpoint_name(w.matmul(&x), "product");
        checkpoint_name(y.exp(), "exponential").sin().sin()
    };
    let args = || (numbers(&[8, 8]) * 0.1, numbers(&[8, 8]) * 0.1);
    let of = |f: wengert::Checkpoint<(Tensor, Tensor), Tensor>| {
        let loss = move |w: Tensor, x: Tensor| f(w, x).sum();
        close(
            &jit(grad(loss.clone()))(args().0, args().1),
            &grad(move |w, x| layer(w, x).sum())(args().0, args().1),
            "gradient",
        );
        let program = jit(value_and_grad(loss)).trace(args()).expect("traces");
        ["stablehlo.dot_general", "stablehlo.exponential", "stablehlo.sine"]
            .map(|word| count(program.clone(), word))
    };
    // Two products are the function's and the gradient's.
    assert_eq!(of(checkpoint(layer).keep(Keep::Everything)), [2, 1, 2]);
    assert_eq!(of(checkpoint(layer)), [3, 2, 3]);
    assert_eq!(of(checkpoint(layer).keep_names(["product"])), [2, 2, 3]);
    assert_eq!(of(checkpoint(layer).keep_names(["exponential", "none"])), [2, 1, 3]);
    assert_eq!(of(checkpoint(layer).keep_names(["other"])), [3, 2, 3]);
    assert_eq!(of(checkpoint(layer).keep_where(|op, _| op == "stablehlo.exponential")), [2, 1, 3]);
    assert_eq!(of(checkpoint(layer).keep_where(|_, ty| ty.rank() == 3)), [3, 2, 3]);
    let e =
        std::panic::catch_unwind(|| checkpoint(|x: Tensor| x).keep_names(["a b"])).err().expect("no name");
    assert!(e.downcast_ref::<String>().expect("a text").contains("is no name"));
}

/// Values are exact, gradients off by what the smaller type rounds.
#[test]
fn kept_in_a_smaller_type() {
    use wengert::DType;
    let layer = |w: Tensor, x: Tensor| w.matmul(&x).sin().exp();
    let args = || (numbers(&[8, 8]) * 0.3, numbers(&[8, 8]) * 0.3);
    let plain = move |w: Tensor, x: Tensor| layer(w, x).sum();
    let want = grad(plain)(args().0, args().1);
    for (dtype, bound) in [
        (DType::BF16, 2f64.powi(-9)),
        (DType::F16, 2f64.powi(-12)),
        (DType::F32, 2f64.powi(-25)),
        (DType::F64, 1e-17),
    ] {
        let small = checkpoint(layer).keep(Keep::Everything).compress(dtype);
        let loss = move |w: Tensor, x: Tensor| small(w, x).sum();
        close(&jit(loss.clone())(args().0, args().1), &plain(args().0, args().1), "value");
        let (value, got) = jit(value_and_grad(loss.clone()))(args().0, args().1);
        close(&value, &plain(args().0, args().1), "value");
        // Two values that are kept are multiplied, and sums are of at most 64 products of numbers below 3.
        let off = (&got - &want).abs().max().item::<f64>();
        assert!(off <= bound * 64.0 * 3.0 && (dtype == DType::F64 || off > 1e-12), "{}: {off}", dtype.name());
        close(&grad(loss.clone())(args().0, args().1), &got, "eager");
        let text = jit(loss).trace(args()).expect("traces").to_string();
        assert_eq!(Traced::parse(&text, None).expect("reads").to_string(), text);
    }
    // Integers and booleans are kept as they are.
    let chosen = |x: Tensor, k: Tensor| x.sin().take(&k, 0).maximum(0.2);
    let small = checkpoint(chosen).keep(Keep::Everything).compress(DType::BF16);
    let d = jit(grad(move |x: Tensor, k: Tensor| small(x, k).sum()))(x(), Tensor::from([2i32, 0, 2]));
    let want = grad(move |x: Tensor, k: Tensor| chosen(x, k).sum())(x(), Tensor::from([2i32, 0, 2]));
    assert!((d - want).abs().max().item::<f64>() < 2f64.powi(-7));
    let e =
        std::panic::catch_unwind(|| checkpoint(|x: Tensor| x).compress(DType::I8)).err().expect("no float");
    let e = e.downcast_ref::<String>().expect("a text").clone();
    assert!(e.contains("floats are kept in a smaller float") && e.contains("tests/checkpoint.rs"), "{e}");
}

/// Piecewise functions just beside their edges: what is kept is rounded onto the edge, or over it.
#[test]
fn what_is_rounded_decides_nothing() {
    use wengert::DType;
    const EDGES: &[(&str, Of)] = &[
        ("a choice", |h| h.greater(1.0).select(&(&h * 3.0), &(&h * 2.0))),
        ("a maximum", |h| h.maximum(1.0) * 3.0),
        ("the larger of two", |h| {
            let (a, b) = (h.get(0), h.get(1));
            a.maximum(&b) * 2.0 + a
        }),
        ("a distance", |h| (&h - 1.0).abs() * 5.0),
        ("a sign", |h| (&h - 1.0).sign() * &h),
        ("a floor", |h| ((&h - 1.0) * 1e6).floor() * &h),
        ("a remainder", |h| ((&h - 1.0) % 3e-4) * &h * 1e3),
        ("an order", |h| h.sort(0) * Tensor::from([1.0f32, 2.0, 4.0])),
        ("the largest", |h| h.max() * &h),
        ("where the largest is", |h| h.take(&h.argmax(0), 0) * 7.0),
        ("the largest of a window", |h| max_pool(&h.reshape(&[1, 1, 3]), &[2], &[1], Padding::Valid)),
        ("a branch", |h| {
            cond(&h.get(0).greater(1.0), |h: Tensor| &h * &h * 3.0, |h: Tensor| &h * &h * 2.0, h)
        }),
        ("a choice in a scan", |h| {
            scan(|c: Tensor, x: Tensor| (x.greater(1.0).select(&(&c * &x), &(&c + &x)), x), h.get(1), h).0
        }),
        ("a choice in a function", |h| jit(|h: Tensor| h.greater(1.0).select(&(&h * &h * 3.0), &h))(h)),
        ("a choice in a checkpoint", |h| {
            checkpoint(|h: Tensor| h.greater(1.0).select(&(&h * &h * 3.0), &h))(h)
        }),
        ("as many as are large", |h| {
            let n = h.greater(1.0).astype(DType::I32).sum();
            fori_loop(0, 3, |k, x: Tensor| k.less(&n).select(&(&x * &x), &x), h)
        }),
        ("as long as it is large", |h| while_loop(|h: Tensor| h.get(0).greater(1.0), |h| &h * &h * 0.9, h)),
    ];
    // Each is rounded to 1 in a type of eight bits.
    let at = || Tensor::from([1.001f32, 1.0005, 1.0007]);
    let mut wrong = Vec::new();
    for &(name, f) in EDGES {
        let named = move |x: Tensor| f(checkpoint_name(x * 1.0, "h"));
        let want = grad(move |x: Tensor| named(x).sum())(at());
        for (how, small) in [
            ("named", checkpoint(named).keep_names(["h"])),
            ("all", checkpoint(named).keep(Keep::Everything)),
        ] {
            let small = small.compress(DType::BF16);
            let loss = move |x: Tensor| small(x).sum();
            for (mode, got) in [("eager", grad(loss.clone())(at())), ("jit", jit(grad(loss))(at()))] {
                let off = (&got - &want).abs().max().item::<f32>();
                let most = 0.02 * want.abs().max().item::<f32>();
                if off.is_nan() || off > most {
                    wrong.push(format!("{name}, {how}, {mode}: {off}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    // What has no edge is still kept in the smaller type.
    let smooth = checkpoint(|x: Tensor| checkpoint_name(&x * 1.0, "h").sin()).keep_names(["h"]);
    let smooth = smooth.compress(DType::BF16);
    let d = grad(move |x: Tensor| smooth(x));
    assert!((d(Tensor::from(1.001f32)).item::<f32>() - 1f32.cos()).abs() < 1e-6);
}

/// `keep_where` keeps what it is asked about, whatever names the user gives.
#[test]
fn what_is_wanted_has_a_name_of_its_own() {
    let layer = |x: Tensor| checkpoint_name(x.exp(), "wanted").sin().sin();
    let of = |layer: wengert::Checkpoint<(Tensor,), Tensor>| {
        let program = jit(value_and_grad(move |x: Tensor| layer(x).sum())).trace((numbers(&[8]),));
        count(program.expect("traces"), "stablehlo.exponential")
    };
    let nothing = of(checkpoint(layer));
    assert_eq!(nothing, 2);
    assert_eq!(of(checkpoint(layer).keep_where(|_, _| false)), nothing);
    assert_eq!(of(checkpoint(layer).keep_names(["wanted"])), nothing - 1);
    let e = std::panic::catch_unwind(|| checkpoint_name(x(), "wengert/wanted")).expect_err("reserved");
    assert!(e.downcast_ref::<String>().expect("a text").contains("begin with `wengert/`"));
}

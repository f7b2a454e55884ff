//! Derivatives within a memory budget: their values, what they take, and what they are planned to take.

use crate::common;

use common::{close, numbers};
use wengert::stages::Traced;
use wengert::{
    ARG0, ARG1, DType, FloatMode, ScanOptions, Tensor, checkpoint, cond, custom_jvp, custom_vjp, fori_loop,
    grad, jit, jvp, scan, scan_with, stack, tree, value_and_grad, vjp, vmap, while_loop,
};

/// Layers of a product and a sine, one after the other.
fn layers(n: usize) -> impl Fn(Tensor, Tensor) -> Tensor + Clone + Send + Sync + 'static {
    move |w: Tensor, x: Tensor| (0..n).fold(x, |x, _| x.matmul(&w).sin()).sum()
}

/// Bytes that a program takes when it is compiled.
fn taken(program: &Traced) -> u64 {
    program.lower().expect("lowers").program().memory()
}

/// The same, and its first result. Whoever traces a derivative with a budget again has its plan made again, which takes longer than all
/// else here.
fn taken_and_given(program: &Traced, (w, x): (Tensor, Tensor)) -> (u64, Tensor) {
    let lowered = program.lower().expect("lowers");
    let results = lowered.compile().and_then(|compiled| compiled.call(&[w, x])).expect("runs");
    (lowered.program().memory(), results[0].clone())
}

#[test]
fn a_chain_of_layers() {
    let args = || (numbers(&[32, 32]) * 0.2, numbers(&[64, 32]));
    let f = layers(16);
    let plain = jit(grad(f.clone()));
    let unlimited = taken(&plain.trace(args()).expect("traces"));
    let want = plain(args().0, args().1);
    for part in [90, 70, 50] {
        let budget = unlimited * part / 100;
        let limited = grad(f.clone()).memory_budget(budget);
        let plan = limited.plan(args()).unwrap_or_else(|e| panic!("{part}: {e}"));
        let program = jit(limited).trace(args()).expect("traces");
        let (peak, got) = taken_and_given(&program, args());
        assert!(peak <= budget, "{peak} of {budget}");
        assert!(peak.abs_diff(plan.peak()) * 10 <= peak, "{peak} and {}", plan.peak());
        close(&got, &want, "gradient");
    }
}

#[test]
fn a_scan() {
    let f = |w: Tensor, x: Tensor| {
        let options = ScanOptions { length: Some(400), ..ScanOptions::default() };
        scan_with(|c: Tensor, ()| ((c * &w).sin(), ()), x, (), options).0.sum()
    };
    let args = || (numbers(&[100]), numbers(&[100]));
    let plain = jit(grad(f));
    let unlimited = taken(&plain.trace(args()).expect("traces"));
    let want = plain(args().0, args().1);
    for part in [60, 20, 15] {
        let budget = unlimited * part / 100;
        let limited = grad(f).memory_budget(budget);
        let plan = limited.plan(args()).unwrap_or_else(|e| panic!("{part}: {e}"));
        assert!(plan.loops.len() == 1 && plan.time_ratio() < 2.5, "{plan}");
        let (peak, got) = taken_and_given(&jit(limited).trace(args()).expect("traces"), args());
        assert!(peak <= budget, "{peak} of {budget}");
        close(&got, &want, "gradient");
    }
}

/// Functions of weights and numbers, each with something to keep.
type Of = fn(Tensor, Tensor) -> Tensor;

const FUNCTIONS: &[(&str, Of)] = &[
    ("a branch inside", |w, x| {
        let y = (0..6).fold(x, |x, _| x.matmul(&w).sin());
        let up = |y: Tensor| (0..4).fold(y, |y, _| (y.exp() * 0.5).sin());
        cond(&y.sum().greater(0.0), up, |y: Tensor| y.cos(), y).sum()
    }),
    ("a scan over layers", |w, x| {
        let layers =
            stack(&[w.clone(), &w * 0.9, &w * 0.8, &w * 0.7, &w * 0.6, &w * 0.5, &w * 0.4, &w * 0.3], 0);
        scan(|x: Tensor, w: Tensor| (x.matmul(&w).sin().exp().cos(), ()), x, layers).0.sum()
    }),
    ("two scans and layers between", |w, x| {
        let step = |c: Tensor, x: Tensor| ((c.matmul(&w) + x).sin(), ());
        let first = scan(step, x.get(0), x.clone()).0;
        let y = (0..4).fold(first, |y, _| y.matmul(&w).sin());
        scan(step, y, x.clone()).0.sum()
    }),
    ("a loop that counts", |w, x| fori_loop(0, 12, |_, x: Tensor| x.matmul(&w).sin(), x).sum()),
    ("rules of its own", |w, x| {
        let clipped = custom_vjp(
            |x: Tensor| x.sin(),
            |(x,)| (x.sin(), x),
            |x: Tensor, g: Tensor| ((g * x.cos()).clip(-1.0, 1.0),),
        );
        let soft = custom_jvp(|x: Tensor| x.exp().log1p(), |(x,), (d,)| (x.exp().log1p(), d * x.sigmoid()));
        (0..6).fold(x, |x, _| soft(clipped(x.matmul(&w)))).sum()
    }),
    ("largest ones and signs", |w, x| {
        (0..6)
            .fold(x, |x, _| {
                let y = x.matmul(&w);
                y.maximum(0.1) * y.max_axes(&[1]).expand_dims(1).sign()
            })
            .sum()
    }),
    ("a checkpoint", |w, x| {
        let layer = checkpoint(|w: Tensor, x: Tensor| x.matmul(&w).sin().exp().cos());
        (0..8).fold(x, |x, _| layer(w.clone(), x)).sum()
    }),
    ("skips", |w, x| {
        let mut all = vec![x];
        for _ in 0..6 {
            let y = all[all.len() - 1].matmul(&w).sin();
            all.push(y);
        }
        for k in 0..6 {
            let y = all[all.len() - 1].matmul(&w).cos() + &all[5 - k];
            all.push(y);
        }
        all[12].sum()
    }),
];

/// Gradients, and those under and over other transforms, are those without a budget; and the program keeps within it.
#[test]
fn every_kind_of_function() {
    let args = || (numbers(&[32, 32]) * 0.15, numbers(&[64, 32]));
    for &(name, f) in FUNCTIONS {
        let plain = jit(grad(f));
        let want = plain(args().0, args().1);
        let unlimited = taken(&plain.trace(args()).expect("traces"));
        // As little as can be, and something between.
        let e = grad(f).memory_budget(1).plan(args()).expect_err("too small").to_string();
        let least = smallest(&e);
        assert!(least < unlimited, "{name}: {e}");
        for budget in [least, (least + unlimited) / 2, unlimited] {
            let limited = grad(f).memory_budget(budget);
            let plan = limited.plan(args()).unwrap_or_else(|e| panic!("{name}, {budget}: {e}"));
            assert!(plan.peak() <= budget && plan.time_ratio() < 2.5, "{name}: {plan}");
            let (peak, got) = taken_and_given(&jit(limited).trace(args()).expect("traces"), args());
            assert!(peak <= budget, "{name}: {peak} of {budget}");
            close(&got, &want, name);
        }
        let budget = (least + unlimited) / 2;
        close(&grad(f).memory_budget(budget)(args().0, args().1), &want, &format!("{name}, without jit"));
        let back = vjp(f, args()).1.memory_budget(unlimited * 2);
        close(&back.call(Tensor::from(1.0f64)).0, &want, &format!("{name}, pulled back"));
        let of_x = jit(grad(f).memory_budget(unlimited * 2).wrt(wengert::ARG1))(args().0, args().1);
        close(
            &of_x,
            &grad(f).wrt(wengert::ARG1)(args().0, args().1),
            &format!("{name}, by another argument"),
        );
        let examples = stack(&[args().1, args().1 * 0.5], 0);
        let each = vmap(grad(f).memory_budget(budget)).in_axes([None, Some(0)]);
        let of_each = vmap(grad(f)).in_axes([None, Some(0)]);
        close(
            &jit(each)(args().0, examples.clone()),
            &of_each(args().0, examples),
            &format!("{name}, for each example"),
        );
    }
}

/// The smallest budget that an error names.
fn smallest(error: &str) -> u64 {
    let found = error.split("the smallest that can be met is ").nth(1).expect("it names one");
    let bytes = match found.split_once(" (") {
        Some((_, rest)) if found.find(" (") < found.find(". ") => rest,
        _ => found,
    };
    bytes.split(' ').next().and_then(|n| n.parse().ok()).unwrap_or_else(|| panic!("{error}"))
}

/// The budget is that of the derivative it is asked of; derivatives of it are right.
#[test]
fn derivatives_of_derivatives() {
    let f = |x: Tensor| (0..6).fold(x, |x, _| (x.sin() * 1.5).exp().cos()).sum();
    let twice = move |budget: Option<u64>| {
        move |x: Tensor| {
            let d = match budget {
                Some(bytes) => grad(f).memory_budget(bytes)(x.clone()),
                None => grad(f)(x.clone()),
            };
            (d * x).sum()
        }
    };
    let x = || numbers(&[100]);
    let e = grad(f).memory_budget(1).plan((x(),)).expect_err("too small").to_string();
    let least = smallest(&e);
    close(&jit(grad(twice(Some(least))))(x()), &grad(twice(None))(x()), "reverse over reverse");
    let along = move |budget: Option<u64>| jvp(move |x: Tensor| twice(budget)(x), (x(),), (x(),)).1;
    close(&along(Some(least)), &along(None), "forward over reverse");
    let outer = jit(grad(twice(None)).memory_budget(100_000))(x());
    close(&outer, &grad(twice(None))(x()), "a budget for the outer one");
}

/// What is compressed changes the gradient by what is rounded, and nothing else.
#[test]
fn kept_in_a_smaller_type() {
    // Exponentials of products cost more to have again than to convert.
    let f = |w: Tensor, x: Tensor| (0..8).fold(x, |x, _| x.matmul(&w).exp().log1p().sin()).sum();
    let args = || ((numbers(&[64, 64]) * 0.1).astype(DType::F32), numbers(&[128, 64]).astype(DType::F32));
    let plain = jit(value_and_grad(f));
    let unlimited = taken(&plain.trace(args()).expect("traces"));
    let limited = value_and_grad(f).memory_budget(unlimited * 6 / 10);
    let small = value_and_grad(f).memory_budget(unlimited * 6 / 10).compress(DType::BF16);
    let (a, b) = (limited.plan(args()).expect("a plan"), small.plan(args()).expect("a plan"));

    assert!(b.kept.iter().any(|e| e.compressed) && b.time_ratio() < a.time_ratio(), "{b}");
    let ((v, g), (u, h)) = (jit(small)(args().0, args().1), plain(args().0, args().1));
    assert_eq!(v.item::<f32>(), u.item::<f32>(), "the value is exact");
    let off = (&g - &h).abs().max().item::<f32>() / h.abs().max().item::<f32>();
    assert!(off > 0.0 && off < 8.0 * 2f32.powi(-8), "{off}");
}

#[test]
fn plans_are_the_same_each_time() {
    let args = || (numbers(&[32, 32]), numbers(&[64, 32]));
    let text = || grad(layers(8)).memory_budget(250_000).plan(args()).expect("a plan").to_string();
    assert_eq!(text(), text());
    assert!(text().contains("kept for the reverse pass") && text().contains("computed again"), "{}", text());
}

/// A plan is asked for by other arguments too, and of arguments without elements.
#[test]
fn plans_by_other_arguments() {
    let args = || (numbers(&[32, 32]), numbers(&[64, 32]));
    let shapes = || tree::map(&args(), |t| Tensor::placeholder(t.shape(), t.dtype()));
    let limited = grad(layers(8)).memory_budget(250_000);
    let first = limited.plan(args()).expect("a plan").to_string();
    assert_eq!(limited.clone().wrt(ARG0).plan(args()).expect("a plan").to_string(), first);
    assert_eq!(limited.plan(shapes()).expect("a plan").to_string(), first);
    let both = limited.clone().wrt((ARG0, ARG1));
    let plan = both.plan(shapes()).expect("a plan");
    assert_ne!(plan.to_string(), first);
    let peak = taken(&jit(both).trace(shapes()).expect("traces"));
    assert!(peak <= 250_000 && peak.abs_diff(plan.peak()) * 10 <= peak, "{peak} and {plan}");
    let value = value_and_grad(layers(8)).memory_budget(250_000).wrt(ARG1);
    let (plan, peak) =
        (value.plan(shapes()).expect("a plan"), taken(&jit(value.clone()).trace(args()).unwrap()));
    assert!(peak <= 250_000 && peak.abs_diff(plan.peak()) * 10 <= peak, "{peak} and {plan}");
    let (w, x) = args();
    let want = grad(layers(8)).wrt(ARG1)(w.clone(), x.clone());
    close(&value(w.clone(), x.clone()).1, &want, "gradient");
    let e = grad(layers(8)).wrt(ARG1).plan(args()).expect_err("no budget").to_string();
    assert!(e.contains("nothing to plan without a budget") && e.contains("tests/memory_budget.rs:"), "{e}");
    let e = limited.wrt(ARG1).plan((w, x.argsort(0))).expect_err("integers").to_string();
    assert!(e.contains("`arg1` is tensor<64x32xi32>"), "{e}");
}

/// What is wrong, in words, with the user's line.
#[test]
fn mistakes() {
    let args = || (numbers(&[32, 32]), numbers(&[64, 32]));
    let line = "tests/memory_budget.rs:";
    for budget in [0, 1000] {
        let e = grad(layers(8)).memory_budget(budget).plan(args()).expect_err("too small").to_string();
        assert!(e.contains(&format!("a memory budget of {budget} bytes is too small: the smallest")), "{e}");
        assert!(
            e.contains("Arguments, results and constants take")
                && e.contains("at a time")
                && e.contains(line),
            "{e}"
        );
        let e =
            jit(grad(layers(8)).memory_budget(budget)).try_call(args()).expect_err("too small").to_string();
        assert!(e.contains("is too small") && e.contains(line), "{e}");
    }
    // Nothing to keep: arguments and results alone are too large.
    let e = grad(|x: Tensor| x.sum())
        .memory_budget(100)
        .plan((numbers(&[100]),))
        .expect_err("too small")
        .to_string();
    assert!(e.contains("is too small") && smallest(&e) >= 1600, "{e}");
    let enough =
        grad(|x: Tensor| x.sum()).memory_budget(smallest(&e)).plan((numbers(&[100]),)).expect("enough");
    assert!(enough.recomputed.is_empty() && enough.time_ratio() == 1.0, "{enough}");
    let e = grad(layers(2))
        .memory_budget(1 << 30)
        .compress(DType::I8)
        .plan(args())
        .expect_err("no float")
        .to_string();
    assert!(e.contains("compress(i8)") && e.contains("smaller float") && e.contains(line), "{e}");
    let e = grad(layers(2)).compress(DType::BF16).plan(args()).expect_err("no budget").to_string();
    assert!(e.contains("with a budget") && e.contains(line), "{e}");
    let e = grad(layers(2)).plan(args()).expect_err("no budget").to_string();
    assert!(e.contains("nothing to plan without a budget"), "{e}");
    let endless = |x: Tensor| while_loop(|x: Tensor| x.square().sum().less(1e3), |x| x.exp() + 0.1, x).sum();
    let e = grad(endless).memory_budget(1 << 30).plan((numbers(&[4]),)).expect_err("unknown").to_string();
    assert!(e.contains("number of steps is not known") && e.contains(line), "{e}");
}

/// A budget is kept in the float mode that the program is compiled in.
#[test]
fn in_the_mode_that_it_is_compiled_in() {
    let f = |x: Tensor| {
        let w = (0..4).fold(x.clone(), |w, _| w.matmul(&x).sin());
        (w * 0.0 + &x * 2.0).sum()
    };
    let x = || (numbers(&[16, 16]),);
    let of = |mode| taken(&jit(value_and_grad(f)).float_mode(mode).trace(x()).expect("traces"));
    let (relaxed, exact) = (of(FloatMode::Relaxed), of(FloatMode::Exact));
    assert!(relaxed < exact, "{relaxed} {exact}");
    let within = |mode| jit(value_and_grad(f).memory_budget(relaxed)).float_mode(mode).try_call(x());
    let (_, d) = within(FloatMode::Relaxed).expect("the plain derivative");
    close(&d, &(numbers(&[16, 16]) * 0.0 + 2.0), "gradient");
}

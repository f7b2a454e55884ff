//! A mistake says what was wrong and where, in every mode: this test runs itself as a process per mode and reads what the
//! process says when it dies.

use std::process::Command;
use wengert::tape::Tape;
use wengert::{
    ARG0, DType, Save, Tensor, checked, checkpoint, collectives, cond, custom_jvp, custom_linear_solve,
    custom_root, custom_vjp, debug_nans, eval_shape, fixed_point, fori_loop, grad, hessian, hvp, hvp_wrt,
    io_callback, jacfwd, jacrev, jet, jit, jvp, linear_transpose, linearize, map, plant, plant_all, reap,
    reap_all, reap_last, scan, sparse_hessian, sparse_jacobian, switch, value_and_grad, vjp, vmap,
    while_loop, while_loop_with,
};

const MISTAKE: u32 = line!() + 2;
fn mistake(x: Tensor) -> Tensor {
    x.reshape(&[2, 2]).sum()
}

fn x() -> Tensor {
    Tensor::from([1.0f64, 2.0, 3.0])
}

fn batch() -> Tensor {
    Tensor::from([[1.0f64, 2.0, 3.0], [4.0, 5.0, 6.0]])
}

fn one() -> Tensor {
    Tensor::from(1i32)
}

type Case = (&'static str, fn(), &'static [&'static str]);

/// Programs with the mistake, and the transforms it is reported to be in, innermost first.
const CASES: &[Case] = &[
    ("eager", || drop(mistake(x())), &[]),
    ("jit", || drop(jit(mistake)(x())), &["jit"]),
    ("grad", || drop(grad(mistake)(x())), &["grad"]),
    ("grad.wrt", || drop(grad(mistake).wrt(ARG0)(x())), &["grad"]),
    ("value_and_grad", || drop(value_and_grad(mistake)(x())), &["value_and_grad"]),
    ("vjp", || drop(vjp(mistake, (x(),))), &["vjp"]),
    ("jvp", || drop(jvp(mistake, (x(),), (x(),))), &["jvp"]),
    ("jacfwd", || drop(jacfwd(mistake)(x())), &["jacfwd"]),
    ("jacrev", || drop(jacrev(mistake)(x())), &["jacrev"]),
    ("hessian", || drop(hessian(mistake)(x())), &["hessian"]),
    ("hessian.wrt", || drop(hessian(mistake).wrt(ARG0)(x())), &["hessian"]),
    ("hvp", || drop(hvp(mistake, (x(),), (x(),))), &["hvp"]),
    ("hvp_wrt", || drop(hvp_wrt(mistake, ARG0, (x(),), x())), &["hvp_wrt"]),
    ("linearize", || drop(linearize(mistake, (x(),))), &["linearize"]),
    ("linear_transpose", || drop(linear_transpose(mistake, (x(),))), &["linear_transpose"]),
    ("jet", || drop(jet(mistake, (x(),), &[(x(),)])), &["jet"]),
    ("sparse_jacobian", || drop(sparse_jacobian(mistake)(x())), &["sparse_jacobian"]),
    ("sparse_hessian", || drop(sparse_hessian(mistake)(x())), &["sparse_hessian"]),
    ("checkpoint", || drop(checkpoint(mistake)(x())), &[]),
    ("checked", || drop(checked(mistake)(x())), &["checked"]),
    ("debug_nans", || drop(debug_nans(mistake)(x())), &["debug_nans"]),
    ("reap", || drop(reap(mistake, ["a"])(x())), &["reap"]),
    ("reap_all", || drop(reap_all(mistake, ["a"])(x())), &["reap_all"]),
    ("reap_last", || drop(reap_last(mistake, ["a"])(x())), &["reap_last"]),
    ("plant", || drop(plant(mistake, [("a", x())])(x())), &["plant"]),
    ("plant_all", || drop(plant_all(mistake, [("a", vec![x()])])(x())), &["plant_all"]),
    ("eval_shape", || drop(eval_shape(mistake, (x(),))), &["eval_shape"]),
    ("tape", || drop(Tape::record(mistake, (x(),))), &["tape"]),
    (
        "while_loop_with",
        || drop(while_loop_with(|x: Tensor| x.sum().less(0.0), mistake, x(), Save::Root)),
        &["while_loop_with"],
    ),
    ("custom_root", || drop(custom_root(mistake, x(), |_, v| v, |_, v| v)), &["custom_root"]),
    ("custom_linear_solve", || drop(custom_linear_solve(mistake, x(), |_, b| b)), &["custom_linear_solve"]),
    ("fixed_point", || drop(fixed_point(mistake, x(), 1e-3)), &["fixed_point"]),
    ("jit(hvp)", || drop(jit(|x: Tensor| hvp(mistake, (x.clone(),), (x,)))(x())), &["hvp", "jit"]),
    ("grad(checkpoint)", || drop(grad(checkpoint(mistake))(x())), &["checkpoint", "grad"]),
    ("vmap(checked)", || drop(vmap(checked(mistake))(batch())), &["checked", "vmap"]),
    ("jit(grad)", || drop(jit(grad(mistake))(x())), &["grad", "jit"]),
    ("grad(jit)", || drop(grad(jit(mistake))(x())), &["jit", "grad"]),
    ("grad(grad)", || drop(grad(grad(mistake))(Tensor::from(1.0f64))), &["grad", "grad"]),
    ("vmap", || drop(vmap(mistake)(batch())), &["vmap"]),
    ("jit(vmap(grad))", || drop(jit(vmap(grad(mistake)))(batch())), &["grad", "vmap", "jit"]),
    ("grad(vmap)", || drop(grad(|x: Tensor| vmap(mistake)(x).sum())(batch())), &["vmap", "grad"]),
    ("cond", || drop(cond(&one(), mistake, mistake, x())), &["cond"]),
    ("switch", || drop(switch(&one(), &[&mistake, &mistake], x())), &["switch"]),
    ("while_loop", || drop(while_loop(|x: Tensor| x.sum().less(0.0), mistake, x())), &["while_loop"]),
    ("fori_loop", || drop(fori_loop(0, 2, |_, x: Tensor| mistake(x), x())), &["fori_loop"]),
    ("scan", || drop(scan(|c: Tensor, _: Tensor| (mistake(c), ()), x(), x())), &["scan"]),
    ("map", || drop(map(mistake, Tensor::ones(&[2, 3], DType::F64))), &["map"]),
    ("grad(cond)", || drop(grad(|x: Tensor| cond(&one(), mistake, mistake, x))(x())), &["cond", "grad"]),
    (
        "custom_jvp",
        || drop(grad(custom_jvp(mistake, |(x,), (_,)| (x.sum(), x.sum())))(x())),
        &["custom_jvp", "grad"],
    ),
    (
        "rule",
        || drop(grad(custom_jvp(|x: Tensor| x.sum(), |(x,), _| (mistake(x.clone()), mistake(x))))(x())),
        &["custom_jvp", "grad"],
    ),
    (
        "custom_vjp",
        || drop(grad(custom_vjp(mistake, |(x,)| (x.sum(), ()), |(), g: Tensor| (g,)))(x())),
        &["custom_vjp", "grad"],
    ),
];

/// The process: does what the environment asks for.
#[test]
fn child() {
    let Ok(name) = std::env::var("WENGERT_TEST_ERROR") else { return };
    let (_, run, _) = CASES.iter().find(|(n, ..)| *n == name).expect("a case");
    run();
}

#[test]
fn every_mode_says_what_was_wrong_and_where() {
    let this = std::env::current_exe().expect("a test has a file");
    let (mut messages, mut wrong): (Vec<String>, String) = (Vec::new(), String::new());
    for (name, _, within) in CASES {
        let out = Command::new(&this)
            .args(["--exact", "child", "--nocapture", "--test-threads=1"])
            .env("WENGERT_TEST_ERROR", name)
            .env("RUST_BACKTRACE", "0")
            .output()
            .expect("the test runs itself");
        let said = String::from_utf8_lossy(&out.stderr).into_owned();
        let line = format!("\n  at {}:{MISTAKE}:", file!());
        let contexts: Vec<&str> = said
            .lines()
            .filter_map(|l| l.strip_prefix("  in `"))
            .filter_map(|l| l.split_once("` built at ").map(|(transform, _)| transform))
            .collect();
        let fine =
            !out.status.success() && said.contains("reshape") && said.contains(&line) && contexts == *within;
        if !fine {
            wrong += &format!("== {name}: {}, within {contexts:?}, not {within:?}\n{said}\n", out.status);
        }
        messages.extend(said.lines().find(|l| l.contains("reshape")).map(str::to_owned));
    }
    assert!(wrong.is_empty(), "{wrong}");
    // One sentence, but for the scalar of a second derivative.
    messages.retain(|m| m.contains("3"));
    assert!(messages.iter().all(|m| *m == messages[0]), "{messages:#?}");
}

/// A closure's errors, whatever it was doing.
fn message(f: impl FnOnce()) -> String {
    let error = std::panic::catch_unwind(std::panic::AssertUnwindSafe(f)).expect_err("a mistake");
    match error.downcast::<String>() {
        Ok(text) => *text,
        Err(other) => other.downcast::<&str>().map_or_else(|_| "not a text".into(), |t| (*t).to_owned()),
    }
}

#[test]
fn a_function_that_has_no_derivative_names_the_operation_and_the_line() {
    let line = line!() + 2;
    let f = |x: Tensor| {
        let f = custom_vjp(|x: Tensor| x * 2.0, |(x,)| (x * 2.0, ()), |(), g: Tensor| (g,));
        f(x)
    };
    let said = message(|| drop(jvp(f, (x(),), (x(),))));
    assert!(said.contains("custom_vjp") && said.contains(&format!("at {}:{line}:", file!())), "{said}");
}

#[test]
fn an_error_inside_jit_is_still_a_result() {
    let error = jit(grad(mistake)).try_call((x(),)).expect_err("a mistake");
    assert!(error.message().contains("reshape"), "{error}");
    assert_eq!(error.location().map(|l| l.line()), Some(MISTAKE));
    // And no boundary is left open behind it.
    assert!(message(|| drop(grad(mistake)(x()))).contains("reshape"));
}

/// Of tangents and cotangents that a rule gives there is one for each leaf, of its type.
#[test]
fn a_rule_that_gives_too_little_or_too_much_is_refused() {
    type Given = fn(Tensor) -> Vec<Tensor>;
    let cases: [(Given, &str); 3] = [
        (|d| vec![d], ": the structure is {[0]}, not {[0], [1]}"),
        (|d| vec![d.clone(), d.clone(), d], ": the structure is {[0], [1], [2]}, not {[0], [1]}"),
        (|d| vec![d.clone(), d.sum()], ": leaf 1 is tensor<f64>, not tensor<3xf64>"),
    ];
    for (given, wrong) in cases {
        let pair = |x: Tensor| vec![&x * 2.0, &x * 3.0];
        let f = custom_jvp(pair, move |(x,), (d,)| (pair(x), given(d)));
        let said = message(|| drop(jvp(f, (x(),), (x(),))));
        assert!(said.contains(&format!("the tangent that the rule gives{wrong}")), "{said}");
        let sum = |x: Vec<Tensor>| &x[0] + &x[1];
        let f = custom_vjp(sum, move |(x,)| (sum(x), ()), move |(), g: Tensor| (given(g),));
        let said = message(|| drop(vjp(f, (vec![x(), x()],))));
        // They are the first of the arguments.
        let wrong = wrong.replace('[', ".0[");
        assert!(said.contains(&format!("the cotangents that the backward function gives{wrong}")), "{said}");
    }
}

#[test]
fn a_number_that_neither_the_type_nor_32_bits_hold_is_refused() {
    let large = (1i64 << 40) + 1;
    for (said, dtype) in [
        (message(|| drop(Tensor::from([1i32, 2]) * large)), "i32"),
        (message(|| drop(Tensor::new(&[2], &[1u8, 2]) + large)), "ui8"),
        (message(|| drop(Tensor::from([1u64, 2]) - (-large))), "ui64"),
    ] {
        assert!(said.contains(&format!("neither {dtype} nor 32 bits hold it")), "{said}");
    }
    // Others are taken: as they are, or wrapped.
    assert_eq!((Tensor::from([1i64, 2]) + large).to_vec::<i64>(), [large + 1, large + 2]);
    assert_eq!((Tensor::new(&[2], &[1u8, 2]) + 300).to_vec::<u8>(), [45, 46]);
}

/// Elements are read as what they are, not as others of the same size.
#[test]
fn elements_of_another_type_are_not_read() {
    let found = [
        message(|| drop(Tensor::from([1i32, 2]).to_vec::<f32>())),
        message(|| drop(Tensor::from([1.0f32]).to_vec::<i32>())),
        message(|| drop(Tensor::from([1i64]).to_vec::<f64>())),
        message(|| drop(Tensor::new(&[1], &[1u8]).to_vec::<i8>())),
    ];
    for text in found {
        assert!(text.contains("to_vec"), "{text}");
    }
}

/// What is refused, and the line of this file where the user wrote it.
#[track_caller]
fn refused_here(words: &str, line: u32, f: impl FnOnce()) {
    let said = message(f);
    let place = format!("errors.rs:{line}:");
    assert!(said.contains(words) && said.contains(&place), "{words} at {place}: {said}");
}

#[test]
fn batches_that_do_not_fit() {
    let f = |x: Tensor, y: Tensor| x + y;
    let (x, row) = (batch(), x());
    for (words, wrong) in [
        (
            "batches of different sizes: 2 by arg0, 3 by dimension 0 of arg1, which is tensor<3xf64>",
            vec![Some(0), Some(0)],
        ),
        ("axis 2 of arg0, which is tensor<2x3xf64>: there is no such dimension", vec![Some(2), None]),
        ("axis -3 of arg0", vec![Some(-3), None]),
        ("1 in_axes for 2 arguments", vec![Some(0)]),
        ("no argument is a batch: give one an axis with `in_axes`", vec![None, None]),
    ] {
        let mapped = (line!(), vmap(f));
        refused_here(words, mapped.0, || drop(mapped.1.in_axes(wrong)(x.clone(), row.clone())));
    }
    let mapped = (line!(), vmap(|x: Tensor| x.sum()));
    refused_here("axis 1 of result 0, which has 1 dimensions", mapped.0, || {
        drop(mapped.1.out_axes(1)(x.clone()))
    });
    for f in [|x: Tensor| x, |x: Tensor| x.sin()] {
        let said = message(|| drop(vmap(f).in_axes([None]).axis_size(usize::MAX / 2)(x.clone())));
        assert!(said.contains("more bytes than can be addressed") && said.contains("errors.rs"), "{said}");
    }
    let mapped = (line!(), vmap(|x: Tensor| x.sum()));
    let words = "result 0 differs from example to example: it needs an axis";
    refused_here(words, mapped.0, || drop(mapped.1.out_axes(None)(x.clone())));
    let mapped = (line!(), vmap(|x: Tensor| x.sum()));
    refused_here("0 out_leaf_axes for 1 leaves", mapped.0, || drop(mapped.1.out_leaf_axes([])(x.clone())));
    // What an example cannot do has the line of what it does.
    let (read, read_line) = (|x: Tensor| if x.item::<f64>() > 0.0 { x } else { -x }, line!());
    let row1 = row.clone();
    refused_here("vmap", read_line, move || drop(vmap(read)(row1)));
    let (add, add_line) = (|x: Tensor| x + Tensor::from([1.0f64, 2.0]), line!());
    refused_here("tensor<3xf64>", add_line, || drop(vmap(add)(x.clone())));
    refused_here("tensor<3xf64>", add_line, || drop(jit(vmap(add))(x.clone())));
    refused_here("tensor<3xf64>", add_line, || drop(vmap(vmap(add))(x.broadcast_to(&[4, 2, 3]))));
    let (host, host_line) = (|x: Tensor| io_callback(|x: Tensor| x, &x, (x.clone(),)), line!());
    refused_here("io_callback", host_line, || drop(vmap(host)(x.clone())));
    refused_here("io_callback", host_line, || drop(jit(vmap(host))(x.clone())));
    let (psum, psum_line) = (|x: Tensor| collectives::psum(&x, "rows"), line!());
    refused_here("rows", psum_line, || drop(vmap(psum)(x.clone())));
}

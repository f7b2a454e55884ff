//! Effects in what is differentiated otherwise than as it stands: functions with rules of their own, equations, linear functions that
//! are turned around.

use super::tools::{
    Effect, F, TRANSFORMS, asks, heard, is_called, looks_on, nothing, prints, said, words, x,
};
use std::sync::Arc;
use wengert::tape::Tape;
use wengert::{
    DType, Tensor, check, custom_jvp, custom_linear_solve, custom_root, custom_vjp, debug_print, grad, hvp,
    io_callback, jacfwd, jacrev, jit, jvp, linear_transpose, linearize, scan, sparse_hessian,
    sparse_jacobian, stop_gradient, vjp, vmap, while_loop,
};

type Of = fn(Effect, Tensor) -> Tensor;
type One = fn(Tensor) -> Tensor;

/// What is given and heard under a transform, or what it says.
fn run(transform: &str, of: Of, e: Effect, compiled: bool) -> Result<(Tensor, Vec<String>), String> {
    let t = TRANSFORMS.iter().find(|t| t.name == transform).expect("a row of that name");
    said(|| {
        let f: F = Arc::new(move |x| of(e, x));
        let of = (t.of)(&f);
        let of = move |x: Tensor| of(x);
        heard(|| if compiled { jit(of)(x()) } else { of(x()) })
    })
}

/// Effects are heard so often under these transforms, eagerly and compiled, and values do not change.
fn are_heard(of: Of, effects: &[Effect], rows: &[(&str, &str, &str)]) {
    let mut wrong = Vec::new();
    for &(transform, eager, compiled) in rows {
        for (want, compiled) in [(eager, false), (compiled, true)] {
            let (silent, _) = run(transform, of, nothing, compiled).expect("without effects");
            for &e in effects {
                match run(transform, of, e, compiled) {
                    Ok((y, got)) if words(&got).join(" ") == want => {
                        let far = (y - &silent).abs().max().item::<f64>();
                        if far > 1e-9 {
                            wrong.push(format!("{transform}, {compiled}: off by {far}"));
                        }
                    }
                    Ok((_, got)) => {
                        wrong.push(format!("{transform}, {compiled}: {:?}, not {want}", words(&got)))
                    }
                    Err(e) => wrong.push(format!("{transform}, {compiled}: {e}")),
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A function with a rule. What each does has words of its own.
fn with_a_rule(e: Effect, x: Tensor) -> Tensor {
    let f = custom_jvp(
        move |x: Tensor| e(x, "body").sin(),
        move |(x,): (Tensor,), (dx,): (Tensor,)| {
            let x = e(x, "rule");
            (x.sin(), dx * x.cos())
        },
    );
    e(f(e(x, "before")), "after")
}

/// The rule is heard in place of the function, once, whatever the order: what differentiates it differentiates what it computes.
/// Eagerly the function is run first, and what `vjp` and `linearize` give runs the rule each time it is called.
#[test]
fn rules_are_heard_in_place_of_functions() {
    let (first, rule) = ("before body after rule", "before rule after");
    let plain = "before body after";
    are_heard(
        with_a_rule,
        &[prints, looks_on, asks],
        &[
            ("itself", plain, plain),
            ("jvp", first, rule),
            ("jvp of jvp", first, rule),
            ("grad", first, rule),
            ("grad of grad", first, rule),
            ("grad within memory", rule, rule),
            ("vjp", "before body after rule rule", rule),
            ("linearize", "before body after rule rule rule", rule),
            ("jacfwd", first, rule),
            ("jacfwd by one", first, rule),
            ("jacrev", first, rule),
            ("jacrev by two", first, rule),
            ("jacfwd of jacrev", first, rule),
            ("hessian", first, rule),
            ("hvp", first, rule),
            ("jet", first, rule),
            ("sparse_jacobian", rule, rule),
            ("sparse_hessian", rule, rule),
            ("checkpoint", first, rule),
            ("a tape", plain, plain),
            ("the gradient of a tape", first, rule),
            ("a tape's gradient", rule, rule),
            ("a tape's gradient, compiled", rule, rule),
            ("a tape's forward mode", rule, rule),
            ("the gradient of a tape's gradient", rule, rule),
            ("adaptive", plain, plain),
        ],
    );
}

/// A function with a forward and a backward function.
fn with_a_reverse_rule(e: Effect, x: Tensor) -> Tensor {
    let f = custom_vjp(
        move |x: Tensor| e(x, "body").sin(),
        move |(x,): (Tensor,)| (e(x.clone(), "forward").sin(), x),
        move |x: Tensor, g: Tensor| (e(g, "backward") * x.cos(),),
    );
    e(f(e(x, "before")), "after")
}

/// The forward function is heard in the forward pass, and the backward function for each cotangent: in a Jacobian for each row.
#[test]
fn reverse_rules_are_heard_both_ways() {
    let (first, rule) = ("before body after forward backward", "before forward after backward");
    let (plain, rows) = ("before body after", "before forward after backward backward backward");
    are_heard(
        with_a_reverse_rule,
        &[prints, looks_on, asks],
        &[
            ("itself", plain, plain),
            ("grad", first, rule),
            ("grad of grad", first, rule),
            ("grad within memory", rule, rule),
            (
                "vjp",
                "before body after forward backward forward backward",
                "before forward after backward backward",
            ),
            ("vjp, once", first, rule),
            ("hessian", first, rule),
            ("hvp", first, rule),
            ("sparse_hessian", rule, rule),
            ("checkpoint", first, rule),
            ("a tape", plain, plain),
            ("the gradient of a tape", first, rule),
            ("a tape's gradient", rule, rule),
            ("a tape's reverse mode", rule, rule),
            ("the gradient of a tape's gradient", rule, rule),
        ],
    );
    are_heard(
        with_a_reverse_rule,
        &[prints, looks_on],
        &[
            ("jacrev", "before body after forward backward backward backward", rows),
            // By two, three rows would be four: nothing is heard of one that is none.
            ("jacrev by two", "before body after forward backward backward backward", rows),
            ("sparse_jacobian", rows, rows),
        ],
    );
    for forward in ["jvp", "jacfwd", "linearize", "jet", "a tape's forward mode"] {
        for e in [nothing, prints] {
            let said = run(forward, with_a_reverse_rule, e, true).expect_err("there is no forward mode");
            assert!(said.contains("custom_vjp") && said.contains("rules.rs"), "{forward}: {said}");
        }
    }
}

/// A root, whose equation and solvers are heard.
fn a_root(e: Effect, x: Tensor) -> Tensor {
    let a = x.square() + 1.0;
    let start = a.clone();
    let solve = move |f: &wengert::Operator<Tensor>, y: Tensor| {
        let y = e(y, "solve");
        (&y * &y - f(y.clone())).sqrt()
    };
    let tangent = move |j: &wengert::Operator<Tensor>, b: Tensor| &e(b.clone(), "tangent") / j(b.ones_like());
    custom_root(move |y: Tensor| e(y, "equation").square() - &a, start, solve, tangent)
}

/// A linear system, whose matrix is heard: the host is asked for it.
fn a_system(e: Effect, x: Tensor) -> Tensor {
    let a = x.square() + 1.0;
    let product = move |v: Tensor| v * e(a.clone(), "matrix");
    custom_linear_solve(product, x, move |m, b| &e(b.clone(), "solve") / m(b.ones_like()))
}

/// What is defined is heard as often as solvers ask, one solve for each derivative.
#[test]
fn equations_are_heard_as_often_as_solvers_ask() {
    let root = "solve equation";
    let (more, turned) = ("solve equation tangent equation", "solve equation tangent");
    are_heard(
        a_root,
        &[prints, looks_on],
        &[
            ("itself", root, root),
            ("jvp", more, more),
            // What solves for cotangents asks the derivative turned around, which runs no equation.
            ("grad", turned, turned),
            ("vjp", "solve equation tangent tangent", "solve equation tangent tangent"),
            ("a tape", root, root),
            ("a tape's gradient", turned, turned),
        ],
    );
    let (once, twice, turned) = ("solve matrix", "solve matrix solve matrix", "solve matrix solve");
    are_heard(
        a_system,
        &[prints, looks_on],
        &[
            ("itself", once, once),
            ("jvp", twice, twice),
            ("grad", turned, turned),
            ("a tape", once, once),
            ("a tape's gradient", turned, turned),
        ],
    );
}

/// What an equation asks of the host it may ask again: each derivative asks it once more than solvers do, for what changes the solution.
#[test]
fn equations_ask_the_host_again() {
    let root = "solve equation";
    are_heard(a_root, &[asks], &[("itself", root, root), ("jvp", FIRST, FIRST), ("grad", FIRST, FIRST)]);
    let system = "solve matrix";
    let first = "solve matrix matrix solve matrix";
    are_heard(
        a_system,
        &[asks],
        &[
            ("itself", system, system),
            ("jvp", first, first),
            ("grad", first, first),
            ("a tape's gradient", first, first),
        ],
    );
    for transform in ["grad of grad", "hessian", "jet", "linearize", "jacfwd", "checkpoint"] {
        for of in [a_root as Of, a_system] {
            let (silent, _) = run(transform, of, nothing, true).expect("without effects");
            for e in [asks as Effect, is_called] {
                let (y, _) = run(transform, of, e, true).expect("with the host");
                assert!((y - &silent).abs().max().item::<f64>() < 1e-9, "{transform}");
            }
        }
    }
}

/// What the equation of the root above and its first derivative ask.
const FIRST: &str = "solve equation equation tangent equation";

/// A product that is heard of what it multiplies: where it is turned around it is not run, and not heard.
#[test]
fn products_are_heard_where_they_are_run() {
    let solved = |x: Tensor| {
        let a = x.square() + 1.0;
        let product = move |v: Tensor| {
            debug_print!("product {}", v);
            check!(v.less(100.0), "large");
            v * &a
        };
        custom_linear_solve(product, x, |m, b| &b / m(b.ones_like()))
    };
    let (_, lines) = heard(|| jit(solved)(x()));
    assert_eq!(lines, ["product 1.000000 1.000000 1.000000"]);
    let slope = |v: f64| (1.0 - v * v) / (1.0 + v * v).powi(2);
    let want: Vec<f64> = x().to_vec::<f64>().into_iter().map(slope).collect();
    for compiled in [false, true] {
        let d = grad(move |x: Tensor| solved(x).sum());
        let (d, lines) = heard(|| if compiled { jit(d)(x()) } else { d(x()) });
        assert_eq!(words(&lines), ["product"], "the transposed system is solved with the transposed product");
        assert!(d.to_vec::<f64>().iter().zip(&want).all(|(a, b)| (a - b).abs() < 1e-12), "{d} {want:?}");
    }
    // Forward mode solves with the product itself.
    let (_, lines) = heard(|| jvp(solved, (x(),), (x(),)));
    assert_eq!(words(&lines), ["product", "product"]);
}

/// Of a linear function that is turned around nothing is heard: it is not run.
#[test]
fn what_is_turned_around_is_not_heard() {
    let linear = |v: Tensor| {
        let step = |c: Tensor, w: Tensor| (looks_on(prints(c, "trip") * &w, "after"), ());
        let y = scan(step, prints(v, "before"), Tensor::from([2.0f64, 3.0])).0;
        check!(y.less(0.0), "not so");
        wengert::sow("y", &y) * 2.0
    };
    let turned = move |g: Tensor| linear_transpose(linear, (Tensor::zeros(&[3], DType::F64),)).call(g).0;
    for compiled in [false, true] {
        let (y, lines) = heard(|| if compiled { jit(turned)(x()) } else { turned(x()) });
        assert_eq!((y.to_vec::<f64>(), lines.len()), ((x() * 12.0).to_vec::<f64>(), 0));
    }
    let by_host = |v: Tensor| io_callback(|v: Tensor| v, &v, (v.clone(),));
    let said =
        said(|| linear_transpose(by_host, (x(),)).call(x())).expect_err("nobody knows that it is linear");
    assert!(said.contains("not linear") && said.contains("rules.rs"), "{said}");
}

/// A matrix without places, and one without rows, are of a function that does what it does.
#[test]
fn matrices_without_places_are_heard() {
    let steps = |x: Tensor| while_loop(|c: Tensor| c.sum().less(9.0), |c: Tensor| prints(c, "trip").exp(), x);
    let cases: [(&str, One); 2] =
        [("still", |x| stop_gradient(&prints(x, "trip"))), ("no rows", |x| prints(x, "trip").get(..0))];
    let empty = move |x: Tensor| steps(x).get(..0);
    let want = heard(|| empty(x())).1;
    assert_eq!(heard(|| sparse_jacobian(empty)(x())).1, want);
    assert_eq!(heard(|| jit(move |x: Tensor| sparse_jacobian(empty)(x).to_dense())(x())).1, want);
    assert_eq!(heard(|| jacfwd(empty)(x())).1, want);
    assert_eq!(heard(|| jacrev(empty)(x())).1, want);
    for (name, f) in cases {
        let want = heard(|| f(x())).1;
        assert_eq!(heard(|| sparse_jacobian(f)(x())).1, want, "{name}");
        assert_eq!(heard(|| jacrev(f)(x())).1, want, "{name}");
        assert_eq!(heard(|| sparse_hessian(move |x: Tensor| f(x).sum())(x())).1, want, "{name}");
    }
}

/// What the pullback and the linear part of a function do is done each time they are called; the function is heard once.
#[test]
fn linear_parts_are_called_often() {
    let f = |x: Tensor| prints(prints(x, "one").sin(), "two");
    let all = move |x: Tensor| {
        let (y, df) = linearize(f, (x.clone(),));
        let (_, back) = vjp(f, (x.clone(),));
        let rows = vmap({
            let back = back.clone();
            move |g: Tensor| back.call(g).0
        })(Tensor::eye(3, DType::F64));
        let columns = vmap({
            let df = df.clone();
            move |v: Tensor| df.call((v,))
        })(Tensor::eye(3, DType::F64));
        let again = jvp(move |v: Tensor| df.call((v,)), (x.clone(),), (x.clone(),)).1;
        y + rows.sum_axis(0)
            + columns.sum_axis(0)
            + again
            + hvp(move |x: Tensor| f(x).sum(), (x.clone(),), (x,)).0
    };
    let once = words(&heard(|| f(x())).1).join(" ");
    for compiled in [false, true] {
        let (_, lines) = heard(|| if compiled { jit(all)(x()) } else { all(x()) });
        assert_eq!(words(&lines).join(" "), [&once[..]; 3].join(" "), "{compiled}");
    }
}

/// A tape that was read again does what its text says; what it calls of the host is named with its line.
#[test]
fn tapes_that_were_texts() {
    let f = |x: Tensor| {
        debug_print!("x {}", x);
        check!(x.less(1.0), "large: {}", x);
        x.sin()
    };
    let text = heard(|| Tape::record(f, (x(),)).1.to_text()).0.expect("it has values");
    let tape = Tape::<(Tensor,), Tensor>::parse(&text).expect("our own text");
    let (_, lines) = heard(|| jit(grad(move |x: Tensor| tape(x).sum()))(x()));
    assert_eq!(words(&lines), ["x"]);
    let tape = Tape::<(Tensor,), Tensor>::parse(&text).expect("our own text");
    let failed = tape.replay((x() * 2.0,)).expect_err("it is checked").to_string();
    assert!(failed.contains("large: ") && failed.contains("rules.rs"), "{failed}");
    let text =
        heard(|| Tape::record(|x: Tensor| asks(x, "asked"), (x(),)).1.to_text()).0.expect("it has values");
    let tape = Tape::<(Tensor,), Tensor>::parse(&text).expect("our own text");
    for failed in
        [tape.replay((x(),)).expect_err("unknown"), tape.jit().try_call((x(),)).expect_err("unknown")]
    {
        let failed = failed.to_string();
        assert!(failed.contains("io_callback`") && failed.contains("not known here"), "{failed}");
        assert!(failed.contains("effects_under_transforms/tools.rs"), "{failed}");
    }
}

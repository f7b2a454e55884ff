//! Tapes: recursion and loops of Rust's recorded, printed, replayed, guarded, compiled, differentiated, mapped, saved and loaded.
use super::*;
use wengert::{
    Tensor, Tree, check, cond, debug_print, effects::prints_of, grad, hessian, jacfwd, jit, jvp, scan, tape,
    tape::Tape, tree, vjp, vmap, while_loop,
};

// Adaptive Simpson by recursion: how deep it goes depends on the values.
fn simpson(a: &Tensor, b: &Tensor, k: &Tensor, depth: usize) -> Tensor {
    let f = |x: &Tensor| (x * k).exp() * x.sin();
    let rule = |a: &Tensor, b: &Tensor| (f(a) + f(&((a + b) * 0.5)) * 4.0 + f(b)) * (b - a) / 6.0;
    let m = (a + b) * 0.5;
    let (whole, left, right) = (rule(a, b), rule(a, &m), rule(&m, b));
    if depth == 0 || (&left + &right - &whole).abs().less(1e-7).item::<bool>() {
        left + right
    } else {
        simpson(a, &m, k, depth - 1) + simpson(&m, b, k, depth - 1)
    }
}
fn integral(k: Tensor) -> Tensor {
    simpson(&s(0.0), &s(2.0), &k, 12)
}
fn exact(k: f64) -> f64 {
    // Of e^(kx) sin x from 0 to 2.
    let at = |x: f64| (k * x).exp() * (k * x.sin() - x.cos()) / (k * k + 1.0);
    at(2.0) - at(0.0)
}
fn collatz(x: Tensor) -> Tensor {
    let (mut x, mut n) = (x, 0);
    while x.greater(1.0).item::<bool>() {
        x = if n % 2 == 0 { x * 0.5 } else { x.sqrt() * 0.9 };
        n += 1;
    }
    x.sin() * n as f64
}
#[derive(Clone, Tree)]
struct State {
    at: Tensor,
    speed: Vec<Tensor>,
}

#[test]
fn all() {
    case("recursion", || {
        let (y, tape) = Tape::record(integral, (s(0.5),));
        close("value", &[y.item()], &[exact(0.5)], 1e-6);
        yes("it has guards", tape.guards().len() >= 3, tape.guards().len());
        yes(
            "guards know their line",
            tape.guards().iter().all(|g| g.line.as_deref().is_some_and(|l| l.contains("tapes.rs"))),
            format!("{:?}", tape.guards().first().map(|g| g.line.clone())),
        );
        let near = tape.replay((s(0.5001),)).unwrap();
        close("replay nearby", &[near.item()], &[exact(0.5001)], 1e-6);
        let far = tape.replay((s(6.0),));
        yes("far away it is another way", far.as_ref().is_err_and(|e| e.is_guard()), "no guard failed");
        if let Err(e) = far {
            names("the error", &e.to_string(), &["tapes.rs", "read", "recorded"]);
            yes("it has a location", e.location().is_some(), "none");
        }
        let d = (exact(0.5 + 1e-5) - exact(0.5 - 1e-5)) / 2e-5;
        closet("grad of the tape", &grad(tape.clone())(s(0.5)), &[d], 1e-5);
        closet("tape.grad()", &tape.grad().replay((s(0.5),)).unwrap(), &[d], 1e-5);
        closet("tape.jit()", &tape.jit()(s(0.5002)), &[exact(0.5002)], 1e-6);
        fails_with("tape.jit() keeps its guards", tape.jit().try_call((s(6.0),)), &["read", "recorded"]);
        closet("tape.grad().jit()", &tape.grad().jit()(s(0.5)), &[d], 1e-5);
        let d2 = (exact(0.501) - 2.0 * exact(0.5) + exact(0.499)) / 1e-6;
        closet("hessian of the tape", &jit(hessian(tape.clone()))(s(0.5)), &[d2], 1e-3);
        closet("tape.grad().grad()", &tape.grad().grad().replay((s(0.5),)).unwrap(), &[d2], 1e-3);
        closet("jit vmap grad", &jit(vmap(grad(tape.clone())))(t(&[0.5, 0.5])), &[d, d], 1e-5);
        let all = jit(vmap(tape.clone())).try_call((t(&[0.5, 6.0]),));
        yes("one example of a batch goes another way", all.is_err_and(|e| e.is_guard()), "no guard failed");
    });
    case("loops", || {
        let rust = |x: f64| {
            let (mut x, mut n) = (x, 0);
            while x > 1.0 {
                x = if n % 2 == 0 { x * 0.5 } else { x.sqrt() * 0.9 };
                n += 1;
            }
            x.sin() * n as f64
        };
        let (_, tape) = Tape::record(collatz, (s(40.0),));
        close("replay", &[tape.replay((s(39.0),)).unwrap().item()], &[rust(39.0)], 1e-14);
        let d = differences(|p| vec![rust(p[0])], &[40.0]);
        let (y, (dx,)) = tape.vjp().replay(((s(40.0),), s(2.0))).unwrap();
        close("vjp", &[y.item(), dx.item()], &[rust(40.0), 2.0 * d[0]], 1e-8);
        let (_, dy) = tape.jvp().replay(((s(40.0),), (s(3.0),))).unwrap();
        close("jvp", &[dy.item()], &[3.0 * d[0]], 1e-8);
        closet("eager grad without a tape", &grad(collatz)(s(40.0)), &d, 1e-8);
        let adaptive = tape::adaptive(collatz);
        for x in [40.0, 3.0, 0.5, 1000.0, 41.0, 3.1] {
            close(&format!("adaptive {x}"), &[adaptive(s(x)).item()], &[rust(x)], 1e-13);
        }
        fails("jit of a loop of Rust's", || jit(collatz)(s(2.0)), &["item", "tapes.rs", "jit"]);
        let inside = grad(|x: Tensor| {
            let (y, tape) = Tape::record(collatz, (x.clone(),));
            y + grad(tape)(x)
        });
        let d2 = (rust(40.001) - 2.0 * rust(40.0) + rust(39.999)) / 1e-6;
        closet("a tape inside of grad", &inside(s(40.0)), &[d[0] + d2], 1e-5);
    });
    case("the list", || {
        let f = |p: State, k: Tensor| {
            let y = if p.at.sum().less(0.0).item::<bool>() { -&p.at } else { &p.at * &k };
            State { at: y.sin(), speed: p.speed.iter().map(|v| v + &y).collect() }
        };
        let args = || (State { at: t(&[1.0, 2.0]), speed: vec![t(&[0.1, 0.2]), s(3.0)] }, s(0.5));
        let (out, tape) = Tape::record(f, args());
        let list = tape.list().values().lines().to_string();
        for word in [
            "input arg0.at",
            "input arg0.speed[1]",
            "input arg1",
            "guard",
            "output",
            "multiply",
            "tapes.rs:",
            "= 0.5",
        ] {
            yes(&format!("the list has {word}"), list.contains(word), "it has not");
        }
        same(
            "inputs",
            tape.inputs().iter().map(|e| e.name.clone()).collect::<Vec<_>>(),
            ["arg0.at", "arg0.speed[0]", "arg0.speed[1]", "arg1"].map(String::from).to_vec(),
        );
        same("outputs", tape.outputs().len(), 3);
        let shown = tape.outputs()[0].value.clone().unwrap();
        closet("values of outputs", &shown, &v(&out.at), 0.0);
        same("bytes", tape.without_values().saved_bytes(), 0);
        yes("bytes with values", tape.saved_bytes() >= 8 * 5, tape.saved_bytes());
        closet(
            "values again",
            &tape.without_values().with_values().unwrap().outputs()[0].value.clone().unwrap(),
            &v(&out.at),
            0.0,
        );
        let text = tape.to_text().unwrap();
        let read = Tape::parse_like(&text, &args(), &out).unwrap();
        let moved = (tree::map(&args().0, |t| t * 2.0), s(0.25));
        let (a, b) = (tape.replay(moved.clone()).unwrap(), read.replay(moved.clone()).unwrap());
        closet("read again", &tree::ravel(&b).0, &v(&tree::ravel(&a).0), 0.0);
        let loss = move |p: State, k: Tensor| {
            let o = read(p, k);
            o.at.sum() + o.speed[1].sum()
        };
        let g = jit(grad(loss))(moved.0.clone(), moved.1.clone());
        let d = differences(
            |p| {
                let o = f(State { at: t(p), speed: moved.0.speed.clone() }, moved.1.clone());
                vec![v(&o.at).iter().sum::<f64>() + v(&o.speed[1]).iter().sum::<f64>()]
            },
            &v(&moved.0.at),
        );
        closet("jit grad of what was read", &g.at, &d, 1e-8);
        fails_with(
            "another structure",
            Tape::parse_like(&text, &(State { at: s(0.0), speed: vec![] }, s(0.0)), &out),
            &["structure|argument|speed"],
        );
        fails_with(
            "replay of another shape",
            tape.replay((State { at: t(&[1.0; 3]), ..args().0 }, s(0.5))),
            &["tensor<3xf64>", "tensor<2xf64>"],
        );
    });
    case("files", || {
        let dir = std::env::temp_dir().join("strange19_tapes");
        std::fs::create_dir_all(&dir).unwrap();
        let path = dir.join("integral.tape");
        let (y, tape) = Tape::record(integral, (s(0.5),));
        tape.save(&path).unwrap();
        let read = Tape::<(Tensor,), Tensor>::load(&path).unwrap();
        closet("loaded", &read.replay((s(0.5),)).unwrap(), &v(&y), 0.0);
        closet("arguments of the recording", &read.arguments().0, &[0.5], 0.0);
        let far = read.replay((s(6.0),));
        if let Err(e) = far {
            names("a guard of a file", &e.to_string(), &["tapes.rs", "read"]);
        } else {
            yes("a guard of a file", false, "none");
        }
        closet(
            "its hessian",
            &hessian(read.clone())(s(0.5)),
            &v(&tape.grad().grad().replay((s(0.5),)).unwrap()),
            1e-12,
        );
        let text = tape.grad().to_text().unwrap();
        closet(
            "a derivative in a text",
            &Tape::<(Tensor,), Tensor>::parse(&text).unwrap().replay((s(0.5),)).unwrap(),
            &v(&grad(tape.clone())(s(0.5))),
            1e-13,
        );
        let text = std::fs::read_to_string(&path).unwrap();
        fails_with(
            "half a file",
            Tape::<(Tensor,), Tensor>::parse(&text[..text.len() / 2]),
            &["unknown|expected"],
        );
        fails_with(
            "another version",
            Tape::<(Tensor,), Tensor>::parse(&text.replacen("version 1", "version 7", 1)),
            &["version", "7"],
        );
        fails_with(
            "other numbers of arguments",
            Tape::<(Tensor, Tensor), Tensor>::parse(&text),
            &["1 arguments", "(Tensor, Tensor)"],
        );
        fails_with("no file", Tape::<(Tensor,), Tensor>::load(dir.join("none.tape")), &["none.tape"]);
        fails_with("not a tape", Tape::<(Tensor,), Tensor>::parse("hello"), &["tape"]);
    });
    case("loops that are operations, and effects", || {
        let f = |x: Tensor| {
            debug_print!("x {}", x);
            check!(x.greater(-100.0), "too small: {}", x);
            let y = scan(
                |c: Tensor, k: Tensor| (cond(&c.less(0.0), |c: Tensor| -c, |c: Tensor| c.sin(), c) * k, ()),
                x,
                t(&[1.5, 2.0]),
            )
            .0;
            let y = while_loop(|y: Tensor| y.less(4.0), |y: Tensor| y * 2.0, y);
            if y.greater(0.0).item::<bool>() { y } else { y * 3.0 }
        };
        let (tape, lines) = prints_of(|| Tape::record(f, (s(0.8),)).1);
        same("printed while recorded", lines, vec!["x 0.8".to_owned()]);
        same("one guard", tape.guards().len(), 1);
        let (out, lines) = prints_of(|| tape.replay((s(-0.3),)).unwrap());
        same("printed while replayed", lines, vec!["x -0.3".to_owned()]);
        closet("another way through operations is the same tape", &out, &v(&f(s(-0.3))), 1e-14);
        fails_with("its check", tape.replay((s(-200.0),)), &["too small: -200"]);
        let (g, lines) = prints_of(|| jit(vmap(grad(tape.clone())))(t(&[0.8, -0.3])));
        same("printed in a batch of gradients", lines, vec!["x 0.8".to_owned(), "x -0.3".to_owned()]);
        closet("jit vmap grad", &g, &[grad(f)(s(0.8)).item(), grad(f)(s(-0.3)).item()], 1e-13);
        // Reads of numbers, peeks, and pullbacks.
        let (_, exactly) = Tape::record(|x: Tensor| if x.item::<f64>() < 9.0 { x } else { -x }, (s(3.0),));
        yes(
            "a number is read exactly",
            exactly.replay((s(3.1),)).is_err_and(|e| e.is_guard()),
            "no guard failed",
        );
        let (_, peeked) = Tape::record(
            |x: Tensor| {
                let _ = x.peek().item::<f64>();
                &x * &x
            },
            (s(3.0),),
        );
        same("a peek is no guard", peeked.guards().len(), 0);
        let (_, pull) = vjp(peeked.clone(), (s(3.0),));
        closet("pullback of a tape", &pull.into_once().call(s(1.0)).0, &[6.0], 0.0);
        closet("jvp of jacfwd of a tape", &jvp(jacfwd(peeked), (s(3.0),), (s(5.0),)).1, &[10.0], 0.0);
    });
    finish();
}

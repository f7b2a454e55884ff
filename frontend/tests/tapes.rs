//! Tapes: what is recorded, replayed, refused, compiled, differentiated; tapes in tapes and in other transforms.

use crate::common;

use common::{close, numbers};
use std::sync::Mutex;
use wengert::tape::{self, Tape};
use wengert::{
    DType, Error, Tensor, grad, hessian, jit, jvp, linearize, value_and_grad, vjp, vmap, while_loop,
};

/// Where a function leaves its tape for later.
type Kept = std::sync::Arc<Mutex<Option<Tape<(Tensor,), Tensor>>>>;

fn x(v: f64) -> Tensor {
    Tensor::from(v)
}

fn f64s(t: &Tensor) -> Vec<f64> {
    t.to_vec()
}

/// x to the power n by repeated squaring: recursion in Rust, no value decides.
fn power(x: &Tensor, n: u32) -> Tensor {
    match n {
        0 => Tensor::ones(&[], DType::F64),
        n if n % 2 == 0 => power(&(x * x), n / 2),
        n => x * power(x, n - 1),
    }
}

/// Halves until it is less than one; how often depends on the value.
fn halve(v: Tensor) -> Tensor {
    let mut v = v;
    while !v.less(1.0).item::<bool>() {
        v *= 0.5;
    }
    v.sin()
}

const READ_IN_HALVE: u32 = line!() - 6;

/// Euclid's algorithm on reals: recursion that a value ends.
fn gcd(a: Tensor, b: Tensor) -> Tensor {
    if b.abs().less(1e-9).item::<bool>() {
        return a;
    }
    let rest = &a - &b * (&a / &b).floor();
    gcd(b, rest)
}

/// Returns early where it can.
fn early(x: Tensor) -> Tensor {
    for k in 0..10 {
        if x.sum().less(k as f64).item::<bool>() {
            return &x * (k as f64);
        }
    }
    x
}

#[track_caller]
fn refused(error: Error, line: u32, said: &str) {
    assert!(error.is_guard(), "{error}");
    let at = error.location().expect("a guard has a line");
    assert_eq!((at.file(), at.line()), (file!(), line), "{error}");
    assert!(error.to_string().contains(said), "{error}");
}

#[test]
fn recursion_without_decisions_is_one_straight_line() {
    let (y, tape) = Tape::record(|x: Tensor| power(&x, 13), (x(1.5),));
    assert_eq!(y.item::<f64>(), 1.5f64.powi(13));
    assert!(tape.guards().is_empty());
    for v in [2.0, -1.0, 0.0] {
        close(&tape.replay((x(v),)).expect("no guards"), &x(v.powi(13)), "replay");
        close(&tape.jit()(x(v)), &x(v.powi(13)), "jit");
    }
    // Five multiplications and two squarings' worth, whatever the depth of the recursion was.
    let operations: Vec<&str> = tape.instructions().iter().map(|i| i.operation).collect();
    assert_eq!(operations.iter().filter(|o| **o == "stablehlo.multiply").count(), 6, "{operations:?}");
}

#[test]
fn loops_are_as_long_as_they_were() {
    let (y, tape) = Tape::record(halve, (x(5.0),));
    assert_eq!(y.item::<f64>(), 0.625f64.sin());
    // Read false three times, then true.
    let reads: Vec<bool> = tape.guards().iter().map(|g| g.value.item::<bool>()).collect();
    assert_eq!(reads, [false, false, false, true]);
    close(&tape.replay((x(7.9),)).expect("three halvings too"), &x((7.9f64 / 8.0).sin()), "replay");
    refused(
        tape.replay((x(8.0),)).unwrap_err(),
        READ_IN_HALVE,
        "read true when it was recorded and would read false now",
    );
    refused(
        tape.replay((x(3.0),)).unwrap_err(),
        READ_IN_HALVE,
        "read false when it was recorded and would read true now",
    );
    refused(
        tape.jit().try_call((x(3.0),)).unwrap_err(),
        READ_IN_HALVE,
        "read false when it was recorded and would read true now",
    );
}

#[test]
fn recursion_that_a_value_ends() {
    let (y, tape) = Tape::record(gcd, (x(12.0), x(18.0)));
    assert_eq!(y.item::<f64>(), 6.0);
    assert_eq!(tape.replay((x(24.0), x(36.0))).expect("the same steps").item::<f64>(), 12.0);
    assert!(tape.replay((x(12.0), x(12.0))).unwrap_err().is_guard());
    assert!(tape.replay((x(3.0), x(5.0))).unwrap_err().is_guard());
}

#[test]
fn early_returns_are_guards_of_all_that_came_before() {
    let (y, tape) = Tape::record(early, (Tensor::from([1.0, 1.5]),));
    assert_eq!(f64s(&y), [3.0, 4.5]);
    assert_eq!(tape.guards().len(), 4);
    assert_eq!(f64s(&tape.replay((Tensor::from([2.0, 0.5]),)).expect("in [2, 3)")), [6.0, 1.5]);
    for sum in [1.9, 3.0] {
        assert!(tape.replay((Tensor::from([sum, 0.0]),)).unwrap_err().is_guard());
    }
}

#[test]
fn a_guard_is_as_exact_as_the_read() {
    // A number read is a guard of the number.
    let (_, tape) = Tape::record(|x: Tensor| if x.item::<f64>() < 0.0 { -x } else { x }, (x(2.0),));
    assert!(tape.replay((x(2.0),)).is_ok());
    let error = tape.replay((x(3.0),)).unwrap_err();
    assert!(
        error.is_guard()
            && error.to_string().contains("read 2.0 when it was recorded and would read 3.0 now"),
        "{error}"
    );
    // All elements of a vector.
    let (_, tape) =
        Tape::record(|x: Tensor| &x * x.to_vec::<f64>().len() as f64, (Tensor::from([1.0, 2.0]),));
    let error = tape.replay((Tensor::from([1.0, 2.5]),)).unwrap_err().to_string();
    assert!(error.contains("read 2.0") && error.contains("2.5 now (element [1])"), "{error}");
    // NaN is like NaN; zeros are told apart.
    let (_, tape) =
        Tape::record(|x: Tensor| if x.item::<f64>() == 0.0 { &x * 2.0 } else { x }, (x(f64::NAN),));
    assert!(tape.replay((x(-f64::NAN),)).is_ok() && tape.replay((x(0.0),)).is_err());
    let (_, tape) =
        Tape::record(|x: Tensor| if x.item::<f64>().is_sign_negative() { &x * 2.0 } else { x }, (x(0.0),));
    assert!(tape.replay((x(-0.0),)).unwrap_err().is_guard());
    // Integers.
    let (y, tape) = Tape::record(
        |x: Tensor, n: Tensor| (0..n.item::<i32>()).fold(x, |x, _| &x * &x),
        (x(2.0), Tensor::from(3i32)),
    );
    assert_eq!(y.item::<f64>(), 256.0);
    assert_eq!(tape.replay((x(3.0), Tensor::from(3i32))).expect("as often").item::<f64>(), 6561.0);
    assert!(tape.replay((x(3.0), Tensor::from(2i32))).unwrap_err().is_guard());
}

#[test]
fn peeks_and_what_does_not_depend_on_arguments_are_no_guards() {
    let (_, tape) = Tape::record(
        |x: Tensor| {
            let seen = x.peek().item::<f64>() + x.peek().to_vec::<f64>()[0];
            let constant = Tensor::from(seen) * 2.0;
            assert!(constant.item::<f64>() > 0.0);
            &x * constant
        },
        (x(2.0),),
    );
    assert!(tape.guards().is_empty());
    // What was peeked at is a constant of the tape.
    assert_eq!(tape.replay((x(3.0),)).expect("nothing was decided").item::<f64>(), 24.0);
}

#[test]
fn one_value_read_twice_is_one_guard() {
    let (_, tape) = Tape::record(
        |x: Tensor| {
            let p = x.less(0.0);
            if p.item::<bool>() || p.item::<bool>() { -x } else { x }
        },
        (x(2.0),),
    );
    assert_eq!(tape.guards().len(), 1);
}

#[test]
fn what_is_behind_a_guard_that_fails_does_not_run() {
    let f = |x: Tensor| {
        let y = &x * &x;
        if y.less(10.0).item::<bool>() { y.exp() } else { y }
    };
    let (_, tape) = Tape::record(f, (x(2.0),));
    let error = tape.replay((x(4.0),)).unwrap_err();
    assert!(error.is_guard());
}

#[test]
fn arguments_of_other_types_are_refused_by_name() {
    let (_, tape) = Tape::record(|x: Tensor, v: Vec<Tensor>| x + &v[0], (x(1.0), vec![x(2.0)]));
    let error = tape.replay((x(1.0), vec![Tensor::from(2.0f32)])).unwrap_err();
    assert!(!error.is_guard() && error.to_string().contains("`arg1[0]` is tensor<f32>"), "{error}");
    let error = tape.replay((x(1.0), vec![x(2.0), x(3.0)])).unwrap_err().to_string();
    assert!(error.contains("arg"), "{error}");
}

#[test]
fn derivatives_of_tapes_are_those_of_the_function() {
    let at = (x(5.0),);
    let (_, tape) = Tape::record(halve, at.clone());
    for v in [4.5, 7.0] {
        let want = grad(halve)(x(v));
        close(&grad(tape.clone())(x(v)), &want, "grad of the tape");
        close(&jit(grad(tape.clone()))(x(v)), &want, "compiled");
        close(&tape.grad().replay((x(v),)).expect("the same way"), &want, "the gradient's tape");
        close(&tape.grad().jit()(x(v)), &want, "the gradient's tape compiled");
        close(&value_and_grad(tape.clone())(x(v)).0, &halve(x(v)), "value");
        let second = grad(grad(halve))(x(v));
        close(&tape.grad().grad().replay((x(v),)).expect("the same way"), &second, "twice");
        close(&hessian(tape.clone())(x(v)), &second, "hessian");
        let tangent = jvp(halve, (x(v),), (x(2.0),));
        let found = tape.jvp().replay(((x(v),), (x(2.0),))).expect("the same way");
        close(&found.0, &tangent.0, "jvp's value");
        close(&found.1, &tangent.1, "jvp");
        let (y, (dx,)) = tape.vjp().replay(((x(v),), x(3.0))).expect("the same way");
        close(&y, &halve(x(v)), "vjp's value");
        close(&dx, &(want * 3.0), "vjp");
        let (_, df) = linearize(tape.clone(), (x(v),));
        close(&df.call((x(2.0),)), &tangent.1, "linearize");
    }
    // Guards come along.
    for error in [
        tape.grad().replay((x(3.0),)).unwrap_err(),
        tape.grad().jit().try_call((x(3.0),)).unwrap_err(),
        tape.jvp().replay(((x(3.0),), (x(1.0),))).unwrap_err(),
        tape.vjp().replay(((x(3.0),), x(1.0))).unwrap_err(),
        jit(grad(tape.clone())).try_call((x(3.0),)).unwrap_err(),
        jit(vmap(tape.clone())).try_call((Tensor::from([5.0, 3.0]),)).unwrap_err(),
    ] {
        refused(error, READ_IN_HALVE, "read false when it was recorded and would read true now");
    }
}

#[test]
fn batches_of_tapes() {
    let (_, tape) = Tape::record(halve, (x(5.0),));
    let batch = Tensor::from([4.5, 6.0, 7.5]);
    let want: Vec<f64> = [4.5f64, 6.0, 7.5].iter().map(|v| (v / 8.0).sin()).collect();
    close(&vmap(tape.clone())(batch.clone()), &Tensor::from(want.clone()), "vmap");
    close(&jit(vmap(tape.clone()))(batch.clone()), &Tensor::from(want), "jit(vmap)");
    let gradients: Vec<f64> = [4.5f64, 6.0, 7.5].iter().map(|v| (v / 8.0).cos() / 8.0).collect();
    close(&vmap(grad(tape))(batch), &Tensor::from(gradients), "per example");
}

#[test]
fn derivatives_inside_tapes() {
    // A derivative of a function with control flow, recorded: the reads inside `grad` are guards of the tape.
    let (y, tape) = Tape::record(|x: Tensor| grad(halve)(&x * 2.0), (x(2.5),));
    close(&y, &x((5.0f64 / 8.0).cos() / 8.0), "value");
    assert!(!tape.guards().is_empty());
    close(&tape.replay((x(3.5),)).expect("three halvings"), &x((7.0f64 / 8.0).cos() / 8.0), "replay");
    refused(tape.replay((x(1.5),)).unwrap_err(), READ_IN_HALVE, "read false");
    // vjp, with the pullback called afterwards.
    let (y, tape) = Tape::record(
        |x: Tensor| {
            let (y, back) = vjp(halve, (x,));
            back.call(&y * 2.0).0
        },
        (x(5.0),),
    );
    let want = |v: f64| 2.0 * (v / 8.0).sin() * (v / 8.0).cos() / 8.0;
    close(&y, &x(want(5.0)), "value");
    close(&tape.replay((x(7.0),)).expect("three halvings"), &x(want(7.0)), "replay");
    assert!(tape.replay((x(9.0),)).unwrap_err().is_guard());
    // An inner function that reads a value of the outer one.
    let f = |x: Tensor| {
        let outer = x.clone();
        grad(move |y: Tensor| if outer.less(0.0).item::<bool>() { y.sin() } else { &y * &y * &outer })(x)
    };
    let (y, tape) = Tape::record(f, (x(3.0),));
    assert_eq!(y.item::<f64>(), 18.0);
    assert_eq!(tape.replay((x(2.0),)).expect("the same way").item::<f64>(), 8.0);
    assert!(tape.replay((x(-2.0),)).unwrap_err().is_guard());
}

#[test]
fn tapes_inside_derivatives() {
    // Recorded inside `grad`: its result takes part.
    let f = |x: Tensor| {
        let (y, tape) = Tape::record(halve, (&x * 2.0,));
        y + tape.replay((&x * 2.5,)).expect("the same way")
    };
    let want = |v: f64| (2.0 * v / 8.0).cos() / 4.0 + (2.5 * v / 8.0).cos() * 2.5 / 8.0;
    close(&grad(f)(x(2.5)), &x(want(2.5)), "grad");
    // A tape that captured a value of the transform is of no use after it.
    let kept: Kept = Kept::default();
    let keep = kept.clone();
    let g = move |x: Tensor| {
        let outer = x.clone();
        let (y, tape) = Tape::record(move |y: Tensor| y * &outer, (x,));
        *keep.lock().expect("one thread") = Some(tape);
        y
    };
    assert_eq!(grad(g)(x(3.0)).item::<f64>(), 6.0);
    let tape = kept.lock().expect("one thread").take().expect("recorded");
    let error = tape.replay((x(1.0),)).unwrap_err();
    assert!(
        !error.is_guard() && error.to_string().contains("outside the function it was traced in"),
        "{error}"
    );
    // One that captured nothing is.
    let kept: Kept = Kept::default();
    let keep = kept.clone();
    let g = move |x: Tensor| {
        let (y, tape) = Tape::record(halve, (x,));
        *keep.lock().expect("one thread") = Some(tape);
        y
    };
    drop(grad(g)(x(5.0)));
    let tape = kept.lock().expect("one thread").take().expect("recorded");
    close(&tape.replay((x(6.0),)).expect("the same way"), &x(0.75f64.sin()), "after the trace");
}

#[test]
fn tapes_of_tapes() {
    let (_, inner) = Tape::record(halve, (x(5.0),));
    let (y, outer) =
        Tape::record(move |x: Tensor| inner.replay((x * 2.0,)).expect("the same way"), (x(3.0),));
    close(&y, &x(0.75f64.sin()), "value");
    close(&outer.replay((x(2.5),)).expect("the same way"), &x(0.625f64.sin()), "replay");
    refused(outer.replay((x(5.0),)).unwrap_err(), READ_IN_HALVE, "read true");
    // Recorded inside another: both have the reads.
    let (_, outer) = Tape::record(
        |x: Tensor| {
            let (y, tape) = Tape::record(halve, (x,));
            assert_eq!(tape.guards().len(), 4);
            y
        },
        (x(5.0),),
    );
    assert_eq!(outer.guards().len(), 4);
    assert!(outer.replay((x(3.0),)).unwrap_err().is_guard());
}

#[test]
fn under_jit_nothing_is_read_and_guards_are_checked_when_it_runs() {
    let f = jit(|x: Tensor| {
        let (y, tape) = Tape::record(|x: Tensor| &x * &x, (x,));
        assert!(tape.guards().is_empty() && tape.saved_bytes() == 0);
        y
    });
    assert_eq!(f(x(3.0)).item::<f64>(), 9.0);
    let error = jit(|x: Tensor| Tape::record(halve, (x,)).0).try_call((x(3.0),)).unwrap_err();
    assert!(error.to_string().contains(".item() needs the value"), "{error}");
    let (_, tape) = Tape::record(halve, (x(5.0),));
    let compiled = jit(move |x: Tensor| tape.replay((x,)).expect("staged") * 2.0);
    close(&compiled(x(6.0)), &x(2.0 * 0.75f64.sin()), "in jit");
    refused(compiled.try_call((x(3.0),)).unwrap_err(), READ_IN_HALVE, "read false");
}

#[test]
fn large_captures_are_inputs_of_the_program() {
    let table = numbers(&[100]);
    let held = table.clone();
    let (_, tape) = Tape::record(move |x: Tensor| (&held * &x).sum(), (x(2.0),));
    assert_eq!(tape.captured().len(), 1);
    assert_eq!(tape.inputs().len(), 1);
    close(&tape.replay((x(3.0),)).expect("no guards"), &(table.sum() * 3.0), "replay");
    close(&tape.jit()(x(3.0)), &(table.sum() * 3.0), "jit");
}

#[test]
fn it_can_be_looked_at() {
    let (_, tape) = Tape::record(halve, (x(1.5),));
    let [input] = &tape.inputs()[..] else { panic!("one input") };
    assert_eq!(
        (input.number, input.name.as_str(), input.value.as_ref().map(Tensor::item)),
        (0, "arg0", Some(1.5))
    );
    let [output] = &tape.outputs()[..] else { panic!("one output") };
    assert_eq!(output.value.as_ref().map(Tensor::item), Some(0.75f64.sin()));
    assert_eq!(tape.value(output.number).map(|t| t.item::<f64>()), Some(0.75f64.sin()));
    let guard = &tape.guards()[0];
    assert!(
        guard.line.as_deref().is_some_and(|l| l.ends_with(&format!("tapes.rs:{READ_IN_HALVE}:24"))),
        "{guard:?}"
    );
    // x, a half and its product, one twice, two truth values each twice, the sine.
    assert_eq!(tape.saved_bytes(), 8 * 6 + 4);
    let bare = tape.without_values();
    assert_eq!(
        (bare.saved_bytes(), bare.with_values().expect("runs").saved_bytes()),
        (0, tape.saved_bytes())
    );
    assert!(tape.list().lines().to_string().contains("tapes.rs:"));
    assert!(tape.to_string().contains("sine v") && !tape.to_string().contains("0.75"));
    assert!(tape.list().values().to_string().contains("tensor<f64> = 0.75"));
    assert!(format!("{tape:?}").contains("guards [\"false\", \"true\"]"), "{tape:?}");
}

#[test]
fn a_tape_gives_trees() {
    let f = |x: Tensor, n: Option<Tensor>| (vec![&x * 2.0, x.sin()], n);
    let (_, tape) = Tape::record(f, (x(1.0), Some(Tensor::from(3i32))));
    let (doubled, n) = tape.replay((x(4.0), Some(Tensor::from(7i32)))).expect("no guards");
    assert_eq!((doubled[0].item::<f64>(), n.map(|n| n.item::<i32>())), (8.0, Some(7)));
    let error = tape.replay((x(4.0), None)).unwrap_err();
    assert!(error.to_string().contains("recorded with arguments"), "{error}");
}

#[test]
fn ways_are_found_again() {
    static CALLS: Mutex<Vec<f64>> = Mutex::new(Vec::new());
    let f = tape::adaptive(|x: Tensor| {
        CALLS.lock().expect("one thread").push(x.peek().item::<f64>());
        halve(x)
    });
    for v in [5.0, 6.0, 3.0, 7.0, 2.5, 0.5] {
        close(&f(x(v)), &halve(x(v)), "adaptive");
    }
    // Three halvings, two, none: the others were compiled already.
    assert_eq!(*CALLS.lock().expect("one thread"), [5.0, 3.0, 0.5]);
    close(&grad(f)(x(6.0)), &grad(halve)(x(6.0)), "inside grad it is the function");
}

#[test]
fn pullbacks_that_are_called_once() {
    let (_, back) = vjp(|x: Tensor, n: Tensor| (x.sin() * 2.0, n), (numbers(&[5]), Tensor::from(3i32)));
    let ct = || (numbers(&[5]).cos(), Tensor::from(0i32));
    let (want, _) = back.call(ct());
    assert!(back.saved_bytes() > 0);
    let (dx, dn) = back.clone().into_once().call(ct());
    assert_eq!((f64s(&dx), dn.item::<i32>()), (f64s(&want), 0));
    let (dx, _) = back.into_once().call(ct());
    assert_eq!(f64s(&dx), f64s(&want));
    // Under jit, in vmap and in grad.
    let f = |x: Tensor| vjp(|x: Tensor| x.sin(), (x,)).1.into_once().call(Tensor::from(2.0)).0;
    close(&jit(f)(x(1.0)), &x(2.0 * 1f64.cos()), "jit");
    close(&grad(f)(x(1.0)), &x(-2.0 * 1f64.sin()), "grad");
    close(&vmap(f)(Tensor::from([0.0, 1.0])), &Tensor::from([2.0, 2.0 * 1f64.cos()]), "vmap");
    // One made outside may be used inside: it stays then.
    let (_, back) = vjp(|x: Tensor| x.sin(), (numbers(&[3]),));
    let once = std::sync::Arc::new(Mutex::new(Some(back.into_once())));
    let g = move |ct: Tensor| once.lock().expect("one thread").take().expect("first").call(ct).0.sum();
    close(&grad(g)(numbers(&[3])), &numbers(&[3]).cos(), "grad of a pullback");
}

/// Who catches an error goes on as if what failed had not been: values stay those of their operations, and the derivative does
/// not fail again.
#[test]
fn a_failure_that_is_caught_leaves_the_record_as_it_was() {
    let way = |x: Tensor| if x.less(0.0).item::<bool>() { -x } else { x.square() };
    let (_, tape) = Tape::record(way, (Tensor::from(2.0f64),));
    let compiled = tape.jit();
    let f = grad(move |x: Tensor| {
        let failed = [tape.replay((x.clone(),)).is_err(), compiled.try_call((x.clone(),)).is_err()];
        assert_eq!(failed, [x.peek().item::<f64>() < 0.0; 2]);
        let (a, b) = (x.sin(), x.cos());
        assert_eq!(a.exp().peek().item::<f64>(), x.peek().item::<f64>().sin().exp());
        a * b
    });
    for at in [-0.7f64, 0.7] {
        let got = f(Tensor::from(at)).item::<f64>();
        assert!((got - (2.0 * at).cos()).abs() < 1e-15, "{got}");
    }
}

/// Compiled guards are looked at last, so ways that do more than compute are not kept.
#[test]
fn ways_that_act_or_may_not_end_are_recorded_anew() {
    let loops = tape::adaptive(|n: Tensor| {
        if n.less(0.0).item::<bool>() {
            return n;
        }
        while_loop(|n: Tensor| n.not_equal(0.0), |n: Tensor| n - 1.0, n)
    });
    assert_eq!([3.0f64, -1.0, 2.0].map(|n| loops(Tensor::from(n)).item::<f64>()), [0.0, -1.0, 0.0]);
    let (_, heard) = wengert::effects::prints_of(|| {
        let prints = tape::adaptive(|x: Tensor| {
            wengert::debug_print!("{}", x);
            if x.less(0.0).item::<bool>() { -x } else { x.square() }
        });
        assert_eq!([3.0f64, -3.0, 4.0].map(|x| prints(Tensor::from(x)).item::<f64>()), [9.0, 3.0, 16.0]);
    });
    assert_eq!(heard.len(), 3, "{heard:?}");
}

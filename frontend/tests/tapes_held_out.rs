//! Tapes of functions written after the tape was: nothing of theirs was looked at while it was made.

use crate::common;

use common::{close, numbers};
use wengert::tape::Tape;
use wengert::{
    DType, Tensor, checkpoint, custom_jvp, grad, hessian, jacfwd, jit, jvp, linearize, random, scan, vmap,
};

fn x(v: f64) -> Tensor {
    Tensor::from(v)
}

/// Ackermann's function, on integers.
fn ackermann(m: Tensor, n: Tensor) -> Tensor {
    match (m.item::<i64>(), n.item::<i64>()) {
        (0, _) => n + 1,
        (_, 0) => ackermann(m - 1, Tensor::from(1i64)),
        _ => ackermann(&m - 1, ackermann(m, n - 1)),
    }
}

#[test]
fn deep_recursion_on_integers() {
    let at = |m: i64, n: i64| (Tensor::from(m), Tensor::from(n));
    let (y, tape) = Tape::record(ackermann, at(2, 3));
    assert_eq!(y.item::<i64>(), 9);
    assert_eq!(tape.replay(at(2, 3)).expect("the same").item::<i64>(), 9);
    assert!(tape.replay(at(2, 2)).unwrap_err().is_guard());
    assert!(tape.jit().try_call(at(1, 3)).unwrap_err().is_guard());
}

#[test]
fn complex_and_narrow_numbers_are_guards() {
    let f = |z: Tensor| if z.item::<(f32, f32)>().1 > 0.0 { z.conj() } else { z };
    let z = |re: f32, im: f32| (Tensor::complex(&Tensor::from(re), &Tensor::from(im)),);
    let (_, tape) = Tape::record(f, z(1.0, 2.0));
    assert!(tape.replay(z(1.0, 2.0)).is_ok() && tape.replay(z(1.0, 2.5)).unwrap_err().is_guard());
    assert!(tape.jit().try_call(z(1.0, 2.5)).unwrap_err().is_guard());
    let half = |v: f32| (Tensor::from(v).astype(DType::BF16),);
    let f = |x: Tensor| if x.astype(DType::F32).item::<f32>() > 0.0 { &x * 2.0 } else { x };
    let (_, tape) = Tape::record(f, half(1.5));
    assert!(tape.jit().try_call(half(1.5)).is_ok() && tape.jit().try_call(half(1.0)).is_err());
}

#[test]
fn bytes_of_a_file_are_a_read() {
    let f = |x: Tensor| if x.to_npy().expect("it has values").len() > 10 { &x * 2.0 } else { x };
    let (_, tape) = Tape::record(f, (Tensor::from([1.0f64, 2.0]),));
    assert_eq!(tape.guards().len(), 1);
    assert!(tape.replay((Tensor::from([1.0f64, 3.0]),)).unwrap_err().is_guard());
}

#[test]
fn under_vmap_there_is_nothing_to_read() {
    let f = |x: Tensor| Tape::record(|x: Tensor| if x.less(0.0).item::<bool>() { -x } else { x }, (x,)).0;
    let f = std::panic::AssertUnwindSafe(move || vmap(f)(Tensor::from([1.0f64, -1.0])));
    let said = std::panic::catch_unwind(f).expect_err("no values");
    let said = said.downcast_ref::<String>().expect("words");
    assert!(said.contains(".item() needs the value") && said.contains("vmap"), "{said}");
}

#[test]
fn inside_jacobians_and_around_them() {
    let f = |x: Tensor| if x.sum().greater(0.0).item::<bool>() { x.sin() } else { x.cos() };
    let at = || (numbers(&[3]).abs(),);
    let (y, tape) = Tape::record(f, at());
    let _ = y;
    close(&jacfwd(tape.clone())(at().0), &jacfwd(|x: Tensor| x.sin())(at().0), "jacfwd");
    let (j, outer) = Tape::record(|x: Tensor| jacfwd(|x: Tensor| x.sin())(x), at());
    close(&j, &jacfwd(tape)(at().0), "jacfwd on a tape");
    close(
        &outer.replay((numbers(&[3]),)).expect("no guards"),
        &jacfwd(|x: Tensor| x.sin())(numbers(&[3])),
        "again",
    );
    let (h, outer) = Tape::record(|x: Tensor| hessian(|x: Tensor| (&x * &x * &x).sum())(x), at());
    close(&h, &hessian(|x: Tensor| (&x * &x * &x).sum())(at().0), "hessian");
    assert!(outer.guards().is_empty());
}

#[test]
fn random_numbers_of_keys_are_replayed() {
    let f = |key: Tensor| {
        let u = random::uniform(&key, &[3], DType::F64, 0.0, 1.0);
        if u.sum().less(4.0).item::<bool>() { u } else { -u }
    };
    let (y, tape) = Tape::record(f, (random::key(1),));
    close(&tape.replay((random::key(1),)).expect("the same"), &y, "one key");
    close(&tape.replay((random::key(2),)).expect("less than two"), &f(random::key(2)), "another");
}

#[test]
fn rules_of_the_users_and_checkpoints_stand_on_tapes() {
    let safe = custom_jvp(|x: Tensor| x.sqrt(), |(x,), (dx,)| (x.sqrt(), dx * 100.0));
    let inner = checkpoint(|x: Tensor| x.sin().exp());
    let f = move |x: Tensor| {
        let y = inner(safe(x));
        if y.less(1.0).item::<bool>() { y } else { y * 2.0 }
    };
    let (_, tape) = Tape::record(f, (x(1.0),));
    let want = |v: f64| 2.0 * v.sqrt().sin().exp() * v.sqrt().cos() * 100.0;
    for v in [1.0, 2.0] {
        close(&tape.grad().replay((x(v),)).expect("the same"), &x(want(v)), "its rule");
        close(&jit(grad(tape.clone()))(x(v)), &x(want(v)), "compiled");
    }
    assert!(tape.grad().replay((x(16.0),)).unwrap_err().is_guard());
}

#[test]
fn loops_of_ours_and_of_rusts_together() {
    let f = |x: Tensor, rows: Tensor| {
        let (mut sum, _) = scan(|c: Tensor, r: Tensor| ((&c * &r).sin(), ()), x, rows);
        while sum.less(1.0).item::<bool>() {
            sum += 0.4;
        }
        sum
    };
    let args = |v: f64| (x(v), Tensor::from([1.0f64, 2.0, 0.5]));
    let (y, tape) = Tape::record(f, args(0.5));
    close(&tape.jit()(args(0.5).0, args(0.5).1), &y, "jit");
    close(&tape.grad().replay(args(0.52)).expect("as often"), &grad(f)(args(0.52).0, args(0.52).1), "grad");
    assert!(tape.replay(args(-0.9)).unwrap_err().is_guard());
    let read =
        Tape::<(Tensor, Tensor), Tensor>::parse(&tape.to_text().expect("it has values")).expect("our own");
    close(
        &read.grad().replay(args(0.52)).expect("as often"),
        &grad(f)(args(0.52).0, args(0.52).1),
        "of the file",
    );
}

#[test]
fn results_that_are_arguments_or_constants() {
    let f = |x: Tensor, y: Tensor| [y.clone(), x, y, Tensor::from(7.0f64)];
    let (_, tape) = Tape::record(f, (x(1.0), x(2.0)));
    let numbers = |r: [Tensor; 4]| r.map(|t| t.item::<f64>());
    assert_eq!(numbers(tape.replay((x(3.0), x(4.0))).expect("no guards")), [4.0, 3.0, 4.0, 7.0]);
    assert_eq!(numbers(tape.jit()(x(3.0), x(4.0))), [4.0, 3.0, 4.0, 7.0]);
    let read = Tape::<(Tensor, Tensor), [Tensor; 4]>::parse(&tape.to_text().expect("it has values"))
        .expect("our own");
    assert_eq!(numbers(read.replay((x(3.0), x(4.0))).expect("no guards")), [4.0, 3.0, 4.0, 7.0]);
    let crlf = tape.to_text().expect("it has values").replace('\n', "\r\n");
    assert!(Tape::<(Tensor, Tensor), [Tensor; 4]>::parse(&crlf).is_ok(), "a file that was on Windows");
}

#[test]
fn forward_modes_inside_tapes_read_too() {
    let f = |x: Tensor| if x.less(1.0).item::<bool>() { x.sin() } else { &x * &x };
    let (y, tape) = Tape::record(move |x: Tensor| jvp(f, (&x * 2.0,), (Tensor::from(1.0f64),)).1, (x(2.0),));
    assert_eq!(y.item::<f64>(), 8.0);
    assert_eq!(tape.replay((x(3.0),)).expect("the same").item::<f64>(), 12.0);
    assert!(tape.replay((x(0.25),)).unwrap_err().is_guard());
    let (_, tape) = Tape::record(
        move |x: Tensor| {
            let (y, df) = linearize(f, (x,));
            y + df.call((Tensor::from(1.0f64),)) + df.transpose().call(Tensor::from(1.0f64)).0
        },
        (x(2.0),),
    );
    assert_eq!(tape.replay((x(3.0),)).expect("the same").item::<f64>(), 21.0);
    assert!(tape.replay((x(0.25),)).unwrap_err().is_guard());
}

#[test]
fn on_other_threads_and_many_times() {
    let f = |x: Tensor| if x.less(1.0).item::<bool>() { x.sin() } else { &x * &x };
    let (_, tape) = Tape::record(f, (x(2.0),));
    let threads: Vec<_> = (2..6)
        .map(|k| {
            let tape = tape.clone();
            std::thread::spawn(move || {
                (
                    tape.replay((x(k as f64),)).expect("the same").item::<f64>(),
                    tape.jit()(x(k as f64)).item::<f64>(),
                )
            })
        })
        .collect();
    for (k, t) in (2..6).zip(threads) {
        let square = (k * k) as f64;
        assert_eq!(t.join().expect("runs"), (square, square));
    }
    let batch = Tensor::from([2.0f64, 3.0]);
    let sums = grad(move |x: Tensor| vmap(tape.clone())(x).sum())(batch);
    assert_eq!(sums.to_vec::<f64>(), [4.0, 6.0]);
}

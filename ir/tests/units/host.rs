//! Functions of the host: formats, panics, names, and what ordered operations give when they are replayed.

use std::sync::atomic::{AtomicU32, Ordering};
use wengert_ir::array::Array;
use wengert_ir::host::{Batching, Host, Log, holes, listening, recording, register, registered, replaying};
use wengert_ir::op::{CustomCall, Print};
use wengert_ir::testing::eval_op;
use wengert_ir::types::{DType, TensorType};

#[test]
fn formats() {
    assert_eq!(holes("x = {}, {{}} {}"), Ok(2));
    let print = Print { format: "x = {}, {{}} {}".into() };
    let (_, lines) = listening(|| eval_op(print, &[Array::scalar(1i32), Array::scalar(2i32)]));
    assert_eq!(lines, ["x = 1, {} 2"]);
    for bad in ["{", "}", "{x}", "a {:?}"] {
        assert!(holes(bad).is_err(), "{bad}");
    }
}

#[test]
fn a_panic_is_a_failure() {
    let host = Host::new(Batching::Examples, |_| panic!("no {}", "way"));
    assert_eq!(host.call(&[]), Some(Err("it panicked: no way".into())));
    assert_eq!(Host::default().call(&[]), None);
}

#[test]
fn a_target_is_registered_once() {
    let nothing = || Host::new(Batching::Examples, |_| Ok(Vec::new()));
    assert!(!registered("tests.host").is_bound());
    assert!(register("tests.host", nothing()).is_ok());
    assert!(registered("tests.host").is_bound());
    assert!(register("tests.host", nothing()).is_err());
}

#[test]
fn what_was_recorded_is_given_again() {
    let calls = AtomicU32::new(0);
    let count =
        move |_: &[Array]| Ok(vec![Array::scalar((calls.fetch_add(1, Ordering::Relaxed) + 1) as f32)]);
    register("tests.recorded", Host::new(Batching::Examples, count)).unwrap();
    let run = |k: f64| {
        let op = CustomCall {
            target: "tests.recorded".into(),
            attributes: format!("k = {k:?}").into(),
            has_side_effect: true,
            results: vec![TensorType::scalar(DType::F32).into()],
            called_computations: Vec::new(),
            host: Host::default(),
        };
        eval_op(op, &[])[0].as_slice::<f32>()[0]
    };
    let mut log = Log::default();
    assert_eq!(recording(&mut log, || [run(1.0), run(2.0), run(1.0)]), [1.0, 2.0, 3.0]);
    assert_eq!(replaying(&log, || [run(1.0), run(1.0), run(7.0)]), [1.0, 3.0, 4.0]);
    assert_eq!(run(1.0), 5.0);
    // Nothing is thrown away on the way to what is given again.
    assert_eq!(replaying(&log, || [run(2.0), run(1.0)]), [2.0, 1.0]);
}

//! Functions of the host: formats, panics, names, and what ordered operations give when they are replayed.

use std::sync::atomic::{AtomicU32, Ordering};
use wengert_ir::array::Array;
use wengert_ir::host::{Batching, Host, register, registered};
use wengert_ir::op::{CustomCall, Print};
use wengert_ir::printed::{holes, listening};
use wengert_ir::replay::{Log, recording, replaying};
use wengert_ir::rules::OpDef;
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
    let failed = Some(Err("it panicked: no way".into()));
    assert_eq!(host.call(&[], &[]), failed);
    assert_eq!(Host::default().call(&[], &[]), None);
    let in_place = Host::in_place(Batching::Examples, |_, _| panic!("no {}", "way"));
    assert_eq!(in_place.call(&[], &[]), failed);
    assert_eq!(in_place.call_in_place(&[], &mut []), failed.map(|r| r.map(drop)));
}

/// Twice as many bytes, and then how often it was called.
fn in_place(has_side_effect: bool) -> CustomCall {
    let calls = AtomicU32::new(0);
    let double = move |from: &[&[u8]], to: &mut [&mut [u8]]| {
        let (copy, count) = to.split_at_mut(1);
        copy[0].copy_from_slice(&[from[0], from[0]].concat());
        count[0].copy_from_slice(&(calls.fetch_add(1, Ordering::Relaxed) + 1).to_ne_bytes());
        if from[0][0] == 9 { Err("nine".to_owned()) } else { Ok(()) }
    };
    CustomCall {
        target: "tests.in_place".into(),
        attributes: "".into(),
        has_side_effect,
        results: vec![TensorType::new(DType::U8, &[4]).into(), TensorType::scalar(DType::U32).into()],
        called_computations: Vec::new(),
        host: Host::in_place(Batching::Examples, double),
    }
}

#[test]
fn a_function_may_write_its_results_where_they_are_to_lie() {
    let op = in_place(true);
    let x = Array::from_bytes(TensorType::new(DType::U8, &[2]), &[3, 4]);
    let given = eval_op(op.clone(), std::slice::from_ref(&x));
    assert_eq!((given[0].bytes(), given[1].as_slice::<u32>()), (&[3, 4, 3, 4][..], &[1][..]));
    let types = [TensorType::new(DType::U8, &[4]), TensorType::scalar(DType::U32)];
    let into = |bytes: [u8; 2]| {
        let (mut copy, mut count) = ([7u8; 4], [7u8; 4]);
        let mut results = [(&types[0], &mut copy[..]), (&types[1], &mut count[..])];
        let done = op.eval_into(&[(x.ty(), &bytes)], &mut results);
        done.map(|done| done.map(|()| (copy, u32::from_ne_bytes(count))).map_err(|e| e.to_string()))
    };
    assert_eq!(into([5, 6]), Some(Ok(([5, 6, 5, 6], 2))));
    assert!(into([9, 0]).is_some_and(|r| r.is_err_and(|e| e.contains("`@tests.in_place` failed: nine"))));
    // What is to be given again is remembered: that is not done from bytes to bytes.
    let mut log = Log::default();
    assert_eq!(recording(&mut log, || into([1, 2])), None);
    let again = recording(&mut log, || eval_op(op.clone(), std::slice::from_ref(&x))[1].as_slice::<u32>()[0]);
    assert_eq!(replaying(&log, || into([3, 4])), None);
    assert_eq!(
        replaying(&log, || eval_op(op.clone(), std::slice::from_ref(&x))[1].as_slice::<u32>()[0]),
        again
    );
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

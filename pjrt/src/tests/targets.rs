//! Functions that users register, in Rust. What C++'s header makes of them is in `tests/targets.py`.

use super::harness::*;
use crate::targets::testing::{FREED_STATES, answer, register, register_state_type};
use crate::targets::{CallFrame, Error};
use std::ffi::c_void;
use std::sync::atomic::Ordering::SeqCst;

/// A program that calls a target.
fn program(target: &str, attributes: &str) -> String {
    format!(
        r#"func.func public @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {{
             %y = stablehlo.custom_call @{target}(%x) {{{attributes}}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
             return %y : tensor<2x3xf32>
           }}"#
    )
}

const X: [f32; 6] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];

fn run(caller: &Caller, text: &str) -> Result<Vec<f32>, (i32, String)> {
    let program = caller.compile(text)?;
    let x = caller.buffer(&[2, 3], &X);
    let (out, event) = caller.execute_keeping(program, &[x], 1, &[])?;
    wait(event)?;
    let found = numbers(out[0]);
    destroy_executable(program)?;
    found
}

/// Times a factor, plus the place.
unsafe extern "C" fn scale(frame: *mut CallFrame) -> *mut Error {
    // SAFETY: the plugin's frame.
    unsafe {
        answer(frame, (0, 3), |mut frame| {
            let Some(factor) = frame.number("factor") else { return frame.error(3, c"no factor") };
            let x = frame.operand(0).to_vec();
            let y = frame.result(0);
            y.iter_mut().zip(x).enumerate().for_each(|(k, (y, x))| *y = x * factor + k as f32);
            std::ptr::null_mut()
        })
    }
}

#[test]
fn a_target_runs_or_says_why_not() {
    register("test.scale", None, Some(scale)).expect("registers");
    let caller = Caller::new();
    let with = |attributes: &str| run(&caller, &program("test.scale", attributes));
    let wanted = Ok(vec![2.0, 5.0, 8.0, 11.0, 14.0, 17.0]);
    assert_eq!(with("api_version = 4 : i32, backend_config = {factor = 2.0 : f32}"), wanted);
    // As JAX writes it.
    assert_eq!(
        with("backend_config = \"\", mhlo.backend_config = {a = [], factor = 2.0 : f32, z = \"\"}"),
        wanted
    );
    assert_error(
        with("api_version = 4 : i32, backend_config = {}").map(drop),
        13,
        "INVALID_ARGUMENT: no factor",
    );
    assert_error(with("mhlo.backend_config = {factor = 2.0 : f64}").map(drop), 13, "no factor");
    assert_error(with("mhlo.backend_config = {kind = [1, \"x\"]}").map(drop), 3, "`kind` is no number");
    assert_error(with("mhlo.backend_config = {kind = i32}").map(drop), 3, "`kind` is no number");
    assert_error(with("").map(drop), 3, "version 1");
    assert_error(with("api_version = 2 : i32").map(drop), 3, "version 2");
    // By columns: what is given and what comes back.
    let columns = "operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]";
    let config = "mhlo.backend_config = {factor = 1.0 : f32}";
    assert_eq!(with(&format!("{config}, {columns}")), Ok(vec![1.0, 4.0, 7.0, 5.0, 8.0, 11.0]));
}

unsafe extern "C" fn too_new(frame: *mut CallFrame) -> *mut Error {
    // SAFETY: the plugin's frame.
    unsafe { answer(frame, (0, 99), |_| unreachable!("never called")) }
}

#[test]
fn what_cannot_be_called_is_not_registered() {
    assert!(register("test.new", None, Some(too_new)).is_err_and(|e| e.contains("version 0.99")));
    assert!(register("test.nothing", None, None).is_err_and(|e| e.contains("no handler that executes it")));
    register("test.twice", None, Some(scale)).expect("registers");
    register("test.twice", None, Some(scale)).expect("the same again");
    let other = register("test.twice", Some(scale), Some(scale));
    assert!(other.is_err_and(|e| e.contains("another function is registered as test.twice")));
    let unknown = run(&Caller::new(), &program("test.new", "mhlo.backend_config = {}"));
    assert_error(unknown.map(drop), 12, "does not know the custom call @test.new");
}

/// Sets a state at the first stage, and adds it at the last.
unsafe fn stateful<const MINOR: i32>(frame: *mut CallFrame, makes: bool) -> *mut Error {
    // SAFETY: the plugin's frame.
    unsafe {
        answer(frame, (0, MINOR), |mut frame| {
            if makes {
                assert!(frame.state(MINOR, None).is_err_and(|e| e.starts_with("NOT_FOUND")));
                frame
                    .state(MINOR, Some(std::ptr::without_provenance_mut::<c_void>(MINOR as usize)))
                    .expect("is set");
                assert!(
                    frame
                        .state(MINOR, Some(std::ptr::null_mut()))
                        .is_err_and(|e| e.starts_with("ALREADY_EXISTS"))
                );
                return std::ptr::null_mut();
            }
            let state = frame.state(MINOR, None).expect("is there").addr();
            let x = frame.operand(0).to_vec();
            frame.result(0).iter_mut().zip(x).for_each(|(y, x)| *y = x + state as f32);
            std::ptr::null_mut()
        })
    }
}

unsafe extern "C" fn makes<const MINOR: i32>(frame: *mut CallFrame) -> *mut Error {
    // SAFETY: the plugin's frame.
    unsafe { stateful::<MINOR>(frame, true) }
}

unsafe extern "C" fn uses<const MINOR: i32>(frame: *mut CallFrame) -> *mut Error {
    // SAFETY: the plugin's frame.
    unsafe { stateful::<MINOR>(frame, false) }
}

#[test]
fn states_of_every_version_of_the_header() {
    register_state_type();
    let caller = Caller::new();
    register("test.state1", Some(makes::<1>), Some(uses::<1>)).expect("registers");
    register("test.state2", Some(makes::<2>), Some(uses::<2>)).expect("registers");
    register("test.state3", Some(makes::<3>), Some(uses::<3>)).expect("registers");
    register("test.state4", Some(makes::<4>), Some(uses::<4>)).expect("registers");
    register("test.state5", Some(makes::<5>), Some(uses::<5>)).expect("registers");
    assert!(
        register("test.mixed", Some(makes::<1>), Some(uses::<3>))
            .is_err_and(|e| e.contains("several versions"))
    );
    for minor in 1..=5 {
        let before = FREED_STATES.load(SeqCst);
        let found = run(&caller, &program(&format!("test.state{minor}"), "mhlo.backend_config = {}"));
        assert_eq!(found, Ok(X.map(|x| x + minor as f32).to_vec()));
        assert_eq!(FREED_STATES.load(SeqCst), before + 1, "it is freed with its program");
    }
}

#[test]
fn results_may_lie_in_the_place_of_operands() {
    register("test.place", None, Some(in_place)).expect("registers");
    let alias = "output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, \
                 operand_tuple_indices = []>]";
    let caller = Caller::new();
    let found = run(&caller, &program("test.place", &format!("mhlo.backend_config = {{}}, {alias}")));
    assert_eq!(found, Ok(X.map(|x| x + 1.0).to_vec()));
    assert_error(
        run(&caller, &program("test.place", "mhlo.backend_config = {}")).map(drop),
        13,
        "another place",
    );
}

unsafe extern "C" fn in_place(frame: *mut CallFrame) -> *mut Error {
    // SAFETY: the plugin's frame.
    unsafe {
        answer(frame, (0, 3), |mut frame| {
            if frame.operand(0).as_ptr() != frame.result(0).as_ptr() {
                return frame.error(13, c"another place");
            }
            frame.result(0).iter_mut().for_each(|y| *y += 1.0);
            std::ptr::null_mut()
        })
    }
}

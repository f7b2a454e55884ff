//! Functions of Python that programs call, with functions of Rust in their place.

use super::harness::*;
use super::programs::{DOUBLE, LONG};
use crate::callback::{Piece, SUCCESS, wengert_set_python_callback};
use crate::ffi::*;
use std::ffi::c_char;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

/// The process that programs here are of.
const PROCESS: u64 = 7;

/// Who runs functions is the process's to say, so these tests run one after the other.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    let alone = ALONE.lock().unwrap_or_else(|e| e.into_inner());
    // SAFETY: it is a function of this module, which may be called at any time.
    unsafe { wengert_set_python_callback(Some(python), PROCESS) };
    alone
}

fn nobody() {
    // SAFETY: there is no function.
    unsafe { wengert_set_python_callback(None, 0) };
}

static STARTED: AtomicBool = AtomicBool::new(false);
static GATE: AtomicBool = AtomicBool::new(false);
static ENDED: AtomicUsize = AtomicUsize::new(0);

/// Function 1 adds one; 2 fails with a text; 3 as Python where nobody listens; 4 waits for a gate; 5 runs programs and waits for them.
unsafe extern "C" fn python(
    number: u64,
    operands: *const Piece,
    count: usize,
    results: *const Piece,
    result_count: usize,
    message: *mut c_char,
    room: usize,
) -> i32 {
    // SAFETY: there are as many as said, each of as many bytes.
    let (from, to) = unsafe {
        let (operands, results) =
            (std::slice::from_raw_parts(operands, count), std::slice::from_raw_parts(results, result_count));
        assert_eq!((count, result_count), (1, 1));
        (
            std::slice::from_raw_parts(operands[0].start.cast::<f32>(), operands[0].bytes / 4),
            std::slice::from_raw_parts_mut(results[0].start.cast::<f32>(), results[0].bytes / 4),
        )
    };
    assert_eq!((from.len(), to.len()), (1024, 1024));
    match number {
        1 => {}
        2 => {
            assert!(room > 8);
            // SAFETY: there is room.
            unsafe { std::ptr::copy_nonoverlapping(c"no luck".as_ptr(), message, 8) };
            return 1;
        }
        3 => return 0,
        4 => {
            STARTED.store(true, SeqCst);
            while !GATE.load(SeqCst) {
                std::thread::yield_now();
            }
            std::thread::sleep(Duration::from_millis(50));
            ENDED.fetch_add(1, SeqCst);
        }
        5 => OUTER.with_caller(|caller| {
            let long = caller.compile(LONG).expect("compiles");
            let x = caller.buffer(&[1024], &[0.5; 1024]);
            let (y, _) = caller.execute_keeping(long, &[x], 1, &[]).expect("starts");
            assert!(numbers(y[0]).is_ok());
        }),
        other => panic!("no function {other}"),
    }
    to.iter_mut().zip(from).for_each(|(to, from)| *to = from + 1.0);
    SUCCESS
}

/// The client of the program that calls function 5.
struct Outer(Mutex<Option<&'static Caller>>);

static OUTER: Outer = Outer(Mutex::new(None));

impl Outer {
    fn with_caller(&self, work: impl FnOnce(&Caller)) {
        let caller = *self.0.lock().expect("no test fails with it");
        work(caller.expect("set by the test"));
    }
}

/// A program that calls a function.
fn program(config: &str) -> String {
    format!(
        r#"func.func public @main(%x: tensor<1024xf32>) -> tensor<1024xf32> {{
             %y = stablehlo.custom_call @wengert_python_callback(%x) {{api_version = 2 : i32{config}}} : (tensor<1024xf32>) -> tensor<1024xf32>
             return %y : tensor<1024xf32>
           }}"#
    )
}

fn calls(number: u64) -> String {
    program(&format!(", backend_config = \"{PROCESS}:{number}\""))
}

fn compiled(caller: &Caller, text: &str) -> Outcome {
    caller.compile(text).and_then(destroy_executable)
}

#[test]
fn functions_run_or_say_why_not() {
    let _alone = alone();
    let caller = Caller::new();
    let x = caller.buffer(&[1024], &[0.5; 1024]);
    let run = |number: u64| {
        let program = caller.compile(&calls(number)).expect("compiles");
        let (out, event) = caller.execute_keeping(program, &[x], 1, &[])?;
        wait(event)?;
        numbers(out[0])
    };
    assert_eq!(run(1), Ok(vec![1.5; 1024]));
    assert_error(run(2).map(drop), 13, "no luck");
    assert_error(run(3).map(drop), 13, "without saying why");
}

#[test]
fn functions_of_other_processes_are_refused() {
    let _alone = alone();
    let caller = Caller::new();
    assert_eq!(compiled(&caller, &calls(1)), Ok(()));
    assert_error(compiled(&caller, &program(", backend_config = \"8:1\"")), 9, "of another process");
    for config in [
        "",
        ", backend_config = \"1\"",
        ", backend_config = \"7:\"",
        ", backend_config = \"7:x\"",
        ", backend_config = \"a = \\\"7:1\\\"\"",
        ", note = \"backend_config = \\\"7:1\\\"\"",
        ", mhlo.frontend_attributes = {backend_config = \"7:1\"}",
    ] {
        assert_error(compiled(&caller, &program(config)), 3, "does not say which function");
    }
    nobody();
    assert_error(compiled(&caller, &calls(1)), 9, "nobody runs these");
}

#[test]
fn nobody_is_called_when_python_has_gone() {
    let _alone = alone();
    let caller = Caller::new();
    let slow = caller.compile(&calls(4)).expect("compiles").expose_provenance();
    let x = caller.buffer(&[1024], &[0.5; 1024]).expose_provenance();
    let caller = &caller;
    std::thread::scope(|s| {
        let runs = s.spawn(move || {
            let run = || {
                let (slow, x) =
                    (std::ptr::with_exposed_provenance_mut(slow), std::ptr::with_exposed_provenance_mut(x));
                let (out, event) = caller.execute_keeping(slow, &[x], 1, &[])?;
                wait(event)?;
                numbers(out[0])
            };
            (run(), run())
        });
        while !STARTED.load(SeqCst) {
            std::thread::yield_now();
        }
        s.spawn(move || {
            // Nobody new is called, and who runs may end.
            while compiled(caller, &calls(1)).is_ok() {
                std::thread::yield_now();
            }
            assert_eq!(ENDED.load(SeqCst), 0);
            GATE.store(true, SeqCst);
        });
        nobody();
        assert_eq!(ENDED.load(SeqCst), 1);
        let (first, second) = runs.join().expect("no panic");
        assert_eq!(first, Ok(vec![1.5; 1024]));
        assert_error(second.map(drop), 13, "not any more");
    });
}

#[test]
fn a_function_may_wait_for_programs_while_programs_wait_for_it() {
    let _alone = alone();
    let caller: &'static Caller = Box::leak(Box::new(Caller::new()));
    *OUTER.0.lock().expect("no test fails with it") = Some(caller);
    let (long, nested) =
        (caller.compile(LONG).expect("compiles"), caller.compile(&calls(5)).expect("compiles"));
    let double = caller.compile(&DOUBLE.replace("4xf32", "1024xf32")).expect("compiles");
    let x = caller.buffer(&[1024], &[0.5; 1024]);
    let (sender, receiver) = std::sync::mpsc::channel();
    let (long, nested, double, x) = (
        long.expose_provenance(),
        nested.expose_provenance(),
        double.expose_provenance(),
        x.expose_provenance(),
    );
    std::thread::spawn(move || {
        let program = |handle: usize| std::ptr::with_exposed_provenance_mut::<PJRT_LoadedExecutable>(handle);
        let start = |handle: usize, x: &[*mut PJRT_Buffer]| {
            caller.execute_keeping(program(handle), x, 1, &[]).expect("starts").0
        };
        let x = [std::ptr::with_exposed_provenance_mut(x)];
        let y = start(nested, &start(long, &x));
        // These wait for the function, whose own programs come after them.
        let waiting: Vec<_> = (0..4).map(|_| start(double, &y)).collect();
        let found: Vec<_> = waiting.iter().map(|z| numbers(z[0]).expect("there").len()).collect();
        sender.send(found).expect("heard");
    });
    let found = receiver.recv_timeout(Duration::from_secs(120));
    assert_eq!(found, Ok(vec![1024; 4]), "a program and a function wait for each other");
}

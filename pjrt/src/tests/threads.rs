//! Several threads at once, events and callbacks.

use super::harness::*;
use super::programs::LONG;
use crate::ffi::*;
use std::ffi::c_void;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

#[test]
fn eight_threads_compile_and_run() {
    let caller = Caller::new();
    std::thread::scope(|s| {
        for k in 1..=8 {
            let caller = &caller;
            s.spawn(move || {
                let text = format!(
                    "func.func public @main(%x: tensor<{k}xf32>) -> tensor<{k}xf32> {{
                       %y = stablehlo.multiply %x, %x : tensor<{k}xf32>
                       return %y : tensor<{k}xf32>
                     }}"
                );
                let square = caller.compile(&text).expect("compiles");
                for round in 0..50 {
                    let x = caller.buffer(&[k], &vec![round as f32; k as usize]);
                    let y = caller.execute(square, &[x], 1).expect("runs");
                    assert_eq!(numbers(y[0]), Ok(vec![(round * round) as f32; k as usize]));
                    assert!(destroy_buffer(x).is_ok() && destroy_buffer(y[0]).is_ok());
                }
                assert!(destroy_executable(square).is_ok());
            });
        }
    });
}

#[test]
fn callbacks_outlive_their_events() {
    unsafe extern "C" fn tell(error: *mut PJRT_Error, argument: *mut c_void) {
        // SAFETY: the argument is the sender below.
        let sender = unsafe { Box::from_raw(argument.cast::<Sender<Outcome>>()) };
        sender.send(outcome(error)).expect("heard");
    }
    let ask = |event: *mut PJRT_Event| {
        let (sender, receiver) = channel::<Outcome>();
        let mut a: PJRT_Event_OnReady_Args = args();
        a.callback = Some(tell);
        (a.event, a.user_arg) = (event, Box::into_raw(Box::new(sender)).cast());
        call("PJRT_Event_OnReady", &mut a).expect("an event");
        // As JAX does.
        destroy_event(event);
        receiver
    };
    let caller = Caller::new();
    let long = caller.compile(LONG).expect("compiles");
    let x = caller.buffer(&[1024], &[0.5; 1024]);
    let (_, event) = caller.execute_keeping(long, &[x], 1, &[]).expect("starts");
    assert_eq!(ask(event).recv_timeout(Duration::from_secs(60)), Ok(Ok(())));
    // An event of the caller's own, with an error.
    let mut create: PJRT_Event_Create_Args = args();
    call("PJRT_Event_Create", &mut create).expect("an event");
    let mut on_ready: PJRT_Event_OnReady_Args = args();
    let (sender, receiver) = channel::<Outcome>();
    on_ready.event = create.event;
    on_ready.callback = Some(tell);
    on_ready.user_arg = Box::into_raw(Box::new(sender)).cast();
    call("PJRT_Event_OnReady", &mut on_ready).expect("an event");
    assert!(receiver.try_recv().is_err());
    let mut set: PJRT_Event_Set_Args = args();
    let message = "no luck";
    (set.event, set.error_code) = (create.event, 10);
    (set.error_message, set.error_message_size) = (message.as_ptr(), message.len());
    call("PJRT_Event_Set", &mut set).expect("not set yet");
    assert_eq!(receiver.recv_timeout(Duration::from_secs(60)), Ok(Err((10, message.to_owned()))));
    assert_error(call("PJRT_Event_Set", &mut set), 9, "set already");
    assert_error(wait(create.event), 10, message);
    on_ready.callback = None;
    assert_error(call("PJRT_Event_OnReady", &mut on_ready), 3, "no callback");
}

#[test]
fn a_buffer_may_be_destroyed_while_others_read_it() {
    static READ: AtomicUsize = AtomicUsize::new(0);
    let caller = Caller::new();
    for _ in 0..20 {
        let x = caller.buffer(&[1024], &[0.25; 1024]);
        let x = x.expose_provenance();
        std::thread::scope(|s| {
            for _ in 0..4 {
                s.spawn(move || {
                    // Either it is there as a whole, or not at all.
                    match numbers(std::ptr::with_exposed_provenance_mut(x)) {
                        Ok(found) => {
                            assert_eq!(found, vec![0.25; 1024]);
                            READ.fetch_add(1, SeqCst);
                        }
                        Err((code, _)) => assert_eq!(code, 3),
                    }
                });
            }
            s.spawn(move || assert!(destroy_buffer(std::ptr::with_exposed_provenance_mut(x)).is_ok()));
        });
    }
}

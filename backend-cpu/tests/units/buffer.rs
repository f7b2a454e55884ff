//! Buffers between pages that nobody may touch: an access outside ends the process or is noticed.

#![allow(unsafe_code, reason = "touches what must not be touched")]

use std::panic::{AssertUnwindSafe, catch_unwind};
use wengert_cpu::testing::guarded;

/// In a process that asks for it, touches what it must not.
#[test]
fn touches() {
    let Ok(offset) = std::env::var("WENGERT_TOUCH") else { return };
    let offset: isize = offset.parse().expect("a number");
    let buffer = guarded(64).expect("memory");
    // SAFETY: none; the guard page ends the process, which is what is tested.
    std::hint::black_box(unsafe { buffer.as_ptr().offset(offset).read_volatile() });
}

#[test]
fn what_is_beside_a_buffer_cannot_be_touched() {
    let (_, module) = module_path!().split_once("::").expect("a module of a program");
    let touch = |offset: &str, side: &str| {
        let exe = std::env::current_exe().expect("a path");
        let mut child = std::process::Command::new(exe);
        child.args(["--exact", &format!("{module}::touches")]);
        let out = child.env("WENGERT_TOUCH", offset).env("WENGERT_GUARD", side).output();
        out.expect("starts").status.success()
    };
    assert!(touch("63", "after") && !touch("64", "after"));
    assert!(touch("0", "before") && !touch("-1", "before"));
}

/// Nothing is said of a buffer that was written; of one beside whose end something was, when it is freed.
#[test]
fn bytes_beside_the_end_are_watched() {
    for beside in [false, true] {
        let mut buffer = guarded(10).expect("memory");
        buffer.fill(1);
        if beside {
            // SAFETY: the bytes up to the next multiple of the alignment are of the buffer's pages.
            unsafe { buffer.as_mut_ptr().add(10).write(0) };
        }
        let freed = catch_unwind(AssertUnwindSafe(|| drop(buffer)));
        let said = freed.err().map(|said| said.downcast_ref::<String>().cloned().expect("a message"));
        let expected = "bytes beside a buffer of 10 were written";
        assert_eq!(said.as_deref(), beside.then_some(expected));
    }
}

//! Code memory comes back when executables are dropped. Alone in its process: it watches the process's memory.

#![cfg(target_os = "linux")]

use crate::common;

use common::{Maker, call, inputs};
use wengert_cpu::{Executable, Options};
use wengert_ir::kernel::build::at;
use wengert_ir::kernel::{Extent, KBinary, KOp, LoopKind, Program, Scalar};

/// Bytes of memory of this process that are in use.
fn resident() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").expect("a process has memory");
    statm.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).expect("a number of pages") * 4096
}

fn doubled(constant: f64) -> Program {
    let mut m = Maker::new();
    let table = m.constant(Scalar::F64, &[constant.to_le_bytes(); 100].concat());
    let (x, y) = (m.param(Scalar::F64, 100), m.result(Scalar::F64, 100));
    m.b.count(Extent::Const(0), Extent::Const(100), 1, LoopKind::Vector, &[], |b, i, _| {
        let (v, c) = (b.load(at(x, 0, &[(i, 1)])), b.load(at(table, 0, &[(i, 1)])));
        let v = b.op(KOp::Binary(KBinary::Add), &[v, c], Scalar::F64);
        b.store(at(y, 0, &[(i, 1)]), v);
        vec![]
    });
    m.finish()
}

#[test]
fn code_memory_is_freed() {
    let round = |count: usize| {
        for k in 0..count {
            let program = doubled(k as f64);
            let executable = Executable::compile(&program, &Options::default()).expect("compiles");
            if k % 100 == 0 {
                let args = inputs(&program, 1);
                call(&executable, &program, &args);
            }
        }
    };
    round(1_000);
    // Other tests take memory meanwhile, but not every time.
    let grows = || {
        let before = resident();
        round(10_000);
        let after = resident();
        (after >= before + (2 << 20))
            .then(|| format!("{before} bytes before, {after} after 10,000 compilations"))
    };
    let grown: Vec<String> = (0..3).map_while(|_| grows()).collect();
    assert!(grown.len() < 3, "{grown:?}");
}

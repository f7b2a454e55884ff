//! The threads of the process: every piece of a job runs once, whoever runs it, and what it says and spends is not lost.

use crate::common::Maker;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use wengert_cpu::testing::run_pieces;
use wengert_cpu::{CallLimits, Executable, Options, on_threads, set_threads, threads};
use wengert_ir::kernel::build::KernelBuilder;
use wengert_ir::kernel::{Extent, KOp, LoopKind, Scalar};
use wengert_ir::limits::WORK;

#[test]
fn every_piece_runs_once() {
    for threads in [1, 2, 3, 8] {
        set_threads(threads);
        for round in 0..200 {
            let counts: Vec<AtomicUsize> = (0..round).map(|_| AtomicUsize::new(0)).collect();
            let status = run_pieces(round, &|k| {
                counts[k].fetch_add(1, SeqCst);
                0
            });
            assert_eq!(status, 0);
            assert!(counts.iter().all(|c| c.load(SeqCst) == 1), "{threads} threads, {round} pieces");
        }
    }
}

#[test]
fn jobs_within_jobs_and_on_many_threads() {
    set_threads(4);
    std::thread::scope(|s| {
        for _ in 0..4 {
            s.spawn(|| {
                for _ in 0..50 {
                    let total = AtomicUsize::new(0);
                    let status = run_pieces(6, &|k| {
                        run_pieces(5, &|j| {
                            total.fetch_add(k * 5 + j, SeqCst);
                            0
                        })
                    });
                    assert_eq!((status, total.load(SeqCst)), (0, (0..30).sum()));
                }
            });
        }
    });
}

/// A call may be given fewer threads, the same pieces and no others; what is within it has as many.
#[test]
fn a_call_on_fewer_threads() {
    set_threads(8);
    let here = std::thread::current().id();
    on_threads(1, || {
        assert_eq!(threads(), 1);
        let done = AtomicUsize::new(0);
        let status = run_pieces(100, &|k| {
            assert_eq!(std::thread::current().id(), here);
            done.fetch_add(k, SeqCst);
            0
        });
        assert_eq!((status, done.load(SeqCst)), (0, (0..100).sum()));
        on_threads(3, || assert!(threads() <= 3));
        assert_eq!(threads(), 1);
    });
    assert!(std::thread::spawn(threads).join().expect("it runs") >= 1);
}

#[test]
fn what_pieces_spend_is_spent_on_any_number_of_threads() {
    let mut m = Maker::new();
    // Takes ten steps for each trip.
    let (mut k, bounds) = KernelBuilder::new("costly", &[Scalar::I64; 2]);
    let (low, high) = (Extent::Value(bounds[0]), Extent::Value(bounds[1]));
    k.count(low, high, 1, LoopKind::Sequential, &[], |b, _, _| {
        b.inst(KOp::Steps(10 * WORK), &[], &[]);
        vec![]
    });
    let kernel = m.program.kernels.push(k.finish());
    let all = KOp::Parallel { kernel, mems: vec![], extent: Extent::Const(1_003), grain: 1 };
    m.b.inst(all, &[], &[]);
    let executable = Executable::compile(&m.finish(), &Options::default()).expect("compiles");
    for threads in [1, 2, 8] {
        set_threads(threads);
        let mut limits = CallLimits { max_steps: 1_000_000, ..CallLimits::default() };
        let status = executable.call_limited(&[], &mut [], &mut limits);
        assert_eq!((status, limits.max_steps), (Ok(()), 1_000_000 - 10_030), "{threads} threads");
    }
}

#[test]
fn a_status_is_kept() {
    set_threads(2);
    assert_eq!(run_pieces(40, &|k| if k == 17 { 3 } else { 0 }), 3);
}

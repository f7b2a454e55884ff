//! Arguments that become results: only where no loop reads what an earlier one of its iterations wrote over, and there in truth.

use crate::common::Maker;
use wengert_cpu::{CallLimits, Executable, Options};
use wengert_ir::kernel::build::at;
use wengert_ir::kernel::{Extent, KBinary, KOp, LoopKind, Program, Scalar};

/// What each iteration `k` of a loop of this step touches: it reads the argument at `stride * k + reads[..] + j`, adds it up, and writes
/// the result at `stride * k + writes + j`, for each `j` below `inner`.
#[derive(Debug)]
struct Nest {
    kind: LoopKind,
    step: i64,
    stride: i64,
    reads: [i64; 2],
    writes: i64,
    inner: i64,
}

const TRIPS: i64 = 24;
const LEN: usize = 600;

impl Nest {
    /// The parts that iterations read and write, in order.
    fn parts(&self) -> Vec<[Vec<i64>; 2]> {
        let of = |k: i64, from: i64| (0..self.inner).map(move |j| self.stride * self.step * k + from + j);
        let part = |k| [self.reads.iter().flat_map(|&r| of(k, r)).collect(), of(k, self.writes).collect()];
        (0..TRIPS).map(part).collect()
    }

    fn program(&self) -> Program {
        let mut m = Maker::new();
        let (x, y) = (m.param(Scalar::F32, LEN), m.result(Scalar::F32, LEN));
        let end = Extent::Const(TRIPS * self.step);
        m.b.count(Extent::Const(0), end, self.step, self.kind.clone(), &[], |b, i, _| {
            let element = |b: &mut wengert_ir::kernel::build::KernelBuilder, terms: &[_]| {
                let [u, v] = self.reads.map(|r| b.load(at(x, r, terms)));
                let sum = b.op(KOp::Binary(KBinary::Add), &[u, v], Scalar::F32);
                b.store(at(y, self.writes, terms), sum);
            };
            if self.inner == 1 {
                element(b, &[(i, self.stride)]);
            } else {
                let end = Extent::Const(self.inner);
                b.count(Extent::Const(0), end, 1, LoopKind::Sequential, &[], |b, j, _| {
                    element(b, &[(i, self.stride), (j, 1)]);
                    vec![]
                });
            }
            vec![]
        });
        m.finish()
    }
}

#[test]
fn only_what_no_later_iteration_reads_is_written_over() {
    let bytes: Vec<u8> = (0..LEN).flat_map(|k| (k as f32).to_le_bytes()).collect();
    let numbers = |bytes: &[u8]| -> Vec<f32> {
        bytes.chunks(4).map(|c| f32::from_le_bytes(c.try_into().expect("four"))).collect()
    };
    let mut given = [0; 2];
    let mut try_it = |nest: Nest| {
        let parts = nest.parts();
        // A vector of iterations may run in any order.
        let earlier = |k: usize| if nest.kind == LoopKind::Vector { 0..parts.len() } else { 0..k };
        let clashes = (0..parts.len())
            .any(|k| earlier(k).any(|e| e != k && parts[e][1].iter().any(|w| parts[k][0].contains(w))));
        let program = nest.program();
        let executable = Executable::compile(&program, &Options::default()).expect("compiles");
        let donations = executable.donations();
        given[usize::from(!donations.is_empty())] += 1;
        assert!(!clashes || donations.is_empty(), "{nest:?} reads what it wrote over");
        // An update of each iteration's own part, nothing between them, is what all of this is for.
        let own = nest.reads == [nest.writes; 2] && nest.inner <= nest.stride * nest.step;
        assert!(!own || donations == [(0, 0)], "{nest:?} could be in place");
        if donations.is_empty() {
            return;
        }
        let (mut apart, mut place) = (vec![0; 4 * LEN], bytes.clone());
        executable.call(&[&bytes], &mut [&mut apart]).expect("runs");
        let limits = &mut CallLimits::default();
        executable.call_donating(&[&[]], &mut [&mut place], donations, limits).expect("runs");
        let (apart, place) = (numbers(&apart), numbers(&place));
        for w in parts.iter().flat_map(|p| &p[1]).map(|&w| w as usize) {
            assert_eq!(place[w], apart[w], "{nest:?}: element {w}");
        }
    };
    for kind in [LoopKind::Sequential, LoopKind::Vector] {
        for (step, stride) in [(1, 1), (1, 2), (1, 3), (2, 1), (3, 2)] {
            for inner in [1, 2, 3] {
                let width = step * stride;
                // Within its own part, at its edges, and one and two beyond them, on both sides.
                for writes in 0..=width + 2 {
                    for first in 0..=width + 2 {
                        for reads in [[first, first], [first, writes]] {
                            try_it(Nest { kind: kind.clone(), step, stride, reads, writes, inner });
                        }
                    }
                }
            }
        }
    }
    assert!(given.iter().all(|&n| n > 50), "{given:?} refused and given");
}

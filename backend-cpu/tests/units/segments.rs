//! Long blocks, cut into kernels: nothing is left out, done twice or moved.

use crate::common::Maker;
use std::collections::BTreeMap;
use wengert_ir::kernel::build::at;
use wengert_ir::kernel::{KBinary, KOp, KValue, Scalar};

/// A sum of many constants, each another: in the order in which segments are called, they add the same ones.
#[test]
fn segments_cover_the_block() {
    let all: Vec<f64> = (0..5000).map(f64::from).collect();
    let mut m = Maker::new();
    let (x, y) = (m.param(Scalar::F64, 1), m.result(Scalar::F64, 1));
    let mut sum = m.b.load(at(x, 0, &[]));
    for &each in &all {
        let each = m.b.float(Scalar::F64, each);
        sum = m.b.op(KOp::Binary(KBinary::Add), &[sum, each], Scalar::F64);
    }
    m.b.store(at(y, 0, &[]), sum);
    let program = m.finish();
    let cut = wengert_cpu::segmented(&program);
    let (mut segments, mut found) = (0, Vec::<f64>::new());
    for call in &cut.kernels[cut.entry].body.insts {
        let KOp::Call { kernel, .. } = &call.op else { panic!("{:?} is in no segment", call.op) };
        segments += 1;
        let mut constants: BTreeMap<KValue, f64> = BTreeMap::new();
        for inst in &cut.kernels[*kernel].body.insts {
            if let KOp::Const(word) = inst.op {
                constants.insert(inst.results[0], f64::from_bits(word));
            } else if inst.op == KOp::Binary(KBinary::Add) {
                found.extend(inst.operands.iter().filter_map(|v| constants.get(v)));
            }
        }
    }
    assert!(segments > 1, "the block is long");
    assert_eq!(found, all);
}

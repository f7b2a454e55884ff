//! Reduction loops in the code of one thread: a loop over lanes around the elements of each, and a tree.

use smallvec::{SmallVec, smallvec};
use wengert_ir::entity::EntityVec;
use wengert_ir::kernel::*;

/// Makes every loop of a block sequential, those inside of others included.
pub(super) fn sequential(
    block: &mut Block,
    values: &mut EntityVec<KValue, Scalar>,
    mems: &mut EntityVec<MemRef, MemRefDef>,
) {
    for mut inst in std::mem::take(&mut block.insts) {
        inst.op.blocks_mut().for_each(|b| sequential(b, values, mems));
        if let KOp::For(l) = &mut inst.op {
            if matches!(l.kind, LoopKind::Lanes(_)) {
                expand((**l).clone(), &inst.results, block, values, mems);
                continue;
            }
            l.kind = LoopKind::Sequential;
        }
        block.insts.push(inst);
    }
}

/// A reduction loop, appended to a block.
fn expand(
    l: For,
    results: &[KValue],
    block: &mut Block,
    values: &mut EntityVec<KValue, Scalar>,
    mems: &mut EntityVec<MemRef, MemRefDef>,
) {
    let LoopKind::Lanes(combines) = &l.kind else { return };
    let types: SmallVec<[Scalar; 2]> = results.iter().map(|&r| values[r]).collect();
    let add = |to: &mut Vec<KInst>, values: &mut EntityVec<KValue, Scalar>, op, operands: &[KValue], ty| {
        let result = values.push(ty);
        to.push(KInst { op, operands: operands.into(), results: smallvec![result] });
        result
    };
    let insts = &mut block.insts;
    let start = match l.start {
        Extent::Const(n) => add(insts, values, KOp::Const(n as u64), &[], Scalar::I64),
        Extent::Value(v) => v,
    };
    let step = add(insts, values, KOp::Const(l.step as u64), &[], Scalar::I64);
    let identities: SmallVec<[KValue; 3]> = combines
        .iter()
        .zip(&types)
        .map(|(c, &ty)| add(insts, values, KOp::Const(c.identity(ty)), &[], ty))
        .collect();
    let buffers: Vec<MemRef> =
        types.iter().map(|&elem| mems.push(MemRefDef { elem, len: LANES, kind: MemKind::Local })).collect();
    let lane = values.push(Scalar::I64);
    let mut each = Block { params: smallvec![lane], ..Block::default() };
    let by = add(&mut each.insts, values, KOp::Binary(KBinary::Mul), &[lane, step], Scalar::I64);
    let first = add(&mut each.insts, values, KOp::Binary(KBinary::Add), &[start, by], Scalar::I64);
    let totals: SmallVec<[KValue; 1]> = types.iter().map(|&ty| values.push(ty)).collect();
    let inner = For {
        start: Extent::Value(first),
        end: l.end,
        step: l.step * LANES as i64,
        kind: LoopKind::Sequential,
        body: l.body,
    };
    each.insts.push(KInst { op: KOp::For(Box::new(inner)), operands: identities, results: totals.clone() });
    for (&mem, &total) in buffers.iter().zip(&totals) {
        let access = Access { mem, offset: 0, terms: smallvec![(lane, 1)] };
        each.insts.push(KInst { op: KOp::Store(access), operands: smallvec![total], results: smallvec![] });
    }
    let lanes = For {
        start: Extent::Const(0),
        end: Extent::Const(LANES as i64),
        step: 1,
        kind: LoopKind::Sequential,
        body: each,
    };
    insts.push(KInst { op: KOp::For(Box::new(lanes)), operands: smallvec![], results: smallvec![] });
    for (k, (&mem, &ty)) in buffers.iter().zip(&types).enumerate() {
        let mut row: Vec<KValue> = (0..LANES as i64)
            .map(|l| {
                let access = Access { mem, offset: l, terms: smallvec![] };
                add(insts, values, KOp::Load(access), &[], ty)
            })
            .collect();
        while row.len() > 1 {
            let w = row.len() / 2;
            for l in 0..w {
                let operands = [row[l], row[l + w]];
                let op = KOp::Binary(combines[k].op());
                row[l] = if w == 1 {
                    insts.push(KInst {
                        op,
                        operands: smallvec![operands[0], operands[1]],
                        results: smallvec![results[k]],
                    });
                    results[k]
                } else {
                    add(insts, values, op, &operands, ty)
                };
            }
            row.truncate(w);
        }
    }
}

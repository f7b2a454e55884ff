//! Loops over lanes, as one thread runs them: in the defined order, without memory for the lanes.

use super::Rewriter;
use wengert_ir::kernel::build::KernelBuilder;
use wengert_ir::kernel::{Block, Combine, Extent, For, KBinary, KCast, KOp, KValue, LANES, LoopKind, Scalar};
use wengert_ir::op::{CompareType, Direction};

/// Instructions that an unrolled loop may have.
const MOST_UNROLLED: usize = 512;

/// Levels of the tree that combines lanes.
const LEVELS: usize = LANES.trailing_zeros() as usize;

/// The loop's results.
pub(super) fn lanes(
    r: &mut Rewriter<'_>,
    b: &mut KernelBuilder,
    f: &For,
    combines: &[Combine],
    types: &[Scalar],
) -> Vec<KValue> {
    if let (Extent::Const(start), Extent::Const(end)) = (f.start, f.end) {
        let trips = if end > start { ((end - start - 1) / f.step + 1) as usize } else { 0 };
        if trips <= LANES && trips * count(&f.body) <= MOST_UNROLLED {
            return unrolled(r, b, f, combines, types, start, trips);
        }
    }
    one_after_another(r, b, f, combines, types)
}

fn count(block: &Block) -> usize {
    block.insts.iter().map(|inst| 1 + inst.op.blocks().map(count).sum::<usize>()).sum()
}

fn combine(b: &mut KernelBuilder, c: Combine, ty: Scalar, low: KValue, high: KValue) -> KValue {
    b.op(KOp::Binary(c.op()), &[low, high], ty)
}

/// One iteration per lane: those that there are, combined as the tree does. What is left out are identities.
fn unrolled(
    r: &mut Rewriter<'_>,
    b: &mut KernelBuilder,
    f: &For,
    combines: &[Combine],
    types: &[Scalar],
    start: i64,
    trips: usize,
) -> Vec<KValue> {
    let reductions = || combines.iter().zip(types);
    let identities: Vec<KValue> = reductions().map(|(c, &ty)| b.bits(ty, c.identity(ty))).collect();
    let mut lanes: Vec<Vec<KValue>> = Vec::with_capacity(trips);
    for k in 0..trips {
        let mut params = vec![b.bits(Scalar::I64, (start + k as i64 * f.step) as u64)];
        params.extend(&identities);
        lanes.push(r.body(b, &f.body, &params));
    }
    let mut w = LANES / 2;
    while w > 0 {
        for l in 0..w.min(lanes.len().saturating_sub(w)) {
            for (k, (&c, &ty)) in reductions().enumerate() {
                lanes[l][k] = combine(b, c, ty, lanes[l][k], lanes[l + w][k]);
            }
        }
        lanes.truncate(w);
        w /= 2;
    }
    lanes.pop().unwrap_or(identities)
}

/// Each lane's iterations in a loop of their own, lanes in the order in which the tree needs them (their numbers' bits
/// reversed), so that what waits to be combined is one value per level.
fn one_after_another(
    r: &mut Rewriter<'_>,
    b: &mut KernelBuilder,
    f: &For,
    combines: &[Combine],
    types: &[Scalar],
) -> Vec<KValue> {
    let word = |b: &mut KernelBuilder, n: i64| b.bits(Scalar::I64, n as u64);
    let two = |b: &mut KernelBuilder, op: KBinary, p: KValue, q: KValue| {
        let ty = b.ty(p);
        b.op(KOp::Binary(op), &[p, q], ty)
    };
    let (start, end) = (r.extent(f.start), r.extent(f.end));
    let start = match start {
        Extent::Const(n) => word(b, n),
        Extent::Value(v) => v,
    };
    let identities: Vec<KValue> =
        combines.iter().zip(types).map(|(c, &ty)| b.bits(ty, c.identity(ty))).collect();
    // What is carried: the values that wait, level by level, and the latest result.
    let n = types.len();
    let init: Vec<KValue> = identities.iter().copied().cycle().take(n * (LEVELS + 1)).collect();
    let lanes = (Extent::Const(0), Extent::Const(LANES as i64));
    let out = b.count(lanes.0, lanes.1, 1, LoopKind::Sequential, &init, |b, t, carried| {
        let mut lane = word(b, 0);
        let mut bits = Vec::with_capacity(LEVELS);
        for level in 0..LEVELS {
            let amount = word(b, level as i64);
            let shifted = two(b, KBinary::ShrU, t, amount);
            let one = word(b, 1);
            let bit = two(b, KBinary::And, shifted, one);
            let amount = word(b, (LEVELS - 1 - level) as i64);
            let placed = two(b, KBinary::Shl, bit, amount);
            lane = two(b, KBinary::Or, lane, placed);
            bits.push(b.op(KOp::Cast(KCast::Unsigned), &[bit], Scalar::I1));
        }
        let step = word(b, f.step);
        let ahead = two(b, KBinary::Mul, lane, step);
        let first = two(b, KBinary::Add, start, ahead);
        let stride = f.step * LANES as i64;
        let mut value = b
            .count(Extent::Value(first), end, stride, LoopKind::Sequential, &identities, |b, i, acc| {
                let mut params = vec![i];
                params.extend(acc);
                r.body(b, &f.body, &params)
            })
            .to_vec();
        let mut waiting = carried.to_vec();
        let mut active: Option<KValue> = None;
        for (level, &bit) in bits.iter().enumerate() {
            let zero = b.bits(Scalar::I1, 0);
            let clear = b.op(KOp::Compare(Direction::Eq, CompareType::Unsigned), &[bit, zero], Scalar::I1);
            let (second, first) = match active {
                None => (bit, clear),
                Some(a) => (two(b, KBinary::And, a, bit), two(b, KBinary::And, a, clear)),
            };
            for (k, (&c, &ty)) in combines.iter().zip(types).enumerate() {
                let place = level * n + k;
                let both = combine(b, c, ty, waiting[place], value[k]);
                waiting[place] = b.op(KOp::Select, &[first, value[k], waiting[place]], ty);
                value[k] = b.op(KOp::Select, &[second, both, value[k]], ty);
            }
            active = Some(second);
        }
        waiting.truncate(LEVELS * n);
        waiting.extend(value);
        waiting
    });
    out[LEVELS * n..].to_vec()
}

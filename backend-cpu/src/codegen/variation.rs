//! What differs from one iteration of a loop to the next.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use wengert_ir::kernel::{Access, For, KOp, KValue, MemRef};

/// How the scalars of a loop's body depend on the iteration.
pub(crate) struct Variation {
    varying: FxHashMap<KValue, bool>,
    /// Memories that the body stores to.
    pub(crate) stored: SmallVec<[MemRef; 4]>,
}

impl Variation {
    /// Whether a scalar differs between iterations.
    pub(crate) fn varies(&self, v: KValue) -> bool {
        self.varying.get(&v).copied().unwrap_or(false)
    }
}

/// Finds which scalars of a straight-line body vary.
pub(crate) fn variation(l: &For) -> Variation {
    let stored = l.body.insts.iter().filter_map(|inst| match &inst.op {
        KOp::Store(access) => Some(access.mem),
        _ => None,
    });
    let varying = l.body.params.iter().map(|&v| (v, true)).collect();
    let mut variation = Variation { varying, stored: stored.collect() };
    for inst in &l.body.insts {
        let mut varies = inst.operands.iter().any(|&v| variation.varies(v));
        if let KOp::Load(access) = &inst.op {
            varies |= variation.stored.contains(&access.mem)
                || access.terms.iter().any(|&(v, stride)| stride != 0 && variation.varies(v));
        }
        variation.varying.extend(inst.results.iter().map(|&v| (v, varies)));
    }
    variation
}

/// Elements from one iteration's access to the next one's, or `None` if that is not fixed.
pub(crate) fn lane_step(l: &For, access: &Access, variation: &Variation) -> Option<i64> {
    let mut step = 0i64;
    for &(v, stride) in &access.terms {
        if v == l.body.params[0] {
            step = step.wrapping_add(stride.wrapping_mul(l.step));
        } else if stride != 0 && variation.varies(v) {
            return None;
        }
    }
    Some(step)
}

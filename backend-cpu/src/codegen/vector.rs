//! Loops whose iterations are independent, as loops over 128-bit vectors.
//!
//! A chunk is a number of consecutive iterations that are worked on together: each instruction is added for all
//! vectors of the chunk before the next one, so that independent operations lie next to each other. What does not
//! change in the loop is computed before it, as scalars, and broadcast. Elements that do not fill a chunk run in
//! scalar code. Bodies with control flow or narrow integers are not made into vectors.

use super::Options;
use super::clif::clif_type;
use super::function::{Emitter, Values};
use super::refusal::{Refusal, why};
use super::variation::{Variation, lane_step, variation};
use super::wide::{Chunk, Uniform};
use cranelift_codegen::ir::{InstBuilder, Value, types};
use rustc_hash::FxHashMap;
use wengert_ir::kernel::{For, KInst, KOp, KValue, Kernel, Scalar};
use wengert_ir::{launch_ops, scalar_ops};

/// Most vectors per value in a chunk, by how many values are live at once.
const UNROLL: [(usize, usize); 2] = [(3, 4), (7, 2)];

/// Iterations per chunk of a loop of `kernel`, if it is made into vectors.
pub(crate) fn width(
    l: &For,
    kernel: &Kernel,
    trips: Option<i64>,
    options: &Options,
) -> Result<usize, Refusal> {
    if !options.vectors {
        return Err(Refusal::Off);
    }
    let variation = variation(l);
    if let Some(at) = l.body.insts.iter().position(|inst| !can_widen(inst, kernel)) {
        return Err(why(l, &variation, &kernel.mems, &kernel.values, Some(at), true));
    }
    let counter = l.body.params[0];
    // The counter is 64 bits wide but rarely becomes a vector.
    let counts = l.body.insts.iter().any(|inst| inst.operands.contains(&counter));
    let numbers = l.body.params.iter().chain(l.body.insts.iter().flat_map(|inst| &inst.results));
    let numbers = numbers.filter(|&v| variation.varies(*v) && (*v != counter || counts));
    let stored = l.body.insts.iter().filter_map(|inst| match &inst.op {
        KOp::Store(access) => Some(kernel.mems[access.mem].elem),
        _ => None,
    });
    let sizes = || {
        let all = numbers.clone().map(|&v| kernel.values[v]).chain(stored.clone());
        all.filter(|&ty| ty != Scalar::I1).map(Scalar::size)
    };
    let (widest, narrowest) = (sizes().max().unwrap_or(4), sizes().min().unwrap_or(4));
    // A vector of the narrowest numbers is full.
    let least = 16 / narrowest;
    let live = live(l, &variation);
    let unroll = UNROLL.iter().find(|&&(most, _)| live <= most).map_or(1, |&(_, unroll)| unroll);
    let mut width = (16 / widest * unroll).max(least);
    if let Some(trips) = trips {
        while width as i64 > trips && width > least {
            width /= 2;
        }
        if width as i64 > trips {
            return Err(Refusal::Short(trips));
        }
    }
    Ok(width)
}

/// Whether an instruction may be part of a vector loop.
fn can_widen(inst: &KInst, kernel: &Kernel) -> bool {
    let wide = |ty: Scalar| !matches!(ty, Scalar::I8 | Scalar::I16);
    let simple = match &inst.op {
        scalar_ops!() => true,
        KOp::Load(access) | KOp::Store(access) => wide(kernel.mems[access.mem].elem),
        KOp::For(_)
        | KOp::While(_)
        | KOp::Switch(_)
        | KOp::Call { .. }
        | KOp::Parallel { .. }
        | launch_ops!()
        | KOp::Library(_)
        | KOp::Reserve(_)
        | KOp::Steps(_) => false,
    };
    simple && inst.operands.iter().chain(&inst.results).all(|&v| wide(kernel.values[v]))
}

/// The most varying scalars that are live at once.
fn live(l: &For, variation: &Variation) -> usize {
    let mut last: FxHashMap<KValue, usize> = FxHashMap::default();
    for (at, inst) in l.body.insts.iter().enumerate() {
        last.extend(inst.operands.iter().map(|&v| (v, at)));
    }
    last.extend(l.body.yields.iter().map(|&v| (v, l.body.insts.len())));
    let is_varying = |v: &KValue| variation.varies(*v) && *v != l.body.params[0];
    let (mut now, mut most) = (l.body.params.len() - 1, 0);
    for (at, inst) in l.body.insts.iter().enumerate() {
        now += inst.results.iter().filter(|v| is_varying(v) && last.contains_key(v)).count();
        most = most.max(now);
        let mut dead: Vec<KValue> =
            inst.operands.iter().copied().filter(|v| is_varying(v) && last[v] == at).collect();
        dead.sort();
        dead.dedup();
        now = now.saturating_sub(dead.len());
    }
    most
}

impl<'a> Emitter<'a, '_> {
    /// Iterations per chunk, or `None` if the loop is not made into vectors.
    pub(crate) fn vector_width(&self, l: &For) -> Option<usize> {
        width(l, self.kernel, self.trips(l), self.env.options).ok()
    }

    /// Adds what does not vary, as scalars, and broadcasts what varying instructions read of it.
    pub(crate) fn prepare_uniform(&mut self, l: &'a For, variation: &Variation) -> Uniform {
        let varies = |v: &KValue| variation.varies(*v);
        for inst in &l.body.insts {
            if inst.results.iter().any(|v| !varies(v)) {
                self.inst(inst);
            }
        }
        let mut uniform = Uniform::default();
        for inst in &l.body.insts {
            let vectorial = match &inst.op {
                KOp::Store(access) => lane_step(l, access, variation) == Some(1),
                _ => inst.results.iter().any(varies),
            };
            for v in inst.operands.iter().filter(|v| vectorial && !varies(v)) {
                self.broadcast(*v, &mut uniform);
            }
        }
        for v in l.body.yields.iter().filter(|v| !varies(v)) {
            self.broadcast(*v, &mut uniform);
        }
        uniform
    }

    fn broadcast(&mut self, v: KValue, uniform: &mut Uniform) {
        if uniform.splats.contains_key(&v) {
            return;
        }
        let (value, ty) = (self.value(v), self.ty(v));
        let splat = if ty == Scalar::I1 {
            let mask = self.b.ins().bmask(types::I64, value);
            self.b.ins().splat(types::I64X2, mask)
        } else {
            let vector = clif_type(ty).by(16 / ty.size() as u32).expect("a 128-bit vector");
            self.b.ins().splat(vector, value)
        };
        uniform.splats.insert(v, splat);
    }

    /// A loop of independent iterations, `width` at a time.
    pub(crate) fn vector_loop(&mut self, l: &'a For, width: usize) -> Values {
        let variation = variation(l);
        let trips = self.trips(l);
        let (start, end) = (self.extent(l.start), self.extent(l.end));
        let nonempty = trips.map(|n| n >= width as i64);
        let rest = self.chunks(l, &variation, width, width, start, end, nonempty, &[])[0];
        if trips.is_none_or(|n| n % width as i64 != 0) {
            let some = trips.map(|_| true);
            self.counted(rest, end, l.step, some, &[], &l.body, |emitter, _, _| {
                emitter.block(&l.body);
                Values::new()
            });
        }
        Values::new()
    }

    /// A loop over groups of `group` iterations as long as there are that many, each made of chunks of `width`. Carries
    /// vectors, of all lanes of the first carry, then the second and so on; gives the first iteration left, then those.
    #[allow(clippy::too_many_arguments, reason = "the parts of a counted loop")]
    pub(crate) fn chunks(
        &mut self,
        l: &'a For,
        variation: &Variation,
        width: usize,
        group: usize,
        start: Value,
        end: Value,
        nonempty: Option<bool>,
        lanes: &[Value],
    ) -> Values {
        let group_step = group as i64 * l.step;
        let last = self.b.ins().iadd_imm_s(end, l.step - group_step);
        let mut init = Values::from_slice(&[start]);
        init.extend_from_slice(lanes);
        let result = self.counted_after(
            start,
            last,
            group_step,
            nonempty,
            &init,
            &l.body,
            |emitter| emitter.prepare_uniform(l, variation),
            |emitter, uniform, counter, carried| {
                let mut next = Values::from_slice(&[emitter.b.ins().iadd_imm_s(counter, group_step)]);
                next.extend_from_slice(&carried[1..]);
                for first in (0..group).step_by(width) {
                    let mut chunk = Chunk::new(emitter, l, variation, &uniform, width, first);
                    // Vectors of this chunk among those of each carry.
                    let mut at = 1;
                    for &param in &l.body.params[1..] {
                        let (from, count, all) = chunk.part(param, group);
                        chunk.give(param, &next[at + from..at + from + count]);
                        at += all;
                    }
                    chunk.body();
                    let mut at = 1;
                    for (&param, &yielded) in l.body.params[1..].iter().zip(&l.body.yields) {
                        let (from, count, all) = chunk.part(param, group);
                        for k in 0..count {
                            next[at + from + k] = chunk.vector(yielded, k);
                        }
                        at += all;
                    }
                }
                next
            },
        );
        self.undefine(&l.body);
        result
    }
}

//! Reductions in the defined order: `LANES` accumulators, then pairs.

use super::clif::{clif_type, flags, vector_type};
use super::function::{Emitter, Values};
use super::simd;
use super::variation::variation;
use Scalar::{F32, F64, I32, I64};
use cranelift_codegen::ir::{InstBuilder, Value, types};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use wengert_ir::kernel::{Combine, For, KOp, LANES, Scalar};
use wengert_ir::{launch_ops, scalar_ops};

/// A reduction of at most this many operations in all is unrolled.
const UNROLLED: usize = 96;

/// Whether a reduction of so many elements is written out.
pub(crate) fn unrolls(l: &For, trips: Option<i64>) -> bool {
    trips.is_some_and(|trips| trips as usize <= LANES && trips as usize * l.body.insts.len() <= UNROLLED)
        && l.body.insts.iter().all(|inst| is_simple(&inst.op))
}

impl<'a> Emitter<'a, '_> {
    /// Types of what a loop carries.
    pub(crate) fn carried_types(&self, l: &For) -> SmallVec<[Scalar; 2]> {
        l.body.params[1..].iter().map(|&v| self.ty(v)).collect()
    }

    /// A reduction.
    pub(crate) fn lanes(&mut self, l: &'a For, combines: &[Combine]) -> Values {
        let trips = self.trips(l);
        // One call for all of a few elements is better than one for each.
        let first = simd::has_math(l);
        if first && let Some(results) = self.simd_lanes(l, combines) {
            return results;
        }
        if let Some(trips) = trips.filter(|_| unrolls(l, trips)) {
            return self.lanes_unrolled(l, combines, trips);
        }
        let numbers = self.carried_types(l).iter().all(|ty| matches!(ty, F64 | F32 | I64 | I32));
        if !first && let Some(results) = self.simd_lanes(l, combines) {
            return results;
        }
        if numbers
            && let Some(width) = self.vector_width(l)
            && trips.is_none_or(|n| n >= LANES as i64)
        {
            return self.lanes_in_vectors(l, combines, width.min(LANES));
        }
        self.lanes_in_memory(l, combines)
    }

    /// A short reduction: every element is a lane of its own. Lanes without an element would change nothing.
    fn lanes_unrolled(&mut self, l: &'a For, combines: &[Combine], trips: i64) -> Values {
        let carried = self.carried_types(l);
        let start = self.extent(l.start);
        let known = self.known_extent(l.start);
        let mut lanes: Vec<Values> = vec![Values::new(); combines.len()];
        let outer = self.addresses.enter();
        self.hoist(&l.body);
        // Neighbours often read the same elements; nothing changes them if nothing is stored.
        if !l.body.insts.iter().any(|inst| matches!(inst.op, KOp::Store(_))) {
            self.loads = Some(FxHashMap::default());
        }
        for trip in 0..trips {
            self.depth += 1;
            let scope = self.addresses.enter();
            match known {
                Some(first) => self.define_known(l.body.params[0], (first + trip * l.step) as u64),
                None => {
                    let counter = self.b.ins().iadd_imm_s(start, trip * l.step);
                    self.define(l.body.params[0], counter);
                }
            }
            for ((&ty, &combine), &param) in carried.iter().zip(combines).zip(&l.body.params[1..]) {
                self.define_known(param, combine.identity(ty));
            }
            self.block(&l.body);
            let yields = self.values_of(&l.body.yields);
            lanes.iter_mut().zip(yields).for_each(|(lanes, value)| lanes.push(value));
            self.addresses.leave(scope);
            self.depth -= 1;
            self.undefine(&l.body);
        }
        self.loads = None;
        self.addresses.leave(outer);
        carried
            .iter()
            .zip(combines)
            .zip(&lanes)
            .map(|((&ty, &combine), lanes)| match lanes.is_empty() {
                true => self.constant(ty, combine.identity(ty)),
                false => self.combine_pairs(combine, ty, lanes),
            })
            .collect()
    }

    /// A reduction with its accumulators in vectors.
    fn lanes_in_vectors(&mut self, l: &'a For, combines: &[Combine], width: usize) -> Values {
        let carried = self.carried_types(l);
        let variation = variation(l);
        let trips = self.trips(l);
        let (start, end) = (self.extent(l.start), self.extent(l.end));
        let mut init = Values::new();
        for (&ty, &combine) in carried.iter().zip(combines) {
            let scalar = self.constant(ty, combine.identity(ty));
            let vector = self.b.ins().splat(vector_type(ty), scalar);
            init.extend(std::iter::repeat_n(vector, ty.size()));
        }
        let nonempty = trips.map(|n| n >= LANES as i64);
        let result = self.chunks(l, &variation, width, LANES, start, end, nonempty, &init);
        let (rest, mut vectors) = (result[0], Values::from_slice(&result[1..]));
        if trips.is_none_or(|n| n % LANES as i64 != 0) {
            // Through memory, where single lanes can be reached.
            let slots: SmallVec<[Value; 2]> =
                carried.iter().map(|ty| self.aligned_slot(LANES * ty.size())).collect();
            let places = carried
                .iter()
                .zip(&slots)
                .flat_map(|(ty, &slot)| (0..ty.size()).map(move |k| (vector_type(*ty), slot, 16 * k as i32)));
            let places: SmallVec<[_; 16]> = places.collect();
            for (&vector, &(_, slot, at)) in vectors.iter().zip(&places) {
                self.b.ins().store(flags(), vector, slot, at);
            }
            let first = self.b.ins().iconst(types::I64, 0);
            let nonempty = trips.map(|_| true);
            self.lanes_scalar(l, &carried, &slots, first, Some((rest, nonempty)));
            vectors = places.iter().map(|&(ty, slot, at)| self.b.ins().load(ty, flags(), slot, at)).collect();
        }
        let mut at = 0;
        let mut totals = Values::new();
        for (&ty, &combine) in carried.iter().zip(combines) {
            let own = Values::from_slice(&vectors[at..at + ty.size()]);
            at += ty.size();
            totals.push(self.combine_vectors(combine, ty, own));
        }
        totals
    }

    /// Combines the lanes of vectors: halves onto halves.
    pub(crate) fn combine_vectors(&mut self, combine: Combine, ty: Scalar, mut vectors: Values) -> Value {
        while vectors.len() > 1 {
            let half = vectors.len() / 2;
            for k in 0..half {
                vectors[k] = self.vector_binary(combine.op(), ty, vectors[k], vectors[k + half]);
            }
            vectors.truncate(half);
        }
        let lanes: Values =
            (0..16 / ty.size()).map(|lane| self.b.ins().extractlane(vectors[0], lane as u8)).collect();
        self.combine_pairs(combine, ty, &lanes)
    }

    /// A reduction whose accumulators lie in memory, one element at a time: works for every body.
    pub(crate) fn lanes_in_memory(&mut self, l: &'a For, combines: &[Combine]) -> Values {
        let carried = self.carried_types(l);
        let lanes: SmallVec<[Value; 2]> =
            carried.iter().map(|ty| self.aligned_slot(LANES * ty.size())).collect();
        for ((&ty, &combine), &pointer) in carried.iter().zip(combines).zip(&lanes) {
            let start = self.constant(ty, combine.identity(ty));
            for lane in 0..LANES {
                self.b.ins().store(flags(), start, pointer, (lane * ty.size()) as i32);
            }
        }
        let first = self.b.ins().iconst(types::I64, 0);
        self.lanes_scalar(l, &carried, &lanes, first, None);
        carried
            .iter()
            .zip(combines)
            .zip(&lanes)
            .map(|((&ty, &combine), &pointer)| {
                let all: SmallVec<[Value; LANES]> = (0..LANES)
                    .map(|lane| self.b.ins().load(clif_type(ty), flags(), pointer, (lane * ty.size()) as i32))
                    .collect();
                self.combine_pairs(combine, ty, &all)
            })
            .collect()
    }

    /// Elements from `rest` (and whether there are any; all of the loop's if `None`) to the end, the first of which goes to lane `first` of those at
    /// `lanes`.
    pub(crate) fn lanes_scalar(
        &mut self,
        l: &'a For,
        carried: &[Scalar],
        lanes: &[Value],
        first: Value,
        rest: Option<(Value, Option<bool>)>,
    ) {
        let (start, nonempty) = match rest {
            Some(rest) => rest,
            None => (self.extent(l.start), self.trips(l).map(|n| n > 0)),
        };
        let end = self.extent(l.end);
        self.counted(start, end, l.step, nonempty, &[first], &l.body, |emitter, _, position| {
            let lane = emitter.b.ins().band_imm_s(position[0], LANES as i64 - 1);
            let mut at: SmallVec<[Value; 2]> = SmallVec::new();
            for ((&ty, &pointer), &param) in carried.iter().zip(lanes).zip(&l.body.params[1..]) {
                let offset = emitter.b.ins().imul_imm_s(lane, ty.size() as i64);
                let pointer = emitter.b.ins().iadd(pointer, offset);
                let value = emitter.b.ins().load(clif_type(ty), flags(), pointer, 0);
                emitter.define(param, value);
                at.push(pointer);
            }
            emitter.block(&l.body);
            for (&yielded, &pointer) in l.body.yields.iter().zip(&at) {
                let value = emitter.value(yielded);
                emitter.b.ins().store(flags(), value, pointer, 0);
            }
            let next = emitter.b.ins().iadd_imm_s(position[0], 1);
            Values::from_slice(&[next])
        });
    }

    /// Combines lanes: halves of `LANES` onto halves, without those that are missing at the end.
    pub(crate) fn combine_pairs(&mut self, combine: Combine, ty: Scalar, lanes: &[Value]) -> Value {
        let mut lanes: SmallVec<[Value; LANES]> = SmallVec::from_slice(lanes);
        let mut half = lanes.len().next_power_of_two() / 2;
        while half > 0 {
            for lane in 0..lanes.len().saturating_sub(half) {
                lanes[lane] = self.binary(combine.op(), ty, lanes[lane], lanes[lane + half], None);
            }
            lanes.truncate(half);
            half /= 2;
        }
        lanes[0]
    }
}

/// Whether an operation is no control flow and calls no kernel.
fn is_simple(op: &KOp) -> bool {
    match op {
        scalar_ops!() | KOp::Load(_) | KOp::Store(_) => true,
        KOp::For(_)
        | KOp::While(_)
        | KOp::Switch(_)
        | KOp::Call { .. }
        | KOp::Parallel { .. }
        | launch_ops!()
        | KOp::Library(_)
        | KOp::Reserve(_)
        | KOp::Steps(_) => false,
    }
}

//! Reductions in the defined order: `LANES` accumulators, then pairs.

use super::function::{Emitter, Values};
use super::memory::flags;
use super::scalar::clif_type;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use smallvec::SmallVec;
use wengert_ir::kernel::{Combine, For, LANES, Scalar};

impl<'a> Emitter<'a, '_> {
    /// Types of what a loop carries.
    pub(crate) fn carried_types(&self, l: &For) -> SmallVec<[Scalar; 2]> {
        l.body.params[1..].iter().map(|&v| self.ty(v)).collect()
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

    /// Elements from `start` (the loop's own if `None`) to the end, the first of which goes to lane `first` of those at
    /// `lanes`.
    pub(crate) fn lanes_scalar(
        &mut self,
        l: &'a For,
        carried: &[Scalar],
        lanes: &[Value],
        first: Value,
        start: Option<Value>,
    ) {
        let nonempty = if start.is_none() { self.trips(l).map(|n| n > 0) } else { None };
        let start = match start {
            Some(start) => start,
            None => self.extent(l.start),
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

    /// Combines a power of two of lanes: halves onto halves.
    pub(crate) fn combine_pairs(&mut self, combine: Combine, ty: Scalar, lanes: &[Value]) -> Value {
        let mut lanes: SmallVec<[Value; LANES]> = SmallVec::from_slice(lanes);
        while lanes.len() > 1 {
            let half = lanes.len() / 2;
            for lane in 0..half {
                lanes[lane] = self.binary(combine.op(), ty, lanes[lane], lanes[lane + half], None);
            }
            lanes.truncate(half);
        }
        lanes[0]
    }
}

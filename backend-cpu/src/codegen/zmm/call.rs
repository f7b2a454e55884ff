//! The call of a loop from Cranelift's code.

use super::Plan;
use super::assemble::{Layout, assemble};
use crate::codegen::function::{Emitter, Values, block_args};
use crate::codegen::memory::flags;
use crate::codegen::vector::variation;
use crate::codegen::wide::vector_type;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AbiParam, InstBuilder, Signature, Value, types};
use cranelift_codegen::isa::CallConv;
use wengert_ir::kernel::{Access, Combine, For, Scalar};

impl<'a> Emitter<'a, '_> {
    /// A loop without accumulators. False if it has to be compiled in another way.
    pub(crate) fn zmm_loop(&mut self, l: &'a For) -> bool {
        self.zmm(l, &[]).is_some()
    }

    /// A reduction; gives its results.
    pub(crate) fn zmm_lanes(&mut self, l: &'a For, combines: &[Combine]) -> Option<Values> {
        self.zmm(l, combines)
    }

    fn zmm(&mut self, l: &'a For, combines: &[Combine]) -> Option<Values> {
        let trips = self.trips(l);
        if !self.env.zmm() || !super::pays(l, trips) {
            return None;
        }
        let variation = variation(l);
        let plan = {
            let known = |v| if self.is_defined(v) { self.known(v) } else { None };
            Plan::new(l, &variation, &self.kernel.mems, &self.kernel.values, &known, false)?
        };
        let Plan { single: body, interleaved, pointers, uniforms } = plan;
        let layout = Layout::new(pointers.len(), uniforms.len(), body.carried.len());
        let make =
            |streams: &[u32]| assemble(&body, interleaved.as_ref(), pointers.len(), streams, layout, trips);
        let code = make(&[])?;
        let streams = super::streams(&body, &pointers, &self.kernel.mems, trips);
        let streaming = if streams.is_empty() { None } else { make(&streams) };
        let carried = self.carried_types(l);

        let block = self.aligned_slot(code.block);
        for (&ty, (number, &combine)) in carried.iter().zip(combines.iter().enumerate()) {
            let scalar = self.constant(ty, combine.identity(ty));
            let vector = self.b.ins().splat(vector_type(ty), scalar);
            for k in places(&body.carried, number) {
                for quarter in 0..4 {
                    let at = layout.carried + 64 * k + 16 * quarter;
                    self.b.ins().store(flags(), vector, block, at);
                }
            }
        }
        let start = self.extent(l.start);
        let end = self.extent(l.end);
        let exit = self.b.create_block();
        if trips.is_none() {
            let some = self.b.ins().icmp(IntCC::SignedLessThan, start, end);
            let enter = self.b.create_block();
            self.b.ins().brif(some, enter, &[], exit, &block_args(&[]));
            self.b.switch_to_block(enter);
        }
        let scope = self.addresses.enter();
        self.define(l.body.params[0], start);
        for inst in &l.body.insts {
            if inst.results.iter().any(|&v| !variation.varies(v)) {
                self.inst(inst);
            }
        }
        // What is below the alignment of the pointers through which is stored past the caches.
        let mut unaligned = None;
        for (k, (mem, terms)) in pointers.into_iter().enumerate() {
            let pointer = self.flat_address(&Access { mem, offset: 0, terms });
            self.b.ins().store(flags(), pointer, block, 8 * k as i32);
            if streaming.is_some() && streams.contains(&(k as u32)) {
                unaligned = Some(unaligned.map_or(pointer, |others| self.b.ins().bor(others, pointer)));
            }
        }
        for (k, v) in uniforms.into_iter().enumerate() {
            let value = match self.ty(v) {
                Scalar::I1 => {
                    let value = self.value(v);
                    self.b.ins().bmask(types::I64, value)
                }
                _ => self.value(v),
            };
            self.b.ins().store(flags(), value, block, layout.uniforms + 8 * k as i32);
        }
        let trips = match trips {
            Some(n) => self.b.ins().iconst(types::I64, n),
            None => self.trips_between(start, end, l.step),
        };
        let mut signature = Signature::new(CallConv::SystemV);
        signature.params.extend([AbiParam::new(types::I64); 2]);
        let callee = self.outlined(&signature, code.bytes, &body);
        if let (Some(streaming), Some(pointers)) = (streaming, unaligned) {
            let past = self.outlined(&signature, streaming.bytes, &body);
            let below = self.b.ins().band_imm_u(pointers, 63);
            let [aligned, other] = [(); 2].map(|()| self.b.create_block());
            self.b.ins().brif(below, other, &[], aligned, &block_args(&[]));
            self.b.switch_to_block(aligned);
            self.b.ins().call(past, &[block, trips]);
            self.b.ins().jump(exit, &[]);
            self.b.switch_to_block(other);
        }
        self.b.ins().call(callee, &[block, trips]);
        self.addresses.leave(scope);
        self.b.ins().jump(exit, &[]);
        self.b.switch_to_block(exit);
        self.undefine(&l.body);

        let mut results = Values::new();
        for (&ty, (number, &combine)) in carried.iter().zip(combines.iter().enumerate()) {
            let mut vectors = Values::new();
            for k in places(&body.carried, number) {
                for quarter in 0..4 {
                    let at = layout.carried + 64 * k + 16 * quarter;
                    vectors.push(self.b.ins().load(vector_type(ty), flags(), block, at));
                }
            }
            results.push(self.combine_vectors(combine, ty, vectors));
        }
        Some(results)
    }

    /// Iterations of a loop that has some.
    fn trips_between(&mut self, start: Value, end: Value, step: i64) -> Value {
        let distance = self.b.ins().isub(end, start);
        if step == 1 {
            return distance;
        }
        let up = self.b.ins().iadd_imm_s(distance, step - 1);
        let step = self.b.ins().iconst(types::I64, step);
        self.b.ins().udiv(up, step)
    }
}

/// Where the vectors of an accumulator are, lower lanes first.
fn places(carried: &[super::body::Carried], number: usize) -> Vec<i32> {
    let mut all: Vec<_> = carried.iter().enumerate().filter(|(_, c)| c.number == number).collect();
    all.sort_by_key(|(_, c)| c.part);
    all.into_iter().map(|(k, _)| k as i32).collect()
}

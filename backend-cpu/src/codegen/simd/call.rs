//! The call of a loop from Cranelift's code.

use super::assemble::{Code, Loop, assemble, spills};
use super::body::Body;
use super::emit::most_carried;
use super::layout::Layout;
use super::ymm::{Order, halves, totals as halved_totals};
use super::{Plan, Pointer};
use crate::codegen::clif::{clif_type, flags};
use crate::codegen::function::{Emitter, Values, block_args};
use crate::codegen::refusal::Refusal;
use crate::codegen::variation::{Variation, variation};
use crate::options::Wide;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AbiParam, InstBuilder, Signature, Value, types};
use cranelift_codegen::isa::CallConv;
use smallvec::SmallVec;
use wengert_ir::entity::EntityVec;
use wengert_ir::kernel::{Access, Combine, For, KValue, MemRef, MemRefDef, Scalar};

/// A loop as machine code, but for what is filled in when it is called.
pub(crate) struct Ready {
    body: Body,
    layout: Layout,
    pointers: Vec<Pointer>,
    uniforms: Vec<KValue>,
    code: Code,
    /// Pointers through which the second code stores past the caches.
    streams: SmallVec<[u32; 4]>,
    streaming: Option<Code>,
}

/// Memories and scalars of a kernel.
type Names<'k> = (&'k EntityVec<MemRef, MemRefDef>, &'k EntityVec<KValue, Scalar>);

/// Compiles a loop in vectors of this length, if it can be and pays.
pub(crate) fn ready(
    l: &For,
    variation: &Variation,
    trips: Option<i64>,
    wide: Wide,
    (mems, values): Names<'_>,
    known: &dyn Fn(KValue) -> Option<u64>,
    combines: &[Combine],
) -> Result<Ready, Refusal> {
    if !super::pays(l, trips) {
        return Err(Refusal::Short(trips.unwrap_or(0)));
    }
    let plan = Plan::new(l, variation, mems, values, known, false)?;
    let Plan { single, interleaved, totals, pointers, uniforms } = plan;
    let layout = |body: &Body| Layout::new(wide, pointers.len(), uniforms.len(), body.carried.len());
    let halved = |body: Option<Body>| body.ok_or(Refusal::Halves);
    let (body, interleaved, totals) = match wide {
        Wide::Zmm => (single, interleaved, totals),
        Wide::Ymm => {
            let alternating = halved(halves(&single, Order::Alternating))?;
            if alternating.carried.len() > most_carried(wide) {
                return Err(Refusal::Registers);
            }
            let body = match spills(&alternating, layout(&alternating)) {
                true => halved(halves(&single, Order::OneByOne))?,
                false => alternating,
            };
            (body, None, halved(halved_totals(&totals))?)
        }
    };
    let layout = layout(&body);
    let carried = l.body.params[1..].iter().map(|&v| values[v]);
    let starts: SmallVec<[u64; 4]> =
        carried.zip(combines).map(|(ty, combine)| start(combine.identity(ty), ty)).collect();
    let parts = Loop {
        single: &body,
        wide: interleaved.as_ref(),
        totals: &totals,
        starts: &starts,
        pointers: pointers.len(),
        trips,
    };
    let code = assemble(parts, &[], layout).ok_or(Refusal::Registers)?;
    let streams = super::streams(&body, &pointers, mems, trips);
    let streaming = if streams.is_empty() { None } else { assemble(parts, &streams, layout) };
    Ok(Ready { body, layout, pointers, uniforms, code, streams, streaming })
}

/// What the lanes of an accumulator start with; those of truth values are all ones or zeros.
fn start(word: u64, ty: Scalar) -> u64 {
    if ty == Scalar::I1 { (word & 1).wrapping_neg() } else { word }
}

impl<'a> Emitter<'a, '_> {
    /// A loop without accumulators. False if it has to be compiled in another way.
    pub(crate) fn simd_loop(&mut self, l: &'a For) -> bool {
        self.in_simd(l, &[]).is_some()
    }

    /// A reduction; gives its results.
    pub(crate) fn simd_lanes(&mut self, l: &'a For, combines: &[Combine]) -> Option<Values> {
        self.in_simd(l, combines)
    }

    fn in_simd(&mut self, l: &'a For, combines: &[Combine]) -> Option<Values> {
        let trips = self.trips(l);
        let wide = self.env.wide()?;
        let variation = variation(l);
        let ready = {
            let known = |v| if self.is_defined(v) { self.known(v) } else { None };
            ready(l, &variation, trips, wide, (&self.kernel.mems, &self.kernel.values), &known, combines)
                .ok()?
        };
        let Ready { body, layout, pointers, uniforms, code, streams, streaming } = ready;
        let carried = self.carried_types(l);

        let block = self.passing_slot(code.block);
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
                Scalar::I8 | Scalar::I16 => {
                    let value = self.value(v);
                    self.b.ins().uextend(types::I32, value)
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
            let below = self.b.ins().band_imm_u(pointers, i64::from(wide.bytes()) - 1);
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

        let results = carried.iter().enumerate().map(|(number, &ty)| {
            let first = body.carried.iter().position(|c| c.number == number && c.part == 0);
            let at = layout.carried + 64 * first.expect("every accumulator has a first part") as i32;
            let total = self.b.ins().load(clif_type(ty), flags(), block, at);
            if ty == Scalar::I1 { self.b.ins().band_imm_u(total, 1) } else { total }
        });
        Some(results.collect())
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

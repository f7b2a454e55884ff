//! Inner loops in 512-bit vectors where the machine has AVX-512, in 256-bit ones where it has AVX2: code of our own, linked
//! through Cranelift's module and called from its code. Straight-line bodies of numbers of up to 8 bytes and truth
//! values qualify; the bits are those of every other way to compile a loop, because each operation rounds alike and reductions have
//! one order: its 16 lanes are one 512-bit vector of `f32` or two of `f64`.
//!
//! [`translate`] makes a [`body`] of a loop, with [`math`] for the functions of the math library; [`blocks`] takes elements far
//! apart by blocks; [`ymm`] makes 256-bit code
//! of it where that is needed; [`emit`] gives it registers and [`assemble`] makes a function of it, for which [`asm`] knows the
//! encodings; [`call`] fills in pointers and numbers at run time; [`list`] shows what was made.

mod asm;
mod assemble;
mod blocks;
mod body;
mod call;
mod emit;
mod enc;
mod layout;
mod list;
mod math;
mod translate;
mod ymm;

use super::refusal::{Refusal, why};
use super::variation::{Variation, variation};
use body::{Body, Inst};
pub(crate) use call::ready;
pub(crate) use math::{inlines, inlines2};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use translate::Rounds;
use wengert_ir::entity::EntityVec;
use wengert_ir::kernel::{Access, For, KOp, KValue, MemRef, MemRefDef, Scalar};

/// Loops of fewer iterations are not worth a call. (Sums of 1,500 rows of 20 numbers, f32: 3.9 us, and 15.5 in vectors of 128 bits.)
const LEAST: i64 = 17;
/// The same if they would call the math library for each number otherwise. (Rows of 3, us for 20,000 of them: `exp` 81, and 193 by
/// calls; `log` 129, 262; `tanh` 130, 286; rows of 2 in a loop gain a fifth.)
const LEAST_MATH: i64 = 2;

/// Bodies of more instructions are not interleaved: they keep the machine busy by themselves.
const LONGEST: usize = 400;

/// Whether a loop is long enough for what it does.
pub(crate) fn pays(l: &For, trips: Option<i64>) -> bool {
    trips.is_none_or(|n| n >= LEAST || n >= LEAST_MATH && has_math(l))
}

/// Whether a loop calls the math library.
pub(crate) fn has_math(l: &For) -> bool {
    l.body.insts.iter().any(|inst| matches!(inst.op, KOp::Math(_) | KOp::Math2(_)))
}

/// Whether a loop can be compiled here once calls of long functions of the math library are cut out of it;
/// `constants` are those defined outside.
pub(crate) fn takes(
    l: &For,
    mems: &EntityVec<MemRef, MemRefDef>,
    values: &EntityVec<KValue, Scalar>,
    constants: &dyn Fn(KValue) -> Option<u64>,
) -> bool {
    let variation = variation(l);
    Plan::new(l, &variation, mems, values, constants, true).is_ok()
}

/// A pointer to be given at the call: a memory and terms, the loop counter's at the first iteration.
type Pointer = (MemRef, SmallVec<[(KValue, i64); 4]>);

/// Memory of at least this many bytes together is taken to be in no cache.
const UNCACHED: usize = 64 << 20;
/// Memory of fewer bytes may be wanted soon.
const LEAST_STREAM: usize = 1 << 20;

/// The pointers through which a loop had better store past the caches: else a line is read before it is overwritten. The
/// loop walks more memory than the caches hold, and only stores through them.
fn streams(
    body: &Body,
    pointers: &[Pointer],
    mems: &EntityVec<MemRef, MemRefDef>,
    trips: Option<i64>,
) -> SmallVec<[u32; 4]> {
    let bytes = |mem: MemRef| mems[mem].len.saturating_mul(mems[mem].elem.size());
    let mut walked: SmallVec<[MemRef; 8]> = pointers.iter().map(|p| p.0).collect();
    walked.sort_unstable();
    walked.dedup();
    let total = walked.iter().fold(0usize, |sum, &mem| sum.saturating_add(bytes(mem)));
    if total < UNCACHED || trips.is_some_and(|n| (n as usize) < LEAST_STREAM / 8) {
        return SmallVec::new();
    }
    let accesses: SmallVec<[(u32, bool); 8]> = body.insts.iter().filter_map(Inst::access).collect();
    let only_stored = |k: u32| accesses.contains(&(k, true)) && !accesses.contains(&(k, false));
    let large_and_alone =
        |mem: MemRef| bytes(mem) >= LEAST_STREAM && pointers.iter().filter(|p| p.0 == mem).count() == 1;
    (0..pointers.len() as u32)
        .filter(|&k| only_stored(k) && large_and_alone(pointers[k as usize].0))
        .collect()
}

/// A body and what has to be given to it.
struct Plan {
    single: Body,
    /// For rounds without a mask.
    interleaved: Option<Body>,
    /// What comes after the loop.
    totals: Body,
    pointers: Vec<Pointer>,
    uniforms: Vec<KValue>,
}

impl Plan {
    fn new(
        l: &For,
        variation: &Variation,
        mems: &EntityVec<MemRef, MemRefDef>,
        values: &EntityVec<KValue, Scalar>,
        outer: &dyn Fn(KValue) -> Option<u64>,
        cuts_calls: bool,
    ) -> Result<Plan, Refusal> {
        let inner = l.body.insts.iter().filter_map(|inst| match inst.op {
            KOp::Const(word) => Some((inst.results[0], word)),
            _ => None,
        });
        let mut inputs = Inputs {
            mems,
            values,
            outer,
            inner: inner.collect(),
            pointers: Vec::new(),
            uniforms: Vec::new(),
            cuts_calls,
            far: false,
            reached: None,
        };
        let Some(single) = translate::generate(l, variation, &mut inputs, Rounds::Single) else {
            return Err(why(l, variation, mems, values, inputs.reached, false));
        };
        let pointers = &inputs.pointers;
        let same = |a: u32, b: u32| pointers[a as usize].0 == pointers[b as usize].0;
        let blocks = blocks::in_blocks(&single, &same);
        // No machine's scatters are faster than stores one by one; those of a last, incomplete block must do.
        let far = |inst: &Inst| {
            let Inst::Scatter { step, .. } = inst else { return None };
            Some(i64::from(*step)).filter(|&step| step > emit::NEAREST)
        };
        if let Some(step) = blocks.as_ref().unwrap_or(&single).insts.iter().find_map(far) {
            return Err(Refusal::Spreads(step));
        }
        let interleaved = if cuts_calls {
            None
        } else if blocks.is_some() {
            blocks
        } else if single.insts.len() > LONGEST {
            None
        } else {
            translate::generate(l, variation, &mut inputs, Rounds::Interleaved)
        };
        let totals = translate::totals(l, variation, &mut inputs, &single.carried);
        let totals = totals.ok_or(Refusal::Combination)?;
        let Inputs { pointers, uniforms, far, .. } = inputs;
        if far {
            return Err(Refusal::Far);
        }
        Ok(Plan { single, interleaved, totals, pointers, uniforms })
    }
}

/// Collects what a body needs.
struct Inputs<'a> {
    mems: &'a EntityVec<MemRef, MemRefDef>,
    values: &'a EntityVec<KValue, Scalar>,
    outer: &'a dyn Fn(KValue) -> Option<u64>,
    inner: FxHashMap<KValue, u64>,
    pointers: Vec<Pointer>,
    uniforms: Vec<KValue>,
    cuts_calls: bool,
    /// Whether an offset is too large for an instruction.
    far: bool,
    /// The instruction that was translated last.
    reached: Option<usize>,
}

impl translate::Caller for Inputs<'_> {
    fn ty(&self, v: KValue) -> Scalar {
        self.values[v]
    }

    fn known(&self, v: KValue) -> Option<u64> {
        self.inner.get(&v).copied().or_else(|| (self.outer)(v))
    }

    fn mem(&self, mem: MemRef) -> &MemRefDef {
        &self.mems[mem]
    }

    fn cuts_calls(&self) -> bool {
        self.cuts_calls
    }

    fn uniform(&mut self, v: KValue) -> u32 {
        let known = self.uniforms.iter().position(|&u| u == v);
        known.unwrap_or_else(|| {
            self.uniforms.push(v);
            self.uniforms.len() - 1
        }) as u32
    }

    fn pointer(&mut self, access: &Access) -> (u32, i32) {
        let mut terms = access.terms.clone();
        terms.sort_unstable();
        let key = (access.mem, terms);
        let bytes = access.offset.checked_mul(self.mems[access.mem].elem.size() as i64);
        let offset = bytes.and_then(|b| i32::try_from(b).ok()).filter(|b| b.abs() < 1 << 30);
        self.far |= offset.is_none();
        let known = self.pointers.iter().position(|p| *p == key);
        let pointer = known.unwrap_or_else(|| {
            self.pointers.push(key);
            self.pointers.len() - 1
        });
        (pointer as u32, offset.unwrap_or(0))
    }

    fn reached(&mut self, at: usize) {
        self.reached = Some(at);
    }
}

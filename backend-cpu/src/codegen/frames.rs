//! How much of the stack a program takes: the frames of the functions on its longest way down.

use cranelift_codegen::Context;
use cranelift_module::{FuncId, ModuleReloc, ModuleRelocTarget};
use rustc_hash::FxHashMap;

/// What a call keeps beside its frame: where to return, and the caller's frame pointer.
const CALL: u64 = 16;
/// Larger frames are touched page by page when they begin, the last one as a whole page: what guards a stack is not to be jumped over.
const PAGE: u64 = 4096;

/// The functions of an object.
#[derive(Default)]
pub(super) struct Frames(FxHashMap<FuncId, Frame>);

struct Frame {
    bytes: u64,
    callees: Vec<FuncId>,
    /// Whether it calls C's library for want of an instruction: such a function is no [`FuncId`].
    calls_c: bool,
}

impl Frames {
    /// Adds the function that was just compiled in a context.
    pub(super) fn add(&mut self, id: FuncId, context: &Context) {
        let compiled = context.compiled_code().expect("it was just compiled");
        let layout = compiled.buffer.frame_layout().expect("compiled code has a frame");
        let frame = u64::from(layout.frame_to_fp_offset);
        let mut callees: Vec<FuncId> = Vec::new();
        let mut calls_c = false;
        for reloc in compiled.buffer.relocs() {
            match ModuleReloc::from_mach_reloc(reloc, &context.func, id).name {
                ModuleRelocTarget::User { namespace: 0, index } => callees.push(FuncId::from_u32(index)),
                ModuleRelocTarget::User { .. } | ModuleRelocTarget::FunctionOffset(..) => {}
                ModuleRelocTarget::LibCall(_) | ModuleRelocTarget::KnownSymbol(_) => calls_c = true,
            }
        }
        callees.sort_unstable();
        callees.dedup();
        self.0.insert(id, Frame { bytes: frame, callees, calls_c });
    }

    /// Bytes that a call of a function takes at most, but for what functions take that are not of the object.
    pub(super) fn deepest(&self, id: FuncId) -> u64 {
        let mut known = FxHashMap::default();
        // Callees first, without a stack of our own: kernels that call each other in a row may be many.
        let mut work = vec![(id, false)];
        while let Some((id, callees_known)) = work.pop() {
            let Some(Frame { bytes, callees, calls_c }) = self.0.get(&id) else {
                known.insert(id, CALL);
                continue;
            };
            if known.contains_key(&id) {
                continue;
            }
            if !callees_known {
                work.push((id, true));
                work.extend(callees.iter().filter(|c| !known.contains_key(c)).map(|&c| (c, false)));
                continue;
            }
            let own = if *calls_c { CALL } else { 0 };
            let below =
                callees.iter().filter_map(|c| known.get(c)).max().map_or(own, |&below| below.max(own));
            let touched = if *bytes > PAGE { bytes.next_multiple_of(PAGE) } else { *bytes };
            known.insert(id, CALL + touched.max(bytes + below));
        }
        known[&id]
    }
}

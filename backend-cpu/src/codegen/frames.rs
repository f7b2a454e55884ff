//! How much of the stack a program takes: the frames of the functions on its longest way down.

use cranelift_codegen::Context;
use cranelift_module::{FuncId, ModuleReloc, ModuleRelocTarget};
use rustc_hash::FxHashMap;

/// What a call keeps beside its frame: where to return, and the caller's frame pointer.
const CALL: u64 = 16;

/// The functions of an object: the bytes of their frames, and what they call.
#[derive(Default)]
pub(super) struct Frames(FxHashMap<FuncId, (u64, Vec<FuncId>)>);

impl Frames {
    /// Adds the function that was just compiled in a context.
    pub(super) fn add(&mut self, id: FuncId, context: &Context) {
        let compiled = context.compiled_code().expect("it was just compiled");
        let frame = compiled.buffer.frame_layout().map_or(0, |layout| u64::from(layout.frame_to_fp_offset));
        let mut callees: Vec<FuncId> = Vec::new();
        for reloc in compiled.buffer.relocs() {
            let target = ModuleReloc::from_mach_reloc(reloc, &context.func, id).name;
            let ModuleRelocTarget::User { namespace: 0, index } = target else { continue };
            callees.push(FuncId::from_u32(index));
        }
        callees.sort_unstable();
        callees.dedup();
        self.0.insert(id, (frame, callees));
    }

    /// Bytes that a call of a function takes at most, but for what functions take that are not of the object.
    pub(super) fn deepest(&self, id: FuncId) -> u64 {
        let mut known = FxHashMap::default();
        // Callees first, without a stack of our own: kernels that call each other in a row may be many.
        let mut work = vec![(id, false)];
        while let Some((id, callees_known)) = work.pop() {
            let Some((frame, callees)) = self.0.get(&id) else {
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
            let below = callees.iter().filter_map(|c| known.get(c)).max().copied().unwrap_or(0);
            known.insert(id, frame + CALL + below);
        }
        known[&id]
    }
}

//! What the code of a program depends on.

use crate::codegen::isa;
use crate::options::Options;
use std::hash::{Hash, Hasher};
use wengert_ir::host::hashing_by_first_use;
use wengert_ir::kernel::{Place, Program};

/// Everything that the code of a program depends on, as bytes; equal keys mean equal code.
pub(crate) struct Key(pub(crate) Vec<u8>);

impl Key {
    pub(crate) fn new(program: &Program, options: &Options, host: &isa::Host) -> Self {
        let mut bytes = Collected(Vec::new());
        let Program { name: _, mode, params, results, mems, kernels, entry, scratch } = program;
        (env!("CARGO_PKG_VERSION"), env!("WENGERT_SOURCES"), cranelift_codegen::VERSION).hash(&mut bytes);
        let target = &host.balanced;
        (target.triple().to_string(), target.flags().to_string()).hash(&mut bytes);
        target.isa_flags().iter().for_each(|flag| flag.to_string().hash(&mut bytes));
        (options, options.wide()).hash(&mut bytes);
        // What functions of the host a program calls is filled in where its code is linked.
        hashing_by_first_use(|| (mode, params, results, kernels, entry, scratch).hash(&mut bytes));
        mems.len().hash(&mut bytes);
        for def in mems.values() {
            (def.elem, &def.shape, std::mem::discriminant(&def.place)).hash(&mut bytes);
            match &def.place {
                Place::Param(n) | Place::Result(n) => n.hash(&mut bytes),
                Place::Scratch(at) => at.hash(&mut bytes),
                Place::Constant(content) => content.len().hash(&mut bytes),
                Place::Stack => {}
            }
        }
        Self(bytes.0)
    }
}

/// Keeps what is hashed instead of hashing it.
struct Collected(Vec<u8>);

impl Hasher for Collected {
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    fn finish(&self) -> u64 {
        unreachable!("the bytes are wanted, not a hash of them")
    }
}

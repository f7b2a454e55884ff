//! What the code of a program depends on.

use crate::codegen::isa;
use crate::options::Options;
use std::hash::{Hash, Hasher};
use wengert_ir::host::hashing_by_first_use;
use wengert_ir::kernel::{Place, Program};

/// Everything that the code of a program depends on, as bytes; equal keys mean equal code.
pub(crate) struct Key(pub(super) Vec<u8>);

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codegen::isa::{Cpu, target};
    use wengert_ir::types::FloatMode;

    const TEXT: &str = "program @main(tensor<4xf32>) -> (tensor<4xf32>) mode default scratch 64 entry @main {
  mem0 = param 0 : memref<4xf32>
  mem1 = result 0 : memref<4xf32>

  func @main() {
    %m0 = program mem0 : memref<4xf32>
    %m1 = program mem1 : memref<4xf32>
    %0 = memref.load %m0[1] : f32
    memref.store %0, %m1[2] : f32
  }
}
";

    fn parse(text: &str) -> Program {
        wengert_ir::kernel::text::parse(text).unwrap_or_else(|e| panic!("{e}"))
    }

    /// Whatever code depends on makes another key; what it does not depend on makes none.
    #[test]
    fn whatever_code_depends_on_is_in_the_key() {
        let machine = |triple: &str, cpu| target(&triple.parse().expect("a triple"), cpu).expect("a machine");
        let linux = "x86_64-unknown-linux-gnu";
        let host = machine(linux, Cpu::Baseline);
        let options = Options { wide: None, ..Options::default() };
        let program = parse(TEXT);
        let plain = Key::new(&program, &options, &host).0;
        let edited = |from: &str, to: &str| {
            assert!(TEXT.contains(from), "{from}");
            Key::new(&parse(&TEXT.replace(from, to)), &options, &host).0
        };
        let with = |options: Options| Key::new(&program, &options, &host).0;
        let on = |triple: &str, cpu| Key::new(&program, &options, &machine(triple, cpu)).0;
        let exact = Program { mode: FloatMode::Exact, ..program.clone() };
        let keys = [
            ("plain", plain.clone()),
            ("more instructions", on(linux, Cpu::Common)),
            ("another system", on("x86_64-pc-windows-msvc", Cpu::Baseline)),
            #[cfg(feature = "other-machines")]
            ("another architecture", on("aarch64-unknown-linux-gnu", Cpu::Baseline)),
            ("steps", with(Options { count_steps: true, ..options })),
            ("vectors", with(Options { vectors: false, ..options })),
            ("tiles", with(Options { tiles: false, ..options })),
            ("wide", with(Options { wide: Some(crate::options::Wide::Ymm), ..options })),
            ("mode", Key::new(&exact, &options, &host).0),
            ("scratch", edited("scratch 64", "scratch 128")),
            ("position", edited("%m0[1]", "%m0[3]")),
            ("place", edited("mem1 = result 0", "mem1 = scratch 0")),
            ("types", edited("(tensor<4xf32>) ->", "(tensor<4xf32>, tensor<f32>) ->")),
        ];
        for (k, (what, key)) in keys.iter().enumerate() {
            for (other, same) in &keys[..k] {
                assert_ne!(key, same, "{what} and {other}");
            }
        }
        assert_eq!(edited("program @main", "program @other"), plain);
    }
}

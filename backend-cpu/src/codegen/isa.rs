//! The machine we run on, described to Cranelift once per process.

use super::CompileError;
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable};
use std::sync::OnceLock;

/// Instruction sets of this machine, by how functions are compiled.
///
/// Cranelift's own optimizer stays off: it hoists constants into spills and undoes interleaving, and the
/// lowering pass has already removed common subexpressions and hoisted what is invariant.
pub(crate) struct Host {
    /// The backtracking register allocator: good code.
    pub(crate) balanced: OwnedTargetIsa,
    /// The single-pass register allocator: 1 µs per operation whatever the size.
    pub(crate) quick: OwnedTargetIsa,
}

/// From this many kernel operations on, the backtracking allocator takes longer than it is worth.
const QUICK_FROM: usize = 12_000;

impl Host {
    /// What to compile a function of `size` operations with.
    pub(crate) fn choose(&self, size: usize) -> &OwnedTargetIsa {
        if size < QUICK_FROM { &self.balanced } else { &self.quick }
    }
}

/// This machine.
pub(crate) fn host() -> Result<&'static Host, CompileError> {
    static HOST: OnceLock<Result<Host, String>> = OnceLock::new();
    HOST.get_or_init(|| Ok(Host { balanced: make("backtracking")?, quick: make("single_pass")? }))
        .as_ref()
        .map_err(|message| CompileError { kernel: None, message: message.clone() })
}

fn make(allocator: &str) -> Result<OwnedTargetIsa, String> {
    let mut flags = settings::builder();
    let verifier = if cfg!(debug_assertions) { "true" } else { "false" };
    for (name, value) in [
        ("opt_level", "none"),
        ("regalloc_algorithm", allocator),
        ("enable_verifier", verifier),
        ("is_pic", "false"),
        ("use_colocated_libcalls", "false"),
        ("unwind_info", "false"),
        ("enable_probestack", "true"),
        ("probestack_strategy", "inline"),
    ] {
        flags.set(name, value).map_err(|e| format!("Cranelift setting {name}: {e}"))?;
    }
    let builder = cranelift_native::builder().map_err(|e| format!("this machine is not supported: {e}"))?;
    builder.finish(settings::Flags::new(flags)).map_err(|e| e.to_string())
}

//! The machine we run on, described to Cranelift once per process.

use crate::options::{self, CompileError, Wide};
use cranelift_codegen::isa::{self, OwnedTargetIsa};
use cranelift_codegen::settings::{self, Configurable};
use std::sync::OnceLock;
use target_lexicon::{Architecture, OperatingSystem, Triple};

/// Instruction sets of this machine, by how functions are compiled.
///
/// Cranelift's own optimizer stays off: it hoists constants into spills and undoes interleaving, and the
/// lowering pass has already removed common subexpressions and hoisted what is invariant.
pub(crate) struct Host {
    /// The backtracking register allocator: good code.
    pub(crate) balanced: OwnedTargetIsa,
    /// The single-pass register allocator: 1 µs per operation whatever the size.
    pub(crate) quick: OwnedTargetIsa,
    /// The longest vectors that loops of our own may use.
    pub(crate) wide: Option<Wide>,
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
    let make = |allocator| {
        let builder =
            cranelift_native::builder().map_err(|e| format!("this machine is not supported: {e}"))?;
        make(builder, allocator, false)
    };
    let wide = options::available();
    HOST.get_or_init(|| Ok(Host { balanced: make("backtracking")?, quick: make("single_pass")?, wide }))
        .as_ref()
        .map_err(|message| CompileError { kernel: None, message: message.clone() })
}

/// Which instructions an object file may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cpu {
    /// What every machine of the architecture has.
    Baseline,
    /// On x86-64, what machines have since about 2015 (AVX2, FMA: "x86-64-v3"); elsewhere the baseline.
    Common,
    /// All that this machine has; for this machine's architecture only.
    Native,
}

/// A machine to make object files for.
pub(crate) fn target(triple: &Triple, cpu: Cpu) -> Result<Host, CompileError> {
    let error = |message: String| CompileError { kernel: None, message };
    let make = |allocator: &str| {
        let mut builder = match cpu {
            Cpu::Native => {
                if triple.architecture != Triple::host().architecture {
                    return Err(format!(
                        "`native` instructions are those of {}, not of {triple}",
                        Triple::host()
                    ));
                }
                cranelift_native::builder().map_err(|e| format!("this machine is not supported: {e}"))?
            }
            Cpu::Baseline | Cpu::Common => {
                isa::lookup(triple.clone()).map_err(|e| match e {
                    isa::LookupError::SupportDisabled => format!(
                        "no code for {triple}: built without the feature `other-machines`, this compiler knows {} only",
                        Triple::host().architecture
                    ),
                    isa::LookupError::Unsupported => format!("no code for {triple}: {e}"),
                })?
            }
        };
        if cpu == Cpu::Common && triple.architecture == Architecture::X86_64 {
            for feature in COMMON {
                builder.enable(feature).map_err(|e| format!("Cranelift feature {feature}: {e}"))?;
            }
        }
        make(builder, allocator, true)
    };
    let (balanced, quick) = (make("backtracking").map_err(error)?, make("single_pass").map_err(error)?);
    Ok(Host { balanced, quick, wide: wide(triple, cpu) })
}

/// The longest vectors that loops of our own may use there; on Windows, where they were never tried, none.
fn wide(triple: &Triple, cpu: Cpu) -> Option<Wide> {
    if triple.architecture != Architecture::X86_64 || triple.operating_system == OperatingSystem::Windows {
        return None;
    }
    match cpu {
        Cpu::Baseline => None,
        Cpu::Common => Some(Wide::Ymm),
        Cpu::Native => options::available(),
    }
}

/// "x86-64-v3".
const COMMON: [&str; 12] = [
    "has_cmpxchg16b",
    "has_sse3",
    "has_ssse3",
    "has_sse41",
    "has_sse42",
    "has_avx",
    "has_avx2",
    "has_fma",
    "has_bmi1",
    "has_bmi2",
    "has_lzcnt",
    "has_popcnt",
];

/// Whether a machine multiplies and adds in one instruction.
pub(crate) fn fuses(isa: &OwnedTargetIsa) -> bool {
    match isa.triple().architecture {
        Architecture::X86_64 => {
            isa.isa_flags().iter().any(|flag| flag.name == "has_fma" && flag.as_bool() == Some(true))
        }
        _ => true,
    }
}

fn make(builder: isa::Builder, allocator: &str, pic: bool) -> Result<OwnedTargetIsa, String> {
    let mut flags = settings::builder();
    let verifier = if cfg!(debug_assertions) { "true" } else { "false" };
    for (name, value) in [
        ("opt_level", "none"),
        ("regalloc_algorithm", allocator),
        ("enable_verifier", verifier),
        ("is_pic", if pic { "true" } else { "false" }),
        ("use_colocated_libcalls", "false"),
        ("unwind_info", "false"),
        ("enable_probestack", "true"),
        ("probestack_strategy", "inline"),
    ] {
        flags.set(name, value).map_err(|e| format!("Cranelift setting {name}: {e}"))?;
    }
    builder.finish(settings::Flags::new(flags)).map_err(|e| e.to_string())
}

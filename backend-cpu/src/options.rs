//! How a program is compiled, and why it could not be.

use std::fmt;

/// How long vectors are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Wide {
    /// 256 bits: AVX2 and FMA.
    Ymm,
    /// 512 bits: AVX-512 F, VL, DQ, BW and CD.
    #[default]
    Zmm,
}

/// The longest vectors that this machine can run.
pub(crate) fn available() -> Option<Wide> {
    #[cfg(all(target_arch = "x86_64", unix))]
    {
        use std::arch::is_x86_feature_detected as has;
        let has_basics = has!("avx512f") && has!("avx512vl") && has!("avx512dq") && has!("avx512bw");
        if has_basics && has!("avx512cd") {
            return Some(Wide::Zmm);
        }
        (has!("avx2") && has!("fma")).then_some(Wide::Ymm)
    }
    #[cfg(not(all(target_arch = "x86_64", unix)))]
    {
        None
    }
}

/// How to compile.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Options {
    /// Whether steps are counted against the limit given at the call; see [`wengert_ir::limits`].
    pub count_steps: bool,
    /// Whether loops become vector code; without, every loop runs one element at a time, with the same results.
    pub vectors: bool,
    /// Whether loops that call the math library run over tiles in its wide routines; same results.
    pub tiles: bool,
    /// Vectors of inner loops, at most as long as this and as the machine has; without, of 128 bits. Same results.
    pub wide: Option<Wide>,
}

impl Options {
    /// The vectors of inner loops on this machine, if longer than 128 bits.
    pub(crate) fn wide(&self) -> Option<Wide> {
        self.wide_of(available())
    }

    /// The same on a machine whose longest vectors these are.
    pub(crate) fn wide_of(&self, longest: Option<Wide>) -> Option<Wide> {
        let longest = longest.filter(|_| self.vectors)?;
        self.wide.map(|asked| asked.min(longest))
    }
}

impl Default for Options {
    fn default() -> Self {
        Self { count_steps: false, vectors: true, tiles: true, wide: Some(Wide::Zmm) }
    }
}

/// Why a program could not be compiled: it breaks a rule of the kernel IR, or the host is not supported.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompileError {
    /// The kernel, if one is to blame.
    pub kernel: Option<String>,
    /// What went wrong.
    pub message: String,
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kernel {
            Some(kernel) => write!(f, "kernel @{kernel}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for CompileError {}

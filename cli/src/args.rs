//! The command line, and the help that teaches it.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use wengert::Limits;
use wengert::stages::Vectors;

/// Runs, differentiates, inspects and times StableHLO programs: what JAX exports, and what Wengert dumps.
#[derive(Parser)]
#[command(
    name = "wengert",
    version,
    max_term_width = 100,
    after_help = "\
Examples:
  wengert run model.mlir --inputs x.npy w.npy --outputs out/      writes out/out0.npy ...
  wengert grad loss.mlir --wrt 0,2 --inputs a.npy b.npy c.npy --outputs out/
  wengert emit loss.mlir --grad 0 --stage clif                    the gradient as Cranelift IR
  wengert opt loss.mlir --pipeline inline,raise,simplify --print-after-all
  wengert explain loss.mlir --grad 0                              which rules simplified it
  wengert explain loss.mlir --grad 0 --html loss.html             the same, and more, as a page to look at
  wengert bench loss.mlir --json
  wengert bench loss.mlir --grad 0 --profile                      where the time of a call goes, kernel by kernel
  wengert build loss.mlir --grad 0 -o loss.o --header loss.h      for C, without a runtime
  wengert check tests/ --backend interpreter                      programs with check.expect_eq

  wengert opt f.mlir --pipeline dce --emit-bytecode=1.9.0 -o f.mlirbc

To export a program from JAX:
  open('f.mlir', 'w').write(jax.jit(f).lower(*args).as_text())
  open('f.bin', 'wb').write(jax.export.export(jax.jit(f))(*args).serialize())

Exit status: 0 on success, 1 on failure, 2 for wrong usage."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Run a program; writes DIR/out0.npy, DIR/out1.npy ...
    Run(RunArgs),
    /// Gradient of a program with one float scalar result; writes DIR/grad{i}.npy for each i of --wrt
    Grad(GradArgs),
    /// Vector-Jacobian products; writes DIR/vjp{i}.npy for each i of --wrt
    Vjp(VjpArgs),
    /// Jacobian-vector products; writes DIR/jvp_out{k}.npy for each float result
    Jvp(JvpArgs),
    /// Derivatives of every order along a curve; writes DIR/jet_out{k}_{i}.npy, the i-th derivative of each float result
    Jet(JetArgs),
    /// Run passes and print the program
    Opt(OptArgs),
    /// Print a program at one stage of compilation
    Emit(EmitArgs),
    /// Show which rewrites led from a result as written to what is computed, and which kernels that is
    Explain(ExplainArgs),
    /// Compile ahead of time: an object file or shared library that C and Rust can call, with a header or a module
    Build(BuildArgs),
    /// Measure compilation and calls, compiled and eager
    Bench(BenchArgs),
    /// Run programs that check themselves (`check.expect_eq` and its kin); one line per file that fails
    Check(CheckArgs),
    /// List the devices that programs can run on, and why those are not there that are not
    Devices,
    /// Read command lines from standard input, answer each with its exit status
    Loop,
}

/// What every command that reads a program takes.
#[derive(Args)]
pub(crate) struct ProgramArgs {
    /// StableHLO: text in MLIR syntax, a portable artifact (MLIR bytecode), or what jax.export serializes
    pub(crate) program: PathBuf,
    /// The function to use
    #[arg(long, value_name = "NAME", default_value = "main")]
    pub(crate) entry: String,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

/// What a program may use, from reading to running.
#[derive(Args)]
pub(crate) struct LimitArgs {
    /// Refuse programs whose tensors need more memory than this, in bytes (4096, 512M, 4G)
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    max_memory: Option<u64>,
    /// Stop after this many steps: instructions and trips of loops, each with one more for every 1024 elements or scalar operations
    #[arg(long, value_name = "N")]
    max_steps: Option<u64>,
    /// Compile no program of more instructions than this, its calls inlined [default: 16 times those written, and at least 65536]
    #[arg(long, value_name = "N")]
    max_instructions: Option<u64>,
}

impl LimitArgs {
    pub(crate) fn limits(&self) -> Limits {
        Limits {
            max_memory: self.max_memory,
            max_steps: self.max_steps,
            max_instructions: self.max_instructions,
        }
    }
}

/// What every command that runs a program takes.
#[derive(Args)]
pub(crate) struct ExecArgs {
    #[command(flatten)]
    pub(crate) program: ProgramArgs,
    /// One .npy file per argument of the function, in order; FILE.npz stands for all arrays of an archive, FILE.npz:NAME for one
    #[arg(long, num_args = 0.., value_name = "NPY")]
    pub(crate) inputs: Vec<PathBuf>,
    /// Folder for the results; made if missing. Without it results are printed
    #[arg(long, value_name = "DIR")]
    pub(crate) outputs: Option<PathBuf>,
    /// What runs it
    #[arg(long, value_enum, default_value_t = Backend::Cpu, env = "WENGERT_BACKEND")]
    pub(crate) backend: Backend,
    /// The longest vectors that native code may use, in bits: 0, 128, 256 or 512. Results are the same
    #[arg(long, value_name = "BITS", value_parser = vectors, default_value = "512")]
    pub(crate) wide: Vectors,
    /// Where it runs: cpu, gpu:0 (NVIDIA), wgpu:0 (Vulkan, Metal, Direct3D 12); `wengert devices` lists them
    #[arg(long, value_name = "DEVICE", env = "WENGERT_DEVICE")]
    pub(crate) device: Option<String>,
}

fn vectors(text: &str) -> Result<Vectors, String> {
    match text {
        "0" => Ok(Vectors::None),
        "128" => Ok(Vectors::Bits128),
        "256" => Ok(Vectors::Bits256),
        "512" => Ok(Vectors::Bits512),
        _ => Err("0, 128, 256 or 512".to_owned()),
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Backend {
    /// Native code
    Cpu,
    /// The reference interpreter: slow, obvious, the judge of the others
    Interpreter,
    /// One operation at a time
    Eager,
}

#[derive(Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) exec: ExecArgs,
}

#[derive(Args)]
pub(crate) struct GradArgs {
    #[command(flatten)]
    pub(crate) exec: ExecArgs,
    /// Which arguments to differentiate with respect to, such as 0,2
    #[arg(long, value_delimiter = ',', default_value = "0", value_name = "I,J")]
    pub(crate) wrt: Vec<usize>,
    /// Most memory that the gradient takes when compiled, such as 64M; what it keeps and computes again goes to standard error
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub(crate) memory_budget: Option<u64>,
}

#[derive(Args)]
pub(crate) struct VjpArgs {
    #[command(flatten)]
    pub(crate) exec: ExecArgs,
    /// Which arguments to differentiate with respect to, such as 0,2
    #[arg(long, value_delimiter = ',', default_value = "0", value_name = "I,J")]
    pub(crate) wrt: Vec<usize>,
    /// Cotangents of results, each as NUMBER:FILE, or files for the float results in order
    #[arg(long, num_args = 0.., value_name = "[K:]NPY")]
    pub(crate) cotangents: Vec<String>,
}

#[derive(Args)]
pub(crate) struct JvpArgs {
    #[command(flatten)]
    pub(crate) exec: ExecArgs,
    /// Which arguments have tangents, such as 0,2
    #[arg(long, value_delimiter = ',', default_value = "0", value_name = "I,J")]
    pub(crate) wrt: Vec<usize>,
    /// One .npy file per argument of --wrt, in order
    #[arg(long, num_args = 0.., value_name = "NPY")]
    pub(crate) tangents: Vec<PathBuf>,
}

#[derive(Args)]
#[command(after_help = "\
Example: wengert jet f.mlir --order 3 --inputs x.npy --series dx.npy
Along x + dx t the results have derivatives by t of orders 1, 2 and 3.")]
pub(crate) struct JetArgs {
    #[command(flatten)]
    pub(crate) exec: ExecArgs,
    /// Which arguments move, such as 0,2
    #[arg(long, value_delimiter = ',', default_value = "0", value_name = "I,J")]
    pub(crate) wrt: Vec<usize>,
    /// Up to which derivative
    #[arg(long, value_name = "N")]
    pub(crate) order: usize,
    /// For each argument of --wrt, in order, its derivatives along the curve, from the first to that of --order; or only the
    /// first of each, then the others are zero
    #[arg(long, num_args = 0.., value_name = "NPY")]
    pub(crate) series: Vec<PathBuf>,
}

/// Which derivative to take before anything else.
#[derive(Args)]
pub(crate) struct DerivativeArgs {
    /// Use value and gradient with respect to these arguments instead of the function itself
    #[arg(long, value_delimiter = ',', value_name = "I,J", num_args = 0..=1, default_missing_value = "0")]
    pub(crate) grad: Option<Vec<usize>>,
    /// Most memory that the gradient takes when compiled, such as 64M: it computes again what it cannot keep
    #[arg(long, value_name = "BYTES", value_parser = bytes, requires = "grad")]
    pub(crate) memory_budget: Option<u64>,
}

#[derive(Args)]
#[command(after_help = passes_help())]
pub(crate) struct OptArgs {
    #[command(flatten)]
    pub(crate) program: ProgramArgs,
    #[command(flatten)]
    pub(crate) derivative: DerivativeArgs,
    /// Passes to run in order, separated by commas
    #[arg(long, value_name = "PASSES", default_value = wengert_passes::pipeline::DEFAULT)]
    pub(crate) pipeline: String,
    /// Print the program after every pass, with the time it took
    #[arg(long)]
    pub(crate) print_after_all: bool,
    /// Check the program after every pass
    #[arg(long)]
    pub(crate) verify_each: bool,
    /// Print source locations
    #[arg(long)]
    pub(crate) locations: bool,
    /// Write a portable artifact (MLIR bytecode) to the file of -o, at this version of StableHLO [default version: 1.13.0,
    /// which JAX sends]
    #[arg(
        long,
        value_name = "VERSION",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "1.13.0",
        requires = "output"
    )]
    pub(crate) emit_bytecode: Option<String>,
    /// Write to a file
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

fn passes_help() -> String {
    let width = wengert_passes::pipeline::PASSES.iter().map(|p| p.name.len()).max().unwrap_or(0);
    let lines = wengert_passes::pipeline::PASSES.iter().map(|p| format!("  {:width$}  {}", p.name, p.doc));
    std::iter::once("Passes:".to_owned()).chain(lines).collect::<Vec<_>>().join("\n")
}

#[derive(Args)]
pub(crate) struct EmitArgs {
    #[command(flatten)]
    pub(crate) program: ProgramArgs,
    #[command(flatten)]
    pub(crate) derivative: DerivativeArgs,
    /// How far to compile
    #[arg(long, value_enum, default_value_t = Stage::Optimized)]
    pub(crate) stage: Stage,
    /// Print source locations (tensor stages)
    #[arg(long)]
    pub(crate) locations: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Stage {
    /// Tensor IR as read, or as derived
    Tensor,
    /// Tensor IR in plain StableHLO and CHLO, for other compilers
    Stablehlo,
    /// Tensor IR after all passes
    Optimized,
    /// What is computed together, what is stored, in which order
    Plan,
    /// Loops, memory and library calls
    Kernel,
    /// The same for a GPU: launches, and what the host does between them
    Gpu,
    /// Cranelift IR
    Clif,
    /// Machine code, disassembled
    Asm,
    /// PTX of those kernels, for NVIDIA
    #[cfg(feature = "gpu")]
    Ptx,
    /// WGSL of those kernels, for other GPUs
    #[cfg(feature = "gpu")]
    Wgsl,
}

#[derive(Args)]
#[command(after_help = "\
Example: wengert explain loss.mlir --grad 0 --html loss.html
The page shows the program before and after side by side, what became of each instruction and by which rules, bytes
and arithmetic, the kernels, and how long each pass took. It needs no network; open it in any browser.")]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    pub(crate) program: ProgramArgs,
    #[command(flatten)]
    pub(crate) derivative: DerivativeArgs,
    /// Write a page for a browser instead
    #[arg(long, value_name = "FILE", conflicts_with = "result")]
    pub(crate) html: Option<PathBuf>,
    /// Number of the result; all of them if not given
    #[arg(long, value_name = "K")]
    pub(crate) result: Option<usize>,
}

#[derive(Args)]
#[command(after_help = "\
The file defines int32_t NAME(const T *arg0, .., T *out0, .., void *scratch); the header says which types and \
how much scratch memory, and how much of the stack a call takes. It contains the mathematics it needs and \
calls nothing but C's fmod and, with --cpu baseline on x86-64, fma, floor and their kin: link with -lm. With \
--self-contained it calls nothing. Operations that are no loops (sorting, factorizations, Fourier transforms, some on complex and 16-bit numbers) \
are errors that name them, or with --runtime calls of libwengert_runtime.a. Then a call gives another number \
than 0 if one of them failed, and wengert_last_error says why.")]
pub(crate) struct BuildArgs {
    #[command(flatten)]
    pub(crate) program: ProgramArgs,
    #[command(flatten)]
    pub(crate) derivative: DerivativeArgs,
    /// What to write: `.o` or `.obj` an object file, `.so`, `.dylib` or `.dll` a shared library (linked by `cc`)
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Write a C header, to FILE or beside the output
    #[arg(long, value_name = "FILE", num_args = 0..=1)]
    pub(crate) header: Option<Option<PathBuf>>,
    /// Write a Rust module with a safe function that calls the object's, to FILE or beside the output
    #[arg(long, value_name = "FILE", num_args = 0..=1)]
    pub(crate) rust: Option<Option<PathBuf>>,
    /// The function's name in C; by default that of the program's file
    #[arg(long, value_name = "NAME")]
    pub(crate) symbol: Option<String>,
    /// The machine to compile for, such as aarch64-unknown-linux-gnu or riscv64gc-unknown-linux-gnu; by default this one
    #[arg(long, value_name = "TRIPLE")]
    pub(crate) target: Option<String>,
    /// Which instructions it has
    #[arg(long, value_enum, default_value_t = Cpu::Common)]
    pub(crate) cpu: Cpu,
    /// Call nothing outside the file, not even C's mathematics: it links without -lm, or is an error that says what it needs
    #[arg(long)]
    pub(crate) self_contained: bool,
    /// Call Wengert's library for objects where an operation is no loop (sorts, factorizations, transforms): `cargo build --release -p
    /// wengert-runtime` makes libwengert_runtime.a, and the program links with it
    #[arg(long, conflicts_with = "self_contained")]
    pub(crate) runtime: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Cpu {
    /// Those that every machine of the architecture has
    Baseline,
    /// On x86-64 those of machines since 2015 (x86-64-v3), elsewhere the baseline
    Common,
    /// All that this machine has
    Native,
}

#[derive(Args)]
pub(crate) struct BenchArgs {
    #[command(flatten)]
    pub(crate) program: ProgramArgs,
    #[command(flatten)]
    pub(crate) derivative: DerivativeArgs,
    /// One .npy file per argument; without them, seeded random numbers
    #[arg(long, num_args = 0.., value_name = "NPY")]
    pub(crate) inputs: Vec<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Show where the time of a call goes: time, bytes, arithmetic and form of each kernel, the slowest first
    #[arg(long)]
    pub(crate) profile: bool,
    /// Give the least time instead of the median: what other programs on the machine disturb least
    #[arg(long)]
    pub(crate) min: bool,
    /// Do not run the program one operation at a time
    #[arg(long)]
    pub(crate) no_eager: bool,
    /// Measure for about this long per figure, in seconds
    #[arg(long, default_value_t = 0.5)]
    pub(crate) seconds: f64,
}

#[derive(Args)]
#[command(after_help = "\
A file may hold several modules, separated by lines `// -----`. Of each, the function `main` runs, or
every public function without arguments. Every operation is rounded, as what they expect was made
(float mode `exact`).")]
pub(crate) struct CheckArgs {
    /// Files, and folders whose .mlir files are taken
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// What runs them
    #[arg(long, value_enum, default_value_t = Backend::Cpu, env = "WENGERT_BACKEND")]
    pub(crate) backend: Backend,
    /// Change one element of each expected constant in turn: every such program must fail
    #[arg(long)]
    pub(crate) perturb: bool,
    /// Read, verify and print only, do not run
    #[arg(long, conflicts_with = "perturb")]
    pub(crate) no_run: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

/// A number of bytes, alone or with a unit: K, M, G (also KiB, MiB, GiB, in either case), powers of 1024.
fn bytes(text: &str) -> Result<u64, String> {
    let wrong = || format!("`{text}` is not a number of bytes (such as 4096, 512M, 4G or 4GiB)");
    let at = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, unit) = text.split_at(at);
    let shift = match unit.to_ascii_lowercase().as_str() {
        "" => 0,
        "k" | "kib" => 10,
        "m" | "mib" => 20,
        "g" | "gib" => 30,
        _ => return Err(wrong()),
    };
    let n: u64 = digits.parse().map_err(|_| wrong())?;
    n.checked_mul(1 << shift).ok_or_else(|| format!("`{text}` is more bytes than there are addresses"))
}

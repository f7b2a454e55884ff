//! The ways of running a program that must not matter, and their comparison with the reference interpreter.

use super::agreement::{BOUND, BOUND_OF_DERIVATIVES, agree_all};
use super::{Flavor, Program, Rounding};
use crate::mutate::rounding::{is_conditioned, is_steady};
use std::cell::OnceCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use wengert::Tensor;
use wengert_cpu::testing::kernels_of_object;
use wengert_cpu::{Cpu, Executable, ObjectOptions, Wide};
use wengert_ir::array::Array;
use wengert_ir::func::{Func, FuncId, FuncKind, Module};
use wengert_ir::interp::{self, Limits};
use wengert_ir::kernel::{Program as KernelProgram, interp as machine};
use wengert_ir::op::Op;
use wengert_ir::testing::Random;
use wengert_ir::types::FloatMode;
use wengert_passes::cost::{Device, InPlace, Target, Turned};
use wengert_passes::lower::{Options, lower};
use wengert_passes::pipeline::{DEFAULT, PASSES, Pipeline};
use wengert_passes::testing::{Distributed, Repeated, distribute_from, down_columns_from};

/// What must run before a program can be lowered at all.
pub(super) const PREPARE: &str = "inline,custom,legalize";

/// One way of running a program, and what it is compared with.
pub struct Stage {
    /// Its name in reports.
    pub name: &'static str,
    run: fn(&Case<'_>) -> Result<(), String>,
}

type Run<'r> = &'r dyn Fn(&Case<'_>) -> Result<(), String>;

/// Every stage, in order.
pub static STAGES: &[Stage] = &[
    Stage { name: "text", run: text },
    Stage { name: "passes", run: passes },
    Stage { name: "unoptimized", run: unoptimized },
    Stage { name: "optimized", run: optimized },
    Stage { name: "kernels", run: kernels },
    Stage { name: "object", run: object },
    Stage { name: "small", run: small },
    Stage { name: "gpu", run: gpu },
    Stage { name: "ptx", run: ptx },
    Stage { name: "eager", run: eager },
    Stage { name: "modes", run: modes },
    Stage { name: "derivatives", run: super::derivatives::derivatives },
    Stage { name: "jets", run: super::jets::jets },
    Stage { name: "batches", run: super::batches::batches },
    Stage { name: "pairs", run: super::pairs::pairs },
    Stage { name: "sparsity", run: super::sparsity::sparsity },
    Stage { name: "checks", run: super::checks::checks },
];

/// A way in which a program disagrees with itself.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Which stage found it.
    pub stage: &'static str,
    /// How.
    pub detail: String,
}

/// What came of a program.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// All ways agree.
    Agrees,
    /// The interpreter has no evaluation for something in it.
    Skipped(String),
    /// Some do not, and the interpreter does not agree with itself either where sums whose order is not defined are rounded
    /// otherwise: a loop of `18 sin(x)` makes of the last bit of a product all bits of its result.
    IllConditioned(Failure),
    /// Some do not.
    Fails(Failure),
}

/// A program and what the reference interpreter makes of it.
pub(super) struct Case<'p> {
    pub(super) program: &'p Program,
    pub(super) want: Vec<Array>,
    /// What [`DEFAULT`] makes of it, once for all stages that begin with that.
    optimized: OnceCell<(Module, FuncId)>,
    /// The same of [`PREPARE`].
    prepared: OnceCell<(Module, FuncId)>,
}

/// In which ways a program is run.
#[derive(Clone, Copy, Debug)]
pub enum Ways {
    /// All.
    All,
    /// Those of one stage.
    Only(&'static str),
    /// As `jit` compiles it, and of the other stages one in so many, chosen by its seed: of many programs each stage sees its share.
    Share(u64),
}

/// The stage that every program goes through.
const ALWAYS: &str = "optimized";

/// Runs a program in these ways.
pub fn check(program: &Program, ways: Ways) -> Outcome {
    // Not the seed itself, by which stages choose too.
    let turn = Random(program.seed).below(1 << 30) as u64;
    let stages = STAGES.iter().enumerate().filter(|(k, stage)| match ways {
        Ways::All => true,
        Ways::Only(name) => stage.name == name,
        Ways::Share(share) => stage.name == ALWAYS || (*k as u64) % share == turn % share,
    });
    judge(program, stages.map(|(_, stage)| (stage.name, &stage.run as Run<'_>)))
}

fn judge<'r>(program: &Program, stages: impl Iterator<Item = (&'static str, Run<'r>)>) -> Outcome {
    let want = match interpret(&program.module, program.func, &program.args) {
        Ok(want) => want,
        Err(e) => return Outcome::Skipped(e),
    };
    let case = Case { program, want, optimized: OnceCell::new(), prepared: OnceCell::new() };
    let mut outcome = Outcome::Agrees;
    for (stage, run) in stages {
        let ran = catch_unwind(AssertUnwindSafe(|| run(&case)));
        let ran = ran.unwrap_or_else(|cause| {
            let text = cause.downcast_ref::<String>().cloned();
            let text = text.or_else(|| cause.downcast_ref::<&str>().map(|s| (*s).to_owned()));
            Err(format!("panicked: {}", text.unwrap_or_default()))
        });
        if let Err(detail) = ran {
            // What a smooth program is held to holds where it is smooth.
            let (m, f) = (&program.module, program.func);
            let smooth = program.flavor == Flavor::Smooth
                && ["modes", "derivatives", "jets", "pairs"].contains(&stage);
            if smooth && !is_steady(m, f, &program.args, &case.want) {
                continue;
            }
            let failure = Failure { stage, detail };
            if !is_ill_conditioned(program, &case.want) {
                return Outcome::Fails(failure);
            }
            outcome = Outcome::IllConditioned(failure);
        }
    }
    outcome
}

/// Whether the interpreter does not give `want` itself where sums whose order is not defined are rounded otherwise.
fn is_ill_conditioned(program: &Program, want: &[Array]) -> bool {
    let Program { module, func, args, rounding, .. } = program;
    let single = *rounding == Rounding::Single;
    matches!(rounding, Rounding::Bounded | Rounding::Single)
        && !is_conditioned(module, *func, args, want, single)
}

/// Whether a disagreement of the program would be no failure ([`Outcome::IllConditioned`]). Panics if it cannot be interpreted.
pub fn is_excused(program: &Program) -> bool {
    let want = interpret(&program.module, program.func, &program.args).expect("it runs");
    is_ill_conditioned(program, &want)
}

pub(super) fn interpret(m: &Module, f: FuncId, args: &[Array]) -> Result<Vec<Array>, String> {
    interp::run(m, f, args, &Limits::default()).map_err(|e| e.to_string())
}

/// Lowers, compiles and runs a function, with vectors of one of two lengths.
pub(super) fn compiled(m: &Module, f: FuncId, args: &[Array], wide: Wide) -> Result<Vec<Array>, String> {
    run_compiled(&lower(m, f, &Options::default()).map_err(|e| e.to_string())?, args, wide)
}

fn run_compiled(program: &KernelProgram, args: &[Array], wide: Wide) -> Result<Vec<Array>, String> {
    let code = Executable::compile(program, &wengert_cpu::Options { wide: Some(wide), ..Default::default() })
        .map_err(|e| e.to_string())?;
    let args: Vec<&[u8]> = args.iter().map(Array::bytes).collect();
    let mut results: Vec<Array> = program.results.iter().map(|ty| Array::zeros(ty.clone())).collect();
    let mut slices: Vec<&mut [u8]> = results.iter_mut().map(Array::bytes_mut).collect();
    code.call(&args, &mut slices).map_err(|e| e.to_string())?;
    Ok(results)
}

/// Those of half of the programs are shorter than the machine may have.
pub(super) fn vectors(seed: u64) -> Wide {
    if (seed / 8).is_multiple_of(2) { Wide::Zmm } else { Wide::Ymm }
}

pub(super) fn piped(m: &mut Module, f: FuncId, passes: &str) -> FuncId {
    Pipeline::parse(passes).expect("passes of the table").run(m, f, &mut |_| {})
}

impl Case<'_> {
    /// The program as `jit` optimizes it, or with no more than lowering needs.
    fn piped(&self, is_optimized: bool) -> (&Module, FuncId) {
        let (known, passes) =
            if is_optimized { (&self.optimized, DEFAULT) } else { (&self.prepared, PREPARE) };
        let (m, f) = known.get_or_init(|| {
            let mut m = self.program.module.clone();
            let f = piped(&mut m, self.program.func, passes);
            (m, f)
        });
        (m, *f)
    }

    /// To the bit, or within the bound where rounding is not defined.
    pub(super) fn compare(&self, what: &str, got: Result<Vec<Array>, String>) -> Result<(), String> {
        agree_all(what, got, &self.want, self.program.rounding, BOUND)
    }
}

/// The kernels that a GPU would be given, from their PTX text. One program in four: the rest of the way there is that of others.
fn ptx(case: &Case<'_>) -> Result<(), String> {
    if case.program.seed % 4 != 1 {
        return Ok(());
    }
    there(&wengert_gpu::drivers::reference::device().0, case)
}

/// A program on a device.
fn there(device: &wengert_gpu::Device, case: &Case<'_>) -> Result<(), String> {
    let (m, f) = case.piped(true);
    let options = Options { target: &Target::GPU, ..Options::default() };
    let program = lower(m, f, &options).map_err(|e| format!("for a GPU: {e}"))?;
    let name = device.name();
    let executable = wengert_gpu::Executable::load(device, &program).map_err(|e| format!("{name}: {e}"))?;
    let bytes: Vec<&[u8]> = case.program.args.iter().map(Array::bytes).collect();
    let got = executable.call_bytes(&bytes).map_err(|e| format!("{name}: {e}"))?;
    let arrays = got.iter().zip(&program.results).map(|(b, ty)| Array::from_bytes(ty.clone(), b));
    case.compare(&format!("on {name}"), Ok(arrays.collect()))
}

/// Runs a program on a device, and compares it with the reference interpreter.
pub fn on_device(device: &wengert_gpu::Device, program: &Program) -> Outcome {
    let run = |case: &Case<'_>| there(device, case);
    judge(program, std::iter::once(("device", &run as Run<'_>)))
}

/// Printed and parsed again it verifies and computes the same.
fn text(case: &Case<'_>) -> Result<(), String> {
    let p = case.program;
    let parsed = reparse(&p.module, p.func)?;
    let main = parsed.find("main").ok_or("main is lost")?;
    case.compare("text", interpret(&parsed, main, &p.args))
}

fn reparse(m: &Module, f: FuncId) -> Result<Module, String> {
    let text = printed(m, f);
    wengert_ir::text::parse(&text).map_err(|e| format!("{e}"))
}

/// The program as StableHLO text, its function called `main`.
pub fn printed(m: &Module, f: FuncId) -> String {
    let (mut alone, roots) = m.reachable(&[f]);
    let mut main = Func::clone(&alone.get(roots[0]));
    main.name = "main".to_owned();
    main.kind = FuncKind::Public;
    alone.funcs[roots[0]] = std::sync::Arc::new(main);
    wengert_ir::text::print(&alone, &Default::default())
}

/// Each pass alone, and each step of the default pipeline, keeps what the program computes, verifies, and prints text that
/// parses.
fn passes(case: &Case<'_>) -> Result<(), String> {
    let p = case.program;
    for pass in PASSES {
        let mut m = p.module.clone();
        let f = piped(&mut m, p.func, pass.name);
        case.compare(pass.name, interpret(&m, f, &p.args))?;
        verified(pass.name, &m, f)?;
    }
    let mut m = p.module.clone();
    let mut f = p.func;
    for (k, name) in DEFAULT.split(',').enumerate() {
        let before = f;
        f = piped(&mut m, f, name);
        if f != before {
            case.compare(&format!("step {k} of the pipeline, {name}"), interpret(&m, f, &p.args))?;
            verified(name, &m, f)?;
        }
        // Whatever the sizes, of which programs here have none that pay.
        let anywhere: fn(&mut Module, FuncId) -> FuncId = match name {
            "distribute" => |m, f| distribute_from(m, f, &Distributed::NONE),
            "layout" => |m, f| down_columns_from(m, f, Repeated::NONE),
            _ => continue,
        };
        let mut m = m.clone();
        let f = anywhere(&mut m, before);
        if f != before {
            case.compare(&format!("{name} whatever the sizes"), interpret(&m, f, &p.args))?;
            verified(name, &m, f)?;
        }
    }
    Ok(())
}

pub(super) fn verified(what: &str, m: &Module, f: FuncId) -> Result<(), String> {
    let (alone, _) = m.reachable(&[f]);
    wengert_ir::verify::verify(&alone).map_err(|errors| {
        let all: Vec<String> = errors.iter().map(ToString::to_string).collect();
        format!("{what}: {}", all.join("; "))
    })
}

/// Compiled without what makes it fast.
fn unoptimized(case: &Case<'_>) -> Result<(), String> {
    let p = case.program;
    let (m, f) = case.piped(false);
    case.compare("unoptimized", compiled(m, f, &p.args, vectors(p.seed)))
}

/// Compiled as `jit` does.
fn optimized(case: &Case<'_>) -> Result<(), String> {
    let p = case.program;
    let (m, f) = case.piped(true);
    case.compare("optimized", compiled(m, f, &p.args, vectors(p.seed)))
}

/// A CPU to which little is much: loops are cut for threads, tiled, cut into strips and made piece by piece at sizes that random
/// programs have.
const SMALL_CPU: Target = Target {
    leap: 4,
    tile: [2, 4],
    near_bytes: 256,
    narrow: 4,
    piece_bytes: 512,
    pieces: 2,
    piece_rows: [2, 8],
    slots: 4,
    slot_pieces: 2,
    row: 32,
    turned: Turned { longest: 64, fewest: 2, across: 1, across_bytes: 1, bytes: 64, least: 2, most: 4 },
    grain: 64,
    least_piece: 64,
    unrolled: 2,
    kernel_values: 8,
    blocks: 2,
    accumulators: 128,
    ..Target::CPU
};

/// The same with all windows multiplied where they lie that have rows or a sum together.
const SMALL_TOGETHER: Target = Target {
    in_place: InPlace { rows: 1, least_columns: usize::MAX, sum: 1, columns: 1, near: 1 << 20 },
    ..SMALL_CPU
};

/// The same with all.
const SMALL_IN_PLACE: Target = Target {
    in_place: InPlace { rows: 1, least_columns: 1, sum: 1, columns: 1, near: 1 << 20 },
    ..SMALL_CPU
};

/// Lowered for a CPU to which little is much: compiled, and by the interpreter of kernels. One program in two.
fn small(case: &Case<'_>) -> Result<(), String> {
    let p = case.program;
    if p.seed % 2 == 1 {
        return Ok(());
    }
    let (m, f) = case.piped(p.seed.is_multiple_of(4));
    let registers = p.seed.is_multiple_of(8).then_some(1);
    let target = [&SMALL_CPU, &SMALL_CPU, &SMALL_IN_PLACE, &SMALL_TOGETHER][(p.seed % 16 / 4) as usize];
    let options = Options { target, registers, ..Options::default() };
    let program = lower(m, f, &options).map_err(|e| format!("small: {e}"))?;
    wengert_ir::kernel::verify::verify(&program).map_err(|e| format!("small: {}", e.join("; ")))?;
    let way = machine::Options {
        piece: Some(7),
        backwards: p.seed.is_multiple_of(3),
        unwritten: unwritten(p.seed),
    };
    case.compare("small", machine::run_with(&program, &p.args, way).map_err(|e| e.to_string()))?;
    case.compare("small, compiled", run_compiled(&program, &p.args, vectors(p.seed)))
}

/// What memory is that nobody has written: nothing may depend on it, be it NaN, zero or a number.
fn unwritten(seed: u64) -> u8 {
    [machine::UNDEFINED, 0, 0x3e][(seed / 32 % 3) as usize]
}

/// Lowered in a way that the seed chooses, and run by the interpreter of kernels, which watches over bounds and overlaps.
fn kernels(case: &Case<'_>) -> Result<(), String> {
    let p = case.program;
    let (m, f) = case.piped(p.seed.is_multiple_of(2));
    let (options, way) = match p.seed / 2 % 4 {
        0 => (
            Options { parallel: true, registers: None, ..Options::default() },
            machine::Options { piece: None, backwards: false, unwritten: unwritten(p.seed) },
        ),
        1 => (
            Options { parallel: false, registers: Some(1), ..Options::default() },
            machine::Options { piece: None, backwards: true, unwritten: unwritten(p.seed) },
        ),
        2 => (
            Options { parallel: true, registers: Some(1), ..Options::default() },
            machine::Options { piece: Some(700), backwards: true, unwritten: unwritten(p.seed) },
        ),
        _ => (
            Options { parallel: false, registers: Some(8), ..Options::default() },
            machine::Options { piece: None, backwards: false, unwritten: unwritten(p.seed) },
        ),
    };
    let what = format!("{options:?}, {way:?}");
    let program = lower(m, f, &options).map_err(|e| e.to_string())?;
    wengert_ir::kernel::verify::verify(&program).map_err(|e| format!("{what}: {}", e.join("; ")))?;
    case.compare(&what, machine::run_with(&program, &p.args, way).map_err(|e| e.to_string()))
}

/// A device of small blocks, few of them, to which everything is worth a launch, and which has no library.
const SMALL: Target = Target {
    device: Some(Device { threads: 8, blocks: 3, alone: 0, trip: 0, totals: 16, products: false }),
    ..Target::GPU
};

/// The kernels of an object, for which products and functions of the library are loops, run by the interpreter. One program in two.
fn object(case: &Case<'_>) -> Result<(), String> {
    let p = case.program;
    if p.seed.is_multiple_of(2) {
        return Ok(());
    }
    let (m, f) = case.piped(p.seed % 4 == 1);
    let registers = (p.seed % 8 < 4).then_some(1);
    let program = lower(m, f, &Options { registers, ..Options::default() }).map_err(|e| e.to_string())?;
    // Without a multiply-add there are no tiles.
    let cpu = if p.seed % 16 == 1 { Cpu::Baseline } else { Cpu::Native };
    let options = ObjectOptions { cpu, ..ObjectOptions::new("f") };
    let program = kernels_of_object(&program, &options).map_err(|e| e.to_string())?;
    wengert_ir::kernel::verify::verify(&program).map_err(|e| format!("object: {}", e.join("; ")))?;
    let way =
        machine::Options { piece: None, backwards: p.seed.is_multiple_of(3), unwritten: unwritten(p.seed) };
    case.compare("object", machine::run_with(&program, &p.args, way).map_err(|e| e.to_string()))
}

/// Lowered for a GPU and run by the interpreter of kernels, which watches over races too.
fn gpu(case: &Case<'_>) -> Result<(), String> {
    let p = case.program;
    let (m, f) = case.piped(p.seed.is_multiple_of(2));
    let (target, registers) = match p.seed / 2 % 3 {
        0 => (&Target::GPU, None),
        1 => (&SMALL, Some(1)),
        _ => (&Target::GPU, Some(1)),
    };
    let options = Options { target, registers, ..Options::default() };
    let way =
        machine::Options { piece: None, backwards: p.seed.is_multiple_of(3), unwritten: unwritten(p.seed) };
    let what = format!("a GPU, {:?}, {registers:?}, {way:?}", target.device);
    let program = lower(m, f, &options).map_err(|e| format!("{what}: {e}"))?;
    wengert_ir::kernel::verify::verify(&program).map_err(|e| format!("{what}: {}", e.join("; ")))?;
    case.compare(&what, machine::run_with(&program, &p.args, way).map_err(|e| e.to_string()))
}

/// Operation by operation, as outside `jit`.
fn eager(case: &Case<'_>) -> Result<(), String> {
    let p = case.program;
    let traced = wengert::stages::Traced::new(p.module.clone(), p.func);
    let args: Vec<Tensor> = p.args.iter().cloned().map(Tensor::from).collect();
    let got = traced.run_eagerly(&args).map(|r| r.iter().map(Tensor::to_array).collect());
    case.compare("eager", got.map_err(|e| e.to_string()))
}

/// The mode that may round otherwise in which a program is compared.
pub fn loose_mode(seed: u64) -> FloatMode {
    if seed.is_multiple_of(2) { FloatMode::Default } else { FloatMode::Relaxed }
}

/// Under the modes that may round otherwise, compiled code does what the kernels say; smooth programs change little.
fn modes(case: &Case<'_>) -> Result<(), String> {
    let p = case.program;
    let mode = loose_mode(p.seed);
    let mut m = p.module.clone();
    m.mode = mode;
    let f = piped(&mut m, p.func, DEFAULT);
    let program = lower(&m, f, &Options::default()).map_err(|e| format!("{mode:?}: {e}"))?;
    let got = run_compiled(&program, &p.args, vectors(p.seed)).map_err(|e| format!("{mode:?}: {e}"))?;
    if p.flavor == Flavor::Smooth {
        agree_all(
            &format!("{mode:?}"),
            Ok(got.clone()),
            &case.want,
            Rounding::Bounded,
            BOUND_OF_DERIVATIVES,
        )?;
    }
    if p.rounding == Rounding::Defined {
        // The text of the optimized program says what runs: nothing is rounded otherwise after it, but for contractions.
        if !m
            .reachable(&[f])
            .0
            .funcs
            .values()
            .any(|f| f.insts.values().any(|i| matches!(i.op, Op::DotGeneral(_))))
        {
            match interpret(&m, f, &p.args) {
                Ok(text) => agree_all(
                    &format!("{mode:?}, compiled against its text"),
                    Ok(got.clone()),
                    &text,
                    p.rounding,
                    BOUND,
                )?,
                // What a loop that never runs has, passes move out of it, and the interpreter makes whole what code never stores.
                Err(e) if p.flavor == Flavor::Wild && e.contains("more than this machine has") => {}
                Err(e) => return Err(e),
            }
        }
        let kernels = machine::run(&program, &p.args).map_err(|e| e.to_string())?;
        agree_all(&format!("{mode:?}, compiled against kernels"), Ok(got), &kernels, p.rounding, BOUND)?;
    }
    Ok(())
}

//! The ways of running a program that must not matter, and their comparison with the reference interpreter.

use super::checkpointed::{self, Given};
use super::{Flavor, Program, Rounding, values};
use crate::mutate::judge::SHORT;
use crate::mutate::rounding::{self, is_steady};
use std::panic::{AssertUnwindSafe, catch_unwind};
use wengert::Tensor;
use wengert_cpu::{Executable, Wide};
use wengert_ir::array::Array;
use wengert_ir::func::{Func, FuncId, FuncKind, Module};
use wengert_ir::interp::{self, Limits};
use wengert_ir::kernel::interp as machine;
use wengert_ir::op::Op;
use wengert_ir::rules::EvalError;
use wengert_ir::testing::{Random, floats, numbers};
use wengert_ir::types::{DType, FloatMode, TensorType};
use wengert_passes::ad;
use wengert_passes::cost::{Device, Target};
use wengert_passes::lower::{Options, lower};
use wengert_passes::pipeline::{DEFAULT, PASSES, Pipeline};

/// How far results of programs with contractions, Fourier transforms or factorizations may differ, relative to the largest
/// element of the result: of `f64`, and of `f32`.
pub const BOUND: [f64; 2] = [1e-8, 2e-3];

/// How far derivatives by forward and reverse mode may differ, and what the relaxed mode makes of smooth programs.
pub const BOUND_OF_DERIVATIVES: [f64; 2] = [1e-7, 1e-2];

/// What must run before a program can be lowered at all.
const PREPARE: &str = "inline,custom,legalize";

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
    Stage { name: "gpu", run: gpu },
    Stage { name: "ptx", run: ptx },
    Stage { name: "eager", run: eager },
    Stage { name: "modes", run: modes },
    Stage { name: "derivatives", run: derivatives },
    Stage { name: "jets", run: super::jets::jets },
    Stage { name: "batches", run: batches },
    Stage { name: "sparsity", run: sparsity },
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
    /// Some do not.
    Fails(Failure),
}

/// A program and what the reference interpreter makes of it.
pub(super) struct Case<'p> {
    pub(super) program: &'p Program,
    pub(super) want: Vec<Array>,
}

/// Runs a program in every way, or in those of one stage.
pub fn check(program: &Program, only: Option<&str>) -> Outcome {
    let stages = STAGES.iter().filter(|s| only.is_none_or(|o| o == s.name));
    judge(program, stages.map(|stage| (stage.name, &stage.run as Run<'_>)))
}

fn judge<'r>(program: &Program, stages: impl Iterator<Item = (&'static str, Run<'r>)>) -> Outcome {
    let want = match interpret(&program.module, program.func, &program.args) {
        Ok(want) => want,
        Err(e) => return Outcome::Skipped(e),
    };
    let case = Case { program, want };
    for (stage, run) in stages {
        let outcome = catch_unwind(AssertUnwindSafe(|| run(&case)));
        let outcome = outcome.unwrap_or_else(|cause| {
            let text = cause.downcast_ref::<String>().cloned();
            let text = text.or_else(|| cause.downcast_ref::<&str>().map(|s| (*s).to_owned()));
            Err(format!("panicked: {}", text.unwrap_or_default()))
        });
        if let Err(detail) = outcome {
            // What a smooth program is held to holds where it is smooth.
            let (m, f) = (&program.module, program.func);
            let smooth =
                program.flavor == Flavor::Smooth && ["modes", "derivatives", "jets"].contains(&stage);
            if smooth && !is_steady(m, f, &program.args, &case.want) {
                continue;
            }
            return Outcome::Fails(Failure { stage, detail });
        }
    }
    Outcome::Agrees
}

pub(super) fn interpret(m: &Module, f: FuncId, args: &[Array]) -> Result<Vec<Array>, String> {
    interp::run(m, f, args, &Limits::default()).map_err(|e| e.to_string())
}

/// Lowers, compiles and runs a function, with vectors of one of two lengths.
pub(super) fn compiled(m: &Module, f: FuncId, args: &[Array], wide: Wide) -> Result<Vec<Array>, String> {
    let program = lower(m, f, &Options::default()).map_err(|e| e.to_string())?;
    let code =
        Executable::compile(&program, &wengert_cpu::Options { wide: Some(wide), ..Default::default() })
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
    /// To the bit, or within the bound where rounding is not defined.
    fn compare(&self, what: &str, got: Result<Vec<Array>, String>) -> Result<(), String> {
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
    let Program { module, func, args, .. } = case.program;
    let mut m = module.clone();
    let f = piped(&mut m, *func, DEFAULT);
    let options = Options { target: &Target::GPU, ..Options::default() };
    let program = lower(&m, f, &options).map_err(|e| format!("for a GPU: {e}"))?;
    let name = device.name();
    let executable = wengert_gpu::Executable::load(device, &program).map_err(|e| format!("{name}: {e}"))?;
    let bytes: Vec<&[u8]> = args.iter().map(Array::bytes).collect();
    let got = executable.call_bytes(&bytes).map_err(|e| format!("{name}: {e}"))?;
    let arrays = got.iter().zip(&program.results).map(|(b, ty)| Array::from_bytes(ty.clone(), b));
    case.compare(&format!("on {name}"), Ok(arrays.collect()))
}

/// Runs a program on a device, and compares it with the reference interpreter.
pub fn on_device(device: &wengert_gpu::Device, program: &Program) -> Outcome {
    let run = |case: &Case<'_>| there(device, case);
    judge(program, std::iter::once(("device", &run as Run<'_>)))
}

pub(super) fn agree_all(
    what: &str,
    got: Result<Vec<Array>, String>,
    want: &[Array],
    rounding: Rounding,
    bound: [f64; 2],
) -> Result<(), String> {
    let got = got.map_err(|e| format!("{what}: {e}"))?;
    if got.len() != want.len() {
        return Err(format!("{what}: {} results instead of {}", got.len(), want.len()));
    }
    for (k, (got, want)) in got.iter().zip(want).enumerate() {
        match rounding {
            Rounding::Defined => agree(got, want, None),
            Rounding::Bounded => agree(got, want, Some(bound)),
            Rounding::Single => agree(got, want, Some([bound[1]; 2])),
            Rounding::Unbounded if got.ty() == want.ty() => Ok(()),
            Rounding::Unbounded => Err(format!("{} instead of {}", got.ty(), want.ty())),
        }
        .map_err(|e| format!("{what}: result {k}: {e}"))?;
    }
    Ok(())
}

/// Whether two arrays agree, all NaN being one; else where they do not.
pub fn agree(got: &Array, want: &Array, bound: Option<[f64; 2]>) -> Result<(), String> {
    if got.ty() != want.ty() {
        return Err(format!("{} instead of {}", got.ty(), want.ty()));
    }
    if got.bytes() == want.bytes() {
        return Ok(());
    }
    if !got.dtype().is_float() && !got.dtype().is_complex() {
        let size = got.bytes().len() / got.ty().elements();
        let pairs = got.bytes().chunks(size).zip(want.bytes().chunks(size));
        let k = pairs.take_while(|(x, y)| x == y).count();
        let element = |a: &Array| {
            Array::from_bytes(TensorType::scalar(a.dtype()), &a.bytes()[k * size..(k + 1) * size])
        };
        return Err(format!("element {k}: {:?} instead of {:?}", element(got), element(want)));
    }
    let bound = bound.map(|[double, single]| if got.dtype() == DType::F64 { double } else { single });
    let (got, want) = (wide(got), wide(want));
    let largest = want.iter().map(|x| x.abs()).filter(|x| x.is_finite()).fold(1e-3, f64::max);
    for (k, (&x, &y)) in got.iter().zip(&want).enumerate() {
        let same = x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan();
        if !same && !bound.is_some_and(|b| (x - y).abs() <= b * largest) {
            return Err(format!("element {k}: {x:e} instead of {y:e}"));
        }
    }
    Ok(())
}

/// The elements, or parts of elements, as `f64`.
pub fn wide(a: &Array) -> Vec<f64> {
    let a = match a.dtype() {
        DType::C64 => Array::from_bytes(TensorType::new(DType::F32, &[2 * a.ty().elements()]), a.bytes()),
        DType::C128 => Array::from_bytes(TensorType::new(DType::F64, &[2 * a.ty().elements()]), a.bytes()),
        _ => a.clone(),
    };
    floats(&wengert_ir::ops::convert(&a, DType::F64).expect("floats widen"))
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
    let mut m = p.module.clone();
    let f = piped(&mut m, p.func, PREPARE);
    case.compare("unoptimized", compiled(&m, f, &p.args, vectors(p.seed)))
}

/// Compiled as `jit` does.
fn optimized(case: &Case<'_>) -> Result<(), String> {
    let p = case.program;
    let mut m = p.module.clone();
    let f = piped(&mut m, p.func, DEFAULT);
    case.compare("optimized", compiled(&m, f, &p.args, vectors(p.seed)))
}

/// Lowered in a way that the seed chooses, and run by the interpreter of kernels, which watches over bounds and overlaps.
fn kernels(case: &Case<'_>) -> Result<(), String> {
    let p = case.program;
    let mut m = p.module.clone();
    let f = piped(&mut m, p.func, if p.seed.is_multiple_of(2) { DEFAULT } else { PREPARE });
    let (options, way) = match p.seed / 2 % 4 {
        0 => (
            Options { parallel: true, registers: None, ..Options::default() },
            machine::Options { piece: None, backwards: false },
        ),
        1 => (
            Options { parallel: false, registers: Some(1), ..Options::default() },
            machine::Options { piece: None, backwards: true },
        ),
        2 => (
            Options { parallel: true, registers: Some(1), ..Options::default() },
            machine::Options { piece: Some(700), backwards: true },
        ),
        _ => (
            Options { parallel: false, registers: Some(8), ..Options::default() },
            machine::Options { piece: None, backwards: false },
        ),
    };
    let what = format!("{options:?}, {way:?}");
    let program = lower(&m, f, &options).map_err(|e| e.to_string())?;
    wengert_ir::kernel::verify::verify(&program).map_err(|e| format!("{what}: {}", e.join("; ")))?;
    case.compare(&what, machine::run_with(&program, &p.args, way).map_err(|e| e.to_string()))
}

/// A device of small blocks, few of them, to which everything is worth a launch, and which has no library.
const SMALL: Target = Target {
    device: Some(Device { threads: 8, blocks: 3, alone: 0, trip: 0, totals: 16, products: false }),
    ..Target::GPU
};

/// Lowered for a GPU and run by the interpreter of kernels, which watches over races too.
fn gpu(case: &Case<'_>) -> Result<(), String> {
    let p = case.program;
    let mut m = p.module.clone();
    let f = piped(&mut m, p.func, if p.seed.is_multiple_of(2) { DEFAULT } else { PREPARE });
    let (target, registers) = match p.seed / 2 % 3 {
        0 => (&Target::GPU, None),
        1 => (&SMALL, Some(1)),
        _ => (&Target::GPU, Some(1)),
    };
    let options = Options { target, registers, ..Options::default() };
    let way = machine::Options { piece: None, backwards: p.seed.is_multiple_of(3) };
    let what = format!("a GPU, {:?}, {registers:?}, {way:?}", target.device);
    let program = lower(&m, f, &options).map_err(|e| format!("{what}: {e}"))?;
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
    let got = compiled(&m, f, &p.args, vectors(p.seed)).map_err(|e| format!("{mode:?}: {e}"))?;
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
        let program = lower(&m, f, &Options::default()).map_err(|e| e.to_string())?;
        let kernels = machine::run(&program, &p.args).map_err(|e| e.to_string())?;
        agree_all(&format!("{mode:?}, compiled against kernels"), Ok(got), &kernels, p.rounding, BOUND)?;
    }
    Ok(())
}

/// Forward mode, linearization and reverse mode keep the value, agree with each other on smooth programs, and stay what they
/// are when optimized and compiled.
fn derivatives(case: &Case<'_>) -> Result<(), String> {
    let p = case.program;
    let mut m = p.module.clone();
    let active: Vec<bool> = p.args.iter().map(|a| a.dtype().is_float()).collect();
    let marked: Vec<bool> = case.want.iter().map(|r| r.dtype().is_float()).collect();
    if !active.contains(&true) || !marked.contains(&true) {
        return Ok(());
    }
    let n = case.want.len();
    let back = match ad::vjp(&mut m, p.func, &active, &marked) {
        Ok(back) => back,
        // Not everything in a wild program has a derivative.
        Err(_) if p.flavor == Flavor::Wild => return Ok(()),
        Err(e) => return Err(format!("vjp: {e}")),
    };
    let mut random = Random(p.seed ^ 0xd1f);
    let mut seeds = |of: &[Array], which: &[bool]| -> Vec<Array> {
        let chosen = of.iter().zip(which).filter(|(_, w)| **w);
        chosen
            .map(|(a, _)| numbers(a.ty(), (0..a.ty().elements()).map(|_| random.uniform(-1.0, 1.0))))
            .collect()
    };
    let (cotangents, tangents) = (seeds(&case.want, &marked), seeds(&p.args, &active));
    let args = [&p.args[..], &cotangents].concat();
    let limits = Limits { max_memory: p.memory, ..Limits::default() };
    let run = |m: &Module, f, args: &[Array]| match interp::run(m, f, args, &limits) {
        Err(EvalError::Memory(_)) => Ok(None),
        out => out.map(Some).map_err(|e| e.to_string()),
    };
    let Some(reverse) = run(&m, back, &args).map_err(|e| format!("vjp: {e}"))? else { return Ok(()) };
    case.compare("value of vjp", Ok(reverse[..n].to_vec()))?;

    let forward = ad::jvp(&mut m, p.func, &active).map_err(|e| format!("jvp: {e}"))?;
    let pushed = run(&m, forward, &[&p.args[..], &tangents].concat()).map_err(|e| format!("jvp: {e}"))?;
    let Some(pushed) = pushed else { return Ok(()) };
    case.compare("value of jvp", Ok(pushed[..n].to_vec()))?;
    if p.flavor == Flavor::Smooth {
        let (left, size) = dot(&cotangents, &pushed[n..]);
        let (right, other) = dot(&reverse[n..], &tangents);
        let single = p.args.iter().chain(&case.want).any(|a| a.dtype() == DType::F32);
        let bound = BOUND_OF_DERIVATIVES[single as usize];
        let near = (left - right).abs() <= bound * (1e-3 + size + other);
        if !near {
            return Err(format!("<c, J t> = {left:e}, but <J^T c, t> = {right:e}"));
        }
        if !single {
            differences(case, &tangents, &pushed[n..])?;
            if p.seed % 16 == 3 {
                second_order(&mut m, back, &args, &active, n, &tangents, &mut seeds)?;
            }
        }
    }

    if p.flavor == Flavor::Smooth && p.seed % 4 == 1 {
        let given = Given { active: &active, marked: &marked, args: &args, reverse: &reverse };
        checkpointed::derivatives(&mut m, p, &given, &[&p.args[..], &tangents].concat(), &pushed)?;
    }

    // The transpose of a contraction of few bits has many.
    if p.flavor == Flavor::Wild
        && m.funcs.values().any(|f| f.insts.values().any(|i| matches!(i.op, Op::DotGeneral(_))))
    {
        return Ok(());
    }
    // Sums that the value forgives their rounding the derivative may not.
    let rounding = match (p.flavor, p.rounding) {
        (Flavor::Wild, Rounding::Bounded | Rounding::Single) => {
            let Some(found) = rounding::of(&m, back, &args) else { return Ok(()) };
            found
        }
        _ => p.rounding,
    };
    for (what, passes) in [("vjp, unoptimized", PREPARE), ("vjp, optimized", DEFAULT)] {
        let f = piped(&mut m, back, passes);
        agree_all(what, interpret(&m, f, &args), &reverse, rounding, BOUND_OF_DERIVATIVES)?;
        agree_all(what, compiled(&m, f, &args, vectors(p.seed)), &reverse, rounding, BOUND_OF_DERIVATIVES)
            .map_err(|e| format!("compiled {e}"))?;
    }
    if p.flavor == Flavor::Smooth {
        m.mode = if p.seed % 8 < 4 { FloatMode::Default } else { FloatMode::Relaxed };
        let f = piped(&mut m, back, DEFAULT);
        let got = compiled(&m, f, &args, vectors(p.seed));
        agree_all(&format!("vjp, {:?}", m.mode), got, &reverse, Rounding::Bounded, BOUND_OF_DERIVATIVES)?;
    }
    Ok(())
}

/// A product of the Jacobian with a unit vector has numbers other than zero only where the pattern says that it may.
fn sparsity(case: &Case<'_>) -> Result<(), String> {
    /// Unit vectors that are tried.
    const VECTORS: usize = 4;
    let p = case.program;
    let mut m = p.module.clone();
    let active: Vec<bool> = p.args.iter().map(|a| a.dtype().is_float()).collect();
    let marked: Vec<bool> = case.want.iter().map(|r| r.dtype().is_float()).collect();
    let columns: usize = p.args.iter().filter(|a| a.dtype().is_float()).map(|a| a.ty().elements()).sum();
    let rows: usize = case.want.iter().filter(|r| r.dtype().is_float()).map(|r| r.ty().elements()).sum();
    if columns == 0 || rows == 0 || rows.max(columns) > 4096 {
        return Ok(());
    }
    // A type of powers of two has no zero to be found.
    let powers =
        |f: &Func| f.values.values().any(|v| v.ty.as_tensor().is_some_and(|t| t.dtype == DType::F8E8M0FNU));
    if m.funcs.values().any(|f| powers(f)) {
        return Ok(());
    }
    let mut random = Random(p.seed ^ 0x59a2);
    // Arguments that are not differentiated by are known, or are not.
    let known: Vec<Option<Array>> =
        p.args.iter().map(|a| (!a.dtype().is_float() && random.below(2) == 0).then(|| a.clone())).collect();
    let pattern = match wengert_passes::sparsity::pattern(&mut m, p.func, &active, &marked, &known) {
        Ok(pattern) => pattern,
        Err(_) if p.flavor == Flavor::Wild => return Ok(()),
        Err(e) => return Err(format!("pattern: {e}")),
    };
    if (pattern.rows(), pattern.columns) != (rows, columns) {
        return Err(format!(
            "a pattern of {} x {}, a Jacobian of {rows} x {columns}",
            pattern.rows(),
            pattern.columns
        ));
    }
    let forward = ad::jvp(&mut m, p.func, &active).map_err(|e| format!("jvp: {e}"))?;
    let limits = Limits { max_memory: p.memory, ..Limits::default() };
    for _ in 0..VECTORS {
        let column = random.below(columns);
        let mut first = 0;
        let floats = p.args.iter().filter(|a| a.dtype().is_float());
        let unit = floats.map(|a| {
            let from = first;
            first += a.ty().elements();
            numbers(a.ty(), (from..first).map(|k| if k == column { 1.0 } else { 0.0 }))
        });
        let args: Vec<Array> = p.args.iter().cloned().chain(unit.collect::<Vec<_>>()).collect();
        let Ok(pushed) = interp::run(&m, forward, &args, &limits) else { return Ok(()) };
        let floats = pushed[case.want.len()..].iter().filter(|a| a.dtype().is_float());
        // What is not finite comes from infinities times zero.
        for (row, value) in floats.flat_map(wide).enumerate() {
            if value.is_finite() && value != 0.0 && pattern.row(row).binary_search(&(column as u32)).is_err()
            {
                return Err(format!(
                    "the derivative of {row} by {column} is {value:e}, and the pattern says zero"
                ));
            }
        }
    }
    Ok(())
}

/// On a batch it computes what it computes of each example, interpreted and compiled.
fn batches(case: &Case<'_>) -> Result<(), String> {
    const SIZE: usize = 3;
    let p = case.program;
    let mut random = Random(p.seed ^ 0xba7c);
    let types: Vec<TensorType> = p.args.iter().map(|a| a.ty().clone()).collect();
    let mut mapped: Vec<Option<usize>> = types
        .iter()
        .map(|t| (!random.chance(30)).then(|| if random.chance(70) { 0 } else { random.below(t.rank() + 1) }))
        .collect();
    if let (Some(first), false) = (mapped.first_mut(), random.chance(10)) {
        *first = Some(0);
    }
    // The program's own arguments, and others where they differ.
    let examples: Vec<Vec<Array>> = (0..SIZE)
        .map(|k| {
            let others = values::of_types(&types, &mut random, false);
            let of = p.args.iter().zip(others).zip(&mapped);
            of.map(|((own, other), m)| if k > 0 && m.is_some() { other } else { own.clone() }).collect()
        })
        .collect();
    let mut want: Vec<Vec<Array>> = Vec::new();
    let mut exact = p.rounding;
    for args in &examples {
        // Other arguments may be refused, take too long, or round where the program's own do not.
        let limits = if p.flavor == Flavor::Wild { SHORT } else { Limits::default() };
        let Ok(results) = interp::run(&p.module, p.func, args, &limits) else { return Ok(()) };
        want.push(results);
        if p.flavor == Flavor::Wild {
            let Some(found) = rounding::of(&p.module, p.func, args) else { return Ok(()) };
            exact = exact.max(found);
        }
    }
    let mut m = p.module.clone();
    let out: Vec<Option<usize>> = want[0].iter().map(|r| Some(random.below(r.shape().len() + 1))).collect();
    let f = match wengert_passes::batch::vmap(&mut m, p.func, &mapped, SIZE, &out, None) {
        Ok(f) => f,
        Err(_) if p.flavor == Flavor::Wild => return Ok(()),
        Err(e) => return Err(format!("vmap: {e}")),
    };
    verified("vmap", &m, f)?;
    let column = |of: &[Vec<Array>], k: usize, dim: usize| -> Array {
        let parts: Vec<Array> = of
            .iter()
            .map(|example| {
                let mut shape = example[k].shape().to_vec();
                shape.insert(dim, 1);
                Array::from_bytes(example[k].ty().with_shape(&shape), example[k].bytes())
            })
            .collect();
        wengert_ir::testing::eval_op(wengert_ir::op::Concatenate { dim }, &parts).remove(0)
    };
    let args: Vec<Array> = (mapped.iter().enumerate())
        .map(|(k, dim)| dim.map_or_else(|| p.args[k].clone(), |dim| column(&examples, k, dim)))
        .collect();
    let want: Vec<Array> =
        out.iter().enumerate().map(|(k, dim)| column(&want, k, dim.expect("each has one"))).collect();
    agree_all("batch", interpret(&m, f, &args), &want, exact, BOUND)?;
    for (what, passes) in [("batch, unoptimized", PREPARE), ("batch, optimized", DEFAULT)] {
        let f = piped(&mut m, f, passes);
        agree_all(what, compiled(&m, f, &args, vectors(p.seed)), &want, exact, BOUND)?;
    }
    Ok(())
}

/// Tangents against finite differences: on both sides, or on one where the other has a kink.
fn differences(case: &Case<'_>, tangents: &[Array], pushed: &[Array]) -> Result<(), String> {
    let p = case.program;
    let moved = |h: f64| -> Result<Vec<f64>, String> {
        let mut next = tangents.iter();
        let args: Vec<Array> = p
            .args
            .iter()
            .map(|a| match a.dtype().is_float() {
                true => {
                    let t = next.next().expect("a tangent per float");
                    numbers(a.ty(), floats(a).into_iter().zip(floats(t)).map(|(a, t)| a + h * t))
                }
                false => a.clone(),
            })
            .collect();
        let out = interpret(&p.module, p.func, &args)?;
        Ok(out.iter().filter(|r| r.dtype().is_float()).flat_map(wide).collect())
    };
    let at: Vec<f64> = case.want.iter().filter(|r| r.dtype().is_float()).flat_map(wide).collect();
    let pushed: Vec<f64> = pushed.iter().flat_map(wide).collect();
    // An error says whether the slope turns within the step.
    let agree = |step: f64| -> Result<(), (bool, String)> {
        let moved = |h| moved(h).map_err(|e| (false, e));
        let (up, down) = (moved(step)?, moved(-step)?);
        for (k, &want) in pushed.iter().enumerate() {
            let slopes = [(up[k] - down[k]) / (2.0 * step), (up[k] - at[k]) / step, (at[k] - down[k]) / step];
            if !slopes.iter().any(|s| (s - want).abs() <= 1e-3 * (1.0 + want.abs())) {
                let turns = (slopes[1] - slopes[2]).abs() > 1e-3 * (1.0 + slopes[0].abs());
                let detail = format!("element {k}: tangent {want:e}, finite differences {slopes:?}");
                return Err((turns, detail));
            }
        }
        Ok(())
    };
    // Where the slope turns within the step, a difference is not the slope: then a smaller step must show it. Where
    // both sides have one slope, that is what it is.
    let mut outcome = agree(1e-6);
    for step in [1e-8, 1e-10] {
        if matches!(outcome, Err((true, _))) {
            outcome = agree(step);
        }
    }
    outcome.map_err(|(_, detail)| detail)
}

/// Random tangents of the active ones of some arrays.
type Seeds<'a> = dyn FnMut(&[Array], &[bool]) -> Vec<Array> + 'a;

/// Second derivatives, forward over reverse, are symmetric.
fn second_order(
    m: &mut Module,
    back: FuncId,
    args: &[Array],
    active: &[bool],
    results: usize,
    t: &[Array],
    seeds: &mut Seeds<'_>,
) -> Result<(), String> {
    let u = seeds(&args[..active.len()], active);
    let mut which = active.to_vec();
    which.resize(args.len(), false);
    let hessian = ad::jvp(m, back, &which).map_err(|e| format!("jvp of vjp: {e}"))?;
    let first = m.get(back).results.len();
    // Tangents of the results come before those of the gradients.
    let floats_of_results =
        m.get(back).results[..results].iter().filter(|&&r| m.get(back).tensor(r).dtype.is_float()).count();
    let along = |v: &[Array]| -> Result<Vec<Array>, String> {
        let out = interpret(m, hessian, &[args, v].concat()).map_err(|e| format!("jvp of vjp: {e}"))?;
        Ok(out[first + floats_of_results..].to_vec())
    };
    let (ht, hu) = (along(t)?, along(&u)?);
    let ((left, size), (right, other)) = (dot(&u, &ht), dot(t, &hu));
    let near = (left - right).abs() <= 1e-6 * (1e-3 + size + other);
    if !near {
        return Err(format!("<u, H t> = {left:e}, but <t, H u> = {right:e}"));
    }
    Ok(())
}

/// The inner product, and the sum of its terms' sizes.
fn dot(a: &[Array], b: &[Array]) -> (f64, f64) {
    let flat =
        |x: &[Array]| -> Vec<f64> { x.iter().filter(|a| a.dtype().is_float()).flat_map(wide).collect() };
    let terms = flat(a).into_iter().zip(flat(b)).map(|(x, y)| x * y);
    terms.fold((0.0, 0.0), |(sum, size), t| (sum + t, size + t.abs()))
}

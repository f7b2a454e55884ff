//! `wengert bench`: compile time and time per call, compiled and eager; with `--profile`, time per kernel.

use crate::Result;
use crate::args::BenchArgs;
use crate::out::{out, outln};
use crate::{arrays, emit, files};
use std::time::{Duration, Instant};
use wengert::profile::Profile;
use wengert::random::{key, uniform};
use wengert::stages::Traced;
use wengert::{DType, FloatMode, Limits, Tensor, TensorType, jit};
use wengert_ir::types::DTypeClass;

pub(crate) fn bench(args: &BenchArgs) -> Result<()> {
    let read = if args.profile { files::placed } else { files::program };
    let error = |e: wengert::Error| e.to_string();
    let program = read(&args.program)?;
    let inputs =
        if args.inputs.is_empty() { random(&program)? } else { arrays::inputs(&program, &args.inputs)? };
    // A derivative takes the arguments of its program.
    let program = emit::derive(program.specialize(&inputs).map_err(error)?, &args.derivative)?;
    if args.profile {
        let profile = program.lower().and_then(|l| l.profile(&inputs, args.seconds)).map_err(error)?;
        if args.json {
            outln!("{}", json_of(&profile))
        } else {
            out!("{profile}")
        }
        return Ok(());
    }
    let pick = if args.min { least } else { median };
    let start = Instant::now();
    let compiled = program.lower().and_then(|l| l.compile()).map_err(error)?;
    let cold = start.elapsed();
    // Caches are by content, so compile without them for the warm figure.
    let warm =
        time(args.seconds, pick, || program.lower().and_then(|l| l.compile()).map(drop)).map_err(error)?;
    let call = time(args.seconds, pick, || compiled.call(&inputs).map(drop)).map_err(error)?;
    let eager = match args.no_eager {
        true => None,
        false => Some(time(args.seconds, pick, || program.run_eagerly(&inputs).map(drop)).map_err(error)?),
    };
    let us = |d: Duration| d.as_secs_f64() * 1e6;
    if args.json {
        let json = serde_json::json!({
            "program": args.program.program.display().to_string(),
            "compile_cold_us": us(cold), "compile_us": us(warm),
            "call_us": us(call), "eager_us": eager.map(us), "speedup": eager.map(|e| us(e) / us(call)),
        });
        outln!("{json}");
    } else {
        outln!("compile, first   {:>12.1} us", us(cold));
        outln!("compile          {:>12.1} us", us(warm));
        outln!("call, compiled   {:>12.3} us", us(call));
        if let Some(eager) = eager {
            outln!("call, eager      {:>12.3} us  ({:.1}x)", us(eager), us(eager) / us(call));
        }
    }
    Ok(())
}

/// Arguments for a program: floats between 0.1 and 0.9, integers from 0 to 3, the same each time. Their memory is the
/// program's.
fn random(program: &Traced) -> Result<Vec<Tensor>> {
    let (types, limits) = (program.param_types(), program.limits());
    if let Some(k) = types.iter().position(|ty| !ty.is_static()) {
        return Err(format!(
            "argument {k} is {}: the program leaves a size open, so give arrays with --inputs",
            types[k]
        ));
    }
    let bytes = types.iter().map(|ty| ty.bytes() as u64).fold(0, u64::saturating_add);
    if let Some(max) = limits.max_memory.filter(|&max| bytes > max) {
        return Err(format!("the arguments have {bytes} bytes, more than {max} (--max-memory)"));
    }
    let (mut drawn, mut arguments) = (0, Vec::new());
    for (k, ty) in types.iter().enumerate() {
        // Steps and instructions are the program's.
        let left = Limits { max_memory: limits.max_memory.map(|max| max - drawn), ..Limits::default() };
        let said = |e: wengert::Error| format!("random numbers for argument {k}, {ty}: {}", e.message());
        arguments.push(argument(k, ty, left).map_err(said)?);
        drawn += ty.bytes() as u64;
    }
    Ok(arguments)
}

/// A compiled function draws the numbers: it keeps within limits, needs little memory besides, and gives an error where
/// operations by themselves would panic.
fn argument(k: usize, ty: &TensorType, limits: Limits) -> std::result::Result<Tensor, wengert::Error> {
    let TensorType { dtype, shape } = ty.clone();
    let draw = move |key: Tensor| {
        let most = match dtype.class() {
            DTypeClass::Float | DTypeClass::Complex => {
                return uniform(&key, &shape, DType::F32, 0.1, 0.9).astype(dtype);
            }
            DTypeClass::Bool => 2.0,
            DTypeClass::Signed | DTypeClass::Unsigned => 4.0,
        };
        uniform(&key, &shape, DType::F32, 0.0, most).astype(DType::I32).astype(dtype)
    };
    jit(draw).float_mode(FloatMode::Exact).limits(limits).try_call((key(k as u64),))
}

fn json_of(profile: &Profile) -> serde_json::Value {
    let us = |d: Duration| d.as_secs_f64() * 1e6;
    let kernels: Vec<serde_json::Value> = (profile.kernels.iter())
        .map(|k| {
            serde_json::json!({
                "kind": k.kind, "what": k.what(), "how": k.how(), "bound": k.bound, "time_us": us(k.time()),
                "estimate_us": us(k.estimated()), "runs": k.measured.map(|m| m.times),
                "read": k.work.read, "written": k.work.written, "flops": k.work.flops,
                "interpreted": k.interpreted,
            })
        })
        .collect();
    serde_json::json!({ "call_us": profile.call.map(us), "kernels": kernels })
}

/// The middle of sorted times.
fn median(samples: &[Duration]) -> Duration {
    samples[samples.len() / 2]
}

/// The least of sorted times.
fn least(samples: &[Duration]) -> Duration {
    samples[0]
}

/// Time of one run of `f`, picked of about `seconds` of samples.
fn time(
    seconds: f64,
    pick: fn(&[Duration]) -> Duration,
    mut f: impl FnMut() -> std::result::Result<(), wengert::Error>,
) -> std::result::Result<Duration, wengert::Error> {
    f()?;
    let start = Instant::now();
    f()?;
    let once = start.elapsed().max(Duration::from_nanos(20));
    // Each sample is long enough for the clock, and there are at least five.
    let per_sample = (Duration::from_micros(50).as_secs_f64() / once.as_secs_f64()).ceil().max(1.0) as u32;
    let mut samples = Vec::new();
    let begin = Instant::now();
    while samples.len() < 5 || begin.elapsed().as_secs_f64() < seconds {
        let start = Instant::now();
        for _ in 0..per_sample {
            f()?;
        }
        samples.push(start.elapsed() / per_sample);
        if samples.len() >= 100_000 {
            break;
        }
    }
    samples.sort_unstable();
    Ok(pick(&samples))
}

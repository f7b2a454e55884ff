//! `wengert bench`: compile time and time per call, compiled and eager.

use crate::Result;
use crate::args::BenchArgs;
use crate::out::outln;
use crate::{emit, files};
use std::time::{Duration, Instant};
use wengert::Tensor;

pub(crate) fn bench(args: &BenchArgs) -> Result<()> {
    let program = emit::derive(files::program(&args.program)?, &args.derivative)?;
    let types = program.param_types();
    let inputs = if args.inputs.is_empty() && !types.is_empty() {
        types
            .iter()
            .enumerate()
            .map(|(k, ty)| {
                let _ = k;
                Tensor::full(&ty.shape, 0.5, ty.dtype)
            })
            .collect()
    } else {
        files::inputs(&program, &args.inputs)?
    };
    let error = |e: wengert::Error| e.to_string();
    let start = Instant::now();
    let compiled = program.lower().and_then(|l| l.compile()).map_err(error)?;
    let cold = start.elapsed();
    // Caches are by content, so compile without them for the warm figure.
    let warm = median(args.seconds, || program.lower().and_then(|l| l.compile()).map(drop)).map_err(error)?;
    let call = median(args.seconds, || compiled.call(&inputs).map(drop)).map_err(error)?;
    let eager = median(args.seconds, || program.run_eagerly(&inputs).map(drop)).map_err(error)?;
    let us = |d: Duration| d.as_secs_f64() * 1e6;
    if args.json {
        let json = serde_json::json!({
            "program": args.program.program.display().to_string(),
            "compile_cold_us": us(cold), "compile_us": us(warm),
            "call_us": us(call), "eager_us": us(eager), "speedup": us(eager) / us(call),
        });
        outln!("{json}");
    } else {
        outln!("compile, first   {:>12.1} us", us(cold));
        outln!("compile          {:>12.1} us", us(warm));
        outln!("call, compiled   {:>12.3} us", us(call));
        outln!("call, eager      {:>12.3} us  ({:.1}x)", us(eager), us(eager) / us(call));
    }
    Ok(())
}

/// Median time of one run of `f`, over about `seconds` of samples.
fn median(
    seconds: f64,
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
    Ok(samples[samples.len() / 2])
}

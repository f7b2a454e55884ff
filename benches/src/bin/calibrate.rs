//! Measures the figures of the cost model (`wengert_passes::cost::Rates`) on this machine and prints them beside those in use:
//! `cargo run --release -p wengert-benches --bin calibrate`.
//!
//! Each is a difference of times of two programs that differ only in how much of one thing they do, on one thread, so that what a
//! call takes is in neither. A figure in use that is off by less than a factor of two changes few decisions.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "figures are printed")]

use std::fmt::Write;
use std::process::ExitCode;
use wengert::stages::Traced;
use wengert::{Error, Tensor};
use wengert_benches::measure::{Effort, times};
use wengert_passes::cost::Target;

fn main() -> ExitCode {
    wengert_cpu::set_threads(1);
    match figures() {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(e) => {
            eprintln!("error: {e}");
            ExitCode::FAILURE
        }
    }
}

/// A table of figures.
fn figures() -> Result<String, Error> {
    let rates = Target::CPU.rates;
    let mut text = String::from("figure                     in use   measured  unit\n");
    let mut row = |name: &str, used: f64, measured: f64, unit: &str| {
        writeln!(text, "{name:<24} {used:>8.1} {measured:>10.1}  {unit}").expect("a string takes everything");
    };
    let operation = operation("multiply", 48)?;
    row("operation", rates.operation as f64, operation, "ps per element of 4 bytes");
    row("function", 24.0, unary("exponential")? / operation, "operations");
    row("division", 4.0, self::operation("divide", 16)? / operation, "operations");
    row("scalar operation", rates.scalar as f64, scalar_operation()?, "ps");
    row("spilled scalar", rates.spill as f64, spilled()?, "ps");
    row("loop", rates.launch as f64, loops()?, "ps");
    row("reduction", rates.reduction as f64, reductions()?, "ps");
    row("trip", rates.trip as f64, trips()?, "ps");
    row("call", rates.call as f64, calls()?, "ps");
    row("product", rates.product as f64, product()?, "ps per multiply-add of 4 bytes");
    for (level, bytes) in rates.levels.iter().zip([16 << 10, 256 << 10, 64 << 20]) {
        row(&format!("bytes ({bytes} moved)"), level.kilobyte as f64, kilobyte(bytes)?, "ps per 1000 bytes");
    }
    Ok(text)
}

/// Picoseconds that a call of a program takes, on arguments that are all the same number.
fn time(text: &str, number: f64) -> Result<f64, Error> {
    let program = Traced::parse(text, None)?;
    let args: Vec<Tensor> =
        program.param_types().iter().map(|ty| Tensor::full(&ty.shape, number, ty.dtype)).collect();
    let compiled = program.lower()?.compile()?;
    compiled.call(&args)?;
    let mut failed = None;
    let measured = times(Effort::FULL, &mut || {
        if let Err(e) = compiled.call(&args) {
            failed.get_or_insert(e);
        }
    });
    failed.map_or(Ok(measured.low * 1e6), Err)
}

/// What one more of something takes, if programs have 8 and 40 of it.
fn each(program: impl Fn(usize) -> String, number: f64) -> Result<f64, Error> {
    Ok((time(&program(40), number)? - time(&program(8), number)?) / 32.0)
}

/// A function of a body, whose lines are given results `%0`, `%1` and so on; gives its last.
fn function(params: &str, results: &str, lines: &[String], returns: &str) -> String {
    let mut text = format!("func.func public @main({params}) -> ({results}) {{\n");
    lines.iter().for_each(|line| writeln!(text, "  {line}").expect("a string takes everything"));
    text + &format!("  return {returns} : {results}\n}}\n")
}

/// A chain of binary operations on `n` elements in one loop.
fn chain(op: &str, n: usize, steps: usize) -> String {
    let ty = format!("tensor<{n}xf32>");
    let before = |k: usize| if k == 0 { "%x".to_owned() } else { format!("%{}", k - 1) };
    let lines: Vec<String> =
        (0..steps).map(|k| format!("%{k} = stablehlo.{op} {}, %y : {ty}", before(k))).collect();
    function(&format!("%x: {ty}, %y: {ty}"), &ty, &lines, &before(steps))
}

/// An operation in a chain on vectors.
fn operation(op: &str, more: usize) -> Result<f64, Error> {
    const N: usize = 4096;
    let (long, short) = (time(&chain(op, N, 8 + more), 1.0)?, time(&chain(op, N, 8), 1.0)?);
    Ok((long - short) / (more * N) as f64)
}

/// A function of the math library in a chain, with what keeps it in range.
fn unary(op: &str) -> Result<f64, Error> {
    const N: usize = 4096;
    let program = |steps: usize| {
        let ty = format!("tensor<{N}xf32>");
        let mut lines = Vec::new();
        for k in 0..steps {
            let before = if k == 0 { "%x".to_owned() } else { format!("%m{}", k - 1) };
            lines.push(format!("%e{k} = stablehlo.{op} {before} : {ty}"));
            lines.push(format!("%m{k} = stablehlo.minimum %e{k}, %y : {ty}"));
        }
        function(&format!("%x: {ty}, %y: {ty}"), &ty, &lines, &format!("%m{}", steps - 1))
    };
    Ok((time(&program(6), 0.5)? - time(&program(2), 0.5)?) / (4 * N) as f64)
}

/// Scalars in chains that do not depend on each other, more of them than there are registers.
fn scalar_operation() -> Result<f64, Error> {
    const CHAINS: usize = 24;
    let program = |steps: usize| {
        let mut lines = Vec::new();
        for k in 0..steps {
            for chain in 0..CHAINS {
                let before = if k == 0 { format!("%x{chain}") } else { format!("%c{chain}_{}", k - 1) };
                let factor = (chain + 1) % CHAINS;
                lines.push(format!("%c{chain}_{k} = stablehlo.multiply {before}, %x{factor} : tensor<f64>"));
            }
        }
        let params: Vec<String> = (0..CHAINS).map(|k| format!("%x{k}: tensor<f64>")).collect();
        let returns: Vec<String> = (0..CHAINS).map(|k| format!("%c{k}_{}", steps - 1)).collect();
        function(&params.join(", "), &["tensor<f64>"; CHAINS].join(", "), &lines, &returns.join(", "))
    };
    Ok(each(program, 1.0)? / CHAINS as f64)
}

/// Scalars that are read from a vector in memory and added up, less the sum.
fn spilled() -> Result<f64, Error> {
    let program = |count: usize| {
        let mut lines = vec!["%s0 = stablehlo.constant dense<0.0> : tensor<f64>".to_owned()];
        for k in 0..count {
            lines.push(format!(
                "%v{k} = stablehlo.slice %x [{k}:{}] : (tensor<64xf64>) -> tensor<1xf64>",
                k + 1
            ));
            lines.push(format!("%w{k} = stablehlo.reshape %v{k} : (tensor<1xf64>) -> tensor<f64>"));
            lines.push(format!("%s{} = stablehlo.maximum %s{k}, %w{k} : tensor<f64>", k + 1));
        }
        function("%x: tensor<64xf64>", "tensor<f64>", &lines, &format!("%s{count}"))
    };
    each(program, 1.0)
}

/// A loop over 80 elements, once per trip of a loop around it.
fn loops() -> Result<f64, Error> {
    let ty = "tensor<80xf32>";
    let program = |trips: usize| {
        let lines = [
            "%zero = stablehlo.constant dense<0> : tensor<i32>".to_owned(),
            "%one = stablehlo.constant dense<1> : tensor<i32>".to_owned(),
            format!("%trips = stablehlo.constant dense<{trips}> : tensor<i32>"),
            format!("%0:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, {ty}"),
            "cond {".to_owned(),
            "%p = stablehlo.compare LT, %i, %trips : (tensor<i32>, tensor<i32>) -> tensor<i1>".to_owned(),
            "stablehlo.return %p : tensor<i1>".to_owned(),
            "} do {".to_owned(),
            "%j = stablehlo.add %i, %one : tensor<i32>".to_owned(),
            format!("%b = stablehlo.multiply %a, %y : {ty}"),
            format!("stablehlo.return %j, %b : tensor<i32>, {ty}"),
            "}".to_owned(),
        ];
        function(&format!("%x: {ty}, %y: {ty}"), ty, &lines, "%0#1")
    };
    Ok((time(&program(1200), 1.0)? - time(&program(200), 1.0)?) / 1000.0)
}

/// Loops over 80 elements, each of which wants what the one before has reduced, less the loops.
fn reductions() -> Result<f64, Error> {
    let ty = "tensor<80xf32>";
    let program = |count: usize| {
        let mut lines = vec!["%z = stablehlo.constant dense<0.0> : tensor<f32>".to_owned()];
        for k in 0..count {
            let before = if k == 0 { "%x".to_owned() } else { format!("%m{}", k - 1) };
            lines.push(format!("%s{k} = stablehlo.reduce({before} init: %z) applies stablehlo.maximum across dimensions = [0] : ({ty}, tensor<f32>) -> tensor<f32>"));
            lines
                .push(format!("%b{k} = stablehlo.broadcast_in_dim %s{k}, dims = [] : (tensor<f32>) -> {ty}"));
            lines.push(format!("%m{k} = stablehlo.multiply %b{k}, %x : {ty}"));
        }
        function(&format!("%x: {ty}"), ty, &lines, &format!("%m{}", count - 1))
    };
    Ok(each(program, 1.0)? - loops()?)
}

/// Rows of 16 elements that are added up, less what as many elements in long rows take.
fn trips() -> Result<f64, Error> {
    let sums = |rows: usize, columns: usize| {
        let lines = [
            "%z = stablehlo.constant dense<0.0> : tensor<f32>".to_owned(),
            format!(
                "%0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1] : (tensor<{rows}x{columns}xf32>, tensor<f32>) -> tensor<{rows}xf32>"
            ),
        ];
        function(&format!("%x: tensor<{rows}x{columns}xf32>"), &format!("tensor<{rows}xf32>"), &lines, "%0")
    };
    Ok((time(&sums(512, 16), 1.0)? - time(&sums(16, 512), 1.0)?) / 496.0)
}

/// Small products, one after the other, less their multiply-adds.
fn calls() -> Result<f64, Error> {
    const N: usize = 9;
    let program = |count: usize| {
        let ty = format!("tensor<{N}x{N}xf32>");
        let mut lines = Vec::new();
        for k in 0..count {
            let before = if k == 0 { "%x".to_owned() } else { format!("%p{}", k - 1) };
            lines.push(format!(
                "%p{k} = stablehlo.dot_general {before}, %w, contracting_dims = [1] x [0] : ({ty}, {ty}) -> {ty}"
            ));
        }
        function(&format!("%x: {ty}, %w: {ty}"), &ty, &lines, &format!("%p{}", count - 1))
    };
    Ok(each(program, 0.01)? - (N * N * N) as f64 * Target::CPU.rates.product as f64)
}

/// A multiply-add of a product of 512 x 512 x 512.
fn product() -> Result<f64, Error> {
    let ty = "tensor<512x512xf32>";
    let line =
        format!("%0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : ({ty}, {ty}) -> {ty}");
    let text = function(&format!("%x: {ty}, %y: {ty}"), ty, &[line], "%0");
    Ok(time(&text, 1.0)? / (512.0 * 512.0 * 512.0))
}

/// A thousand bytes more, in a loop that reads and writes `bytes` together or twice as many.
fn kilobyte(bytes: usize) -> Result<f64, Error> {
    let program = |bytes: usize| {
        let ty = format!("tensor<{}xf32>", bytes / 8);
        let line = format!("%0 = stablehlo.negate %x : {ty}");
        function(&format!("%x: {ty}"), &ty, &[line], "%0")
    };
    Ok((time(&program(2 * bytes), 1.0)? - time(&program(bytes), 1.0)?) / (bytes as f64 / 1000.0))
}

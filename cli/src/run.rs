//! `wengert run`, `grad`, `vjp`, `jvp` and `jet`.

use crate::Result;
use crate::args::{Backend, ExecArgs, GradArgs, JetArgs, JvpArgs, RunArgs, VjpArgs};
use crate::emit::planned;
use crate::out::note;
use crate::{arrays, files};
use std::path::Path;
use wengert::stages::Traced;
use wengert::{Device, Tensor, TensorType};

pub(crate) fn run(args: &RunArgs) -> Result<()> {
    let path = &args.exec.program.program;
    let limits = args.exec.program.limits.limits();
    let source = files::source(path, &limits)?;
    let located = |e: &dyn std::fmt::Display| format!("{}:{e}", path.display());
    let (found, is_split) = match &source {
        files::Source::Text(text) => {
            (Traced::parse(text, Some(&args.exec.program.entry)), files::is_split(text))
        }
        files::Source::Module(module) => (Traced::of(module.clone(), Some(&args.exec.program.entry)), false),
    };
    let program = match found {
        Ok(program) if !is_split => program.within(limits),
        found if args.exec.inputs.is_empty() => {
            let programs =
                files::programs(&source, &args.exec.program.entry, limits).map_err(|e| located(&e))?;
            return match (programs.is_empty(), found) {
                (true, Err(e)) => Err(located(&e)),
                _ => run_all(&args.exec, &programs),
            };
        }
        Ok(_) => return Err(format!("{}: has several modules, which take no inputs", path.display())),
        Err(e) => return Err(located(&e)),
    };
    let inputs = arrays::inputs(&program, &args.exec.inputs)?;
    let program = program.specialize(&inputs).map_err(|e| e.to_string())?;
    let out = execute(&args.exec, &program, &inputs)?;
    let named: Vec<_> = out.into_iter().enumerate().map(|(k, t)| (format!("out{k}"), t)).collect();
    files::write(args.exec.outputs.as_deref(), &named)
}

/// Runs functions without arguments one after another; the first failure ends it.
fn run_all(exec: &ExecArgs, programs: &[(String, Traced)]) -> Result<()> {
    let mut named = Vec::new();
    for (name, program) in programs {
        let out = execute(exec, program, &[]).map_err(|e| format!("@{name}: {e}"))?;
        named.extend(out.into_iter().enumerate().map(|(k, t)| (format!("{name}.out{k}"), t)));
    }
    files::write(exec.outputs.as_deref(), &named)
}

pub(crate) fn grad(args: &GradArgs) -> Result<()> {
    let program = files::program(&args.exec.program)?;
    let results = program.result_types();
    if !matches!(&results[..], [ty] if ty.dtype.is_float() && ty.rank() == 0) {
        let types: Vec<String> = results.iter().map(TensorType::to_string).collect();
        return Err(format!(
            "grad needs a program with one float scalar result, this one gives ({}); use vjp",
            types.join(", ")
        ));
    }
    let inputs = arrays::inputs(&program, &args.exec.inputs)?;
    let program = program.specialize(&inputs).map_err(|e| e.to_string())?;
    let derived = match args.memory_budget {
        None => program.value_and_grad(&args.wrt).map_err(|e| e.to_string())?,
        Some(bytes) => {
            let (derived, plan) = planned(&program, &args.wrt, bytes)?;
            note(&plan);
            derived
        }
    };
    let out = execute(&args.exec, &derived, &inputs)?;
    write_by_argument(&args.exec, "grad", &args.wrt, &out[1..])
}

pub(crate) fn vjp(args: &VjpArgs) -> Result<()> {
    let program = files::program(&args.exec.program)?;
    let mut inputs = arrays::inputs(&program, &args.exec.inputs)?;
    let program = program.specialize(&inputs).map_err(|e| e.to_string())?;
    let results = program.result_types();
    let floats: Vec<usize> = (0..results.len()).filter(|&k| results[k].dtype.is_differentiable()).collect();
    let mut given: Vec<(usize, Tensor)> = Vec::new();
    for (position, word) in args.cotangents.iter().enumerate() {
        let (k, path) = match word.split_once(':').and_then(|(k, path)| Some((k.parse().ok()?, path))) {
            Some((k, path)) => (k, path),
            None => (*floats.get(position).ok_or("more cotangents than float results")?, word.as_str()),
        };
        let Some(ty) = results.get(k) else {
            return Err(format!("cotangent {word}: the program has {} results", results.len()));
        };
        let t = arrays::array(Path::new(path), ty, &program.limits())?;
        if !ty.dtype.is_differentiable() {
            return Err(format!("cotangent {word}: result {k} is {ty}, which has no cotangent"));
        }
        if t.ty() != *ty {
            return Err(format!("cotangent {word} is {}, result {k} is {ty}", t.ty()));
        }
        if given.iter().any(|g| g.0 == k) {
            return Err(format!("result {k} has two cotangents"));
        }
        given.push((k, t));
    }
    given.sort_by_key(|g| g.0);
    let derived =
        program.vjp(&args.wrt, &given.iter().map(|g| g.0).collect::<Vec<_>>()).map_err(|e| e.to_string())?;
    inputs.extend(given.into_iter().map(|g| g.1));
    let out = execute(&args.exec, &derived, &inputs)?;
    write_by_argument(&args.exec, "vjp", &args.wrt, &out[results.len()..])
}

pub(crate) fn jvp(args: &JvpArgs) -> Result<()> {
    let program = files::program(&args.exec.program)?;
    let mut inputs = arrays::inputs(&program, &args.exec.inputs)?;
    let program = program.specialize(&inputs).map_err(|e| e.to_string())?;
    if args.tangents.len() != args.wrt.len() {
        return Err(format!(
            "--wrt names {} arguments, --tangents has {}",
            args.wrt.len(),
            args.tangents.len()
        ));
    }
    let derived = program.jvp(&args.wrt).map_err(|e| e.to_string())?;
    // Tangent parameters follow in the order of the arguments.
    let mut tangents: Vec<(usize, Tensor)> = Vec::new();
    for (&i, path) in args.wrt.iter().zip(&args.tangents) {
        tangents.push((i, tangent(path, &inputs, i, &program)?));
    }
    tangents.sort_by_key(|t| t.0);
    inputs.extend(tangents.into_iter().map(|t| t.1));
    let out = execute(&args.exec, &derived, &inputs)?;
    let results = program.result_types();
    let floats = (0..results.len()).filter(|&k| results[k].dtype.is_differentiable());
    let named: Vec<_> =
        floats.zip(&out[results.len()..]).map(|(k, t)| (format!("jvp_out{k}"), t.clone())).collect();
    files::write(args.exec.outputs.as_deref(), &named)
}

/// A tangent of argument `i`.
fn tangent(path: &Path, inputs: &[Tensor], i: usize, program: &Traced) -> Result<Tensor> {
    let ty = inputs[i].ty();
    let t = arrays::array(path, &ty, &program.limits())?;
    if t.ty() != ty {
        return Err(format!("tangent {} is {}, argument {i} is {ty}", path.display(), t.ty()));
    }
    Ok(t)
}

pub(crate) fn jet(args: &JetArgs) -> Result<()> {
    let program = files::program(&args.exec.program)?;
    let mut inputs = arrays::inputs(&program, &args.exec.inputs)?;
    let program = program.specialize(&inputs).map_err(|e| e.to_string())?;
    let (order, moving) = (args.order, args.wrt.len());
    if order == 0 {
        return Err("--order 0 is the program itself: use run".to_owned());
    }
    let each = match args.series.len() {
        n if Some(n) == moving.checked_mul(order) => order,
        n if n == moving => 1,
        n => {
            return Err(format!(
                "--wrt names {moving} arguments: --series takes a file for each, or {order}, one for each derivative up to \
                 --order; it has {n}"
            ));
        }
    };
    let derived = program.jet(&args.wrt, order).map_err(|e| e.to_string())?;
    // Series follow in the order of the arguments.
    let mut series: Vec<(usize, Vec<Tensor>)> = Vec::new();
    for (&i, paths) in args.wrt.iter().zip(args.series.chunks(each)) {
        let mut all =
            paths.iter().map(|path| tangent(path, &inputs, i, &program)).collect::<Result<Vec<Tensor>>>()?;
        all.resize_with(order, || inputs[i].zeros_like());
        series.push((i, all));
    }
    series.sort_by_key(|s| s.0);
    inputs.extend(series.into_iter().flat_map(|s| s.1));
    let out = execute(&args.exec, &derived, &inputs)?;
    let results = program.result_types();
    let floats = (0..results.len()).filter(|&k| results[k].dtype.is_differentiable());
    let mut named = Vec::new();
    for (k, all) in floats.zip(out[results.len()..].chunks(order)) {
        named.extend(all.iter().enumerate().map(|(i, t)| (format!("jet_out{k}_{}", i + 1), t.clone())));
    }
    files::write(args.exec.outputs.as_deref(), &named)
}

/// Derivatives come in ascending order of arguments, whatever the order on the command line.
fn write_by_argument(exec: &ExecArgs, prefix: &str, wrt: &[usize], values: &[Tensor]) -> Result<()> {
    let mut order = wrt.to_vec();
    order.sort_unstable();
    let named: Vec<_> = order.iter().zip(values).map(|(i, t)| (format!("{prefix}{i}"), t.clone())).collect();
    files::write(exec.outputs.as_deref(), &named)
}

fn execute(exec: &ExecArgs, program: &Traced, inputs: &[Tensor]) -> Result<Vec<Tensor>> {
    match exec.backend {
        Backend::Interpreter => program.interpret(inputs),
        Backend::Eager => program.run_eagerly(inputs),
        Backend::Cpu if exec.device.as_deref().is_some_and(|d| d != "cpu") => {
            let device =
                Device::named(exec.device.as_deref().unwrap_or("cpu")).map_err(|e| e.message().to_owned())?;
            program.compile_on(&device).and_then(|c| c.call(inputs))
        }
        Backend::Cpu => program.lower().and_then(|l| l.compile_for(exec.wide)).and_then(|c| c.call(inputs)),
    }
    .map_err(|e| e.to_string())
}

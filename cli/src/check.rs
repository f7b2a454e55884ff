//! `wengert check`: programs that compare their results with expected ones.

use crate::Result;
use crate::args::{Backend, CheckArgs};
use crate::files;
use crate::out::{out, outln};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use wengert::stages::Traced;
use wengert_ir::array::{Array, Literal};
use wengert_ir::func::{Func, Value};
use wengert_ir::op::{Check, CheckKind, Constant, Op};
use wengert_ir::text::{PrintOptions, parse, print, same};
use wengert_ir::types::{DType, DTypeClass, FloatMode, TensorType, Type};

/// Why a program with parameters is not run.
const TAKES_ARGUMENTS: &str = "takes arguments";

/// What is not a failure of a program, but no check of it either: reasons, and how messages show them.
const NOT_RUN: [(&str, &str); 3] = [
    ("take arguments", TAKES_ARGUMENTS),
    ("need several devices", "several devices are not supported"),
    ("have types that are not computed", "!quant."),
];

pub(crate) fn check(args: &CheckArgs) -> Result<()> {
    let mut paths = Vec::new();
    for path in &args.files {
        collect(path, &mut paths)?;
    }
    // A panic is a failure of one file; the others are still wanted.
    std::panic::set_hook(Box::new(|_| {}));
    let mut failed = 0;
    let mut not_run = [0; NOT_RUN.len()];
    let mut perturbed = 0;
    for path in &paths {
        let checked = catch_unwind(AssertUnwindSafe(|| file(args, path))).unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
            Err(format!("panicked: {text}"))
        });
        match checked {
            Ok(n) => perturbed += n,
            Err(why) => {
                match NOT_RUN.iter().position(|(_, part)| why.contains(part)) {
                    Some(k) => not_run[k] += 1,
                    None => failed += 1,
                }
                outln!("{}: {}", path.display(), why.lines().next().unwrap_or_default());
            }
        }
    }
    let _ = std::panic::take_hook();
    let others: usize = not_run.iter().sum();
    out!("{} files, {} passed, {failed} failed", paths.len(), paths.len() - failed - others);
    for ((reason, _), n) in NOT_RUN.iter().zip(not_run).filter(|(_, n)| *n > 0) {
        out!(", {n} {reason}");
    }
    outln!();
    if args.perturb {
        outln!("{perturbed} changed constants were noticed");
    }
    match (failed, others) {
        (0, 0) => Ok(()),
        (0, n) => Err(format!("{n} files were not run")),
        (n, _) => Err(format!("{n} files failed")),
    }
}

/// The file, or the .mlir files of the folder and of folders in it, in order.
fn collect(path: &Path, out: &mut Vec<PathBuf>) -> Result<()> {
    let describe = |e: std::io::Error| format!("{}: {e}", path.display());
    if !path.is_dir() {
        std::fs::metadata(path).map_err(describe)?;
        out.push(path.to_owned());
        return Ok(());
    }
    let mut entries: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(path).map_err(describe)? {
        entries.push(entry.map_err(describe)?.path());
    }
    entries.sort();
    for entry in entries {
        if entry.is_dir() || entry.extension().is_some_and(|e| e == "mlir") {
            collect(&entry, out)?;
        }
    }
    Ok(())
}

/// Runs what is in a file; gives how many changed constants were noticed.
fn file(args: &CheckArgs, path: &Path) -> Result<usize> {
    let limits = args.limits.limits();
    let source = files::source(path, &limits)?;
    if args.no_run {
        for module in files::modules(&source)? {
            let printed = print(&module, &PrintOptions::default());
            let again = parse(&printed).map_err(|e| format!("printed, and not read again: {e}"))?;
            if !same(&module, &again) {
                return Err("changed by printing and reading it again".into());
            }
        }
        return Ok(0);
    }
    let mut noticed = 0;
    for (name, program) in files::programs(&source, "main", limits)? {
        let program = exact(&program);
        run(args.backend, &program).map_err(|e| format!("@{name}: {e}"))?;
        if args.perturb {
            noticed += perturb(args.backend, &program).map_err(|e| format!("@{name}: {e}"))?;
        }
    }
    Ok(noticed)
}

/// The program with every operation rounded: its expected results are those of operations one by one.
fn exact(program: &Traced) -> Traced {
    let (module, func) = program.module();
    let mut module = module.clone();
    module.mode = FloatMode::Exact;
    Traced::new(module, func).within(program.limits())
}

fn run(backend: Backend, program: &Traced) -> Result<()> {
    let (module, func) = program.module();
    if !module.get(func).params.is_empty() {
        return Err(TAKES_ARGUMENTS.into());
    }
    for value in module.funcs.values().flat_map(|f| f.values.values()) {
        if let Type::Foreign(ty) = &value.ty {
            return Err(format!("not executable: {ty}"));
        }
    }
    let program = &program.specialize(&[]).unwrap_or_else(|_| program.clone());
    match backend {
        Backend::Interpreter => program.interpret(&[]),
        Backend::Eager => program.run_eagerly(&[]),
        Backend::Cpu => program.lower().and_then(|l| l.compile()).and_then(|c| c.call(&[])),
    }
    .map(drop)
    .map_err(|e| e.to_string())
}

/// Runs the program once for each check with an expected constant, one element of which is changed.
fn perturb(backend: Backend, program: &Traced) -> Result<usize> {
    let (module, func) = program.module();
    program.limits().check(module, func).map_err(|e| e.to_string())?;
    let mut module = module.clone();
    let func = wengert_passes::inline::inline_calls(&mut module, func);
    let original = module.get(func);
    let mut noticed = 0;
    for inst in original.insts.values() {
        let Op::Check(check) = &inst.op else { continue };
        let Some(literal) = original.constant(inst.operands[1]) else { continue };
        let Some(changed) = changed(check, literal) else { continue };
        // A constant of its own, so that other readers keep theirs.
        let mut edited = Func::new("main", wengert_ir::func::FuncKind::Public);
        let expected = edited.push_typed(
            Constant { value: changed.clone() }.into(),
            &[],
            [changed.ty().clone().into()],
            inst.loc.clone(),
        )[0];
        let mut env: Vec<Option<Value>> = vec![None; original.values.len()];
        for other in original.insts.values() {
            use wengert_ir::entity::Entity;
            let mut operands: Vec<Value> =
                other.operands.iter().map(|v| env[v.index()].expect("topological order")).collect();
            if std::ptr::eq(other, inst) {
                operands[1] = expected;
            }
            let types = other.results.iter().map(|&r| original.ty(r).clone());
            let results = edited.push_typed(other.op.clone(), &operands, types, other.loc.clone());
            for (old, new) in other.results.iter().zip(results) {
                env[old.index()] = Some(new);
            }
        }
        let mut module = module.clone();
        module.funcs[func] = Arc::new(edited);
        match run(backend, &Traced::new(module, func).within(program.limits())) {
            Err(e) if e.contains(check.kind.name()) => noticed += 1,
            Err(e) => return Err(format!("with a changed constant: {e}")),
            Ok(()) => return Err(format!("passes with a changed constant, {}", inst.loc.place())),
        }
    }
    Ok(noticed)
}

/// The literal with its middle element changed so much that no actual value fits both.
fn changed(check: &Check, literal: &Literal) -> Option<Literal> {
    let mut array: Array = literal.to_array();
    let dtype = array.dtype();
    let size = dtype.size();
    let count = array.bytes().len() / size;
    if count == 0 {
        return None;
    }
    let at = count / 2 * size;
    let element = &mut array.bytes_mut()[at..at + size];
    match dtype.class() {
        DTypeClass::Bool => element[0] ^= 1,
        // The lowest bit: a type of fewer bits than a byte keeps its range.
        DTypeClass::Signed | DTypeClass::Unsigned => element[0] ^= 1,
        DTypeClass::Float => change_float(check, dtype, element),
        DTypeClass::Complex => {
            let part = if dtype == DType::C64 { DType::F32 } else { DType::F64 };
            change_float(check, part, &mut element[..size / 2]);
        }
    }
    Some(Literal::from_array(&array))
}

/// Moves a float out of reach of a check.
fn change_float(check: &Check, dtype: DType, bytes: &mut [u8]) {
    let far = 2.5 * check.tolerance.get();
    match (check.kind, dtype) {
        (CheckKind::AlmostEq, DType::F64) => {
            let v = f64::from_le_bytes(bytes.try_into().expect("eight bytes"));
            let new = if v.is_finite() { v + far.max(v.abs() * 1e-15) } else { 0.25 };
            bytes.copy_from_slice(&new.to_le_bytes());
        }
        (CheckKind::AlmostEq, DType::F32) => {
            let v = f32::from_le_bytes(bytes.try_into().expect("four bytes"));
            let new = if v.is_finite() { v + (far as f32).max(v.abs() * 3e-7) } else { 0.25 };
            bytes.copy_from_slice(&new.to_le_bytes());
        }
        (CheckKind::Close, DType::F64 | DType::F32 | DType::F16 | DType::BF16) => {
            let mut wide = [0; 8];
            wide[..bytes.len()].copy_from_slice(bytes);
            let magnitude = u64::from_le_bytes(wide) & (u64::MAX >> (65 - dtype.bits()));
            let step = 2 * check.max_ulp as u64 + 1;
            // Downwards from large numbers, upwards from small ones; NaN and infinities become finite.
            let half = 1u64 << (dtype.bits() - 2);
            let new = if magnitude > half { half.min(magnitude - step) } else { magnitude + step };
            bytes.copy_from_slice(&new.to_le_bytes()[..bytes.len()]);
        }
        // Small numbers become 4, large ones and what is no number 0.5: every format has these.
        _ => {
            let bits = |b: &[u8]| {
                let mut wide = [0; 8];
                wide[..b.len()].copy_from_slice(b);
                u64::from_le_bytes(wide) & (u64::MAX >> (65 - dtype.bits()))
            };
            let of = |v: f64| Literal::splat(TensorType::scalar(dtype), v);
            let (half, bound, four) = (of(0.5), of(1.5), of(4.0));
            let mut pair = [half.stored_bytes(), four.stored_bytes()];
            if bits(bytes) < bits(bound.stored_bytes()) || *bytes == *pair[0] {
                pair.reverse();
            }
            let new = if *bytes == *pair[0] { pair[1] } else { pair[0] };
            bytes.copy_from_slice(new);
        }
    }
}

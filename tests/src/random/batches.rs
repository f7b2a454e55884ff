//! Batches of random programs, and of their derivatives.

use super::agreement::{BOUND, BOUND_OF_DERIVATIVES, agree_all};
use super::check::{Case, PREPARE, compiled, interpret, piped, vectors, verified};
use super::derivatives::is_real;
use super::{BEYOND, Flavor, Program, Rounding, values};
use crate::mutate::judge::SHORT;
use crate::mutate::rounding;
use wengert_ir::array::Array;
use wengert_ir::func::{FuncId, Module};
use wengert_ir::interp::{self, Limits};
use wengert_ir::op::{BinaryOp, Concatenate, Reduce, Reducer};
use wengert_ir::rules::EvalError;
use wengert_ir::testing::{Random, eval_op, numbers};
use wengert_ir::types::TensorType;
use wengert_passes::ad;
use wengert_passes::batch::{vmap, vmap_at};
use wengert_passes::error::TransformError;
use wengert_passes::pipeline::DEFAULT;

/// The examples that are drawn; batches of fewer are of the first of them.
const SIZE: usize = 3;

/// The examples of a program.
struct Batch<'p> {
    program: &'p Program,
    size: usize,
    /// Which dimension of each argument they are along.
    mapped: Vec<Option<usize>>,
    /// The arguments of each.
    examples: Vec<Vec<Array>>,
    /// Which dimension of each result they shall be along.
    out: Vec<Option<usize>>,
}

/// On a batch it computes what it computes of each example, interpreted and compiled.
pub(super) fn batches(case: &Case<'_>) -> Result<(), String> {
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
    let mut examples: Vec<Vec<Array>> = (0..SIZE)
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
    let out: Vec<Option<usize>> = want[0].iter().map(|r| Some(random.below(r.shape().len() + 1))).collect();
    // Drawn apart, so that all else of a program is what it was when all batches were of three.
    let size = match Random(p.seed ^ 0x512e).below(16) {
        0 => 0,
        1 => 1,
        _ => SIZE,
    };
    examples.truncate(size);
    let results: Vec<TensorType> = want[0].iter().map(|r| r.ty().clone()).collect();
    want.truncate(size);
    let batch = Batch { program: p, size, mapped, examples, out };
    let mut m = p.module.clone();
    let f = match batch.of(&mut m, p.func) {
        Ok(f) => f,
        Err(_) if p.flavor == Flavor::Wild => return Ok(()),
        Err(e) => return Err(format!("vmap: {e}")),
    };
    verified("vmap", &m, f)?;
    let args = batch.args();
    let want: Vec<Array> = (results.iter().zip(&batch.out).enumerate())
        .map(|(k, (ty, dim))| column(ty, want.iter().map(|w| &w[k]), dim.expect("each has one")))
        .collect();
    agree_all("batch", interpret(&m, f, &args), &want, exact, BOUND)?;
    for (what, passes) in [("batch, unoptimized", PREPARE), ("batch, optimized", DEFAULT)] {
        let f = piped(&mut m, f, passes);
        agree_all(what, compiled(&m, f, &args, vectors(p.seed)), &want, exact, BOUND)?;
    }
    // Of every eighth smooth program.
    if p.flavor == Flavor::Smooth && p.seed % 32 == 3 { derivatives(&batch, &results) } else { Ok(()) }
}

/// The reverse mode of a batch, and a batch of reverse modes, are those of its examples: what is the same for all has the sum of
/// their gradients.
fn derivatives(batch: &Batch<'_>, results: &[TensorType]) -> Result<(), String> {
    let p = batch.program;
    let active: Vec<bool> = p.args.iter().map(|a| is_real(a.dtype())).collect();
    let marked: Vec<bool> = results.iter().map(|ty| is_real(ty.dtype)).collect();
    if !active.contains(&true) || !marked.contains(&true) {
        return Ok(());
    }
    let mut m = p.module.clone();
    let back = ad::vjp(&mut m, p.func, &active, &marked).map_err(|e| format!("vjp: {e}"))?;
    let mut random = Random(p.seed ^ 0xc07a);
    let mut cotangent = |ty: &TensorType| numbers(ty, (0..ty.elements()).map(|_| random.uniform(-1.0, 1.0)));
    let floats: Vec<&TensorType> = results.iter().filter(|ty| is_real(ty.dtype)).collect();
    let cotangents: Vec<Vec<Array>> =
        (0..batch.size).map(|_| floats.iter().map(|ty| cotangent(ty)).collect()).collect();
    let limits = Limits { max_memory: p.memory, ..Limits::default() };
    let mut each: Vec<Vec<Array>> = Vec::new();
    for (args, cotangents) in batch.examples.iter().zip(&cotangents) {
        match interp::run(&m, back, &[&args[..], cotangents].concat(), &limits) {
            Ok(given) => each.push(given),
            Err(EvalError::Memory(_)) => return Ok(()),
            Err(e) => return Err(format!("vjp: {e}")),
        }
    }
    let types: Vec<TensorType> = m.get(back).results.iter().map(|&r| m.get(back).tensor(r).clone()).collect();
    let along = |ty: &TensorType, k: usize, dim: usize| column(ty, each.iter().map(|e| &e[k]), dim);
    let seeds = |dim: &dyn Fn(usize) -> usize| -> Vec<Array> {
        (floats.iter().enumerate())
            .map(|(k, ty)| column(ty, cotangents.iter().map(|c| &c[k]), dim(k)))
            .collect()
    };

    // A batch of reverse modes.
    let mut dims = batch.mapped.clone();
    dims.resize(dims.len() + floats.len(), Some(0));
    let front = vec![Some(0); types.len()];
    let mapped =
        vmap(&mut m, back, &dims, batch.size, &front, None).map_err(|e| format!("vmap of vjp: {e}"))?;
    let args = [batch.args(), seeds(&|_| 0)].concat();
    let want: Vec<Array> = types.iter().enumerate().map(|(k, ty)| along(ty, k, 0)).collect();
    same("vmap of vjp", &mut m, mapped, p, &args, &want)?;

    // The reverse mode of a batch.
    let f = batch.of(&mut m, p.func).map_err(|e| format!("vmap: {e}"))?;
    let back = ad::vjp(&mut m, f, &active, &marked).map_err(|e| format!("vjp of vmap: {e}"))?;
    let out: Vec<usize> = (batch.out.iter().zip(&marked))
        .filter_map(|(dim, &marked)| if marked { *dim } else { None })
        .collect();
    let args = [batch.args(), seeds(&|k| out[k])].concat();
    let of_args = batch.mapped.iter().zip(&active).filter(|(_, active)| **active).map(|(dim, _)| *dim);
    let places: Vec<Option<usize>> = batch.out.iter().copied().chain(of_args).collect();
    let want: Vec<Array> = (types.iter().zip(places).enumerate())
        .map(|(k, (ty, place))| match place {
            Some(dim) => along(ty, k, dim),
            None => sum(&along(ty, k, 0)),
        })
        .collect();
    same("vjp of vmap", &mut m, back, p, &args, &want)
}

/// A function of derivatives, interpreted and compiled.
fn same(
    what: &str,
    m: &mut Module,
    f: FuncId,
    p: &Program,
    args: &[Array],
    want: &[Array],
) -> Result<(), String> {
    verified(what, m, f)?;
    let rounding = p.rounding.max(Rounding::Bounded);
    agree_all(what, interpret(m, f, args), want, rounding, BOUND_OF_DERIVATIVES)?;
    let f = piped(m, f, DEFAULT);
    let got = compiled(m, f, args, vectors(p.seed));
    agree_all(&format!("{what}, optimized"), got, want, rounding, BOUND_OF_DERIVATIVES)
}

impl Batch<'_> {
    /// The program on it. In a third of the later programs every branch is passed over that no example takes, whatever it costs.
    fn of(&self, m: &mut Module, func: FuncId) -> Result<FuncId, TransformError> {
        let (mapped, size, out) = (&self.mapped, self.size, &self.out);
        let seed = self.program.seed;
        match seed >= BEYOND && seed.is_multiple_of(3) {
            true => vmap_at(m, func, mapped, size, out, None, 0),
            false => vmap(m, func, mapped, size, out, None),
        }
    }

    /// Its arguments.
    fn args(&self) -> Vec<Array> {
        let args = self.program.args.iter().zip(&self.mapped).enumerate();
        args.map(|(k, (own, dim))| match dim {
            Some(dim) => column(own.ty(), self.examples.iter().map(|e| &e[k]), *dim),
            None => own.clone(),
        })
        .collect()
    }
}

/// Values of one type, along a new dimension.
pub(super) fn column<'a>(ty: &TensorType, parts: impl Iterator<Item = &'a Array>, dim: usize) -> Array {
    let with = |size: usize| {
        let mut shape = ty.shape.clone();
        shape.insert(dim, size);
        ty.with_shape(&shape)
    };
    let parts: Vec<Array> = parts.map(|part| Array::from_bytes(with(1), part.bytes())).collect();
    if parts.is_empty() {
        return Array::zeros(with(0));
    }
    eval_op(Concatenate { dim }, &parts).remove(0)
}

/// The sum along the first dimension.
fn sum(x: &Array) -> Array {
    let op = Reduce { dims: [0].into_iter().collect(), inputs: 1, reducer: Reducer::Op(BinaryOp::Add) };
    eval_op(op, &[x.clone(), Array::zeros(TensorType::scalar(x.dtype()))]).remove(0)
}

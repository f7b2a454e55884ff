//! Transforms of transforms of random programs. Of a smooth program one or two are taken, drawn from batches, forward and reverse
//! mode; each of the three of what that gives is then what it is by definition. A batch is each example's results. Forward and
//! reverse mode are one linear map and its transpose, `<c, J t> = <J^T c, t>`, keep the value, and along a straight line
//! the map is the difference quotient. So every pair is compared, and every three in a row.

use super::agreement::{BOUND, BOUND_OF_DERIVATIVES, agree_all, wide};
use super::batches::column;
use super::check::{Case, compiled, piped, vectors, verified};
use super::derivatives::dot;
use super::{Flavor, Rounding, values};
use wengert_ir::array::Array;
use wengert_ir::func::{FuncId, Module};
use wengert_ir::interp::{self, Limits};
use wengert_ir::rules::EvalError;
use wengert_ir::testing::{Random, floats, numbers};
use wengert_ir::types::{DType, TensorType};
use wengert_passes::ad;
use wengert_passes::batch::vmap;
use wengert_passes::pipeline::DEFAULT;

/// Examples of a batch.
const SIZE: usize = 2;

/// One program in so many.
const EVERY: u64 = 16;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Transform {
    Batch,
    Forward,
    Reverse,
}
use Transform::*;

/// A function and what it is called with.
#[derive(Clone)]
struct Called {
    f: FuncId,
    args: Vec<Array>,
    /// What it gives.
    results: Vec<Array>,
}

/// Why nothing is compared: the rest of a program takes too much.
struct TooMuch;

pub(super) fn pairs(case: &Case<'_>) -> Result<(), String> {
    let p = case.program;
    let is_float = |a: &Array| matches!(a.dtype(), DType::F64 | DType::F32);
    if p.flavor != Flavor::Smooth || p.seed % EVERY != 7 || !p.args.iter().any(is_float) {
        return Ok(());
    }
    if !case.want.iter().any(is_float) || case.want.iter().chain(&p.args).any(|a| a.dtype().is_complex()) {
        return Ok(());
    }
    let single = p.args.iter().chain(&case.want).any(|a| a.dtype() != DType::F64 && a.dtype().is_float());
    let mut random = Random(p.seed ^ 0x9a125);
    // What sums in few bits are is lost in derivatives of derivatives.
    let depth = if single { 1 } else { 1 + random.below(2) };
    let inner: Vec<Transform> = (0..depth).map(|_| random.pick(&[Batch, Forward, Reverse])).collect();
    let mut t = Transforms { m: p.module.clone(), memory: p.memory, random, single };
    let mut g = Called { f: p.func, args: p.args.clone(), results: case.want.clone() };
    for &transform in &inner {
        match t.apply(transform, &g)? {
            Ok(next) => g = next,
            Err(TooMuch) => return Ok(()),
        }
    }
    // Too much to compare is no fault.
    t.compare(&g, p.seed).map(|_| ()).map_err(|e| format!("of {inner:?}: {e}"))
}

/// What works on a module.
struct Transforms {
    m: Module,
    memory: Option<u64>,
    random: Random,
    single: bool,
}

type Tried<T> = Result<Result<T, TooMuch>, String>;

impl Transforms {
    fn run(&self, f: FuncId, args: &[Array]) -> Tried<Vec<Array>> {
        let limits = Limits { max_memory: self.memory, ..Limits::default() };
        match interp::run(&self.m, f, args, &limits) {
            Ok(results) => Ok(Ok(results)),
            Err(EvalError::Memory(_)) => Ok(Err(TooMuch)),
            Err(e) => Err(e.to_string()),
        }
    }

    fn called(&self, f: FuncId, args: Vec<Array>) -> Tried<Called> {
        Ok(self.run(f, &args)?.map(|results| Called { f, args, results }))
    }

    fn seeds(&mut self, of: &[Array]) -> Vec<Array> {
        let floats = of.iter().filter(|a| a.dtype().is_float());
        let mut seed =
            |a: &Array| numbers(a.ty(), (0..a.ty().elements()).map(|_| self.random.uniform(-1.0, 1.0)));
        floats.map(&mut seed).collect()
    }

    fn apply(&mut self, transform: Transform, g: &Called) -> Tried<Called> {
        match transform {
            Batch => {
                let others = self.others(g);
                let f = self.batch(g)?;
                self.called(f, stacked(g, &others))
            }
            Forward => {
                let f = ad::jvp(&mut self.m, g.f, &active(&g.args)).map_err(|e| format!("jvp: {e}"))?;
                let tangents = self.seeds(&g.args);
                self.called(f, [&g.args[..], &tangents].concat())
            }
            Reverse => {
                let (args, results) = (active(&g.args), active(&g.results));
                let f = ad::vjp(&mut self.m, g.f, &args, &results).map_err(|e| format!("vjp: {e}"))?;
                let cotangents = self.seeds(&g.results);
                self.called(f, [&g.args[..], &cotangents].concat())
            }
        }
    }

    /// Arguments of another example: what is not a float is what it was, and so is one in three of the others.
    fn others(&mut self, g: &Called) -> Vec<Option<Array>> {
        let types: Vec<TensorType> = g.args.iter().map(|a| a.ty().clone()).collect();
        let others = values::of_types(&types, &mut self.random, false);
        let mut differs = |a: &Array| a.dtype().is_float() && !self.random.chance(33);
        others.into_iter().map(|a| differs(&a).then_some(a)).collect()
    }

    fn batch(&mut self, g: &Called) -> Result<FuncId, String> {
        let mapped: Vec<Option<usize>> = vec![Some(0); g.args.len()];
        let out: Vec<Option<usize>> = vec![Some(0); g.results.len()];
        vmap(&mut self.m, g.f, &mapped, SIZE, &out, None).map_err(|e| format!("vmap: {e}"))
    }

    /// All three transforms of a function against what they are by definition.
    fn compare(&mut self, g: &Called, seed: u64) -> Tried<()> {
        // A batch is its examples.
        let others = self.others(g);
        let second: Vec<Array> =
            g.args.iter().zip(&others).map(|(own, other)| other.as_ref().unwrap_or(own).clone()).collect();
        let Ok(more) = self.run(g.f, &second)? else { return Ok(Err(TooMuch)) };
        let want: Vec<Array> =
            (g.results.iter().zip(&more)).map(|(a, b)| column(a.ty(), [a, b].into_iter(), 0)).collect();
        let f = self.batch(g)?;
        let Ok(batch) = self.called(f, stacked(g, &others))? else { return Ok(Err(TooMuch)) };
        self.same("vmap", &batch, &want, BOUND, seed)?;

        // Forward and reverse mode keep the value, and are one map.
        let n = g.results.len();
        let [forward, reverse] = [self.apply(Forward, g)?, self.apply(Reverse, g)?];
        let (Ok(forward), Ok(reverse)) = (forward, reverse) else { return Ok(Err(TooMuch)) };
        for (what, called) in [("value of jvp", &forward), ("value of vjp", &reverse)] {
            agree_all(
                what,
                Ok(called.results[..n].to_vec()),
                &g.results,
                Rounding::Bounded,
                BOUND_OF_DERIVATIVES,
            )?;
            self.same(what, called, &called.results, BOUND_OF_DERIVATIVES, seed)?;
        }
        let (left, size) = dot(&reverse.args[g.args.len()..], &forward.results[n..]);
        let (right, other) = dot(&reverse.results[n..], &forward.args[g.args.len()..]);
        let near =
            (left - right).abs() <= BOUND_OF_DERIVATIVES[usize::from(self.single)] * (1e-3 + size + other);
        if !near {
            return Err(format!("<c, J t> = {left:e}, but <J^T c, t> = {right:e}"));
        }
        if !self.single {
            return self.differences(g, &forward.args[g.args.len()..], &forward.results[n..]);
        }
        Ok(Ok(()))
    }

    /// What it is, and what it stays when it is optimized and, in a quarter of the programs, compiled.
    fn same(
        &mut self,
        what: &str,
        g: &Called,
        want: &[Array],
        bound: [f64; 2],
        seed: u64,
    ) -> Result<(), String> {
        verified(what, &self.m, g.f)?;
        agree_all(what, Ok(g.results.clone()), want, Rounding::Bounded, bound)?;
        if (seed / EVERY).is_multiple_of(4) {
            let f = piped(&mut self.m, g.f, DEFAULT);
            let got = compiled(&self.m, f, &g.args, vectors(seed));
            agree_all(&format!("{what}, compiled"), got, want, Rounding::Bounded, BOUND_OF_DERIVATIVES)?;
        }
        Ok(())
    }

    /// The difference quotient along the tangents is the sum that forward mode gives, of all elements together: where one has a kink
    /// within the step, smaller steps must show it.
    fn differences(&self, g: &Called, tangents: &[Array], pushed: &[Array]) -> Tried<()> {
        let pushed: Vec<f64> = pushed.iter().flat_map(wide).collect();
        let mut worst = String::new();
        for step in [1e-5, 1e-6, 1e-8] {
            let [up, down] = [step, -step].map(|h| self.run(g.f, &moved(&g.args, tangents, h)));
            let (Ok(up), Ok(down)) = (up?, down?) else { return Ok(Err(TooMuch)) };
            let [up, down] = [up, down].map(|results| -> Vec<f64> {
                results.iter().filter(|r| r.dtype().is_float()).flat_map(wide).collect()
            });
            let largest = up.iter().chain(&pushed).fold(1.0, |m: f64, x| m.max(x.abs()));
            let far = (up.iter().zip(&down).zip(&pushed).enumerate()).find(|(_, ((u, d), want))| {
                let off = ((*u - *d) / (2.0 * step) - *want).abs();
                off.is_nan() || off > 1e-3 * largest
            });
            match far {
                None => return Ok(Ok(())),
                Some((k, ((u, d), want))) => {
                    worst = format!("element {k}: tangent {want:e}, difference {:e}", (u - d) / (2.0 * step));
                }
            }
        }
        Err(worst)
    }
}

fn active(of: &[Array]) -> Vec<bool> {
    of.iter().map(|a| a.dtype().is_float()).collect()
}

/// The arguments of a batch.
fn stacked(g: &Called, others: &[Option<Array>]) -> Vec<Array> {
    let both = g.args.iter().zip(others);
    both.map(|(own, other)| column(own.ty(), [own, other.as_ref().unwrap_or(own)].into_iter(), 0)).collect()
}

/// Arguments so far along their tangents.
fn moved(args: &[Array], tangents: &[Array], h: f64) -> Vec<Array> {
    let mut next = tangents.iter();
    let along = |a: &Array| match a.dtype().is_float() {
        true => {
            let t = next.next().expect("a tangent per float");
            numbers(a.ty(), floats(a).into_iter().zip(floats(t)).map(|(a, t)| a + h * t))
        }
        false => a.clone(),
    };
    args.iter().map(along).collect()
}

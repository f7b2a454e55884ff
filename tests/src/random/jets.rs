//! Taylor mode on random programs: it keeps the value, and is what nested forward mode gives where both are smooth.

use super::agreement::agree_all;
use super::check::{Case, interpret, piped, verified};
use super::derivatives::is_real;
use super::{Flavor, Rounding};
use wengert_ir::array::Array;
use wengert_ir::testing::{Random, numbers};
use wengert_ir::types::DType;
use wengert_passes::ad;
use wengert_passes::pipeline::DEFAULT;

/// The derivatives that are compared.
const ORDER: usize = 3;

/// How far derivatives of third order may differ, of `f64` and of `f32`.
const BOUND: [f64; 2] = [1e-6, 5e-2];

pub(super) fn jets(case: &Case<'_>) -> Result<(), String> {
    let p = case.program;
    let active: Vec<bool> = p.args.iter().map(|a| is_real(a.dtype())).collect();
    let marked = case.want.iter().filter(|r| r.dtype().is_differentiable()).count();
    if !active.contains(&true) || marked == 0 {
        return Ok(());
    }
    let mut m = p.module.clone();
    let forward = match ad::jvp(&mut m, p.func, &active) {
        Ok(forward) => forward,
        // Not everything in a wild program has a derivative.
        Err(_) if p.flavor == Flavor::Wild => return Ok(()),
        Err(e) => return Err(format!("jvp: {e}")),
    };
    let jet = ad::jet(&mut m, p.func, &active, ORDER).map_err(|e| format!("jet: {e}"))?;
    verified("jet", &m, jet)?;
    let mut random = Random(p.seed ^ 0x1e7);
    let chosen: Vec<&Array> = p.args.iter().zip(&active).filter(|(_, a)| **a).map(|(a, _)| a).collect();
    let direction = |a: &Array, random: &mut Random| {
        numbers(a.ty(), (0..a.ty().elements()).map(|_| random.uniform(-1.0, 1.0)))
    };
    let tangents: Vec<Array> = chosen.iter().map(|a| direction(a, &mut random)).collect();
    // Along a straight line.
    let mut args = p.args.clone();
    for t in &tangents {
        args.push(t.clone());
        args.extend((1..ORDER).map(|_| Array::zeros(t.ty().clone())));
    }
    let n = case.want.len();
    let found = interpret(&m, jet, &args).map_err(|e| format!("jet: {e}"))?;
    agree_all("value of jet", Ok(found[..n].to_vec()), &case.want, p.rounding, super::agreement::BOUND)?;
    if p.flavor != Flavor::Smooth {
        return Ok(());
    }
    // Forward mode of forward mode, tangents standing still.
    let mut nested = forward;
    let mut args_of = [&p.args[..], &tangents].concat();
    let mut want: Vec<Vec<Array>> = Vec::new();
    for k in 1..=ORDER {
        let out = interpret(&m, nested, &args_of).map_err(|e| format!("nested jvp: {e}"))?;
        want.push(out[out.len() - marked..].to_vec());
        if k < ORDER {
            let mut moving = active.clone();
            moving.resize(args_of.len(), false);
            nested = ad::jvp(&mut m, nested, &moving).map_err(|e| format!("nested jvp: {e}"))?;
            args_of.extend(tangents.iter().cloned());
        }
    }
    let single = p.args.iter().chain(&case.want).any(|a| a.dtype() != DType::F64);
    let bound = if single { [BOUND[1]; 2] } else { BOUND };
    for (k, want) in want.iter().enumerate() {
        let got: Vec<Array> = (0..marked).map(|r| found[n + r * ORDER + k].clone()).collect();
        agree_all(&format!("derivative {} of a jet", k + 1), Ok(got), want, Rounding::Bounded, bound)?;
    }
    if !single && p.seed % 8 == 3 {
        let optimized = piped(&mut m, jet, DEFAULT);
        let got = interpret(&m, optimized, &args);
        agree_all("optimized jet", got, &found, Rounding::Bounded, bound)?;
    }
    Ok(())
}
